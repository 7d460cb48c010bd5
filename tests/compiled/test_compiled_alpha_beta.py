"""Alpha-beta in both engines: the same values, lines and counts, whatever the switches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as config
from hypothesis import strategies as st

from bestfirst.games.analysis import Analysis, analyse
from bestfirst.games.domain import GameDomain
from bestfirst.games.limits import GameLimits
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.kalah import Kalah
from bestfirst.games.rules.mnk import MNK
from bestfirst.games.rules.othello import Othello
from bestfirst.games.settings import Settings
from small_games import played

SWITCHES = {
    "minimax": Settings.plain("minimax"),
    "minimax with a table": Settings.plain("minimax", table="1MB"),
    "alpha-beta": Settings.plain(),
    "static order": Settings.plain(static_order=True),
    "killers": Settings.plain(killers=2),
    "history": Settings.plain(history=True, deepening=True),
    "table": Settings.plain(table="1MB"),
    "hash move": Settings.plain(table="1MB", hash_move=True, deepening=True),
    "small table, always": Settings.plain(table=1000, replacement="always", deepening=True),
    "small table, deeper": Settings.plain(table=1000, deepening=True),
    "symmetries": Settings.plain(table="1MB", symmetries=True, deepening=True),
    "quiescence": Settings.plain(quiescence=True),
    "foresight": Settings.plain(foresight=True),
    "aspiration": Settings(method="alpha-beta", aspiration=1),
    "aspiration and pvs": Settings(aspiration=2, table=10_000),
    "pvs": Settings.plain("pvs"),
    "mtdf": Settings.plain("mtdf", table="1MB"),
    "mtdf and deepening": Settings(method="mtdf"),
    "all": Settings(),
    "all, and symmetries near the root": Settings(symmetries=2, killers=3),
}


@st.composite
def positions(draw: st.DrawFn) -> tuple[GameDomain, Any]:
    """A game of some size and a position after random moves."""
    game: GameDomain = draw(
        st.sampled_from(
            [
                MNK(3, 3, 3),
                MNK(5, 4, 4),
                MNK(8, 8, 4),
                ConnectFour(5, 4),
                ConnectFour(5, 4, by_threats=True),
                ConnectFour(8, 7),
                Othello(4),
                Othello(6),
                Othello(),
                Kalah(3, 2),
                Kalah(),
            ]
        )
    )
    choices = draw(st.lists(st.integers(0, 1000), max_size=60))
    return game, played(game, choices, len(choices))


def assert_twins(game: GameDomain, state: Any, settings: Settings, limits: GameLimits, lines: int | None = 1) -> Analysis:
    """Both engines say the same after each depth, and have done the same."""
    told = {
        engine: list(analyse(game, state, settings=settings, limits=limits, lines=lines, engine=engine))
        for engine in ("python", "compiled")
    }
    for reference, compiled in zip(told["python"], told["compiled"], strict=True):
        for analysis in (reference, compiled):
            analysis.stats.seconds = 0.0
            for row in analysis.stats.depths:
                row.seconds = 0.0
        assert compiled.stats == reference.stats
        assert compiled.lines == reference.lines
        assert (compiled.depth, compiled.solved) == (reference.depth, reference.solved)
    return told["compiled"][-1]


@pytest.mark.parametrize("name", SWITCHES)
@config(deadline=None, max_examples=15)
@given(case=positions(), depth=st.integers(1, 4))
def test_both_engines_make_the_same_search(name: str, case: tuple[GameDomain, Any], depth: int) -> None:
    """Equal lines, values, proofs and statistics after each depth, for every switch."""
    game, state = case
    if not game.is_over(state):
        assert_twins(game, state, SWITCHES[name], GameLimits(depth=depth, nodes=4_000))


@config(deadline=None, max_examples=25)
@given(case=positions(), lines=st.sampled_from([1, 2, None]), table=st.sampled_from([0, 500, "1MB"]))
def test_both_engines_solve_alike(case: tuple[GameDomain, Any], lines: int | None, table: Any) -> None:
    """Also to the end of the game, or to a limit on nodes in the middle of a depth, and with several lines."""
    game, state = case
    if not game.is_over(state):
        settings = replace(Settings(), table=table)
        assert_twins(game, state, settings, GameLimits(nodes=3_000), lines)
