"""All code of a long search by IDA* is compiled before the clock starts.

The faster kernel for a control field is otherwise compiled only during a search of more than a second: what a benchmark
measures would depend on the searches before it, in this process and in others.
"""

from __future__ import annotations

from typing import Any

import bestfirst as bf
from bestfirst.compiled.drivers.faster_kernel import FEWEST_EXPANSIONS


def warm_up(problem: bf.Problem[Any, Any], heuristic: str, threads: int = 1) -> None:
    """Compile the code for all problems with the same goal, and expand enough nodes for short searches to use it, too.

    problem: one that takes at least FEWEST_EXPANSIONS expansions.
    """
    search = bf.Search(problem, "idastar", heuristic, engine="compiled", threads=threads)
    search.run(bf.Limits(expansions=FEWEST_EXPANSIONS))
    search.run(bf.Limits(expansions=1))  # until then, the last expansions are not counted
    driver: Any = search._stages.attempt.driver
    driver.use_fastest_kernel()
