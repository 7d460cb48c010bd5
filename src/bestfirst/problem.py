"""Problem: a start, successors and a goal test, stated once and searched by every algorithm."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from bestfirst.array_attributes import ArrayAttributes
from bestfirst.claims import Claims, Vocabulary, holds, why_not
from bestfirst.errors import InputError, ProblemError
from bestfirst.heuristics.heuristic import MARK, Heuristic, declared_heuristics, doubted

if TYPE_CHECKING:
    from bestfirst.patterns.storage.packed_table import Base

State: TypeAlias = Hashable
Action: TypeAlias = Any
Cost: TypeAlias = int | float
Successor: TypeAlias = tuple[Action, Any, Cost]
Cell: TypeAlias = tuple[float, float, str]
"""One cell of the picture of a state: its row (downwards), its column (to the right), and its text."""


_OF_ACTIONS = frozenset({"unit_cost", "undirected", "inverse", "can_be_undone", "representatives"})
_ASKED = frozenset({"rank", "unrank", "entry", "block_step", "turned", "abstract", "dual", "encode", "decode"})
_VOCABULARY = Vocabulary(
    guarded=_OF_ACTIONS
    | {
        "default_heuristic",
        "long_search_heuristic",
        "long_search_algorithm",
        "long_search_options",
        "heuristics",
        "heuristic_named",
        "unsolvable",
        "backward",
        "domain",
        "project",
        "abstractions",
        "goal_state",
        "goal_states",
        "table_base",
        "parameters",
    },
    asked=_ASKED | {"size", "block_size", "entries"},
    shown=frozenset(
        {"format", "label", "draw", "draw_path", "cells", "format_action", "name", "from_text", "positions", "bits", "fixed"}
    ),
    roots=frozenset({"successors", "step", "is_goal"}),
    goals=frozenset({"is_goal"}),
    of_actions=_OF_ACTIONS | _ASKED,
    naming=frozenset({"default_heuristic", "long_search_heuristic"}),
    mark=MARK,
)


def _heuristics_of(problem: Problem, of_class: Any, holds_for_all: bool) -> Callable[[], Mapping[str, Heuristic]]:
    """heuristics(), without trust in those that a class declares for rules that have been replaced."""
    if holds_for_all:
        return of_class  # type: ignore[no-any-return]
    return lambda: {name: doubted(problem, one) for name, one in of_class().items()}


class Problem(Claims):
    """A state-space problem. Three members are enough:

        class WaterJugs(Problem):
            initial = (0, 0)
            def is_goal(self, state): ...
            def successors(self, state):            # yields (action, next_state, cost)
                ...

    States are hashable values and are never changed in place. Costs are finite ints or floats >= 0. Every algorithm tries
    successors in the given order.

    The other members are optional: they make searches faster or their output clearer, but do not change results. A subclass
    that replaces successors, is_goal or what these call must redefine those that hold for it too (see claims.py).
    """

    _vocabulary = _VOCABULARY
    _is_root = True
    _adjusted = MappingProxyType({"heuristics": _heuristics_of})

    initial: Any

    unit_cost: bool = False
    """Set to True if every action costs 1: algorithms that minimise the number of actions are then known to be optimal."""

    default_heuristic: str | None = None
    """The name of the heuristic to use unless one is given."""

    long_search_heuristic: str | None = None
    """The name of the heuristic to switch to if a search with the default one takes long; it may take seconds to build."""

    long_search_algorithm: str | None = None
    """The name of the algorithm to switch to then, unless one was given; by default it stays the same."""

    long_search_options: Mapping[str, Any] = MappingProxyType({})
    """The options of that algorithm."""

    from_text: ClassVar[Callable[..., Any]]
    """For the command line: a classmethod that makes a problem from the string of an instance; its keyword-only parameters,
    which are given as strings, are the domain's options."""

    def successors(self, state: Any) -> Iterable[Successor]:
        """The (action, next_state, cost) triples of a state, in the order in which algorithms try them."""
        raise NotImplementedError(f"{type(self).__name__} must define successors(state)")

    def is_goal(self, state: Any) -> bool:
        """Whether a state is a goal."""
        raise NotImplementedError(f"{type(self).__name__} must define is_goal(state)")

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The heuristics that this problem offers by name: its methods marked with @heuristic."""
        return declared_heuristics(self)

    def heuristic_named(self, name: str) -> Heuristic | None:
        """The heuristic of a name that heuristics() does not list, such as pdb:7-8; None if there is none."""
        if not name.startswith("pdb:") or type(self).abstractions is Problem.abstractions:
            return None
        from bestfirst.patterns.named import heuristic_of  # noqa: PLC0415  (they are seldom wanted)

        return heuristic_of(self, name)

    def heuristic_alias(self, name: str) -> str:
        """The name of the heuristic that an alias such as "auto" stands for; usually the name itself."""
        return name

    def unsolvable(self) -> str | None:
        """The reason why no goal can be reached, if that is known without a search; otherwise None."""
        return None

    def backward(self) -> Problem | None:
        """The reversed problem, for bidirectional search; None if it cannot be stated.

        It starts at the goal and ends at this problem's initial state; its successors are the triples (action,
        previous_state, cost) for which action leads, in this problem, from previous_state to the state. Its heuristics
        estimate the cost from this problem's initial state.
        """
        return None

    def domain(self) -> Domain | None:
        """The same problem in the compilable form, for the compiled engine; None if it has none.

        It has the same actions in the same order, and a state for each state, which its decode() returns. Its backward()
        must correspond to this problem's in the same way.
        """
        return None

    def project(self, pattern: Any) -> Domain:
        """The abstract problem of a pattern, such as the tiles that stay distinguishable: for pattern databases.

        It has a state for each state of this problem, which its abstract() returns, and no path in it is more expensive than
        here.
        """
        del pattern
        why = why_not(self, "project")
        if why is not None:
            raise InputError(f"{type(self).__name__} has no pattern databases: {why}")
        raise InputError(f"{type(self).__name__} does not define project(pattern), so it has no pattern databases")

    def abstractions(self, pattern: str) -> Sequence[Domain]:
        """The abstract problems whose pattern databases a heuristic "pdb:PATTERN" uses."""
        why = why_not(self, "abstractions")
        if why is not None:
            raise InputError(f"{type(self).__name__} has no pattern databases by name, such as {pattern!r}: {why}")
        raise InputError(
            f"{self.name()} has no pattern databases by name, such as {pattern!r}; build one: PatternDatabase.build"
        )

    def key(self, state: Any) -> Hashable:
        """The key by which states are told apart, also those of backward(): usually the state itself."""
        key: Hashable = state
        return key

    def representatives(self) -> Sequence[Any] | None:
        """States that represent all states when duplicate operator sequences are looked for; None if unknown.

        Each state behaves like one of them: the same operator sequences are legal, and two that lead to the same state from
        one do so from the other. If actions permute pieces and are always legal, any single state will do.
        """
        return None

    def goal_state(self) -> Any | None:
        """The only goal state, if there is exactly one; otherwise None."""
        return None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.format(self.initial)})"

    def format(self, state: Any) -> str:
        """A state on one line, in the notation of instances."""
        return str(state)

    def label(self, state: Any) -> str:
        """A short form of a state for traces and search trees."""
        return self.format(state)

    def draw(self, state: Any) -> str:
        """A state drawn for people, on one line or several."""
        return self.format(state)

    def cells(self, state: Any) -> Iterable[Cell] | None:  # noqa: ARG002  # this general answer is for every state
        """A state as a picture of cells (row, column, text), for programs that draw; None if it has no such picture.

        A board has a cell with text "" for each empty one. A state that is a location, such as a city on a map, is a single
        cell at its coordinates (row = -y if y points up); such pictures are overlaid.
        """
        return None

    def format_action(self, action: Any) -> str:
        """An action on one line."""
        return str(action)

    @classmethod
    def name(cls) -> str:
        """The name of the problem's class on the command line: SlidingTile -> sliding-tile."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()

    @staticmethod
    def of(
        initial: Any,
        successors: Callable[[Any], Iterable[Successor]],
        is_goal: Callable[[Any], bool],
    ) -> Problem:
        """A problem from its three parts, without a class.

        Raises InputError unless successors and is_goal are functions.
        """
        return _FunctionProblem(initial, successors, is_goal)


