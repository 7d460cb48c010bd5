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
"""One cell of the picture of a state: its row (downwards), its column (to the right), and the text in it."""


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
    """heuristics(), with doubt about those that a class declares for rules that have been replaced."""
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

    States are any hashable values and are never changed in place. Costs are finite ints or floats >= 0. The order
    in which successors come is the order in which every algorithm tries them.

    The other members are optional: they make searches faster or their output clearer, never different. A subclass that replaces
    successors, is_goal or what these call has to define anew those that hold for it too (see claims.py).
    """

    _vocabulary = _VOCABULARY
    _is_root = True
    _adjusted = MappingProxyType({"heuristics": _heuristics_of})

    initial: Any

    unit_cost: bool = False
    """Say True where every action costs 1: the algorithms that count actions are then known to be optimal."""

    default_heuristic: str | None = None
    """The name of the heuristic to use when none is asked for."""

    long_search_heuristic: str | None = None
    """The name of the one to go on with where a search with the default one is not over soon; it may take seconds to make."""

    long_search_algorithm: str | None = None
    """The name of the algorithm to go on with then, if none was asked for; usually it stays the same."""

    long_search_options: Mapping[str, Any] = MappingProxyType({})
    """The options of that algorithm then."""

    from_text: ClassVar[Callable[..., Any]]
    """For the command line: a classmethod that makes a problem from the text of an instance; its keyword-only parameters,
    which are given as texts, are the domain's options."""

    def successors(self, state: Any) -> Iterable[Successor]:
        """The (action, next_state, cost) triples of a state, in the order in which they are to be tried."""
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
        """The name of the heuristic that a name stands for, such as "auto"; the name itself, as a rule."""
        return name

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

    def domain(self) -> Domain | None:
        """The same problem in the compilable form, for the compiled engine; None where there is none.

        It has the same actions in the same order and a state for each state, which its decode() gives back. Its backward()
        stands in the same way to this problem's.
        """
        return None

    def project(self, pattern: Any) -> Domain:
        """The abstract problem of a pattern, such as the tiles that can still be told apart: for pattern databases.

        It has a state for each state of this problem, which its abstract() finds, and no path in it is dearer than here.
        """
        del pattern
        why = why_not(self, "project")
        if why is not None:
            raise InputError(f"{type(self).__name__} has no pattern databases: {why}")
        raise InputError(f"{type(self).__name__} does not define project(pattern), so there are no pattern databases for it")

    def abstractions(self, pattern: str) -> Sequence[Domain]:
        """The abstract problems whose pattern databases a heuristic "pdb:PATTERN" looks in."""
        why = why_not(self, "abstractions")
        if why is not None:
            raise InputError(f"{type(self).__name__} has no pattern databases by name, such as {pattern!r}: {why}")
        raise InputError(
            f"{self.name()} has no pattern databases by name, such as {pattern!r}; build one: PatternDatabase.build"
        )

    def key(self, state: Any) -> Hashable:
        """What tells a state apart from others, also from those of backward(): the state itself, as a rule."""
        key: Hashable = state
        return key

    def representatives(self) -> Sequence[Any] | None:
        """States that stand for all, to find out which strings of actions do the same; None where that is not known.

        Each state is like one of them: the same strings are legal, and two that lead to the same state from one do so from the
        other. Where actions move things about and are always legal, any one state will do.
        """
        return None

    def goal_state(self) -> Any | None:
        """The only goal state, where there is just one; otherwise None."""
        return None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.format(self.initial)})"

    def format(self, state: Any) -> str:
        """A state on one line, in the notation in which it can be given."""
        return str(state)

    def label(self, state: Any) -> str:
        """A state as it is written in traces and search trees, where room is scarce."""
        return self.format(state)

    def draw(self, state: Any) -> str:
        """A state as a person wants to see it, on one line or several."""
        return self.format(state)

    def cells(self, state: Any) -> Iterable[Cell] | None:  # noqa: ARG002  # this general answer is for every state
        """A state as a picture of cells (row, column, text), for programs that draw; None where it has no such picture.

        A board has a cell of text "" for each empty one. A state that is a place, such as a city on a map, is a single
        cell at its coordinates (row = -y where y points up); such pictures are laid over one another.
        """
        return None

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


