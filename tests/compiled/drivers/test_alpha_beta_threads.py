"""Alpha-beta by several threads: the values of one thread, whatever they leave to each other."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from threading import Timer
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.errors import InputError
from bestfirst.games.analysis import analyse
from bestfirst.games.engine.packed_table import PackedTable
from bestfirst.games.engine.settings import Settings
from bestfirst.games.engine.transposition import Bound, Entry
from bestfirst.games.game import Game
from bestfirst.games.limits import GameLimits
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.mnk import MNK, TicTacToe
from bestfirst.games.rules.othello import Othello
from bestfirst.games.score import Score
from bestfirst.games.stats import GameStats
from bestfirst.games.tracing.trace import GameTrace
from profiles import examples
from small_games import played

SOLVER = Settings.plain(
    "mtdf", static_order=True, hash_move=True, foresight=True, table="16MB", replacement="always", symmetries=8
)

LONG = Settings.plain("minimax", table=1_000, deepening=True)
"""With which a small board takes minutes."""


@pytest.mark.numba
@pytest.mark.parametrize("threads", [2, 5])
def test_a_small_board_is_solved_by_threads(threads: int) -> None:
    """Connect Four on 5x4 is a draw, and the threads look at few positions more than one does, all of them counted."""
    analysis = analyse(ConnectFour(5, 4, by_threats=True), lines=1, settings=SOLVER, threads=threads).run()
    assert (analysis.score, analysis.solved) == (Score.draw(), True)
    assert 36_868 / 2 < analysis.nodes < 36_868 * threads


@pytest.mark.slow
@examples(15)
@given(
    choices=st.lists(st.integers(0, 1000), min_size=6, max_size=30),
    settings=st.sampled_from([SOLVER, Settings(), Settings(method="alpha-beta", table=2_000), Settings(aspiration=1)]),
    lines=st.sampled_from([1, 2]),
)
def test_threads_find_the_values_of_one(choices: list[int], settings: Settings, lines: int) -> None:
    """In positions solved to the end, also with a table that is far too small; and their lines lead to those values."""
    for game in (ConnectFour(5, 4, by_threats=True), Othello(4)):
        state = played(game, choices, len(choices))
        if settings.method == "mtdf":
            lines = 1
        alone, together = (
            analyse(game, state, settings=settings, lines=lines, engine="compiled", threads=threads).run()
            for threads in (1, 3)
        )
        assert [line.score for line in together.lines] == [line.score for line in alone.lines]
        assert together.solved and together.stats.nodes >= together.stats.hits


@pytest.mark.slow
def test_threads_solve_end_games_of_othello() -> None:
    """A game of points, with passes, three words to a key and a line that leads to the end."""
    game = Othello(4)
    state = game.initial
    settings = Settings.plain("pvs", static_order=True, hash_move=True, table="1MB")
    alone, together = (
        analyse(game, state, settings=settings, lines=1, engine="compiled", threads=threads).run() for threads in (1, 2)
    )
    assert together.score == alone.score and together.solved
    assert together.best.plies is not None


def test_a_limit_on_nodes_is_that_of_all_threads() -> None:
    """Together they look at no node more."""
    analysis = analyse(ConnectFour(5, 4), settings=LONG, lines=1, limits=GameLimits(nodes=50_001), threads=2).run()
    assert (analysis.nodes, analysis.stopped) == (50_001, "nodes")
    assert analysis.depth >= 1


@pytest.mark.slow
def test_ctrl_c_and_the_clock_end_all_threads() -> None:
    """And what the last completed depth has found is kept."""
    game = ConnectFour(5, 4)
    assert analyse(game, settings=LONG, lines=1, limits=GameLimits(seconds=0.2), threads=2).run().stopped == "seconds"
    search = analyse(game, settings=LONG, lines=1, threads=2)
    Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    analysis = search.run()
    assert analysis.stopped == "interrupted" and analysis.depth >= 1


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        (TicTacToe(), {"threads": 0}, "threads is 0; use a whole number"),
        (TicTacToe(), {"threads": 2, "engine": "python"}, "does not run in the reference engine; omit threads=2"),
        (TicTacToe(), {"threads": 2, "trace": GameTrace()}, "records no trace"),
        (TicTacToe(), {"threads": 2, "settings": replace(Settings(), table=0)}, "needs a transposition table"),
        (TicTacToe(), {"threads": 2, "settings": Settings(null_move=1)}, "unsound pruning"),
        (MNK(9, 9, 5), {"threads": 2}, "not in the compilable form.*or omit threads=2"),
    ],
)
def test_threads_where_there_can_be_none_are_refused(game: Game, options: Any, message: str) -> None:
    """With the reason, and what to write instead."""
    with pytest.raises(InputError, match=message):
        analyse(game, **options)


def test_an_entry_that_two_threads_wrote_is_no_ones() -> None:
    """The key of one and the data of another, as a race leaves them, are found under neither key."""
    table = PackedTable(1, 2, "always", GameStats())  # one place
    first = Entry((1, 2), 3, True, Bound.EXACT, 10, 1)
    table.store(first)
    words = table.words.copy()
    table.store(Entry((5, 6), 3, True, Bound.LOWER, 20, 2))
    table.words[2] = words[2]
    assert table.entry((5, 6)) is None and table.entry((1, 2)) is None
    table.words[:] = words
    assert table.entry((1, 2)) == first
