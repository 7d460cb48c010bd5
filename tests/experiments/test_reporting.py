"""The report: a page that needs nothing else, with tables and figures as files, and the same runs as CSV and Parquet."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bestfirst import experiments
from bestfirst.cli.app import run as run_cli
from bestfirst.errors import InputError
from bestfirst.experiments.figures import _improving
from bestfirst.experiments.ledger import Ledger
from bestfirst.experiments.reporting import PAGE, report, warnings_of
from bestfirst.experiments.results import METRICS, Results
from bestfirst.experiments.tables import NOTHING, coverage_table, metric_table, published_table, tables_of
from browser import needs_browser, page_of
from made_results import CUT_OFF, UNSOLVED, VERSIONS, results

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HISTORY = [[0.01, 5, 14.0, 6.0], [0.1, 50, 12.0, 8.0], [0.4, 90, 10.0, 10.0]]


def anytime() -> Results:
    """Two configurations, of which one improves its solutions and one fails once."""
    first = [{"expanded": 10 * number, "seconds": number / 10, "history": HISTORY} for number in range(1, 9)]
    second = [{"expanded": 30 * number, "seconds": number / 9, "cost": 11.0} for number in range(1, 8)]
    return results({"A<B": first, "50% _x_": [*second, UNSOLVED]}, {"about": "About & more"}, limits={"seconds": 2})


def test_tables_show_the_best_in_bold() -> None:
    """Coverage over all instances; other means over those that all solved."""
    found = anytime()
    coverage, expanded = coverage_table(found), metric_table(found, METRICS["expanded"])
    assert [row[1] for row in coverage.rows] == [("8 of 8", True), ("7 of 8", False)]
    assert [is_best for _, is_best in (row[1] for row in expanded.rows)] == [True, False]
    assert "p: 7" in expanded.caption and expanded.rows[0][1][0] == "33.8"


def test_solutions_of_searches_that_a_limit_cut_off_have_a_table_of_their_own() -> None:
    """Only if there are some; the costs are compared over all instances with solutions."""
    found = {table.name: table for table in tables_of(results({"a": [{}, {}], "b": [CUT_OFF, UNSOLVED]}), [])}
    assert [row[1][0] for row in found["coverage"].rows] == ["2 of 2", "0 of 2"]
    assert [row[1][0] for row in found["solutions"].rows] == ["2 of 2", "1 of 2"]
    assert [row[1][0] for row in found["cost"].rows] == ["10", "12"] and "found a solution for (p: 1)" in found[
        "cost"
    ].caption
    assert "solutions" not in {table.name for table in tables_of(anytime(), [])}


def test_tables_can_be_pasted_into_papers() -> None:
    """What is special in Markdown, LaTeX or HTML is quoted."""
    table = coverage_table(anytime())
    assert "| A<B | **8 of 8** |" in table.to_markdown()
    assert r"50\% \_x\_ & 7 of 8 \\" in table.to_latex() and r"\textbf{8 of 8}" in table.to_latex()
    assert "<b>8 of 8</b>" in table.to_html() and "A&lt;B" in table.to_html()


def test_costs_that_no_axis_can_show_are_not_drawn_over_time() -> None:
    """Those beyond floats and those below 0; large ones are."""
    for costs, is_drawn in (((10**400, 10**399), False), ((-1, -2), False), ((2**70, 2**69), True)):
        history = [[0.1, 5, cost, None] for cost in costs]
        assert _improving(results({"a": [{"history": history}]})) == [("p", 1)] * is_drawn


def test_a_name_does_not_end_the_row_of_a_table() -> None:
    """A line break, or a square bracket, which would be an option of the end of the row above."""
    table = coverage_table(results({"a\nb": [{}], "[c] *": [{}]}))
    assert (
        r"\\\n{}[c] * & 1 of 1" in table.to_latex().replace("\n", r"\n") and r"a\textbackslash{}nb & 1" in table.to_latex()
    )
    assert "\n| a\\nb | 1 of 1 |\n| [c] * | 1 of 1 |\n" in table.to_markdown()


def test_published_figures_are_compared() -> None:
    """On how many they are equal, and the sum."""
    found = results({"a": [{"cost": 10.0}, {"cost": 12.0}]}, published={"cost": 10.0})
    assert [cell for cell, _ in published_table(found).rows[0]] == ["a", "1 of 2", "1.1"]
    solved_at_once = results({"a": [{"cost": 0.0}]}, published={"cost": 0.0})
    assert [cell for cell, _ in published_table(solved_at_once).rows[0]] == ["a", "1 of 1", NOTHING]


def test_nodes_by_cost_have_the_branching_factor_of_textbooks() -> None:
    """Russell & Norvig: a solution at depth 5 with 52 generated nodes beside the start has b* = 1.92."""
    found = results({"a": [{"cost": 5.0, "generated": 53}]}, {"by_cost": True})
    table = next(one for one in tables_of(found, []) if one.name == "by-cost")
    assert [cell for cell, _ in table.rows[0]] == ["5", "1", "53", "1.92"]


def test_a_reader_is_warned() -> None:
    """Of missing runs, several machines, versions or engines, errors, and counts that differ between repetitions."""
    assert warnings_of(results({"a": [{}], "b": [{}]})) == []
    bad: list[dict[str, Any] | None] = [
        {"machine": "other"},
        {"versions": {**VERSIONS, "bestfirst": "2"}},
        {"status": "error"},
        None,
    ]
    found = " ".join(warnings_of(results({"a": bad, "b": [{"engine": "compiled"}]})))
    for words in (
        "1 of 5 runs is missing",
        "2 machines",
        "several versions",
        "1 run ended with an error",
        "engines differ",
    ):
        assert words in found


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The files of a report."""
    return report(anytime(), tmp_path_factory.mktemp("report") / "out")


