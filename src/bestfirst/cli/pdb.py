"""The commands about pattern databases: pdb build, list, info, verify, remove."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.table import Table

from bestfirst.arguments import parse_bytes
from bestfirst.cli.class_options import ProblemCommand, takes_options
from bestfirst.cli.consoles import console
from bestfirst.cli.exit_codes import ExitCode
from bestfirst.cli.instances import goal_as_instance, only_instance, read_instance
from bestfirst.cli.json_output import print_json
from bestfirst.domain import Domain
from bestfirst.domains import DOMAINS
from bestfirst.errors import InputError, shown
from bestfirst.makers import Given, Kind, Maker, maker_named
from bestfirst.patterns.abstract_domain import as_abstract
from bestfirst.patterns.identity import described
from bestfirst.patterns.policy import ProgressLine
from bestfirst.problem import Problem
from bestfirst.system.disk import bytes_in
from bestfirst.trace.labels import one_line, visible

if TYPE_CHECKING:
    from bestfirst.patterns.database import PatternDatabase

EXAMPLES = {
    "sliding-tile": '"2 8 3 1 6 4 7 _ 5" or --size 3x3',
    "pancake": '"3 1 4 2"',
    "top-spin": '"1 3 2 5 4 6"',
    "towers-of-hanoi": "10 --pegs 4",
    "pocket-cube": '"R U2 F"',
    "rubiks-cube": '"R U2 F"',
    "pddl": "DOMAIN.pddl PROBLEM.pddl",
}
"""Example instances on the command line, for domains with named databases."""
NARROWEST_DESCRIPTION = 24

pdb_app = typer.Typer(
    help="Pattern databases: tables of exact distances in abstract problems, which make strong heuristics.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

SweepWorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers",
        help="Number of workers. They share the --memory limit.",
        show_default="with --on, one for each processor",
    ),
]
DataOption = Annotated[
    str | None,
    typer.Option(
        "--data", metavar="PATH", help="Directory of the databases. Default: $BESTFIRST_DATA, or the user's data directory."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print a single JSON object.")]
NameArgument = Annotated[str, typer.Argument(help="The database (see 'bestfirst pdb list').", show_default=False)]


@pdb_app.command("build", cls=ProblemCommand)
@takes_options(Kind.PROBLEM)
def build_command(
    given: Given,
    domain: Annotated[str, typer.Argument(help="A domain, such as sliding-tile, or FILE.py:Class.", show_default=False)],
    instance: Annotated[
        list[str] | None,
        typer.Argument(help="Any instance; only its goal matters. For sliding-tile, --size suffices.", show_default=False),
    ] = None,
    pattern: Annotated[
        str | None,
        typer.Option(
            "--pattern",
            help="The patterns, as after 'pdb:' in the name of a heuristic, such as 6-6-3: the number of tiles in each, or "
            "the variables of a planning task.",
        ),
    ] = None,
    threads: Annotated[int, typer.Option("--threads", help="Number of worker threads.")] = 1,
    memory: Annotated[
        str | None,
        typer.Option(
            "--memory",
            help="Memory limit, such as 2GiB. A larger build works on disk if the domain allows it; otherwise it is "
            "refused.",
        ),
    ] = None,
    disk: Annotated[
        str | None, typer.Option("--disk", help="Disk space limit, such as 2GiB. Larger builds are refused.")
    ] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build even if the database exists or is damaged.")] = False,
    compress: Annotated[
        bool, typer.Option("--compress", help="Store 4 bits per entry: half the size, the same values.")
    ] = False,
    on: Annotated[
        str | None,
        typer.Option(
            "--on",
            metavar="PLACE",
            help="Where workers share a build on disk: local (processes of this machine) or ray (a Ray cluster).",
        ),
    ] = None,
    workers: SweepWorkersOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the cost of the build without building.")] = False,
    data: DataOption = None,
) -> None:
    """Build the databases of a heuristic such as pdb:6-6-3, and print the cost of each in advance.

    Repeat the command to resume an unfinished build.
    """
    from bestfirst.patterns.named import abstractions_of  # noqa: PLC0415  (it imports NumPy)

    if pattern is None:
        raise InputError("no pattern is given; add one, such as --pattern 6-6-3")
    problem = read_instance(domain, _instance_text(domain, only_instance(domain, instance), given), given)
    limits = {name: parse_bytes(text, name) for name, text in (("memory", memory), ("disk", disk)) if text is not None}
    options: dict[str, Any] = {"data": data, "rebuild": rebuild, **limits}
    try:
        for abstract, found in _what_is_there(abstractions_of(problem, pattern), **options):
            what = described(as_abstract(abstract).parameters() or {}) or abstract.name()
            if found is not None and (found.is_compressed or not compress):
                typer.echo(f"{what}: already built: {_summary(found)}")
                continue
            typer.echo(f"{what}: {_cost(abstract, found, threads=threads, memory=limits.get('memory'), compress=compress)}")
            if not dry_run:
                _build(abstract, what, {**options, "threads": threads, "compress": compress, "on": on, "workers": workers})
    except KeyboardInterrupt:
        if dry_run:
            raise
        typer.echo("interrupted; repeat the command to resume the build", err=True)
        raise typer.Exit(ExitCode.INTERRUPTED) from None


def _what_is_there(
    abstractions: Sequence[Domain], *, data: str | None, rebuild: bool, **limits: int
) -> list[tuple[Domain, PatternDatabase | None]]:
    """The abstract domains without duplicates, each with its database, or None if the database must be built.

    Raises InputError before the first build if any of them is impossible.
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


