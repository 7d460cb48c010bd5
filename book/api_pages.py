"""The API pages: a line `<!-- API: solve Search -->` of a page becomes a table of these names, and the description of each."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import Any

_NAMES = re.compile(r"<!-- API:(.+?)-->", re.DOTALL)


def with_descriptions(text: str) -> str:
    """The text of a page with the descriptions that it asks for. Names without a dot are those of `bestfirst`."""
    return _NAMES.sub(lambda found: _described(found[1].split()), text)


def names_in(text: str) -> list[str]:
    """The names that a page describes."""
    return [name for found in _NAMES.findall(text) for name in found.split()]


def _described(names: list[str]) -> str:
    table = "\n".join(f"   ~{_whole(name)}" for name in names)
    lines = [
        f".. autosummary::\n   :nosignatures:\n\n{table}\n",
        *(f".. {_directive(name)}:: {_whole(name)}\n" for name in names),
    ]
    return "```{eval-rst}\n" + "\n".join(lines) + "```"


def _whole(name: str) -> str:
    return f"bestfirst.{name}"


def _directive(name: str) -> str:
    value = _value(name)
    if inspect.isclass(value):
        return "autoexception" if issubclass(value, BaseException) else "autoclass"
    return "autofunction" if inspect.isroutine(value) else "autodata"


def _value(name: str) -> Any:
    module, _, attribute = _whole(name).rpartition(".")
    return getattr(import_module(module), attribute)
