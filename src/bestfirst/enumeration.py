"""enumerate_states: count the states that are reachable from the start, level by level."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from bestfirst.arguments import check_function, check_kind, check_path, suggesting
from bestfirst.domain import Domain
from bestfirst.enumerated import ANTIPODES, Enumeration
from bestfirst.errors import (
    InputError,
    NotCompilableError,
    UnknownNameError,
    fallback_warning,
    hashable_states,
    is_of_compiler,
    missing_package,
)
from bestfirst.lost_claims import why_not
from bestfirst.problem import Problem
from bestfirst.search.node import no_triple, no_triples
from bestfirst.search_plan import place_of_workers
from bestfirst.solution import Limits
from bestfirst.stated import checked_domain, checked_problem
from bestfirst.system.beside import Beside
from bestfirst.system.interrupt import CtrlC
from bestfirst.system.long_calls import StoppedInside, stopping, watched
from bestfirst.system.watch import MemoryGrowth, Watch

if TYPE_CHECKING:
    from bestfirst.compiled.sweeps.enumeration import Levels

_Result = TypeVar("_Result")
BETWEEN_LOOKS = 1000
"""Expansions between two checks of the limits; the clock and Ctrl-C are looked at before each, which may take long."""
HEAD_START_OVER = "head start"
HEAD_START = 20_000
"""States that the reference engine enumerates before the compiled one takes over, unless an engine was given."""


@suggesting
def enumerate_states(
    problem: Problem,
    *,
    limits: Limits | None = None,
    progress: Callable[[Enumeration], None] | None = None,
    engine: str | None = None,
    directory: str | Path | None = None,
    on: str | None = None,
    workers: int | None = None,
) -> Enumeration:
    """Enumerate the states reachable from a problem's start, breadth-first; goals are expanded like other states.

    Distances are numbers of actions, not costs. limits: on seconds and memory. progress: called with the Enumeration
    from time to time. engine: "python" or "compiled"; by default the compiled one takes over if the space is large.

    In the compiled engine a Domain with rank() and unrank() takes 2 bits for each of its `size` states, others about 20
    bytes for each reachable state.
    directory: keep the states in files in this directory, which must be empty, or that of an unfinished enumeration of the same
    problem; the enumeration then continues after the last finished level. The files take up to about 0.8 bytes for each of the
    `size` states; the `disk` of each Enumeration says how many bytes in all. limits.memory then bounds the arrays of the
    enumeration, by default 64 MiB; Python and the compiled code take about 90 MB more. A limit loses only the level that it
    interrupts.
    on: "local" or "ray": with a directory, the states are divided among worker processes of this machine, or of a Ray cluster
    (extra `ray`), whose machines must all share the directory. workers: their number, by default one for each processor; alone, it
    means on="local". limits.memory then bounds the arrays of all workers together. The result does not depend on them, and
    another call may continue with another number, or without workers.
    Source: Korf 2008 (enumeration on disk).
    Raises InputError for unknown engines, unsupported limits, and a directory that cannot be used, and ProblemError if the
    problem's code is at fault.
    """
    problem = checked_problem(problem)
    check_kind("limits", limits, Limits | None, "Limits(seconds=..., memory=...)")
    check_function("progress", progress, "the Enumeration")
    if engine not in (None, "python", "compiled"):
        raise UnknownNameError("engine", str(engine), ("python", "compiled"))
    limits = limits or Limits()
    if limits.depth is not None or limits.expansions is not None:
        raise InputError(f"limits is {limits}; an enumeration has limits on seconds and memory only; omit the others")
    if directory is not None:
        check_path("directory", directory)
        if engine == "python":
            raise InputError("the reference engine does not enumerate on disk; omit engine='python', or directory")
        engine = "compiled"
    on = place_of_workers(on, workers)
    if on is not None and directory is None:
        raise InputError("workers can share only an enumeration on disk; pass directory=, or omit on= and workers=")
    if engine == "python":
        return _enumerate(problem, limits, progress)
    started = perf_counter()
    deadline = None if limits.seconds is None else started + limits.seconds
    found = Enumeration(problem, "compiled" if engine == "compiled" else "python")
    try:
        files = None if directory is None else _Files(Path(directory), on, workers)
        return _by_either_engine(problem, limits, progress, engine, deadline, found, files)
    except _StoppedBefore as stop:
        found.limit = str(stop)
        found.seconds = perf_counter() - started
        return found


class _StoppedBefore(Exception):  # noqa: N818  (it is not an error: the argument says why it stopped)
    """The enumeration stopped while something was prepared."""


class _Files(NamedTuple):
    """Where the states of an enumeration on disk are. on, workers: the workers that share it; None: this process alone."""

    directory: Path
    on: str | None
    workers: int | None


def _by_either_engine(
    problem: Problem,
    limits: Limits,
    progress: Callable[[Enumeration], None] | None,
    engine: str | None,
    deadline: float | None,
    found: Enumeration,
    files: _Files | None,
) -> Enumeration:
    """Enumerate with the given engine, or with the compiled one if the space is large; found: filled in meanwhile.

    Raises _StoppedBefore if the time limit or Ctrl-C comes before the compiled engine is ready.
    """
    try:
        domain = _in_time(Beside(partial(checked_domain, problem)), deadline)
    except ImportError as error:
        if engine == "compiled" or not missing_package(error):
            raise
        domain = None
    if domain is None:
        if engine == "compiled":
            why = why_not(problem, "domain") or f"{type(problem).__name__} is not written as a Domain"
            raise NotCompilableError(f"{why}; omit {'engine=' + repr(engine) if files is None else 'directory'}")
        return _enumerate(problem, _left_of(limits, deadline), progress, found=found)
    making: list[Beside[Levels]] = []

    def is_ready(states: int) -> bool:
        """Whether the compiled engine can take over; with a time limit it is prepared in another thread."""
        if states <= HEAD_START:
            return False
        if not making:
            making.append(Beside(partial(_levels_of, problem, domain, limits, files)))
        return deadline is None or making[0].is_finished

    if engine is None:
        _enumerate(problem, _left_of(limits, deadline), progress, found=found, is_over=is_ready)
        if found.limit != HEAD_START_OVER:
            return found
    else:
        is_ready(HEAD_START + 1)
    try:
        levels = _in_time(making[0], deadline)
        from bestfirst.compiled.sweeps.enumeration import enumerate_compiled  # noqa: PLC0415  (it imports NumPy)

        left = _left_of(limits, deadline)
        return enumerate_compiled(problem, levels, left if files is None else replace(left, memory=None), progress)
    except Exception as error:
        if engine == "compiled" or not (isinstance(error, ImportError) or is_of_compiler(error, has_begun=True)):
            raise
        found = _enumerate(problem, _left_of(limits, deadline), progress)
        found.warnings.append(fallback_warning("enumeration", error))
        return found


def _levels_of(problem: Problem, domain: Domain, limits: Limits, files: _Files | None) -> Levels:
    memory = limits.memory if isinstance(limits.memory, int) else None
    if files is not None and files.on is not None:
        from bestfirst.distributed.shared_levels import shared_levels_of  # noqa: PLC0415  (it imports NumPy)

        return shared_levels_of(problem, domain, files.directory, memory, on=files.on, workers=files.workers)
    if files is not None:
        from bestfirst.compiled.sweeps.disk_enumeration import disk_levels_of  # noqa: PLC0415  (it imports NumPy)

        return disk_levels_of(domain, files.directory, memory)
    from bestfirst.compiled.sweeps.enumeration import levels_of  # noqa: PLC0415  (it imports NumPy)

    return levels_of(domain, limits)


def _in_time(work: Beside[_Result], deadline: float | None) -> _Result:
    """The result of some work; raises _StoppedBefore if it takes until the deadline, or until Ctrl-C."""
    try:
        if not work.wait(deadline):
            raise _StoppedBefore("seconds")
    except KeyboardInterrupt:
        raise _StoppedBefore("interrupted") from None
    return work.result()


def _left_of(limits: Limits, deadline: float | None) -> Limits:
    return limits if deadline is None else replace(limits, seconds=max(0.0, deadline - perf_counter()))


def _enumerate(
    problem: Problem,
    limits: Limits,
    progress: Callable[[Enumeration], None] | None,
    *,
    found: Enumeration | None = None,
    is_over: Callable[[int], bool] | None = None,
) -> Enumeration:
    """Enumerate in plain Python until is_over(number of states) is true. found: filled in."""
    found = Enumeration(problem, "python") if found is None else found
    started = perf_counter()
    growth = MemoryGrowth()
    if limits.memory is not None:
        growth.begin()
    level, met = [problem.initial], {problem.initial}
    expanded = 0
    ctrl_c = CtrlC()
    watch = Watch(limits.seconds, limits.memory, lambda: growth.bytes() or 0, ctrl_c)
    with ctrl_c, hashable_states(), stopping(watch.reached):
        while level and found.limit is None:
            found.antipodes = level[:ANTIPODES]
            following: list[Any] = []
            for state in level:
                if expanded % BETWEEN_LOOKS == 0 or watch.is_late() or ctrl_c.pressed:
                    found.seconds = perf_counter() - started
                    found.limit = watch.reached()
                    if found.limit is None and is_over is not None and is_over(len(met)):
                        found.limit = HEAD_START_OVER
                    if found.limit is not None:
                        break
                    if progress is not None:
                        try:
                            progress(found)
                        except KeyboardInterrupt:
                            if ctrl_c.pressed:
                                raise
                            ctrl_c.pressed = True
                expanded += 1
                try:
                    for child in _following(problem, state):
                        if child not in met:
                            met.add(child)
                            following.append(child)
                except StoppedInside as stop:
                    found.limit = stop.why
                    warnings.warn(str(stop), stacklevel=4)
                    break
            if following:
                found.levels.append(len(following))
            level = following
    if ctrl_c.pressed and found.limit is not None:
        found.limit = "interrupted"
    found.complete = found.limit is None
    found.seconds = perf_counter() - started
    return found


def _following(problem: Problem, state: Any) -> Iterator[Any]:
    """The successor states of a state."""
    successors = problem.successors(state)
    if not isinstance(successors, Iterable):
        raise no_triples(state, successors)
    for successor in watched(successors, state):
        try:
            _action, child, _cost = successor
        except (TypeError, ValueError):
            raise no_triple(state, successor) from None
        yield child
