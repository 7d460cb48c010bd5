"""Pattern databases by name of the puzzles that come with the library: what they are, and that they hold."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.domains.pancake.abstract import PancakePattern
from bestfirst.domains.pancake.packed import PackedPancake
from bestfirst.domains.placed_items import PlacedItems
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.heuristics.space import explore
from bestfirst.patterns.abstract_domain import as_abstract
from bestfirst.patterns.building.progress import Progress
from bestfirst.patterns.building.work_files import LOCK
from bestfirst.patterns.combination import additive, largest
from bestfirst.patterns.database import PatternDatabase
from bestfirst.patterns.identity import Identity
from bestfirst.patterns.named import abstractions_of
from bestfirst.patterns.policy import Policy, database_policy
from bestfirst.patterns.storage.files import BUILDING
from twins import assert_twins

STACK = bf.Pancake("3 1 6 2 5 4", "6 1 5 2 4 3")
HANOI = bf.TowersOfHanoi(5, 4, goal="4 4 2 4 4")
RING = bf.TopSpin("1 4 2 7 3 6 5", "1 3 2 4 6 5 7", turnstile=3)
CUBE = bf.PocketCube("R U F R U F R2 U", "F U2")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("problem", "name"),
    [(STACK, "pdb:4-2"), (STACK, "pdb:6"), (HANOI, "pdb:3-2"), (HANOI, "pdb:5"), (RING, "pdb:4-2"), (RING, "pdb:6")],
)
def test_databases_by_name_are_admissible_and_consistent(problem: bf.Problem, name: str) -> None:
    """In the whole space; with all pancakes, discs or tokens in one pattern it is the distance itself."""
    audit = bf.audit(problem, name, space=explore(problem))
    assert (audit.admissible, audit.consistent) == (True, True)
    assert (audit.mean_h == audit.mean_distance) == ("-" not in name)
    declared = find_heuristic(problem, name)
    assert (declared.admissible, declared.consistent) == (True, True)


@pytest.mark.slow
@pytest.mark.parametrize(("problem", "name"), [(STACK, "pdb:4-2"), (RING, "pdb:3-3")])
def test_the_dual_of_a_state_is_looked_up_too(problem: bf.Problem, name: str) -> None:
    """Still never too much, never less than without, and in the mean more; but estimates of neighbours can be far apart."""
    space = explore(problem)
    plain, both = (bf.audit(problem, heuristic, space=space) for heuristic in (name, f"{name}/dual"))
    assert (both.admissible, both.consistent) == (True, False)
    assert find_heuristic(problem, f"{name}/dual").consistent is False
    assert both.mean_h is not None and plain.mean_h is not None
    assert both.mean_h > plain.mean_h
    one, other = find_heuristic(problem, name), find_heuristic(problem, f"{name}/dual")
    assert space is not None
    assert all(one(state) <= other(state) for state in space.states)


@pytest.mark.parametrize("problem", [STACK, RING])
def test_a_dual_is_as_far_from_the_goal(problem: bf.Problem) -> None:
    """With all pieces in the pattern both look-ups give the distance, of every state."""
    name = "pdb:6"
    space = explore(problem)
    assert space is not None
    by_dual, form = find_heuristic(problem, f"{name}/dual"), problem.domain()
    assert form is not None
    database = PatternDatabase.build(problem, [1, 2, 3, 4, 5, 6] if problem is STACK else [2, 3, 4, 5, 6, 7])
    for state, distance in zip(space.states, space.distances, strict=True):
        assert database.distance(as_abstract(database.domain).dual(form.encode(state))) == by_dual(state) == distance


class WrongDual(PancakePattern):
    """Its dual is another state, as far from the goal as chance has it."""

    def dual(self, state: PackedPancake.State) -> PlacedItems.State:
        return self.State(self.initial.places + 0 * state.stack)


def test_a_dual_look_up_that_does_not_hold_is_refused() -> None:
    """Where there is none; where no goal is known; and where walks from the goal are too short for it."""
    with pytest.raises(bf.InputError, match="has no dual states; use pdb:"):
        find_heuristic(HANOI, "pdb:3-2/dual")
    for problem, pattern in ((bf.SlidingTile("1 2 3 4 5 6 7 _ 8"), "4-4/dual"), (bf.RubiksCube("R"), "corners/dual")):
        with pytest.raises(bf.InputError, match=r"has no dual states; use pdb:(4-4|corners)$"):
            abstractions_of(problem, pattern)

    class Goalless(bf.Pancake):
        def goal_state(self) -> Any:
            return None

    goalless = Goalless("3 1 2")
    with pytest.raises(bf.InputError, match="which needs a single goal_state"):
        largest(goalless, [PatternDatabase.build(goalless, [1, 2, 3])], dual=True)
    wrong = PatternDatabase.build(WrongDual(STACK, [1, 2, 3, 4, 5, 6]))
    with pytest.raises(bf.InputError, match="the dual is not equally far from the goal; omit dual"):
        largest(STACK, [wrong], dual=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("problem", "name"),
    [(STACK, "pdb:4-2"), (STACK, "pdb:4-2/dual"), (HANOI, "pdb:3-2"), (CUBE, "pdb:full")],
    ids=["pancake", "pancake with duals", "hanoi", "pocket-cube"],
)
def test_both_engines_look_up_alike(problem: bf.Problem, name: str) -> None:
    """Counts and solutions are the same, whether a state is that of the problem or of its compilable form."""
    solution = assert_twins(problem, "idastar", name)
    if name == "pdb:full":
        assert solution.stats.expanded == solution.cost == bf.solve(problem, "astar", engine="python").cost


@pytest.mark.slow
def test_the_table_of_the_pocket_cube_has_the_known_levels() -> None:
    """The numbers of cubes at each distance, in turns of faces, half turns among them."""
    table = PatternDatabase.load(CUBE)
    assert table.header["levels"] == [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644]


def test_moves_of_discs_are_added_up_and_flips_are_not() -> None:
    """A move takes one disc; a flip and a turn take pancakes and tokens of several patterns."""
    for problem, combined, patterns in (
        (HANOI, additive, [[5, 4, 3], [2, 1]]),
        (STACK, largest, [[6, 1, 5, 2], [4, 3]]),
        (RING, largest, [[3, 2, 4, 6], [5, 7]]),
    ):
        by_name = find_heuristic(problem, f"pdb:{'-'.join(str(len(pattern)) for pattern in patterns)}")
        made = combined(problem, [PatternDatabase.build(problem, pattern) for pattern in patterns])
        state = problem.initial
        for _ in range(20):
            assert by_name(state) == made(state)
            *_, (_action, state, _cost) = problem.successors(state)
    with pytest.raises(bf.InputError, match="both count the actions of"):
        additive(HANOI, [PatternDatabase.build(HANOI, pattern) for pattern in ([1, 2], [2, 3])])


def test_discs_that_go_alike_share_a_table(databases: Path) -> None:
    """Whichever they are: what counts is how many there are, and where they go."""
    before = set(databases.iterdir())
    find_heuristic(bf.TowersOfHanoi(9, 3), "pdb:3-3-3")
    assert len(set(databases.iterdir()) - before) == 1


@pytest.mark.parametrize(
    ("problem", "name", "why"),
    [
        (
            STACK,
            "pdb:4-3",
            "'4-3' adds up to 7; write how many of the 6 pancakes, from the top of the goal, each pattern has, such as pdb:3-3",
        ),
        (STACK, "pdb:", "'' does not name pattern databases"),
        (STACK, "pdb:0-3", "'0-3' does not name pattern databases"),
        (STACK, "pdb:٤-٢", "does not name pattern databases"),
        (HANOI, "pdb:x", "of the 5 discs, from the largest one, each pattern has, such as pdb:2-3"),
        (RING, "pdb:7", "of the 6 tokens after token 1 each pattern has"),
        (CUBE, "pdb:no", "no pattern database is called 'no'; choose from: full"),
        (
            bf.Pancake(range(1, 17)),
            "pdb:4",
            "16 pancakes are too many for pattern databases; the maximum is 15",
        ),
        (bf.TowersOfHanoi(32), "pdb:4", "32 discs on 3 pegs are too many for pattern databases; the maximum is 31 discs on"),
        (bf.TowersOfHanoi(9), "pdb:9", "states farther than 254 .* use a smaller pattern"),
    ],
)
def test_a_name_that_stands_for_no_pattern_is_refused(problem: bf.Problem, name: str, why: str) -> None:
    """With what to write instead."""
    with pytest.raises(bf.InputError, match=why):
        find_heuristic(problem, name)


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ([], "is empty"),
        ([9], "has unknown or repeated items: 9"),
        ([0, 2, 9], "has unknown or repeated items: 0, 9"),
        ([None, 2], "has unknown or repeated items: None"),
        ([2, 1, 2], "has unknown or repeated items: 2, 2"),
        (5, "is 5"),
        ("3-3", "is '3-3'"),
    ],
)
def test_what_is_not_there_is_no_pattern(pattern: Any, told: str) -> None:
    """Of pancakes, discs, tokens and tiles: what is wrong is told, and what there is."""
    for problem in (STACK, HANOI, RING, bf.SlidingTile("1 2 3 4 5 6 7 8 _")):
        with pytest.raises(bf.InputError, match=f"the pattern {told}; pass some of the "):
            problem.project(pattern)


def test_a_pattern_that_is_far_too_large_is_described_in_short() -> None:
    """Of a tower of 30 discs on 4 pegs nobody is told each peg; that no time can be measured does not matter."""
    tower = bf.TowersOfHanoi(30, 4)
    assert str(PatternDatabase.cost(tower, range(1, 31))).endswith("1.0 EiB on disk; to build it: 1.0 EiB of memory")
    with pytest.raises(bf.InputError, match=r"of HanoiPattern \(discs 30, pegs 4, goal 4 x30\) takes 1.0 EiB of memory"):
        find_heuristic(tower, "pdb:30")


def test_a_form_that_cannot_take_over_a_state_has_no_databases() -> None:
    """encode(state) is what the states of a problem are looked up by."""

    class Other(bf.Problem):
        initial = STACK.initial

        def domain(self) -> Any:
            return bf.WaterJugs([3, 5], 4).domain()

    with pytest.raises(bf.InputError, match=r"other cannot use pattern databases: .* defines encode\(state\)"):
        largest(Other(), [PatternDatabase.build(STACK, [1, 2])])


BUILDER = """
import sys
import bestfirst as bf
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.patterns.policy import Policy, database_policy

