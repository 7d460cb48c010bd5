"""The commands about experiments: experiment run, resume, status, report, compare, export, list.

What they need is imported by each: the other commands would start later.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from bestfirst.cli.consoles import console
from bestfirst.cli.exit_codes import ExitCode
from bestfirst.cli.json_output import SCHEMA, finite, print_json
from bestfirst.cli.report import count
from bestfirst.errors import InputError
from bestfirst.trace.labels import one_line

if TYPE_CHECKING:
    from bestfirst.experiments.running import Progress
    from bestfirst.experiments.task import Task
    from bestfirst.experiments.worker import Outcome

experiment_app = typer.Typer(
    help="Experiments: many searches, each recorded as it ends; reports with figures and tests.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

SpecArgument = Annotated[
    str, typer.Argument(help="A .toml or .py file, or a name from 'bestfirst experiment list'.", show_default=False)
]
ResultsArgument = Annotated[
    str,
    typer.Argument(help="A .toml or .py file, a name from 'bestfirst experiment list', or a ledger.", show_default=False),
]
LedgerOption = Annotated[
    Path | None,
    typer.Option(
        "--ledger", metavar="FILE", help="The file for the results. Default: NAME.sqlite in the working directory."
    ),
]
WorkersOption = Annotated[int, typer.Option("--workers", help="Number of processes.")]
FirstOption = Annotated[
    int | None, typer.Option("--first", min=1, help="Run only this number of instances of each problem. Default: all.")
]
RetryOption = Annotated[bool, typer.Option("--retry", help="Repeat runs that ended with an error.")]
LinesOption = Annotated[bool, typer.Option("--json-lines", help="Print a JSON object for each run as it is recorded.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print a single JSON object.")]


@experiment_app.command("run")
def run_command(
    spec: SpecArgument,
    ledger: LedgerOption = None,
    workers: WorkersOption = 1,
    first: FirstOption = None,
    retry: RetryOption = False,
    json_lines: LinesOption = False,
) -> None:
    """Do all runs of an experiment that are not recorded yet. Ctrl-C stops it; finished runs are kept."""
    from bestfirst.experiments.running import ledger_of  # noqa: PLC0415

    _run(spec, ledger_of(spec, ledger), workers, first, retry, json_lines)


@experiment_app.command("resume")
def resume_command(
    spec: SpecArgument,
    ledger: LedgerOption = None,
    workers: WorkersOption = 1,
    first: FirstOption = None,
    retry: RetryOption = False,
    json_lines: LinesOption = False,
) -> None:
    """Continue an experiment: the same as run, but the ledger must exist."""
    from bestfirst.experiments.running import ledger_of  # noqa: PLC0415

    path = ledger_of(spec, ledger)
    if not path.is_file():
        raise InputError(f"there is no ledger {str(path)!r} to continue; start with: bestfirst experiment run {spec}")
    _run(spec, path, workers, first, retry, json_lines)


def _run(spec: str, ledger: Path, workers: int, first: int | None, retry: bool, json_lines: bool) -> None:
    from bestfirst.experiments.running import run  # noqa: PLC0415
    from bestfirst.experiments.worker import ERROR  # noqa: PLC0415

    errors: list[str] = []
    with console(is_for_errors=True).status("reading the spec") as line:

        def watch(progress: Progress, task: Task, outcome: Outcome) -> None:
            line.update(Text(one_line(f"{_so_far(progress)} | {task.configuration} on {task.problem} {task.name}")))
            if outcome["status"] == ERROR:
                errors.append(f"{task.configuration} on {task.problem} {task.name}: {outcome['error']}")
            if json_lines:
                about = {"problem": task.problem, "instance": task.name, "configuration": task.configuration}
                shown = {"schema": SCHEMA, "id": task.digest, **about, **outcome}
                typer.echo(json.dumps(finite(shown), allow_nan=False))

        progress = run(spec, ledger, workers=workers, first=first, retry=retry, watch=watch)
    _tell(progress, ledger, errors, to_errors=json_lines)
    if progress.interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)


def _tell(progress: Progress, ledger: Path, errors: list[str], *, to_errors: bool) -> None:
    if progress.journal not in ("", "wal"):
        typer.echo(
            f"other machines may share the file system of {ledger}: a rollback journal is used instead of a write-ahead log; "
            "this is just as safe, but readers may have to wait",
            err=True,
        )
    for error in errors[:3]:
        typer.echo(f"error in a run: {_first_line(error)}", err=True)
    if len(errors) > 3:
        typer.echo(
            f"and {count(len(errors) - 3, 'more error', 'more errors')}; 'bestfirst experiment export' shows them all",
            err=True,
        )
    interrupted = "interrupted: " if progress.interrupted else ""
    typer.echo(f"{interrupted}{_so_far(progress)}; {_in_words(progress.done)}ledger {ledger}", err=to_errors)


def _first_line(error: str) -> str:
    return next(iter(error.splitlines()), error)


def _so_far(progress: Progress) -> str:
    ended = progress.asked - progress.left
    return f"{ended} of {count(progress.asked, 'run')} recorded, {progress.done.total()} of them by this command"


def _in_words(statuses: Counter[str]) -> str:
    return "".join(f"{number} {status}, " for status, number in statuses.most_common())[:-2] + "; " * bool(statuses)


@experiment_app.command("status")
def status_command(spec: SpecArgument, ledger: LedgerOption = None, as_json: JsonOption = False) -> None:
    """Show how many runs of an experiment are recorded, and how they ended. The experiment may still be running."""
    from bestfirst.experiments.ledger import Ledger  # noqa: PLC0415
    from bestfirst.experiments.running import ledger_of  # noqa: PLC0415
    from bestfirst.experiments.running import status as status_of  # noqa: PLC0415
    from bestfirst.experiments.spec import read_spec  # noqa: PLC0415

    read, path = read_spec(spec), ledger_of(spec, ledger)
    with Ledger(path) as book:
        known = book.statuses()  # once: a driver may be at work
    progress, statuses = status_of(read, known)
    if as_json:
        found = {"spec": read.name, "ledger": str(path), "asked": progress.asked, "recorded": progress.before}
        print_json("experiment status", {**found, "statuses": dict(statuses)})
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("configuration", no_wrap=True)
    table.add_column("recorded", justify="right")
    for status in sorted(statuses):
        table.add_column(status, justify="right")
    for name in dict.fromkeys(task.configuration for task in read.tasks):
        tasks = [task.digest for task in read.tasks if task.configuration == name]
        ended = Counter(known[digest] for digest in tasks if digest in known)
        table.add_row(
            one_line(name), f"{ended.total()} of {len(tasks)}", *(str(ended[status]) for status in sorted(statuses))
        )
    console().print(table)
    typer.echo(f"\n{progress.before} of {count(progress.asked, 'run')} recorded; ledger {path}")


@experiment_app.command("report")
def report_command(
    spec: ResultsArgument,
    ledger: LedgerOption = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", help="The directory for the report. Default: NAME-report in the working directory."),
    ] = None,
) -> None:
    """Write a page with tables, figures and comparisons, and each figure and table as a file for a paper."""
    from bestfirst.experiments import Results, report  # noqa: PLC0415

    path = _ledger_in(spec, ledger)
    files = report(Results.read(path), Path(f"{path.stem}-report") if output is None else output)
    typer.echo(f"wrote {files[0]}, and {count(len(files) - 1, 'file')} with its figures and tables beside it")


@experiment_app.command("compare")
def compare_command(
    spec: ResultsArgument,
    a: Annotated[str, typer.Argument(help="A configuration, by its name in the report.", show_default=False)],
    b: Annotated[str, typer.Argument(help="The configuration to compare it with.", show_default=False)],
    ledger: LedgerOption = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            help="expanded, generated, seconds, memory or cost. Repeat it for several. Default: everything that was measured.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare two configurations instance by instance, with a confidence interval and a sign test."""
    from bestfirst.experiments import Results, compare  # noqa: PLC0415
    from bestfirst.experiments.results import METRICS  # noqa: PLC0415

    results = Results.read(_ledger_in(spec, ledger))
    one, other = results.checked(a), results.checked(b)
    measured = [name for name in METRICS if results.values(one, METRICS[name], results.places)]
    found = [compare(results, one, other, name) for name in metric or measured or list(METRICS)[:1]]
    if as_json:
        print_json("experiment compare", {"comparisons": [paired.to_dict() for paired in found]})
        return
    for paired in found:
        typer.echo(f"{paired.metric.title}: {paired.sentence()}")


