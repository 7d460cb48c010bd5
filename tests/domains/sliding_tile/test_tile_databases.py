"""Pattern databases of the sliding-tile puzzle by name: both engines, any goal, the facts declared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.domains.sliding_tile import databases
from bestfirst.domains.sliding_tile.partitions import partition
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.heuristics.space import explore
from bestfirst.patterns.combination import additive, largest
from bestfirst.patterns.database import PatternDatabase
from bestfirst.patterns.policy import Policy, database_policy
from members import assert_members_hold
from profiles import examples
from twins import assert_twins, random_board


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "goal", "names"),
    [
        ("2 3 1 _", "1 2 3 _", ["pdb:3"]),
        ("1 2 3 4 / 5 6 _ 7", "1 2 3 4 / 5 6 7 _", ["pdb:4-3", "pdb:4-3/regions", "pdb:4-3/unmirrored"]),
    ],
)
def test_databases_are_what_they_declare(start: str, goal: str, names: list[str]) -> None:
    """On every board of a space: admissible; consistent with all tiles or with regions; pdb:3 is the distance itself."""
    puzzle = bf.SlidingTile(start, goal)
    space = explore(puzzle)
    for name in names:
        audit = bf.audit(puzzle, name, space=space)
        declared = find_heuristic(puzzle, name)
        assert audit.admissible
        assert audit.consistent == declared.consistent == (name in ("pdb:3", "pdb:4-3/regions"))
        assert (audit.mean_h == audit.mean_distance) == (name == "pdb:3")


@examples(5)
@given(data=st.data())
def test_both_engines_search_alike_with_databases(data: st.DataObject) -> None:
    """The states of the compiled engine carry the values that the reference engine looks up, whatever the goal and the moves."""
    goal = data.draw(st.sampled_from([(1, 2, 3, 8, 0, 4, 7, 6, 5), (3, 1, 2, 4, 5, 6, 7, 8, 0)]))
    name = data.draw(st.sampled_from(["pdb:4-4", "pdb:4-4/regions", "pdb:4-4/spread"]))
    puzzle = random_board(data.draw, goal, (3, 3), 60)
    algorithm = data.draw(st.sampled_from(["idastar", "astar"] if name == "pdb:4-4/regions" else ["idastar"]))
    assert assert_twins(puzzle, algorithm, name).warnings == []


@pytest.mark.slow
@examples(5)
@given(data=st.data())
@pytest.mark.parametrize(
    ("size", "name"),
    [
        ((3, 5), "pdb:4-4-3-3"),
        ((3, 6), "pdb:4-4-3-3-3"),
        ((3, 6), "pdb:4-4-3-3-3/spread"),
        ((5, 5), "pdb:4-4-4-4-4-4"),
        ((5, 5), "pdb:4-4-4-4-4-4/spread"),
    ],
)
def test_the_carried_values_are_those_of_the_boards(size: tuple[int, int], name: str, data: st.DataObject) -> None:
    """On boards of two words and of three, move for move."""
    cells = size[0] * size[1]
    goal = (*range(1, cells), 0)
    puzzle = random_board(data.draw, goal, size, 40)
    heuristic = find_heuristic(puzzle, name)
    domain: Any = heuristic.domain(puzzle)  # type: ignore[misc]
    assert type(domain).__name__ == ("SpreadTiles" if name.endswith("spread") else "PatternedTiles")
    estimate = domain.heuristics()[name]
    state = domain.initial
    for choice in data.draw(st.lists(st.integers(0, 3), max_size=40)):
        assert estimate(state) == heuristic(domain.decode(state))
        legal, following, _cost = domain.step(state, choice)
        state = following if legal else state
    assert domain.is_goal(domain.step(domain.initial, 0)[1]) == puzzle.is_goal(
        domain.decode(domain.step(domain.initial, 0)[1])
    )
    assert_members_hold(domain, [domain.initial, state])


@pytest.mark.slow
def test_fifteen_tiles_in_both_engines() -> None:
    """The easiest of Korf's instances, with the mirrored board."""
    puzzle = bf.SlidingTile("_ 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", goal=range(16))
    solution = assert_twins(puzzle, "idastar", "pdb:4-4-4-3")
    assert solution.cost == 42


def test_three_words_in_both_engines() -> None:
    """A board of 18 cells, with the regions of the blank."""
    puzzle = bf.SlidingTile("1 8 2 4 5 6 / 7 14 3 9 11 12 / 13 _ 15 10 16 17", size=(3, 6))
    assert assert_twins(puzzle, "idastar", "pdb:4-4-3-3-3/regions").warnings == []