def _cost(abstract: Domain, found: PatternDatabase | None, *, threads: int, memory: int | None, compress: bool) -> str:
    """The cost of building a database, or of compressing an existing one."""
    from bestfirst.patterns.database import PatternDatabase  # noqa: PLC0415  (it imports NumPy)

    if found is not None:
        return "already built; compression halves its size on disk"
    half = "; compressed: half the size on disk" if compress else ""
    return f"{PatternDatabase.cost(abstract, threads=threads, memory=memory)}{half}"


def _build(abstract: Domain, what: str, options: dict[str, Any]) -> None:
    """Build a database with a progress line, and print its summary."""
    from bestfirst.patterns.database import PatternDatabase  # noqa: PLC0415  (it imports NumPy)

    line, started = ProgressLine(what), perf_counter()
    try:
        database = PatternDatabase.build(abstract, progress=line, **options)
    finally:
        line.close()
    typer.echo(f"{_summary(database)}, {perf_counter() - started:.1f} s")


def _summary(database: PatternDatabase) -> str:
    return f"{database.path.name}: {database.header['entries']:,} entries, mean distance {database.mean:.4f}"


def _instance_text(name: str, instance: str | None, given: Given) -> str | None:
    """The given instance, or an equivalent one. Only the goal matters."""
    maker = maker_named(name, Kind.PROBLEM)
    text = instance or goal_as_instance(name, given)
    if text is not None or maker.is_own:
        return text
    if "size" not in given or maker.name != "sliding-tile":
        raise InputError(_no_instance(maker))
    from bestfirst.domains.sliding_tile.notation import read_size  # noqa: PLC0415
    from bestfirst.domains.sliding_tile.partitions import check_size  # noqa: PLC0415

    rows, columns = size = read_size(given["size"])
    check_size(size)  # before the board is written as text, which could be huge
    return " ".join([*map(str, range(1, rows * columns)), "_"])


def _no_instance(maker: Maker) -> str:
    if maker.of.abstractions is Problem.abstractions:
        named = [name for name, other in DOMAINS.items() if other.abstractions is not Problem.abstractions]
        return f"{maker.name} has no named pattern databases; domains that have some: {', '.join(named)}"
    return (
        f"no instance is given; add any instance (only its goal matters): bestfirst pdb build {maker.name} "
        f"{EXAMPLES[maker.name]}"
    )


