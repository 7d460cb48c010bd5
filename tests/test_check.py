"""check: a domain tried out, interpreted and compiled."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from compilable import FloatGraph, IntGraph, Pancakes


class Ring(bf.Domain):
    """Ten places in a ring: one step forward or back; the tests break it in one way each."""

    class State(NamedTuple):
        place: int

    max_actions = 2
    unit_cost = True

    def __init__(self) -> None:
        self.initial = self.State(0)
        self.shifts = np.array([1, 9], np.int64)

    def step(self, state: Any, action: int) -> Any:
        return True, self.State((state.place + self.shifts[action]) % 10), 1

    def inverse(self, action: int) -> int:
        return 1 - action

    def is_goal(self, state: Any) -> bool:
        return state.place == 5  # type: ignore[no-any-return]

    @bf.heuristic(admissible=True, consistent=True)
    def distance(self, state: Any) -> int:
        return abs(5 - state.place)  # type: ignore[no-any-return]


class NumberedRing(Ring):
    """The same with all the optional members."""

    bits = MappingProxyType({"place": 4})
    size = 10

    def rank(self, state: Any) -> int:
        return 9 - state.place  # type: ignore[no-any-return]

    def unrank(self, number: int) -> Any:
        return self.State(9 - number)


DOMAINS = [
    Ring(),
    NumberedRing(),
    Pancakes([3, 1, 2, 5, 4]),
    IntGraph({0: [(1, 2), (2, 0)], 1: [(2, 1)]}, frozenset([2]), {}, 3),
    FloatGraph({0: [(1, 0.5)]}, frozenset([1]), {0: 0.5}, 2),
    bf.SlidingTile("14 1 9 6 4 8 12 5 7 2 3 _ 10 11 13 15").domain(),
]


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: type(domain).__name__)
def test_a_sound_domain_has_no_faults(domain: bf.Domain) -> None:
    """Both engines agree on every state and step that was tried."""
    report = bf.check(domain)
    assert report.ok and report.compiled, str(report)
    assert "no fault found" in str(report) and "interpreted and compiled" in str(report)
    assert report.steps == report.states * domain.max_actions


def test_the_number_of_states_can_be_set_and_the_sample_repeats() -> None:
    """The same seed tries the same states."""
    domain = Pancakes([5, 4, 3, 2, 1, 6])
    assert bf.check(domain, states=7).states == 7
    assert str(bf.check(domain, seed=3)) == str(bf.check(domain, seed=3))


BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"inverse": lambda _self, action: action}, "inverse(0) is 0, but that does not lead from"),
    ({"inverse": lambda _self, _action: 7}, "inverse(0) is 7, which is not an action"),
    ({"step": lambda self, _state, _action: (True, self.State(2**70), 1)}, "does not fit into a signed 64-bit int"),
    ({"step": lambda self, _state, _action: (True, self.State(0.5), 1)}, "its field place must be an int"),
    ({"step": lambda _self, _state, _action: (True, (1,), 1)}, "write self.State(...)"),
    ({"step": lambda _self, state, _action: (True, state, -1)}, "costs -1; a cost must be a finite number >= 0"),
    ({"step": lambda _self, state, _action: (True, state, 2)}, "unit_cost declares that every action costs 1"),
    ({"step": lambda _self, state, _action: state}, "does not return (legal, next_state, cost)"),
    (
        {"step": lambda self, s, _a: (True, self.State((s.place + 1) % 2), 1)},
        "action 0 also leads from State(place=1) back to",
    ),
    ({"step": lambda _self, state, _a: (True, state, 2**63), "unit_cost": False}, "does not fit into 64 bits; use a larger"),
    ({"bits": {"place": 3}}, "its field place is not in 0 .. 7, the range of 3 bits; correct the bits or the value"),
    ({"bits": {"place": 9000}}, "Ring.bits assigns 'place' the width 9000; use 0 .. 8192"),
    ({"bits": {"stack": 4}}, "Ring.bits has the key 'stack', but the fields of State are 'place'"),
    ({"unrank": lambda self, number: self.State(number), "size": 10}, "unrank is defined, but rank is not"),
    (
        {"rank": lambda _self, state: state.place, "size": 2**63},
        "size is 9223372036854775808; set it to the number of ranks",
    ),
    (
        {"rank": lambda _self, state: state.place, "size": 9},
        "rank(State(place=9)) is 9; it must be a whole number in 0 .. 8",
    ),
    ({"rank": lambda _self, state: state.place // 2, "size": 5}, "rank returns 4 for State(place=9) and for State(place=8)"),
    (
        {"rank": lambda _self, s: s.place, "unrank": lambda self, _n: self.State(3), "size": 10},
        "unrank(0) is State(place=3)",
    ),
    ({"rank": lambda _self, s: s.place, "unrank": lambda _self, n: n, "size": 10}, "unrank(0) is 0"),
    (
        {"picture": lambda _self, state: "<svg/>" if state.place else None},
        "Ring.picture(State(place=9)) returns the element 'svg' instead of SVG",
    ),
    ({"actions": "ABC"}, "Ring.actions has 3 names, but max_actions is 2"),
    ({"max_actions": None}, "ring has no max_actions"),
    ({"identity": ("plaice",)}, "Ring.identity contains 'plaice', but the fields of State are 'place'"),
    ({"State": None}, "Ring.State is missing; define class State(NamedTuple)"),
]


class Halves(NumberedRing):
    """The same in blocks of two, which it says do not change."""

    block_size = 2

    def block_step(self, block: int, action: int) -> Any:
        return action == 0, block, 0

    def turned(self, _turn: int, order: int) -> int:
        return order


def test_blocks_that_go_elsewhere_than_their_states_are_a_fault() -> None:
    """With the first state where it shows."""
    report = str(bf.check(Halves()))
    assert re.search(
        r"block_step\(4, 0\) and turned lead from State\(place=0\), of order 1, to rank 9, but step leads to", report
    )


@pytest.mark.parametrize(("members", "fault"), BROKEN)
def test_a_fault_is_found_and_named(members: dict[str, Any], fault: str) -> None:
    """With the state or the action where it shows."""
    whole = Ring()
    claims = {"unit_cost": Ring.unit_cost, "inverse": Ring.inverse}  # stated anew, or they would not hold for another step
    broken = type("Ring", (Ring,), {"__init__": object.__init__, **claims, **members})()
    broken.initial, broken.shifts = whole.initial, whole.compiled_value("shifts")
    report = bf.check(broken)
    assert not report
    assert fault in str(report)


def test_fields_left_out_of_identity_must_follow_from_the_others() -> None:
    """Two states of the same place that count their laps differently are not the same."""

    class Laps(Ring):
        class State(NamedTuple):
            place: int
            laps: int

        identity = ("place",)

        def __init__(self) -> None:
            self.initial = self.State(0, 0)
            self.shifts = np.array([1, 9], np.int64)

        def step(self, state: Any, action: int) -> Any:
            place = state.place + self.shifts[action]
            return True, self.State(place % 10, state.laps + place // 10), 1

        def inverse(self, _action: int) -> int:
            return -1

    assert "have the same place, but are not the same state" in str(bf.check(Laps()))


def test_heuristics_are_held_to_what_they_declare() -> None:
    """Not 0 at a goal, below 0, or falling along an edge."""

    class Wrong(Ring):
        @bf.heuristic(admissible=True, consistent=True)
        def jumps(self, state: Any) -> int:
            return 8 if state.place == 3 else 0

        @bf.heuristic()
        def below(self, state: Any) -> int:
            return state.place - 4  # type: ignore[no-any-return]

        @bf.heuristic()
        def never_home(self, _state: Any) -> int:
            return 1

    text = str(bf.check(Wrong()))
    assert "jumps is declared consistent, but falls from 8" in text
    assert "heuristic 'below' returns -4" in text
    assert "never-home returns 1 for the goal" in text


def test_what_cannot_be_compiled_is_noted_and_is_no_fault() -> None:
    """The reference engine runs it all the same."""

    class Listed(Ring):
        def step(self, state: Any, action: int) -> Any:
            return True, self.State((state.place + [1, 9][action]) % 10), 1

    report = bf.check(Listed())
    assert report.ok and not report.compiled
    assert "it uses a list" in str(report) and "interpreted only" in str(report)


def test_an_overflow_that_only_compiled_code_has_is_found() -> None:
    """Python's ints grow where 64 bits wrap round."""

    class Grows(Ring):
        def step(self, state: Any, action: int) -> Any:
            return True, self.State((state.place + 1) * 10**12 * 10**12 % 97), 1 + 0 * action

        def inverse(self, _action: int) -> int:
            return -1

    report = bf.check(Grows())
    assert "compiled code cannot compute the same value as Python" in str(report) and "Grows.step" in str(report)


