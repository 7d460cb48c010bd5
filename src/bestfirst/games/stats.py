"""GameStats: what a search of a game has done."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class DepthRow:
    """One round of progressive deepening: its depth, what it took, and the value that it gave the position."""

    depth: int
    nodes: int
    seconds: float
    value: int


@dataclass
class GameStats:
    """What a search of a game has done, counted the same way in every algorithm.

    nodes: positions looked at, as often as that was done, the start of the search included: in each round of progressive
        deepening, again in a re-search, below the horizon, and where a transposition table knew the answer.
    ended: nodes where the game was over. estimated: nodes where the game's own estimate was taken instead of searching on.
    foreseen: nodes that foresight decided: a move wins at once, or all moves let the other side do so.
    too_far: nodes where even the quickest win or loss that was possible did not matter any more (switch win_distance).
        All four are the leaves of the tree.
    quiescent: nodes below the horizon, where only noisy moves are searched.
    deepest: the most plies below the root of a node that is not quiescent.
    cuts: nodes whose remaining moves were not searched because of alpha and beta; first_cuts: those cut by the first move.
    probes: look-ups in the transposition table; hits: those that found the position; table_cuts: those that made a search
        of the node unnecessary; stored: entries written; replaced: those of them that another position had to make room for.
    researches: searches made again with a wider window (principal variation, aspiration, late moves), and the passes of MTD(f)
        after the first.
    extensions: moves searched a ply deeper.
    pruned: by the name of the switch, how often pruning that can be wrong was made.
    playouts: random games to the end (Monte-Carlo).
    seconds: wall-clock time. depths: one row for each completed round of progressive deepening.
    """

    nodes: int = 0
    ended: int = 0
    estimated: int = 0
    foreseen: int = 0
    too_far: int = 0
    quiescent: int = 0
    deepest: int = 0
    cuts: int = 0
    first_cuts: int = 0
    probes: int = 0
    hits: int = 0
    table_cuts: int = 0
    stored: int = 0
    replaced: int = 0
    researches: int = 0
    extensions: int = 0
    playouts: int = 0
    pruned: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    depths: list[DepthRow] = field(default_factory=list)

    @property
    def leaves(self) -> int:
        """The nodes that were not searched further."""
        return self.ended + self.estimated + self.foreseen + self.too_far

    @property
    def shallow_share(self) -> float:
        """The share of the nodes that all completed rounds of progressive deepening but the last cost; 0.0 with one round."""
        total = sum(row.nodes for row in self.depths)
        return sum(row.nodes for row in self.depths[:-1]) / total if total else 0.0

    @property
    def shallow_time(self) -> float:
        """The same share of the time."""
        total = sum(row.seconds for row in self.depths)
        return sum(row.seconds for row in self.depths[:-1]) / total if total else 0.0

    def prune(self, switch: str) -> None:
        """Count one use of pruning that can be wrong."""
        self.pruned[switch] = self.pruned.get(switch, 0) + 1

    def copy(self) -> GameStats:
        """The statistics of this moment."""
        return GameStats(
            **{
                **self.__dict__,
                "pruned": dict(self.pruned),
                "depths": [DepthRow(**row.__dict__) for row in self.depths],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """The statistics as JSON takes them."""
        return {**asdict(self), "shallow_share": self.shallow_share, "shallow_time": self.shallow_time}
