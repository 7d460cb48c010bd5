"""No file of a saved search does harm: it is refused, or its search comes to the right answer."""

from __future__ import annotations

import pickle
import zipfile
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.compiled.drivers import checkpoint
from bestfirst.errors import InputError
from compilable import IntGraph
from crafted_saves import EIGHT, changed, outcome, parts_of, save_one, search_of, write

CRAFTED = 12


@pytest.mark.slow
@pytest.mark.parametrize("replayed", [checkpoint.REPLAYED, -1])
@pytest.mark.parametrize("name", ["astar", "idastar", "beam", "depth-first-branch-and-bound"])
def test_whatever_is_changed_the_answer_is_right_or_the_file_is_refused(
    name: str, replayed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a small search, which is made once more, and of a large one, which is read; benchmarks/fuzz_saves.py tries more."""
    monkeypatch.setattr(checkpoint, "REPLAYED", replayed)
    save_one(name, tmp_path / "whole")
    assert outcome(tmp_path / "whole", name, 18) == "right"
    parts = parts_of(tmp_path / "whole")
    for seed in range(CRAFTED):
        crafted, told = changed(parts, Random(seed))
        write(tmp_path / "crafted", crafted)
        assert outcome(tmp_path / "crafted", name, 18) in ("refused", "right"), told


def test_an_inconsistent_edge_without_a_beginning_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path to it has at least one action."""
    monkeypatch.setattr(checkpoint, "REPLAYED", -1)
    save_one("astar", tmp_path / "whole")
    parts = parts_of(tmp_path / "whole")
    parts["header"]["state"]["fall"] = []
    write(tmp_path / "crafted", parts)
    with pytest.raises(
        bf.InputError, match=r"crafted' is not a saved search, or is damaged \(its inconsistent edge has no start"
    ):
        bf.Search.load(tmp_path / "crafted", EIGHT)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *("weighted-astar", "idastar by f", "idastar with pruning", "idastar by threads", "astar with float costs"),
        *("astar with large costs", "anytime-weighted-astar with a huge weight", "anytime-beam with large costs"),
    ],
)
def test_a_search_that_is_read_goes_on_as_one_that_was_not_saved(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Saved and read again over and over: with its bound and counts on the way, and all that is told at the end."""
    monkeypatch.setattr(checkpoint, "REPLAYED", -1)
    whole, search = search_of(name).run(), search_of(name)
    for expansions in (1, 2, 5, 11, 7):
        stopped = search.run(bf.Limits(expansions=expansions))
        search.save(tmp_path / "search")
        search = bf.Search.load(tmp_path / "search", search.problem)
        assert (search.stats, search.lower_bound) == (stopped.stats, stopped.lower_bound)
    solution = search.run()
    solution.stats.seconds = whole.stats.seconds
    assert (solution.stats, solution.actions, solution.warnings) == (whole.stats, whole.actions, whole.warnings)


def test_a_search_without_a_solution_that_is_read_searches_the_last_round_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a file says of the beginning of a round is not enough to say that there is no solution; the counts are the same."""
    monkeypatch.setattr(checkpoint, "REPLAYED", -1)
    circle = IntGraph({node: [((node + 1) % 9, 1)] for node in range(9)}, frozenset(), {}, 9)
    whole = bf.solve(circle, "idastar", "given", engine="compiled")
    search = bf.Search(circle, "idastar", "given", engine="compiled")
    for _ in range(12):
        search.run(bf.Limits(expansions=3))
        search.save(tmp_path / "search")
        search = bf.Search.load(tmp_path / "search", circle)
    solution = search.run()
    solution.stats.seconds = whole.stats.seconds
    assert (solution.status, solution.stats) == ("unsolvable", whole.stats) == (whole.status, whole.stats)


class Runs:
    """What writes a file when it is unpickled."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> Any:
        return Path.touch, (self.file,)


def test_nothing_in_a_file_is_run_unless_that_is_asked_for(tmp_path: Path) -> None:
    """With a problem the one in the file is not read; without one, that must be asked for by name."""
    save_one("astar", tmp_path / "whole")
    pickled = pickle.dumps(Runs(tmp_path / "ran"))
    write(tmp_path / "crafted", {**parts_of(tmp_path / "whole"), "problem": np.frombuffer(pickled, np.uint8)})
    assert bf.Search.load(tmp_path / "crafted", EIGHT).run().cost == 18
    with pytest.raises(
        bf.InputError, match=r"pass the problem of the saved search: .*unpickle=True.*can run arbitrary code"
    ):
        bf.Search.load(tmp_path / "crafted")
    assert not (tmp_path / "ran").exists()
    with pytest.raises(bf.InputError, match="instead of a problem"):
        bf.Search.load(tmp_path / "crafted", unpickle=True)
    assert (tmp_path / "ran").exists()


def test_control_characters_of_a_header_are_escaped(tmp_path: Path) -> None:
    """A message is read in a terminal, and anybody may have written the file."""
    save_one("astar", tmp_path / "whole")
    parts = parts_of(tmp_path / "whole")
    for changes in (
        {"problem": "\x1b[31m", "algorithm": "none"},
        {"problem": "\x1b[31m", "fingerprint": "x"},
        {"version": "\x1b"},
    ):
        write(tmp_path / "forged", {**parts, "header": {**parts["header"], **changes}})
        with pytest.raises(InputError, match=r"\\x1b") as refusal:
            bf.Search.load(tmp_path / "forged", EIGHT)
        assert str(refusal.value).isprintable()


@pytest.mark.parametrize("place", [0, 2, 3])
def test_a_history_with_a_number_beyond_floats_is_refused(place: int, tmp_path: Path) -> None:
    """A time, a cost or a bound: a solution could not show it."""
    file = tmp_path / "s.npz"
    save_one("astar", file)
    parts = parts_of(file)
    entry: list[Any] = [0.0, 0, None, 0]
    entry[place] = 10**400
    parts["header"]["state"]["history"] = [entry]
    write(file, parts)
    with pytest.raises(InputError, match=r"damaged.*history"):
        bf.Search.load(file, EIGHT).run()


def test_an_array_of_objects_is_refused(tmp_path: Path) -> None:
    """NumPy would unpickle it."""
    save_one("astar", tmp_path / "whole")
    crafted = {**parts_of(tmp_path / "whole"), "array0": np.array([Runs(tmp_path / "ran")], object)}
    write(tmp_path / "crafted", crafted)
    with pytest.raises(bf.InputError, match="an array of object"):
        bf.Search.load(tmp_path / "crafted", EIGHT)
    assert not (tmp_path / "ran").exists()


def test_an_array_that_says_it_is_larger_than_the_file_is_refused(tmp_path: Path) -> None:
    """Before any memory is taken for it; so is a compressed file."""
    save_one("astar", tmp_path / "whole")
    parts = parts_of(tmp_path / "whole")
    write(tmp_path / "crafted", parts)
    content = (tmp_path / "crafted").read_bytes()
    shape = f"({len(parts['array0'])},)".encode()
    larger = content.replace(shape, b"(9e99,)"[: len(shape)].ljust(len(shape)))
    (tmp_path / "crafted").write_bytes(larger)
    with pytest.raises(bf.InputError, match="is not a saved search, or is damaged"):
        bf.Search.load(tmp_path / "crafted", EIGHT)
    with (
        zipfile.ZipFile(tmp_path / "whole") as whole,
        zipfile.ZipFile(tmp_path / "small", "w", zipfile.ZIP_DEFLATED) as small,
    ):
        for name in whole.namelist():
            small.writestr(name, whole.read(name))
    with pytest.raises(bf.InputError, match="it is compressed"):
        bf.Search.load(tmp_path / "small", EIGHT)


def test_a_saved_search_is_for_the_user_alone(tmp_path: Path) -> None:
    """And one that others could have written is not loaded."""
    file = tmp_path / "search"
    save_one("astar", file)
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o644)
    assert bf.Search.load(file, EIGHT).stats.expanded == 60
    file.chmod(0o666)
    with pytest.raises(bf.InputError, match=r"was not loaded: other users can write to .*chmod go-w"):
        bf.Search.load(file, EIGHT)


def test_nodes_that_a_best_first_search_would_have_expanded_cannot_be_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though all counts agree: a node that is said to be expanded has its children, so nothing is lost."""
    monkeypatch.setattr(checkpoint, "REPLAYED", -1)
    save_one("astar", tmp_path / "whole")
    search = bf.Search.load(tmp_path / "whole", EIGHT)
    driver: Any = search._stages.attempt.driver
    place = driver._store.layout.places["open"]
    words = driver._store.layout.words
    parts = parts_of(tmp_path / "whole")
    described = parts["header"]["state"]["driver"]
    array = f"array{described['words']['array']}"
    records = parts[array].copy()
    column = records[place.word :: words]
    waiting = np.flatnonzero(column >> place.shift & 1)
    column[waiting[0]] &= ~(1 << place.shift)
    described["search"]["open"] -= 1
    write(tmp_path / "crafted", {**parts, array: records})
    with pytest.raises(bf.InputError, match="is marked as expanded, but is not"):
        bf.Search.load(tmp_path / "crafted", EIGHT)


def line(*goals: int) -> IntGraph:
    """A line in both directions, with goals at some distance."""
    edges = {place: [(place + 1, 1), (max(0, place - 1), 1)] for place in range(240)}
    return IntGraph(edges, frozenset(goals), {}, 241)


def test_a_goal_that_was_expanded_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search for the far goal alone cannot be passed off as one for both."""
    monkeypatch.setattr(checkpoint, "REPLAYED", -1)
    both, far = (bf.Search(line(near, 240), "astar", "given", engine="compiled") for near in (20, 240))
    both.run(bf.Limits(expansions=10))
    far.run(bf.Limits(expansions=200))
    both.save(tmp_path / "both")
    far.save(tmp_path / "far")
    parts, like = parts_of(tmp_path / "far"), parts_of(tmp_path / "both")
    parts["header"]["fingerprint"] = like["header"]["fingerprint"]
    write(tmp_path / "crafted", parts)
    with pytest.raises(bf.InputError, match="is an expanded goal"):
        bf.Search.load(tmp_path / "crafted", line(20, 240))


def test_an_array_of_another_shape_is_another_problem(tmp_path: Path) -> None:
    """Though its bytes are the same."""

    def search(shape: tuple[int, int]) -> Tabled:
        return Tabled(np.arange(6).reshape(shape))

    bf.Search(search((2, 3)), "depth-first-branch-and-bound", engine="compiled").save(tmp_path / "search")
    assert bf.Search.load(tmp_path / "search", search((2, 3))).run().cost == 3
    with pytest.raises(bf.InputError, match="pass the same problem"):
        bf.Search.load(tmp_path / "search", search((3, 2)))


class Tabled(bf.Domain):
    """Steps along a line; the goal is in a table."""

    class State(NamedTuple):
        """A place."""

        place: int

    max_actions = 1

    def __init__(self, table: Any) -> None:
        self.table = table
        self.initial = self.State(0)

    def step(self, state: State, _action: int) -> Any:
        return True, self.State(state.place + 1), 1

    def is_goal(self, state: State) -> bool:
        return bool(state.place == self.table[1, 0])
