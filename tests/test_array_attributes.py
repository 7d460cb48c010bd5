"""Arrays on self: what both engines read is what was set last."""

from __future__ import annotations

import copy
import pickle
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import localtime
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.array_views import ArrayView
from bestfirst.errors import InputError
from bestfirst.makers import maker_named
from twins import assert_twins


class Walk(bf.Domain):
    """Steps of 1 up to where a table on self says."""

    class State(NamedTuple):
        """How far."""

        number: int

    max_actions = 2
    default_heuristic = None
    initial = State(0)

    def __init__(self, table: Any) -> None:
        self.table = table

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        return True, self.State(state.number + 1 + action), 1 + action

    def is_goal(self, state: State) -> bool:
        return state.number >= self.table[0]  # type: ignore[no-any-return]


class Limited(Walk):
    """The same with a number in place of the table."""

    def is_goal(self, state: Walk.State) -> bool:
        return state.number >= self.table  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "table",
    [
        np.array([7], ">i8"),
        np.frombuffer(bytes(1) + np.array([7]).tobytes(), np.uint8)[1:].view(np.int64),
        np.array([7, 0, 3])[::2],
        np.array([7.0], np.float32),
        np.array([True]),
    ],
    ids=["of another byte order", "at an odd address", "with gaps", "of floats", "of truth values"],
)
def test_both_engines_read_any_array_of_numbers(table: Any) -> None:
    """However it lies in memory."""
    assert_twins(Walk(table), "depth-first-branch-and-bound")


def test_own_data_may_have_a_common_name() -> None:
    """A name such as `data` hides no method that the compiled engine needs."""

    class Steps(Walk):
        def __init__(self, data: Any) -> None:
            self.data = data
            super().__init__(np.array([3]))

        def step(self, state: Walk.State, action: int) -> tuple[bool, Walk.State, int]:
            return True, self.State(state.number + self.data[action]), 1

    assert_twins(Steps(np.array([1, 2])), "uniform-cost")


@pytest.mark.parametrize("number", [np.int64(7), np.int32(7), np.float64(6.5), np.array(7), np.bool_(True)])
def test_a_number_of_numpy_is_a_number(number: Any) -> None:
    """To both engines."""
    assert_twins(Limited(number), "depth-first-branch-and-bound")


