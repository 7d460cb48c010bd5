"""A search for which no heuristic is asked begins anew as a long search, where the usual one has not soon led to the end."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.compiled.drivers import checkpoint
from bestfirst.patterns import Policy, database_policy
from bestfirst.search_plan import HEAD_START

HARD = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
EASY = bf.SlidingTile("1 2 3 4 5 6 _ 7 8")


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of databases in which there are none yet."""
    directory = tmp_path / "databases"
    monkeypatch.setenv("BESTFIRST_DATA", str(directory))
    return directory


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "rbfs", "best-first-tree"])
def test_a_long_search_goes_on_with_pattern_databases(algorithm: str) -> None:
    """And counts what it does with them, apart from its head start; that the 8-puzzle's database is exact shows in the count."""
    solution = bf.solve(HARD, algorithm)
    assert solution.head_start == HEAD_START
    assert (solution.heuristic, solution.cost, solution.stats.expanded) == ("pdb:8", 31, 31)
    assert solution.status == "optimal"


@pytest.mark.slow
@pytest.mark.parametrize(
    "how", [{"engine": "python"}, {"engine": "compiled"}, {"threads": 2}, {"engine": "compiled", "threads": 3}]
)
@pytest.mark.parametrize("board", [HARD, EASY])
def test_it_is_the_same_search_whoever_makes_it(board: bf.SlidingTile, how: dict[str, Any]) -> None:
    """Both engines, and several threads, change at the same place or not at all."""
    expected = bf.solve(board, "idastar")
    solution = bf.solve(board, "idastar", **how)
    solution.stats.seconds = expected.stats.seconds
    assert (solution.heuristic, solution.actions, solution.stats) == (expected.heuristic, expected.actions, expected.stats)
    assert solution.engine == how.get("engine", "python")


def test_a_short_search_stays_with_the_usual_one(own_data: Path) -> None:
    """Nothing is built for it, and it has no head start."""
    solution = bf.solve(EASY)
    assert solution.head_start == 0
    assert (solution.heuristic, solution.cost) == ("manhattan", 2)
    assert not own_data.exists()


GIVEN: list[dict[str, Any]] = [
    {"limits": bf.Limits(expansions=1_000_000)},
    {"limits": bf.Limits(seconds=600)},
    {"limits": bf.Limits(memory="4GiB")},
    {"limits": bf.Limits(depth=1_000)},
    {"trace": True},
    {"engine": "python"},
    {"engine": "compiled"},
    {"threads": 1},
    {"threads": 2},
    {"verify": False},
    {},
]


@pytest.mark.slow
@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_neither_a_limit_that_is_not_reached_nor_a_trace_nor_the_engine_changes_the_search(
    given: dict[str, Any], own_data: Path
) -> None:
    """From an empty directory of databases: one algorithm, one heuristic, one count; then again in the same process."""
    for _ in range(2):
        solution = bf.solve(HARD, **given)
        assert (solution.algorithm, solution.heuristic, solution.stats.expanded) == ("idastar", "pdb:8", 31)
        assert solution.plan is not None
        assert (solution.plan.algorithm, solution.plan.heuristic) == ("idastar", "pdb:8")
    assert own_data.exists()


def test_databases_of_others_do_not_change_the_search(own_data: Path) -> None:
    """Neither weaker ones that lie there nor stronger ones are taken."""
    bf.solve(HARD, "idastar", "pdb:4-4")
    solution = bf.solve(HARD)
    assert (solution.heuristic, solution.stats.expanded) == ("pdb:8", 31)
    assert own_data.exists()


def test_that_nothing_may_be_built_is_an_argument_and_changes_the_plan(own_data: Path) -> None:
    """To the same heuristic whether databases lie there or not."""
    forbidden = Policy(may_build=False)
    before = bf.solve(HARD, databases=forbidden)
    assert not own_data.exists()
    assert bf.solve(HARD).heuristic == "pdb:8"
    after = bf.solve(HARD, databases=forbidden)
    assert before.heuristic == after.heuristic == "linear-conflict"
    assert before.plan is not None and before.plan.heuristic == "linear-conflict"
    assert before.stats.expanded == after.stats.expanded
    with database_policy(forbidden):
        assert bf.solve(HARD).stats.expanded == before.stats.expanded
        assert bf.plan(HARD).heuristic == "linear-conflict"


