"""A table is used only for the code and the data that it was built by, wherever these are written."""

from __future__ import annotations

import linecache
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import bestfirst as bf
from bestfirst.errors import CompileError
from bestfirst.patterns import PatternDatabase
from bestfirst.patterns.identity import Identity
from bestfirst.patterns.storage.files import DamagedDatabaseError

START = [5, 3, 6, 1, 2, 4]
PANCAKES = """
import enum
from math import ceil, floor
from typing import NamedTuple
import numpy as np
import bestfirst as bf
{before}
class Stack(bf.Domain):
    class State(NamedTuple):
        stack: int
    undirected = True
    {member}
    def __init__(self, stack):
        self.max_actions = len(stack) - 1
        self.initial = self.State(sum(size << 4 * place for place, size in enumerate(stack)))
        self.goal = sum(place + 1 << 4 * place for place in range(len(stack)))
        self._cost = 10
    def goal_state(self):
        return self.State(self.goal)
    def step(self, state, action{argument}):
        top = action + 2
        stack = state.stack >> 4 * top << 4 * top
        for place in range(top):
            stack |= (state.stack >> 4 * place & 15) << 4 * (top - 1 - place)
        return True, self.State(stack), 10 if action != 2 else {cost}
    def is_goal(self, state):
        return state.stack == self.goal
{after}
"""


def pancakes(cost: str = "10", *, before: str = "", member: str = "pass", argument: str = "", after: str = "") -> str:
    """The source of a module whose third action costs something else."""
    return PANCAKES.format(cost=cost, before=before, member=member, argument=argument, after=after)


def module_of(folder: Path, **texts: str) -> ModuleType:
    """The last of some modules, made from their texts."""
    folder.mkdir()
    module = ModuleType("none")
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
        module = ModuleType(name)
        sys.modules[name] = module
        exec(compile(text, str(folder / f"{name}.py"), "exec"), module.__dict__)
    return module


