"""Monte Carlo tree search (UCT): a tree that grows where random games go well."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from time import perf_counter

from bestfirst.arguments import check_number, check_seed, check_whole, suggesting
from bestfirst.errors import InputError, ProblemError
from bestfirst.games.contract import position_of
from bestfirst.games.game import Game, Move, Position, check_game, final_value, no_moves
from bestfirst.games.stats import GameStats
from bestfirst.written import text_of

EXPLORATION = math.sqrt(2)
MOST_PLIES_OF_PLAYOUT = 100_000


@dataclass
class Node:
    """A position of the tree. wins: the sum of the results for the side that moved here (1 a win, 1/2 a draw)."""

    state: Position
    move: Move | None
    same_side: bool  # whether the side that moved here moves again
    untried: list[Move]
    children: list[Node] = field(default_factory=list)
    visits: int = 0
    wins: float = 0.0


@dataclass(frozen=True)
class Tried:
    """A move at the root: the number of visits, and the fraction of games won (a draw is half)."""

    move: Move
    visits: int
    share: float


@dataclass(frozen=True)
class Simulation:
    """The result of Monte Carlo tree search: the moves, most visited first. It proves nothing."""

    moves: tuple[Tried, ...]
    stats: GameStats

    @property
    def move(self) -> Move:
        """The most visited move."""
        return self.moves[0].move


@suggesting
def mcts(
    game: Game,
    state: Position | None = None,
    *,
    playouts: int | None = 1000,
    seconds: float | None = None,
    exploration: float = EXPLORATION,
    seed: int = 0,
) -> Simulation:
    """Play random games from the leaves of a tree, which grows by one position per game.

    Each step down takes the child with the greatest fraction of wins + exploration * sqrt(ln(visits of the parent) / its
    visits) (UCB1), which balances successful and rarely tried moves. The same seed gives the same games.
    Guarantee: none after any finite number of games; the fractions converge to the values of minimax. In games with
    points only the sign matters. Memory: a position per game.
    playouts, seconds: limits on the number of games, at least 1, and on the time; None for unlimited. exploration: at least
    0.
    Raises InputError if the game is over, or if there is no limit.
    Source: Kocsis and Szepesvari 2006; Coulom 2006.
    """
    check_game(game)
    check_effort(playouts, seconds, exploration)
    check_seed(seed)
    start = position_of(game, state)
    moves = game.legal_moves(start)
    if not moves:
        raise InputError(
            f"the game is over in position {text_of(game, 'format', start)!r}; choose a position with a legal move"
        )
    chance, stats, started = random.Random(seed), GameStats(nodes=1), perf_counter()
    root = Node(start, None, False, moves)
    while playouts is None or stats.playouts < playouts:
        if seconds is not None and perf_counter() - started >= seconds and stats.playouts:
            break
        path = _descend(game, root, exploration, chance, stats)
        result = _play_out(game, path[-1].state, chance, stats)
        for node in reversed(path):
            if not node.same_side:
                result = 1 - result  # from the side to move at the node to the side that moved there
            node.visits += 1
            node.wins += result
    stats.seconds = perf_counter() - started
    ranked = sorted(root.children, key=lambda child: child.visits, reverse=True)
    return Simulation(tuple(Tried(child.move, child.visits, child.wins / child.visits) for child in ranked), stats)


def check_effort(playouts: object, seconds: object, exploration: object) -> None:
    """Raise InputError for invalid limits or exploration, and if there is no limit."""
    check_whole("playouts", playouts, 1, otherwise="None for unlimited")
    check_number("seconds", seconds, 0, otherwise="None for unlimited")
    check_number("exploration", exploration, 0)
    if playouts is None and seconds is None:
        raise InputError("the search has no limit; set playouts or seconds, such as playouts=1000")


def _descend(game: Game, root: Node, exploration: float, chance: random.Random, stats: GameStats) -> list[Node]:
    """The path from the root by UCB1 to a position with untried moves, and one of these moves."""
    path, node = [root], root
    while not node.untried and node.children:
        logarithm = math.log(node.visits)
        node = max(
            node.children, key=lambda child: child.wins / child.visits + exploration * math.sqrt(logarithm / child.visits)
        )
        path.append(node)
    if node.untried:
        move = node.untried.pop(chance.randrange(len(node.untried)))
        following = game.play(node.state, move)
        child = Node(following, move, game.moves_again(node.state, following), game.legal_moves(following))
        stats.nodes += 1
        node.children.append(child)
        path.append(child)
    return path


def _play_out(game: Game, state: Position, chance: random.Random, stats: GameStats) -> float:
    """The result of a random game relative to the side to move at its start: 1, 1/2 or 0."""
    stats.playouts += 1
    same_side = True
    for _ in range(MOST_PLIES_OF_PLAYOUT):
        if game.is_over(state):
            break
        moves = list(game.moves(state))
        if not moves:
            raise no_moves(game, state)
        following = game.play(state, chance.choice(moves))
        same_side = same_side == game.moves_again(state, following)
        state = following
    else:
        raise ProblemError(
            f"a random game is not over after {MOST_PLIES_OF_PLAYOUT:,} plies, in position {text_of(game, 'format', state)!r}; "
            "mcts needs games that end"
        )
    final = final_value(game, state, 0)
    final = final if same_side else -final
    return 1.0 if final > 0 else 0.0 if final < 0 else 0.5
