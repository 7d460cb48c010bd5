"""Which short operator sequences lead to the same state as an earlier one; automaton.py is built from them.

Sequences are ordered by length, then by their actions. They are tried out from some states of a problem. If these are
representatives, what holds from each of them holds everywhere; otherwise it is a guess, which a search must check wherever
it uses it. A guess is kept if the same earlier sequence is as good from half of the states in which the sequence is legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple, TypeAlias

from bestfirst.errors import InputError, ProblemError
from bestfirst.heuristics.sampling import LONGEST_WALK
from bestfirst.heuristics.space import hashable
from bestfirst.problem import Cost, Problem
from bestfirst.search.node import Node, expand
from bestfirst.written import text_of

MOST_STEPS = 2_000_000
"""The maximum number of sequences to try, from all states together."""
WALKS = 63
"""Random walks whose ends are used besides the start, if no representative states are known."""

String: TypeAlias = tuple[int, ...]
"""Actions by their indices."""
Children: TypeAlias = Callable[[Any], Sequence[tuple[int, Any, Cost]]]


class Ways(NamedTuple):
    """The sequences tried from a state: the states reached, each with the cheapest sequence and its cost; one ends at
    `here`."""

    met: dict[Any, tuple[Cost, String]]
    here: Any
    cost: Cost

    def earlier(self) -> String | None:
        """An earlier sequence that leads here at no higher cost, if any."""
        known = self.met.get(self.here)
        return None if known is None or known[0] > self.cost else known[1]


def sampled_states(problem: Problem) -> list[Any]:
    """The start and the ends of random walks, which stop at goals: reproducible, and without repetitions."""
    random = Random(0)
    return list(dict.fromkeys([problem.initial, *(_end_of_walk(problem, random) for _ in range(WALKS))]))


def _end_of_walk(problem: Problem, random: Random) -> Any:
    state = problem.initial
    for _ in range(random.randrange(LONGEST_WALK + 1)):
        children = _children(problem, state, stand_for_all=False)
        if not children:
            break
        state = hashable(random.choice(children).state)
    return state


def _children(problem: Problem, state: Any, *, stand_for_all: bool) -> list[Node]:
    """The children of a state; none for a goal, which no search expands, unless it represents other states."""
    if not stand_for_all and problem.is_goal(state):
        return []
    return list(expand(problem, Node(state, None, None, 0, 0)))


def numbered_actions(
    problem: Problem, states: Sequence[Any], *, stand_for_all: bool
) -> tuple[dict[Any, int], Sequence[Any]]:
    """The actions of the states, numbered in the states' order, so that the sequence to keep comes first;
    and the states whose actions have unique names.

    Raises InputError if no state has unique names; with representatives, if any state lacks them.
    """
    names: list[Any] = []
    clear = []
    unclear: list[str] = []
    for state in states:
        children = _children(problem, state, stand_for_all=stand_for_all)
        actions = [child.action for child in children]
        for child in children:
            if problem.unit_cost and child.g != 1:
                raise ProblemError(
                    f"action {child.action!r} in {text_of(problem, 'format', state)} costs {child.g!r}, but unit_cost "
                    "declares that every action costs 1; set unit_cost = False"
                )
        if _are_clear(actions):
            clear.append(state)
            _insert(names, actions)
        else:
            unclear.append(f"{actions!r} in {text_of(problem, 'format', state)}")
    if unclear and (stand_for_all or not names):
        raise InputError(
            f"{problem.name()} has the actions {unclear[0]}; pruning needs hashable and distinct actions in each state; "
            "change them, or omit prune"
        )
    return {name: number for number, name in enumerate(names)}, clear


def _are_clear(actions: Sequence[Any]) -> bool:
    """Whether the actions of a state are hashable and distinct."""
    try:
        return len(set(actions)) == len(actions)
    except TypeError:  # an unhashable action, such as a list
        return False


def _insert(names: list[Any], actions: Sequence[Any]) -> None:
    """Insert new actions of a state behind those that precede them in the state."""
    place = 0
    for action in actions:
        if action in names:
            place = names.index(action) + 1
        else:
            names.insert(place, action)
            place += 1


def repeated_strings(
    problem: Problem, states: Sequence[Any], names: dict[Any, int], longest: int, *, stand_for_all: bool
) -> dict[String, String]:
    """The sequences of up to `longest` actions that lead where an earlier one leads, each with that one; none contains
    another.

    stand_for_all: whether they must do so from every state, possibly with different earlier ones; otherwise from half of
    them.
    A suffix of a sequence is legal where its prefix leads. So a sequence contains no shorter duplicate if it was kept both
    without its last action and without its first one.
    """
    children_of = _numbered_children(problem, names, frozenset(states), stand_for_all=stand_for_all)
    most = MOST_STEPS // len(states)
    repeated: dict[String, String] = {}
    kept: set[String] = {()}
    level: list[tuple[String, list[Ways]]] = [((), [Ways({state: (0, ())}, state, 0) for state in states])]
    count = 0
    for _ in range(longest):
        following = []
        longer_kept = set()
        for string, places in level:
            for action, after_it in _by_action(places, children_of):
                longer = (*string, action)
                if longer[1:] not in kept:
                    continue
                earlier = [ways.earlier() for ways in after_it]
                instead = _instead(earlier, stand_for_all=stand_for_all)
                if instead is not None:
                    repeated[longer] = instead
                    continue
                for ways, known in zip(after_it, earlier, strict=True):
                    if known is None:
                        ways.met[ways.here] = ways.cost, longer
                longer_kept.add(longer)
                following.append((longer, after_it))
                count += 1
                if count > most:
                    raise InputError(
                        f"more than {most:,} operator sequences have {longest} actions; use a smaller value of prune"
                    )
        if not following:
            break
        level, kept = following, longer_kept
    return repeated


def _numbered_children(problem: Problem, names: dict[Any, int], sure: frozenset[Any], *, stand_for_all: bool) -> Children:
    """The children of a state by action number, skipping unknown actions; in the sure states, all actions have numbers."""

    @cache
    def children_of(state: Any) -> list[tuple[int, Any, Cost]]:
        children = []
        for child in _children(problem, state, stand_for_all=stand_for_all):
            number = _number_of(names, child.action)
            if number is not None:
                children.append((number, hashable(child.state), child.g))
            elif state in sure:
                raise InputError(
                    f"{problem.name()} has actions that are not equal to themselves, such as {child.action!r}; pruning needs "
                    "actions that can be compared; omit prune"
                )
        return sorted(children, key=itemgetter(0))

    return children_of


def _number_of(names: dict[Any, int], action: Any) -> int | None:
    try:
        return names.get(action)
    except TypeError:  # unhashable
        return None


def _by_action(places: Sequence[Ways], children_of: Children) -> list[tuple[int, list[Ways]]]:
    """The result of each action in the places that a sequence leads to."""
    by_action: dict[int, list[Ways]] = {}
    for met, here, cost in places:
        for action, after, price in children_of(here):
            by_action.setdefault(action, []).append(Ways(met, after, cost + price))
    return sorted(by_action.items())


def _instead(earlier: Sequence[String | None], *, stand_for_all: bool) -> String | None:
    """The sequence that is most often as good, if that is often enough. earlier: for each place, the one that is as good
    there, if any."""
    found = [string for string in earlier if string is not None]
    if stand_for_all or not found:
        return found[0] if len(found) == len(earlier) else None
    string, times = Counter(found).most_common(1)[0]
    return string if 2 * times >= len(earlier) else None
