"""The budget: a limit on the expansions of all members together. Each member has a share of it, and keeps to it by itself."""

from __future__ import annotations

from collections.abc import Collection


class Budget:
    """Expansions for members. total: the limit; None: no limit."""

    def __init__(self, total: int | None) -> None:
        self.total = total
        self._free = total or 0
        self._given: dict[int, int] = {}  # to members that search, and the expansions of each of them before
        self._before: dict[int, int] = {}
        self._waiting: set[int] = set()

    def spend(self, expansions: int) -> None:
        """Subtract expansions that no member made."""
        self._free = max(0, self._free - expansions)

    def begin(self, members: Collection[int]) -> dict[int, int | None]:
        """The first share of each member."""
        self._waiting = set(members)
        self._before = dict.fromkeys(members, 0)
        return self.shares(members)

    def began_again(self, member: int) -> None:
        """A member counts its expansions from 0 again."""
        self._before[member] = 0

    def shares(self, members: Collection[int]) -> dict[int, int | None]:
        """New shares for members that wait."""
        waiting = sorted(self._waiting & set(members))
        if self.total is None:
            self._waiting -= set(waiting)
            return dict.fromkeys(waiting)
        if not waiting or not self._free:
            return {}
        each, rest = divmod(self._free, len(waiting))
        shares: dict[int, int | None] = {}
        for place, member in enumerate(waiting):
            share = each + (place < rest)
            if share:
                shares[member] = self._given[member] = share
                self._waiting.discard(member)
        self._free = 0
        return shares

    def ended(self, member: int, expanded: int) -> None:
        """A member waits for more. expanded: all its expansions; what it has not used of its share is free again."""
        share = self._given.pop(member, 0)
        self._free += max(0, share - (expanded - self._before.get(member, 0)))
        self._before[member] = expanded
        self._waiting.add(member)

    def is_waiting(self, member: int) -> bool:
        """Whether a member waits for more."""
        return member in self._waiting

    def is_used_up(self, members: Collection[int]) -> bool:
        """Whether all members wait, and nothing is free."""
        return self.total is not None and not self._free and not self._given.keys() & set(members)
