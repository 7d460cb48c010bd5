"""The search tree of every algorithm holds each node once, with its fate, its expansions and the solution."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given

from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.solution import Limits
from bestfirst.solve import solve
from bestfirst.trace import SearchTree, Trace
from graphs import Graph, graphs
from profiles import examples
from traced import LECTURE, Odd, every_algorithm, every_problem, solved, traced

FATES = {"generate", "duplicate", "update", "reopen", "prune"}


@every_algorithm
@every_problem
def test_each_node_of_the_events_is_in_the_tree_once(problem: Problem, algorithm: str) -> None:
    """Nodes come in generation order, parents first; children know their parents; roots are those without one."""
    trace = traced(problem, algorithm)
    trees = SearchTree.rounds_of(trace)
    assert [event for tree in trees for event in tree.events] == trace.events
    for tree in trees:
        made = {id(event.node) for event in tree.events if event.node is not None and event.kind != "goal"}
        assert {id(node.node) for node in tree.nodes} == made
        assert [node.number for node in tree.nodes] == list(range(1, len(tree.nodes) + 1))
        below = [child for node in tree.nodes for child in node.children]
        assert len(below) + len(tree.roots) == len(tree.nodes)
        for node in tree.nodes:
            assert tree.find(node.node) is node
            assert all(child.parent is node and child.number > node.number for child in node.children)
            assert node.root in tree.roots


@every_algorithm
@every_problem
def test_fates_and_expansions_are_those_of_the_events(problem: Problem, algorithm: str) -> None:
    """The fate of a node is that of its last event; expansions are numbered through, each number once."""
    for tree in SearchTree.rounds_of(traced(problem, algorithm)):
        fates = {id(event.node): event for event in tree.events if event.kind in FATES}
        for node in tree.nodes:
            event = fates.get(id(node.node))
            assert (node.fate, node.reason) == ((event.kind, event.reason) if event else ("generate", None))
            assert (node.status == "pruned") == (node.fate == "prune")
        expanded = [event.node for event in tree.events if event.kind == "expand"]
        assert sorted(number for node in tree.nodes for number in node.expansions) == list(range(1, len(expanded) + 1))
        for node in tree.nodes:
            assert all(expanded[number - 1] is node.node for number in node.expansions)


@every_algorithm
@every_problem
def test_the_solution_is_the_path_that_was_found(problem: Problem, algorithm: str) -> None:
    """The states of the marked nodes are those of the solution, and the last one is a goal."""
    solution = solved(problem, algorithm)
    assert solution.trace is not None
    trees = SearchTree.rounds_of(solution.trace)
    tree = next(
        (tree for tree in reversed(trees) if tree.solution), trees[-1]
    )  # a later iteration may prove that it is the best
    states = [state for state, _ in groupby(node.node.state for node in tree.solution)]  # a meeting stands twice
    assert states == solution.states
    assert {node for node in tree.nodes if node.on_solution} == set(tree.solution)
    assert not tree.solution or tree.solution[-1].status == "goal"


@examples(60)
@given(graphs())
def test_a_cheaper_path_replaces_exactly_one_node_of_the_state(graph: Graph) -> None:
    """Of each state A* keeps one node that is not replaced, and each update or reopen replaces one that is dearer."""
    trace = Trace()
    solve(graph, "astar", lambda state: 3 * state % 4, trace=trace, limits=Limits(expansions=200))
    tree = SearchTree.from_trace(trace)
    for node in tree.nodes:
        if node.fate in ("update", "reopen"):
            assert node.replaces is not None
            assert node.replaces.is_replaced
            assert node.replaces.node.state == node.node.state
            assert node.replaces.node.g > node.node.g
            assert bool(node.replaces.expansions) == (node.fate == "reopen")
    current = [node.node.state for node in tree.nodes if node.is_kept and not node.is_replaced]
    assert len(current) == len(set(current))


def test_iterative_algorithms_have_a_tree_for_each_round() -> None:
    """IDA* makes its tree anew in each round; the heading gives the bound, and the last round is the one shown."""
    trees = SearchTree.rounds_of(traced(LECTURE, "iterative-deepening"))
    assert [tree.heading for tree in trees] == [f"iteration {depth + 1}: depth <= {depth}" for depth in range(5)]
    assert [len(tree.nodes) for tree in trees] == [1, 3, 9, 21, 32]
    assert [bool(tree.solution) for tree in trees] == [False, False, False, False, True]
    assert trees[0].text(LECTURE.label) == "iteration 1: depth <= 0\n3 1 2 4 7 5 6 8 0"
    assert SearchTree.from_trace(traced(LECTURE, "iterative-deepening")).heading == "iteration 5: depth <= 4"


def test_a_bidirectional_search_has_two_trees_that_meet() -> None:
    """The start and the goal are roots; the path goes down one tree to the meeting, marked in both, and up the other."""
    tree = SearchTree.from_trace(traced(LECTURE, "bidirectional-astar"))
    assert [root.node.state for root in tree.roots] == [LECTURE.initial, LECTURE.goal]
    forward = [node for node in tree.solution if node.root is tree.roots[0]]
    backward = [node for node in tree.solution if node.root is tree.roots[1]]
    assert tree.solution == forward + backward
    assert forward[-1].node.state == backward[0].node.state


def test_details_say_when_a_node_was_expanded_and_what_became_of_it() -> None:
    """Each line has the numbers of the expansions, g, h and f, a remark, and a star on the solution."""
    text = SearchTree.from_trace(traced(LECTURE, "idastar")).text(LECTURE.label, details=True)
    assert text.splitlines()[:4] == [
        "iteration 1: f <= 4",
        "3 1 2 4 7 5 6 8 0  [1] g=0 h=4 f=4 *",
        "|-- 3 1 2 4 7 0 6 8 5  g=1 h=5 f=6 pruned: f 6 > 4",
        "|-- 3 1 2 4 7 5 6 0 8  [2] g=1 h=3 f=4 *",
    ]


@every_algorithm
@every_problem
def test_the_text_has_a_printable_line_for_each_node(problem: Problem, algorithm: str) -> None:
    """Whatever the states are called, the tree is one line for each node, and a heading where there are rounds."""
    for tree in SearchTree.rounds_of(traced(problem, algorithm)):
        lines = tree.text(problem.label).split("\n")
        assert len(lines) == len(tree.nodes) + (tree.heading is not None)
        assert all(line.isprintable() for line in lines)


@every_algorithm
@every_problem
@pytest.mark.parametrize("limit", [1, 7])
def test_a_long_tree_shows_as_many_nodes_as_it_may_and_counts_the_rest(problem: Problem, algorithm: str, limit: int) -> None:
    """The text is bounded; its last line says how many nodes are not shown, and parents say how many children."""
    tree = SearchTree.from_trace(traced(problem, algorithm))
    shown = min(limit, len(tree.nodes))
    lines = tree.text(problem.label, limit=limit).split("\n")
    hidden = len(tree.nodes) - shown
    assert len(lines) == shown + (hidden > 0) + (tree.heading is not None)
    if hidden:
        assert lines[-1] == f"... {hidden} of {len(tree.nodes)} nodes are not shown"
        of_shown = sum(node.parent is not None and node.parent in tree.first(limit) for node in tree.nodes)
        noted = sum(int(line.split("  (")[-1].split(" ")[0]) for line in lines[:-1] if line.endswith("not shown)"))
        assert noted == of_shown - sum(node.parent is not None for node in tree.first(limit))


def test_the_solution_is_shown_though_it_was_made_late() -> None:
    """Where there is no room for all nodes, the solution is among those shown, with the parents of each."""
    tree = SearchTree.from_trace(traced(LECTURE, "breadth-first"))
    chosen = tree.first(20)
    assert len(chosen) == 20
    assert set(tree.solution) <= set(chosen)
    assert all(node.parent is None or node.parent in chosen for node in chosen)
    assert [node.number for node in tree.first(3)] == [1, 2, 3]  # no room for the solution either


def test_a_limit_below_1_is_refused() -> None:
    """Showing no node is an InputError."""
    with pytest.raises(InputError, match="number of nodes to show is 0; use a whole number >= 1"):
        SearchTree.from_trace(traced(LECTURE, "astar")).text(LECTURE.label, limit=0)


@every_algorithm
def test_the_tree_of_a_trace_that_is_not_whole_says_so(algorithm: str) -> None:
    """The last line counts the events that were not recorded."""
    trace = traced(Odd(), algorithm, limit=3)
    text = SearchTree.from_trace(trace).text(Odd().label)
    assert text.endswith(f"\n... the trace ends here: {trace.dropped} later events were not recorded")


def test_a_trace_without_events_has_an_empty_tree() -> None:
    """Before a search has begun there is nothing to show."""
    tree = SearchTree.from_trace(Trace())
    assert tree.nodes == tree.roots == tree.solution == []
    assert tree.text(str) == ""


def test_a_deep_tree_needs_no_recursion() -> None:
    """A path of thousands of nodes is no deeper than the text can go."""
    chain = Graph({node: [(node + 1, 1)] for node in range(5000)})
    trace = Trace()
    solve(chain, "depth-first", trace=trace, limits=Limits(expansions=4000))
    lines = SearchTree.from_trace(trace).text(chain.label, limit=3000).split("\n")
    assert lines[2999] == " " * 4 * 2998 + "|-- 2999  (1 child not shown)"
