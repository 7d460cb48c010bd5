"""The tables of a report, as HTML, Markdown and LaTeX, with the best of each column in bold."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from statistics import fmean

from bestfirst.experiments.results import METRICS, Metric, Place, Results, geometric_mean
from bestfirst.experiments.statistics import LEAST, Paired, p_value
from bestfirst.solution import effective_branching_factor
from bestfirst.trace.labels import one_line

NOTHING = "–"  # noqa: RUF001  (an en dash)
Cells = Sequence[tuple[str, bool]]


@dataclass(frozen=True)
class Table:
    """A table. name: of its files. caption: what the numbers are. rows: cells with whether they are the best of their column."""

    name: str
    title: str
    caption: str
    header: Sequence[str]
    rows: Sequence[Cells]

    def to_html(self) -> str:
        """A table with a caption; numbers are aligned on the right."""
        head = "".join(f"<th{' class=name' * (place == 0)}>{escape(cell)}</th>" for place, cell in enumerate(self.header))
        body = "".join(f"<tr>{''.join(_html(cell, place) for place, cell in enumerate(row))}</tr>\n" for row in self.rows)
        return (
            f'<div class="table"><table id="{self.name}" aria-describedby="{self.name}-caption">\n<thead><tr>{head}</tr></thead>\n'
            f'<tbody>\n{body}</tbody></table></div>\n<p class="note" id="{self.name}-caption">{escape(self.caption)}</p>'
        )

    def to_markdown(self) -> str:
        """A table of GitHub's Markdown, under its caption."""
        lines = [self.header, ["---", *["---:"] * (len(self.header) - 1)]]
        lines += [[f"**{text}**" if is_best else text for text, is_best in row] for row in self.rows]
        shown = ["| " + " | ".join(one_line(cell).replace("|", r"\|") for cell in line) + " |" for line in lines]
        return f"{self.caption}\n\n" + "\n".join(shown) + "\n"

    def to_latex(self) -> str:
        """A table of LaTeX, which needs the package booktabs."""
        lines = [" & ".join(map(_latex, self.header)) + r" \\ \midrule"]
        lines += [
            " & ".join(rf"\textbf{{{_latex(text)}}}" if best else _latex(text) for text, best in row) + r" \\"
            for row in self.rows
        ]
        body = "\n".join(lines)
        return (
            f"% needs \\usepackage{{booktabs}}\n\\begin{{table}}\n\\centering\n\\caption{{{_latex(self.caption)}}}\n"
            f"\\label{{tab:{self.name}}}\n\\begin{{tabular}}{{l{'r' * (len(self.header) - 1)}}}\n\\toprule\n{body}\n\\bottomrule\n"
            "\\end{tabular}\n\\end{table}\n"
        )


def _html(cell: tuple[str, bool], place: int) -> str:
    text, is_best = cell
    shown = f"<b>{escape(text)}</b>" if is_best else escape(text)
    return f"<th class=name>{shown}</th>" if place == 0 else f"<td>{shown}</td>"


_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",  # noqa: RUF001
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def _latex(text: str) -> str:
    """A text of a cell. After the end of a row, LaTeX would take [ or * for an option."""
    first = "{}" if text.startswith(("[", "*")) else ""
    return first + re.sub(r"[\\~^<>–&%$#_{}]", lambda sign: _SPECIAL[sign[0]], one_line(text))  # noqa: RUF001


def number(value: float) -> str:
    """A number with three digits that count, or all digits before the point, of which there are at most 15."""
    if value != value:  # noqa: PLR0124  (not a number)
        return NOTHING
    is_whole = math.isclose(value, round(value), rel_tol=1e-9)  # but for the rounding of a mean
    return f"{value:,.0f}" if (is_whole or abs(value) >= 100) and abs(value) < 1e15 else f"{value:.3g}"


def tables_of(results: Results, comparisons: Sequence[Paired]) -> list[Table]:
    """All tables that the results allow."""
    found = [coverage_table(results)]
    if any(cell.found > cell.solved for cell in results.cells.values()):
        found.append(solutions_table(results))
    measured = (results.metric(name) for name in ("expanded", "generated", "seconds", "memory"))
    found += [metric_table(results, one) for one in measured if results.is_measured(one)]
    if _costs_differ(results):
        found.append(metric_table(results, METRICS["cost"]))
    if results.about.get("by_cost"):
        found.append(by_cost_table(results))
    if any(task.published for task in results.tasks):
        found.append(published_table(results))
    if comparisons:
        found.append(comparison_table(comparisons))
    return found


def _costs_differ(results: Results) -> bool:
    """Whether two configurations found solutions of different costs."""
    metric = METRICS["cost"]
    costs = (
        {value for one in results.configurations for value in results.values(one, metric, [place])}
        for place in results.places
    )
    return any(len(found) > 1 for found in costs)


def coverage_table(results: Results) -> Table:
    """How many instances each configuration solved."""

    caption = "Coverage: instances solved within the limits. The best value of each column is bold, unless all are equal."
    return _by_problem("coverage", "Coverage", caption, results, _share(results.solved))


def solutions_table(results: Results) -> Table:
    """On how many instances each configuration found a solution, also if a limit then ended the search."""
    caption = (
        "Solutions: instances with a solution, even if a limit ended the search. The best value of each column is bold."
    )
    return _by_problem("solutions", "Solutions found", caption, results, _share(results.found))


_Cell = Callable[[str, str | None], tuple[float, str] | None]
"""A number for a configuration and a problem, less is better, and its text."""


def _share(count: Callable[[str, str | None], tuple[float, int]]) -> _Cell:
    def cell(configuration: str, problem: str | None) -> tuple[float, str] | None:
        counted, asked = count(configuration, problem)
        return (-counted / asked, f"{number(counted)} of {asked}") if asked else None

    return cell


