"""A batch on a Ray cluster (extra `ray`): an actor on each processor, which supervises one worker process of its machine.

So a task that ignores its limits or ends its process is found out there, as in a local batch. If an actor ends, because its
node does or somebody kills it, its tasks are done again by others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Any

from bestfirst.batches.local import beginning_of
from bestfirst.batches.process import Chunk, Ended, Event, Lost
from bestfirst.batches.supervisor import CodeShelf, Supervisor
from bestfirst.batches.work import Failure, Work
from bestfirst.compiled.compiler.cache import cache_directory
from bestfirst.errors import BestfirstError, kind_and_text
from bestfirst.system.ray_cluster import Connection, ConnectionEndedError, first_line, holding_off_ctrl_c, imported

MOST_TRIES = 3
"""How often a task is begun if the actor that does it ends each time."""
MOST_FALSE_STARTS = 3
"""Actors in a row that may end before they have begun."""
SECONDS_OF_A_LOOK = 1.0
"""After so long, a batch that waits looks whether it is still connected."""
SECONDS_TO_START = 120.0
"""Until the first actor must have begun: a cluster that grows on demand takes its time."""


class RayTeam:
    """An actor for each worker; by default as many as the cluster has processors.

    It uses the connection of this program, if there is one. Otherwise it makes one (see ray_cluster.py), which ends with
    the batch.
    Raises InputError if Ray is not installed, or the work cannot be sent.
    """

    def __init__(self, work: Work, workers: int | None) -> None:
        self._ray = imported()
        self._hands: list[_Hand] = []
        self._shelves: list[Any] = []
        beginning = beginning_of(work, 1, asks_for_code=True)
        self._connection = Connection(self._ray)
        try:
            self.size = workers or max(1, int(self._ray.cluster_resources().get("CPU", 1)))
            self._beginning = self._ray.put(beginning)
            self._work = work
            self._actor = self._ray.remote(Supervisor).options(num_cpus=1, max_restarts=0, max_concurrency=2)
            from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415

            here = NodeAffinitySchedulingStrategy(self._ray.get_runtime_context().get_node_id(), soft=True)
            shelf = self._ray.remote(CodeShelf).options(num_cpus=0, scheduling_strategy=here)
            self._shelves.append(shelf.remote(str(cache_directory())))
            self._tries: Counter[int] = Counter()
            self._false_starts = 0
            for _ in range(self.size):
                self._hire()
        except BaseException:
            self.close()
            raise

    def _hire(self) -> None:
        actor = self._actor.remote(self._beginning, self._work.seconds, self._work.memory, self._shelves[0])
        self._hands.append(_Hand(actor, actor.begin.remote()))

    def takes(self, _length: int) -> bool:
        """Whether an actor has nothing to do."""
        return any(hand.is_idle for hand in self._hands)

    def give(self, chunk: Chunk) -> None:
        """Give a chunk to an idle actor."""
        with self._connection.used():
            next(hand for hand in self._hands if hand.is_idle).give(chunk)

    def wait(self, seconds: float | None) -> list[Event]:
        """What happens next, within some seconds; None waits for ever."""
        with self._connection.used():
            return self._events(seconds)

    def _events(self, seconds: float | None) -> list[Event]:
        calls = {hand.call: hand for hand in self._hands if hand.call is not None}
        if not calls:
            return []
        if not any(hand.has_begun for hand in self._hands):
            seconds = SECONDS_TO_START
        ready = self._ready(list(calls), seconds)
        if not ready and not any(hand.has_begun for hand in self._hands):
            raise BestfirstError(
                f"no worker has started on the Ray cluster within {SECONDS_TO_START:g} s; free one of its processors, or add one"
            )
        return [event for call in ready for event in self._said(calls[call])]

    def _ready(self, calls: list[Any], seconds: float | None) -> list[Any]:
        """The calls that have ended, after waiting for some seconds until one does."""
        deadline = inf if seconds is None else monotonic() + seconds
        while True:
            ready: list[Any] = self._ray.wait(calls, num_returns=len(calls), timeout=0)[0]
            left = deadline - monotonic()
            if ready or left <= 0 or self._connection.has_ended:
                return ready
            self._ray.wait(calls, num_returns=1, timeout=min(left, SECONDS_OF_A_LOOK))

    def _said(self, hand: _Hand) -> list[Event]:
        try:
            said = self._ray.get(hand.call)
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause
            raise (
                cause
                if isinstance(cause, BestfirstError)
                else BestfirstError(f"a worker on the Ray cluster failed: {kind_and_text(cause)}")
            ) from None
        except self._ray.exceptions.RayError as error:  # the actor has ended
            return self._ended(hand, error)
        if not hand.has_begun:
            hand.has_begun, hand.call = True, None
            self._false_starts = 0
            return []
        events: list[Event] = said
        hand.note(events)
        return events

    def _ended(self, hand: _Hand, error: Exception) -> list[Event]:
        """Another actor takes the place of one that has ended; its tasks are lost, or fail if that has happened too often."""
        if self._connection.has_ended:
            raise ConnectionEndedError
        self._hands.remove(hand)
        if not hand.has_begun:
            self._false_starts += 1
            if self._false_starts >= MOST_FALSE_STARTS:
                raise BestfirstError(f"the workers on the Ray cluster failed to start: {error}")
        self._hire()
        self._tries.update(hand.left)
        often = {number for number in hand.left if self._tries[number] >= MOST_TRIES}
        failure = Failure(f"the Ray actor that ran it ended {MOST_TRIES} times: {first_line(error)}")
        return [*(Ended(number, failure) for number in sorted(often)), Lost(sorted(hand.left - often))]

    @property
    def has_idle(self) -> bool:
        """Never: the actors give back by themselves what waits behind a task that takes long."""
        return False

    def recall(self) -> list[int]:
        """Nothing; see has_idle."""
        return []

    @property
    def is_idle(self) -> bool:
        """Whether no actor has tasks, while one is ready for them."""
        return self.takes(0) and not any(hand.left for hand in self._hands)

    def interrupt(self) -> None:
        """Ask all tasks in hand to end with the results so far."""
        with self._connection.used():
            for hand in self._hands:
                if hand.left:
                    hand.actor.interrupt.remote()

    def close(self) -> None:
        """End the actors; their processes notice. End the connection if it is this batch's own."""
        if self._connection.has_ended:  # and the actors with it; a call of Ray would start another cluster
            return
        with holding_off_ctrl_c():
            for actor in (*(hand.actor for hand in self._hands), *self._shelves):
                with suppress(Exception):
                    self._ray.kill(actor)
            if self._connection.is_ours:
                self._ray.shutdown()


class _Hand:
    """An actor, the call that it is executing, and the numbers of its tasks."""

    def __init__(self, actor: Any, call: Any) -> None:
        self.actor, self.call = actor, call
        self.has_begun = False
        self.left: set[int] = set()

    @property
    def is_idle(self) -> bool:
        """Whether it can be given a chunk."""
        return self.has_begun and self.call is None

    def give(self, chunk: Chunk) -> None:
        """Do a chunk."""
        self.left = set(chunk.numbers)
        self.call = self.actor.do.remote(chunk)

    def note(self, events: Sequence[Event]) -> None:
        """Go on with the tasks that are not among these."""
        for event in events:
            self.left -= {event.number} if isinstance(event, Ended) else set(event.numbers)
        self.call = self.actor.do.remote(None) if self.left else None
