"""Domain: a problem in the form that can be compiled, which makes a search tens to hundreds of times as fast."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from bestfirst.array_attributes import ArrayAttributes
from bestfirst.errors import ProblemError
from bestfirst.holding import holds
from bestfirst.problem import Action, Cost, Problem, Successor
from bestfirst.system.long_calls import BETWEEN_LOOKS, watched
from bestfirst.typed import ActionT, StateT
from bestfirst.vocabulary import is_root

LESS, MORE = DIRECTIONS = "less", "more"
"""What a state had better have of a resource."""


class Domain(ArrayAttributes, Problem[StateT, ActionT]):
    """A problem in the compilable form: the same code runs interpreted and, much faster, compiled.

        class Pancakes(Domain):
            class State(NamedTuple):
                stack: tuple[int, ...]
            max_actions = ...
            def step(self, state, action): ...            # -> (legal, next_state, cost)
            def is_goal(self, state): ...
            def gap(self, state): ...                     # a heuristic

    State is a NamedTuple of signed 64-bit ints, and of tuples of them, each as long as in the initial state. Actions are
    0 .. max_actions - 1. The data that the methods read are ints, floats, NumPy arrays of them and tuples of ints on self,
    set in __init__. Methods use arithmetic, comparisons, if, for, while, State(...), lists of the elements of a tuple, math,
    other methods, and module-level functions that do the same; they build no dicts, and change nothing.

    An estimate may be stored in the state, updated by step, and only read by the heuristic.

    The members after is_goal are optional: they save time or memory, and change no result. Those that
    only pattern databases need are in bestfirst.patterns.AbstractDomain.
    """

    _is_root = True
    _has_all_claims = True

    State: ClassVar[Any]
    max_actions: int
    actions: Sequence[Action] | None = None
    """The actions as a solution names them, if not by their indices."""

    bits: Mapping[str, int] = MappingProxyType({})
    """The number of bits of each field of State whose value is always in 0 .. 2**bits - 1; for a tuple, that of each
    element. Other fields take 64 bits. A field of 0 bits is always 0, and is not stored."""

    control: str | None = None
    """A field of State that decides which actions are legal, such as the cell of the blank or the place of an agent. If its bits
    are declared and few, inverse() is defined and each action costs 1, long searches by IDA* use code for each of its
    values."""

    size: int = 0
    """If rank() is defined: the number of ranks, which are 0 .. size - 1. An instance with size 0 has no rank."""

    undirected: bool = False
    """Set to True if each action can be undone by one of the same cost, and inverse() cannot name it."""

    legal_first: bool = False
    """Set to True on a class if the legal actions of each state precede the others, so that the search stops at the first
    illegal one."""

    identity: Sequence[str] = ()
    """The fields of State that distinguish states, if the others, such as an estimate, follow from these and the goal.
    Bidirectional search uses them to recognise states of backward(). Empty: all fields."""

    resources: Mapping[str, str] = MappingProxyType({})
    """The fields of State of which a state had better have less, or more: {"time": "less", "fuel": "more"}. Of two states that
    are equal in all other fields (or in those of identity), one that is at least as good in each resource (of a tuple, in
    each element) dominates the other: best-first and anytime beam searches, and depth-first branch and bound with a memo,
    drop the other unless their path to it costs less."""

    def step(self, state: Any, action: int) -> tuple[bool, Any, Cost]:
        """Whether the action is legal in the state, the next state, and the cost (arbitrary if the action is illegal)."""
        raise NotImplementedError(f"{type(self).__name__} must define step(state, action)")

    def domain(self) -> Domain:
        return self

    def key(self, state: Any) -> Hashable:
        return tuple(getattr(state, name) for name in self.identity) if self.identity else state

    def decode(self, state: Any) -> Any:
        """The corresponding state of the original problem; a domain of its own returns the state itself."""
        return state

    def encode(self, state: Any) -> Any:
        """The state that corresponds to one of the original problem: the inverse of decode()."""
        return state

    def inverse(self, action: int) -> int:
        """The action that undoes this one in every state where it is legal; -1 if there is none. IDA* skips it and is faster."""
        del action
        return -1

    def can_be_undone(self) -> bool:
        """Whether each action can be undone by one of the same cost: undirected is set, or inverse() is defined."""
        return self.undirected or all(self.inverse(action) >= 0 for action in range(self.max_actions))

    def rank(self, state: Any) -> int:
        """The index of a state in 0 .. size - 1, different for each reachable state."""
        raise NotImplementedError(f"{type(self).__name__} must define rank(state)")

    def unrank(self, number: int) -> Any:
        """The state with this rank; if there is none, any state for which step() works."""
        raise NotImplementedError(f"{type(self).__name__} must define unrank(number)")

    def defines(self, member: str) -> bool:
        """Whether the domain defines an optional method, such as rank, that holds for its rules."""
        if member in ("rank", "unrank") and self.size == 0:
            return False
        home = next((kind for kind in type(self).__mro__ if member in vars(kind)), None)
        return home is not None and not is_root(home) and holds(self, member)

    def action_name(self, state: Any, action: int) -> Action:
        """An action that is legal in the state, as a solution names it."""
        del state
        return action if self.actions is None else self.actions[action]

    def stops_at_illegal(self) -> bool:
        """Whether the actions after an illegal one need not be tried."""
        return bool(self.legal_first) and "step" not in vars(self)

    def successors(self, state: Any) -> Iterator[Successor]:
        actions: Iterable[int] = range(self.max_actions)
        if self.max_actions > BETWEEN_LOOKS:
            actions = watched(actions, state)
        for action in actions:
            outcome = self.step(state, action)
            try:
                legal, following, cost = outcome
            except (TypeError, ValueError):
                raise ProblemError(
                    f"step({state!r}, {action}) returns {outcome!r}; return (legal, next_state, cost)"
                ) from None
            if legal:
                yield self.action_name(state, action), following, cost
            elif self.stops_at_illegal():
                return


def has_fixed_names(domain: Domain) -> bool:
    """Whether an action has the same name in all states, because action_name is that of Domain."""
    return "action_name" not in vars(domain) and type(domain).action_name is Domain.action_name


def resources_of(problem: object) -> Mapping[str, str]:
    """The resources that a Domain declares; any other problem declares none, whatever its attributes mean."""
    return problem.resources if isinstance(problem, Domain) else {}


def steps_are_successors(domain: Domain) -> bool:
    """Whether the successors of a state follow from step(), because successors is that of Domain."""
    return "successors" not in vars(domain) and type(domain).successors is Domain.successors
