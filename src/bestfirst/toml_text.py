"""TOML: without it, some mistakes in a TOML file would be errors of Python, which say nothing about the file."""

from __future__ import annotations

import sys
import tomllib
from typing import Any


class TomlError(ValueError):
    """A text that is not TOML, or that Python cannot read."""


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a text. Raises TomlError for every mistake, with its line where tomllib names one."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(str(error)) from None
    except RecursionError:
        raise TomlError("it is nested too deeply") from None
    except ValueError:  # from int()
        raise TomlError(f"a number has more than {sys.get_int_max_str_digits():,} digits") from None
