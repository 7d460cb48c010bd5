"""The fields of requests, checked in one place: a field of a wrong type is reported by its name, whatever the request is for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from bestfirst.arguments import check_kind
from bestfirst.errors import InputError, UnknownNameError
from bestfirst.search import ALGORITHMS
from bestfirst.solution import Limits

Request: TypeAlias = Mapping[str, Any]

MOST_SECONDS = 3600.0

TEXTS = (
    *("problem", "instance", "algorithm", "heuristic", "engine", "size"),
    *("game", "start", "method", "lesson", "name", "code"),
)
MAPPINGS = ("options", "choices")
LISTS = ("instances", "algorithms", "heuristics", "moves", "slow")


def fields_of(request: Request) -> dict[str, Any]:
    """The fields of a request that have a value, which null is not.

    Raises InputError for a field of a wrong type, an unknown option of an algorithm, or a wrong limit. What depends on the kind of
    work, such as the range of a level, is checked there.
    """
    fields = {name: value for name, value in request.items() if value is not None}
    for name, kind, example in (
        *((name, str | int | float, "text") for name in TEXTS),
        *((name, Mapping, "values by name") for name in MAPPINGS),
        *((name, list, "a list") for name in LISTS),
    ):
        if name in fields:
            check_kind(name, fields[name], kind, example)
    for place, instance in enumerate(fields.get("instances", ())):
        check_kind(f"instances[{place}]", instance, Mapping, "its fields by name")
    if "instances" in fields:
        fields["instances"] = [fields_of(instance) for instance in fields["instances"]]
    known = {option for algorithm in ALGORITHMS.values() for option in algorithm.options}
    for option in fields.get("choices", ()):
        if option not in known:
            raise UnknownNameError("option", option, known)
    limits_in(fields)
    return fields


def limits_in(request: Request) -> Limits:
    """The limits that a request gives; one that has no limit on time gets the longest."""
    seconds = request.get("seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float | None):
        raise InputError(f"the limit seconds is {seconds!r}; use a number >= 0")
    return Limits(
        seconds=MOST_SECONDS if seconds is None or seconds > MOST_SECONDS else seconds,
        expansions=request.get("expansions"),
        memory=request.get("memory") or None,
    )
