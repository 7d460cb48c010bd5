"""Tables of distances by hash, of abstract domains without a rank: those by rank, found in another way."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.domains.pancake.abstract import PancakePattern
from bestfirst.heuristics.space import explore
from bestfirst.patterns.building import work_files
from bestfirst.patterns.building.progress import HashedCost, Progress
from bestfirst.patterns.building.work_files import WORKING, opened_table
from bestfirst.patterns.combination import largest
from bestfirst.patterns.database import PatternDatabase
from bestfirst.patterns.identity import Identity
from bestfirst.patterns.storage import table_kinds
from bestfirst.patterns.storage.checksummed import sealed
from bestfirst.patterns.storage.files import BUILDING, HEADER, TABLE, DamagedDatabaseError
from bestfirst.patterns.storage.hashed_table import EMPTY, HashedTable, bytes_of_slot, may_hold, slots_for
from compilable import Pancakes

STACK = bf.Pancake("3 1 6 9 2 5 4 8 10 7")


class UnrankedPattern(PancakePattern):
    """The places of some pancakes, without a rank."""

    def __init__(self, puzzle: bf.Pancake, sizes: list[int]) -> None:
        super().__init__(puzzle, sizes)
        self.size = 0


UNRANKED = UnrankedPattern(STACK, [2, 4, 7, 9])


class SomePancakes(bf.Domain):
    """The tutorial's domain in which pancakes of other sizes look alike; states carry along how many of the kept are in place."""

    class State(NamedTuple):
        stack: int
        placed: int

    undirected = True
    identity = ("stack",)

    def __init__(self, stack: Pancakes, kept: list[int]) -> None:
        self.max_actions, self.count = stack.max_actions, stack.max_actions + 1
        self.kept = sum(1 << size for size in kept)
        self.wanted = len(kept)
        self.initial = self.abstract(stack.initial)
        self.goal = self.abstract(Pancakes.State(stack.goal)).stack

    def step(self, state: State, action: int) -> Any:
        turned = action + 2
        stack = state.stack >> (4 * turned) << (4 * turned)
        for place in range(turned):
            stack |= ((state.stack >> (4 * place)) & 15) << (4 * (turned - 1 - place))
        placed = 0
        for place in range(self.count):
            placed += stack >> 4 * place & 15 == place + 1
        return True, self.State(stack, placed), 1

    def is_goal(self, state: State) -> bool:
        return state.placed == self.wanted

    def goal_state(self) -> State:
        return self.State(self.goal, self.wanted)

    def abstract(self, state: Pancakes.State) -> State:
        stack = 0
        placed = 0
        for place in range(self.count):
            size = state.stack >> 4 * place & 15
            if self.kept >> size & 1:
                stack |= size << 4 * place
                placed += size == place + 1
        return self.State(stack, placed)


class OwnPancakes(Pancakes):
    """The tutorial's domain with patterns."""

    def project(self, pattern: list[int]) -> SomePancakes:
        return SomePancakes(self, pattern)


@pytest.mark.slow
def test_it_has_the_distances_of_the_table_by_rank(tmp_path: Path) -> None:
    """Entry for entry, with the same levels; and no state more."""
    ranked = PatternDatabase.build(STACK, [2, 4, 7, 9], data=tmp_path / "ranked")
    hashed = PatternDatabase.build(UNRANKED, data=tmp_path / "hashed")
    assert hashed.hashed is not None and ranked.hashed is None
    assert hashed.header["states"] == ranked.header["states"] == hashed.header["levels"]
    assert (hashed.header["entries"], hashed.header["unreachable"]) == (5040, 0)
    for number in range(5040):
        state = ranked.domain.unrank(number)
        assert hashed.distance(state) == ranked.table[number]
    assert hashed.distance(UNRANKED.State(0)) == float("inf")
    assert hashed.mean == ranked.mean
    assert hashed.verify() > 2000