def test_a_limit_on_expansions_holds_in_each_search() -> None:
    """The expansions of the long search are counted anew."""
    for most in (0, HEAD_START - 1, HEAD_START):
        short = bf.solve(HARD, limits=bf.Limits(expansions=most))
        assert (short.heuristic, short.stats.expanded, short.limit) == ("manhattan", most, "expansions")
    long = bf.solve(HARD, limits=bf.Limits(expansions=HEAD_START + 5))
    assert (long.heuristic, long.stats.expanded) == ("pdb:8", 31)


def test_a_search_that_is_gone_through_is_the_same_search() -> None:
    """Its events are those of both searches; a trace keeps those of the long one."""
    search = bf.Search(HARD)
    assert sum(event.kind == "expand" for event in search) == HEAD_START + 31
    assert (search.solution.heuristic, search.stats.expanded) == ("pdb:8", 31)
    traced = bf.solve(HARD, trace=True)
    assert traced.trace is not None
    assert len(traced.trace.expansions()) == traced.stats.expanded == 31


def test_a_search_that_is_gone_through_in_part_can_be_run_to_the_end() -> None:
    """It is the same search still."""
    search = bf.Search(HARD)
    for event in search:
        if event.kind == "expand" and search.stats.expanded == 100:
            break
    assert search.run().stats.expanded == 31


def test_a_long_search_of_the_reference_engine_can_be_gone_through() -> None:
    """Whatever the number of processors, which are none of its business."""
    search = bf.Search(HARD, engine="python")
    seen = 0

    def stop(_search: bf.Search) -> None:
        nonlocal seen
        seen += 1
        if seen == HEAD_START + 5:
            signal.raise_signal(signal.SIGINT)

    assert search.run(progress=stop).status == "interrupted"
    assert search.heuristic is not None
    assert search.heuristic.name == "pdb:8"
    assert sum(event.kind == "goal" for event in search) == 1


@pytest.mark.parametrize("algorithm", ["greedy", "beam", "bidirectional-astar", "uniform-cost"])
def test_other_algorithms_stay_with_the_usual_one(algorithm: str) -> None:
    """They promise no cost, take no heuristic unless it is given, or need one for both ends."""
    assert bf.solve(HARD, algorithm).heuristic in ("manhattan", None)