def test_every_goal_with_its_blank_in_a_corner_has_the_same_tables(tmp_path: Path) -> None:
    """Relabelled and turned; another cell of the blank needs others."""
    with database_policy(Policy(data=tmp_path)):
        find_heuristic(bf.SlidingTile("1 2 3 4 5 6 7 _ 8"), "pdb:4-4")
    with database_policy(Policy(may_build=False, data=tmp_path)):
        for goal in ("8 7 6 5 4 3 2 1 _", "_ 5 4 3 2 1 8 7 6", "1 2 _ 4 5 6 7 3 8"):
            puzzle = bf.SlidingTile(goal, goal)
            assert find_heuristic(puzzle, "pdb:4-4")(puzzle.initial) == 0
        with pytest.raises(bf.InputError, match="does not exist, and building is forbidden; omit --no-build"):
            find_heuristic(bf.SlidingTile("1 _ 2 3 4 5 6 7 8", "1 _ 2 3 4 5 6 7 8"), "pdb:4-4")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("pdb:", "does not name pattern databases; write the number of tiles"),
        ("pdb:4-x", "does not name pattern databases"),
        ("pdb:4-4/turned", "does not name pattern databases"),
        (
            "pdb:4-5",
            "patterns of 4-5 tiles do not add up to the 8 tiles of a 3x3 board; write positive numbers with the sum 8, such as 4-4",
        ),
        ("pdb:0-8", "patterns of 0-8 tiles: each pattern needs at least one tile; write positive numbers with the sum 8"),
        ("pdb:4-4/spread/spread", "/unmirrored, each once"),
        ("pdb:٤-٤", "tiles in each pattern, such as pdb:7-8"),
        ("pdb:\uff14-\uff14", "tiles in each pattern, such as pdb:7-8"),
        pytest.param("pdb:" + "4" * 5000, "tiles in each pattern, such as pdb:7-8", id="5000 digits"),
        ("pdb:4-4/spread/regions", "regions of the blank have no spread form; omit /regions or /spread"),
    ],
)
def test_a_name_that_is_none_is_refused(name: str, why: str) -> None:
    """With what to write."""
    with pytest.raises(bf.InputError, match=why):
        bf.solve(bf.SlidingTile("1 2 3 4 5 6 7 _ 8"), "idastar", name)


def test_patterns_that_are_too_large_are_refused() -> None:
    """More than nine tiles, or boards of more than thirty cells, or places that do not fit in 32 bits."""
    with pytest.raises(bf.InputError, match=r"a pattern has 12 tiles; use patterns of"):
        find_heuristic(bf.SlidingTile(range(25)), "pdb:12-12")
    with pytest.raises(bf.InputError, match="a 6x6 board has 36 cells; pattern databases support up to 30"):
        find_heuristic(bf.SlidingTile(range(36)), "pdb:5-5-5-5-5-5-5")
    with pytest.raises(bf.InputError, match="8 tiles on 16 cells would take 4,294,967,296 bytes, more than 2,147,483,647"):
        find_heuristic(bf.SlidingTile(range(16)), "pdb:7-8/spread")


def test_a_pattern_names_tiles_of_the_puzzle() -> None:
    """Each once, and not the blank."""
    for pattern in ([0, 1], [1, 1], [9]):
        with pytest.raises(bf.InputError, match=r"the pattern has .*; pass some of the tiles 1 .. 8, each once"):
            bf.SlidingTile("1 2 3 4 5 6 7 _ 8").project(pattern)


@examples(10)
@given(data=st.data())
def test_patterns_of_ones_own_give_what_those_by_name_give(data: st.DataObject) -> None:
    """The sum over the patterns of pdb:4-4 is what that gives without the mirrored board, and never more than it gives with it."""
    goal = data.draw(st.sampled_from([(1, 2, 3, 8, 0, 4, 7, 6, 5), (3, 1, 2, 4, 5, 6, 7, 8, 0)]))
    puzzle = random_board(data.draw, goal, (3, 3), 60)
    patterns = [[goal[cell] for cell in cells] for cells in partition((3, 3), goal.index(0), (4, 4))]
    databases = [PatternDatabase.build(puzzle, pattern) for pattern in patterns]
    total = additive(puzzle, databases)(puzzle.initial)
    assert total == sum(database(puzzle.initial) for database in databases)
    assert total == find_heuristic(puzzle, "pdb:4-4/unmirrored")(puzzle.initial)
    assert total <= find_heuristic(puzzle, "pdb:4-4")(puzzle.initial)
    assert largest(puzzle, databases)(puzzle.initial) == max(database(puzzle.initial) for database in databases)


