"""Compiled methods mean what Python means, or stop: random methods, on random states, compiled and interpreted."""

from __future__ import annotations

import importlib.util
import math
import random
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, cast

import numpy as np
import pytest

from bestfirst.compiled.compiler import arithmetic
from bestfirst.compiled.compiler.code_generation import generate, numba_type
from bestfirst.compiled.compiler.domain_methods import as_self, guarded_methods, raw_methods, result_of, state_type_of
from bestfirst.compiled.compiler.lookups import read_data
from bestfirst.compiled.compiler.machine_code import Code, Kept, LinkedCode, passed
from bestfirst.compiled.compiler.specialise import Compiled
from bestfirst.compiled.compiler.state_fields import state_fields, words_of_state
from bestfirst.compiled.compiler.state_source import made_state
from bestfirst.compiled.compiler.translate import Place, Translation, translate
from bestfirst.errors import CompileError, WordOverflowError
from profiles import examples
from random_methods import MIXED, module_of, states

BATCH = 25
METHODS = examples(25).max_examples
STATES = 20


def loaded(text: str, directory: Path) -> ModuleType:
    """A module of a text, in a file, as its source is read."""
    file = directory / f"methods_{abs(hash(text))}.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def compiled_method(domain: Any, name: str) -> Compiled:
    """A method, compiled, which is given the fields of a state."""
    translation = translate(domain, {name: getattr(type(domain), name)})
    kernels = {**raw_methods(translation), "as_self": as_self(translation)}
    kernels |= guarded_methods(translation, kernels)
    data = Kept(read_data(domain, tuple(sorted(translation.reads))))
    data_type, state_type = numba_type(passed(data)[0]), state_type_of(domain)
    kernels["as_self"].compile((data_type,))
    me_type = kernels["as_self"].overloads[data_type,].signature.return_type
    result_of(kernels[f"raw_{name}"], (me_type, state_type), Place(translation.originals[name]))
    namespace: dict[str, Any] = {**kernels, **arithmetic.OPERATIONS, "State": domain.State}
    fields = state_fields(domain)
    words = [f"word{place}" for place in range(sum(field.count for field in fields))]
    exec(f"def call(data, {', '.join(words)}):\n    return {name}(as_self(data), {made_state(fields, words)})\n", namespace)
    kinds = passed((data, *(1 for _ in words)))[0]
    code = LinkedCode(cast("Code", generate(namespace["call"], kinds)), kinds)

    def call(data: Any, *fields: Any) -> Any:
        """The answer for a state with these first fields."""
        return code(*passed((data, *words_of_state(domain, domain.State(*fields))))[1])

    return Compiled(call, data, tuple(sorted(translation.reads)), False, translation)