def stop(progress):
    print("at work", flush=True)
    sys.stdin.readline()

with database_policy(Policy(data=sys.argv[1], progress=stop)):
    find_heuristic(bf.Pancake("3 1 6 2 5 4"), "pdb:6")
"""


@pytest.mark.slow
@pytest.mark.parametrize("is_killed", [False, True])
def test_a_database_that_another_process_builds_is_waited_for(is_killed: bool, tmp_path: Path) -> None:
    """What the other one has built is taken; and where that is killed, its build is gone on with."""
    pytest.importorskip("fcntl")
    command = [sys.executable, "-c", BUILDER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == "at work\n"
        stdin, seen = other.stdin, []

        def look(progress: Progress) -> None:
            seen.append("waiting" if progress.states is None else "building")
            if is_killed:
                other.kill()
            elif not stdin.closed:
                stdin.close()

        with database_policy(Policy(data=tmp_path, progress=look)):
            estimate = find_heuristic(STACK, "pdb:6")
    assert seen[0] == "waiting"
    assert ("building" in seen) == is_killed
    assert estimate(STACK.initial) == bf.solve(STACK, "astar", engine="python").cost


def test_waiting_for_another_process_ends_with_ctrl_c(tmp_path: Path) -> None:
    """By what looks at it while a database is built."""
    fcntl = pytest.importorskip("fcntl")
    stack = bf.Pancake("3 1 6 2 5 4")
    building = tmp_path / f"{Identity.of(stack.project([1, 2, 3])).key}{BUILDING}"
    building.mkdir()

    def look(progress: Progress) -> None:
        assert progress.states is None
        raise KeyboardInterrupt

    with (building / LOCK).open("w") as file, database_policy(Policy(data=tmp_path, progress=look)):
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(KeyboardInterrupt):
            find_heuristic(stack, "pdb:3")
