"""The search tree as an SVG drawing."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import pytest

from bestfirst.domains import SlidingTile
from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.solve import solve
from bestfirst.trace import SearchTree, Trace, to_svg
from bestfirst.trace.labels import one_line, visible
from bestfirst.trace.svg import WIDEST
from bestfirst.trace.tree_drawing import ALL_ON_A_PAGE
from traced import LECTURE, Odd, every_algorithm, every_problem, traced

SVG = "{http://www.w3.org/2000/svg}"


class Drawing:
    """An SVG text, taken apart."""

    def __init__(self, svg: str) -> None:
        self.root = ElementTree.fromstring(svg)
        _, _, self.width, self.height = map(float, self.root.attrib["viewBox"].split())
        self.nodes = {int(group.attrib["id"][1:]): group for group in self.root.iter(f"{SVG}g")}

    def box(self, number: int) -> tuple[float, float, float, float]:
        """The left, upper, right and lower edge of a node."""
        frame = self.nodes[number].find(f"{SVG}rect")
        assert frame is not None
        x, y, width, height = (float(frame.attrib[name]) for name in ("x", "y", "width", "height"))
        return x, y, x + width, y + height

    def lines(self, number: int) -> list[str]:
        """The texts in a node, a line each."""
        return ["".join(text.itertext()) for text in self.nodes[number].iter(f"{SVG}text")]

    def words(self) -> list[str]:
        """The texts outside the nodes."""
        return [text.text or "" for text in self.root.findall(f"{SVG}text")]


def drawn(problem: Problem, algorithm: str, *, limit: int = 300) -> tuple[SearchTree, Drawing]:
    tree = SearchTree.from_trace(traced(problem, algorithm))
    return tree, Drawing(to_svg(tree, problem, limit=limit))


@every_algorithm
@every_problem
def test_each_node_has_a_box_of_its_own_within_the_drawing(problem: Problem, algorithm: str) -> None:
    """Whatever the states are called, the text is well-formed XML; boxes neither overlap nor leave the drawing."""
    tree, drawing = drawn(problem, algorithm)
    assert list(drawing.nodes) == [node.number for node in tree.nodes]
    boxes = [drawing.box(number) for number in drawing.nodes]
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= drawing.width
        assert 0 <= top < bottom <= drawing.height
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@every_algorithm
def test_every_edge_goes_from_a_box_down_to_a_box(algorithm: str) -> None:
    """There is a path for each node with a parent, from the lower edge of the parent's box to the upper one of its own."""
    tree, drawing = drawn(LECTURE, algorithm)
    edges = [path.attrib["d"] for path in drawing.root.iter(f"{SVG}path")]
    children = [node for node in tree.nodes if node.parent is not None]
    assert len(edges) == len(children)
    for node, edge in zip(children, edges, strict=True):
        assert node.parent is not None
        start, end = edge[1:].partition("C")[0].split(), edge.split()[-2:]
        left, _, right, bottom = drawing.box(node.parent.number)
        assert left < float(start[0]) < right
        assert float(start[1]) == pytest.approx(bottom, abs=0.11)
        left, top, right, _ = drawing.box(node.number)
        assert left < float(end[0]) < right
        assert float(end[1]) == pytest.approx(top, abs=0.11)


def test_a_node_shows_its_board_its_values_and_when_it_was_expanded() -> None:
    """The words of a board stand at their columns, so that blanks keep their place in every viewer."""
    _, drawing = drawn(LECTURE, "astar")
    assert drawing.lines(1) == ["312", "475", "68", "g=0 h=4 f=4", "1"]
    assert drawing.lines(11) == ["12", "345", "678", "g=4 h=0 f=4"]
    starts = [float(word.attrib["x"]) for word in drawing.nodes[11].iter(f"{SVG}tspan")]
    assert starts[0] - starts[1] == pytest.approx(14 * 0.602, abs=0.1)
    assert starts[1] == starts[2]


def test_the_parts_of_larger_boards_fit_their_boxes() -> None:
    """Boards with two-digit tiles are drawn in full, within their boxes."""
    puzzle = SlidingTile("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 _ 14 15")
    trace = Trace()
    solve(puzzle, "astar", "manhattan", trace=trace)
    drawing = Drawing(to_svg(SearchTree.from_trace(trace), puzzle))
    left, _, right, _ = drawing.box(1)
    words = list(drawing.nodes[1].iter(f"{SVG}tspan"))
    assert [word.text for word in words] == ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"]
    for word in words:
        assert left < float(word.attrib["x"]) < float(word.attrib["x"]) + float(word.attrib["textLength"]) < right


def test_odd_texts_are_shown_as_they_are() -> None:
    """Pointing at a node shows its state on one line; the box shows the same text, word by word."""
    tree, drawing = drawn(Odd(), "uniform-cost")
    for node in tree.nodes:
        state = one_line(Odd().format(node.node.state))
        title = drawing.nodes[node.number].findtext(f"{SVG}title")
        assert title == (f"{state} ({node.remark()})" if node.remark() else state)
        text = visible(Odd().format(node.node.state))
        assert "".join(drawing.lines(node.number)).startswith("".join(text.split()))


