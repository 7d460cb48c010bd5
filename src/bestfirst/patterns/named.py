"""Pattern databases by name: found, or built if the policy allows it, and combined into a heuristic."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from time import sleep

from bestfirst.domain import Domain
from bestfirst.errors import DatabaseError, InputError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.patterns.abstract_domain import as_abstract
from bestfirst.patterns.building.progress import Progress
from bestfirst.patterns.combination import additive, largest
from bestfirst.patterns.database import PatternDatabase
from bestfirst.patterns.identity import Identity
from bestfirst.patterns.policy import Policy, ProgressLine, current_policy, tell
from bestfirst.patterns.storage.files import BUILDING, data_directory
from bestfirst.problem import Problem
from bestfirst.system.holder import who_holds
from bestfirst.system.threads import processors

PREFIX = "pdb:"
DUAL = "/dual"
SECONDS_BETWEEN_LOOKS = 0.1
"""Seconds between two checks whether another process still builds the same database."""


def heuristic_of(problem: Problem, name: str) -> Heuristic:
    """The heuristic pdb:PATTERN, or pdb:PATTERN/dual, which also looks up the dual of each state.

    It is the sum of the distances in the problem's abstractions(PATTERN), if each declares by `counted` which actions it
    counts; otherwise, and with duals, the maximum.

    Raises InputError for an unknown pattern, and if a database does not exist and cannot be built.
    """
    pattern = name.removeprefix(PREFIX)
    databases = []
    for abstract in abstractions_of(problem, pattern):
        found = PatternDatabase.find(Identity.of(abstract), lambda abstract=abstract: abstract, current_policy().data)  # type: ignore[misc]
        databases.append(found or build(abstract, abstract.name()))
    if pattern.endswith(DUAL):
        return largest(problem, databases, name, dual=True)
    combined = largest if any(as_abstract(database.domain).counted is None for database in databases) else additive
    return combined(problem, databases, name)


def abstractions_of(problem: Problem, pattern: str) -> Sequence[Domain]:
    """The abstract problems whose databases pdb:PATTERN uses; a suffix /dual does not change them.

    Raises InputError for an unknown pattern, and for /dual if its states have no duals.
    """
    abstractions = problem.abstractions(pattern.removesuffix(DUAL))
    if pattern.endswith(DUAL) and not all(abstract.defines("dual") for abstract in abstractions):
        raise InputError(f"{problem.name()} has no dual states; use {PREFIX}{pattern.removesuffix(DUAL)}")
    return abstractions


def build(abstract: Domain, what: str) -> PatternDatabase:
    """Build a database under the policy, with a progress line; raises InputError if the policy forbids it.

    If another process builds it, wait: then the database exists, or its interrupted build is resumed.
    what: a description of the pattern.
    """
    from bestfirst.patterns.building.work_files import BeingBuiltError  # noqa: PLC0415  (it imports NumPy)

    policy = current_policy()
    if not policy.may_build:
        raise DatabaseError(
            f"the pattern database of {what} does not exist, and building is forbidden; omit --no-build (in Python: "
            "may_build=False), or use another heuristic"
        )
    while True:
        _wait_for_others(abstract, what, policy)
        with suppress(BeingBuiltError):  # another process was quicker
            return _built(abstract, what, policy)


def _built(abstract: Domain, what: str, policy: Policy) -> PatternDatabase:
    line = ProgressLine(f"building the pattern database of {what}")
    try:
        return PatternDatabase.build(
            abstract,
            data=policy.data,
            threads=policy.threads or processors(),
            memory=policy.memory,
            disk=policy.disk,
            progress=policy.progress or line,
        )
    finally:
        line.close()


def _wait_for_others(abstract: Domain, what: str, policy: Policy) -> None:
    """Wait while another process builds the same database; Ctrl-C ends the wait."""
    from bestfirst.patterns.building.work_files import LOCK, is_being_built  # noqa: PLC0415  (it imports NumPy)

    building = data_directory(policy.data) / f"{Identity.of(abstract).key}{BUILDING}"
    if is_being_built(building):
        who = who_holds(building / LOCK)
        tell(f"another process is building the pattern database of {what}; waiting for it" + (who and f". {who}"))
        while is_being_built(building):
            sleep(SECONDS_BETWEEN_LOOKS)
            if policy.progress is not None:  # it may check for Ctrl-C
                policy.progress(Progress(None))
