"""ExternalPlayer: an external program that plays over its standard input and output (docs/protocol.md)."""

from __future__ import annotations

import queue
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import IO

from bestfirst.arguments import check_kind, suggesting
from bestfirst.errors import IllegalMoveError, InputError, PlayerError, shown
from bestfirst.games.game import Move
from bestfirst.games.limits import GameLimits
from bestfirst.games.playing.played import PlayedGame
from bestfirst.games.playing.player import Player
from bestfirst.system.child_process import kill_group, leader
from bestfirst.written import text_of

PATIENCE = START_UP = 30.0
"""Seconds: longer than the compilation of a game, which the engine of bestfirst completes before its first game."""
LAST_WORDS = 1.0
"""Seconds that a program has to end by itself after the end of its input."""
LONGEST_SHOWN = 40
"""Of a wrong answer, in a message."""
MOST_LINES_KEPT, LONGEST_LINE = 100, 1 << 16
"""Limits on unread output: number of lines, after which the program blocks, and their length."""


class _NotStartedError(PlayerError):
    """A program that cannot be started at all."""


class ExternalPlayer(Player):
    """Plays the moves of a program that speaks the protocol of docs/protocol.md, such as ["bestfirst", "engine", "othello"].

    limits: the limits sent for each move. Default: one second. patience: seconds beyond the limits after which the program
    is killed and loses the game. start_up: seconds in which it must report that it is ready, before each game.
    The program starts with the first game and ends with close(), or at the end of a `with` block.
    begin() raises InputError for a program that cannot be started, or is not ready before its first game.
    """

    @suggesting
    def __init__(
        self,
        command: Sequence[str],
        limits: GameLimits | None = None,
        *,
        name: str = "external",
        patience: float = PATIENCE,
        start_up: float = START_UP,
    ) -> None:
        if isinstance(command, str) or not isinstance(command, Sequence) or not command:
            raise InputError(f"command is {shown(command)}; write a program and its arguments: ['my-engine', '--fast']")
        for what, seconds in (("patience", patience), ("start_up", start_up)):
            if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= threading.TIMEOUT_MAX:
                raise InputError(f"{what} is {shown(seconds)}; use a number of seconds > 0, such as 10")
        check_kind("limits", limits, GameLimits | None, "a GameLimits, such as GameLimits(seconds=1)")
        self.name = name
        self.command, self.limits = list(command), limits or GameLimits(seconds=1)
        self.patience, self.start_up = patience, start_up
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._has_been_ready = False

    def __enter__(self) -> ExternalPlayer:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def begin(self, played: PlayedGame) -> None:
        del played
        try:
            if self._process is None or self._process.poll() is not None:
                self._start()
            self._say("newgame")
            self._answer("isready", "readyok", self.start_up)
        except PlayerError as error:
            if self._has_been_ready:
                raise
            remedy = "check that it speaks the protocol of docs/protocol.md; if it starts slowly, raise start_up"
            if isinstance(error, _NotStartedError):
                remedy = "check the command"
            raise InputError(f"{error}; {remedy}") from None
        self._has_been_ready = True

    def choose(self, played: PlayedGame) -> Move:
        game = played.game
        start = "start" if played.start == game.initial else text_of(game, "format", played.start)
        self._say(" ".join(["position", start, *(["moves", *played.moves_as_text()] if played.moves else [])]))
        limits = {"depth": self.limits.depth, "seconds": self.limits.seconds, "nodes": self.limits.nodes}
        go = " ".join(["go", *(f"{name} {value}" for name, value in limits.items() if value is not None)])
        text = self._answer(go, "bestmove", (self.limits.seconds or 0.0) + self.patience)
        try:
            return game.parse_move(played.state, text)
        except IllegalMoveError:
            return text  # the caller reports that it is illegal

    def close(self) -> None:
        self._end(LAST_WORDS)

    def _end(self, last_words: float) -> int | None:
        """Close the input of the program, kill it with its children after `last_words` seconds, and return its exit code."""
        process, self._process = self._process, None
        if process is None:
            return None
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()  # the end of input means: stop
        try:
            return process.wait(timeout=last_words)
        except subprocess.TimeoutExpired:
            kill_group(process)
            return process.wait()

    def _start(self) -> None:
        try:
            process = leader(
                subprocess.Popen(
                    self.command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    errors="replace",
                    bufsize=1,
                    start_new_session=True,  # Ctrl-C must reach only the match
                )
            )
        except OSError as error:
            raise _NotStartedError(f"the program {self.command[0]!r} cannot be started: {error.strerror or error}") from None
        self._process, self._lines = process, queue.Queue(MOST_LINES_KEPT)
        assert process.stdout is not None
        threading.Thread(target=_pass_on, args=(process.stdout, self._lines), daemon=True).start()

    def _say(self, line: str) -> None:
        if self._process is None or self._process.stdin is None:
            raise PlayerError(f"the program {self.command[0]!r} is not running")
        try:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        except OSError:
            raise self._ended() from None

    def _answer(self, line: str, word: str, seconds: float) -> str:
        """Send a line, and return the rest of the first answer that begins with `word`, within this number of seconds."""
        self._say(line)
        deadline, others = monotonic() + seconds, list[str]()
        while (left := deadline - monotonic()) > 0:
            try:
                answer = self._lines.get(timeout=min(left, threading.TIMEOUT_MAX))
            except queue.Empty:
                break
            if answer is None:
                raise self._ended()
            first, _, rest = answer.strip().partition(" ")
            if first == "error":
                raise PlayerError(f"the program {self.command[0]!r} reported an error: {rest}")
            if first == word:
                return rest.strip()
            others = others or [answer.strip()[:LONGEST_SHOWN]]
        self._end(last_words=0)
        instead = f"; it answered {shown(others[0])}" if others else ""
        raise PlayerError(
            f"the program {self.command[0]!r} did not answer {shown(line)} with {shown(word)} within {seconds:g} seconds{instead}"
        )

    def _ended(self) -> PlayerError:
        return PlayerError(f"the program {self.command[0]!r} has exited (exit code {self._end(LAST_WORDS)})")


def _pass_on(lines: IO[str], to: queue.Queue[str | None]) -> None:
    """Put all lines into a queue, and None at the end."""
    with lines:
        while line := lines.readline(LONGEST_LINE):
            to.put(line)
    to.put(None)
