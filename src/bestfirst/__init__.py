"""bestfirst: state a problem once, in plain Python; solve it; see why the search did what it did."""

from bestfirst.check import Check, check
from bestfirst.domains import (
    DOMAINS,
    GridMap,
    JumpingTiles,
    LightsOut,
    MissionariesCannibals,
    NQueens,
    Pancake,
    PocketCube,
    RoadMap,
    RoadNetwork,
    SlidingTile,
    TopSpin,
    TowersOfHanoi,
    Tree,
    WaterJugs,
)
from bestfirst.enumeration import Enumeration, enumerate_states
from bestfirst.errors import (
    BestfirstError,
    CompileError,
    CostError,
    HeuristicError,
    IllegalMoveError,
    InputError,
    ProblemError,
    ScoreError,
    StateError,
    UnknownNameError,
    VerificationError,
)
from bestfirst.games import Analysis, Game, GameDomain, GameLimits, GameSearch, GameStats, Score, Settings, analyse
from bestfirst.games.rules import GAMES, MNK, Checkers, ConnectFour, GameTree, Kalah, Nim, Othello, Pig, TicTacToe
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
    "GAMES",
    "MNK",
    "Analysis",
    "Audit",
    "BestfirstError",
    "Check",
    "Checkers",
    "CompileError",
    "ConnectFour",
    "CostError",
    "Domain",
    "Enumeration",
    "Event",
    "Game",
    "GameDomain",
    "GameLimits",
    "GameSearch",
    "GameStats",
    "GameTree",
    "GridMap",
    "Heuristic",
    "HeuristicError",
    "IllegalMoveError",
    "InputError",
    "Iteration",
    "JumpingTiles",
    "Kalah",
    "LightsOut",
    "Limits",
    "MissionariesCannibals",
    "NQueens",
    "Nim",
    "Othello",
    "Pancake",
    "Pig",
    "PocketCube",
    "Problem",
    "ProblemError",
    "RoadMap",
    "RoadNetwork",
    "Score",
    "ScoreError",
    "Search",
    "Settings",
    "SlidingTile",
    "Solution",
    "StateError",
    "Stats",
    "Status",
    "TicTacToe",
    "TopSpin",
    "TowersOfHanoi",
    "Trace",
    "Tree",
    "UnknownNameError",
    "VerificationError",
    "WaterJugs",
    "__version__",
    "analyse",
    "audit",
    "check",
    "enumerate_states",
    "heuristic",
    "solve",
]