@pytest.mark.parametrize("how", [{}, {"engine": "compiled"}, {"threads": 2}, {"engine": "compiled", "threads": 2}])
def test_where_no_database_can_be_kept_the_search_says_so_and_stays_with_the_usual_one(
    how: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was not asked for, so it is no error."""
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    monkeypatch.setenv("BESTFIRST_DATA", str(in_the_way))
    solution = bf.solve(HARD, "idastar", **how)
    assert (solution.heuristic, solution.cost, solution.status) == ("manhattan", 31, "optimal")
    assert solution.stats.expanded == bf.solve(HARD, "idastar", "manhattan").stats.expanded
    (warning,) = solution.warnings
    assert warning.startswith(f"the search kept heuristic 'manhattan': pattern databases cannot be stored in {in_the_way}")


@pytest.mark.usefixtures("own_data")
def test_ctrl_c_while_a_database_is_built_gives_back_what_is_known() -> None:
    """And the search can be run on, and builds it."""

    def press(_progress: object) -> None:
        signal.raise_signal(signal.SIGINT)

    search = bf.Search(HARD, "idastar")
    with database_policy(Policy(progress=press)):
        stopped = search.run()
    assert (stopped.status, stopped.heuristic) == ("interrupted", "manhattan")
    assert stopped.lower_bound >= HARD.manhattan(HARD.initial)
    solution = search.run()
    assert (solution.status, solution.heuristic, solution.cost) == ("optimal", "pdb:8", 31)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_that_was_saved_goes_on_as_one_that_was_not(threads: int, tmp_path: Path) -> None:
    """Before it begins anew, and afterwards; a save that fails changes nothing either."""
    search = bf.Search(HARD, "idastar", threads=threads)
    with pytest.raises(bf.InputError):
        search.save(tmp_path / "nowhere" / "early")
    search.save(tmp_path / "early")
    assert bf.Search.load(tmp_path / "early", unpickle=True).run().heuristic == "pdb:8"
    assert search.run().heuristic == "pdb:8"
    changed = bf.Search(HARD, "idastar")
    changed.run()
    changed.save(tmp_path / "late")
    loaded, own = (one.solution.to_dict() for one in (bf.Search.load(tmp_path / "late", unpickle=True), changed))
    in_engine = {
        "engine": None,
        "stats": None,
        "history": None,
        "preparation": None,
    }  # it may have ended in the reference engine
    assert {**loaded, **in_engine} == {**own, **in_engine}
    assert changed.solution.heuristic == "pdb:8"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("named", "sharing", "options"),
    [
        ({}, 3, {"prune": 8, "prune_from": 1_000_000}),
        ({"threads": 1}, 1, {"prune": 8, "prune_from": 1_000_000}),
        ({"threads": 2}, 2, {"prune": 8, "prune_from": 1_000_000}),
        ({"algorithm": "idastar"}, 1, {}),
        ({"heuristic": "manhattan", "algorithm": "idastar"}, 1, {}),
        ({"algorithm": "idastar", "threads": 2}, 2, {}),
    ],
)
def test_where_nothing_is_named_all_processors_make_the_long_search(
    named: dict[str, Any], sharing: int, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the options that the problem has for it; and it is the same search whatever their number."""
    monkeypatch.setattr(sys.modules["bestfirst.stages"], "processors", lambda: 3)
    search = bf.Search(HARD, engine="compiled", **named)
    solution = search.run()
    search.save(tmp_path / "search")
    told = checkpoint.read(tmp_path / "search").header.part("long_search")
    assert told.whole("sharing") == sharing
    assert search.plan.stages[-1].threads in (sharing, None)
    assert dict((search.plan.long or search.plan.first).options) == options
    assert solution.cost == 31
    if "heuristic" not in named:
        assert solution.stats.expanded == bf.solve(HARD, "idastar", engine="python").stats.expanded
    loaded = bf.Search.load(tmp_path / "search", unpickle=True).solution
    assert {**loaded.to_dict(), "preparation": 0} == {**solution.to_dict(), "preparation": 0}


class Walk(bf.Problem):
    """Along a line from 5,000 to 0, with a heuristic that knows nothing and one that knows all."""

    initial = 5_000
    unit_cost = True
    default_heuristic = "nothing"
    long_search = bf.LongSearch("all")

    def is_goal(self, state: int) -> bool:
        return state == 0

    def successors(self, state: int) -> Any:
        return [(step, state + step, 1) for step in (1, -1)]

    @bf.heuristic(admissible=True, consistent=True)
    def nothing(self, state: int) -> int:
        """0."""
        del state
        return 0

    @bf.heuristic(admissible=True, consistent=True)
    def all(self, state: int) -> int:
        """The distance."""
        return abs(state)


@pytest.mark.parametrize("algorithm", ["uniform-cost", "bidirectional-astar"])
def test_an_algorithm_without_a_heuristic_is_refused(algorithm: str) -> None:
    """When the search is made, not after its beginning."""
    walk = Walk()
    walk.long_search = bf.LongSearch("all", algorithm)
    with pytest.raises(bf.InputError, match=f"Walk.long_search names '{algorithm}', which does not use exactly one"):
        bf.Search(walk)


def test_options_that_the_algorithm_has_not_are_refused() -> None:
    """When the search is made, too."""
    walk = Walk()
    walk.long_search = bf.LongSearch("all", "idastar", {"weight": 2})
    with pytest.raises(bf.UnknownNameError, match="idastar has no option 'weight'"):
        bf.Search(walk)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("all", "pass a LongSearch"),
        (bf.LongSearch("all", "idastar", None), "Walk.long_search.options is None"),  # type: ignore[arg-type]
        (bf.LongSearch("all", options={"prune": 8}), "names no algorithm"),
        (bf.LongSearch("all", bf.IDAStar(), {"prune": 8}), "names no algorithm"),
    ],
)
def test_a_long_search_that_is_none_is_refused(said: Any, why: str) -> None:
    """With what it should be."""
    walk = Walk()
    walk.long_search = said
    with pytest.raises(bf.InputError, match=why):
        bf.Search(walk)


