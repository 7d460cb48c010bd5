"""What every algorithm of the registry must keep, on random graphs and on small puzzles."""

from __future__ import annotations

import math
import signal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.search import Algorithm
from graphs import Graph, admissible_heuristics, graphs
from profiles import examples

ALL = list(bf.ALGORITHMS.values())
ON_GRAPHS = [algorithm for algorithm in ALL if algorithm.name != "bidirectional-astar"]
EIGHT = bf.SlidingTile("2 8 3 1 6 4 7 _ 5", goal="1 2 3 8 _ 4 7 6 5")
LITTLE = bf.SlidingTile("_ 1 / 3 2")


def options_of(algorithm: Algorithm) -> dict[str, Any]:
    return {"depth": 12} if algorithm.name == "depth-limited" else {}


def puzzle_for(algorithm: Algorithm) -> bf.SlidingTile:
    """A puzzle that the algorithm can finish: generate-and-test would never solve the larger one."""
    return LITTLE if algorithm.name == "generate-and-test" else EIGHT


def search_for(algorithm: Algorithm, problem: bf.Problem, **more: Any) -> bf.Search:
    return bf.Search(problem, algorithm.name, **options_of(algorithm), **more)


def heuristic_for(algorithm: Algorithm, h: Any) -> Any:
    return bf.Heuristic(h, "given", admissible=True) if algorithm.heuristic != "none" else None


@pytest.mark.parametrize("algorithm", ON_GRAPHS, ids=lambda algorithm: algorithm.name)
@examples(15)
@given(data=st.data())
def test_what_an_algorithm_promises_holds_on_random_graphs(algorithm: Algorithm, data: st.DataObject) -> None:
    """Statuses, costs and bounds agree with the truth; every plan can be replayed; every search ends."""
    graph = data.draw(graphs(most_nodes=4 if algorithm.name == "generate-and-test" else 6))
    h = data.draw(admissible_heuristics(graph))
    optimum = graph.distances()[graph.initial]

    solution = bf.solve(graph, algorithm.name, heuristic_for(algorithm, h), **options_of(algorithm))

    solution.verify()
    if optimum == math.inf:
        assert solution.status == "unsolvable"
        assert solution.lower_bound == math.inf
        return
    assert solution.cost is not None
    assert solution.cost >= optimum - 1e-9
    assert solution.lower_bound <= optimum + 1e-9
    if algorithm.promise == "cheapest":
        assert solution.status == "optimal"
    if solution.status == "optimal":
        assert solution.cost == pytest.approx(optimum)
    if algorithm.promise == "fewest actions":
        assert len(solution) == graph.fewest_actions()
    if algorithm.promise == "bounded":
        assert solution.status in ("optimal", "bounded")
        assert solution.cost <= 1.5 * optimum + 1e-9


@pytest.mark.parametrize("algorithm", ON_GRAPHS, ids=lambda algorithm: algorithm.name)
def test_every_algorithm_ends_on_an_unsolvable_problem_with_cycles(algorithm: Algorithm) -> None:
    """A finite space full of cycles, free ones among them, and no goal: unsolvable, proved."""
    ring = Graph({0: [(1, 1), (2, 0)], 1: [(2, 1), (0, 2)], 2: [(0, 0), (1, 1), (3, 0)], 3: [(2, 0)]})
    solution = bf.solve(ring, algorithm.name, heuristic_for(algorithm, lambda _: 0), **options_of(algorithm))
    assert solution.status == "unsolvable"
    assert solution.cost is None and solution.actions == [] and solution.states == []


@pytest.mark.parametrize("algorithm", ALL, ids=lambda algorithm: algorithm.name)
def test_a_start_that_is_a_goal_costs_nothing(algorithm: Algorithm) -> None:
    """The solution is the start alone; only generate-and-test expands anything."""
    solution = search_for(algorithm, bf.SlidingTile("1 2 / 3 _")).run()
    assert (solution.cost, solution.actions, solution.states) == (0, [], [(1, 2, 3, 0)])
    assert solution.status == "optimal"
    assert solution.stats.expanded == 0 or algorithm.name == "generate-and-test"


@pytest.mark.parametrize("algorithm", ALL, ids=lambda algorithm: algorithm.name)
def test_a_board_of_one_cell_is_solved(algorithm: Algorithm) -> None:
    """The smallest problem there is: one state, no actions."""
    assert search_for(algorithm, bf.SlidingTile("_")).run().status == "optimal"


