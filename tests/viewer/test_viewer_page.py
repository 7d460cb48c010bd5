"""The viewer in a browser: what it shows after k events is what the search had done by then."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

import bestfirst as bf
from bestfirst.problem import Problem
from bestfirst.trace import SearchTree, to_html
from bestfirst.viewer.columns import column
from bestfirst.viewer.recording import recording_of
from browser import needs_browser, opened, page_of
from traced import LECTURE, Odd, every_algorithm, solved, traced

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = needs_browser

HARDER = bf.SlidingTile("7 2 4 5 _ 6 8 3 1", "_ 1 2 3 4 5 6 7 8")
every_problem = pytest.mark.parametrize("problem", [HARDER, Odd()], ids=["boards", "odd texts"])
EXPANSIONS = 150

# The picture is fitted to its frame when the browser draws next: after two frames it stands still.
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
SHOW = f"given => (bestfirstViewer.show(document.getElementById('bestfirst-viewer'), given), {DRAWN})"
VIEWER = "document.getElementById('bestfirst-viewer').viewer"


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page with a viewer, into which tests load recordings."""
    file = tmp_path_factory.mktemp("viewer") / "lecture.html"
    trace = solved(LECTURE, "astar").trace
    assert trace is not None
    trace.save(file)
    with page_of(browser) as page:
        opened(page, file)
        yield page


def shown(page: Page, *traces: bf.Trace | None) -> None:
    page.evaluate(SHOW, [recording_of(trace) for trace in traces if trace is not None])
    assert page.evaluate("document.getElementById('bestfirst-viewer').dataset.state") == "ready"


@every_algorithm
@every_problem
def test_the_counts_are_those_of_the_search(page: Page, problem: Problem, algorithm: str) -> None:
    """At the end, and at each expansion the number of nodes expanded so far."""
    solution = solved(problem, algorithm, expansions=EXPANSIONS)
    trace = solution.trace
    assert trace is not None
    shown(page, trace)
    counts = page.evaluate(f"(() => {{ const run = {VIEWER}.panes[0].run; return run.counts(run.events) }})()")
    stats = asdict(solution.stats)
    assert counts == {name: stats[name] for name in counts}
    before = [number for number, event in enumerate(trace) if event.kind == "expand"]
    expanded = page.evaluate(f"times => times.map(time => {VIEWER}.panes[0].run.counts(time + 1).expanded)", before)
    assert expanded == list(range(1, len(before) + 1))


STATE_AT = f"""times => times.map(time => {{
    const run = {VIEWER}.panes[0].run, round = run.roundAt(time);
    const nodes = [];
    for (let node = run.firstNodes[round]; node < (run.firstNodes[round + 1] ?? run.nodes); node++) {{
        if (run.status(node, time) !== "unborn") nodes.push(run.status(node, time));
    }}
    const open = run.agendaAt(time, 1e9).nodes.map(node => node - run.firstNodes[round]);
    return {{ nodes, open, counts: run.counts(time), bound: run.boundAt(time), round, goals: run.goalWithin(time)?.cost ?? null }};
}})"""


def state_after(trace: bf.Trace, events: int) -> dict[str, Any]:
    """What is true after so many events of a trace, worked out from these events alone."""
    part = bf.Trace()
    part.begin(trace.subject)
    part.events += trace.events[:events]
    trees = SearchTree.rounds_of(part)
    kinds = Counter(event.kind for event in part)
    fates = ("generate", "duplicate", "update", "reopen", "prune")
    goals = [event.g for event in part if event.kind == "goal"]
    return {
        "nodes": [node.status for node in trees[-1].nodes],
        "open": [node.number - 1 for node in trees[-1].nodes if node.status == "open"],
        "counts": {
            "expanded": kinds["expand"],
            "generated": len({id(event.node) for event in part if event.kind in fates}),
            "duplicates": kinds["duplicate"] + kinds["update"] + kinds["reopen"],
            "reopened": kinds["reopen"],
            "pruned": kinds["prune"],
        },
        "bound": part.events[-1].bound,
        "round": len(trees) - 1,
        "goals": goals[-1] if goals else None,
    }


