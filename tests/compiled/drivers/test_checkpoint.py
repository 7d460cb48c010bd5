"""Saved searches: gone on with as if nothing had happened, whole or not at all on disk, of no other problem."""

from __future__ import annotations

import ast
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.compiled.drivers import checkpoint
from bestfirst.errors import DatabaseError, InputError
from compilable import FloatGraph, IntGraph, Pancakes, TwoWay, TwoWayFloat

EIGHT = bf.SlidingTile("2 1 6 4 _ 8 7 5 3", goal="1 2 3 8 _ 4 7 6 5")
KORF_12 = bf.SlidingTile("14 1 9 6 4 8 12 5 7 2 3 _ 10 11 13 15", goal=range(16))

SEARCHES: dict[str, dict[str, Any]] = {
    "astar": {},
    "greedy": {"ties": "lifo"},
    "idastar": {},
    "weighted-astar": {"weight": 2},
    "anytime-weighted-astar": {},
    "depth-first-branch-and-bound": {},
    "beam": {"width": 3_000},
    "anytime-beam": {"width": 100},
    "bidirectional-astar": {},
}


@pytest.mark.slow
@pytest.mark.parametrize("replayed", [checkpoint.REPLAYED, -1])
@pytest.mark.parametrize("algorithm", SEARCHES)
def test_a_loaded_search_goes_on_where_it_was(
    algorithm: str, replayed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Saved and loaded twice on its way, it ends with the counts, the path and the bound of one that was not.

    Whether it is made once more, as a small one, or read, as a large one.
    """
    monkeypatch.setattr(checkpoint, "REPLAYED", replayed)
    options = SEARCHES[algorithm]
    problem = EIGHT if algorithm == "depth-first-branch-and-bound" else KORF_12
    whole = bf.solve(problem, algorithm, "manhattan", engine="compiled", **options)
    search = bf.Search(problem, algorithm, "manhattan", engine="compiled", **options)
    for number in range(2):
        stopped = search.run(bf.Limits(expansions=8_000))
        search.save(tmp_path / "search")
        search = bf.Search.load(tmp_path / "search", problem if number else None, unpickle=not number)
        assert search.solution.stats == stopped.stats
        assert (search.solution.status, search.lower_bound) == (stopped.status, stopped.lower_bound)
        assert search.solution.actions == stopped.actions
    solution = search.run()
    solution.stats.seconds = whole.stats.seconds
    assert solution.stats == whole.stats
    assert (solution.actions, solution.states, solution.status) == (whole.actions, whole.states, whole.status)


@pytest.mark.parametrize("algorithm", ["astar", "depth-first-branch-and-bound", "anytime-beam"])
def test_what_is_told_at_the_end_is_told_after_loading_too(algorithm: str, tmp_path: Path) -> None:
    """An inconsistent heuristic that was met before, and float costs."""
    edges = {0: [(1, 1.0), (2, 1.0)], 1: [(3, 2.0)], 2: [(3, 4.0)], 3: [(4, 3.0)]}
    domain = FloatGraph(edges, frozenset([4]), {0: 5, 1: 5, 3: 1}, 5)
    domain.default_heuristic = "given"
    search = bf.Search(domain, algorithm, engine="compiled")
    search.run(bf.Limits(expansions=3))
    search.save(tmp_path / "search")
    loaded = bf.Search.load(tmp_path / "search", unpickle=True).run()
    assert loaded.warnings == search.run().warnings
    assert "inconsistent" in loaded.warnings[0]


def test_a_fall_on_the_backward_side_is_told_after_loading_too(tmp_path: Path) -> None:
    """It has no path from the start of the problem."""
    edges = {0: [(1, 1), (2, 1)], 1: [(3, 2)], 2: [(3, 4)], 3: [(4, 3)]}
    search = bf.Search(TwoWay(edges, 4, {}, {4: 5, 3: 0}), "bidirectional-astar", engine="compiled")
    search.run(bf.Limits(expansions=2))
    search.save(tmp_path / "search")
    loaded = bf.Search.load(tmp_path / "search", unpickle=True).run()
    assert loaded.warnings == search.run().warnings
    assert "inconsistent" in loaded.warnings[0]


def test_a_path_found_from_both_ends_is_kept_with_its_costs(tmp_path: Path) -> None:
    """Which were added up in another order than from the start; of parallel edges it keeps the one that it takes."""
    edges = {0: [(1, 0.1)], 1: [(2, 0.2), (2, 0.2)], 2: [(3, 0.3)], 3: [(4, 0.7)]}
    search = bf.Search(TwoWayFloat(edges, 4, {}, {}), "bidirectional-astar", engine="compiled")
    whole = search.run()
    search.save(tmp_path / "search")
    loaded = bf.Search.load(tmp_path / "search", unpickle=True).solution
    assert (loaded.cost, loaded.actions, loaded.states) == (whole.cost, whole.actions, whole.states)


@pytest.mark.slow
def test_a_search_that_is_still_with_the_reference_engine_is_handed_over(tmp_path: Path) -> None:
    """A small one has not been compiled when it is saved."""
    search = bf.Search(KORF_12, "astar", "manhattan")
    search.run(bf.Limits(expansions=100))
    search.save(tmp_path / "search")
    assert bf.Search.load(tmp_path / "search", unpickle=True).run().cost == 45


def test_a_search_that_has_ended_stays_so(tmp_path: Path) -> None:
    """With its solution."""
    search = bf.Search(Pancakes([3, 1, 4, 2, 6, 5]), "astar", engine="compiled")
    whole = search.run()
    search.save(tmp_path / "search")
    loaded = bf.Search.load(tmp_path / "search", unpickle=True)
    assert loaded.ended
    assert loaded.solution.actions == whole.actions
    loaded.solution.verify()


def test_the_file_of_another_problem_is_refused(tmp_path: Path) -> None:
    """Another start, other data, another class."""
    edges = {0: [(1, 1)], 1: [(2, 1)]}
    domain = IntGraph(edges, frozenset([2]), {}, 3)
    domain.default_heuristic = "given"
    search = bf.Search(domain, "astar", engine="compiled")
    search.save(tmp_path / "search")
    for other in (IntGraph({0: [(1, 1)], 1: [(2, 3)]}, frozenset([2]), {}, 3), FloatGraph({}, frozenset([2]), {}, 3)):
        with pytest.raises(
            bf.InputError, match=r"contains a search of IntGraph.*pass the same problem, or start a new search"
        ):
            bf.Search.load(tmp_path / "search", other)
    with pytest.raises(bf.InputError):
        bf.Search.load(tmp_path / "search", KORF_12)


@pytest.mark.parametrize("damage", ["empty", "text", "short", "npz"])
def test_what_is_no_saved_search_is_refused(damage: str, tmp_path: Path) -> None:
    """With the name of the file."""
    file = tmp_path / "search"
    search = bf.Search(Pancakes([3, 1, 4, 2, 6, 5]), "astar", engine="compiled")
    search.save(file)
    if damage == "npz":
        with file.open("wb") as out:
            np.savez(out, some=np.zeros(3))
    else:
        file.write_bytes({"empty": b"", "text": b"no search", "short": file.read_bytes()[:-200]}[damage])
    with pytest.raises(bf.InputError, match=r"'.*search' is not a saved search"):
        bf.Search.load(file, unpickle=True)
    with pytest.raises(bf.InputError, match="does not exist"):
        bf.Search.load(tmp_path / "none", unpickle=True)


def test_a_search_of_the_reference_engine_cannot_be_saved(tmp_path: Path) -> None:
    """It says why."""
    search = bf.Search(bf.Problem.of(0, lambda state: [("up", state + 1, 1)], lambda state: state == 3))
    with pytest.raises(bf.InputError, match="not written as a Domain"):
        search.save(tmp_path / "search")


HARD = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
SHORT = bf.SlidingTile("1 5 2 3 8 _ 12 7 13 4 6 11 9 10 14 15", goal=range(16))
"""130 expansions of A*; the code that is compiled for KORF_12 searches it too."""


@pytest.mark.parametrize("engine", ["python", None])
def test_a_search_that_is_saved_stays_in_the_engine_that_it_had(engine: str | None, tmp_path: Path) -> None:
    """It can still be stepped through, and what was saved is the same search."""
    search = bf.Search(SHORT, "astar", "manhattan", engine=engine, limits=bf.Limits(expansions=50))
    search.run(bf.Limits(expansions=5))
    search.save(tmp_path / "search")
    assert search.solution.engine == "python"
    assert next(iter(search)).kind == "expand"
    loaded = bf.Search.load(tmp_path / "search", SHORT)
    assert (loaded.stats.expanded, search.stats.expanded) == (5, 6)
    assert loaded.run(bf.Limits()).stats.expanded == search.run(bf.Limits()).stats.expanded


GO_ON = "import bestfirst as bf, sys; print(bf.Search.load(sys.argv[1], unpickle=True).run().to_dict())"


@pytest.mark.slow
def test_a_search_with_pattern_databases_goes_on_in_another_process(tmp_path: Path) -> None:
    """Which has them elsewhere in memory."""
    search = bf.Search(HARD, "idastar", "pdb:4-4")
    search.run(bf.Limits(expansions=20))
    search.save(tmp_path / "search")
    whole = search.run().to_dict()
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", GO_ON, str(tmp_path / "search")], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        gone_on = ast.literal_eval(done.stdout)
        times = dict.fromkeys(("stats", "history", "preparation"))
        assert gone_on | times == whole | times
        assert {**gone_on["stats"], "seconds": None} == {**whole["stats"], "seconds": None}


@pytest.mark.parametrize(("error", "remedy"), [(InputError, True), (DatabaseError, False)])
def test_without_its_database_a_search_is_of_the_same_problem(error: type[InputError], remedy: bool, tmp_path: Path) -> None:
    """So the message does not ask for another problem, whatever its words."""

    class Refusing(bf.Search[Any, Any]):
        def __init__(self, *_arguments: Any, **_options: Any) -> None:
            raise error("there is no database")

    search = bf.Search(Pancakes([3, 1, 4, 2, 6, 5]), "astar", engine="compiled")
    search.save(tmp_path / "search")
    with pytest.raises(InputError, match="there is no database") as caught:
        Refusing.load(tmp_path / "search", search.problem)
    assert ("pass the same problem" in str(caught.value)) == remedy


@pytest.mark.slow
@pytest.mark.parametrize("replayed", [checkpoint.REPLAYED, -1])
def test_a_heuristic_without_a_name_is_given_again(replayed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the object that the search had it goes on; without it, or with another one, it is refused."""
    monkeypatch.setattr(checkpoint, "REPLAYED", replayed)
    few, more = (bf.PatternDatabase.build(HARD, range(1, last)) for last in (4, 6))
    search = bf.Search(HARD, "idastar", bf.max_of(more), engine="compiled")
    search.run(bf.Limits(expansions=100))
    search.save(tmp_path / "search")
    loaded = bf.Search.load(tmp_path / "search", HARD, heuristic=bf.max_of(more))
    assert loaded.stats.expanded == search.stats.expanded
    assert loaded.run().stats.expanded == search.run().stats.expanded
    with pytest.raises(bf.InputError, match=r"'pattern-databases', which .* does not offer.*problem, heuristic=\.\.\.\)"):
        bf.Search.load(tmp_path / "search", HARD)
    for other in (bf.max_of(few), bf.max_of(few, more), bf.sum_of(more), "manhattan"):
        with pytest.raises(
            bf.InputError, match=r"differs .* in its data, heuristic or code; pass the same problem and heuristic"
        ):
            bf.Search.load(tmp_path / "search", HARD, heuristic=other)


def test_a_heuristic_that_a_search_did_not_have_is_refused(tmp_path: Path) -> None:
    """A search for which none was given may change to another one."""
    search = bf.Search(Pancakes([3, 1, 4, 2, 6, 5]), "astar", engine="compiled")
    search.save(tmp_path / "search")
    with pytest.raises(bf.InputError, match="no heuristic was given; omit heuristic"):
        bf.Search.load(tmp_path / "search", Pancakes([3, 1, 4, 2, 6, 5]), heuristic="gap")


PROGRAM = """
import sys
import bestfirst as bf

search = bf.Search(bf.SlidingTile("14 1 9 6 4 8 12 5 7 2 3 _ 10 11 13 15", goal=range(16)), "astar", "manhattan", engine="compiled")
search.run(bf.Limits(expansions=20_000))
while True:
    search.save(sys.argv[1])
    print("saved", flush=True)
"""


@pytest.mark.slow
def test_a_process_killed_while_it_saves_leaves_a_whole_file(tmp_path: Path) -> None:
    """Killed at some moments of saving over and over: what is there can be loaded."""
    file = tmp_path / "search"
    for pause in (0.0, 0.003, 0.011):
        process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(file)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        assert bf.Search.load(file, KORF_12).run().cost == 45


class Corridor(bf.Domain):
    """From 0 to a number in the module, and back, past a wall."""

    class State(NamedTuple):
        """A place."""

        place: int

    max_actions = 2
    undirected = True
    wall = -1

    def __init__(self, start: int = 0, end: int = 20_000) -> None:
        self.initial, self.end, self.ahead = self.State(start), end, 1

    def step(self, state: Any, action: int) -> Any:
        place = state.place + self.ahead * (1 - 2 * action)
        return 0 <= place <= MOST and place != self.wall, self.State(place), 1

    def is_goal(self, state: Any) -> bool:
        return bool(state.place == self.end)

    @bf.heuristic(admissible=True, consistent=True)
    def none(self, state: Any) -> int:
        del state
        return 0

    def backward(self) -> Corridor:
        made = Corridor(self.end, self.initial.place)
        made.wall, made.ahead = BACKWARD_WALL, -1
        return made


MOST = 20_000
BACKWARD_WALL = -1


def test_a_search_from_both_ends_belongs_to_its_backward_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One whose backward() was edited is another problem."""
    search = bf.Search(Corridor(), "bidirectional-astar", "none", engine="compiled")
    search.run(bf.Limits(expansions=100))
    search.save(tmp_path / "search")
    assert bf.Search.load(tmp_path / "search", Corridor()).run().status == "optimal"
    monkeypatch.setattr(sys.modules[__name__], "BACKWARD_WALL", 5)
    with pytest.raises(bf.InputError, match="in its data, heuristic or code; pass the same problem, or"):
        bf.Search.load(tmp_path / "search", Corridor())


def test_a_search_belongs_to_a_problem_without_resources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One to which they were added later is another problem; the file is not damaged."""
    search = bf.Search(Corridor(), "depth-first-branch-and-bound", "none", engine="compiled")
    search.run(bf.Limits(expansions=100))
    search.save(tmp_path / "search")
    monkeypatch.setattr(Corridor, "resources", {"place": "less"})
    with pytest.raises(bf.InputError, match="in its data, heuristic or code; pass the same problem, or"):
        bf.Search.load(tmp_path / "search", Corridor())


def test_a_search_whose_code_has_changed_is_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ran other code than a search that is loaded would."""
    search = bf.Search(Corridor(), "depth-first-branch-and-bound", "none", engine="compiled")
    search.run(bf.Limits(expansions=100))
    monkeypatch.setattr(sys.modules[__name__], "MOST", 30_000)
    with pytest.raises(bf.InputError, match=r"the code of .* has changed since this search began"):
        search.save(tmp_path / "search")


def test_a_search_of_a_class_that_was_defined_again_names_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a cell of a notebook is run again."""
    search = bf.Search(Corridor(), "depth-first-branch-and-bound", "none", engine="compiled")
    search.run(bf.Limits(expansions=10))
    again = type("Corridor", (Corridor,), {"__qualname__": "Corridor"})
    monkeypatch.setattr(sys.modules[__name__], "Corridor", again)
    with pytest.raises(
        bf.InputError, match="its class Corridor has been redefined since it was created; create the Corridor again"
    ):
        search.save(tmp_path / "search")
