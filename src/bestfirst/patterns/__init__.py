"""Pattern databases: tables of exact distances in abstract problems, built, stored, and used as heuristics."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bestfirst.deprecated import warn_deprecated

if TYPE_CHECKING:
    from bestfirst.patterns.abstract_domain import AbstractDomain
    from bestfirst.patterns.database import PatternDatabase
    from bestfirst.patterns.policy import Policy, database_policy
    from bestfirst.patterns.storage.files import DamagedDatabaseError

__all__ = [
    "AbstractDomain",
    "DamagedDatabaseError",
    "PatternDatabase",
    "Policy",
    "database_policy",
]

_MODULE_OF = {
    "AbstractDomain": "abstract_domain",
    "DamagedDatabaseError": "storage.files",
    "PatternDatabase": "database",
    "Policy": "policy",
    "database_policy": "policy",
}
"""Names that are imported on first use: most need NumPy, which a class of abstract domains can do without."""


_DEPRECATED = {"additive": "bf.sum_of(one, other)", "largest": "bf.max_of(one, other)"}


def __getattr__(name: str) -> Any:
    if name in _DEPRECATED:
        warn_deprecated(f"patterns.{name}", f"heuristic={_DEPRECATED[name]}")
        return getattr(import_module(f"{__name__}.combination"), name)
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF})