@pytest.mark.slow
def test_a_report_is_one_page_with_its_parts_beside_it(reported: list[Path]) -> None:
    """The page holds all figures and refers to nothing; each figure is there as SVG and PNG, each table for LaTeX and Markdown."""
    page = reported[0].read_text()
    assert reported[0].name == PAGE and all(file.stat().st_size for file in reported)
    names = {file.name for file in reported}
    for name in (
        "coverage.png",
        "spread-memory.svg",
        "cactus-memory.png",
        "cactus-expanded.svg",
        "scatter-1-seconds.png",
        "over-time.svg",
        "coverage.tex",
        "comparisons.md",
    ):
        assert name in names
    assert page.count("<svg") == len([name for name in names if name.endswith(".svg")])
    assert "http:" not in page.replace("http://www.w3.org", "") and "<script" not in page and "About &amp; more" in page
    names_in_page = [part.split('"')[0] for part in page.split(' id="')[1:]]
    assert len(names_in_page) == len(set(names_in_page))


@pytest.mark.slow
@needs_browser
def test_the_page_is_shown_without_a_complaint(reported: list[Path], browser: Browser) -> None:
    """Nothing is wider than the page, and each figure has a size."""
    with page_of(browser) as page:
        page.goto(reported[0].as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert all(
            page.evaluate("[...document.querySelectorAll('figure svg')].map(svg => svg.getBoundingClientRect().width > 200)")
        )


@pytest.mark.slow
def test_the_commands_report_compare_and_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a spec, or from the ledger alone."""
    monkeypatch.chdir(tmp_path)
    made = anytime()
    with Ledger("made.sqlite", may_write=True) as book:
        book.plan(made.tasks, made.about)
        for task, run in zip(made.tasks, made.rows, strict=True):
            book.record(task, run, "bestfirst solve")
    monkeypatch.setattr(experiments, "report", lambda _, directory: [directory / PAGE])
    assert run_cli(["experiment", "report", "made.sqlite"]) == 0
    assert "wrote made-report/report.html" in capsys.readouterr().out
    assert run_cli(["experiment", "compare", "made.sqlite", "A<B", "50% _x_", "--metric", "expanded", "--json"]) == 0
    said = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert said["comparisons"][0]["ratio"] == pytest.approx(3) and said["comparisons"][0]["only_a"] == 1
    assert run_cli(["experiment", "compare", "made.sqlite", "A<B", "none"]) == 2
    assert run_cli(["experiment", "export", "made.sqlite", "runs.csv"]) == 0
    with Path("runs.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 16 and rows[0]["configuration"] == "A<B" and json.loads(rows[0]["history"]) == HISTORY
    assert rows[-1]["cost"] == "" and rows[-1]["status"] == "limit"
    assert run_cli(["experiment", "export", "made.sqlite", "runs.parquet"]) == 0
    import pyarrow.parquet  # noqa: PLC0415

    table = pyarrow.parquet.read_table("runs.parquet")
    assert table.column("expanded").to_pylist()[:2] == [10, 20] and str(table.schema.field("seconds").type) == "double"
    assert run_cli(["experiment", "export", "made.sqlite", "runs.txt"]) == 2
    Path("made.sqlite").rename("made.csv")
    assert run_cli(["experiment", "export", "made.csv", "made.csv"]) == 2
    assert "is the ledger 'made.csv' itself" in capsys.readouterr().err


def test_large_whole_numbers_are_exported_exactly(tmp_path: Path) -> None:
    """As digits; in Parquet, the column is one of texts."""
    import pyarrow.parquet  # noqa: PLC0415

    experiments.export(results({"a": [{"cost": 2**63 + 1}, {"cost": 2.5}, UNSOLVED]}), tmp_path / "runs.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "runs.parquet")
    assert table.column("cost").to_pylist() == ["9223372036854775809", "2.5", None]
    assert str(table.schema.field("lower_bound").type) == "double"
    experiments.export(results({"a": [{"cost": 2**63 + 1}]}), tmp_path / "runs.csv")
    assert ",9223372036854775809," in (tmp_path / "runs.csv").read_text()


@pytest.mark.parametrize("package", ["matplotlib", "scipy"])
def test_a_missing_package_is_named_with_its_extra(package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And export to CSV works without."""
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=r"pip install 'bestfirst\[experiments\]'"):
        report(anytime(), tmp_path)
    experiments.export(anytime(), tmp_path / "runs.csv")
