"""What the table of an abstract domain depends on: the code that builds it, the data that this reads, and what the domain says.

The code is what the compiler makes of the domain's methods, and of the functions that they call. It has the constants of their
modules and the defaults of their arguments in it, and it is that of the classes in memory: where the text of a method is not what
runs, as in a file that was edited after it was imported, the compiler refuses it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from bestfirst.patterns.building.methods import is_ranked, methods_of_build
from bestfirst.problem import Domain


@dataclass(frozen=True)
class TableCode:
    """The code that builds the table of a domain. code: a hash of it. reads: the attributes of the domain that it reads."""

    domain: Domain
    code: str
    reads: Collection[str]
    unchecked: bool

    @classmethod
    def of(cls, domain: Domain) -> TableCode:
        """That of a domain. Raises CompileError, which names the line, for methods that cannot be compiled."""
        from bestfirst.compiled.compiler.translate import translate  # noqa: PLC0415  (only domains of users need it)

        translation = translate(domain, {name: getattr(type(domain), name) for name in methods_of_build(domain)})
        return cls(domain, translation.code_digest, frozenset(translation.reads), translation.unchecked)

    def digest(self) -> str:
        """A hash of all that the table depends on, the same in each process."""
        read = {name: digest_of_data(self.domain.data(name)) for name in self.reads}
        text = json.dumps([self.code, read, self._said()], sort_keys=True, default=repr)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def _said(self) -> dict[str, Any]:
        """What the domain says of itself that makes the table another one, or is taken for granted by those who build it."""
        domain = self.domain
        goals = [domain.goal_state()] if is_ranked(domain) else domain.goal_states() or ()
        return {
            "fields": domain.State._fields,
            "bits": dict(domain.bits),
            "identity": list(domain.identity),
            "actions": int(domain.max_actions),
            "sizes": [int(size) for size in (domain.size, domain.block_size, domain.entries)],
            "unit_cost": domain.unit_cost,
            "undone": domain.can_be_undone(),
            "legal_first": domain.stops_at_illegal(),
            "unchecked": self.unchecked,
            "goals": sorted(map(repr, goals)),
        }


def digest_of_data(value: Any) -> Any:
    """A number as it is; of an array a hash, also of its type and shape."""
    if not hasattr(value, "__array_interface__"):
        return value
    return hashlib.sha256(f"{value.dtype} {value.shape};".encode() + value.tobytes()).hexdigest()[:16]
