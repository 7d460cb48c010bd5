"""Heuristics that take time to make: found, or built, while Ctrl-C and a limit on seconds are watched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.problem import Problem
from bestfirst.system.beside import Beside
from bestfirst.system.interrupt import CtrlC

if TYPE_CHECKING:
    from bestfirst.patterns.building.progress import Progress


def long_search_heuristic(problem: Problem, name: str, memory: int | str | None = None) -> Heuristic:
    """The heuristic of a name, for which databases may be built if the policy allows it. memory: that a build may take.

    Raises InputError where it cannot be had, and KeyboardInterrupt where Ctrl-C was pressed meanwhile; what was built of a database
    until then is kept.
    """
    from bestfirst.patterns.policy import ProgressLine, current_policy, database_policy  # noqa: PLC0415  (it imports NumPy)

    policy = current_policy()
    line = ProgressLine("building pattern databases")
    with CtrlC() as ctrl_c:  # it must not hit code that knows nothing of it, such as an import

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
    """The heuristic that find() gives, for a search that has so many seconds; wanted: what was asked for.

    Raises InputError where pattern databases would have to be built for it that take longer. What was built of them is kept.
    """
    name = problem.default_heuristic if wanted is None else wanted
    if not isinstance(name, str) or name in problem.heuristics():  # nothing is built for these
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
    """The building of a database was stopped by a limit on seconds."""


def _until(deadline: float, find: Callable[[], Any]) -> Any:
    """What find() gives, where no database is built on after a moment of perf_counter()."""
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
        f"heuristic {name!r} was not ready within the limit of {seconds:g} s, as its pattern databases are not built yet; build "
        "them first, with 'bestfirst pdb build', or search once without the limit (what was built is kept)"
    )
