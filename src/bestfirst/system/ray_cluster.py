"""The connection of this program to a Ray cluster (extra `ray`): batches and distributed searches find the same one."""

from __future__ import annotations

import atexit
import logging
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from bestfirst.errors import BestfirstError, InputError
from bestfirst.system.child_process import PATH, environment, module_path
from bestfirst.system.threads import processors

_QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}


def check_installed() -> None:
    """Raise InputError if Ray is not installed; it is not imported, which takes a second."""
    if find_spec("ray") is None:
        raise _not_installed("which is not installed")


def imported() -> Any:
    """The package. Raises InputError if it cannot be imported."""
    check_installed()
    try:
        import_module("ray.exceptions")
        return import_module("ray")
    except ImportError as error:
        raise _not_installed(f"which cannot be imported ({error})") from error


def _not_installed(why: str) -> InputError:
    return InputError(f"on='ray' needs Ray, {why}: pip install 'bestfirst[ray]'; or use on='local'")


class Connection:
    """A connection as a batch or a search uses it.

    The program may end it meanwhile, or make another one: then Ray's own errors say little, and some calls would start or join
    another cluster.
    """

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self.is_ours = not ray.is_initialized()
        connect(ray)
        self._identity = self._current_identity()

    def _current_identity(self) -> tuple[str, str] | None:
        """The job of this program and the node that it is connected to; another cluster may give it the same job."""
        with suppress(Exception):  # it may end at any moment, in another thread
            if self._ray.is_initialized():
                context = self._ray.get_runtime_context()
                return context.get_job_id(), context.get_node_id()
        return None

    @property
    def has_ended(self) -> bool:
        """Whether the program has no connection any more, or another one."""
        return self._identity != self._current_identity()

    @contextmanager
    def used(self) -> Iterator[None]:
        """Calls of Ray. Raises ConnectionEndedError if the connection has ended before or in this block."""
        if self.has_ended:
            raise ConnectionEndedError
        try:
            yield
        except (Exception, SystemExit) as error:
            if self.has_ended:
                raise ConnectionEndedError from error
            raise


class ConnectionEndedError(BestfirstError):
    """The program has ended its connection to the cluster."""

    def __init__(self) -> None:
        super().__init__(
            "the connection to the Ray cluster has ended, perhaps because this program called ray.shutdown(); "
            "keep the connection until the batch or search is over"
        )


def connect(ray: Any) -> None:
    """Connect to the cluster that RAY_ADDRESS names, or that runs on this machine; otherwise start one here.

    A program that is connected keeps its connection. A cluster that is started here ends with the connection. It has no
    dashboard, and reports nothing to anybody.
    Raises InputError if there is no connection.
    """
    if ray.is_initialized():
        return
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    with warnings.catch_warnings(), _children_find_all_modules(), holding_off_ctrl_c():
        warnings.simplefilter("ignore")  # of Ray, about itself
        try:
            _connect_or_start(ray)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise InputError(
                f"no Ray cluster can be used: {first_line(error)}; check RAY_ADDRESS, or use on='local'"
            ) from error
    atexit.unregister(_disconnect)
    atexit.register(_disconnect)  # which now comes before Ray's own end


def _disconnect() -> None:
    """End the connection at the end of the program, however often Ctrl-C is pressed then.

    Ray's own end would break off with a trace or a crash, and leave processes.
    """
    with suppress(ValueError):  # this thread is not the one that signals reach
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    ray = sys.modules.get("ray")
    with suppress(Exception):
        if ray is not None:
            ray.shutdown()


@contextmanager
def holding_off_ctrl_c() -> Iterator[None]:
    """Ctrl-C takes effect at the end of this block: Ray ends the process if it is interrupted while it starts or ends."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield
        return
    presses: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _frame: presses.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if presses:
            signal.raise_signal(signal.SIGINT)


def _connect_or_start(ray: Any) -> None:
    options = {"include_dashboard": False, "log_to_driver": False, "logging_level": logging.ERROR}
    if not os.environ.get("RAY_ADDRESS"):
        with suppress(ValueError):  # a cluster that runs already, whose processors are counted
            ray.init(num_cpus=processors(), **options)
            return
    ray.init(**options)


@contextmanager
def _children_find_all_modules() -> Iterator[None]:
    """Processes that are started in this block find the modules that this one finds."""
    before = os.environ.get(PATH)
    os.environ[PATH] = environment(module_path())[PATH]
    try:
        yield
    finally:
        if before is None:
            del os.environ[PATH]
        else:
            os.environ[PATH] = before


def ended_of(ray: Any, calls: list[Any], seconds: float) -> list[Any]:
    """The calls that have ended, at most so many seconds from now: as soon as one has, all that have."""
    ended, _ = ray.wait(calls, num_returns=1, timeout=seconds)
    if ended:
        ended, _ = ray.wait(calls, num_returns=len(calls), timeout=0)
    return list(ended)


def first_line(error: Exception) -> str:
    """What an error of Ray says first; a trace follows."""
    return str(error).strip().partition("\n")[0]
