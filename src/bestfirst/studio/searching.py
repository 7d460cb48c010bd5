"""Searches as the page asks for them: what would be searched, and the search with its progress, result and recording."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from time import monotonic
from typing import Any

from bestfirst.cli.report import verdict
from bestfirst.domains import DOMAINS, GridMap, RoadMap
from bestfirst.errors import BestfirstError, InputError, shown
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.models import MODELS, is_model
from bestfirst.pictured import drawn
from bestfirst.problem import Problem
from bestfirst.resumable_search import Search
from bestfirst.search_plan import plan
from bestfirst.solution import Limits, Solution
from bestfirst.studio.catalogue import first_line
from bestfirst.studio.control import CONTROL
from bestfirst.studio.fields import limits_in
from bestfirst.studio.instances import options_of, problem_of
from bestfirst.studio.pictures import background_of, picture_of, size_of
from bestfirst.studio.worker import Request, Tell
from bestfirst.system.memory import resident_bytes
from bestfirst.trace import Trace
from bestfirst.viewer.streaming import TraceStream
from bestfirst.written import text_of

USUAL = {"seconds": 60.0, "memory": "4GiB"}
"""The limits of a search unless the page gives others."""
MOST_EVENTS = 50_000
"""Events that a recording holds."""
MOST_STATES = 200
"""States of a solution that are drawn, the first and the last half if there are more; fewer if they are large."""
MOST_DRAWN = 20_000
"""Cells, letters or shapes that are drawn for a solution."""
MOST_PLACES = 20_000
"""Places of a map that are looked at to find out whether the goal can be reached."""
MOST_SHOWN = 120
"""Letters of a state as Python writes it."""
SECONDS_BETWEEN_MESSAGES = 0.2


def look(request: Request, tell: Tell) -> None:
    """Tell what a request describes, without searching: the instance in pictures, its heuristics, the plan, the commands."""
    problem = problem_of(request)
    found = {
        "start": picture_of(problem, problem.initial),
        "background": background_of(problem),
        "written": text_of(problem, "format", problem.initial),
        "state": shown(problem.initial)[:MOST_SHOWN],
        "unsolvable": problem.unsolvable() or _enclosed(problem),
        "heuristics": [_heuristic(name, one) for name, one in problem.heuristics().items()],
        "default_heuristic": problem.default_heuristic,
        "commands": commands(request, problem),
        **_goal(problem),
    }
    try:
        found["plan"] = plan_of(plan(problem, *chosen(request), **arguments(request)))
    except BestfirstError as error:
        found["plan_error"] = str(error)
    tell(found)


def _enclosed(problem: Problem[Any, Any]) -> str | None:
    """Why no way on a map leads from the start to the goal; None if one may. Maps are small enough to be searched."""
    if not isinstance(problem, GridMap | RoadMap):
        return None
    met, waiting = {problem.initial}, [problem.initial]
    while waiting and len(met) < MOST_PLACES:
        place = waiting.pop()
        if problem.is_goal(place):
            return None
        new = {after for _, after, _ in problem.successors(place)} - met
        met |= new
        waiting.extend(new)
    if waiting:
        return None
    if len(met) == 1:
        return "no other place can be reached from the start"
    return f"only {len(met):,} places can be reached from the start, and the goal is not among them"


def _goal(problem: Problem[Any, Any]) -> dict[str, Any]:
    goal = problem.goal_state()
    return {} if goal is None else {"goal": picture_of(problem, goal)}


def _heuristic(name: str, one: Heuristic) -> dict[str, Any]:
    return {"name": name, "summary": first_line(one.function), "admissible": one.admissible, "consistent": one.consistent}


def plan_of(found: Any) -> dict[str, Any]:
    """A plan as JSON, its stages in words."""
    return {"stages": [str(stage) for stage in found.stages], "why": dict(found.why)}


def search(request: Request, tell: Tell) -> None:
    """Search as requested: tell the progress, the solution, and the pieces of the recording if the request has `steps`.

    With `paused` it waits before its first step. It can be paused, resumed, or advanced by a step: see control.py.
    """
    problem = problem_of(request)
    trace = Trace(MOST_EVENTS) if request.get("steps") else None
    limits = limits_of(request)
    running = Search(problem, *chosen(request), trace=trace or False, limits=limits, **arguments(request))
    stream = None if trace is None else TraceStream(trace, _Page(tell))
    progress = Progress(tell)

    def follow(running: Search[Any, Any]) -> None:
        progress(running)
        if stream is not None:
            stream.send_if_due()

    def on_pause() -> None:
        progress.tell_now(running)
        if stream is not None and trace is not None:
            stream.send(is_running=True)
        tell({"paused": True})

    solution = CONTROL.run(running, limits, follow, on_pause, begins_paused=bool(request.get("paused")))
    if stream is not None and trace is not None and trace.events:
        stream.send(is_running=False)
    tell({"solution": solution_of(solution)})


class _Page:
    """The viewer in the page, for which the pieces of a recording are messages (docs/viewer-format.md)."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def show(self, recordings: Sequence[dict[str, Any]], *, is_running: bool = False) -> None:
        self._tell({"piece": {"recordings": recordings, "running": is_running}})

    def extend(self, chunk: dict[str, Any], *, dropped: int, is_running: bool) -> None:
        self._tell({"piece": {"chunk": chunk, "dropped": dropped, "running": is_running}})


