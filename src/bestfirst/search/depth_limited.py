"""Depth-limited search: depth-first search down to a given depth."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from math import inf

from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.search.node import Node, expand, root_of
from bestfirst.search.steps import GENERATE, ON_PATH, End, Expand, Goal, Made, Prune, Step


def depth_limited(problem: Problem, *, depth: float) -> Iterator[Step]:
    """Depth-first search on the tree of paths with at most `depth` actions, none of which visits a state twice.

    Guarantee: finds a solution with at most `depth` actions if there is one; none about its cost. If it finds none it
    ends with status limit, or unsolvable if no path was that long.
    Time: exponential in the depth. Memory: the path.
    Ties: children are generated one at a time, in the order of the problem.
    Source: Russell & Norvig, section 3.4.
    """
    if not isinstance(depth, int | float) or isinstance(depth, bool) or not depth >= 0:
        raise InputError(f"the depth is {depth!r}; use a whole number >= 0")
    return _depth_limited(problem, depth)


def _depth_limited(problem: Problem, depth: float) -> Iterator[Step]:
    root = root_of(problem)
    probe = yield from probe_to_depth(problem, root, depth, [(GENERATE, root)])
    if not probe.found:
        yield End(probe.made, [], 0 if probe.cut else inf, "depth" if probe.cut else None)


@dataclass
class Probe:
    """The result of one probe: children not yet reported, whether it found a goal, whether it cut a path."""

    made: Made
    found: bool = False
    cut: bool = False
    cheapest_action: float = inf


def probe_to_depth(problem: Problem, root: Node, depth: float, made: Made, bound: float = 0) -> Generator[Step, None, Probe]:
    """Search the paths of at most `depth` actions below the root; the common part of the depth-bounded algorithms."""
    probe = Probe(made)
    too_deep = Prune("depth", depth)
    path = [root]
    on_path = {root.state}
    untried: list[Iterator[Node]] = []
    if problem.is_goal(root.state):
        yield Goal(root, probe.made, path, bound)
        probe.found = True
        return probe
    if depth > 0:
        yield Expand(root, probe.made, path, bound)
        probe.made = []
        untried.append(expand(problem, root))
    else:
        probe.cut = True
    while untried:
        child = next(untried[-1], None)
        if child is None:
            untried.pop()
            on_path.remove(path.pop().state)
            continue
        probe.cheapest_action = min(probe.cheapest_action, child.g - path[-1].g)
        if child.state in on_path:
            probe.made.append((ON_PATH, child))
        elif problem.is_goal(child.state):
            probe.made.append((GENERATE, child))
            yield Goal(child, probe.made, path, bound)
            probe.found = True
            return probe
        elif child.depth >= depth:
            probe.made.append((too_deep, child))
            probe.cut = True
        else:
            probe.made.append((GENERATE, child))
            path.append(child)
            on_path.add(child.state)
            yield Expand(child, probe.made, path, bound)
            probe.made = []
            untried.append(expand(problem, child))
    return probe
