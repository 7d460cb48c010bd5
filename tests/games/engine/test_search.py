"""The alpha-beta search: every sound switch leaves minimax's value alone, every unsound one can change it and is counted."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.errors import InputError, ProblemError, UnknownNameError
from bestfirst.games import analysis
from bestfirst.games.engine import mtdf
from bestfirst.games.engine.search import AlphaBetaSearch
from bestfirst.games.engine.settings import UNSOUND, Settings
from bestfirst.games.engine.transposition import Bound
from bestfirst.games.game import Game, final_value
from bestfirst.games.limits import GameLimits
from bestfirst.games.rules.checkers import Checkers
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.game_tree import GameTree
from bestfirst.games.rules.mnk import TicTacToe
from bestfirst.games.rules.nim import Nim
from bestfirst.games.rules.othello import Othello
from bestfirst.games.score import INFINITY, Score, in_plies_from_here
from bestfirst.games.textbook.minimax import minimax
from bestfirst.words import words_of
from profiles import examples
from small_games import Duel, positions

analyse = partial(analysis.analyse, engine="python")

SOUND = {
    "minimax": Settings.plain("minimax"),
    "alpha-beta": Settings.plain(),
    "static order": Settings.plain(static_order=True),
    "killers": Settings.plain(killers=2),
    "history": Settings.plain(history=True),
    "table": Settings.plain(table="1MB"),
    "hash move": Settings.plain(table="1MB", hash_move=True, deepening=True),
    "small table, always": Settings.plain(table=1000, replacement="always"),
    "small table, deeper": Settings.plain(table=1000),
    "symmetries": Settings.plain(table="1MB", symmetries=True, deepening=True),
    "deepening": Settings.plain(deepening=True),
    "aspiration": Settings(method="alpha-beta", aspiration=1),
    "aspiration and pvs": Settings(aspiration=2),
    "pvs": Settings.plain("pvs"),
    "mtdf": Settings.plain("mtdf", table="1MB"),
    "mtdf without a table": Settings.plain("mtdf"),
    "mtdf and deepening": Settings(method="mtdf"),
    "all": Settings(symmetries=True),
    "symmetries near the root": Settings(symmetries=3),
    "foresight": Settings.plain(foresight=True),
    "wins at once": Settings.plain(foresight=1),
    "without foresight": Settings(foresight=False),
    "win distance": Settings.plain(win_distance=True),
    "win distance and wins at once": Settings.plain(win_distance=True, foresight=1, table="1MB"),
    "win distance and foresight": Settings.plain("pvs", win_distance=True, foresight=True),
    "without win distance": Settings(win_distance=False),
    "singular, static": Settings(singular="static"),
    "singular, exclusion": Settings(singular="exclusion", singular_margin=2),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SOUND)
@examples(8)
@given(positions())
def test_every_sound_switch_gives_the_value_of_minimax(name: str, case: tuple[Game, Any]) -> None:
    """Searched to the end, score, proof and the first move's value are minimax's."""
    game, state = case
    if game.is_over(state):
        return
    expected = minimax(game, state)
    analysis = analyse(game, state, lines=1, settings=SOUND[name]).run()
    assert analysis.score == expected.score, name
    assert analysis.solved and analysis.stopped is None
    child = game.play(state, analysis.move)
    after = minimax(game, child).score.value if game.moves_again(state, child) else -minimax(game, child).score.value
    assert abs(after - expected.score.value) <= 1  # a win or loss is a ply nearer there


@pytest.mark.parametrize("name", [name for name in SOUND if not name.startswith("singular")])
@examples(8)
@given(st.lists(st.integers(0, 6), max_size=12), st.integers(1, 4))
def test_every_sound_switch_gives_the_value_of_minimax_at_a_depth(name: str, moves: list[int], depth: int) -> None:
    """Also where the horizon is near and estimates decide: Connect Four, which no two depths share a position in."""
    game = ConnectFour(5, 5)
    state = game.initial
    for move in moves:
        following = [child for child in (game.play(state, own) for own in game.moves(state)) if not game.is_over(child)]
        if following:
            state = following[move % len(following)]
    expected = minimax(game, state, depth).score.value
    settings = replace(SOUND[name], quiescence=False)
    analysis = analyse(game, state, lines=1, settings=settings, limits=GameLimits(depth=depth)).run()
    assert analysis.score.value == expected


@examples(40)
@given(positions(), st.integers(1, 4), st.sampled_from(["alpha-beta", "pvs", "minimax"]))
def test_the_best_lines_are_the_best_of_all_moves(case: tuple[Game, Any], lines: int, method: Any) -> None:
    """Each move of the best k has the value that minimax gives it, and they come in order."""
    game, state = case
    if game.is_over(state):
        return
    values = []
    for move in game.moves(state):
        child = game.play(state, move)
        again = game.moves_again(state, child)
        values.append(_from_above(minimax(game, child).score.value, again))
    found = analyse(game, state, lines=lines, settings=Settings(method=method)).run()
    assert [line.score.value for line in found.lines] == sorted(values, reverse=True)[:lines]
    assert len({line.move for line in found.lines}) == len(found.lines)
    assert all(line.score.proven for line in found.lines)


def _from_above(value: int, again: bool) -> int:
    """A value of a child for the side that moves at its parent, with the plies counted from there."""
    seen = value if again else -value
    return in_plies_from_here(seen, -1)


@examples(15)
@given(positions(), st.booleans())
def test_the_entries_of_the_table_hold(case: tuple[Game, Any], symmetries: bool) -> None:
    """Of each position searched to the end: a lower bound <= its value <= an upper bound, and an exact one is it."""
    game, state = case
    if game.is_over(state):
        return
    seen: dict[Any, Any] = {}

    class Noting(type(game)):  # type: ignore[misc]
        def key(self, position: Any) -> Any:
            key = game.key(position)
            seen[key if game.domain() is None else words_of(key)] = position
            return key

    noting = Noting.__new__(Noting)
    noting.__dict__.update(game.__dict__)
    search = AlphaBetaSearch(noting, Settings(symmetries=symmetries and not isinstance(game, GameTree)))
    search.root(state, list(game.moves(state)), 100)
    assert search._table is not None
    for entry in list(search._table.entries())[:40]:
        value = minimax(game, seen[entry.key]).score.value
        assert entry.complete
        if entry.bound is Bound.LOWER:
            assert entry.value <= value
        elif entry.bound is Bound.UPPER:
            assert entry.value >= value
        else:
            assert entry.value == value


@examples(30)
@given(positions(), st.sampled_from([Settings(), Settings(symmetries=True), Settings.solver("1MB"), Settings(table=3000)]))
def test_lines_of_play_can_be_played(case: tuple[Game, Any], settings: Settings) -> None:
    """Each move of a principal variation is legal, also where states share keys; a line to the end has the value it is said to."""
    game, state = case
    if game.is_over(state):
        return
    analysis = analyse(game, state, lines=1 if settings.method == "mtdf" else None, settings=settings).run()
    for line in analysis.lines:
        child, same_side = state, True
        for move in line.pv:
            assert move in game.legal_moves(child)
            following = game.play(child, move)
            same_side = same_side == game.moves_again(child, following)
            child = following
        if game.is_over(child):
            value = final_value(game, child, len(line.pv))
            assert (value if same_side else -value) == line.score.value
        else:
            assert line.score.plies is None or len(line.pv) < line.score.plies


def test_lines_go_to_the_end_where_keys_merge_states() -> None:
    """Nim's key sorts the heaps, so the table's moves may be another state's; the line is found by the values of positions."""
    for line in analyse(Nim((1, 2, 3)), lines=None).run().lines:
        assert len(line.pv) == line.score.plies == line.plies


