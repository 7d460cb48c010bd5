"""Worked case 3: generate and test, and how iterative deepening does away with its waste (a Prolog lecture)."""

from __future__ import annotations

from itertools import pairwise, takewhile

import pytest

import bestfirst as bf
from bestfirst.domains.tree import Tree

LECTURE = "I: S1 S2; S1: S3 S4; S2: S5; S3: S6 S7; S4: S8 S9"


def visits_by_limit(trace: bf.Trace) -> list[list[str]]:
    """For each round its visits: its root, then every child made, whether or not the limit lets it be entered."""
    rounds: list[list[str]] = []
    for event in trace:
        if event.kind == "round":
            rounds.append([event.state])
        elif rounds and (event.kind == "generate" or (event.kind == "prune" and str(event.reason).startswith("depth"))):
            rounds[-1].append(event.state)
    return rounds


def test_the_visits_for_each_limit_are_those_of_the_lecture() -> None:
    """Limits 0, 1, 2 and 3; the search ends as soon as it meets the goal."""
    solution = bf.solve(Tree.from_text(LECTURE, goal="S9"), "iterative-deepening", trace=True)
    assert solution.trace is not None
    assert [" ".join(visits) for visits in visits_by_limit(solution.trace)] == [
        "I",
        "I S1 S2",
        "I S1 S3 S4 S2 S5",
        "I S1 S3 S6 S7 S4 S8 S9",
    ]
    assert [row.bound for row in solution.stats.iterations] == [0, 1, 2, 3]


def test_the_solution_is_that_of_the_lecture() -> None:
    """I S1 S4 S9, optimal since every edge costs 1."""
    solution = bf.solve(Tree.from_text(LECTURE, goal="S9"), "iterative-deepening")
    assert (solution.states, solution.cost, solution.status) == (["I", "S1", "S4", "S9"], 3, "optimal")
    solution.verify()


def test_the_memory_of_iterative_deepening_is_the_path() -> None:
    """On a tree of depth 12 in which every node has two children, no more nodes are kept than are on the longest path."""
    depth = 12
    nodes = range(1, 2**depth)
    tree = Tree({node: [2 * node, 2 * node + 1] for node in nodes}, 1, 2 ** (depth + 1) - 1)
    solution = bf.solve(tree, "iterative-deepening")
    assert (solution.cost, solution.status) == (depth, "optimal")
    assert solution.stats.peak_agenda <= depth + 1
    assert solution.stats.generated > 2**depth


def candidates_by_length(trace: bf.Trace) -> dict[int, int]:
    """How many sequences of each number of states were tested: the expansions after those that collected the states."""
    tested: dict[int, int] = {}
    nodes = trace.expansions()
    collecting = 1 + sum(1 for _ in takewhile(lambda node: node.parent is not None, nodes[1:]))
    for node in nodes[collecting:]:
        tested[node.depth + 1] = tested.get(node.depth + 1, 0) + 1
    return tested


@pytest.mark.parametrize("states", [1, 2, 3, 4])
def test_there_are_as_many_sequences_as_states_to_the_power_of_their_length(states: int) -> None:
    """With N states and no goal, generate and test looks at N**n sequences of n states, for every n up to N."""
    chain: dict[int, list[int]] = {node: [node + 1] for node in range(states - 1)}
    solution = bf.solve(Tree(chain, 0, goals=[]), "generate-and-test", trace=True)
    assert solution.trace is not None
    assert solution.status == "unsolvable"
    assert candidates_by_length(solution.trace) == {length: states**length for length in range(1, states + 1)}


def test_generate_and_test_is_hopeless_even_on_ten_nodes() -> None:
    """For I S1 S4 S9 it tests 1260 sequences, after 10 expansions to collect the states; iterative deepening expands 8."""
    tree = Tree.from_text(LECTURE, goal="S9")
    hopeless, deepening = bf.solve(tree, "generate-and-test"), bf.solve(tree, "iterative-deepening")
    assert hopeless.states == deepening.states == ["I", "S1", "S4", "S9"]
    # all sequences of 1, 2 and 3 of the 10 states; of 4, those up to the digits 0 1 4 9
    assert hopeless.stats.expanded == 10 + (10 + 100 + 1000) + (149 + 1)
    assert deepening.stats.expanded == 0 + 1 + 3 + 4


def test_testers_in_the_generator_leave_only_legal_paths() -> None:
    """Iterative deepening makes no sequence that does not start at the root, follows no edge, or meets a state twice."""
    tree = Tree.from_text(LECTURE, goal="S9")
    solution = bf.solve(tree, "iterative-deepening", trace=True)
    assert solution.trace is not None
    for event in solution.trace:
        if event.node is not None:
            path = [node.state for node in event.node.path()]
            assert path[0] == "I"
            assert len(set(path)) == len(path)
            assert all(child in tree.children[above] for above, child in pairwise(path))
