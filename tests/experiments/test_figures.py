"""Figures by problem: what is drawn, also where little is known."""

from __future__ import annotations

import signal
from itertools import pairwise
from typing import Any

import pytest

from bestfirst.experiments import figures, figures_by_problem
from bestfirst.experiments.drawing import (
    COLOURS,
    Figure,
    empty_drawing,
    label_logarithmic,
    look_of,
    marker_of,
    styled,
)
from bestfirst.experiments.results import METRICS, Results
from bestfirst.experiments.task import SEARCH, Task
from bestfirst.system import interrupt
from made_results import UNSOLVED, results, row

NOTHING_KNOWN = {"status": "error", **dict.fromkeys(("cost", "expanded", "generated", "seconds", "peak_memory"))}
MIB = 2**20


def of_problems(runs: dict[str, dict[str, list[dict[str, Any]]]], **task: Any) -> Results:
    """The results of configurations on several problems."""
    made = [
        (Task(SEARCH, problem, name, "pancake", str(number), f"i{number}", number, algorithm=name, **task), row(**given))
        for name, by_problem in runs.items()
        for problem, all_given in by_problem.items()
        for number, given in enumerate(all_given, 1)
    ]
    return Results(made, {"title": "T"}, "made.sqlite")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The axes of the figures that are drawn; they are not written."""
    axes: list[Any] = []

    def keep(drawing: Any, name: str, title: str, caption: str) -> Figure:
        axes.extend(drawing.axes)
        return Figure(name, title, caption, "<svg/>", b"")

    for module in (figures, figures_by_problem):
        monkeypatch.setattr(module, "finished", keep)
    return axes


def names_of(found: Results) -> set[str]:
    """The names of the figures that are made, except scatter plots."""
    return {figure.name for figure in figures.figures_of(found) if not figure.name.startswith("scatter")}


def test_coverage_has_a_bar_for_each_configuration_on_each_problem_and_on_all(drawn: list[Any]) -> None:
    """As long as the share that it solved, with the numbers beside it."""
    found = of_problems({"a": {"p": [{}, {}], "q": [UNSOLVED]}, "b": {"p": [UNSOLVED, {}], "q": [{}]}})
    figures_by_problem.coverage(found)
    axis = drawn[0]
    bars = sorted((bar.get_y(), round(bar.get_width(), 1)) for bar in axis.patches)
    assert [length for _, length in bars] == [100, 50, 0, 100, 66.7, 66.7]
    assert [tick.get_text() for tick in axis.get_yticklabels()] == ["p", "q", "all"]
    assert sorted(text.get_text() for text in axis.texts) == ["0 of 1", "1 of 1", "1 of 2", "2 of 2", "2 of 3", "2 of 3"]


def test_memory_has_a_mark_for_each_run_and_the_limit(drawn: list[Any]) -> None:
    """Hollow for a run that was not solved; the bar is the median, and growth by less than a page counts as one."""
    runs: list[dict[str, Any]] = [{"peak_memory": 2 * MIB}, {"peak_memory": 0}, {**UNSOLVED, "peak_memory": 40 * MIB}]
    figure = figures_by_problem.spread(of_problems({"a": {"p": runs}}, limits={"memory": "32MiB"}), METRICS["memory"])
    _, filled, hollow = drawn[0].collections
    assert sorted(filled.get_offsets()[:, 0].tolist()) == [2**-8, 2] and hollow.get_offsets()[:, 0].tolist() == [40]
    assert len(filled.get_facecolor()) and not len(hollow.get_facecolor())
    upright = {line.get_xdata()[0] for line in drawn[0].lines}
    assert upright == {2, 32} and [text.get_text() for text in drawn[0].texts] == ["limit"]
    assert "hollow" in figure.caption


def test_a_narrow_range_has_room_for_the_labels(drawn: list[Any]) -> None:
    """The axis spans more than a power of ten."""
    figures_by_problem.spread(results({"a": [{"seconds": 1.0}, {"seconds": 1.001}]}), METRICS["seconds"])
    low, high = drawn[0].get_xlim()
    assert low < 1 and high > 1.001 and high / low > 10


@pytest.mark.parametrize("low", [3.05e-7, 0.0021, 0.06, 5.1, 21, 1_900, 130_000, 4.4e13])
@pytest.mark.parametrize("times", [1.3, 2, 2.6, 3.9, 9.9, 19, 21, 99, 101, 1e6, 1e30])
def test_the_labels_of_a_logarithmic_axis_do_not_overlap(low: float, times: float) -> None:
    """Not even in the small panels of bounds over time; one label or more is shown, and two or more of a power of ten."""
    with styled(), empty_drawing(2.6, 2.2) as (drawing, axes):
        axis = axes[0][0]
        axis.set(xscale="log", xlim=(low, low * times))
        label_logarithmic(axis.xaxis)
        drawing.draw_without_rendering()
        ticks = [*axis.xaxis.get_major_ticks(), *axis.xaxis.get_minor_ticks()]
        labels = [tick.label1 for tick in ticks if low <= tick.get_loc() <= low * times and tick.label1.get_text()]
        edges = sorted((box.x0, box.x1) for box in (label.get_window_extent() for label in labels))
    assert len(edges) >= (1 if times < 9 else 2)
    assert all(end < beginning for (_, end), (beginning, _) in pairwise(edges))


@pytest.mark.usefixtures("drawn")
def test_what_is_not_known_has_no_figure() -> None:
    """Memory that was not measured; cactus plots if nothing was solved; all but coverage if all runs failed."""
    no_memory = {"cactus-expanded", "cactus-seconds", "coverage", "spread-expanded", "spread-seconds"}
    assert names_of(results({"a": [{"peak_memory": None}]})) == no_memory
    by_problem = {"coverage", "spread-expanded", "spread-memory", "spread-seconds"}
    assert names_of(results({"a": [UNSOLVED], "b": [UNSOLVED]})) == by_problem
    assert names_of(results({"a": [NOTHING_KNOWN]})) == {"coverage"}


def test_ctrl_c_ends_the_report_after_a_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matplotlib may not swallow it."""
    made: list[Any] = []

    def interrupted(*given: Any) -> Figure:
        made.append(given)
        signal.raise_signal(signal.SIGINT)
        return Figure("coverage", "", "", "<svg/>", b"")

    monkeypatch.setattr(figures, "coverage", interrupted)
    monkeypatch.setattr(interrupt, "_may_be_handled", lambda: True)
    with pytest.raises(KeyboardInterrupt):
        figures.figures_of(results({"a": [UNSOLVED]}))
    assert len(made) == 1


def test_configurations_can_be_told_apart_when_the_colours_come_again() -> None:
    """By their lines and marks."""
    several = range(len(COLOURS) * 3)
    assert len({str(look_of(number)) for number in several}) == len(several)
    assert len({(look_of(number)["color"], marker_of(number)) for number in several}) == len(several)
