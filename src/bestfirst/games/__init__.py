"""Games for two: the rules of a game stated once, and the searches that play it."""

from __future__ import annotations

from bestfirst.games.alpha_beta import alpha_beta
from bestfirst.games.analysis import Analysis, GameSearch, Line, analyse
from bestfirst.games.chance import ChanceGame
from bestfirst.games.domain import PASS, GameDomain
from bestfirst.games.expectiminimax import Expected, expectiminimax
from bestfirst.games.game import Game
from bestfirst.games.limits import GameLimits
from bestfirst.games.line import Found
from bestfirst.games.mcts import Simulation, mcts
from bestfirst.games.minimax import minimax
from bestfirst.games.negamax import negamax
from bestfirst.games.perft import perft, positions_by_ply
from bestfirst.games.proof_number import Proof, prove
from bestfirst.games.score import Score
from bestfirst.games.settings import Settings
from bestfirst.games.sss_star import sss_star
from bestfirst.games.stats import GameStats
from bestfirst.games.trace import GameTrace
from bestfirst.games.trace_drawing import game_tree_dot, game_tree_posthoc, game_tree_svg

__all__ = [
    "PASS",
    "Analysis",
    "ChanceGame",
    "Expected",
    "Found",
    "Game",
    "GameDomain",
    "GameLimits",
    "GameSearch",
    "GameStats",
    "GameTrace",
    "Line",
    "Proof",
    "Score",
    "Settings",
    "Simulation",
    "alpha_beta",
    "analyse",
    "expectiminimax",
    "game_tree_dot",
    "game_tree_posthoc",
    "game_tree_svg",
    "mcts",
    "minimax",
    "negamax",
    "perft",
    "positions_by_ply",
    "prove",
    "sss_star",
]
