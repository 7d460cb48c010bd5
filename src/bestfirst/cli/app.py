"""The commands: solve, compare, audit, enumerate, cache, list; others are in games.py, pdb.py, studio.py and
experiment.py."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf, isinf
from pathlib import Path
from typing import Annotated, Any

import typer

from bestfirst._version import __version__
from bestfirst.cli import listing, report
from bestfirst.cli.agents import show_agents
from bestfirst.cli.check import check_command
from bestfirst.cli.check_lesson import check_lesson_command
from bestfirst.cli.class_options import ClassCommand, GameCommand, ProblemCommand, takes_options
from bestfirst.cli.compare_games import compare_games_command
from bestfirst.cli.comparison import compare_all
from bestfirst.cli.consoles import console
from bestfirst.cli.exit_codes import ExitCode, exit_code_of
from bestfirst.cli.experiment import experiment_app
from bestfirst.cli.games import AnalyseCommand, analyse_command, perft_command
from bestfirst.cli.instances import goal_as_instance, only_instance, read_in_time, read_instance
from bestfirst.cli.json_output import print_json
from bestfirst.cli.live import LiveLine
from bestfirst.cli.match import match_command
from bestfirst.cli.own_watch import last_words
from bestfirst.cli.pdb import DataOption, SweepWorkersOption, pdb_app
from bestfirst.cli.play import engine_command, play_command
from bestfirst.cli.running import COMPLETION, complain, run
from bestfirst.cli.scenarios import answer_scenarios, scenario_file
from bestfirst.cli.several import GOALS, SOLUTIONS, refuse_options
from bestfirst.cli.studio import studio_command
from bestfirst.enumerated import Enumeration
from bestfirst.enumeration import enumerate_states
from bestfirst.errors import BestfirstError, InputError, shown
from bestfirst.heuristics.audit import audit as audit_heuristic
from bestfirst.makers import Given, Kind, maker_named
from bestfirst.patterns.policy import Policy
from bestfirst.problem import Problem
from bestfirst.resumable_search import Search
from bestfirst.search_plan import offered_names, plan
from bestfirst.solution import Limits, Solution, Status
from bestfirst.system.atomic import check_writable
from bestfirst.system.disk import bytes_of
from bestfirst.text_parameters import as_exact_number
from bestfirst.trace import SearchTree, Trace, expansion_lines
from bestfirst.trace.files import check_trace_file, what_is_left_out, write_trace
from bestfirst.written import text_of

WIDTH_OF_TABLES = 120
DEPTH_LIMITED = "depth-limited"

__all__ = ["COMPLETION", "app", "run"]

app = typer.Typer(
    name="bestfirst",
    help="Heuristic search: solve a problem, see how the search went, compare algorithms, audit heuristics.",
    epilog="Exit codes: 0 solved, 1 no solution exists, 2 bad input, 3 limit reached, 130 interrupted.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("check", cls=ClassCommand)(check_command)
app.command("check-lesson")(check_lesson_command)
app.command("analyse", cls=AnalyseCommand)(analyse_command)
app.command("perft", cls=GameCommand)(perft_command)
app.command("compare-games", cls=GameCommand)(compare_games_command)
app.command("play", cls=GameCommand)(play_command)
app.command("engine", cls=GameCommand)(engine_command)
app.command("match", cls=GameCommand)(match_command)
app.command("studio")(studio_command)
app.add_typer(experiment_app, name="experiment")
app.add_typer(pdb_app, name="pdb")

DomainArgument = Annotated[
    str, typer.Argument(help="The domain (see 'bestfirst list domains'), or FILE.py:Class.", show_default=False)
]
InstanceArgument = Annotated[
    list[str] | None,
    typer.Argument(
        help="The instance in the domain's notation, such as '2 8 3 / 1 6 4 / 7 _ 5'; for pddl, a domain file and a problem file.",
        show_default=False,
    ),
]

SecondsOption = Annotated[float | None, typer.Option("--seconds", help="Time limit in seconds.")]
ExpansionsOption = Annotated[int | None, typer.Option("--expansions", help="Maximum number of expansions.")]
MemoryOption = Annotated[str | None, typer.Option("--memory", help="Memory limit, such as 2GiB.")]
DepthOption = Annotated[int | None, typer.Option("--depth", help="Maximum depth in actions.")]
EngineOption = Annotated[
    str | None, typer.Option("--engine", help="python or compiled. Default: the faster one that supports the search.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print a single JSON object.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bestfirst {__version__}")
        raise typer.Exit


def _show_completion(shell: str | None) -> None:
    if shell is not None:
        from bestfirst.cli import completion  # noqa: PLC0415

        typer.echo(completion.script(shell, COMPLETION))
        raise typer.Exit


@app.callback()
def bestfirst_command(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
    show_completion: Annotated[
        str | None,
        typer.Option(
            "--show-completion",
            metavar="SHELL",
            callback=_show_completion,
            is_eager=True,
            help="Print the completion script for bash, zsh or fish.",
        ),
    ] = None,
) -> None:
    """Heuristic search: solve a problem, see how the search went, compare algorithms, audit heuristics."""


def _cost(text: str) -> int | float:
    try:
        return as_exact_number(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _weight(text: str) -> float:
    number = float(_cost(text))
    if isinf(number) and any(map(str.isdecimal, text)):
        raise typer.BadParameter(f"{shown(text)} exceeds the range of floats; use a smaller number")
    return number


@app.command(cls=ProblemCommand)
@takes_options(Kind.PROBLEM)
def solve(
    given: Given,
    domain: DomainArgument,
    instance: InstanceArgument = None,
    algorithm: Annotated[
        str | None, typer.Option("--algorithm", "-a", help="The algorithm (see 'bestfirst list algorithms').")
    ] = None,
    heuristic: Annotated[
        str | None,
        typer.Option("--heuristic", "-H", help="The heuristic (see 'bestfirst list heuristics'), or max(ONE,OTHER)."),
    ] = None,
    weight: Annotated[
        float | None,
        typer.Option("--weight", parser=_weight, metavar="NUMBER", help="Heuristic weight (weighted-astar)."),
    ] = None,
    preferred: Annotated[
        bool | None,
        typer.Option(
            "--preferred/--no-preferred",
            help="Whether children reached by preferred actions are also put in a second queue (greedy, lazy-greedy, "
            "lazy-anytime).",
            show_default="yes, except for greedy",
        ),
    ] = None,
    member: Annotated[
        list[str] | None,
        typer.Option(
            "--member",
            "--members",
            metavar="'ALGORITHM OPTIONS'",
            help="A member of the portfolio, such as 'anytime-weighted-astar --weight 3' (portfolio). Repeat it for each member.",
            show_default="chosen for the problem",
        ),
    ] = None,
    width: Annotated[
        int | None,
        typer.Option(
            "--width", help="Beam width (beam), or width of the first beam (anytime-beam, large-neighbourhood-beam)."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            help="Random seed for choosing the parts of the best solution to search again (large-neighbourhood-beam).",
        ),
    ] = None,
    upper_bound: Annotated[
        float | None,
        typer.Option(
            "--upper-bound",
            parser=_cost,
            metavar="COST",
            help="Look only for solutions that cost less than this (anytime algorithms, branch and bound).",
        ),
    ] = None,
    ties: Annotated[
        str | None, typer.Option("--ties", help="Which of two nodes with equal values is expanded first: fifo or lifo.")
    ] = None,
    backward_heuristic: Annotated[
        str | None, typer.Option("--backward-heuristic", help="Heuristic for the backward search (bidirectional-astar).")
    ] = None,
    delete_redundant: Annotated[
        bool, typer.Option("--delete-redundant", help="Keep only the cheapest path to each state (branch-and-bound).")
    ] = False,
    memo: Annotated[
        bool, typer.Option("--memo", help="Remember the states that were reached (depth-first-branch-and-bound).")
    ] = False,
    order: Annotated[
        str | None,
        typer.Option(
            "--order",
            help="Order in which children are tried: 'given' (as the problem lists them) or 'f' (lowest f first) (idastar).",
        ),
    ] = None,
    prune: Annotated[
        int | None, typer.Option("--prune", help="Prune duplicate operator sequences up to this length (idastar).")
    ] = None,
    prune_from: Annotated[
        int | None,
        typer.Option(
            "--prune-from", help="Start pruning after the first iteration with at least this many expansions (idastar)."
        ),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads",
            help="Number of worker threads (idastar, astar, uniform-cost, anytime-beam).",
            show_default="1, or all",
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            "--on",
            help="Where workers search: local (processes on this machine) or ray (a Ray cluster) "
            "(idastar, portfolio, --scenarios).",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", help="Number of workers, with --on.", show_default="one for each processor"),
    ] = None,
    save_to: Annotated[
        Path | None,
        typer.Option(
            "--save-to",
            help="Save the search to this file every minute; in Python, Search.load continues it (compiled engine).",
        ),
    ] = None,
    engine: EngineOption = None,
    no_build: Annotated[
        bool, typer.Option("--no-build", help="Do not build pattern databases; use only existing ones.")
    ] = False,
    data: DataOption = None,
    seconds: SecondsOption = None,
    expansions: ExpansionsOption = None,
    memory: MemoryOption = None,
    depth: DepthOption = None,
    trace: Annotated[bool, typer.Option("--trace", help="Print each expanded node with its value.")] = False,
    tree: Annotated[bool, typer.Option("--tree", help="Print the search tree.")] = False,
    trace_file: Annotated[
        Path | None,
        typer.Option(
            "--trace-file",
            help="Write the trace: .html (see --view), .trace.yaml (Posthoc), .jsonl (events), .dot, .svg or .txt (search tree).",
        ),
    ] = None,
    view: Annotated[
        Path | None, typer.Option("--view", help="Write a page, such as run.html, that shows the search step by step.")
    ] = None,
    open_view: Annotated[
        bool, typer.Option("--open", help="Open the page of --view in the browser; without --view, a temporary one.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            help="Write the states of the solution to this file; for a model, FILE.csv is a table of the result, and FILE.svg "
            "is its picture.",
        ),
    ] = None,
    plan_file: Annotated[
        Path | None,
        typer.Option("--plan-file", help="Write the plan to this file, in the format of the planning competitions (pddl)."),
    ] = None,
    show_plan: Annotated[
        bool,
        typer.Option(
            "--plan", help="Print how the search would run (algorithm, heuristic, engine), and why, without searching."
        ),
    ] = False,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            help="The method for the paths of agents, instead of --algorithm: conflict-based, independent or joint (multi-agent).",
        ),
    ] = None,
    nearest: Annotated[
        str | None,
        typer.Option(
            "--nearest-goals",
            metavar="K",
            help="Find the cheapest path to each of the K nearest goals, in one search; 'all' for every goal.",
        ),
    ] = None,
    several: Annotated[
        str | None,
        typer.Option("--solutions", metavar="K", help="Find the K cheapest solutions; 'all' for every solution."),
    ] = None,
    at_most: Annotated[
        float | None,
        typer.Option(
            "--at-most",
            parser=_cost,
            metavar="COST",
            help="Leave out goals whose cheapest path costs more (--nearest-goals), and solutions that cost more (--solutions).",
        ),
    ] = None,
    scenarios: Annotated[
        Path | None,
        typer.Option(
            "--scenarios",
            metavar="FILE",
            help="Answer all queries of a .scen file on a grid-map, and check the lengths in the file.",
        ),
    ] = None,
    json_lines: Annotated[
        bool, typer.Option("--json-lines", help="Print a JSON object for each query of a .scen file.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Solve one instance, and show the path and the statistics of the search."""
    text = only_instance(domain, instance)
    file = scenario_file(domain, text, given, scenarios, json_lines=json_lines)
    if at_most is not None and nearest is None and several is None:
        raise InputError(
            "--at-most needs --nearest-goals or --solutions; add one of them, or use --upper-bound to limit the cost of a solution"
        )
    ways = {"--method": method, "--nearest-goals": nearest, "--solutions": several}
    chosen_ways = [option for option, value in ways.items() if value is not None]
    if len(chosen_ways) > 1:
        raise InputError(f"{' and '.join(chosen_ways)} are both given; choose one of them")
    limits = Limits(seconds=seconds, expansions=expansions, memory=memory)
    problem = None
    if file is None:
        problem, limits = read_in_time(domain, text, given, limits)
    if trace_file is not None:
        check_trace_file(trace_file)
    if view is not None:
        check_trace_file(view, (".html",))
    for written in (output, plan_file):
        if written is not None:
            check_writable(written)
    of_files = {
        "--trace-file": trace_file,
        "--view": view,
        "--output": output,
        "--plan-file": plan_file,
        "--save-to": save_to,
    }
    _check_different(of_files)
    _check_keeps_input(of_files, [*(instance or ()), *([] if file is None else [str(file)])], given)
    if plan_file is not None:
        _check_is_task(problem, domain)
    chosen = {
        "weight": weight,
        "preferred": preferred,
        "width": width,
        "seed": seed,
        "upper_bound": upper_bound,
        "members": member or None,
        "ties": ties,
        "backward_heuristic": backward_heuristic,
        "delete_redundant": delete_redundant or None,
        "memo": memo or None,
        "order": order,
        "prune": prune,
        "prune_from": prune_from,
    }
    options: dict[str, Any] = {name: value for name, value in chosen.items() if value is not None}
    if depth is not None and algorithm is not None and algorithm.lower().replace("_", "-") == DEPTH_LIMITED:
        options["depth"] = depth
        depth = None
    is_shown = trace_file is not None or view is not None or open_view
    recording = Trace() if trace or tree or is_shown else None
    arguments: dict[str, Any] = {
        "engine": engine,
        "threads": threads,
        "on": on,
        "workers": workers,
        "databases": Policy(may_build=not no_build, data=data, threads=threads),
        **options,
    }
    if problem is None:
        assert file is not None
        of_one = {
            "--json": as_json,
            "--plan": show_plan,
            "--output": output,
            "--save-to": save_to,
            **ways,
            "a trace": recording,
            "--member": member,
        }
        _check_of_many(of_one)
        limits = Limits(expansions=expansions, memory=memory, depth=depth)
        arguments |= {"algorithm": algorithm, "heuristic": heuristic, "limits": limits, "seconds": seconds}
        raise typer.Exit(answer_scenarios(file, text, given, json_lines=json_lines, **arguments))
    if method is not None or nearest is not None or several is not None:
        of_search = {"depth": depth, "algorithm": algorithm, "threads": threads, "on": on, "workers": workers, **options}
        named = {option.removeprefix("--").replace("-", "_"): file for option, file in of_files.items()}
        others = {"trace": trace, "tree": tree, "open": open_view, "plan": show_plan, "no_build": no_build, "data": data}
        given_too = of_search | named | others
        if method is not None:
            refuse_options("--method", given_too | {"output": None, "engine": engine, "heuristic": heuristic})
            code = show_agents(problem, method, given, text, limits, output, as_json=as_json)
            if output is not None and code is not ExitCode.SOLVED:
                complain(f"no solution was found, so {str(output)!r} was not written")
            raise typer.Exit(code)
        asked = {"heuristic": heuristic, "limits": limits, "at_most": inf if at_most is None else at_most}
        if nearest is not None:
            refuse_options(GOALS.option, given_too)
            code = GOALS.show(problem, nearest, given, text, as_json=as_json, engine=engine, **asked)
        else:
            refuse_options(SOLUTIONS.option, given_too | {"engine": engine})
            code = SOLUTIONS.show(problem, several or "", given, text, as_json=as_json, **asked)
        raise typer.Exit(code)
    arguments["limits"] = replace(limits, depth=depth)
    arguments["trace"] = recording or False
    if show_plan:
        found = plan(problem, algorithm, heuristic, **arguments)
        if as_json:
            print_json("plan", found.to_dict(), given, problem=text_of(problem, "name"), instance=text)
        else:
            typer.echo(str(found))
        return
    with LiveLine() as live:
        search = Search(problem, algorithm, heuristic, **arguments)
        solution = search.run(progress=live.update, save_to=save_to)
    if solution.found:
        solution.verify()
    files = [file for file in (trace_file, view) if file is not None]
    if open_view and view is None:
        files.append(view := _page_to_open())
    writers = {output: report.write_solution, plan_file: report.write_plan}
    unwritten = _write_files(solution, recording, files, {file: of for file, of in writers.items() if file}, quiet=as_json)
    if open_view and view is not None and not unwritten:
        _open(view)
    if as_json:
        print_json("solve", solution.to_dict(), given, problem=text_of(problem, "name"), instance=text)
    else:
        shown = console()
        if recording is not None and trace:
            for line in expansion_lines(recording, recording.subject.problem, search.algorithm):
                shown.print(line, soft_wrap=True)
            shown.print()
        if recording is not None and tree:
            label = partial(text_of, recording.subject.problem, "label")
            shown.print(SearchTree.from_trace(recording).text(label), soft_wrap=True)
            shown.print()
        report.show(shown, solution)
    if unwritten:
        _raise_all(unwritten)
    raise typer.Exit(exit_code_of(solution.status))