@pytest.mark.parametrize("algorithm", ALL, ids=lambda algorithm: algorithm.name)
def test_the_limit_on_expansions_is_exact(algorithm: Algorithm) -> None:
    """As many expansions as a search needs are enough; with one less it stops having made just that many."""
    puzzle = puzzle_for(algorithm)
    whole = search_for(algorithm, puzzle).run()
    needed = whole.stats.expanded
    assert search_for(algorithm, puzzle, limits=bf.Limits(expansions=needed)).run().status == whole.status

    short = search_for(algorithm, puzzle, limits=bf.Limits(expansions=needed - 1)).run()
    assert (short.status, short.limit) == ("limit", "expansions")
    assert short.stats.expanded == needed - 1


@pytest.mark.parametrize("algorithm", ON_GRAPHS, ids=lambda algorithm: algorithm.name)
def test_a_stopped_search_has_asked_for_no_more_successors_than_it_was_allowed(algorithm: Algorithm) -> None:
    """The limit stops the search before the next call of successors, not after it."""
    chain = Graph({node: [(node + 1, 1), (node, 1)] for node in range(50)}, 0, frozenset([50]))
    search = search_for(algorithm, chain, heuristic=heuristic_for(algorithm, lambda _: 0))
    search.run(bf.Limits(expansions=7))
    assert search.stats.expanded == chain.calls == 7


@pytest.mark.parametrize("algorithm", ALL, ids=lambda algorithm: algorithm.name)
def test_a_search_in_slices_is_the_same_search(algorithm: Algorithm) -> None:
    """Stopped after every other expansion and run on, a search has the same counts, path and bound as in one go."""
    puzzle = puzzle_for(algorithm)
    whole = search_for(algorithm, puzzle).run()
    search = search_for(algorithm, puzzle)
    while (sliced := search.run(bf.Limits(expansions=2))).status == "limit":
        if algorithm.name == "depth-limited" and sliced.limit == "depth":
            break
    sliced.stats.seconds = whole.stats.seconds
    assert sliced.stats == whole.stats
    assert (sliced.status, sliced.states, sliced.lower_bound) == (whole.status, whole.states, whole.lower_bound)


@pytest.mark.parametrize("algorithm", ALL, ids=lambda algorithm: algorithm.name)
def test_looking_at_a_search_does_not_change_it(algorithm: Algorithm) -> None:
    """With a trace, or event by event, the counts and the path are those of a search that nobody looks at."""
    puzzle = puzzle_for(algorithm)
    plain = search_for(algorithm, puzzle).run()
    stepped = search_for(algorithm, puzzle, trace=True)
    events = list(stepped)
    seen = stepped.solution
    assert stepped.trace is not None and stepped.trace.events == events
    seen.stats.seconds = plain.stats.seconds
    assert (seen.stats, seen.states, seen.status) == (plain.stats, plain.states, plain.status)
    kinds = [event.kind for event in events]
    assert kinds.count("expand") == plain.stats.expanded
    made = ("generate", "duplicate", "update", "reopen", "prune")
    assert sum(kind in made for kind in kinds) >= plain.stats.generated
    assert kinds.count("reopen") == plain.stats.reopened


@pytest.mark.parametrize("algorithm", ON_GRAPHS, ids=lambda algorithm: algorithm.name)
def test_ctrl_c_stops_a_search_cleanly_and_it_can_be_run_on(algorithm: Algorithm) -> None:
    """Ctrl-C in the middle of an expansion gives status interrupted; run again, the search finds what is to be found."""

    class PressesCtrlC(Graph):
        def successors(self, state: int) -> Any:
            if self.calls == 3:
                signal.raise_signal(signal.SIGINT)
            return super().successors(state)

    edges: dict[int, list[tuple[int, float]]] = {node: [(node + 1, 1)] for node in range(6)}
    if algorithm.name == "generate-and-test":
        edges = {0: [(1, 1)], 1: [(2, 1)], 2: [(3, 1)], 3: []}
    last = max(edges) + 1 if algorithm.name != "generate-and-test" else 3
    chain = PressesCtrlC(edges, 0, frozenset([last]))
    search = search_for(algorithm, chain, heuristic=heuristic_for(algorithm, lambda _: 0))
    stopped = search.run()
    assert stopped.status == "interrupted"
    assert stopped.cost is None
    finished = search.run()
    finished.verify()
    assert finished.cost == last


