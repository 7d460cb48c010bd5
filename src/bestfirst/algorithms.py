"""Algorithms with their options as objects, so that editors complete the options and type checkers check them.

    bf.solve(puzzle, bf.IDAStar(prune=8, threads=4))       # the same as bf.solve(puzzle, "idastar", prune=8, threads=4)
    bf.solve(puzzle, bf.WeightedAStar(weight=2))

Each class has the options of the algorithm with the same name; the algorithms themselves are in search/.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

from bestfirst.arguments import check_whole, suggesting_fields
from bestfirst.errors import InputError

Ties = Literal["fifo", "lifo"]


@suggesting_fields
@dataclass(frozen=True)
class AlgorithmChoice:
    """An algorithm with its options. name: as in bestfirst.ALGORITHMS."""

    name: ClassVar[str] = ""

    def options(self) -> dict[str, Any]:
        """The options that differ from their defaults, by name, as keyword arguments of solve()."""
        values = ((field, getattr(self, field.name)) for field in fields(self))
        return {field.name: value for field, value in values if value != field.default}

    def merged(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """These options, together with those of a call. Raises InputError for an option that is given twice."""
        own = self.options()
        twice = sorted(own.keys() & {name for name, value in given.items() if value is not None})
        if twice:
            raise InputError(
                f"{twice[0]} is given twice: {own[twice[0]]!r} in {type(self).__name__}(...) and {given[twice[0]]!r} as a "
                "keyword; omit one of them"
            )
        return {**given, **own}


@suggesting_fields
@dataclass(frozen=True)
class GenerateAndTest(AlgorithmChoice):
    """Test all sequences of states, shortest first."""

    name = "generate-and-test"


@suggesting_fields
@dataclass(frozen=True)
class BreadthFirst(AlgorithmChoice):
    """Expand nodes in the order in which they were generated."""

    name = "breadth-first"


@suggesting_fields
@dataclass(frozen=True)
class DepthFirst(AlgorithmChoice):
    """Follow each path to its end; enter no state twice."""

    name = "depth-first"


@suggesting_fields
@dataclass(frozen=True)
class DepthFirstTree(AlgorithmChoice):
    """Follow each path to its end; enter no state of the path twice."""

    name = "depth-first-tree"


@suggesting_fields
@dataclass(frozen=True)
class DepthLimited(AlgorithmChoice):
    """Depth-first search of paths with at most `depth` actions."""

    name = "depth-limited"
    depth: int

    def __post_init__(self) -> None:
        check_whole("depth", self.depth, 0)


@suggesting_fields
@dataclass(frozen=True)
class IterativeDeepening(AlgorithmChoice):
    """Depth-limited search with depth 0, 1, 2, ..."""

    name = "iterative-deepening"


@suggesting_fields
@dataclass(frozen=True)
class UniformCost(AlgorithmChoice):
    """Expand the node with the cheapest path.

    ties: which of two equal nodes comes first. threads: the number of worker threads.
    """

    name = "uniform-cost"
    ties: Ties = "fifo"
    threads: int | None = None


@suggesting_fields
@dataclass(frozen=True)
class Greedy(AlgorithmChoice):
    """Expand the node with the lowest h. ties: which of two equal nodes comes first.

    preferred: whether children reached by preferred actions of the heuristic wait in a second queue as well.
    """

    name = "greedy"
    ties: Ties = "fifo"
    preferred: bool = False


@suggesting_fields
@dataclass(frozen=True)
class LazyGreedy(AlgorithmChoice):
    """Greedy search that evaluates a state when it is expanded. preferred: as in Greedy, if the heuristic has such actions."""

    name = "lazy-greedy"
    preferred: bool = True


@suggesting_fields
@dataclass(frozen=True)
class AStar(AlgorithmChoice):
    """Expand the node with the lowest f = g + h.

    ties: which of two equal nodes comes first. threads: the number of worker threads. Several threads
    do not expand the same nodes as one thread, but find a solution of the same cost.
    """

    name = "astar"
    ties: Ties = "fifo"
    threads: int | None = None


@suggesting_fields
@dataclass(frozen=True)
class WeightedAStar(AlgorithmChoice):
    """Expand the node with the lowest g + weight * h. The solution costs at most `weight` times the optimum. ties: as in AStar."""

    name = "weighted-astar"
    weight: float = 1.5
    ties: Ties = "fifo"


@suggesting_fields
@dataclass(frozen=True)
class AnytimeWeightedAStar(AlgorithmChoice):
    """Weighted A* that continues after a solution until one is proved optimal. weight, ties: as in WeightedAStar.

    incumbent: a known solution, or its actions, to start with. upper_bound: only solutions that cost less are sought.
    """

    name = "anytime-weighted-astar"
    weight: float = 2.0
    ties: Ties = "fifo"
    incumbent: Any = None
    upper_bound: float | None = None


@suggesting_fields
@dataclass(frozen=True)
class LazyAnytime(AlgorithmChoice):
    """Lazy greedy search, then lazy weighted A* with each of the weights, until a solution is proved optimal.

    preferred: as in LazyGreedy. incumbent, upper_bound: as in AnytimeWeightedAStar.
    """

    name = "lazy-anytime"
    weights: Sequence[float] = (5, 3, 2, 1)
    preferred: bool = True
    incumbent: Any = None
    upper_bound: float | None = None


@suggesting_fields
@dataclass(frozen=True)
class BranchAndBound(AlgorithmChoice):
    """Extend the cheapest partial path.

    delete_redundant: whether only the cheapest path to each state is kept. ties: as in AStar.
    """

    name = "branch-and-bound"
    delete_redundant: bool = False
    ties: Ties = "fifo"


@suggesting_fields
@dataclass(frozen=True)
class DepthFirstBranchAndBound(AlgorithmChoice):
    """Depth-first search that prunes paths whose f is not below the cost of the best solution.

    memo: whether to remember the states that were reached, and drop paths to them that are no better. incumbent, upper_bound: as
    in AnytimeWeightedAStar.
    """

    name = "depth-first-branch-and-bound"
    memo: bool = False
    incumbent: Any = None
    upper_bound: float | None = None


@suggesting_fields
@dataclass(frozen=True)
class LimitedDiscrepancy(AlgorithmChoice):
    """Depth-first search that deviates from the best child at most 0, 1, 2, ... times on a path.

    incumbent, upper_bound: as in AnytimeWeightedAStar.
    """

    name = "limited-discrepancy"
    incumbent: Any = None
    upper_bound: float | None = None


@suggesting_fields
@dataclass(frozen=True)
class IDAStar(AlgorithmChoice):
    """Iterative deepening by f = g + h, which needs almost no memory.

    order: the order in which children are tried: "given" or "f". prune: prune duplicate operator sequences up to this
    length; 0 prunes none.
    prune_from: start pruning after an iteration with this many expansions. threads: the number of worker threads.
    """

    name = "idastar"
    order: Literal["given", "f"] = "given"
    prune: int = 0
    prune_from: int = 0
    threads: int | None = None


@suggesting_fields
@dataclass(frozen=True)
class RBFS(AlgorithmChoice):
    """Recursive best-first search."""

    name = "rbfs"


@suggesting_fields
@dataclass(frozen=True)
class BestFirstTree(AlgorithmChoice):
    """Expand the best subtree while its f is within the bound given by its best rival."""

    name = "best-first-tree"


@suggesting_fields
@dataclass(frozen=True)
class Beam(AlgorithmChoice):
    """Expand level by level; keep the `width` nodes of each level with the lowest h."""

    name = "beam"
    width: int = 100


@suggesting_fields
@dataclass(frozen=True)
class AnytimeBeam(AlgorithmChoice):
    """Beam searches of width `width`, 2 * `width`, 4 * `width`, ..., until no better solution is possible.

    incumbent, upper_bound: as in AnytimeWeightedAStar. threads: the number of worker threads; the result does not depend on it.
    """

    name = "anytime-beam"
    width: int = 1
    incumbent: Any = None
    upper_bound: float | None = None
    threads: int | None = None


@suggesting_fields
@dataclass(frozen=True)
class LargeNeighbourhoodBeam(AlgorithmChoice):
    """Anytime beam search that also improves parts of the best path after each iteration.

    seed: the random seed for the choice of these parts.
    width: as in AnytimeBeam. incumbent, upper_bound: as in AnytimeWeightedAStar.
    """

    name = "large-neighbourhood-beam"
    width: int = 1
    seed: int = 0
    incumbent: Any = None
    upper_bound: float | None = None


@suggesting_fields
@dataclass(frozen=True)
class BidirectionalAStar(AlgorithmChoice):
    """Search from both ends. backward_heuristic: the heuristic of the backward half, a name or a function of a state."""

    name = "bidirectional-astar"
    backward_heuristic: Any = None


@suggesting_fields
@dataclass(frozen=True)
class Portfolio(AlgorithmChoice):
    """Several searches side by side, on workers. The searches tell each other the best solution.

        bf.Portfolio(["large-neighbourhood-beam --seed 1", bf.AnytimeWeightedAStar(weight=3), ("idastar", "pdb:7-8")])

    members: a sequence of algorithms. Each is a name, optionally with options as on the command line; an object of this
    module; or a pair of one of these and a heuristic. Default: members that suit the problem, one for each worker.
    incumbent, upper_bound: as in AnytimeWeightedAStar.
    """

    name = "portfolio"
    members: Sequence[Any] | None = None
    incumbent: Any = None
    upper_bound: float | None = None


CHOICES: tuple[type[AlgorithmChoice], ...] = (
    GenerateAndTest,
    BreadthFirst,
    DepthFirst,
    DepthFirstTree,
    DepthLimited,
    IterativeDeepening,
    UniformCost,
    Greedy,
    LazyGreedy,
    AStar,
    WeightedAStar,
    AnytimeWeightedAStar,
    LazyAnytime,
    BranchAndBound,
    DepthFirstBranchAndBound,
    LimitedDiscrepancy,
    IDAStar,
    RBFS,
    BestFirstTree,
    Beam,
    AnytimeBeam,
    LargeNeighbourhoodBeam,
    BidirectionalAStar,
)
"""All of these classes, in the order of bestfirst.ALGORITHMS."""