@every_algorithm
@every_problem
def test_after_k_events_the_viewer_shows_what_the_search_had_done(page: Page, problem: Problem, algorithm: str) -> None:
    """The fate of each node, the agenda, the counts, the bound and the best goal, after every number of events."""
    trace = traced(problem, algorithm, expansions=40)
    shown(page, trace)
    times = range(1, len(trace) + 1, 1 + len(trace) // 25)
    kind = trace.subject.algorithm.agenda
    for time, seen in zip(times, page.evaluate(STATE_AT, list(times)), strict=True):
        expected = state_after(trace, time)
        if kind == "path":
            del seen["open"], expected["open"]
        else:
            seen["open"].sort()
        assert seen == expected, time


@every_algorithm
@every_problem
def test_the_agenda_is_that_of_the_search(page: Page, problem: Problem, algorithm: str) -> None:
    """At each expansion: the nodes of the agenda that the search had, in its order, worked out from the events alone."""
    trace = traced(problem, algorithm, agendas=True, expansions=EXPANSIONS)
    if any(event.waiting is None for event in trace if event.kind == "expand"):
        pytest.skip("the agenda of this algorithm is no list of nodes")
    recording = recording_of(trace)
    [chunk] = recording["chunks"]
    recorded, chunk["waiting"] = chunk["waiting"], []
    page.evaluate(SHOW, [recording])
    agendas = page.evaluate(
        f"events => events.map(event => {VIEWER}.panes[0].run.agendaAt(event + 1, 1e9).nodes)",
        [one["event"] for one in recorded],
    )
    expected = [one["nodes"] for one in recorded]
    if recording["agenda"]["kind"] in ("set", "sides", "levels"):
        agendas, expected = [sorted(nodes) for nodes in agendas], [sorted(nodes) for nodes in expected]
    assert agendas == expected


def test_a_tree_has_no_overlaps(page: Page) -> None:
    """Nodes of a level are at least a column apart, in the order of their parents, which stand above their middle."""
    shown(page, traced(HARDER, "astar", expansions=2_000))
    layout = page.evaluate(
        f"""(() => {{
            const {{ x, depth, firstChild, nextSibling }} = {VIEWER}.panes[0].stage.drawing.layout;
            return [x, depth, firstChild, nextSibling].map(column => [...column]);
        }})()"""
    )
    x, depth, first, following = layout
    levels: dict[int, list[float]] = {}
    waiting = [0]
    while waiting:  # in preorder, so that the nodes of a level come from left to right
        node = waiting.pop()
        levels.setdefault(depth[node], []).append(x[node])
        children, child = [], first[node]
        while child != -1:
            children.append(child)
            child = following[child]
        if children:
            assert abs((x[children[0]] + x[children[-1]]) / 2 - x[node]) < 1e-6
        waiting += reversed(children)
    assert sum(map(len, levels.values())) == len(x) > 3_000
    for level in levels.values():
        assert all(right - left > 1 - 1e-6 for left, right in pairwise(level))


def test_keys_move_through_the_search(page: Page) -> None:
    """The arrows step, Home and End go to the ends, b to the next bound, and the sentence says what happens."""
    shown(page, traced(LECTURE, "astar"))
    page.keyboard.press("Home")
    assert "not begun" in page.inner_text(".sentence")
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".sentence") == "Generates 3 1 2 / 4 7 5 / 6 8 _: f = g + h = 0 + 4 = 4. It enters the open list."
    page.keyboard.press("b")
    assert page.inner_text(".sentence") == "Proves that no solution costs less than 4."
    page.keyboard.press("g")
    assert page.inner_text(".sentence") == "Finds a goal, with cost 4."
    page.keyboard.press("End")
    assert page.inner_text("output") == "19 / 19"