def test_foresight_sees_that_a_move_can_lose_at_once() -> None:
    """To give way for a ply more is better than to lose with the move, though the other side wins then."""
    game = Duel([[1, [1]]])  # the second player loses at once, or lets the first one win
    for plies in (False, 1, True):
        settings = Settings.plain(foresight=plies)
        assert analyse(game, lines=1, settings=settings).run().score == minimax(game).score == Score.win(3)


def test_equal_settings_are_equal_however_they_are_written() -> None:
    """True is a number of plies."""
    assert Settings(foresight=True, symmetries=False) == Settings(foresight=2, symmetries=0)
    assert Settings(foresight=1) != Settings(foresight=True)


def nodes(settings: Settings, game: Game, text: str, depth: int) -> int:
    return analyse(game, text, lines=1, limits=GameLimits(depth=depth), settings=settings).run().nodes


def test_each_technique_takes_its_known_number_of_nodes() -> None:
    """From minimax to principal variation search, on one position of Connect Four; deepening alone costs on so small a tree."""
    game, text = ConnectFour(5, 4), "33342"
    ladder = {
        "minimax": Settings.plain("minimax"),
        "alpha-beta": Settings.plain(),
        "order": Settings.plain(static_order=True),
        "table": Settings.plain(static_order=True, table="64MB"),
        "deepening": Settings.plain(static_order=True, table="64MB", deepening=True, hash_move=True),
        "pvs": Settings.plain("pvs", static_order=True, table="64MB", deepening=True, hash_move=True),
    }
    assert {name: nodes(settings, game, text, 7) for name, settings in ladder.items()} == LADDER


