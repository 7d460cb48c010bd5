"""Chess, by the rules of the package python-chess: positions in FEN, moves in SAN.

The game ignores the history of a position: repetition is not a draw.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bestfirst.cached import cached_property
from bestfirst.errors import InputError
from bestfirst.games.adapters.imported import imported
from bestfirst.games.game import Game, Move

VALUES = (0, 100, 320, 330, 500, 900, 0)
"""Values of nothing, pawn, knight, bishop, rook, queen and king in centipawns (after Shannon 1950, with minor pieces
slightly above three pawns)."""
CLOCK_THAT_MATTERS = 100
"""From this half-move clock on, the clock is part of the key: at 150 half-moves without capture or pawn move the game is
drawn."""


@dataclass(frozen=True)
class ChessPosition:
    """A position as a FEN, with the board of python-chess, which must not be changed."""

    fen: str

    @cached_property
    def board(self) -> Any:
        """The chess.Board of the position."""
        return imported("chess", "chess", "chess").Board(self.fen)


class Chess(Game):
    """Chess for analysis: the estimate is the material, and quiescence search covers captures and promotions.

    Positions are written as FEN, or as the moves from the start in SAN (1. e4 e5 2. Nf3) or UCI (e2e4 e7e5).
    The game ends by checkmate, stalemate, insufficient material, and after 75 moves without capture or pawn move.
    Raises InputError if python-chess is not installed (an extra, as it is under the GPL: bestfirst[chess]).
    """

    sides = ("white", "black")
    mover_never_loses = True

    def __init__(self) -> None:
        self._chess = imported("chess", "chess", "chess")
        self.initial = ChessPosition(self._chess.STARTING_FEN)

    def moves(self, state: ChessPosition) -> list[Move]:
        return list(state.board.legal_moves)

    def play(self, state: ChessPosition, move: Move) -> ChessPosition:
        board = state.board.copy(stack=False)
        board.push(move)
        return _of(board)

    def is_over(self, state: ChessPosition) -> bool:
        board = state.board
        return not any(board.legal_moves) or board.is_insufficient_material() or board.is_seventyfive_moves()

    def score(self, state: ChessPosition) -> int:
        return -1 if state.board.is_checkmate() else 0

    def evaluate(self, state: ChessPosition) -> int:
        """The material of the side to move minus that of the other side."""
        board, mine = state.board, state.board.turn
        return sum(
            VALUES[kind] * (len(board.pieces(kind, mine)) - len(board.pieces(kind, not mine))) for kind in range(1, 6)
        )

    def noisy_moves(self, state: ChessPosition) -> Iterable[Move]:
        return [move for move in state.board.legal_moves if move.promotion or state.board.is_capture(move)]

    def order(self, state: ChessPosition, move: Move) -> int:
        """Captures of the most valuable pieces by the least valuable first, and promotions by the value of the new piece."""
        board = state.board
        gain = VALUES[move.promotion or 0]
        if board.is_capture(move):
            taken = board.piece_type_at(move.to_square) or self._chess.PAWN  # en passant captures onto an empty square
            gain += 10 * VALUES[taken] - VALUES[board.piece_type_at(move.from_square)] // 10
        return gain

    def null(self, state: ChessPosition) -> ChessPosition | None:
        """The position with the other side to move, None in check."""
        return None if state.board.is_check() else self.play(state, self._chess.Move.null())

    def key(self, state: ChessPosition) -> tuple[str, int]:
        """The position without clocks, unless a draw by the half-move clock is near."""
        clock = state.board.halfmove_clock
        return state.fen.rsplit(" ", 2)[0], clock if clock >= CLOCK_THAT_MATTERS else 0

    def side_to_move(self, state: ChessPosition) -> int:
        return 0 if state.board.turn == self._chess.WHITE else 1

    def format(self, state: ChessPosition) -> str:
        return state.fen

    def draw(self, state: ChessPosition) -> str:
        rows = str(state.board).split("\n")
        return "\n".join([*(f"{8 - number} {row}" for number, row in enumerate(rows)), "  a b c d e f g h"])

    def format_move(self, state: ChessPosition, move: Move) -> str:
        return str(state.board.san(move))

    def parse_move(self, state: ChessPosition, text: str) -> Move:
        for read in (state.board.parse_san, state.board.parse_uci):
            try:
                move = read(text.strip())
            except ValueError:  # the base class of the errors of python-chess
                continue
            if move:
                return move
        raise self.illegal(state, text.strip())

    def split(self, text: str) -> list[str]:
        """The moves without move numbers."""
        words = (word.rpartition(".")[2] for word in text.split())
        return [word for word in words if word]

    def parse(self, text: str) -> ChessPosition:
        """Read a FEN, or the moves played; raises InputError for a FEN of an illegal position."""
        if "/" not in text:
            return super().parse(text)  # type: ignore[no-any-return]
        try:
            board = self._chess.Board(text.strip())
        except ValueError as error:
            raise InputError(
                f"the FEN {text!r} cannot be read: {error}; the FEN of the start position is {self.initial.fen}"
            ) from None
        if not board.is_valid():
            wrong = [str(flag.name).lower().replace("_", " ") for flag in self._chess.Status if flag & board.status()]
            raise InputError(f"the FEN {text!r} is not a legal position: {', '.join(wrong)}")
        return _of(board)


def _of(board: Any) -> ChessPosition:
    """The position of a board, which must not change any more."""
    position = ChessPosition(board.fen())
    position.__dict__["board"] = board  # saves parsing the FEN
    return position
