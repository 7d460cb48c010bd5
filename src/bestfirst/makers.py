"""Makers: each makes a problem or a game from text, and has a name in the package, as an entry point, or in a user's file.

sliding-tile              included in bestfirst
tours                     an entry point in the group bestfirst.domains, or bestfirst.games
my.py:Tour, my.py         a class, or an object, of a file; if there is only one, its name can be left out
package.module:Tour       a class, or an object, of an importable module; likewise
"""

from __future__ import annotations

import inspect
import os
import re
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from bestfirst.cached import cached_property
from bestfirst.domains import DOMAINS
from bestfirst.errors import InputError, UnknownNameError, shown
from bestfirst.games.adapters import ADAPTERS
from bestfirst.games.game import Game
from bestfirst.games.rules import GAMES
from bestfirst.late_classes import LateClasses
from bestfirst.models import MODELS
from bestfirst.own_errors import own_errors
from bestfirst.own_files import load_file, load_module
from bestfirst.patterns.abstract_domain import AbstractDomain
from bestfirst.problem import Problem
from bestfirst.text_parameters import TextParameter, text_parameters

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from bestfirst.solution import Limits

Given: TypeAlias = Mapping[str, Any]
"""The text of each option by name; a list of texts for one that is given several times."""
PLAYABLE: dict[str, type[Game]] = {**GAMES, **ADAPTERS}
"""All games and adapters by name."""
TASKS = LateClasses({"pddl": "bestfirst.planning.pddl:PddlTask"})
"""Planning tasks, by the language that states them."""
PROBLEMS: Mapping[str, type[Problem]] = ChainMap(TASKS, MODELS, DOMAINS)  # type: ignore[arg-type]  # only read; DOMAINS come first
"""All domains, models and kinds of tasks by name; a model is imported when it is looked up."""


class Kind(StrEnum):
    """What a maker makes."""

    PROBLEM = "problem"
    GAME = "game"


_BASES: Mapping[Kind, type[Problem] | type[Game]] = {Kind.PROBLEM: Problem, Kind.GAME: Game}
_BOTH = (Problem, Game)
_NAMED: Mapping[Kind, str] = {Kind.PROBLEM: "domain", Kind.GAME: "game"}
"""What the error for an unknown name calls it."""
_GROUPS: Mapping[Kind, str] = {Kind.PROBLEM: "bestfirst.domains", Kind.GAME: "bestfirst.games"}
_COMMANDS: Mapping[Kind, str] = {
    Kind.PROBLEM: "solve, compare, audit, enumerate, check and pdb build",
    Kind.GAME: "analyse, play, match, engine, perft, compare-games and check",
}