def test_a_state_can_be_found(page: Page) -> None:
    """The search box goes to the moment at which a state was generated, and selects its node."""
    shown(page, traced(LECTURE, "astar"))
    page.keyboard.press("Home")
    page.keyboard.press("/")
    page.keyboard.type("3 1 2 / 4 7 5 / 6 _")
    page.keyboard.press("Enter")
    assert "3 1 2 / 4 7 5 / 6 _ 8" in page.inner_text(".node")
    assert "on the open list" in page.inner_text(".node")
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")


def test_what_is_on_the_screen_can_be_saved(page: Page, tmp_path: Path) -> None:
    """As SVG that an XML parser reads, and as PNG."""
    shown(page, traced(LECTURE, "astar"))
    with page.expect_download() as download:
        page.click("text=SVG")
    download.value.save_as(tmp_path / "tree.svg")
    drawing = ET.parse(tmp_path / "tree.svg").getroot()
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    with page.expect_download() as download:
        page.click("text=PNG")
    download.value.save_as(tmp_path / "tree.png")
    assert (tmp_path / "tree.png").read_bytes()[1:4] == b"PNG"


def test_two_searches_are_shown_after_as_many_expansions(page: Page) -> None:
    """Side by side, with one time line that counts expansions."""
    shown(page, traced(HARDER, "greedy"), traced(HARDER, "astar"))
    page.keyboard.press("Home")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert page.locator(".counts tr:first-child td").all_inner_texts() == ["5", "5"]


def synchronised(page: Page, unit: str) -> None:
    page.select_option("label:has-text('advance both by') select", unit)


