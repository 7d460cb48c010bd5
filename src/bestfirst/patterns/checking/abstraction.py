"""Whether a database belongs to a problem: its abstract domain is tried out on the goal and on random walks."""

from __future__ import annotations

from collections.abc import Callable
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
from bestfirst.vocabulary import is_shipped
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


def why_unconfirmed(problem: Problem, database: PatternDatabase) -> str | None:
    """Why a database that check_abstraction has passed might still overestimate; None if it cannot.

    That check sees a few actions, and only the goals that the problem lists. So a user's abstract domain must be the one that
    project() of the problem returns: the same code that reads the same data. (Its identity leaves out what abstract() reads.)
    """
    kind, name = type(database.domain).__name__, type(problem).__name__
    if is_shipped(type(database.domain)):
        return None
    if type(problem).project is Problem.project:
        return f"{name} does not define project(pattern), so nothing says that {kind} fits its rules"
    if database.pattern is None:
        return f"{kind} was not built with project(); write PatternDatabase.build(problem, pattern)"
    try:
        made = problem.project(database.pattern)
        is_its_own = Identity.of(made) == Identity.of(database.domain) and is_alike(made, database.domain)
    except Exception:  # it has no such pattern
        is_its_own = False
    return None if is_its_own else f"{kind} was built for another {name}; build one for this problem"


def _refusal(problem: Problem, database: PatternDatabase, why: str) -> InputError:
    return InputError(
        f"{database!r} does not belong to this problem ({problem.name()}): {why}; build one for this problem: "
        "PatternDatabase.build(problem, pattern)"
    )


def _wrong_goal(problem: Problem, form: Domain, database: PatternDatabase, abstract: Callable[[Any], Any]) -> str | None:
    goal = problem.goal_state()
    for state in [form.encode(goal)] if goal is not None else form.goal_states() or []:
        distance = database.distance(abstract(state))
        if distance != 0:
            return f"the goal {text_of(problem, 'format', form.decode(state))} has the distance {distance} in the table"
    return None


def _wrong_action(problem: Problem, form: Domain, domain: Domain, abstract: Callable[[Any], Any]) -> str | None:
    for state, action, after, cost in random_actions(problem, WALKS, STEPS):
        if not _is_way(domain, abstract(form.encode(state)), abstract(form.encode(after)), cost):
            return (
                f"{text_of(problem, 'format_action', action)!r} in {text_of(problem, 'format', state)} costs {cost}, but the "
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