def test_searches_look_in_it_alike_in_both_engines(tmp_path: Path) -> None:
    """A heuristic of a domain of one's own, whose abstract states have fields that do not tell them apart."""
    stack = OwnPancakes([3, 1, 6, 2, 7, 5, 4])
    both = largest(stack, [PatternDatabase.build(stack, pattern, data=tmp_path) for pattern in ([1, 2, 3], [4, 5, 6, 7])])
    audit = bf.audit(stack, both, space=explore(stack))
    assert (audit.admissible, audit.consistent) == (True, True)
    compiled, reference = (bf.solve(stack, "idastar", both, engine=engine) for engine in ("compiled", "python"))
    assert (compiled.engine, compiled.cost, compiled.actions) == ("compiled", reference.cost, reference.actions)
    assert (compiled.stats.expanded, compiled.stats.generated) == (reference.stats.expanded, reference.stats.generated)


KILLED = """
import os, signal, sys
from bestfirst.patterns.building import work_files
from bestfirst.patterns.database import PatternDatabase
from patterns.storage.test_hashed_table import UNRANKED

work_files.SECONDS_BETWEEN_NOTES = work_files.LONGEST_PART_OF_TIME = 0
data, where = sys.argv[1:]

def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def at(progress):
    if f"{progress.stage} {progress.level}" == where:
        kill()

if where == "growth":
    work_files.GrowingTable.replace = kill
PatternDatabase.build(UNRANKED, data=data, progress=at)
"""


