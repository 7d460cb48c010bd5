"""What a portfolio and its members tell each other; without a common form, members could not be on other machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bestfirst.batches.parcels import packed, unpacked
from bestfirst.errors import InputError, kind_and_text
from bestfirst.imported_code import OtherCodeError
from bestfirst.solution import Limits, Stats

if TYPE_CHECKING:
    from bestfirst.patterns.policy import Policy
    from bestfirst.problem import Problem
    from bestfirst.search_plan import HeuristicChoice


@dataclass(frozen=True)
class Charge:
    """What a member is told first: its search. number: of the member, from 0.

    limits: those of the member, without expansions. upper_bound: the one that the user gave. known: the actions of the best
    solution so far, and its cost; None without one.
    """

    number: int
    problem: Problem
    algorithm: str
    heuristic: HeuristicChoice | None
    options: Mapping[str, Any]
    engine: str | None
    verify: bool
    databases: Policy | None
    limits: Limits
    upper_bound: float
    known: tuple[Sequence[Any], float] | None


# To a member.


class Go(NamedTuple):
    """Search for so many expansions; None: without this limit."""

    expansions: int | None


class Cheaper(NamedTuple):
    """Another member has found a solution."""

    cost: float
    actions: Sequence[Any]


class Stop(NamedTuple):
    """Report what is known, and search no more."""


Order: TypeAlias = Go | Cheaper | Stop

# From a member.


@dataclass(frozen=True)
class Report:
    """What a member has done and proved: no solution costs less than lower_bound, on a condition if there is one."""

    stats: Stats = field(default_factory=Stats)
    lower_bound: float = 0
    condition: str | None = None


class Improved(NamedTuple):
    """A solution that is better than all that the member knew."""

    cost: float
    actions: Sequence[Any]
    states: Sequence[Any]
    heuristic: str | None
    engine: str


class Ended(NamedTuple):
    """A search has ended, or was stopped.

    limit: what stopped it, or made it incomplete, if anything. weight: the cost of its solution is proved to be at most
    `weight` times the optimum; None without such a proof. is_over: whether it has ended by itself, so that it can find no more.
    """

    report: Report
    limit: str | None
    weight: float | None
    warnings: Sequence[str]
    is_over: bool


class Lost(NamedTuple):
    """The worker has ended by itself. how: in words, after "it ended"."""

    how: str


class Failed(NamedTuple):
    """An error of the problem, or of the arguments."""

    error: Exception


Message: TypeAlias = Report | Improved | Ended | Lost | Failed


def sendable(message: Message) -> bytes:
    """A message of a member as bytes. If it cannot be pickled and read back, the text of the error takes its place."""
    try:
        parcel = packed(message)
        if isinstance(message, Failed):
            unpacked(parcel)  # an exception can be pickled although its class cannot be called with its args
        return parcel
    except Exception as failed:
        error = message.error if isinstance(message, Failed) else failed
        return packed(Failed(InputError(f"a member of the portfolio cannot send what it found: {kind_and_text(error)}")))


def unreadable(error: Exception) -> Failed:
    """What a worker tells that cannot read its charge."""
    why = (
        error
        if isinstance(error, OtherCodeError)
        else InputError(f"a worker cannot load the problem ({kind_and_text(error)})")
    )
    return Failed(why)
