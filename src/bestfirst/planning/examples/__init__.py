"""Planning tasks to try: sixteen domains in PDDL, and problems of any size in each.

    python -m bestfirst.planning.examples logistics --packages 6 --to tasks

The domains are written from their published rules; each problem has a plan. Sources: McDermott, "The 1998 AI Planning Systems
Competition", 2000; Bacchus, "The AIPS '00 Planning Competition", 2001; Long & Fox, "The 3rd International Planning Competition",
2003; and the competitions of 2008 and 2011 (visitall, sokoban, transport, barman). Briefcase: Pednault, 1988.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path

from bestfirst.errors import InputError, UnknownNameError
from bestfirst.planning.examples import boards, exploring, stacking, transporting
from bestfirst.system.atomic import write_atomically

_PROBLEMS: Mapping[str, Callable[..., str]] = {
    "barman": stacking.barman,
    "blocks": stacking.blocks,
    "briefcase": transporting.briefcase,
    "depots": stacking.depots,
    "ferry": transporting.ferry,
    "gripper": transporting.gripper,
    "hanoi": stacking.hanoi,
    "logistics": transporting.logistics,
    "miconic": transporting.miconic,
    "rovers": exploring.rovers,
    "satellite": exploring.satellite,
    "sokoban": boards.sokoban,
    "tiles": boards.tiles,
    "transport": transporting.transport,
    "visitall": boards.visitall,
    "zenotravel": transporting.zenotravel,
}
_MAY_BE_NONE = ("holes", "walls")
NAMES = tuple(_PROBLEMS)
"""The domains."""


def sizes(name: str) -> dict[str, int]:
    """What sets the size of a problem in a domain, such as "blocks", with the defaults."""
    parameters = inspect.signature(_function(name)).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters if parameter.name != "seed"}


def domain(name: str) -> str:
    """The domain file. Raises UnknownNameError for a name that is not in NAMES."""
    _function(name)
    return (files(__name__) / "pddl" / f"{name}.pddl").read_text(encoding="utf-8")


def problem(name: str, *, seed: int = 0, **size: int) -> str:
    """A problem file: the same one for the same arguments. size: see `sizes`. Its first line is the command that writes it.

    Raises InputError for a size that the domain does not have, or of which no problem can be made.
    """
    known = sizes(name)
    for word, number in size.items():
        if word not in known:
            raise InputError(f"the domain {name} has no size {word!r}; choose from: {', '.join(known)}")
        least = 0 if word in _MAY_BE_NONE else 1
        if number < least:
            raise InputError(f"the size {word} of the domain {name} is {number}; use an int >= {least}")
    given = [f"--{word} {number}" for word, number in (known | size).items()]
    try:
        text = _function(name)(seed=seed, **size)
    except (ValueError, IndexError, ZeroDivisionError):  # such as a choice from nothing
        raise InputError(
            f"the domain {name} has no problem with the sizes {' '.join(given)}: one of them is too small for the others"
        ) from None
    return f"; python -m bestfirst.planning.examples {' '.join([name, *given, f'--seed {seed}'])}\n{text}"


def write(name: str, directory: str | Path, *, seed: int = 0, **size: int) -> tuple[Path, Path]:
    """Write domain.pddl and problem.pddl into a directory, which is made if necessary; returns their paths.

    Raises InputError if that is impossible, and the errors of `problem`.
    """
    texts = {"domain.pddl": domain(name), "problem.pddl": problem(name, seed=seed, **size)}
    try:
        Path(directory).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the directory {directory} cannot be created: {error.strerror}") from None
    for file, text in texts.items():
        write_atomically(Path(directory) / file, text)
    return Path(directory) / "domain.pddl", Path(directory) / "problem.pddl"


def _function(name: str) -> Callable[..., str]:
    if name not in _PROBLEMS:
        raise UnknownNameError("planning domain", name, NAMES)
    return _PROBLEMS[name]


__all__ = ["NAMES", "domain", "problem", "sizes", "write"]
