"""Lessons on the page: their texts, what their runs compute, and whether what they state is right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bestfirst.domains import DOMAINS
from bestfirst.errors import BestfirstError, InputError
from bestfirst.lessons import Lesson, Part, Prose, Question, Run, Table
from bestfirst.lessons.expressions import evaluate, same, shown
from bestfirst.lessons.parts import Computed
from bestfirst.lessons.rendering import html_of
from bestfirst.studio.own import lesson_of
from bestfirst.studio.worker import Request, Tell


def lesson(request: Request, tell: Tell) -> None:
    """Tell the parts of a lesson, before anything is computed."""
    found = lesson_of(request)
    tell({"title": found.title, "summary": found.summary, "parts": [_described(part) for part in found.parts]})


def _described(part: Part) -> dict[str, Any]:
    about: dict[str, Any] = {"kind": part.kind, "needs": sorted(part.needs())}
    match part:
        case Prose():
            about |= {"html": part.html()}
        case Question():
            about |= {"ask": html_of(part.ask), "choices": part.choices, "explain": html_of(part.explain)}
        case Table():
            about |= {"rows": [title for title, _ in part.rows], "columns": [title for title, _ in part.columns]}
        case Computed():
            about |= {"name": part.name, "title": part.title, "slow": part.is_slow, "about": _subject(part.given)}
            about["form"] = _form(part.given) if part.given.get("problem") in DOMAINS else None
    return about


def _subject(given: Mapping[str, Any]) -> str:
    """What a block computes, in a few words."""
    subject = str(given.get("problem") or given.get("game"))
    how = [given[key] for key in ("algorithm", "settings") if key in given]
    if "heuristic" in given:
        how.append(f"with {given['heuristic']}")
    return f"{subject.rpartition(':')[2]}{': ' if how else ''}{' '.join(map(str, how))}"


def _form(given: Mapping[str, Any]) -> dict[str, Any]:
    """What a block computes, as the fields of the search page."""
    form = {key: given.get(key, "") for key in ("problem", "instance", "algorithm", "heuristic")}
    return {**form, "options": given.get("options", {}), "choices": given.get("choices", {})}


def teach(request: Request, tell: Tell) -> None:
    """Compute the parts of a lesson, the slow ones only if the request's `slow` names them, and tell what depends on them."""
    found = lesson_of(request)
    wanted = {str(name) for name in request.get("slow") or ()}
    values: dict[str, Any] = {}
    told: set[int] = set()
    for place, part in enumerate(found.parts):
        if isinstance(part, Computed) and (not part.is_slow or part.name in wanted):
            tell({"begins": place})
            try:
                result = part.run(progress=lambda doing, place=place: tell({"doing": doing, "part": place}))  # type: ignore[misc]
            except BestfirstError as error:
                tell({"part": place, "error": f"{found.file}:{part.line}: {error}"})
                continue
            values[part.name] = result.values
            figures = [[name, shown(value)] for name, value in _figures(part, result.values)]
            watched = result.recording is not None
            tell({"part": place, "computed": {"figures": figures, "texts": result.texts, "watched": watched}})
            _tell_known(found, values, told, tell)
    _tell_known(found, values, told, tell)


FIGURES = ("cost", "expanded", "generated", "reopened", "value", "move", "nodes", "visited", "left_out", "edges")
"""The values shown below a run, as far as it has them."""


def _figures(part: Computed, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    if part.kind == "measure":
        return ((name, value) for name, value in values.items() if isinstance(value, int | float))
    names = ("states", *FIGURES) if part.kind == "audit" else FIGURES
    known = ((name, values.get(name)) for name in names)
    return (
        (name.replace("_", " "), value) for name, value in known if value is not None and (name, value) != ("reopened", 0)
    )


def _tell_known(lesson: Lesson, values: Mapping[str, Any], told: set[int], tell: Tell) -> None:
    """Tell what has become known about each part: whether its statements are right, its cells, its answer."""
    for place, part in enumerate(lesson.parts):
        if place in told or not part.needs() <= set(values):
            continue
        told.add(place)
        known: dict[str, Any] = {"stated": [_judged(text, expression, values) for _, text, expression in part.stated()]}
        try:
            if isinstance(part, Table):
                known["cells"] = part.cells(values)
            if isinstance(part, Question):
                known |= {"right": part.right(values), "value": evaluate(part.answer, values)}
        except BestfirstError as error:
            known["error"] = f"{lesson.file}:{part.line}: {error}"
        tell({"part": place, "known": known})


def _judged(text: str, expression: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """What a text states, and what was computed in its place; null if it is right."""
    about = {"text": text, "expression": expression}
    try:
        computed = evaluate(expression, values)
    except BestfirstError as error:
        return {**about, "instead": str(error)}
    return {**about, "instead": None if same(text, computed) else shown(computed)}


def watch(request: Request, tell: Tell) -> None:
    """Tell the recording of a run of a lesson."""
    name = str(request.get("name", ""))
    for part in lesson_of(request).parts:
        if isinstance(part, Run) and part.name == name:
            recording = part.run().recording
            if recording is None:
                raise InputError("there is nothing to watch: the search ended before its first step")
            tell({"recording": recording})
            return
    raise InputError(f"the lesson has no run {name!r}; reload the page")
