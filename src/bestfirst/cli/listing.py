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


def _domains() -> Table:
    listed = Table("domain", "what it is", "options", title="Domains", title_justify="left", box=None)
    for name, domain in DOMAINS.items():
        options = " ".join(
            flag(option.name) + (" (needed)" if option.default is inspect.Parameter.empty else "")
            for option in domain_options(domain)
        )
        listed.add_row(name, first_line(domain), options)
    return listed


def _algorithms() -> Table:
    listed = Table(
        "algorithm", "heuristic", "promises", "options", "what it does", title="Algorithms", title_justify="left", box=None
    )
    for algorithm in ALGORITHMS.values():
        options = " ".join(option.replace("_", "-") for option in algorithm.options)
        listed.add_row(algorithm.name, algorithm.heuristic, algorithm.promise, options, algorithm.summary)
    return listed


def _heuristics() -> Table:
    listed = Table(
        "domain", "heuristic", "admissible", "consistent", "what it is", title="Heuristics", title_justify="left", box=None
    )
    for name, domain in DOMAINS.items():
        for heuristic in declared_heuristics(domain).values():
            listed.add_row(
                name,
                heuristic.name,
                _said(heuristic.admissible),
                _said(heuristic.consistent),
                first_line(heuristic.function),
            )
    return listed


def _said(fact: bool | None) -> str:
    return "depends" if fact is None else "yes" if fact else "no"


def first_line(thing: object) -> str:
    """The first line of a docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]
