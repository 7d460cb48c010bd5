"""Computes what a lesson's blocks ask for: searches, searches of games, values of heuristics, audits."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from bestfirst.errors import InputError
from bestfirst.lessons.result import Progress, Result
from bestfirst.makers import Kind, maker_named
from bestfirst.problem import Problem
from bestfirst.resumable_search import Search
from bestfirst.solution import Limits, Solution, effective_branching_factor
from bestfirst.text_instances import problem_from
from bestfirst.trace import SearchTree, Trace
from bestfirst.trace.expansions import expansion_lines
from bestfirst.trace.labels import one_line
from bestfirst.written import text_of

Given = Mapping[str, Any]

MOST_EVENTS = 50_000
MOST_EXPANSIONS = 200_000
"""The limit of a search unless the block gives another."""
MOST_NODES = 20_000
"""Nodes of a game search that are recorded."""
SHOWN = ("path", "expansions", "rounds", "tree")


def search(given: Given) -> Result:
    """Search a problem, and record it."""
    from bestfirst.viewer.recording import recording_of  # noqa: PLC0415  (only a lesson that runs needs it)

    problem = _problem(given)
    trace = Trace(MOST_EVENTS)
    limits = Limits(expansions=given.get("expansions", MOST_EXPANSIONS))
    choices = dict(given.get("choices", {}))
    reserved = sorted(choices.keys() & inspect.signature(Search.__init__).parameters.keys())
    if reserved:
        raise InputError(
            f"choices has the key {reserved[0]!r}, which is not an option of an algorithm; use options such as weight or width"
        )
    running = Search(problem, given.get("algorithm"), given.get("heuristic"), trace=trace, limits=limits, **choices)
    solution = running.run()
    _check_whole(solution.status)
    values = _values_of(solution, trace)
    subject = trace.subject if trace.events else None
    texts = {
        "path": lambda: "  ".join(values["path"]),
        "expansions": lambda: "\n".join(expansion_lines(trace, problem, trace.subject.algorithm)),
        "rounds": lambda: "\n".join(
            f"{bound:g}: {line}" for bound, line in zip(values["bounds"], values["rounds"], strict=False)
        ),
        "tree": lambda: SearchTree.from_trace(trace).text(problem.label, details=True),
    }
    recording = None if subject is None else recording_of(trace)
    return Result(values, _shown(given, texts), recording)


def _check_whole(how: str | None) -> None:
    """Raise KeyboardInterrupt if Ctrl-C ended a search, whose results are not those of the lesson."""
    if how == "interrupted":
        raise KeyboardInterrupt


def _values_of(solution: Solution[Any, Any], trace: Trace) -> dict[str, Any]:
    problem, stats, nodes = solution.problem, solution.stats, trace.expansions()
    rounds = _rounds(trace)
    return {
        "status": str(solution.status),
        "reason": solution.reason or "",
        "algorithm": solution.algorithm,
        "heuristic": solution.heuristic,
        "cost": solution.cost,
        "actions": len(solution) if solution.found else None,
        "states": len(solution.states),
        "path": [_name(problem, state) for state in solution.states],
        "lower_bound": solution.lower_bound,
        "expanded": stats.expanded,
        "generated": stats.generated,
        "duplicates": stats.duplicates,
        "reopened": stats.reopened,
        "pruned": stats.pruned,
        "peak_agenda": stats.peak_agenda,
        "branching": effective_branching_factor(stats.generated, len(solution)) if solution.found else None,
        "order": [_name(problem, node.state) for node in nodes],
        "g": [node.g for node in nodes],
        "h": [node.h for node in nodes],
        "f": [node.f for node in nodes],
        "bounds": [row.bound for row in stats.iterations],
        "rounds": [" ".join(_name(problem, state) for state in visits) for visits in rounds],
    }


def _rounds(trace: Trace) -> list[list[Any]]:
    """For each round of an iterative search its visits: the root, then every child, whether or not it may be entered."""
    rounds: list[list[Any]] = []
    for event in trace:
        if event.kind == "round":
            rounds.append([event.state])
        elif rounds and (event.kind == "generate" or (event.kind == "prune" and str(event.reason).startswith("depth"))):
            rounds[-1].append(event.state)
    return rounds


def game(given: Given) -> Result:
    """Search a game for its best move, and record it."""
    from bestfirst.games.analysis import analyse  # noqa: PLC0415  (most lessons need no games)
    from bestfirst.games.limits import GameLimits  # noqa: PLC0415
    from bestfirst.games.playing.specification import settings_from  # noqa: PLC0415
    from bestfirst.games.tracing.trace import GameTrace, in_words  # noqa: PLC0415
    from bestfirst.viewer.game_recording import game_recording_of  # noqa: PLC0415

    rules = maker_named(_own_name(given["game"], given), Kind.GAME).make(None, _texts(given.get("options", {})))
    trace = GameTrace(MOST_NODES) if given.get("record", True) else None
    settings = settings_from(given.get("settings", "plain")).suited_to(rules)
    position = rules.parse(given["position"]) if "position" in given else rules.initial
    limits = GameLimits(depth=given.get("depth"))
    running = analyse(rules, position, lines=1, limits=limits, settings=settings, trace=trace, engine="python")
    rounds = list(running)
    _check_whole(running.analysis.stopped)
    found, root = rounds[-1], None if trace is None else trace.root
    depths, moves = found.stats.depths, [one.moves_as_text((one.move,))[0] for one in rounds]
    values: dict[str, Any] = {
        "value": found.score.value,
        "score": str(found.score),
        "proven": found.score.proven,
        "move": moves[-1],
        "line": found.moves_as_text(found.best.pv),
        "nodes": found.stats.nodes,
        "cuts": found.stats.cuts,
        "quiescent": found.stats.quiescent,
        "pruned": dict(found.stats.pruned),
        "depths": [row.value for row in depths],
        "depth_moves": moves,
        "depth_nodes": [row.nodes for row in depths],
    }
    texts: dict[str, Callable[[], str]] = {
        "path": lambda: " ".join(values["line"]),
        "rounds": lambda: "\n".join(
            f"depth {row.depth}: value {in_words(row.value)}, move {move}, {row.nodes:,} nodes"
            for row, move in zip(depths, moves, strict=False)
        ),
    }
    if trace is None or root is None:
        return Result(values, _shown(given, texts))
    nodes = list(root.walk())
    leaves = [in_words(node.value) for node in nodes if node.is_leaf]
    values |= {"leaves": leaves, "visited": len(leaves), "left_out": sum(len(node.pruned) for node in nodes)}
    return Result(values, _shown(given, {**texts, "tree": trace.text}), game_recording_of(trace))


def measure(given: Given) -> Result:
    """Ask heuristics for their values in the initial state."""
    problem = _problem(given)
    known = problem.heuristics()
    values: dict[str, Any] = {"board": _name(problem, problem.initial), "unsolvable": problem.unsolvable() or "no"}
    for name in given.get("heuristics") or known:
        if name not in known:
            raise InputError(f"{given['problem']} has no heuristic {name!r}; it has {', '.join(known)}")
        values[name] = known[name].checked()(problem.initial)
    return Result(values, [("state", text_of(problem, "draw", problem.initial))], None)


def audited(given: Given, progress: Progress | None = None) -> Result:
    """Compare heuristics with the true distances in all states. The space is explored once for all of them."""
    from bestfirst.heuristics.audit import audit  # noqa: PLC0415  (only an audit needs it)
    from bestfirst.heuristics.space import explore  # noqa: PLC0415

    def told(doing: str, states: int) -> None:
        if progress is not None:
            progress(f"{doing}: {states:,} states")

    problem = _problem(given)
    most = given.get("states", 1_000_000)
    space = explore(problem, most, progress=told)
    if space is None:
        raise InputError(f"the space has more than {most:,} states; use a smaller instance, or increase 'states'")
    values: dict[str, Any] = {"states": len(space), "edges": space.edges, **_levels(space.distances)}
    for name in given.get("heuristics") or problem.heuristics():
        found = audit(problem, name, space=space, progress=told)
        _check_whole("interrupted" if found.interrupted else None)
        fields = ("admissible", "consistent", "overestimates", "inconsistent_edges", "mean_h", "largest_h")
        values[name] = {"heuristic": name, **{field: getattr(found, field) for field in fields}}
        values["mean_distance"], values["largest_distance"] = found.mean_distance, found.largest_distance
    return Result(values, [], None)


def _levels(distances: list[float]) -> dict[str, Any]:
    """How many states there are at each distance, from 0."""
    levels = [len(list(same)) for _, same in groupby(sorted(distances))]
    return {"levels": levels}


def _problem(given: Given) -> Problem[Any, Any]:
    maker = maker_named(_own_name(given["problem"], given), Kind.PROBLEM)
    return problem_from(maker, given.get("instance", ""), given.get("options", {}))


def _own_name(name: str, given: Given) -> str:
    """The name of a class; a file next to the lesson gets the lesson's directory."""
    place, colon, attribute = name.partition(":")
    if place.endswith(".py"):
        return f"{Path(given['folder'], place)}{colon}{attribute}"
    return name


def _texts(options: Mapping[str, Any]) -> dict[str, str]:
    return {str(name): str(value) for name, value in options.items()}


def _name(problem: Problem[Any, Any], state: Any) -> str:
    return one_line(text_of(problem, "format", state))


def _shown(given: Given, texts: Mapping[str, Callable[[], str]]) -> list[tuple[str, str]]:
    return [(what, texts[what]()) for what in given.get("show", ()) if what in texts]
