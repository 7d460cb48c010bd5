"""Tables on disk in partitions that fit into memory: without them, a whole space or a distance table is limited by memory.

A sweep does not change an entry at once, since that would take random access to the disk. It puts an update into the buffer
of the entry's partition, and appends full buffers to a file. Later each partition is read, updated and written: duplicates are
detected only then. Files are read and written from end to end only.

    DIRECTORY/
        progress.json        what the table belongs to, its layout, the finished levels, and a seal
        partition-00012      a line of JSON about the entries, filled up to HEAD bytes, and the entries
        updates-00012        updates of these entries that are not carried out yet
        lock                 locked while a process works here
        lock.holder          who that is, where machines share the directory (system/holder.py)
        workers              locked by each of its workers, if it has some; their names are part of those of files of updates

A partition has no file until it is first updated. A process that was killed repeats the level that it was in.
Source: Korf 2008 (delayed duplicate detection, without sorting); Kunkle & Cooperman 2007.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from socket import gethostname
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.errors import InputError
from bestfirst.patterns.building.progress import size_text
from bestfirst.patterns.storage.checksummed import is_whole, sealed
from bestfirst.system.atomic import write_atomically
from bestfirst.system.disk import bytes_in
from bestfirst.system.locking import held_together, locked

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array

PROGRESS, LOCK, WORKERS = "progress.json", "lock", "workers"
FORMAT = "bestfirst table in partitions"
VERSION = 1
FRESH = ".bestfirst-"
"""Before the name of a file that is being written."""
HEAD = 4096
"""The bytes before the entries of a partition."""
UPDATE_BYTES = 4
SMALLEST_BUFFER, LARGE_BUFFER = 1 << 10, 1 << 14
"""Updates: a smaller buffer would be written in small pieces, a larger one saves nothing."""
SMALLEST_BITS = 12
CACHED_BYTES = 1 << 22
"""Updates of a partition of at most this size are quick, since the processor's cache holds it."""
UPDATES_PER_TABLE = 2
"""When the files of updates take this multiple of the table's size, they are carried out."""
PARTITIONS_PER_WORKER = 4
"""At least so many, so that all of them have work."""
SECONDS_TO_LET_GO = 5.0
"""How long the workers of a process that has ended may take to notice that."""
_OURS = re.compile(
    r"partition-\d{5,}|updates-\d{5,}(-[\d-]+)?|progress\.json|(lock|workers)(\.holder)?|\.(bestfirst-|nfs|fuse_hidden).*"
)


@dataclass(frozen=True)
class Layout:
    """How a table is divided, and its updates buffered.

    size: the number of entries. entry_bits: of an entry, 2 or 8. bits: a partition has 2**bits entries. room: the updates that
    a buffer holds. workers: the number of processes that share the work; None: this one does all of it.
    """

    size: int
    entry_bits: int
    bits: int
    room: int
    workers: int | None = None

    @classmethod
    def within(
        cls,
        what: str,
        size: int,
        entry_bits: int,
        memory: int,
        *,
        least_room: int,
        most_bits: int,
        bits: int | None = None,
        workers: int | None = None,
    ) -> Layout:
        """The best layout within a number of bytes of memory.

        least_room: the smallest buffer that the sweep needs. most_bits: the largest partition whose entries an update can
        name. bits: if given, those of an existing table. workers: of the layout.
        Raises InputError if there is none; it says how much memory suffices.
        """
        least_room = max(SMALLEST_BUFFER, least_room)
        of_share = (size - 1) // (1 if workers is None else PARTITIONS_PER_WORKER * workers)
        largest = min(most_bits, max(SMALLEST_BITS, of_share.bit_length()))
        some = range(SMALLEST_BITS, largest + 1) if bits is None else [bits]
        smallest = [cls(size, entry_bits, number, least_room, workers) for number in some]
        fitting = [layout._filling(memory) for layout in smallest if layout.memory <= memory]
        if not fitting:
            least = min(layout.memory for layout in smallest)
            raise InputError(
                f"{what} takes at least {size_text(least)} ({least:,} bytes) of memory, but the limit is {size_text(memory)}; "
                "raise the limit" + ("" if workers in (None, 1) else ", or use fewer workers")
            )
        return max(fitting, key=lambda layout: layout._preference)

    def _filling(self, memory: int) -> Layout:
        """The layout with the largest buffers of use that fit into memory."""
        room = (memory - self._loaded) // (UPDATE_BYTES * (self.partitions + 1) * (self.workers or 1))
        return replace(self, room=max(self.room, min(room, 4 * LARGE_BUFFER)))

    @property
    def _preference(self) -> tuple[int, int, int]:
        size = self.partition_bytes
        return min(self.room, LARGE_BUFFER), min(size, CACHED_BYTES), -size

    @property
    def partitions(self) -> int:
        """Their number."""
        return -(-self.size >> self.bits)

    def where(self, number: int) -> tuple[int, int]:
        """The partition of an entry, and its place there."""
        return divmod(number, 1 << self.bits)

    @property
    def partition_bytes(self) -> int:
        """The bytes of the entries of a partition."""
        return (1 << self.bits) * self.entry_bits // 8

    @property
    def memory(self) -> int:
        """The bytes of one partition, the buffers, and one more buffer to read with; with workers, of all of them."""
        return self._loaded + UPDATE_BYTES * self.room * (self.partitions + 1) * (self.workers or 1)

    @property
    def _loaded(self) -> int:
        """The bytes of the partitions in memory: one for each worker, and one for the process that they work for."""
        return self.partition_bytes * (1 if self.workers is None else self.workers + 1)

    @property
    def most_updates(self) -> int:
        """The bytes of updates on disk at which they are carried out."""
        return UPDATES_PER_TABLE * self.partitions * self.partition_bytes

    @property
    def table(self) -> int:
        """The bytes of all partitions on disk."""
        return self.partitions * (HEAD + self.partition_bytes)

    @property
    def disk(self) -> int:
        """The most bytes on disk: the table, the partitions that are being written, and updates."""
        of_one = HEAD + self.partition_bytes + UPDATE_BYTES * self.room * self.partitions
        return self.table + self.most_updates + of_one * (self.workers or 1)


