"""Values of a wrong type, and keys of different positions: the error names the game, the method and the position."""

from __future__ import annotations

from typing import Any

import pytest

import bestfirst as bf
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
    with pytest.raises(bf.ProblemError, match=f"{member} .*returns") as caught:
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
    with pytest.raises(bf.InputError, match="default_settings of wrong returns None"):
        bf.analyse(game)


@pytest.mark.parametrize("base", [Sticks, LastStick])
def test_a_key_that_does_not_tell_positions_apart_is_refused(base: type[bf.Game]) -> None:
    """Before the search, which would have no end; unless key_merges says that moves have other effects."""
    same = type("Same", (base,), {"key": lambda *_: 0})
    with pytest.raises(bf.ProblemError, match=r"same: key returns 0 for both .* different legal moves"):
        bf.analyse(same())
    merges = type("Merges", (Sticks,), {"key": lambda _, state: state % 4, "key_merges": True})
    assert bf.analyse(merges()).settings.table
