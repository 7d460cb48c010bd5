"""Alpha-beta in both engines: the same values, lines and counts, whatever the switches."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from threading import Timer
from time import perf_counter
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.errors import CompileError, InputError, ProblemError, ScoreError
from bestfirst.games.analysis import Analysis, analyse
from bestfirst.games.domain import GameDomain
from bestfirst.games.engine.settings import Settings
from bestfirst.games.limits import GameLimits
from bestfirst.games.rules.checkers import Checkers
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.kalah import Kalah
from bestfirst.games.rules.mnk import MNK, TicTacToe
from bestfirst.games.rules.nim import Nim
from bestfirst.games.rules.othello import Othello
from bestfirst.games.score import Score
from profiles import examples
from small_games import HEAPS, Heaps, LastStick, played

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
    "wins at once": Settings.plain(foresight=1, killers=1),
    "win distance": Settings.plain(win_distance=True),
    "win distance and wins at once": Settings.plain("mtdf", win_distance=True, foresight=1, table="1MB"),
    "without win distance": Settings(win_distance=False),
    "aspiration": Settings(method="alpha-beta", aspiration=1),
    "aspiration and pvs": Settings(aspiration=2, table=10_000),
    "pvs": Settings.plain("pvs"),
    "mtdf": Settings.plain("mtdf", table="1MB"),
    "mtdf and deepening": Settings(method="mtdf"),
    "all": Settings(),
    "all, and symmetries near the root": Settings(symmetries=2, killers=3),
}

SELECTIVE = {
    "tapered": Settings.plain(tapered=5, quiescence=True),
    "disaster": Settings(disaster=2),
    "futility": Settings.plain(futility=3, static_order=True),
    "futility margin": Settings(futility_margin=1),
    "null move": Settings(null_move=1),
    "late moves": Settings(late_moves=1),
    "late moves and minimax": Settings.plain("minimax", late_moves=2, table="1MB"),
    "probcut": Settings(probcut=2),
    "singular": Settings(singular="static", singular_margin=2),
    "singular by exclusion": Settings(singular="exclusion", table=20_000),
    "all at once": Settings(
        null_move=1, late_moves=2, probcut=1, futility_margin=2, singular="exclusion", tapered=7, futility=1, disaster=8
    ),
    "all at once, with mtdf": Settings(
        "mtdf", null_move=0, late_moves=1, probcut=0, futility_margin=0, singular="static", symmetries=3
    ),
}


@st.composite
def positions(draw: st.DrawFn) -> tuple[GameDomain, Any]:
    """A game of some size and a position after random moves."""
    game: GameDomain = draw(
        st.sampled_from(
            [
                TicTacToe(),
                ConnectFour(5, 4),
                ConnectFour(5, 4, by_threats=True),
                ConnectFour(8, 7),
                Othello(),
                Kalah(3, 2),
                Checkers(),
                Nim((2, 2, 3, 1), misere=True),
                Heaps(HEAPS),
            ]
        )
    )
    choices = draw(st.lists(st.integers(0, 1000), max_size=60))
    return game, played(game, choices, len(choices))


@st.composite
def selective_positions(draw: st.DrawFn) -> tuple[GameDomain, Any]:
    """Of few games, as each is compiled once more: with a null move, foresight, noisy moves, passes, or a second turn."""
    game: GameDomain = draw(st.sampled_from([Othello(6), ConnectFour(5, 4), Kalah(3, 2)]))
    choices = draw(st.lists(st.integers(0, 1000), max_size=24))
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


@pytest.mark.slow
@pytest.mark.parametrize("name", SWITCHES)
@examples(5)
@given(case=positions(), depth=st.integers(1, 4))
def test_both_engines_make_the_same_search(name: str, case: tuple[GameDomain, Any], depth: int) -> None:
    """Equal lines, values, proofs and statistics after each depth, for every switch."""
    game, state = case
    if not game.is_over(state):
        assert_twins(game, state, SWITCHES[name], GameLimits(depth=depth, nodes=4_000))


@pytest.mark.slow
@pytest.mark.parametrize("name", SELECTIVE)
@examples(4)
@given(case=selective_positions(), depth=st.integers(3, 6))
def test_both_engines_make_the_same_selective_search(name: str, case: tuple[GameDomain, Any], depth: int) -> None:
    """Likewise with pruning that can be wrong, which is counted by name, and with singular extensions."""
    game, state = case
    if not game.is_over(state):
        assert_twins(game, state, SELECTIVE[name], GameLimits(depth=depth, nodes=3_000))


@examples(10)
@given(case=positions(), lines=st.sampled_from([1, 2, None]), table=st.sampled_from([0, 500, "1MB"]))
def test_both_engines_solve_alike(case: tuple[GameDomain, Any], lines: int | None, table: Any) -> None:
    """Also to the end of the game, or to a limit on nodes in the middle of a depth, and with several lines."""
    game, state = case
    if not game.is_over(state):
        settings = replace(Settings(), table=table)
        assert_twins(game, state, settings, GameLimits(nodes=3_000), lines)


@pytest.mark.slow
def test_the_compiled_engine_takes_over_unnoticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an engine asked for, a search that goes on says and counts what either engine alone does."""
    game = ConnectFour(5, 4)
    monkeypatch.setattr("bestfirst.games.engine.engine_choice.HEAD_START", 2_000)
    told = [
        analyse(game, "33", lines=2, limits=GameLimits(nodes=9_000), engine=engine).run()
        for engine in (None, None, "python")
    ]
    assert told.pop(1).lines == told[0].lines  # now that it is compiled, without a head start
    assert told[0].lines == told[1].lines
    assert [(analysis.nodes, analysis.stopped, analysis.depth) for analysis in told] == [(9_000, "nodes", told[1].depth)] * 2
    assert [row.nodes for row in told[0].stats.depths] == [row.nodes for row in told[1].stats.depths]


