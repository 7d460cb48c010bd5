"""A search by pyperplan, which grounds the task itself.

    python pyperplan_search.py DOMAIN.pddl PROBLEM.pddl blind

Prints a JSON object: the length of the plan, the nodes expanded (the goal included), and the seconds of processor time of the
search alone.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from time import process_time
from typing import Any

from pyperplan import planner, search
from pyperplan.heuristics import blind, lm_cut, relaxation

SEARCHES: dict[str, tuple[Any, Any]] = {
    "blind": (search.astar_search, blind.BlindHeuristic),
    "hmax": (search.astar_search, relaxation.hMaxHeuristic),
    "lmcut": (search.astar_search, lm_cut.LmCutHeuristic),
    "ff": (search.greedy_best_first_search, relaxation.hFFHeuristic),
}


class Messages(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


def main() -> None:
    domain, problem, name = sys.argv[1:]
    messages = Messages()
    logging.basicConfig(level=logging.INFO, handlers=[messages])
    task = planner._ground(planner._parse(domain, problem))
    run, heuristic = SEARCHES[name]
    evaluator = heuristic(task)
    started = process_time()
    plan = run(task, evaluator)
    seconds = process_time() - started
    [expanded] = [found[1] for text in messages.texts if (found := re.fullmatch(r"(\d+) Nodes expanded", text))]
    print(json.dumps({"cost": len(plan), "expanded": int(expanded), "seconds": seconds}))


if __name__ == "__main__":
    main()
