"""What a game says of itself: stated wrongly, it is refused when it is first used, by both engines and by check."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.errors import BestfirstError, InputError, StateError
from bestfirst.games import minimax
from small_games import Heaps, LastStick


class Heap(LastStick):
    """Take one stick or two."""

    initial: Any = LastStick.State(7)

    def legal(self, state: Any) -> Any:
        return 0b110 if state.sticks > 1 else 0b10


class Turns(Heap):
    """The side to move is not told from the state."""

    alternates = False


class NoSide(Turns):
    def side_to_move(self, state: Any) -> Any:
        del state


def _same(self: Any, state: Any, number: int) -> Any:
    """The image of a game that has none but the state itself."""
    del self, number
    return state


def form(**members: Any) -> type[bf.Game]:
    """A Heap with other members."""
    return type("Broken", (Heap,), members)


def of_tuple(heaps: tuple[Any, ...], **members: Any) -> bf.Game:
    """A game of these heaps, with other members."""
    made: bf.Game = type("Broken", (Heaps,), members)(heaps)
    return made


FORMS: list[tuple[Callable[[], bf.Game], type[BestfirstError], str]] = [
    (form(fixed=("width",)), InputError, "fixed .* self.width is missing"),
    (form(fixed=("w",), w=2.5), InputError, "self.w is 2.5"),
    (form(fixed="w", w=2), InputError, "Broken.fixed is 'w'"),
    (form(identity=("nothing",)), InputError, "identity .*'nothing'"),
    (form(identity="sticks"), InputError, "Broken.identity is 'sticks'"),
    (form(images="x"), InputError, "Broken.images is 'x'"),
    (form(State=int), InputError, "Broken.State is <class 'int'>"),
    (form(State=None), InputError, "Broken.State is None"),
    (Turns, InputError, "side_to_move"),
    (NoSide, StateError, "side_to_move returns None"),
    (form(initial=(7,)), StateError, "position is \\(7,\\)"),
    (form(initial=7), StateError, "position is 7"),
    (form(initial=Heap.State(2**64)), StateError, "field sticks .*64-bit"),
    (form(play=lambda *given: (given[1].sticks - given[2],)), StateError, r"play\(state, 1\)"),
    (form(legal=lambda *_: -1), StateError, "legal returns -1"),
    (form(legal=lambda *_: 1 << 70), StateError, "from 0 to 2\\*\\*64 - 1"),
    (form(key=lambda *_: "abc"), StateError, "key returns 'abc'"),
    (form(images=1, image=lambda *_: (1, 2)), StateError, r"image\(state, 0\)"),
    (form(bits=5), InputError, "Broken.bits is 5"),
    (form(bits={"stick": 5}), InputError, "Broken.bits has the key 'stick'"),
    (form(bits={"sticks": 65}), InputError, "width 65; use 0 .. 64"),
    (form(bits={"sticks": True}), InputError, "width True"),
    (partial(of_tuple, (1, 2), bits={"heaps": 64}), InputError, "width 64; use 1 .. 63"),
    (partial(of_tuple, (1, 2), bits={"heaps": 0}), InputError, "width 0; use 1 .. 63"),
    (partial(of_tuple, ()), StateError, "a tuple with at least one element"),
    (partial(of_tuple, (1, 32)), StateError, "field heaps is not in 0 .. 31"),
    (partial(of_tuple, (1, -1)), StateError, "field heaps is not in 0 .. 31"),
    (partial(of_tuple, (1, 2.0)), StateError, "field heaps must be a 64-bit int, or a tuple"),
    (partial(of_tuple, (1, 2), play=lambda *given: given[1]._replace(heaps=(1,))), StateError, "a tuple of 2 ints"),
    (partial(of_tuple, (1, 2), play=lambda *given: given[1]._replace(heaps=1)), StateError, "a tuple of 2 ints"),
    (partial(of_tuple, (1, 2), key=lambda *_: ((1, 2), "a")), StateError, "key returns"),
]


@pytest.mark.parametrize(("make", "error", "message"), FORMS)
def test_a_game_that_is_stated_wrongly_is_refused_at_its_first_use(
    make: Callable[[], bf.Game], error: type[BestfirstError], message: str
) -> None:
    """By both engines and by a textbook search, with what to write instead, before anything is searched or compiled."""
    for engine in ("python", "compiled", None):
        with pytest.raises(error, match=message):
            bf.analyse(make(), engine=engine)
    with pytest.raises(error, match=message):
        minimax(make())


def test_a_game_without_a_start_is_refused() -> None:
    """For check it is a fault."""
    with pytest.raises(InputError, match="has no start position; set initial"):
        bf.analyse(type("NoStart", (bf.Game,), {})())
    assert "initial is missing" in str(bf.check(type("NoStart", (bf.Game,), {})()))
    with pytest.raises(InputError, match="initial is a method; set initial to the start position"):
        bf.analyse(type("ByMethod", (Heap,), {"initial": lambda _self: Heap.State(7)})())


def test_a_game_that_is_stated_rightly_is_none_of_that() -> None:
    """Both engines, with int attributes that are fixed, an identity, and images."""
    members = {
        "fixed": ("most",),
        "most": 2,
        "identity": ("sticks",),
        "images": 1,
        "image": _same,
    }
    assert bf.analyse(form(**members)(), engine="python").run().score == bf.Score.win(5)
    assert bf.analyse(Heap(), engine="compiled").run().score == bf.Score.win(5)


def test_check_refuses_what_is_stated_wrongly() -> None:
    """As the searches do."""
    for make, error, message in FORMS[:8]:
        with pytest.raises(error, match=message):
            bf.check(make())
