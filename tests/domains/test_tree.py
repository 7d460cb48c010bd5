"""Explicit trees: their notation, what is no tree, and their estimates."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.domains.tree import Tree
from profiles import examples

LECTURE = "I: S1 S2; S1: S3 S4; S2: S5; S3: S6 S7; S4: S8 S9"


def visits(tree: Tree, algorithm: str) -> str:
    """The nodes that a search expands, in order."""
    trace = bf.Trace()
    bf.solve(tree, algorithm, trace=trace)
    return " ".join(str(node.state) for node in trace.expansions())


def test_a_tree_from_children() -> None:
    """Edges cost 1 where the children are a list; leaves need not be named."""
    tree = Tree({"I": ["S1", "S2"], "S1": ["S3"]}, "I", "S3")
    assert tree.successors("I") == [("S1", "S1", 1), ("S2", "S2", 1)]
    assert tree.successors("S3") == []
    assert tree.unit_cost
    assert tree.goal_state() == "S3"
    assert (tree.format("S1"), tree.draw("S1"), tree.label("S1"), tree.format_action("S1")) == ("S1",) * 4


def test_a_tree_with_costs() -> None:
    """Where the children are a dict it holds the costs; then actions are not of unit cost, unless all costs are 1."""
    tree = Tree({0: {1: 3, 2: 0.5}, 2: [3]}, 0, 3)
    assert tree.successors(0) == [(1, 1, 3), (2, 2, 0.5)]
    assert not tree.unit_cost
    assert Tree({0: {1: 1}, 1: {2: 1.0}}, 0, 2).unit_cost
    assert bf.solve(tree).cost == 1.5


def test_the_orders_in_which_a_tree_is_visited() -> None:
    """Without a goal a search visits all of it: breadth-first by levels, depth-first by paths."""
    tree = Tree(Tree.from_text(LECTURE, goal="I").children, "I", goals=[])
    assert visits(tree, "breadth-first") == "I S1 S2 S3 S4 S5 S6 S7 S8 S9"
    assert visits(tree, "depth-first") == visits(tree, "depth-first-tree") == "I S1 S3 S6 S7 S4 S8 S9 S2 S5"
    assert bf.solve(tree, "breadth-first").status == "unsolvable"


def test_a_tree_may_have_several_goals() -> None:
    """The cheapest is found; a tree with several has no single goal state."""
    tree = Tree({"I": {"A": 3, "B": 1}, "B": {"C": 1}}, "I", {"A", "C"})
    assert tree.goal_state() is None
    assert bf.solve(tree).states == ["I", "B", "C"]
    assert Tree.from_text("I: A=3 B; B: C", goal="A, C").goals == {"A", "C"}


@pytest.mark.parametrize("children", [{}, {"I": []}])
def test_a_tree_may_be_a_root_alone(children: dict[str, list[str]]) -> None:
    """The smallest tree is solved where it stands."""
    assert bf.solve(Tree(children, "I", "I")).states == ["I"]


def test_the_notation() -> None:
    """Parts by semicolons or lines, children by spaces or commas, costs after =, estimates in parentheses."""
    tree = Tree.from_text("I(4): S1=3(2), S2(5)\nS1: S3=1.5(0); ", goal="S3")
    assert tree.initial == "I"
    assert tree.children == {"I": {"S1": 3, "S2": 1}, "S1": {"S3": 1.5}, "S2": {}, "S3": {}}
    assert type(tree.children["I"]["S1"]) is int
    assert tree.estimates == {"I": 4, "S1": 2, "S2": 5, "S3": 0}
    assert Tree.from_text("I:", goal="I").children == {"I": {}}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "the tree is empty"),
        (" ; \n", "the tree is empty"),
        ("I S1 S2", "'I S1 S2' does not begin with one node and a colon"),
        (": S1", "': S1' does not begin with one node and a colon"),
        ("I J: S1", "does not begin with one node and a colon"),
        ("I: S1: S2", "'S1:' is not a node"),
        ("I: S1=", "'S1=' is not a node"),
        ("I: S1(2", r"'S1\(2' is not a node"),
        ("I: S1 =3", "'=3' is not a node"),
        ("I: S1=three", "'three' in 'S1=three' is not a number"),
        ("I: S1(high)", r"'high' in 'S1\(high\)' is not a number"),
        ("I: S1=-1", "the edge from I to S1 costs -1"),
        ("I: S1=inf", "the edge from I to S1 costs inf"),
        ("I: S1=nan", "the edge from I to S1 costs nan"),
        ("I=2: S1", "'I=2: S1' has a cost before the colon"),
        ("I: S1; I: S2", "children of node I are given twice"),
        ("I: S1 S1", "node I has the child S1 twice"),
        ("I(1): S1(0); S1(0): S2(0)", "node S1 has two estimates"),
        ("I(1): S1", "node S1 has no estimate"),
        ("I(1): S1(-2)", "estimate of node S1 is -2"),
        ("I(nan): S1(2)", "estimate of node I is nan"),
        ("I: S1 S2; S1: S3; S2: S3", "node S3 has two parents, S1 and S2"),
        ("I: S1; S1: S2; S2: S1", "node S1 has two parents, I and S2"),
        ("I: S1; S1: S2; S2: I", "the edges I -> S1 -> S2 -> I form a cycle"),
        ("I: S1; A: B; B: C D; C: A", "the edges A -> B -> C -> A form a cycle"),
        ("I: I", "the edges I -> I form a cycle"),
        ("I: S1; A: S2", "node A has no parent, but the root is I; make A a child"),
        ("S1: S2; I: S1", "node I has no parent, but the root is S1; make I a child"),
    ],
)
def test_what_is_no_tree_is_refused(text: str, fault: str) -> None:
    """The message says which node, edge or word is wrong."""
    with pytest.raises(bf.InputError, match=fault):
        Tree.from_text(text, goal="I")


@pytest.mark.parametrize(
    ("children", "fault"),
    [
        ({"I": "S1 S2"}, "children of I are 'S1 S2'"),
        ({"I": 5}, "children of I are 5"),
        ({"I": {"A": None}}, "the edge from I to A costs None"),
        ({"I": {"A": True}}, "the edge from I to A costs True"),
        ({"I": {"A": math.inf}}, "the edge from I to A costs inf"),
        ({"I": ["A", "A"]}, "node I has the child A twice"),
    ],
)
def test_children_that_are_none_are_refused(children: Any, fault: str) -> None:
    """The message names the node."""
    with pytest.raises(bf.InputError, match=fault):
        Tree(children, "I", "I")


def test_a_node_that_is_not_in_the_tree_is_refused() -> None:
    """As the root, as a goal, and with an estimate; the message lists the close names."""
    with pytest.raises(bf.UnknownNameError, match="'S0'; did you mean S1"):
        Tree({"I": ["S1"]}, "S0", "S1")
    with pytest.raises(bf.UnknownNameError, match="'S0'; did you mean S1"):
        Tree({"I": ["S1"]}, "I", ["S1", "S0"])
    with pytest.raises(bf.UnknownNameError, match="'S0'; did you mean S1"):
        Tree({"I": ["S1"]}, "I", "S1", estimates={"I": 1, "S1": 0, "S0": 2})
    with pytest.raises(bf.InputError, match="the goal is ' '"):
        Tree.from_text(LECTURE, goal=" ")


def test_estimates_are_the_default_heuristic() -> None:
    """They are offered as "given"; without any, who asks for it is told why."""
    tree = Tree.from_text("I(2): S1(3) S2(1); S2: S3(0)", goal="S3")
    assert list(tree.heuristics()) == ["given"]
    solution = bf.solve(tree)
    assert (solution.algorithm, solution.heuristic, solution.status) == ("astar", "given", "optimal")
    plain = Tree.from_text(LECTURE, goal="S9")
    assert list(plain.heuristics()) == []
    assert bf.solve(plain).algorithm == "uniform-cost"
    with pytest.raises(bf.InputError, match="needs an estimate for each node"):
        bf.solve(plain, "astar", "given")


def test_an_estimate_that_is_too_high_is_named() -> None:
    """The heuristic then says that it can overestimate, and first where; the estimate of a dead end may be infinite."""
    good = Tree({"I": {"A": 2, "B": 1}}, "I", "A", estimates={"I": 2, "A": 0, "B": math.inf}).heuristics()["given"]
    assert (good.admissible, good.consistent, good.note) == (True, True, "")
    high = Tree({"I": {"A": 2}}, "I", "A", estimates={"I": 5, "A": 0}).heuristics()["given"]
    assert (high.admissible, high.consistent) == (False, False)
    assert high.note == "it is 5 for I, whose distance to a goal is 2"
    first = Tree({"I": ["A", "B"]}, "I", ["A", "B"], estimates={"I": 0, "A": 1, "B": 2}).heuristics()["given"]
    assert first.note == "it is 1 for A, whose distance to a goal is 0"
    at_goal = Tree({"I": {"A": 2}}, "I", "A", estimates={"I": 3, "A": 1}).heuristics()["given"]
    assert (at_goal.admissible, at_goal.consistent) == (False, True)
    falling = Tree({"I": {"A": 1}, "A": {"G": 3}}, "I", "G", estimates={"I": 4, "A": 0, "G": 0}).heuristics()["given"]
    assert (falling.admissible, falling.consistent) == (True, False)


@pytest.mark.parametrize("algorithm", ["astar", "idastar"])
@pytest.mark.parametrize(
    ("costs", "estimate"), [((10**10 + 3, 1, 10**10), 10**10 + 5.0), ((5e-13, 0.0, 1e-14), 9e-13)], ids=["large", "small"]
)
def test_an_estimate_may_be_too_high_only_by_rounding(
    algorithm: str, costs: tuple[float, float, float], estimate: float
) -> None:
    """Whatever the unit: nothing is proved with one that hides the cheaper of two paths."""
    direct, first, second = costs
    children = {"r": {"g": direct, "a": first}, "a": {"h": second}}
    tree = Tree(children, "r", ["g", "h"], estimates={"r": 0, "g": 0, "h": 0, "a": estimate})
    given_heuristic = tree.heuristics()["given"]
    assert (given_heuristic.admissible, given_heuristic.consistent) == (False, False)
    assert bf.solve(tree, algorithm, "given").status == "solved"


def test_rounding_makes_no_estimate_too_high() -> None:
    """0.1 + 0.2 exceeds 0.3 by 5e-17, and a float estimate of a whole distance has roundings of its own."""
    tree = Tree({"r": {"g": 0.3, "h": 3}}, "r", "g", estimates={"r": 0.1 + 0.2, "g": 0, "h": math.inf})
    whole = Tree({"r": {"g": 3}}, "r", "g", estimates={"r": 0.1 * 3 * 10, "g": 0})
    assert whole.estimates is not None and whole.estimates["r"] > 3
    for good in (tree, whole):
        given_heuristic = good.heuristics()["given"]
        assert given_heuristic.admissible and given_heuristic.consistent


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Random trees with costs and estimates: each node but the root, 0, hangs from one before it."""
    size = draw(st.integers(1, 8))
    children: dict[int, dict[int, float]] = {node: {} for node in range(size)}
    for node in range(1, size):
        children[draw(st.integers(0, node - 1))][node] = draw(st.integers(0, 4))
    estimates = {node: draw(st.one_of(st.integers(0, 8), st.just(math.inf))) for node in range(size)}
    return Tree(children, 0, draw(st.sets(st.integers(0, size - 1), max_size=3)), estimates=estimates)


