"""The viewer in notebooks: a widget, a frame where there are no widgets, and a search that is shown while it runs."""

from __future__ import annotations

import gzip
import json
import sys
from base64 import b64encode
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import bestfirst as bf
from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.viewer import live, notebook
from bestfirst.viewer.columns import numbers_of
from bestfirst.viewer.recording import Recorder, recording_of
from bestfirst.viewer.widget import ViewerWidget
from browser import needs_browser, page_of
from traced import LECTURE, every_algorithm, every_problem, traced

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WIDGET = "application/vnd.jupyter.widget-view+json"
HARDER = bf.SlidingTile("7 2 4 5 _ 6 8 3 1", "_ 1 2 3 4 5 6 7 8")


def pieces_of(widget: ViewerWidget) -> list[dict[str, Any]]:
    return [json.loads(gzip.decompress(getattr(widget, f"piece{number}"))) for number in range(widget.pieces)]


def grown(trace: bf.Trace, sizes: list[int]) -> dict[str, Any]:
    """The recording of a trace that was told in chunks of so many events."""
    assert trace.seconds is not None
    whole = bf.Trace()
    whole.begin(trace.subject)
    recorder, events = Recorder(whole), zip(trace.events, trace.seconds, strict=True)
    recording: dict[str, Any] = {}
    for size in sizes:
        for event, seconds in islice(events, size):
            whole.record(event, seconds=seconds)
        if not recording:
            recording = recorder.recording()
        else:
            recording["chunks"].append(recorder.next_chunk())
    return recording


def rows_of(recording: dict[str, Any]) -> dict[str, Any]:
    """All columns, from the first to the last chunk, with strings in place of their numbers."""
    texts = [text for chunk in recording["chunks"] for text in chunk["texts"]]
    rows: dict[str, Any] = {}
    for table in ("states", "nodes", "events"):
        for name in recording["chunks"][0][table]:
            numbers = [number for chunk in recording["chunks"] for number in numbers_of(chunk[table][name])]
            is_text = name in ("text", "label", "cells", "drawn", "action", "reason")
            rows[f"{table}.{name}"] = [texts[int(n)] if n >= 0 else None for n in numbers] if is_text else numbers
    return {name: [one for chunk in recording["chunks"] for one in chunk[name]] for name in ("goals", "waiting")} | rows


@every_algorithm
@every_problem
def test_chunks_say_what_the_whole_says(problem: Problem, algorithm: str) -> None:
    """A recording that was made while the search ran has the rows of one that is made afterwards."""
    trace = traced(problem, algorithm, agendas=True)
    whole = recording_of(trace)
    assert rows_of(grown(trace, [1, 1, 2, 5, 13, 34, len(trace)])) == rows_of(whole)


def test_a_view_is_a_widget_and_a_frame() -> None:
    """A front end takes the widget; an exported notebook has the frame; a terminal has a line."""
    bundle = traced(LECTURE, "astar").view(height=500)._repr_mimebundle_()
    assert bundle["text/plain"] == "Trace(19 events: astar with manhattan on sliding-tile)"
    assert "height: 500px" in bundle["text/html"] and bundle[WIDGET]["model_id"]
    assert bf.Trace()._repr_mimebundle_() == {"text/plain": "Trace(0 events)"}