class Progress:
    """Tells the progress of a search, a few times a second."""

    def __init__(self, tell: Tell, **about: Any) -> None:
        self._tell, self._about = tell, about
        self._next = 0.0

    def __call__(self, running: Search[Any, Any]) -> None:
        now = monotonic()
        if now < self._next:
            return
        self._next = now + SECONDS_BETWEEN_MESSAGES
        self.tell_now(running)

    def tell_now(self, running: Search[Any, Any]) -> None:
        """Tell it even if the last message was sent a moment ago."""
        stats = running.stats
        self._tell(
            {
                "progress": {
                    **self._about,
                    "expanded": stats.expanded,
                    "generated": stats.generated,
                    "seconds": stats.seconds,
                    "rate": stats.rate_after(running.head_start),
                    "bound": running.lower_bound,
                    "iterations": len(stats.iterations),
                    "memory": _memory(),
                }
            }
        )


def _memory() -> int | None:
    try:
        return resident_bytes()
    except InputError:
        return None


def chosen(request: Request) -> tuple[str | None, str | None]:
    """The algorithm and the heuristic of a request; None for what is left to the plan."""
    return request.get("algorithm") or None, request.get("heuristic") or None


def arguments(request: Request) -> dict[str, Any]:
    """The other arguments of solve(): the engine, the threads, and the options of the algorithm that are not empty."""
    given = {"engine": request.get("engine"), "threads": request.get("threads"), **(request.get("choices") or {})}
    return {str(name): value for name, value in given.items() if value not in (None, "", False)}


def limits_of(request: Request) -> Limits:
    """The limits of a request, with the usual ones for those that are missing; the time is always limited."""
    return limits_in({**request, **{name: usual for name, usual in USUAL.items() if request.get(name) in (None, "")}})


def solution_of(solution: Solution[Any, Any]) -> dict[str, Any]:
    """A solution as JSON: the verdict in words, the statistics, the plan, and the path in pictures."""
    problem = solution.problem
    actions = [text_of(problem, "format_action", action) for action in solution.actions]
    steps = list(zip(["start", *actions], solution.states, strict=False))
    shown_steps = _ends(steps, _most_drawn(picture_of(problem, problem.initial)))
    return {
        **{name: value for name, value in solution.to_dict().items() if name not in ("states", "actions")},
        "verdict": str(verdict(solution)),
        "actions": len(actions),
        "path": [{"action": action, **picture_of(problem, state)} for action, state in shown_steps],
        "left_out": max(0, len(solution.states) - len(shown_steps)),
        "result": _result(solution),
        "background": background_of(problem),
        "plan": None if solution.plan is None else plan_of(solution.plan),
    }


def _result(solution: Solution[Any, Any]) -> dict[str, Any] | None:
    """The picture of the result of a model; None if there is none, or it cannot be drawn."""
    if not solution.found or not is_model(solution.problem):
        return None
    try:
        svg = drawn(solution.problem.result(solution).picture())  # type: ignore[attr-defined]
    except InputError:  # places without coordinates
        return None
    return {"kind": "svg", "svg": svg.text, "aspect": svg.aspect}


