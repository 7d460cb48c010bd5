"""Chooses the engine of a game search: the compiled engine once its code is available, the reference engine until then.

Code on disk is used from the first node. Other code is compiled by a separate thread after a head start of the reference
engine, while the limits of the search, stop() and Ctrl-C are checked. A search whose time is up returns the result of the
reference engine; the thread continues, and a later search finds the code. The first code of a process is loaded in this way
too.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from math import inf
from threading import Event, Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bestfirst.errors import InputError, UnknownNameError, reason_of
from bestfirst.games.engine.settings import Settings, why_not_compiled
from bestfirst.games.game import Game
from bestfirst.games.stats import GameStats
from bestfirst.system.beside import SECONDS_BETWEEN_LOOKS, Beside

if TYPE_CHECKING:
    from bestfirst.compiled.drivers.alpha_beta import CompiledAlphaBeta

ENGINES = ("python", "compiled")
HEAD_START = 20_000
"""Nodes that the reference engine searches before rules are compiled, unless an engine is given: compilation takes as long
as searching hundreds of thousands. Searches with a time limit are counted together, because each of them may be too
short."""
LOADING = 1_000
"""A process that has not used compiled code yet looks for it on disk after this many nodes of a search without a time limit:
loading the first code takes as long as a few thousand nodes."""
LONG = 3.0
"""Seconds, about as long as a compilation takes. A search with this much time left waits for the code, because the two would
slow each other down; a shorter search continues meanwhile. If code is being loaded, a search waits for up to half of its
time."""

_NODES: Counter[tuple[Any, ...]] = Counter()
"""Nodes of searches with a time limit in the reference engine, by kind of game."""
_COMPILING: dict[Any, Beside[None]] = {}
"""The compiling threads, by the code that they compile."""
_REFUSED: dict[tuple[Any, ...], Exception] = {}
"""Errors of compilation, by kind of game; these rules are tried again only if engine="compiled" is given."""
_WARNED: set[tuple[Any, ...]] = set()
"""The kinds of game with a compilation error for which a warning has been given."""
_lock = Lock()
_has_loaded = Event()
"""Whether this process has loaded the parts shared by all compiled searches; a look for code then takes milliseconds."""


def check_engine(engine: object) -> None:
    """Raise InputError for an unknown engine; None leaves the choice open."""
    if engine is not None and engine not in ENGINES:
        raise UnknownNameError("engine", str(engine), ENGINES)


def compiled_engine(game: Game, settings: Settings, engine: str | None, threads: int = 1) -> CompiledEngine | None:
    """The compiled engine for a search, or None if the reference engine runs the whole search.

    Raises InputError if the compiled engine or several threads, which need it, are requested but impossible.
    """
    asked_for = ["engine='compiled'"] * (engine == "compiled") + [f"threads={threads}"] * (threads > 1)
    reason = why_not_compiled(game)
    if reason is not None and asked_for:
        raise InputError(f"the compiled engine does not support this search: {reason}, or omit {' and '.join(asked_for)}")
    if engine == "python" or reason is not None:
        return None
    return CompiledEngine(game, settings, threads, is_asked_for=bool(asked_for))


class CompiledEngine:
    """The compiled engine of a search that the reference engine begins.

    is_asked_for: whether compiler errors are raised; otherwise a warning reports them, and the reference engine continues.
    """

    def __init__(self, game: Game, settings: Settings, threads: int, *, is_asked_for: bool) -> None:
        self._game, self._settings, self._threads, self._is_asked_for = game, settings, threads, is_asked_for
        self._search: CompiledAlphaBeta | None = None
        self._loading: Beside[bool] | None = None
        self._is_loaded: bool | None = None
        self._compiling: Beside[None] | None = None
        self._kind = type(game), repr(game), settings.is_selective, threads > 1
        """The kind of game: equal for games that share compiled code."""
        self._counted = 0.0
        self._begun = perf_counter()

    @property
    def search(self) -> CompiledAlphaBeta:
        """The compiled search, which starts again from the beginning; call it only after takes_over()."""
        assert self._search is not None
        return self._search

    def is_at_hand(self, *, is_timed: bool) -> bool:
        """Whether it can search from the first node. Starts loading the code for a search with a time limit."""
        if _has_loaded.is_set():
            return self._tried(self._has_code, 0)
        if is_timed:
            self._begun, self._loading = perf_counter(), Beside(self._load)
        return False

    def takes_over(self, nodes: float, deadline: float, must_stop: Callable[[], object]) -> bool:
        """Whether it can take over, after this number of nodes of the reference engine. Starts compiling when it is due.

        deadline: a value of perf_counter(). must_stop: whether a limit or Ctrl-C ends the search.
        """
        if self._loading is None and self._is_loaded is None and nodes < LOADING and not self._is_asked_for:
            return False
        if deadline < inf:
            nodes = self._nodes_of_all(nodes)

        def is_ready() -> bool:
            if self._loading is not None and not _is_over(self._loading, self._half_way(deadline), must_stop):
                return False
            if self._has_code():
                return True
            if self._is_asked_for or nodes >= HEAD_START:
                self._compiling = self._compiling or self._begin_compiling()
            until = deadline if deadline - perf_counter() >= LONG else 0.0
            return self._compiling is not None and _is_over(self._compiling, until, must_stop)

        return self._tried(is_ready, nodes)

    def _half_way(self, deadline: float) -> float:
        return (self._begun + deadline) / 2

    def _nodes_of_all(self, nodes: float) -> float:
        """The nodes of earlier searches and of this one."""
        _NODES[self._kind] += nodes - self._counted  # type: ignore[assignment]  # they are ints
        self._counted = nodes
        return _NODES[self._kind]

    def _tried(self, is_ready: Callable[[], bool], nodes: float) -> bool:
        """Whether it is ready. Compiler errors are raised only if the compiled engine was requested."""
        if self._is_asked_for:
            return is_ready()
        if self._kind not in _REFUSED:
            try:
                return is_ready()
            except Exception as error:
                _REFUSED[self._kind] = error
        if nodes >= HEAD_START and self._kind not in _WARNED:  # a warning would be useless for a small search
            _WARNED.add(self._kind)
            why = _REFUSED[self._kind]
            words = f"{self._game!r} is searched by the reference engine, which is slower: {reason_of(why)}"
            warnings.warn(words, stacklevel=2)
        return False

    def _has_code(self) -> bool:
        """Whether the code was in this process or on disk at the last look."""
        if self._is_loaded is None:
            self._is_loaded = self._load() if self._loading is None else self._loading.result()
        return self._is_loaded

    def _load(self) -> bool:
        from bestfirst.compiled.compiler.may_compile import is_interpreted  # noqa: PLC0415
        from bestfirst.compiled.drivers.alpha_beta import CompiledAlphaBeta  # noqa: PLC0415  (it imports NumPy)

        self._search = CompiledAlphaBeta(self._game, self._settings, GameStats(), threads=self._threads)
        with _lock:
            self._compiling = _COMPILING.get(self._search.code)
        is_at_hand = self._compiling is None and not is_interpreted() and self._search.is_at_hand()
        _has_loaded.set()
        return is_at_hand

    def _begin_compiling(self) -> Beside[None]:
        search = self.search
        with _lock:
            for code in [code for code, work in _COMPILING.items() if work.is_finished]:
                del _COMPILING[code]
            if search.code not in _COMPILING:
                _COMPILING[search.code] = Beside(search.make_ready)
            return _COMPILING[search.code]


def _is_over(work: Beside[Any], until: float, must_stop: Callable[[], object]) -> bool:
    """Whether work is finished, after waiting until a value of perf_counter(); raises the error of the work."""
    while not work.is_finished and perf_counter() < until and not must_stop():
        work.wait(min(until, perf_counter() + SECONDS_BETWEEN_LOOKS))
    if not work.is_finished:
        return False
    work.result()
    return True
