"""Proof-number search: proves or disproves a win, always expanding where the fewest positions remain to be proved."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from operator import attrgetter
from typing import Any

from bestfirst.arguments import check_whole, suggesting
from bestfirst.errors import InputError
from bestfirst.games.contract import position_of
from bestfirst.games.game import Game, Move, Position, check_game, final_value, no_moves
from bestfirst.games.stats import GameStats


@dataclass
class Node:
    """A position in the proof tree.

    proof: the least number of positions that must be proved to prove this one; disproof: the same to disprove it. They are 0
    and inf, or inf and 0, once the result is known. In an OR node the side that tries to win moves, so one won move
    suffices.
    """

    state: Position
    move: Move | None
    parent: Node | None
    is_or: bool
    ply: int
    proof: float = 1
    disproof: float = 1
    children: list[Node] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Proof:
    """The result of a proof-number search: whether the claim holds (None: unknown), and a move that achieves it, if any."""

    holds: bool | None
    move: Move | None
    stats: GameStats


@suggesting
def prove(game: Game, state: Position | None = None, *, at_least: int = 1, nodes: int | None = None) -> Proof:
    """Prove or disprove that the side to move wins (at_least=1), does not lose (at_least=0), or wins by a number of points.

    at_least: any number in games that count points; otherwise 1 or 0. nodes: the maximum number of positions; None for
    unlimited.
    Guarantee: the answer is right. It is fastest if one side has few moves; the length of a win is ignored.
    Terminates on every finite game. Time: exponential. Memory: all positions, as a tree, so transpositions are stored
    repeatedly.
    Source: Allis, van der Meulen and van den Herik 1994.
    """
    check_game(game)
    if isinstance(at_least, bool) or not isinstance(at_least, int) or (not game.counts_points and at_least not in (0, 1)):
        raise InputError(
            f"at_least is {at_least!r}; use 1 for a win, 0 for no loss, or, in a game that counts points, a number of points"
        )
    check_whole("nodes", nodes, 0, otherwise="None for unlimited")
    stats = GameStats()
    root = Node(position_of(game, state), None, None, True, 0)
    _evaluate(game, root, at_least, stats)
    node = root
    while root.proof > 0 and root.disproof > 0 and (nodes is None or stats.nodes < nodes):
        node = _most_proving(node)
        node.children = []
        for move in game.moves(node.state):
            child = game.play(node.state, move)
            is_or = node.is_or == game.moves_again(node.state, child)
            node.children.append(Node(child, move, node, is_or, node.ply + 1))
            _evaluate(game, node.children[-1], at_least, stats)
        if not node.children:
            raise no_moves(game, node.state)
        node = _update_ancestors(node)
    holds = True if root.proof == 0 else False if root.disproof == 0 else None
    winning = next((child.move for child in root.children or () if child.proof == 0), None)
    return Proof(holds, winning if holds else None, stats)


def _evaluate(game: Game, node: Node, at_least: int, stats: GameStats) -> None:
    """Count a new node, and set its numbers if the game is over there."""
    stats.nodes += 1
    if not game.is_over(node.state):
        return
    stats.ended += 1
    value = final_value(game, node.state, node.ply)
    holds = (value if node.is_or else -value) >= at_least
    node.proof, node.disproof = (0, inf) if holds else (inf, 0)


def _most_proving(node: Node) -> Node:
    """The most-proving node: the leaf whose evaluation helps the proof or the disproof of the node."""
    while node.children is not None:
        children: list[Node] = node.children
        number = attrgetter("proof" if node.is_or else "disproof")
        node = min(children, key=number)
    return node


def _update_ancestors(node: Node) -> Node:
    """Update the numbers from an expanded node upwards until they stop changing; return the last node updated."""
    while True:
        children: list[Any] = node.children or []
        if node.is_or:
            proof, disproof = min(child.proof for child in children), sum(child.disproof for child in children)
        else:
            proof, disproof = sum(child.proof for child in children), min(child.disproof for child in children)
        changed = (proof, disproof) != (node.proof, node.disproof)
        node.proof, node.disproof = proof, disproof
        if node.parent is None or not changed:
            return node
        node = node.parent
