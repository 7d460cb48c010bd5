"""How a search goes on where the usual heuristic has not soon led to the end: begun anew, as a long one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bestfirst.arguments import check_kind
from bestfirst.beside import Beside
from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.interrupt import CtrlC
from bestfirst.problem import Problem
from bestfirst.search import Algorithm, algorithm_named

if TYPE_CHECKING:
    from bestfirst.patterns.progress import Progress


@dataclass
class LongSearch:
    """Whether a search may still begin anew, and what it may change then; afterwards, what is left of the first one.

    may_change_algorithm, may_share: no algorithm, or no number of threads, was asked for. proved: the bound of the first search.
    stayed: why the search stayed with the usual heuristic, where the other one could not be had.
    """

    is_ahead: bool
    may_change_algorithm: bool
    may_share: bool
    proved: float = 0
    stayed: str | None = None


def has_long_search(problem: Problem, algorithm: Algorithm) -> bool:
    """Whether a search that began with the usual heuristic can go on with the one for long searches.

    Raises InputError where the problem's long_search_algorithm is none for it.
    """
    is_used = problem.default_heuristic is not None and algorithm.heuristic in ("required", "if any")
    is_one_way = "backward_heuristic" not in algorithm.options  # the heuristic can be that of one goal
    if problem.long_search_heuristic is None or not (is_used and is_one_way) or algorithm.promise == "none":
        return False
    check_kind(
        f"long_search_options of {problem.name()}", problem.long_search_options, Mapping, 'a dict, such as {"prune": 8}'
    )
    if problem.long_search_options and problem.long_search_algorithm is None:
        raise InputError(f"{problem.name()} has long_search_options, but no long_search_algorithm that they are of")
    if problem.long_search_algorithm is not None:
        other = algorithm_named(problem.long_search_algorithm)
        if other.heuristic not in ("required", "if any") or "backward_heuristic" in other.options:
            raise InputError(
                f"long_search_algorithm of {problem.name()} is {other.name!r}, which does not search with one heuristic; name one "
                "that does, such as 'idastar'"
            )
        other.check_options(problem.long_search_options)
    return True


def long_search_heuristic(problem: Problem, *, may_build: bool) -> Heuristic:
    """The problem's long_search_heuristic, for which databases may be built if that is allowed, by the policy too.

    Raises InputError where it cannot be had, and KeyboardInterrupt where Ctrl-C was pressed meanwhile; what was built of a database
    until then is kept.
    """
    from bestfirst.patterns.policy import ProgressLine, current_policy, database_policy  # noqa: PLC0415  (it imports NumPy)

    assert problem.long_search_heuristic is not None
    policy = current_policy()
    line = ProgressLine("building pattern databases")
    with CtrlC() as ctrl_c:  # it must not hit code that knows nothing of it, such as an import

        def look(progress: Progress) -> None:
            (policy.progress or line)(progress)
            if ctrl_c.pressed:
                raise KeyboardInterrupt

        try:
            with database_policy(replace(policy, may_build=policy.may_build and may_build, progress=look)):
                found = find_heuristic(problem, problem.long_search_heuristic)
        finally:
            line.close()
        if ctrl_c.pressed:
            raise KeyboardInterrupt
    return found


def found_in_time(
    find: Callable[[], Heuristic | None], problem: Problem, wanted: object, seconds: float
) -> Heuristic | None:
    """The heuristic that find() gives, for a search that has so many seconds; wanted: what was asked for.

    Raises InputError where pattern databases would have to be built for it that take longer. What was built of them is kept.
    """
    name = problem.default_heuristic if wanted is None else wanted
    if not isinstance(name, str) or name in problem.heuristics():  # nothing is built for these
        return find()
    deadline = perf_counter() + seconds
    finding: Beside[Heuristic | None] = Beside(partial(_until, deadline, find))
    if not finding.wait(deadline):
        raise _too_late(name, seconds)
    try:
        return finding.result()
    except _Late:
        raise _too_late(name, seconds) from None


class _Late(BaseException):
    """The building of a database was stopped by a limit on seconds."""


def _until(deadline: float, find: Callable[[], Any]) -> Any:
    """What find() gives, where no database is built on after a moment of perf_counter()."""
    from bestfirst.patterns.policy import current_policy, database_policy  # noqa: PLC0415  (it imports NumPy)

    policy = current_policy()

    def look(progress: Progress) -> None:
        if policy.progress is not None:
            policy.progress(progress)
        if perf_counter() >= deadline:
            raise _Late

    with database_policy(replace(policy, progress=look)):
        return find()


def _too_late(name: str, seconds: float) -> InputError:
    return InputError(
        f"heuristic {name!r} was not ready within the limit of {seconds:g} s, as its pattern databases are not built yet; build "
        "them first, with 'bestfirst pdb build', or search once without the limit (what was built is kept)"
    )
