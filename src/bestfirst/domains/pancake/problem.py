"""The pancake puzzle: sort a stack by flipping its top.

A state is the tuple of the pancakes' sizes from the top down. An action is a number k: flip the top k pancakes.
Every action costs 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from bestfirst.domains.pancake.packed import MOST_PANCAKES, PackedPancake
from bestfirst.domains.shared.item_groups import item_groups, some_items
from bestfirst.errors import InputError, counted, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.problem import Problem, Successor

if TYPE_CHECKING:
    from bestfirst.domains.pancake.abstract import PancakePattern

Stack: TypeAlias = tuple[int, ...]


class Pancake(Problem[Stack, int]):
    """A stack of pancakes of the sizes 1 .. n, and the order to reach.

    stack, goal: the sizes from the top, as a string ("3 1 4 2") or a sequence of ints; default goal: 1 .. n.
    The flips are tried from k = 2 to k = n.
    Raises InputError for a stack that does not hold each of 1 .. n once, or a goal of a different length.
    Source: Dweighter (J. E. Goodman) 1975; Gates & Papadimitriou 1979.
    """

    _has_fixed_pieces = True
    unit_cost = True
    default_heuristic = "gap"

    def __init__(self, stack: str | Sequence[int], goal: str | Sequence[int] | None = None) -> None:
        self.initial = _read_stack("stack", stack)
        count = len(self.initial)
        self.goal: Stack = tuple(range(1, count + 1)) if goal is None else _read_stack("goal", goal)
        if len(self.goal) != count:
            raise InputError(
                f"the goal {shown(goal)} has {counted(len(self.goal), 'pancake')}, but the stack has {count}; "
                "use the same number of pancakes for both"
            )
        self._plate = count + 1
        places = (self.goal.index(size) for size in range(1, count + 1))
        self._place = [-1, *places, count]  # by size: no pancake has size 0, and the plate lies under the last one
        self._settle()

    @classmethod
    def from_text(cls, text: str, *, goal: str | None = None) -> Pancake:
        """A puzzle from command-line arguments."""
        return cls(text, goal)

    def successors(self, state: Stack) -> Iterable[Successor]:
        return [(top, state[top - 1 :: -1] + state[top:], 1) for top in range(2, len(state) + 1)]

    def is_goal(self, state: Stack) -> bool:
        return state == self.goal

    def goal_state(self) -> Stack:
        return self.goal

    def representatives(self) -> list[Stack]:
        """One state suffices: a flip permutes positions, whichever pancakes are in them."""
        return [self.initial]

    def backward(self) -> Pancake:
        """The puzzle from its goal: a flip is its own inverse, so the actions have the same names."""
        return Pancake(self.goal, self.initial)

    def domain(self) -> PackedPancake | None:
        return PackedPancake(self) if len(self.goal) <= MOST_PANCAKES else None

    def project(self, pattern: Iterable[int]) -> PancakePattern:
        """The stack in which only the pancakes of these sizes are distinguishable. Raises InputError for invalid sizes."""
        from bestfirst.domains.pancake.abstract import PancakePattern  # noqa: PLC0415  (it imports NumPy)

        if len(self.goal) > MOST_PANCAKES:
            raise InputError(f"{len(self.goal)} pancakes are too many for pattern databases; the maximum is {MOST_PANCAKES}")
        sizes = some_items(pattern, self.goal, "pancakes")
        return PancakePattern(self, sorted(sizes, key=self._place.__getitem__))

    def abstractions(self, pattern: str) -> list[PancakePattern]:
        """For pdb:6-5: the first six pancakes of the goal, from the top, and the next five."""
        return [self.project(sizes) for sizes in item_groups(pattern, self.goal, "pancakes, from the top of the goal,")]

    def format(self, state: Stack) -> str:
        return " ".join(map(str, state))

    def draw(self, state: Stack) -> str:
        """The stack from the side: a pancake of size k is 2k - 1 wide."""
        return "\n".join(f"{'':{len(state) - size}}{'=' * (2 * size - 1)}" for size in state)

    def format_action(self, action: int) -> str:
        return f"flip the top {action}"

    @heuristic(admissible=True, consistent=True)
    def gap(self, state: Stack) -> int:
        """The number of gaps: neighbours in the stack, including the plate below it, that are not neighbours in the goal.

        The goal has no gap. A flip separates and joins only one pair of neighbours, so it changes the
        number of gaps by at most 1.
        Source: Helmert 2010.
        """
        place = self._place
        return sum(abs(place[upper] - place[lower]) != 1 for upper, lower in pairwise((*state, self._plate)))


def _read_stack(what: str, given: str | Sequence[int]) -> Stack:
    words = given.replace(",", " ").split() if isinstance(given, str) else given
    remedy = "write each of the sizes 1 .. n once, from the top, such as 3 1 4 2"
    if not isinstance(words, Iterable) or not all(str(word).isdecimal() for word in words):
        raise InputError(f"the {what} is {shown(given)}; {remedy}")
    stack = tuple(int(word) for word in words)
    if not stack:
        raise InputError(f"the {what} is empty; {remedy}")
    if sorted(stack) != list(range(1, len(stack) + 1)):
        missing = sorted(set(range(1, len(stack) + 1)) - set(stack))
        raise InputError(
            f"the {what} {shown(given)} has {counted(len(stack), 'pancake')}, but none of size {missing[0]}; {remedy}"
        )
    return stack
