"""GameStats: the counters of a game search."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class DepthRow:
    """One iteration of iterative deepening: its depth, nodes, time, and the value of the position."""

    depth: int
    nodes: int
    seconds: float
    value: int


@dataclass
class GameStats:
    """The counters of a game search, defined alike for every algorithm.

    nodes: visits of positions, the root included, counted again in each iteration of iterative deepening and in each
        re-search, below the horizon, and for hits in the transposition table.
    ended: nodes where the game was over. estimated: nodes that were evaluated instead of searched.
    foreseen: nodes decided by foresight: a move wins immediately, or every move lets the other side win immediately.
    too_far: nodes where even the fastest possible win or loss was irrelevant (switch win_distance).
        All four are the leaves of the tree.
    quiescent: nodes below the horizon, where only noisy moves are searched.
    deepest: the greatest ply of a node that is not quiescent.
    cuts: nodes with a beta cut-off; first_cuts: cut-offs by the first move.
    probes: lookups in the transposition table; hits: lookups that found the position; table_cuts: hits that made the
        search of the node unnecessary; stored: entries written; replaced: entries that overwrote another position.
    researches: repeated searches with a wider window (principal variation, aspiration, late moves), and the passes of MTD(f)
        after the first.
    extensions: moves searched a ply deeper.
    pruned: the number of uses of unsound pruning, by the name of the switch.
    playouts: random games to the end (Monte Carlo).
    seconds: wall-clock time. depths: one row for each completed iteration of iterative deepening.
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
        """The number of leaves of the search tree."""
        return self.ended + self.estimated + self.foreseen + self.too_far

    @property
    def shallow_share(self) -> float:
        """The fraction of nodes spent on completed iterations of iterative deepening before the last; 0.0 if there is only
        one."""
        total = sum(row.nodes for row in self.depths)
        return sum(row.nodes for row in self.depths[:-1]) / total if total else 0.0

    @property
    def shallow_time(self) -> float:
        """The fraction of the time spent on completed iterations of iterative deepening before the last."""
        total = sum(row.seconds for row in self.depths)
        return sum(row.seconds for row in self.depths[:-1]) / total if total else 0.0

    def prune(self, switch: str) -> None:
        """Count one use of unsound pruning."""
        self.pruned[switch] = self.pruned.get(switch, 0) + 1

    def copy(self) -> GameStats:
        """A copy of the current statistics."""
        return GameStats(
            **{
                **self.__dict__,
                "pruned": dict(self.pruned),
                "depths": [DepthRow(**row.__dict__) for row in self.depths],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """The statistics as JSON values."""
        return {**asdict(self), "shallow_share": self.shallow_share, "shallow_time": self.shallow_time}
