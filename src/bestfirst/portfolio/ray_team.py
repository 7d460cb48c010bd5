"""Workers that are actors of a Ray cluster (extra `ray`): the members of a portfolio search on several machines."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from queue import Empty, SimpleQueue
from threading import Event
from time import sleep
from typing import Any

from bestfirst.batches.parcels import packed, unpacked, unpacked_with_code
from bestfirst.portfolio.messages import Lost, Message, Order, sendable, unreadable
from bestfirst.portfolio.team import Team
from bestfirst.system.copies import Original
from bestfirst.system.ray_cluster import Connection, ConnectionEndedError, ended_of, first_line, imported

SECONDS_TO_WAIT = 1.0
"""How long an actor waits for its member to tell something, before it answers that there is nothing."""


class RayMember:
    """What an actor does; see worker.py for a process. Its methods run in threads, so that it hears orders while it searches."""

    def __init__(self) -> None:
        self._told: SimpleQueue[bytes] = SimpleQueue()
        self._is_made = Event()
        self._search: Any = None
        self._original = Original()

    def run(self, beginning: bytes) -> None:
        """Search until the member is told to stop."""
        try:
            circumstances, parcel = pickle.loads(beginning)
            circumstances.take_on()
            member_search = import_module("bestfirst.portfolio.member_search")
            self._search = member_search.MemberSearch(unpacked_with_code(parcel), self._tell)
        except Exception as error:
            self._tell(unreadable(error))
            return
        self._is_made.set()
        self._search.run()

    def _tell(self, message: Message) -> None:
        self._original.end_copy()
        self._told.put(sendable(message))

    def hear(self, order: bytes) -> None:
        """Take an order."""
        self._is_made.wait()
        self._search.hear(unpacked(order))

    def told(self) -> list[bytes]:
        """What the member has told since the last call, perhaps nothing."""
        messages = []
        with suppress(Empty):
            messages.append(self._told.get(timeout=SECONDS_TO_WAIT))
            while True:
                messages.append(self._told.get_nowait())
        return messages


@dataclass
class RayTeam(Team):
    """An actor with one processor for each member.

    They are on the cluster that ray_cluster.py connects to; one that it starts ends with this process. Members for which the
    cluster has no processor begin when it has. Raises ConnectionEndedError if this program ends the connection meanwhile.
    """

    _actors: dict[int, Any] = field(default_factory=dict)
    _calls: dict[Any, int] = field(default_factory=dict)
    _connected: Connection | None = None

    def __post_init__(self) -> None:
        self._ray = imported()

    def start(self, beginnings: Sequence[tuple[int, bytes]]) -> None:
        if self._connected is None:
            self._connected = Connection(self._ray)
        # a thread each for run(), told() and hear()
        kind = self._ray.remote(RayMember).options(num_cpus=1, max_concurrency=3, max_restarts=0)
        with self._connection.used():
            for member, beginning in beginnings:
                actor = self._actors[member] = kind.remote()
                actor.run.remote(beginning)
                self._listen(member)

    @property
    def _connection(self) -> Connection:
        assert self._connected is not None
        return self._connected

    def _listen(self, member: int) -> None:
        self._calls[self._actors[member].told.remote()] = member

    def tell(self, member: int, order: Order) -> None:
        if member in self._actors:
            with self._connection.used():
                self._actors[member].hear.remote(packed(order))

    def events(self, seconds: float) -> list[tuple[int, Message]]:
        if not self._calls:
            sleep(seconds)
            return []
        with self._connection.used():
            return [event for call in ended_of(self._ray, list(self._calls), seconds) for event in self._events(call)]

    def _events(self, call: Any) -> list[tuple[int, Message]]:
        member = self._calls.pop(call)
        try:
            parcels = self._ray.get(call)
        except self._ray.exceptions.RayError as error:  # the actor, or its machine, has ended
            if self._connection.has_ended:
                raise ConnectionEndedError from error
            self._actors.pop(member, None)
            return [(member, Lost(f"with its Ray actor: {first_line(error)}"))]
        self._listen(member)
        return [(member, unpacked(parcel)) for parcel in parcels]

    def end(self, member: int) -> None:
        actor = self._actors.pop(member, None)
        self._calls = {call: other for call, other in self._calls.items() if other != member}
        if actor is not None and not self._connection.has_ended:
            with suppress(Exception):  # the cluster may be gone
                self._ray.kill(actor)

    def close(self) -> None:
        for member in list(self._actors):
            self.end(member)
