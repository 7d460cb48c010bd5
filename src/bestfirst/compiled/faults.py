"""What is wrong with a state, a cost or an estimate that compiled code cannot go on with, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from bestfirst.compiled.totals import GREATEST_COST
from bestfirst.errors import ProblemError, StateError, WordOverflowError
from bestfirst.node import Node, expand, root_of
from bestfirst.problem import Domain


def compiled_root(domain: Domain, h: Callable[[Any], float], *, floats: bool) -> Node:
    """The node of the initial state. Raises WordOverflowError for an estimate that compiled code cannot hold."""
    root = root_of(domain, h)
    check_number(domain, "the estimate of the initial state", root.h, floats=floats)
    return root


def check_number(domain: Domain, what: str, number: float, *, floats: bool = False) -> None:
    """Raise WordOverflowError for an int beyond 64 bits with a sign; where numbers are floats, for one that no float can hold."""
    if isinstance(number, int) and number > GREATEST_COST:
        try:
            fits = floats and float(number) >= 0
        except OverflowError:
            fits = False
        if not fits:
            raise overflow(domain, f"{what} is {_in_short(number)}, which does not fit into 64 bits with their sign")


def overflow(domain: Domain, why: str) -> WordOverflowError:
    """The error for a number that compiled code cannot hold. It names the place where steps and costs are stated."""
    step = type(domain).step
    code = getattr(step, "__code__", None)
    file, line = ("?", 0) if code is None else (code.co_filename, code.co_firstlineno)
    return WordOverflowError(file, line, getattr(step, "__qualname__", "step"), why)


def _in_short(number: int) -> str:
    return str(number) if number < 10**30 else f"about 2**{number.bit_length()}"


def complain(domain: Domain, h: Callable[[Any], float], measure: Callable[..., Any] | None, node: Node) -> NoReturn:
    """Do an expansion that went wrong once more in the reference engine, which knows how to complain.

    Raises the error that it raises for a cost or an estimate; otherwise the one for what only compiled code cannot go on with.
    measure: the estimate as it is compiled, if there is one.
    """
    for child in expand(domain, node):
        estimate = h(child.state)
        check_state(domain, child.state)
        if domain.unit_cost and child.g - node.g != 1:
            raise ProblemError(
                f"action {child.action!r} in state {node.state!r} costs {child.g - node.g!r}, but unit_cost says that every "
                "action costs 1; leave unit_cost out"
            )
        floats = isinstance(child.g, float) or isinstance(estimate, float)
        check_number(domain, f"the estimate of {child.state!r}", estimate, floats=floats)
        check_number(domain, f"the cost of a path to {child.state!r}", child.g, floats=floats)
    stop_as_compiled(domain, measure, node.state)
    raise disagreement(node.state)


def stop_as_compiled(domain: Domain, measure: Callable[..., Any] | None, state: Any) -> None:
    """Raise the error of the compiled method that cannot go on, if one of them cannot in the expansion of a state."""
    from bestfirst.compiled.probe import CompiledMeasure, CompiledMethods  # noqa: PLC0415  (they are made by what complains)

    methods = CompiledMethods(domain, None)
    measures = [] if measure is None else [CompiledMeasure(domain, measure)]
    measures += [CompiledMeasure(domain, domain.rank)] if domain.defines("rank") else []
    for action in range(domain.max_actions):
        legal, child, _cost = methods.step(state, action)
        if not legal and domain.stops_at_illegal():
            break
        for one in measures if legal else ():
            one(child)


def disagreement(state: Any) -> ProblemError:
    """The error for a state with which compiled code cannot go on, though nothing is wrong with what plain Python makes of it."""
    return ProblemError(
        f"step({state!r}, ...) gives another result compiled than interpreted; bestfirst.check(domain) finds the reason"
    )


def check_start(domain: Domain) -> None:
    """Raise StateError for an initial state that compiled code cannot take."""
    state = domain.initial
    if type(state) is not domain.State:
        raise StateError(f"the initial state is {state!r}; write self.State(...) with the fields {domain.State._fields}")
    check_state(domain, state)


def check_state(domain: Domain, state: Any) -> None:
    """Raise StateError for a state whose fields do not fit, ProblemError for one whose rank does not."""
    for name, value in zip(state._fields, state, strict=True):
        check_field(domain, state, name, value)
    check_rank(domain, state)


def check_field(domain: Domain, state: Any, name: str, value: Any) -> None:
    """Raise StateError for a field that is no int, does not fit into 64 bits, or not into those that the domain gives it."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise StateError(f"state {state!r}: its field {name} must be an int")
    bits = domain.bits.get(name)
    if bits is None:
        if not -(2**63) <= value < 2**63:
            raise StateError(f"state {state!r}: its field {name} does not fit into 64 bits with their sign")
    elif not 0 <= value < 2**bits:
        raise StateError(f"state {state!r}: its field {name} is not in 0 .. {2**bits - 1}, but bits says {bits}")


def check_rank(domain: Domain, state: Any) -> None:
    """Raise ProblemError for a rank outside 0 .. size - 1."""
    if domain.defines("rank") and not 0 <= domain.rank(state) < domain.size:
        raise ProblemError(f"rank({state!r}) is {domain.rank(state)!r}, which is not in 0 .. size - 1 = {domain.size - 1}")