@examples(75)
@given(tree=trees())
def test_what_is_said_of_the_estimates_is_the_truth(tree: Tree) -> None:
    """Admissible: above no true cost, found by a search from each node. Consistent: no edge costs less than they fall."""
    assert tree.estimates is not None
    truth = {}
    for node in tree.children:
        solution = bf.solve(bf.Problem.of(node, tree.successors, tree.is_goal), "uniform-cost")
        truth[node] = math.inf if solution.cost is None else solution.cost
        assert tree.cost_to_goal(node) == truth[node]
    given_heuristic = tree.heuristics()["given"]
    assert given_heuristic.admissible == all(tree.estimates[node] <= truth[node] for node in tree.children)
    assert given_heuristic.consistent == all(
        tree.estimates[node] <= cost + tree.estimates[child]
        for node, below in tree.children.items()
        for child, cost in below.items()
    )


@examples(30)
@given(tree=trees())
def test_every_algorithm_finds_the_cheapest_goal_of_a_tree(tree: Tree) -> None:
    """Those that promise the cheapest solution; also from an estimate, where that is admissible."""
    for name, algorithm in bf.ALGORITHMS.items():
        if algorithm.promise == "cheapest" and name != "bidirectional-astar":
            heuristic = "given" if tree.heuristics()["given"].admissible else "zero"
            solution = bf.solve(tree, name, None if algorithm.heuristic == "none" else heuristic)
            solution.verify()
            assert solution.status == ("unsolvable" if tree.cost_to_goal(0) == math.inf else "optimal")
            assert (math.inf if solution.cost is None else solution.cost) == tree.cost_to_goal(0)


def test_a_tree_is_not_changed_in_place() -> None:
    """What was worked out of its costs and estimates would no longer be true."""
    tree = Tree({"S": {"a": 1}, "a": {}}, "S", "a", estimates={"S": 1, "a": 0})
    for change in (lambda: tree.children["S"].pop("a"), tree.estimates.clear):  # type: ignore[union-attr]
        with pytest.raises(bf.InputError, match="in place"):
            change()
    assert bf.solve(tree, "astar").cost == 1
