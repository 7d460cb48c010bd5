"""The parameters of a function as text: what a command line, or a form, can ask for, by annotations and defaults."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from bestfirst.errors import InputError, shown

NO_DEFAULT = inspect.Parameter.empty
MOST_DIGITS = 4_000
"""Of an int in a text: Python reads no more."""
_MANY: Mapping[Any, Callable[[Iterable[Any]], Any]] = {
    tuple: tuple,
    list: list,
    set: set,
    frozenset: frozenset,
    Sequence: tuple,
    Iterable: tuple,
    Collection: tuple,
}
"""How the values of several words are held."""


@dataclass(frozen=True)
class Form:
    """How values are written. placeholder: for a help text; wants: for an error; read: raises ValueError for other texts.

    choices: all texts, if there are few.
    """

    placeholder: str
    wants: str
    read: Callable[[str], Any]
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class TextParameter:
    """A parameter that is given as text. of: the class that it belongs to, for errors. default: NO_DEFAULT if it is needed.

    takes_several: whether it may be given several times, since its type allows a list of texts in place of a text.
    """

    name: str
    of: str
    form: Form
    default: Any = NO_DEFAULT
    takes_several: bool = False

    @property
    def is_needed(self) -> bool:
        return self.default is NO_DEFAULT

    def read(self, text: str | Sequence[str]) -> Any:
        """The value that a text stands for, or the list of values of several texts; raises InputError for a text of another form,
        and for several if it takes one."""
        if not isinstance(text, str):
            if not self.takes_several:
                listed = ", ".join(map(repr, text))
                raise InputError(f"{self.of} takes one {self.name}, but {len(text)} are given: {listed}; pass one")
            return [self.read(one) for one in text]
        try:
            return self.form.read(text)
        except (ValueError, OverflowError):
            raise InputError(f"{self.name} of {self.of} is {text!r}; use {self.form.wants}") from None


def text_parameters(
    function: Callable[..., Any], of: str, *, skipped: int = 0, reads_text: bool = False
) -> dict[str, TextParameter]:
    """The parameters of a function that can be given as text, by name.

    of: the class that they belong to, for errors. skipped: the number of the first parameters to leave out, such as self.
    reads_text: whether the function expects a text for a parameter without annotation and default.
    A parameter without an annotation has the type of its default. Parameters with a default are left out if no text can give
    them, or if their names begin with _.
    Raises InputError for one that no text can give and that has no default.
    """
    found = {}
    for parameter in [*inspect.signature(function).parameters.values()][skipped:]:
        is_private = parameter.name.startswith("_") and parameter.default is not NO_DEFAULT
        if is_private or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        form = _form_of(parameter, function) or (_SIMPLE[str] if reads_text and _says_nothing(parameter) else None)
        if form is not None:
            several = _takes_several(parameter, function)
            found[parameter.name] = TextParameter(parameter.name, of, form, parameter.default, several)
        elif parameter.default is NO_DEFAULT:
            raise InputError(_unwritable(parameter, function, of))
    return found


def _says_nothing(parameter: inspect.Parameter) -> bool:
    return parameter.annotation is parameter.empty


def _takes_several(parameter: inspect.Parameter, function: Callable[..., Any]) -> bool:
    parts = get_args(_plain(_annotation(parameter, function)))
    return str in parts and list[str] in parts


def _form_of(parameter: inspect.Parameter, function: Callable[..., Any]) -> Form | None:
    if parameter.annotation is parameter.empty:
        has_type = parameter.default is not NO_DEFAULT and parameter.default is not None
        return form_of(_type_of(parameter.default)) if has_type else None
    annotation = _annotation(parameter, function)
    return None if annotation is parameter.empty else form_of(annotation)


def _annotation(parameter: inspect.Parameter, function: Callable[..., Any]) -> Any:
    """The type that a parameter declares; empty if it is unknown."""
    annotation = parameter.annotation
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, *_names_of(function))
    except Exception:  # such as a name that is imported for type checkers only
        return parameter.empty


def _type_of(default: Any) -> Any:
    """The type of a default; for several values, with the type of these."""
    kind = type(default)
    if kind not in _MANY or not default:
        return kind
    kinds = [type(value) for value in default]
    if len(set(kinds)) == 1:
        return kind[kinds[0], ...] if kind is tuple else kind[kinds[0]]
    return tuple[tuple(kinds)] if kind is tuple else kind  # type: ignore[misc]


def _names_of(function: Callable[..., Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The names that annotations may use: those of the module, and of the class of a method."""
    plain: Any = inspect.unwrap(getattr(function, "__func__", function))
    place: Any = sys.modules.get(getattr(plain, "__module__", None) or "")
    for name in getattr(plain, "__qualname__", "").split(".")[:-1]:
        place = getattr(place, name, None)
    return getattr(plain, "__globals__", {}), dict(vars(place)) if isinstance(place, type) else {}


