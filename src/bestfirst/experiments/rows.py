"""Turns rows of a ledger into objects, and refuses what bestfirst did not write, so that no report rests on a damaged file."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeAlias

from bestfirst import errors
from bestfirst.experiments.task import GAME, SEARCH, Task
from bestfirst.experiments.worker import COMPLETE, ERROR
from bestfirst.solution import Status

OUTCOME: Mapping[str, tuple[str, str]] = {
    "status": (
        "TEXT",
        "the status of the solution (optimal, bounded, solved, unsolvable or limit); complete for a game; or error",
    ),
    "stopped_by": ("TEXT", "the limit that ended the run"),
    "cost": ("REAL", "the cost of the solution"),
    "lower_bound": ("REAL", "the proved lower bound"),
    "value": ("REAL", "the value of a position of a game"),
    "actions": ("INTEGER", "the number of actions; for a game, the depth that was completed"),
    "expanded": ("INTEGER", "nodes expanded; for a game, nodes visited"),
    "generated": ("INTEGER", "nodes generated"),
    "duplicates": ("INTEGER", "children whose state had been generated before"),
    "reopened": ("INTEGER", "closed nodes that were put back on the open list"),
    "pruned": ("INTEGER", "children dropped for another reason"),
    "peak_agenda": ("INTEGER", "the largest number of nodes on the open list"),
    "seconds": ("REAL", "wall-clock time of the search, excluding preparation"),
    "preparation": ("REAL", "seconds before the search: creating the problem, compiling, opening databases"),
    "peak_memory": ("INTEGER", "the largest growth of the process, in bytes"),
    "engine": ("TEXT", "the engine that ran"),
    "heuristic": ("TEXT", "the heuristic that was used"),
    "condition": ("TEXT", "the assumption on which a proof rests"),
    "warnings": ("TEXT", "JSON: the warnings, a list of strings"),
    "iterations": ("TEXT", "JSON: [bound, expanded, generated] for each iteration"),
    "history": ("TEXT", "JSON: [seconds, expanded, cost, lower bound] for each improvement"),
    "error": ("TEXT", "what went wrong, if something did"),
}
"""What a run fills, with the SQL type and the meaning."""
ABOUT: Mapping[str, tuple[str, str]] = {
    "machine": ("TEXT", "the name of the machine, its processor, cores and system"),
    "versions": ("TEXT", "JSON: versions of bestfirst, Python, NumPy and Numba"),
    "command": ("TEXT", "the command that repeats the run"),
    "ended": ("TEXT", "when the run ended (UTC)"),
}
"""What the driver adds."""
MOST = 2**53
"""The largest whole number that is stored as a number: a column of type REAL holds each up to here exactly."""
WHOLE = "int:"
"""Begins the text of a larger one, such as int:9223372036854775808. Digits alone would be made a number by SQLite."""
COLUMNS = (*OUTCOME, *ABOUT)
STATUSES = (*map(str, Status), COMPLETE, ERROR)

_KINDS = {name: kind for name, (kind, _) in {**OUTCOME, **ABOUT}.items()}
"""The SQL type of each column."""
_JSON = ("warnings", "iterations", "history", "versions")
_NEEDED = ("status", "machine", "versions", "command", "ended")
"""Columns that every run fills."""
_LARGE = re.compile(rf"{WHOLE}-?[0-9]{{16,4300}}")
_LONGEST = 80
FROM_A_COPY = "put an earlier copy in its place, or name another file with --ledger, and run the experiment again"
_WITHOUT_THE_RUN = (
    "delete this row with a program for SQLite, and run the experiment again, which repeats the run; or name another file with "
    "--ledger"
)
_AGAIN = "run the experiment again, which rewrites this row and repeats no run; or name another file with --ledger"
_Check: TypeAlias = tuple[Callable[[Any], bool], str]
"""Whether a value is right, and what it should be."""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and bool(-math.inf <= value <= math.inf)


def _is_finite(value: Any) -> bool:
    return _is_number(value) and -math.inf < value < math.inf


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return _is_whole(value) and bool(value >= 0)


def _is_time(value: Any) -> bool:
    return _is_finite(value) and bool(value >= 0)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_list(value: Any, *columns: Callable[[Any], bool]) -> bool:
    """Whether a value is a list of rows with these columns."""
    return isinstance(value, list) and all(
        isinstance(row, list)
        and len(row) == len(columns)
        and all(is_right(one) for is_right, one in zip(columns, row, strict=True))
        for row in value
    )


def _is_object(value: Any, is_right: Callable[[Any], bool]) -> bool:
    return isinstance(value, dict) and all(map(is_right, value.values()))


def _or_none(is_right: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or is_right(value)


_OF_TYPES: Mapping[str, _Check] = {
    "TEXT": (_is_text, "a string"),
    "INTEGER": (_is_count, "a whole number >= 0"),
    "REAL": (_is_number, "a number"),
}
"""Checks of a column by its SQL type, unless it has one of its own."""
_OF_COLUMNS: Mapping[str, _Check] = {
    "status": (lambda value: value in STATUSES, f"one of {', '.join(STATUSES)}"),
    "cost": (_is_finite, "a finite number"),
    "seconds": (_is_time, "a number of seconds"),
    "preparation": (_is_finite, "a number of seconds"),
    "warnings": (lambda value: isinstance(value, list) and all(map(_is_text, value)), "a list of strings"),
    "iterations": (lambda value: _is_list(value, _is_number, _is_count, _is_count), "a list of lists of three numbers"),
    "history": (
        lambda value: _is_list(value, _is_time, _is_count, _or_none(_is_number), _or_none(_is_number)),
        "a list of lists of four numbers",
    ),
    "versions": (lambda value: _is_object(value, _is_text) and "bestfirst" in value, "an object with versions"),
}
_OF_FIELDS: Mapping[str, _Check] = {
    "str": (_is_text, "a string"),
    "str | None": (_or_none(_is_text), "a string"),
    "int": (_is_whole, "a whole number"),
    "int | None": (_or_none(_is_whole), "a whole number"),
    "float | None": (_or_none(_is_number), "a number"),
    "bool": (lambda value: isinstance(value, bool), "true or false"),
    "Mapping[str, str]": (lambda value: _is_object(value, _is_text), "an object of strings"),
    "Mapping[str, float]": (
        lambda value: _is_object(value, lambda one: isinstance(one, int | float)),
        "an object of numbers",
    ),
    "Mapping[str, Any]": (lambda value: isinstance(value, dict), "an object"),
}
"""Checks of a field of a task by its type."""
_OF_ABOUT: Mapping[str, _Check] = {
    **dict.fromkeys(("name", "title", "about"), _OF_FIELDS["str"]),
    "by_cost": _OF_FIELDS["bool"],
    "baseline": _OF_FIELDS["str | None"],
}


class DamageError(Exception):
    """Something that bestfirst did not write. where: the table, row and column. remedy: what to do."""

    def __init__(self, where: str, what: str, remedy: str = FROM_A_COPY) -> None:
        super().__init__(f"{where}: {what}")
        self.remedy = remedy


def as_text(value: Any) -> Any:
    """A text without bytes of a file's name that are no text, which become escapes; anything else as it is."""
    return value.encode("utf-8", "backslashreplace").decode("utf-8") if isinstance(value, str) else value


