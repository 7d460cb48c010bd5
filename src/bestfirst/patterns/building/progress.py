"""The cost of building a pattern database, and its progress."""

from __future__ import annotations

from dataclasses import dataclass

from bestfirst.patterns.storage.hashed_table import FULL_SHARE, bytes_to_sort


@dataclass(frozen=True)
class Cost:
    """The cost of a build. states: how many abstract states. entries: those of the table, one byte each. seconds: an estimate."""

    states: int
    entries: int
    seconds: float | None = None

    @property
    def memory(self) -> int:
        """Bytes in memory and on disk during the build."""
        return self.states + (self.entries if self.entries != self.states else 0)

    @property
    def disk_of_build(self) -> int:
        """Bytes on disk during the build."""
        return self.memory

    @property
    def disk(self) -> int:
        """Bytes on disk after the build."""
        return self.entries

    def __str__(self) -> str:
        seconds = "" if self.seconds is None else f", about {float(f'{self.seconds:.2g}'):,g} s"
        return f"{self.entries:,} entries, {size_text(self.disk)} on disk; to build it: {self._of_build}{seconds}"

    @property
    def _of_build(self) -> str:
        return f"{size_text(self.memory)} of memory"


@dataclass(frozen=True)
class DiskCost(Cost):
    """The cost of a build whose states are on disk. arrays: bytes in memory; files: bytes on disk, both during the build."""

    arrays: int = 0
    files: int = 0

    @property
    def memory(self) -> int:
        """Bytes in memory during the build."""
        return self.arrays

    @property
    def disk_of_build(self) -> int:
        """Bytes on disk during the build."""
        return self.files

    @property
    def _of_build(self) -> str:
        return f"{size_text(self.memory)} of memory and {size_text(self.files)} of disk"


@dataclass(frozen=True)
class HashedCost:
    """The cost of a build whose states have no rank, so that their number is known only at the end. slot: bytes per slot."""

    slot: int

    def __str__(self) -> str:
        least, most = self.slot / FULL_SHARE, 2 * self.slot / FULL_SHARE
        building = 2 * most + bytes_to_sort(self.slot)  # the working table and the final one
        return (
            f"one entry for each reachable abstract state, {least:.0f} to {most:.0f} bytes on disk for each; to build it: up to "
            f"{building:.0f} bytes of memory for each"
        )


@dataclass
class Progress:
    """The progress of a build.

    states: their total number; None if unknown. level: the current one. known: states with a known distance. part: the
    fraction of the level that has been processed.
    seconds: since the build was started or resumed, when `before` states were known.
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
        """States per second."""
        return (self.known - self.before) / self.seconds if self.seconds else 0.0

    @property
    def left(self) -> float | None:
        """About how many seconds are left; None at the beginning, and if unknown."""
        return None if not self.rate or self.states is None else (self.states - self.known) / self.rate

    def __str__(self) -> str:
        left = "" if self.left is None else f", about {self.left:.0f} s left"
        what = f"level {self.level} ({self.part:.0%})" if self.stage == "distances" else self.stage
        of = "" if self.states is None else f" of {self.states:,}"
        return f"{what}: {self.known:,}{of} states, {self.rate / 1e6:.1f} M/s{left}"


def size_text(size: int) -> str:
    """A number of bytes in a readable unit."""
    amount = float(size)
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"):
        if amount < 1024 or unit == "EiB":
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1024
    raise AssertionError
