"""The ladder: the same values with ever fewer nodes."""

from __future__ import annotations

import json
import time
from threading import Event
from typing import Any

import pytest
from hypothesis import given

from bestfirst.compiled.drivers import alpha_beta
from bestfirst.errors import IllegalMoveError, InputError
from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import Game
from bestfirst.games.ladder import LADDER, Ladder, compare_techniques
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.mnk import TicTacToe
from profiles import examples
from small_games import positions


@examples(20)
@given(positions())
def test_every_rung_has_the_value_of_minimax(case: tuple[Game, Any]) -> None:
    """To the end of the game, where all values are proven; alpha-beta never looks at more."""
    game, state = case
    if game.is_over(state):
        return
    ladder = compare_techniques(game, [state], depth=None, engine="python")
    assert (
        ladder.differences == []
        and ladder.complete
        and ladder.compared == 1
        and all(rung.complete and rung.proven == [True] for rung in ladder.rungs)
    )
    assert ladder.rungs[1].nodes <= ladder.rungs[0].nodes


def test_connect_four_takes_ever_fewer_nodes() -> None:
    """From a position with five stones to depth 5: the counts are exact, in the order of the ladder."""
    ladder = compare_techniques(ConnectFour(), ["44455"], depth=5, engine="python")
    assert [rung.name for rung in ladder.rungs] == list(LADDER)
    assert [rung.nodes for rung in ladder.rungs] == [[19_575], [1_488], [1_010], [886], [832], [811]]
    assert json.loads(json.dumps(ladder.to_dict()))["same_values"] is True


@pytest.mark.slow
def test_compiling_is_charged_to_no_rung(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules are compiled before the clock of a rung starts, also of the first one, which calls the compiled engine in."""
    made: list[int] = []

    class Slow(alpha_beta.CompiledAlphaBeta):
        def __init__(self, *given: Any, **more: Any) -> None:
            super().__init__(*given, **more)
            made.append(1)
            if len(made) == 1:
                time.sleep(1)

    monkeypatch.setattr(alpha_beta, "CompiledAlphaBeta", Slow)
    rungs = {name: LADDER[name] for name in ("minimax", "alpha-beta")}
    ladder = compare_techniques(TicTacToe(), ["b2"], depth=None, rungs=rungs)
    assert ladder.rungs[0].nodes == [55_505] and len(made) == 4
    assert all(sum(rung.seconds) < 1 for rung in ladder.rungs)


def test_differences_are_told() -> None:
    """Two settings that do not look for the same thing: with and without quiescence."""
    rungs = {"still": Settings.plain(), "quiet": Settings.plain(quiescence=True)}
    ladder = compare_techniques(ConnectFour(), ["4453"], depth=1, rungs=rungs)
    ((rung, _, value, before),) = ladder.differences
    assert rung == "quiet" and value != before and not ladder.to_dict()["same_values"]


def test_limits_and_ctrl_c_leave_what_there_is() -> None:
    """A value that a limit has kept from being known is None; after Ctrl-C no further rung is begun."""
    ladder = compare_techniques(ConnectFour(), depth=30, seconds=0, rungs={"alpha-beta": Settings.plain()})
    assert ladder.rungs[0].values == [None] and not ladder.rungs[0].complete
    assert (ladder.complete, ladder.compared, ladder.to_dict()["compared"]) == (False, 0, 0)

    class Pressed(TicTacToe):
        asked = 0

        def is_over(self, state: Any) -> bool:
            Pressed.asked += 1
            if Pressed.asked == 1000:
                raise KeyboardInterrupt
            return super().is_over(state)

    with pytest.raises(KeyboardInterrupt):  # pressed twice, before anything is known
        compare_techniques(Pressed(), depth=None, engine="python")


def test_bad_input_is_refused_before_anything_is_searched() -> None:
    """Positions that cannot be read, games that are over, and no rungs."""
    with pytest.raises(IllegalMoveError):
        compare_techniques(ConnectFour(), ["44", "48"])
    with pytest.raises(InputError, match="the game is over"):
        compare_techniques(ConnectFour(), ["1212121"])
    with pytest.raises(InputError, match="rungs is empty"):
        compare_techniques(ConnectFour(), rungs={})
    assert isinstance(compare_techniques(TicTacToe(), ["a1b2"], depth=2), Ladder)


def test_positions_can_come_from_any_source() -> None:
    """A generator of positions does as well as a list, and none at all is the start; a text alone is no list of positions."""
    game = ConnectFour(4, 4)
    by_list, by_generator = (
        compare_techniques(game, given, depth=3) for given in (["11", "12"], (text for text in ("11", "12")))
    )
    assert [rung.nodes for rung in by_list.rungs] == [rung.nodes for rung in by_generator.rungs]
    assert compare_techniques(game, iter(()), depth=2).rungs[0].nodes == compare_techniques(game, depth=2).rungs[0].nodes
    with pytest.raises(InputError, match="positions is '12'; pass a list"):
        compare_techniques(game, "12", depth=3)


def test_a_limit_on_seconds_bounds_the_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that is at work for longer is not waited for: the reference engine searches."""
    is_over = Event()
    monkeypatch.setattr(alpha_beta.CompiledAlphaBeta, "is_at_hand", lambda _: False)
    monkeypatch.setattr(alpha_beta.CompiledAlphaBeta, "make_ready", lambda _: is_over.wait(60))
    started = time.perf_counter()
    rungs = {"alpha-beta": Settings.plain("alpha-beta")}
    ladder = compare_techniques(ConnectFour(5, 5), depth=4, seconds=0.3, rungs=rungs)
    assert time.perf_counter() - started < 20
    is_over.set()
    assert ladder.rungs[0].nodes[0] > 0
