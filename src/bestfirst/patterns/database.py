"""PatternDatabase: the table of exact distances in an abstract domain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

from bestfirst.arguments import check_function, check_kind, check_seed, check_whole, parse_bytes, suggesting
from bestfirst.cached import cached_property
from bestfirst.compiled.compiler.state_fields import telling_fields, words_of_state
from bestfirst.domain import Domain
from bestfirst.errors import InputError
from bestfirst.lost_claims import why_not
from bestfirst.objectives.objective import check_sums_costs
from bestfirst.patterns.abstract_domain import as_abstract
from bestfirst.patterns.building.methods import shares_entries
from bestfirst.patterns.building.progress import Cost, HashedCost, Progress
from bestfirst.patterns.checking.verification import verify_samples, why_wrong
from bestfirst.patterns.identity import Identity, described
from bestfirst.patterns.storage import files
from bestfirst.patterns.storage.files import DamagedDatabaseError, data_directory, nearest_directory
from bestfirst.patterns.storage.hashed_table import HashedTable
from bestfirst.patterns.storage.packed_table import PackedTable, compress
from bestfirst.problem import Problem
from bestfirst.search_plan import place_of_workers
from bestfirst.stated import check_domain
from bestfirst.system.threads import check_threads

UNKNOWN = 255


@dataclass(frozen=True, eq=False)
class PatternDatabase:
    """The distances to the goal in an abstract domain, which are lower bounds for the original problem.

        database = bf.PatternDatabase.build(puzzle, pattern)
        bf.solve(puzzle, heuristic=bf.max_of(database))

    table: the distance of each entry, an array of bytes or a PackedTable; 255 if no goal can be reached. hashed: for a
    domain without a rank, the hash table that finds the entry of a state. header: its metadata. path: its directory.
    pattern: that for which a problem's project() returned the domain; None for a database of a domain alone.
    Two databases loaded from the same place, of the same domain, are equal. A pickle contains the place, the domain and the
    pattern; unpickling loads the database from there.
    Source: Culberson & Schaeffer 1998.
    """

    path: Path
    header: Mapping[str, Any]
    table: Any
    make: Callable[[], Domain]
    hashed: HashedTable | None = None
    pattern: Any = None

    @classmethod
    @suggesting
    def build(
        cls,
        problem: Problem,
        pattern: Any = None,
        *,
        data: str | Path | None = None,
        threads: int = 1,
        memory: int | str | None = None,
        disk: int | str | None = None,
        progress: Callable[[Progress], None] | None = None,
        rebuild: bool = False,
        compress: bool = False,
        on: str | None = None,
        workers: int | None = None,
    ) -> PatternDatabase:
        """The database of a pattern of a problem; it is built if it does not exist.

        pattern: as the problem's project() takes it; without one, problem is the abstract domain itself.
        data: the directory of the databases. threads: used if every action costs 1. memory, disk: limits of the build in
        bytes. A table by rank that exceeds the limit on memory is built on disk, by one thread, if the actions of the
        abstract domain can be undone; it is the same table. progress: called from time to time. rebuild: build it even if it
        exists, or is damaged.
        compress: whether to halve its size, without loss.
        on: "local" or "ray": a build on disk is shared among worker processes of this machine, or of a Ray cluster (extra `ray`),
        whose machines must all share the directory of the databases. workers: their number, by default one for each processor;
        alone, it means on="local". The limit on memory is for all of them together; a table within it is built by this process.
        Raises InputError if it cannot be built within the limits, compressed, or stored, and
        DamagedDatabaseError if it exists but is damaged.
        """
        from bestfirst.patterns.building.build import Builder  # noqa: PLC0415  (it imports NumPy)

        check_function("progress", progress, "a Progress")
        check_threads(threads)
        on = place_of_workers(on, workers)
        if on is not None and memory is None:
            raise InputError(
                "workers can share only a build on disk, which needs a limit on memory; set memory=, or omit on= and workers="
            )
        allowed = _bytes(memory, "memory"), _bytes(disk, "disk")
        abstract = _abstract(problem, pattern)
        identity = Identity.of(abstract)
        database = None if rebuild else cls.find(identity, lambda: abstract, data)
        if database is None:
            directory = data_directory(data)
            files.make_directory(directory)
            Builder(abstract, directory, threads, *allowed, progress, on, workers).build()
            database = cls.find(identity, lambda: abstract, data)
        assert database is not None
        if compress and not database.is_compressed:
            database.compress(threads=threads)
            database = cls.load(abstract, data=data)
        return database if pattern is None else replace(database, pattern=pattern)

    @classmethod
    def load(cls, problem: Problem, pattern: Any = None, *, data: str | Path | None = None) -> PatternDatabase:
        """The database of a pattern of a problem, which must exist.

        Raises InputError if it does not exist, and DamagedDatabaseError if it cannot be used.
        """
        abstract = _abstract(problem, pattern)
        identity = Identity.of(abstract)
        found = cls.find(identity, lambda: abstract, data)
        if found is None:
            raise InputError(
                f"no pattern database of {identity} exists in "
                f"{str(data_directory(data))!r}; build it: PatternDatabase.build(problem, pattern)"
            )
        return found if pattern is None else replace(found, pattern=pattern)

    @classmethod
    def find(cls, identity: Identity, make: Callable[[], Domain], data: str | Path | None = None) -> PatternDatabase | None:
        """The database of an abstract domain; None if it does not exist. make: creates the domain, if needed.

        Raises DamagedDatabaseError if it cannot be used.
        """
        directory = data_directory(data) / identity.key
        files.check_place(directory)
        if not directory.is_dir():
            return None
        header = files.read_header(directory)
        files.check_identity(directory, header, identity)
        content = files.read_table(directory, header)
        if files.PACKING in header:
            found = cls(directory, header, PackedTable(content, header["entries"], header[files.PACKING], make), make)
        elif "slots" not in header:
            found = cls(directory, header, content, make)
        else:
            hashed = HashedTable(content, header["fields"])
            found = cls(directory, header, hashed.distances, make, hashed)
        if files.is_large(header):
            found._check_samples()
        return found

    def _check_samples(self) -> None:
        """Recompute some entries of a table whose checksum is not verified each time.

        Raises DamagedDatabaseError if one is wrong.
        """
        why = why_wrong(self.domain, self.distance)
        if why is not None:
            raise files.damaged(self.path, why)

    @staticmethod
    def cost(
        problem: Problem, pattern: Any = None, *, threads: int = 1, memory: int | str | None = None
    ) -> Cost | HashedCost:
        """The cost of building the database within a limit on memory, with the time estimated by a short trial run."""
        from bestfirst.patterns.building.build import Builder  # noqa: PLC0415  (it imports NumPy)

        builder = Builder(_abstract(problem, pattern), Path(), threads, _bytes(memory, "memory"))  # nothing is written
        return builder.measured_cost()

    @staticmethod
    def check_room(
        problem: Problem,
        pattern: Any = None,
        *,
        data: str | Path | None = None,
        memory: int | str | None = None,
        disk: int | str | None = None,
    ) -> None:
        """Raise InputError if build() would refuse to start because of the table's size; nothing is written.

        memory, disk: limits of the build in bytes; default: what the machine has.
        """
        from bestfirst.patterns.building.build import Builder  # noqa: PLC0415  (it imports NumPy)

        allowed = _bytes(memory, "memory"), _bytes(disk, "disk")
        there = nearest_directory(data_directory(data))  # on the same disk as the new directory
        Builder(_abstract(problem, pattern), there, 1, *allowed).check_room()

    @cached_property
    def domain(self) -> Domain:
        """The abstract domain."""
        return self.make()

    @property
    def file(self) -> Path:
        """The path of the table."""
        return self.path / files.TABLE

    def distance(self, abstract_state: Any) -> float:
        """The distance of an abstract state to the goal; infinite if there is no path. Raises InputError unless it is an
        abstract state."""
        try:
            value = int(self.table[self._place(abstract_state)])
        except Exception as error:
            if isinstance(abstract_state, self.domain.State):
                raise
            fields = ", ".join(self.domain.State._fields)
            raise InputError(
                f"{abstract_state!r} is not a state of {self.domain.name()}; pass a State({fields}) of database.domain"
            ) from error
        return inf if value == UNKNOWN else value

    def _place(self, abstract_state: Any) -> int:
        """The index of an abstract state in the table."""
        domain = self.domain
        if self.hashed is not None:
            return self.hashed.find(words_of_state(domain, abstract_state), self._telling)
        return as_abstract(domain).entry(abstract_state) if shares_entries(domain) else domain.rank(abstract_state)

    @cached_property
    def _telling(self) -> Sequence[int]:
        """The indices of the words that distinguish abstract states."""
        return telling_fields(self.domain)

    def __call__(self, state: Any) -> float:
        """The estimate for a state of the problem, or of its domain() if the problem is not a Domain."""
        try:
            abstract_state = as_abstract(self.domain).abstract(state)
        except Exception as error:
            if hasattr(state, "_fields"):
                raise
            raise InputError(
                f"{self.domain.name()} has no abstract state for {state!r}; pass a state of problem.domain(), such as "
                "problem.domain().encode(state)"
            ) from error
        return self.distance(abstract_state)

    @property
    def is_compressed(self) -> bool:
        """Whether the table has 4 bits per entry."""
        return isinstance(self.table, PackedTable)

    def compress(self, *, threads: int = 1) -> None:
        """Replace the table on disk with one of 4 bits per entry; the database must then be loaded again.

        Raises InputError if the distances, or their differences from the table_base() of the domain, do not fit into 4 bits,
        and for a hash table.
        """
        with files.writing_to(self.path.parent):
            compress(self.path, as_abstract(self.domain).table_base(), threads=threads)

    @property
    def mean(self) -> float:
        """The mean of the finite distances."""
        levels: Sequence[int] = self.header["levels"]
        return sum(distance * count for distance, count in enumerate(levels)) / sum(levels)

    def verify(self, *, samples: int = 200, seed: int = 0) -> int:
        """Verify the checksum, and compare part of the table with searches in plain Python; return how many entries were
        compared.

        It is 0 if the actions of the domain cannot be undone or its goals are unknown, and its states have no rank: then only
        the checksum was verified.
        samples: the number of random walks. seed: their random seed.
        Raises DamagedDatabaseError or VerificationError if something is wrong.
        """
        check_whole("samples", samples, 0)
        check_seed(seed)
        files.check_table(self.path, self.header)
        return verify_samples(self.domain, self.distance, samples=samples, seed=seed)

    def _place_and_identity(self) -> tuple[Any, ...]:
        return self.path.resolve(), *(self.header[name] for name in ("domain", "source", "parameters"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PatternDatabase) and self._place_and_identity() == other._place_and_identity()

    def __hash__(self) -> int:
        return hash(self.path.resolve())

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (self.domain, str(self.path.parent.resolve()), self.pattern)

    def __repr__(self) -> str:
        of, entries = described(self.header["parameters"]), self.header["entries"]
        return f"<PatternDatabase of {self.header['domain']} ({of}): {entries:,} entries>"


def _loaded(domain: Domain, data: str, pattern: Any) -> PatternDatabase:
    """The database of a pickle."""
    return replace(PatternDatabase.load(domain, data=data), pattern=pattern)


def _abstract(problem: Problem, pattern: Any) -> Domain:
    check_kind("problem", problem, Problem, "an instance of a Problem, and a pattern")
    why = why_not(problem, "domain") if pattern is None and isinstance(problem, Domain) else None
    if why is not None:
        raise InputError(f"{type(problem).__name__} is not an abstract domain: {why}")
    abstract = problem if pattern is None else problem.project(pattern)
    if not isinstance(abstract, Domain):
        raise InputError(
            f"{type(problem).__name__} is not written as a Domain; pass a Domain, or also pass a pattern"
            if pattern is None
            else f"{type(problem).__name__}.project({pattern!r}) returns {abstract!r}; return an instance of a Domain"
        )
    check_domain(abstract)
    check_sums_costs(abstract, "a pattern database adds up")
    return abstract


__all__ = ["Cost", "DamagedDatabaseError", "HashedCost", "PatternDatabase", "Progress"]


def _bytes(given: int | str | None, name: str) -> int | None:
    return None if given is None else parse_bytes(given, name)