@pytest.mark.parametrize("number", [np.int64(7), np.float64(6.5)])
def test_a_number_of_numpy_that_is_set_on_a_class_later_is_a_number(number: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the class is searched."""
    domain = Limited(3)
    del domain.table
    monkeypatch.setattr(Limited, "table", number, raising=False)
    assert assert_twins(domain, "depth-first-branch-and-bound").cost == 7
    assert type(domain.table) in (int, float)


class Bytes(Walk):
    """The goal is as far as two bytes differ."""

    def __init__(self) -> None:
        pass

    def is_goal(self, state: Walk.State) -> bool:
        return state.number >= abs(self.table[0] - self.table[1])  # type: ignore[no-any-return]


BYTES = np.array([1, 5], np.uint8)


class Mixin:
    table = BYTES


class Mixed(Mixin, Bytes):
    pass


@dataclass(frozen=True)
class Frozen(Bytes):
    table: Any = field(default_factory=BYTES.copy)


@dataclass(frozen=True, slots=True)
class Slotted(Bytes):
    table: Any = field(default_factory=BYTES.copy)


class Later(Bytes):
    pass


class LaterMixin:
    table: Any


class MixedLater(LaterMixin, Bytes):
    pass


@pytest.mark.parametrize("kind", [Mixed, Frozen, Slotted, Later, MixedLater])
def test_an_array_that_is_set_past_the_object_has_numbers_of_python(kind: type[Bytes]) -> None:
    """In a mixin, a frozen dataclass, or on a class after its definition."""
    if kind in (Later, MixedLater):
        kind.__mro__[kind is MixedLater].table = BYTES  # type: ignore[attr-defined]
    problem = kind()
    if kind is Later:
        assert bf.audit(problem, lambda state: 9 * (state.number == 0), states=100, samples=5).admissible is False
    found = assert_twins(problem, "depth-first-branch-and-bound")
    assert found.cost == 4
    if kind is Later:
        Later.table = BYTES
        found.verify()


def test_an_array_of_a_property_is_refused_in_compiled_code() -> None:
    """Interpreted methods get it as it is."""

    class Property(bf.Domain):
        State = Walk.State
        max_actions = 1
        initial = State(0)

        @property
        def table(self) -> Any:
            return BYTES

        def step(self, state: Walk.State, action: int) -> Any:  # noqa: ARG002
            return True, self.State(state.number + 1), self.table[0]

        def is_goal(self, state: Walk.State) -> bool:
            return state.number == 3

    with pytest.raises(bf.CompileError, match="was not set by assignment"):
        bf.solve(Property(), "depth-first-branch-and-bound", engine="compiled")


def test_what_was_set_last_counts() -> None:
    """In compiled code, in copies and after a deletion, too."""
    domain = Walk(np.array([3]))
    domain.table = np.array([5])
    assert_twins(domain, "depth-first-branch-and-bound")
    domain.table = [9]
    assert bf.solve(domain, "depth-first-branch-and-bound", engine="python").cost == 9
    with pytest.raises(bf.CompileError, match=r"it reads self.table, which is a list"):
        bf.solve(domain, "depth-first-branch-and-bound", engine="compiled")
    assert pickle.loads(pickle.dumps(domain)).table == [9]
    domain.table = np.array([4])
    del domain.table
    assert not hasattr(domain, "table")
    with pytest.raises(AttributeError):
        domain.compiled_value("table")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda domain: pickle.loads(pickle.dumps(domain))])
def test_the_table_of_a_copy_has_numbers_of_python(copied: Any) -> None:
    """As that of the original has: a sum of bytes does not overflow."""
    assert copied(Walk(np.array([[200], [100]], np.uint8))).table[0, 0] + 100 == 300


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_a_sum_of_large_ints_does_not_overflow(dtype: Any) -> None:
    """Of an array and of a row; NumPy's would be 0."""
    table = Walk(np.full((2, 4), 2**62, dtype)).table
    assert (table.sum(), table[1].sum()) == (2**65, 2**64)
    assert table.sum(axis=0).tolist() == [2**63 if dtype is np.uint64 else -(2**63)] * 4


def test_a_deep_copy_has_a_table_of_its_own() -> None:
    """What is written to its array does not reach the original."""
    domain = Walk(np.array([5]))
    copy.deepcopy(domain).compiled_value("table")[0] = 9
    assert domain.table[0] == 5


@pytest.mark.parametrize("dtype", [np.float16, np.longdouble, "datetime64[s]", np.complex128])
def test_an_array_of_something_else_is_refused_where_it_is_compiled(dtype: Any) -> None:
    """And can be set all the same."""
    domain = Walk(np.array([7], dtype))
    with pytest.raises(bf.CompileError, match=r"it reads the array self.table of .*; use an array of ints, float32 or"):
        bf.solve(domain, "depth-first-branch-and-bound", engine="compiled")


def clone_of(domain: Walk, table: Any) -> Walk:
    """Another domain, made without __init__ from the attributes of one."""
    made = Walk.__new__(Walk)
    vars(made).update(vars(domain))
    made.table = table
    return made


def test_a_clone_made_by_hand_has_a_table_of_its_own() -> None:
    """What is set on it does not reach the original, whose attributes it was given."""
    domain = Walk(np.array([5]))
    assert clone_of(domain, np.array([9])).compiled_value("table")[0] == 9
    assert domain.compiled_value("table")[0] == 5
    vars(domain)["table"] = clone_of(domain, np.array([3])).table
    assert assert_twins(domain, "depth-first-branch-and-bound").cost == 3


def test_a_table_that_was_not_set_by_assignment_is_held_all_the_same() -> None:
    """Also if code for such a class is at hand already."""
    assert_twins(Walk(np.array([5], np.uint8)), "depth-first-branch-and-bound")
    domain = Walk(None)
    vars(domain)["table"] = np.array([6], np.uint8)
    assert assert_twins(domain, "depth-first-branch-and-bound").cost == 6


def test_attributes_of_an_array_that_are_arrays_have_numbers_of_python() -> None:
    """A transposed array of bytes adds up as in Python, and compiled code refuses it."""
    assert Walk(np.array([[200], [100]], np.uint8)).table.T[0, 0] + 100 == 300

    class Turned(Walk):
        def is_goal(self, state: Walk.State) -> bool:
            return state.number >= self.table.T[0, 0]  # type: ignore[no-any-return]

    with pytest.raises(bf.CompileError, match="an attribute of an array other than shape, ndim and size"):
        bf.solve(Turned(np.array([[3]])), "depth-first-branch-and-bound", engine="compiled")


def test_a_truth_value_is_an_index_as_in_python() -> None:
    """Of an array of any number of dimensions: 0 or 1, and never a mask."""
    for table in (np.arange(4), np.arange(12).reshape(3, 4), np.arange(24).reshape(2, 3, 4)):
        view = Walk(table).table
        assert np.array_equal(np.asarray(view[True]), table[1])
        assert np.array_equal(np.asarray(view[True][False]), table[1][0]) if table.ndim > 1 else True
    assert Walk(np.arange(24).reshape(2, 3, 4)).table[True, False, 2] == 14
    assert list(Walk(np.arange(24).reshape(2, 3, 4)).table[True, False]) == [12, 13, 14, 15]


def test_a_row_of_a_table_can_be_written_and_a_frozen_one_cannot() -> None:
    """Whether it was indexed or iterated over; out= takes a table."""
    table, frozen = ArrayView(np.arange(6).reshape(2, 3)), ArrayView(np.arange(6).reshape(2, 3), is_frozen=True)
    np.add(table, 1, out=table)  # type: ignore[call-overload]
    table.clip(2, 4, out=table)
    assert table.tolist() == [[2, 2, 3], [4, 4, 4]]
    for row in table:
        row[0] = 9
    assert table[:, 0].tolist() == [9, 9]
    for row in frozen:
        with pytest.raises(InputError, match="in place"):
            row[0] = 9


@pytest.mark.parametrize(
    "change",
    [
        lambda cost: np.clip(cost, 5, 6, out=cost),
        lambda cost: cost.clip(5, 6, out=cost),
        lambda cost: cost.cumsum(0, None, cost),
        lambda cost: np.take(cost, [0] * 8, out=cost),
        lambda cost: np.add.reduce(np.ones((8, 8)), 0, out=cost),
        lambda cost: np.mean(np.ones((8, 8)), axis=0, out=cost),
        lambda cost: np.add.at(cost, 0, 1),
        lambda cost: cost.sort(),
        lambda cost: cost.base.fill(0),
        lambda cost: cost.flags.__setattr__("writeable", True),
        lambda cost: np.asarray(cost).__setitem__(0, 1),
        lambda cost: memoryview(cost.data).__setitem__(0, 1),
        lambda cost: cost.dot(np.eye(8), cost),
    ],
)
def test_numpy_does_not_change_a_frozen_array(change: Callable[[Any], object]) -> None:
    """By whatever way."""
    given = np.arange(8.0)
    view = given.view()
    view.flags.writeable = False
    for frozen in (ArrayView(given, is_frozen=True), ArrayView(view, is_frozen=True)):
        with pytest.raises((InputError, ValueError, TypeError), match=r"in place|read-only|WRITEABLE|not acceptable"):
            change(frozen)
        given[:] = 9
        assert frozen.tolist() == list(range(8))
        given[:] = range(8)


def test_operators_in_place_change_the_array() -> None:
    """And rows of it, as in NumPy; not a frozen one."""
    table: Any = ArrayView(np.arange(6).reshape(2, 3))
    row = table[0]
    row += 5
    for each in table:
        each -= each.min()  # noqa: PLW2901
    whole = table
    whole *= 2
    assert table.tolist() == [[0, 2, 4], [0, 2, 4]]
    frozen: Any = ArrayView(np.arange(3), is_frozen=True)
    with pytest.raises(InputError, match="in place"):
        frozen += 1


INSTANCES = Path(__file__).parents[1] / "examples" / "instances"
SHIPPED = {
    "lights-out": "000/001",
    "pocket-cube": "R",
    "rubiks-cube": "R",
    "top-spin": "2 1 3 4 5 6",
    "checkers": None,
    "mnk": None,
    "tsptw": "n20w20.001.txt",
    "weighted-tardiness": "wt40.txt",
    "assembly-line": "instance_n_20_1.alb",
    "bin-packing": "nine-items.bpp",
    "talent-scheduling": "film105.dat",
    "knapsack": "five-items.txt",
    "multi-knapsack": "mknap1-first.txt",
    "graph-clear": "planar_n20-seed2022_10.txt",
    "open-stacks": "fifteen-customers.txt",
    "orienteering": "50_c101.txt",
    "m-pdtsp": "twelve-places.tsp",
    "tsp": "gr17.tsp",
    "cvrp": "P-n16-k8.vrp",
    "sequence-alignment": "globins.fasta",
    "job-shop": "ft06.txt",
    "multi-agent": "rooms.scen",
}


@pytest.mark.parametrize("name", SHIPPED)
def test_arrays_of_what_is_shipped_cannot_be_changed_in_place(name: str) -> None:
    """Other data is derived from them, and all objects of a class share some."""
    instance = SHIPPED[name]
    made = maker_named(name).make(str(INSTANCES / instance) if instance and "." in instance else instance, {})
    arrays = [value for member, value in vars(made).items() if isinstance(value, ArrayView) and not member.startswith("_")]
    assert arrays
    for array in arrays:
        with pytest.raises(InputError, match="in place"):
            array[...] = 0


def test_a_masked_array_is_refused() -> None:
    """Compiled code would read the number under the mask."""
    problem: Any = bf.TopSpin("1 3 2 5 4")
    with pytest.raises(InputError, match="is masked"):
        problem.extra = np.ma.masked_equal([5, 1], 1)


class Differing(Walk):
    """The goal is where two numbers of the table differ by 4: 1 and 5, which wrap around as bytes."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def is_goal(self, state: Walk.State) -> bool:
        first, second = self.members()
        return bool(state.number >= abs(first - second))

    def members(self) -> Any:
        """The two numbers."""
        return self.table


class AtKeys(Differing):
    def members(self) -> Any:
        return self.table["first"][0], self.table["second"][0]


class InRows(Differing):
    def members(self) -> Any:
        return self.table[0][0], self.table[1][0]


class Flat(Differing):
    def members(self) -> Any:
        return self.table.flat[0], next(iter(self.table.flat[1:]))


class Ravelled(Differing):
    def members(self) -> Any:
        return self.table.ravel()[0], self.table.max(axis=0)[1]


class Sorted(Differing):
    def members(self) -> Any:
        return sorted(self.table)


class Pair(NamedTuple):
    first: Any
    second: Any


class OfClass(Differing):
    pair = Pair(*BYTES)
    table: Any = tuple(BYTES)

    def __init__(self) -> None:
        pass


ONE, FIVE = BYTES[:1], BYTES[1:]
RECORD = np.array([(1, 5)], [("first", np.uint8), ("second", np.uint8)])


@pytest.mark.parametrize(
    "problem",
    [
        Differing(tuple(BYTES)),
        Differing(list(BYTES)),
        Differing(Pair(*BYTES)),
        Sorted(set(BYTES)),
        Sorted(dict(zip(BYTES, BYTES, strict=True))),
        InRows((ONE, FIVE)),
        InRows([[BYTES[0]], [BYTES[1]]]),
        AtKeys({"first": ONE, "second": FIVE}),
        AtKeys(RECORD),
        AtKeys({"first": RECORD["first"], "second": [RECORD[0]["second"]]}),
        Flat(BYTES),
        Flat(BYTES[:, np.newaxis]),
        Ravelled(BYTES[np.newaxis]),
        OfClass(),
    ],
    ids=lambda problem: type(problem).__name__,
)
def test_numbers_of_numpy_wherever_they_are_kept_are_numbers_of_python(problem: Any) -> None:
    """In containers on self or on the class, in records, and where an array has other forms."""
    assert {type(number) for number in problem.members()} == {int}
    assert bf.solve(problem, "uniform-cost", engine="python").cost == 4
    assert type(OfClass.pair) is Pair
    assert type(OfClass.pair.first) is int


def test_a_half_float_is_a_float_of_python() -> None:
    """Two of 40,000 add up to 80,000, which no half float can be."""
    assert sum(Walk(np.array([40_000, 40_000], np.float16)).table) == 80_000


def test_a_tuple_of_bytes_of_numpy_is_compiled() -> None:
    """As a tuple of ints of Python is."""

    class Tuple(Walk):
        def is_goal(self, state: Walk.State) -> bool:
            return state.number >= abs(self.table[0] - self.table[1])  # type: ignore[no-any-return]

    assert assert_twins(Tuple(tuple(BYTES)), "depth-first-branch-and-bound").cost == 4


def test_a_list_that_is_filled_after_it_was_set_has_numbers_of_python() -> None:
    """When it is searched; a list without any of NumPy's stays the object that was set, also if it contains itself."""
    plain: list[Any] = [1, (2, "three")]
    plain.append(plain)
    domain = Differing(plain)
    assert domain.table is plain
    rows: list[Any] = []
    domain.table = rows
    rows.extend(BYTES)
    assert bf.solve(domain, "uniform-cost", engine="python").cost == 4
    assert rows == [1, 5]
    assert type(rows[0]) is np.uint8
    looped: list[Any] = [*BYTES]
    looped.append(looped)
    domain.table = looped
    assert domain.table[2] is domain.table


@pytest.mark.parametrize("place", [0, 1000, 1999])
def test_a_member_that_is_set_later_is_a_number_of_python(place: int) -> None:
    """Wherever in a list, or in the rows of a list, it is."""
    row, rows = [0] * 2000, [[0] * 40 for _ in range(50)]
    domain = Walk([1])
    domain.row, domain.rows = row, rows
    row[place] = rows[place // 40][place % 40] = np.uint8(200)  # type: ignore[call-overload]
    domain.hold_arrays()
    assert type(domain.row[place]) is int  # type: ignore[attr-defined]
    assert type(domain.rows[place // 40][place % 40]) is int  # type: ignore[attr-defined]


class Attributes(dict[str, Any]):
    """A dict whose keys are its attributes."""

    def __init__(self, **members: Any) -> None:
        super().__init__(members)
        self.__dict__ = self


class Rows(list[Any]):
    """A list with an attribute."""

    name = "none"


def test_containers_of_other_types_have_numbers_of_python_and_keep_their_type() -> None:
    """A defaultdict its default, an OrderedDict its order, a deque its greatest length, and others their attributes."""
    lists = Walk(defaultdict(list, {1: [BYTES[1]]})).table
    assert type(lists) is defaultdict
    assert type(lists[1][0]) is int
    assert lists[2] == []
    ordered = OrderedDict([("first", BYTES[1]), ("second", BYTES[0])])
    ordered.move_to_end("first")
    held = Walk(ordered).table
    assert type(held) is OrderedDict
    assert repr(held) == repr(OrderedDict([("second", 1), ("first", 5)]))
    counted = Walk(Counter({BYTES[1]: 3})).table
    assert (type(counted), counted, type(next(iter(counted)))) == (Counter, Counter({5: 3}), int)
    queue = Walk(deque(BYTES, maxlen=2)).table
    assert (type(queue), queue.maxlen, [*map(type, queue)]) == (deque, 2, [int, int])
    rows = Rows(BYTES)
    rows.name = "bytes"
    made = Walk(rows).table
    assert (type(made), made.name, [*map(type, made)]) == (Rows, "bytes", [int, int])
    attributes = Walk(Attributes(cost=BYTES[1])).table
    assert type(attributes.cost) is type(attributes["cost"]) is int
    attributes["cost"] = 7
    assert attributes.cost == 7


class Couple(tuple[Any, ...]):
    """A tuple with a constructor of its own, and with an attribute."""

    def __new__(cls, first: Any, second: Any) -> Couple:
        return super().__new__(cls, (first, second))

    def __init__(self, first: Any, second: Any) -> None:
        self.order = [first, second]


class Reversed(tuple[Any, ...]):
    """A tuple that is read from its end."""

    def __iter__(self) -> Iterator[Any]:
        yield from [self[place] for place in range(len(self) - 1, -1, -1)]


class Marked(frozenset[Any]):
    """A frozenset with a slot."""

    __slots__ = ("mark",)
    mark: str


class Named(set[Any]):
    """A set that has a name before its members."""

    def __init__(self, name: str, members: Any) -> None:
        super().__init__(members)
        self.name = name


def test_subclasses_of_tuples_and_sets_have_numbers_of_python_and_keep_their_attributes() -> None:
    """Whatever their constructors take and however they are read."""
    couple = Walk(Couple(BYTES[0], BYTES[1])).table
    assert (type(couple), couple, couple.order, [*map(type, couple)]) == (Couple, (1, 5), [*BYTES], [int, int])
    assert couple[1] * 100 == 500
    read = Walk(Reversed(BYTES)).table
    assert (type(read), read[0], read[1]) == (Reversed, 1, 5)
    marked = Marked(BYTES)
    marked.mark = "odd"
    held = Walk([marked]).table[0]
    assert (type(held), held, held.mark, {*map(type, held)}) == (Marked, {1, 5}, "odd", {int})
    named = Walk(Named("odd", BYTES)).table
    assert (type(named), named, named.name, {*map(type, named)}) == (Named, {1, 5}, "odd", {int})
    again = Walk([5, localtime(0), BYTES[1]]).table
    assert (again[1], type(again[2])) == (localtime(0), int)


def test_a_record_is_read_by_name_and_by_place() -> None:
    """In a list, in a dict and as an attribute; its numbers are numbers of Python."""
    first = RECORD[0]
    for record in (Walk([first]).table[0], Walk({1: first}).table[1], Walk(first).table, Walk(Walk(first).table).table):
        assert record["second"] == record[1] == 5
        assert tuple(record) == (1, 5)
        assert {type(number) for number in (record["second"], record[1], *record)} == {int}
    assert type(Walk([RECORD.view(np.recarray)[0]]).table[0].second) is int


def test_an_object_that_answers_every_attribute_is_not_an_array() -> None:
    """Such as a dict whose attributes are its keys, or None where there is no key."""

    class Answering(dict[str, Any]):
        __getattr__ = dict.get

    settings = Answering(cost=3)
    assert Walk(settings).table is settings
    assert Walk([settings]).table[0] is settings


@pytest.mark.parametrize("value", [np.datetime64("2020-01-01", "ns"), np.timedelta64(1, "D"), np.str_("a"), np.bytes_(b"a")])
def test_what_is_not_a_number_stays_as_it_is(value: Any) -> None:
    """Dates, times and texts, as an attribute and in a list."""
    assert Walk(value).table is value
    assert Walk([value, np.uint8(1)]).table[0] is value


def test_an_element_of_a_flat_frozen_array_cannot_be_set() -> None:
    """Nor one of a row in other form; a copy can be changed."""
    frozen = ArrayView(np.arange(6).reshape(2, 3), is_frozen=True)
    for change in (frozen.flat, frozen.ravel(), frozen.reshape(3, 2)[0]):
        with pytest.raises(InputError, match="in place"):
            change[0] = 9
    copied = frozen.copy()
    copied.flat[0] = 9
    assert (copied[0, 0], frozen[0, 0], len(frozen.flat)) == (9, 0, 6)
