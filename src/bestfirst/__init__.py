"""bestfirst: state a problem once, in plain Python; solve it; see why the search did what it did."""

from bestfirst.check import Check, check
from bestfirst.domains import (
    DOMAINS,
    JumpingTiles,
    MissionariesCannibals,
    NQueens,
    Pancake,
    RoadMap,
    SlidingTile,
    TowersOfHanoi,
    Tree,
    WaterJugs,
)
from bestfirst.errors import (
    BestfirstError,
    CompileError,
    CostError,
    HeuristicError,
    InputError,
    ProblemError,
    StateError,
    UnknownNameError,
    VerificationError,
)
from bestfirst.heuristics import Heuristic, heuristic
from bestfirst.heuristics.audit import Audit, audit
from bestfirst.problem import Domain, Problem
from bestfirst.search import ALGORITHMS
from bestfirst.solution import Iteration, Limits, Solution, Stats, Status
from bestfirst.solve import Search, solve
from bestfirst.trace import Event, Trace

__version__ = "0.1.0"

__all__ = [
    "ALGORITHMS",
    "DOMAINS",
    "Audit",
    "BestfirstError",
    "Check",
    "CompileError",
    "CostError",
    "Domain",
    "Event",
    "Heuristic",
    "HeuristicError",
    "InputError",
    "Iteration",
    "JumpingTiles",
    "Limits",
    "MissionariesCannibals",
    "NQueens",
    "Pancake",
    "Problem",
    "ProblemError",
    "RoadMap",
    "Search",
    "SlidingTile",
    "Solution",
    "StateError",
    "Stats",
    "Status",
    "TowersOfHanoi",
    "Trace",
    "Tree",
    "UnknownNameError",
    "VerificationError",
    "WaterJugs",
    "__version__",
    "audit",
    "check",
    "heuristic",
    "solve",
]