LADDER = {"minimax": 50_751, "alpha-beta": 4_231, "order": 1_744, "table": 1_046, "deepening": 1_487, "pvs": 1_452}


def test_quiescence_sees_the_win_behind_the_horizon() -> None:
    """At depth 1 the plain search cannot tell that the reply wins; the quiescent one knows that only column 1 does not lose."""
    game = ConnectFour()
    text = "......./......./......./O....../O.X..../O.XX..."
    quiet = analyse(game, text, lines=None, limits=GameLimits(depth=1), settings=Settings(quiescence=False)).run()
    calm = analyse(game, text, lines=None, limits=GameLimits(depth=1)).run()
    assert calm.stats.quiescent > 0 == quiet.stats.quiescent
    assert {line.score.outcome for line in quiet.lines} == {None}
    assert calm.move == 1
    assert [line.score for line in calm.lines[1:]] == [Score.loss(2)] * 6


def test_quiescence_does_not_stop_in_the_middle_of_an_exchange() -> None:
    """Checkers: at depth 1 the plain search believes that it is a man ahead, though the other side must take back."""
    game = Checkers()
    text = "11-15 22-18"
    plain = analyse(game, text, lines=1, limits=GameLimits(depth=1), settings=Settings(quiescence=False)).run()
    calm = analyse(game, text, lines=1, limits=GameLimits(depth=1)).run()
    assert plain.score.value > 80 and abs(calm.score.value) < 20


OTHELLO = Othello(6)
OPEN = "....X./..XX../.OXO../OOOO../....../...... X"
UNSOUND_CASES: list[tuple[dict[str, int], str]] = [
    ({"tapered": 3}, OPEN),
    ({"disaster": 5}, OPEN),
    ({"futility": 6}, "O...../OO..../OXOX../.XXO../..XXO./..X... X"),
    ({"futility_margin": 2}, "....../.X..O./..XO../..OXX./OOO.X./....X. X"),
    ({"null_move": 2}, OPEN),
    ({"late_moves": 2}, OPEN),
    ({"probcut": 1}, "....../.OX.../.OXX../.OXO../.O..../.O.... X"),
]


def test_every_unsound_switch_has_a_case() -> None:
    """None is left out below."""
    assert {next(iter(case[0])) for case in UNSOUND_CASES} == set(UNSOUND)


@pytest.mark.parametrize("case", UNSOUND_CASES, ids=lambda case: next(iter(case[0])))
def test_an_unsound_switch_can_be_wrong_and_is_counted_and_proves_nothing(case: tuple[dict[str, Any], str]) -> None:
    """It is real: here it changes the value. It is honest: it says how often it was used, and nothing is proven."""
    switch, text = case
    plain = Settings.plain("pvs", static_order=True)
    sure = analyse(OTHELLO, text, lines=1, limits=GameLimits(depth=4), settings=plain).run()
    risky = analyse(OTHELLO, text, lines=1, limits=GameLimits(depth=4), settings=replace(plain, **switch)).run()
    assert sure.stats.pruned == {} and set(risky.stats.pruned) == set(switch)
    assert risky.score.value != sure.score.value
    assert not risky.score.proven


def test_foresight_of_one_ply_sees_the_wins_only() -> None:
    """One node is enough where the side to move can win; where it cannot keep the other side from that, if two plies are seen."""
    game = ConnectFour()
    for plies, text, nodes in ((1, "223344", 1), (1, "22334", 8), (2, "22334", 1)):
        search = AlphaBetaSearch(game, Settings.plain(foresight=plies))
        search.value(game.parse(text), -INFINITY, INFINITY, 2, 0)
        assert search.stats.nodes == nodes


