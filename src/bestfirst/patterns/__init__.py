"""Pattern databases: tables of exact distances in abstract problems, built, stored, and used as heuristics."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bestfirst.patterns.abstract_domain import AbstractDomain
    from bestfirst.patterns.combination import additive, largest
    from bestfirst.patterns.database import PatternDatabase
    from bestfirst.patterns.policy import Policy, database_policy
    from bestfirst.patterns.storage.files import DamagedDatabaseError

__all__ = [
    "AbstractDomain",
    "DamagedDatabaseError",
    "PatternDatabase",
    "Policy",
    "additive",
    "database_policy",
    "largest",
]

_MODULE_OF = {
    "AbstractDomain": "abstract_domain",
    "DamagedDatabaseError": "storage.files",
    "PatternDatabase": "database",
    "Policy": "policy",
    "additive": "combination",
    "database_policy": "policy",
    "largest": "combination",
}
"""What is imported when it is first asked for: most of it imports NumPy, which a class of abstract domains can do without."""


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF})