@pytest.mark.parametrize("algorithm", ALL, ids=lambda algorithm: algorithm.name)
def test_the_lower_bound_of_a_running_search_never_exceeds_the_optimum(algorithm: Algorithm) -> None:
    """At every event the bound is at most the optimum and never falls."""
    puzzle = puzzle_for(algorithm)
    optimum = bf.solve(puzzle, "breadth-first").cost
    assert optimum is not None
    search = search_for(algorithm, puzzle)
    bounds = [search.lower_bound for _ in search]
    assert bounds == sorted(bounds)
    assert bounds[-1] <= optimum


@examples(30)
@given(walk=st.lists(st.integers(0, 3), max_size=14))
def test_bidirectional_search_agrees_with_breadth_first_on_random_boards(walk: list[int]) -> None:
    """NBS with each heuristic, and with none, proves the optimum and returns a path that can be replayed."""
    board = EIGHT.goal
    for choice in walk:
        following = list(EIGHT.successors(board))
        board = following[choice % len(following)][1]
    puzzle = bf.SlidingTile(board, EIGHT.goal)
    optimum = bf.solve(puzzle, "breadth-first").cost
    for h in ("manhattan", "linear-conflict", "zero"):
        solution = bf.solve(puzzle, "bidirectional-astar", h)
        solution.verify()
        assert (solution.status, solution.cost) == ("optimal", optimum)


class TwoWayGraph(Graph):
    """A graph with one goal, which can be searched backward."""

    def backward(self) -> Graph:
        edges: dict[int, list[tuple[int, float]]] = {}
        for source, links in self.edges.items():
            for target, cost in links:
                edges.setdefault(target, []).append((source, cost))
        (goal,) = self.goals
        return _Reversed(edges, goal, frozenset([self.initial]))


class _Reversed(Graph):
    def successors(self, state: int) -> Any:
        return [(f"to {state}", source, cost) for source, cost in self.edges.get(state, [])]


@examples(75)
@given(data=st.data())
def test_bidirectional_search_is_optimal_with_inconsistent_heuristics_on_both_sides(data: st.DataObject) -> None:
    """On random graphs with free edges, NBS agrees with the truth, whatever the (admissible) heuristics."""
    graph = data.draw(graphs())
    one_goal = TwoWayGraph(graph.edges, 0, frozenset([max(graph.goals, default=0)]))
    forward = bf.Heuristic(data.draw(admissible_heuristics(one_goal)), "forward", admissible=True)
    back = data.draw(admissible_heuristics(one_goal.backward()))
    solution = bf.solve(one_goal, "bidirectional-astar", forward, backward_heuristic=lambda node: _known(back, node))
    solution.verify()
    optimum = one_goal.distances()[0]
    assert solution.status == ("unsolvable" if optimum == math.inf else "optimal")
    if optimum < math.inf:
        assert solution.cost == pytest.approx(optimum)


class Marked(TwoWayGraph):
    """The same graph, whose states carry along in which direction they were made."""

    initial = (0, "forth")  # type: ignore[assignment]
    names = "to {}"

    def key(self, state: Any) -> Any:
        return state[0]

    def is_goal(self, state: Any) -> bool:
        return state[0] in self.goals

    def successors(self, state: Any) -> Any:
        return [(action, (node, "forth"), cost) for action, node, cost in super().successors(state[0])]

    def backward(self) -> Any:
        reverse = super().backward()

        def into(state: Any) -> Any:
            return [(self.names.format(state[0]), (node, "back"), cost) for _, node, cost in reverse.successors(state[0])]

        back = bf.Problem.of((reverse.initial, "back"), into, lambda state: state[0] == 0)
        back.key = self.key  # type: ignore[method-assign]
        return back


def test_states_that_differ_in_what_they_carry_along_meet_by_their_keys() -> None:
    """The path has the states of the problem itself; actions that the problem does not have are an error."""
    edges: dict[int, list[tuple[int, float]]] = {0: [(1, 1), (2, 3)], 1: [(2, 1)], 2: [(3, 1)]}
    zero = bf.Heuristic(lambda _: 0, "zero", admissible=True)
    solution = bf.solve(Marked(edges, (0, "forth"), frozenset([3])), "bidirectional-astar", zero)  # type: ignore[arg-type]
    solution.verify()
    assert (solution.cost, solution.states) == (3, [(node, "forth") for node in range(4)])

    class Misnamed(Marked, keeps_claims=True):
        names = "back to {}"

    with pytest.raises(bf.ProblemError, match=r"backward\(\) says that action 'back to"):
        bf.solve(Misnamed(edges, (0, "forth"), frozenset([3])), "bidirectional-astar", zero)  # type: ignore[arg-type]


