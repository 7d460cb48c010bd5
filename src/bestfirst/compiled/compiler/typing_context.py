"""Numba's typing context for methods of domains: a variable may be an int here and a float there, as in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bestfirst.compiled.compiler.arithmetic import PREFIX

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.numba_types import Context, Kind

IS_METHOD = f"{PREFIX}exact"
"""A marker among the globals of a function: it is a method of a domain, or a callee of one."""


class ExtendedContext:
    """Numba's typing context, some of whose methods are replaced."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)


class MethodContext(ExtendedContext):
    """The typing context of the methods of domains."""

    def unify_types(self, *kinds: Kind) -> Kind:
        """The common type, or None."""
        first, *others = kinds
        for other in others:
            first = None if first is None else self.unify_pairs(first, other)
        return first

    def unify_pairs(self, one: Kind, other: Kind) -> Kind:
        """The common type of two types, or None."""
        from bestfirst.compiled.compiler.operations.whole import unified  # noqa: PLC0415  (it imports specialise.py)

        found = unified(self, one, other)
        return self._context.unify_pairs(one, other) if found is None else found
