"""Which actions kernels try, as the first statements of step() say."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.compiled.compiler.arithmetic import OPERATIONS
from bestfirst.compiled.compiler.candidates import Candidates, candidates_in, next_action_source
from bestfirst.compiled.compiler.intrinsics import lowest_bit
from bestfirst.compiled.compiler.translate import translate

REFUSED = "return False, state, 0"


@pytest.mark.parametrize(
    ("text", "others"),
    [
        (f"if state.left >> action & 1 == 0:\n        {REFUSED}", ()),
        (f"if not state.left >> action & 1:\n        {REFUSED}", ()),
        (f"if state.left & 1 << action == 0 or self.times[action] > 3:\n        {REFUSED}", ()),
        (f"if action == 2:\n        pass\n    elif state.left >> action & 1 == 0:\n        {REFUSED}", (2,)),
        (f"if action == 2:\n        {REFUSED}\n    if not state.left & 1 << action:\n        {REFUSED}", (2,)),
    ],
)
def test_a_test_for_membership_that_comes_first_is_found(text: str, others: tuple[int, ...]) -> None:
    """Also after tests for single actions, which remain candidates."""
    assert _found(text) == Candidates("left", frozenset(others))


@pytest.mark.parametrize(
    "text",
    [
        f"if state.other >> action & 1 == 0:\n        {REFUSED}",
        f"if state.left >> action & 1 == 1:\n        {REFUSED}",
        f"if state.left >> action & 1 == 0 and action > 1:\n        {REFUSED}",
        f"if self.times[action] > 3 or state.left >> action & 1 == 0:\n        {REFUSED}",
        f"time = self.times[action]\n    if state.left >> action & 1 == 0:\n        {REFUSED}",
        f"if action == self.last:\n        pass\n    elif state.left >> action & 1 == 0:\n        {REFUSED}",
        "if state.left >> action & 1 == 0:\n        return True, state, 0",
        "if state.left >> action & 1 == 0:\n        return False, self.State(1 // self.zero), 0",
    ],
)
def test_nothing_is_found_if_step_may_do_anything_else(text: str) -> None:
    """Other actions may be legal, or their step may raise an error."""
    assert _found(text) is None


@pytest.mark.parametrize(("asked", "name"), [("free", ""), ("free.some", "some")])
def test_the_prepared_value_may_be_the_set(asked: str, name: str) -> None:
    """As a whole, or a field of it."""
    text = f"def step(self, state, action, free):\n    if {asked} >> action & 1 == 0:\n        {REFUSED}\n    return True, state, 1"
    definition = ast.parse(text).body[0]
    assert isinstance(definition, ast.FunctionDef)
    assert candidates_in(definition, ["left"]) == Candidates(name, frozenset(), prepared=True)
    other = text.replace(f"{asked} >> action", "free.some.other >> action")
    definition = ast.parse(other).body[0]
    assert isinstance(definition, ast.FunctionDef)
    assert candidates_in(definition, ["left"]) is None


class Ready(NamedTuple):
    """What Allowed prepares."""

    some: int


class Allowed(bf.Domain):
    """A walk in which the place decides which numbers may be added to it; a negative int has all large members."""

    class State(NamedTuple):
        place: int

    initial = State(0)

    def __init__(self, count: int, *, is_negative: bool) -> None:
        self.max_actions = count
        self.factor = -1 if is_negative else 1

    def prepare(self, state: Any) -> Any:
        return Ready(self.factor * (state.place * 37 % 64 + 5))

    def step(self, state: Any, action: int, ready: Any) -> tuple[bool, Any, int]:
        if ready.some >> action & 1 == 0:
            return False, state, 0
        return state.place < 100, self.State(state.place + action), 1

    def is_goal(self, state: Any) -> bool:
        return bool(state.place >= 150)


@pytest.mark.parametrize(("count", "is_negative"), [(6, False), (70, False), (70, True)])
def test_members_of_prepared_sets_are_tried(count: int, is_negative: bool) -> None:
    """Both engines make the same children, and bf.check finds the expansions equal."""
    domain = Allowed(count, is_negative=is_negative)
    stats = [bf.solve(domain, "uniform-cost", engine=engine).stats for engine in ("compiled", "python")]
    assert stats[0].generated == stats[1].generated > 0
    assert bf.check(domain, states=30).ok


def _found(text: str) -> Candidates | None:
    definition = ast.parse(f"def step(self, state, action):\n    {text}\n    return True, state, 1").body[0]
    assert isinstance(definition, ast.FunctionDef)
    return candidates_in(definition, ["left"])


class Chosen(bf.Domain):
    """A set of numbers, each of which may be taken out of it; action 2 does nothing."""

    class State(NamedTuple):
        before: int
        left: int

    def __init__(self, count: int, bits: int) -> None:
        self.max_actions = count
        self.bits = {"left": bits}
        self.initial = self.State(0, (1 << count) - 1)

    def step(self, state: Any, action: int) -> tuple[bool, Any, int]:
        if action == 2:
            return True, state, 1
        if state.left >> action & 1 == 0:
            return False, state, 0
        return True, self.State(state.before, state.left & ~(1 << action)), 1

    def is_goal(self, state: Any) -> bool:
        return bool(state.left == 0)


@pytest.mark.parametrize(
    ("count", "bits", "left"),
    [(9, 63, 0b1_0100_1001), (9, 9, 0), (63, 63, 1 << 62), (130, 191, 1 << 129 | 1 << 64 | 1 << 63 | 1), (70, 127, 0b1000)],
)
def test_the_candidates_are_the_members_and_the_others(count: int, bits: int, left: int) -> None:
    """In ascending order, whether the set takes one word or several."""
    domain = Chosen(count, bits)
    source = next_action_source(translate(domain, {"step": domain.step}))
    names: dict[str, Any] = {
        **OPERATIONS,
        "unsigned": lambda number: np.uint64(number % 2**64),
        "lowest_bit": lowest_bit,
        "max_actions": lambda me: me.max_actions,
    }
    exec(source, names)
    state, tried, action = domain.State(0, left), [], -1
    while (action := names["next_action"](domain, state, 0, action)) < count:
        tried.append(action)
    assert tried == sorted({2, *bf.members(left)})


@pytest.mark.parametrize("count", [6, 70])
def test_both_engines_count_the_same(count: int) -> None:
    """Actions that are not tried would have been illegal."""
    searches = [
        bf.solve(Chosen(count, 191), "depth-first-branch-and-bound", limits=bf.Limits(expansions=300), engine=engine)
        for engine in ("python", "compiled")
    ]
    reference, compiled = (search.stats for search in searches)
    assert (reference.expanded, reference.generated) == (compiled.expanded, compiled.generated)
    assert reference.generated > count
