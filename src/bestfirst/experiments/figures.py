"""The figures of a report: each metric by problem, cactus plots, scatter plots, nodes by cost, and bounds over time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bestfirst.experiments.drawing import (
    COLOURS,
    MARKERS,
    Figure,
    colour_of,
    draw_limit,
    empty_drawing,
    finished,
    label_logarithmic,
    label_of,
    largest,
    limit_of,
    look_of,
    marker_of,
    styled,
    use_logarithmic,
)
from bestfirst.experiments.figures_by_problem import coverage, is_known, spread
from bestfirst.experiments.results import METRICS, Metric, Place, Results, to_float
from bestfirst.experiments.statistics import LARGEST, LEAST
from bestfirst.experiments.tables import places_by_cost
from bestfirst.system.interrupt import CtrlC

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_PAIRS = 6
MOST_OVER_TIME = 6
MOST_LETTERS = 56
"""How many fit below a scatter plot."""

_READ_AS = {
    "seconds": "At each time, the height of a line is the coverage within that time limit.",
    "memory": "At each amount, the height of a line is the coverage within that limit on memory.",
}


def figures_of(results: Results) -> list[Figure]:
    """All figures that the results allow. Raises KeyboardInterrupt after the figure in which Ctrl-C is pressed."""
    figures = []
    with CtrlC() as ctrl_c, styled():  # Matplotlib runs code where an exception is only printed
        for figure in _figures(results):
            figures.append(figure)
            if ctrl_c.pressed:
                raise KeyboardInterrupt
    return figures


def _figures(results: Results) -> Iterator[Figure]:
    yield coverage(results)
    for name in ("expanded", "seconds", "memory"):
        if is_known(results, results.metric(name)):
            yield spread(results, results.metric(name))
    for name in ("expanded", "seconds", "memory"):
        if results.is_measured(results.metric(name)):
            yield cactus(results, results.metric(name))
    base = results.baseline()
    others = [one for one in results.configurations if one != base and results.of_both(base, one)]
    for place, other in enumerate(others[:MOST_PAIRS], 1):
        for name in ("expanded", "seconds"):
            if results.is_measured(results.metric(name)):
                yield scatter(results, base, other, results.metric(name), place)
    if results.about.get("by_cost") and places_by_cost(results):
        yield by_cost(results)
    chosen = _improving(results)
    if chosen:
        yield over_time(results, chosen)


def cactus(results: Results, metric: Metric) -> Figure:
    """A cactus plot: the number of instances that each configuration solves, against a metric."""
    with empty_drawing(6.4, 3.8) as (drawing, axes):
        axis: Axes = axes[0][0]
        for number, one in enumerate(results.configurations):
            values = sorted(max(value, LEAST[metric.name]) for value in results.values(one, metric, results.places))
            if values:
                axis.step([values[0], *values], range(len(values) + 1), where="post", label=one, **look_of(number))
                marker = marker_of(number)
                axis.plot(values[-1:], [len(values)], marker, color=colour_of(number))
        limit = limit_of(results, metric, largest(results, metric))
        if limit is not None:
            draw_limit(axis, limit)
        use_logarithmic(axis)
        axis.set_xlabel(label_of(metric))
        axis.set_ylabel(f"Instances solved (of {len(results.places)})")
        axis.set_ylim(bottom=0)
        drawing.legend(loc="outside right upper")
        caption = (
            f"Cactus plot: the number of instances that each configuration solves, against {metric.title.lower()}. "
            f"Higher and further left is better. {_READ_AS.get(metric.name, '')}"
        ).rstrip()
        return finished(drawing, f"cactus-{metric.name}", f"{metric.title}: cactus plot", caption)


def scatter(results: Results, base: str, other: str, metric: Metric, number: int) -> Figure:
    """Two configurations, instance by instance, on logarithmic scales; what one of them did not solve is on a line at the edge."""
    places = results.of_both(base, other)
    pairs = {place: tuple(_value(results, one, metric, place) for one in (base, other)) for place in places}
    known = [value for pair in pairs.values() for value in pair if value is not None]
    limit = limit_of(results, metric, largest(results, metric))
    unsolved = any(None in pair for pair in pairs.values())
    top = max([*known, *([limit] if limit is not None else [])], default=1.0)
    edge = limit if limit is not None else top * 4 if unsolved else None
    with empty_drawing(4.9, 4.4) as (drawing, axes):
        axis: Axes = axes[0][0]
        for shape, problem in enumerate(results.problems):
            points = [pairs[place] for place in places if place[0] == problem]
            drawn = [(edge or top if x is None else x, edge or top if y is None else y) for x, y in points]
            if drawn:
                axis.scatter(
                    [x for x, _ in drawn],
                    [y for _, y in drawn],
                    s=16,
                    marker=MARKERS[shape % len(MARKERS)],
                    facecolor="none",
                    edgecolor=COLOURS[shape % len(COLOURS)],
                    linewidth=0.9,
                    label=problem,
                )
        low, high = min(known, default=top) / 1.6, (edge or top) * 1.6
        axis.plot([low, high], [low, high], color="#666666", linewidth=0.8)
        if edge is not None:
            for line, at in ((axis.axvline, "x"), (axis.axhline, "y")):
                line(edge, color="#666666", linewidth=1, linestyle=":")
                words = "limit" if limit is not None else "not solved"
                where = (edge, low) if at == "x" else (low, edge)
                axis.annotate(
                    words,
                    where,
                    xytext=(-2, 3) if at == "x" else (3, -2),
                    textcoords="offset points",
                    rotation=90 if at == "x" else 0,
                    ha="right" if at == "x" else "left",
                    va="bottom" if at == "x" else "top",
                    color="#666666",
                )
        axis.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high), aspect="equal")
        label_logarithmic(axis.xaxis)
        label_logarithmic(axis.yaxis)
        axis.set_xlabel(f"{label_of(metric)}: {base}")
        axis.set_ylabel(f"{label_of(metric)}: {other}")
        if len(results.problems) > 1:
            longest = max(map(len, results.problems))
            drawing.legend(loc="outside lower center", ncols=max(1, min(3, MOST_LETTERS // (longest + 8))))
        caption = (
            f"{label_of(metric)} of {other} and {base}, one mark for each instance. Below the diagonal, {other} takes less."
            + (" On a dotted line: not solved within the limits." if edge is not None and unsolved else "")
        )
        return finished(drawing, f"scatter-{number}-{metric.name}", f"{other} and {base}: {metric.title.lower()}", caption)


def _value(results: Results, one: str, metric: Metric, place: Place) -> float | None:
    found = results.values(one, metric, [place])
    return max(found[0], LEAST[metric.name]) if found else None


def by_cost(results: Results) -> Figure:
    """The mean number of nodes for each cost of the solution."""
    groups = places_by_cost(results)
    metric = METRICS["generated"]
    with empty_drawing(6.4, 3.8) as (drawing, axes):
        axis: Axes = axes[0][0]
        for number, one in enumerate(results.configurations):
            means = {cost: results.values(one, metric, places) for cost, places in groups.items()}
            points = [(cost, sum(values) / len(values)) for cost, values in means.items() if values]
            axis.plot(*zip(*points, strict=True), marker=marker_of(number), label=one, **look_of(number))
        axis.set_yscale("log")
        label_logarithmic(axis.yaxis)
        axis.xaxis.get_major_locator().set_params(integer=True)  # type: ignore[call-arg]
        axis.set_xlabel("Cost of the solution")
        axis.set_ylabel("Nodes generated (mean)")
        drawing.legend(loc="outside right upper")
        caption = "The mean number of nodes generated, by the cost of the solution, on a logarithmic scale."
        return finished(drawing, "by-cost", "Nodes by the cost of the solution", caption)


def _improving(results: Results) -> list[Place]:
    """The instances on which some run found a solution and then a better one: those that took longest, in their order."""
    longest: dict[Place, float] = {}
    for (place, _), cell in results.cells.items():
        for row in cell.runs:
            costs = {cost for _, _, cost, _ in row["history"] or [] if _can_be_drawn(cost)}
            if len(costs) > 1:
                longest[place] = max(longest.get(place, 0.0), row["seconds"] or 0.0)
    chosen = sorted(longest, key=lambda place: -longest[place])[:MOST_OVER_TIME]
    return [place for place in results.places if place in chosen]


def _can_be_drawn(value: float | None) -> bool:
    """Whether a logarithmic axis can show a value."""
    return value is not None and 0 < to_float(value) < LARGEST


def over_time(results: Results, places: Sequence[Place]) -> Figure:
    """The best cost and the lower bound over time, for each instance."""
    columns = min(3, len(places))
    rows = math.ceil(len(places) / columns)
    with empty_drawing(2.6 * columns + 1, 2.2 * rows + 0.7, rows, columns) as (drawing, axes):
        flat = [axis for row in axes for axis in row]
        for axis, place in zip(flat, places, strict=False):
            _draw_history(results, axis, place)
            problem, name = place[0], results.task_of[place].name
            axis.set_title(name if problem == name else f"{problem}, {name}")
        for axis in flat[len(places) :]:
            axis.set_visible(False)
        for axis in flat[max(0, len(places) - columns) : len(places)]:
            axis.set_xlabel("Time (s)")
        for row in axes:
            row[0].set_ylabel("Cost")
        handles: dict[str, Any] = {}
        for axis in flat:
            for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
                handles.setdefault(label, handle)
        drawing.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=min(3, len(handles)))
        caption = (
            "The cost of the best solution so far (solid) and the proved lower bound (dotted) over time, on the instances that "
            "took longest, for the first seed. Where the two meet, the solution is proved to be optimal."
        )
        return finished(drawing, "over-time", "Cost and lower bound over time", caption)


def _draw_history(results: Results, axis: Axes, place: Place) -> None:
    axis.set(xscale="log", yscale="log")
    first = math.inf
    for number, one in enumerate(results.configurations):
        cell = results.cells.get((place, one))
        if cell is None or not cell.runs[0]["history"]:
            continue
        row = cell.runs[0]
        last = max(row["seconds"] or 0.0, LEAST["seconds"])
        for index, style, label in ((2, "-", one), (3, ":", None)):
            points = [(max(point[0], LEAST["seconds"]), point[index]) for point in row["history"]]
            shown = [(at, value) for at, value in points if _can_be_drawn(value)]
            if not shown:
                continue
            shown.append((max(last, shown[-1][0]), shown[-1][1]))
            if index == 2:
                axis.plot(*shown[-1], marker_of(number), color=colour_of(number))
            first = min(first, shown[0][0]) if index == 2 else first
            axis.step(
                *zip(*shown, strict=True),
                where="post",
                color=colour_of(number),
                linestyle=style,
                label=label,
                linewidth=1.4,
            )
    axis.set_xlim(left=first / 2)
    label_logarithmic(axis.xaxis)
    label_logarithmic(axis.yaxis)
