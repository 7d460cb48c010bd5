"""The charge: what all workers are told once, before their first job, as bytes that any machine can read."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bestfirst.compiled.drivers.checkpoint import fingerprint
from bestfirst.errors import InputError
from bestfirst.patterns.policy import Policy, current_policy

if TYPE_CHECKING:
    from bestfirst.domain import Domain
    from bestfirst.heuristics.heuristic import Heuristic
    from bestfirst.problem import Problem
    from bestfirst.search_plan import HeuristicChoice


@dataclass(frozen=True)
class Charge:
    """A search as a worker makes it. fingerprint: of the search that the driver has."""

    problem: Problem
    heuristic: HeuristicChoice
    options: Mapping[str, Any]
    databases: Policy
    fingerprint: str

    @classmethod
    def of(
        cls, problem: Problem, heuristic: HeuristicChoice, options: Mapping[str, Any], domain: Domain, own: Heuristic | None
    ) -> Charge:
        """The charge for a problem that is searched as a domain with one of its heuristics."""
        return cls(problem, heuristic, options, replace(current_policy(), progress=None), fingerprint(domain, own))

    def packed(self) -> bytes:
        """The charge as bytes. Raises InputError if another process could not read it."""
        kind = type(self.problem)
        if kind.__module__ == "__main__":
            raise InputError(
                f"{kind.__name__} is defined in the program that runs, where workers cannot find it; define it in a module, "
                f"such as {kind.__name__.lower()}.py, and import it"
            )
        try:
            return pickle.dumps(self)
        except Exception as error:  # the problem's own code may raise anything
            raise InputError(
                f"{self.problem.name()} cannot be sent to workers: {error}; define its class at module level, and give the "
                "heuristic by name"
            ) from None
