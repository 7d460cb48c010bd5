"""A turn: the answer of a player within a time limit, and the description of an error in its code."""

from __future__ import annotations

import ctypes
import traceback
from pathlib import PurePath
from queue import Empty, Queue
from threading import Thread, get_ident
from time import perf_counter

from bestfirst.errors import PlayerError
from bestfirst.games.playing.played import PlayedGame
from bestfirst.games.playing.player import Answer, Player
from bestfirst.system.beside import SECONDS_BETWEEN_LOOKS

LAST_SECONDS = 1.0
"""Seconds to stop a late player before it is treated as hanging."""


class LateError(Exception):
    """A player has exceeded its time for a move. is_hanging: whether it could not be stopped."""

    def __init__(self, *, is_hanging: bool) -> None:
        super().__init__(is_hanging)
        self.is_hanging = is_hanging


def choose_in_time(player: Player, played: PlayedGame, most_seconds: float | None) -> Answer:
    """The answer of a player. Raises LateError if it takes more than most_seconds, and any error that its code raises.

    With a limit the player chooses in a separate thread. A late player is interrupted at its next Python instruction.
    """
    if most_seconds is None:
        return player.choose(played)
    answers: Queue[tuple[Answer, BaseException | None]] = Queue()
    idents: Queue[int] = Queue()

    def choose() -> None:
        idents.put(get_ident())
        try:
            answers.put((player.choose(played), None))
        except BaseException as error:
            answers.put((None, error))

    thread = Thread(target=choose, name="bestfirst player", daemon=True)
    thread.start()
    ident = idents.get()
    answer = _answer_before(perf_counter() + most_seconds, answers)
    if answer is None:
        raise LateError(is_hanging=not _interrupt(thread, ident, LAST_SECONDS))
    move, error = answer
    if error is not None:
        raise error
    return move


def what_failed(error: BaseException) -> str:
    """The error that a player's code has raised, with its place in the code."""
    text = " ".join(str(error).split())
    if isinstance(error, PlayerError):
        return text
    named = f"{type(error).__name__}: {text}" if text else type(error).__name__
    calls = traceback.extract_tb(error.__traceback__)
    if not calls:
        return named
    last = calls[-1]
    return f"{named} ({PurePath(last.filename).name}:{last.lineno}, in {last.name})"


def _answer_before(
    deadline: float, answers: Queue[tuple[Answer, BaseException | None]]
) -> tuple[Answer, BaseException | None] | None:
    """The answer given before a value of perf_counter(), if any; Ctrl-C raises KeyboardInterrupt."""
    while (left := deadline - perf_counter()) > 0:
        try:
            return answers.get(timeout=min(left, SECONDS_BETWEEN_LOOKS))
        except Empty:
            continue
    return None


def _interrupt(thread: Thread, ident: int, seconds: float) -> bool:
    """Raise an exception in a thread; return whether it ends within this number of seconds."""
    deadline = perf_counter() + seconds
    while thread.is_alive() and perf_counter() < deadline:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(SystemExit))
        thread.join(SECONDS_BETWEEN_LOOKS)
    return not thread.is_alive()