def metric_table(results: Results, metric: Metric) -> Table:
    """The geometric mean of a metric over the instances that all solved; of costs, over those that all found a solution for."""
    common = {problem: results.common(metric, problem) for problem in (*results.problems, None)}

    def cell(configuration: str, problem: str | None) -> tuple[float, str] | None:
        values = results.values(configuration, metric, common[problem])
        mean = geometric_mean(values, LEAST[metric.name]) if values else None
        return None if mean is None else (mean, number(mean))

    unit = f" ({metric.unit})" if metric.unit in ("s", "MiB") else ""
    counted = ", ".join(f"{problem}: {len(places)}" for problem, places in common.items() if problem is not None)
    caption = (
        f"{metric.title}{unit}: geometric mean over the instances that all configurations {metric.reached} ({counted}). The "
        "best value of each column is bold."
    )
    return _by_problem(metric.name, metric.title, caption, results, cell)


def _by_problem(name: str, title: str, caption: str, results: Results, cell: _Cell) -> Table:
    """A row for each configuration, and a column for each problem and for all."""
    columns: list[str | None] = [*results.problems] if len(results.problems) == 1 else [*results.problems, None]
    found = [[cell(one, problem) for problem in columns] for one in results.configurations]
    if len(columns) > 1:  # a mean over other problems cannot be compared
        for row in found:
            row[-1] = None if None in row[:-1] else row[-1]
    best = [_best([row[place] for row in found]) for place in range(len(columns))]
    rows = [
        [(one, False), *((NOTHING, False) if it is None else (it[1], it[1] == best[place]) for place, it in enumerate(row))]
        for one, row in zip(results.configurations, found, strict=True)
    ]
    return Table(name, title, caption, ["", *(problem or "all" for problem in columns)], rows)


def _best(cells: Sequence[tuple[float, str] | None]) -> str | None:
    """The text of the lowest number; None if all are equal."""
    known = [cell for cell in cells if cell is not None]
    texts = {text for _, text in known}
    return min(known)[1] if len(texts) > 1 else None


def by_cost_table(results: Results) -> Table:
    """Nodes and effective branching factor for each cost of the optimal solution, as in textbooks."""
    by_cost = places_by_cost(results)
    metric = METRICS["generated"]
    columns = [f"{one}: {what}" for what in ("nodes", "b*") for one in results.configurations]
    rows = []
    for cost, places in by_cost.items():
        nodes = [_mean(results.values(one, metric, places)) for one in results.configurations]
        factors = [effective_branching_factor(round(mean), round(cost)) if mean == mean else mean for mean in nodes]  # noqa: PLR0124
        texts = [*map(number, nodes), *(f"{factor:.2f}" if factor == factor else NOTHING for factor in factors)]  # noqa: PLR0124
        rows.append([(number(cost), False), (str(len(places)), False), *((text, False) for text in texts)])
    caption = "Nodes generated (mean) and effective branching factor b*, by the cost of the solution."
    return Table("by-cost", "By the cost of the solution", caption, ["cost", "instances", *columns], rows)


def places_by_cost(results: Results) -> dict[float, list[Place]]:
    """The instances that all configurations solved, by the least cost that was found, in order."""
    found: dict[float, list[Place]] = {}
    for place in results.common(METRICS["generated"]):
        costs = [value for one in results.configurations for value in results.values(one, METRICS["cost"], [place])]
        if costs:
            found.setdefault(min(costs), []).append(place)
    return dict(sorted(found.items()))


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else float("nan")


def published_table(results: Results) -> Table:
    """How the runs agree with the figures of the literature."""
    kinds = list(dict.fromkeys(kind for task in results.tasks for kind in task.published))
    rows = []
    for one in results.configurations:
        row = [(one, False)]
        for kind in kinds:
            metric = METRICS[kind]
            pairs = [
                (results.values(one, metric, [place]), task.published[kind])
                for place, task in results.task_of.items()
                if kind in task.published
            ]
            known = [(values[0], figure) for values, figure in pairs if values]
            equal = sum(value == figure for value, figure in known)
            published = sum(figure for _, figure in known)
            ratio = sum(value for value, _ in known) / published if published else float("nan")
            row += [(f"{equal} of {len(known)}", False), (number(ratio), False)]
        rows.append(row)
    header = ["", *(text for kind in kinds for text in (f"{kind}: equal", f"{kind}: total / published"))]
    caption = (
        "Comparison with the published figures: the number of equal figures, out of the instances that the configuration "
        "solved (for costs: found a solution for), and the total divided by the published total."
    )
    return Table("published", "Compared with the literature", caption, header, rows)


def comparison_table(comparisons: Sequence[Paired]) -> Table:
    """The paired comparisons with the baseline."""
    header = ["", "metric", "ratio", "95% interval", "lower", "higher", "solved alone", "sign test"]
    rows = [
        [
            (f"{one.b} / {one.a}", False),
            (one.metric.title.lower(), False),
            (number(one.ratio), one.verdict != 0),
            (NOTHING if math.isnan(one.low) else f"{number(one.low)} to {number(one.high)}", False),
            (str(one.more), False),
            (str(one.less), False),
            (f"{one.only_b} : {one.only_a}", False),
            (p_value(one.p), False),
        ]
        for one in comparisons
    ]
    caption = (
        "Paired comparisons, instance by instance: the metric of the first divided by that of the second (geometric mean over "
        "the instances that both solved, with a bootstrap interval), the numbers of instances on which the first is lower and "
        "higher, the numbers of instances that only the first and only the second solved, and the two-sided sign test. Costs "
        "are compared wherever both found a solution. Bold: the interval and the test agree on a difference."
    )
    return Table("comparisons", "Paired comparisons", caption, header, rows)
