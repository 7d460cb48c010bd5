"""How a problem is stated, checked when it is first used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from compilable import Pancakes


class Walk(bf.Problem):
    """Up the whole numbers."""

    initial: Any = 0

    def successors(self, state: int) -> Any:
        return [("up", state + 1, 1)]

    def is_goal(self, state: int) -> bool:
        return state == 3


WRONG_PROBLEMS: list[tuple[dict[str, Any], str]] = [
    ({"default_heuristic": 3}, "Walk.default_heuristic is 3"),
    ({"unit_cost": "yes"}, "Walk.unit_cost is 'yes'; set it to True or False"),
    ({"heuristics": lambda: 5}, r"Walk.heuristics\(\) returns 5"),
    ({"heuristics": lambda: {"far": lambda _: 0}}, r"Walk.heuristics\(\) has .* under the name 'far'"),
    ({"heuristics": {}}, "Walk.heuristics is {}; define it as a method"),
    ({"successors": [1]}, r"Walk.successors is \[1\]"),
    ({"is_goal": 3}, "Walk.is_goal is 3"),
    ({"domain": lambda: 7}, r"Walk.domain\(\) returns 7"),
    ({"unsolvable": lambda: True}, r"Walk.unsolvable\(\) returns True"),
    ({"initial": [1]}, "not hashable"),
]


@pytest.mark.parametrize(("members", "message"), WRONG_PROBLEMS)
def test_a_member_of_a_problem_of_a_wrong_type_is_named(members: dict[str, Any], message: str) -> None:
    """With what it is and what to write instead."""
    problem = Walk()
    vars(problem).update(members)
    with pytest.raises((bf.InputError, bf.StateError), match=message):
        heuristic = "far" if "heuristics" in members else None
        bf.Search(problem, heuristic=heuristic, engine="compiled").run()


@pytest.mark.parametrize("engine", ["python", "compiled", None])
@pytest.mark.parametrize("value", [5, "backward", Walk])
def test_a_backward_that_gives_something_else_is_named(value: Any, engine: str | None) -> None:
    """A number, a text, a class instead of an instance."""
    problem = Pancakes([2, 1, 3])
    vars(problem)["backward"] = lambda: value
    with pytest.raises(bf.InputError, match=r"Pancakes.backward\(\) returns"):
        bf.solve(problem, "bidirectional-astar", engine=engine)


class Counter(bf.Domain):
    """Counts up."""

    class State(NamedTuple):
        number: int

    max_actions = 1
    initial: Any = State(0)
    width = 3
    ratio = 0.5

    def step(self, state: Any, action: int) -> Any:  # noqa: ARG002
        return True, self.State(state.number + 1), 1

    def is_goal(self, state: Any) -> Any:
        return state.number == 3


@dataclass(frozen=True)
class Plain:
    number: int


class Empty(NamedTuple):
    pass


def defined_again() -> Any:
    """Another class State of the same name, as after the module is imported again."""
    return type("State", (Counter.State,), {"__qualname__": "Counter.State", "__module__": __name__})


WRONG_DOMAINS: list[tuple[dict[str, Any], str]] = [
    ({"max_actions": None}, "counter has no max_actions"),
    ({"max_actions": -1}, "Counter.max_actions is -1"),
    ({"max_actions": True}, "Counter.max_actions is True"),
    ({"max_actions": 2.0}, "Counter.max_actions is 2.0"),
    ({"State": Plain, "initial": Plain(0)}, "Counter.State is a dataclass; define class State"),
    ({"State": None}, "Counter.State is missing"),
    ({"State": Empty, "initial": Empty()}, "a NamedTuple without fields"),
    ({"State": tuple}, "Counter.State is .*tuple"),
    ({"initial": (0,)}, "the initial state is .*; write self.State"),
    (
        {"initial": property(lambda _: Counter.State(np.int64(3)))},  # type: ignore[arg-type]
        "field number of the initial state is .*3.*, a NumPy value",
    ),
    ({"actions": []}, "Counter.actions has 0 names, but max_actions is 1"),
    ({"actions": 7}, "Counter.actions is 7"),
    ({"fixed": ("widht",)}, "Counter.fixed contains 'widht'"),
    ({"fixed": ("ratio",)}, "Counter.fixed contains 'ratio', which is 0.5"),
    ({"fixed": "width"}, "Counter.fixed is 'width'; set it to a tuple of names"),
    ({"bits": {"nubmer": 3}}, "Counter.bits has the key 'nubmer', but the fields of State are 'number'"),
    ({"bits": {"number": -3}}, "Counter.bits assigns 'number' the width -3"),
    ({"bits": ("number",)}, "Counter.bits is .*; set it to a dict"),
    ({"identity": ("nubmer",)}, "Counter.identity contains 'nubmer'"),
    ({"identity": "number"}, "Counter.identity is 'number'; set it to a tuple of names"),
    ({"State": defined_again()}, "the initial state is State.*; its class Counter.State has been redefined since"),
    ({"size": -1}, "Counter.size is -1"),
    ({"undirected": 1}, "Counter.undirected is 1"),
]


@pytest.mark.parametrize(("members", "message"), WRONG_DOMAINS)
def test_a_domain_that_is_stated_wrongly_is_refused_when_it_is_first_used(members: dict[str, Any], message: str) -> None:
    """By a search in either engine, an enumeration, a check, and where it is the domain of another problem."""
    domain = type("Counter", (Counter,), members)()
    problem = Walk()
    vars(problem)["domain"] = lambda: domain
    for use in (
        lambda: bf.solve(domain, engine="python"),
        lambda: bf.solve(domain, engine="compiled"),
        lambda: bf.solve(problem, engine="compiled"),
        lambda: bf.enumerate_states(domain),
        lambda: bf.PatternDatabase.build(domain),
    ):
        with pytest.raises((bf.InputError, bf.StateError), match=message):
            use()
    assert not bf.check(domain).ok


class Answers(Counter):
    """One whose step gives whatever it is told to."""

    default_heuristic = None

    def __init__(self, outcome: Any) -> None:
        super().__init__()
        self.outcome = outcome

    def step(self, state: Any, action: int) -> Any:  # noqa: ARG002
        return self.outcome


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize("outcome", [(True, Counter.State(1)), None, 5])
def test_a_step_that_gives_no_triple_is_named(outcome: Any, engine: str) -> None:
    """Two values, nothing, or a number; also where the compiled engine would run it."""
    domain = Answers(outcome)
    with pytest.raises(
        bf.ProblemError, match=r"step\(State\(number=0\), 0\) returns .*; return \(legal, next_state, cost\)"
    ):
        bf.solve(domain, engine=engine)
