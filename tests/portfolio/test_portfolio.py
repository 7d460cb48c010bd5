"""Portfolios: what their members share, prove and count, with workers in this process, which search in turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.own_files import load_file
from bestfirst.portfolio import stages
from bestfirst.portfolio.messages import Cheaper, Improved, Message
from bestfirst.system.ray_cluster import ConnectionEndedError
from graphs import Graph, graphs
from in_turn_team import InTurnTeam
from profiles import examples

PANCAKES = bf.Pancake("4 1 7 2 6 3 5")
UNEVEN = bf.Pancake("4 6 2 5 1 3 7")
"""The heuristic gap is below the cost of its solutions."""
PROVER = "limited-discrepancy --heuristic zero"


@pytest.fixture(autouse=True)
def teams(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[InTurnTeam]]:
    """The teams that are made; the first member has no head start."""
    made: list[InTurnTeam] = []

    def team(_place: str) -> InTurnTeam:
        made.append(InTurnTeam())
        return made[-1]

    monkeypatch.setattr(stages, "team_on", team)
    monkeypatch.setattr(stages, "HEAD_START", 0)
    yield made


@pytest.mark.parametrize(("engine", "heuristic"), [("python", "zero"), ("compiled", "gap")])
def test_members_prune_with_the_best_solution_of_all(engine: str, heuristic: str, teams: list[InTurnTeam]) -> None:
    """The second member is told the cost that the first one found, and expands what it would with that as upper bound."""
    finder = bf.solve(UNEVEN, "beam", "gap", width=5, engine=engine)
    told = bf.solve(UNEVEN, "limited-discrepancy", heuristic, engine=engine, upper_bound=finder.cost)
    members = ["beam --width 5 -H gap", f"limited-discrepancy -H {heuristic}"]
    solution = bf.solve(UNEVEN, bf.Portfolio(members), engine=engine, workers=2, on="local")
    assert (solution.status, solution.cost, solution.lower_bound) == ("optimal", finder.cost, finder.cost)
    assert solution.stats.expanded == finder.stats.expanded + told.stats.expanded
    assert solution.actions == finder.actions
    assert next(entry.member for entry in solution.history if entry.cost is not None) == 1
    assert solution.history[-1].member == 2
    assert Cheaper(finder.cost or 0, finder.actions) in teams[0].told[1]
    assert (solution.algorithm, solution.heuristic, solution.engine) == ("portfolio", "gap", engine)
    solution.verify()


@given(graph=graphs(), count=st.integers(1, 3))
@examples(15)
def test_a_portfolio_finds_the_cheapest_solution(graph: Graph, count: int) -> None:
    """Or proves that there is none, as uniform-cost search does."""
    best = bf.solve(graph, "uniform-cost")
    solution = bf.solve(graph, "portfolio", "zero", workers=count)
    assert (solution.status, solution.lower_bound) == (best.status, best.lower_bound)
    assert solution.cost == best.cost


def test_a_small_search_needs_no_worker(monkeypatch: pytest.MonkeyPatch, teams: list[InTurnTeam]) -> None:
    """The first member begins in this process."""
    monkeypatch.setattr(stages, "HEAD_START", 2000)
    solution = bf.solve(PANCAKES, "portfolio", "gap", workers=2)
    assert (solution.status, solution.cost) == ("optimal", 7)
    assert not teams


def test_a_bound_of_one_proves_the_solution_of_another() -> None:
    """Beam search proves nothing, but the bound of IDA* meets its cost before IDA* has a solution."""
    beam = bf.solve(UNEVEN, "beam", "gap", width=5, engine="python")
    assert (beam.status, beam.cost) == ("solved", beam.lower_bound + 1)
    solution = bf.solve(UNEVEN, bf.Portfolio(["beam --width 5", "rbfs"]), "gap")
    assert (solution.status, solution.cost) == ("optimal", beam.cost)


def test_without_a_proof_the_solution_is_only_solved() -> None:
    """All members end; one with a weight bounds the cost, others do not."""
    solution = bf.solve(PANCAKES, bf.Portfolio(["beam --width 1", "greedy"]), "gap")
    assert solution.status == "solved"
    weighted = bf.solve(PANCAKES, bf.Portfolio(["greedy", "weighted-astar --weight 3"]), "gap")
    assert weighted.status in ("bounded", "optimal")


def test_a_limit_on_expansions_is_exact() -> None:
    """It is that of all members together; what one leaves, another gets; and a later run goes on."""
    search = bf.Search(PANCAKES, bf.Portfolio([PROVER, "beam --width 1 -H gap", "uniform-cost"]))
    solution = search.run(bf.Limits(expansions=101))
    assert (solution.status, solution.limit, solution.stats.expanded) == ("limit", "expansions", 101)
    assert search.run(bf.Limits(expansions=50)).stats.expanded == 151
    assert search.run().status == "optimal"


def test_an_incumbent_and_an_upper_bound_are_shared() -> None:
    """A known solution is kept if it is optimal; nothing is found below the optimum."""
    best = bf.solve(PANCAKES)
    kept = bf.solve(PANCAKES, bf.Portfolio([PROVER, "uniform-cost"], incumbent=best.actions))
    assert (kept.status, kept.actions) == ("optimal", best.actions)
    none = bf.solve(PANCAKES, bf.Portfolio([PROVER, "uniform-cost"], upper_bound=best.cost))
    assert (none.status, none.limit, none.cost, none.lower_bound) == ("limit", "upper_bound", None, best.cost)


def test_on_improvement_and_progress_see_all_members() -> None:
    """Each better solution is told once, and stats are those of all members."""
    found: list[bf.Solution] = []
    seen: list[int] = []
    members = ["beam --width 1 -H gap", "beam --width 5 -H gap", PROVER]
    solution = bf.solve(
        PANCAKES,
        bf.Portfolio(members),
        on_improvement=found.append,
        progress=lambda search: seen.append(search.stats.expanded),
    )
    costs = [one.cost for one in found]
    assert costs[-1] == solution.cost
    assert costs == sorted(set(costs), reverse=True)  # type: ignore[type-var]
    assert seen == sorted(seen)
    assert seen[-1] == solution.stats.expanded


def test_an_interrupt_in_progress_leaves_the_best_solution() -> None:
    """As for every other algorithm."""

    def progress(search: bf.Search) -> None:
        if search.cost is not None:
            raise KeyboardInterrupt

    solution = bf.solve(PANCAKES, bf.Portfolio(["beam --width 1 -H gap", PROVER]), progress=progress)
    assert (solution.status, solution.limit) == ("interrupted", None)
    assert solution.cost is not None


def test_a_problem_without_solution_needs_no_worker(teams: list[InTurnTeam]) -> None:
    """If it says so itself, its reason is that of the solution; otherwise a member proves it."""
    solution = bf.solve(bf.SlidingTile("1 2 3 4 5 6 8 7 _", goal="1 2 3 4 5 6 7 8 _"), "portfolio", "manhattan")
    assert (solution.status, solution.algorithm) == ("unsolvable", "portfolio")
    assert solution.reason
    assert not teams
    assert bf.solve(Graph({0: [(1, 1)]}), "portfolio").status == "unsolvable"


class CutOffTeam(InTurnTeam):
    """The connection to its workers ends once so many solutions were told."""

    left = 0

    def events(self, seconds: float) -> list[tuple[int, Message]]:
        if not self.left:
            raise ConnectionEndedError
        events = super().events(seconds)
        self.left -= any(isinstance(message, Improved) for _, message in events)
        return events


@pytest.mark.parametrize("solutions", [0, 1])
def test_a_connection_that_ends_leaves_the_best_solution(solutions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a warning; without a solution, it is an error."""
    monkeypatch.setattr(CutOffTeam, "left", solutions)
    monkeypatch.setattr(stages, "team_on", lambda _: CutOffTeam())
    search = bf.Search(PANCAKES, bf.Portfolio(["beam --width 1 -H gap", PROVER]))
    if not solutions:
        with pytest.raises(ConnectionEndedError, match="has ended"):
            search.run()
        return
    solution = search.run()
    assert (solution.status, solution.limit) == ("limit", "workers")
    assert "connection to the Ray cluster has ended" in solution.warnings[0]
    solution.verify()