@experiment_app.command("export")
def export_command(
    spec: ResultsArgument,
    file: Annotated[Path, typer.Argument(help="The file to write, .csv or .parquet.", show_default=False)],
    ledger: LedgerOption = None,
) -> None:
    """Write all recorded runs as a table, one row each."""
    from bestfirst.experiments import Results, export  # noqa: PLC0415

    path = _ledger_in(spec, ledger)
    results = Results.read(path)
    if file.is_file() and file.samefile(path):
        raise InputError(f"the file to write is the ledger {str(path)!r} itself; choose another name")
    export(results, file)
    typer.echo(f"wrote {count(len(results.rows), 'run')} to {file}")


def _ledger_in(spec: str, ledger: Path | None) -> Path:
    """The ledger that a command names: itself, or that of a spec."""
    from bestfirst.experiments.running import ledger_of  # noqa: PLC0415
    from bestfirst.experiments.spec import SUFFIXES  # noqa: PLC0415

    if Path(spec).suffix in SUFFIXES or ledger is not None or not Path(spec).is_file():
        return ledger_of(spec, ledger)
    return Path(spec)


@experiment_app.command("list")
def list_command(as_json: JsonOption = False) -> None:
    """List the experiments that come with the package."""
    from bestfirst.experiments.spec import read_spec, shipped  # noqa: PLC0415

    specs = {name: read_spec(name) for name in shipped()}
    if as_json:
        shown = [{"name": name, "title": spec.title, "runs": len(spec.tasks)} for name, spec in specs.items()]
        print_json("experiment list", {"experiments": shown})
        return
    table = Table(box=None, pad_edge=False)
    for name, justify in (("experiment", "left"), ("runs", "right"), ("title", "left")):
        table.add_column(name, justify=justify, no_wrap=name != "title")  # type: ignore[arg-type]
    for name, spec in specs.items():
        table.add_row(name, f"{len(spec.tasks):,}", spec.title)
    console().print(table)