def test_without_widgets_a_view_is_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """And watching a search says what to install."""
    monkeypatch.setattr(notebook, "find_spec", lambda _name: None)
    assert set(traced(LECTURE, "astar").view()._repr_mimebundle_()) == {"text/plain", "text/html"}
    for module in ("anywidget", "bestfirst.viewer.widget", "bestfirst.viewer.live"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(InputError, match=r"pip install 'bestfirst\[notebook\]'"):
        bf.Search(LECTURE, trace=True).watch()


def test_a_search_is_streamed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pieces are the recording of its trace, the last one says that it is over, and the solution is that of run()."""
    streams: list[live.Stream] = []
    monkeypatch.setattr("bestfirst.viewer.streaming.SOONEST", 0.01)
    start = live.Stream.__init__

    def noted(stream: live.Stream, *given: Any) -> None:
        start(stream, *given)
        streams.append(stream)

    monkeypatch.setattr(live.Stream, "__init__", noted)
    search = bf.Search(HARDER, "greedy", "manhattan", trace=True)
    solution = search.watch(per_second=5_000)
    assert solution.cost == bf.solve(HARDER, "greedy", "manhattan").cost
    first, *others = pieces_of(streams[0].widget)
    assert len(others) > 2
    assert [piece["running"] for piece in others] == [True] * (len(others) - 1) + [False]
    [recording] = first["recordings"]
    recording["chunks"] += [piece["chunk"] for piece in others]
    assert search.trace is not None
    assert rows_of(recording) == rows_of(recording_of(search.trace))
    assert rows_of(recording) == rows_of(streams[0].recording)


class Growing(Problem):
    """Lists to which numbers are added: each has more cells than those before."""

    initial = (0,)

    def successors(self, state: tuple[int, ...]) -> list[tuple[str, tuple[int, ...], int]]:
        return [("add", (*state, len(state)), 1)]

    def is_goal(self, state: tuple[int, ...]) -> bool:
        return len(state) == 5

    def cells(self, state: tuple[int, ...]) -> list[tuple[int, int, str]]:
        return [(0, column, str(number)) for column, number in enumerate(state)]


def test_a_state_that_does_not_fit_starts_a_new_recording() -> None:
    """A state with cells elsewhere than those so far: the picture of the search is decided anew."""
    trace = bf.solve(Growing(), "breadth-first", trace=True).trace
    assert trace is not None
    part = bf.Trace()
    part.begin(trace.subject)
    stream = live.Stream(part, 500)
    for event in trace:
        part.events.append(event)
        stream.send(is_running=True)
    shown = [piece["recordings"][0]["picture"] for piece in pieces_of(stream.widget) if "recordings" in piece]
    assert [len(picture.get("places", ())) for picture in shown] == [0, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("given", "word"),
    [({"per_second": 0}, "use a number > 0"), ({"per_second": "fast"}, "number"), ({"height": 3}, "height")],
)
def test_wrong_arguments_of_watch_are_refused(given: dict[str, Any], word: str) -> None:
    """With what to write instead; and a search without a trace cannot be watched."""
    with pytest.raises(InputError, match=word):
        bf.Search(LECTURE, trace=True).watch(**given)
    with pytest.raises(InputError, match="trace=True"):
        bf.Search(LECTURE).watch()


@pytest.mark.slow
def test_a_notebook_is_executed() -> None:
    """In a real kernel: a view and a watched search leave a widget with their pieces, and a frame, in the outputs."""
    nbformat, client = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    cells = [
        "import bestfirst as bf\npuzzle = bf.SlidingTile('2 8 3 1 6 4 7 _ 5', goal='1 2 3 8 _ 4 7 6 5')",
        "solution = bf.Search(puzzle, 'astar', heuristic='manhattan', trace=True).watch()",
        "solution.trace",
    ]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    models = book.metadata["widgets"]["application/vnd.jupyter.widget-state+json"]["state"]
    for cell in book.cells[1:]:
        [output] = cell["outputs"]
        assert output["data"]["text/html"].startswith("<iframe") and output["data"]["text/plain"]
        model = models[output["data"][WIDGET]["model_id"]]
        assert model["model_module"] == "anywidget"
        assert {buffer["path"][0] for buffer in model["buffers"]} == {
            f"piece{number}" for number in range(model["state"]["pieces"])
        }


HOST = """async ([script, pieces, height]) => {
    const model = { state: { height, pieces: 0 }, calls: {} };
    model.get = name => model.state[name];
    model.on = (event, call) => (model.calls[event] = call);
    model.off = event => delete model.calls[event];
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const { default: widget } = await import(url);
    const el = document.body.appendChild(document.createElement("div"));
    const end = widget.render({ model, el });
    window.host = {
        send: piece => {
            model.state[`piece${model.state.pieces}`] = new DataView(Uint8Array.from(atob(piece), c => c.charCodeAt(0)).buffer);
            model.state.pieces++;
            model.calls["change:pieces"]();
        },
        app: () => el.firstChild.viewer,
        end: () => { end(); return [Object.keys(model.calls).length, el.querySelectorAll("main").length]; },
    };
    pieces.forEach(window.host.send);
}"""


@pytest.mark.slow
@needs_browser
def test_a_widget_grows_with_its_search(browser: Browser, tmp_path: Path) -> None:
    """Whoever looks at the end goes on with it, whoever looks back stays; keys work in the widget only; it can be closed."""
    trace = traced(LECTURE, "astar")
    part = bf.Trace()
    part.begin(trace.subject)
    stream = live.Stream(part, 500)
    for cut in (slice(0, 8), slice(8, 12), slice(12, None)):
        part.events += trace.events[cut]
        stream.send(is_running=cut.stop is not None)
    pieces = [b64encode(getattr(stream.widget, f"piece{number}")).decode() for number in range(3)]
    (tmp_path / "host.html").write_text("<!doctype html><title>notebook</title><input id='cell'>")
    with page_of(browser) as page:
        page.goto((tmp_path / "host.html").as_uri())
        page.add_style_tag(content=stream.widget._css)
        page.evaluate(HOST, [stream.widget._esm, pieces[:1], 500])
        page.wait_for_function("window.host?.app()?.panes[0].run.events === 8")
        assert page.inner_text(".running") == "running" and page.inner_text("output") == "8 / 8"
        page.evaluate("piece => host.send(piece)", pieces[1])
        page.wait_for_function("host.app().player.step.value === 12")
        page.click(".sentence")
        page.keyboard.press("ArrowLeft")
        page.evaluate("piece => host.send(piece)", pieces[2])
        page.wait_for_function("host.app().player.end.value === 19")
        assert page.inner_text("output") == "11 / 19" and page.query_selector(".running") is None
        page.click("#cell")
        page.keyboard.press("Home")
        assert page.inner_text("output") == "11 / 19"
        page.keyboard.press("Shift+Tab")
        agendas = "(() => { const run = host.app().panes[0].run; return [run.agendaAt(19, 99).nodes, run.counts(19)] })()"
        grown_to = page.evaluate(agendas)
        page.evaluate(HOST, [stream.widget._esm, [], 500])
        page.evaluate(
            "host.send", b64encode(gzip.compress(json.dumps({"recordings": [recording_of(trace)]}).encode())).decode()
        )
        page.wait_for_function("window.host?.app()?.panes[0].run.events === 19")
        assert page.evaluate(agendas) == grown_to
        assert page.evaluate("host.end()") == [0, 0]
