"""Whether a database belongs to a problem: its abstract domain is tried out on the goal and on random walks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from math import inf
from typing import Any

from bestfirst.claims import is_alike
from bestfirst.domain import Domain
from bestfirst.errors import InputError
from bestfirst.patterns.abstract_domain import as_abstract
from bestfirst.patterns.checking.random_walks import random_actions
from bestfirst.patterns.database import PatternDatabase
from bestfirst.patterns.identity import Identity
from bestfirst.patterns.storage.files import check_identity
from bestfirst.problem import Problem
from bestfirst.replaced_rules import replaced_in_classes, replaced_in_object
from bestfirst.vocabulary import is_root, is_shipped
from bestfirst.written import text_of

WALKS, STEPS = 5, 20
"""Random walks for the test, and their steps."""
MOST_LOOKED_AT = 10_000
"""The maximum number of abstract states searched for a path of one action; beyond that, a path is assumed."""


def check_abstraction(problem: Problem, form: Domain, database: PatternDatabase) -> None:
    """Raise InputError for a database from a different problem, such as one with a different goal, other actions or more pieces.

    form: the compilable form of the problem. In its abstract domain the goal must be a goal, and each action's target must
    be reachable by a path that costs no more; this makes abstract distances lower bounds. That domain must still be the one
    whose table was built: its class, or a constant that it reads, may have changed since; then DamagedDatabaseError is raised.
    """
    check_identity(database.path, database.header, Identity.of(database.domain))

    def abstract(state: Any) -> Any:
        try:
            found = as_abstract(database.domain).abstract(state)
            database.distance(found)  # it has a place in the table
        except Exception as error:  # the abstract domain is not made for such states
            raise _refusal(
                problem, database, f"it has no abstract state for {text_of(problem, 'format', problem.initial)}"
            ) from error
        return found

    why = _wrong_goal(problem, form, database, abstract) or _wrong_action(problem, form, database.domain, abstract)
    if why is not None:
        raise _refusal(problem, database, why)


def why_unconfirmed(problem: Problem, form: Domain, database: PatternDatabase) -> str | None:
    """Why a database that check_abstraction has passed might still overestimate; None if it cannot.

    That check sees a few actions, and only the goals that the problem lists. So a user's abstract domain must be what
    project() of the problem returned; or the goals must be listed, and the class of the domain must know the rules.
    """
    domain, original = database.domain, database.projected_from
    if is_shipped(type(domain)) or (original is not None and is_alike(original, problem)):
        return None
    if not _goals(problem, form):
        return (
            f"{type(problem).__name__} lists no goals to compare with those of {type(domain).__name__}; define goal_state()"
        )
    if type(problem).project is Problem.project and not _knows_rules(type(domain), form):
        return f"{type(domain).__name__} is not derived from the class that defines the rules of {type(problem).__name__}"
    return None


def _knows_rules(kind: type, form: Domain) -> bool:
    """Whether a class finds the rules of a domain in its base classes, none of them replaced."""
    home = next((one for one in type(form).__mro__ if issubclass(kind, one)), Domain)
    replaced = (*replaced_in_object(form, home), *replaced_in_classes(type(form), home))
    return not is_root(home) and all(one.is_minor for one in replaced)


def _refusal(problem: Problem, database: PatternDatabase, why: str) -> InputError:
    return InputError(
        f"{database!r} does not belong to this problem ({problem.name()}): {why}; build one for this problem: "
        "PatternDatabase.build(problem, pattern)"
    )


def _wrong_goal(problem: Problem, form: Domain, database: PatternDatabase, abstract: Callable[[Any], Any]) -> str | None:
    for state in _goals(problem, form):
        distance = database.distance(abstract(state))
        if distance != 0:
            return f"the goal {text_of(problem, 'format', form.decode(state))} has the distance {distance} in the table"
    return None


def _goals(problem: Problem, form: Domain) -> Sequence[Any]:
    """The goals that the problem lists, as states of its compilable form."""
    goal = problem.goal_state()
    return [form.encode(goal)] if goal is not None else form.goal_states() or []


def _wrong_action(problem: Problem, form: Domain, domain: Domain, abstract: Callable[[Any], Any]) -> str | None:
    for state, action, after, cost in random_actions(problem, WALKS, STEPS):
        if not _is_way(domain, abstract(form.encode(state)), abstract(form.encode(after)), cost):
            return (
                f"{text_of(problem, 'format_action', action)!r} in {text_of(problem, 'format', state)} costs {cost}, but its "
                "abstract domain has no path of at most that cost between the corresponding states"
            )
    return None


def _is_way(domain: Domain, start: Any, end: Any, most: float) -> bool:
    """Whether a path of at most this cost connects two abstract states; also True if the answer takes too long."""
    goal = domain.key(end)
    if domain.key(start) == goal:
        return True
    spent: dict[Any, float] = {domain.key(start): 0}
    waiting: list[tuple[float, Any]] = [(0, start)]
    while waiting and len(spent) <= MOST_LOOKED_AT:
        before, state = heappop(waiting)
        for _action, following, cost in domain.successors(state):
            after, key = before + cost, domain.key(following)
            if after <= most and key == goal:
                return True
            if after <= most and after < spent.get(key, inf):
                spent[key] = after
                heappush(waiting, (after, following))
    return bool(waiting)
