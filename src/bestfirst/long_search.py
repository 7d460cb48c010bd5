"""The heuristic that a search goes on with where the usual one has not soon led to the end."""

from __future__ import annotations

from dataclasses import replace

from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.interrupt import CtrlC
from bestfirst.patterns.policy import ProgressLine, current_policy, database_policy
from bestfirst.patterns.progress import Progress
from bestfirst.problem import Problem


def long_search_heuristic(problem: Problem, *, may_build: bool) -> Heuristic:
    """The problem's long_search_heuristic, for which databases may be built if that is allowed, by the policy too.

    Raises InputError where it cannot be had, and KeyboardInterrupt where Ctrl-C was pressed meanwhile; what was built of a database
    until then is kept.
    """
    assert problem.long_search_heuristic is not None
    policy = current_policy()
    line = ProgressLine("building pattern databases")
    with CtrlC() as ctrl_c:  # it must not hit code that knows nothing of it, such as an import

        def look(progress: Progress) -> None:
            (policy.progress or line)(progress)
            if ctrl_c.pressed:
                raise KeyboardInterrupt

        try:
            with database_policy(replace(policy, may_build=policy.may_build and may_build, progress=look)):
                found = find_heuristic(problem, problem.long_search_heuristic)
        finally:
            line.close()
        if ctrl_c.pressed:
            raise KeyboardInterrupt
    return found
