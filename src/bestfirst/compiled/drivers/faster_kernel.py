"""A faster kernel that takes seconds to compile: it replaces a plain one in a long search as soon as it is compiled.

A search asks for it once it has become long, or the searches of this process together. If its code is in memory or on disk, it
is used at once. Otherwise another thread compiles it while a long search continues with the plain kernel, and later searches
find it on disk. Both kernels make the same search, and one can continue where the other one stopped.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from bestfirst.compiled.compiler.may_compile import may_compile
from bestfirst.compiled.compiler.specialise import Compiled
from bestfirst.domain import Domain
from bestfirst.system.beside import Beside

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Template

FEWEST_EXPANSIONS = 500_000
"""A process that has expanded fewer nodes is not worth loading the code."""
FEWEST_OF_A_SEARCH = 5_000
"""A search that ends earlier is not worth asking for it."""
SECONDS_BEFORE_COMPILING = 1.0
"""A search that ends earlier is not worth compiling it."""
MOST_KNOWN = 64
"""The number of kernels whose code specialised_once() keeps."""
MOST_BYTES = 1 << 14
"""They are kept by the content of arrays of up to this size in all."""
_KNOWN: dict[tuple[object, ...], Template] = {}


def specialised_once(plain: Compiled, domain: Domain, specialised: Callable[[], Compiled]) -> Compiled:
    """The faster kernel of a domain, specialised once for all domains with the same rules: methods, numbers and arrays.

    Otherwise that would take half a millisecond in each search.
    """
    values = [domain.compiled_value(name) for name in plain.attributes]
    if sum(getattr(value, "nbytes", 0) for value in values) > MOST_BYTES:
        return specialised()
    contents = ((value.shape, value.tobytes()) if hasattr(value, "tobytes") else value for value in values)
    rules = plain.code, *map(domain.inverse, range(domain.max_actions)), *contents
    if rules not in _KNOWN:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[rules] = specialised().code
    return plain.with_code(_KNOWN[rules])


class FasterKernel:
    """The replacement of a kernel. specialised: makes it, uncompiled. is_offered: whether it exists at all."""

    expanded = 0
    """The number of nodes that all searches of this process have expanded for which such a kernel exists."""

    def __init__(self, specialised: Callable[[], Compiled], *, is_offered: bool) -> None:
        self._specialised, self._is_open = specialised, is_offered
        self._kernel: Compiled | None = None
        self._counted = 0
        self._asked_at = 0.0
        self._compiling: Beside[None] | None = None

    def is_worth_asking(self, expanded: int) -> bool:
        """Whether a search that has expanded this many nodes should ask for it."""
        if not self._is_open:
            return False
        FasterKernel.expanded += expanded - self._counted
        self._counted = expanded
        return expanded >= FEWEST_OF_A_SEARCH and FasterKernel.expanded >= FEWEST_EXPANSIONS

    def instead_of(self, plain: Compiled, arguments: tuple[object, ...]) -> Compiled:
        """The faster kernel, if it can be called with these arguments now; otherwise the plain one.

        The plain compiler has no faster kernels.
        """
        if plain.is_plain:
            self._is_open = False
            return plain
        if self._kernel is None:
            self._kernel, self._asked_at = self._specialised(), perf_counter()
            self._kernel.noted = plain.noted  # the search began with these data
            return self._taken(self._kernel) if self._kernel.is_ready(*arguments) else plain
        if self._compiling is not None:
            if self._compiling.is_finished:
                return self._taken(self._kernel if self._is_compiled(self._compiling) else plain)
        elif may_compile() and perf_counter() - self._asked_at > SECONDS_BEFORE_COMPILING:
            self._compiling = Beside(partial(self._kernel.prepare, *arguments))
        return plain

    def at_once(self, plain: Compiled, arguments: tuple[object, ...]) -> Compiled:
        """Like instead_of(), but it waits for the code."""
        if plain.is_plain:
            return self._taken(plain)
        kernel = self._specialised()
        kernel.noted = plain.noted
        compiling = Beside(partial(kernel.prepare, *arguments))
        compiling.wait(None)
        return self._taken(kernel if self._is_compiled(compiling) else plain)

    @staticmethod
    def _is_compiled(compiling: Beside[None]) -> bool:
        """Whether the compilation succeeded; warns if not, because the search does without it."""
        try:
            compiling.result()
        except Exception as error:
            text = str(error).partition("\n")[0] or type(error).__name__
            warnings.warn(
                f"faster code for this search could not be compiled; the search continues without it: {text}", stacklevel=2
            )
            return False
        return True

    def _taken(self, kernel: Compiled) -> Compiled:
        self._is_open = False
        return kernel
