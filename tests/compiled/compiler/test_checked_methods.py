"""Compiled code means what Python means, or stops and says where: what users write who know nothing of 64 bits."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from operator import itemgetter
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.compiled.compiler.translate import check_state_class
from bestfirst.errors import NotCompilableError

pytestmark = pytest.mark.numba


class Counter(bf.Domain):
    """Counts up from 0; subclasses say how, and where it ends."""

    class State(NamedTuple):
        n: int

    max_actions = 1
    initial = State(0)
    end = 5

    def step(self, state: State, action: int) -> Any:  # noqa: ARG002
        return True, self.State(state.n + 1), 1

    def is_goal(self, state: State) -> bool:
        return state.n == self.end


CHEAP = "depth-first-branch-and-bound"
"""An algorithm whose kernel compiles in a quarter of the time of uniform-cost search, for tests of methods."""


def compiled(domain: bf.Domain) -> bf.Solution:
    """The solution of the compiled engine."""
    return bf.solve(domain, CHEAP, engine="compiled")


def both(domain: bf.Domain) -> tuple[bf.Solution, bf.Solution]:
    """The solutions of both engines."""
    return bf.solve(domain, CHEAP, engine="python"), compiled(domain)


class Narrow(Counter):
    """Costs are differences of elements of narrow arrays without a sign."""

    def __init__(self) -> None:
        self.u8 = np.array([5, 8, 250, 1, 0], np.uint8)
        self.u64 = np.array([5, 8, 2**62, 1, 0], np.uint64)
        self.flags = np.array([True, False, True, True, False])
        self.f32 = np.array([0.1, 0.2, 1e10, 0.3, 0.4], np.float32)

    def step(self, state: Counter.State, action: int) -> Any:  # noqa: ARG002
        one, other = self.u8[state.n], self.u8[(state.n + 1) % 5]
        cost = abs(one - other) + (-one + 255) + (~other + 256) + (~self.flags[state.n] + 2)
        cost += abs(self.u64[state.n] - self.u64[2]) + (self.u64[2] >> 60)
        return True, self.State(state.n + 1), cost + self.f32[state.n] + self.f32[2]


def test_elements_of_narrow_arrays_are_numbers_of_python() -> None:
    """Differences, signs, bits and sums of uint8, uint64, bool and float32 are those of ints and floats."""
    reference, fast = both(Narrow())
    assert reference.cost == fast.cost
    assert reference.cost is not None and reference.cost > 4 * 2**62


class Grows(Counter):
    """A set of bits that grows to 67 of them."""

    end = 67

    def step(self, state: Counter.State, action: int) -> Any:  # noqa: ARG002
        return True, self.State(state.n << 1 | 1), 1

    def is_goal(self, state: Counter.State) -> bool:
        return state.n.bit_count() == self.end


def test_a_set_that_outgrows_64_bits_is_an_error_or_right() -> None:
    """The compiled engine names file, line, method, state and action; the default search gives Python's answer."""
    assert bf.solve(Grows(), engine="python").cost == 67
    with pytest.raises(bf.WordOverflowError, match=r"test_checked_methods.py:\d+: Grows.step: step\(State\(n=\d+\), 0\)"):
        compiled(Grows())
    assert bf.solve(Grows()).cost == 67


