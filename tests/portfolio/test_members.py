"""The members of a portfolio: as users name them, and those that it has by default."""

from __future__ import annotations

import json
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.batches.parcels import unpacked
from bestfirst.cli.app import run
from bestfirst.portfolio.members import Member
from bestfirst.portfolio.messages import Failed, sendable
from graphs import Graph

PUZZLE = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")


@pytest.mark.parametrize(
    ("given", "member"),
    [
        ("astar", Member("astar")),
        ("anytime-weighted-astar --weight 3", Member("anytime-weighted-astar", None, {"weight": 3})),
        ("weighted-astar --weight=1.5 -H manhattan", Member("weighted-astar", "manhattan", {"weight": 1.5})),
        ("depth-first-branch-and-bound --memo", Member("depth-first-branch-and-bound", None, {"memo": True})),
        (
            "lazy-greedy --no-preferred --heuristic 'max(ff, hadd)'",
            Member("lazy-greedy", "max(ff, hadd)", {"preferred": False}),
        ),
        ("astar --ties lifo", Member("astar", None, {"ties": "lifo"})),
        (bf.IDAStar(prune=8), Member("idastar", None, {"prune": 8})),
        ((bf.IDAStar(prune=8), "pdb:8"), Member("idastar", "pdb:8", {"prune": 8})),
        (["astar --ties lifo", "manhattan"], Member("astar", "manhattan", {"ties": "lifo"})),
    ],
)
def test_a_member_is_named_in_three_ways(given: Any, member: Member) -> None:
    """As on the command line, as an object, and as one of these with a heuristic."""
    assert Member.of(given) == member


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"members": "astar"}, "members is 'astar'; pass a list"),
        ({"members": []}, "pass a list"),
        ({"members": [3]}, "member 1 of the portfolio: .* is 3; write an algorithm"),
        ({"members": ["astar", "--width 3"]}, "member 2 of the portfolio: .*does not begin with an algorithm"),
        ({"members": ["astar width 3"]}, "'width' in the member 'astar width 3' is not an option"),
        ({"members": ["astar 'x"]}, "cannot be read"),
        ({"members": ["astra"]}, "member 1 of the portfolio: no algorithm is called .astra.; did you mean"),
        ({"members": ["astar --width 3"]}, "astar has no option 'width'"),
        ({"members": [("astar -H zero", "zero")]}, "two heuristics"),
        ({"members": ["astar --upper-bound 3"]}, "applies to all members"),
        ({"members": ["astar --engine python"]}, "engine applies to all members"),
        ({"members": ["astar --seconds 3"]}, "member 1 of the portfolio: a limit on seconds applies to all members"),
        ({"members": ["astar --limits 3"]}, "limits applies to all members"),
        ({"members": ["idastar --workers 2"]}, "workers applies to all members"),
        ({"members": ["idastar", bf.IDAStar(threads=2)]}, "member 2 of the portfolio: each member has one thread"),
        ({"members": ["beam", "weighted-astar --weight nan"]}, "member 2 of the portfolio: the weight is nan"),
        ({"members": ["beam", "idastar -H"]}, "member 2 of the portfolio: .*names no heuristic"),
        ({"members": [(["astar", "zero"], "zero")]}, "member 1 of the portfolio: .*write an algorithm"),
        ({"members": ["portfolio"]}, "name one algorithm"),
        ({"members": ["astar"], "workers": 2}, "2, but members has length 1, and each"),
        ({"threads": 2}, "each member of a portfolio has one thread"),
        ({"trace": True}, "without a trace"),
        ({"on": "moon"}, "moon"),
        ({"workers": 0}, "workers is 0"),
        ({"upper_bound": -1}, "upper_bound is -1"),
        ({"width": 3}, "width"),
    ],
)
def test_a_wrong_portfolio_is_refused(arguments: dict[str, Any], message: str) -> None:
    """The message names the member, and says what to write."""
    with pytest.raises(bf.InputError, match=message):
        bf.plan(PUZZLE, "portfolio", **arguments)


def test_a_heuristic_that_there_is_not_is_told_with_its_member() -> None:
    """The one that has begun, since only its search looks for it."""
    with pytest.raises(bf.InputError, match=r"member 1 of the portfolio: .*no heuristic 'nope'"):
        bf.solve(PUZZLE, bf.Portfolio(["astar -H nope", "beam"]))


def test_the_default_members_suit_the_problem() -> None:
    """They differ, as many as wanted; with and without a heuristic, and for tasks; the plan tells them."""
    plan = bf.plan(PUZZLE, "portfolio", "manhattan", workers=12)
    members = [(member.algorithm, str(member.first.options)) for member in plan.members]
    assert len(set(members)) == 12
    assert all(member.heuristic == "manhattan" and member.compiles for member in plan.members)
    assert "1. anytime-beam with manhattan, compiled engine" in str(plan)
    assert plan.to_dict()["members"][1]["algorithm"] == plan.members[1].algorithm
    without = bf.plan(Graph({0: [(1, 1)]}, goals=frozenset({1})), "portfolio", workers=2)
    assert [member.algorithm for member in without.members]
    assert {stage.on for stage in without.stages} == {"local"}


def test_the_command_names_members(capsys: pytest.CaptureFixture[str]) -> None:
    """--member is repeated; --plan and --json tell them."""
    solve = ["solve", "sliding-tile", "8 6 7 2 5 4 3 _ 1", "--algorithm", "portfolio", "--heuristic", "manhattan", "--plan"]
    assert run([*solve, "--member", "anytime-beam --width 8", "--member", "idastar -H zero"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "portfolio, 2 local workers, side by side:"
    assert told[1] == "1. anytime-beam with manhattan, width 8, compiled engine"
    assert told[2] == "2. idastar with zero, compiled engine"
    assert run([*solve, "--workers", "3", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["members"]) == 3
    assert run([*solve, "--member", "astra"]) == 2
    assert "astra" in capsys.readouterr().err


def test_elsewhere_a_portfolio_is_refused() -> None:
    """A batch has workers already, and a portfolio cannot be saved or traced step by step."""
    with pytest.raises(bf.InputError, match="name one algorithm"):
        list(bf.solve_many([PUZZLE], "portfolio"))
    with pytest.raises(bf.InputError, match="cannot be saved"):
        bf.solve(PUZZLE, "portfolio", save_to="search.npz")
    with pytest.raises(bf.InputError, match="cannot be saved"):
        bf.Search(PUZZLE, "portfolio").save("search.npz")
    with pytest.raises(bf.InputError, match="no single sequence of events"):
        iter(bf.Search(PUZZLE, "portfolio"))


def test_a_bound_has_its_condition_although_nothing_is_proved() -> None:
    """As that of any search; it rests on estimates that may be too high."""

    def three_times(state: tuple[int, ...]) -> int:
        return 3 * sum(place != tile for place, tile in enumerate(state))

    puzzle = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
    for algorithm in ("astar", bf.Portfolio(["astar", "idastar"])):
        solution = bf.solve(puzzle, algorithm, three_times, limits=bf.Limits(expansions=20))
        assert solution.condition == "heuristic 'three_times' never overestimates"
        assert any("the proof assumes that heuristic 'three_times'" in warning for warning in solution.warnings)


class _OddError(Exception):
    """It can be pickled, but not read back."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(f"{second} {first}")


def test_an_error_that_cannot_be_read_back_is_sent_as_text() -> None:
    """Its text says what happened."""
    failed = unpacked(sendable(Failed(_OddError("on", "no way"))))
    assert isinstance(failed, Failed)
    assert "_OddError: no way on" in str(failed.error)
