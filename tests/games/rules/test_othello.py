"""Othello, of all sizes, beside its rules written a second time: discs on a board, looked at square by square."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bestfirst.games.domain import PASS
from bestfirst.games.perft import perft
from bestfirst.games.rules.othello import Discs, Othello
from profiles import examples

WAYS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
Board = dict[tuple[int, int], bool]
"""By row and column, whether the disc there is one of the side to move."""


def board_of(state: Discs, size: int) -> Board:
    """The discs of a state."""
    squares = [divmod(number, size) for number in range(size * size)]
    places = {square: 1 << number for number, square in enumerate(squares)}
    return {square: bool(state.mine & bit) for square, bit in places.items() if (state.mine | state.theirs) & bit}


def turned_by(board: Board, square: tuple[int, int]) -> list[tuple[int, int]]:
    """The discs that a disc of the side to move on an empty square turns."""
    turned = []
    for down, right in WAYS:
        run = []
        row, column = square[0] + down, square[1] + right
        while board.get((row, column)) is False:
            run.append((row, column))
            row, column = row + down, column + right
        if board.get((row, column)):
            turned += run
    return turned


def lines(board: Board, size: int, depth: int, *, passed: bool = False) -> int:
    """How many lines of play there are of some plies, or that end before; a pass is a ply."""
    if depth == 0:
        return 1
    empty = [divmod(number, size) for number in range(size * size) if divmod(number, size) not in board]
    moves = [(square, turned) for square in empty if (turned := turned_by(board, square))]
    if not moves:
        other = {square: not mine for square, mine in board.items()}
        return 1 if passed else lines(other, size, depth - 1, passed=True)
    count = 0
    for square, turned in moves:
        after = {**board, square: True, **dict.fromkeys(turned, True)}
        count += lines({place: not mine for place, mine in after.items()}, size, depth - 1)
    return count


def test_the_other_rules_count_the_known_lines() -> None:
    """The rules of this module are right: 4, 12, 56, 244 and 1396 lines on the board of 8x8."""
    board = board_of(Othello().initial, 8)
    assert [lines(board, 8, depth) for depth in range(1, 6)] == [4, 12, 56, 244, 1396]


def test_the_board_of_6x6_has_as_many_lines_by_either_rules() -> None:
    """Up to 6 plies from the start."""
    game = Othello(6)
    board = board_of(game.initial, 6)
    assert [perft(game, depth) for depth in range(1, 7)] == [lines(board, 6, depth) for depth in range(1, 7)]


@examples(30)
@given(st.sampled_from([4, 6, 8]), st.randoms(use_true_random=False))
def test_whole_games_go_alike_by_either_rules(size: int, chance: object) -> None:
    """In random games to the end, on boards of all sizes: the legal moves, the discs that they turn, passes and the end."""
    game = Othello(size)
    state = game.initial
    while not game.is_over(state):
        board = board_of(state, size)
        squares = [divmod(number, size) for number in range(size * size)]
        turned = {square: turned_by(board, square) for square in squares if square not in board}
        legal = [number for number, square in enumerate(squares) if turned.get(square)]
        moves = list(game.moves(state))
        assert moves == (legal or [PASS])
        move = chance.choice(moves)  # type: ignore[attr-defined]
        state = game.play(state, move)
        if move != PASS:
            board |= {squares[move]: True, **dict.fromkeys(turned[squares[move]], True)}
        assert board_of(state, size) == {square: not mine for square, mine in board.items()}
    assert not any(
        turned_by(board_of(side, size), square) for side in (state, game.null(state)) for square in empty(state, size)
    )


def empty(state: Discs, size: int) -> list[tuple[int, int]]:
    """The squares without a disc."""
    return [divmod(number, size) for number in range(size * size) if not (state.mine | state.theirs) >> number & 1]
