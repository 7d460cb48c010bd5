"""A team of a portfolio in this process: its members search one after the other, so that counts are the same each time."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

from bestfirst.batches.parcels import packed, unpacked, unpacked_with_code
from bestfirst.portfolio.member_search import MemberSearch
from bestfirst.portfolio.messages import Go, Message, Order, Stop
from bestfirst.portfolio.team import Team


class InTurnTeam(Team):
    """Whoever has waited longest with an order to search does so until it has ended or used up its expansions."""

    def __init__(self) -> None:
        self.searches: dict[int, MemberSearch] = {}
        self.told: dict[int, list[Order]] = {}
        self._messages: list[tuple[int, Message]] = []
        self._waiting: list[int] = []

    def start(self, beginnings: Sequence[tuple[int, bytes]]) -> None:
        for member, beginning in beginnings:
            charge: Any = unpacked_with_code(pickle.loads(beginning)[1])
            self.told[member] = []
            self.searches[member] = MemberSearch(charge, lambda said, member=member: self._messages.append((member, said)))  # type: ignore[misc]

    def tell(self, member: int, order: Order) -> None:
        self.told[member].append(order)
        if isinstance(order, Stop):
            return
        if isinstance(order, Go):
            self._waiting.append(member)
        self.searches[member].hear(unpacked(packed(order)))

    def events(self, seconds: float) -> list[tuple[int, Message]]:
        del seconds
        if self._waiting and not self._messages:
            self.searches[self._waiting.pop(0)].carry_out()
        messages, self._messages = self._messages, []
        return messages[:1] if len(messages) == 1 else [*messages]

    def end(self, member: int) -> None:
        del self.searches[member]

    def close(self) -> None:
        self.searches.clear()
