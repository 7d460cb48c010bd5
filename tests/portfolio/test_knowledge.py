"""What the members of a portfolio know together, and how they share a limit on expansions."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.portfolio.budget import Budget
from bestfirst.portfolio.knowledge import Knowledge
from bestfirst.portfolio.messages import Ended, Improved, Report
from bestfirst.solution import Stats


def _found(cost: float) -> Improved:
    return Improved(cost, ["a"], ["start", "end"], None, "python")


def test_the_best_of_all_is_known() -> None:
    """The lowest cost, the highest bound and the sum of all counts; the history says which member knew it first."""
    known = Knowledge(["beam", "astar"], inf)
    assert known.found(0, _found(10))
    assert not known.found(1, _found(10))
    known.reported(1, Report(Stats(expanded=5), 7, "h never overestimates"))
    known.reported(0, Report(Stats(expanded=3, peak_memory=4), 6))
    assert (known.cost, known.bound, known.finder) == (10, 7, 0)
    assert not known.is_proved
    assert known.found(1, _found(7))
    assert known.is_proved
    assert known.condition == "h never overestimates"
    known.reported(0, Report(Stats(expanded=4), 7))
    assert known.condition is None
    assert (known.stats.expanded, known.stats.peak_memory) == (9, None)
    assert [(entry.cost, entry.lower_bound, entry.member) for entry in known.history] == [
        (10, 0, 1),
        (10, 7, 2),
        (7, 7, 2),
    ]


def test_a_bound_above_a_cost_is_refuted() -> None:
    """Its heuristic overestimates: the bound counts no longer, and a warning names the member."""
    known = Knowledge(["beam", "astar"], inf)
    known.reported(1, Report(Stats(), 9))
    known.reported(0, Report(Stats(), 4))
    known.found(0, _found(8))
    assert known.bound == 4
    assert "member 2 (astar) has the bound 9, but a solution costs 8" in known.warnings[0]


def test_lost_workers_leave_their_counts_and_proofs() -> None:
    """The counts of the next worker are added to theirs."""
    known = Knowledge(["beam"], inf)
    known.reported(0, Report(Stats(expanded=5), 3))
    known.lost(0)
    known.reported(0, Report(Stats(expanded=2), 1))
    assert (known.stats.expanded, known.expanded_by(0), known.bound) == (7, 2, 3)


def test_only_solutions_below_the_upper_bound_are_kept() -> None:
    """Without one, a bound that reaches it ends the search."""
    known = Knowledge(["beam"], 5)
    assert not known.found(0, _found(5))
    known.ended(0, Ended(Report(Stats(), 5), "upper_bound", None, ("told",), is_over=True))
    assert known.is_proved
    assert known.cost is None
    assert known.remarks == ["member 1 (beam): told"]


@given(total=st.integers(0, 50), used=st.lists(st.integers(0, 12), max_size=20), members=st.integers(1, 4))
def test_shares_never_exceed_the_limit(total: int, used: list[int], members: int) -> None:
    """Whatever members use of their shares, together they get no more; what they do not use, others get."""
    budget = Budget(total)
    shares = budget.begin(range(members))
    done = dict.fromkeys(range(members), 0)
    for turn, wanted in enumerate(used):
        member = turn % members
        if member not in shares:
            continue
        done[member] += min(wanted, shares.pop(member) or 0)
        budget.ended(member, done[member])
        shares |= budget.shares(range(members))
        assert sum(done.values()) + sum(share or 0 for share in shares.values()) <= total
    assert sum(done.values()) <= total
    assert budget.is_used_up(range(members)) == (sum(done.values()) == total)


def test_without_a_limit_nobody_waits() -> None:
    """A share is None then."""
    budget = Budget(None)
    assert budget.begin([0, 1]) == {0: None, 1: None}
    budget.ended(0, 10)
    assert budget.shares([0, 1]) == {0: None}
    assert not budget.is_used_up([0, 1])


@pytest.mark.parametrize("limit", [inf, 3])
def test_a_proof_that_there_is_none(limit: float) -> None:
    """An infinite bound without a solution proves that there is none."""
    known = Knowledge(["astar"], limit)
    known.reported(0, Report(Stats(), inf))
    assert known.is_proved
