"""A search for which no heuristic is asked begins anew as a long search, where the usual one has not soon led to the end."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.compiled import checkpoint
from bestfirst.patterns import Policy, database_policy
from bestfirst.solve import HEAD_START

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
    """And counts what it does with them; that the 8-puzzle's database is exact shows in the count."""
    solution = bf.solve(HARD, algorithm)
    assert (solution.heuristic, solution.cost, solution.stats.expanded) == ("pdb:8", 31, 31)
    assert solution.status == "optimal"


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
    """Nothing is built for it."""
    solution = bf.solve(EASY)
    assert (solution.heuristic, solution.cost) == ("manhattan", 2)
    assert not own_data.exists()


@pytest.mark.parametrize("limits", [bf.Limits(expansions=1_000_000), bf.Limits(depth=40)])
def test_under_a_limit_on_expansions_or_depth_it_stays_with_the_usual_one(limits: bf.Limits, own_data: Path) -> None:
    """Such limits are for exact counts."""
    assert bf.solve(HARD, limits=limits).heuristic == "manhattan"
    assert not own_data.exists()


@pytest.mark.parametrize("limits", [bf.Limits(seconds=60), bf.Limits(memory="1GiB")])
def test_under_a_limit_on_seconds_or_memory_nothing_is_built(limits: bf.Limits, own_data: Path) -> None:
    """What is there is used."""
    assert bf.solve(HARD, "idastar", limits=limits).heuristic == "linear-conflict"
    assert not own_data.exists()
    assert bf.solve(HARD, "idastar").heuristic == "pdb:8"
    assert bf.solve(HARD, "idastar", limits=limits).heuristic == "pdb:8"


def test_a_policy_forbids_to_build(own_data: Path) -> None:
    """As --no-build does."""
    with database_policy(Policy(may_build=False)):
        assert bf.solve(HARD, "idastar").heuristic == "linear-conflict"
    assert not own_data.exists()


def test_what_is_traced_or_gone_through_shows_the_usual_one() -> None:
    """Its events are those of one search."""
    assert bf.solve(HARD, trace=True).heuristic == "manhattan"
    search = bf.Search(HARD)
    assert sum(event.kind == "expand" for event in search) > HEAD_START
    assert search.solution.heuristic == "manhattan"


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
    assert warning.startswith(
        f"the search stayed with heuristic 'manhattan': pattern databases cannot be kept in {in_the_way}"
    )


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
    assert bf.Search.load(tmp_path / "late", unpickle=True).solution.to_dict() == changed.solution.to_dict()
    assert changed.solution.heuristic == "pdb:8"


@pytest.mark.parametrize(
    ("named", "sharing", "options"),
    [
        ({}, 3, dict(bf.SlidingTile.long_search_options)),
        ({"threads": 1}, 1, dict(bf.SlidingTile.long_search_options)),
        ({"threads": 2}, 2, dict(bf.SlidingTile.long_search_options)),
        ({"algorithm": "idastar"}, 1, {}),
        ({"heuristic": "manhattan", "algorithm": "idastar"}, 1, {}),
        ({"algorithm": "idastar", "threads": 2}, 2, {}),
    ],
)
def test_where_nothing_is_named_all_processors_make_the_long_search(
    named: dict[str, Any], sharing: int, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the options that the problem has for it; and it is the same search whatever their number."""
    monkeypatch.setattr(sys.modules["bestfirst.solve"], "processors", lambda: 3)
    search = bf.Search(HARD, engine="compiled", **named)
    solution = search.run()
    search.save(tmp_path / "search")
    header = checkpoint.read(tmp_path / "search").header
    assert (header.whole("sharing"), header.mapping("options")) == (sharing, options)
    assert solution.cost == 31
    if "heuristic" not in named:
        assert solution.stats.expanded == bf.solve(HARD, "idastar", engine="python").stats.expanded
    assert bf.Search.load(tmp_path / "search", unpickle=True).solution.to_dict() == solution.to_dict()


class Walk(bf.Problem):
    """Along a line from 5,000 to 0, with a heuristic that knows nothing and one that knows all."""

    initial = 5_000
    unit_cost = True
    default_heuristic = "nothing"
    long_search_heuristic = "all"

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
    walk.long_search_algorithm = algorithm
    with pytest.raises(
        bf.InputError, match=f"long_search_algorithm of walk is '{algorithm}', which does not search with one"
    ):
        bf.Search(walk)


def test_options_that_the_algorithm_has_not_are_refused() -> None:
    """When the search is made, too."""
    walk = Walk()
    walk.long_search_algorithm, walk.long_search_options = "idastar", {"weight": 2}
    with pytest.raises(bf.UnknownNameError, match=r"option of idastar.*'weight'"):
        bf.Search(walk)


@pytest.mark.parametrize(
    ("options", "why"), [(None, "long_search_options of walk is None"), ({"weight": 2}, "but no long_search_a")]
)
def test_options_that_are_none_or_of_no_algorithm_are_refused(options: Any, why: str) -> None:
    """With what they should be."""
    walk = Walk()
    walk.long_search_options = options
    with pytest.raises(bf.InputError, match=why):
        bf.Search(walk)


def test_a_heuristic_that_cannot_be_compiled_is_left_where_it_must_be() -> None:
    """The search was not asked for it; so it stays with the usual one, and says so."""
    tiles = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
    tiles.long_search_heuristic = "max(manhattan, misplaced)"
    solution = bf.solve(tiles, "idastar", engine="compiled")
    assert (solution.heuristic, solution.cost, solution.engine) == ("manhattan", 31, "compiled")
    assert "the search stayed with heuristic 'manhattan': the compiled engine cannot" in solution.warnings[0]


def test_a_heuristic_made_by_name_may_be_a_function() -> None:
    """As where it is given to solve()."""

    class Named(Walk):
        """Its heuristic for long searches has no mark."""

        long_search_heuristic = "made"

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
    long_search_heuristic = "nothing"

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
    assert bf.solve(EASY, threads=2).algorithm == "idastar"
    assert bf.solve(HARD, "astar").algorithm == bf.solve(HARD, ties="lifo").algorithm == "astar"


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
    assert any("stayed with heuristic 'manhattan'" in warning and str(own_data) in warning for warning in solution.warnings)
    assert not list(own_data.rglob("*.npy"))
