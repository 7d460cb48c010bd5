"""Two-player games: the rules of a game, and the searches that play it."""

from __future__ import annotations

from bestfirst.games.analysis import Analysis, GameSearch, Line, analyse
from bestfirst.games.chance import ChanceGame
from bestfirst.games.domain import PASS, GameDomain
from bestfirst.games.engine.line import Found
from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import Game
from bestfirst.games.limits import GameLimits
from bestfirst.games.perft import perft, positions_by_ply
from bestfirst.games.score import Score
from bestfirst.games.stats import GameStats
from bestfirst.games.textbook.alpha_beta import alpha_beta
from bestfirst.games.textbook.expectiminimax import Expected, expectiminimax
from bestfirst.games.textbook.mcts import Simulation, mcts
from bestfirst.games.textbook.minimax import minimax
from bestfirst.games.textbook.negamax import negamax
from bestfirst.games.textbook.proof_number import Proof, prove
from bestfirst.games.textbook.sss_star import sss_star
from bestfirst.games.tracing.drawing import game_tree_dot, game_tree_posthoc, game_tree_svg
from bestfirst.games.tracing.trace import GameTrace

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