OTHER_STEP = """
def other_step(self, state, action):
    top = action + 2
    stack = state.stack >> 4 * top << 4 * top
    for place in range(top):
        stack |= (state.stack >> 4 * place & 15) << 4 * (top - 1 - place)
    return True, self.State(stack), 10 if action != 2 else 1
"""
TWICE = "if {flag}:\n" + textwrap.indent(pancakes("1"), "    ") + "else:\n" + textwrap.indent(pancakes("10"), "    ")
HELPER_TWICE = "if {flag}:\n    def cost(): return 1\nelse:\n    def cost(): return 10\n"
WITH_DEFAULT = "def cost(action, q={default}): return q\n"
CASES: dict[str, tuple[str, ...]] = {
    "a member of an IntEnum": tuple(
        pancakes("D", before=f"L = [{cost}]\nclass E(enum.IntEnum):\n    X = L[0]\nD = E.X") for cost in (10, 1)
    ),
    "True in the place of 1": (pancakes("D", before="D = 1"), pancakes("D", before="D = True")),
    "a default value that is read": tuple(
        pancakes("cost(action)", before=f"L = [{cost}]\n{WITH_DEFAULT.format(default='L[0]')}") for cost in (10, 1)
    ),
    "a default value that is set": tuple(
        pancakes("cost(action)", before=f"{WITH_DEFAULT.format(default=10)}cost.__defaults__ = ({cost},)")
        for cost in (10, 1)
    ),
    "a default value of step": tuple(
        pancakes("q", argument=", q=10", after=f"Stack.step.__defaults__ = ({cost},)") for cost in (10, 1)
    ),
    "another function of math": tuple(pancakes("f(9.5)", before=f"f = {name}") for name in ("ceil", "floor")),
    "data with two underscores": tuple(pancakes("self.__k__", member=f"__k__ = {cost}") for cost in (10, 1)),
    "data of the class": tuple(pancakes("self.k", member=f"k = [{cost}][0]") for cost in (10, 1)),
    "data set on the class": tuple(pancakes("self.k", member="k = 10", after=f"Stack.k = {cost}") for cost in (10, 1)),
    "private data": tuple(pancakes("self._k", member="_k = 10", after=f"Stack._k = {cost}") for cost in (10, 1)),
    "data of a mangled name": tuple(
        pancakes("self.__k", member="__k = 10", after=f"Stack._Stack__k = {cost}") for cost in (10, 1)
    ),
    "a property": tuple(
        pancakes("self.k", before=f"L = [{cost}]", member="k = property(lambda self: L[0])") for cost in (10, 1)
    ),
    "a method set on the class": (pancakes(), pancakes(after=f"{OTHER_STEP}Stack.step = other_step")),
    "a class that is defined twice": (TWICE.format(flag=0), TWICE.format(flag=1)),
    "a helper that is defined twice": tuple(pancakes("cost()", before=HELPER_TWICE.format(flag=flag)) for flag in (0, 1)),
    "another goal": (pancakes(), pancakes(after="Stack.goal_state = lambda self: self.State(self.goal ^ 0x11)")),
    "actions that cannot be undone": (pancakes(), pancakes(after="Stack.undirected = False")),
    "actions that cost 1": (pancakes(), pancakes(after="Stack.unit_cost = True")),
    "legal actions first": (pancakes(), pancakes(member="legal_first = True")),
    "an array of another type": tuple(
        pancakes("self.k[action]", member=f"k = np.array([10, 10, {cost}, 10, 10])") for cost in (10, 1)
    ),
    "another field tells states apart": (pancakes(), pancakes(member="identity = ('stack',)")),
    "parameters that say nothing": tuple(
        pancakes("self.k", member=f"k = {cost}\n    def parameters(self): return {{}}") for cost in (10, 1)
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_other_code_or_data_are_another_table(case: str, tmp_path: Path) -> None:
    """Each pair differs in what its table depends on."""
    one, other = (
        Identity.of(module_of(tmp_path / str(place), own=text).Stack(START)) for place, text in enumerate(CASES[case])
    )
    assert (one.key, one.source) != (other.key, other.source)


@pytest.mark.parametrize(
    "shared",
    [
        "def cost(): return {cost}",
        "COST = {cost}\ndef cost(): return COST",
        "COST = ({cost}, 5)\ndef cost(): return COST[0]",
    ],
)
def test_constants_of_imported_modules_are_part_of_the_code(shared: str, tmp_path: Path) -> None:
    """Those that a function reads which is imported from there."""
    own = pancakes("cost()", before="from shared import cost")
    sources = {
        Identity.of(module_of(tmp_path / cost, shared=shared.format(cost=cost), own=own).Stack(START)).source
        for cost in ("10", "1")
    }
    assert len(sources) == 2


@pytest.mark.parametrize(
    "own",
    [
        "import shared\nclass Own(shared.Stack):\n    pass\n",
        "import shared\nclass Own(shared.Stack):\n    def step(self, state, action): return True, state, cost(action)\n"
        "def cost(action): return 10 if action != 2 else K\nK = shared.K",
    ],
)
def test_code_of_imported_modules_is_part_of_the_code(own: str, tmp_path: Path) -> None:
    """A class that is derived from one of another module, and a constant that is taken over from there."""
    sources = {
        Identity.of(module_of(tmp_path / cost, shared=pancakes(cost, before=f"K = {cost}"), own=own).Own(START)).source
        for cost in ("10", "1")
    }
    assert len(sources) == 2


SAME = [
    pancakes().replace("        top = action + 2", '        """Turn some."""\n        top = action + 2  # of them'),
    pancakes(member="weight = 3\n    @bf.heuristic()\n    def gap(self, state): return self.weight"),
    pancakes(before="UNREAD = 3"),
    pancakes(member="def abstract(self, state): return self.State(state.stack & 15)"),
    f"\n\n{pancakes()}",
]


@pytest.mark.parametrize("text", SAME)
def test_what_a_table_does_not_depend_on_changes_nothing(text: str, tmp_path: Path) -> None:
    """Comments, heuristics, abstract(), the place of the file and the name of the module."""
    one = Identity.of(module_of(tmp_path / "1", own=pancakes()).Stack(START))
    assert Identity.of(module_of(tmp_path / "2", other=text).Stack([6, 5, 4, 3, 2, 1])) == one


def test_what_is_worked_out_when_it_is_read_does_not_change_the_key(tmp_path: Path) -> None:
    """A cached_property that no method of the build reads."""
    member = "from functools import cached_property\n    @cached_property\n    def weight(self): return 3"
    domain = module_of(tmp_path / "1", own=pancakes(member=member)).Stack(START)
    before = Identity.of(domain)
    assert domain.weight == 3
    assert Identity.of(domain) == before


@pytest.mark.slow
def test_the_digest_is_the_same_in_each_process(tmp_path: Path) -> None:
    """Whatever the order of sets there, and wherever the file is."""
    text = pancakes(
        "cost(action) + self.a[0] + self.b + self._cost",
        before=WITH_DEFAULT.format(default=10),
        member="a = np.arange(3)\n    b = 2\n    bits = {'stack': 24}",
    )
    show = "\nfrom bestfirst.patterns.identity import Identity\nprint(Identity.of(Stack([5, 3, 6, 1, 2, 4])).source)\n"
    sources = set()
    for seed in ("1", "2"):
        (tmp_path / seed).mkdir()
        file = tmp_path / seed / f"own{seed}.py"
        file.write_text(text + show)
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        sources.add(subprocess.run([sys.executable, str(file)], env=environment, capture_output=True, check=True).stdout)
    sources.add(f"{Identity.of(module_of(tmp_path / 'here', own=text).Stack(START)).source}\n".encode())
    assert len(sources) == 1


def cell(text: str, name: str) -> dict[str, Any]:
    """What a cell of a notebook defines: its text is in no file, and its module has none."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {"__name__": "notebook"}
    exec(compile(text, name, "exec"), names)
    return names


def test_a_class_of_a_notebook_that_changes_has_another_table(tmp_path: Path) -> None:
    """The table of the first one is refused."""
    first, second = (cell(pancakes(cost), f"<cell {cost}>")["Stack"](START) for cost in ("10", "1"))
    assert PatternDatabase.build(first, data=tmp_path)(first.initial) == 50
    with pytest.raises(DamagedDatabaseError, match="the code or the data of Stack has changed since it was built"):
        PatternDatabase.build(second, data=tmp_path)


def test_a_database_at_hand_is_refused_once_a_constant_has_changed(tmp_path: Path) -> None:
    """Its table is that of the constant before."""
    names = cell(pancakes("COST", before="COST = 10"), "<cell>")
    domain = names["Stack"](START)
    database = PatternDatabase.build(domain, data=tmp_path)
    assert bf.solve(domain, "astar", bf.max_of(database)).cost == 50
    names["COST"] = 1
    with pytest.raises(DamagedDatabaseError, match="the code or the data of Stack has changed since it was built"):
        bf.solve(names["Stack"](START), "astar", bf.max_of(database))


def test_a_file_that_was_edited_is_not_what_is_built(tmp_path: Path) -> None:
    """The code in memory has no text any more; with that, its table would be filed as one of what the file says now."""
    domain = module_of(tmp_path / "1", own=pancakes("10")).Stack(START)
    (tmp_path / "1" / "own.py").write_text(pancakes("1"))
    linecache.checkcache()
    with pytest.raises(CompileError, match=r"own\.py:\d+: Stack\.step cannot be compiled: .* has changed since the import"):
        PatternDatabase.build(domain, data=tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_a_file_that_was_edited_after_it_was_compiled_is_filed_as_what_it_was(tmp_path: Path) -> None:
    """By the code in memory, until the module is imported again."""
    domain = module_of(tmp_path / "1", own=pancakes("10")).Stack(START)
    before = Identity.of(domain)
    (tmp_path / "1" / "own.py").write_text(pancakes("1"))
    linecache.checkcache()
    assert Identity.of(domain) == before
    assert Identity.of(module_of(tmp_path / "2", own=pancakes("1")).Stack(START)) != before


def test_what_does_not_compile_is_not_built(tmp_path: Path) -> None:
    """The error names the line."""
    domain = module_of(tmp_path / "1", own=pancakes("sum([1, 2])")).Stack(START)
    line = 1 + pancakes("sum([1, 2])").splitlines().index(
        "        return True, self.State(stack), 10 if action != 2 else sum([1, 2])"
    )
    with pytest.raises(
        CompileError, match=rf"own\.py:{line}: Stack\.step cannot be compiled: it uses a list.* are built by compiled code"
    ):
        PatternDatabase.build(domain, data=tmp_path / "data")


class Ranked(bf.Domain):
    """Four places in a row, by rank; pairs of them share an entry."""

    class State(NamedTuple):
        """A place."""

        place: int

    max_actions, size, entries = 1, 4, 2
    initial = State(0)

    def step(self, state: Any, action: int) -> Any:
        return state.place < 3, self.State(state.place + 1 + 0 * action), 1

    def is_goal(self, state: Any) -> Any:
        return state.place == 3

    def rank(self, state: Any) -> Any:
        return state.place

    def unrank(self, number: int) -> Any:
        return self.State(number)

    def entry(self, state: Any) -> Any:
        return state.place >> 1


class Hiding(NamedTuple):
    """A state whose text hides a field."""

    place: int
    side: int

    def __repr__(self) -> str:
        return f"place {self.place}"


def test_goals_that_look_the_same_have_tables_of_their_own() -> None:
    """Goals count by the values of their fields, whatever repr() shows of them."""
    sources = set()
    for side in (0, 1):
        goal = Hiding(3, side)
        members = {
            "State": Hiding,
            "initial": goal,
            "max_actions": 1,
            "step": other_side,
            "goal_states": lambda _, goal=goal: [goal],
        }
        sources.add(Identity.of(type("Sided", (bf.AbstractDomain,), {**members, "is_goal": is_third})()).source)
    assert len(sources) == 2


def other_side(self: Any, state: Any, action: int) -> Any:
    return True, self.State(state.place, 1 - state.side + 0 * action), 1


def is_third(self: Any, state: Any) -> Any:
    return state.place == 3 + 0 * self.max_actions


ORDINARY = ["State", "max_actions", "size", "entries", "initial", "step", "is_goal", "rank", "unrank", "entry"]


def other_rank(self: Any, state: Any) -> Any:
    return 3 - state.place + 0 * self.max_actions


def other_entry(self: Any, state: Any) -> Any:
    return (3 - state.place + 0 * self.max_actions) >> 1


@pytest.mark.parametrize(
    "members", [{"rank": other_rank}, {"entry": other_entry}, {"size": 3}, {"entries": 3}, {"is_goal": other_rank}]
)
def test_methods_that_find_a_place_in_the_table_are_part_of_the_code(members: dict[str, Any]) -> None:
    """And so are the numbers that say how many places there are."""
    other = type("Ranked", (bf.Domain,), {**{name: vars(Ranked)[name] for name in ORDINARY}, **members})
    plain = type("Ranked", (bf.Domain,), {name: vars(Ranked)[name] for name in ORDINARY})
    assert Identity.of(other()).source != Identity.of(plain()).source


def test_an_entry_for_each_state_is_that_of_its_rank(tmp_path: Path) -> None:
    """A table of as many entries as states is kept by rank, whatever entry() says, and looked up by it."""
    members = {**{name: vars(Ranked)[name] for name in ORDINARY}, "entries": 4, "entry": other_rank}
    database = PatternDatabase.build(type("Ranked", (bf.Domain,), members)(), data=tmp_path)
    assert [database(Ranked.State(place)) for place in range(4)] == [3, 2, 1, 0]


def test_a_method_that_is_set_on_a_class_of_the_library_is_not_that_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tables are not those of the library, though the class has the same name and data."""
    plain = Identity.of(bf.LightsOut("3x3"))
    monkeypatch.setattr(bf.LightsOut, "step", other_lights)
    assert Identity.of(bf.LightsOut("3x3")).source != plain.source


def other_lights(self: Any, state: Any, action: int) -> Any:
    return True, self.State(state.lights ^ self.changes[action]), 2
