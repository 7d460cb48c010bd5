"""Arrays on self, as both engines want them: interpreted code reads memoryviews, compiled code the arrays themselves."""

from __future__ import annotations

from typing import Any, ClassVar


class HeldArrays:
    """An object whose methods can be compiled; data() gives an attribute as the compiled engine sees it."""

    greatest_int: ClassVar[int] = (1 << 63) - 1
    """Of the ints on self that the methods read."""

    def __setattr__(self, name: str, value: Any) -> None:
        """Keep an array for the compiled engine, and hand it out as a memoryview.

        A memoryview is indexed like the array, faster, and gives ints that cannot overflow as NumPy's small ones do.
        """
        if hasattr(value, "__array_interface__"):
            self.__dict__.setdefault("_arrays", {})[name] = value
            value = memoryview(value)
        super().__setattr__(name, value)

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles, which cannot hold memoryviews."""
        arrays = self.__dict__.get("_arrays", {})
        return {name: value for name, value in self.__dict__.items() if name not in arrays}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__dict__.update({name: memoryview(array) for name, array in state.get("_arrays", {}).items()})

    def data(self, name: str) -> Any:
        """An attribute as the compiled engine sees it: an array as it was set."""
        arrays = self.__dict__.get("_arrays", {})
        return arrays[name] if name in arrays else getattr(self, name)