class Watched:
    """Runs a translated method in Python, and notes whether a value has more than 64 bits."""

    def __init__(self, translation: Translation, domain: Any, name: str) -> None:
        self.is_beyond = self._has_floats = False
        self._domain, self._name = domain, name
        names: dict[str, Any] = {"bf_State": domain.State, "range": range, "ValueError": ValueError}
        for operation in (arithmetic.OPERATIONS, {one.__name__: one for one in arithmetic.DEFERRED.values()}):
            names |= {key: self._watched(key, function) for key, function in operation.items()}
        for called, function in translation.called.items():
            names[called] = FunctionType(function.__code__, names, called)
        self._function = FunctionType(translation.functions[name].__code__, names, name)
        self._attributes = sorted(translation.reads)

    def _watched(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        # what is divided, compared with floats or brought to a float is exact up to 2**53
        most = 2**53 if any(part in name for part in ("truediv", "max", "min")) else 2**62
        may_mix = any(part in name for part in ("floordiv", "mod"))  # an int that is a float on another path, too

        def watched(*operands: Any) -> Any:
            self._has_floats = self._has_floats or any(isinstance(operand, float) for operand in operands)
            limit = 2**53 if may_mix and self._has_floats else most
            if "members" in name and any(number not in range(8) for number in operands[0]):
                self.is_beyond = True
            result = function(*operands)
            for value in (*operands[:-1], result):
                for number in value if isinstance(value, tuple) else (value,):
                    if isinstance(number, int) and abs(number) >= limit:
                        self.is_beyond = True
            if "replaced" in name and operands[2] not in range(8):  # an element may not fit into the bits of its field
                self.is_beyond = True
            if isinstance(result, complex):  # the abs() of which is a number
                self.is_beyond = True
            if "pow" in name and isinstance(result, float) and not isinstance(operands[0] * operands[1], float):
                self.is_beyond = True
            return result

        return watched

    def __call__(self, state: Any) -> Any:
        self.is_beyond = self._has_floats = False
        me = type("Me", (), {f"a_{name}": getattr(self._domain, name) for name in self._attributes})()
        return self._function(me, state)


def is_same(one: Any, other: Any) -> bool:
    """Whether two numbers are the same, floats to the last bit."""
    if isinstance(one, float) and isinstance(other, float):
        if math.isnan(one) or math.isnan(other):
            return math.isnan(one) and math.isnan(other)
        return one == other and struct.pack("d", one) == struct.pack("d", other)
    return bool(one == other)


def answer_of(method: Callable[..., Any], *arguments: Any) -> tuple[Any, type[Exception] | None]:
    try:
        return method(*arguments), None
    except Exception as error:
        return None, type(error)


def faults_of(module: ModuleType, name: str, number: int) -> list[str]:
    """Where a compiled method says something else than Python, on some states."""
    domain = module.Random()
    try:
        compiled = compiled_method(domain, name)
    except CompileError as error:
        kinds = ("one type", "float", "an int in one place")
        return [] if any(kind in str(error) for kind in kinds) else [f"{name}: {error}"]
    watched = Watched(compiled.translation, domain, name)
    found = []
    for fields in states(number, STATES):
        state = domain.State(*fields)
        with np.errstate(all="ignore"):
            expected, raised = answer_of(getattr(domain, name), state)
            answer, stopped = answer_of(compiled.run, compiled.data, *fields)
            if stopped is WordOverflowError:
                answer_of(watched, state)
        if isinstance(expected, complex):  # which is no number that a method may give
            expected, raised = None, WordOverflowError
        if stopped is None:
            is_right = raised is None and is_same(expected, answer)
        else:
            may_stop = (
                watched.is_beyond or raised is not None or name.startswith(MIXED)
            )  # where an int can be a float elsewhere
            is_right = stopped is raised or (stopped is WordOverflowError and may_stop)
        if not is_right:
            found.append(f"{name}({fields}) is {expected!r} {raised}, compiled {answer!r} {stopped}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, METHODS, BATCH))
def test_random_methods_mean_what_python_means(first: int, tmp_path: Path) -> None:
    """The same value, to the last bit, or the same error; a stop of its own only where a value needs more than 64 bits."""
    text, names, _expressions = module_of(range(first, first + BATCH))
    module = loaded(text, tmp_path)
    faults = [fault for number, name in enumerate(names) for fault in faults_of(module, name, first + number)]
    assert not faults, "\n".join(faults[:10])


INDEXING = """

class Indexed(Random):
    def one(self, state):
        return self.i16[state.a] + self.i16[state.b]

    def two(self, state):
        return self.i32[state.a, state.b] + self.u8[state.b][state.a]
"""
INDICES = 10_000


@pytest.mark.slow
@pytest.mark.numba
@pytest.mark.parametrize("name", ["one", "two"])
def test_random_indices_are_found_or_refused(name: str, tmp_path: Path) -> None:
    """An element, counted from the end where an index is negative, or an IndexError; never anything else, nor a crash."""
    domain = loaded(module_of(range(0))[0] + INDEXING, tmp_path).Indexed()
    compiled, chance = compiled_method(domain, name), random.Random(name)
    for _ in range(INDICES):
        a, b = (chance.choice((chance.randrange(-4, 5), chance.randrange(-(2**63), 2**63))) for _ in range(2))
        expected, raised = answer_of(getattr(domain, name), domain.State(a, b, 0, 0))
        answer, stopped = answer_of(compiled.run, compiled.data, a, b, 0, 0)
        assert (answer, stopped) == (expected, raised)


BESIDE = """

def given(one, other):
    if other:
        return one
    return 0.5


class Beside(Random):
"""
SOMETIMES_INTS = {
    "variable": "most = 0.5 if state.c < 3 else state.c\nreturn self.odd - 2 + most == 2**53 + 4",
    "product": "y = 2**52 + 1 if state.c > 3 else 0.5\nreturn y * 3 % 7",
    "extreme": "return min(state.c, 9.5) * (2**52 + 1) % 7",
    "choice": "return (state.c or 0.5) + state.a",
    "sum": "y = state.a\ny += 0.0 if state.d else 0\nreturn y % 7",
    "loop": "y = 0\nfor turn in range(state.c):\n    if turn == 9:\n        y = y * 0.5\n    y += 2**50 + 1\nreturn y",
    "literal": "total = 0\nfor turn in range(state.c):\n    total += 0.5 * state.c\nreturn total",
    "helper": "return given(state.a, state.c) % 3 + state.b",
    "tuple": "t = (0.5, 0.5)\nif state.d:\n    t = (state.a, state.a)\nreturn t[0] % 3",
    "zero": "y = 0 if state.d else 0.5\nz = 0 if state.a else 0.0\nreturn math.copysign(2, -y) + math.atan2(-z, y * -1)",
    "quotients": "y = state.c - 7 if state.d else 0.5\nq, r = divmod(y - 3, y)\nreturn q * 100 + r + y // 3 + y % -3 + y / 7",
    "powers": "y = state.c - 7 if state.d else 0.5\nreturn y ** 3 + y ** -1 + (y * y) ** y",
    "signs": "y = state.a if state.d else 0.5\nreturn abs(y) - (-y) + round(y) + int(y) + math.floor(y) + bool(y) + +y",
    "comparisons": "y = state.a if state.d else 2.0**53\nreturn (y < state.b) + 2 * (y == self.odd) + 4 * (y >= 0.5)",
    "truth": "y = state.d > 0 if state.c else 0.5\nreturn y + (y if y else 3) + (not y)",
    "infinity": "y = math.inf\nfor turn in range(state.c):\n    y = min(y, state.b * turn)\nreturn y",
    "in": "y = state.c if state.d else 0.5\nreturn (y in (3, 0.5, state.a)) + 2 * (state.a in (y, 2.0**53))",
}
"""Bodies of methods in which a number is an int on one path and a float on another."""


@pytest.mark.slow
@pytest.mark.parametrize("body", SOMETIMES_INTS.values(), ids=SOMETIMES_INTS.keys())
def test_a_number_that_is_an_int_here_and_a_float_there_means_what_python_means(body: str, tmp_path: Path) -> None:
    """The same number, or a stop where a float cannot hold the int."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    text = f"{module_of(range(0))[0]}{BESIDE}    odd = 2**53 + 1\n\n    def mixed(self, state):\n{lines}\n"
    domain = loaded(text, tmp_path).Beside()
    compiled, answers = compiled_method(domain, "mixed"), 0
    for fields in [(a, a, c, d) for a in (0, 5, -1, 2**53, 2**53 + 1, 2**62) for c in range(0, 16, 3) for d in (0, 1)]:
        expected, raised = answer_of(domain.mixed, domain.State(*fields))
        answer, stopped = answer_of(compiled.run, compiled.data, *fields)
        answers += stopped is None
        if stopped is not WordOverflowError:
            assert (answer, stopped) == (expected, raised), fields
    assert answers > 6


MADE_INSIDE = {
    "product": "far = self.State(0, 0, state.a, 0, state.t, state.w)\nreturn far.c * 4",
    "another name": "state = self.State(0, 0, state.a, 0, state.t, state.w)\nreturn state.c * 4",
    "shift": "far = self.State(0, 0, state.b, 0, state.t, state.w)\nreturn 9 << far.c & 255",
    "range": "n, f = 0, self.State(0, 0, state.b, 0, state.t, state.w)\nfor at in range(f.c, f.c + 1):\n    n += at\nreturn n",
    "shift in a loop": "for at in range(2, 9, 3):\n    if 1 <= (at >> (at % 70 - 3)) > 5:\n        n = 3\n"
    "    else:\n        n = all((state.d < 1e-5) for g in range(3))\nreturn n",
    "member": "return state.a in (3, 7 // state.b)",
    "no member": "return state.a not in (3, 7 // state.b, self.i8[state.b])",
    "no number": "return math.nan in (0.5, math.nan)",
    "pairs": "x = math.inf - math.inf\nreturn (x, 1.0) == (x, 1.0)",
}
"""Bodies of methods with states that are beyond their bits, and with members of tuples that fail."""


@pytest.mark.slow
@pytest.mark.parametrize("body", MADE_INSIDE.values(), ids=MADE_INSIDE.keys())
def test_states_made_inside_and_members_that_fail_mean_what_python_means(body: str, tmp_path: Path) -> None:
    """The same number or error, or a stop where a value needs more than 64 bits; a field made inside is not tested."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    domain = loaded(f"{module_of(range(0))[0]}{BESIDE}    def inside(self, state):\n{lines}\n", tmp_path).Beside()
    compiled = compiled_method(domain, "inside")
    for fields in [(a, b, 0, 0) for a in (0, 3, 2**62, -(2**63)) for b in (0, 2, 60, -1, 2**63 - 2)]:
        expected, raised = answer_of(domain.inside, domain.State(*fields))
        answer, stopped = answer_of(compiled.run, compiled.data, *fields)
        if stopped is not WordOverflowError:
            assert (answer, stopped) == (expected, raised) or raised in (MemoryError, OverflowError), fields