def test_a_small_board_is_solved_as_is_known() -> None:
    """Connect Four on 5x4 is a draw; a search to the last stone looks at as many positions as the solver in C (benchmarks)."""
    solver = Settings.solver(16 << 20, symmetries=8)
    analysis = analyse(ConnectFour(5, 4, by_threats=True), lines=1, settings=solver, engine="compiled").run()
    assert (analysis.score, analysis.solved, analysis.nodes) == (Score.draw(), True, 36_858)


@pytest.mark.slow
def test_ctrl_c_and_the_clock_end_a_compiled_search() -> None:
    """Between two slices; what the last completed depth has found is kept."""
    game = ConnectFour(5, 4)
    search = analyse(game, engine="compiled", limits=GameLimits(seconds=0.2))
    assert search.run().stopped in ("seconds", None)
    pressed = analyse(ConnectFour(8, 7), engine="compiled", lines=1)
    Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    started = perf_counter()
    analysis = pressed.run()
    assert analysis.stopped == "interrupted" and analysis.depth >= 1
    assert perf_counter() - started < 60  # a time that only a search that does not stop takes


@pytest.mark.parametrize(
    ("game", "settings", "message"),
    [
        (MNK(9, 9, 5), Settings(), "not in the compilable form"),
        (Nim((64,)), Settings(), "not in the compilable form"),
    ],
)
def test_what_the_compiled_engine_cannot_do_is_refused(game: Any, settings: Settings, message: str) -> None:
    """With the reason, if it is asked for; otherwise the reference engine does it."""
    with pytest.raises(InputError, match=f"{message}.*omit engine='compiled'"):
        analyse(game, settings=settings, engine="compiled")
    assert analyse(game, settings=settings, limits=GameLimits(depth=1)).run().depth == 1


def test_an_engine_that_does_not_exist_is_refused() -> None:
    """With the names of those that do."""
    with pytest.raises(InputError, match="no engine is called 'fast'"):
        analyse(Othello(4), engine="fast")


class Halving(LastStick):
    def score(self, state: Any) -> Any:
        return -1 / (state.sticks + 1)


class Signed(LastStick):
    """Its state uses all bits, and its estimate shifts them without a mask."""

    initial = LastStick.State(21 | 1 << 63)

    def legal(self, state: Any) -> Any:
        return 0b1110 & ((2 << (state.sticks & 63)) - 1)

    def is_over(self, state: Any) -> bool:
        return bool(state.sticks & 63 == 0)

    def evaluate(self, state: Any) -> int:
        return 0 if state.sticks >> 40 > 0 else 1


