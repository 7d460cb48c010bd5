"""Win distance: how soon a game can end, and what need not be searched for that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.games.analysis import analyse
from bestfirst.games.checking.check import check_rules
from bestfirst.games.engine.mate_distance import SoonestEnds, soonest_ends
from bestfirst.games.engine.search import AlphaBetaSearch
from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import Game
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.nim import Nim
from bestfirst.games.rules.othello import Othello
from bestfirst.games.score import WIN
from bestfirst.games.textbook.minimax import minimax
from profiles import examples
from small_games import Passes, Race, positions


@pytest.mark.parametrize(
    ("game", "plies", "soonest"),
    [
        (ConnectFour(), 0, SoonestEnds(1, 2, 2)),
        (ConnectFour(), 1, SoonestEnds(3, 2, 2)),
        (ConnectFour(), 2, SoonestEnds(3, 2, 4)),
        (Race(), 1, SoonestEnds(2, 2, 2)),
        (Race(), 2, SoonestEnds(2, 2, 3)),
        (Passes(), 2, SoonestEnds(1, 2, 2)),
        (Nim(misere=True), 0, SoonestEnds(1, 1, 1)),
    ],
)
def test_how_soon_a_game_can_end_follows_from_its_rules(game: Game, plies: int, soonest: SoonestEnds) -> None:
    """Sides that take turns win in odd numbers of plies; where a move can lose at once, next to nothing is known."""
    assert soonest_ends(game, plies) == soonest


def test_the_race_keeps_its_word() -> None:
    """The game of the tests in which a side can move twice tells its wins and losses rightly."""
    assert check_rules(Race()).ok


@pytest.mark.parametrize("sticks", range(1, 6))
@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_pass_may_win_unforeseen(sticks: int, engine: str) -> None:
    """Foresight is not told of it; the plies to the end are those of minimax."""
    game = Passes()
    state = game.State(sticks, 0)
    assert (
        analyse(game, state, lines=1, settings=Settings.solver("1MB"), engine=engine).run().score
        == minimax(game, state).score
    )


@examples(50)
@given(positions(), st.sampled_from([False, 1, True]), st.integers(-8, 8), st.integers(1, 4), st.booleans())
def test_a_window_of_wins_is_answered_by_the_contract_of_alpha_beta(
    case: tuple[Game, object], foresight: int, nearest: int, width: int, wins: bool
) -> None:
    """With a window among the wins, or among the losses, a result inside is the value, and one outside bounds it."""
    game, state = case
    low = WIN - abs(nearest) - width if wins else abs(nearest) - WIN
    high = low + width
    value = minimax(game, state).score.value
    search = AlphaBetaSearch(game, Settings.plain(win_distance=True, foresight=foresight, table="1MB"))
    for _ in range(2):  # the second time the table knows
        found, _line = search.value(state, low, high, 100, 0)
        if value <= low:
            assert value <= found <= low
        elif value >= high:
            assert high <= found <= value
        else:
            assert found == value


def test_a_known_win_leaves_other_moves_unsearched() -> None:
    """After 3 4 3 4 3 4 only column 3 wins; what comes after it gets one look each. Points are never cut."""
    game = ConnectFour()
    state = game.parse("343434")
    for win_distance, nodes in ((False, 478), (True, 10)):
        search = AlphaBetaSearch(game, Settings.plain(win_distance=win_distance, static_order=True))
        found = search.root(state, list(game.moves(state)), 6)
        assert found[0].value == WIN - 1 and found[0].move == 3
        assert search.stats.nodes == nodes
    points = AlphaBetaSearch(Othello(4), Settings.plain(win_distance=True))
    points.root(Othello(4).initial, list(Othello(4).moves(Othello(4).initial)), 8)
    assert points.stats.too_far == 0
