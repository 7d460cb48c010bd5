"""Values of a wrong type, and keys of different positions: the error names the game, the method and the position."""

from __future__ import annotations

from typing import Any

import pytest

import bestfirst as bf
from bestfirst.games.perft import perft
from bestfirst.games.textbook.mcts import mcts
from small_games import LastStick


class Sticks(bf.Game):
    """Take 1 to 3 of the last sticks."""

    initial: Any = 12
    mover_never_loses = True

    def moves(self, state: Any) -> Any:
        return range(1, min(3, state) + 1)

    def play(self, state: Any, move: Any) -> Any:
        return state - move

    def is_over(self, state: Any) -> Any:
        return state == 0

    def score(self, state: Any) -> Any:
        del state
        return -1


WRONG = [
    ("moves", None),
    ("moves", 5),
    ("moves", [[1]]),
    ("play", None),
    ("play", [1]),
    ("is_over", None),
    ("is_over", "no"),
    ("evaluate", None),
    ("order", None),
    ("key", [1]),
    ("noisy_moves", None),
    ("noisy_moves", [99]),
    ("winning_moves", 5),
    ("losing_moves", None),
    ("symmetries", None),
    ("null", "nothing"),
    ("side_to_move", 7),
]


@pytest.mark.parametrize(
    ("from_", "member", "value"),
    [*((12, *wrong) for wrong in WRONG), *((5, *wrong) for wrong in WRONG if wrong[0] in ("moves", "play", "order", "key"))],
)
def test_a_method_that_returns_a_wrong_value_is_named(from_: int, member: str, value: Any) -> None:
    """With the position and the value, at the start and deep in the tree."""
    right = getattr(Sticks, member)

    def method(self: Any, state: Any, *arguments: Any) -> Any:
        return value if state <= from_ else right(self, state, *arguments)

    wrong = type("Wrong", (Sticks,), {member: method, "mover_never_loses": True})
    with pytest.raises(bf.ProblemError, match=rf"{member}\b.*returns") as caught:
        bf.analyse(wrong(), lines=1, limits=bf.GameLimits(depth=9)).run()
    assert "position" in str(caught.value)


@pytest.mark.parametrize(("member", "value"), [("noisy", "none"), ("winning", None), ("is_over", None)])
def test_a_game_domain_is_checked_too(member: str, value: Any) -> None:
    """With both engines."""
    wrong = type("Wrong", (LastStick,), {member: lambda *_: value})
    for engine in ("python", "compiled"):
        with pytest.raises(bf.ProblemError, match=f"wrong: in position .* {member} returns {value!r}"):
            bf.analyse(wrong(), engine=engine).run()


def test_settings_that_are_none_are_refused() -> None:
    """Where the game's own are asked for."""
    game = type("Wrong", (Sticks,), {"default_settings": lambda _: None})()
    with pytest.raises(bf.InputError, match=r"the settings of wrong are None; .*default_settings"):
        bf.analyse(game)


@pytest.mark.parametrize("base", [Sticks, LastStick])
def test_a_key_that_does_not_tell_positions_apart_is_refused(base: type[bf.Game]) -> None:
    """Before the search, which would have no end; unless key_merges says that moves have other effects."""
    same = type("Same", (base,), {"key": lambda *_: 0})
    with pytest.raises(bf.ProblemError, match=r"same: key returns 0 for both .* different legal moves"):
        bf.analyse(same())
    merges = type("Merges", (Sticks,), {"key": lambda _, state: state % 4, "key_merges": True})
    assert bf.analyse(merges()).settings.table


class Pairs(bf.Game):
    """Take 1 to 3 sticks; the state has the sticks and the side to move."""

    initial = (7, 0)

    def moves(self, state: Any) -> range:
        return range(1, min(3, state[0]) + 1)

    def play(self, state: Any, move: int) -> Any:
        return state[0] - move, 1 - state[1]

    def is_over(self, state: Any) -> bool:
        return bool(state[0] == 0)

    def score(self, state: Any) -> int:
        del state
        return -1


@pytest.mark.parametrize("bad", [(), {}, [1], None, 3])
@pytest.mark.parametrize("table", [0, 2**20])
def test_a_bad_state_deep_in_the_tree_is_blamed_on_play(bad: Any, table: int) -> None:
    """Not on the method that meets it first; in analyses, perft and played games."""

    def play(self: Any, state: Any, move: int) -> Any:
        return bad if state[0] < 4 else Pairs.play(self, state, move)

    wrong = type("Wrong", (Pairs,), {"play": play})()
    blamed = pytest.raises(bf.ProblemError, match=r"in position '\(3, .\)', play\(state, .\) returns ")
    with blamed:
        bf.analyse(wrong, limits=bf.GameLimits(depth=6), settings=bf.Settings(table=table)).run()
    if bad != [1]:  # which perft can play with
        with blamed:
            perft(wrong, 5)
    with blamed:
        bf.play(wrong, bf.RandomPlayer(seed=1), bf.RandomPlayer(seed=2), start=(3, 0))


def test_an_error_that_a_rule_raises_itself_is_left_as_it_is() -> None:
    """But a StopIteration, which Python turns into another error, is named."""

    for raised, error, words in (
        (IndexError("mine"), IndexError, "mine"),
        (StopIteration(), bf.ProblemError, "moves raised StopIteration"),
    ):

        def moves(self: Any, state: Any, raised: Exception = raised) -> range:
            if state[0] < 4:
                raise raised
            return Pairs.moves(self, state)

        with pytest.raises(error, match=words):
            bf.analyse(type("Wrong", (Pairs,), {"moves": moves})(), limits=bf.GameLimits(depth=6)).run()


def test_a_playout_that_does_not_end_is_an_error() -> None:
    """Instead of a search without end."""
    endless = type("Endless", (Pairs,), {"play": lambda _, state, __: state})
    with pytest.raises(bf.ProblemError, match="mcts needs games that end"):
        mcts(endless(), playouts=10)


def test_sides_that_are_no_names_are_refused() -> None:
    with pytest.raises(bf.InputError, match=r"Wrong\.sides is 3"):
        bf.analyse(type("Wrong", (Sticks,), {"sides": 3})())
