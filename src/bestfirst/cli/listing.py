"""Tables of the domains, algorithms, heuristics and games."""

from __future__ import annotations

import inspect
from enum import StrEnum
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from bestfirst.makers import PLAYABLE, PROBLEMS, Kind, Maker, brought, flag, origin
from bestfirst.problem import Problem
from bestfirst.search import ALGORITHMS, PORTFOLIO
from bestfirst.text_parameters import TextParameter


class What(StrEnum):
    """The kinds of things that can be listed."""

    DOMAINS = "domains"
    ALGORITHMS = "algorithms"
    HEURISTICS = "heuristics"
    GAMES = "games"


def table(what: What) -> Table | Group:
    """The table of one kind; of heuristics, a table for each domain."""
    match what:
        case What.DOMAINS:
            return _domains()
        case What.ALGORITHMS:
            return _algorithms()
        case What.HEURISTICS:
            return _heuristics()
        case What.GAMES:
            return _games()


def facts(what: What) -> list[dict[str, Any]]:
    """The entries of one kind as dicts, for programs."""
    match what:
        case What.DOMAINS:
            return [
                {
                    "name": name,
                    "summary": first_line(domain),
                    "options": [_option(option) for option in Maker(name, domain).options.values()],
                    "default_heuristic": domain.default_heuristic,
                }
                for name, domain in PROBLEMS.items()
            ] + _brought(Kind.PROBLEM)
        case What.ALGORITHMS:
            return [
                {
                    "name": algorithm.name,
                    "summary": algorithm.summary,
                    "heuristic": algorithm.heuristic,
                    "promise": algorithm.promise,
                    "options": [option.replace("_", "-") for option in algorithm.options],
                }
                for algorithm in (*ALGORITHMS.values(), PORTFOLIO)
            ]
        case What.HEURISTICS:
            return [
                {
                    "name": heuristic.name,
                    "domain": name,
                    "summary": first_line(heuristic.function),
                    "admissible": heuristic.admissible,
                    "consistent": heuristic.consistent,
                }
                for name, domain in PROBLEMS.items()
                for heuristic in domain.known_heuristics().values()
            ]
        case What.GAMES:
            return [
                {
                    "name": name,
                    "summary": first_line(game),
                    "options": [
                        {"name": option.name, "needed": option.is_needed} for option in Maker(name, game).options.values()
                    ],
                }
                for name, game in PLAYABLE.items()
            ] + _brought(Kind.GAME)


def _brought(kind: Kind) -> list[dict[str, Any]]:
    """The entry points of other packages; none of their code is run."""
    return [{"name": name, "class": entry.value, "package": origin(entry)} for name, entry in brought(kind).items()]


def _option(option: TextParameter) -> dict[str, Any]:
    """An option of a domain, named as on the command line without the dashes."""
    return {"name": flag(option.name).split()[0].lstrip("-"), "needed": option.is_needed}


def _titled(title: str, *names: str) -> Table:
    """A table whose names are never wrapped, with a description in the last column."""
    listed = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for name in names:
        listed.add_column(name, no_wrap=True)
    listed.add_column("description", ratio=1)
    return listed


def _domains() -> Table:
    listed = _titled("Domains", "domain")
    for name, domain in PROBLEMS.items():
        options = [
            flag(option.name) + (" (needed)" if option.is_needed else "") for option in Maker(name, domain).options.values()
        ]
        listed.add_row(name, _with_facts(first_line(domain), f"Options: {', '.join(options)}." if options else ""))
    return _with_brought(listed, Kind.PROBLEM)


_HEURISTIC_NEEDED = {
    "required": "Needs a heuristic",
    "if any": "Uses the default heuristic if the domain has one",
    "optional": "Can use a heuristic",
    "none": "Takes no heuristic",
}
_PROMISED = {
    "cheapest": "finds the cheapest solution",
    "fewest actions": "finds a solution with the fewest actions",
    "bounded": "finds a solution that costs at most a given multiple of the cheapest",
    "none": "does not bound the cost",
}


def _algorithms() -> Table:
    listed = _titled("Algorithms", "algorithm")
    for algorithm in (*ALGORITHMS.values(), PORTFOLIO):
        facts = f"{_HEURISTIC_NEEDED[algorithm.heuristic]}; {_PROMISED[algorithm.promise]}."
        options = ", ".join(f"--{option.replace('_', '-')}" for option in algorithm.options)
        listed.add_row(
            algorithm.name, _with_facts(algorithm.summary, f"{facts}{f' Options: {options}.' if options else ''}")
        )
    return listed


def _heuristics() -> Group:
    """A table for each domain, so that a user finds those of one problem."""
    domains = {name: domain for name, domain in PROBLEMS.items() if domain.known_heuristics() or _has_databases(domain)}
    width = max(len(known) for domain in domains.values() for known in domain.known_heuristics())
    tables = [_heuristics_of(name, domain, width) for name, domain in domains.items()]
    return Group(tables[0], *(part for table in tables[1:] for part in ("", table)))


def _heuristics_of(name: str, domain: type[Problem], width: int) -> Table:
    """The heuristics of one domain. width: of the column of names, the same for all domains."""
    listed = Table(
        title=f"Heuristics of {name}",
        title_justify="left",
        title_style="bold",
        box=None,
        pad_edge=False,
        show_header=False,
    )
    listed.add_column(no_wrap=True, min_width=width)
    listed.add_column(ratio=1)
    for heuristic in domain.known_heuristics().values():
        facts = f"{_said('admissible', heuristic.admissible)}, {_said('consistent', heuristic.consistent)}.".capitalize()
        default = " The default." if heuristic.name == domain.default_heuristic else ""
        listed.add_row(heuristic.name, _with_facts(first_line(heuristic.function), f"{facts}{default}"))
    if _has_databases(domain):
        listed.add_row("pdb:...", _with_facts(first_line(domain.abstractions), "Pattern databases; admissible."))
    return listed


def _has_databases(domain: type[Problem]) -> bool:
    return domain.abstractions is not Problem.abstractions


def _games() -> Table:
    listed = _titled("Games", "game")
    for name, game in PLAYABLE.items():
        options = ", ".join(f"--{option.name}" for option in Maker(name, game).options.values())
        listed.add_row(name, _with_facts(first_line(game), f"Options: {options}." if options else ""))
    return _with_brought(listed, Kind.GAME)


def _with_brought(listed: Table, kind: Kind) -> Table:
    for name, entry in brought(kind).items():
        listed.add_row(name, f"{entry.attr} of {origin(entry)}.")
    return listed


def _with_facts(summary: str, facts: str) -> Text:
    """A description, whose facts are less bright."""
    return Text.assemble(summary, " " * bool(facts), (facts, "dim"))


def _said(what: str, fact: bool | None) -> str:
    if fact is None:
        return f"{what} for some instances"
    return what if fact else f"not {what}"


def first_line(thing: object) -> str:
    """The first line of a docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]
