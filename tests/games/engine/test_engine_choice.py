"""Which engine makes a search of a game, and what happens while its code is compiled."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from time import perf_counter
from typing import Any

import pytest

from bestfirst.compiled.drivers.alpha_beta import CompiledAlphaBeta
from bestfirst.errors import CompileError, InputError
from bestfirst.games.analysis import analyse, prepare
from bestfirst.games.engine import engine_choice
from bestfirst.games.engine.settings import Settings
from bestfirst.games.limits import GameLimits
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.game_tree import GameTree
from bestfirst.games.rules.mnk import MNK
from bestfirst.games.rules.othello import Othello
from bestfirst.games.stats import GameStats
from slow_compiler import SLOWEST, SlowCompiler
from small_games import LastStick

SMALL = Settings(table="1MB")


@pytest.fixture(autouse=True)
def no_thread_of_another_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(engine_choice, "_COMPILING", {})
    yield
    SlowCompiler.let_all_go()


@pytest.fixture(scope="module", autouse=True)
def code_of_connect_four() -> None:
    """The only code that is compiled here."""
    prepare(ConnectFour(), SMALL)


@pytest.mark.slow
def test_code_on_disk_is_used_by_a_search_that_would_not_compile() -> None:
    """A new process finds it, whether there is a limit on time or not, and does not load the compiler."""
    script = (
        "import sys, bestfirst as bf\n"
        "for seconds in (60, None):\n"
        "    limits = bf.GameLimits(nodes=5_000, seconds=seconds)\n"
        "    search = bf.analyse(bf.ConnectFour(), limits=limits, settings=bf.Settings(table='1MB'), lines=1)\n"
        "    print(search.run().nodes, type(search._search).__name__, 'numba' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "5000 CompiledAlphaBeta False\n" * 2


def test_short_searches_have_their_code_compiled_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of them lasts as long as the head start, but the first after it uses the code."""
    compiler = SlowCompiler(monkeypatch, seconds=0)
    monkeypatch.setattr(engine_choice, "HEAD_START", 3_000)
    nodes = []
    for _ in range(6):
        search = analyse(ConnectFour(), limits=GameLimits(seconds=60, nodes=1_000), settings=SMALL, lines=1)
        nodes.append(search.run().nodes)
    assert nodes == [1_000] * 6 and compiler.calls == 1
    assert isinstance(search._search, CompiledAlphaBeta)


@pytest.mark.slow
def test_a_limit_on_time_holds_while_code_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference engine answers meanwhile, also where the compiled one is asked for."""
    SlowCompiler(monkeypatch)
    for engine in (None, "compiled"):
        monkeypatch.setattr(engine_choice, "HEAD_START", 64)
        started = perf_counter()
        analysis = analyse(ConnectFour(), limits=GameLimits(seconds=0.2), settings=SMALL, engine=engine).run()
        assert perf_counter() - started < 2 and analysis.stopped == "seconds" and analysis.depth > 2


@pytest.mark.slow
def test_a_cold_cache_does_not_break_a_limit_on_time(tmp_path: Path) -> None:
    """A process with nothing on disk has its answer in time, and its end does not wait for the compiler."""
    script = (
        "import time, bestfirst as bf\n"
        "from bestfirst.games.engine import engine_choice\n"
        "engine_choice.HEAD_START = 64\n"
        "started = time.perf_counter()\n"
        "analysis = bf.analyse(bf.Othello(), limits=bf.GameLimits(seconds=0.5)).run()\n"
        "print(time.perf_counter() - started, analysis.stopped, analysis.depth, time.time())\n"
    )
    environment = {**os.environ, "BESTFIRST_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    seconds, stopped, depth, *_ = done.stdout.split()
    assert float(seconds) < 1.5 and stopped == "seconds" and int(depth) >= 1
    assert not done.stderr


def test_the_compiled_engine_takes_over_when_its_code_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that has time for it waits, and then makes the same rounds as from the beginning."""
    compiler = SlowCompiler(monkeypatch, seconds=0.1)
    monkeypatch.setattr(engine_choice, "HEAD_START", 64)
    limits = GameLimits(depth=5, seconds=60)
    search = analyse(ConnectFour(), "33", limits=limits, settings=SMALL, lines=1)
    found = search.run()
    assert isinstance(search._search, CompiledAlphaBeta) and compiler.calls == 1
    reference = analyse(ConnectFour(), "33", limits=limits, settings=SMALL, lines=1, engine="python").run()
    assert (found.lines, found.nodes) == (reference.lines, reference.nodes)