def _most_drawn(picture: dict[str, Any]) -> int:
    """How many states like this one are drawn: a path on a map is a single line."""
    return MOST_DRAWN if picture["kind"] == "place" else min(MOST_STATES, MOST_DRAWN // max(1, size_of(picture)))


def _ends(steps: Sequence[Any], most: int) -> Sequence[Any]:
    half = most // 2
    return steps if len(steps) <= most else [*steps[:half], *steps[-half:]]


def commands(request: Request, problem: Problem[Any, Any]) -> dict[str, str]:
    """The command line and the lines of Python that run the same search."""
    return {"shell": _shell(request), "python": _python(request, problem)}


def _shell(request: Request) -> str:
    name, options = str(request["problem"]), _options(request)
    instance, before = str(request.get("instance", "")).strip(), ""
    if name in _FILES:
        instance, before = _FILES[name], f"# {_FILES[name]} holds the map\n"
    elif name in MODELS:
        instance, before = INSTANCE, f"# {INSTANCE} holds the instance\n"
    algorithm, heuristic = chosen(request)
    flags: dict[str, Any] = {_flag(name, option): value for option, value in options.items()}
    flags |= {"algorithm": algorithm, "heuristic": heuristic}
    flags |= {option.replace("_", "-"): value for option, value in arguments(request).items()}
    words = ["bestfirst", "solve", name, *([instance] if instance else [])]
    for flag, value in {**flags, **_given_limits(request)}.items():
        if value is not None and value is not False:
            words += [f"--{flag}"] if value is True else [f"--{flag}", str(value)]
    return before + shlex.join(words)


def _flag(problem: str, option: str) -> str:
    return "from" if option == "start" and problem in DOMAINS else option.replace("_", "-")


_FILES = {"grid-map": "map.map", "road-map": "map.csv"}
"""The maps, whose instance is a file on the command line."""
INSTANCE = "instance.txt"
"""The file of a model."""


def _options(request: Request) -> dict[str, str]:
    return {option: str(value).strip() for option, value in options_of(request).items() if str(value).strip()}


def _given_limits(request: Request) -> dict[str, Any]:
    limits = {limit: request.get(limit) for limit in ("seconds", "expansions", "memory")}
    return {limit: value for limit, value in limits.items() if value not in (None, "")}


def _python(request: Request, problem: Problem[Any, Any]) -> str:
    options, name, name_given = _options(request), type(problem).__name__, str(request["problem"])
    written = [_literal(str(request.get("instance", "")).strip())]
    maker = f"bf.{name}.from_text"
    if name == "GridMap":
        maker, written = (
            "bf.GridMap",
            [*written, repr(text_of(problem, "format", problem.initial)), repr(_goal_of_grid(problem))],
        )
        rules = GridMap.rules_written(
            **{option: value for option, value in options.items() if option not in ("start", "goal")}
        )
        written += [f"{option}={value!r}" for option, value in rules.items() if option in options]
    elif name == "RoadMap":
        maker = "bf.RoadMap.from_csv"
        written = ['"map.csv"', repr(options.pop("start")), repr(options.pop("goal"))]
        written += [f"{option}={value!r}" for option, value in options.items()]
    elif name_given in MODELS:
        maker, written = f"{name}.from_text", [repr(INSTANCE), *(f"{option}={value!r}" for option, value in options.items())]
    elif name_given not in DOMAINS:
        maker = f"maker_named({name_given!r}).make"
        written = [written[0] if str(request.get("instance", "")).strip() else "None", repr(options)]
    else:
        written += [f"{option}={value!r}" for option, value in options.items()]
    algorithm, heuristic = chosen(request)
    limits = _given_limits(request)
    passed = ["problem", *([] if algorithm is None else [repr(algorithm)])]
    passed += [] if heuristic is None else [f"heuristic={heuristic!r}"]
    passed += [f"{option}={value!r}" for option, value in arguments(request).items()]
    if limits:
        passed.append(f"limits=bf.Limits({', '.join(f'{limit}={value!r}' for limit, value in limits.items())})")
    own = "" if name_given in DOMAINS else "from bestfirst.makers import maker_named\n"
    if name_given in MODELS:
        own = f"from bestfirst.models import {name}\n"
    return (
        f"import bestfirst as bf\n{own}\n"
        f"problem = {maker}({', '.join(written)})\n"
        f"solution = bf.solve({', '.join(passed)})\n"
        "print(solution)"
    )


def _goal_of_grid(problem: Problem[Any, Any]) -> str:
    return text_of(problem, "format", problem.goal_state())


def _literal(text: str) -> str:
    """A string of Python, over several lines if the text has several."""
    return f'"""\n{text}\n"""' if "\n" in text and '"""' not in text and "\\" not in text else repr(text)
