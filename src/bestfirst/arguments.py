"""Checks of arguments: one function for each kind of argument, which raises InputError for anything else."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from functools import wraps
from inspect import signature
from math import inf
from types import FunctionType, MethodType
from typing import Any, ParamSpec, TypeVar

from bestfirst.errors import InputError, UnknownNameError, shown

_NUMBERS = {"int", "float", "str", "None"}
_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}


_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")
_Class = TypeVar("_Class")


def suggesting(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Decorator: the function raises UnknownNameError, with suggestions, for a keyword that it does not have, and InputError
    for a value of a bool parameter that is not a bool. Numbers of NumPy become those of Python."""
    flags, numbers = flags_of(function), _numbers_of(function)

    @wraps(function)
    def called(*arguments: _Parameters.args, **options: _Parameters.kwargs) -> _Result:
        for name, place in numbers.items():
            if name in options:
                options[name] = _plain(options[name])
            elif place < len(arguments) and _is_of_numpy(arguments[place]):
                arguments = (*arguments[:place], _plain(arguments[place]), *arguments[place + 1 :])  # type: ignore[assignment]
        for name, (place, may_be_none) in flags.items():
            if name in options or place < len(arguments):
                value = options[name] if name in options else arguments[place]
                check_bool(name, value, may_be_none=may_be_none)
        try:
            return function(*arguments, **options)
        except TypeError:
            parameters = signature(function).parameters.values()
            known = [one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
            known = [name for name in known if name not in ("self", "cls")]
            takes_all = any(one.kind is one.VAR_KEYWORD for one in parameters)
            for name in options:
                if name not in known and not takes_all:
                    is_init = function.__name__ == "__init__"
                    of = type(arguments[0]).__name__ if is_init else function.__qualname__
                    raise UnknownNameError(f"option of {of}", name, known) from None
            raise

    return called


def check_no_method(owner: str, name: str, value: object, what: str) -> None:
    """Raise InputError for an attribute of an object that is a method by mistake."""
    if isinstance(value, MethodType | FunctionType):
        raise InputError(f"{owner}.{name} is a method; set {name} to {what}, or write @property above the method")


def flags_of(function: Callable[..., Any]) -> dict[str, tuple[int, bool]]:
    """The parameters of a function that are declared as bool: their places, and whether they may be None.

    Keyword-only ones have no place that an argument could take.
    """
    return {
        one.name: (sys.maxsize if one.kind is one.KEYWORD_ONLY else place, one.annotation == "bool | None")
        for place, one in enumerate(signature(function).parameters.values())
        if one.annotation in ("bool", "bool | None")
    }


def _numbers_of(function: Callable[..., Any]) -> dict[str, int]:
    """The parameters of a function that are declared as numbers, with their places, as in flags_of()."""
    return {
        one.name: sys.maxsize if one.kind is one.KEYWORD_ONLY else place
        for place, one in enumerate(signature(function).parameters.values())
        if {"int", "float"} & (words := set(re.findall(r"\w+", str(one.annotation)))) and words <= _NUMBERS
    }


def _is_of_numpy(value: object) -> bool:
    return type(value).__module__ == "numpy" and getattr(value, "shape", None) == ()


def _plain(value: Any) -> Any:
    """A value; a number of NumPy as that of Python."""
    return value.item() if _is_of_numpy(value) else value


def suggesting_fields(kind: type[_Class]) -> type[_Class]:
    """Decorator, above @dataclass: like suggesting(), for the fields of a class."""
    setattr(kind, "__init__", suggesting(vars(kind)["__init__"]))  # noqa: B010  (mypy refuses an assignment)
    return kind


def check_whole(name: str, value: object, least: int, most: int | None = None, *, otherwise: str | None = None) -> None:
    """Raise InputError unless a value is a whole number from `least` to `most`.

    otherwise: what can be written instead of a number, such as "None for no limit"; if it is given, None is accepted.
    """
    if value is None and otherwise is not None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < least or (most is not None and value > most):
        instead = "" if otherwise is None else f", or {otherwise}"
        raise InputError(f"{name} is {shown(value)}; use a whole number {_range(least, most)}{instead}")


def check_number(name: str, value: object, least: float, *, otherwise: str | None = None, may_be_least: bool = True) -> None:
    """Raise InputError unless a value is a finite number >= least (or > least) that a float can hold.

    otherwise: as in check_whole.
    """
    if value is None and otherwise is not None:
        return
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= sys.float_info.max
    if not is_number or (value == least and not may_be_least):
        instead = "" if otherwise is None else f", or {otherwise}"
        range_ = _range(least, None) if may_be_least else f"> {least}"
        finite = "finite " * (isinstance(value, float) and value == inf)
        raise InputError(f"{name} is {shown(value)}; use a {finite}number {range_}{instead}")


def check_bool(name: str, value: object, *, may_be_none: bool = False) -> None:
    """Raise InputError unless a value is True or False, or None if it may be."""
    if not isinstance(value, bool) and not (may_be_none and value is None):
        raise InputError(f"{name} is {shown(value)}; pass True or False{', or omit it' * may_be_none}")


def check_seed(seed: object) -> None:
    """Raise InputError unless a value can be the seed of a random number generator."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise InputError(f"seed is {shown(seed)}; use a whole number, such as 0")


def check_function(name: str, value: object, of: str) -> None:
    """Raise InputError unless a value is a function or None. of: the function's argument, in words."""
    if value is not None and not callable(value):
        raise InputError(f"{name} is {shown(value)}; pass a function of {of}, or omit {name}")


def check_path(name: str, value: object) -> None:
    """Raise InputError unless a value is a path."""
    if not isinstance(value, str | os.PathLike):
        raise InputError(f"{name} is {shown(value)}; pass a path, as a string or a Path")
    if value == "":
        raise InputError(f"{name} is empty; pass a path, such as '.' for the current directory")
    try:
        name_of_file = os.fsencode(value)
    except UnicodeEncodeError:
        raise InputError(f"{name} is {str(value)!r}; pass a path without surrogate characters") from None
    if b"\0" in name_of_file:
        raise InputError(f"{name} is {str(value)!r}; pass a path without a NUL character")


def is_text(name: str) -> bool:
    """Whether the name of a file is text in UTF-8, rather than bytes that Python keeps as surrogates."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_kind(name: str, value: object, kind: Any, example: str) -> None:
    """Raise InputError unless a value is of a class. example: what to write instead."""
    if not isinstance(value, kind):
        raise InputError(f"{name} is {shown(value)}; pass {example}")


def parse_bytes(text: str | int, name: str = "memory") -> int:
    """The number of bytes in an int or a string such as 500MB or 2GiB; raises InputError, which gives the name, for anything
    else."""
    if isinstance(text, int) and not isinstance(text, bool) and text >= 0:
        return text
    match = re.fullmatch(r"\s*(\d{1,30}(?:\.\d{1,30})?)\s*([a-z]*)\s*", str(text).lower())
    if match is None or match[2] not in _UNITS:
        raise InputError(f"{name} is {shown(text)}; use a number of bytes, or a size such as 500MB or 2GiB")
    return int(float(match[1]) * _UNITS[match[2]])


def _range(least: float, most: float | None) -> str:
    return f">= {least}" if most is None else f"from {least} to {most}"