@dataclass(frozen=True)
class Maker:
    """Makes objects of a class from text.

    name: the name of the class as messages show it. of: the class, or an object that is ready. is_own: whether it comes from
    neither bestfirst nor an adapter.
    """

    name: str
    of: Any
    is_own: bool = False

    @property
    def kind(self) -> Kind:
        return Kind.GAME if _is_a(self.of, Game) else Kind.PROBLEM

    @property
    def short_name(self) -> str:
        """The name of the class with hyphens, such as knights-tour."""
        kind = self.of if isinstance(self.of, type) else type(self.of)
        if isinstance(self.of, type) and not isinstance(inspect.getattr_static(kind, "name"), classmethod | staticmethod):
            raise InputError(f"{kind.__name__}.name is not a class method; decorate it with @classmethod")
        return str(self.of.name())

    @property
    def reads_text(self) -> bool:
        """Whether the class itself reads the text of an instance."""
        return self._method == "from_text"

    @cached_property
    def _method(self) -> str:
        """What makes an object: the class method for the command line, unless __init__ was replaced after it."""
        if not isinstance(self.of, type):
            return ""
        wanted = "from_options" if self.kind is Kind.GAME else "from_text"
        owners = [kind for kind in self.of.__mro__ if {wanted, "__init__"} & set(vars(kind))]
        is_made_by_it = owners and wanted in vars(owners[0]) and owners[0] is not Game
        return wanted if is_made_by_it else "__init__"

    @cached_property
    def parameters(self) -> Mapping[str, TextParameter]:
        """All parameters by name. Raises InputError for one that is needed and cannot be given as text."""
        if not self._method or (self._method == "__init__" and self.of.__init__ is object.__init__):
            return {}
        function, is_method = getattr(self.of, self._method), self._method == "__init__"
        if not is_method and not isinstance(inspect.getattr_static(self.of, self._method), classmethod | staticmethod):
            raise InputError(f"{self.of.__name__}.{self._method} is not a class method; decorate it with @classmethod")
        return text_parameters(function, self.of.__name__, skipped=1 if is_method else 0, reads_text=not is_method)

    @cached_property
    def instance(self) -> TextParameter | None:
        """The parameter that the argument INSTANCE gives: the first one of a problem that is not keyword-only."""
        if self.kind is Kind.GAME or not self.parameters:
            return None
        first = next(iter(self.parameters.values()))
        kind = inspect.signature(getattr(self.of, self._method)).parameters[first.name].kind
        return None if kind is inspect.Parameter.KEYWORD_ONLY else first

    @cached_property
    def options(self) -> Mapping[str, TextParameter]:
        """The parameters that are given by name."""
        hidden = self.instance.name if self.instance is not None and self.reads_text else None
        return {name: one for name, one in self.parameters.items() if name != hidden}

    @property
    def takes_limits(self) -> bool:
        """Whether reading an instance is long work, to which the limits of a command apply."""
        if not self._method:
            return False
        return "limits" in inspect.signature(getattr(self.of, self._method)).parameters and "limits" not in self.parameters

    def instances(self, words: Sequence[str]) -> list[str]:
        """The texts of the instances that the words of a command line give; one text may need several words."""
        kind = self.of if isinstance(self.of, type) else type(self.of)
        with own_errors(self.of):
            return kind.instances_of(words) if issubclass(kind, Problem) else [*words]

    def make(self, instance: str | None, given: Given, limits: Limits | None = None) -> Any:
        """An object of the class. instance: the text of INSTANCE; given: the texts of the options; limits: see takes_limits.

        Raises InputError for a text that is of the wrong form, missing or not taken; OwnFileError if the class's code fails.
        """
        for name in given:
            if name not in self.options:
                listed = ", ".join(flag(other, is_own=self.is_own) for other in self.options) or "no options"
                raise InputError(f"{self.name} does not take {flag(name)}; it takes {listed}")
        texts = dict(given)
        if instance is not None:
            texts = self._with_instance(instance, texts)
        for name, parameter in self.parameters.items():
            if parameter.is_needed and name not in texts:
                raise InputError(self._missing(parameter))
        values = {name: self.parameters[name].read(text) for name, text in texts.items()}
        if limits is not None and self.takes_limits:
            values["limits"] = limits
        if not isinstance(self.of, type):
            return self.of
        with own_errors(self.of):
            left_open = getattr(self.of, "__abstractmethods__", ())
            if left_open:
                raise InputError(
                    f"{self.name} is an abstract class; name a subclass that defines {', '.join(sorted(left_open))}"
                )
            made = self._call(values)
        if not isinstance(made, _BASES[self.kind]):
            raise InputError(
                f"{self.of.__name__}.{self._method} returns {made!r}; return an instance of the class, such as cls(...)"
            )
        return made

    def _with_instance(self, instance: str, texts: dict[str, Any]) -> dict[str, Any]:
        if self.instance is None:
            takes = ", ".join(flag(name, is_own=self.is_own) for name in self.options) or "no options"
            raise InputError(f"{self.name} takes no instance, but {shown(instance)} is given; it takes {takes}")
        if self.instance.name in texts:
            name = self.instance.name
            raise InputError(
                f"{name} of {self.name} is given twice: {shown(instance)} and {shown(texts[name])}; omit one of them"
            )
        return {self.instance.name: instance, **texts}

    def _missing(self, parameter: TextParameter) -> str:
        if parameter != self.instance:
            return f"{self.name} needs {flag(parameter.name, is_own=self.is_own)}"
        if self.reads_text:
            return f"{self.name} needs an instance; write it after the name, in quotes"
        return f"{self.name} needs {parameter.name}, {parameter.form.wants}; write it after the name"

    def _call(self, values: Mapping[str, Any]) -> Any:
        call = self.of if self._method == "__init__" else getattr(self.of, self._method)
        if not self.parameters:
            return call()
        kinds = inspect.signature(getattr(self.of, self._method)).parameters
        first = [name for name in values if kinds[name].kind is inspect.Parameter.POSITIONAL_ONLY]
        named = {name: value for name, value in values.items() if name not in first}
        return call(*(values[name] for name in first), **named)


def maker_named(given: str, kind: Kind | None = None) -> Maker:
    """The maker with the name that a user gives; see the module docstring. A name of the package comes first.

    kind: None for both. Raises InputError, UnknownNameError with close matches, and OwnFileError if the user's code fails.
    """
    kinds = list(Kind) if kind is None else [kind]
    key = given.lower().replace("_", "-")
    for each in kinds:
        included: Mapping[str, Any] = included_in(each)
        if key in included:
            return Maker(key, included[key])
    if is_own_name(given):
        with own_errors():
            return _own(given, kind)
    for each in kinds:
        found = brought(each).get(given)
        if found is not None:
            return _checked(Maker(given, _loaded(found), is_own=True), given, kind)
    known = [name for each in kinds for name in (*included_in(each), *brought(each))]
    raise UnknownNameError(" or ".join(_NAMED[each] for each in kinds), given, known)


