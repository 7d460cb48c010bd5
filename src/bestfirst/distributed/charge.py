"""The charge: what all workers are told once, before their first job, as bytes that any machine can read."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from bestfirst.compiled.drivers.checkpoint import fingerprint
from bestfirst.errors import InputError, how_to_pickle
from bestfirst.patterns.policy import Policy, current_policy

if TYPE_CHECKING:
    from bestfirst.compiled.sweeps.partitions import Layout
    from bestfirst.domain import Domain
    from bestfirst.heuristics.heuristic import Heuristic
    from bestfirst.problem import Problem
    from bestfirst.search_plan import HeuristicChoice


@dataclass(frozen=True)
class Charge:
    """What all charges contain. fingerprint: of the search or the enumeration that the driver has."""

    problem: Problem
    fingerprint: str

    def packed(self) -> bytes:
        """The charge as bytes. Raises InputError if another process could not read it."""
        kind = type(self.problem)
        if kind.__module__ == "__main__":
            raise InputError(
                f"{kind.__name__} is defined in the main program, where workers cannot find it; define it in a module, "
                f"such as {kind.__name__.lower()}.py, and import it"
            )
        try:
            return pickle.dumps(self)
        except Exception as error:  # the problem's own code may raise anything
            raise InputError(
                f"{self.problem.name()} cannot be sent to workers: {error}; {how_to_pickle(kind)}{self._otherwise}"
            ) from None

    def differs(self) -> InputError:
        """The error of a worker that finds another problem."""
        return InputError(
            f"a worker's {self.problem.name()} differs from that of the program; install the same version of its module and of "
            "bestfirst on all machines"
        )

    _otherwise: ClassVar[str] = ""


@dataclass(frozen=True)
class SearchCharge(Charge):
    """A search as a worker makes it."""

    heuristic: HeuristicChoice
    options: Mapping[str, Any]
    databases: Policy
    _otherwise: ClassVar[str] = ", and pass the heuristic by name"

    @classmethod
    def of(
        cls, problem: Problem, heuristic: HeuristicChoice, options: Mapping[str, Any], domain: Domain, own: Heuristic | None
    ) -> SearchCharge:
        """The charge for a problem that is searched as a domain with one of its heuristics."""
        return cls(problem, fingerprint(domain, own), heuristic, options, replace(current_policy(), progress=None))


LEVELS, DISTANCES = "levels", "distances"


@dataclass(frozen=True)
class PartitionsCharge(Charge):
    """An enumeration on disk (kind: LEVELS), or the build of a table there (DISTANCES), as a worker joins it.

    layout: of the arrays of one worker; run: the name that the progress has; both are unknown at first.
    """

    kind: str
    directory: str
    layout: Layout | None = None
    run: str = ""

    def within(self, layout: Layout, run: str) -> PartitionsCharge:
        """The charge for workers that share a layout."""
        return replace(self, layout=replace(layout, workers=None), run=run)
