"""What the table of an abstract domain depends on: the code that builds it, the data that this code reads, and some members.

The code is the compiler's translation of the domain's methods and of the functions that they call. It contains the constants of
their modules and the default arguments. It is the code of the classes in memory: the compiler refuses a method whose source is
not what runs, such as one in a file that was edited after it was imported.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from bestfirst.domain import Domain
from bestfirst.errors import CompileError
from bestfirst.patterns.abstract_domain import as_abstract, method_of
from bestfirst.patterns.building.methods import is_ranked, methods_of_build

REMARK = "pattern databases are built by compiled code"


@dataclass(frozen=True)
class TableCode:
    """The code that builds the table of a domain.

    code: a hash of the translated methods. reads: the attributes of the domain that they read. unchecked: as declared.
    """

    domain: Domain
    code: str
    reads: Collection[str]
    unchecked: bool

    @classmethod
    def of(cls, domain: Domain) -> TableCode:
        """The code for a domain. Raises CompileError, which names the line, if its methods cannot be compiled."""
        from bestfirst.compiled.compiler.translate import translate  # noqa: PLC0415  (domains of the library do without)

        try:
            translation = translate(domain, {name: method_of(domain, name) for name in methods_of_build(domain)})
        except CompileError as error:
            raise CompileError(error.file, error.line, error.function, error.why, REMARK) from None
        return cls(domain, translation.code_digest, frozenset(translation.reads), translation.unchecked)

    def digest(self) -> str:
        """A hash of everything that the table depends on, the same in each process."""
        read = {name: digest_of_data(self.domain.compiled_value(name)) for name in self.reads}
        text = json.dumps([self.code, read, self._stated()], sort_keys=True, default=repr)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def _stated(self) -> dict[str, Any]:
        """The other members that the build relies on."""
        # It imports the compiler, which a command that only names databases does without.
        from bestfirst.compiled.compiler.state_fields import state_fields, words_of_state  # noqa: PLC0415

        domain = as_abstract(self.domain)
        stated = [domain.goal_state()] if is_ranked(self.domain) else domain.goal_states() or ()
        goals = [
            [int(word) for word in words_of_state(domain, goal)] for goal in stated if goal is not None
        ]  # repr() may hide a field
        fields = [field.name if field.length is None else [field.name, field.length] for field in state_fields(domain)]
        return {
            "fields": fields,
            "bits": dict(domain.bits),
            "identity": list(domain.identity),
            "actions": int(domain.max_actions),
            "sizes": [int(size) for size in (domain.size, domain.block_size, domain.entries)],
            "unit_cost": domain.unit_cost,
            "undone": domain.can_be_undone(),
            "legal_first": domain.stops_at_illegal(),
            "unchecked": self.unchecked,
            "goals": sorted(goals),
        }


def digest_of_data(value: Any) -> Any:
    """A number itself, or a hash of an array with its type and shape."""
    if not hasattr(value, "__array_interface__"):
        return value
    return hashlib.sha256(f"{value.dtype} {value.shape};".encode() + value.tobytes()).hexdigest()[:16]
