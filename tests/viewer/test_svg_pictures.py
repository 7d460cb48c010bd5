"""The pictures that problems and games make of their states, in the viewer and in notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import bestfirst as bf
from bestfirst.games.tracing.trace import GameTrace
from bestfirst.trace import to_html
from bestfirst.viewer import pictures
from bestfirst.viewer.columns import numbers_of
from bestfirst.viewer.game_recording import game_recording_of
from bestfirst.viewer.pictures import LEFT_OUT, NO_SVG
from bestfirst.viewer.recording import Recorder, recording_of
from browser import needs_browser, opened, page_of
from small_games import LastStick
from traced import traced

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

JUGS = bf.domains.WaterJugs("5 3", 4)
RUN = "document.getElementById('bestfirst-viewer').viewer.panes[0].run"


class Counted(bf.Problem[int, str]):
    """Bars of a height; from a state on, or up to one."""

    initial = 0

    def __init__(self, pictured: Iterable[int], to: int = 6, inside: str = "") -> None:
        self.pictured, self.to, self.inside = pictured, to, inside

    def is_goal(self, state: int) -> bool:
        return state == self.to

    def successors(self, state: int) -> Iterable[tuple[str, int, int]]:
        yield "on", state + 1, 1

    def picture(self, state: int) -> str | None:
        if state not in self.pictured:
            return None
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 10' onload='document.title = 1'><!-- {state} -->"
            f"<rect width='10' height='10' fill='#ff0000'/>{self.inside}</svg>"
        )


class Drawn(LastStick):
    def picture(self, state: Any) -> str:
        return f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 30 10'><!-- {state} --></svg>"


def told(problem: bf.Problem[Any, Any]) -> dict[str, Any]:
    trace = bf.solve(problem, "uniform-cost", trace=True).trace
    assert trace is not None
    return recording_of(trace)


def places_of(recording: dict[str, Any]) -> list[float]:
    return numbers_of(recording["chunks"][0]["states"]["svg"])


def test_a_recording_has_the_pictures_of_its_states() -> None:
    """Each state refers to its own; one without a picture to none."""
    recording = told(Counted(range(3)))
    texts = recording["chunks"][0]["texts"]
    shown = [texts[int(place)] if place >= 0 else None for place in places_of(recording)]
    assert recording["picture"] == {"kind": "text", "aspect": 1}
    assert shown == [Counted(range(3)).picture(state) for state in range(7)]
    assert "svg" not in told(Counted(()))["chunks"][0]["states"]


def test_the_pictures_of_a_recording_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Later ones are left out, and marked as such."""
    monkeypatch.setattr(pictures, "MOST_SVG", 300)
    places = places_of(told(Counted(range(9))))
    assert min(places[:2]) >= 0 and places[3:] == [LEFT_OUT] * 4


def test_pictures_that_begin_late_begin_another_recording() -> None:
    """As with other states that a recording, as it was announced, cannot show."""
    trace = bf.solve(Counted((4,)), "uniform-cost", trace=True).trace
    assert trace is not None and trace.seconds is not None
    part = bf.Trace()
    part.begin(trace.subject)
    recorder = Recorder(part)
    part.record(trace.events[0])
    assert "aspect" not in recorder.recording()["picture"]
    part.events += trace.events[1:]
    assert recorder.next_chunk() is None
    assert Recorder(part).recording()["picture"]["aspect"] == 1


def test_games_have_pictures_too() -> None:
    """Of the positions, not of the moves that were never tried."""
    trace = GameTrace()
    bf.analyse(Drawn(), limits=bf.GameLimits(depth=4), trace=trace).run()
    recording = game_recording_of(trace)
    [chunk] = recording["chunks"]
    names = [chunk["texts"][int(place)] for place in numbers_of(chunk["states"]["text"])]
    assert recording["picture"] == {"kind": "text", "aspect": pytest.approx(1 / 3)}
    assert [place == NO_SVG for place in places_of(recording)] == [name == "not looked at" for name in names]


def test_notebooks_show_pictures() -> None:
    """A problem, each step of a solution, and an analysis."""
    assert JUGS._repr_mimebundle_()["text/html"].count("<img src='data:image/svg+xml;base64,") == 1
    assert bf.solve(JUGS)._repr_mimebundle_()["text/html"].count("<img ") == 7
    analysis = bf.analyse(Drawn(), limits=bf.GameLimits(depth=2)).run()
    assert analysis._repr_mimebundle_()["text/html"].count("<img ") == 1


@needs_browser
def test_a_picture_is_seen_in_nodes_and_beside_them(browser: Browser, tmp_path: Path) -> None:
    """As an image, in the tree and in the panel of the state, also where that is saved."""
    trace = traced(JUGS, "breadth-first")
    (tmp_path / "jugs.html").write_text(to_html(trace))
    with page_of(browser) as page:
        opened(page, tmp_path / "jugs.html")
        page.wait_for_selector(".stage image")
        nodes = page.locator(".stage svg image")
        assert nodes.count() == page.evaluate(f"{RUN}.nodes") + 1  # the current node is drawn once more, above the others
        assert is_drawn(page, "img.state")
        assert page.get_attribute("img.state", "alt") == "4 3"
        with page.expect_download() as download:
            page.click("text=SVG")
        download.value.save_as(tmp_path / "tree.svg")
        assert (tmp_path / "tree.svg").read_text().count("data:image/svg+xml,") == nodes.count()


@needs_browser
def test_a_picture_can_do_nothing_but_be_seen(browser: Browser, tmp_path: Path) -> None:
    """No script of it runs, and it loads nothing: the page would say so."""
    inside = (
        "<script>document.title = 'run'; fetch('http://127.0.0.1:9/script')</script><style>@import 'http://127.0.0.1:9/style';"
        "rect { fill: #00ff00 }</style><image href='http://127.0.0.1:9/image' width='5' height='5' onerror='alert(1)'/>"
        "<foreignObject width='5' height='5'><img xmlns='http://www.w3.org/1999/xhtml' src='x' onerror='alert(1)'/></foreignObject>"
    )
    (tmp_path / "nasty.html").write_text(to_html(traced(Counted(range(9), 6, inside), "uniform-cost")))
    with page_of(browser) as page:
        opened(page, tmp_path / "nasty.html")
        assert page.get_attribute("meta[http-equiv]", "content").split("; ")[-1] == "img-src data:"  # type: ignore[union-attr]
        page.wait_for_selector(".stage image")
        assert is_drawn(page, "img.state")
        assert page.title().startswith("uniform-cost")


@needs_browser
def test_pictures_are_drawn_on_a_canvas_too(browser: Browser, tmp_path: Path) -> None:
    """Large trees and saved PNGs wait for them."""
    (tmp_path / "bars.html").write_text(to_html(traced(Counted(range(99)), "uniform-cost")))
    with page_of(browser) as page:
        opened(page, tmp_path / "bars.html")
        colour = page.evaluate(
            """async () => {
                const { stage } = document.getElementById("bestfirst-viewer").viewer.panes[0];
                const image = await createImageBitmap(await stage.png());
                const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d");
                context.drawImage(image, 0, 0);
                const { x, y } = stage.view;
                return [...context.getImageData(Math.round(x), Math.round(y), 1, 1).data];
            }"""
        )
        assert colour == [255, 0, 0, 255]


def is_drawn(page: Page, selector: str) -> bool:
    """Whether an image is shown, and is one."""
    drawn: bool = page.locator(selector).first.evaluate("async image => (await image.decode(), image.naturalWidth > 0)")
    return drawn
