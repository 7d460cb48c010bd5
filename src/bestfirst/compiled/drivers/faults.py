"""Error messages for states, costs and estimates that stop compiled code."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, NoReturn

from bestfirst.compiled.compiler.specialise import BEYOND_MIXED, Numbers, no_estimate, numbers_of
from bestfirst.compiled.compiler.state_fields import state_fields
from bestfirst.compiled.store.totals import GREATEST_COST
from bestfirst.declared_bits import beyond_bits
from bestfirst.domain import Domain, single_step
from bestfirst.errors import BestfirstError, InputError, ProblemError, StateError, WordOverflowError
from bestfirst.looking_once import is_as_shipped
from bestfirst.rounding import EXACT_INTS
from bestfirst.search.node import Node, expand, root_of

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Method, State


def compiled_root(domain: Domain, h: Callable[[State], float], *, floats: bool) -> Node:
    """The node of the initial state. Raises WordOverflowError for an estimate that compiled code cannot represent."""
    root = root_of(domain, h)
    check_number(domain, "the estimate of the initial state", root.h, floats=floats)
    if floats and isinstance(root.h, int) and root.h > EXACT_INTS:
        raise overflow(
            domain,
            f"the estimate of the initial state is {_in_short(root.h)}, an int too large to mix with floats; return a float",
        )
    return root


def check_number(domain: Domain, what: str, number: float, *, floats: bool = False) -> None:
    """Raise WordOverflowError for an int beyond signed 64 bits; with floats, for a number that no float can represent."""
    if isinstance(number, int) and number > GREATEST_COST:
        try:
            fits = floats and float(number) >= 0
        except OverflowError:
            fits = False
        if not fits:
            raise overflow(domain, f"{what} is {_in_short(number)}, which does not fit into a signed 64-bit int")


def overflow(domain: Domain, why: str) -> WordOverflowError:
    """The error for a number that compiled code cannot represent, at the place where steps and costs are defined."""
    step = type(domain).step
    code = getattr(step, "__code__", None)
    file, line = ("?", 0) if code is None else (code.co_filename, code.co_firstlineno)
    return WordOverflowError(file, line, getattr(step, "__qualname__", "step"), why)


def _in_short(number: int) -> str:
    return str(number) if number < 10**30 else f"about 2**{number.bit_length()}"


def complain(domain: Domain, h: Callable[[State], float], measure: Method | None, node: Node) -> NoReturn:
    """Repeat a failed expansion in the reference engine, which raises a precise error.

    Raises its error for a cost or an estimate; otherwise the one for a limitation of compiled code.
    measure: the estimate as it is compiled, if any.
    """
    try:
        _complain_of_children(domain, h, measure, node)
    except BestfirstError:
        raise
    except Exception:
        stop_as_compiled(domain, measure, node.state)  # also names the action
        raise
    stop_as_compiled(domain, measure, node.state)
    raise disagreement(node.state)


def _complain_of_children(domain: Domain, h: Callable[[State], float], measure: Method | None, node: Node) -> None:
    for child in expand(domain, node):
        estimate = h(child.state)
        if any(
            isinstance(number, int) and not -(2**63) <= number < 2**63 and name not in domain.bits
            for name, value in zip(child.state._fields, child.state, strict=True)
            for number in (value if isinstance(value, tuple) else (value,))
        ):
            stop_as_compiled(domain, measure, node.state)
            raise overflow(
                domain,
                f"the state {child.state!r} has an int that does not fit into a signed 64-bit int, in a field for "
                "which no bits are declared",
            )
        check_state(domain, child.state)
        if domain.unit_cost and child.g - node.g != 1:
            raise ProblemError(
                f"action {child.action!r} in state {node.state!r} costs {child.g - node.g!r}, but unit_cost declares that every "
                "action costs 1; remove unit_cost"
            )
        floats = isinstance(child.g, float) or isinstance(estimate, float)
        check_number(domain, f"the estimate of {child.state!r}", estimate, floats=floats)
        check_number(domain, f"the cost of a path to {child.state!r}", child.g, floats=floats)
        if numbers_of(domain, measure or no_estimate) is not Numbers.MIXED:
            continue
        if isinstance(estimate, float) and BEYOND_MIXED < estimate < inf:
            raise overflow(
                domain,
                f"the estimate of {child.state!r} is {estimate!r}, but compiled code adds up ints and floats only up to 2**52; "
                "return math.inf for a dead end, or float(cost) from step in every case",
            )
        if child.g >= BEYOND_MIXED:
            raise overflow(
                domain,
                f"the cost of a path to {child.state!r} is {child.g!r}, but compiled code adds up ints and floats "
                "only up to 2**52; return float(cost) from step in every case",
            )


def stop_as_compiled(domain: Domain, measure: Method | None, state: State) -> None:
    """Raise the error of the compiled method that stops in the expansion of a state, if one does."""
    from bestfirst.compiled.compiler.probe import CompiledMeasure, CompiledMethods  # noqa: PLC0415  (only a failed search needs it)

    methods = CompiledMethods(domain, None)
    measures = [] if measure is None else [CompiledMeasure(domain, measure)]
    measures += [CompiledMeasure(domain, domain.rank)] if domain.defines("rank") else []
    for action in range(domain.max_actions):
        legal, child, _cost = methods.step(state, action)
        if not legal and domain.stops_at_illegal():
            break
        for one in measures if legal else ():
            one(child)


def disagreement(state: State) -> ProblemError:
    """The error for a state that stops compiled code, though plain Python finds no fault."""
    return ProblemError(
        f"compiled and interpreted step({state!r}, ...) differ; find the reason with bestfirst.check(domain)"
    )


def check_start(domain: Domain) -> None:
    """Raise StateError for an initial state that compiled code cannot represent."""
    state = domain.initial
    if type(state) is not domain.State:
        raise StateError(
            f"the initial state is {state!r}; write self.State(...) with the fields {', '.join(domain.State._fields)}"
        )
    check_state(domain, state)
    check_inverses(domain)


MOST_INVERSES, MOST_TRIED = 4096, 64
"""The number of actions whose inverses are checked, and of those that are tried out at the start."""


def check_inverses(domain: Domain) -> None:
    """Raise InputError for an inverse that is not an action, or that does not lead back to the start."""
    if is_as_shipped(domain) or not domain.defines("inverse"):
        return
    step = single_step(domain)
    for action in range(min(domain.max_actions, MOST_INVERSES)):
        undo = domain.inverse(action)
        if isinstance(undo, bool) or not isinstance(undo, int):
            raise InputError(
                f"{type(domain).__name__}.inverse({action}) is {undo!r}; return the index of the action that undoes action "
                f"{action}, or -1 if there is none"
            )
        if action < MOST_TRIED and 0 <= undo < domain.max_actions:
            legal, after, _cost = step(domain.initial, action)
            back, again, _cost = step(after, undo) if legal else (True, domain.initial, 0)
            if not back or again != domain.initial:
                raise InputError(
                    f"{type(domain).__name__}.inverse({action}) is {undo}, but that does not lead from {after!r} back to "
                    f"{domain.initial!r}; return an action that always undoes action {action}, or -1"
                )


def check_state(domain: Domain, state: State) -> None:
    """Raise StateError for a state whose fields do not fit, ProblemError for one whose rank is invalid."""
    lengths = {field.name: field.length for field in state_fields(domain)}
    for name, value in zip(state._fields, state, strict=True):
        _check_field(domain, state, name, value, lengths[name])
    check_rank(domain, state)


def _check_field(domain: Domain, state: State, name: str, value: object, length: int | None) -> None:
    """Raise StateError for a field that is not an int or a tuple of them, or does not fit into 64 bits or its declared bits."""
    if length is not None:
        if not isinstance(value, tuple) or len(value) != length:
            raise StateError(f"state {state!r}: its field {name} must be a tuple of {length} ints, as in the initial state")
        for element in value:
            _check_int(domain, state, name, element)
    else:
        _check_int(domain, state, name, value)


def _check_int(domain: Domain, state: State, name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise StateError(f"state {state!r}: its field {name} must be an int, or a tuple of ints")
    bits = domain.bits.get(name)
    if bits is None:
        if not -(2**63) <= value < 2**63:
            raise StateError(f"state {state!r}: its field {name} does not fit into a signed 64-bit int")
    elif not 0 <= value < 2**bits:
        raise StateError(beyond_bits(domain, state, name))


def check_rank(domain: Domain, state: State) -> None:
    """Raise ProblemError for a rank outside 0 .. size - 1."""
    if not domain.defines("rank"):
        return
    number = domain.rank(state)
    if not (isinstance(number, int) and 0 <= number < domain.size):
        raise ProblemError(f"rank({state!r}) is {number!r}; it must be a whole number in 0 .. {domain.size - 1} (size - 1)")
