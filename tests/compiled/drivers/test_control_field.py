"""IDA* on domains with a control field: the kernel with code for each of its values makes the same search."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.compiler.copies import control_of, field_read_by, has_control
from bestfirst.compiled.compiler.specialise import Compiled
from bestfirst.compiled.drivers import faster_kernel
from bestfirst.compiled.drivers.idastar import IDAStar
from bestfirst.compiled.kernels import controlled_idastar
from bestfirst.domains.sliding_tile.packed import PackedTiles
from profiles import examples
from twins import assert_twins, random_board

pytestmark = pytest.mark.slow
USED: list[Compiled] = []
"""The kernels with code for each value of the control field that searches have used."""
GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)
FAR = "8 6 7 / 2 5 4 / 3 _ 1"
LIT = st.integers(0, 511).filter(lambda lamps: lamps.bit_count() >= 4)
"""So many lamps that all cells are met before a goal: the children of each cell are the same, and compiled once."""


class Lamps(bf.Domain):
    """An agent on a grid of 3 x 3 cells: a step switches the lamp of the cell that it leaves, and that of the next one."""

    class State(NamedTuple):
        """lamps: those that are lit, as a set of cells."""

        agent: int
        lamps: int

    max_actions = 4
    unit_cost = True
    control: str | None = "agent"
    bits = MappingProxyType({"agent": 4, "lamps": 9})
    default_heuristic = "half"

    def __init__(self, agent: int, lamps: int, ends_at: int = 9) -> None:
        self.initial = self.State(agent, lamps)
        self.ends_at = ends_at

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        row, column = state.agent // 3, state.agent % 3
        if action < 2:
            row += 2 * action - 1
        else:
            column += 2 * action - 5
        if row < 0 or row > 2 or column < 0 or column > 2:
            return False, state, 1
        cell = 3 * row + column
        if cell == self.ends_at:
            return True, self.State(cell + 16, state.lamps), 1  # it does not fit into its bits
        return True, self.State(cell, state.lamps ^ (1 << cell | 1 << state.agent)), 1

    def inverse(self, action: int) -> int:
        return action ^ 1

    def is_goal(self, state: State) -> bool:
        return state.lamps == 0

    @bf.heuristic(admissible=True, consistent=True)
    def half(self, state: State) -> int:
        return (state.lamps.bit_count() + 1) // 2

    @bf.heuristic(admissible=True, consistent=False)
    def uneven(self, state: State) -> int:
        """It falls by more than 1 on some steps."""
        return 0 if state.agent % 2 == 0 else (state.lamps.bit_count() + 1) // 2


@pytest.fixture(scope="module", autouse=True)
def _from_the_start() -> Iterator[None]:
    """The kernel is used from the first expansion on, in calls that end soon."""

    def prepared(self: Compiled, *arguments: Any) -> bool:
        self.prepare(*arguments)
        USED.append(self)
        return True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(faster_kernel, "FEWEST_EXPANSIONS", 0)
        patch.setattr(faster_kernel, "FEWEST_OF_A_SEARCH", 0)
        patch.setattr(Compiled, "is_ready", prepared)
        patch.setattr(controlled_idastar, "FEW", 1)
        patch.setattr(controlled_idastar, "MOST_CALLS", 9)
        yield


@given(st.data())
@examples(12)
def test_boards(data: st.DataObject) -> None:
    """Boards with another order of moves than the usual one; limits at any expansion."""
    board = bf.SlidingTile(random_board(data.draw, GOAL, (3, 3), 60).initial, GOAL, moves="RDLU")
    assert_twins(board, "idastar", "manhattan", expansions=data.draw(st.none() | st.integers(0, 3_000)))


def test_every_limit() -> None:
    """Searches that stop at each of many expansions have the counts of the reference."""
    for expansions in (*range(1, 30), 777, 2222, 2223, 2224):
        USED.clear()
        assert_twins(bf.SlidingTile(FAR, GOAL, moves="RDLU"), "idastar", "manhattan", expansions=expansions)
        assert USED


@given(st.integers(0, 8), LIT, st.none() | st.integers(0, 500))
@examples(12)
def test_own_domain(agent: int, lamps: int, expansions: int | None) -> None:
    """A domain of one's own, with a heuristic that is not consistent, unlike that of the boards."""
    if lamps.bit_count() % 2:
        lamps ^= 1
    assert_twins(Lamps(agent, lamps), "idastar", "uneven", expansions=expansions)


