"""Two domains share a table only if all that their methods read is the same."""

from __future__ import annotations

import sys
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.patterns.identity import Identity, code_hash


class Base(bf.Domain):
    """Three places in a row, at costs that a subclass has."""

    class State(NamedTuple):
        """A place."""

        place: int

    max_actions = 1
    size = 3
    initial = State(0)
    costs: Any

    def step(self, state: Any, _action: int) -> Any:
        return state.place < 2, self.State(state.place + 1), self.costs[state.place]


class Private(Base):
    """The costs are private data."""

    def __init__(self, costs: Any) -> None:
        self._costs = np.array(costs)

    def step(self, state: Any, _action: int) -> Any:
        return state.place < 2, self.State(state.place + 1), self._costs[state.place]


class Cached(Base):
    """The costs are worked out when they are read first."""

    def __init__(self, costs: Any) -> None:
        self.text = " ".join(map(str, costs))

    @cached_property
    def costs(self) -> Any:
        return np.array([int(word) for word in self.text.split()])


class OfClass(Base):
    """The costs are those of a class."""

    def __init__(self, costs: Any) -> None:
        type(self).costs = np.array(costs)


class Shaped(Base):
    """The costs have any shape and type."""

    def __init__(self, costs: Any) -> None:
        self.costs = costs


@pytest.mark.parametrize("kind", [Private, Cached, OfClass])
def test_other_data_are_another_table(kind: Any) -> None:
    """Wherever they are kept; the same data are the same one."""
    one = Identity.of(kind([1, 2])).key
    assert Identity.of(kind([1, 3])).key != one
    assert Identity.of(kind([1, 2])).key == one


def test_arrays_of_another_shape_or_type_are_other_data() -> None:
    """Though their bytes are the same."""
    flat = np.arange(6)
    kinds = [flat, flat.reshape(2, 3), flat.reshape(3, 2), flat.view(np.uint64)]
    assert len({Identity.of(Shaped(array)).key for array in kinds}) == len(kinds)


def module_of(name: str, text: str, folder: Path) -> ModuleType:
    """A module of a user, made from its text."""
    (folder / f"{name}.py").write_text(text)
    module = ModuleType(name)
    module.__file__ = str(folder / f"{name}.py")
    sys.modules[name] = module
    exec(compile(text, module.__file__, "exec"), module.__dict__)
    return module


@pytest.mark.parametrize(
    "user",
    [
        "import own_base\nclass Mine(own_base.Base):\n    pass\n",
        "from own_base import cost_of\nimport bestfirst as bf\nclass Mine(bf.Domain):\n"
        "    def step(self, s, a): return True, s, cost_of(s)\n",
        "import own_base\nimport bestfirst as bf\nclass Mine(bf.Domain):\n"
        "    def step(self, s, a): return True, s, own_base.cost_of(s)\n",
    ],
)
def test_code_of_other_modules_is_part_of_the_code(user: str, tmp_path: Path) -> None:
    """A base class and a helper, be they imported by name or reached through their module."""
    base = (
        "import bestfirst as bf\ndef cost_of(state): return COST\n"
        "class Base(bf.Domain):\n    def step(self, s, a): return True, s, COST\n"
    )
    hashes = set()
    for cost in ("20", "1"):
        folder = tmp_path / cost
        folder.mkdir()
        module_of("own_base", base.replace("COST", cost), folder)
        hashes.add(code_hash(module_of(f"own_domain_{cost}", user, folder).Mine))
    assert len(hashes) == 2
