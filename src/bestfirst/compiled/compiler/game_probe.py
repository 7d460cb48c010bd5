"""The members of a GameDomain, compiled, for one position at a time: for comparison with the interpreted ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.intrinsics import lowest_bit
from bestfirst.compiled.compiler.specialise_game import specialise_game
from bestfirst.games.domain import PASS, GameDomain, as_words, bits_of
from bestfirst.words import signed, words_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.game_names import (
        ALTERNATES,
        FIELDS,
        HAS_EVALUATE,
        HAS_IMAGE,
        HAS_IS_OVER_UNWON,
        HAS_LOSING,
        HAS_NOISY,
        HAS_ORDER,
        HAS_WINNING,
        IMAGES,
        as_self,
        evaluate,
        image,
        is_over,
        is_over_unwon,
        key_words,
        legal,
        load_row,
        losing,
        noisy,
        order,
        play,
        score,
        side_to_move,
        store_key,
        store_row,
        whole,
        winning,
    )
    from bestfirst.compiled.store.aliases import Array, Self, State

OVER, SCORE, LEGAL, EVALUATE, NOISY, WINNING, LOSING, SIDE, OVER_UNWON, KEY = range(10)
MEMBERS = ("is_over", "score", "legal", "evaluate", "noisy", "winning", "losing", "side_to_move", "is_over_unwon")
MOVES = 65


def probe_game(data: Self, words: Array, told: Array, orders: Array, children: Array, images: Array) -> None:
    """The results of the members for the state in `words`: one by one, and by move or image; the last move is the pass."""
    me = as_self(data)
    state = load_row(words, 0)
    told[OVER] = is_over(me, state)
    store_key(told, KEY, key_words(me, state))
    if not ALTERNATES:
        told[SIDE] = whole(side_to_move(me, state))
    if HAS_IS_OVER_UNWON:
        told[OVER_UNWON] = is_over_unwon(me, state)
    if HAS_EVALUATE:
        told[EVALUATE] = whole(evaluate(me, state))
    if HAS_IMAGE:
        for number in range(IMAGES):
            store_row(images, number * FIELDS, image(me, state, number))
    if told[OVER]:
        told[SCORE] = whole(score(me, state))
        return
    left = whole(legal(me, state))
    told[LEGAL] = left
    if HAS_NOISY:
        told[NOISY] = whole(noisy(me, state))
    if HAS_WINNING:
        told[WINNING] = whole(winning(me, state))
    if HAS_LOSING:
        told[LOSING] = whole(losing(me, state))
    if left == 0:
        store_row(children, (MOVES - 1) * FIELDS, play(me, state, PASS))
    while left != 0:
        move = lowest_bit(left)
        left &= left - 1
        if HAS_ORDER:
            orders[move] = whole(order(me, state, move))
        store_row(children, move * FIELDS, play(me, state, move))


class CompiledMembers:
    """The members of a game, compiled. Raises CompileError if they cannot be compiled."""

    def __init__(self, game: GameDomain) -> None:
        self._game = game
        self._compiled = specialise_game(probe_game, game)

    def differences(self, state: State) -> Iterator[str]:
        """The differences from the interpreted members for a state, each as a clause."""
        game, key = self._game, words_of(self._game.key(state))
        told, orders = np.zeros(KEY + len(key), np.int64), np.zeros(MOVES, np.int64)
        words = np.array(as_words(game, state), np.int64)
        size = len(words)
        children, images = (np.zeros(count * size, np.int64) for count in (MOVES, max(1, game.images)))
        self._compiled.run(self._compiled.data, words, told, orders, children, images)
        expected = self._interpreted(state)
        for at, member in enumerate(MEMBERS):
            if at in expected and int(told[at]) != expected[at]:
                yield f"{member} returns {expected[at]}, but {int(told[at])} when compiled"
        if tuple(told[KEY:].tolist()) != key:
            yield "key returns a different value when compiled"
        for number in range(game.images if game.defines("image") else 0):
            if tuple(images[number * size : (number + 1) * size].tolist()) != as_words(game, game.image(state, number)):
                yield f"image {number} is a different state when compiled"
        for move in game.legal_moves(state):
            child = children[(move % MOVES) * size : (move % MOVES + 1) * size]
            if tuple(child.tolist()) != as_words(game, game.play(state, move)):
                yield f"play({move}) leads to a different state when compiled"
            if game.defines("order") and move != PASS and int(orders[move]) != game.order(state, move):
                yield f"order of move {move} is {game.order(state, move)}, but {int(orders[move])} when compiled"

    def _interpreted(self, state: State) -> dict[int, int]:
        """The results of the interpreted members, by place."""
        game = self._game
        says = {OVER: int(game.is_over(state))}
        if not game.alternates:
            says[SIDE] = int(game.side_to_move(state) or 0)
        if game.defines("is_over_unwon"):
            says[OVER_UNWON] = int(game.is_over_unwon(state))
        if game.defines("evaluate"):
            says[EVALUATE] = int(game.evaluate(state))
        if game.is_over(state):
            return says | {SCORE: int(game.score(state))}
        sets = {LEGAL: "legal", NOISY: "noisy", WINNING: "winning", LOSING: "losing"}
        return says | {
            at: signed(sum(1 << move for move in bits_of(getattr(game, name)(state)))) for at, name in sets.items()
        }