class Unsendable(bf.Pancake):
    """A problem that cannot be pickled."""

    def __reduce__(self) -> Any:
        raise TypeError("it holds an open file")


def test_a_problem_that_cannot_be_sent_is_refused() -> None:
    """The message says why."""
    with pytest.raises(bf.InputError, match=r"cannot be sent to a worker process.*open file"):
        bf.solve(Unsendable("4 1 7 2 6 3 5"), "portfolio")


class Wrong(bf.Pancake):
    """Its heuristic fails."""

    @bf.heuristic(admissible=True)
    def failing(self, state: Any) -> int:
        raise KeyError(state)


def test_an_error_of_the_problem_ends_the_portfolio() -> None:
    """It is raised as it is."""
    with pytest.raises(KeyError):
        bf.solve(Wrong("4 1 7 2 6 3 5"), bf.Portfolio(["beam --width 5 -H zero", "astar -H failing"]), engine="python")


FILE = """
import bestfirst as bf

class Stairs(bf.Problem):
    initial = 0
    def is_goal(self, state):
        return False
    def successors(self, state):
        yield "up", state + 1, 1 // (9 - state)
"""


def test_an_error_in_a_file_of_the_user_names_its_line(tmp_path: Path) -> None:
    """A worker adds it, since a traceback does not reach the program."""
    (tmp_path / "stairs.py").write_text(FILE)
    stairs = load_file(str(tmp_path / "stairs.py")).Stairs()
    with pytest.raises(bf.InputError, match=r"stairs\.py:9: in Stairs\.successors: ZeroDivisionError"):
        bf.solve(stairs, "portfolio")


def _wrong(state: int) -> int:
    return 20 if state == 2 else 0


def test_a_wrong_bound_is_refuted() -> None:
    """The bound of a member whose heuristic overestimates does not hide a better solution, and a warning names it."""
    graph = Graph({0: [(1, 9), (2, 1)], 2: [(1, 1)]}, goals=frozenset({1}))
    wrong = bf.Heuristic(_wrong, "wrong", admissible=True)
    members = [("anytime-weighted-astar", wrong), "uniform-cost"]
    alone = bf.solve(graph, "anytime-weighted-astar", wrong)
    assert (alone.status, alone.cost) == ("optimal", 9)
    solution = bf.solve(graph, bf.Portfolio(list(reversed(members))))
    assert solution.cost == 2
    late = bf.solve(graph, bf.Portfolio([members[0], "uniform-cost"], upper_bound=9))
    assert (late.cost, late.warnings) == (None, [])
