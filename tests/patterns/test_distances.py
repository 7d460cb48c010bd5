"""Tables of distances: the twin of a search in plain Python, entry for entry."""

from __future__ import annotations

from collections import deque
from math import inf
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.kernels.distances import UNKNOWN
from bestfirst.compiled.sweeps.distances import CHUNK, Distances, expansion_rate
from bestfirst.domains.sliding_tile.abstract import PatternTiles
from bestfirst.domains.sliding_tile.estimate import Index
from bestfirst.domains.sliding_tile.partitions import Shape
from bestfirst.heuristics.space import explore
from profiles import examples
from rings import BothWays, OneWay, Rings, go_through, new_table_of, table_of


def distances_of_placements(
    size: tuple[int, int], tiles: tuple[int, ...], blank: int
) -> dict[tuple[tuple[int, ...], int], int]:
    """By the cells of the tiles and of the blank: the fewest moves of these tiles, all cells written out."""
    rows, columns = size

    def beside(cell: int) -> list[int]:
        row, column = divmod(cell, columns)
        around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [r * columns + c for r, c in around if 0 <= r < rows and 0 <= c < columns]

    found = {(tiles, blank): 0}
    agenda = deque(found)
    while agenda:
        cells, hole = agenda.popleft()
        for cell in beside(hole):
            moved = tuple(hole if one == cell else one for one in cells)
            cost = int(moved != cells)
            distance = found[cells, hole] + cost
            if distance < found.get((moved, cell), inf):
                found[moved, cell] = distance
                (agenda.append if cost else agenda.appendleft)((moved, cell))
    return found


@pytest.mark.parametrize("regions", [False, True])
@pytest.mark.parametrize(
    ("size", "tiles", "blank"), [((3, 3), (0, 1, 4), 8), ((3, 3), (1, 3, 5), 4), ((2, 4), (1, 2, 6), 0), ((1, 5), (0, 2), 4)]
)
def test_a_table_is_that_of_a_search_with_every_cell_of_the_blank(
    size: tuple[int, int], tiles: tuple[int, ...], blank: int, regions: bool
) -> None:
    """With regions exactly, without them the least over all cells of the blank; and the index finds the entry."""
    domain = PatternTiles(size, tiles, blank, regions=regions)
    least = np.full(domain.entries, UNKNOWN, np.uint8)
    for _ in table_of(domain).entries(least):
        pass
    index = Index(Shape(size, tiles, blank), regions=regions)
    expected: dict[int, int] = {}
    for (cells, hole), distance in distances_of_placements(size, tiles, blank).items():
        entry = index(cells, hole)
        if regions:
            assert expected.setdefault(entry, distance) == distance
        expected[entry] = min(distance, expected.get(entry, UNKNOWN))
    assert least.tolist() == [expected.get(entry, UNKNOWN) for entry in range(domain.entries)]


def test_the_full_table_of_the_eight_puzzle_has_the_published_levels() -> None:
    """181,440 boards, the farthest 31 moves away (Reinefeld 1993); several threads find the same."""
    domain = PatternTiles((3, 3), range(8), 8)
    levels = [
        1,
        2,
        4,
        8,
        16,
        20,
        39,
        62,
        116,
        152,
        286,
        396,
        748,
        1024,
        1893,
        2512,
        4485,
        5638,
        9529,
        10878,
        16993,
        17110,
        23952,
    ]
    levels += [20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2]
    one, two = table_of(domain), table_of(domain, threads=2)
    assert one.levels == two.levels == levels
    assert np.array_equal(one.table, two.table)


@pytest.mark.parametrize("cost", [0, 1, 3, 300])
def test_a_domain_that_cannot_be_stepped_backwards_has_a_table_too(cost: int) -> None:
    """Of actions that cost nothing, one, or more: the distances of the whole space, goals found by looking."""
    domain = OneWay(50, cost)
    space = explore(domain)
    assert space is not None
    expected = {state.place: distance for state, distance in zip(space.states, space.distances, strict=True)}
    assert table_of(domain).table[:50].tolist() == [expected[place] for place in range(50)]


