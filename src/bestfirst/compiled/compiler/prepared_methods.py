"""What prepare() and forced() of a domain become in compiled code: a value for each expansion, which step() is passed.

The value is (the only action to be tried, or -1; what prepare() returns, or 0). Kernels get it from prepared_for() before they loop
over the actions of a state. For a single action, step() works it out itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba.core import types

from bestfirst.compiled.compiler.arithmetic import OPERATIONS, PREFIX
from bestfirst.compiled.compiler.code_generation import inner
from bestfirst.compiled.compiler.operations.tuples import PackedTuple
from bestfirst.compiled.compiler.operations.whole import RESULT_SITE, in_words, is_bool, is_int, is_real, members_of
from bestfirst.compiled.compiler.rewriter_core import ATTRIBUTE
from bestfirst.compiled.compiler.translate import MAX_ACTIONS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bestfirst.compiled.compiler.numba_types import Kind
    from bestfirst.compiled.compiler.translate import Place, Translation
    from bestfirst.compiled.store.aliases import Names

PREPARING = frozenset({"prepare", "forced"})
OWN = "raw_own_"
"""The beginning of the names of step(), prepare() and forced() as their author wrote them."""


def has_preparation(translation: Translation) -> bool:
    """Whether something is worked out once for all actions of a state."""
    return bool(PREPARING & translation.functions.keys())


def forces(translation: Translation) -> bool:
    """Whether an action may be forced."""
    return "forced" in translation.functions


def prepared_methods(methods: Names) -> Names:
    """The methods of a domain (raw_step ...) with a step() that takes a state and an action, and raw_step_with, which also takes
    the prepared pair; nothing is added for a domain without preparation."""
    if not {"raw_prepare", "raw_forced"} & methods.keys():
        return {}
    made: Names = {OWN + name: methods[f"raw_{name}"] for name in ("step", *PREPARING) if f"raw_{name}" in methods}
    namespace: Names = {**OPERATIONS, **methods, **made, "SITE": RESULT_SITE}
    for name, source in _sources(methods).items():
        exec(source, namespace)
        namespace[f"raw_{name}"] = made[f"raw_{name}"] = inner(namespace[name], forceinline=True)
    return made


def _sources(methods: Collection[str]) -> Mapping[str, str]:
    """The source of each function, callees first."""
    sources = {}
    value = last = test = own_test = ""
    if "raw_forced" in methods:
        following = f"{PREFIX}add({OWN}forced(me, state), 1, SITE)"
        sources["forced"] = f"""
def forced(me, state):
    return {PREFIX}place({following}, me.{ATTRIBUTE}{MAX_ACTIONS} + 1, SITE) - 1
"""
        test = "    if pair[0] >= 0 and action != pair[0]:\n        return False, state, 0\n"
        own_test = "    only = raw_forced(me, state)\n    if only >= 0 and action != only:\n        return False, state, 0\n"
    if "raw_prepare" in methods:
        sources["prepare"] = f"def prepare(me, state):\n    return {PREFIX}exact({OWN}prepare(me, state), SITE)\n"
        value, last = ", raw_prepare(me, state)", ", pair[1]"
    sources["step_with"] = f"def step_with(me, state, action, pair):\n{test}    return {OWN}step(me, state, action{last})\n"
    sources["step"] = f"def step(me, state, action):\n{own_test}    return {OWN}step(me, state, action{value})\n"
    return sources


def check_prepared(name: str, result: Kind, place: Place) -> None:
    """Raise CompileError unless a result of prepare() or forced() is of the right type."""
    parts = members_of(result) if isinstance(result, types.BaseTuple) else [result]
    if isinstance(result, PackedTuple):
        parts = [types.int64]
    if name == "forced" and (is_bool(result) or not is_int(result)):
        raise place.fail(None, f"it returns {in_words(result)}; return an action, or -1 if none is forced, in every case")
    if name == "prepare" and not (parts and all(is_int(part) or is_real(part) or is_bool(part) for part in parts)):
        what = "an int, a float, a bool, or a tuple of these"
        raise place.fail(None, f"it returns {in_words(result)}; return {what} in every case")


def prepared_for_source(translation: Translation, numbers: Mapping[str, int]) -> str:
    """The source of prepared_for() and attempt_prepared_for() of kernels (names.py). numbers: of the methods, in notes."""
    if not has_preparation(translation):
        return _NOTHING_PREPARED
    only, value = ("-1", "True, -1"), ("0", "True, 0")
    if "forced" in numbers:
        only = f"guarded1(raw_forced, me.notes, {numbers['forced']}, me, one)", "attempted1(raw_forced, me, one)"
    if "prepare" in numbers:
        value = (
            f"guarded_as_is1(raw_prepare, me.notes, {numbers['prepare']}, me, one)",
            "attempted_as_is1(raw_prepare, me, one)",
        )
    return f"""
def prepared_for(me, one):
    only = {only[0]}
    return only, {value[0]}

def attempt_prepared_for(me, one):
    has_only, only = {only[1]}
    has_value, value = {value[1]}
    return has_only and has_value, (only, value)
"""


_NOTHING_PREPARED = """
def prepared_for(me, one):
    return 0

def attempt_prepared_for(me, one):
    return True, 0
"""
