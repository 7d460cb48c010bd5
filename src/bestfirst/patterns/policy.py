"""Whether databases may be built when they are named, where they are stored, and who sees the progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from bestfirst.arguments import check_function, check_kind, check_path, parse_bytes, suggesting_fields
from bestfirst.patterns.building.progress import Progress
from bestfirst.system.threads import check_threads

QUIET_SECONDS = 1.0


@suggesting_fields
@dataclass(frozen=True)
class Policy:
    """What a search may do about its pattern databases.

    may_build: whether missing databases are built. data: the directory; None: that of BESTFIRST_DATA, or the default.
    threads: the threads of a build; None: all processors. memory, disk: the limits of a build, in bytes or as a string such
    as "2GiB".
    progress: called from time to time during a build.
    Raises InputError for a value of the wrong type.
    """

    may_build: bool = True
    data: str | Path | None = None
    threads: int | None = None
    memory: int | str | None = None
    disk: int | str | None = None
    progress: Callable[[Progress], None] | None = None

    def __post_init__(self) -> None:
        if self.data is not None:
            check_path("data", self.data)
        if self.threads is not None:
            check_threads(self.threads)
        for name, given in (("memory", self.memory), ("disk", self.disk)):
            if given is not None:
                parse_bytes(given, name)
        check_function("progress", self.progress, "a Progress")


_POLICY: ContextVar[Policy] = ContextVar("policy", default=Policy())  # noqa: B039  (it is frozen)


def current_policy() -> Policy:
    """The policy in effect."""
    return _POLICY.get()


@contextmanager
def database_policy(policy: Policy) -> Iterator[None]:
    """Apply a policy within a with statement. Raises InputError unless it is a Policy."""
    check_kind("policy", policy, Policy, "a Policy, such as Policy(may_build=False)")
    token = _POLICY.set(policy)
    try:
        yield
    finally:
        _POLICY.reset(token)


def tell(message: str) -> None:
    """Tell a person at a terminal about work that they did not ask for explicitly."""
    if sys.stderr.isatty():
        print(message, file=sys.stderr, flush=True)  # noqa: T201


class ProgressLine:
    """A progress line on the terminal's error output during a build; nothing if that is not a terminal."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._next = monotonic() + QUIET_SECONDS
        self._shown = False

    def __call__(self, progress: Progress) -> None:
        if monotonic() >= self._next and sys.stderr.isatty():
            print(f"\r\x1b[K{self._what}: {progress}", end="", file=sys.stderr, flush=True)  # noqa: T201
            self._next, self._shown = monotonic() + 0.2, True

    def close(self) -> None:
        """End the line."""
        if self._shown:
            print(file=sys.stderr, flush=True)  # noqa: T201