def stored(name: str, value: Any) -> Any:
    """A value of a column of runs as SQLite holds it without loss."""
    value = as_text(value)
    if name in _JSON:
        return None if value is None else json.dumps(value)
    return f"{WHOLE}{value}" if isinstance(value, int) and abs(value) > MOST else value


def run_of(digest: str, values: Sequence[Any]) -> dict[str, Any]:
    """A run from its row: what stored() was given, by the name of the column. Raises DamageError."""
    return {name: _value(digest, name, value) for name, value in zip(COLUMNS, values, strict=True)}


def status_of(digest: Any, values: Sequence[Any]) -> str:
    """The status of a run, from its row. Raises DamageError for any value that is damaged."""
    if not isinstance(digest, str):
        raise DamageError("table runs, column id", f"{_shown(digest)} is not the id of a run", _WITHOUT_THE_RUN)
    return str(run_of(digest, values)["status"])


def task_of(place: int, text: Any) -> Task:
    """A task from its row. Raises DamageError."""
    where = f"table tasks, row {place}, column task"
    found = _object(where, text)
    for one in fields(Task):
        is_right, wanted = _OF_FIELDS[str(one.type)]
        if one.name in found and not is_right(found[one.name]):
            raise DamageError(where, f"{one.name} is {_shown(found[one.name])}, not {wanted}", _AGAIN)
    try:
        task = Task(**found)
    except TypeError:  # a field is missing, or there is another one
        raise DamageError(where, f"{_shown(text)} is not a task", _AGAIN) from None
    if task.kind not in (SEARCH, GAME):
        raise DamageError(where, f"kind is {_shown(task.kind)}, not {SEARCH} or {GAME}", _AGAIN)
    return task


def about_of(text: Any) -> dict[str, Any]:
    """What a spec says of the experiment. Raises DamageError."""
    where = "table facts, row about, column value"
    found = _object(where, text)
    for name, (is_right, wanted) in _OF_ABOUT.items():
        if name in found and not is_right(found[name]):
            raise DamageError(where, f"{name} is {_shown(found[name])}, not {wanted}", _AGAIN)
    return found


def _object(where: str, text: Any) -> dict[str, Any]:
    found = _json(where, text, _AGAIN)
    if not isinstance(found, dict):
        raise DamageError(where, f"{_shown(text)} is not a JSON object", _AGAIN)
    return found


def _json(where: str, text: Any, remedy: str) -> Any:
    if not isinstance(text, str):
        raise DamageError(where, f"{_shown(text)} is not JSON", remedy)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise DamageError(where, f"{_shown(text)} is not JSON", remedy) from None


def _value(digest: str, name: str, value: Any) -> Any:
    """What stored() was given. Raises DamageError."""
    if value is None and name not in _NEEDED:
        return None
    where = f"table runs, row {digest}, column {name}"
    given, kind = value, _KINDS[name]
    if name in _JSON:
        given = _json(where, value, _WITHOUT_THE_RUN)
    elif isinstance(value, str) and kind != "TEXT" and _LARGE.fullmatch(value):
        given = int(value.removeprefix(WHOLE))
    is_right, wanted = _OF_COLUMNS.get(name) or _OF_TYPES[kind]
    if not is_right(given):
        raise DamageError(where, f"{_shown(value)} is not {wanted}", _WITHOUT_THE_RUN)
    return given


def _shown(value: Any) -> str:
    text = "NULL" if value is None else errors.shown(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