def test_the_three_members_before_long_search_still_work() -> None:
    """They are deprecated."""

    class Older(Walk):
        """Stated for an older version."""

        long_search = None  # type: ignore[assignment]
        long_search_heuristic = "all"
        long_search_algorithm = "idastar"
        long_search_options = MappingProxyType({"order": "f"})

    with pytest.warns(DeprecationWarning, match="use long_search"):
        search = bf.Search(Older())
    assert search.plan.long is not None
    assert (search.plan.long.algorithm.name, search.plan.long.options) == ("idastar", {"order": "f"})
    assert search.plan.long.heuristic == "all"


def test_a_heuristic_that_cannot_be_compiled_is_left_where_it_must_be() -> None:
    """The search was not asked for it; so it stays with the usual one, and says so."""
    tiles = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
    tiles.long_search = bf.LongSearch("max(manhattan, misplaced)", "idastar")
    solution = bf.solve(tiles, "idastar", engine="compiled")
    assert (solution.heuristic, solution.cost, solution.engine) == ("manhattan", 31, "compiled")
    assert "the search kept heuristic 'manhattan': the compiled engine cannot" in solution.warnings[0]


def test_a_heuristic_made_by_name_may_be_a_function() -> None:
    """As where it is given to solve()."""

    class Named(Walk):
        """Its heuristic for long searches has no mark."""

        long_search = bf.LongSearch("made")

        def heuristic_named(self, name: str) -> Any:
            return abs if name == "made" else None

    assert bf.solve(Named()).heuristic == "abs"


def test_a_problem_of_ones_own_can_have_a_heuristic_for_long_searches() -> None:
    """It names it; the algorithm stays the same, since it names none."""
    solution = bf.solve(Walk())
    assert (solution.algorithm, solution.heuristic) == ("astar", "all")
    assert (solution.cost, solution.stats.expanded) == (5_000, 5_000)


class Weaker(Walk):
    """The same, where the heuristic for long searches is the one that knows nothing."""

    default_heuristic = "half"
    long_search = bf.LongSearch("nothing")

    @bf.heuristic(admissible=True, consistent=True)
    def half(self, state: int) -> float:
        """Half of the distance."""
        return abs(state) / 2


def test_a_bound_that_was_proved_is_kept() -> None:
    """By the short search, where the long one is stopped before it has proved as much."""

    def stop(search: bf.Search) -> None:
        if search.heuristic is not None and search.heuristic.name == "nothing":
            signal.raise_signal(signal.SIGINT)

    stopped = bf.solve(Weaker(), progress=stop)
    assert (stopped.status, stopped.heuristic) == ("interrupted", "nothing")
    assert stopped.lower_bound >= 2_500


def test_a_long_search_of_tiles_takes_no_memory() -> None:
    """Where no algorithm and no option of one is asked for, it goes on with IDA*."""
    assert (bf.solve(HARD).algorithm, bf.solve(EASY).algorithm) == ("idastar", "astar")
    assert bf.solve(EASY, threads=2).algorithm == "astar"
    assert bf.solve(HARD, "astar").algorithm == bf.solve(HARD, ties="lifo").algorithm == "astar"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_a_database_that_cannot_be_written_does_not_end_the_search(own_data: Path) -> None:
    """Under a limit on the size of files, as on a full disk: the search stays with the usual heuristic, and says why."""
    import resource  # noqa: PLC0415  (not there on Windows)

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, before[1]))
    try:
        solution = bf.solve(HARD, engine="python")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (solution.cost, solution.heuristic) == (31, "manhattan")
    assert any("kept heuristic 'manhattan'" in warning and str(own_data) in warning for warning in solution.warnings)
    assert not list(own_data.rglob("*.npy"))


def test_a_data_directory_that_cannot_be_read_is_no_reason_to_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The default heuristic stays, and a warning names the directory."""
    monkeypatch.setenv("BESTFIRST_DATA", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda path, mode: not (Path(path) == tmp_path and mode & os.R_OK))
    solution = bf.solve(bf.SlidingTile("8 6 7 2 5 4 3 _ 1"))
    assert solution.status == "optimal"
    assert any(f"cannot be stored in {tmp_path}: it cannot be read" in warning for warning in solution.warnings)