class Shifts(Counter):
    """Values that fit, by way of values that do not."""

    def step(self, state: Counter.State, action: int) -> Any:  # noqa: ARG002
        return True, self.State((state.n + 1 << 63 >> 63) * 10**18 * 10 // 10**19), 1


def test_a_value_on_the_way_that_does_not_fit_is_an_error() -> None:
    """It is never cut off without a word."""
    assert bf.solve(Shifts(), engine="python").cost == 5
    with pytest.raises(OverflowError, match=r"Shifts.step"):
        compiled(Shifts())


class Lost(Counter):
    """A product in the first turn of a loop does not fit; those in later turns do."""

    k = 2**62
    end = 3

    def step(self, state: Counter.State, action: int) -> Any:  # noqa: ARG002
        return state.n < self.end, self.State(state.n + 1), 1

    def is_goal(self, state: Counter.State) -> bool:
        count = 0
        for turn in range(3):
            if self.k * (2 - turn) >= self.k:
                count = count + 1
        return count == 2 and state.n == self.end


class Otherwise(Counter):
    """The else of a loop is reached after turns that went wrong."""

    def step(self, state: Counter.State, action: int) -> Any:  # noqa: ARG002
        x = state.n + 10**9
        for _turn in range(3):
            x = x * x
        return x > 0, self.State(state.n + 1), 1
        return False, state, 1


@pytest.mark.parametrize("kind", [Lost, Otherwise])
def test_a_value_that_does_not_fit_in_one_turn_of_a_loop_is_noticed(kind: type[Counter]) -> None:
    """Whichever turn it is, and however the loop is left."""
    assert bf.solve(kind(), "uniform-cost", engine="python").found
    with pytest.raises(bf.WordOverflowError):
        compiled(kind())


class Torus(NamedTuple("Place", [("x", int)])):
    """A state whose fields are not what they are made with."""

    __slots__ = ()

    def __new__(cls, x: int) -> Any:
        return super().__new__(cls, x % 7)


class OnTorus(Counter):
    State: ClassVar[Any] = Torus
    initial = Torus(0)

    def step(self, state: Any, action: int) -> Any:  # noqa: ARG002
        return True, self.State(state.x + 1), 1

    def is_goal(self, state: Any) -> bool:
        return bool(state.x == 6)


def test_states_that_are_not_plain_tuples_are_left_to_python() -> None:
    """Compiled code would ignore what their class says of them."""
    assert bf.solve(OnTorus()).cost == 6
    with pytest.raises(bf.InputError, match=r"OnTorus\.State defines __new__"):
        compiled(OnTorus())


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("__new__", lambda cls, x: tuple.__new__(cls, (x % 7,))),
        ("x", property(lambda state: state[0] % 7)),
        ("x", itemgetter(0)),
    ],
)
def test_members_set_on_a_plain_named_tuple_are_left_to_python(member: str, value: Any) -> None:
    """Another __new__ or another property of a field than it was made with."""

    class Place(NamedTuple):
        x: int = 0

    class Walk(OnTorus):
        State: ClassVar[Any] = Place
        initial: Any = Place(0)

    check_state_class(Walk())
    setattr(Place, member, value)
    with pytest.raises(bf.InputError, match=f"Walk.State defines {member}"):
        check_state_class(Walk())


@pytest.mark.parametrize("change", ["__defaults__", "_field_defaults", "__new__"])
def test_defaults_that_were_changed_are_left_to_python(change: str) -> None:
    """Compiled code would make states with those that are written in the class."""

    class Place(NamedTuple):
        x: int
        y: int = 0

    class Walk(OnTorus):
        State: ClassVar[Any] = Place
        initial: Any = Place(0, 0)

    check_state_class(Walk())
    if change == "_field_defaults":
        Place._field_defaults["y"] = 1
    elif change == "__defaults__":
        Place.__new__.__defaults__ = (1,)
    else:
        Place.__new__.__code__ = (lambda _cls, x, y: (x, y + 1)).__code__
    with pytest.raises(bf.InputError, match=rf"Walk\.State.*{change}"):
        check_state_class(Walk())


def test_a_field_that_is_read_as_another_one_is_left_to_python() -> None:
    """Compiled code reads each field at its own place."""

    class Place(NamedTuple):
        x: int
        y: int

    class Walk(OnTorus):
        State: ClassVar[Any] = Place
        initial: Any = Place(0, 0)

    check_state_class(Walk())
    kind: Any = Place
    kind.y = kind.x
    with pytest.raises(bf.InputError, match=r"Walk\.State defines y"):
        check_state_class(Walk())


class Masked(Counter):
    """What a mask leaves fits, whatever is shifted out."""

    def step(self, state: Counter.State, action: int) -> Any:  # noqa: ARG002
        high = (state.n + 1 << 60) * 3 & 1
        return True, self.State(((1 << 40 + state.n) * (1 << 40) & 0xFF) + state.n + 1 + high), 1


def test_what_a_mask_removes_does_no_harm() -> None:
    """The lowest bits of an int of any size are right."""
    reference, fast = both(Masked())
    assert (reference.cost, fast.cost) == (5, 5)


class Indexed(Counter):
    """Reads one element too far."""

    def __init__(self, last: int) -> None:
        self.costs = np.ones(4, np.int8)
        self.end = last

    def step(self, state: Counter.State, action: int) -> Any:  # noqa: ARG002
        return True, self.State(state.n + 1), self.costs[state.n - 3]


def test_an_index_counts_from_the_end_and_ends_there() -> None:
    """As in Python: -1 is the last element, and an IndexError what lies beyond."""
    reference, fast = both(Indexed(6))
    assert reference.cost == fast.cost == 6
    with pytest.raises(IndexError) as caught:
        compiled(Indexed(9))
    assert any("step(State(n=7), 0)" in note for note in caught.value.__notes__)


class Beyond(Counter):
    """Says that two bits are enough."""

    bits = {"n": 2}  # noqa: RUF012
    default_heuristic = "none"

    @bf.heuristic(admissible=True)
    def none(self, state: Counter.State) -> int:  # noqa: ARG002
        return 0


