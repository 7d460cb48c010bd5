"""Lines of play: every move of every line is a best one for the side that makes it, graded by an exact solver."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.games import alpha_beta, minimax, negamax, prove, sss_star
from bestfirst.games.analysis import Analysis, analyse
from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import Game, final_value
from bestfirst.games.limits import GameLimits
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.mnk import TicTacToe
from bestfirst.games.rules.nim import Nim
from bestfirst.games.rules.othello import Othello
from bestfirst.games.score import DECISIVE
from profiles import examples
from small_games import positions, uniform_trees

METHODS = {
    "alpha-beta": Settings.plain(),
    "alpha-beta, table": Settings.plain(table="1MB", hash_move=True, deepening=True),
    "pvs": Settings.plain("pvs"),
    "pvs, all": Settings(),
    "pvs, images": Settings(symmetries=True, table="1MB"),
    "pvs, table too small": Settings(table=4000, replacement="always"),
    "mtdf": Settings.plain("mtdf"),
    "mtdf, table": Settings.plain("mtdf", table="1MB"),
    "mtdf, table too small": Settings.plain("mtdf", table=4000, replacement="always"),
    "mtdf, deepening": Settings(method="mtdf"),
    "solver": Settings.solver("1MB"),
}


class Exact:
    """The exact worth of positions and moves, by minimax without a bound, which remembers what it has seen."""

    def __init__(self, game: Game) -> None:
        self._game, self._known = game, dict[Any, int]()

    def value(self, state: Any) -> int:
        """For the side to move, with the plies of a win or loss counted from the position."""
        if state not in self._known:
            game = self._game
            self._known[state] = (
                final_value(game, state, 0)
                if game.is_over(state)
                else max(self.of_move(state, move) for move in game.moves(state))
            )
        return self._known[state]

    def of_move(self, state: Any, move: Any) -> int:
        """What a move is worth to the side that makes it."""
        child = self._game.play(state, move)
        value = self.value(child)
        value = value - 1 if value >= DECISIVE else value + 1 if value <= -DECISIVE else value
        return value if self._game.moves_again(state, child) else -value

    def faults(self, state: Any, pv: tuple[Any, ...]) -> list[str]:
        """The moves of a line, after the first, that are not best."""
        faults = []
        for number, move in enumerate(pv):
            if number and self.of_move(state, move) != self.value(state):
                faults.append(f"{self._game.format(state)}: {self._game.format_move(state, move)}")
            state = self._game.play(state, move)
        return faults

    def grade(self, analysis: Analysis, state: Any) -> None:
        """Assert that the lines of a solved position are those of best play, to the end or to where they say that they stop."""
        for line in analysis.lines:
            assert line.score.value == self.of_move(state, line.move)
            assert self.faults(state, line.pv) == []
            end = state
            for move in line.pv:
                end = self._game.play(end, move)
            assert self._game.is_over(end) != line.goes_on
            assert line.goes_on or line.plies == len(line.pv)
        values = sorted((self.of_move(state, move) for move in self._game.moves(state)), reverse=True)
        assert [line.score.value for line in analysis.lines] == values[: len(analysis.lines)]


@examples(75)
@given(positions(), st.sampled_from(sorted(METHODS)), st.sampled_from([1, 2, None]))
def test_every_line_of_every_method_is_best_play(case: tuple[Game, Any], method: str, lines: int | None) -> None:
    """The reference engine, with and without a table, one line, two, or all."""
    game, state = case
    if not game.is_over(state):
        found = analyse(game, state, lines=lines, settings=METHODS[method], engine="python").run()
        Exact(game).grade(found, state)


def _late_positions(game: Game, plies: int, number: int) -> list[Any]:
    """Positions of random games that are not over after so many plies."""
    chance, found = random.Random(7), list[Any]()
    while len(found) < number:
        state = game.initial
        for _ in range(plies):
            if not game.is_over(state):
                state = game.play(state, chance.choice(list(game.moves(state))))
        if not game.is_over(state):
            found.append(state)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize(
    ("game", "plies"), [(ConnectFour(5, 4, by_threats=True), 10), (Othello(4), 6), (TicTacToe(), 6)], ids=repr
)
def test_both_engines_print_best_play(game: Game, plies: int, engine: str) -> None:
    """Of positions of random games: all methods, one line and all of them; none stops before the end."""
    exact = Exact(game)
    for state in _late_positions(game, plies, 1):
        for settings in METHODS.values():
            for lines in (1, None):
                found = analyse(game, state, lines=lines, settings=settings, engine=engine).run()
                exact.grade(found, state)
                assert not any(line.goes_on for line in found.lines)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_mtdf_does_not_show_a_reply_that_loses(engine: str) -> None:
    """After 36263266516413533637245 and then 5, the reply 5 loses, and 2 draws: the null windows do not tell them apart."""
    game, position = ConnectFour(), "36263266516413533637245"
    found = analyse(game, position, lines=1, settings=Settings.solver(), engine=engine).run()
    assert str(found.score) == "draw" and found.nodes == 3622
    text = position
    for move in found.moves_as_text(found.best.pv):
        best = analyse(game, text, lines=1, settings=Settings(), engine="compiled").run().score.value
        text += move
        if not game.is_over(game.parse(text)):
            reply = analyse(game, text, lines=1, settings=Settings(), engine="compiled").run().score.value
            assert abs(best) < DECISIVE and reply == -best
    assert game.is_over(game.parse(text)) and not found.best.goes_on


@pytest.mark.slow
def test_both_engines_find_the_same_line_and_count_the_same() -> None:
    """The moves that are searched for afterwards are not counted, and depend on no order that only one engine knows."""
    game = ConnectFour(5, 4, by_threats=True)
    for method, settings in METHODS.items():
        for state in _late_positions(game, 11, 2):
            found = [
                analyse(game, state, lines=2, settings=settings, engine=engine).run() for engine in ("python", "compiled")
            ]
            assert found[0].lines == found[1].lines, method
            assert found[0].nodes == found[1].nodes == sum(row.nodes for row in found[0].stats.depths)


def test_a_line_that_is_not_known_to_its_end_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no nodes may be spent on it: in the text, the JSON, and the Line."""
    monkeypatch.setattr("bestfirst.games.engine.principal_variation.LEAST_NODES", 0)
    monkeypatch.setattr("bestfirst.games.engine.principal_variation.SHARE_OF_NODES", 10**9)
    game = ConnectFour(5, 4)
    stopped = 0
    for state in _late_positions(game, 10, 6):
        found = analyse(game, state, lines=1, settings=Settings.plain("mtdf", table=4000), engine="python").run()
        Exact(game).grade(found, state)
        stopped += found.best.goes_on
        assert (" ... (" in str(found)) == found.best.goes_on == ("goes_on" in found.to_dict()["lines"][0])
    assert stopped


