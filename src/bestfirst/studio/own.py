"""The user's own files: what they define for the page. No other file is run, whatever a request names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bestfirst import lessons
from bestfirst.errors import BestfirstError, UnknownNameError
from bestfirst.makers import Kind, Maker, candidates, included_in, maker_named
from bestfirst.own_errors import own_errors
from bestfirst.own_files import load_file, load_module
from bestfirst.studio.catalogue import heading
from bestfirst.studio.worker import Request, Tell
from bestfirst.text_instances import TYPED
from bestfirst.text_parameters import NO_DEFAULT, TextParameter


def own(request: Request, tell: Tell) -> None:
    """Tell the problems, games and lessons of the files named when the studio was started, and the errors of the others."""
    problems: list[dict[str, Any]] = []
    games: list[dict[str, Any]] = []
    taught: list[dict[str, Any]] = []
    errors: list[str] = []
    for given in request["own"]:
        try:
            if given.endswith(".md"):
                taught.append(heading(lessons.read(given), given))
                continue
            with own_errors():
                for name, maker in _makers(given):
                    (games if maker.kind is Kind.GAME else problems).append(_entry(name, maker))
        except BestfirstError as error:
            errors.append(str(error))
    tell({"problems": problems, "games": games, "lessons": taught, "errors": errors})


def maker_of(name: str, kind: Kind, request: Mapping[str, Any]) -> Maker:
    """The maker of a problem or a game of the package, or of a file that was named when the studio was started.

    Raises UnknownNameError for any other name.
    """
    included: Iterable[str] = TYPED if kind is Kind.PROBLEM else included_in(kind)  # the instances of others are files
    if name not in included and not any(_is_of(name, given) for given in request.get("own") or ()):
        raise UnknownNameError(f"{kind} of the studio", name, included)
    return maker_named(name, kind)


def lesson_of(request: Mapping[str, Any]) -> lessons.Lesson:
    """The lesson of a request: one of the package, or a file that was named when the studio was started."""
    name = str(request.get("lesson", ""))
    if name.endswith(".md") and name in (request.get("own") or ()):
        return lessons.read(name)
    shipped = {lesson.name: lesson for lesson in lessons.all()}
    if name not in shipped:
        raise UnknownNameError("lesson", name, shipped)
    return shipped[name]


def _is_of(name: str, given: str) -> bool:
    """Whether a name stands for a class in what was given: a file, a module, or the class itself."""
    place, _, attribute = name.rpartition(":")
    return name == given or (place == given and attribute.isidentifier())


def _makers(given: str) -> Iterator[tuple[str, Maker]]:
    """The names of what is given, such as my.py:Tour, each with its maker."""
    if ":" in given:
        yield given, maker_named(given)
        return
    module = load_file(given) if given.endswith(".py") or Path(given).is_file() else load_module(given)
    for name in candidates(module):
        yield f"{given}:{name}", maker_named(f"{given}:{name}")


def _entry(name: str, maker: Maker) -> dict[str, Any]:
    """A problem or a game as the page lists it. The fields are those of catalogue.py."""
    doc = (maker.of.__doc__ or "").strip().partition("\n")[0]
    reads_text = maker.kind is Kind.PROBLEM and maker.reads_text
    return {
        "name": name,
        "summary": doc,
        "hint": "as from_text reads it" if reads_text else "",
        "takes_instance": reads_text,
        "long": False,
        "options": [_option(parameter) for parameter in maker.options.values()],
        "sizes": [],
        "examples": [{"name": "the default", "instance": "", "options": {}}],
    }


def _option(parameter: TextParameter) -> dict[str, Any]:
    usual = "" if parameter.default in (NO_DEFAULT, None) else _written(parameter.default)
    return {"name": parameter.name, "needed": parameter.is_needed, "hint": parameter.form.wants, "usual": usual}


def _written(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