class Domain(ArrayAttributes, Problem):
    """A problem in the compilable form: the same code runs interpreted and, a hundred times faster, compiled.

        class Pancakes(Domain):
            class State(NamedTuple):
                stack: int                                # 4 bits for each pancake
            max_actions = ...
            def step(self, state, action): ...            # -> (legal, next_state, cost)
            def is_goal(self, state): ...
            def gap(self, state): ...                     # a heuristic

    State is a NamedTuple of ints that fit into signed 64-bit integers. Actions are 0 .. max_actions - 1. The data that
    methods read are ints, floats and NumPy arrays of them on self, set in __init__. Methods use arithmetic, comparisons, if,
    for over range, while, State(...), math, and functions at the top of the module that do the same; they must not call
    other methods, build lists or dicts, or change anything.

    An estimate may be carried in the state; the heuristic then only reads it.

    The members after is_goal are optional: they make searches faster or smaller, but do not change results.
    """

    _is_root = True

    State: ClassVar[Any]
    max_actions: int
    actions: Sequence[Action] | None = None
    """The actions as a solution names them, if not by their numbers."""

    bits: Mapping[str, int] = MappingProxyType({})
    """By field of State: its number of bits, if its value is always in 0 .. 2**bits - 1. Other fields take 64 bits. A field
    of 0 bits is always 0, and is not stored."""

    size: int = 0
    """If rank() is defined: the number of ranks, which are 0 .. size - 1. An instance with size 0 has no rank."""

    undirected: bool = False
    """Set to True if each action can be undone by one of the same cost, and inverse() cannot name it."""

    legal_first: bool = False
    """Set to True on a class if the legal actions of each state precede the others, so that the search stops at the first
    illegal one.
    States with few actions then do not pay for those with many."""

    block_size: int = 0
    """If block_step() is defined: the number of states in a block, each with its own order."""

    entries: int = 0
    """If entry() is defined: it returns numbers in 0 .. entries - 1."""

    counted: Sequence[Hashable] | None = None
    """For the results of project(): the pieces whose actions have a cost. Domains with a common piece are not additive."""

    identity: Sequence[str] = ()
    """The fields of State that distinguish states, if the others, such as an estimate, follow from these and the goal.
    Bidirectional search uses them to recognise states of backward(). Empty: all fields."""

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
        """The only action that undoes an action, wherever that was legal; -1 if there is none. It makes IDA* faster."""
        del action
        return -1

    def can_be_undone(self) -> bool:
        """Whether each action can be undone by one of the same cost: undirected is set, or inverse() is defined."""
        return self.undirected or all(self.inverse(action) >= 0 for action in range(self.max_actions))

    def rank(self, state: Any) -> int:
        """The number of a state in 0 .. size - 1, different for each reachable state."""
        raise NotImplementedError(f"{type(self).__name__} does not define rank(state)")

    def unrank(self, number: int) -> Any:
        """The state of a number; if no state has it, any state for which step() works."""
        raise NotImplementedError(f"{type(self).__name__} does not define unrank(number)")

    def goal_states(self) -> Sequence[Any] | None:
        """All goal states, if they can be listed; otherwise None."""
        goal = self.goal_state()
        return None if goal is None else [goal]

    def abstract(self, state: Any) -> Any:
        """For the results of project(): its state for a state of the original problem. Elsewhere the state itself."""
        return state

    def entry(self, state: Any) -> int:
        """The entry of a state in a pattern database, if several states share one; by default the rank."""
        raise NotImplementedError(f"{type(self).__name__} does not define entry(state)")

    def dual(self, state: Any) -> Any:
        """For the results of project(), if states are arrangements: the abstract state of the dual of a state.

        The dual is the inverse permutation: it has, in the goal place of each piece, the piece whose goal place is where the
        first one is. The dual is as far from the goal if each action moves what is in a place to another place, whatever it
        is, and can be undone by an action of the same cost.
        Source: Felner, Zahavi, Schaeffer & Holte 2005.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define dual(state)")

    def table_base(self) -> Base | None:
        """Of an abstract domain: lower bounds of the distances, entry by entry; compressed tables store the differences from
        it."""
        return None

    def parameters(self) -> Mapping[str, Any] | None:
        """What identifies the domain beside its code, as JSON values; None: the data that its methods read."""
        return None

    def block_step(self, block: int, action: int) -> tuple[bool, int, int]:
        """Whether an action is legal in a block of states, the block that it leads to, and the turn that it applies to
        orders.

        For undirected domains with unit costs whose actions take all states of a block (those with the same rank() //
        block_size) to one block; a state's order is rank() % block_size. Distance tables are computed faster with it than
        with step().
        """
        raise NotImplementedError(f"{type(self).__name__} does not define block_step(block, action)")

    def turned(self, turn: int, order: int) -> int:
        """The order that a turn, as numbered by block_step(), makes of an order."""
        raise NotImplementedError(f"{type(self).__name__} does not define turned(turn, order)")

    def defines(self, member: str) -> bool:
        """Whether the domain defines an optional method, such as rank, that holds for its rules."""
        if member in ("rank", "unrank") and self.size == 0:
            return False
        return getattr(type(self), member) is not getattr(Domain, member) and holds(self, member)

    def action_name(self, state: Any, action: int) -> Action:
        """An action that is legal in the state, as a solution names it."""
        del state
        return action if self.actions is None else self.actions[action]

    def stops_at_illegal(self) -> bool:
        """Whether the actions after an illegal one need not be tried."""
        kind: Any = type(self)
        return "step" not in vars(self) and _stops_at_illegal(kind)

    def successors(self, state: Any) -> Iterator[Successor]:
        for action in range(self.max_actions):
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


@cache
def _stops_at_illegal(kind: Any) -> bool:
    """The class's legal_first; a subclass with its own step() must set it again."""
    said, stepped = (next(base for base in kind.__mro__ if name in vars(base)) for name in ("legal_first", "step"))
    return bool(kind.legal_first) and issubclass(said, stepped)


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