def test_a_field_beyond_its_bits_is_an_error() -> None:
    """Of a state that step makes; tests/compiled/drivers/test_faults.py tries every algorithm."""
    with pytest.raises(bf.StateError, match=r"State\(n=4\): its field n is not in 0 .. 3"):
        compiled(Beyond())


class Unbound(Counter):
    """Reads a variable that a loop of no turns has not given a value."""

    def step(self, state: Counter.State, action: int) -> Any:  # noqa: ARG002
        for turn in range(3 - state.n):
            last = turn
        return True, self.State(state.n + 1), 1 + 0 * last


def test_a_variable_without_a_value_is_an_error() -> None:
    """Compiled code has no 0 in its place."""
    with pytest.raises(UnboundLocalError, match="last"):
        compiled(Unbound())


class Hidden(Counter):
    """Reads attributes with underscores, and has arguments with defaults."""

    def __init__(self) -> None:
        self._rows = np.array([[1, 2, 3], [4, 5, 6]])
        self._width = 3

    def step(self, state: Counter.State, action: int, extra: int = 2) -> Any:
        return True, self.State(state.n + 1), self._rows[1][action] + self._rows[0, -1] + self._width + scaled(extra)


def scaled(number: int, factor: int = 3) -> int:
    return number * factor


def test_names_with_underscores_rows_and_defaults_compile() -> None:
    """They are no reason for an error."""
    reference, fast = both(Hidden())
    assert reference.cost == fast.cost == 5 * (4 + 3 + 3 + 6)


def decorated(step: Any) -> Any:
    @functools.wraps(step)
    def tripled(self: Any, state: Any, action: int) -> Any:
        legal, following, cost = step(self, state, action)
        return legal, following, 3 * cost

    return tripled


class Decorated(Counter):
    @decorated
    def step(self, state: Counter.State, action: int) -> Any:  # noqa: ARG002
        return True, self.State(state.n + 1), 1


def test_a_decorator_is_not_left_out() -> None:
    """A method that is decorated is refused, and the default search calls it as it is."""
    assert bf.solve(Decorated()).cost == 15
    with pytest.raises(bf.CompileError, match="decorator"):
        compiled(Decorated())


