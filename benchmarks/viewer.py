"""The viewer in a browser: how long a page takes to open, to zoom and to step; and what recording costs.

    python benchmarks/viewer.py                        # an 8-puzzle of 26 moves, and a 15-puzzle with 100,000 nodes
    python benchmarks/viewer.py --nodes 1e6

Needs Playwright, and Chromium on the path. README.md explains the numbers.
"""

from __future__ import annotations

import argparse
import gc
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import bestfirst as bf

NODES_PER_EXPANSION = 2.03
FRAMES = """async () => {
    const stage = document.querySelector(".stage"), place = stage.getBoundingClientRect(), times = [];
    for (let frame = 0; frame < 60; frame++) {
        const at = { clientX: place.left + 400, clientY: place.top + 200, bubbles: true, cancelable: true };
        const started = performance.now();
        stage.dispatchEvent(new WheelEvent("wheel", { deltaY: frame < 30 ? -100 : 100, ...at }));
        document.getElementById("bestfirst-viewer").viewer.panes[0].stage.draw();
        times.push(performance.now() - started);
    }
    return times.sort((one, other) => one - other);
}"""
STEPS = """async () => {
    const { player } = document.getElementById("bestfirst-viewer").viewer, times = [];
    for (let step = 0; step < 20; step++) {
        const started = performance.now();
        player.move(-1);
        await new Promise(requestAnimationFrame);
        times.push(performance.now() - started);
    }
    return times.sort((one, other) => one - other);
}"""


def recorded(puzzle: bf.SlidingTile, expansions: int | None) -> tuple[bf.Trace, float]:
    """The trace of A*, and the time of the search with it, relative to the search without."""
    limits, seconds = bf.Limits(expansions=expansions), []
    trace = bf.Trace(10**8)
    for given in (False, trace):
        started = process_time()  # not that of other programs
        bf.solve(puzzle, "astar", heuristic="manhattan", engine="python", limits=limits, trace=given)
        seconds.append(process_time() - started)
    return trace, seconds[1] / seconds[0]


def measure(name: str, trace: bf.Trace, ratio: float, browser: Any, directory: Path) -> None:
    """Print a row."""
    page, file = browser.new_page(viewport={"width": 1400, "height": 900}), directory / "page.html"
    trace.save(file)
    gc.freeze()  # otherwise the collector goes through the trace while the browser works
    started = perf_counter()
    page.goto(file.as_uri())
    page.wait_for_selector("[data-state=ready]")
    opened = perf_counter() - started
    nodes = page.evaluate("document.getElementById('bestfirst-viewer').viewer.panes[0].run.nodes")
    page.wait_for_timeout(500)
    frames, steps = page.evaluate(FRAMES), page.evaluate(STEPS)
    size = file.stat().st_size / 2**20
    print(
        f"{name:12} {nodes:>9,} {ratio:>9.2f} {size:>8.1f} {opened:>8.2f} "
        f"{frames[len(frames) // 2]:>8.1f} {frames[-1]:>8.1f} {steps[len(steps) // 2]:>8.1f}"
    )
    page.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=float, default=1e5, help="about so many nodes of a 15-puzzle")
    nodes = int(parser.parse_args(arguments).nodes)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        print("Chromium is not installed: nothing is measured")
        return 0
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    eight = bf.SlidingTile("7 2 4 5 _ 6 8 3 1", "_ 1 2 3 4 5 6 7 8")
    fifteen = bf.SlidingTile("3 14 9 11 5 4 8 2 13 12 6 7 10 1 15 _", "_ 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15")
    print(f"{'':12} {'nodes':>9} {'recording':>9} {'MiB':>8} {'open s':>8} {'frame ms':>8} {'worst ms':>8} {'step ms':>8}")
    with sync_playwright() as playwright, TemporaryDirectory() as directory:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, puzzle, expansions in (
            ("8-puzzle", eight, None),
            ("15-puzzle", fifteen, max(1, int(nodes / NODES_PER_EXPANSION))),
        ):
            measure(name, *recorded(puzzle, expansions), browser, Path(directory))
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
