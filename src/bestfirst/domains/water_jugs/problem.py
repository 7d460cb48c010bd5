"""The water-jugs puzzle: measure an amount of water with jugs that have no marks.

A state is the tuple of the amounts in the jugs. A jug can be filled at the tap, emptied, or poured into another until
that is full or the first is empty. Every action costs 1; actions that would change nothing are not tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, gcd
from string import ascii_lowercase
from typing import TypeAlias

from bestfirst.domains.water_jugs.packed import MOST_BITS, PackedJugs, bits_per_jug
from bestfirst.errors import InputError, counted, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.problem import Problem, Successor

Amounts: TypeAlias = tuple[int, ...]

MOST_JUGS = len(ascii_lowercase)
WIDEST_JUG = 40  # in characters, when drawn
TALLEST = 3  # times as high as it is wide, in the picture
LARGEST_WRITTEN = 99_999  # of the amounts in the picture


class WaterJugs(Problem[Amounts, str]):
    """Any number of jugs, and the amount that one of them must hold in the end.

    capacities, initial: amounts as a string ("5 3") or a sequence of ints; default initial: all jugs empty.
    target: the amount; any jug may hold it.
    Actions are tried in this order: fill each jug, empty each jug, pour each jug into each other one. They name a jug by its
    capacity ("fill 5", "pour 5 into 3"), with a letter if several have the same ("fill 5a").
    Raises InputError for no jugs or more than 26, amounts that are not whole numbers, a capacity below 1, or an initial
    amount above the capacity.
    """

    unit_cost = True
    default_heuristic = "lookahead"

    _settled_for_good = frozenset({"capacities"})

    def __init__(
        self, capacities: str | Sequence[int], target: int | str, initial: str | Sequence[int] | None = None
    ) -> None:
        self.capacities = _read_amounts("capacities", capacities)
        if not 1 <= len(self.capacities) <= MOST_JUGS:
            raise InputError(f"{len(self.capacities)} capacities are given; use 1 to {MOST_JUGS} capacities, such as '5 3'")
        if min(self.capacities) < 1:
            raise InputError(f"capacities is {shown(capacities)}; each capacity must be at least 1")
        if not str(target).strip().isdecimal():
            raise InputError(f"the goal is {shown(target)}; write the amount to measure, a whole number >= 0")
        self.target = int(target)
        self.initial: Amounts = (0,) * len(self.capacities)
        if initial is not None:
            self.initial = _read_amounts("start", initial)
            self._check_initial()
        self.jugs = _jug_names(self.capacities)
        self._settle()

    @classmethod
    def from_text(cls, text: str, *, goal: str, start: str | None = None) -> WaterJugs:
        """A puzzle from command-line arguments: the capacities; the amount to measure; the amounts at the start."""
        return cls(text, goal, start)

    def _why_no_start(self, state: Amounts) -> str | None:
        is_possible = all(amount in range(capacity + 1) for amount, capacity in zip(state, self.capacities, strict=True))
        return None if is_possible else f"with an amount that its jug cannot hold (they hold {self.capacities})"

    def _check_initial(self) -> None:
        if len(self.initial) != len(self.capacities):
            raise InputError(
                f"the start {self.format(self.initial)!r} has {counted(len(self.initial), 'amount')}; "
                f"write one for each of the {len(self.capacities)} jugs"
            )
        for amount, capacity in zip(self.initial, self.capacities, strict=True):
            if amount > capacity:
                raise InputError(
                    f"the start {self.format(self.initial)!r} has {amount} in a jug that holds {capacity}; "
                    f"write at most {capacity}"
                )

    def successors(self, state: Amounts) -> Iterable[Successor]:
        jugs = list(enumerate(zip(self.jugs, self.capacities, state, strict=True)))
        for jug, (name, capacity, amount) in jugs:
            if amount < capacity:
                yield f"fill {name}", _with(state, (jug, capacity)), 1
        for jug, (name, _, amount) in jugs:
            if amount:
                yield f"empty {name}", _with(state, (jug, 0)), 1
        for jug, (name, _, amount) in jugs:
            for other, (other_name, capacity, other_amount) in jugs:
                poured = min(amount, capacity - other_amount)
                if jug != other and poured:
                    poured_state = _with(state, (jug, amount - poured), (other, other_amount + poured))
                    yield f"pour {name} into {other_name}", poured_state, 1

    def is_goal(self, state: Amounts) -> bool:
        return self.target in state

    def unsolvable(self) -> str | None:
        """Decided by size (no jug holds more than the largest) and divisibility (common divisors are preserved).

        A common divisor of all capacities and all initial amounts divides every later amount, since filling and emptying
        leave a capacity or nothing, and pouring adds and subtracts amounts and capacities. From empty jugs these two
        conditions are also sufficient.
        Source: Bezout's identity; Boldi, Santini & Vigna 2002.
        """
        if self.target > max(self.capacities):
            return f"no jug holds {self.target}: the largest holds {max(self.capacities)}"
        divisor = gcd(*self.capacities, *self.initial)
        if self.target % divisor:
            whose = "all capacities and all amounts at the start" if any(self.initial) else "all capacities"
            return f"{divisor} divides {whose}, and thus every amount that can be measured, but it does not divide {self.target}"
        return None

    def domain(self) -> PackedJugs | None:
        return PackedJugs(self) if bits_per_jug(self) * len(self.jugs) <= MOST_BITS else None

    def format(self, state: Amounts) -> str:
        return " ".join(map(str, state))

    def draw(self, state: Amounts) -> str:
        """A line for each jug: its name, its water and its free space to scale, and the amount."""
        unit = max(1, ceil(max(self.capacities) / WIDEST_JUG))
        width = max(map(len, self.jugs))
        lines = []
        for name, capacity, amount in zip(self.jugs, self.capacities, state, strict=True):
            room = "." * ceil((capacity - amount) / unit)
            water = "#" * (ceil(capacity / unit) - len(room))
            lines.append(f"{name:>{width}} [{water}{room}] {amount}")
        return "\n".join(lines)

    def picture(self, state: Amounts) -> str:
        """The jugs side by side, each as high as its capacity, with its water and the amount."""
        highest, parts = max(self.capacities), []
        for jug, (capacity, amount) in enumerate(zip(self.capacities, state, strict=True)):
            full, filled = TALLEST * (capacity / highest), TALLEST * (amount / highest)
            written = str(amount) if amount <= LARGEST_WRITTEN else "..."
            parts += [
                f"<rect x='{1.5 * jug}' y='{TALLEST - filled:g}' width='1' height='{filled:g}' fill='#4aa8de'/>",
                f"<rect x='{1.5 * jug}' y='{TALLEST - full:g}' width='1' height='{full:g}' fill='none' stroke='#7a828c'/>",
                f"<text x='{1.5 * jug + 0.5}' y='2.7' font-size='{min(0.55, 1.2 / len(written)):.2g}'>{written}</text>",
            ]
        style = "fill: #23282f; stroke: #fff; paint-order: stroke; text-anchor: middle; font-family: sans-serif"
        box = f"-0.25 -0.1 {1.5 * len(state)} {TALLEST + 0.2}"
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='{box}' stroke-width='0.1'>"
            f"<style>text {{ {style} }}</style>{''.join(parts)}</svg>"
        )

    @heuristic(admissible=True, consistent=True)
    def lookahead(self, state: Amounts) -> int:
        """0 at a goal, 1 if one action leads to a goal, otherwise 2.

        That is the true distance d capped at 2. It never overestimates, and since d falls by at most 1 along an action,
        so does min(d, 2).
        """
        if self.is_goal(state):
            return 0
        return 1 if any(self.is_goal(after) for _, after, _ in self.successors(state)) else 2


def _read_amounts(what: str, given: str | Sequence[int]) -> Amounts:
    words = given.replace(",", " ").split() if isinstance(given, str) else given
    if not isinstance(words, Iterable) or not all(str(word).isdecimal() for word in words):
        raise InputError(f"{what} is {shown(given)}; use whole numbers >= 0, such as '5 3'")
    return tuple(int(word) for word in words)


def _jug_names(capacities: Amounts) -> tuple[str, ...]:
    """The capacities as strings; equal ones with the letters a, b, ..."""
    names = []
    for jug, capacity in enumerate(capacities):
        letter = ascii_lowercase[capacities[:jug].count(capacity)] if capacities.count(capacity) > 1 else ""
        names.append(f"{capacity}{letter}")
    return tuple(names)


def _with(state: Amounts, *changes: tuple[int, int]) -> Amounts:
    """The state with other amounts in some jugs."""
    amounts = list(state)
    for jug, amount in changes:
        amounts[jug] = amount
    return tuple(amounts)
