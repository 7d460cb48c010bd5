"""analyse(): streamed, limited, honest about what is proven."""

from __future__ import annotations

import copy
import json
import os
import pickle
import signal
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pytest

from bestfirst.errors import IllegalMoveError, InputError
from bestfirst.games.analysis import GameSearch, analyse
from bestfirst.games.domain import GameDomain
from bestfirst.games.engine.engine_choice import CompiledEngine
from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import Game
from bestfirst.games.limits import GameLimits
from bestfirst.games.playing.specification import settings_from
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.game_tree import GameTree
from bestfirst.games.rules.mnk import MNK, TicTacToe
from bestfirst.games.rules.nim import Nim
from bestfirst.games.rules.othello import Othello
from bestfirst.games.score import Score
from bestfirst.games.tracing.trace import GameTrace
from bestfirst.solution import Limits


def test_depths_are_told_one_by_one_and_the_last_one_is_solved() -> None:
    """Tic-tac-toe is a draw after nine plies; what the shallow rounds cost is told."""
    told = list(analyse(TicTacToe(), lines=1))
    assert [analysis.depth for analysis in told] == list(range(1, 10))
    assert [analysis.solved for analysis in told] == [False] * 8 + [True]
    assert told[-1].score == Score.draw() and told[-1].best.plies == 9
    assert 0 < told[-1].stats.shallow_share < 1 and 0 < told[-1].stats.shallow_time < 1
    assert sum(row.nodes for row in told[-1].stats.depths) == told[-1].nodes


def test_a_move_that_is_proven_proves_no_more_than_itself() -> None:
    """1 is worth 0 for sure, and 2 is estimated to be worth less: to depth 1 the position is not proven to be a draw."""
    tree = GameTree("[0,-1:[5,[7,8]]]")
    shallow = analyse(tree, lines=1, limits=GameLimits(depth=1)).run()
    assert shallow.best.score == Score.draw() and shallow.score == Score.estimate(0) and not shallow.solved
    assert analyse(tree, lines=1).run().score == Score.points(5)


def test_a_win_ends_the_search_at_its_depth() -> None:
    """Win in 3 is found at depth 3, and no deeper search could change it."""
    game = TicTacToe()
    analysis = analyse(game, "a1b1a2", lines=None).run()
    assert analysis.best.score == Score.loss(analysis.best.plies or 0) or analysis.best.score.proven
    win = analyse(game, "a1c1a2c2", lines=1).run()
    assert (win.score, win.depth, win.moves_as_text(win.best.pv)) == (Score.win(1), 1, ["a3"])


def test_the_longest_defence_is_found_where_all_moves_lose() -> None:
    """It never gives up: among losses, the one in most plies comes first."""
    game = Nim((1, 2, 3))
    analysis = analyse(game, lines=None).run()
    assert [line.score.outcome for line in analysis.lines] == ["loss"] * 6
    plies = [line.plies for line in analysis.lines]
    assert plies == sorted(plies, key=lambda number: -(number or 0)) and plies[0] == 6
    assert analysis.solved


def test_a_limit_on_nodes_is_exact_and_keeps_the_last_completed_depth() -> None:
    """No node more is looked at; depth, lines and stats say what is known."""
    analysis = analyse(ConnectFour(), limits=GameLimits(nodes=1000), lines=1).run()
    assert (analysis.nodes, analysis.stopped, analysis.solved) == (1000, "nodes", False)
    assert analysis.depth == len(analysis.stats.depths)
    assert analysis.score.proven is False and analysis.best.plies is None


def test_depth_1_is_always_made() -> None:
    """With no time and no nodes the win in one is still seen."""
    for limits in (GameLimits(seconds=0), GameLimits(nodes=0), GameLimits(depth=1)):
        for settings in (Settings(), Settings(deepening=False)):
            analysis = analyse(TicTacToe(), "a1c1a2c2", limits=limits, settings=settings, lines=1).run()
            assert analysis.score == Score.win(1)
    assert analyse(Othello(), limits=GameLimits(seconds=0)).run().stopped == "seconds"
    assert analyse(Othello(), limits=GameLimits(depth=2)).run().stopped == "depth"