def test_two_searches_are_shown_after_the_same_time(page: Page) -> None:
    """What each had done by then: the counts up to the last event whose time, in its column, has come."""
    traces = traced(HARDER, "greedy"), traced(HARDER, "astar", expansions=600)
    shown(page, *traces)
    synchronised(page, "seconds")
    ends = [max(moments_of(trace)) for trace in traces]
    assert ends[0] < ends[1] == page.evaluate(f"{VIEWER}.player.end.value")
    for moment in (1, ends[0] // 3, ends[0], (ends[0] + ends[1]) // 2, ends[1]):
        page.evaluate(f"{VIEWER}.player.go({moment})")
        done = [
            Counter(event.kind for event, at in zip(trace, moments_of(trace), strict=True) if at <= moment)
            for trace in traces
        ]
        expected = [f"{counts['expand']:,}" for counts in done]
        assert page.locator(".counts tr:first-child td").all_inner_texts() == expected
    assert expected[0] == f"{len(traces[0].expansions()):,}" != expected[1]
    page.keyboard.press("ArrowLeft")  # to the moment before the last event
    before = max(at for trace in traces for at in moments_of(trace) if at < ends[1])
    assert page.evaluate(f"{VIEWER}.player.step.value") == before
    page.keyboard.press("ArrowRight")
    assert page.evaluate(f"{VIEWER}.player.step.value") == ends[1]
    assert " ms / " in page.inner_text("output") or " s / " in page.inner_text("output")


def moments_of(trace: bf.Trace) -> list[int]:
    assert trace.seconds is not None
    return [int(seconds * 1e6 + 0.5) for seconds in trace.seconds]


def test_a_search_is_played_along_its_time(page: Page) -> None:
    """In as many seconds as the reader chooses, however short it was."""
    shown(page, traced(LECTURE, "astar"), traced(LECTURE, "greedy"))
    synchronised(page, "seconds")
    page.select_option("label:has-text('all in') select", "2")
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    page.evaluate(f"""new Promise(done => {{
        const look = () => {VIEWER}.player.step.value ? done() : requestAnimationFrame(look);
        look();
    }})""")
    assert page.evaluate(f"{VIEWER}.player.step.value") < page.evaluate(f"{VIEWER}.player.end.value")
    page.keyboard.press(" ")
    page.keyboard.press("g")
    assert "Finds a goal" in page.inner_text(".sentence >> nth=0") + page.inner_text(".sentence >> nth=1")
    synchronised(page, "events")
    assert page.evaluate(f"{VIEWER}.player.end.value") == 19


def test_time_is_offered_where_it_was_recorded(page: Page) -> None:
    """A recording without it, as older ones are, is shown as before; one that is damaged is refused."""
    trace = traced(LECTURE, "astar")
    timed, old = recording_of(trace), recording_of(trace)
    del old["chunks"][0]["events"]["seconds"]
    units = "label:has-text('advance both by') option"
    page.evaluate(SHOW, [timed, timed])
    assert page.locator(units).all_inner_texts() == ["expansions", "steps", "seconds"]
    page.evaluate(SHOW, [timed, old])
    assert page.locator(units).all_inner_texts() == ["expansions", "steps"]
    timed["chunks"][0]["events"]["seconds"] = column("f8", [1.0, 0.5] + [2.0] * (len(trace) - 2))
    page.evaluate(SHOW, [timed])
    assert "damaged" in page.inner_text("#bestfirst-viewer")


def test_a_jump_to_a_goal_shows_it(page: Page) -> None:
    """Also where steps are expansions, after which nothing follows."""
    greedy = traced(HARDER, "greedy", expansions=2_000)
    shown(page, greedy, traced(HARDER, "astar"))
    page.keyboard.press("Home")
    page.keyboard.press("g")
    cost = next(event.g for event in greedy if event.kind == "goal")
    assert page.locator(".counts tr:last-child td").all_inner_texts()[0] == str(cost)


def test_a_double_click_collapses_a_subtree(page: Page) -> None:
    """Its nodes are no longer drawn; another double click brings them back."""
    shown(page, traced(LECTURE, "astar"))
    drawn = f"{VIEWER}.panes[0].stage.drawing.layout.bottom[0]"
    assert page.evaluate(drawn) == 4
    box = page.locator(".stage").bounding_box()
    assert box is not None
    stage = f"{VIEWER}.panes[0].stage"
    x, y = page.evaluate(f"[{stage}.view.x + {stage}.drawing.layout.x[0] * {stage}.view.k, {stage}.view.y]")
    page.mouse.dblclick(box["x"] + x, box["y"] + y)
    assert page.evaluate(drawn) == 0


def test_a_wrong_recording_is_refused_in_words(page: Page) -> None:
    """One of another version, or something else, is not shown; the page says why."""
    for given, words in (({"format": "bestfirst-view", "version": 99}, "version 99"), ([], "not a recording")):
        page.evaluate(SHOW, [given])
        assert words in page.inner_text("#bestfirst-viewer")


def test_an_empty_search_is_shown(page: Page) -> None:
    """A problem that is known to have no solution has no events; the page says that nothing was recorded."""
    problem = bf.SlidingTile("2 1 3 4 5 6 7 8 _")
    shown(page, bf.solve(problem, "astar", trace=True).trace)
    assert "Nothing was recorded" in page.inner_text(".sentence")


@pytest.mark.slow
def test_a_page_needs_nothing_else(browser: Browser, tmp_path: Path) -> None:
    """Maps and texts are shown from one file, in the dark too, without a request or an error."""
    cities = bf.RoadMap({"A": {"B": 5}, "B": {"C": 1}}, "A", "C", coordinates={"A": (0, 0), "B": (3, 4), "C": (3, 5)})
    grid = bf.GridMap(["....", ".@@.", "...."], (0, 0), (3, 2))
    for number, problem in enumerate((cities, grid, bf.domains.TowersOfHanoi(3))):
        trace = bf.solve(problem, "astar", trace=True).trace
        assert trace is not None
        trace.save(tmp_path / f"{number}.html")
        with page_of(browser, dark=True) as page:
            opened(page, tmp_path / f"{number}.html")
            assert "Finds a goal" in page.inner_text(".sentence")


def test_markup_in_states_stays_text(browser: Browser, tmp_path: Path) -> None:
    """A state or an action that looks like HTML or a script is shown as it is written."""
    nasty = "</script><img src=x onerror=alert(1)>"
    problem: Problem[Any, Any] = Problem.of(
        nasty, lambda state: [(nasty, state + "!", 1)], lambda state: len(state) > len(nasty) + 1
    )
    trace = bf.solve(problem, "uniform-cost", trace=True).trace
    assert trace is not None
    (tmp_path / "nasty.html").write_text(to_html(trace))
    with page_of(browser) as page:
        opened(page, tmp_path / "nasty.html")
        assert nasty in page.inner_text(".node")
        assert page.query_selector("img") is None


@pytest.mark.slow
def test_a_notebook_shows_a_trace_in_a_frame(browser: Browser, tmp_path: Path) -> None:
    """What a notebook puts into its page shows the search, one or two, and stays within its frame."""
    trace = traced(LECTURE, "astar")
    for number, view in enumerate((trace._repr_html_(), trace.view(traced(LECTURE, "greedy"), height=500)._repr_html_())):
        (tmp_path / f"{number}.html").write_text(f"<!doctype html><title>notebook</title><p>Out[1]:</p>{view}")
        with page_of(browser) as page:
            page.goto((tmp_path / f"{number}.html").as_uri())
            frame = page.frame_locator("iframe")
            frame.locator(".sentence").first.wait_for()
            assert frame.locator(".pane").count() == number + 1
            assert "Finds a goal" in frame.locator(".sentence").first.inner_text()


def test_a_quiz_asks_for_the_next_expansion(page: Page) -> None:
    """A click on a node is the answer; it is explained from the numbers, and the right ones are counted."""
    shown(page, traced(LECTURE, "astar"))
    page.keyboard.press("Home")
    page.keyboard.press("q")
    assert "Which node is expanded next?" in page.inner_text(".quiz")
    assert "next one first" not in page.inner_text(".agenda")
    page.locator(".agenda button").nth(0).click()
    assert page.inner_text(".quiz p").startswith(
        "No. Expands 3 1 2 / 4 7 5 / 6 _ 8: its f = 4 is the lowest on the open list."
    )
    page.click("text=Next question")
    page.click(".agenda button:has-text('3 1 2 4 0 5 6 7 8')")
    assert page.inner_text(".quiz p").startswith("Right. Expands 3 1 2 / 4 _ 5 / 6 7 8")
    assert "1 of 2 right" in page.inner_text(".quiz")
    page.click("text=Next question")
    asked = page.inner_text(".quiz p")
    assert asked.startswith("What is f of the child by") and "the action costs 1" in asked
    page.fill(".quiz input", str(sum(map(int, re.findall(r"(?:g = |costs |h is )(\d+)", asked)))))
    page.keyboard.press("Enter")
    assert page.inner_text(".quiz p").startswith("Right. Generates") and "2 of 3 right" in page.inner_text(".quiz")
    page.keyboard.press("q")
    assert page.query_selector(".quiz") is None


def test_the_lists_say_what_broke_a_tie_and_what_is_expanded(page: Page) -> None:
    """The agenda in its order; the expanded nodes when they are opened, the last one first."""
    trace = traced(LECTURE, "astar")
    shown(page, trace)
    page.keyboard.press("End")
    ties = page.locator(".agenda li small").all_inner_texts()
    assert ties and set(ties) <= {"tie: g", "tie: h", "entered later"}
    page.click("summary:has-text('Expanded: ')")
    page.wait_for_selector("details.agenda li")
    expanded = [event.node.state for event in trace if event.kind == "expand" and event.node]
    labels = page.locator("details.agenda li span").all_inner_texts()
    assert len(labels) == len(expanded) and labels[0] == LECTURE.label(expanded[-1])


def test_a_graph_joins_the_paths_to_a_state(page: Page) -> None:
    """Beside the tree, with a box for each state, in the layer of the fewest steps to it; a click selects its node."""
    shown(page, traced(LECTURE, "breadth-first"))
    page.keyboard.press("s")
    page.evaluate(DRAWN)
    assert page.locator(".stage").count() == 2
    graph = f"{VIEWER}.panes[0].stages.get('graph')"
    seen = page.evaluate(
        f"""(() => {{
            const {{ layers, layer, edges, x }} = {graph}.drawing.layout;
            return {{ layers, edges: edges.map(({{ from, to }}) => [layer[from], layer[to]]), x: [...x] }};
        }})()"""
    )
    run = f"{VIEWER}.panes[0].run"
    assert sum(map(len, seen["layers"])) == page.evaluate(f"{run}.states")
    assert all(abs(one - other) <= 1 for one, other in seen["edges"])  # breadth-first search finds shortest paths
    for layer in seen["layers"]:
        columns = [seen["x"][state] for state in layer]
        assert all(right - left > 1 - 1e-6 for left, right in pairwise(columns))
    box = page.locator(".stage").nth(1).bounding_box()
    assert box is not None
    x, y = page.evaluate(f"[{graph}.view.x + {graph}.drawing.layout.x[{run}.state[0]] * {graph}.view.k, {graph}.view.y]")
    page.mouse.click(box["x"] + x, box["y"] + y)
    assert page.evaluate(f"{VIEWER}.panes[0].selected.value") == 0
    page.keyboard.press("t")
    assert page.locator(".stage").count() == 1


def test_the_parts_of_an_agenda_are_told_apart(page: Page) -> None:
    """The two frontiers of a bidirectional search, the levels of a beam, the bounds of the iterations of IDA*."""
    shown(page, traced(LECTURE, "bidirectional-astar", expansions=3))
    assert page.locator(".agenda h3").all_inner_texts() == ["Forward frontier", "Backward frontier"]
    frontiers = page.evaluate(f"{VIEWER}.panes[0].run.partsAt(99, 9).map(part => part.nodes)")
    roots = page.evaluate(f"nodes => nodes.map(all => all.map(node => {VIEWER}.panes[0].run.rootOf(node)))", frontiers)
    assert [set(part) for part in roots] == [{0}, {1}]
    shown(page, traced(HARDER, "beam", expansions=6))
    assert page.locator(".agenda h3").all_inner_texts() == ["Level 2", "Level 3"]
    shown(page, traced(HARDER, "idastar", expansions=100))
    bounds = page.locator(".rounds button")
    assert bounds.nth(0).inner_text() == "f <= 18"
    bounds.nth(0).click()
    assert page.locator(".rounds [aria-current]").all_inner_texts() == ["f <= 18"]
    assert page.inner_text(".sentence") == "Begins iteration 1: f <= 18."


def test_the_tree_can_be_read_and_walked_without_a_picture(page: Page) -> None:
    """An ARIA tree around the current node, for the arrow keys; the arrows with Shift walk from everywhere."""
    shown(page, traced(LECTURE, "astar"))
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    item = page.locator("[role=treeitem]")
    assert item.all_inner_texts()[0].replace("\n", " ") == "3 1 2 4 7 5 6 8 0 , 3 1 2 4 7 5 6 8 0, 0+4=4 on the open list"
    page.keyboard.press("End")
    page.locator("[role=treeitem][aria-selected=true]").focus()
    for key, level, action in (("ArrowLeft", 4, "L"), ("ArrowRight", 5, "U"), ("Home", 1, ""), ("ArrowRight", 2, "U")):
        page.keyboard.press(key)
        chosen = page.locator("[role=treeitem]:focus")
        assert chosen.get_attribute("aria-level") == str(level) and chosen.get_attribute("aria-selected") == "true"
        assert action in chosen.inner_text()
        assert page.inner_text("output") == "19 / 19"
    assert chosen.get_attribute("aria-posinset") == "1" and chosen.get_attribute("aria-setsize") == "2"
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    assert page.locator("[role=treeitem][aria-selected=true]").get_attribute("aria-level") == "3"
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")


def test_everything_can_be_pressed(page: Page) -> None:
    """Each button has a name, each canvas a description; nothing on the page moves by itself."""
    shown(page, traced(LECTURE, "astar"))
    for button in page.locator("button").all():
        assert button.get_attribute("aria-label") or button.inner_text()
    for picture in page.locator("canvas").all():
        assert picture.get_attribute("aria-label")
    assert page.evaluate("document.getAnimations().length") == 0
    page.keyboard.press("?")
    assert "select the parent, a child, a sibling" in page.inner_text(".keys")
    page.keyboard.press("?")


def test_a_drawing_is_read_node_by_node(page: Page, tmp_path: Path) -> None:
    """The nodes of a small tree are elements with names, parents before their children: on the screen and in a saved file."""
    shown(page, traced(LECTURE, "astar"))
    page.evaluate(DRAWN)
    names = page.evaluate("[...document.querySelectorAll('.stage svg [role~=graphics-symbol]')].map(node => node.ariaLabel)")
    with page.expect_download() as download:
        page.click("text=SVG")
    download.value.save_as(tmp_path / "tree.svg")
    saved = ET.parse(tmp_path / "tree.svg").iter("{http://www.w3.org/2000/svg}g")
    assert [node.get("aria-label") for node in saved] == names
    assert len(names) == page.evaluate(f"{VIEWER}.panes[0].run.nodes")
    assert names[0] == "3 1 2 4 7 5 6 8 0, root, level 0, 0+4=4, expanded"
    assert names[1].startswith("3 1 2 4 7 0 6 8 5, by U from 3 1 2 4 7 5 6 8 0, level 1, 1+5=6, on the open list")


def test_large_trees_are_drawn_on_a_canvas_and_printed_as_svg(page: Page) -> None:
    """On paper a picture of any size is sharp, and in light colours."""
    shown(page, traced(HARDER, "breadth-first", expansions=1500))
    stage, paper = (
        f"{VIEWER}.panes[0].stage.element",
        "[...document.querySelectorAll('.stage svg > rect')].map(rect => rect.getAttribute('fill'))[0]",
    )
    page.evaluate(DRAWN)
    assert page.evaluate(f"{stage}.dataset.drawn") == "canvas"
    page.keyboard.press("d")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(f"[{stage}.dataset.drawn, {paper}]") == ["svg", "#ffffff"]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(f"{stage}.dataset.drawn") == "canvas"
    page.keyboard.press("d")


def test_a_run_can_be_saved_as_a_film(page: Page, tmp_path: Path) -> None:
    """A GIF with a frame for each step, of which the last is shown longest; the page is left as it was."""
    shown(page, traced(LECTURE, "astar"))
    page.keyboard.press("ArrowLeft")
    with page.expect_download() as download:
        page.keyboard.press("e")
    download.value.save_as(tmp_path / "run.gif")
    film = (tmp_path / "run.gif").read_bytes()
    control = b"\x21\xf9\x04"
    delays = [int.from_bytes(film[at + 4 : at + 6], "little") for at in range(len(film)) if film[at : at + 3] == control]
    assert film.startswith(b"GIF89a") and b"NETSCAPE2.0" in film
    assert len(delays) == 20 and delays[-1] == 250 > max(delays[:-1])
    assert page.inner_text("output") == "18 / 19"


def test_the_legend_and_the_panel_of_a_greedy_search(page: Page) -> None:
    """The green path has an entry, the row h has the number alone, and only the panel has a scroll bar."""
    shown(page, traced(LECTURE, "greedy"))
    page.keyboard.press("End")
    assert "path of the solution" in page.inner_text(".legend")
    assert "h\n0\n" in page.inner_text(".node dl")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
