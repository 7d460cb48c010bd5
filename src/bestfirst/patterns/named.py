"""Pattern databases asked for by name: found, or built where the policy allows it, and put together as a heuristic."""

from __future__ import annotations

from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.patterns.combination import additive, largest
from bestfirst.patterns.database import PatternDatabase
from bestfirst.patterns.identity import Identity
from bestfirst.patterns.policy import ProgressLine, current_policy
from bestfirst.problem import Domain, Problem

PREFIX = "pdb:"
DUAL = "/dual"


def heuristic_of(problem: Problem, name: str) -> Heuristic:
    """The heuristic pdb:PATTERN, or pdb:PATTERN/dual, which looks up the dual of each state too.

    It is the sum of the distances in the problem's abstractions(PATTERN), if each says by `counted` which actions it counts;
    otherwise, and with duals, the greatest.

    Raises InputError for a pattern that the problem has not, and where a database is not there and cannot be built.
    """
    pattern = name.removeprefix(PREFIX)
    databases = []
    abstractions = problem.abstractions(pattern.removesuffix(DUAL))
    if pattern.endswith(DUAL) and not all(abstract.defines("dual") for abstract in abstractions):
        raise InputError(f"{problem.name()} has no dual states to look up; write {name.removesuffix(DUAL)}")
    for abstract in abstractions:
        found = PatternDatabase.find(Identity.of(abstract), lambda abstract=abstract: abstract, current_policy().data)  # type: ignore[misc]
        databases.append(found or build(abstract, abstract.name()))
    if pattern.endswith(DUAL):
        return largest(problem, databases, name, dual=True)
    combined = largest if any(database.domain.counted is None for database in databases) else additive
    return combined(problem, databases, name)


def build(abstract: Domain, what: str) -> PatternDatabase:
    """Build a database as the policy says, with a line of progress; raises InputError where it is not to be built.

    what: the pattern in words.
    """
    policy = current_policy()
    if not policy.may_build:
        raise InputError(f"the pattern database of {what} is not there, and is not to be built; leave out --no-build")
    line = ProgressLine(f"building the pattern database of {what}")
    try:
        return PatternDatabase.build(
            abstract,
            data=policy.data,
            threads=policy.threads,
            memory=policy.memory,
            disk=policy.disk,
            progress=policy.progress or line,
        )
    finally:
        line.close()
