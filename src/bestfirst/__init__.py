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
    RubiksCube,
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
    PlayerError,
    ProblemError,
    ScoreError,
    StateError,
    UnknownNameError,
    VerificationError,
)
from bestfirst.games import Analysis, Game, GameDomain, GameLimits, GameSearch, GameStats, Score, Settings, analyse
from bestfirst.games.adapters import Chess, OpenSpielGame
from bestfirst.games.ladder import Ladder, compare_techniques
from bestfirst.games.playing import EnginePlayer, Human, MonteCarloPlayer, PlayedGame, Player, RandomPlayer, play
from bestfirst.games.playing.external import ExternalPlayer
from bestfirst.games.playing.match import Match, match
from bestfirst.games.playing.sprt import Sprt
from bestfirst.games.rules import GAMES, MNK, Checkers, ConnectFour, GameTree, Kalah, Nim, Othello, Pig, TicTacToe
from bestfirst.heuristics import Heuristic, heuristic
from bestfirst.heuristics.audit import Audit, audit
from bestfirst.patterns import PatternDatabase
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
    "Chess",
    "CompileError",
    "ConnectFour",
    "CostError",
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
    "GameTree",
    "GridMap",
    "Heuristic",
    "HeuristicError",
    "Human",
    "IllegalMoveError",
    "InputError",
    "Iteration",
    "JumpingTiles",
    "Kalah",
    "Ladder",
    "LightsOut",
    "Limits",
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
    "PlayedGame",
    "Player",
    "PlayerError",
    "PocketCube",
    "Problem",
    "ProblemError",
    "RandomPlayer",
    "RoadMap",
    "RoadNetwork",
    "RubiksCube",
    "Score",
    "ScoreError",
    "Search",
    "Settings",
    "SlidingTile",
    "Solution",
    "Sprt",
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
    "compare_techniques",
    "enumerate_states",
    "heuristic",
    "match",
    "play",
    "solve",
]