def _write_files(
    solution: Solution,
    recording: Trace | None,
    traces: list[Path],
    writers: Mapping[Path, Callable[[Path, Solution], None]],
    *,
    quiet: bool,
) -> list[BaseException]:
    """Write the requested files before anything is printed, because the reader of the output may stop reading.

    writers: the files that are written if a solution is found, with what writes them; before the traces, which are larger.
    Returns the errors of the files that could not be written, to be raised once the solution is printed.
    """
    unwritten: list[BaseException] = []
    for file in writers if not solution.found else ():
        complain(f"no solution was found, so {str(file)!r} was not written")
    try:
        with last_words(lambda: None if quiet else report.show_result(console(), solution)):
            for file in (*(writers if solution.found else ()), *traces):
                try:
                    if file in writers:
                        writers[file](file, solution)
                    else:
                        assert recording is not None
                        write_trace(file, recording)
                except Exception as error:  # which does not concern the other files
                    unwritten.append(error)
                else:
                    if not quiet:
                        typer.echo(f"wrote {file}{_left_out(file, recording)}", err=True)
    except BaseException as error:  # Ctrl-C, and the end of a method that does not return, too
        unwritten.append(error)
    return unwritten


def _left_out(file: Path, recording: Trace | None) -> str:
    """What a drawing leaves out, in parentheses; empty for any other file."""
    missing = None if recording is None else what_is_left_out(file, recording)
    return "" if missing is None else f" ({missing})"


