"""States with tuples: both engines search alike, and what a tuple or a list cannot be is an error."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
import tuple_tiles
from bestfirst.compiled.compiler.state_fields import state_fields, state_of_words, words_of_state
from bestfirst.patterns.identity import Identity
from bestfirst.search_plan import COMPILED_ALGORITHMS
from bestfirst.state_packing import StateField
from tuple_tiles import Board, Tiles
from twins import assert_twins

GOAL = [1, 2, 3, 4, 5, 0]
TILES = Path(tuple_tiles.__file__)
"""With other texts in place of some of its own."""


WITH_ANOTHER_ORDER = {"uniform-cost", "weighted-astar", "greedy", "large-neighbourhood-beam"}
"""Algorithms whose kernel is that of A* or of the anytime beam search."""


def shuffled(seed: int, moves: int = 40) -> Tiles:
    chance, tiles = random.Random(seed), Tiles(GOAL, GOAL, 3)
    state = tiles.initial
    for _ in range(moves):
        state = chance.choice([following for _, following, _ in tiles.successors(state)])
    return Tiles(list(state.cells), GOAL, 3)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", sorted(COMPILED_ALGORITHMS.keys() - WITH_ANOTHER_ORDER))
def test_both_engines_search_tuples_alike(algorithm: str) -> None:
    """The same path, cost and counts, by every algorithm with a kernel of its own."""
    for seed in range(2):
        assert_twins(shuffled(seed, 25), algorithm)


def test_a_state_with_a_tuple_that_shares_words_is_as_good_as_one_packed_by_hand() -> None:
    """Both need the same expansions; the board of 16 cells takes one word."""
    board = "5 1 3 4 2 _ 6 8 9 10 7 11 13 14 15 12"
    goal = [*range(1, 16), 0]
    own = Tiles([0 if cell == "_" else int(cell) for cell in board.split()], goal, 4)
    assert len(words_of_state(own, own.initial)) == 2
    there = bf.solve(own, "idastar", engine="compiled")
    shipped = bf.solve(bf.SlidingTile(board, " ".join(map(str, goal))), "idastar", "manhattan", engine="compiled")
    assert there.cost == shipped.cost


def test_all_states_with_tuples_are_enumerated() -> None:
    """Half of the 720 boards of 2 x 3 cells, in both engines."""
    levels = [bf.enumerate_states(Tiles(GOAL, GOAL, 3), engine=engine).levels for engine in ("python", "compiled")]
    assert levels[0] == levels[1]
    assert sum(levels[0]) == 360


@pytest.mark.slow
def test_a_saved_search_of_tuples_goes_on(tmp_path: Path) -> None:
    """It ends like the search that was not saved."""
    whole = bf.solve(shuffled(3), "astar", engine="compiled")
    search = bf.Search(shuffled(3), "astar", engine="compiled")
    search.run(bf.Limits(expansions=5))
    search.save(tmp_path / "half")
    again = bf.Search.load(tmp_path / "half", shuffled(3)).run()
    assert (again.cost, again.stats.expanded) == (whole.cost, whole.stats.expanded)


class Lamps(bf.Domain):
    """Seventy lamps in a row, of which an action switches two neighbours: a set of more than 64 elements."""

    class State(NamedTuple):
        lit: tuple[int, ...]

    bits: Mapping[str, int] = MappingProxyType({"lit": 1})
    max_actions = 69
    number = 70

    def __init__(self, lit: set[int]) -> None:
        self.initial = self.State(tuple(int(lamp in lit) for lamp in range(self.number)))

    def step(self, state: State, action: int) -> Any:
        lit = list(state.lit)
        lit[action] ^= 1
        lit[action + 1] ^= 1
        return state.lit[action] == 1, self.State(tuple(lit)), 1

    def is_goal(self, state: State) -> bool:
        return sum(state.lit) == 0


def test_a_set_may_have_more_than_64_elements() -> None:
    """A tuple of 70 bits takes two words, and both engines search alike."""
    lamps = Lamps({3, 6, 62, 66})
    assert len(words_of_state(lamps, lamps.initial)) == 2
    assert_twins(lamps, "depth-first-branch-and-bound", expansions=300)


class WithDefault(bf.Domain):
    """A number, and a tuple that step() leaves out of each new state."""

    class State(NamedTuple):
        number: int
        pair: tuple[int, ...] = (4, 5)

    initial, max_actions = State(0), 1

    def step(self, state: State, _action: int) -> Any:
        return state.pair[1] == 5, self.State(state.number + 1), 1

    def is_goal(self, state: State) -> bool:
        return state.number == 3


def test_the_default_of_a_tuple_may_be_omitted() -> None:
    """As that of an int."""
    assert assert_twins(WithDefault(), "depth-first-branch-and-bound").found


FAULTS: list[tuple[str, type[Exception], str]] = [
    ("cells[0] = -1", bf.StateError, "its field cells is not in 0 .. 15"),
    ("cells[6] = 1", IndexError, "out of range"),
    ("cells[0] = cells.index(9)", ValueError, "not in list"),
    ("cells[0] = 7 // state.cells[4]", ZeroDivisionError, "zero"),
]


def test_what_a_list_cannot_hold_is_an_error(tmp_path: Path) -> None:
    """As in Python, or because a state is not what its domain declares."""
    changes = [f"        if self.fault == {number}:\n            {change}\n" for number, (change, _, _) in enumerate(FAULTS)]
    text = TILES.read_text().replace("        return True, Board(", f"{''.join(changes)}        return True, Board(")
    file = tmp_path / "changed.py"
    file.write_text(text)
    module: dict[str, Any] = {"__name__": "changed", "__file__": str(file)}
    exec(compile(text, str(file), "exec"), module)
    for number, (_, error, why) in enumerate(FAULTS):
        tiles = module["Tiles"]([1, 2, 3, 4, 0, 5], [1, 2, 3, 0, 4, 5], 3)
        tiles.fault = number
        with pytest.raises(error, match=why):
            bf.solve(tiles, "idastar", engine="compiled")


@pytest.mark.parametrize(
    ("made", "why"),
    [
        ("tuple(cells), there, 0", "it makes a state with wrong arguments; pass each of the fields"),
        ("cells, there", "it uses the list cells as a whole"),
        (
            "(1, 2), there",
            "a field of the state is a tuple of 2; make it a tuple of as many ints as in the initial state",
        ),
        ("there, there", "a field of the state is an int; make it a tuple of as many ints as in the initial state"),
        ("tuple(cells), state.cells", "a field of the state is a tuple of 6, not an int"),
    ],
)
def test_a_state_of_another_shape_cannot_be_compiled(made: str, why: str, tmp_path: Path) -> None:
    """The message names what the initial state has."""
    text = TILES.read_text().replace("Board(tuple(cells), there), 1", f"Board({made}), 1")
    file = tmp_path / "other.py"
    file.write_text(text)
    module: dict[str, Any] = {"__name__": "other", "__file__": str(file)}
    exec(compile(text, str(file), "exec"), module)
    with pytest.raises(bf.CompileError, match=why.replace("(", r"\(")):
        bf.solve(module["Tiles"]([1, 2, 3, 4, 0, 5], GOAL, 3), "idastar", engine="compiled")


def test_a_state_that_needs_too_many_words_stays_with_the_reference_engine() -> None:
    """The message says to declare the bits."""

    class Wide(Lamps):
        bits = MappingProxyType({})
        number = 200

    with pytest.raises(bf.InputError, match=r"takes 200 words.*declare the bits"):
        bf.solve(Wide({3, 6}), "uniform-cost", engine="compiled")
    assert bf.solve(Wide({3, 4}), "breadth-first").cost == 1


@pytest.mark.parametrize(
    ("cells", "bits", "error", "why"),
    [((), 4, bf.StateError, "is an empty tuple"), ((1, 0), 0, bf.InputError, "the width 0")],
)
def test_a_tuple_without_elements_or_bits_is_refused(cells: Any, bits: int, error: type[Exception], why: str) -> None:
    """In both engines."""
    tiles = Tiles(GOAL, GOAL, 3)
    tiles.initial, tiles.bits = Board(cells, 0), {"cells": bits}
    with pytest.raises(error, match=why):
        bf.solve(tiles, "uniform-cost", engine="python")


FIELDS = st.builds(StateField, st.just("t"), st.integers(1, 40), st.sampled_from([1, 3, 4, 7, 31, 32, 33, 63]), st.just(0))


@given(st.data())
def test_words_hold_every_tuple(data: st.DataObject) -> None:
    """What is packed is unpacked again."""
    field = data.draw(FIELDS)
    assert field.length is not None
    value = tuple(data.draw(st.lists(st.integers(0, 2**field.bits - 1), min_size=field.length, max_size=field.length)))
    words = field.packed(value)
    assert len(words) == field.count
    assert all(-(2**63) <= word < 2**63 for word in words)
    assert field.unpacked(words) == value


def test_states_and_words_are_two_forms_of_one() -> None:
    """Of a state with a tuple and an int."""
    tiles = shuffled(1)
    assert state_of_words(tiles, words_of_state(tiles, tiles.initial)) == tiles.initial


class Stack(bf.Domain):
    """Pancakes in a tuple."""

    class State(NamedTuple):
        sizes: tuple[int, ...]

    undirected = True
    unit_cost = True

    def __init__(self, sizes: list[int]) -> None:
        self.initial, self.goal = self.State(tuple(sizes)), tuple(range(1, len(sizes) + 1))
        self.max_actions = len(sizes) - 1
        self.bits = {"sizes": 4}

    def step(self, state: State, action: int) -> Any:
        sizes = list(state.sizes)
        for place in range(action + 2):
            sizes[place] = state.sizes[action + 1 - place]
        return True, self.State(tuple(sizes)), 1

    def is_goal(self, state: State) -> bool:
        return state.sizes == self.goal


class SomeOf(Stack, bf.AbstractDomain):
    """Only some of the pancakes matter: those that a tuple on self names."""

    def __init__(self, sizes: list[int], kept: set[int]) -> None:
        super().__init__(sizes)
        self.kept = tuple(int(size in kept) for size in range(len(sizes) + 1))
        self.initial = self.abstract(self.initial)
        self.goal = self.abstract(self.State(self.goal)).sizes

    def goal_state(self) -> Any:
        return self.State(self.goal)

    def abstract(self, state: Any) -> Any:
        sizes = list(state.sizes)
        for place in range(len(sizes)):
            sizes[place] *= self.kept[sizes[place]]
        return self.State(tuple(sizes))


class Flips(bf.Domain):
    """Turns over a stack of five, and makes two lists, or a list and an int, at once."""

    class State(NamedTuple):
        sizes: tuple[int, ...]

    max_actions, initial, unit_cost = 4, State((3, 1, 5, 2, 4)), True

    def step(self, state: Any, action: int) -> Any:
        sizes, other = list(state.sizes), list(state.sizes)
        last, ones = action + 1, [1, 1]
        for place in range(last + 1):
            sizes[place] = other[last - place]
            other[last - place] = 0
        sizes, other = list(other), list(sizes)
        for size in other:  # Python goes on with the first list
            other = [size, size, size, size, ones[1]]
        for place in range(last + 1):
            sizes[place] = state.sizes[last - place]
        return other[3] > 0, self.State(tuple(sizes)), 1

    def is_goal(self, state: Any) -> bool:
        return bool(state.sizes == (1, 2, 3, 4, 5))


def test_lists_made_in_one_assignment_are_lists_of_their_own() -> None:
    """Both engines turn over the same stacks."""
    assert assert_twins(Flips(), "depth-first-branch-and-bound").cost == 5


def test_directions_with_states_of_another_form_are_not_mixed_up() -> None:
    """A backward problem with other bits, or another length, is searched by the reference engine, and a warning says so."""

    class Other(Tiles):
        def backward(self) -> Any:
            other = super().backward()
            other.bits = {"cells": 5, "blank": 4}
            return other

    cells = list(shuffled(2).initial.cells)
    with pytest.raises(bf.InputError, match="have different lengths or declared bits in the two directions"):
        bf.solve(Other(cells, GOAL, 3), "bidirectional-astar", engine="compiled")


def test_a_backward_start_beyond_the_bits_of_the_forward_states_is_refused() -> None:
    """Compiled code would read it without the bits that are too many."""

    class Line(bf.Domain):
        class State(NamedTuple):
            place: int

        max_actions, undirected, default_heuristic = 2, True, "none"

        def __init__(self, start: int, goal: int, bits: int) -> None:
            self.initial, self.goal, self.bits = self.State(start), goal, {"place": bits}

        def step(self, state: Any, action: int) -> Any:
            place = state.place + 2 * action - 1
            return 0 <= place < 20, self.State(max(place, 0)), 1

        def is_goal(self, state: Any) -> bool:
            return bool(state.place == self.goal)

        def backward(self) -> Any:
            return Line(self.goal, self.initial.place, 5)

        @bf.heuristic(admissible=True, consistent=True)
        def none(self, state: Any) -> int:
            return int(0 * state.place)

    with pytest.raises(bf.InputError, match="have different lengths or declared bits in the two directions"):
        bf.solve(Line(3, 17, 4), "bidirectional-astar", engine="compiled")


@pytest.mark.slow
def test_pattern_databases_of_tuples_are_apart_and_right() -> None:
    """Two that differ only in a tuple on self are two databases, and both engines search with them alike."""
    sizes = [5, 3, 6, 1, 4, 2]
    databases = [bf.PatternDatabase.build(SomeOf(sizes, kept)) for kept in ({1, 2, 3}, {4, 5, 6})]
    assert Identity.of(databases[0].domain) != Identity.of(databases[1].domain)
    plain = bf.solve(Stack(sizes), "breadth-first", engine="python")
    for engine in ("python", "compiled"):
        found = bf.solve(Stack(sizes), "idastar", bf.max_of(*databases), engine=engine)
        assert found.cost == plain.cost
    assert plain.cost is not None and databases[0].distance(SomeOf(sizes, {1, 2, 3}).initial) <= plain.cost


def test_the_fields_are_those_of_the_object_as_it_is_now() -> None:
    """With other bits, or tuples of other lengths, a domain has other fields; one of the same form has equal ones."""
    domain = Tiles([1, 0, 2, 3], [0, 1, 2, 3], 2)
    fields = state_fields(domain)
    assert [(field.length, field.bits) for field in fields] == [(4, 4), (None, 4)]
    assert state_fields(Tiles([0, 1, 2, 3], [0, 1, 2, 3], 2)) == fields
    domain.bits = {"cells": 8}
    assert [(field.length, field.bits) for field in state_fields(domain)] == [(4, 8), (None, 64)]
    domain.initial = Board((0, 1, 2), 0)
    assert [field.length for field in state_fields(domain)] == [3, None]
    domain.initial = Board(tuple(range(64 * 129)), 0)
    domain.bits = {}
    for _ in range(2):
        with pytest.raises(bf.InputError, match="128"):
            state_fields(domain)


class Growing(bf.Domain):
    """Its sum needs more than 64 bits in the end."""

    class State(NamedTuple):
        steps: int
        sums: tuple[int, ...]

    initial, max_actions = State(0, (0,)), 1

    def step(self, state: Any, _action: Any) -> Any:
        return True, self.State(state.steps + 1, (state.sums[0] + 2**61,)), 1

    def is_goal(self, state: Any) -> Any:
        return state.steps == 6


@pytest.mark.parametrize("algorithm", ["uniform-cost", "depth-first-branch-and-bound"])
def test_an_element_that_outgrows_64_bits_stops_compiled_code_as_a_field_does(algorithm: str) -> None:
    """So that a search with any engine goes on in the reference engine."""
    with pytest.raises(bf.errors.WordOverflowError, match="an int needs more than 64 bits"):
        bf.solve(Growing(), algorithm, engine="compiled")
    assert bf.solve(Growing(), algorithm, engine="python").cost == 6
