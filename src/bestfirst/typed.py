"""Typed: the types of states and actions, as in Problem[State, Action], for editors and type checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Generic

    from typing_extensions import TypeVar

    StateT = TypeVar("StateT", default=Any)
    ActionT = TypeVar("ActionT", default=Any)

    class Typed(Generic[StateT, ActionT]):
        """A class with the types of states and actions as parameters. Both are optional."""

else:
    from typing import TypeVar

    StateT, ActionT = TypeVar("StateT"), TypeVar("ActionT")

    class Typed:
        """A class that takes type parameters and ignores them: they mean nothing when the program runs."""

        _is_root = True  # it says nothing about the rules of a problem (claims.py)

        def __class_getitem__(cls, parameters: object) -> type:
            return cls