def _raise_all(unwritten: list[BaseException]) -> None:
    """Raise an error about a file after a complaint about each other one."""
    first, *others = sorted(unwritten, key=lambda error: isinstance(error, BestfirstError))  # Ctrl-C is raised, not told
    for error in others:
        complain(str(error))
    raise first


def _check_is_task(problem: Problem | None, domain: str) -> None:
    from bestfirst.planning.task import Task  # noqa: PLC0415  (most commands need no tasks)

    if not isinstance(problem, Task):
        raise InputError(f"--plan-file is for planning tasks, but the problem is {domain}; use --output to write its states")


def _check_of_many(given: dict[str, Any]) -> None:
    """Raise InputError for options that concern one search only."""
    for option, value in given.items():
        if value:
            raise InputError(f"{option} applies to a single query; select one with --number, or omit {option}")


def _check_different(files: dict[str, Path | None]) -> None:
    """Raise InputError if two options name the same file, even in different ways, or one names a program."""
    known: dict[str, tuple[str, Path]] = {}
    for option, file in files.items():
        if file is None:
            continue
        if file.suffix == ".py" and file.exists():
            raise InputError(f"{option} would overwrite the Python file {str(file)!r}; choose another name")
        other, same = known.setdefault(os.path.realpath(file), (option, file))
        if other != option:
            what = f"both {str(file)!r}" if same == file else f"{str(same)!r} and {str(file)!r}, which are the same file"
            raise InputError(f"{other} and {option} are {what}; choose two different files")


