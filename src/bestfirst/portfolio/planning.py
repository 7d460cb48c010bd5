"""The plan of a portfolio: its members, each with a plan of its own, and a reason for each choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from bestfirst.errors import InputError, shown
from bestfirst.portfolio.members import Member, candidates
from bestfirst.search import PORTFOLIO, algorithm_named
from bestfirst.search.incumbent import checked_upper_bound
from bestfirst.search_plan import (
    COMPILED,
    GIVEN,
    KEYWORDS,
    Choice,
    HeuristicChoice,
    Plan,
    check_place,
    check_there,
    engine_named,
    own_engine_of,
    plan,
)
from bestfirst.solution import LIMITS
from bestfirst.system.threads import processors

if TYPE_CHECKING:
    from bestfirst.problem import Problem

FEWEST = 2
"""Members by default, also on one processor."""
MOST_LOOKED_AT = 8
"""How many more members than wanted are considered, because the compiled engine cannot run all."""
REFERENCE_ENGINE = "python"
SHARED = ("incumbent", "upper_bound")
"""Options that apply to all members."""


def portfolio_plan(
    problem: Problem,
    heuristic: HeuristicChoice | None,
    given: Mapping[str, Any],
    *,
    trace: bool,
    on: str | None,
    workers: int | None,
    threads: int | None,
    **options: Any,
) -> Plan:
    """The plan of a portfolio; the arguments are those of plan(). given: limits, engine and databases.

    Raises InputError for members that the problem or the other arguments do not allow.
    """
    PORTFOLIO.check_options(options, also=KEYWORDS)
    checked_upper_bound(options.get("upper_bound"))
    if trace:
        raise InputError("each member of a portfolio searches on a worker, without a trace; omit trace")
    if threads not in (None, 1):
        raise InputError(
            f"threads is {threads!r}, but each member of a portfolio has one thread; omit threads, or use workers"
        )
    place = "local" if on is None else on
    check_place(place, workers)
    check_there(place)
    why = {"algorithm": GIVEN}
    wanted = options.get("members")
    if wanted is None:
        members = _default(problem, heuristic, given, workers)
        why["members"] = f"they suit a problem {'with' if _has_heuristic(problem, heuristic) else 'without'} a heuristic"
    else:
        members, why["members"] = _of_user(problem, heuristic, given, wanted, workers), "you chose them"
    why["workers"] = GIVEN if workers is not None else "one for each member"
    why["engine"] = GIVEN if given["engine"] is not None else "each member uses the faster one that supports it"
    shared = {name: options[name] for name in SHARED if options.get(name) is not None}
    choice = Choice(PORTFOLIO, None, shared, on=place, workers=len(members))
    compiles = any(member.compiles for member in members)
    return Plan(choice, None, engine_named(given["engine"]), why, compiles, members=tuple(members))


def _of_user(
    problem: Problem, heuristic: HeuristicChoice | None, given: Mapping[str, Any], wanted: Any, workers: int | None
) -> list[Plan]:
    if isinstance(wanted, str) or not isinstance(wanted, Sequence) or not wanted:
        raise InputError(f"members is {shown(wanted)}; pass a list of algorithms, such as ['anytime-beam', 'idastar']")
    if workers not in (None, len(wanted)):
        raise InputError(
            f"workers is {workers}, but members has length {len(wanted)}, and each member has one worker; omit workers"
        )
    plans = []
    for number, one in enumerate(wanted, 1):
        try:
            plans.append(_planned(problem, heuristic, given, Member.of(one)))
        except InputError as error:
            raise InputError(f"member {number} of the portfolio: {error}") from None
    return plans


def _planned(problem: Problem, heuristic: HeuristicChoice | None, given: Mapping[str, Any], member: Member) -> Plan:
    """The plan of a member. heuristic: the one of all members that take one and have none of their own."""
    algorithm = algorithm_named(member.algorithm)
    if member.options.get("threads") is not None:
        raise InputError("each member has one thread; omit threads")
    for name in (*SHARED, *KEYWORDS):
        if name in member.options:
            raise InputError(f"{name} applies to all members; pass it to the portfolio")
    for name in LIMITS:
        if name in member.options and name not in algorithm.options:
            raise InputError(f"a limit on {name} applies to all members; set it for the portfolio")
    wanted = member.heuristic
    if wanted is None and algorithm.heuristic != "none":
        wanted = heuristic
    planned = plan(problem, algorithm.name, wanted, **given, **member.options)
    algorithm.check_values(member.options)  # here, where the member is known
    return planned


def _has_heuristic(problem: Problem, heuristic: HeuristicChoice | None) -> bool:
    return heuristic is not None or problem.default_heuristic is not None


def _default(
    problem: Problem, heuristic: HeuristicChoice | None, given: Mapping[str, Any], workers: int | None
) -> list[Plan]:
    """The first members that the compiled engine can run, and then others. Raises InputError if there are not enough."""
    size = workers or max(FEWEST, processors())
    has_heuristic = _has_heuristic(problem, heuristic)
    possible: dict[str, Member] = {}
    for member in islice(
        candidates(has_heuristic=has_heuristic, has_own_engine=own_engine_of(problem) is not None), MOST_LOOKED_AT + size
    ):
        one = member if heuristic is None else replace(member, heuristic=None)
        possible.setdefault(repr(one), one)
    free = {**given, "engine": None}
    fast = [member for member in possible.values() if _planned(problem, heuristic, free, member).compiles]
    slow = [] if given["engine"] == COMPILED else [member for member in possible.values() if member not in fast]
    members = [*fast, *slow] if engine_named(given["engine"]) != REFERENCE_ENGINE else list(possible.values())
    if len(members) < size and (workers is not None or not members):
        if not members:
            raise InputError(
                f"the compiled engine can run none of the default members for {problem.name()}; name the members, or omit "
                "engine='compiled'"
            )
        raise InputError(
            f"the compiled engine can run only {len(members)} of the default members for {problem.name()}; use at most "
            "that many workers, or name the members"
        )
    return [_planned(problem, heuristic, given, member) for member in members[:size]]