class Carousel(bf.Domain):
    """Seats in a row of blocks: an action goes to the next block or back, and on by so many seats or back."""

    class State(NamedTuple):
        block: int
        seat: int

    max_actions = 2
    unit_cost = True
    undirected = True

    def __init__(self, blocks: int, seats: int, shift: int) -> None:
        self.blocks, self.seats, self.shift = blocks, seats, shift
        self.size = blocks * seats
        self.initial = self.State(0, 0)

    def step(self, state: State, action: int) -> Any:
        way = 1 - 2 * action
        block, seat = state.block + way, (state.seat + way * self.shift) % self.seats
        return 0 <= block < self.blocks, self.State(block, seat), 1

    def goal_state(self) -> State:
        return self.State(0, 0)

    def is_goal(self, state: State) -> bool:
        return state.block == 0 and state.seat == 0

    def rank(self, state: State) -> int:
        return state.block * self.seats + state.seat

    def unrank(self, number: int) -> State:
        return self.State(number // self.seats, number % self.seats)


class CarouselOfBlocks(Carousel):
    """The same, with what the actions do to whole blocks."""

    def __init__(self, blocks: int, seats: int, shift: int) -> None:
        super().__init__(blocks, seats, shift)
        self.block_size = seats

    def block_step(self, block: int, action: int) -> Any:
        way = 1 - 2 * action
        return 0 <= block + way < self.blocks, block + way, way * self.shift

    def turned(self, turn: int, order: int) -> int:
        return (order + turn) % self.seats


@pytest.mark.parametrize("shape", [(7, 5, 3), (250, 1, 0), (5, 3000, 7), (4, 1024, 5)])
@pytest.mark.parametrize("threads", [1, 2])
def test_blocks_make_the_same_table(shape: tuple[int, int, int], threads: int) -> None:
    """Of any size, also where a block is larger than what is looked at together."""
    plain, blocks = table_of(Carousel(*shape)), table_of(CarouselOfBlocks(*shape), threads)
    assert plain.levels == blocks.levels
    assert np.array_equal(plain.table, blocks.table)
    assert bf.check(CarouselOfBlocks(*shape), states=30).ok


def test_blocks_of_tiles_go_where_their_states_do() -> None:
    """As the rules of the abstract puzzle say, state by state."""
    report = bf.check(PatternTiles((3, 3), (1, 3, 5), 4, regions=True), states=60)
    assert report.ok, str(report)


def test_blocks_too_far_away_are_refused_as_states_are() -> None:
    """A byte has room for 254."""
    for kind in (Carousel, CarouselOfBlocks):
        assert table_of(kind(255, 1, 0)).levels == [1] * 255
        with pytest.raises(
            bf.InputError, match=r"has states farther than 254 from the goal.* or divide all costs by a common divisor"
        ):
            table_of(kind(300, 1, 0))


def test_a_block_that_is_none_is_found_out() -> None:
    """By its number, before anything is written there."""

    class Beyond(CarouselOfBlocks, keeps_claims=True):
        """Says that all actions are legal."""

        def block_step(self, block: int, action: int) -> Any:
            return True, block + 1 - 2 * action, 0

    class Around(CarouselOfBlocks, keeps_claims=True):
        """Has orders beyond the block."""

        def turned(self, turn: int, order: int) -> int:
            return order + turn

    for domain in (Beyond(3, 2, 0), Around(3, 2, 1)):
        with pytest.raises(bf.ProblemError, match="compiled and interpreted step"):
            table_of(domain)
        assert "block_step" in str(bf.check(domain))


@pytest.mark.parametrize("cost", [0, 3, 300, 2**63 - 1])
def test_actions_of_any_whole_cost_are_taken_backwards(cost: int) -> None:
    """Levels are gone through again until actions that cost nothing bring no more."""
    domain = BothWays(50, cost)
    space = explore(domain)
    assert space is not None
    expected = {state.place: distance for state, distance in zip(space.states, space.distances, strict=True)}
    found = table_of(domain)
    assert found.table[:50].tolist() == [expected[place] for place in range(50)]
    assert found.levels == np.bincount(found.table[:50]).tolist()


@pytest.mark.parametrize("kind", [OneWay, BothWays])
def test_costs_that_are_no_whole_numbers_are_refused(kind: type[OneWay]) -> None:
    """A byte could not hold the distances, and rounded ones would be wrong; 2.0 is whole."""
    for cost in (0.5, 1.5):
        with pytest.raises(
            bf.ProblemError, match=f"costs {cost}; a table of distances needs costs that are whole numbers >= 0"
        ):
            table_of(kind(50, cost))  # type: ignore[arg-type]
    assert np.array_equal(table_of(kind(50, 2.0)).table, table_of(kind(50, 2)).table)  # type: ignore[arg-type]


def test_distances_beyond_a_byte_are_refused() -> None:
    """With what to do."""
    with pytest.raises(bf.InputError, match=r"states farther than 254 .* use a smaller pattern"):
        table_of(OneWay(2000, 1))
    with pytest.raises(bf.InputError, match=r"states farther than 254 .* use a smaller pattern"):
        table_of(BothWays(3000, 1))
    with pytest.raises(bf.InputError, match=r"states farther than 254 .* use a smaller pattern"):
        table_of(Rings(300))


def test_what_is_far_by_one_way_may_be_near_by_another() -> None:
    """An action that costs too much for a table is no reason to refuse it, as long as there is a cheaper way."""
    domain = Rings(240)
    space = explore(domain)
    assert space is not None
    assert max(space.distances) == 265
    with pytest.raises(bf.InputError, match="states farther than 254"):
        table_of(domain)
    assert max(table_of(Rings(229)).table[:100]) == 254


@examples(30)
@given(
    domain=st.sampled_from(
        [*(kind(50, cost) for kind in (OneWay, BothWays) for cost in (0, 1, 3)), CarouselOfBlocks(20, 2, 1)]
    ),
    noted=st.integers(1, 12),
    after=st.integers(0, 3),
    damage=st.dictionaries(st.integers(0, 49), st.integers(0, 255)),
)
def test_damage_to_an_interrupted_build_is_noticed_or_repaired(
    domain: bf.Domain, noted: int, after: int, damage: dict[int, int]
) -> None:
    """In the finished levels it is noticed; elsewhere the resumed build makes the same table."""
    whole, begun = table_of(domain), new_table_of(domain)
    go_through(begun, noted)
    levels, traits, complete = list(begun.levels), begun.traits(), begun.complete
    finished = begun.table < len(levels)
    go_through(begun, after)
    table = begun.table.copy()
    for place, value in damage.items():
        table[place % domain.size] = value
    changed = finished != (table < len(levels))
    changed[finished] |= table[finished] != whole.table[finished]
    resumed = Distances(domain, table, levels=levels)
    assert resumed.resume(traits, complete=complete) == (not changed.any())
    if not changed.any():
        go_through(resumed)
        assert np.array_equal(resumed.table, whole.table)
        assert resumed.levels == whole.levels


def test_a_chunk_is_whole_words() -> None:
    """Else a slice would look at bytes of its neighbour's."""
    assert CHUNK % 8 == 0


@pytest.mark.parametrize("size", [(3, 3), (1, 2)])
def test_a_trial_looks_at_states_only(size: tuple[int, int]) -> None:
    """Not at the ranks that fill up the last word of the table: a pattern of one tile has fewer states than those."""
    assert expansion_rate(PatternTiles(size, (0,), size[0] * size[1] - 1), seconds=0) > 0