def test_long_states_are_cut_and_shown_whole_when_pointed_at() -> None:
    """A state of a thousand characters, or lines, makes no giant box."""
    for state in ("x" * 1000, "x\n" * 1000):
        problem = Problem.of(state, lambda _: [], lambda _: False)
        trace = Trace()
        solve(problem, "uniform-cost", trace=trace)
        drawing = Drawing(to_svg(SearchTree.from_trace(trace), problem))
        assert drawing.width < 600
        assert drawing.height < 600
        assert drawing.lines(1)[0][-1] == "…" or "…" in drawing.lines(1)
        assert drawing.nodes[1].findtext(f"{SVG}title") == one_line(state)


def test_the_legend_explains_the_looks_that_occur() -> None:
    """Below the tree each look that occurs has its meaning, the others have none."""
    _, drawing = drawn(LECTURE, "astar")
    legend = ["expanded", "on the open list", "goal", "duplicate", "path of the solution", "order of expansion"]
    assert [word for word in drawing.words() if len(word) > 1 and word != "UL"] == legend
    lowest = max(drawing.box(number)[3] for number in drawing.nodes)
    assert all(float(text.attrib["y"]) > lowest for text in drawing.root.findall(f"{SVG}text") if text.text in legend)


def test_the_solution_is_drawn_thick() -> None:
    """The edges of the solution are as many as its actions, and its nodes have a thick outline."""
    tree, drawing = drawn(LECTURE, "astar")
    thick = [path for path in drawing.root.iter(f"{SVG}path") if path.attrib["stroke-width"] == "3"]
    assert len(thick) == 4
    for node in tree.nodes:
        frame = drawing.nodes[node.number].find(f"{SVG}rect")
        assert frame is not None
        assert (frame.get("stroke-width") == "3") == node.on_solution
        assert ("stroke-dasharray" in frame.attrib) == (node.fate == "duplicate")


def test_notes_above_the_tree_say_the_round_and_what_is_missing() -> None:
    """The heading of the round, the nodes not shown and the events not recorded stand above the tree."""
    tree = SearchTree.from_trace(traced(LECTURE, "iterative-deepening", limit=60))
    drawing = Drawing(to_svg(tree, LECTURE, limit=3))
    assert len(drawing.nodes) == 3
    assert drawing.words()[:4] == [
        "iteration 5: depth <= 4",
        f"{len(tree.nodes) - 3} of {len(tree.nodes)} nodes are not shown",
        f"the trace ends here: {tree.dropped} later events were not recorded",
        ALL_ON_A_PAGE,
    ]


def test_a_wide_tree_is_shown_as_wide_as_a_window() -> None:
    """However many nodes are drawn, a browser shows the root without scrolling: the proportions stay, the size shrinks."""
    tree = SearchTree.from_trace(traced(LECTURE, "uniform-cost"))
    root = ElementTree.fromstring(to_svg(tree, LECTURE))
    *_, across, down = map(float, root.attrib["viewBox"].split())
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert across > WIDEST == width
    assert height / width == pytest.approx(down / across, rel=0.01)


def test_a_trace_without_events_is_an_empty_drawing() -> None:
    """Even nothing is a well-formed drawing."""
    assert Drawing(to_svg(SearchTree.from_trace(Trace()), LECTURE)).nodes == {}


def test_the_same_tree_gives_the_same_text_and_needs_nothing_else() -> None:
    """Nothing in the drawing depends on the run, and it refers to no other file."""
    first, second = (to_svg(SearchTree.from_trace(traced(Odd(), "astar")), Odd()) for _ in range(2))
    assert first == second
    assert "href" not in first
    assert first.count("http") == 1  # the name space


def test_a_limit_below_1_is_refused() -> None:
    """Drawing no node is an InputError."""
    with pytest.raises(InputError, match="number of nodes to show"):
        to_svg(SearchTree.from_trace(traced(LECTURE, "astar")), LECTURE, limit=0)


def spread(drawing: Drawing) -> tuple[float, float]:
    """The left and the right end of the tree."""
    boxes = [drawing.box(number) for number in drawing.nodes]
    return min(box[0] for box in boxes), max(box[2] for box in boxes)


@every_algorithm
def test_the_tree_stands_in_the_middle_of_the_drawing(algorithm: str) -> None:
    """There is as much room to the left of it as to the right, but for a disc on the corner, wherever it is narrower."""
    _, drawing = drawn(LECTURE, algorithm)
    left, right = spread(drawing)
    assert left == pytest.approx(drawing.width - right, abs=30)


def test_the_legend_does_not_make_the_drawing_of_a_small_tree_wide() -> None:
    """It goes on in another row; every sample of it lies within the drawing, and none on another one."""
    problem = Problem.of(0, lambda state: [("on", state + 1, 1)], lambda state: state == 2)
    _, drawing = drawn(problem, "uniform-cost")
    left, right = spread(drawing)
    assert right - left < 100 and drawing.width < 450
    assert (left + right) / 2 == pytest.approx(drawing.width / 2, abs=1)
    names = [text for text in drawing.root.findall(f"{SVG}text") if text.attrib["text-anchor"] == "start"]
    places = [(float(text.attrib["x"]), float(text.attrib["y"]), len(text.text or "") * 12 * 0.602) for text in names]
    assert len({y for _, y, _ in places}) > 1
    assert all(x + width <= drawing.width and y <= drawing.height for x, y, width in places)
    assert all(one[1] != other[1] or one[0] + one[2] < other[0] for one, other in combinations(places, 2))
