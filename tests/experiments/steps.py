"""A problem whose runs misbehave on request, for tests of the processes that run experiments."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator

import bestfirst as bf


class Steps(bf.Problem[int, str]):
    """Count down from a number to 0. how: what goes wrong."""

    unit_cost = True

    def __init__(self, number: int, how: str = "well") -> None:
        self.initial = number
        self.how = how

    def is_goal(self, state: int) -> bool:
        if self.how == "late":
            time.sleep(60)
        return state == 0

    def successors(self, state: int) -> Iterator[tuple[str, int, int]]:
        match self.how:
            case "crash":
                os.kill(os.getpid(), signal.SIGKILL)
            case "fork" if state == self.initial:
                os.fork()  # the copy goes on
            case "hang":
                time.sleep(60)
            case "raise":
                raise ValueError("this cannot be")
            case "leak":
                self.kept = [bytearray(10_000_000) for _ in range(50)]
                time.sleep(60)
            case "print":
                sys.stdout.write('{"ended": {"status": "solved"}}\n')
            case "slow":
                time.sleep(0.05)
        yield "down", state - 1, 1
