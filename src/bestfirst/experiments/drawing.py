"""How all figures of a report look, and how they become files: the colours, the axes, the limits."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bestfirst.experiments.extra import needing
from bestfirst.experiments.results import Metric, Results
from bestfirst.solution import Limits

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure as Drawing

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Told apart by the colour-blind (Okabe & Ito 2008); the yellow is left out, which is faint on white."""
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 2)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DOTS_PER_INCH = 200
NEAR = 10
"""A limit that is more than this many times the largest value is not drawn, because it would leave little room for the values."""
NARROWEST = 12
"""A logarithmic axis ends at this many times its beginning, or later."""
LABELLED = ((20, (1, 2, 5)), (100, (1, 3)))
"""What a logarithmic axis labels in each power of ten, if it ends at less than this many times its beginning."""
NEARLY_LINEAR = 4
"""A logarithmic axis that ends at less than this many times its beginning is labelled as a linear one."""
PLAIN = (1e-3, 1e5)
"""Labels outside this range are written with powers of ten."""
_LIMITED = {"seconds": "seconds", "expanded": "expansions", "memory": "memory"}
"""The limit on each metric that has one."""
_STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 4,
    "svg.fonttype": "path",
    "svg.hashsalt": "bestfirst",
}


@contextmanager
def styled() -> Iterator[None]:
    """Figures that are drawn in this block have the look of a report. Raises InputError if Matplotlib is not installed."""
    with needing("matplotlib"):
        import matplotlib as mpl  # noqa: PLC0415
    with mpl.rc_context(_STYLE):  # type: ignore[arg-type]  # of which all keys are names of settings
        yield


@dataclass(frozen=True)
class Figure:
    """A figure. name: of its files. caption: what it shows, and how to read it."""

    name: str
    title: str
    caption: str
    svg: str
    png: bytes

    def inline(self) -> str:
        """The SVG as part of a page; its names begin with that of the figure, so that no two are equal."""
        body = self.svg[self.svg.index("<svg") :]
        body = re.sub(r'\bid="', f'id="{self.name}-', body)
        body = re.sub(r'(href="#|url\(#)', rf"\g<1>{self.name}-", body)
        return re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)


@contextmanager
def empty_drawing(width: float, height: float, rows: int = 1, columns: int = 1) -> Iterator[tuple[Drawing, Any]]:
    """An empty drawing, in inches, that no window shows."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
    from matplotlib.figure import Figure as Canvas  # noqa: PLC0415

    drawing = Canvas(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(drawing)
    yield drawing, drawing.subplots(rows, columns, squeeze=False)


def finished(drawing: Drawing, name: str, title: str, caption: str) -> Figure:
    """A drawing as a figure."""
    svg, png = io.StringIO(), io.BytesIO()
    drawing.savefig(svg, format="svg", metadata={"Date": None})
    drawing.savefig(png, format="png", dpi=DOTS_PER_INCH)
    return Figure(name, title, caption, svg.getvalue(), png.getvalue())


def label_of(metric: Metric) -> str:
    """What an axis says."""
    return f"{metric.title} ({metric.unit})" if metric.unit in ("s", "MiB") else metric.title


def limit_of(results: Results, metric: Metric, most: float) -> float | None:
    """The limit on a metric, if it was the same for all runs, and some came near it. most: the largest value."""
    if metric.name not in _LIMITED:
        return None
    limits = {getattr(Limits(**task.limits), _LIMITED[metric.name]) for task in results.tasks}
    found = limits.pop() if len(limits) == 1 else None
    return None if found is None or most < found * metric.scale / NEAR else float(found) * metric.scale


def largest(results: Results, metric: Metric) -> float:
    """The largest value of any run, solved or not."""
    return max((row[metric.column] or 0 for row in results.rows), default=0) * metric.scale


def look_of(number: int) -> dict[str, Any]:
    """The look of a configuration."""
    return {"color": colour_of(number), "linestyle": LINES[_second(number)]}


def colour_of(number: int) -> str:
    """The colour of a configuration."""
    return COLOURS[number % len(COLOURS)]


def marker_of(number: int) -> str:
    """The marker of a configuration."""
    return MARKERS[_second(number)]


def _second(number: int) -> int:
    """What goes with a colour: something else when the colours come again."""
    return (number + number // len(COLOURS)) % len(COLOURS)


def draw_limit(axis: Axes, limit: float) -> None:
    """A dotted upright line, with its name above the axes, where nothing else is."""
    axis.axvline(limit, color="#666666", linewidth=1, linestyle=":")
    above: dict[str, Any] = {"xycoords": ("data", "axes fraction"), "xytext": (0, 2), "textcoords": "offset points"}
    axis.annotate("limit", (limit, 1), **above, ha="center", va="bottom", color="#666666")


def use_logarithmic(axis: Axes) -> None:
    """Make the horizontal axis logarithmic, and wide enough that small differences look small."""
    axis.set_xscale("log")
    low, high = axis.get_xlim()
    if high < NARROWEST * low:
        more = (NARROWEST * low / high) ** 0.5
        axis.set_xlim(low / more, high * more)
    label_logarithmic(axis.xaxis)


def label_logarithmic(axis: Axis) -> None:
    """Label a logarithmic axis, whose limits are final, with so few numbers that they do not overlap."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter  # noqa: PLC0415

    axis.set_minor_formatter(NullFormatter())
    low, high = axis.get_view_interval()
    labelled = next((numbers for times, numbers in LABELLED if high < times * low), None)
    if labelled is not None:
        nearly_linear = high < NEARLY_LINEAR * low
        axis.set_major_locator(MaxNLocator(3, steps=[1, 2, 2.5, 4, 5, 10]) if nearly_linear else LogLocator(subs=labelled))
        axis.set_major_formatter(FuncFormatter(lambda value, _: _tick(value)))


def _tick(value: float) -> str:
    """A number beside an axis."""
    if PLAIN[0] <= value < PLAIN[1]:
        return f"{value:,.6g}"
    factor, power = f"{value:.1e}".split("e")
    times = "" if factor == "1.0" else rf"{float(factor):g}\times"
    return rf"${times}10^{{{int(power)}}}$"
