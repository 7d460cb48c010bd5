"""What the results of models share: rows that become a CSV file, and the actions of a solution."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bestfirst.domain import single_step
from bestfirst.errors import InputError, shown
from bestfirst.solution import Solution
from bestfirst.system.atomic import write_atomically


def write_csv(path: str | Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a CSV file atomically. Raises InputError if that is impossible."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    write_atomically(path, text.getvalue())


def states_of(model: Any, solution: Any) -> list[tuple[Any, Any, Any]]:
    """The steps (state, action index, next state) of a solution, or of a list of actions.

    Raises InputError for a solution of nothing, and for an action that is not possible.
    """
    actions = solution.actions if isinstance(solution, Solution) else list(solution)
    if isinstance(solution, Solution) and not solution.found:
        raise InputError(
            f"the solution has no actions: its status is {solution.status}; pass a solution that reaches a goal"
        )
    index = {model.action_name(None, action): action for action in range(model.max_actions)}
    steps, state, step = [], model.initial, single_step(model)
    for name in actions:
        action = index.get(name)
        legal, following, _ = step(state, action) if action is not None else (False, state, 0)
        if not legal:
            raise InputError(
                f"action {shown(name)} is not possible in the state {model.format(state)!r}; pass a solution of this model"
            )
        steps.append((state, action, following))
        state = following
    if not model.is_goal(state):
        raise InputError(
            f"the actions end in the state {model.format(state)!r}, which is not a goal; pass all actions of a solution"
        )
    return steps
