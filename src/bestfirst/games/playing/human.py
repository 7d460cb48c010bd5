"""Human: a person at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable

from bestfirst.arguments import check_kind, suggesting
from bestfirst.errors import IllegalMoveError, InputError, shown
from bestfirst.games.analysis import Analysis, analyse
from bestfirst.games.game import Move
from bestfirst.games.limits import GameLimits
from bestfirst.games.notation import as_word
from bestfirst.games.playing.played import PlayedGame
from bestfirst.games.playing.player import Answer, Leave, Player, Resign, TakeBack
from bestfirst.games.score import Score
from bestfirst.system.interrupt import presses
from bestfirst.written import text_of

BAR = 24
HALF_WAY = 10
"""The estimate at which the bar is half way between a draw and a win."""

HELP = """\
Type a move, or one of these commands:
  moves    list the legal moves
  hint     show the best move of a short search
  undo     take back your last move
  board    show the board again
  resign   resign the game
  quit     leave the game"""


def to_terminal(text: str) -> None:
    """Write a line to standard output."""
    sys.stdout.write(f"{text}\n")


class Human(Player):
    """A person who sees the board and types moves; bad input is explained, and the prompt is repeated.

    ask: shows a prompt and returns the typed line, as input does; EOFError (Ctrl-D) leaves the game. tell: shows a string.
    limits: limits of the short search before each move, for the evaluation bar and the hints; None disables both.
    """

    @suggesting
    def __init__(
        self,
        name: str = "you",
        *,
        ask: Callable[[str], str] = input,
        tell: Callable[[str], None] = to_terminal,
        limits: GameLimits | None = GameLimits(seconds=0.5),  # noqa: B008  (it is frozen)
    ) -> None:
        check_kind("limits", limits, GameLimits | None, "a GameLimits, such as GameLimits(seconds=0.5)")
        self.name = name
        self._ask, self._tell, self._limits = ask, tell, limits

    def begin(self, played: PlayedGame) -> None:
        del played
        self._tell("Type a move, or help.")

    def choose(self, played: PlayedGame) -> Answer:
        analysis = self._analysis(played)
        self._tell(picture(played, analysis))
        while True:
            try:
                text = self._ask(f"{played.side_of(played.mover)}> ").strip()
            except EOFError:
                return Leave()
            answer = self._understood(text, played, analysis)
            if answer is not None:
                return answer

    def _understood(self, text: str, played: PlayedGame, analysis: Analysis | None) -> Answer | None:
        """The answer for a typed line; None if the line was handled here."""
        match text.lower():
            case "":
                return None
            case "quit" | "exit" | "q":
                return Leave()
            case "resign":
                return Resign()
            case "undo":
                return self._undo(played)
            case "hint":
                self._tell("hints are switched off" if analysis is None else _hint(analysis))
            case "moves":
                self._tell("legal: " + " ".join(_legal(played)))
            case "board":
                self._tell(picture(played, analysis))
            case "help" | "h" | "?":
                self._tell(HELP)
            case _:
                return self._move(text, played)
        return None

    def _move(self, text: str, played: PlayedGame) -> Move | None:
        try:
            return played.game.parse_move(played.state, text)
        except IllegalMoveError as error:
            why = "" if error.why is None else f": {error.why}"
            self._tell(f"{shown(text)} is not a legal move{why}; legal: {' '.join(_legal(played))} (or type help)")
        except InputError as error:
            self._tell(str(error))
        return None

    def _undo(self, played: PlayedGame) -> TakeBack | None:
        own = [ply for ply, mover in enumerate(played.movers[:-1]) if mover == played.mover]
        if not own:
            self._tell("you have no move to take back")
            return None
        return TakeBack(len(played.moves) - own[-1])

    def _analysis(self, played: PlayedGame) -> Analysis | None:
        if self._limits is None:
            return None
        before = presses()
        found = analyse(played.game, played.state, limits=self._limits, lines=1, engine=played.engine).run()
        if found.stopped == "interrupted" or presses() > before:
            raise KeyboardInterrupt
        return found


def picture(played: PlayedGame, analysis: Analysis | None = None) -> str:
    """The board, with the evaluation bar if there is an analysis."""
    board = "\n" + text_of(played.game, "draw", played.state)
    return board if analysis is None else f"{board}\n{evaluation_bar(played, analysis.score)}"


def evaluation_bar(played: PlayedGame, score: Score) -> str:
    """A bar that fills as the first player's position improves, and the score of the side to move."""
    ahead = -score.value if played.mover else score.value
    if score.decisive or (score.proven and ahead):
        filled = BAR if ahead > 0 else 0
    else:
        filled = round(BAR / 2 * (1 + ahead / (abs(ahead) + HALF_WAY)))
    bar = "█" * filled + "░" * (BAR - filled)
    return f"{played.side_of(0)} {bar} {played.side_of(1)}   {played.side_of(played.mover)}: {score}"


def _hint(analysis: Analysis) -> str:
    moves = [as_word(move) for move in analysis.moves_as_text(analysis.best.pv)]
    line = " ".join(moves)
    return f"hint: {moves[0]}  ({analysis.score}, depth {analysis.depth}: {line})"


def _legal(played: PlayedGame) -> list[str]:
    game, state = played.game, played.state
    return [as_word(text_of(game, "format_move", state, move)) for move in game.legal_moves(state)]
