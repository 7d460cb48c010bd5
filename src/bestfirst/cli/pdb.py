"""The commands about pattern databases: pdb build, list, info, verify, remove."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from bestfirst.cli.domain_options import takes_domain_options
from bestfirst.cli.exit_codes import ExitCode
from bestfirst.cli.instances import read_instance
from bestfirst.errors import InputError, UnknownNameError
from bestfirst.interrupt import CtrlC
from bestfirst.patterns.identity import described
from bestfirst.patterns.policy import current_policy, database_policy
from bestfirst.solution import Status, parse_bytes
from bestfirst.solve import HEAD_START, Search

pdb_app = typer.Typer(
    help="Pattern databases: tables of exact distances in abstract problems, which make strong heuristics.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

DataOption = Annotated[
    Path | None, typer.Option("--data", help="Where databases are kept; $BESTFIRST_DATA, or the user's data directory.")
]
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
    from bestfirst.patterns.database import PatternDatabase  # noqa: PLC0415  (they import NumPy)
    from bestfirst.patterns.named import DUAL  # noqa: PLC0415
    from bestfirst.patterns.policy import ProgressLine  # noqa: PLC0415

    if pattern is None:
        raise InputError("there is no pattern; give --pattern, such as --pattern 6-6-3")
    problem = read_instance(domain, _instance_text(domain, instance, given), given)
    limits = {name: parse_bytes(text, name) for name, text in (("memory", memory), ("disk", disk)) if text is not None}
    for abstract in problem.abstractions(pattern.removesuffix(DUAL)):
        what = described(abstract.parameters() or {})
        half = "; compressed, half of that on disk" if compress else ""
        typer.echo(f"{what}: {PatternDatabase.cost(abstract, threads=threads)}{half}")
        if dry_run:
            continue
        line, started = ProgressLine(what), perf_counter()
        try:
            database = PatternDatabase.build(
                abstract, data=data, threads=threads, progress=line, rebuild=rebuild, compress=compress, **limits
            )
        except KeyboardInterrupt:
            line.close()
            typer.echo("interrupted; the same command goes on from here", err=True)
            raise typer.Exit(ExitCode.INTERRUPTED) from None
        line.close()
        took = perf_counter() - started
        typer.echo(
            f"{database.path.name}: {database.header['entries']:,} entries, mean distance {database.mean:.4f}, {took:.1f} s"
        )


def _instance_text(domain: str, instance: str | None, given: dict[str, str | None]) -> str:
    """The instance, or one that is as good: what counts is the goal."""
    text = instance or given["goal"]
    if text is not None:
        return text
    if given["size"] is None or domain.replace("_", "-") != "sliding-tile":
        raise InputError("there is no instance; give one, or --goal, or for sliding-tile --size, such as 4x4")
    from bestfirst.domains.notation import read_size  # noqa: PLC0415

    rows, columns = read_size(given["size"])
    return " ".join([*map(str, range(1, rows * columns)), "_"])


@pdb_app.command("list")
def list_command(
    data: DataOption = None, as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object for each.")] = False
) -> None:
    """List the databases that there are."""
    from bestfirst.patterns import files  # noqa: PLC0415

    directory = files.data_directory(data)
    headers = [(path, _header(path)) for path in files.directories(directory)]
    if as_json:
        for path, header in headers:
            typer.echo(json.dumps({"name": path.name, **header}))
        return
    if not headers:
        typer.echo(f"no pattern databases in {directory}")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("database", "of", "entries", "state"):
        table.add_column(column, no_wrap=column == "database", justify="right" if column == "entries" else "left")
    for path, header in headers:
        of = described(header.get("parameters", {}))
        table.add_row(path.name, of, f"{header['entries']:,}" if "entries" in header else "", header["state"])
    Console(highlight=False).print(table)


def _header(path: Path) -> dict[str, Any]:
    """What a header says, with the state of the database; without its levels."""
    from bestfirst.patterns import files  # noqa: PLC0415

    if path.name.endswith(files.BUILDING):
        return {"state": "not finished; 'pdb build' goes on with it"}
    try:
        header = files.read_header(path)
        files.read_table(path, header)
    except files.DamagedDatabaseError as error:
        return {"state": f"damaged: {error}"}
    kept = ("domain", "parameters", "entries", "library")
    return {"state": "ready"} | {name: header[name] for name in kept}


def after_a_short_search(search: Search, algorithm: str | None, threads: int, options: dict[str, Any]) -> Search:
    """The search to go on with where no heuristic is asked for: with the heuristic "auto", if the problem has that.

    Not if the usual heuristic is enough for a short search to find the solution: then that is the search. (Several threads make no
    short ones.) Under a limit on seconds nothing is built.
    """
    promises_cost = search.algorithm.promise in ("cheapest", "fewest actions")
    if not promises_cost or search.heuristic is None or search.problem.unsolvable() is not None:
        return search
    if threads == 1:
        if search.run(replace(search.limits, expansions=HEAD_START)).status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        if search.ended or search.solution.limit != "expansions":
            return search
    with CtrlC() as ctrl_c:  # it must not hit code that knows nothing of it, such as an import

        def look_at_ctrl_c(_progress: object = None) -> None:
            if ctrl_c.pressed:
                raise KeyboardInterrupt

        policy = current_policy()
        may_build = policy.may_build and search.limits.seconds is None
        with database_policy(replace(policy, may_build=may_build, progress=look_at_ctrl_c)):
            best = search.problem.heuristic_named("auto")
        look_at_ctrl_c()
    if best is None or best.name == search.heuristic.name:
        return search
    return Search(search.problem, algorithm, best, limits=search.limits, threads=threads, **options)


def _path_of(name: str, data: Path | None) -> Path:
    """The directory of a database; raises UnknownNameError with the close names."""
    from bestfirst.patterns import files  # noqa: PLC0415

    names = {path.name: path for path in files.directories(files.data_directory(data))}
    if name not in names:
        raise UnknownNameError("pattern database", name, names)
    return names[name]


@pdb_app.command("info")
def info_command(name: NameArgument, data: DataOption = None) -> None:
    """Show what is known of a database, and how many entries have each distance."""
    from bestfirst.patterns import files  # noqa: PLC0415
    from bestfirst.patterns.progress import size_text  # noqa: PLC0415

    path = _path_of(name, data)
    header = files.read_header(path)
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
def verify_command(name: NameArgument, data: DataOption = None) -> None:
    """Compare a database with its checksum, and part of it with searches; of a domain of your own, do that in Python."""
    from bestfirst.domains.abstract_domains import abstract_domain  # noqa: PLC0415
    from bestfirst.patterns import files  # noqa: PLC0415
    from bestfirst.patterns.database import PatternDatabase  # noqa: PLC0415

    path = _path_of(name, data)
    header = files.read_header(path)
    files.check_table(path, header)
    domain = abstract_domain(header["domain"], header["parameters"])
    if domain is None:
        typer.echo(
            f"{name}: the checksum is right; what else is in it, PatternDatabase.load(problem, pattern).verify() finds out"
        )
        return
    compared = PatternDatabase.load(domain, data=data).verify()
    typer.echo(f"{name}: the checksum is right, and so are {compared:,} entries that were worked out again")


@pdb_app.command("remove")
def remove_command(name: NameArgument, data: DataOption = None) -> None:
    """Remove a database, or one whose build was not finished."""
    from bestfirst.patterns import files  # noqa: PLC0415
    from bestfirst.patterns.progress import size_text  # noqa: PLC0415

    typer.echo(f"removed {name}, {size_text(files.remove(_path_of(name, data)))}")