def included_in(kind: Kind) -> Mapping[str, type[Problem]] | Mapping[str, type[Game]]:
    """The problems or games of the package, by name."""
    return PROBLEMS if kind is Kind.PROBLEM else PLAYABLE


def brought(kind: Kind) -> dict[str, EntryPoint]:
    """The entry points of installed packages by name; none of them is imported."""
    from importlib.metadata import entry_points  # noqa: PLC0415  (it takes long to import)

    found = sorted(entry_points(group=_GROUPS[kind]), key=lambda entry: entry.name)
    return {entry.name: entry for entry in found if entry.name not in included_in(kind)}


def origin(entry: EntryPoint) -> str:
    """The package that declares an entry point, with its version, such as "tours 1.2"."""
    package = entry.dist
    return entry.value if package is None else f"{package.name} {package.version}"


def is_brought_or_own(given: str, kind: Kind | None = None) -> bool:
    """Whether a name stands for a class outside this package; a file or a module need not exist."""
    kinds = list(Kind) if kind is None else [kind]
    if any(given.lower().replace("_", "-") in included_in(each) for each in kinds):
        return False
    return is_own_name(given) or any(given in brought(each) for each in kinds)


def is_own_name(given: str) -> bool:
    """Whether a name stands for a file or a module, rather than for a registered class."""
    return ":" in given or given.endswith(".py") or os.sep in given or re.fullmatch(r"\w+(\.\w+)+", given) is not None


def flag(option: str, *, is_own: bool = False) -> str:
    """The command-line spelling of an option."""
    included = {} if is_own else {"start": "--from", "goal": "--goal (or --to)"}
    return included.get(option, f"--{option.strip('_').replace('_', '-')}")


def candidates(module: ModuleType) -> dict[str, Any]:
    """The classes of problems and games that a module defines, or else their objects, by name; not those with a leading _."""
    own = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    classes = {
        name: value
        for name, value in own.items()
        if isinstance(value, type) and issubclass(value, _BOTH) and not issubclass(value, AbstractDomain)
        if f"{value.__module__}.".startswith(f"{module.__name__}.")
    }
    return classes or {name: value for name, value in own.items() if isinstance(value, _BOTH)}


def _own(given: str, kind: Kind | None) -> Maker:
    place, name = _split(given)
    is_file = place.endswith(".py") or os.sep in place or Path(place).is_file()
    module = load_file(place) if is_file else load_module(place)
    there = candidates(module)
    if not name:
        name = _only(place, there, kind)
    of = _attribute(module, name, place, there)
    return _checked(Maker(name, of, is_own=True), given, kind)


def _split(given: str) -> tuple[str, str]:
    """The file or module, and the name in it; the path of a file may contain a colon."""
    of_file = re.fullmatch(r"(.*?\.py)(?::(.*))?", given, re.DOTALL)
    place, _, name = given.partition(":") if of_file is None else (of_file[1], "", of_file[2] or "")
    return place, name


def place_of(given: str) -> str:
    """The file or the module in the name of a user's class."""
    return _split(given)[0]


def _only(place: str, there: Mapping[str, Any], kind: Kind | None) -> str:
    """The name of the only candidate, if there is just one of this kind."""
    fitting = [name for name, one in there.items() if kind is None or _is_a(one, _BASES[kind])] or list(there)
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        raise InputError(f"{place} defines no Problem, Domain or Game; define one, or name another file")
    raise InputError(f"{place} defines {', '.join(fitting)}; name one of them, such as {place}:{fitting[0]}")


def _attribute(module: ModuleType, name: str, place: str, there: Iterable[str]) -> Any:
    try:
        return reduce(getattr, name.split("."), module)
    except AttributeError:
        raise UnknownNameError(f"class of {place}", name, there) from None


def _checked(maker: Maker, given: str, kind: Kind | None) -> Maker:
    if not _is_a(maker.of, _BOTH):
        raise InputError(f"{given} is {maker.of!r}; name a subclass of Problem, Domain or Game")
    if kind is not None and maker.kind is not kind:
        raise InputError(
            f"{given} is a {maker.kind}, but this command takes a {kind}; the commands for a {maker.kind} are "
            f"{_COMMANDS[maker.kind]}"
        )
    return maker


def _is_a(one: Any, base: Any) -> bool:
    return issubclass(one, base) if isinstance(one, type) else isinstance(one, base)


def _loaded(entry: EntryPoint) -> Any:
    return _attribute(load_module(entry.module), entry.attr, entry.module, ())
