"""Domain: a problem in the form that can be compiled, which makes a search tens to hundreds of times as fast."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from bestfirst.array_attributes import ArrayAttributes
from bestfirst.errors import ProblemError
from bestfirst.holding import holds
from bestfirst.prepared import checked_forced, checked_prepared, takes_prepared
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
    only pattern databases need are in bestfirst.patterns.AbstractDomain. Two more rules are optional: forced() names the only
    action to be tried in a state; and the result of prepare(), which is called once for all actions of a state, is passed to
    step(self, state, action, prepared).
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

    if TYPE_CHECKING:
        step: Callable[..., tuple[bool, Any, Cost]]  # with two or three arguments
    else:

        def step(self, state, action):
            """Whether the action is legal in the state, the next state, and the cost (arbitrary if the action is illegal).

            If prepare() is defined, its result is a third argument.
            """
            raise NotImplementedError(f"{type(self).__name__} must define step(state, action)")

    def prepare(self, state: Any) -> Any:
        """What step() needs to know of a state for each of its actions: an int, a float, a bool, or a tuple of these.

        A search calls it once for each state that it expands, and passes the result to step() as a third argument.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define prepare(state)")

    def forced(self, state: Any) -> int:
        """The only action to be tried in the state, or -1 if none is forced. All others are then illegal, and step() is not
        called for them."""
        del state
        return -1

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
        return bool(self.legal_first) and "step" not in vars(self) and not forces(self)

    def successors(self, state: Any) -> Iterator[Successor]:
        actions: Iterable[int] = range(self.max_actions)
        if forces(self) and (only := forced_in(self, state)) >= 0:
            actions = (only,)
        elif self.max_actions > BETWEEN_LOOKS:
            actions = watched(actions, state)
        prepared = prepared_for(self, state)
        for action in actions:
            outcome = self.step(state, action, *prepared)
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


def home_of_member(domain: Domain, name: str) -> int | None:
    """How far from the object the class is that defines a member: 0 for the object itself; None if only Domain defines it."""
    homes = [domain, *type(domain).__mro__]
    found = next(place for place, home in enumerate(homes) if name in vars(home))
    return None if homes[found] is Domain else found


def forces(domain: Domain) -> bool:
    """Whether an action may be forced, because forced is not that of Domain."""
    return type(domain).forced is not Domain.forced or "forced" in vars(domain)


def prepares(domain: Domain) -> bool:
    """Whether step() is passed a prepared value. A step() that replaces another one in a subclass may do without."""
    is_defined = type(domain).prepare is not Domain.prepare or "prepare" in vars(domain)
    return is_defined and takes_prepared(domain.step)


def preparing(domain: Domain) -> list[str]:
    """The names of those methods that are called once for all actions of a state."""
    return ["prepare"] * prepares(domain) + ["forced"] * forces(domain)


def forced_in(domain: Domain, state: Any) -> int:
    """The only action to be tried in a state; -1 if none is forced."""
    return checked_forced(type(domain).__name__, state, domain.forced(state), domain.max_actions)


def prepared_for(domain: Domain, state: Any) -> tuple[Any, ...]:
    """The arguments of step() besides the state and the action: the prepared value, or none."""
    return (checked_prepared(type(domain).__name__, state, domain.prepare(state)),) if prepares(domain) else ()


def single_step(domain: Domain) -> Callable[[Any, int], tuple[bool, Any, Cost]]:
    """step() for an action by itself: an action is illegal if another one is forced."""
    if not (forces(domain) or prepares(domain)):
        return domain.step

    def step(state: Any, action: int) -> tuple[bool, Any, Cost]:
        if forces(domain) and forced_in(domain, state) not in (-1, action):
            return False, state, 0
        return domain.step(state, action, *prepared_for(domain, state))

    return step


def has_fixed_names(domain: Domain) -> bool:
    """Whether an action has the same name in all states, because action_name is that of Domain."""
    return "action_name" not in vars(domain) and type(domain).action_name is Domain.action_name


def resources_of(problem: object) -> Mapping[str, str]:
    """The resources that a Domain declares; any other problem declares none, whatever its attributes mean."""
    return problem.resources if isinstance(problem, Domain) else {}


def steps_are_successors(domain: Domain) -> bool:
    """Whether the successors of a state follow from step(), because successors is that of Domain."""
    return "successors" not in vars(domain) and type(domain).successors is Domain.successors
