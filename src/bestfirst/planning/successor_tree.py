"""A decision tree over the variables of a task: without it, each expansion would test every operator.

Source: Helmert, "The Fast Downward planning system", 2006, section 5.3.1 (successor generators).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bestfirst.planning.task import Operator, State


@dataclass
class Fork:
    """A node of the tree: what applies where the facts on the way to it hold.

    operators: those that need nothing more, by number. switches: by the next variable, the forks for its values.
    """

    operators: list[int] = field(default_factory=list)
    switches: dict[int, dict[int, Fork]] = field(default_factory=dict)


class SuccessorTree:
    """Finds the operators that apply in a state, in their order."""

    def __init__(self, operators: Sequence[Operator]) -> None:
        """operators: sorted by their preconditions, so that a walk through the tree meets them in this order."""
        self.root = Fork()
        for number, operator in enumerate(operators):
            fork = self.root
            for variable, value in operator.preconditions:
                fork = fork.switches.setdefault(variable, {}).setdefault(value, Fork())
            fork.operators.append(number)

    def applicable(self, state: State) -> Iterator[int]:
        """The numbers of the operators that apply in a state, ascending."""
        waiting = [self.root]
        while waiting:
            fork = waiting.pop()
            yield from fork.operators
            for variable, branches in reversed(fork.switches.items()):
                following = branches.get(state[variable])
                if following is not None:
                    waiting.append(following)

    def flattened(self, domains: Sequence[int], places: Sequence[Sequence[int]]) -> list[int]:
        """The tree as ints. domains: the number of values of each variable. places: what a reader needs to find its value.

        A fork is: the number of its first operator, the one after its last, and the number of its switches; and for each
        of them the place of the variable, and the index of its branches. The branches are, for each value, the index of
        the next fork, or 0. The root has the index 0; operators of a fork have consecutive numbers.
        """
        table: list[int] = []
        waiting: list[tuple[Fork, int | None]] = [(self.root, None)]  # each with the index of the branch to it
        while waiting:
            fork, branch = waiting.pop()
            if branch is not None:
                table[branch] = len(table)
            first = fork.operators[0] if fork.operators else 0
            table += [first, first + len(fork.operators), len(fork.switches)]
            links = []
            for variable in fork.switches:
                table += places[variable]
                links.append(len(table))
                table.append(0)
            for link, (variable, branches) in zip(links, fork.switches.items(), strict=True):
                table[link] = len(table)
                for value, following in branches.items():
                    waiting.append((following, table[link] + value))
                table += [0] * domains[variable]
        return table
