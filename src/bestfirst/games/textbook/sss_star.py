"""SSS*: best-first search of a game tree, which visits no leaf that alpha-beta prunes."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from math import inf

from bestfirst.arguments import check_whole
from bestfirst.games.contract import position_of
from bestfirst.games.engine.line import Chain, Found, unroll
from bestfirst.games.game import Game, Move, Position, check_game, estimated_value, final_value, no_moves
from bestfirst.games.score import INFINITY, Score
from bestfirst.games.stats import GameStats


@dataclass(eq=False)
class Node:
    """A node of the game tree.

    place: the branch numbers on its path. maximising: whether the side to move at the root moves here.
    worth, line: the lowest merit returned by a child, and its line of play.
    solved: whether the node itself has been solved.
    """

    state: Position
    parent: Node | None
    move: Move | None
    place: tuple[int, ...]
    maximising: bool
    depth: float
    worth: int = INFINITY
    line: Chain = None
    solved: bool = False

    def is_wanted(self) -> bool:
        """Whether no ancestor has been solved."""
        node = self.parent
        while node is not None:
            if node.solved:
                return False
            node = node.parent
        return True


def sss_star(game: Game, state: Position | None = None, depth: int | None = None) -> Found:
    """The value of a position by a search of solution trees: strategies of the side to move with one answer for each reply.

    The open list holds nodes, live or solved, with a merit, an upper bound on the value of the strategies through the node;
    the greatest merit goes first, and among equals the leftmost node. A live node is expanded. A solved node passes its
    merit to its next sibling where the other side chooses, if there is one, otherwise to its parent, which is then solved.
    Guarantee: the value of minimax. It visits no leaf that alpha-beta prunes, but the open list can hold b**(d/2) nodes.
    Source: Stockman 1979; Roizen and Pearl 1983.
    """
    check_game(game)
    check_whole("depth", depth, 0, otherwise="None for the end of the game")
    stats = GameStats()
    agenda: list[tuple[int, tuple[int, ...], int, Node]] = []
    turn = count()

    def push(node: Node, merit: int) -> None:
        heappush(agenda, (-merit, node.place, next(turn), node))

    def push_child(node: Node, number: int, move: Move, merit: int) -> None:
        following = game.play(node.state, move)
        maximising = node.maximising == game.moves_again(node.state, following)
        push(Node(following, node, move, (*node.place, number), maximising, node.depth - 1), merit)

    def solve(node: Node, merit: int) -> None:
        node.solved = True
        push(node, merit)

    def grow(node: Node, merit: int) -> None:
        """Expand a live node: a leaf is solved, a max node generates all its moves, a min node its first move."""
        stats.nodes += 1
        sign = 1 if node.maximising else -1
        if game.is_over(node.state):
            stats.ended += 1
            solve(node, min(merit, sign * final_value(game, node.state, len(node.place))))
        elif node.depth == 0:
            stats.estimated += 1
            solve(node, min(merit, sign * estimated_value(game, node.state)))
        else:
            moves = list(game.moves(node.state))
            if not moves:
                raise no_moves(game, node.state)
            for number, move in enumerate(moves if node.maximising else moves[:1]):
                push_child(node, number, move, merit)

    push(Node(position_of(game, state), None, None, (), True, inf if depth is None else depth), INFINITY)
    while True:
        negated, _, _, node = heappop(agenda)
        merit, parent = -negated, node.parent
        if not node.is_wanted():
            continue
        if not node.solved:
            grow(node, merit)
        elif parent is None:
            return Found(Score(merit, proven=stats.estimated == 0), unroll(node.line), stats)
        else:
            if parent.maximising or merit < parent.worth:
                parent.worth, parent.line = merit, (node.move, node.line)
            moves = [] if parent.maximising else list(game.moves(parent.state))
            number = node.place[-1] + 1
            if number < len(moves):
                push_child(parent, number, moves[number], merit)
            else:
                solve(parent, merit)