def test_a_game_of_ones_own_is_compiled() -> None:
    """The example of GameDomain: 21 sticks are won, 20 lost, and check finds nothing."""
    assert analyse(LastStick(), engine="compiled", lines=1).run().score.outcome == "win"
    assert_twins(LastStick(), LastStick.State(20), Settings(), GameLimits())
    assert bf.check(LastStick()).ok


@pytest.mark.slow
def test_rules_that_cannot_be_compiled_are_named() -> None:
    """The member, the line, and what to write instead."""
    with pytest.raises(CompileError, match=r"score.*an int"):
        analyse(Halving(), engine="compiled")


class LongPlay(LastStick):
    """One stick at a time: each position has one move, which is noisy. taken: the bits of other numbers to take."""

    noisy_is_forced = True

    def __init__(self, sticks: int, taken: int = 0b10) -> None:
        self.initial, self.taken = self.State(sticks), taken

    def legal(self, state: Any) -> Any:
        return self.taken & ((2 << min(state.sticks, 3)) - 1)

    def noisy(self, state: Any) -> Any:
        return self.legal(state)


def test_the_longest_game_is_searched() -> None:
    """The search is recursive, also beyond the horizon; a line that is longer still is refused."""
    assert analyse(LongPlay(9_999), settings=Settings.plain(), engine="compiled").run().best.plies == 9_999
    settings = Settings.plain(quiescence=True)
    assert analyse(LongPlay(9_990), settings=settings, limits=GameLimits(depth=3), engine="compiled").run().nodes == 9_991
    with pytest.raises(ProblemError, match="more than 10000 plies"):
        analyse(LongPlay(10_002), settings=settings, limits=GameLimits(depth=3), engine="compiled").run()


def test_a_position_without_moves_is_an_error_in_both_engines() -> None:
    """One stick, of which two or three are to be taken."""
    for engine in ("python", "compiled"):
        with pytest.raises(ProblemError, match="moves is empty"):
            analyse(LongPlay(21, 0b1100), lines=1, engine=engine).run()


def test_a_field_that_needs_its_highest_bit_must_be_declared() -> None:
    """Declared, it is not negative in either engine; otherwise the error says how to declare it."""
    found = bf.check(Signed(), states=5)
    assert not found.ok and 'write bits = {"sticks": 64}' in str(found)
    assert bf.check(type("Declared", (Signed,), {"bits": {"sticks": 64}})(), states=5).ok


class Limitless(LastStick):
    """Whose score or estimate is the least int of 64 bits."""

    counts_points = True

    def __init__(self, *, is_final: bool) -> None:
        self.is_final = is_final

    def score(self, _state: Any) -> Any:
        return -(2**63) if self.is_final else 0

    def evaluate(self, _state: Any) -> Any:
        return 0 if self.is_final else -(2**63)


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize(("is_final", "member"), [(True, "score"), (False, "evaluate")])
def test_the_least_number_is_no_score(engine: str, is_final: bool, member: str) -> None:
    """Though in 64 bits it is its own absolute value."""
    with pytest.raises(ScoreError, match=f"{member} returns -9223372036854775808"):
        analyse(Limitless(is_final=is_final), lines=1, engine=engine, limits=GameLimits(depth=12)).run()


class Shifted(bf.GameDomain):
    """A bitboard of all bits, shifted out of its field."""

    class State(NamedTuple):
        board: int
        depth: int

    bits = {"board": 64}  # noqa: RUF012
    initial = State(2**64 - 1, 0)
    counts_points = True

    def legal(self, _state: Any) -> Any:
        return 1

    def play(self, state: Any, _move: Any) -> Any:
        return self.State(state.board << 8 & (2**64 - 1), state.depth + 1)

    def is_over(self, state: Any) -> Any:
        return state.depth == 3

    def score(self, state: Any) -> Any:
        return state.board.bit_count()


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_mask_of_all_bits_is_written_as_a_power(engine: str) -> None:
    """It is a constant, though 2**64 needs more than 64 bits."""
    assert analyse(Shifted(), lines=1, engine=engine).run().score.value == -40


def test_what_compiled_code_cannot_compute_is_a_fault() -> None:
    """Which check reports with the position; it is no error of check itself."""

    class Below(Shifted):
        def score(self, state: Any) -> Any:
            return (state.board & 255) - 250

    assert "compiled code cannot compute the same value" in str(bf.check(Below()))
