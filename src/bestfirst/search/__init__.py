"""The reference algorithms, one module each, and their list.

An algorithm returns a generator of steps: for step in astar(problem, h). The driver runs it, applies limits, and counts.
Invalid problems and options raise immediately; the heuristic and the steps of the problem run only when the generator does.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from bestfirst.arguments import check_bool, flags_of
from bestfirst.errors import InputError, UnknownNameError
from bestfirst.heuristics.heuristic import ZERO
from bestfirst.problem import Problem
from bestfirst.search.anytime_beam import anytime_beam
from bestfirst.search.anytime_weighted_astar import anytime_weighted_astar
from bestfirst.search.astar import astar
from bestfirst.search.beam import beam
from bestfirst.search.best_first_tree import best_first_tree
from bestfirst.search.bidirectional import bidirectional_astar
from bestfirst.search.branch_and_bound import branch_and_bound
from bestfirst.search.breadth_first import breadth_first
from bestfirst.search.depth_first import depth_first, depth_first_tree
from bestfirst.search.depth_first_branch_and_bound import depth_first_branch_and_bound
from bestfirst.search.depth_limited import depth_limited
from bestfirst.search.generate_and_test import generate_and_test
from bestfirst.search.greedy import greedy
from bestfirst.search.idastar import idastar
from bestfirst.search.iterative_deepening import iterative_deepening
from bestfirst.search.large_neighbourhood_beam import large_neighbourhood_beam
from bestfirst.search.lazy_anytime import lazy_anytime
from bestfirst.search.lazy_greedy import lazy_greedy
from bestfirst.search.limited_discrepancy import limited_discrepancy
from bestfirst.search.node import Node
from bestfirst.search.portfolio import NAME as PORTFOLIO_NAME
from bestfirst.search.portfolio import portfolio
from bestfirst.search.rbfs import rbfs
from bestfirst.search.steps import Step
from bestfirst.search.uniform_cost import uniform_cost
from bestfirst.search.weighted_astar import weighted_astar

_MEANT = {name: (f"limits=bf.Limits({name}=...)",) for name in ("seconds", "expansions", "memory", "depth")}
_MEANT |= {"timeout": _MEANT["seconds"], "solutions": ("bf.solutions(problem)",)}
"""What is written in place of a name that is given as an option of an algorithm."""

MOST_ALGORITHMS_NAMED = 4
"""The longest list of algorithms in a message about an option."""
_OF_A_PROBLEM = ("incumbent", "backward_heuristic")
"""Options whose values belong to a problem."""


@dataclass(frozen=True)
class Algorithm:
    """An algorithm, selected by name.

    heuristic: whether it needs one ("required"), uses the problem's default if there is one ("if any"), uses one only if
    given ("optional"), or takes none.
    promise: "cheapest"; "fewest actions", which is the cheapest if all actions cost the same; "bounded"; or "none".
    evaluation: the value by which it selects nodes, as a trace shows it; h counts `weight` times in f.
    agenda: the numbers by which it is ordered, lowest first (of equal nodes, the one that entered first leaves first); "path"
    if it is the current path; "levels" if it is that of a beam; "sides" if it is that of two searches; otherwise "set".
    asks_heuristic: whether it is given a Heuristic rather than a function, since it uses preferred actions or declarations.
    needs_admissible: whether its promise needs an admissible heuristic; otherwise it relies on infinite estimates, and on
    others only if they are declared admissible.
    """

    name: str
    run: Callable[..., Iterator[Step]]
    heuristic: Literal["required", "if any", "optional", "none"]
    promise: Literal["cheapest", "fewest actions", "bounded", "none"]
    evaluation: Literal["f", "g", "h"]
    weight: float = 1
    agenda: tuple[str, ...] | Literal["path", "set", "sides", "levels"] = "set"
    asks_heuristic: bool = False
    needs_admissible: bool = True

    @property
    def summary(self) -> str:
        """The first line of its docstring."""
        return (inspect.getdoc(self.run) or "").partition("\n")[0]

    @property
    def options(self) -> list[str]:
        """The names of its keyword options, as in solve()."""
        return list(_keywords(self.run))

    def check_options(self, options: Mapping[str, Any], also: Collection[str] = ()) -> None:
        """Raise UnknownNameError for an unknown option, and InputError for a missing required one.

        also: other names to suggest.
        """
        known = self.options
        for name in options:
            if name not in known:
                if name in also:
                    raise InputError(f"{name} is not an option of {self.name}; pass {name} to solve(), or to Search.run()")
                if others := [other.name for other in (*ALGORITHMS.values(), PORTFOLIO) if name in other.options]:
                    raise UnknownNameError(
                        f"option of {self.name}", name, others, remedy=f"it is an option of {_listed(others)}"
                    )
                error = UnknownNameError(f"option of {self.name}", name, [*known, *also], _MEANT.get(name, ()))
                raise error if error.close else UnknownNameError(f"option of {self.name}", name, known)
        for name in _flags(self.run):
            check_bool(name, options.get(name, False))
        if self.name == "depth-limited" and "depth" not in options:
            raise InputError("depth-limited needs a depth: pass depth=, or --depth on the command line")

    def check_values(self, options: Mapping[str, Any]) -> None:
        """Raise InputError for a value of an option that is refused whatever the problem is. The names must be right."""
        given = {name: value for name, value in options.items() if name not in _OF_A_PROBLEM}
        if "backward_heuristic" in self.options:
            given["backward_h"] = ZERO.function
        arguments = () if self.heuristic == "none" else (ZERO if self.asks_heuristic else ZERO.function,)
        self.run(_OneState(), *arguments, **given)

    def value(self, node: Node) -> float:
        """The evaluation of a node."""
        if self.evaluation == "f":
            return node.g + self.weight * node.h
        return node.g if self.evaluation == "g" else node.h


class _OneState(Problem[int, str]):
    """A problem for all algorithms."""

    initial = 0

    def successors(self, _state: int) -> Iterator[tuple[str, int, int]]:
        yield from ()

    def is_goal(self, _state: int) -> bool:
        return True

    def backward(self) -> _OneState:
        return self


def _listed(algorithms: Sequence[str]) -> str:
    *first, last = algorithms[:MOST_ALGORITHMS_NAMED]
    return f"{', '.join(first)} and {last}" if first else last


@cache
def _flags(run: Callable[..., Iterator[Step]]) -> tuple[str, ...]:
    return tuple(flags_of(run))


@cache
def _keywords(run: Callable[..., Iterator[Step]]) -> tuple[str, ...]:
    parameters = inspect.signature(run).parameters.items()
    keywords = [name for name, parameter in parameters if parameter.kind is inspect.Parameter.KEYWORD_ONLY]
    return tuple("backward_heuristic" if name == "backward_h" else name for name in keywords)


ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("generate-and-test", generate_and_test, "none", "fewest actions", "g"),
        Algorithm("breadth-first", breadth_first, "none", "fewest actions", "g", agenda=()),
        Algorithm("depth-first", depth_first, "none", "none", "g", agenda="path"),
        Algorithm("depth-first-tree", depth_first_tree, "none", "none", "g", agenda="path"),
        Algorithm("depth-limited", depth_limited, "none", "none", "g", agenda="path"),
        Algorithm("iterative-deepening", iterative_deepening, "none", "fewest actions", "g", agenda="path"),
        Algorithm("uniform-cost", uniform_cost, "none", "cheapest", "g", agenda=("g",)),
        Algorithm("greedy", greedy, "required", "none", "h", agenda=("h",), asks_heuristic=True),
        Algorithm("lazy-greedy", lazy_greedy, "required", "none", "h", asks_heuristic=True),
        Algorithm("astar", astar, "required", "cheapest", "f", agenda=("f", "h")),
        Algorithm("weighted-astar", weighted_astar, "required", "bounded", "f", weight=1.5, agenda=("value", "h")),
        Algorithm(
            "anytime-weighted-astar", anytime_weighted_astar, "required", "cheapest", "f", weight=2.0, agenda=("value", "h")
        ),
        Algorithm("lazy-anytime", lazy_anytime, "required", "cheapest", "f", asks_heuristic=True, needs_admissible=False),
        Algorithm("branch-and-bound", branch_and_bound, "optional", "cheapest", "f", agenda=("f", "h")),
        Algorithm("depth-first-branch-and-bound", depth_first_branch_and_bound, "if any", "cheapest", "f", agenda="path"),
        Algorithm("limited-discrepancy", limited_discrepancy, "if any", "cheapest", "f"),
        Algorithm("idastar", idastar, "required", "cheapest", "f", agenda="path"),
        Algorithm("rbfs", rbfs, "required", "cheapest", "f", agenda="path"),
        Algorithm("best-first-tree", best_first_tree, "required", "cheapest", "f"),
        Algorithm("beam", beam, "required", "none", "h", agenda="levels"),
        Algorithm("anytime-beam", anytime_beam, "required", "cheapest", "f", agenda="levels"),
        Algorithm("large-neighbourhood-beam", large_neighbourhood_beam, "required", "cheapest", "f", agenda="levels"),
        Algorithm("bidirectional-astar", bidirectional_astar, "required", "cheapest", "f", agenda="sides"),
    )
}
"""All algorithms by name, the simplest first."""
PORTFOLIO = Algorithm(PORTFOLIO_NAME, portfolio, "if any", "cheapest", "f")
"""Several algorithms side by side, on workers: see portfolio/."""


def is_portfolio(name: object) -> bool:
    """Whether a name is that of a portfolio."""
    return isinstance(name, str) and name.lower() == PORTFOLIO_NAME


def algorithm_named(name: str) -> Algorithm:
    """The algorithm with a name (underscores are treated as hyphens); raises UnknownNameError with suggestions."""
    if not isinstance(name, str):
        raise InputError(f"algorithm is {name!r}; pass its name, such as 'astar'")
    wanted = name.lower().replace("_", "-").replace("*", "star")
    if wanted == PORTFOLIO_NAME:
        raise InputError(
            "a portfolio has several algorithms and workers of its own, so it cannot be used here; name one algorithm"
        )
    if wanted not in ALGORITHMS:
        from bestfirst.search.textbook_names import textbook_name  # noqa: PLC0415  (needed for this error only)

        meant = textbook_name(name)
        raise UnknownNameError("algorithm", name, ALGORITHMS, () if meant is None else (meant,))
    return ALGORITHMS[wanted]


__all__ = [
    "ALGORITHMS",
    "PORTFOLIO",
    "Algorithm",
    "algorithm_named",
    "anytime_beam",
    "anytime_weighted_astar",
    "astar",
    "beam",
    "best_first_tree",
    "bidirectional_astar",
    "branch_and_bound",
    "breadth_first",
    "depth_first",
    "depth_first_branch_and_bound",
    "depth_first_tree",
    "depth_limited",
    "generate_and_test",
    "greedy",
    "idastar",
    "is_portfolio",
    "iterative_deepening",
    "large_neighbourhood_beam",
    "lazy_anytime",
    "lazy_greedy",
    "limited_discrepancy",
    "rbfs",
    "uniform_cost",
    "weighted_astar",
]
