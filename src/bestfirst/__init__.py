"""bestfirst: define a problem once, in plain Python; solve it; see why the search did what it did."""

import sys

from bestfirst.system.interrupt import QuietStart, is_the_command

if is_the_command():
    QuietStart().begin()  # first of all; cli.main() ends it

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if is_the_command():
    if sys.argv[0] == "-m" and not sys.flags.safe_path:
        del sys.path[0]  # the working directory, whose files must not hide other modules
    if find_spec("numpy") is None:
        sys.stderr.write("error: bestfirst needs numpy, which is not installed: pip install numpy\n")
        sys.exit(2)

from bestfirst._version import __version__
from bestfirst.check import Check, check
from bestfirst.domain import Domain
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
    RubiksCube,
    SlidingTile,
    TopSpin,
    TowersOfHanoi,
    Tree,
    WaterJugs,
)
from bestfirst.enumerated import Enumeration
from bestfirst.enumeration import enumerate_states
from bestfirst.errors import (
    BestfirstError,
    CompileError,
    CostError,
    HeuristicError,
    IllegalMoveError,
    InputError,
    LimitError,
    PlayerError,
    ProblemError,
    ScoreError,
    StateError,
    UnknownNameError,
    VerificationError,
    WordOverflowError,
)
from bestfirst.heuristics import Heuristic, heuristic, max_of, sum_of
from bestfirst.long_search import LongSearch
from bestfirst.problem import Problem
from bestfirst.resumable_search import Search
from bestfirst.search import ALGORITHMS
from bestfirst.search_plan import Plan, plan
from bestfirst.solution import Iteration, Limits, Solution, Stats, Status
from bestfirst.solve import solve
from bestfirst.solve_many import solve_many
from bestfirst.trace import Event, Trace

if TYPE_CHECKING:
    from bestfirst.algorithms import (
        RBFS,
        AnytimeBeam,
        AnytimeWeightedAStar,
        AStar,
        Beam,
        BestFirstTree,
        BidirectionalAStar,
        BranchAndBound,
        BreadthFirst,
        DepthFirst,
        DepthFirstBranchAndBound,
        DepthFirstTree,
        DepthLimited,
        GenerateAndTest,
        Greedy,
        IDAStar,
        IterativeDeepening,
        LargeNeighbourhoodBeam,
        LazyAnytime,
        LazyGreedy,
        LimitedDiscrepancy,
        Portfolio,
        UniformCost,
        WeightedAStar,
    )
    from bestfirst.batches.batch import Batch
    from bestfirst.best_solutions import Solutions, solutions
    from bestfirst.games import (
        Analysis,
        Game,
        GameDomain,
        GameLimits,
        GameSearch,
        GameStats,
        GameTrace,
        Score,
        Settings,
        analyse,
    )
    from bestfirst.games.adapters import Chess, OpenSpielGame
    from bestfirst.games.analyse_many import analyse_many
    from bestfirst.games.ladder import Ladder, compare_techniques
    from bestfirst.games.playing import EnginePlayer, Human, MonteCarloPlayer, PlayedGame, Player, RandomPlayer
    from bestfirst.games.playing.external import ExternalPlayer
    from bestfirst.games.playing.match import Match, match
    from bestfirst.games.playing.play import play
    from bestfirst.games.playing.sprt import Sprt
    from bestfirst.games.rules import GAMES, MNK, Checkers, ConnectFour, GameTree, Kalah, Nim, Othello, Pig, TicTacToe
    from bestfirst.heuristics.audit import Audit, audit
    from bestfirst.number_sets import members
    from bestfirst.patterns import AbstractDomain, PatternDatabase
    from bestfirst.replanning import Replanner
    from bestfirst.several_goals import nearest_goals

