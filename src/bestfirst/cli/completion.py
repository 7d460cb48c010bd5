"""Tab completion of names; Typer completes commands and options.

The module is imported only when a shell asks for completions, so that the command starts fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from textwrap import shorten
from typing import Any, TypeAlias

from bestfirst.errors import BestfirstError, UnknownNameError
from bestfirst.makers import PLAYABLE, PROBLEMS, Kind, brought, origin

SHELLS = ("bash", "zsh", "fish")

MOST_HELP = 70
"""The maximum length of a description next to a name. Typer breaks longer ones, and shells show one line."""


@dataclass(frozen=True)
class Candidate:
    """A possible completion, with the fields of Click's CompletionItem."""

    value: str
    help: str | None = None
    type: str = "plain"


Completer: TypeAlias = Callable[[Mapping[str, Any]], Iterable[Candidate]]
"""A function from the parameters given before to all candidates."""


def script(shell: str, variable: str) -> str:
    """The completion script of a shell; raises UnknownNameError for an unsupported shell.

    variable: the environment variable by which the script asks for completions.
    """
    if shell not in SHELLS:
        raise UnknownNameError("shell", shell, SHELLS)
    return str(_typers().get_completion_script(prog_name="bestfirst", complete_var=variable, shell=shell))


def prepare(command: Any) -> None:
    """Attach completers to the parameters of a Click command and of all its subcommands."""
    _typers().completion_init()
    _teach(command)


def _typers() -> Any:
    """Typer's completion module, untyped because it does not export the names used here."""
    return import_module("typer.completion")


def _teach(command: Any) -> None:
    for parameter in command.params:
        completer = _COMPLETERS.get(parameter.name)
        if completer is not None:
            parameter.shell_complete = _matching(completer, is_list=parameter.name in _LISTS)
    for below in getattr(command, "commands", {}).values():
        _teach(below)


def _matching(completer: Completer, *, is_list: bool) -> Callable[[Any, str], list[Candidate]]:
    """Click's callback: candidates with the typed prefix. In a list, the prefix is the last name."""

    def complete(context: Any, incomplete: str) -> list[Candidate]:
        before, comma, begun = incomplete.rpartition(",") if is_list else ("", "", incomplete)
        given = dict(context.params)
        if given.get("domain") is None and context.args:  # while an option lacks its value, Click leaves arguments unparsed
            given["domain"] = context.args[0]
        try:
            candidates = [candidate for candidate in completer(given) if candidate.value.startswith(begun)]
        except (BestfirstError, OSError):  # such as a directory that does not exist: the command itself will say so
            return []
        return [
            Candidate(
                before + comma + candidate.value, candidate.help and shorten(candidate.help, MOST_HELP, placeholder=" ...")
            )
            for candidate in candidates
        ]

    return complete


def _domains(_given: Mapping[str, Any]) -> Iterator[Candidate]:
    from bestfirst.cli.listing import first_line  # noqa: PLC0415

    for name, domain in PROBLEMS.items():
        yield Candidate(name, first_line(domain))
    yield from _brought_and_files(Kind.PROBLEM)


def _games(_given: Mapping[str, Any]) -> Iterator[Candidate]:
    from bestfirst.cli.listing import first_line  # noqa: PLC0415

    for name, game in PLAYABLE.items():
        yield Candidate(name, first_line(game))
    yield from _brought_and_files(Kind.GAME)


def _domains_and_games(given: Mapping[str, Any]) -> Iterator[Candidate]:
    yield from dict.fromkeys([*_domains(given), *_games(given)])  # each file once


def _brought_and_files(kind: Kind) -> Iterator[Candidate]:
    """The entry points of other packages, and the Python files of the working directory; none of their code is run."""
    for name, entry in brought(kind).items():
        yield Candidate(name, f"{entry.attr} of {origin(entry)}")
    for file in sorted(Path().glob("*.py")):
        yield Candidate(file.name, "A Python file")


def _algorithms(_given: Mapping[str, Any]) -> Iterator[Candidate]:
    from bestfirst.search import ALGORITHMS, PORTFOLIO  # noqa: PLC0415

    for algorithm in (*ALGORITHMS.values(), PORTFOLIO):
        yield Candidate(algorithm.name, algorithm.summary)


def _heuristics(given: Mapping[str, Any]) -> Iterator[Candidate]:
    """The heuristics of the given domain."""
    from bestfirst.cli.listing import first_line  # noqa: PLC0415

    domain = PROBLEMS.get((given.get("domain") or "").lower().replace("_", "-"))
    if domain is None:  # or a user's own, whose code is not run for this
        return
    for heuristic in domain.known_heuristics().values():
        yield Candidate(heuristic.name, first_line(heuristic.function))
    if domain.long_search is not None:
        yield Candidate(domain.long_search.heuristic, "Used by long searches.")


def _heuristics_or_all(given: Mapping[str, Any]) -> Iterator[Candidate]:
    yield from _heuristics(given)
    yield Candidate("all", "All heuristics that fit the instance.")


def _switches(_given: Mapping[str, Any]) -> Iterator[Candidate]:
    from bestfirst.games.playing.specification import FOUNDATIONS, SWITCHES  # noqa: PLC0415

    for foundation in FOUNDATIONS:
        yield Candidate(foundation)
    for switch in SWITCHES:
        yield Candidate(f"{switch}=")


def _players(given: Mapping[str, Any]) -> Iterator[Candidate]:
    from bestfirst.games.playing.specification import LIMITS  # noqa: PLC0415

    for word in ("mcts", "random", *(f"{limit}=" for limit in LIMITS)):
        yield Candidate(word)
    yield from _switches(given)


def _databases(given: Mapping[str, Any]) -> Iterator[Candidate]:
    from bestfirst.patterns.storage import files  # noqa: PLC0415

    for path in files.directories(files.data_directory(given.get("data"))):
        yield Candidate(path.name)


def _engines(_given: Mapping[str, Any]) -> Iterator[Candidate]:
    from bestfirst.search_plan import ENGINES  # noqa: PLC0415

    return map(Candidate, ENGINES)


def _words(*words: str) -> Completer:
    return lambda _given: map(Candidate, words)


_COMPLETERS: dict[str, Completer] = {
    "domain": _domains,
    "game": _games,
    "domain_or_game": _domains_and_games,
    "algorithm": _algorithms,
    "algorithms": _algorithms,
    "member": _algorithms,
    "heuristic": _heuristics,
    "heuristics": _heuristics_or_all,
    "backward_heuristic": _heuristics,
    "engine": _engines,
    "ties": _words("fifo", "lifo"),
    "order": _words("given", "f"),
    "method": _words("minimax", "alpha-beta", "pvs", "mtdf"),
    "settings": _switches,
    "also": _switches,
    "against": _players,
    "a": _players,
    "b": _players,
    "name": _databases,
    "show_completion": _words(*SHELLS),
}
"""Completers by parameter name, which has the same meaning in all commands."""
_LISTS = ("algorithms", "heuristics", "settings", "also", "against", "a", "b")
"""The parameters that take names separated by commas."""