@dataclass
class Progress:
    """What progress.json says.

    belongs_to: the problem, as JSON. run: a random name that the partitions repeat. bits: of the layout. levels: the number of
    states of each finished level. complete: whether these are all. written: the partitions that have files.
    farthest: ranks of states of the last level.
    """

    belongs_to: Any
    run: str
    bits: int
    levels: list[int]
    complete: bool
    written: list[int]
    farthest: list[int]


class Workplace:
    """A directory with a table in partitions, for one process at a time.

    what: the table, for messages, such as "the enumeration". remedy: what to do if its files are damaged.
    """

    def __init__(
        self, directory: Path, what: str, remedy: str = "remove the directory to start again, or choose another one"
    ) -> None:
        self.directory, self.what, self._remedy = directory, what, remedy
        self._held = ExitStack()

    def open(self) -> None:
        """Create the directory, and keep other processes out.

        Raises InputError if it cannot be written to, if there are other files, or if another process works there.
        """
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            if not (self.directory / LOCK).exists():  # nobody has worked here
                self._check_that_it_is_ours()
            self._held.enter_context(locked(self.directory / LOCK, self._in_use()))
            self.wait_for_workers()
        except OSError as error:
            raise InputError(
                f"{self.what} cannot be written to {self.directory}: {error.strerror or error}; choose another directory"
            ) from error

    def _in_use(self) -> InputError:
        return InputError(f"{self.what} in {self.directory} is being continued by another process; wait for it")

    def wait_for_workers(self) -> None:
        """Wait until the workers of a process that has ended notice it. Raises InputError if that takes long."""
        if (self.directory / WORKERS).exists():
            with locked(self.directory / WORKERS, self._in_use(), seconds=SECONDS_TO_LET_GO):
                pass

    def join(self, run: str) -> None:
        """Work here for the process that has it open. run: the name that its progress has.

        Raises InputError if this is another directory, which happens to have the same name on this machine.
        """
        try:
            said = json.loads((self.directory / PROGRESS).read_bytes())
            is_there = isinstance(said, dict) and said.get("run") == run
            if is_there:
                self._held.enter_context(held_together(self.directory / WORKERS))
        except (OSError, ValueError):
            is_there = False
        if not is_there:
            raise InputError(
                f"a worker on {gethostname()} cannot find {self.what} in {self.directory}; use a directory that all machines "
                "share under the same path and can write to"
            )

    def close(self) -> None:
        """Let other processes in."""
        self._held.close()

    @contextmanager
    def told(self) -> Iterator[None]:
        """Turn an error of the system, such as a full disk, into an InputError."""
        try:
            yield
        except OSError as error:
            raise InputError(
                f"{self.what} cannot continue in {self.directory}: {error.strerror or error}; finished levels are kept "
                "there: correct the cause and repeat the call, or choose another directory"
            ) from error

    def damaged(self, why: str) -> InputError:
        """The error for files that cannot be used."""
        return InputError(f"{self.what} in {self.directory} cannot be continued: {why}; {self._remedy}")

    def read(self, belongs_to: Any) -> Progress | None:
        """The progress of earlier work; None in an empty directory.

        Raises InputError if it is damaged, or of another problem, or if there are other files.
        """
        path = self.directory / PROGRESS
        self._check_that_it_is_ours()
        if not path.exists():
            if any(self.directory.glob("partition-*")):
                raise self.damaged(f"{PROGRESS} is missing")
            return None
        try:
            said = json.loads(path.read_bytes())
        except (ValueError, RecursionError) as error:
            raise self.damaged(f"{PROGRESS} cannot be read ({error})") from None
        if not isinstance(said, dict) or said.get("format") != FORMAT:
            raise self.damaged(f"{PROGRESS} does not describe a partitioned table")
        if said.get("version") != VERSION:
            raise self.damaged(f"its format version is {said.get('version')}, but this version of bestfirst reads {VERSION}")
        if not is_whole(said):
            raise self.damaged(f"{PROGRESS} was changed: its digest differs")
        if said["belongs_to"] != json.loads(json.dumps(belongs_to)):
            raise InputError(
                f"{self.directory} contains {self.what} of another problem, or of this one before its code was changed; "
                "choose another directory, or remove this one"
            )
        return Progress(**{name: said[name] for name in Progress.__dataclass_fields__})

    def _check_that_it_is_ours(self) -> None:
        """Raise InputError if there are other files."""
        others = sorted(
            entry.name for entry in self.directory.iterdir() if not (_OURS.fullmatch(entry.name) and entry.is_file())
        )
        if others:
            raise InputError(f"{self.directory} contains other files, such as {others[0]!r}; use an empty directory")

    def begin(self, belongs_to: Any, layout: Layout) -> Progress:
        """The progress of new work, which is noted."""
        progress = Progress(belongs_to, secrets.token_hex(8), layout.bits, [], complete=False, written=[], farthest=[])
        self.write(progress)
        return progress

    def write(self, progress: Progress) -> None:
        """Note the progress."""
        said = {"format": FORMAT, "version": VERSION, **asdict(progress)}
        write_atomically(self.directory / PROGRESS, json.dumps(sealed(said)))

    def check_room(self, layout: Layout) -> None:
        """Raise InputError if the disk lacks room for a table, besides what is there."""
        there = bytes_in(self.directory)
        free = shutil.disk_usage(self.directory).free
        if free + there < layout.disk:
            raise InputError(
                f"{self.what} takes up to {size_text(layout.disk)} of disk, but only {size_text(free + there)} is available in "
                f"{self.directory}; free up more space, or choose a directory on another disk"
            )

    def remove_updates(self) -> None:
        """Remove updates, and partitions that were being written: they are of a level that is repeated."""
        self._remove("updates", f"{FRESH}partition")

    def remove_tables(self) -> None:
        """Remove everything except the progress."""
        self._remove("partition", f"{FRESH}partition", "updates")

    def _remove(self, *kinds: str) -> None:
        for kind in kinds:
            for path in self.directory.glob(f"{kind}-*"):
                path.unlink()