@pytest.mark.slow
@pytest.mark.parametrize("where", ["distances 0", "distances 4", "growth", "entries 8"])
def test_a_build_that_was_killed_goes_on(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a level, while the table is made larger, or at the end; and to the same bytes."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]), prepend=":")
    ended = subprocess.run([sys.executable, "-c", KILLED, tmp_path / "killed", where], check=False)
    assert ended.returncode == -signal.SIGKILL
    first: list[Progress] = []
    PatternDatabase.build(UNRANKED, data=tmp_path / "killed", progress=first.append)
    assert (first[0].before == 0) == (where == "distances 0")
    PatternDatabase.build(UNRANKED, data=tmp_path / "whole")
    one, other = (tmp_path / name / Identity.of(UNRANKED).key for name in ("killed", "whole"))
    assert (one / TABLE).read_bytes() == (other / TABLE).read_bytes()
    assert (one / HEADER).read_text() == (other / HEADER).read_text()
    assert sorted(path.name for path in one.iterdir()) == ["checked.json", "header.json", "table.npy"]


@pytest.mark.parametrize("column", ["distance", "first field", "unfinished"])
def test_a_changed_working_file_is_refused_if_finished_levels_changed(
    column: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else was changed is found again."""
    monkeypatch.setattr(work_files, "SECONDS_BETWEEN_NOTES", 0)
    monkeypatch.setattr(work_files, "LONGEST_PART_OF_TIME", 0)

    def stop(progress: Progress) -> None:
        if progress.level == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        PatternDatabase.build(UNRANKED, data=tmp_path, progress=stop)
    (path,) = tmp_path.glob(f"*/{WORKING}")
    content = opened_table(path)
    table = HashedTable(content, 1)
    if column == "unfinished":
        places = np.flatnonzero((table.distances >= 4) & (table.distances < EMPTY))
        table.distances[places[::2]] += 3
        table.distances[places[1::2]] = EMPTY
    else:
        slot = np.flatnonzero(table.distances == 3)[-1]
        (table.distances if column == "distance" else table.rows[0])[slot] += 1
    content.flush()
    if column != "unfinished":
        with pytest.raises(bf.InputError, match="its working table was changed; repeat the build"):
            PatternDatabase.build(UNRANKED, data=tmp_path)
    found, whole = (PatternDatabase.build(UNRANKED, data=data) for data in (tmp_path, tmp_path / "whole"))
    assert (found.path / TABLE).read_bytes() == (whole.path / TABLE).read_bytes()


@pytest.mark.parametrize("limit", ["memory", "disk"])
def test_a_table_that_gets_too_large_is_refused(limit: str, tmp_path: Path) -> None:
    """Once that is seen; with more it goes on from there."""
    taken: list[Progress] = []
    with pytest.raises(bf.InputError, match=rf"takes 108.0 KiB of {limit} for more than 2,867 states, but the limit is .*;"):
        PatternDatabase.build(UNRANKED, data=tmp_path, progress=taken.append, **{limit: 100_000})  # type: ignore[arg-type]
    with pytest.raises(bf.InputError, match=rf"of {limit} to sort its 5,040 states, but"):
        PatternDatabase.build(UNRANKED, data=tmp_path, **{limit: 200_000})  # type: ignore[arg-type]
    assert PatternDatabase.build(UNRANKED, data=tmp_path).header["entries"] == 5040


def test_what_it_takes_for_each_state_is_said(tmp_path: Path) -> None:
    """How many there are is known only afterwards."""
    cost = PatternDatabase.cost(UNRANKED)
    assert isinstance(cost, HashedCost)
    assert str(cost).startswith("one entry for each reachable abstract state, 13 to 26 bytes on disk for each; to build it:")
    told: list[str] = []
    PatternDatabase.build(UNRANKED, data=tmp_path, progress=lambda progress: told.append(str(progress)))
    assert told[0].startswith("level 0 (100%): 0 states, ")


@pytest.mark.parametrize("cost", [0, 1, 3, 300, 2**63 - 1])
def test_actions_of_any_whole_cost(cost: int, tmp_path: Path) -> None:
    """Several goals, and actions that cost nothing: the distances of the whole space."""
    domain = Steps(50, cost)
    space = explore(domain)
    assert space is not None
    database = PatternDatabase.build(domain, data=tmp_path)
    for state, distance in zip(space.states, space.distances, strict=True):
        assert database.distance(state) == distance
    assert sum(database.header["states"]) == len(space.states)


class Steps(bf.Domain):
    """A row of places: along it by one for 1, by five for another cost."""

    class State(NamedTuple):
        place: int

    max_actions = 4
    undirected = True

    def __init__(self, length: int, cost: float) -> None:
        self.length, self.cost = length, cost
        self.by = np.array([1, -1, 5, -5])
        self.initial = self.State(1)

    def step(self, state: State, action: int) -> Any:
        place = state.place + self.by[action]
        return 0 <= place < self.length, self.State(place), 1 if action < 2 else self.cost

    def is_goal(self, state: State) -> bool:
        return state.place == 0 or state.place == self.length - 3

    def goal_states(self) -> list[State]:
        return [self.State(self.length - 3), self.State(0)]


class OneWay(Steps):
    """The same, but nobody says that there is a way back."""

    undirected = False


class Goalless(Steps):
    """The same, but nobody says where the goal is."""

    def goal_states(self) -> None:  # type: ignore[override]
        return None


class WrongGoal(Steps):
    """One of the goals is none."""

    def goal_states(self) -> list[Steps.State]:
        return [self.State(0), self.State(1)]


@pytest.mark.parametrize(
    ("domain", "why"),
    [
        (OneWay(9, 1), r"cannot have a table: it defines neither rank\(\) and unrank\(\), nor what a search from the goal"),
        (Goalless(9, 1), r"or a goal \(goal_state\(\) or goal_states\(\)\) and a way back \(undirected = True or inverse"),
        (WrongGoal(9, 1), r"WrongGoal.goal_states\(\) contains State\(place=1\), for which is_goal returns False"),
        (Steps(3000, 1), "states farther than 254 .* use a smaller pattern"),
        (Steps(9, 0.5), "an action in .* costs 0.5; a table of distances needs costs that are whole numbers >= 0"),
        (Steps(9, -1), "an action in .* costs -1; a table of distances needs costs that are whole numbers >= 0"),
    ],
)
def test_what_cannot_be_built_is_refused(domain: bf.Domain, why: str, tmp_path: Path) -> None:
    """With the reason; and nothing is left of it."""
    with pytest.raises(bf.BestfirstError, match=why):
        PatternDatabase.build(domain, data=tmp_path)
    assert not list(tmp_path.iterdir())


def test_what_is_no_longer_trusted_is_named(tmp_path: Path) -> None:
    """A rule that was set on the class later ends what the class says of the way back."""

    class Later(Steps):
        pass

    Later.step = FunctionType(Steps.step.__code__, globals())  # type: ignore[method-assign]
    with pytest.raises(bf.InputError, match=r"has no rank\(\) and unrank\(\); step of this Later has been replaced"):
        PatternDatabase.build(Later(9, 1), data=tmp_path)


def test_a_damaged_table_is_refused(tmp_path: Path) -> None:
    """As those by rank are."""
    PatternDatabase.build(UNRANKED, data=tmp_path)
    path = tmp_path / Identity.of(UNRANKED).key / TABLE
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(DamagedDatabaseError, match="its table cannot be read"):
        PatternDatabase.load(UNRANKED, data=tmp_path)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"slots": 1000}, "1,000 slots cannot be a hash table of 5,040 entries"),
        ({"slots": 4096}, "4,096 slots cannot be a hash table of 5,040 entries"),
        ({"slots": 16384}, r"its table has the shape \(73728,\) and the type uint8, not 147,456 bytes"),
        ({"slots": 4096, "fields": 2}, "4,096 slots cannot be a hash table"),
        ({"slots": None}, "its header does not describe its hash table"),
        ({"fields": 0}, "its header does not describe its hash table"),
        ({"fields": True}, "its header does not describe its hash table"),
        ({"packing": "distance"}, "its header does not describe its hash table"),
    ],
)
def test_a_header_that_is_of_no_hash_table_is_refused(changes: dict[str, object], why: str, tmp_path: Path) -> None:
    """Looking a state up would find nothing, or no end; where the seal was made anew, that is found out all the same."""
    path = PatternDatabase.build(UNRANKED, data=tmp_path).path / HEADER
    header = json.loads(path.read_text()) | changes
    for text, told in ((json.dumps(header), "its digest differs"), (json.dumps(sealed(header)), why)):
        path.write_text(text)
        with pytest.raises(DamagedDatabaseError, match=told):
            PatternDatabase.load(UNRANKED, data=tmp_path)


def test_a_hash_table_is_not_compressed(tmp_path: Path) -> None:
    """Most of it are the states."""
    with pytest.raises(bf.InputError, match="is a hash table, which cannot be compressed"):
        PatternDatabase.build(UNRANKED, data=tmp_path, compress=True)


def test_a_working_file_of_another_length_begins_anew(tmp_path: Path) -> None:
    """It is not that of a hash table."""
    kind = table_kinds.HashedKind(UNRANKED, 1)
    assert [length for length in range(1, 200) if kind._may_have(length)] == [9, 18, 36, 72, 144]
    building = tmp_path / f"{Identity.of(UNRANKED).key}{BUILDING}"
    building.mkdir()
    np.save(building / WORKING, np.zeros(10, np.uint8))
    assert PatternDatabase.build(UNRANKED, data=tmp_path).header["entries"] == 5040


@given(states=st.sets(st.tuples(st.integers(-(2**63), 2**63 - 1), st.integers(0, 3)), max_size=60))
def test_a_state_is_found_where_it_was_put(states: set[tuple[int, int]]) -> None:
    """Each in a slot of its own, and others in none."""
    slots = slots_for(len(states))
    assert len(states) <= may_hold(slots)
    content = np.full(slots * bytes_of_slot(2), 255, np.uint8)
    table = HashedTable(content, 2)
    for number, state in enumerate(sorted(states)):
        slot = table.find(state, (0, 1))
        assert table.distances[slot] == 255
        for row, value in zip(table.rows, state, strict=True):
            row[slot] = value
        table.distances[slot] = number
    assert [table.distances[table.find(state, (0, 1))] for state in sorted(states)] == list(range(len(states)))
    assert table.distances[table.find((5, 9), (0, 1))] == 255