@pdb_app.command("list")
def list_command(
    data: DataOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per database, each on its own line.")
    ] = False,
) -> None:
    """List all databases."""
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
            typer.echo(f"\n{visible(database['reason'])}")
    if any(database["state"] == UNFINISHED for database in databases):
        typer.echo("\nrepeat the 'bestfirst pdb build' command of an unfinished database to resume its build")


UNFINISHED = "not finished"


def _print_table(databases: list[dict[str, Any]]) -> None:
    """A row for each database. Only the column "of" is wrapped; the table may be wider than the screen."""
    from bestfirst.patterns.building.progress import size_text  # noqa: PLC0415

    rows = [
        (
            one_line(database["name"]),
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
    console(least_width=sum(widths) + 2 * len(widths)).print(table)


def _facts(path: Path) -> dict[str, Any]:
    """The listed fields of a database: its header without the levels, its size in bytes, and its state."""
    from bestfirst.patterns.storage import files  # noqa: PLC0415

    facts: dict[str, Any] = {"name": path.name, "state": "ready", "bytes": bytes_in(path)}
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
    """The directory of a database; raises InputError with close matches for an unknown name."""
    from bestfirst.patterns.storage import files  # noqa: PLC0415

    names = {path.name: path for path in files.directories(files.data_directory(data))}
    if name not in names:
        close = get_close_matches(name, names, n=3, cutoff=0.5)
        remedy = f"did you mean {' or '.join(close)}?" if close else "see 'bestfirst pdb list'"
        raise InputError(f"no pattern database is called {shown(name)}; {remedy}")
    return names[name]


def _finished(path: Path) -> dict[str, Any]:
    """The header of a database; raises InputError if it is unfinished or damaged."""
    from bestfirst.patterns.storage import files  # noqa: PLC0415

    if path.name.endswith(files.BUILDING):
        raise InputError(f"{path.name} is not finished; repeat its 'bestfirst pdb build' command to resume the build")
    header = files.read_header(path)
    files.read_table(path, header)
    return header


@pdb_app.command("info")
def info_command(name: NameArgument, data: DataOption = None, as_json: JsonOption = False) -> None:
    """Show the header of a database, and the number of entries at each distance."""
    from bestfirst.patterns.building.progress import size_text  # noqa: PLC0415
    from bestfirst.patterns.storage import files  # noqa: PLC0415

    path = _path_of(name, data)
    header = _finished(path)
    if as_json:
        print_json(
            "pdb info",
            {"name": path.name, "path": str(path), "bytes": bytes_in(path), **header},
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
        ("distances", f"mean {mean:.4f}, maximum {len(header['levels']) - 1}"),
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
    console().print(table)


def _packing(header: dict[str, Any]) -> str:
    """A description of the entries of a compressed table."""
    packing = header.get("packing")
    if packing is None:
        return ""
    return ", 4 bits each" if packing == "distance" else f", differences from the {packing} distance in 4 bits each"


@pdb_app.command("verify")
def verify_command(name: NameArgument, data: DataOption = None, as_json: JsonOption = False) -> None:
    """Verify the checksum of a database and, for a domain of the library, recompute a sample of its entries."""
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
            f"{name}: the checksum is correct; to check entries, call PatternDatabase.load(problem, pattern).verify()"
        )
        return
    compared = PatternDatabase.load(domain, data=data).verify()
    entries = f"and so are {compared:,} recomputed entries"
    none = "but no entry could be recomputed: the actions are not reversible, or the goals are unknown"
    typer.echo(f"{name}: the checksum is correct, {entries if compared else none}")


@pdb_app.command("remove")
def remove_command(name: NameArgument, data: DataOption = None) -> None:
    """Remove a database, finished or not."""
    from bestfirst.patterns.building.progress import size_text  # noqa: PLC0415
    from bestfirst.patterns.storage import files  # noqa: PLC0415

    typer.echo(f"removed {name}, {size_text(files.remove(_path_of(name, data)))}")
