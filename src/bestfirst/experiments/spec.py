"""Specs: from a TOML or Python file to the list of runs of an experiment."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

from bestfirst.errors import BestfirstError, InputError, LimitError, UnknownNameError, shown
from bestfirst.experiments.document import Document, Table, read_document
from bestfirst.experiments.instances import Instance, Problems, problems_of
from bestfirst.experiments.task import GAME, SEARCH, Task
from bestfirst.games.playing.specification import settings_from
from bestfirst.makers import Kind
from bestfirst.search import Algorithm, algorithm_named
from bestfirst.search_plan import ENGINES
from bestfirst.solution import LIMITS, Limits

MOST_RUNS = 1_000_000
"""Of an experiment: more would fill the memory before the first one."""
SUFFIXES = (".toml", ".py")
"""Of the files of specs."""


@dataclass(frozen=True)
class Configuration:
    """An algorithm with its options, heuristic and engine; or, for games, the settings of a search. of: the problems it is for.

    place: where it is written.
    """

    name: str
    algorithm: str | None = None
    heuristic: str | None = None
    engine: str | None = None
    choices: Mapping[str, Any] | None = None
    settings: str | None = None
    of: Sequence[str] | None = None
    place: str = ""


Places: TypeAlias = Mapping[tuple[str, int | None], str]
"""Where instances are written, by the problem and the number, and configurations, by the name and None."""


@dataclass(frozen=True)
class Spec:
    """An experiment. by_cost: whether the report has a table by the cost of the solution. baseline: the configuration that others
    are compared with."""

    name: str
    title: str
    about: str
    tasks: Sequence[Task]
    places: Places
    by_cost: bool = False
    baseline: str | None = None

    @property
    def in_words(self) -> dict[str, Any]:
        """What the report needs of the spec, as JSON values."""
        return {
            "name": self.name,
            "title": self.title,
            "about": self.about,
            "by_cost": self.by_cost,
            "baseline": self.baseline,
        }


def shipped() -> dict[str, Path]:
    """The specs that come with the package, by name."""
    found = Path(str(files("bestfirst.experiments") / "specs"))
    return {path.stem: path for path in sorted(found.iterdir()) if path.suffix in SUFFIXES}


def spec_file(given: str | Path) -> Path:
    """The file of a spec: a path, or the name of one that comes with the package. Raises InputError if there is none."""
    path = Path(given)
    if path.suffix in SUFFIXES:
        try:
            is_there = path.is_file()
        except OSError as wrong:  # such as a directory that this user may not enter
            raise InputError(f"the spec {str(path)!r} cannot be reached: {wrong.strerror or wrong}") from None
        if path.is_dir():
            raise InputError(f"the spec {str(path)!r} is a directory; write the path of a file in it")
        if not is_there:
            raise InputError(f"there is no file {str(path)!r}; write the path of a spec, or one of {', '.join(shipped())}")
        return path
    if str(given) not in shipped():
        if os.path.exists(path):  # noqa: PTH110  (Path.exists raises an error for a name that is too long)
            what = "a directory" if path.is_dir() else "not a spec"
            raise InputError(f"{str(path)!r} is {what}; a spec is a file whose name ends in {' or '.join(SUFFIXES)}")
        error = UnknownNameError("experiment", str(given), shipped())
        raise InputError(f"{error} (or write the path of a spec, such as mine.toml)")
    return shipped()[str(given)]


def read_spec(given: str | Path | Mapping[str, Any]) -> Spec:
    """The spec of a file, of a name of shipped(), or of a dict. Raises InputError that names the line or key of a mistake."""
    if isinstance(given, Mapping):
        return _spec(Document(given, None))
    return _spec(read_document(spec_file(given)))


def _spec(document: Document) -> Spec:
    root = document.root
    name = root.text("name", "a short name") or ("experiment" if document.path is None else document.path.stem)
    title, about = root.text("title", "a title"), root.text("about", "a sentence or two")
    repetitions = root.whole("repetitions", 1, "a whole number of at least 1", most=MOST_RUNS) or 1
    seeds = root.several("seeds", int, "a list of ints, such as [0, 1, 2]") or [0]
    fresh = root.flag("fresh_process")
    preparation = _positive(root, "preparation_seconds")
    limits = _limits(root, {})
    problems = [problems_of(table, Kind.PROBLEM) for table in root.tables("problems", "tables [[problems]]")]
    games = [problems_of(table, Kind.GAME) for table in root.tables("games", "tables [[games]]")]
    known = [one.name for one in (*problems, *games)]
    _check_names("problems", [(one.name, one.table.place()) for one in (*problems, *games)])
    searches = [
        one for table in root.tables("configurations", "tables [[configurations]]") for one in _searches(table, known)
    ]
    techniques = [one for table in root.tables("techniques", "tables [[techniques]]") for one in _techniques(table, known)]
    report = root.table("report", "a table with by_cost or baseline")
    root.done("a spec")
    for what, of, have, lack in (
        ("problems", problems, searches, "configurations"),
        ("games", games, techniques, "techniques"),
    ):
        if bool(of) != bool(have):
            root.fail(
                None, f"there are {what if of else lack} but no {lack if of else what}; add [[{lack if of else what}]]"
            )
    if not known:
        root.fail(None, "there are no problems; add [[problems]] and [[configurations]], or [[games]] and [[techniques]]")
    places: dict[tuple[str, int | None], str] = {(one.name, None): one.place for one in (*searches, *techniques)}
    _check_names("configurations", [(one.name, one.place) for one in (*searches, *techniques)])
    by_cost, baseline = (False, None) if report is None else _report(report, [*searches, *techniques])
    common = Task(SEARCH, "", "", "", None, "", 0, limits=limits, preparation=preparation, fresh=fresh)
    once = [
        task
        for kind, of, have in ((SEARCH, problems, searches), (GAME, games, techniques))
        for one in of
        for task in _tasks(replace(common, kind=kind, limits=_limits(one.table, limits)), one, have, seeds)
    ]
    if repetitions * len(once) > MOST_RUNS:
        root.fail(
            "repetitions" if repetitions > 1 else None,
            f"these are {repetitions * len(once):,} runs; use at most {MOST_RUNS:,}",
        )
    tasks = [replace(task, repetition=repetition) for repetition in range(1, repetitions + 1) for task in once]
    for one in (*problems, *games):
        one.table.done("a problem")
        places.update({(one.name, number): instance.place for number, instance in enumerate(one.instances, 1)})
    for task in tasks:
        if task.kind == GAME and "depth" in task.limits:
            root.fail("limits", "depth is not a limit of a game; write depth = ... in [[games]] instead")
    return Spec(name, title or name, about or "", tasks, places, by_cost, baseline)


def _tasks(common: Task, problems: Problems, have: Sequence[Configuration], seeds: Sequence[int]) -> Iterator[Task]:
    for number, instance in enumerate(problems.instances, 1):
        for one in have:
            if one.of is None or problems.name in one.of:
                yield from _runs(common, problems, number, instance, one, seeds)


def _runs(
    common: Task, problems: Problems, number: int, instance: Instance, one: Configuration, seeds: Sequence[int]
) -> Iterator[Task]:
    task = replace(
        common,
        problem=problems.name,
        configuration=one.name,
        maker=problems.maker,
        code=problems.code,
        instance=instance.text,
        name=instance.name,
        number=number,
        options={**problems.options, **instance.options},
        published=instance.published,
        algorithm=one.algorithm,
        heuristic=one.heuristic,
        engine=one.engine,
        choices=one.choices or {},
        settings=one.settings,
        depth=problems.depth,
    )
    takes_seed = one.algorithm is not None and "seed" in algorithm_named(one.algorithm).options
    yield from (replace(task, seed=seed) for seed in seeds) if takes_seed else [task]


def _searches(table: Table, known: Sequence[str]) -> list[Configuration]:
    """The configurations of a table: one for each combination of its heuristics, engines and listed options."""
    try:
        algorithm = algorithm_named(table.need("algorithm", str, "the name of an algorithm, such as astar"))
    except UnknownNameError as error:
        table.fail("algorithm", str(error))
    heuristics = _one_or_more(table, "heuristic", "heuristics")
    if heuristics and algorithm.heuristic == "none":
        table.fail(None, f"{algorithm.name} takes no heuristic; omit it")
    engines = _engines(table)
    options = _options_of(table, algorithm)
    name, of = table.text("name", "a name for the report"), _of(table, known)
    table.done("a configuration")
    found = []
    some_heuristic: list[str | None] = [*heuristics] or [None]
    some_engine: list[str | None] = [*engines] or [None]
    for heuristic, engine, values in product(some_heuristic, some_engine, product(*options.values())):
        choices = dict(zip(options, values, strict=True))
        varied = [str(heuristic)] if len(heuristics) > 1 or (name is None and heuristic) else []
        varied += [f"{key}={value}" for key, value in choices.items() if name is None or len(options[key]) > 1]
        varied += [str(engine)] if len(engines) > 1 else []
        found.append(
            Configuration(
                ", ".join([name or algorithm.name, *varied]),
                algorithm.name,
                heuristic,
                engine,
                choices,
                of=of,
                place=table.place(),
            )
        )
    return found


def _options_of(table: Table, algorithm: Algorithm) -> dict[str, list[Any]]:
    """The values of each option of the algorithm; a list means one configuration for each."""
    given = table.table("options", "a table of the options of the algorithm, such as {weight = 2}")
    options = {} if given is None else {key: value if isinstance(value, list) else [value] for key, value in given.items()}
    for key, values in options.items():
        if not values:
            table.fail("options", f"{key} is an empty list; write at least one value")
        for value in values:
            if not _is_plain(value):
                table.fail(
                    "options", f"{key} is {shown(value)}; write a string, a number, true or false, or a list of these"
                )
    try:
        own = {key: values for key, values in options.items() if key != "threads"}
        algorithm.check_options({key: values[0] for key, values in own.items()}, ("threads",))
        for choice in product(*own.values()):
            algorithm.check_values(dict(zip(own, choice, strict=True)))
    except InputError as error:
        table.fail("options" if options else None, str(error))
    if "seed" in options:
        table.fail("options", "seed is an option here; write seeds = [0, 1, 2] at the top of the spec instead")
    return options


def _is_plain(value: Any) -> bool:
    """Whether a value can be noted in the ledger; a number of NumPy cannot."""
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return value is None or type(value) in (str, int, float, bool)


def _techniques(table: Table, known: Sequence[str]) -> list[Configuration]:
    settings = table.need("settings", str, "the settings of a game search, such as 'plain,method=alpha-beta'")
    try:
        settings_from(settings)
    except InputError as error:
        table.fail("settings", str(error))
    engines = _engines(table)
    name, of = table.text("name", "a name for the report") or settings, _of(table, known)
    table.done("a technique")
    some: list[str | None] = [*engines] or [None]
    return [
        Configuration(
            f"{name}, {engine}" if len(some) > 1 else name, engine=engine, settings=settings, of=of, place=table.place()
        )
        for engine in some
    ]


def _one_or_more(table: Table, one: str, more: str) -> list[str]:
    """The names under one key or the other."""
    if one in table and more in table:
        table.fail(more, f"{one} and {more} are both given; write one of them")
    single = table.text(one, "a name")
    return [single] if single is not None else table.several(more, str, "a list of names, such as ['a', 'b']") or []


def _engines(table: Table) -> list[str]:
    engines = _one_or_more(table, "engine", "engines")
    for engine in engines:
        if engine not in ENGINES:
            table.fail("engine" if "engine" in table else "engines", str(UnknownNameError("engine", engine, ENGINES)))
    return engines


def _of(table: Table, known: Sequence[str]) -> list[str] | None:
    names = table.several("problems", str, "a list of names of problems of this spec")
    for name in names or []:
        if name not in known:
            table.fail("problems", str(UnknownNameError("problem", name, known)))
    return names


def _limits(table: Table, outer: Mapping[str, Any]) -> dict[str, Any]:
    """The limits of a table, with those around it that it does not replace."""
    inner = table.table("limits", "a table of limits, such as {seconds = 60}")
    if inner is None:
        return dict(outer)
    given = dict(inner.items())
    for key, value in given.items():
        if key not in LIMITS:
            inner.fail(key, str(UnknownNameError("limit", key, LIMITS)))
        try:
            Limits(**{key: value})
        except InputError as error:
            inner.fail(key, str(error))
    return {**outer, **given}


def _positive(table: Table, key: str) -> float | None:
    value = table.take(key, int | float, "a number of seconds")  # type: ignore[arg-type]
    if value is not None and not value > 0:
        table.fail(key, f"{key} is {value}; write a number greater than 0")
    return value


def _check_names(what: str, given: Sequence[tuple[str, str]]) -> None:
    """Raise InputError, at the second one, if two have the same name. given: names, with where they are."""
    times = Counter(name for name, _ in given)
    seen = set()
    for name, place in given:
        if name in seen:
            raise InputError(f"{place}: {times[name]} {what} are called {shown(name)}; give each its own name: name = ...")
        seen.add(name)


def _report(table: Table, configurations: Sequence[Configuration]) -> tuple[bool, str | None]:
    names = [one.name for one in configurations]
    by_cost, baseline = table.flag("by_cost"), table.text("baseline", "the name of a configuration")
    if baseline is not None and baseline not in names:
        table.fail("baseline", str(UnknownNameError("configuration", baseline, names)))
    table.done("the report")
    return by_cost, baseline


def check_tasks(tasks: Sequence[Task], places: Places) -> None:
    """Make all problems, and the plan of one task of each configuration, so that a mistake is found before hours of work.

    places: of the spec. Raises InputError that names the place, the problem and the configuration.
    """
    from bestfirst.experiments.making import check_search, made  # noqa: PLC0415

    seen: set[tuple[str, str]] = set()
    problems: dict[tuple[str, int], Any] = {}
    for task in tasks:
        where = f"{places[task.problem, task.number]}: problem {task.problem}, instance {task.number}"
        try:
            if (task.problem, task.number) not in problems:
                problems.clear()  # they come instance by instance; all at once may be too large
                problems[task.problem, task.number] = made(task)
            if (task.problem, task.configuration) not in seen:
                seen.add((task.problem, task.configuration))
                where = f"{places[task.configuration, None]}: problem {task.problem}, configuration {task.configuration}"
                check_search(task, problems[task.problem, task.number])
        except LimitError:
            continue  # the run will record it
        except BestfirstError as error:
            raise InputError(f"{where}: {error}") from None
    _check_different(tasks, places)


def _check_different(tasks: Sequence[Task], places: Places) -> None:
    known: dict[str, Task] = {}
    for task in tasks:
        other = known.setdefault(task.digest, task)
        if other is not task:
            raise InputError(
                f"{places[task.configuration, None]}: {other.configuration} on {other.problem} {other.number} and "
                f"{task.configuration} on {task.problem} {task.number} are the same run; omit one of them"
            )
