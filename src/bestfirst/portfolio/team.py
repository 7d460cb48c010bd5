"""The team: what a portfolio sees of the workers of its members, wherever they run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from bestfirst.portfolio.messages import Message, Order


class Team(ABC):
    """A worker for each member."""

    @abstractmethod
    def start(self, beginnings: Sequence[tuple[int, bytes]]) -> None:
        """Start the workers of some members. A beginning: the number of the member, its circumstances and charge as bytes."""

    @abstractmethod
    def tell(self, member: int, order: Order) -> None:
        """Tell a member something; one whose worker has ended does not hear it."""

    @abstractmethod
    def events(self, seconds: float) -> list[tuple[int, Message]]:
        """What members have told since the last call. If nothing, wait until one tells something, for at most these seconds."""

    @abstractmethod
    def end(self, member: int) -> None:
        """End the worker of a member, so that its memory is free."""

    @abstractmethod
    def close(self) -> None:
        """End all workers; may be called again."""


def team_on(place: str) -> Team:
    """The team at a place: "local" or "ray"."""
    if place == "local":
        from bestfirst.portfolio.local_team import LocalTeam  # noqa: PLC0415  (one of the two is enough)

        return LocalTeam()
    from bestfirst.portfolio.ray_team import RayTeam  # noqa: PLC0415  (an extra)

    return RayTeam()