def test_settings_that_cannot_be_are_refused() -> None:
    """The error names the switch and what it takes."""
    with pytest.raises(UnknownNameError, match="no method is called 'pws'; did you mean pvs"):
        Settings(method="pws")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="killers is -1"):
        Settings(killers=-1)
    with pytest.raises(InputError, match="null_move is 'x'"):
        Settings(null_move="x")  # type: ignore[arg-type]
    for plies in (3, -1, 1.0, "2"):
        with pytest.raises(InputError, match=r"foresight is .*; use True, False, or a number of plies"):
            Settings(foresight=plies)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="history is 1; pass True or False"):
        Settings(history=1)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="table is"):
        Settings(table="big")
    assert Settings(null_move=2, probcut=5).unsound == ("null_move", "probcut")


def test_a_search_with_a_window_keeps_the_contract() -> None:
    """Fail-soft bounds of tic-tac-toe, a draw, from windows on both sides."""
    search = AlphaBetaSearch(TicTacToe(), Settings())
    assert search.value(TicTacToe().initial, -INFINITY, -5, 9, 0)[0] >= -5
    assert search.value(TicTacToe().initial, 5, INFINITY, 9, 0)[0] <= 5


@pytest.mark.slow
def test_a_search_that_can_be_wrong_ends_beyond_the_end_of_the_game() -> None:
    """It proves nothing, however deep it looks; so it ends where all lines do."""
    analysis = analyse(TicTacToe(), "b2a1a2", settings=Settings(probcut=1)).run()
    assert (analysis.solved, analysis.stopped) == (False, "depth")


class NoisyCircle(Game):
    """Four positions in a circle; its one move is noisy."""

    initial: Any = 0
    noisy_is_forced = True

    def moves(self, state: int) -> list[int]:
        del state
        return [1]

    noisy_moves = moves

    def play(self, state: int, move: int) -> int:
        return (state + move) % 4

    def is_over(self, state: int) -> bool:
        del state
        return False

    def score(self, state: int) -> int:
        del state
        return 0


def test_noisy_moves_that_form_a_cycle_are_an_error() -> None:
    """The longest line that a search follows has 10 000 plies, also beyond the horizon."""
    with pytest.raises(ProblemError, match="more than 10000 plies"):
        analyse(NoisyCircle(), settings=Settings.plain(quiescence=True), limits=GameLimits(depth=2)).run()


class Again(Game):
    """One side moves all the time; a quiet move is the fastest win, and a noisy one hides it."""

    alternates = False
    initial: Any = "start"
    after: ClassVar[dict[str, dict[str, str]]] = {
        "start": {"on": "fork"},
        "fork": {"quiet": "won", "noisy": "near"},
        "near": {"noisy": "won later"},
    }

    def moves(self, state: str) -> list[str]:
        return list(self.after[state])

    def noisy_moves(self, state: str) -> list[str]:
        return [move for move in self.moves(state) if move == "noisy"]

    def play(self, state: str, move: str) -> str:
        return self.after[state][move]

    def is_over(self, state: str) -> bool:
        return state not in self.after

    def score(self, state: str) -> int:
        del state
        return 1

    def side_to_move(self, state: str) -> int:
        del state
        return 0


@pytest.mark.parametrize("settings", [Settings(), Settings.plain("minimax", quiescence=True)])
def test_a_win_found_beyond_the_horizon_is_proven_when_no_nearer_one_can_be_missed(settings: Settings) -> None:
    """Quiescence search follows the noisy moves only."""
    shallow, deep = (analyse(Again(), settings=settings, limits=GameLimits(depth=depth)).run() for depth in (1, 2))
    assert (shallow.score, shallow.score.proven) == (replace(Score.win(3), proven=False), False)
    assert (deep.score, deep.solved) == (Score.win(2), True)


