"""Saving and loading a search: what is written besides the state of the engine, and how it is checked."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bestfirst.arguments import check_bool, check_path
from bestfirst.attempt import Attempt
from bestfirst.compiled.drivers import checkpoint
from bestfirst.compiled.drivers.checkpoint import Checkpoint
from bestfirst.compiled.store.saved_values import SavedError
from bestfirst.errors import DatabaseError, InputError, UnknownNameError
from bestfirst.heuristics.heuristic import ZERO
from bestfirst.rounding import exceeds_bound
from bestfirst.search.incumbent import UPPER_BOUND, incumbent_of
from bestfirst.search_plan import HEAD_START, SAME_COUNTS
from bestfirst.slow_heuristics import long_search_heuristic
from bestfirst.solution import Limits, Stats
from bestfirst.trace.labels import shortened, visible

if TYPE_CHECKING:
    from bestfirst.compiled.drivers.driver import CompiledDriver
    from bestfirst.compiled.store.saved_values import Saved
    from bestfirst.problem import Problem
    from bestfirst.resumable_search import Search
    from bestfirst.search_plan import HeuristicChoice
    from bestfirst.stages import Stages

_OF_ENGINE = ("bound", "stopped", "gave_up", "bound_when_barred", "dead_ends", "falls", "ended")
"""What a checkpoint keeps of every engine, besides its statistics, goal and inconsistent edge."""
STOPS = ("seconds", "expansions", "memory", "interrupted")
"""The reasons for which a run of a compiled search stops."""
MOST_THREADS = 4096
MOST_COLUMNS = 500
"""The longest problem that a message repeats in full."""
MOST_ROUNDS_TO_THE_END = 3
"""A search that has not ended after this many runs without an expansion is considered stuck."""
_NO_OPTIONS = {"problem", "algorithm", "heuristic", "limits", "trace", "engine", "threads", "verify", "databases"}
_INCUMBENT = "incumbent"


def save(problem: Problem, stages: Stages, asked: tuple[Any, Any, dict[str, Any]], limits: Limits, path: str | Path) -> None:
    """See Search.save(). problem: as it was given. asked: the given algorithm, heuristic and other arguments."""
    check_path("path", path)
    stages.attempt.check_unchanged()
    with stages.attempt.while_compiled(limits) as driver:
        driver.check_at_rest()
        _save(problem, stages, driver, asked, limits, path)


def _save(
    problem: Problem,
    stages: Stages,
    driver: CompiledDriver,
    asked: tuple[Any, Any, dict[str, Any]],
    limits: Limits,
    path: str | Path,
) -> None:
    attempt = stages.attempt
    assert attempt.domain is not None
    algorithm, heuristic, others = asked
    named = attempt.heuristic.name if attempt.heuristic else None
    header = {
        "problem": repr(stages.problem),
        "algorithm": algorithm,
        "heuristic": None if heuristic is None else named,
        "threads": others["threads"],
        "options": _options(stages.problem, others),
        "limits": asdict(limits),
        "long_search": {
            "is_long": stages.is_long,
            "heuristic": named,
            "sharing": attempt.threads,
            "proved": stages.known,
            "stayed": stages.stayed,
        },
        "fingerprint": _fingerprint(attempt),
    }
    state = {
        "engine": {name: getattr(driver, name) for name in _OF_ENGINE},
        "stats": checkpoint.encoded_stats(driver.stats),
        "history": [[entry.seconds, entry.expanded, entry.cost, entry.lower_bound] for entry in driver.history],
        "goal": checkpoint.encoded_path(stages.problem, driver.goal),
        "fall": checkpoint.encoded_path(stages.problem, driver.fall_from_start),
        "driver": driver.saved(),
    }
    checkpoint.save(path, header, state, problem)


def _options(problem: Problem, given: dict[str, Any]) -> dict[str, Any]:
    """The options of the algorithm; a known solution as the number of each of its steps."""
    options = {name: value for name, value in given.items() if name not in ("threads", "engine")}
    if options.get(_INCUMBENT) is not None:
        path = checkpoint.encoded_path(problem, incumbent_of(problem, options[_INCUMBENT]))
        options[_INCUMBENT] = [number for number, _ in path or ()]
    return options


def _fingerprint(attempt: Attempt) -> str:
    assert attempt.domain is not None
    both_ways = "backward_heuristic" in attempt.algorithm.options
    return checkpoint.fingerprint(attempt.domain, attempt.offered_heuristic(), both_ways=both_ways)


def load(
    kind: type[Search],
    path: str | Path,
    problem: Problem | None,
    *,
    heuristic: HeuristicChoice | None,
    places: dict[str, Any],
    unpickle: bool,
) -> Search:
    """See Search.load(). places: on and workers."""
    check_path("path", path)
    check_bool("unpickle", unpickle)
    if problem is None and not unpickle:
        raise InputError(
            f"pass the problem of the saved search: Search.load({str(path)!r}, problem); or, if you wrote the file yourself, "
            "pass unpickle=True to load the problem from the file, which can run arbitrary code"
        )
    saved = checkpoint.read(path)
    problem = saved.problem() if problem is None else problem
    with checkpoint.refusing(path):
        search = _of_header(
            kind, problem, heuristic, saved, {name: value for name, value in places.items() if value is not None}
        )
        _resume(search._stages, saved)
    search._has_begun = True
    return search


def _of_header(
    kind: type[Search], problem: Problem, heuristic: HeuristicChoice | None, saved: Checkpoint, places: dict[str, Any]
) -> Search:
    """A search as the header of a checkpoint describes it, at its start. heuristic: if given, the one that it had."""
    header = saved.header
    options = header.mapping("options")
    if options.keys() & _NO_OPTIONS:
        raise SavedError("it has an unknown option")
    if options.get(_INCUMBENT) is not None:
        with checkpoint.refusing(saved.path):
            options[_INCUMBENT] = checkpoint.actions_of_path(problem, options[_INCUMBENT])
    if places and "on" not in options:
        raise InputError(
            f"{saved.path!r} contains a search that was saved without workers, and cannot use workers now; omit "
            f"{' and '.join(places)}"
        )
    options.update(places)
    limits = Limits(**header.mapping("limits"))
    threads = None if header.is_none("threads") else header.whole("threads", 1, MOST_THREADS)
    algorithm, name = header.optional_text("algorithm"), header.optional_text("heuristic")
    if name is None and heuristic is not None:
        raise InputError(f"{saved.path!r} contains a search for which no heuristic was given; omit heuristic")
    wanted = name if heuristic is None else heuristic
    try:
        search = kind(problem, algorithm, wanted, limits=limits, engine="compiled", threads=threads, **options)
    except InputError as error:
        what = _told_problem(saved)
        if isinstance(error, UnknownNameError) and error.given == wanted:
            raise InputError(
                f"{saved.path!r} contains a search of {what} with heuristic {wanted!r}, which {problem!r} does not offer; "
                f"pass the same problem, and the same heuristic as an object: Search.load({saved.path!r}, problem, "
                "heuristic=...)"
            ) from None
        remedy = "" if isinstance(error, DatabaseError) else "; pass the same problem, or start a new search"
        raise InputError(
            f"{saved.path!r} contains a search of {what}, which cannot be created for {problem!r}: {error}{remedy}"
        ) from None
    stages = search._stages
    stages.attempt.settle(search.limits)
    told = header.part("long_search")
    if told.flag("is_long"):
        _begin_long(stages, told, saved.path)
    attempt = stages.attempt
    if attempt.domain is None:
        raise InputError(
            f"{saved.path!r} contains a search of the compiled engine, which cannot run this problem now; start a new search"
        )
    if _fingerprint(attempt) != header.text("fingerprint"):
        same = "problem" if heuristic is None else "problem and heuristic"
        raise InputError(
            f"{saved.path!r} contains a search of {_told_problem(saved)}, which differs from {problem!r} in its data, "
            f"heuristic or code; pass the same {same}, or start a new search"
        )
    _check_proved(stages, told)
    return search


def _told_problem(saved: Checkpoint) -> str:
    """The problem as the file writes it, for a message: anybody may have written the file."""
    return shortened(visible(saved.header.text("problem")), MOST_COLUMNS)


def _begin_long(stages: Stages, told: Saved, path: str) -> None:
    """Begin the long search, as recorded in the file."""
    if stages.plan.long is None:
        raise InputError(
            f"{path!r} contains a search by long_search, but the problem has no long_search; start a new search"
        )
    sharing = told.whole("sharing", 1, MOST_THREADS)
    if sharing > 1 and stages.plan.long.algorithm.name not in SAME_COUNTS:
        raise InputError(
            f"{path!r} was saved with several threads, but a search with {stages.plan.long.algorithm.name} that is saved can "
            "have only one; start a new search"
        )
    stages.stayed = told.optional_text("stayed")
    wanted = stages.attempt.heuristic
    if stages.stayed is None:
        wanted = long_search_heuristic(stages.problem, told.text("heuristic"))
    stages.begin_long(wanted, sharing)
    stages.head_start = HEAD_START  # a search that can be saved makes all of them


def _check_proved(stages: Stages, told: Saved) -> None:
    """Accept the bound that the first search proved; repeat that search if the bound exceeds what is known without it."""
    proved = told.number("proved")
    first = stages.plan.first
    if proved > 0 and proved > (stages.attempt.at_start or 0):
        from bestfirst.resumable_search import Search  # noqa: PLC0415  (it imports this module when it saves)

        repeated = Search(
            stages.problem,
            first.algorithm.name,
            first.heuristic,
            engine="python",
            limits=Limits(expansions=HEAD_START),
            **first.options,
        )
        bound = repeated.run().lower_bound
        if exceeds_bound(proved, bound, HEAD_START):
            raise SavedError(f"it claims that {HEAD_START} expansions proved the bound {proved}, but they did not")
    stages.known = proved


def _resume(stages: Stages, saved: Checkpoint) -> None:
    """Go to the point of the search that a checkpoint records."""
    attempt = stages.attempt
    driver = attempt.compiled(Limits())
    stats, engine = checkpoint.decoded_stats(saved.state.part("stats")), saved.state.part("engine")
    ended, stopped = engine.flag("ended"), engine.optional_text("stopped")
    seconds, peak_memory = stats.seconds, stats.peak_memory
    if stopped not in (None, *STOPS):
        raise SavedError(f"its reason for stopping, {stopped!r}, is unknown")
    is_replayed = attempt.threads == 1 and stats.expanded <= checkpoint.REPLAYED  # threads stop at different nodes each time
    if is_replayed:
        driver.run(Limits(expansions=stats.expanded), None)
        if driver.stopped == "interrupted":
            raise KeyboardInterrupt
    else:
        _restore(attempt, driver, saved, stats)
    for _ in range(MOST_ROUNDS_TO_THE_END if ended else 0):
        if not driver.ended:
            driver.run(Limits(expansions=0), None)
    if driver.ended != ended or (is_replayed and driver.stats.expanded != stats.expanded):
        raise SavedError("it does not record the progress of the search")
    driver.stopped = None if ended else stopped
    driver.stats.seconds, driver.stats.peak_memory = seconds, peak_memory
    driver.history = checkpoint.decoded_history(saved.state)
    driver.compiled.noted.complete()


def _restore(attempt: Attempt, driver: CompiledDriver, saved: Checkpoint, stats: Stats) -> None:
    """Restore the state of a driver from a checkpoint."""
    engine = saved.state.part("engine")
    h = attempt.heuristic.checked() if attempt.heuristic else ZERO.checked()
    driver.stats = stats
    driver.goal = checkpoint.decoded_path(attempt.problem, h, saved.state, "goal")
    driver.fall = checkpoint.decoded_path(attempt.problem, h, saved.state, "fall")
    if driver.fall is not None and driver.fall.parent is None:
        raise SavedError("its inconsistent edge has no start")
    if driver.goal is not None and not attempt.problem.is_goal(driver.goal.state):
        raise SavedError("its solution does not lead to a goal")
    driver.bound, driver.ended = engine.number("bound"), engine.flag("ended")
    driver.dead_ends, driver.falls = engine.whole("dead_ends"), engine.whole("falls")
    driver.gave_up = engine.optional_text("gave_up")
    if not engine.is_none("bound_when_barred") or driver.gave_up not in (None, "width", UPPER_BOUND):
        raise SavedError("it has a limit that compiled searches do not have")
    driver.restore(saved.state.part("driver"))