class Domain(ArrayAttributes, Problem):
    """A problem in the compilable form: the same code runs interpreted and, a hundred times faster, compiled.

        class Pancakes(Domain):
            class State(NamedTuple):
                stack: int                                # 4 bits for each pancake
            max_actions = ...
            def step(self, state, action): ...            # -> (legal, next_state, cost)
            def is_goal(self, state): ...
            def gap(self, state): ...                     # a heuristic

    State is a NamedTuple of ints that fit into 64 bits with their sign. Actions are 0 .. max_actions - 1. The data that the
    methods read are ints, floats and NumPy arrays of them on self, set in __init__. Methods use arithmetic, comparisons, if,
    for over range, while, State(...), math, and functions at the top of the module that do the same; they call no other
    method, build no lists or dicts, and change nothing.

    An estimate may be carried in the state and is then only read by the heuristic.

    The members after is_goal are optional: they make searches faster or smaller, never different.
    """

    _is_root = True

    State: ClassVar[Any]
    max_actions: int
    actions: Sequence[Action] | None = None
    """The actions as a solution names them, where that is not by their numbers."""

    bits: Mapping[str, int] = MappingProxyType({})
    """By field of State: how many bits it takes, where its value is always in 0 .. 2**bits - 1. Others take 64. One of 0 bits is
    always 0, and not stored."""

    size: int = 0
    """Where rank() is defined: it gives numbers in 0 .. size - 1. An instance with size 0 has no rank."""

    undirected: bool = False
    """Say True where each action can be undone by one of the same cost, and inverse() cannot name it."""

    legal_first: bool = False
    """Say True on a class where the legal actions of each state come before the others: none is tried after one that is not legal.
    So a state with few actions does not pay for those with many."""

    block_size: int = 0
    """Where block_step() is defined: how many states a block has, of which each has another order."""

    entries: int = 0
    """Where entry() is defined: it gives numbers in 0 .. entries - 1."""

    counted: Sequence[Hashable] | None = None
    """Of a domain that project() gives: the things whose actions cost something there. What two count cannot be added up."""

    identity: Sequence[str] = ()
    """The fields of State that tell states apart, where the others only carry along what follows from these and the goal, such
    as an estimate. By them bidirectional search knows a state of backward() again. Empty: all fields."""

    def step(self, state: Any, action: int) -> tuple[bool, Any, Cost]:
        """Whether the action is legal in the state, the state that it leads to, and its cost (any, if it is not legal)."""
        raise NotImplementedError(f"{type(self).__name__} must define step(state, action)")

    def domain(self) -> Domain:
        return self

    def key(self, state: Any) -> Hashable:
        return tuple(getattr(state, name) for name in self.identity) if self.identity else state

    def decode(self, state: Any) -> Any:
        """The state of the problem whose domain this is; a domain of its own has no other."""
        return state

    def encode(self, state: Any) -> Any:
        """The state that stands for one of the problem whose domain this is: what decode() gives back."""
        return state

    def inverse(self, action: int) -> int:
        """The only action that undoes an action, wherever that was legal; -1 where there is none. It makes IDA* faster."""
        del action
        return -1

    def can_be_undone(self) -> bool:
        """Whether each action can be undone by one of the same cost: it says so, or names the inverses."""
        return self.undirected or all(self.inverse(action) >= 0 for action in range(self.max_actions))

    def rank(self, state: Any) -> int:
        """The number of a state, in 0 .. size - 1, another one for each state that can be reached."""
        raise NotImplementedError(f"{type(self).__name__} does not define rank(state)")

    def unrank(self, number: int) -> Any:
        """The state of a number; where no state has it, any state that can be stepped from."""
        raise NotImplementedError(f"{type(self).__name__} does not define unrank(number)")

    def goal_states(self) -> Sequence[Any] | None:
        """All goal states, where they can be written down; otherwise None."""
        goal = self.goal_state()
        return None if goal is None else [goal]

    def abstract(self, state: Any) -> Any:
        """Of a domain that project() gives: its state for a state of the problem that was projected. Elsewhere the state itself."""
        return state

    def entry(self, state: Any) -> int:
        """The entry for a state in a pattern database, where several states share one; elsewhere that is the rank."""
        raise NotImplementedError(f"{type(self).__name__} does not define entry(state)")

    def dual(self, state: Any) -> Any:
        """Of a domain that project() gives, where states are arrangements: its state for the dual of a state of the problem.

        The dual has, in the goal place of each piece, the piece whose goal place is where the first one is: the inverse
        permutation. Where each action takes what is in a place to another place, whatever it is, and can be undone by an action
        of the same cost, the dual is as far from the goal.
        Source: Felner, Zahavi, Schaeffer & Holte 2005.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define dual(state)")

    def table_base(self) -> Base | None:
        """Of an abstract domain: a lower bound of the distances, entry by entry; compressed tables have the differences to it."""
        return None

    def parameters(self) -> Mapping[str, Any] | None:
        """What, beside its code, makes the domain what it is, in words that JSON takes; None: the data that its methods read."""
        return None

    def block_step(self, block: int, action: int) -> tuple[bool, int, int]:
        """Whether an action is legal in a block of states, the block that it takes them to, and the turn it gives to their orders.

        Of an undirected domain whose actions all cost 1 and take all states of a block, those of the same rank() // block_size,
        to one block; their orders are rank() % block_size. Tables of distances are worked out faster by it than by step().
        """
        raise NotImplementedError(f"{type(self).__name__} does not define block_step(block, action)")

    def turned(self, turn: int, order: int) -> int:
        """What a turn that block_step() names makes of an order."""
        raise NotImplementedError(f"{type(self).__name__} does not define turned(turn, order)")

    def defines(self, member: str) -> bool:
        """Whether the domain has an optional method, such as rank, of its own, which holds for its rules."""
        if member in ("rank", "unrank") and self.size == 0:
            return False
        return getattr(type(self), member) is not getattr(Domain, member) and holds(self, member)

    def action_name(self, state: Any, action: int) -> Action:
        """An action that is legal in the state as a solution names it."""
        del state
        return action if self.actions is None else self.actions[action]

    def stops_at_illegal(self) -> bool:
        """Whether no action need be tried after one that is not legal."""
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
    """What a class says by legal_first; a subclass that has a step() of its own has to say it again."""
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
