"""What is wrong with an initial state that was set on a problem of this package: its rules would end in an error of Python."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

from bestfirst.as_written import SETTLED
from bestfirst.errors import BestfirstError, StateError, kind_and_text
from bestfirst.problem import Problem
from bestfirst.vocabulary import is_shipped


def check_own_start(problem: Problem[Any, Any]) -> None:
    """Raise StateError for an initial state that was set on a shipped problem later, if its rules cannot use it."""
    kind, settled = type(problem), vars(problem).get(SETTLED)
    if settled is None or not is_shipped(kind):
        return
    state, first = problem.initial, settled.get("initial", getattr(kind, "initial", None))
    if state is first:
        return
    why = (
        _difference(kind, state, first)
        or problem._why_no_start(state)
        or _excess(problem, state)
        or _failure(problem, state)
    )
    if why is not None:
        raise StateError(f"the initial state is {state!r}, {why}; set a state of {kind.__name__}, such as {first!r}")


def _difference(kind: type[Problem[Any, Any]], state: Any, first: Any) -> str | None:
    """How a state differs from all others of a problem."""
    if kind._has_named_places:
        return None
    if type(state) is not type(first):
        return f"of type {type(state).__name__}"
    if type(first) is tuple and first and len(state) != len(first):
        return f"of length {len(state)}"
    if kind._has_fixed_pieces and Counter(state) != Counter(first):
        return "with pieces that differ from those of the problem"
    return None


def _excess(problem: Problem[Any, Any], state: Any) -> str | None:
    """A number that does not fit into the declared bits of its field."""
    for name, width in getattr(problem, "bits", {}).items():
        if isinstance(getattr(state, name), int) and not 0 <= getattr(state, name) < 1 << width:
            return f"whose field {name} is not in 0 .. {(1 << width) - 1}"
    return None


def _failure(problem: Problem[Any, Any], state: Any) -> str | None:
    """The error of the rules for a state."""
    try:
        problem.is_goal(state)
        list(islice(problem.successors(state), 1))
        problem.format(state)
    except BestfirstError:
        raise
    except Exception as error:
        return f"which its rules cannot use ({kind_and_text(error)})"
    return None
