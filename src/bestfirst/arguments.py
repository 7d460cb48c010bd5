"""What callers give, checked where it comes in: one check for each kind of argument; InputError for anything else."""

from __future__ import annotations

import os
from typing import Any

from bestfirst.errors import InputError


def check_whole(name: str, value: object, least: int) -> None:
    """Raise InputError for what is no whole number, or a smaller one."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f"{name} is {value!r}; write a whole number >= {least}")


def check_seed(seed: object) -> None:
    """Raise InputError for what is no seed of random numbers."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise InputError(f"seed is {seed!r}; write a whole number, such as 0")


def check_function(name: str, value: object, of: str) -> None:
    """Raise InputError for what can be left out, and is no function. of: what it is called with, in words."""
    if value is not None and not callable(value):
        raise InputError(f"{name} is {value!r}; give a function of {of}, or leave it out")


def check_path(name: str, value: object) -> None:
    """Raise InputError for what is no path."""
    if not isinstance(value, str | os.PathLike):
        raise InputError(f"{name} is {value!r}; give a path, as a text or a Path")


def check_kind(name: str, value: object, kind: Any, example: str) -> None:
    """Raise InputError for what is not of a class. example: what to write instead."""
    if not isinstance(value, kind):
        raise InputError(f"{name} is {value!r}; give {example}")