@pytest.mark.parametrize(("evaluation", "depth"), [(3, 1), (500, 5)])
def test_ctrl_c_ends_the_search_with_what_is_known(evaluation: int, depth: int) -> None:
    """The first Ctrl-C stops it between two nodes; in the first round, after it."""

    class Pressed(ConnectFour):
        asked = 0

        def evaluate(self, state: Any) -> int:
            Pressed.asked += 1
            if Pressed.asked == evaluation:
                os.kill(os.getpid(), signal.SIGINT)
            return super().evaluate(state)

    analysis = analyse(Pressed(), lines=1).run()
    assert (analysis.stopped, analysis.depth) == ("interrupted", depth)


@pytest.mark.parametrize("depth", [1, 3])
def test_ctrl_c_pressed_twice_leaves_the_depth_before(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the line of a depth is worked out; before the first depth it ends the search."""
    search = analyse(ConnectFour(), lines=1, limits=GameLimits(depth=5))
    worked_out = search._analysis

    def pressed(found: Any) -> Any:
        if found.depth == depth:
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
        return worked_out(found)

    monkeypatch.setattr(search, "_analysis", pressed)
    if depth == 1:
        with pytest.raises(KeyboardInterrupt):
            search.run()
    else:
        assert [(analysis.stopped, analysis.depth) for analysis in (search.run(), search.run())] == [("interrupted", 2)] * 2


def test_probcut_needs_a_depth() -> None:
    """Its shallower searches do the same, two plies less deep: without a limit they would have no end."""
    settings = Settings(deepening=False, probcut=3)
    with pytest.raises(InputError, match="needs a limit on depth"):
        analyse(TicTacToe(), settings=settings)
    assert analyse(TicTacToe(), settings=settings, limits=GameLimits(depth=4)).run().depth == 4


def test_the_json_has_the_documented_fields() -> None:
    """game, position, side_to_move, depth, nodes, seconds, lines; each line with move, score, proven, outcome, plies, pv."""
    told = analyse(ConnectFour(), "4445", limits=GameLimits(depth=3), lines=2).run().to_dict()
    assert json.loads(json.dumps(told)) == told
    assert (told["game"], told["position"], told["side_to_move"], told["depth"]) == ("connect-four", "4445", "X", 3)
    assert [sorted(line) for line in told["lines"]] == [["move", "outcome", "plies", "proven", "pv", "score"]] * 2
    ended = analyse(TicTacToe(), "XO./XO./...").run().to_dict()["lines"][0]
    assert ended == {"move": "a3", "score": 999_999, "proven": True, "outcome": "win", "plies": 1, "pv": ["a3"]}


def test_the_line_of_a_solved_position_leads_to_its_end() -> None:
    """4x4 Connect Four from a position with 6 stones, and 4x4 Othello: every line can be played, and gives what it says."""
    for game, text in ((ConnectFour(4, 4), "221133"), (Othello(4), "")):
        for line in analyse(game, text).run().lines:
            state: Any = game.parse(text)
            for move in line.pv:
                state = game.play_legal(state, move)
            assert game.is_over(state) and line.plies == len(line.pv)
    assert analyse(Othello(4), lines=1).run().score == Score.points(-10)  # 3 : 11, and two squares stay empty


def test_settled_lines_need_no_more_depth_in_a_game_that_goes_on() -> None:
    """The best line wins in one: with lines=1 that is all there is to know."""
    analysis = analyse(MNK(5, 5, 4), "a1a5b1b5c1c5", lines=1).run()
    assert (analysis.score, analysis.depth, analysis.solved) == (Score.win(1), 1, True)


class Circle(Game):
    """A game that is never over, and whose depths take next to no nodes."""

    initial: Any = 0

    def moves(self, state: int) -> list[int]:
        del state
        return [1, 2]

    def play(self, state: int, move: int) -> int:
        return (state + move) % 3

    def is_over(self, state: int) -> bool:
        del state
        return False

    def score(self, state: int) -> int:
        del state
        return 0


def test_the_clock_is_looked_at_in_each_depth() -> None:
    """Though a depth has fewer nodes than there are between two looks, the search is not the one to all depths."""
    analysis = analyse(Circle(), limits=GameLimits(seconds=0.05)).run()
    assert analysis.stopped == "seconds"


class Corridor(Circle):
    """One move a ply; whoever makes the last one has won."""

    initial = 3_000

    def moves(self, state: int) -> list[int]:
        del state
        return [1]

    def play(self, state: int, move: int) -> int:
        return state - move

    def is_over(self, state: int) -> bool:
        return state == 0

    def score(self, state: int) -> int:
        del state
        return -1


@pytest.mark.slow
@pytest.mark.parametrize("trace", [None, GameTrace()])
def test_a_game_may_be_longer_than_recursion_usually_is_deep(trace: GameTrace | None) -> None:
    """Of three thousand plies the end is seen, and the limit on recursion is as before."""
    before = sys.getrecursionlimit()
    analysis = analyse(Corridor(), lines=1, settings=Settings.solver("1MB"), trace=trace).run()
    assert analysis.score == Score.loss(3_000) and sys.getrecursionlimit() == before


def test_the_time_of_a_search_that_found_nothing_is_told() -> None:
    """Where the first depth is made after all, the analysis that it gives has the time of what was tried before, too."""
    search = analyse(
        ConnectFour(), lines=1, settings=Settings.solver("1MB"), limits=GameLimits(seconds=0.05), engine="python"
    )
    (analysis,) = search
    assert analysis.depth == 1 and analysis.seconds >= 0.05


def test_a_limit_below_the_first_depth_calls_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Depth 1 is made all the same, and its nodes are told."""
    monkeypatch.setattr(CompiledEngine, "takes_over", lambda *_: pytest.fail("it compiles"))
    analysis = analyse(TicTacToe(), limits=GameLimits(nodes=5)).run()
    assert (analysis.depth, analysis.nodes, analysis.stopped) == (1, 10, "nodes")


def test_both_engines_fall_back_on_the_same_first_depth() -> None:
    """Where a limit ends a search that has completed no depth, what either engine has met before does not matter."""
    settings = Settings(deepening=False, killers=0)
    found = [
        analyse(TicTacToe(), "b2", settings=settings, limits=GameLimits(nodes=100, depth=4), engine=engine).run()
        for engine in ("python", "compiled")
    ]
    assert found[0].lines == found[1].lines and found[0].depth == 1


class Words(Game):
    """A game whose states are texts: the word grows until it has four letters."""

    initial = "a"

    def moves(self, state: str) -> str:
        del state
        return "xy"

    def play(self, state: str, move: str) -> str:
        return state + move

    def is_over(self, state: str) -> bool:
        return len(state) == 4

    def score(self, state: str) -> int:
        return 1 if state.endswith("x") else -1


def test_a_text_is_a_state_where_states_are_texts() -> None:
    """Elsewhere it is read as a position."""
    assert analyse(Words(), "axx", lines=1).run().move == "y"
    assert analyse(Words()).run().to_dict()["side_to_move"] is None


def test_bad_input_is_refused() -> None:
    """Each error says what was wrong and what to write instead."""
    cases: list[tuple[Any, str]] = [
        (lambda: analyse(ConnectFour(), "1212121"), "the game is over in position"),
        (lambda: analyse(ConnectFour(), "12", lines=0), "a whole number of moves >= 1"),
        (lambda: analyse(ConnectFour(), limits=Limits(seconds=1)), "GameLimits"),  # type: ignore[arg-type]
        (lambda: analyse(ConnectFour(), settings={"method": "pvs"}), "pass a Settings"),  # type: ignore[arg-type]
        (lambda: analyse(ConnectFour), "pass an instance"),  # type: ignore[arg-type]
        (lambda: GameLimits(depth=0), "whole number from 1 to 10000, or omit it"),
        (lambda: GameLimits(nodes=1.5), "whole number"),  # type: ignore[arg-type]
        (lambda: GameSearch(TicTacToe()).analysis, "no depth has been completed"),
    ]
    for make, message in cases:
        with pytest.raises(InputError, match=message):
            make()
    with pytest.raises(IllegalMoveError):
        analyse(ConnectFour(), "8")


def test_a_search_uses_the_settings_that_serve_the_game_best() -> None:
    """Unless others are given; a string changes them, and `plain` starts from nothing."""
    game = ConnectFour(5, 4)
    best = game.default_settings()
    assert (best.static_order, best.symmetries) == ("threats", 10)
    assert analyse(game, lines=1).settings == best
    assert analyse(game, lines=1, settings=Settings()).settings == Settings()
    assert settings_from("killers=0").suited_to(game) == game.default_settings(killers=0)
    assert settings_from("killers=0").suited_to(TicTacToe()) == Settings(killers=0)
    assert settings_from("plain").suited_to(game) == Settings.plain()


def test_a_small_connect_four_is_solved_by_default() -> None:
    """As by the settings for solving; with fewer nodes than the settings of no game in particular take."""
    game = ConnectFour(4, 4)
    found = {name: analyse(game, lines=1, settings=given).run() for name, given in (("best", None), ("any", Settings()))}
    assert found["best"].solved and found["best"].score == found["any"].score
    assert found["best"].nodes < found["any"].nodes


@pytest.mark.parametrize("again", [lambda search: search.run(), lambda search: next(iter(search))], ids=["run", "step"])
def test_an_analysis_that_is_running_cannot_be_continued_a_second_time(again: Any) -> None:
    """A method of the game that runs or steps it is refused with InputError."""

    class Curious(TicTacToe):
        search: Any = None

        def play(self, state: Any, move: int) -> Any:
            if self.search is not None:
                again(self.search)
            return super().play(state, move)

    game = Curious()
    search = analyse(game, engine="python")
    game.search = search
    with pytest.raises(InputError, match="is already running"):
        search.run()


def test_the_limit_on_seconds_holds_where_each_depth_is_quick() -> None:
    """What each depth reports counts against it, too."""
    started = perf_counter()
    analysis = analyse(Circle(), limits=GameLimits(seconds=0.5)).run()
    assert analysis.stopped == "seconds"
    assert analysis.stats.seconds >= 0.5 * (perf_counter() - started)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_running_analysis_is_not_copied(copied: Callable[[Any], Any]) -> None:
    """Its arrays belong to one search."""
    with pytest.raises(InputError, match="cannot be pickled or copied"):
        copied(analyse(TicTacToe()))


class Heap(GameDomain):
    """A heap whose players add what their moves are worth."""

    class State(NamedTuple):
        left: int
        points: int
        turn: int

    initial, counts_points = State(14, 0, 0), True
    worth = np.array([1, 2, 3])

    def legal(self, state: Any) -> int:
        return 7 if state.left > 2 else 3 if state.left > 1 else 1

    def value(self, left: int, move: int) -> int:
        return int((left * self.worth[move]) % 5 - 2)

    def play(self, state: Any, move: int) -> Any:
        points = state.points + self.value(state.left, move) * (1 - 2 * state.turn)
        return self.State(state.left - 1 - move, points, 1 - state.turn)

    def is_over(self, state: Any) -> bool:
        return bool(state.left == 0)

    def score(self, state: Any) -> int:
        return int(state.points * (1 - 2 * state.turn))


def test_an_analysis_does_not_go_on_with_other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its table has values of positions by the old rules."""
    search = iter(analyse(Heap(), engine="compiled"))
    next(search)
    monkeypatch.setattr(Heap, "value", lambda _self, _left, move: move)
    with pytest.raises(InputError, match="the code of heap has changed"):
        next(search)


def test_arrays_that_are_set_on_the_class_later_are_read_as_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their elements are ints of Python."""
    monkeypatch.setattr(Heap, "value", lambda self, left, move: self.worth[move] * left % 5)
    monkeypatch.setattr(Heap, "worth", np.array([3, 1, 2]))
    assert analyse(Heap(), engine="python").run().score == analyse(Heap()).run().score
