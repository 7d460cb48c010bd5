"""Tables of what there is: domains, algorithms, heuristics."""

from __future__ import annotations

import inspect
from enum import StrEnum

from rich.table import Table

from bestfirst.cli.instances import domain_options, flag
from bestfirst.domains import DOMAINS
from bestfirst.heuristics.heuristic import declared_heuristics
from bestfirst.search import ALGORITHMS


class What(StrEnum):
    """The kinds of things that can be listed."""

    DOMAINS = "domains"
    ALGORITHMS = "algorithms"
    HEURISTICS = "heuristics"


def table(what: What) -> Table:
    """The table of one kind of things."""
    match what:
        case What.DOMAINS:
            return _domains()
        case What.ALGORITHMS:
            return _algorithms()
        case What.HEURISTICS:
            return _heuristics()


def _titled(title: str, *names: str) -> Table:
    """A table whose names are never broken; its last column says what each thing is."""
    listed = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for name in names:
        listed.add_column(name, no_wrap=True)
    listed.add_column("what it is", ratio=1)
    return listed


def _domains() -> Table:
    listed = _titled("Domains", "domain")
    for name, domain in DOMAINS.items():
        options = [
            flag(option.name) + (" (needed)" if option.default is inspect.Parameter.empty else "")
            for option in domain_options(domain)
        ]
        listed.add_row(name, first_line(domain) + (f" [dim]Options: {', '.join(options)}.[/dim]" if options else ""))
    return listed


def _algorithms() -> Table:
    listed = _titled("Algorithms", "algorithm", "heuristic", "promises")
    for algorithm in ALGORITHMS.values():
        options = ", ".join(f"--{option.replace('_', '-')}" for option in algorithm.options)
        what = algorithm.summary + (f" [dim]Options: {options}.[/dim]" if options else "")
        listed.add_row(algorithm.name, algorithm.heuristic, algorithm.promise, what)
    return listed


def _heuristics() -> Table:
    listed = _titled("Heuristics", "heuristic", "admissible", "consistent")
    for name, domain in DOMAINS.items():
        listed.add_row(f"[bold]{name}[/bold]")
        for heuristic in declared_heuristics(domain).values():
            facts = _said(heuristic.admissible), _said(heuristic.consistent)
            listed.add_row(f"  {heuristic.name}", *facts, first_line(heuristic.function))
    return listed


def _said(fact: bool | None) -> str:
    return "depends" if fact is None else "yes" if fact else "no"


def first_line(thing: object) -> str:
    """The first line of a docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]