class Partitions:
    """The partitions of a table, in files.

    run: the name of the work. entries: the array of 64-bit words that they are loaded into, one at a time. empty: the byte of
    entries without a file. checksum: computes that of the array.
    facts: what the files say about their entries, by number.
    """

    def __init__(
        self, place: Workplace, layout: Layout, run: str, entries: Array, empty: int, checksum: Callable[[], int]
    ) -> None:
        self._place, self._layout, self._run = place, layout, run
        self._entries, self._empty, self._checksum = entries.view(np.uint8), empty, checksum
        self._unsynced: set[int] = set()
        self.facts: dict[int, dict[str, Any]] = {}

    def find(self, written: list[int]) -> None:
        """Read the facts of all files. written: the partitions that have files. Raises InputError for files that are damaged."""
        for path in self._place.directory.glob("partition-*"):
            self.read_facts(int(path.name.partition("-")[2]))
        missing = sorted(set(written) - self.facts.keys())
        if missing:
            raise self._place.damaged(f"{self._path(missing[0]).name} is missing")

    def read_facts(self, number: int) -> None:
        """Read the facts of a partition, if it has a file. Raises InputError if they are damaged."""
        path = self._path(number)
        if not path.exists():
            return
        with path.open("rb") as file:
            self.facts[number] = self._head(number, file.read(HEAD))
        wanted = HEAD + self._layout.partition_bytes
        if path.stat().st_size != wanted:
            raise self._place.damaged(f"{path.name} has {path.stat().st_size:,} bytes instead of {wanted:,}")

    def _path(self, number: int) -> Path:
        return self._place.directory / f"partition-{number:05}"

    def _head(self, number: int, head: bytes) -> dict[str, Any]:
        name = self._path(number).name
        try:
            facts = json.loads(head)
        except (ValueError, RecursionError):
            raise self._place.damaged(f"the first line of {name} cannot be read") from None
        if not isinstance(facts, dict) or not is_whole(facts):
            raise self._place.damaged(f"the first line of {name} was changed")
        if (facts.get("run"), facts.get("number")) != (self._run, number) or number >= self._layout.partitions:
            raise self._place.damaged(f"{name} belongs to another table")
        return facts

    def load(self, number: int) -> None:
        """Read the entries of a partition. Raises InputError if they are damaged."""
        if number not in self.facts:
            self._entries[:] = self._empty
            return
        path = self._path(number)
        with path.open("rb", buffering=0) as file:
            file.seek(HEAD)
            length = file.readinto(self._entries.data)
        if length != self._entries.nbytes or self._checksum() != self.facts[number]["checksum"]:
            raise self._place.damaged(f"{path.name} was changed: its checksum differs")

    def save(self, number: int, **facts: Any) -> None:
        """Write the entries of a partition: at every moment its file is either unchanged or complete."""
        facts |= {"run": self._run, "number": number, "checksum": self._checksum()}
        path = self._path(number)
        fresh = path.with_name(f"{FRESH}{path.name}-{os.getpid()}")
        with fresh.open("wb", buffering=0) as file:
            for part in (json.dumps(sealed(facts)).encode().ljust(HEAD), self._entries.data):
                _write(file.fileno(), part)
        fresh.replace(path)
        self.facts[number] = sealed(facts)
        self._unsynced.add(number)

    def sync(self) -> None:
        """Make sure that what was written survives a loss of power."""
        for number in self._unsynced:
            with self._path(number).open("rb") as file:
                os.fsync(file.fileno())
        self._unsynced.clear()