def test_a_line_to_a_depth_is_best_play_for_that_depth() -> None:
    """MTD(f) to depth 5 shows a line of five plies whose end has the estimate that the score tells."""
    game = ConnectFour()
    settings = Settings.plain("mtdf", table="1MB")
    found = analyse(game, "4445", lines=1, settings=settings, limits=GameLimits(depth=5), engine="python").run()
    assert len(found.best.pv) == 5 and not found.best.goes_on
    state: Any = game.parse("4445")
    for move in found.best.pv:
        state = game.play(state, move)
    assert -game.evaluate(state) == found.score.value


@pytest.mark.slow
@pytest.mark.parametrize("lines", [2, 3, None])
def test_mtdf_gives_several_moves_their_exact_score(lines: int | None) -> None:
    """The same moves and scores as principal variation search, and no more lines than are asked for."""
    for game, text in ((ConnectFour(4, 4), "2211"), (TicTacToe(), "b2a1"), (Nim((1, 2, 3)), "")):
        by_mtdf, by_pvs = (
            analyse(game, text, lines=lines, settings=settings, engine="python").run()
            for settings in (Settings.solver("1MB"), Settings())
        )
        assert [line.score for line in by_mtdf.lines] == [line.score for line in by_pvs.lines]
        assert by_mtdf.solved and len({line.move for line in by_mtdf.lines}) == len(by_pvs.lines)


def test_several_threads_print_best_play() -> None:
    """With a shared table, in which another thread may have replaced what the line needs."""
    game = ConnectFour(5, 4, by_threats=True)
    exact = Exact(game)
    for state in _late_positions(game, 9, 2):
        for settings in (Settings.solver("1MB"), Settings()):
            exact.grade(analyse(game, state, lines=1, settings=settings, threads=2).run(), state)


@examples(50)
@given(positions())
def test_the_textbook_searches_show_best_play(case: tuple[Game, Any]) -> None:
    """Minimax, negamax, alpha-beta and SSS*: the first move is best too."""
    game, state = case
    exact = Exact(game)
    for search in (minimax, negamax, alpha_beta, sss_star):
        found = search(game, state)
        assert found.score.value == exact.value(state), search
        assert exact.faults(state, found.pv) == [], search
        assert found.move is None or exact.of_move(state, found.move) == exact.value(state), search
        end = state
        for move in found.pv:
            end = game.play(end, move)
        assert game.is_over(end)


@examples(60)
@given(uniform_trees())
def test_sss_star_shows_best_play_on_trees(tree: Game) -> None:
    """Merits are cut off at a bound, so that siblings look alike; the line is best play all the same, to any depth."""
    exact = Exact(tree)
    assert exact.faults((), sss_star(tree).pv) == []


@examples(60)
@given(positions())
def test_the_move_of_a_proof_keeps_what_is_proved(case: tuple[Game, Any]) -> None:
    """Proof-number search."""
    game, state = case
    if game.is_over(state):
        return
    exact, goal = Exact(game), 1 if not game.counts_points else 3
    found = prove(game, state, at_least=goal)
    assert found.holds == (exact.value(state) >= goal)
    assert not found.holds or exact.of_move(state, found.move) >= goal


def test_a_window_that_misses_the_value_shows_no_more_than_it_proves() -> None:
    """Below the window no move is known to be best; above it one is, and no reply."""
    game = ConnectFour(4, 4)
    for state in _late_positions(game, 8, 5):
        value = Exact(game).value(state)
        assert alpha_beta(game, state, alpha=value, beta=value + 5).pv == ()
        found = alpha_beta(game, state, alpha=value - 5, beta=value)
        assert len(found.pv) == 1 and Exact(game).of_move(state, found.move) == value
