"""The search tree as Graphviz DOT text."""

from __future__ import annotations

import re

import pytest

from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.solve import solve
from bestfirst.trace import SearchTree, Trace, to_dot
from bestfirst.trace.tree_drawing import ALL_ON_A_PAGE
from traced import LECTURE, Odd, every_algorithm, every_problem, traced

STRING = r'"((?:[^"\\\n]|\\.)*)"'
ATTRIBUTES = rf"\[(?:[a-z]+=(?:{STRING}|[a-z0-9.]+)(?:, )?)+\]"
NODE = re.compile(rf"  n(\d+) {ATTRIBUTES}")
EDGE = re.compile(rf"  n(\d+) -> n(\d+) {ATTRIBUTES}")


def label_of(line: str) -> str:
    """The label of a statement, as Graphviz would show it, with line breaks."""
    match = re.search(rf"label={STRING}", line)
    assert match is not None
    shown = re.sub(r"\\(.)", lambda escaped: {"n": "\n"}.get(escaped[1], escaped[1]), match[1])
    return shown.replace("&amp;", "&")


def test_a_small_tree_exactly() -> None:
    """One step to the goal: two nodes, an edge with the action, and the legend."""
    problem = Problem.of("start", lambda _: [("go", "end", 2)], lambda state: state == "end")
    trace = Trace()
    solve(problem, "uniform-cost", trace=trace)
    assert to_dot(SearchTree.from_trace(trace), problem).splitlines() == [
        "digraph search_tree {",
        '  graph [label="", labelloc=t, fontname="sans-serif", fontcolor="#111827", ordering=out]',
        '  node [shape=box, style="filled,rounded", fontname="monospace", fontsize=11, fontcolor="#111827"]',
        '  edge [fontname="monospace", fontsize=10, color="#9ca3af", fontcolor="#111827", arrowsize=0.6]',
        '  n1 [label="start\\n#1\\ng=0 h=0 f=0", style="filled,rounded", fillcolor="#dbeafe", color="#15803d", penwidth=3]',
        '  n2 [label="end\\ng=2 h=0 f=2", style="filled,rounded", fillcolor="#bbf7d0", color="#15803d", penwidth=3]',
        '  n1 -> n2 [label=" go", color="#15803d", penwidth=3]',
        "  subgraph cluster_legend {",
        '    graph [label="#: order of expansion", fontname="sans-serif", fontsize=10, color="#9ca3af"]',
        '    legend0 [label="expanded", style="filled,rounded", fillcolor="#dbeafe", color="#1d4ed8"]',
        '    legend1 [label="goal", style="filled,rounded", fillcolor="#bbf7d0", color="#15803d"]',
        '    legend2 [label="path of the solution", style="filled,rounded", fillcolor="#ffffff", '
        'color="#15803d", penwidth=3]',
        "  }",
        "}",
    ]


@every_algorithm
@every_problem
def test_every_node_and_edge_is_a_statement(problem: Problem, algorithm: str) -> None:
    """Whatever the states and actions are called, each node and each edge is one well-formed line."""
    tree = SearchTree.from_trace(traced(problem, algorithm))
    lines = to_dot(tree, problem).split("\n")
    nodes = [match for line in lines if (match := NODE.fullmatch(line))]
    edges = [match for line in lines if (match := EDGE.fullmatch(line))]
    assert [int(match[1]) for match in nodes] == [node.number for node in tree.nodes]
    assert [(int(match[1]), int(match[2])) for match in edges] == [
        (node.parent.number, node.number) for node in tree.nodes if node.parent is not None
    ]
    assert len([line for line in lines if line.startswith("  n") and line[3].isdigit()]) == len(nodes) + len(edges)


def test_boards_are_drawn_on_several_lines_that_stay_aligned() -> None:
    """A board is drawn as problem.draw draws it, its lines of equal width."""
    lines = to_dot(SearchTree.from_trace(traced(LECTURE, "astar")), LECTURE).split("\n")
    assert label_of(lines[4]) == "312\n475\n68 \n#1\ng=0 h=4 f=4"
    assert label_of(lines[14]) == " 12\n345\n678\ng=4 h=0 f=4"


def test_odd_texts_are_shown_as_they_are() -> None:
    """Quotes, backslashes and entities reach the reader of the drawing unchanged; control characters as escapes."""
    dot = to_dot(SearchTree.from_trace(traced(Odd(), "uniform-cost")), Odd())
    labels = [label_of(line).rpartition("\ng=")[0].rpartition("\n#")[0] for line in dot.split("\n") if NODE.fullmatch(line)]
    shown = {"\n".join(line.rstrip() for line in label.split("\n")) for label in labels}
    assert {"", 'a "b" <c> & &amp; ]]>', "two\nlines \\n \\", "日本 é ${{ $.x }}", "\\x00\\x1b[1m\\u2028", "1e5"} <= shown


def test_duplicates_and_pruned_nodes_are_dashed_and_say_why() -> None:
    """A duplicate is known by its look, a pruned node tells the reason too."""
    lines = to_dot(SearchTree.from_trace(traced(LECTURE, "idastar")), LECTURE).split("\n")
    pruned = next(line for line in lines if line.startswith("  n2 "))
    assert 'style="filled,rounded,dashed"' in pruned
    assert label_of(pruned).endswith("\ng=1 h=5 f=6\nf 6 > 4")
    duplicate = to_dot(SearchTree.from_trace(traced(LECTURE, "astar")), LECTURE).split("\n")[9]
    assert duplicate.startswith("  n6 ")
    assert 'style="filled,rounded,dashed"' in duplicate


def test_the_title_says_the_round_and_what_is_missing() -> None:
    """Above the drawing stand the heading of the round, the nodes not shown, and the events not recorded."""
    tree = SearchTree.from_trace(traced(LECTURE, "iterative-deepening", limit=60))
    title = label_of(to_dot(tree, LECTURE, limit=3).split("\n")[1])
    assert title.split("\n") == [
        "iteration 5: depth <= 4",
        f"{len(tree.nodes) - 3} of {len(tree.nodes)} nodes are not shown",
        f"the trace ends here: {tree.dropped} later events were not recorded",
        ALL_ON_A_PAGE,
    ]


def test_the_same_tree_gives_the_same_text() -> None:
    """Nothing in the drawing depends on the run."""
    first, second = (to_dot(SearchTree.from_trace(traced(Odd(), "astar")), Odd()) for _ in range(2))
    assert first == second


def test_a_limit_below_1_is_refused() -> None:
    """Drawing no node is an InputError."""
    with pytest.raises(InputError, match="number of nodes to show"):
        to_dot(SearchTree.from_trace(traced(LECTURE, "astar")), LECTURE, limit=0)
