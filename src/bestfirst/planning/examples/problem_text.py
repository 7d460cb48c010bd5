"""Problem files in PDDL: the text of a problem, from its objects, facts and goals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


def names(word: str, count: int) -> list[str]:
    """Names such as b1, b2, b3."""
    return [f"{word}{number}" for number in range(1, count + 1)]


def problem_text(
    domain: str,
    objects: Mapping[str, Sequence[str]],
    facts: Iterable[str],
    goal: Iterable[str],
    *,
    costs: bool = False,
) -> str:
    """A problem. objects: by type. facts, goal: without brackets, such as "on b1 b2"."""
    lines = [f"(define (problem {domain}-example)", f"  (:domain {domain})"]
    lines += ["  (:objects", *(f"    {' '.join(of_type)} - {kind}" for kind, of_type in objects.items() if of_type), "  )"]
    lines += ["  (:init", *(f"    ({fact})" for fact in facts), "  )"]
    lines += ["  (:goal (and", *(f"    ({fact})" for fact in goal), "  ))"]
    if costs:
        lines.append("  (:metric minimize (total-cost))")
    return "\n".join(lines) + "\n)\n"
