"""bestfirst: state a problem once, in plain Python; solve it; see why the search did what it did."""

from bestfirst.domains import (
    DOMAINS,
    SlidingTile,
)
from bestfirst.errors import (
    BestfirstError,
    CostError,
    HeuristicError,
    InputError,
    ProblemError,
    StateError,
    UnknownNameError,
    VerificationError,
)
from bestfirst.heuristics import Heuristic, heuristic
from bestfirst.problem import Problem
from bestfirst.search import ALGORITHMS
from bestfirst.solution import Iteration, Limits, Solution, Stats, Status
from bestfirst.solve import Search, solve
from bestfirst.trace import Event, Trace

__version__ = "0.1.0"

__all__ = [
    "ALGORITHMS",
    "DOMAINS",
    "BestfirstError",
    "CostError",
    "Event",
    "Heuristic",
    "HeuristicError",
    "InputError",
    "Iteration",
    "Limits",
    "Problem",
    "ProblemError",
    "Search",
    "SlidingTile",
    "Solution",
    "StateError",
    "Stats",
    "Status",
    "Trace",
    "UnknownNameError",
    "VerificationError",
    "__version__",
    "heuristic",
    "solve",
]
