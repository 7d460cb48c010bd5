"""What is wrong with a state that compiled code cannot go on with, in words."""

from __future__ import annotations

from typing import Any

from bestfirst.errors import ProblemError, StateError
from bestfirst.problem import Domain


def check_start(domain: Domain) -> None:
    """Raise StateError for an initial state that compiled code cannot take."""
    state = domain.initial
    if type(state) is not domain.State:
        raise StateError(f"the initial state is {state!r}; write self.State(...) with the fields {domain.State._fields}")
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
