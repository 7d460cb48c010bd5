"""What workers import: they refuse a problem if that is not what the program has in memory, and only then."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.batches.parcels import used_by
from bestfirst.imported_code import ImportedCode, OtherCodeError
from bestfirst.module_notes import NOTES

SOURCE = '''
import time
import bestfirst as bf
import prices

COST = 1
HUGE = 10**5000
DEEP = ()
for _ in range(3000):
    DEEP = (DEEP,)
WAYS = [1]
ROWS = [[1, 2], [3, 4]]
SEEN = {}
CALLS = 0
MET = []
STARTED = time.time()

def ends(state):
    return state == 10

def counted():
    global CALLS
    CALLS += 1

class Rates:
    rate = 1

    def rated(self, cost):
        return cost * self.rate

class Count(Rates, bf.Problem):
    """From 0 to 10."""
    initial = 0

    class Toll:
        toll = 0

        def paid(self, cost):
            return cost + self.toll

    asked = 0
    last = 9
    names = {"on": 1}
    memo = {}
    _table = None
    made = 0

    def __init__(self):
        setattr(type(self), "made", self.made + 1)
        self.last = self.last

    @property
    def table(self):
        if Count._table is None:
            Count._table = (1, 2, 3)
        return Count._table

    def is_goal(self, state):
        Count.asked += 1
        return ends(state)

    def successors(self, state):
        counted()
        assert self.table and STARTED and HUGE and DEEP
        MET.append(state)
        SEEN[state] = memo = self.memo
        memo[state] = WAYS[0] + ROWS[0][1] + len(self.names)
        if CALLS > 0 and state < 10:
            yield "on", state + 1, self.Toll().paid(self.rated(COST * prices.price(state)))

    @bf.heuristic(admissible=True)
    def left(self, state):
        return 10 - state
'''


PRICES = """
PRICE = 1
last = 3  # not the class attribute

def price(state):
    return PRICE

def tick():
    global last
    last = 4
"""
FUNCTIONS = """
import prices

def successors(state):
    if state < 10:
        yield "on", state + 1, prices.price(state)

def is_goal(state):
    return state == 10
