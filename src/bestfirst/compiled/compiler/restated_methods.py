"""The methods of a restated domain, compiled, from those of the original one: what objectives/restated.py does in Python."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, cast

import numpy as np

from bestfirst.compiled.compiler.arithmetic import OPERATIONS, PREFIX
from bestfirst.compiled.compiler.code_generation import inner
from bestfirst.compiled.compiler.operations.whole import RESULT_SITE
from bestfirst.compiled.compiler.prepared_methods import PREPARING, has_preparation
from bestfirst.compiled.compiler.rewriter_core import ATTRIBUTE
from bestfirst.compiled.compiler.state_fields import state_fields
from bestfirst.compiled.compiler.translate import MAX_ACTIONS, Translation
from bestfirst.objectives import rules
from bestfirst.objectives.restated import RestatedDomain
from bestfirst.state_packing import StateField, register_bits

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Names


def extra_actions(translation: Translation) -> int:
    """The number of actions that a restated domain has besides those of the original one."""
    return 0 if translation.within is None else int(cast("RestatedDomain", translation.domain).objective.ends)


def takes_maximum(translation: Translation) -> bool:
    """Whether the largest cost on a path counts in a restated domain."""
    return cast("RestatedDomain", translation.domain).objective.takes_maximum


def restated_methods(translation: Translation, originals: Names) -> Names:
    """raw_step, raw_is_goal and raw_estimate, and those of prepared_methods.py. originals: the methods of the original domain."""
    source = _Source(cast("RestatedDomain", translation.domain), restates=translation.restates)
    namespace: Names = {
        **OPERATIONS,
        **{f"original_{name.removeprefix('raw_')}": method for name, method in originals.items()},
        "State": translation.domain.State,
        "Inner": source.domain.original.State,
        "SITE": RESULT_SITE,
        "ZERO": np.int64(0),
        "ONE": np.int64(1),
        "SLACK": rules.SLACK,
    }
    written = {"step": source.step(), "is_goal": source.is_goal(), "estimate": source.estimate()}
    made = {}
    names = [*translation.functions]
    if has_preparation(translation):
        written |= {name: source.of_inner(name) for name in PREPARING} | {"step_with": source.step(is_prepared=True)}
        names.append("step_with")
    for name in names:
        exec(written[name], namespace)
        made[f"raw_{name}"] = inner(namespace[name], forceinline=True)
    return made


class _Source:
    """The source of the methods of a restated domain."""

    def __init__(self, domain: RestatedDomain, *, restates: bool) -> None:
        self.domain, self.objective, self._restates = domain, domain.objective, restates
        self._fields = domain.original.State._fields
        self._place = {name: len(self._fields) + number for number, name in enumerate(domain.extra)}

    def of_inner(self, name: str) -> str:
        """A method that is that of the original state."""
        return _function(name, "me, state", [f"return original_{name}(me, {self._inner('state')})"])

    def step(self, *, is_prepared: bool = False) -> str:
        """step(): the end of the path, then an action of the original domain."""
        ending, more = ("_with", ", pair") if is_prepared else ("", "")
        lines = ["inner = " + self._inner("state")]
        if self.objective.ends:
            lines += [
                f"if {self._beside('ended')} != 0:",
                "    return False, state, 0",
                f"if action == me.{ATTRIBUTE}{MAX_ACTIONS}:",
                f"    if not {_call('truth', 'original_is_goal(me, inner)')}:",
                "        return False, state, 0",
                f"    paid = {_call('exact', 'original_end_cost(me, inner)' if self.objective.has_end_cost else '0')}",
                *_indented(self._returned("paid", "inner", left=_call("exact", "0"), ended="ONE")),
            ]
        lines += [
            f"legal, after, cost = original_step{ending}(me, inner, action{more})",
            f"if not {_call('truth', 'legal')}:",
            "    return False, state, 0",
            f"cost = {_call('exact', 'cost')}",
        ]
        left = ""
        if self.objective.has_gains:
            left = _call("exact", f"original_most_gain(me, {self._inner('after', without=self.domain.original.resources)})")
        return _function(
            f"step{ending}", f"me, state, action{more}", [*lines, *self._returned("cost", "after", left=left, ended="ZERO")]
        )

    def is_goal(self) -> str:
        """is_goal()."""
        answer = f"{self._beside('ended')} != 0" if self.objective.ends else f"original_is_goal(me, {self._inner('state')})"
        return _function("is_goal", "me, state", [f"return {answer}"])

    def estimate(self) -> str:
        """The heuristic; that of a search without one, 0, is not restated."""
        if not self._restates:
            return _function("estimate", "me, state", [f"return original_estimate(me, {self._inner('state')})"])
        lines = []
        if self.objective.ends:
            lines += [f"if {self._beside('ended')} != 0:", "    return 0"]
        lines += [f"inner = {self._inner('state')}", f"value = {_call('exact', 'original_estimate(me, inner)')}"]
        if self.objective.takes_maximum:
            lines += [f"if {_call('lt', 'value', '0')}:", "    return value"]
            lines += _or_zero(_call("sub", "value", self._beside("most")))
        elif self.objective.has_gains:
            operation = "sub" if self.objective.maximises else "add"
            lines += [f"promised = {self._gain_left('state')}", *_or_zero(_call(operation, "promised", "value"))]
        else:
            lines += ["return value"]
        return _function("estimate", "me, state", lines)

    def _returned(self, cost: str, after: str, *, left: str, ended: str) -> list[str]:
        """The statements that return the restated outcome of a legal action."""
        beside = {"ended": ended}
        lines = []
        if self.objective.takes_maximum:
            most = self._beside("most")
            beside["most"] = _call("whole", _call("max", most, cost))
            lines += [f"new = {self._state(after, beside)}", f"if {_call('ge', cost, '0')}:"]
            raised = _or_zero(_call("sub", cost, most), given="True, new, ")
            return [*lines, *_indented(raised), f"return True, new, {cost}"]
        new = self._state(after, beside)
        if not self.objective.has_gains:
            return [f"return True, {new}, {cost}"]
        operation = "sub" if self.objective.maximises else "add"
        size = _call("add", _call("add", _call("abs", "promised"), _call("abs", cost)), _call("abs", "left"))
        return [
            f"promised = {self._gain_left('state')}",
            f"left = {left}",
            f"lost = {_call('exact', _call('sub', _call(operation, 'promised', cost), 'left'))}",
            f"if {_call('lt', 'lost', '0')} and {_call('gt', 'lost', '-1')}:",
            f"    if {_call('ge', 'lost', _call('mul', '-SLACK', size))}:",
            f"        return True, {new}, {_call('exact', _call('sub', 'lost', 'lost'))}",
            f"return True, {new}, lost",
        ]

    def _gain_left(self, state: str) -> str:
        return _call("exact", f"original_most_gain(me, {self._inner(state, without=self.domain.original.resources)})")

    def _beside(self, name: str) -> str:
        return f"state[{self._place[name]}]"

    def _inner(self, state: str, without: Collection[str] = ()) -> str:
        """The original state in another one, whose fields begin alike. without: the fields that are 0 instead."""
        values = []
        for number, field in enumerate(state_fields(self.domain.original)):
            values.append(_zero(field) if field.name in without else f"{state}[{number}]")
        return f"Inner({', '.join(values)})"

    def _state(self, inner_state: str, beside: dict[str, str]) -> str:
        values = [f"{inner_state}[{number}]" for number in range(len(self._fields))]
        return f"State({', '.join([*values, *(beside[name] for name in self._place)])})"


def _zero(field: StateField) -> str:
    """0, or zeros, as a field of a state."""
    if field.length is not None:
        return _call("members", f"({'ZERO, ' * field.length})", str(field.length), str(field.bits))
    return _call("wide_field", "ZERO", str(register_bits(field.bits))) if field.is_wide else "ZERO"


def _call(operation: str, *operands: str) -> str:
    return f"{PREFIX}{operation}({', '.join(operands)}, SITE)"


def _or_zero(difference: str, given: str = "") -> list[str]:
    """The statements that return a difference, or 0 if it is negative. given: what is returned before it."""
    return [
        f"difference = {_call('exact', difference)}",
        f"if {_call('le', 'difference', '0')}:",
        f"    return {given}0",
        f"return {given}difference",
    ]


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _function(name: str, arguments: str, lines: list[str]) -> str:
    return f"def {name}({arguments}):\n" + "\n".join(_indented(lines)) + "\n"
