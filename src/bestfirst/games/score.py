"""Score: the value of a position or a move relative to the side to move, totally ordered.

Inside a search a score is a plain int, its value, always seen from the side to move:

    -WIN ...... -DECISIVE ......... 0 ......... DECISIVE ...... WIN
    lost in 0   lost in many plies  draw        won in many     won in 0

A win in n plies has the value WIN - n, so that faster wins and slower losses are better. Points (the discs of Othello) and
estimates lie between, within MOST_POINTS of 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from bestfirst.arguments import check_bool, check_whole

WIN = 1_000_000
MOST_PLIES = 10_000
DECISIVE = WIN - MOST_PLIES
"""Values of at least this are wins, values of at most its negative are losses."""
MOST_POINTS = 900_000
INFINITY = WIN + 1
"""Greater than every value."""


@dataclass(frozen=True, order=True)
class Score:
    """A score relative to the side to move. Scores are ordered by value; among equal values, the proven one is greater.

    value: see the module docstring. proven: whether it follows from the rules alone; otherwise it depends on an estimate of
    the game or on unsound pruning. -score is the score for the other side.
    Raises InputError for a value that is not an int, or beyond that of a win.
    """

    value: int
    proven: bool = True

    def __post_init__(self) -> None:
        check_whole("value", self.value, -WIN, WIN)
        check_bool("proven", self.proven)

    @classmethod
    def win(cls, plies: int) -> Score:
        """A win of the side to move in this number of plies."""
        check_whole("plies", plies, 0, MOST_PLIES)
        return cls(WIN - plies)

    @classmethod
    def loss(cls, plies: int) -> Score:
        """A loss of the side to move in this number of plies."""
        check_whole("plies", plies, 0, MOST_PLIES)
        return cls(plies - WIN)

    @classmethod
    def draw(cls) -> Score:
        """A draw."""
        return cls(0)

    @classmethod
    def points(cls, points: int) -> Score:
        """A game that ends with this margin relative to the side to move."""
        check_whole("points", points, -MOST_POINTS, MOST_POINTS)
        return cls(points)

    @classmethod
    def estimate(cls, value: int) -> Score:
        """An estimated value, from the game or from a search that did not reach the end."""
        return cls(value, proven=False)

    @property
    def decisive(self) -> bool:
        """Whether it is a win or a loss in a known number of plies."""
        return abs(self.value) >= DECISIVE

    @property
    def outcome(self) -> str | None:
        """ "win", "draw" or "loss" for the side to move, None if not proven."""
        if not self.proven:
            return None
        return "win" if self.value > 0 else "loss" if self.value < 0 else "draw"

    @property
    def plies(self) -> int | None:
        """The number of plies of a win or loss, otherwise None."""
        return WIN - abs(self.value) if self.decisive else None

    def __neg__(self) -> Score:
        return Score(-self.value, self.proven)

    def __repr__(self) -> str:
        if not self.proven:
            return f"Score.estimate({self.value})"
        if self.decisive:
            return f"Score.{'win' if self.value > 0 else 'loss'}({self.plies})"
        return f"Score.points({self.value})" if self.value else "Score.draw()"

    def __str__(self) -> str:
        if self.decisive:
            text = f"{'win' if self.value > 0 else 'loss'} in {self.plies}"
            return text if self.proven else f"{text} (not proven)"
        if not self.proven:
            return f"about {self.value:+d}" if self.value else "about 0"
        return f"{self.value:+d}" if self.value else "draw"


def in_plies_from_here(value: int, ply: int) -> int:
    """A value relative to the root, for a node `ply` plies below, with the plies of a win or loss counted from the node."""
    if value >= DECISIVE:
        return value + ply
    return value - ply if value <= -DECISIVE else value


def in_plies_from_root(value: int, ply: int) -> int:
    """The inverse of in_plies_from_here(): a value relative to a node, for the root `ply` plies above."""
    if value >= DECISIVE:
        return value - ply
    return value + ply if value <= -DECISIVE else value
