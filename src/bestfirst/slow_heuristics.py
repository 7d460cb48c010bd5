"""Heuristics that take time to find or build, under a time limit and Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.heuristics.naming import find_heuristic, is_method
from bestfirst.problem import Problem
from bestfirst.system.beside import Beside
from bestfirst.system.interrupt import CtrlC

if TYPE_CHECKING:
    from bestfirst.patterns.building.progress import Progress


def long_search_heuristic(problem: Problem, name: str, memory: int | str | None = None) -> Heuristic:
    """The heuristic with a name; its databases are built if the policy allows it. memory: the limit of a build.

    Raises InputError if it is not available, and KeyboardInterrupt on Ctrl-C; finished parts of a build are kept.
    """
    from bestfirst.patterns.policy import ProgressLine, current_policy, database_policy  # noqa: PLC0415  (it imports NumPy)

    policy = current_policy()
    line = ProgressLine("building pattern databases")
    with CtrlC() as ctrl_c:  # an interrupt must not hit code that cannot handle it, such as an import

        def look(progress: Progress) -> None:
            (policy.progress or line)(progress)
            if ctrl_c.pressed:
                raise KeyboardInterrupt

        try:
            with database_policy(replace(policy, memory=policy.memory or memory, progress=look)):
                found = find_heuristic(problem, name)
        finally:
            line.close()
    if ctrl_c.pressed:
        raise KeyboardInterrupt
    return found


def found_in_time(
    find: Callable[[], Heuristic | None], problem: Problem, wanted: object, seconds: float
) -> Heuristic | None:
    """The heuristic that find() returns, for a search with this time limit; wanted: the given heuristic.

    Raises InputError if its pattern databases take longer to build. Finished parts of a build are kept.
    """
    name = problem.default_heuristic if wanted is None else wanted
    if not isinstance(name, str) or is_method(problem, name):
        return find()
    deadline = perf_counter() + seconds
    finding: Beside[Heuristic | None] = Beside(partial(_until, deadline, find))
    if not finding.wait(deadline):
        raise _too_late(name, seconds)
    try:
        return finding.result()
    except _Late:
        raise _too_late(name, seconds) from None


class _Late(BaseException):
    """A time limit stopped the building of a database."""


def _until(deadline: float, find: Callable[[], Any]) -> Any:
    """The result of find(); building stops at the deadline, as perf_counter() counts."""
    from bestfirst.patterns.policy import current_policy, database_policy  # noqa: PLC0415  (it imports NumPy)

    policy = current_policy()

    def look(progress: Progress) -> None:
        if policy.progress is not None:
            policy.progress(progress)
        if perf_counter() >= deadline:
            raise _Late

    with database_policy(replace(policy, progress=look)):
        return find()


def _too_late(name: str, seconds: float) -> InputError:
    return InputError(
        f"heuristic {name!r} was not ready within the limit of {seconds:g} s, because its pattern databases are not built yet; "
        "build them first, with 'bestfirst pdb build', or search once without the limit (finished parts are kept)"
    )
