"""The report of an experiment: one page, with its figures and tables as files for papers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import BinaryIO

from bestfirst.errors import InputError, counted
from bestfirst.experiments.drawing import Figure
from bestfirst.experiments.figures import figures_of
from bestfirst.experiments.results import METRICS, Results
from bestfirst.experiments.statistics import Paired, compare
from bestfirst.experiments.tables import Table, tables_of
from bestfirst.system.atomic import write_atomically
from bestfirst.viewer.single_file import single_file

PAGE = "report.html"
MOST_ERRORS = 10
COMPARED = ("expanded", "seconds", "cost")
_STYLE = """
body { max-width: 66rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
html { color: #1a1a1a; background: #fff; }
h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-bottom: 1px solid #ccc; } h3 { margin: 1.8rem 0 0.5rem; }
.table { overflow-x: auto; } table { border-collapse: collapse; margin: 0.5rem 0; font-variant-numeric: tabular-nums; }
thead th { border-bottom: 2px solid #1a1a1a; } tbody tr:last-child > * { border-bottom: 1px solid #1a1a1a; }
th, td { padding: 0.25rem 0.7rem; text-align: right; font-weight: normal; } td { white-space: nowrap; }
th.name { text-align: left; min-width: 10rem; }
figure { margin: 1rem 1rem 2rem 0; display: inline-block; width: min-content; vertical-align: top; }
figure svg { max-width: calc(100vw - 2rem); height: auto; display: block; }
figcaption, .note { color: #555; font-size: 0.85rem; }
.warning { border-left: 4px solid #D55E00; padding-left: 0.8rem; }
code { font-size: 0.9em; overflow-wrap: anywhere; } li { margin: 0.3rem 0; }
@media print { body { margin: 0; max-width: none; } figure, table { break-inside: avoid; } }
"""


def report(results: Results, directory: str | Path) -> list[Path]:
    """Write report.html, figures/NAME.svg and .png, and tables/NAME.md and .tex into a directory; returns the files.

    Raises InputError if Matplotlib or SciPy is not installed, or if a file cannot be written.
    """
    comparisons = comparisons_of(results)
    tables, figures = tables_of(results, comparisons), figures_of(results)
    target = Path(directory)
    try:
        for below in (target / "figures", target / "tables"):
            below.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{str(target)!r} cannot be created: {error.strerror or error}; choose another directory") from None
    written = []
    for table in tables:
        for suffix, text in (("md", table.to_markdown()), ("tex", table.to_latex())):
            written.append(target / "tables" / f"{table.name}.{suffix}")
            write_atomically(written[-1], text)
    for figure in figures:
        written += [target / "figures" / f"{figure.name}.svg", target / "figures" / f"{figure.name}.png"]
        write_atomically(written[-2], figure.svg)
        write_atomically(written[-1], partial(_write, figure.png))
    page = target / PAGE
    write_atomically(page, page_of(results, comparisons, tables, figures))
    return [page, *written]


def _write(content: bytes, file: BinaryIO) -> None:
    file.write(content)


def comparisons_of(results: Results) -> list[Paired]:
    """Each configuration compared with the baseline."""
    base = results.baseline()
    found = []
    for other in results.configurations:
        if other == base or not results.of_both(base, other):
            continue
        for name in COMPARED:
            values = [results.values(one, METRICS[name], results.places) for one in (base, other)]
            if all(values) and not (name == "cost" and _are_equal(results, base, other)):
                found.append(compare(results, base, other, name))
    return found


def _are_equal(results: Results, base: str, other: str) -> bool:
    """Whether two configurations found solutions of the same costs wherever both found one."""
    metric = METRICS["cost"]
    pairs = ([results.values(one, metric, [place]) for one in (base, other)] for place in results.places)
    return all(first == second for first, second in pairs if first and second)


def page_of(results: Results, comparisons: Sequence[Paired], tables: Sequence[Table], figures: Sequence[Figure]) -> str:
    """The page: it needs no other file, no network and no script."""
    about = results.about
    title = str(about.get("title", results.name))
    parts = [f"<h1>{escape(title)}</h1>"]
    if about.get("about"):
        parts.append(f"<p>{escape(about['about'])}</p>")
    parts += [f'<p class="warning">{escape(text)}</p>' for text in warnings_of(results)]
    if comparisons:
        parts.append("<h2>Conclusions</h2>\n<ul>")
        claims_first = sorted(comparisons, key=lambda one: one.verdict == 0)
        parts += [f"<li>{escape(one.conclusion())}</li>" for one in claims_first]
        parts.append(
            '</ul>\n<p class="note">The numbers are in the table of paired comparisons. The intervals and tests treat the '
            "instances as a random sample of those that you are interested in. They say nothing "
            "about other instances, limits or machines.</p>"
        )
    parts.append("<h2>Tables</h2>")
    parts += [f"<h3>{escape(table.title)}</h3>\n{table.to_html()}" for table in tables]
    parts.append("<h2>Figures</h2>")
    parts += [_figure(figure) for figure in figures]
    parts.append(_setting(results))
    return single_file(title, policy="style-src 'unsafe-inline'", style=_STYLE, body="\n".join(parts))


def _figure(figure: Figure) -> str:
    return (
        f'<figure role="img" aria-label="{escape(figure.title)}">\n{figure.inline()}\n'
        f"<figcaption>{escape(figure.caption)}</figcaption>\n</figure>"
    )


def warnings_of(results: Results) -> list[str]:
    """What a reader must know before reading the numbers."""
    found = []
    asked = results.missing + len(results.rows)
    if results.missing:
        found.append(
            f"{counted(results.missing, f'of {asked:,} runs is', f'of {asked:,} runs are')} missing; the experiment has not ended."
        )
    machines = sorted({row["machine"] for row in results.rows})
    if len(machines) > 1:
        found.append(f"The runs come from {len(machines)} machines, whose times cannot be compared: {'; '.join(machines)}.")
    if len({row["versions"]["bestfirst"] for row in results.rows}) > 1:
        found.append("The runs come from several versions of bestfirst.")
    engines = {task.configuration: row["engine"] for task, row in results.runs if row["engine"]}
    if len(set(engines.values())) > 1:
        listed = ", ".join(f"{one} ({engine})" for one, engine in engines.items())
        found.append(f"The engines differ, so the times say little about the algorithms: {listed}.")
    if results.errors():
        found.append(
            f"{counted(len(results.errors()), 'run')} ended with an error; such a run counts as not solved. The last section "
            "lists them."
        )
    if any(len({row["expanded"] for row in _repeated(cell.runs)}) > 1 for cell in results.cells.values()):
        found.append("Repetitions of the same run expanded different numbers of nodes; the tables show the median.")
    return found


def _repeated(runs: Sequence[object]) -> list[dict[str, object]]:
    """The runs that were solved and have the seed of the first one."""
    rows: list[dict[str, object]] = [dict(row) for row in runs]  # type: ignore[call-overload]
    return [
        row for row in rows if row["seed"] == rows[0]["seed"] and row["expanded"] is not None and row["status"] != "limit"
    ]


def _setting(results: Results) -> str:
    """Where and how the runs were done, and a command for each configuration that repeats its first run."""
    items = [f"Machine: {escape(machine)}" for machine in sorted({row["machine"] for row in results.rows})]
    versions = sorted({json.dumps(row["versions"], sort_keys=True) for row in results.rows})
    items += [
        "Versions: " + escape(", ".join(f"{name} {number}" for name, number in json.loads(one).items())) for one in versions
    ]
    limits = sorted({json.dumps(dict(task.limits), sort_keys=True) for task in results.tasks})
    items += [f"Limits of each run: {escape(_in_words(json.loads(one)))}" for one in limits]
    ended = sorted(row["ended"] for row in results.rows)
    items.append(f"Runs: {len(results.rows):,}, from {ended[0]} to {ended[-1]} (UTC)")
    statuses = Counter(row["status"] for row in results.rows)
    items.append("Statuses: " + escape(", ".join(f"{count:,} {status}" for status, count in statuses.most_common())))
    items.append(
        "Time is the wall-clock time of the search, without compiling and opening databases. Memory is the growth of the process."
    )
    first = {task.configuration: row["command"] for task, row in reversed(results.runs)}
    commands = [f"<li>{escape(one)}: <code>{escape(first[one])}</code></li>" for one in results.configurations]
    errors = [
        f"<li>{escape(f'{task.configuration} on {task.problem} {task.name}: {error}')}</li>"
        for task, error in results.errors()[:MOST_ERRORS]
    ]
    more = len(results.errors()) - MOST_ERRORS
    errors += [f"<li>and {more} more</li>"] if more > 0 else []
    listed = "".join(f"<li>{item}</li>\n" for item in items)
    failed = f"<h3>Errors</h3>\n<ul>{''.join(errors)}</ul>\n" if errors else ""
    repeated = f"<h3>The first run of each configuration</h3>\n<ul>{''.join(commands)}</ul>\n"
    return f"<h2>Setting</h2>\n<ul>\n{listed}</ul>\n{repeated}{failed}"


def _in_words(limits: dict[str, object]) -> str:
    return (
        ", ".join(f"{value} {name}" if name != "memory" else f"{value} of memory" for name, value in limits.items())
        or "none"
    )