@pytest.mark.slow
def test_two_searches_share_one_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a search that is over has begun to compile goes on for the next one."""
    compiler = SlowCompiler(monkeypatch, seconds=0.4)
    monkeypatch.setattr(engine_choice, "HEAD_START", 64)
    limits = GameLimits(seconds=0.05)
    for _ in range(2):
        analyse(ConnectFour(), limits=limits, settings=SMALL).run()
    assert prepare(ConnectFour(), SMALL) and compiler.calls == 1


@pytest.mark.slow
@pytest.mark.parametrize("deepening", [True, False])
def test_ctrl_c_while_rules_are_compiled_keeps_what_is_known(deepening: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The depths completed before, or the first one; the compiler is not waited for."""
    SlowCompiler(monkeypatch)
    monkeypatch.setattr(engine_choice, "HEAD_START", 500)
    Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    started = perf_counter()
    analysis = analyse(ConnectFour(), lines=1, settings=Settings(deepening=deepening, table="1MB")).run()
    assert analysis.stopped == "interrupted" and analysis.depth == (4 if deepening else 1)
    assert analysis.nodes >= 500 and perf_counter() - started < SLOWEST / 2


def test_stop_ends_a_search_that_waits_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """From another thread, as the protocol does."""
    SlowCompiler(monkeypatch)
    monkeypatch.setattr(engine_choice, "HEAD_START", 500)
    search = analyse(ConnectFour(), lines=1, settings=SMALL)
    Timer(0.2, search.stop).start()
    started = perf_counter()
    assert search.run().stopped == "stopped" and perf_counter() - started < SLOWEST / 2


def test_ctrl_c_ends_what_only_prepares(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to keep, so it is a KeyboardInterrupt."""
    SlowCompiler(monkeypatch)
    Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    started = perf_counter()
    with pytest.raises(KeyboardInterrupt):
        prepare(ConnectFour(), SMALL)
    assert perf_counter() - started < SLOWEST / 2


@pytest.mark.slow
def test_ctrl_c_while_the_real_compiler_works_always_ends_the_process(tmp_path: Path) -> None:
    """Whatever the compiler is at: exit by KeyboardInterrupt within a second or so, with no crash at the end."""
    script = (
        "import os, signal, threading, bestfirst as bf\n"
        "threading.Timer(0.8, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    bf.analyse(bf.ConnectFour(), engine='compiled')\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    environment = {**os.environ, "BESTFIRST_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")


class Textual(LastStick):
    """Its score does not compile."""

    initial: Any = LastStick.State(9)

    def score(self, state: Any) -> Any:
        return int(f"-{state.sticks + 1}")


def test_rules_that_cannot_be_compiled_are_searched_by_the_reference_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where that takes long, one warning says why; the compiled engine, where it is asked for, is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert analyse(Textual(), limits=GameLimits(seconds=5), lines=1).run().solved
    monkeypatch.setattr(engine_choice, "HEAD_START", 64)
    with pytest.warns(UserWarning, match="reference engine.*score"):
        analyse(Textual(), Textual.State(21), settings=Settings.plain("minimax"), limits=GameLimits(depth=6)).run()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not prepare(Textual())
    with pytest.raises(CompileError, match="score"):
        analyse(Textual(), engine="compiled")
    with pytest.raises(CompileError, match="score"):
        analyse(Textual(), engine="compiled", limits=GameLimits(seconds=1)).run()


def test_where_the_compiler_is_missing_the_reference_engine_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a warning that names what is missing."""
    SlowCompiler(monkeypatch, seconds=0, error=ModuleNotFoundError("No module named 'numba'"))
    with pytest.warns(UserWarning, match="No module named 'numba'"):
        assert not prepare(ConnectFour())


class Listing(ConnectFour):
    """Moves in the form of a plain Game."""

    def moves(self, state: Any) -> Any:
        return super().moves(state)


def test_prepare_refuses_what_no_engine_has() -> None:
    """An engine that does not exist, and the compiled one for a game that is not in the compilable form."""
    with pytest.raises(InputError, match="no engine is called 'fast'"):
        prepare(Othello(4), engine="fast")
    with pytest.raises(InputError, match="not in the compilable form"):
        prepare(GameTree([1, 2]), engine="compiled")
    with pytest.raises(InputError, match=r"MNK\(9, 9, 5\) is not in the compilable form, probably because it is too large"):
        prepare(MNK(9, 9, 5), engine="compiled")
    with pytest.raises(
        InputError, match="Listing is not in the compilable form, because it defines moves; define legal instead"
    ):
        prepare(Listing(), engine="compiled")
    assert not prepare(GameTree([1, 2])) and not prepare(Othello(4), engine="python")


@pytest.mark.slow
def test_a_search_without_a_clock_loads_nothing_for_a_few_nodes() -> None:
    """To load the first code takes longer than that."""
    script = (
        "import sys, bestfirst as bf\n"
        "bf.analyse(bf.ConnectFour(), limits=bf.GameLimits(depth=2)).run()\n"
        "print('llvmlite' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_search_is_made_ready_without_looking_at_a_node() -> None:
    """Neither to look for the code nor to load it counts anything."""
    search = CompiledAlphaBeta(ConnectFour(), SMALL, GameStats())
    assert search.is_at_hand() and search.stats.nodes == 0
