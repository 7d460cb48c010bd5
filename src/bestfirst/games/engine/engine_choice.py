"""Which engine makes a search of a game: the compiled one as soon as its code is at hand, the reference engine until then.

Code on disk is used from the first node. Other code is compiled after a head start of the reference engine, by a thread of its own:
the limits of the search, stop() and Ctrl-C are looked at meanwhile. A search whose time is up gives what the reference engine has
found; the thread goes on, and a later search finds the code. The first code of a process is loaded in this way too.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from math import inf
from threading import Event, Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bestfirst.errors import InputError, UnknownNameError
from bestfirst.games.engine.settings import Settings, why_not_compiled
from bestfirst.games.game import Game
from bestfirst.games.stats import GameStats
from bestfirst.system.beside import SECONDS_BETWEEN_LOOKS, Beside

if TYPE_CHECKING:
    from bestfirst.compiled.drivers.alpha_beta import CompiledAlphaBeta

ENGINES = ("python", "compiled")
HEAD_START = 20_000
"""Nodes that the reference engine looks at before rules are compiled, unless an engine is asked for: to compile them takes as long
as hundreds of thousands. Searches with a limit on time make it together, as none of them may last so long."""
LOADING = 1_000
"""Nodes that a search without a limit on time has looked at before this process, if it has used no compiled code yet, looks for
some on disk: to load the first takes as long as some thousands."""
LONG = 3.0
"""Seconds, about as long as it takes to compile. A search that has so many left waits for the code, as the two would slow each
other down; another one goes on meanwhile. For code to be loaded it waits half of its time."""

_NODES: Counter[tuple[Any, ...]] = Counter()
"""What searches with a limit on time have looked at in the reference engine, by the kind of their game."""
_COMPILING: dict[Any, Beside[None]] = {}
"""The threads that compile, by the code that they make."""
_REFUSED: dict[tuple[Any, ...], Exception] = {}
"""Why rules could not be compiled, by the kind of their game; where nobody insists they are not tried again."""
_WARNED: set[tuple[Any, ...]] = set()
"""Those of them of which a warning has told."""
_lock = Lock()
_has_loaded = Event()
"""Whether this process has loaded what any compiled search needs; to look for code takes a few milliseconds then."""


def check_engine(engine: object) -> None:
    """Raise InputError for what is no engine; None leaves the choice open."""
    if engine is not None and engine not in ENGINES:
        raise UnknownNameError("engine", str(engine), ENGINES)


def compiled_engine(game: Game, settings: Settings, engine: str | None, threads: int = 1) -> CompiledEngine | None:
    """The compiled engine for a search, None where the reference engine makes all of it.

    Raises InputError where the compiled engine is asked for, or several threads are, which it alone has, and it cannot be had.
    """
    is_asked_for = engine == "compiled" or threads > 1
    reason = why_not_compiled(game)
    if reason is not None and is_asked_for:
        raise InputError(f"the compiled engine cannot search this: {reason}, or give engine='python'")
    if engine == "python" or reason is not None:
        return None
    return CompiledEngine(game, settings, threads, is_asked_for=is_asked_for)


class CompiledEngine:
    """The compiled engine of one search, which the reference engine begins.

    is_asked_for: whether an error of the compiler is raised; otherwise a warning tells it, and the reference engine goes on.
    """

    def __init__(self, game: Game, settings: Settings, threads: int, *, is_asked_for: bool) -> None:
        self._game, self._settings, self._threads, self._is_asked_for = game, settings, threads, is_asked_for
        self._search: CompiledAlphaBeta | None = None
        self._loading: Beside[bool] | None = None
        self._is_loaded: bool | None = None
        self._compiling: Beside[None] | None = None
        self._kind = type(game), repr(game), settings.is_selective, threads > 1
        """What games that are compiled alike have in common."""
        self._counted = 0.0
        self._begun = perf_counter()

    @property
    def search(self) -> CompiledAlphaBeta:
        """The search, from its beginning; once it has taken over."""
        assert self._search is not None
        return self._search

    def is_at_hand(self, *, is_timed: bool) -> bool:
        """Whether it can search from the first node; begins to load the code for a search with a limit on time."""
        if _has_loaded.is_set():
            return self._tried(self._has_code, 0)
        if is_timed:
            self._begun, self._loading = perf_counter(), Beside(self._load)
        return False

    def takes_over(self, nodes: float, deadline: float, must_stop: Callable[[], object]) -> bool:
        """Whether it can search now, after so many nodes of the reference engine; begins to compile when it is time for that.

        deadline: a moment of perf_counter(). must_stop: whether a limit, or Ctrl-C, ends the search.
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
        """With the nodes of searches before, so many of this one being looked at."""
        _NODES[self._kind] += nodes - self._counted  # type: ignore[assignment]  # they are ints
        self._counted = nodes
        return _NODES[self._kind]

    def _tried(self, is_ready: Callable[[], bool], nodes: float) -> bool:
        """Whether it is ready; not where the rules cannot be compiled, and nobody insists on that."""
        if self._is_asked_for:
            return is_ready()
        if self._kind not in _REFUSED:
            try:
                return is_ready()
            except Exception as error:
                _REFUSED[self._kind] = error
        if nodes >= HEAD_START and self._kind not in _WARNED:  # a small search misses nothing
            _WARNED.add(self._kind)
            why = _REFUSED[self._kind]
            kind = f"{type(why).__name__}: " if isinstance(why, ImportError) else ""
            warnings.warn(f"{self._game!r} is searched by the reference engine, which is slower: {kind}{why}", stacklevel=2)
        return False

    def _has_code(self) -> bool:
        """Whether the code was in this process, or on disk, when it was looked for."""
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
    """Whether work is over, after waiting for it until a moment of perf_counter(); raises the error that it has ended with."""
    while not work.is_finished and perf_counter() < until and not must_stop():
        work.wait(min(until, perf_counter() + SECONDS_BETWEEN_LOOKS))
    if not work.is_finished:
        return False
    work.result()
    return True
