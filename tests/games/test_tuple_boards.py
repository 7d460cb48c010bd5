"""Games whose states have tuples: as good as those packed by hand, and what a tuple cannot hold is an error."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.games import GameDomain, minimax, perft
from bestfirst.games.domain import as_words
from bestfirst.words import words_of
from small_games import HEAPS, Heaps, played

EXAMPLE = Path(__file__).parents[2] / "examples" / "kalah.py"
ENGINES: Any = ("python", "compiled")


def example() -> Any:
    """The module of the example."""
    spec = spec_from_file_location("kalah_of_tuples", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Kalah = example().Kalah


class Packed(bf.Kalah):
    """The game that is packed by hand, with no more than the example has."""

    order = GameDomain.order
    noisy = GameDomain.noisy


def packed(size: tuple[int, int]) -> Packed:
    """A game with as many bits for each house as in the example."""
    game = Packed(*size)
    game.seed_bits, game.pit = 7, 127
    game.all_houses = (1 << 7 * size[0]) - 1
    row = game._row([size[1]] * size[0] + [0])
    game.initial = game.State(row, row, 0)
    return game


@pytest.mark.slow
def test_a_board_of_tuples_is_searched_like_one_packed_by_hand() -> None:
    """The same score, nodes and table in both engines, since identity makes the same key of it; the same number of lines.

    tests/compiled/sweeps/test_compiled_perft.py compares the engines' numbers of lines of a board of tuples.
    """
    ours, theirs = Kalah(3, 2), packed((3, 2))
    assert words_of(ours.key(ours.initial)) == words_of(theirs.key(theirs.initial))
    told = []
    for game in (ours, theirs):
        for engine in ENGINES:
            analysis = bf.analyse(game, engine=engine, lines=1).run()
            stats = analysis.stats
            counts = stats.nodes, stats.probes, stats.hits, stats.stored, stats.replaced
            told.append((analysis.score, analysis.solved, counts))
    assert told == [told[0]] * 4
    assert perft(ours, 6, engine="python") == perft(theirs, 6, engine="python")


@pytest.mark.slow
def test_kalah_has_the_published_values() -> None:
    """Draw, win, win, win, win, loss with 3 houses. Source: Irving, Donkers and Uiterwijk 2000."""
    sizes = [(3, seeds) for seeds in range(1, 7)]
    scores = [bf.analyse(Kalah(*size), engine="compiled", lines=1).run().score for size in sizes]
    assert [(score.value > 0) - (score.value < 0) for score in scores] == [0, 1, 1, 1, 1, -1]
    assert all(score.proven for score in scores)


@given(choices=st.lists(st.integers(0, 1000), max_size=12))
def test_minimax_gives_both_forms_the_same_value(choices: list[int]) -> None:
    """In positions after random moves."""
    ours, theirs = Kalah(2, 2), bf.Kalah(2, 2)
    states = [played(game, choices, len(choices)) for game in (ours, theirs)]
    assert minimax(ours, states[0]) == minimax(theirs, states[1])


class Mixed(Heaps):
    """Its key is a tuple of a tuple and an int, and the elements of its tuple take a word each."""

    bits = {"turn": 64}  # noqa: RUF012

    def key(self, state: Any) -> Any:
        return state.heaps, state.turn


class Whole(Mixed):
    """Its key is the tuple."""

    def key(self, state: Any) -> Any:
        return state.heaps


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Heaps, Mixed, Whole])
def test_check_compares_the_engines(kind: type[Heaps]) -> None:
    """All members and the key, of states of ints and tuples in one word, in several, and with all 64 bits."""
    found = bf.check(kind(HEAPS))
    assert found.ok, found


def test_a_key_of_tuples_has_a_word_for_each_int() -> None:
    """Fields that are named by identity are packed."""
    game = Mixed((1, 2, 3))
    assert words_of(game.key(game.initial)) == (1, 2, 3, -(2**63))
    assert Heaps((1, 2, 3)).key(game.initial) == (1 + (2 << 5) + (3 << 10),)
    assert as_words(Heaps((1, 2, 3)), game.initial) == (1 + (2 << 5) + (3 << 10), -(2**63))


def test_a_key_cannot_hide_an_element_that_is_too_large() -> None:
    """It would be the key of another position."""
    game = Heaps((1, 2))
    with pytest.raises(bf.StateError, match=r"heaps is not in 0 \.\. 31"):
        game.key(game.State((33, 1), 0))


@pytest.mark.parametrize(
    ("wrong", "error", "why"),
    [
        (1, bf.StateError, "heaps is not in 0 .. 31"),
        (2, IndexError, "range"),
        (3, bf.errors.ScoreError, "turn=9223372036854775808"),
    ],
)
def test_what_the_rules_do_wrong_is_the_same_error_in_both_engines(wrong: int, error: type[Exception], why: str) -> None:
    """Within the search."""
    game = Heaps(HEAPS)
    game.wrong = wrong
    for engine in ENGINES:
        with pytest.raises(error, match=why):
            bf.analyse(game, engine=engine).run()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "why"),
    [
        ("self.State((1, 2), state.turn)", "a field of the state is a tuple of 2; make it a tuple of as many ints"),
        ("self.State(state.heaps, state.heaps)", "a field of the state is a tuple of 13, not an int"),
        ("self.State(heaps, state.turn)", "it uses the list heaps as a whole"),
    ],
)
def test_a_state_of_another_shape_cannot_be_compiled(made: str, why: str, tmp_path: Path) -> None:
    """The message names what the initial state has."""
    file = tmp_path / "other_heaps.py"
    text = f"""
from small_games import Heaps
class Other(Heaps):
    def play(self, state, move):
        heaps = list(state.heaps)
        heaps[move & 15] -= 1 + (move >> 4)
        if sum(heaps) == 2:
            return {made}
        return self.State(tuple(heaps), state.turn ^ 1 << 63)
"""
    file.write_text(text)
    module: dict[str, Any] = {"__name__": "other_heaps", "__file__": str(file)}
    exec(compile(text, str(file), "exec"), module)
    with pytest.raises(bf.CompileError, match=why):
        perft(module["Other"](HEAPS), 2, engine="compiled")


def test_a_board_of_too_many_words_stays_with_the_reference_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says to declare the bits."""

    class Wide(Mixed):
        pass

    game = Wide((3, *[0] * 140))
    with pytest.raises(bf.InputError, match=r"takes 142 words.*declare the bits"):
        bf.analyse(game, engine="compiled")
    for name in ("HEAD_START", "LOADING"):
        monkeypatch.setattr(f"bestfirst.games.engine.engine_choice.{name}", 0)
    with pytest.warns(UserWarning, match="declare the bits"):
        found = bf.analyse(game).run()
    assert found.score == bf.analyse(Heaps((3,)), engine="python").run().score


def test_a_board_of_tuples_can_be_drawn_and_read() -> None:
    """By its moves."""
    game = Kalah(3, 2)
    state = game.parse("2 3")
    assert game.draw(state).count("\n") == 1
    assert game.parse("") == game.initial != state
