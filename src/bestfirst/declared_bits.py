"""Bits of fields: what is wrong if a value of a field is beyond them, and which class declares them."""

from __future__ import annotations

from inspect import unwrap
from typing import Any

from bestfirst.errors import counted, shown
from bestfirst.objectives.objective import RestatedForm


def beyond_bits(domain: Any, state: object, name: str) -> str:
    """The message for a state with a field that is not in the range of its declared bits."""
    return f"state {state!r}: {out_of_range(domain, name)}"


def out_of_range(domain: Any, name: str) -> str:
    """What is wrong with a field that is not in the range of its declared bits, and what to do."""
    bits = domain.bits[name]
    original = domain.original if isinstance(domain, RestatedForm) else domain
    return f"its field {name} is not in 0 .. {shown(2**bits - 1)}, the range of {counted(bits, 'bit')}; {_remedy(original, name)}"


def _remedy(domain: Any, name: str) -> str:
    kind = _class_that_declares(domain)
    if kind is None or kind is type(domain):
        return "correct the bits or the value"
    return (
        f"{kind.__name__} declares these bits, for its own rules; correct the value, or declare more bits in "
        f"{type(domain).__name__}.__init__, after super().__init__(...): self.bits = {{**self.bits, {name!r}: 63}}"
    )


def _class_that_declares(domain: Any) -> type | None:
    """The class whose __init__ sets self.bits, or whose body does; None if it is neither."""
    declares = _sets_bits if "bits" in vars(domain) else _has_bits
    return next(filter(declares, type(domain).__mro__), None)


def _sets_bits(kind: type) -> bool:
    made: Any = vars(kind).get("__init__")
    code = getattr(unwrap(made), "__code__", None)
    return code is not None and "bits" in code.co_names


def _has_bits(kind: type) -> bool:
    return "bits" in vars(kind)
