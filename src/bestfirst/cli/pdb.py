"""The commands about pattern databases: pdb build, list, info, verify, remove."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import Console
from rich.table import Table

from bestfirst.cli.domain_options import takes_domain_options
from bestfirst.cli.exit_codes import ExitCode
from bestfirst.cli.instances import domain_named, read_instance
from bestfirst.cli.json_output import print_json
from bestfirst.domains import DOMAINS
from bestfirst.errors import InputError
from bestfirst.patterns.identity import described
from bestfirst.patterns.policy import ProgressLine
from bestfirst.problem import Domain, Problem
from bestfirst.solution import parse_bytes

if TYPE_CHECKING:
    from bestfirst.patterns.database import PatternDatabase

EXAMPLES = {
    "sliding-tile": '"2 8 3 1 6 4 7 _ 5" or --size 3x3',
    "pancake": '"3 1 4 2"',
    "top-spin": '"1 3 2 5 4 6"',
    "towers-of-hanoi": "10 --pegs 4",
    "pocket-cube": '"R U2 F"',
    "rubiks-cube": '"R U2 F"',
}
"""What instances look like on the command line, of the domains that have databases by name."""
NARROWEST_DESCRIPTION = 24

pdb_app = typer.Typer(
    help="Pattern databases: tables of exact distances in abstract problems, which make strong heuristics.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

DataOption = Annotated[
    str | None,
    typer.Option("--data", metavar="PATH", help="Where databases are kept; $BESTFIRST_DATA, or the user's data directory."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
NameArgument = Annotated[str, typer.Argument(help="A database; 'bestfirst pdb list' shows them.", show_default=False)]


@pdb_app.command("build")
@takes_domain_options
def build_command(
    given: dict[str, str | None],
    domain: Annotated[str, typer.Argument(help="A domain, such as sliding-tile.", show_default=False)],
    instance: Annotated[
        str | None, typer.Argument(help="Any instance with the goal; of sliding-tile, --size is enough.", show_default=False)
    ] = None,
    pattern: Annotated[
        str | None, typer.Option("--pattern", help="Such as 6-6-3: the numbers of tiles of the patterns.")
    ] = None,
    threads: Annotated[int, typer.Option("--threads", help="How many share the work.")] = 1,
    memory: Annotated[str | None, typer.Option("--memory", help="Build nothing that takes more, as 2GiB.")] = None,
    disk: Annotated[str | None, typer.Option("--disk", help="Build nothing that takes more on disk, as 2GiB.")] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build it anew, also if it is there or damaged.")] = False,
    compress: Annotated[
        bool, typer.Option("--compress", help="Keep 4 bits for each entry: half the size, the same values.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would take, and build nothing.")] = False,
    data: DataOption = None,
) -> None:
    """Build the databases of a heuristic such as pdb:6-6-3, and say before what each takes.

    A build that was stopped goes on when the command is given again.
    """
    from bestfirst.patterns.named import abstractions_of  # noqa: PLC0415  (it imports NumPy)

    if pattern is None:
        raise InputError("there is no pattern; give --pattern, such as --pattern 6-6-3")
    problem = read_instance(domain, _instance_text(domain, instance, given), given)
    limits = {name: parse_bytes(text, name) for name, text in (("memory", memory), ("disk", disk)) if text is not None}
    options: dict[str, Any] = {"data": data, "rebuild": rebuild, **limits}
    try:
        for abstract, found in _what_is_there(abstractions_of(problem, pattern), **options):
            what = described(abstract.parameters() or {})
            if found is not None and (found.is_compressed or not compress):
                typer.echo(f"{what}: it is there already: {_summary(found)}")
                continue
            typer.echo(f"{what}: {_cost(abstract, found, threads=threads, compress=compress)}")
            if not dry_run:
                _build(abstract, what, {**options, "threads": threads, "compress": compress})
    except KeyboardInterrupt:
        if dry_run:
            raise
        typer.echo("interrupted; the same command goes on from here", err=True)
        raise typer.Exit(ExitCode.INTERRUPTED) from None


def _what_is_there(
    abstractions: Sequence[Domain], *, data: str | None, rebuild: bool, **limits: int
) -> list[tuple[Domain, PatternDatabase | None]]:
    """The abstract domains, each once, and their databases; None for one that is to be built.

    Raises InputError where one of those cannot be built, before the first of them is.
    """
    from bestfirst.patterns.database import PatternDatabase  # noqa: PLC0415  (it imports NumPy)
    from bestfirst.patterns.identity import Identity  # noqa: PLC0415

    there = []
    for identity, abstract in {(one := Identity.of(abstract)).key: (one, abstract) for abstract in abstractions}.values():
        found = None if rebuild else PatternDatabase.find(identity, lambda abstract=abstract: abstract, data)  # type: ignore[misc]
        if found is None:
            PatternDatabase.check_room(abstract, data=data, **limits)
        there.append((abstract, found))
    return there


def _cost(abstract: Domain, found: PatternDatabase | None, *, threads: int, compress: bool) -> str:
    """What it takes to build a database, or to compress one that is there."""
    from bestfirst.patterns.database import PatternDatabase  # noqa: PLC0415  (it imports NumPy)

    if found is not None:
        return "it is there already, and is to be compressed to half of that on disk"
    half = "; compressed, half of that on disk" if compress else ""
    return f"{PatternDatabase.cost(abstract, threads=threads)}{half}"


def _build(abstract: Domain, what: str, options: dict[str, Any]) -> None:
    """Build a database, with a line of progress, and say what has come of it."""
    from bestfirst.patterns.database import PatternDatabase  # noqa: PLC0415  (it imports NumPy)

    line, started = ProgressLine(what), perf_counter()
    try:
        database = PatternDatabase.build(abstract, progress=line, **options)
    finally:
        line.close()
    typer.echo(f"{_summary(database)}, {perf_counter() - started:.1f} s")


def _summary(database: PatternDatabase) -> str:
    return f"{database.path.name}: {database.header['entries']:,} entries, mean distance {database.mean:.4f}"


def _instance_text(name: str, instance: str | None, given: dict[str, str | None]) -> str:
    """The instance, or one that is as good: what counts is the goal."""
    domain = domain_named(name)
    text = instance or given["goal"]
    if text is not None:
        return text
    if given["size"] is None or domain.name() != "sliding-tile":
        raise InputError(_no_instance(domain))
    from bestfirst.domains.sliding_tile.notation import read_size  # noqa: PLC0415
    from bestfirst.domains.sliding_tile.partitions import check_size  # noqa: PLC0415

    rows, columns = size = read_size(given["size"])
    check_size(size)  # before a board of that many cells is written
    return " ".join([*map(str, range(1, rows * columns)), "_"])


def _no_instance(domain: type[Problem]) -> str:
    if domain.abstractions is Problem.abstractions:
        named = [name for name, other in DOMAINS.items() if other.abstractions is not Problem.abstractions]
        return f"{domain.name()} has no pattern databases by name; these have: {', '.join(named)}"
    return f"there is no instance; give any with the goal, such as bestfirst pdb build {domain.name()} {EXAMPLES[domain.name()]}"


@pdb_app.command("list")
def list_command(
    data: DataOption = None, as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object for each.")] = False
) -> None:
    """List the databases that there are."""
    from bestfirst.patterns.storage import files  # noqa: PLC0415

    directory = files.data_directory(data)
    databases = [_facts(path) for path in files.directories(directory)]
    if as_json:
        for database in databases:
            print_json("pdb list", database, problem=database.get("domain"))
        return
    if not databases:
        typer.echo(f"no pattern databases in {directory}")
        return
    _print_table(databases)
    for database in databases:
        if "reason" in database:
            typer.echo(f"\n{database['reason']}")
    if any(database["state"] == UNFINISHED for database in databases):
        typer.echo("\nwhat is not finished, the same 'bestfirst pdb build' goes on with")


UNFINISHED = "not finished"


def _print_table(databases: list[dict[str, Any]]) -> None:
    """A line for each. Only what it is of is broken into several; where the rest takes more, the table is wider than the screen."""
    from bestfirst.patterns.building.progress import size_text  # noqa: PLC0415

    rows = [
        (
            database["name"],
            described(database.get("parameters", {})),
            f"{database['entries']:,}" if "entries" in database else "",
            size_text(database["bytes"]),
            database["state"],
        )
        for database in databases
    ]
    table = Table(box=None, pad_edge=False, header_style="bold")
    titles = ("database", "of", "entries", "on disk", "state")
    for title in titles:
        justify: Literal["left", "right"] = "right" if title in ("entries", "on disk") else "left"
        table.add_column(title, no_wrap=title != "of", justify=justify)
    for row in rows:
        table.add_row(*row)
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    widths[1] = min(widths[1], NARROWEST_DESCRIPTION)
    console = Console(highlight=False)
    console.width = max(console.width, sum(widths) + 2 * len(widths))
    console.print(table)


def _facts(path: Path) -> dict[str, Any]:
    """What is listed of a database: what its header says but its levels, the bytes that it takes, and its state."""
    from bestfirst.patterns.storage import files  # noqa: PLC0415

    facts: dict[str, Any] = {"name": path.name, "state": "ready", "bytes": files.size_of(path)}
    if path.name.endswith(files.BUILDING):
        return facts | {"state": UNFINISHED}
    try:
        header = files.read_header(path)
        facts |= {name: header[name] for name in ("domain", "parameters", "entries", "library")}
        files.read_table(path, header)
    except files.DamagedDatabaseError as error:
        return facts | {"state": "damaged", "reason": str(error)}
    return facts


def _path_of(name: str, data: str | None) -> Path:
    """The directory of a database; raises InputError with the close names."""
    from bestfirst.patterns.storage import files  # noqa: PLC0415

    names = {path.name: path for path in files.directories(files.data_directory(data))}
    if name not in names:
        close = get_close_matches(name, names, n=3, cutoff=0.5)
        nearest = f"did you mean {' or '.join(close)}? " if close else ""
        raise InputError(f"no pattern database is called {name!r}; {nearest}'bestfirst pdb list' shows all")
    return names[name]


def _finished(path: Path) -> dict[str, Any]:
    """The header of a database; raises InputError for one whose build was not finished, or that is damaged."""
    from bestfirst.patterns.storage import files  # noqa: PLC0415

    if path.name.endswith(files.BUILDING):
        raise InputError(f"{path.name} is not finished; the same 'bestfirst pdb build' goes on with it")
    header = files.read_header(path)
    files.read_table(path, header)
    return header


@pdb_app.command("info")
def info_command(name: NameArgument, data: DataOption = None, as_json: JsonOption = False) -> None:
    """Show what is known of a database, and how many entries have each distance."""
    from bestfirst.patterns.building.progress import size_text  # noqa: PLC0415
    from bestfirst.patterns.storage import files  # noqa: PLC0415

    path = _path_of(name, data)
    header = _finished(path)
    if as_json:
        print_json(
            "pdb info",
            {"name": path.name, "path": str(path), "bytes": files.size_of(path), **header},
            problem=header["domain"],
        )
        return
    known = sum(header["levels"])
    mean = sum(distance * count for distance, count in enumerate(header["levels"])) / known
    for what, value in (
        ("database", path),
        ("of", f"{header['domain']}: {described(header['parameters'])}"),
        ("entries", f"{header['entries']:,}, {size_text((path / files.TABLE).stat().st_size)}{_packing(header)}"),
        ("states", f"{sum(header['states']):,} abstract states"),
        ("distances", f"mean {mean:.4f}, greatest {len(header['levels']) - 1}"),
        ("checksum", header["checksum"]),
        ("made by", f"bestfirst {header['library']}, source {header['source']}"),
    ):
        typer.echo(f"{what:<10} {value}")
    table = Table("distance", "entries", box=None, pad_edge=False)
    for column in table.columns:
        column.justify = "right"
    for distance, count in enumerate(header["levels"]):
        table.add_row(str(distance), f"{count:,}")
    if header["unreachable"]:
        table.add_row("none", f"{header['unreachable']:,}")
    Console(highlight=False).print(table)


def _packing(header: dict[str, Any]) -> str:
    """What the entries of a compressed table are, in words."""
    packing = header.get("packing")
    if packing is None:
        return ""
    return ", 4 bits each" if packing == "distance" else f", differences to the {packing} distance in 4 bits each"


@pdb_app.command("verify")
def verify_command(name: NameArgument, data: DataOption = None, as_json: JsonOption = False) -> None:
    """Compare a database with its checksum, and part of it with searches; of a domain of your own, do that in Python."""
    from bestfirst.domains.abstract_domains import abstract_domain  # noqa: PLC0415
    from bestfirst.patterns.database import PatternDatabase  # noqa: PLC0415
    from bestfirst.patterns.storage import files  # noqa: PLC0415

    path = _path_of(name, data)
    header = _finished(path)
    files.check_table(path, header)
    domain = abstract_domain(header["domain"], header["parameters"])
    if as_json:
        compared = None if domain is None else PatternDatabase.load(domain, data=data).verify()
        print_json("pdb verify", {"name": name, "checksum_is_right": True, "compared": compared}, problem=header["domain"])
        return
    if domain is None:
        typer.echo(
            f"{name}: the checksum is right; what else is in it, PatternDatabase.load(problem, pattern).verify() finds out"
        )
        return
    compared = PatternDatabase.load(domain, data=data).verify()
    entries = f"and so are {compared:,} entries that were worked out again"
    none = "but no entry could be worked out again: its actions cannot be undone, or its goals are not known"
    typer.echo(f"{name}: the checksum is right, {entries if compared else none}")


@pdb_app.command("remove")
def remove_command(name: NameArgument, data: DataOption = None) -> None:
    """Remove a database, or one whose build was not finished."""
    from bestfirst.patterns.building.progress import size_text  # noqa: PLC0415
    from bestfirst.patterns.storage import files  # noqa: PLC0415

    typer.echo(f"removed {name}, {size_text(files.remove(_path_of(name, data)))}")
