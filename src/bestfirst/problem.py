"""Problem: a start, successors and a goal test, defined once and searched by every algorithm."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from bestfirst.arguments import suggesting
from bestfirst.claims import Claims
from bestfirst.displayed import or_text
from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import MARK, Heuristic, declared_heuristics, doubted
from bestfirst.lost_claims import why_not
from bestfirst.typed import ActionT, StateT, Typed
from bestfirst.vocabulary import Vocabulary

if TYPE_CHECKING:
    from bestfirst.domain import Domain as Domain  # noqa: PLC0414  (others can import it from here)
    from bestfirst.long_search import LongSearch
    from bestfirst.own_engine import OwnEngine

State: TypeAlias = Hashable
Action: TypeAlias = Any
Cost: TypeAlias = int | float
Successor: TypeAlias = tuple[Action, Any, Cost]
Cell: TypeAlias = tuple[float, float, str]
"""One cell of the picture of a state: its row (downwards), its column (to the right), and its text."""


class Background(NamedTuple):
    """What is drawn beneath states that are places on a map.

    lines: (row, column, row, column) for each, such as the roads. blocked: for each row of a grid, "." for a free cell and
    "@" for a blocked one.
    """

    lines: Sequence[tuple[float, float, float, float]] = ()
    blocked: Sequence[str] = ()


_OF_ACTIONS = frozenset({"unit_cost", "undirected", "inverse", "can_be_undone", "representatives"})
_ASKED = frozenset({"rank", "unrank", "entry", "block_step", "turned", "abstract", "dual", "encode", "decode"})
_OF_OBJECTIVE = frozenset({"path_cost", "maximise", "end_cost", "most_gain"})
_VOCABULARY = Vocabulary(
    guarded=_OF_ACTIONS
    | {
        "default_heuristic",
        "long_search",
        "long_search_heuristic",
        "long_search_algorithm",
        "long_search_options",
        "heuristics",
        "heuristic_named",
        "unsolvable",
        "backward",
        "domain",
        "own_engine",
        "project",
        "abstractions",
        "goal_state",
        "goal_states",
        "changed_states",
        "table_base",
        "regressions",
        "parameters",
        "resources",
        "dominance_group",
    },
    asked=_ASKED | {"size", "block_size", "entries", "dominates", "jump_points"},
    shown=frozenset(
        {"format", "label", "draw", "draw_path", "cells", "picture", "background", "format_action", "name", "from_text"}
    )
    | frozenset({"instances_of", "known_heuristics", "prefixed_heuristics", "shows_states"})
    | frozenset({"positions", "bits", "fixed", "unchecked", "frozen_arrays", "control"}),
    roots=frozenset({"successors", "step", "prepare", "forced", "is_goal"}) | _OF_OBJECTIVE,
    goals=frozenset({"is_goal"}),
    optional=_OF_OBJECTIVE | {"prepare", "forced"},
    of_actions=_OF_ACTIONS | _ASKED | {"legal_first"},
    cleared=frozenset({"identity", "legal_first"}),
    naming=frozenset({"default_heuristic", "long_search", "long_search_heuristic"}),
    mark=MARK,
)


def _heuristics_of(problem: Problem, of_class: Any, holds_for_all: bool) -> Callable[[], Mapping[str, Heuristic]]:
    """heuristics(), without the properties that a class declared for rules that have been replaced."""
    if holds_for_all:
        return of_class  # type: ignore[no-any-return]
    return lambda: {name: doubted(problem, one) for name, one in of_class().items()}


class Problem(Claims, Typed[StateT, ActionT]):
    """A state-space problem. Three members are enough:

        class WaterJugs(Problem):
            initial = (0, 0)
            def is_goal(self, state): ...
            def successors(self, state):            # yields (action, next_state, cost)
                ...

    States are hashable values and are never changed in place. Costs are finite ints or floats >= 0. Every algorithm tries
    successors in the given order.

    path_cost, maximise, end_cost and most_gain state another objective than the least sum of such costs. The other members are
    optional: they make searches faster or their output clearer, but do not change results. A subclass
    that replaces successors, is_goal or what these call must redefine those that still hold, or say that all do, with
    class Small(Puzzle, keeps_claims=True) (see claims.py).
    """

    _vocabulary = _VOCABULARY
    _is_root = True
    _adjusted = MappingProxyType({"heuristics": _heuristics_of})
    _has_named_places: ClassVar[bool] = False
    """Whether a state is a place with a name of any type, in a problem of this package."""
    _has_fixed_pieces: ClassVar[bool] = False
    """Whether each state is an arrangement of the same pieces, in a problem of this package."""

    def _why_no_start(self, state: StateT) -> str | None:
        """What is wrong with an initial state that was set on a problem of this package, beyond its type."""
        del state
        return None

    initial: StateT

    unit_cost: bool = False
    """Set to True if every action costs 1: algorithms that minimise the number of actions are then known to be optimal."""

    path_cost: str = "sum"
    """How the cost of a path follows from the costs of its actions: "sum", or "max" for the largest of them."""

    maximise: bool = False
    """Set to True if the costs of actions are profits, of which the best solution has the most. Heuristics that are declared
    admissible are then never below the most that can still be gained; -math.inf marks a dead end. Needs most_gain()."""

    default_heuristic: str | None = None
    """The name of the heuristic to use unless one is given."""

    long_search: LongSearch | None = None
    """The heuristic, and the algorithm, to switch to if the default heuristic has not finished after 2,000 expansions."""

    long_search_heuristic: str | None = None
    """Deprecated: write long_search, also in place of the next two."""

    long_search_algorithm: str | None = None

    long_search_options: Mapping[str, Any] = MappingProxyType({})

    from_text: ClassVar[Callable[..., Any]]
    """For the command line: a classmethod that makes a problem from the string of an instance; its keyword-only parameters,
    which are given as strings, are the domain's options. If reading is long work, a parameter `limits: Limits | None = None`
    receives the limits of the command."""

    prefixed_heuristics: ClassVar[Sequence[str]] = ()
    """Examples of the names that heuristic_named() knows, such as pdb:auto, for the choices that an error lists."""

    shows_states: ClassVar[bool] = True
    """Whether the command line shows the states of a path beside its actions."""

    def successors(self, state: StateT) -> Iterable[tuple[ActionT, StateT, Cost]]:
        """The (action, next_state, cost) triples of a state, in the order in which algorithms try them."""
        raise NotImplementedError(f"{type(self).__name__} must define successors(state)")

    def is_goal(self, state: StateT) -> bool:
        """Whether a state is a goal."""
        raise NotImplementedError(f"{type(self).__name__} must define is_goal(state)")

    def end_cost(self, state: StateT) -> Cost:
        """The cost, or the profit if maximise is set, of ending a path in a goal state, such as the cost of the way home.

        If a class defines it, a search may go on beyond a goal state, towards an end that costs less.
        """
        del state
        return 0

    def most_gain(self, state: StateT) -> Cost:
        """The most that can still be gained from a state on: a number that each action lowers by at least what it gains.

        An action gains its profit if maximise is set, otherwise minus its cost. At a goal, the number is at least what ending there
        gains: 0 without end_cost(). A class that defines it may have negative costs. If it has resources, the state is passed
        with all resources 0, since the number must not depend on them.
        """
        del state
        return 0

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The heuristics that this problem offers by name: its methods marked with @heuristic."""
        return declared_heuristics(self)

    def heuristic_named(self, name: str) -> Heuristic | None:
        """A heuristic that heuristics() omits or lists only by prefix, such as pdb:7-8; None if there is none."""
        del name
        return None

    def heuristic_alias(self, name: str) -> str:
        """The name of the heuristic that an alias such as "auto" stands for; usually the name itself."""
        return name

    def unsolvable(self) -> str | None:
        """The reason why no goal can be reached, if that is known without a search; otherwise None."""
        return None

    def backward(self) -> Problem[Any, Any] | None:
        """The reversed problem, for bidirectional search; None if there is none.

        It starts at the goal and ends at this problem's initial state; its successors are the triples (action,
        previous_state, cost) for which action leads, in this problem, from previous_state to the state. Its heuristics
        estimate the cost from this problem's initial state.
        """
        return None

    def changed_states(self, before: Problem[Any, Any]) -> Iterable[StateT] | None:
        """The states whose successors, costs or is_goal differ from those in an earlier version, for a Replanner.

        States too many do no harm. None if it is unknown, or if this is no version of the same problem.
        """
        del before
        return None

    def _differing(self, before: object) -> list[str]:
        """What two problems of this package differ in that must be alike in versions of one problem."""
        del before
        return []

    def domain(self) -> Domain | None:
        """The same problem in the compilable form, for the compiled engine; None if it has none.

        It has the same actions in the same order, and a state for each state of this problem, which its decode() returns.
        Its backward() must correspond to this problem's in the same way.
        """
        return None

    def own_engine(self) -> OwnEngine | None:
        """The compiled engine of a problem that has one of its own, in place of domain(); None if it has none."""
        return None

    def project(self, pattern: Any) -> Domain:
        """The abstract problem of a pattern, such as the tiles that stay distinguishable: for pattern databases.

        It has a state for each state of this problem, which its abstract() returns, and no path in it costs more than the
        corresponding path here.
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
            raise InputError(f"{type(self).__name__} has no named pattern databases, such as {pattern!r}: {why}")
        has_others = type(self).project is not Problem.project
        instead = (
            "; build one with PatternDatabase.build(problem, pattern)" if has_others else ", and defines no project(pattern)"
        )
        raise InputError(f"{self.name()} has no named pattern databases, such as {pattern!r}{instead}")

    def key(self, state: StateT) -> Hashable:
        """The key that distinguishes states, including those of backward(): usually the state itself."""
        key: Hashable = state
        return key

    def dominates(self, state: StateT, other: StateT) -> bool:
        """Whether a state is at least as good as another: for each path from the other to a goal, one from it costs no more.

        If a class defines it, best-first and anytime beam searches drop the other state if their path to it costs no less
        either. Dominance is transitive, and each state dominates itself. A Domain declares resources instead.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define dominates(state, other)")

    def dominance_group(self, state: StateT) -> Hashable:
        """States of different groups are not compared by dominates(): define it to compare fewer."""
        del state
        return None

    def representatives(self) -> Sequence[StateT] | None:
        """States that stand for all others, to find duplicate operator sequences; None if unknown.

        Each state behaves like one of them: the same operator sequences are legal, and two that lead to the same state from
        one do so from the other. If actions permute pieces and are always legal, any single state will do.
        """
        return None

    def goal_state(self) -> StateT | None:
        """The only goal state, if there is exactly one; otherwise None."""
        return None

    def goal_states(self) -> Sequence[StateT] | None:
        """All goal states, if they can be listed; otherwise None."""
        goal = self.goal_state()
        return None if goal is None else [goal]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.format(self.initial)})"

    def format(self, state: StateT) -> str:
        """A state on one line, in the notation of instances."""
        return str(state)

    def label(self, state: StateT) -> str:
        """A short form of a state for traces and search trees."""
        return self.format(state)

    def draw(self, state: StateT) -> str:
        """A state drawn for people, on one line or several."""
        return self.format(state)

    def cells(self, state: StateT) -> Iterable[Cell] | None:  # noqa: ARG002  # this general answer is for every state
        """A state as a picture of cells (row, column, text), for programs that draw; None if it has no such picture.

        A board has a cell with text "" for each empty one. A state that is a location, such as a city on a map, is a single
        cell at its coordinates (row = -y if y points up); such pictures are overlaid.
        """
        return None

    def picture(self, state: StateT) -> str | None:  # noqa: ARG002
        """A state as an SVG document, which is shown in place of cells and drawings; None if it has no such picture.

        It has at most 64 KiB and begins with <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 WIDTH HEIGHT">. It is shown
        as an image: scripts in it do not run, and it loads nothing. Its background should be transparent or part of it, since
        pages are light or dark.
        """
        return None

    def background(self) -> Background:
        """What is drawn beneath the states, if they are places on a map: see Background."""
        return Background()

    def format_action(self, action: ActionT) -> str:
        """An action on one line."""
        return str(action)

    @or_text
    def _repr_mimebundle_(self) -> dict[str, str]:
        """What a notebook shows."""
        display = import_module("bestfirst.viewer.display")  # by name: it needs these classes, not the other way round
        bundle: dict[str, str] = display.problem_bundle(self)
        return bundle

    @classmethod
    def name(cls) -> str:
        """The name of the problem's class on the command line: SlidingTile -> sliding-tile."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()

    @classmethod
    def instances_of(cls, words: Sequence[str]) -> list[str]:
        """For the command line: the instances that the words after the name describe, as strings; usually the words themselves."""
        return [*words]

    @classmethod
    def known_heuristics(cls) -> Mapping[str, Heuristic]:
        """For lists of heuristics: those of the class, as far as they are known without an instance."""
        return declared_heuristics(cls)

    @staticmethod
    @suggesting
    def of(
        initial: StateT,
        successors: Callable[[StateT], Iterable[tuple[ActionT, StateT, Cost]]],
        is_goal: Callable[[StateT], bool],
    ) -> Problem[StateT, ActionT]:
        """A problem from its three parts, without a class.

        Raises InputError unless successors and is_goal are functions.
        """
        return FunctionProblem(initial, successors, is_goal)


class FunctionProblem(Problem):
    def __init__(
        self,
        initial: Any,
        successors: Callable[[Any], Iterable[Successor]],
        is_goal: Callable[[Any], bool],
    ) -> None:
        if not callable(successors):
            raise InputError(
                f"successors is {successors!r}; it must be a function that yields (action, next_state, cost) for a state"
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


def __getattr__(name: str) -> Any:
    """Domain is in domain.py, and can be imported from here as well."""
    if name != "Domain":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bestfirst.domain import Domain  # noqa: PLC0415  (which imports this)

    return Domain