def test_optional_members_are_compared_too() -> None:
    """A rank that takes more than 64 bits on its way, and an unrank."""

    class Wraps(NumberedRing):
        def rank(self, state: Any) -> int:
            return (state.place << 62) >> 62  # type: ignore[no-any-return]

        def unrank(self, number: int) -> Any:
            return self.State((number << 62) >> 62)

    text = str(bf.check(Wraps()))
    assert "Wraps.rank" in text and "Wraps.unrank" in text and text.count("compiled code cannot compute") == 3


def test_legal_steps_that_do_not_come_first_are_a_fault() -> None:
    """The engines would not try those that come later."""

    class Gap(Ring):
        """Says that its legal actions come first, and has some in between that are not."""

        max_actions = 3
        legal_first = True

        def step(self, state: Any, action: int) -> Any:
            return action != 1, self.State((state.place + 1 + action) % 10), 1

        def inverse(self, _action: int) -> int:
            return -1

    told = str(bf.check(Gap()))
    assert "legal_first is True, but in State(place=0) action 1 is illegal and action 2 is legal" in told


def test_costs_whose_sums_could_overflow_are_noted() -> None:
    """They are no fault, for the paths may be short."""
    report = bf.check(IntGraph({0: [(1, 10**14)]}, frozenset([1]), {}, 2))
    assert report.ok
    assert "some actions cost 100000000000000: the cost of a path of 46,117 of them does not fit into 64 bits" in str(report)


@pytest.mark.parametrize("member", ["step", "is_goal", "distance", "inverse", "rank", "unrank"])
def test_an_error_of_a_member_is_a_fault_that_names_it(member: str) -> None:
    """With its parameters, the error and the line; an error of step is not taken for a wrong answer of it."""

    def fails(_self: Any, asked: Any, *_: Any) -> Any:
        raise ValueError(f"nothing for {asked}")

    marked = bf.heuristic(admissible=True)(fails) if member == "distance" else fails
    result = bf.check(type("Faulty", (NumberedRing,), {member: marked})())
    assert not result.ok
    (fault,) = result.faults
    assert re.fullmatch(r"fails raised ValueError: nothing for .*, with asked = .* \(.*test_check.py:\d+\)", fault)


def test_what_is_no_domain_is_refused() -> None:
    """With what to give."""
    with pytest.raises(bf.InputError, match="pass an instance of a Domain"):
        bf.check(bf.Pancake("2 1"))  # type: ignore[call-overload]
