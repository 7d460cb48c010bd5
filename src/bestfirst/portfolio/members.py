"""The members of a portfolio: as a user names them, and those that suit a problem if the user names none."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from bestfirst.algorithms import AlgorithmChoice
from bestfirst.errors import InputError, shown

LARGE = "large-neighbourhood-beam"
HEURISTIC = "heuristic"
_NOTATION = (
    'write an algorithm with its options, such as "anytime-weighted-astar --weight 3 --heuristic manhattan", an object such as '
    "bf.AnytimeWeightedAStar(weight=3), or a pair of one of these and a heuristic"
)
_LONG = {"-H": f"--{HEURISTIC}"}
_WORDS: Mapping[str, Any] = {"true": True, "false": False, "none": None}


@dataclass(frozen=True)
class Member:
    """A search: the name of its algorithm, its heuristic if it has one of its own, and its options."""

    algorithm: str
    heuristic: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, given: Any) -> Member:
        """A member as a user names it. Raises InputError for anything else."""
        if isinstance(given, str):
            return _from_text(given)
        if isinstance(given, AlgorithmChoice):
            return cls(given.name, None, given.options())
        if isinstance(given, Sequence) and len(given) == 2 and isinstance(given[0], str | AlgorithmChoice):
            member = cls.of(given[0])
            if member.heuristic is not None:
                raise InputError(f"the member {shown(given)} has two heuristics; omit one of them")
            return cls(member.algorithm, given[1], member.options)
        raise InputError(f"a member of the portfolio is {shown(given)}; {_NOTATION}")


def _from_text(text: str) -> Member:
    """A member in the notation of the command line: an algorithm, and options as the command has them."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InputError(f"the member {text!r} cannot be read ({error}); {_NOTATION}") from None
    if not words or words[0].startswith("-"):
        raise InputError(f"the member {text!r} does not begin with an algorithm; {_NOTATION}")
    options: dict[str, Any] = {}
    rest = words[1:]
    while rest:
        option = _LONG.get(rest[0], rest[0])
        del rest[0]
        if not option.startswith("--"):
            raise InputError(f"{option!r} in the member {text!r} is not an option; {_NOTATION}")
        name, is_given, value = option[2:].partition("=")
        if not is_given and rest and not rest[0].startswith("--"):
            is_given, value = "=", rest.pop(0)
        if name.startswith("no-") and not is_given:
            options[name[3:].replace("-", "_")] = False
        else:
            options[name.replace("-", "_")] = _value(value) if is_given else True
    heuristic = options.pop(HEURISTIC, None)
    if heuristic is True:
        raise InputError(f"the member {text!r} names no heuristic after --{HEURISTIC}; write its name there")
    return Member(words[0], None if heuristic is None else str(heuristic), options)


def _value(word: str) -> Any:
    """The value of an option: a number if it can be one."""
    if word.lower() in _WORDS:
        return _WORDS[word.lower()]
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


def candidates(*, has_heuristic: bool, has_own_engine: bool) -> Iterator[Member]:
    """An endless sequence of members for a problem, the most useful ones first. has_own_engine: whether it is a planning task.

    Those that come first were the best on several domains (benchmarks/portfolio.py --trial); the last differ in their random
    numbers.
    """
    if has_own_engine:
        yield Member("lazy-anytime", "ff")
        yield Member("astar")
        yield Member("lazy-anytime", "hadd")
        yield Member("lazy-anytime", "ff", {"weights": (2, 1), "preferred": False})
    heuristic = None if has_heuristic else "zero"
    yield Member("anytime-beam", heuristic)
    yield Member("limited-discrepancy")
    yield Member(LARGE, heuristic)
    if has_heuristic:
        yield Member("anytime-weighted-astar", None, {"weight": 5.0})
        yield Member("depth-first-branch-and-bound", None, {"memo": True})
        yield Member("anytime-weighted-astar", None, {"weight": 1.5})
    else:
        yield Member("uniform-cost")
        yield Member("depth-first-branch-and-bound", None, {"memo": True})
    for seed in count(1):
        yield Member(LARGE, heuristic, {"seed": seed})