@pytest.mark.parametrize(
    ("start", "size", "combined", "patterns"),
    [
        ("1 2 3 4 / 9 5 6 8 / 13 10 7 11 / _ 14 15 12", (4, 4), additive, [[1, 2, 5, 9], [10, 13, 14]]),
        ("1 2 3 4 5 6 / 7 14 8 9 11 12 / 13 _ 15 10 16 17", (3, 6), largest, [[8, 9, 10], [16, 17, 14]]),
    ],
)
def test_both_engines_look_up_patterns_of_ones_own(start: str, size: tuple[int, int], combined: Any, patterns: Any) -> None:
    """On boards of one word and of several; the tiles need not be all."""
    puzzle = bf.SlidingTile(start, size=size)
    heuristic = combined(puzzle, [PatternDatabase.build(puzzle, pattern) for pattern in patterns])
    reference, compiled = (bf.solve(puzzle, "idastar", heuristic, engine=engine) for engine in ("python", "compiled"))
    assert (compiled.cost, compiled.actions) == (reference.cost, reference.actions)
    assert (compiled.stats.expanded, compiled.stats.generated) == (reference.stats.expanded, reference.stats.generated)
    form: Any = puzzle.domain()
    assert form.decode(form.encode(puzzle.goal)) == puzzle.goal
    assert form.encode(puzzle.initial) == form.initial


def test_a_tile_in_two_patterns_is_not_counted_twice() -> None:
    """Such patterns are not added up; nor has what is no board a distance."""
    puzzle = bf.SlidingTile("1 2 3 4 5 6 7 _ 8")
    databases = [PatternDatabase.build(puzzle, pattern) for pattern in ([1, 2, 3], [3, 4])]
    with pytest.raises(bf.InputError, match=r"both count the actions of \[3\]; use the maximum"):
        additive(puzzle, databases)
    for wrong in ((1, 2, 0), (1, 2, 3, 4, 5, 6, 7, 8, 8), "12345678_", None):
        with pytest.raises(bf.InputError, match="pattern-tiles has no abstract state for"):
            databases[0](wrong)


def test_states_carry_up_to_seven_patterns() -> None:
    """With more there is no compilable form, and the reference engine makes the search."""
    puzzle = bf.SlidingTile("1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 _ 14")
    for name, has_form in (("pdb:2-2-2-2-2-2-2", True), ("pdb:2-2-2-2-2-2-1-1", False)):
        carried = find_heuristic(puzzle, name).domain
        assert carried is not None
        assert (carried(puzzle) is not None) == has_form
        assert bf.solve(puzzle, "idastar", name, engine="python").cost == 1
    with pytest.raises(
        bf.InputError,
        match=r"cannot be compiled with the heuristic .*, which has too many patterns, or was built for a different goal",
    ):
        bf.solve(puzzle, "idastar", name, engine="compiled")


def test_auto_is_the_same_whatever_has_been_built(tmp_path: Path) -> None:
    """Of the 15-puzzle, where none may be built: linear conflict, before and after."""
    puzzle = bf.SlidingTile("_ 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", goal=range(16))
    with database_policy(Policy(may_build=False, data=tmp_path)):
        assert find_heuristic(puzzle, "auto").name == "linear-conflict"
    with database_policy(Policy(data=tmp_path)):
        find_heuristic(puzzle, "pdb:5-5-5")
    with database_policy(Policy(may_build=False, data=tmp_path)):
        assert find_heuristic(puzzle, "auto").name == "linear-conflict"


def test_auto_builds_what_is_quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And finds it again by its name, tables with regions too."""
    monkeypatch.setattr(databases, "QUICK_BUILD", 300_000)
    monkeypatch.setattr(databases, "STRONG_AND_QUICK", databases.Choice((4, 4, 4, 3), regions=True))
    puzzle = bf.SlidingTile("_ 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", goal=range(16))
    with database_policy(Policy(data=tmp_path)):
        assert find_heuristic(puzzle, "auto").name == "pdb:4-4-4-3/regions"
    with database_policy(Policy(may_build=False, data=tmp_path)):
        assert find_heuristic(puzzle, "pdb:4-4-4-3/regions").name == "pdb:4-4-4-3/regions"


def test_auto_takes_nothing_that_compiled_states_cannot_carry(tmp_path: Path) -> None:
    """On a board of 30 cells, patterns that are built in seconds would be too many."""
    puzzle = bf.SlidingTile([*range(1, 30), 0], size=(5, 6))
    with database_policy(Policy(data=tmp_path)):
        assert find_heuristic(puzzle, "auto").name == "manhattan"
    assert not list(tmp_path.iterdir())