_LATER = {
    "bestfirst": ("experiments", "games", "models", "patterns", "planning"),
    "bestfirst.algorithms": (
        "RBFS",
        "AnytimeBeam",
        "AnytimeWeightedAStar",
        "AStar",
        "Beam",
        "BestFirstTree",
        "BidirectionalAStar",
        "BranchAndBound",
        "BreadthFirst",
        "DepthFirst",
        "DepthFirstBranchAndBound",
        "DepthFirstTree",
        "DepthLimited",
        "GenerateAndTest",
        "Greedy",
        "IDAStar",
        "IterativeDeepening",
        "LargeNeighbourhoodBeam",
        "LazyAnytime",
        "LazyGreedy",
        "LimitedDiscrepancy",
        "Portfolio",
        "UniformCost",
        "WeightedAStar",
    ),
    "bestfirst.games": (
        "Analysis",
        "Game",
        "GameDomain",
        "GameLimits",
        "GameSearch",
        "GameStats",
        "GameTrace",
        "Score",
        "Settings",
        "analyse",
    ),
    "bestfirst.batches.batch": ("Batch",),
    "bestfirst.games.analyse_many": ("analyse_many",),
    "bestfirst.games.adapters": ("Chess", "OpenSpielGame"),
    "bestfirst.games.ladder": ("Ladder", "compare_techniques"),
    "bestfirst.games.playing": ("EnginePlayer", "Human", "MonteCarloPlayer", "PlayedGame", "Player", "RandomPlayer"),
    "bestfirst.games.playing.external": ("ExternalPlayer",),
    "bestfirst.games.playing.match": ("Match", "match"),
    "bestfirst.games.playing.play": ("play",),
    "bestfirst.games.playing.sprt": ("Sprt",),
    "bestfirst.games.rules": (
        "GAMES",
        "MNK",
        "Checkers",
        "ConnectFour",
        "GameTree",
        "Kalah",
        "Nim",
        "Othello",
        "Pig",
        "TicTacToe",
    ),
    "bestfirst.heuristics.audit": ("Audit", "audit"),
    "bestfirst.best_solutions": ("Solutions", "solutions"),
    "bestfirst.several_goals": ("nearest_goals",),
    "bestfirst.number_sets": ("members",),
    "bestfirst.patterns": ("AbstractDomain", "PatternDatabase"),
    "bestfirst.replanning": ("Replanner",),
}
"""Names that are imported on first use, by module: most programs need neither games nor pattern databases."""
_MODULE_OF = {name: module for module, names in _LATER.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _MODULE_OF[name]
    value = import_module(f"{module}.{name}") if module == __name__ else getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF})


__all__ = [
    "ALGORITHMS",
    "DOMAINS",
    "GAMES",
    "MNK",
    "RBFS",
    "AStar",
    "AbstractDomain",
    "Analysis",
    "AnytimeBeam",
    "AnytimeWeightedAStar",
    "Audit",
    "Batch",
    "Beam",
    "BestFirstTree",
    "BestfirstError",
    "BidirectionalAStar",
    "BranchAndBound",
    "BreadthFirst",
    "Check",
    "Checkers",
    "Chess",
    "CompileError",
    "ConnectFour",
    "CostError",
    "DepthFirst",
    "DepthFirstBranchAndBound",
    "DepthFirstTree",
    "DepthLimited",
    "Domain",
    "EnginePlayer",
    "Enumeration",
    "Event",
    "ExternalPlayer",
    "Game",
    "GameDomain",
    "GameLimits",
    "GameSearch",
    "GameStats",
    "GameTrace",
    "GameTree",
    "GenerateAndTest",
    "Greedy",
    "GridMap",
    "Heuristic",
    "HeuristicError",
    "Human",
    "IDAStar",
    "IllegalMoveError",
    "InputError",
    "Iteration",
    "IterativeDeepening",
    "JumpingTiles",
    "Kalah",
    "Ladder",
    "LargeNeighbourhoodBeam",
    "LazyAnytime",
    "LazyGreedy",
    "LightsOut",
    "LimitError",
    "LimitedDiscrepancy",
    "Limits",
    "LongSearch",
    "Match",
    "MissionariesCannibals",
    "MonteCarloPlayer",
    "NQueens",
    "Nim",
    "OpenSpielGame",
    "Othello",
    "Pancake",
    "PatternDatabase",
    "Pig",
    "Plan",
    "PlayedGame",
    "Player",
    "PlayerError",
    "PocketCube",
    "Portfolio",
    "Problem",
    "ProblemError",
    "RandomPlayer",
    "Replanner",
    "RoadMap",
    "RoadNetwork",
    "RubiksCube",
    "Score",
    "ScoreError",
    "Search",
    "Settings",
    "SlidingTile",
    "Solution",
    "Solutions",
    "Sprt",
    "StateError",
    "Stats",
    "Status",
    "TicTacToe",
    "TopSpin",
    "TowersOfHanoi",
    "Trace",
    "Tree",
    "UniformCost",
    "UnknownNameError",
    "VerificationError",
    "WaterJugs",
    "WeightedAStar",
    "WordOverflowError",
    "__version__",
    "analyse",
    "analyse_many",
    "audit",
    "check",
    "compare_techniques",
    "enumerate_states",
    "heuristic",
    "match",
    "max_of",
    "members",
    "nearest_goals",
    "plan",
    "play",
    "solutions",
    "solve",
    "solve_many",
    "sum_of",
]
