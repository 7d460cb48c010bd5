"""The engine with a text protocol over standard input and output, in the spirit of UCI (docs/protocol.md)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

from bestfirst._version import __version__
from bestfirst.errors import BestfirstError, InputError, UnknownNameError, shown
from bestfirst.games.analysis import Analysis, GameSearch, analyse, prepare
from bestfirst.games.engine.engine_choice import check_engine, compiled_engine
from bestfirst.games.engine.settings import OwnSettings, Settings
from bestfirst.games.game import Game
from bestfirst.games.limits import GameLimits
from bestfirst.games.playing.specification import FOUNDATIONS, settings_of
from bestfirst.own_errors import own_error
from bestfirst.written import text_of

VERSION = 1
COMMANDS = ("bestfirst", "isready", "newgame", "set", "position", "show", "go", "stop", "quit")
DEFAULT = "default"
"""The word after `set` that resets all switches."""
LIMITS: dict[str, type[int] | type[float]] = {"depth": int, "seconds": float, "nodes": int, "lines": int}
LONGEST_NUMBER, LONGEST_WORD, LONGEST_LINE = 30, 200, 2000
"""Maximum lengths in characters of a limit, of a word that an error repeats, and of a whole error."""


class ProtocolEngine:
    """Answers commands about one game. Searches and compilation run in threads, so that they can be stopped.

    write: receives one line of an answer at a time. Bad input is answered with a line `error ...` and changes nothing.
    engine: "python" or "compiled". Default: the faster one that supports the game. Raises InputError for an unsupported
    engine. run() raises the OSError of an answer that cannot be written, including one from a thread.
    """

    def __init__(self, game: Game, write: Callable[[str], None], *, engine: str | None = None) -> None:
        check_engine(engine)
        compiled_engine(game, OwnSettings.default().suited_to(game), engine)
        self._game, self._write, self._engine = game, write, engine
        self._state = game.initial
        self._switches: dict[str, str] = {}
        self._lock = threading.Lock()
        self._search: GameSearch | None = None
        self._thread: threading.Thread | None = None
        self._preparing: list[threading.Thread] = []
        self._gives_up = threading.Event()
        self._ends_by_itself, self._is_searching = True, False
        self._not_written: OSError | None = None

    def run(self, lines: Iterable[str]) -> None:
        """Execute commands until `quit` or the end of input; at its end, finish a limited search and answer `isready`."""
        quitting = False
        try:
            for line in lines:
                quitting = self.obey(line)
                if quitting or self._not_written is not None:
                    break
        except KeyboardInterrupt:
            quitting = True
            raise
        finally:
            if quitting or not self._ends_by_itself:
                self._stop()
            self._wait()
        if self._not_written is not None:
            raise self._not_written

    def obey(self, line: str) -> bool:
        """Execute one command; return whether it was `quit`."""
        word, _, rest = line.strip().partition(" ")
        try:
            match word.lower():
                case "":
                    pass
                case "quit":
                    return True
                case "bestfirst":
                    self._introduce()
                case "isready":
                    self._get_ready()
                case "stop":
                    self._stop()
                    self._wait()
                case "show":
                    self._show()
                case "newgame":
                    self._idle(word)
                    self._state = self._game.initial
                case "set":
                    self._idle(word)
                    self._set(rest)
                case "position":
                    self._idle(word)
                    self._state = self._position(rest)
                case "go":
                    self._idle(word)
                    self._go(rest)
                case _:
                    raise UnknownNameError("command", word, COMMANDS)
        except OSError:  # the reader of the answers is gone
            raise
        except Exception as error:  # a bug, or an error in the rules of the game
            self._say(_error(error))
        return False

    def _say(self, *lines: str) -> None:
        with self._lock:
            for line in lines:
                self._write(line)

    def _introduce(self) -> None:
        switches = [f"option {name} {value}" for name, value in vars(OwnSettings.default().suited_to(self._game)).items()]
        self._say(
            f"id name bestfirst {__version__}",
            f"id protocol {VERSION}",
            f"id game {self._game.name()}",
            *switches,
            "bestfirstok",
        )

    def _idle(self, command: str) -> None:
        with self._lock:
            busy = self._is_searching
        if busy:
            raise InputError(f"a search is running; send 'stop' before {shown(command)}")

    def _set(self, rest: str) -> None:
        name, _, value = rest.strip().partition(" ")
        if not name:
            raise InputError("the command 'set' names no switch; write 'set NAME VALUE', such as 'set killers 0'")
        name = name.lower().replace("-", "_")
        if name == DEFAULT:
            if value.strip():
                raise InputError(f"'set {DEFAULT}' takes no value; omit {shown(value.strip())}")
            self._switches = {}
            return
        replaced = FOUNDATIONS if name in FOUNDATIONS else (name,)
        switches = {key: old for key, old in self._switches.items() if key not in replaced} | {name: value.strip()}
        suited = settings_of(switches, (DEFAULT,)).suited_to(self._game)
        if isinstance(suited.static_order, str):
            self._game.ordered_by(suited.static_order)  # raises an error if the game has no such order
        self._switches = switches

    def _position(self, rest: str) -> Any:
        words = rest.split()
        if not words:
            raise InputError(
                "the command 'position' names no position; write 'position start' or 'position BOARD', optionally followed by "
                "'moves M1 M2 ...'"
            )
        lower = [word.lower() for word in words]
        end = lower.index("moves") if "moves" in lower else len(words)
        text = " ".join(words[:end])
        state = self._game.initial if text.lower() in ("", "start") else self._game.parse(text)
        for word in words[end + 1 :]:
            state = self._game.play(state, self._game.parse_move(state, word))
        return state

    def _show(self) -> None:
        game, state = self._game, self._state
        legal = [text_of(game, "format_move", state, move) for move in game.legal_moves(state)]
        lines = [f"position {_one_line(text_of(game, 'format', state)) or 'start'}"]
        if game.side_name(state):
            lines.append(f"side {game.side_name(state)}")
        lines.append(f"legal {' '.join(legal)}" if legal else f"over {game.score(state)}")
        self._say(*lines)

    def _get_ready(self) -> None:
        """Send readyok once the rules are compiled, or immediately during a search."""
        with self._lock:
            busy = self._is_searching
        if busy:
            self._say("readyok")
            return
        self._gives_up.clear()
        self._preparing = [thread for thread in self._preparing if thread.is_alive()]
        thread = threading.Thread(target=self._prepare, args=(settings_of(self._switches),), daemon=True)
        self._preparing.append(thread)
        thread.start()

    def _prepare(self, settings: Settings) -> None:
        """In its thread: compile, and send readyok or the error."""
        try:
            prepare(self._game, settings, engine=self._engine, must_stop=self._gives_up.is_set)
            answer = "readyok"
        except Exception as error:
            answer = _error(error)
        with self._noticing_loss():
            self._say(answer)

    def _go(self, rest: str) -> None:
        given = _limits(rest.split())
        lines = given.pop("lines", 1)
        seconds = given.pop("seconds", inf)  # a time limit makes compilation part of the search, which can be stopped
        self._search = analyse(
            self._game,
            self._state,
            limits=GameLimits(seconds=seconds, **given),
            lines=lines,
            settings=settings_of(self._switches),
            engine=self._engine,
        )
        self._ends_by_itself, self._is_searching = bool(given) or seconds < inf, True
        self._thread = threading.Thread(target=self._think, args=(self._search,), daemon=True)
        self._thread.start()

    def _think(self, search: GameSearch) -> None:
        """In its thread: send each completed depth, and the best move at the end."""
        for thread in self._preparing:
            thread.join()
        with self._noticing_loss():
            self._tell(search)

    def _tell(self, search: GameSearch) -> None:
        try:
            for analysis in search:
                self._say(*_told(analysis))
            analysis = search.analysis
            end = [
                f"info stopped {analysis.stopped or 'solved'}",
                f"bestmove {text_of(analysis.game, 'format_move', analysis.position, analysis.move)}",
            ]
        except OSError:  # the reader of the answers is gone
            raise
        except Exception as error:  # a bug, or an error in the rules of the game
            end = [_error(error)]
        with self._lock:
            self._is_searching = False  # the reader of the answer may send the next command immediately
            for line in end:
                self._write(line)

    @contextmanager
    def _noticing_loss(self) -> Iterator[None]:
        """In a thread: keep the error of an answer that cannot be written, for run() to raise."""
        try:
            yield
        except OSError as error:  # the disk is full, or the reader of the answers is gone
            self._not_written = error

    def _stop(self) -> None:
        self._gives_up.set()
        if self._search is not None:
            self._search.stop()

    def _wait(self) -> None:
        for thread in self._preparing:
            thread.join()
        if self._thread is not None:
            self._thread.join()


def _limits(words: list[str]) -> dict[str, Any]:
    """{limit: number} from the words after go."""
    given: dict[str, Any] = {}
    for name, value in zip(words[::2], [*words[1::2], ""][: (len(words) + 1) // 2], strict=True):
        if name not in LIMITS:
            raise UnknownNameError("limit", name, LIMITS)
        if name in given:
            raise InputError(f"'go' names the limit {name} twice; write it once")
        if len(value) > LONGEST_NUMBER:
            raise InputError(f"the limit {name} is {shown(value)}; use a number of at most {LONGEST_NUMBER} characters")
        try:
            given[name] = LIMITS[name](value)
        except ValueError:
            raise InputError(f"the limit {name} is {shown(value)}; use a number, such as 'go {name} 5'") from None
    return given


def _told(analysis: Analysis) -> list[str]:
    """One line for each of the best moves after a completed depth."""
    head = f"info depth {analysis.depth} nodes {analysis.nodes} seconds {analysis.seconds:.3f}"
    return [
        f"{head} line {number} score {line.score.value} proven {'yes' if line.score.proven else 'no'} "
        f"outcome {line.score.outcome or 'none'} plies {'none' if line.plies is None else line.plies} "
        f"pv {' '.join(analysis.moves_as_text(line.pv))}"
        for number, line in enumerate(analysis.lines, start=1)
    ]


def _error(error: Exception) -> str:
    """The line for an error, with long words of the input shortened."""
    kind = "" if isinstance(error, BestfirstError) else f"{type(error).__name__}: "
    if kind and (own := own_error(error)) is not None:  # in the user's rules: with the file and the line
        kind, error = "", own
    words = [word if len(word) <= LONGEST_WORD else f"{word[:LONGEST_WORD]}..." for word in str(error).split()]
    line = f"error {kind}{' '.join(words)}"
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}..."


def _one_line(text: str) -> str:
    return " ".join(text.split())
