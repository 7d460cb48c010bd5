"""Makes a problem from command-line arguments."""

from __future__ import annotations

import inspect

from bestfirst.domains import DOMAINS
from bestfirst.errors import InputError, UnknownNameError
from bestfirst.problem import Problem


def domain_named(name: str) -> type[Problem]:
    """The domain with this name (hyphens and underscores are equivalent); raises UnknownNameError with close matches."""
    key = name.lower().replace("_", "-")
    if key not in DOMAINS:
        raise UnknownNameError("domain", name, DOMAINS)
    return DOMAINS[key]


def domain_options(domain: type[Problem]) -> list[inspect.Parameter]:
    """The keyword options of a domain's from_text, which are its options on the command line."""
    return [
        parameter
        for parameter in inspect.signature(domain.from_text).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]


def read_instance(domain_name: str, text: str, given: dict[str, str | None]) -> Problem:
    """The problem that an instance string and command-line options describe.

    given: option -> value, None if not given. Raises InputError for an option that is unknown to the domain, missing, or
    invalid.
    """
    domain = domain_named(domain_name)
    options = {name: value for name, value in given.items() if value is not None}
    takes = domain_options(domain)
    names = [parameter.name for parameter in takes]
    for name in options:
        if name not in names:
            listed = ", ".join(flag(other) for other in names) or "no options"
            raise InputError(f"{domain.name()} does not take {flag(name)}; it takes {listed}")
    for parameter in takes:
        if parameter.default is inspect.Parameter.empty and parameter.name not in options:
            raise InputError(f"{domain.name()} needs {flag(parameter.name)}")
    try:
        problem: Problem = domain.from_text(text, **options)
    except InputError:
        raise
    except (ValueError, OverflowError, RecursionError) as error:  # such as a number of thousands of digits
        raise InputError(f"the instance cannot be read: {error}") from None
    return problem


def flag(option: str) -> str:
    """The command-line spelling of a domain option."""
    return {"start": "--from", "goal": "--goal (or --to)"}.get(option, f"--{option}")
