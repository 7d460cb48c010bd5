"""Makes what a task names: the problem or game, and the search, with the engine that it will use."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

from bestfirst.errors import DatabaseError, InputError, reading_instance
from bestfirst.experiments.task import GAME, Task
from bestfirst.games.game import check_game, check_initial
from bestfirst.games.limits import GameLimits
from bestfirst.makers import Kind, Maker, maker_named
from bestfirst.objectives.objective import objective_of
from bestfirst.own_errors import own_errors
from bestfirst.patterns.policy import Policy
from bestfirst.problem import Problem
from bestfirst.resumable_search import Search
from bestfirst.search import algorithm_named
from bestfirst.solution import Limits


def made(task: Task) -> Any:
    """The problem of a search, or the game. Raises InputError, and OwnFileError if the user's code fails."""
    maker = _maker(task.maker, Kind.GAME if task.kind == GAME else Kind.PROBLEM)
    with reading_instance():
        limits = Limits(seconds=task.preparation, memory=task.limits.get("memory"))
        found = maker.make(None if task.kind == GAME else task.instance, task.options, limits)
    if task.kind == GAME:
        check_game(found)
        check_initial(found)
        with own_errors(maker.of):
            found.parse(task.instance or "")
    else:
        _check_costs(found)
    return found


def _check_costs(problem: Problem) -> None:
    """Raise InputError for a problem with profits or negative costs."""
    objective = objective_of(problem)
    if objective is not None and objective.has_gains:
        raise InputError(
            f"a report compares costs, of which less is better and none is negative, but {type(problem).__name__} has {objective}; "
            "use bestfirst compare"
        )


@cache
def _maker(name: str, kind: Kind) -> Maker:
    return maker_named(name, kind)


def heuristic_of(task: Task, problem: Problem) -> str | None:
    """The heuristic that a task names, or the problem's default: named, so that the search does not switch to another one."""
    needs = algorithm_named(task.algorithm or "").heuristic
    default = problem.default_heuristic if needs in ("required", "if any") else None
    return task.heuristic or default


def search_of(
    task: Task, problem: Problem, engine: str | None, limits: Limits | None = None, databases: Policy | None = None
) -> Search:
    """The search of a task. Raises InputError, before anything runs, for an option that does not fit the problem."""
    options: dict[str, Any] = task.arguments
    heuristic = heuristic_of(task, problem)
    return Search(problem, task.algorithm, heuristic, limits=limits, engine=engine, databases=databases, **options)


def check_search(task: Task, found: Any) -> None:
    """Raise InputError if the search of a task cannot be made. found: what made() returned."""
    if task.kind == GAME:
        GameLimits(seconds=task.limits.get("seconds"), nodes=task.limits.get("expansions"), depth=task.depth)
        return
    with suppress(DatabaseError):  # a database that the first run will build
        search_of(task, found, task.engine, Limits(**task.limits), Policy(may_build=False))