def _check_keeps_input(files: dict[str, Path | None], words: Sequence[str], given: Given) -> None:
    """Raise InputError if an option would overwrite a file from which the problem is read."""
    texts = [*words, *(value for value in given.values() if isinstance(value, str))]
    read = {os.path.realpath(word) for text in texts for word in (text, *text.split()) if "\0" not in word}
    for option, file in files.items():
        if file is not None and file.is_file() and os.path.realpath(file) in read:
            raise InputError(f"{option} would overwrite {str(file)!r}, from which the problem is read; choose another name")


def _page_to_open() -> Path:
    """A new file for a page that is opened at once."""
    import tempfile  # noqa: PLC0415

    return Path(tempfile.mkdtemp(prefix="bestfirst-")) / "search.html"


def _open(page: Path) -> None:
    import webbrowser  # noqa: PLC0415

    if not webbrowser.open(page.resolve().as_uri()):
        complain(f"no browser was found; open {str(page)!r} in a browser")


@app.command(cls=ProblemCommand)
@takes_options(Kind.PROBLEM)
def compare(
    given: Given,
    domain: DomainArgument,
    instances: Annotated[
        list[str] | None, typer.Argument(help="One or more instances, each in quotes.", show_default=False)
    ] = None,
    algorithms: Annotated[
        str, typer.Option("--algorithms", help="Names of algorithms, separated by commas.")
    ] = "astar,idastar",
    heuristics: Annotated[
        str | None,
        typer.Option(
            "--heuristics",
            help="Names of heuristics, separated by commas, or 'all' for every heuristic that the instance supports.",
        ),
    ] = None,
    seconds: SecondsOption = None,
    expansions: ExpansionsOption = None,
    memory: MemoryOption = None,
    depth: DepthOption = None,
    engine: EngineOption = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", help="Number of processes that share the searches.", show_default="one search at a time"),
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Run algorithms and heuristics on the same instances, and compare their costs."""
    if csv and as_json:
        raise InputError("--csv and --json are both given; choose one of them")
    maker = maker_named(domain, Kind.PROBLEM)
    limits = Limits(seconds=seconds, expansions=expansions, memory=memory, depth=depth)
    asked: list[str | None] = [*maker.instances(instances)] if instances else [None]
    problems = {text or maker.name: read_instance(domain, text, given, limits) for text in asked}
    with LiveLine() as live:
        comparison = compare_all(
            problems, algorithms, heuristics, limits, engine, live.update, workers, maker.of if maker.is_own else None
        )
    if as_json:
        name = next(iter(problems.values())).name()
        print_json("compare", comparison.to_dict(), given, problem=name, instances=instances or [])
    elif csv:
        typer.echo(comparison.as_csv(), nl=False)
    else:
        console(least_width=WIDTH_OF_TABLES).print(comparison.as_tables())
        if (note := comparison.note(limits)) is not None:
            typer.echo(f"\n{note}")
    for row in comparison.rows:
        if row.solution.status is Status.FAILED:
            complain(row.failure())
    if comparison.interrupted:
        typer.echo(
            f"interrupted: {comparison.ended} of {report.count(comparison.asked, 'search', 'searches')} finished", err=True
        )
    raise typer.Exit(comparison.exit_code())


@app.command(cls=ProblemCommand)
@takes_options(Kind.PROBLEM)
def audit(
    given: Given,
    domain: DomainArgument,
    instance: Annotated[
        list[str] | None,
        typer.Argument(help="A state of the space to audit. Default: the state given by --goal.", show_default=False),
    ] = None,
    heuristic: Annotated[
        str | None, typer.Option("--heuristic", "-H", help="The heuristic to audit. Default: the domain's default.")
    ] = None,
    states: Annotated[
        int, typer.Option("--states", help="Maximum number of states to examine exhaustively; larger spaces are sampled.")
    ] = 1_000_000,
    samples: Annotated[int, typer.Option("--samples", help="Number of random walks that sample a larger space.")] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Random seed for the sample.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Check whether a heuristic is admissible and consistent."""
    text = only_instance(domain, instance)
    maker = maker_named(domain, Kind.PROBLEM)
    if text is None and maker.reads_text:
        text = goal_as_instance(domain, given)
        if text is None:
            raise InputError(
                f"no instance is given; add an instance of {maker.name}{', or --goal' * ('goal' in maker.options)}"
            )
    problem = read_instance(domain, text, given)
    wanted = heuristic or problem.default_heuristic
    if wanted is None:
        offered = offered_names(problem)
        raise InputError(
            f"{problem.name()} has no default heuristic; use --heuristic{f' with one of {offered}' if offered else ''}"
        )
    with LiveLine() as live:
        result = audit_heuristic(problem, wanted, states=states, samples=samples, seed=seed, progress=live.update_audit)
    if as_json:
        print_json("audit", result.to_dict(), given, problem=text_of(problem, "name"), instance=text)
    else:
        typer.echo(str(result))
    if result.interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)