class Updates:
    """Updates that are not carried out yet, by partition: in buffers, and in files to which full buffers are appended.

    buffers: flat, `room` numbers of 32 bits for each partition; filled: how many each of them holds.
    """

    def __init__(self, place: Workplace, layout: Layout) -> None:
        self._place, self._layout = place, layout
        self.buffers = np.zeros(layout.partitions * layout.room, np.uint32)
        self.filled = np.zeros(layout.partitions, np.int64)
        self._incoming = np.zeros(layout.room, np.uint32)
        self._on_disk = np.zeros(layout.partitions, np.int64)
        self._tail = ""

    def begin_files(self, tail: str) -> None:
        """Write to other files from now on. tail: what their names end with."""
        self._tail = tail
        self._on_disk[:] = 0

    @property
    def are_many(self) -> bool:
        """Whether so many are on disk that they should be carried out."""
        return self.bytes >= self._layout.most_updates

    @property
    def bytes(self) -> int:
        """The bytes of the files."""
        return UPDATE_BYTES * int(self._on_disk.sum())

    def files(self) -> dict[int, tuple[str, int]]:
        """The name of each partition's file, if it has one, and the number of its updates."""
        return {
            number: (self._path(number).name, int(self._on_disk[number]))
            for number in np.flatnonzero(self._on_disk).tolist()
        }

    def pending(self) -> list[int]:
        """The partitions that have updates."""
        return [int(number) for number in np.flatnonzero(self.filled + self._on_disk)]

    def write_full(self, reserve: int) -> None:
        """Empty the buffers with less than this room into their files."""
        for number in np.flatnonzero(self.filled > self._layout.room - reserve).tolist():
            start = number * self._layout.room
            with self._path(number).open("ab", buffering=0) as file:
                _write(file.fileno(), self.buffers[start : start + self.filled[number]].view(np.uint8).data)
            self._on_disk[number] += self.filled[number]
            self.filled[number] = 0

    def write_all(self) -> None:
        """Empty all buffers into their files."""
        self.write_full(self._layout.room)

    def read(self, name: str, count: int) -> Iterator[tuple[Array, int]]:
        """The first updates of a file, in arrays, each with the number that it holds."""
        with (self._place.directory / name).open("rb", buffering=0) as file:
            while count:
                length = file.readinto(self._incoming[:count].view(np.uint8).data) or 0
                if length == 0 or length % UPDATE_BYTES:
                    raise self._place.damaged(f"{name} is too short")
                yield self._incoming, length // UPDATE_BYTES
                count -= length // UPDATE_BYTES

    def take(self, number: int) -> Iterator[tuple[Array, int]]:
        """All updates of a partition, in arrays, each with the number that it holds; they are no longer pending."""
        if self._on_disk[number]:
            path = self._path(number)
            yield from self.read(path.name, int(self._on_disk[number]))
            path.unlink()
            self._on_disk[number] = 0
        start = number * self._layout.room
        yield self.buffers[start : start + self._layout.room], int(self.filled[number])
        self.filled[number] = 0

    def _path(self, number: int) -> Path:
        return self._place.directory / f"updates-{number:05}{self._tail}"


def _write(descriptor: int, content: Any) -> None:
    """Write all bytes; a disk that is almost full takes some of them."""
    content = memoryview(content)
    while content:
        content = content[os.write(descriptor, content) :]
