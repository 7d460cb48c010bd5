"""Problem: a start, successors and a goal test, stated once and searched by every algorithm."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, ClassVar, TypeAlias

from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import Heuristic, declared_heuristics

State: TypeAlias = Hashable
Action: TypeAlias = Any
Cost: TypeAlias = int | float
Successor: TypeAlias = tuple[Action, Any, Cost]


class Problem:
    """A state-space problem. Three members are enough:

        class WaterJugs(Problem):
            initial = (0, 0)
            def is_goal(self, state): ...
            def successors(self, state):            # yields (action, next_state, cost)
                ...

    States are any hashable values and are never changed in place. Costs are finite ints or floats >= 0. The order
    in which successors come is the order in which every algorithm tries them.

    The other members are optional: they make searches faster or their output clearer, never different.
    """

    initial: Any

    unit_cost: ClassVar[bool] = False
    """Say True where every action costs 1: the algorithms that count actions are then known to be optimal."""

    default_heuristic: ClassVar[str | None] = None
    """The name of the heuristic to use when none is asked for."""

    from_text: ClassVar[Callable[..., Any]]
    """For the command line: a classmethod that makes a problem from the text of an instance; its keyword-only parameters, which
    are given as texts, are the domain's options."""

    def successors(self, state: Any) -> Iterable[Successor]:
        """The (action, next_state, cost) triples of a state, in the order in which they are to be tried."""
        raise NotImplementedError(f"{type(self).__name__} must define successors(state)")

    def is_goal(self, state: Any) -> bool:
        """Whether a state is a goal."""
        raise NotImplementedError(f"{type(self).__name__} must define is_goal(state)")

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The heuristics that this problem offers by name: its methods marked with @heuristic."""
        return declared_heuristics(self)

    def unsolvable(self) -> str | None:
        """The reason why no goal can be reached, where that is known without a search; otherwise None."""
        return None

    def backward(self) -> Problem | None:
        """The same problem the other way round, for bidirectional search; None where it cannot be stated.

        It starts at the goal and ends at this problem's initial state; its successors are the triples (action,
        previous_state, cost) where action leads, in this problem, from previous_state to the state. Its heuristics
        estimate the cost from this problem's initial state.
        """
        return None

    def goal_state(self) -> Any | None:
        """The only goal state, where there is just one; otherwise None."""
        return None

    def format(self, state: Any) -> str:
        """A state on one line, in the notation in which it can be given."""
        return str(state)

    def label(self, state: Any) -> str:
        """A state as it is written in traces and search trees, where room is scarce."""
        return self.format(state)

    def draw(self, state: Any) -> str:
        """A state as a person wants to see it, on one line or several."""
        return self.format(state)

    def format_action(self, action: Any) -> str:
        """An action on one line."""
        return str(action)

    @classmethod
    def name(cls) -> str:
        """The name of the problem's class as it is written on the command line: SlidingTile -> sliding-tile."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()

    @staticmethod
    def of(
        initial: Any,
        successors: Callable[[Any], Iterable[Successor]],
        is_goal: Callable[[Any], bool],
    ) -> Problem:
        """A problem from its three parts, without a class.

        Raises InputError when successors or is_goal is not a function.
        """
        return _FunctionProblem(initial, successors, is_goal)


class _FunctionProblem(Problem):
    def __init__(
        self,
        initial: Any,
        successors: Callable[[Any], Iterable[Successor]],
        is_goal: Callable[[Any], bool],
    ) -> None:
        if not callable(successors):
            raise InputError(
                f"successors is {successors!r}; it must be a function of a state that yields (action, next_state, cost)"
            )
        if not callable(is_goal):
            raise InputError(
                f"is_goal is {is_goal!r}; it must be a function of a state, such as lambda state: state == goal"
            )
        self.initial = initial
        self.successors = successors  # type: ignore[assignment,method-assign]
        self.is_goal = is_goal  # type: ignore[assignment,method-assign]

    @classmethod
    def name(cls) -> str:
        return "problem"