def _known(h: Any, node: int) -> float:
    try:
        value: float = h(node)
    except KeyError:
        return 0
    return value


def test_astar_with_no_heuristic_is_uniform_cost_and_with_unit_costs_breadth_first() -> None:
    """With h = 0 the three expand the same nodes in the same order."""
    orders = []
    for name, h in (("astar", "zero"), ("uniform-cost", None), ("breadth-first", None)):
        search = bf.Search(EIGHT, name, h, trace=True)
        search.run()
        assert search.trace is not None
        orders.append([node.state for node in search.trace.expansions()])
    assert orders[0] == orders[1] == orders[2]


def test_astar_reopens_a_closed_node_and_reports_the_inconsistent_heuristic() -> None:
    """A closed node to which a cheaper path turns up goes back on the agenda; without that the answer would be 8."""
    graph = Graph({0: [(1, 1), (2, 1)], 1: [(3, 2)], 2: [(3, 4)], 3: [(4, 3)]}, 0, frozenset([4]))
    h = {0: 5, 1: 5, 2: 0, 3: 1, 4: 0}
    solution = bf.solve(graph, "astar", bf.Heuristic(h.__getitem__, "lopsided", admissible=True))
    assert (solution.cost, solution.status, solution.stats.reopened) == (6, "optimal", 1)
    assert any("inconsistent" in warning and "lopsided" in warning for warning in solution.warnings)


def test_an_overestimate_met_on_the_way_takes_the_proof_back() -> None:
    """A heuristic that nobody vouches for, and that the solution proves wrong, leaves status solved and says where."""
    graph = Graph({0: [(1, 1), (2, 2)], 1: [(3, 1)], 2: [(3, 1)]}, 0, frozenset([3]))
    h = {0: 0, 1: 9, 2: 3, 3: 0}
    solution = bf.solve(graph, "astar", h.__getitem__)
    assert (solution.cost, solution.status, solution.lower_bound) == (3, "solved", 0)
    assert any("overestimates" in warning for warning in solution.warnings)


def test_anytime_search_keeps_improving_and_ends_optimal() -> None:
    """The costs of its goals fall, the bound rises to meet them, and the last one is the optimum."""
    puzzle = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
    search = bf.Search(puzzle, "anytime-weighted-astar", "manhattan", weight=5)
    goals = [(event.node.g, event.bound) for event in search if event.kind == "goal" and event.node]
    costs = [cost for cost, _ in goals]
    assert len(costs) > 1 and costs == sorted(set(costs), reverse=True)
    assert all(bound <= 31 for _, bound in goals)
    assert (search.solution.status, search.solution.cost, search.solution.lower_bound) == ("optimal", 31, 31)


def test_weighted_astar_says_what_it_promises() -> None:
    """Its solution is within the weight of the optimum, and the status and the bound say so."""
    puzzle = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
    solution = bf.solve(puzzle, "weighted-astar", "manhattan", weight=3)
    assert solution.cost is not None and 31 <= solution.cost <= 93
    assert (solution.status, solution.weight) == ("bounded", 3)
    assert solution.cost / 3 <= solution.lower_bound <= 31


def test_a_depth_limit_cuts_nodes_and_says_so() -> None:
    """Within enough depth the optimum is proved; one action less, nothing is found, and the limit named is depth."""
    for name in ("astar", "breadth-first", "idastar", "depth-first-branch-and-bound", "bidirectional-astar"):
        enough = bf.solve(EIGHT, name, limits=bf.Limits(depth=5))
        assert (enough.status, enough.cost) == ("optimal", 5), name
        search = bf.Search(EIGHT, name, limits=bf.Limits(depth=2 if name == "bidirectional-astar" else 4))
        short = search.run()
        assert (short.status, short.limit, short.cost) == ("limit", "depth", None), name


