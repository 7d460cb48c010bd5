"""Figures with a group of rows for each problem, and one for all: coverage, and how nodes, time and memory are spread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from textwrap import fill
from typing import TYPE_CHECKING, Any

from bestfirst.experiments.drawing import (
    Figure,
    colour_of,
    draw_limit,
    empty_drawing,
    finished,
    label_of,
    largest,
    limit_of,
    marker_of,
    use_logarithmic,
)
from bestfirst.experiments.results import Metric, Results, Row, is_solved, to_float
from bestfirst.experiments.statistics import LEAST
from bestfirst.experiments.tables import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

ROW, GAP, MARGIN = 0.2, 0.13, 0.75
"""The inches of a row, between groups, and for the axis below."""
WIDTH = 6.4
HATCHES = ("", "////", "....", "xxxx")
"""Of bars whose colours come again."""
LETTERS = 26
"""Of a line beside the axes."""
DOTS = 60
"""A row with more runs has fainter dots."""


@dataclass(frozen=True)
class _Row:
    """A row of a figure. at: its place from the top, in inches. problem: None for all."""

    at: float
    problem: str | None
    configuration: int


def _rows(results: Results) -> list[_Row]:
    """The rows, group by group."""
    groups: list[str | None] = [*results.problems] if len(results.problems) == 1 else [*results.problems, None]
    of_group = ROW * len(results.configurations) + GAP
    return [
        _Row(of_group * place + ROW * (row + 0.5) + GAP / 2, group, row)
        for place, group in enumerate(groups)
        for row in range(len(results.configurations))
    ]


def _draw_groups(drawing: Drawing, axis: Axes, results: Results, rows: Sequence[_Row]) -> None:
    """The names of the problems, and lines between them; the legend."""
    names: dict[str, list[float]] = {}
    for row in rows:
        names.setdefault("all" if row.problem is None else row.problem, []).append(row.at)
    axis.set_yticks([sum(places) / len(places) for places in names.values()], [_wrapped(name) for name in names])
    axis.tick_params(axis="y", length=0)
    axis.grid(visible=False, axis="y")
    for places in list(names.values())[1:]:
        axis.axhline(min(places) - (ROW + GAP) / 2, color="#999999", linewidth=0.6)
    axis.set_ylim(rows[-1].at + (ROW + GAP) / 2, 0)
    if len(results.configurations) > 1:
        handles, labels = axis.get_legend_handles_labels()
        columns = max(1, min(3, 60 // (6 + max(map(len, labels)))))
        drawing.legend(handles, labels, loc="outside upper left", ncols=columns)
    else:
        axis.set_title(results.configurations[0], loc="left")


def _wrapped(name: str) -> str:
    return fill(name, LETTERS, max_lines=2, placeholder="…")


def _height(results: Results, rows: Sequence[_Row]) -> float:
    longest = max(map(len, results.configurations))
    lines = -(-len(results.configurations) // max(1, min(3, 60 // (6 + longest))))
    return rows[-1].at + ROW + GAP + MARGIN + 0.2 * lines


def coverage(results: Results) -> Figure:
    """The share of the instances that each configuration solves, problem by problem."""
    rows = _rows(results)
    with empty_drawing(WIDTH, _height(results, rows)) as (drawing, axes):
        axis: Axes = axes[0][0]
        for one, name in enumerate(results.configurations):
            asked = [(row, *results.solved(name, row.problem)) for row in rows if row.configuration == one]
            ran = [(row.at, solved, of) for row, solved, of in asked if of]
            axis.barh(
                [at for at, _, _ in ran],
                [100 * solved / of for _, solved, of in ran],
                height=0.8 * ROW,
                color=colour_of(one),
                hatch=HATCHES[one // 7 % len(HATCHES)],
                edgecolor="white",
                linewidth=0,
                label=name,
            )
            for at, solved, of in ran:
                axis.annotate(
                    f"{number(solved)} of {of}",
                    (100 * solved / of, at),
                    xytext=(3, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize=7.5,
                    color="#444444",
                )
        axis.set_xlim(0, 115)
        axis.set_xticks(range(0, 101, 20))
        axis.set_xlabel("Instances solved within the limits (%)")
        _draw_groups(drawing, axis, results, rows)
        caption = "Coverage: the share, and the number, of the instances that each configuration solves within the limits."
        return finished(drawing, "coverage", "Coverage", caption)


def is_known(results: Results, metric: Metric) -> bool:
    """Whether a metric is known of any run, solved or not."""
    return any(row[metric.column] is not None for row in results.rows)


def spread(results: Results, metric: Metric) -> Figure:
    """A metric of each run, on a logarithmic scale, problem by problem, with the medians."""
    rows = _rows(results)
    unsolved = False
    with empty_drawing(WIDTH, _height(results, rows)) as (drawing, axes):
        axis: Axes = axes[0][0]
        for one, name in enumerate(results.configurations):
            filled: list[tuple[float, float]] = []
            hollow: list[tuple[float, float]] = []
            for row in (row for row in rows if row.configuration == one):
                found = [(is_solved(run), value) for run, value in _runs(results, name, row.problem, metric)]
                for place, (is_full, value) in enumerate(found):
                    (filled if is_full else hollow).append((value, row.at + _beside(place)))
                if found:
                    middle = median(value for _, value in found)
                    axis.plot([middle] * 2, [row.at - 0.4 * ROW, row.at + 0.4 * ROW], color="black", linewidth=1.5, zorder=3)
            faint = 0.45 if len(filled) + len(hollow) > DOTS else 0.8
            look: dict[str, Any] = {
                "marker": marker_of(one),
                "s": 11,
                "edgecolor": colour_of(one),
                "linewidth": 0.7,
                "alpha": faint,
            }
            axis.scatter([], [], **{**look, "alpha": 1, "s": 16}, facecolor=colour_of(one), label=name)
            axis.scatter(*_columns(filled), **look, facecolor=colour_of(one))
            axis.scatter(*_columns(hollow), **look, facecolor="none")
            unsolved = unsolved or bool(hollow)
        _draw_groups(drawing, axis, results, rows)
        limit = limit_of(results, metric, largest(results, metric))
        if limit is not None:
            draw_limit(axis, limit)
        use_logarithmic(axis)
        axis.set_xlabel(label_of(metric))
        caption = (
            f"{metric.title} of each run, on a logarithmic scale. "
            + ("A hollow mark is a run that was not solved. " if unsolved else "")
            + "A bar is the median of all runs of its row, solved or not."
            + (" Growth by less than a page of memory (4 KiB) counts as one." if metric.name == "memory" else "")
        )
        return finished(drawing, f"spread-{metric.name}", f"{metric.title} by problem", caption)


def _runs(results: Results, name: str, problem: str | None, metric: Metric) -> Iterator[tuple[Row, float]]:
    """The runs of a configuration on a problem of which a metric is known, with its value."""
    for task, row in results.runs:
        if task.configuration == name and problem in (None, task.problem) and row[metric.column] is not None:
            yield row, max(to_float(row[metric.column]) * metric.scale, LEAST[metric.name])


def _beside(place: int) -> float:
    """How far from the middle of its row a dot is, so that equal values can be seen: evenly spread, and always the same."""
    return ((place * 0.618034) % 1 - 0.5) * 0.6 * ROW


def _columns(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]