@app.command(cls=ProblemCommand)
@takes_options(Kind.PROBLEM)
def enumerate(  # noqa: A001  (the name of the command)
    given: Given,
    domain: DomainArgument,
    instance: InstanceArgument = None,
    seconds: SecondsOption = None,
    memory: MemoryOption = None,
    engine: EngineOption = None,
    directory: Annotated[
        str | None,
        typer.Option(
            "--directory",
            metavar="PATH",
            help="Keep the states in this directory, not in memory. To continue an interrupted enumeration, repeat the command.",
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            "--on",
            metavar="PLACE",
            help="Where workers share --directory: local (processes of this machine) or ray (a Ray cluster).",
        ),
    ] = None,
    workers: SweepWorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count the states reachable from an instance, by the number of actions."""
    text = only_instance(domain, instance)
    problem, limits = read_in_time(domain, text, given, Limits(seconds=seconds, memory=memory))
    is_told = False
    with LiveLine() as live:

        def update(found: Enumeration) -> None:
            nonlocal is_told
            if found.disk is not None and not is_told:
                from bestfirst.patterns.building.progress import size_text  # noqa: PLC0415  (it imports NumPy)

                typer.echo(f"on disk: at most {size_text(found.disk)}, in {directory}", err=True)
                is_told = True
            live.update_enumeration(found)

        found = enumerate_states(
            problem, limits=limits, progress=update, engine=engine, directory=directory, on=on, workers=workers
        )
    if as_json:
        print_json("enumerate", found.to_dict(), given, problem=text_of(problem, "name"), instance=text)
    else:
        console().print(report.levels_table(found))
        typer.echo(str(found))
        if found.antipodes:  # none if a limit comes before the first expansion
            which = "one of the farthest" if found.complete else "reached last"
            typer.echo(f"{which}: {text_of(problem, 'format', found.antipodes[0])}")
    if found.limit is not None:
        raise typer.Exit(ExitCode.INTERRUPTED if found.limit == "interrupted" else ExitCode.LIMIT)


@app.command()
def cache(
    clear: Annotated[
        bool, typer.Option("--clear", help="Remove the compiled code; the next search compiles it again.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show the directory and size of the compiled code, or remove it."""
    from bestfirst.compiled.compiler.cache import cache_directory, cached_files, clear_cache, why_not_used  # noqa: PLC0415  (NumPy)

    directory = cache_directory()
    if clear:
        removed = clear_cache()
        if as_json:
            print_json("cache", {"directory": str(directory), "removed": removed})
        else:
            typer.echo(f"removed {report.count(removed, 'file')} from {directory}")
        return
    files = cached_files()
    size = bytes_of(files)
    why = why_not_used()
    if as_json:
        print_json("cache", {"directory": str(directory), "files": len(files), "bytes": size, "not_used": why})
        return
    typer.echo(f"{directory}: {report.count(len(files), 'file')} of compiled code, {size / 2**20:.1f} MiB")
    if why is not None:
        typer.echo(f"the cache is not used: {why}")


@app.command("list")
def list_names(
    what: Annotated[
        listing.What | None, typer.Argument(help="The kind to list. Default: all.", show_default=False, case_sensitive=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the domains, algorithms, heuristics and games."""
    kinds = [what] if what else list(listing.What)
    if as_json:
        print_json("list", {str(kind): listing.facts(kind) for kind in kinds})
        return
    shown = console()
    for kind in kinds:
        shown.print(listing.table(kind))