def written(directory: Path, name: str, text: str) -> ModuleType:
    """A module with a text, imported."""
    (directory / f"{name}.py").write_text(text)
    importlib.invalidate_caches()
    spec = importlib.util.spec_from_file_location(name, directory / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TEXT = """
from typing import NamedTuple
import bestfirst as bf
TABLE = {table}

def cost_of(n):
    return TABLE[n % 2]

class Walk(bf.Domain):
    class State(NamedTuple):
        n: int
    max_actions = 1
    initial = State(0)
    def step(self, state, action):
        return True, self.State(state.n + 1), cost_of(state.n)
    def is_goal(self, state):
        return state.n == {goal}
"""


def test_a_file_that_is_edited_after_it_was_imported_is_not_compiled(tmp_path: Path) -> None:
    """The text that is found is not that of the code that runs."""
    module = written(tmp_path, "edited_walk", TEXT.format(table=(1, 5), goal=30))
    (tmp_path / "edited_walk.py").write_text(TEXT.format(table=(1, 5), goal=10))
    with pytest.raises(bf.CompileError, match="has changed since the import"):
        compiled(module.Walk())
    assert bf.solve(module.Walk()).cost == 90


def test_what_a_helper_reads_is_part_of_the_compiled_code(tmp_path: Path) -> None:
    """A tuple at the top of the module, changed in the file or in the process."""
    module = written(tmp_path, "table_walk", TEXT.format(table=(1, 5), goal=4))
    assert compiled(module.Walk()).cost == 12
    vars(module)["TABLE"] = 1, 1
    assert compiled(module.Walk()).cost == 4
    module = written(tmp_path, "table_walk", TEXT.format(table=(2, 1), goal=4))
    assert compiled(module.Walk()).cost == 6


TWO = """
from typing import NamedTuple
import bestfirst as bf
from {one} import cost_of
from {other} import doubled

class Walk(bf.Domain):
    class State(NamedTuple):
        n: int
    max_actions = 1
    initial = State(0)
    def step(self, state, action):
        return True, self.State(state.n + 1), cost_of(state.n) + doubled(state.n)
    def is_goal(self, state):
        return state.n == 1
"""


def test_functions_of_one_name_in_two_modules_are_told_apart(tmp_path: Path) -> None:
    """Each caller has its own."""
    written(tmp_path, "helpers_one", "def inner(n):\n    return 10\n\ndef cost_of(n):\n    return inner(n)\n")
    written(tmp_path, "helpers_two", "def inner(n):\n    return 1\n\ndef doubled(n):\n    return 2 * inner(n)\n")
    module = written(tmp_path, "two_walks", TWO.format(one="helpers_one", other="helpers_two"))
    assert compiled(module.Walk()).cost == 12


def test_arrays_on_self_are_arrays_of_numpy() -> None:
    """With NumPy's methods, operators, rows and slices, and Python's numbers as elements."""
    domain = Hidden()
    rows: Any = domain._rows
    assert rows.min(axis=1).tolist() == [1, 4]
    assert (rows == 5).sum() == 1
    assert rows[1][2] == rows[-1, -1] == 6
    assert type(rows[0, 0]) is int
    assert rows[:, 1].tolist() == [2, 5]
    assert (rows + 1).shape == (2, 3)


class Tall(bf.Domain):
    """Steps up to a number in a table; another table is only kept."""

    class State(NamedTuple):
        place: int

    initial, max_actions = State(0), 1

    def __init__(self, table: list[int]) -> None:
        self.table = np.array(table, np.uint64)
        self.kept = np.array([2**63 + 5], np.uint64)

    def step(self, state: Any, _: int) -> Any:
        return state.place < 3_000, self.State(state.place + 1), 1

    def is_goal(self, state: Any) -> bool:
        return bool(state.place == self.table[0] or self.table[1] == 0)


def test_elements_beyond_64_bits_are_refused_where_compiled_methods_read_them() -> None:
    """The reference engine knows them, and nothing is refused that no method reads."""
    small, large = Tall([2_500, 1]), Tall([2_500, 2**63])
    assert [bf.solve(small, CHEAP, engine=engine).cost for engine in ("python", "compiled")] == [2_500, 2_500]
    assert [bf.solve(large, engine=engine).cost for engine in ("python", None)] == [2_500, 2_500]
    with pytest.raises(NotCompilableError, match=f"the array table of Tall contains {2**63}"):
        bf.solve(large, CHEAP, engine="compiled")
    small.table[1] = 2**63
    with pytest.raises(NotCompilableError, match=f"the array table of Tall contains {2**63}"):
        bf.solve(small, CHEAP, engine="compiled")


class Boards(bf.GameDomain):
    """Fill 64 squares from the highest down by two; whoever takes the last wins."""

    class State(NamedTuple):
        board: int

    bits = {"board": 64}  # noqa: RUF012
    initial = State(2**64 - 1 >> 58 << 58)

    def legal(self, state: State) -> int:
        return state.board & ~(state.board >> 1) | state.board & -state.board

    def play(self, state: State, move: int) -> Any:
        return self.State(state.board & ~(1 << move) & ~(state.board >> 1 > 2**62 and 1 << 63))

    def is_over(self, state: State) -> bool:
        return state.board == 0

    def score(self, state: State) -> int:  # noqa: ARG002
        return -1


@pytest.mark.slow
def test_a_field_of_64_bits_is_an_int_that_is_not_negative() -> None:
    """Shifts and comparisons of boards need no masks: both engines see the same game."""
    found = [bf.analyse(Boards(), engine=engine, lines=None).run() for engine in ("python", "compiled")]
    assert [line.score for line in found[0].lines] == [line.score for line in found[1].lines]
    assert found[0].stats.nodes == found[1].stats.nodes
    assert bf.check(Boards()).ok


PAIRS = """
from typing import NamedTuple
import bestfirst as bf

class Pair(NamedTuple):
    a: int
    b: int

class Other(NamedTuple):
    b: int
    a: int

class Kinds:
    Pair = Pair

class Walk(bf.Domain):
    State = Pair
    max_actions = 3
    initial = Pair(0, 0)
    def step(self, state, action):
        return state.a < 30, {name}(state.a + 2 + action, 3), 1 + action
    def is_goal(self, state):
        return state.a >= 20
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Pair", "Kinds.Pair"])
def test_a_state_is_made_by_the_state_of_the_domain_as_it_is_now(name: str, tmp_path: Path) -> None:
    """Where the name has come to mean another class, as when a cell is run again, compiled code says so; nor does it keep State."""
    module: Any = written(tmp_path, f"pairs_{name.lower().replace('.', '_')}", PAIRS.format(name=name))
    first, second = both(module.Walk())
    assert (first.cost, first.stats.expanded) == (second.cost, second.stats.expanded)
    (module if name == "Pair" else module.Kinds).Pair = module.Other
    with pytest.raises(bf.CompileError, match=rf"py:21: Walk.step .* calls {name}, which is not Walk.State"):
        bf.solve(module.Walk(), "uniform-cost", engine="compiled")
    if name != "Pair":
        return  # the rest is the same whatever State is called in step
    module.Walk.State, module.Walk.initial = module.Other, module.Other(0, 0)
    first, second = both(module.Walk())
    assert first.status == second.status == "unsolvable"
    assert first.stats.expanded == second.stats.expanded
