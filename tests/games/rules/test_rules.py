"""The rules of the games: counts of lines and positions that are known, notations, and errors."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.errors import IllegalMoveError, InputError
from bestfirst.games.domain import PASS
from bestfirst.games.game import Game
from bestfirst.games.perft import perft, positions_by_ply
from bestfirst.games.rules.checkers import Checkers
from bestfirst.games.rules.connect_four import ConnectFour, columns_of
from bestfirst.games.rules.game_tree import GameTree
from bestfirst.games.rules.kalah import Kalah
from bestfirst.games.rules.mnk import MNK, TicTacToe
from bestfirst.games.rules.nim import Nim
from bestfirst.games.rules.othello import Othello
from bestfirst.games.textbook.minimax import minimax
from profiles import examples


def test_othello_has_the_known_numbers_of_lines() -> None:
    """Perft 1 .. 6 of the 8x8 board: 4, 12, 56, 244, 1396, 8200."""
    assert [perft(Othello(), depth) for depth in range(7)] == [1, 4, 12, 56, 244, 1396, 8200]


@pytest.mark.slow
def test_connect_four_on_4x4_has_161_029_positions() -> None:
    """Those that can be reached, the empty board included; on a larger board the first plies are 7^n lines."""
    assert sum(positions_by_ply(ConnectFour(4, 4), engine="python")) == 161_029
    assert [perft(ConnectFour(), depth) for depth in range(5)] == [1, 7, 49, 343, 2401]
    assert positions_by_ply(ConnectFour(), plies=4) == [1, 7, 49, 238, 1120]


def test_tic_tac_toe_has_5_478_positions() -> None:
    """By ply 1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78."""
    assert positions_by_ply(TicTacToe()) == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=2), st.booleans())
@examples(40)
def test_nim_is_lost_just_where_boutons_rule_says(heaps: list[int], misere: bool) -> None:
    """Normal: where the exclusive or of the heaps is 0. Misere: likewise, unless no heap is larger than 1."""
    game = Nim((*heaps, 1), misere=misere)
    lost = game.nim_sum(game.initial) == 0
    if misere and max(game.sizes(game.initial)) == 1:
        lost = not lost
    assert minimax(game).score.outcome == ("loss" if lost else "win")


GAMES: list[Game] = [
    TicTacToe(),
    MNK(5, 4, 4),
    ConnectFour(),
    ConnectFour(5, 4),
    ConnectFour(12, 4),
    ConnectFour(9, 1),
    MNK(5, 1, 3),
    Othello(),
    Othello(6),
    Nim((3, 4, 5)),
    Othello(4),
]


@pytest.mark.parametrize("game", GAMES, ids=repr)
@examples(10)
@given(choices=st.lists(st.integers(0, 1000), max_size=70))
def test_a_random_game_keeps_the_invariants(game: Game, choices: list[int]) -> None:
    """Notations can be read back, sides are told, images keep results, and the game ends in a score."""
    state = game.initial
    record = []
    for choice in choices:
        if game.is_over(state):
            assert game.score(state) is not None and game.legal_moves(state) == []
            break
        moves = list(game.moves(state))
        assert moves and len(set(moves)) == len(moves)
        assert set(game.noisy_moves(state)) <= set(moves)
        move = moves[choice % len(moves)]
        name = game.format_move(state, move)
        assert game.parse_move(state, name.upper()) == move
        assert sorted(len(game.legal_moves(image)) for image in game.symmetries(state)) == [len(moves)] * len(
            list(game.symmetries(state))
        )
        record.append(name)
        following = game.play(state, move)
        if game.alternates and game.side_to_move(state) is not None:
            assert game.side_to_move(following) == 1 - game.side_to_move(state)  # type: ignore[operator]
        state = following
        assert game.parse(game.format(state)) == state
        assert game.draw(state)
    assert game.parse(" ".join(record)) == state


def test_a_row_does_not_run_over_the_edge_of_the_board() -> None:
    """The last cell of a row and the first of the next are no neighbours."""
    assert not TicTacToe().is_over(TicTacToe().parse("..X/X../XOO"))
    game = ConnectFour()
    assert not game.is_over(game.parse("111222"))
    assert game.is_over(game.parse("1213141"))


def test_othello_turns_discs_in_all_directions_and_passes_where_it_must() -> None:
    """The example of f5d6c3, and a board where Black cannot move and White can."""
    game = Othello()
    assert game.format(game.parse("f5d6c3")) == "......../......../..X...../...XX.../...OXX../...O..../......../........ O"
    state = game.parse("OX....../......../......../......../......../......../......../........ X")
    assert game.moves(state) == [PASS] and game.format_move(state, PASS) == "pass"
    assert game.format_move(game.play(state, PASS), game.moves(game.play(state, PASS))[0]) == "c1"
    ended = game.play(game.play(state, PASS), 2)
    assert game.is_over(ended) and game.score(ended) == -64


def test_the_tenth_column_of_connect_four_is_called_a() -> None:
    """Wide boards name each column by one character, so that moves need no spaces between them."""
    game = ConnectFour(12, 4)
    state = game.parse("a9c")
    assert state == game.play(game.play(game.play(game.initial, 10), 9), 12)
    assert [game.format_move(state, move) for move in game.moves(state)] == list("123456789abc")
    assert game.draw(state).endswith("1 2 3 4 5 6 7 8 9 a b c")


def test_connect_four_knows_the_ends_of_rows() -> None:
    """The estimate counts the cells that complete four: both ends of an open three, and the gap in the middle."""
    game = ConnectFour()
    state = game.parse("122344")
    assert game.evaluate(state) == 0
    three = game.parse("......./......./......./......./.OO..../.XXX..O")
    assert game.evaluate(three) == 2 and list(game.noisy_moves(three)) == [1, 5]


@given(width=st.integers(1, 9), height=st.integers(1, 10), choices=st.lists(st.booleans(), min_size=90, max_size=90))
def test_connect_four_tells_the_columns_of_cells(width: int, height: int, choices: list[bool]) -> None:
    """As bits from 1, on boards of every shape, whatever the cells."""
    if width * (height + 1) > 64:
        return
    game = ConnectFour(width, height)
    chosen = [divmod(number, height) for number in range(width * height) if choices[number]]
    cells = sum(1 << column * (height + 1) + row for column, row in chosen)
    columns = columns_of(cells, game.bottom, game.full, game.gather, width, height)
    assert columns == sum({2 << column for column, _ in chosen})


def test_checkers_has_the_known_numbers_of_lines() -> None:
    """Perft 1 .. 5: 7, 49, 302, 1469, 7361."""
    assert [perft(Checkers(), depth, engine="python") for depth in range(1, 6)] == [7, 49, 302, 1469, 7361]


def test_captures_are_compulsory_and_go_on_and_a_new_king_stops() -> None:
    """Two men in one move; a king may turn back; a man that becomes a king does not go on."""
    game = Checkers()
    double = game.parse("B:W18,26,32:B14,1")
    assert [game.format_move(double, move) for move in game.moves(double)] == ["14x23x30"]
    after = game.play_legal(double, game.moves(double)[0])
    assert game.format(after) == "W:W32:B1,K30"
    crowned = game.parse("B:W26,25:B22")
    assert [game.format_move(crowned, move) for move in game.moves(crowned)] == ["22x29", "22x31"]
    king = game.parse("B:W18,25,26:BK14")
    assert [game.format_move(king, move) for move in game.moves(king)] == ["14x23x30x21"]
    assert game.is_over(game.parse("B:W1:B")) and game.score(game.parse("B:W1:B")) == -1
    quiet = game.parse("B:WK32:BK1:H80")
    assert game.is_over(quiet) and game.score(quiet) == 0


def test_kalah_gives_another_turn_and_takes_what_lies_opposite() -> None:
    """House 3 of the start ends in the store; a last seed in an own empty house takes both houses."""
    game = Kalah()
    again = game.parse("3")
    assert (game.rows(again)[0], again.side) == ((4, 4, 0, 5, 5, 5, 1), 0)
    assert game.moves_again(game.initial, again)
    small = Kalah(3, 1)
    taking = small.parse("1 0 1 0/1 2 1 0 first")
    assert small.play(taking, 1) == small.parse("0 0 1 3/1 0 1 0 second")
    nothing = small.parse("1 0 1 0/1 0 1 0 first")
    assert small.play(nothing, 1) == small.parse("0 1 1 0/1 0 1 0 second")
    over = small.parse("0 0 0 4/1 0 1 0 first")
    assert small.is_over(over) and small.score(over) == 2


def test_kalah_sows_past_the_store_of_the_other_side() -> None:
    """Eight seeds from house 6 reach the own house 1 by way of all houses of the other side."""
    game = Kalah()
    state = game.parse("0 1 0 0 0 8 0/1 1 1 1 1 1 0 first")
    assert game.play(state, 6) == game.parse("0 1 0 0 0 0 4/2 2 2 2 2 0 0 second")


BAD: list[tuple[Game, str, str]] = [
    (ConnectFour(), "8", "legal moves are: 1, 2, 3, 4, 5, 6, 7"),
    (ConnectFour(), "1111111", "legal moves are: 2, 3, 4, 5, 6, 7"),
    (ConnectFour(), "12131415", "the game is over in this position"),
    (ConnectFour(), "./X", "write 6 rows of 7"),
    (ConnectFour(), "......./......./......./..X..../......./.......", "floats in column 3"),
    (ConnectFour(), "......./......./......./......./......./XX.....", "2 X and 0 O"),
    (ConnectFour(), "......./......./......./......./......./Z......", "the cell 'Z'"),
    (ConnectFour(), "......./......./......./......./OOO..../XXXX..O", "X has already won"),
    (TicTacToe(), "a1a1", "legal moves are: b1, c1, a2"),
    (TicTacToe(), "d4", "legal moves are"),
    (TicTacToe(), "b2??", "'\\?\\?' is not legal"),
    (TicTacToe(), "XXX/OOO/...", "X has already won"),
    (Othello(), "a1", "legal moves are: d3, c4, f5, e6"),
    (Othello(), "......../......../......../......../......../......../......../........", "does not say who moves"),
    (Nim(), "3 x 5", "write the size of each"),
    (Nim(), "1 2 3 4", "allows at most 3 heaps of at most 21; write Nim"),
    (Nim(), "1-9", "legal moves are: 1-1"),
    (Nim(), "9" * 5_000, "write sizes in 0 .. 1,000,000"),
    (Checkers(), "11-14", "legal moves are: 9-13"),
    (Checkers(), "W:W33:B1", "the square '33'"),
    (Checkers(), "W:B3:B1", "cannot be read"),
    (Kalah(), "7", "legal moves are: 1, 2, 3, 4, 5, 6"),
    (Kalah(), "1/2 first", "write 6 houses and a store"),
    (GameTree("[[2,7],[1,8]]"), "3", "legal moves are: 1, 2"),
]


@pytest.mark.parametrize(("game", "text", "message"), BAD)
def test_bad_positions_are_refused_with_the_remedy(game: Game, text: str, message: str) -> None:
    """An illegal move names the position and the legal moves; a bad board what is wrong with it."""
    with pytest.raises(InputError, match=message):
        game.parse(text)


def test_an_illegal_move_carries_what_a_program_needs() -> None:
    """The error has the move, the position and the legal moves; play_legal raises it too."""
    game = TicTacToe()
    with pytest.raises(IllegalMoveError) as caught:
        game.play_legal(game.parse("b2"), 4)
    assert (caught.value.move, caught.value.position) == (4, ".../.X./...")
    assert caught.value.legal == ["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]


@pytest.mark.parametrize(
    ("position", "move", "why"),
    [
        ("B:W18,26:B1,2,15", "1-5", "captures are compulsory"),
        ("B:W18,26:B1,2,15", "15x22", "a capture must be continued as long as possible"),
        ("B:W18,26:B1,2,15", "1-9", None),
        ("B:W18,26:B1,2,15", "15", None),
        ("B:W30:B1,2", "1x10", None),
    ],
)
def test_checkers_says_which_rule_of_captures_a_move_breaks(position: str, move: str, why: str | None) -> None:
    """A step where a capture is compulsory, and a capture that is broken off; of other moves there is nothing to say."""
    game = Checkers()
    with pytest.raises(IllegalMoveError) as caught:
        game.parse_move(game.parse(position), move)
    assert caught.value.why == why
    assert str(caught.value).endswith(f"{': ' + why if why else ''}; the legal moves are: {', '.join(caught.value.legal)}")
    assert pickle.loads(pickle.dumps(caught.value)).why == why


def test_boards_of_sizes_that_cannot_be_are_refused() -> None:
    """Each error says what sizes there are."""
    cases: list[tuple[Any, str]] = [
        (lambda: ConnectFour(8, 8), "at most 64"),
        (lambda: Othello(7), "4x4, 6x6 or 8x8"),
        (lambda: MNK(3, 3, 4), "do not fit"),
        (lambda: MNK(30, 3, 3), "26 columns"),
        (lambda: GameTree([[1], []]), "non-empty"),
        (lambda: GameTree("[[1"), "nested lists"),
        (lambda: ConnectFour.from_options(board="7"), "write width x height"),
    ]
    for make, message in cases:
        with pytest.raises(InputError, match=message):
            make()


def test_checkers_draws_the_squares_of_its_notation() -> None:
    """Every dark square has the number by which moves and positions name it."""
    game = Checkers()
    drawn = game.draw(game.parse("B:WK30,18:B1,K5"))
    assert drawn.splitlines()[0] == "      1b      2.      3.      4."
    assert drawn.splitlines()[-1] == " 29.     30W     31.     32."
    assert {"5B", "18w", "17."} <= set(drawn.split()) and len(drawn.split()) == 32


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6))
def test_the_key_of_nim_has_the_heaps_in_order_of_size(sizes: list[int]) -> None:
    """Whatever their order, and however large a heap can be: the time does not depend on that."""
    game = Nim((*sizes, 9))
    words = [size for size in sorted([*sizes, 9]) if size]
    assert game.key(game.initial) == sum(size << game.width * place for place, size in enumerate(reversed(words)))
    assert Nim((400_000, 7)).key(Nim((400_000, 7)).initial) == Nim((7, 400_000)).key(Nim((7, 400_000)).initial)


@pytest.mark.parametrize("heaps", ["99999999999999999999999", "1000001", "1 500001", (10**5_000,)])
def test_heaps_that_are_too_large_are_refused(heaps: Any) -> None:
    """Also those that Python could not shift or write; the largest that can be played can be."""
    with pytest.raises(InputError, match="1,000,000"):
        Nim(heaps)
    assert Nim("0001000000").largest == 1_000_000