def test_the_depth_limit_of_a_search_cannot_be_changed_on_the_way() -> None:
    """Nodes already cut would have to be found again, so it is refused with the remedy."""
    search = bf.Search(EIGHT, "astar")
    search.run(bf.Limits(expansions=1))
    with pytest.raises(bf.InputError, match=r"depth limit .* start a new search"):
        search.run(bf.Limits(depth=3))


def test_depth_first_search_with_a_depth_limit_finds_what_lies_within_it() -> None:
    """The search goes on elsewhere when a path is cut, so the tree search stays complete within the limit."""
    solution = bf.solve(EIGHT, "depth-first-tree", limits=bf.Limits(depth=9))
    solution.verify()
    assert solution.found and len(solution) <= 9


def test_a_narrow_beam_that_runs_dry_gives_up_rather_than_claiming_a_proof() -> None:
    """A beam of one walks into a dead end: status limit, named width; a wide one finds the goal."""
    graph = Graph({0: [(1, 1), (2, 1)], 2: [(3, 1)]}, 0, frozenset([3]))
    h = {0: 1, 1: 0, 2: 1, 3: 0}
    narrow = bf.solve(graph, "beam", h.__getitem__, width=1)
    assert (narrow.status, narrow.limit) == ("limit", "width")
    assert bf.solve(graph, "beam", h.__getitem__, width=2).cost == 2


def test_breadth_first_search_does_not_claim_the_cheapest_where_costs_differ() -> None:
    """Fewest actions is not cheapest: status solved, a bound that holds, and a warning that says what to do."""
    graph = Graph({0: [(1, 5), (2, 1)], 2: [(1, 1)]}, 0, frozenset([1]))
    solution = bf.solve(graph, "breadth-first")
    assert (solution.cost, solution.status, solution.lower_bound) == (5, "solved", 1)
    assert "uniform-cost" in solution.warnings[0]


def test_iterative_deepening_proves_the_optimum_only_where_unit_costs_are_declared() -> None:
    """The last action of a path not yet seen might be free, unless the problem says that it is not."""
    graph = Graph({0: [(1, 1)], 1: [(2, 1)]}, 0, frozenset([2]))
    assert bf.solve(graph, "iterative-deepening").status == "solved"
    graph.unit_cost = True
    assert bf.solve(graph, "iterative-deepening").status == "optimal"


def test_branch_and_bound_with_redundant_paths_deleted_is_astar() -> None:
    """Steps (ii) and (iii) together expand exactly what A* expands, and step (i) never less than step (ii)."""
    counts = {}
    for step, arguments in (
        ("i", {}),
        ("ii", {"heuristic": "manhattan"}),
        ("iii", {"heuristic": "manhattan", "delete_redundant": True}),
    ):
        solution = bf.solve(EIGHT, "branch-and-bound", **arguments)
        assert (solution.status, solution.cost) == ("optimal", 5)
        counts[step] = solution.stats.expanded
    assert counts["i"] >= counts["ii"] >= counts["iii"] == bf.solve(EIGHT, "astar").stats.expanded


def test_ties_can_be_broken_last_in_first_out() -> None:
    """Both ways find the optimum; the order of expansion differs."""
    puzzle = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
    fifo, lifo = (bf.solve(puzzle, "astar", "manhattan", engine="python", ties=ties) for ties in ("fifo", "lifo"))
    assert fifo.cost == lifo.cost == 31
    assert fifo.stats.expanded != lifo.stats.expanded


def test_idastar_can_try_children_in_the_order_of_f() -> None:
    """Lowest f first, of equals the one given first; all of them are made at once. The solution costs the same."""
    edges: dict[int, list[tuple[int, float]]] = {0: [(1, 2), (2, 1), (3, 1)], 1: [(4, 2)], 2: [(5, 1)], 3: [(4, 3)]}
    graph = Graph(edges, 0, frozenset([4]))
    h = bf.Heuristic({0: 4, 1: 2, 2: 2, 3: 2, 4: 0, 5: 2}.__getitem__, "given", admissible=True)

    def expanded(order: str) -> list[Any]:
        search = bf.Search(graph, "idastar", h, order=order)
        return [event.state for event in search if event.kind == "expand"]

    assert expanded("given") == [0, 1]
    assert expanded("f") == [0, 2, 5, 3]
    given, by_f = (bf.solve(graph, "idastar", h, order=order) for order in ("given", "f"))
    assert (given.cost, by_f.cost) == (4, 4)
    assert (given.stats.generated, by_f.stats.generated) == (3, 6)