def test_threads() -> None:
    """Two threads make the same search."""
    board = bf.SlidingTile(FAR, GOAL, moves="RDLU")
    one, two = (bf.solve(board, "idastar", "manhattan", engine="compiled", threads=threads) for threads in (1, 2))
    one.stats.seconds = two.stats.seconds
    assert (one.cost, one.stats, one.actions) == (two.cost, two.stats, two.actions)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_that_is_known_to_be_long_need_not_wait(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the kernel before it becomes long, if asked, and makes the same search."""
    monkeypatch.setattr(faster_kernel, "FEWEST_OF_A_SEARCH", 10**9)
    board = bf.SlidingTile(FAR, GOAL, moves="RDLU")
    search = bf.Search(board, "idastar", "manhattan", engine="compiled", threads=threads)
    search.run(bf.Limits(expansions=1))
    driver: Any = search._stages.attempt.driver
    plain = driver.compiled
    driver.use_fastest_kernel()
    assert driver.compiled is not plain
    found, other = search.run(), bf.solve(board, "idastar", "manhattan", engine="compiled")
    found.stats.seconds = other.stats.seconds
    assert (found.stats, found.actions) == (other.stats, other.actions)


def test_faults_are_explained() -> None:
    """A state that does not fit raises the same error, with the state and the action, as with the other kernel."""
    messages = []
    for control in ("agent", None):
        domain = Lamps(0, 0b111111101, ends_at=8)
        domain.control = control
        with pytest.raises(bf.BestfirstError, match="agent") as caught:
            bf.solve(domain, "idastar", engine="compiled")
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_the_children_of_each_value_are_known() -> None:
    """The child's value follows from the parent's and the action, as examples show."""
    tiles = bf.SlidingTile(FAR, "1 2 3 4 5 6 7 8 _").domain()
    assert isinstance(tiles, PackedTiles)
    control = control_of(tiles, PackedTiles.manhattan)
    assert control is not None
    assert (control.values, len(control.copies())) == (16, 24)
    assert control.children[: 4 * 2] == (-1, -1, 1, 3, -1, 0, 2, 4)


def test_the_kernel_is_specialised_once_for_all_boards_with_the_same_rules() -> None:
    """Boards with the same goal and order of moves share it; it depends on both."""
    boards = (FAR, GOAL, "RDLU"), ("1 2 3 4 5 6 7 _ 8", GOAL, "RDLU"), (FAR, GOAL, "ULRD"), (FAR, range(9), "RDLU")
    domains = [bf.SlidingTile(tiles, goal, moves=moves).domain() for tiles, goal, moves in boards]
    searches = [IDAStar(domain, domain.heuristics()["manhattan"]) for domain in domains if domain is not None]
    first, same, *others = [search._faster_kernel() for search in searches]
    assert first.code is same.code and first.noted is searches[0].compiled.noted
    assert all(other.code is not first.code for other in others) and len(others) == 2


def test_only_an_estimate_that_is_a_field_is_not_passed() -> None:
    """Calls omit an estimate that the method only reads from the state, and pass any other one."""
    fields = PackedTiles.State._fields
    assert field_read_by(PackedTiles.manhattan, fields) == fields.index("distance")
    others: list[Any] = [PackedTiles.linear_conflict, Lamps.half, Fragile.left]
    assert [field_read_by(other, fields) for other in others] == [None, None, None]


@given(st.data())
@examples(6)
def test_an_estimate_that_is_passed(data: st.DataObject) -> None:
    """Boards with an estimate that is not a field of the state; limits at any expansion."""
    board = bf.SlidingTile(random_board(data.draw, GOAL, (3, 3), 60).initial, GOAL, moves="RDLU")
    assert_twins(board, "idastar", "linear-conflict", expansions=data.draw(st.none() | st.integers(0, 1_000)))


def test_fields_are_checked() -> None:
    """An unknown field is refused; one without bits is not used."""
    domain = Lamps(0, 3)
    domain.control = "agents"
    with pytest.raises(bf.InputError, match="agents"):
        bf.solve(domain, "idastar", engine="compiled")
    domain.control, domain.bits = "lamps", MappingProxyType({"agent": 4})
    assert not has_control(domain)


class Fragile(bf.Domain):
    """Steps along a row whose end no search passes: there the methods fail, or the place no longer fits its bits."""

    class State(NamedTuple):
        at: int

    max_actions, unit_cost, control = 2, True, "at"
    bits = MappingProxyType({"at": 3})
    initial = State(0)

    def __init__(self, inverses: tuple[Any, ...] = (1, 0)) -> None:
        self.inverses = inverses

    def inverse(self, action: int) -> Any:
        return self.inverses[action]

    def step(self, state: Any, action: int) -> Any:
        if action == 1:
            return state.at > 0, self.State(state.at - 1), 1
        return 8 // (8 - state.at) > 0, self.State(state.at + 1), 1

    def is_goal(self, state: Any) -> bool:
        return bool(state.at == 7)

    default_heuristic = "left"

    @bf.heuristic(admissible=True, consistent=True)
    def left(self, state: Any) -> Any:
        return 7 - state.at


def test_examples_beyond_the_search_are_left_out() -> None:
    """States behind a goal, or with a place that does not fit its bits, are no examples, and raise nothing."""
    control = control_of(Fragile(), Fragile.left)
    assert control is not None
    assert control.children[::2] == (1, 2, 3, 4, 5, 6, 7, -1)
    assert bf.solve(Fragile(), "idastar", engine="compiled").cost == 7


@pytest.mark.parametrize("inverses", [(1, 2), (1, 2**64)])
def test_a_wrong_inverse_is_refused(inverses: tuple[Any, ...]) -> None:
    """What inverse() returns is an action, or -1."""
    with pytest.raises(bf.InputError, match=r"inverse\(1\) returns .*; return an action from 0 to 1, or -1"):
        bf.solve(Fragile(inverses), "idastar", engine="compiled")
