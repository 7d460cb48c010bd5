"""What a build of a pattern database takes, and how far one has come."""

from __future__ import annotations

from dataclasses import dataclass

from bestfirst.patterns.storage.hashed_table import FULL_SHARE, bytes_to_sort


@dataclass(frozen=True)
class Cost:
    """What a build takes. states: of the abstract domain. entries: of the table, a byte each. seconds: an estimate."""

    states: int
    entries: int
    seconds: float | None = None

    @property
    def memory(self) -> int:
        """Bytes in memory and on disk while it is built."""
        return self.states + (self.entries if self.entries != self.states else 0)

    @property
    def disk(self) -> int:
        """Bytes on disk, once it is built."""
        return self.entries

    def __str__(self) -> str:
        seconds = "" if self.seconds is None else f", about {self.seconds:.2g} s"
        return f"{self.entries:,} entries, {size_text(self.disk)} on disk; to build it: {size_text(self.memory)} of memory{seconds}"


@dataclass(frozen=True)
class HashedCost:
    """What a build takes whose states have no rank: how many they are is known only when it is finished. slot: bytes of one."""

    slot: int

    def __str__(self) -> str:
        least, most = self.slot / FULL_SHARE, 2 * self.slot / FULL_SHARE
        building = 2 * most + bytes_to_sort(self.slot)  # the table at work, and that which is kept
        return (
            f"as many entries as abstract states are met, {least:.0f} to {most:.0f} bytes on disk for each; to build it: up to "
            f"{building:.0f} bytes of memory for each"
        )


@dataclass
class Progress:
    """How far a build has come.

    states: how many there are; None where that is not known. level: the one being done. known: the states whose distance is known,
    of so many. part: of the level that has been looked at.
    seconds: since the build was begun or gone on with, when `before` states were known.
    """

    states: int | None
    level: int = 0
    known: int = 0
    part: float = 0.0
    seconds: float = 0.0
    before: int = 0
    stage: str = "distances"

    @property
    def rate(self) -> float:
        """States a second."""
        return (self.known - self.before) / self.seconds if self.seconds else 0.0

    @property
    def left(self) -> float | None:
        """About how many seconds are left; None at the beginning, and where nobody knows."""
        return None if not self.rate or self.states is None else (self.states - self.known) / self.rate

    def __str__(self) -> str:
        left = "" if self.left is None else f", about {self.left:.0f} s left"
        what = f"level {self.level} ({self.part:.0%})" if self.stage == "distances" else self.stage
        of = "" if self.states is None else f" of {self.states:,}"
        return f"{what}: {self.known:,}{of} states, {self.rate / 1e6:.1f} M/s{left}"


def size_text(size: int) -> str:
    """A number of bytes as a person writes it."""
    amount = float(size)
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"):
        if amount < 1024 or unit == "EiB":
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1024
    raise AssertionError