def form_of(annotation: Any) -> Form | None:
    """How values of a type are written; None if there is no such form."""
    annotation = _plain(annotation)
    if isinstance(annotation, Hashable) and annotation in _SIMPLE:
        return _SIMPLE[annotation]
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _one_of({written: one for one in annotation if (written := written_member(one))})
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return _one_of({str(part): part for part in parts})
    if origin in (Union, types.UnionType):
        return _any_of([form for form in map(form_of, parts) if form is not None])
    if origin in _MANY:
        return _several(_MANY[origin], parts, is_counted=origin is tuple and Ellipsis not in parts)
    return None


def _plain(annotation: Any) -> Any:
    """A type without the aliases and annotations around it."""
    while True:
        if get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
        elif hasattr(annotation, "__supertype__"):  # NewType
            annotation = annotation.__supertype__
        elif type(annotation).__name__ == "TypeAliasType":  # from Python 3.12
            annotation = annotation.__value__
        else:
            return annotation


def _truth(text: str) -> bool:
    if text.lower() not in ("yes", "no"):
        raise ValueError
    return text.lower() == "yes"


_SIMPLE: Mapping[Any, Form] = {
    int: Form("INTEGER", "a whole number", int),
    float: Form("NUMBER", "a number", float),
    str: Form("TEXT", "a string", str),
    bool: Form("yes|no", "yes or no", _truth, ("yes", "no")),
    Path: Form("PATH", "the path of a file", Path),
}


def written_member(one: Enum) -> str:
    """The word for a member of an Enum: its name in lower case, unless names differ only by case."""
    word = _word(one.name)
    return word if [_word(other.name) for other in type(one)].count(word) == 1 else one.name


def _word(name: str) -> str:
    return name.lower().replace("_", "-")


def _one_of(values: Mapping[str, Any]) -> Form:
    words = [_word(text) for text in values]
    by_word = {_word(text): value for text, value in values.items() if words.count(_word(text)) == 1}

    def read(text: str) -> Any:
        if text not in values and _word(text) not in by_word:
            raise ValueError
        return values[text] if text in values else by_word[_word(text)]

    return Form("|".join(values), f"one of {', '.join(values)}", read, tuple(values))


def _any_of(forms: Sequence[Form]) -> Form | None:
    """The first of several forms that fits a text."""
    if len(forms) < 2:
        return forms[0] if forms else None

    def read(text: str) -> Any:
        for form in forms:
            try:
                return form.read(text)
            except ValueError:
                continue
        raise ValueError

    placeholder = "|".join(dict.fromkeys(form.placeholder for form in forms))
    return Form(placeholder, " or ".join(dict.fromkeys(form.wants for form in forms)), read)


def _several(hold: Callable[[Iterable[Any]], Any], parts: Sequence[Any], *, is_counted: bool) -> Form | None:
    """Values separated by blanks or commas: as many as there are types, or any number of one type."""
    kinds = [_plain(part) for part in parts if part is not Ellipsis]
    if not kinds or not all(isinstance(kind, type) and kind in _SIMPLE for kind in kinds):
        return None
    forms = [_SIMPLE[kind] for kind in kinds]

    def read(text: str) -> Any:
        words = text.replace(",", " ").split()
        if is_counted and len(words) != len(forms):
            raise ValueError
        return hold((forms[place] if is_counted else forms[0]).read(word) for place, word in enumerate(words))

    if is_counted:
        return Form(" ".join(form.placeholder for form in forms), ", ".join(form.wants for form in forms), read)
    return Form(f"{forms[0].placeholder} ...", f"{forms[0].wants}, or several separated by spaces or commas", read)


def _unwritable(parameter: inspect.Parameter, function: Callable[..., Any], of: str) -> str:
    code = getattr(inspect.unwrap(getattr(function, "__func__", function)), "__code__", None)
    where = "" if code is None else f" ({Path(code.co_filename).name}:{code.co_firstlineno})"
    name, annotation = parameter.name, parameter.annotation
    if annotation is parameter.empty:
        return f"parameter {name} of {of} has no annotation{where}; add one, such as {name}: int"
    shown = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return (
        f"parameter {name} of {of} has the type {shown}, which cannot be given as text{where}; use int, float, str, bool, Path, "
        "Literal, an Enum, or a tuple or list of numbers or strings; or define from_text"
    )


def as_exact_number(text: str) -> int | float:
    """The number in a text; an int if it is whole, which a float of more than 2**53 would round. Raises ValueError."""
    digits = text.strip()
    try:
        return int(digits) if digits.lstrip("+-").isdecimal() and len(digits) <= MOST_DIGITS else float(digits)
    except ValueError:
        raise ValueError(f"{shown(text)} is not a number") from None