class Drawn(Game):
    """A tree of positions; the side to move is given, or alternates. The one who is not to move has lost at "lost"."""

    def __init__(self, after: dict[Any, dict[str, Any]], turns: dict[Any, int] | None = None) -> None:
        self.initial = next(iter(after))
        self.after, self.turns = after, turns
        self.alternates = turns is None  # type: ignore[misc]

    def moves(self, state: Any) -> list[Any]:
        return list(self.after[state])

    def play(self, state: Any, move: Any) -> Any:
        return self.after[state][move]

    def is_over(self, state: Any) -> bool:
        return state not in self.after

    def score(self, state: Any) -> int:
        scores: dict[Any, int] = {"lost": -1, "drawn": 0}
        return scores.get(state, 1)

    def evaluate(self, state: Any) -> int:
        return int(state == "trap")

    def side_to_move(self, state: Any) -> int:
        return 0 if self.turns is None else self.turns[state]


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_mtdf_proves_several_lines_by_all_their_passes(lines: int) -> None:
    """The first pass of a line may have estimated what the table then repeats."""
    after = {
        "start": {"p": "quick", "q": "quick", "r": "fork"},
        "quick": {"x": "lost"},
        "fork": {"x": "trap", "y": "drawn"},
        "trap": {"x": "won"},
    }
    analysis = analyse(Drawn(after), settings=Settings(method="mtdf"), lines=lines).run()
    assert (analysis.score, analysis.solved, analysis.lines[0].pv) == (Score.loss(3), True, ("r", "x", "x"))


@pytest.mark.parametrize("passes", [0, 1, 2])
@examples(15)
@given(case=positions())
def test_mtdf_that_halves_the_interval_gives_the_value_of_minimax(passes: int, case: tuple[Game, Any]) -> None:
    """From any pass on."""
    game, state = case
    if game.is_over(state):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mtdf, "PASSES_BY_VALUE", passes)
        assert analyse(game, state, lines=1, settings=SOUND["mtdf"]).run().score == minimax(game, state).score


class Far(Game):
    """Six plies, with scores and estimates that are far apart."""

    initial = 0
    counts_points = True

    def moves(self, state: int) -> list[int]:  # noqa: ARG002
        return [1, 2]

    def play(self, state: int, move: int) -> int:
        return state + move

    def is_over(self, state: int) -> bool:
        return state >= 6

    def score(self, state: int) -> int:
        return 900_000 if state == 6 else -900_000

    def evaluate(self, state: int) -> int:
        return 900_000 if state % 2 else -900_000


def test_mtdf_ends_soon_though_probcut_moves_its_bounds_by_one() -> None:
    """It would take as many passes as the scores are apart."""
    search = analyse(Far(), lines=1, settings=Settings.plain("mtdf", probcut=1), limits=GameLimits(depth=5))
    assert search.run().stats.researches < 100


class Hinted(Drawn):
    """With hints about its moves."""

    def order(self, state: Any, move: Any) -> int:
        del state
        return int(move == "fast")

    def winning_moves(self, state: Any) -> list[Any]:
        return ["x"] if state == 10 else []


def test_a_line_of_mtdf_is_best_play_where_a_side_moves_again() -> None:
    """A bound from above on the position after a move shows nothing then: a slower win has one too."""
    after = {
        0: {"x": 1},
        1: {"slow": 4, "fast": 2},
        2: {"x": 8},
        4: {"x": 6},
        6: {"x": 8},
        8: {"x": 10},
        10: {"x": 11},
    }
    game = Hinted(after, {0: 1, 1: 0, 2: 1, 4: 0, 6: 0, 8: 1, 10: 0, 11: 0})
    for method in ("mtdf", "pvs"):
        analysis = analyse(game, settings=Settings(method=method)).run()
        assert (analysis.score, analysis.lines[0].pv) == (Score.loss(5), ("x", "fast", "x", "x", "x"))


class Pair(NamedTuple):
    """Two heaps, one of which is named, so that two positions cannot be ordered."""

    left: Any
    right: Any


class TwoHeaps(Game):
    """Take all of a heap. Swapping the heaps changes nothing."""

    initial = Pair(3, "x")

    def moves(self, state: Pair) -> Any:
        return [side for side in ("left", "right") if getattr(state, side)]

    def play(self, state: Pair, move: str) -> Pair:
        return state._replace(**{move: 0})

    def is_over(self, state: Pair) -> bool:
        return not any(state)

    def score(self, _state: Pair) -> int:
        return -1

    def symmetries(self, state: Pair) -> list[Pair]:
        return [Pair(state.right, state.left)]


def test_keys_of_symmetries_that_cannot_be_ordered_are_named() -> None:
    """With what to write; without symmetries, the game is searched."""
    assert analysis.analyse(TwoHeaps()).run().solved
    with pytest.raises(ProblemError, match=r"its symmetries cannot be ordered .*define key\(state\)"):
        analysis.analyse(TwoHeaps(), settings=Settings(table="1MB", symmetries=10)).run()
