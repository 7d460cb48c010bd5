"""Makes a problem of what is typed on the page. Only files that were named at the start are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bestfirst.arguments import check_kind
from bestfirst.makers import Kind
from bestfirst.problem import Problem
from bestfirst.studio.own import maker_of
from bestfirst.text_instances import problem_from


def problem_of(request: Mapping[str, Any]) -> Problem[Any, Any]:
    """The problem of a request: its fields problem, instance and options. Raises InputError."""
    maker = maker_of(str(request.get("problem", "")), Kind.PROBLEM, request)
    return problem_from(maker, str(request.get("instance", "")), options_of(request))


def options_of(request: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a request, by name. Raises InputError."""
    given = request.get("options") or {}
    check_kind("options", given, Mapping, "values by name")
    return {str(option): value for option, value in given.items()}
