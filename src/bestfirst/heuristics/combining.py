"""max_of and sum_of: combine heuristics, whether they are functions or pattern databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from bestfirst.arguments import suggesting
from bestfirst.errors import InputError, shown
from bestfirst.heuristics.composition import maximum, total
from bestfirst.heuristics.from_databases import Additive, Largest
from bestfirst.heuristics.heuristic import Heuristic

if TYPE_CHECKING:
    from bestfirst.patterns.database import PatternDatabase


@overload
def max_of(*parts: Heuristic) -> Heuristic: ...


@overload
def max_of(*parts: PatternDatabase, dual: bool = False) -> Largest: ...


@suggesting
def max_of(*parts: Any, dual: bool = False) -> Heuristic | Largest:
    """The largest of several estimates: admissible if all are.

    parts: heuristics, or pattern databases of the problem that is searched. dual: look up the dual of each state in the databases
    too (see AbstractDomain.dual).
    Raises InputError if no part is given, and for parts of both kinds.
    """
    if _are_heuristics("max_of", parts):
        if dual:
            raise InputError("dual=True works only with pattern databases, but these are heuristics; omit dual")
        return maximum(*parts)
    return Largest(parts, dual=dual)


@overload
def sum_of(*parts: Heuristic, because: str) -> Heuristic: ...


@overload
def sum_of(*parts: PatternDatabase) -> Additive: ...


@suggesting
def sum_of(*parts: Any, because: str | None = None) -> Heuristic | Additive:
    """The sum of several estimates.

    parts: heuristics, or pattern databases of which no two count the same action (Korf & Felner 2002). because: for
    heuristics, why the sum never overestimates, such as "no action is counted by two of them"; with an empty string it
    is treated as inadmissible. Raises InputError if no part is given, for a mix of both kinds, if `because` is missing, and
    for databases that count the same action.
    """
    if not _are_heuristics("sum_of", parts):
        if because is not None:
            raise InputError(
                "because= works only with heuristics; omit it (bestfirst checks whether pattern databases are additive)"
            )
        from bestfirst.patterns.combination import check_counted  # noqa: PLC0415  (it imports NumPy)

        check_counted(parts)
        return Additive(parts)
    if because is None:
        raise InputError(
            "sum_of needs because=, the reason why the sum never overestimates, such as 'no action is counted twice'"
        )
    return total(*parts, because=because)


def _are_heuristics(function: str, parts: tuple[Any, ...]) -> bool:
    """Whether all parts are heuristics; otherwise they are pattern databases."""
    if not parts:
        raise InputError(f"{function}() was called without arguments; pass heuristics, or pattern databases")
    if all(isinstance(part, Heuristic) for part in parts):
        return True
    if all(_is_database(part) for part in parts):
        return False
    wrong = next((part for part in parts if not isinstance(part, Heuristic) and not _is_database(part)), None)
    if wrong is None:
        raise InputError(f"{function}() mixes heuristics and pattern databases; combine each kind separately")
    remedy = "; pass problem.heuristics()[...] instead of a name" if isinstance(wrong, str) else ""
    raise InputError(f"{function}() was given {shown(wrong)}, which is neither a Heuristic nor a PatternDatabase{remedy}")


def _is_database(part: object) -> bool:
    return any(kind.__module__ == "bestfirst.patterns.database" for kind in type(part).__mro__)