"""


@pytest.fixture
def counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A module of a user, which uses another one, as a third one does."""
    for name, source in {"prices": PRICES, "counts": SOURCE, "functions": FUNCTIONS}.items():
        (tmp_path / f"{name}.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("counts")
    for name in ("prices", "counts", "functions"):
        sys.modules.pop(name, None)
        NOTES.pop(name, None)


def code_of(thing: Any) -> ImportedCode:
    """What a worker must import for a thing."""
    return ImportedCode.of(used_by(thing).values())


def ends_at_4(_owner: Any, state: int) -> bool:
    return state == 4


def failure_of(problem: bf.Problem) -> str:
    """Why a worker does not solve it."""
    (solution,) = bf.solve_many([problem], on="local", workers=1)
    assert solution.status == "failed"
    return str(solution.reason)


CHANGES: list[Callable[[Any], None]] = [
    lambda module: setattr(module, "COST", 5),
    lambda module: setattr(module.Count, "is_goal", ends_at_4),
    lambda module: setattr(module.Count, "initial", 3),
    lambda module: setattr(module.Count, "left", lambda _self, _state: 0),
    lambda module: setattr(module.Count, "last", 5),
    lambda module: setattr(module.prices, "PRICE", 5),
    lambda module: setattr(module, "WAYS", [2]),
    lambda module: setattr(module, "WAYS", np.array([2])),
    lambda module: module.WAYS.append(2),
    lambda module: module.ROWS[0].append(2),
    lambda module: module.Count.names.clear(),
    lambda module: setattr(module.Rates, "rate", 2),
    lambda module: setattr(module.Rates, "rated", lambda _, cost: 2 * cost),
    lambda module: setattr(module.Count.Toll, "toll", 2),
    lambda module: setattr(module.Count.Toll, "paid", lambda _, cost: 2 * cost),
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_replaced_in_memory_is_not_sent(change: Callable[[Any], None], counts: Any) -> None:
    """A worker would import the module as it is in the file."""
    problem = counts.Count()
    assert [name for name, _ in code_of(problem).modules] == ["counts", "prices"]
    change(counts)
    with pytest.raises(OtherCodeError, match="was changed after it was imported"):
        code_of(problem)
    assert "was changed after it was imported" in failure_of(problem)


@pytest.mark.parametrize("edit", [("state == 10", "state == 4"), ("[1]", "[2]"), ("COST = 1", "COST = 2")])
def test_an_edited_file_is_noticed(edit: tuple[str, str], counts: Any, tmp_path: Path) -> None:
    """Whatever was edited: the program still has what it imported."""
    (tmp_path / "counts.py").write_text(SOURCE.replace(*edit))
    assert "the module counts is not the one that the program imported" in failure_of(counts.Count())


def test_an_edited_module_that_the_class_uses_is_noticed(counts: Any, tmp_path: Path) -> None:
    """It has no class of a problem."""
    (tmp_path / "prices.py").write_text(PRICES.replace("PRICE = 1", "PRICE = 2"))
    assert "the module prices is not the one that the program imported" in failure_of(counts.Count())


class Sent(bf.Problem):
    """Counts with functions of a module."""

    initial = 0

    def __init__(self, part: Any) -> None:
        self.part = part

    def is_goal(self, state: int) -> bool:
        return bool(self.part.is_goal(state))

    def successors(self, state: int) -> Any:
        return self.part.successors(state)


@dataclass
class Part:
    """A part of a problem."""

    is_goal: Any
    successors: Any


@pytest.mark.usefixtures("counts")
@pytest.mark.parametrize("edit", [("state == 10", "state == 4"), ("state + 1", "state + 2")])
@pytest.mark.parametrize("is_stated_with_functions", [True, False])
def test_an_edited_module_of_functions_is_noticed(
    tmp_path: Path, edit: tuple[str, str], is_stated_with_functions: bool
) -> None:
    """Also if nothing looked at it between its import and the edit; functions may be given to Problem.of() or in parts."""
    functions: Any = importlib.import_module("functions")
    (tmp_path / "functions.py").write_text(FUNCTIONS.replace(*edit))
    importlib.invalidate_caches()
    if is_stated_with_functions:
        problem = bf.Problem.of(0, functions.successors, functions.is_goal)
    else:
        problem = Sent(Part(functions.is_goal, functions.successors))
    assert bf.solve(problem).cost == 10
    assert "the module functions is not the one that the program imported" in failure_of(problem)


@pytest.mark.usefixtures("counts")
def test_functions_of_a_module_are_sent() -> None:
    """Workers import the module, and those that it uses."""
    functions: Any = importlib.import_module("functions")
    problem = bf.Problem.of(0, functions.successors, functions.is_goal)
    assert [solution.cost for solution in bf.solve_many([problem] * 3, on="local", workers=1)] == [10, 10, 10]
    assert [name for name, _ in code_of(problem).modules] == ["functions", "prices"]


def test_a_module_that_is_imported_again_is_sent(counts: Any, tmp_path: Path) -> None:
    """Both have the edited file then."""
    (tmp_path / "counts.py").write_text(SOURCE.replace("state == 10", "state == 4 or state == 10"))
    problem = importlib.reload(counts).Count()
    assert [solution.cost for solution in bf.solve_many([problem] * 3, on="local", workers=1)] == [4, 4, 4]


TRIP = """
import bestfirst as bf
{import_}

{before}
class Trip(bf.Problem):
    initial = 0
    {inside}

    def is_goal(self, state):
        return state == 4

    def successors(self, state):
        yield "walk", state + 1, {price}
"""
TOOLS = """
K = 2

def price():
    return K

def plain(kind):
    return kind

class Walk:
    def price(self):
        return K
"""


@pytest.fixture
def trip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """A function that imports a module of a problem, trips, which uses the module tools in some way."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "tools.py").write_text(TOOLS)

    def imported(price: str, *, import_: str = "import tools", before: str = "", inside: str = "") -> Any:
        (tmp_path / "trips.py").write_text(TRIP.format(import_=import_, before=before, inside=inside, price=price))
        return importlib.import_module("trips")

    yield imported
    for name in ("tools", "trips"):
        sys.modules.pop(name, None)
        NOTES.pop(name, None)


USES = [
    {"price": "self.p()", "inside": "p = staticmethod(tools.price)"},
    {"price": "k", "before": "k = tools.K"},
    {"price": "self.k", "inside": "k = tools.K"},
    {"price": "W.price(0)", "before": "W = tools.Walk"},
    {"price": "self.walk()", "inside": "def walk(self, k=tools.K): return k"},
    {"price": "K", "import_": "from tools import K"},
    {"price": "price()", "import_": "from tools import *"},
    {"price": "Own().price()", "before": "class Own(tools.Walk): pass"},
    {"price": "own()", "before": "@tools.plain\ndef own(): return tools.K"},
    {"price": "k", "before": "def read(): return tools.K\nk = read()"},
    {"price": "O.k", "before": "class Read:\n    def __init__(self): self.k = tools.K\nO = Read()"},
]


@pytest.mark.parametrize("use", USES, ids=[use["price"] for use in USES])
def test_a_module_that_is_imported_again_after_one_that_used_it_is_noticed(
    use: dict[str, str], trip: Callable[..., Any], tmp_path: Path
) -> None:
    """The other one still has what it read from it, which a worker would read anew."""
    trips = trip(**use)
    problem = trips.Trip()
    assert code_of(problem).modules
    (tmp_path / "tools.py").write_text(TOOLS.replace("K = 2", "K = 7 "))
    importlib.reload(sys.modules["tools"])
    with pytest.raises(OtherCodeError, match=r"the module tools was imported again after trips|no longer that of tools"):
        code_of(problem)
    assert {name for name, _ in code_of(importlib.reload(trips).Trip()).modules} == {"tools", "trips"}


@pytest.mark.parametrize("price", ["tools.price()", "tools.Walk().price()"])
def test_a_module_that_only_calls_read_may_be_imported_again(price: str, trip: Callable[..., Any], tmp_path: Path) -> None:
    """Its new members are in force at once, here and in workers."""
    problem = trip(price).Trip()
    (tmp_path / "tools.py").write_text(TOOLS.replace("K = 2", "K = 7 "))
    importlib.reload(sys.modules["tools"])
    assert bf.solve(problem).cost == next(bf.solve_many([problem], on="local", workers=1)).cost == 28


def test_a_global_that_was_assigned_before_the_class_was_made_is_not_sent(trip: Callable[..., Any]) -> None:
    """A worker imports the module with the number that its file says."""
    importlib.import_module("tools").K = 6  # type: ignore[attr-defined]
    with pytest.raises(OtherCodeError, match="K of the module tools, which was 2 and is now 6, was changed"):
        code_of(trip("tools.price()").Trip())


def test_settings_that_another_module_overrides_at_its_import_are_sent(trip: Callable[..., Any], tmp_path: Path) -> None:
    """Each process comes to the same ones."""
    (tmp_path / "local_settings.py").write_text("K = 3\n")
    (tmp_path / "tools.py").write_text(f"{TOOLS}\nfrom local_settings import *\n")
    assert code_of(trip("tools.K").Trip()).modules
    sys.modules.pop("local_settings")


def test_a_solution_that_is_none_in_this_program_is_a_failure(trip: Callable[..., Any]) -> None:
    """If the data of a module come out differently in a worker, such as a number that no file says."""
    trips = trip("k", before="import os\nk = os.getpid()")
    reason = failure_of(trips.Trip())
    assert "the worker found a solution that is none in this program" in reason and "same data in every process" in reason


def test_what_the_module_changes_itself_counts_for_nothing(counts: Any) -> None:
    """Such as counters, caches, and the time at which it was imported."""
    problem = counts.Count()
    before = code_of([problem, None])
    assert bf.solve(problem, engine="python").cost == 10
    assert (
        counts.CALLS
        and counts.MET
        and counts.SEEN
        and counts.Count.memo
        and counts.Count.asked
        and counts.Count.made
        and counts.Count._table
    )
    assert code_of([problem, None]) == before
    assert [solution.cost for solution in bf.solve_many([problem] * 3, on="local", workers=1)] == [10, 10, 10]


def test_a_function_put_into_a_shipped_class_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise it is that of the package, which has the same version everywhere."""
    assert not code_of(bf.Pancake("3 2 1")).modules
    monkeypatch.setattr(bf.Pancake, "is_goal", ends_at_4)
    with pytest.raises(OtherCodeError, match="is_goal of Pancake was changed"):
        code_of(bf.Pancake("2 1"))


def test_a_class_that_changes_while_a_batch_is_read_is_noticed(counts: Any) -> None:
    """Its problems before that may be solved already."""

    def problems() -> Iterator[bf.Problem]:
        yield counts.Count()
        for start in (3, 5):
            counts.Count.initial = start
            yield counts.Count()

    solutions = list(bf.solve_many(problems(), on="local", workers=1))
    assert {solution.status for solution in solutions[1:]} == {"failed"}


PARTS = """
import functools
import bestfirst as bf
from prices import price

def cost(state):
    return 1

def cost2(state):
    return 2

class Move:
    def go(self, state):
        return state + 1

    def go2(self, state):
        return state + 2

MOVE = Move()

class Other(bf.Problem):
    initial = 0

    def is_goal(self, state):
        return state == 5

    def successors(self, state):
        yield "on", state + 1, 3

class Walk(Other):
    def is_goal(self, state):
        return state == 6

    def successors(self, state):
        import prices
        yield "on", MOVE.go(state), cost(state) * self.each(state) * price(state) * prices.price(state)

    def each(self, state):
        return 1

    def each2(self, state):
        return 2
"""


def reload_prices(_module: Any) -> None:
    importlib.reload(sys.modules["prices"])


def edit_prices(module: Any) -> None:
    path = Path(module.__file__).with_name("prices.py")
    path.write_text(path.read_text().replace("PRICE = 1", "PRICE = 22"))


REPLACED: list[Callable[[Any], Any]] = [
    lambda module: setattr(module.Walk, "each", module.Walk.each2),
    lambda module: setattr(module.Walk, "each", functools.partialmethod(module.Walk.each2)),
    lambda module: setattr(module.Walk, "each", functools.wraps(module.Walk.each)(lambda _self, _state: 2)),
    lambda module: setattr(module.Walk, "successors", module.Other.successors),
    lambda module: setattr(module.Walk.each, "__code__", module.Walk.each2.__code__),
    lambda module: setattr(module, "cost", module.cost2),
    lambda module: setattr(module, "cost", lambda _state: 2),
    lambda module: exec("def cost(state):\n    return 2", vars(module)),
    lambda module: setattr(module.Move, "go", module.Move.go2),
    reload_prices,
    edit_prices,
]


@pytest.mark.usefixtures("counts")
@pytest.mark.parametrize("change", REPLACED)
def test_a_function_that_was_replaced_is_noticed(change: Callable[[Any], Any], tmp_path: Path) -> None:
    """By another one of the same module, too; and the file of a module that is imported in a method."""
    (tmp_path / "parts.py").write_text(PARTS)
    importlib.invalidate_caches()
    try:
        parts: Any = importlib.import_module("parts")
        assert code_of(parts.Walk()).modules
        assert [solution.cost for solution in bf.solve_many([parts.Walk()], on="local", workers=1)] == [6]
        change(parts)
        reason = failure_of(parts.Walk())
        assert "was changed after it was imported" in reason or "imported again" in reason or change is edit_prices
        assert "parts" in failure_of(parts.Walk()) or "prices" in failure_of(parts.Walk())
    finally:
        for name in ("parts", "prices"):
            sys.modules.pop(name, None)
            NOTES.pop(name, None)


UNTOUCHED = """
import dataclasses
import __main__
import bestfirst as bf

IS_SCRIPT = hasattr(__main__, "__file__")
K = None

def decorated():
    import adding
    return adding.add

@decorated()
class Walk(bf.Problem):
    initial = k = 0

    def is_goal(self, state):
        return state == 6

    def successors(self, state):
        yield "on", state + 1, K + self.k + self.north + self.late(state)

@dataclasses.dataclass(eq=False)
class Sized(Walk):
    size: list = dataclasses.field(default_factory=list)

for number, name in enumerate(["north", "south"]):
    setattr(Walk, name, number)

def late(self, state):
    return 3

Walk.late = late
Walk.k = 0
Walk.default_heuristic = None
for K in range(2):
    pass
K = 1
"""


@pytest.mark.parametrize("with_setattr", [True, False])
def test_a_module_that_changes_its_own_classes_is_sent(
    with_setattr: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At its top level, by decorators, or by those of dataclasses."""
    source = UNTOUCHED if with_setattr else UNTOUCHED.replace("    setattr(Walk, name, number)", "    Walk.north = 0")
    (tmp_path / "untouched.py").write_text(source)
    (tmp_path / "adding.py").write_text("def add(kind):\n    kind.extra = lambda self: 1\n    return kind\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        untouched: Any = importlib.import_module("untouched")
        problems = [untouched.Walk(), untouched.Sized()]
        assert [solution.cost for solution in bf.solve_many(problems, on="local", workers=1)] == [24, 24]
    finally:
        for name in ("untouched", "adding"):
            sys.modules.pop(name, None)
            NOTES.pop(name, None)
