"""ExternalPlayer: a program outside, which is talked to over its standard input and output (docs/protocol.md)."""

from __future__ import annotations

import queue
import subprocess
import threading
from collections.abc import Sequence
from time import monotonic
from typing import IO

from bestfirst.errors import IllegalMoveError, InputError, PlayerError
from bestfirst.games.game import Move
from bestfirst.games.limits import GameLimits
from bestfirst.games.playing.played import PlayedGame
from bestfirst.games.playing.player import Player


class ExternalPlayer(Player):
    """Plays the moves of a program that speaks the protocol of docs/protocol.md, such as ["bestfirst", "engine", "othello"].

    limits: what it is told to take for each move; a second unless given. patience: the seconds beyond that after which it is
    taken to hang. The program starts with the first game and ends with close(), or at the end of a `with` block.
    Raises InputError for a program that cannot be started.
    """

    def __init__(
        self, command: Sequence[str], limits: GameLimits | None = None, *, name: str = "external", patience: float = 60.0
    ) -> None:
        if isinstance(command, str) or not command:
            raise InputError(f"command is {command!r}; write a program and its arguments: ['my-engine', '--fast']")
        self.name = name
        self.command, self.limits, self.patience = list(command), limits or GameLimits(seconds=1), patience
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()

    def __enter__(self) -> ExternalPlayer:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def begin(self, played: PlayedGame) -> None:
        del played
        if self._process is None or self._process.poll() is not None:
            self._start()
        self._say("newgame")

    def choose(self, played: PlayedGame) -> Move:
        game = played.game
        start = "start" if played.start == game.initial else game.format(played.start)
        self._say(" ".join(["position", start, *(["moves", *played.moves_as_text()] if played.moves else [])]))
        limits = {"depth": self.limits.depth, "seconds": self.limits.seconds, "nodes": self.limits.nodes}
        self._say(" ".join(["go", *(f"{name} {value}" for name, value in limits.items() if value is not None)]))
        text = self._best_move(monotonic() + (self.limits.seconds or 0.0) + self.patience)
        try:
            return game.parse_move(played.state, text)
        except IllegalMoveError:
            return text  # whoever asked says that it is illegal

    def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()  # the end of its input tells it to stop
        try:
            process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _start(self) -> None:
        try:
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                bufsize=1,
                start_new_session=True,  # Ctrl-C is for whoever plays the match
            )
        except OSError as error:
            raise InputError(f"the program {self.command[0]!r} cannot be started: {error.strerror or error}") from None
        self._process, self._lines = process, queue.Queue()
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

    def _best_move(self, deadline: float) -> str:
        """What stands after bestmove in an answer that comes before the deadline."""
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - monotonic()))
            except queue.Empty:
                seconds = (self.limits.seconds or 0.0) + self.patience
                self.close()
                raise PlayerError(f"the program {self.command[0]!r} has given no move within {seconds:g} seconds") from None
            if line is None:
                raise self._ended()
            word, _, rest = line.strip().partition(" ")
            if word == "error":
                raise PlayerError(f"the program {self.command[0]!r} says: {rest}")
            if word == "bestmove":
                return rest.strip()

    def _ended(self) -> PlayerError:
        code = None if self._process is None else self._process.wait()
        self.close()
        return PlayerError(f"the program {self.command[0]!r} has ended (exit code {code})")


def _pass_on(lines: IO[str], to: queue.Queue[str | None]) -> None:
    """Put all lines into a queue, and None at the end."""
    with lines:
        for line in lines:
            to.put(line)
    to.put(None)
