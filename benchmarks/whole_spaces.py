"""Enumerations of whole spaces, level by level, by the compiled engine and, if fast enough, the reference engine.

    python benchmarks/whole_spaces.py            # the 8-puzzle and the pocket cube: a minute or two
    python benchmarks/whole_spaces.py --most 1e3 # only spaces of at most 1,000 states: the 2 x 3 puzzle
    python benchmarks/whole_spaces.py --large    # the 3 x 4 puzzle too: 239,500,800 states in 60 MB, half a minute

Counts and radii are compared with published ones; the exit code is 1 if one differs.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from math import inf

import bestfirst as bf


@dataclass(frozen=True)
class Space:
    """A start, and the known counts of its space."""

    name: str
    start: bf.Problem
    states: int
    radius: int
    farthest: int
    for_python: bool = True


SPACES = [
    Space("2 x 3 puzzle", bf.SlidingTile("_ 1 2 / 3 4 5", "_ 1 2 / 3 4 5"), 360, 21, 1),
    Space("8-puzzle, blank in a corner", bf.SlidingTile("_ 1 2 3 4 5 6 7 8", "_ 1 2 3 4 5 6 7 8"), 181_440, 31, 2),
    Space("8-puzzle, blank in the centre", bf.SlidingTile("1 2 3 8 _ 4 7 6 5", "1 2 3 8 _ 4 7 6 5"), 181_440, 30, 148),
    Space("pocket cube, face turns", bf.PocketCube("R R'"), 3_674_160, 11, 2_644),
]
TWELVE = "1 2 3 4 / 5 6 7 8 / 9 10 11 _"
LARGE = Space("3 x 4 puzzle", bf.SlidingTile(TWELVE, TWELVE), 239_500_800, 53, 18, for_python=False)
"""Korf & Schultze 2005: radius 53, 18 boards that far."""


def show(found: bf.Enumeration) -> None:
    """Show the progress on a terminal."""
    if sys.stderr.isatty():
        print(f"\r{found}", end="", file=sys.stderr)


def main() -> int:
    """Run the benchmark; return 1 if a count differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", action="store_true", help="the 3 x 4 puzzle too")
    parser.add_argument("--most", type=float, default=inf, help="skip spaces of more states")
    arguments = parser.parse_args()
    spaces = [space for space in ([*SPACES, LARGE] if arguments.large else SPACES) if space.states <= arguments.most]
    wrong = 0
    print(f"{'space':<32}{'states':>13}{'radius':>8}{'farthest':>10}{'M states/s':>12}{'MB':>8}{'x python':>10}")
    for space in spaces:
        bf.enumerate_states(space.start, limits=bf.Limits(seconds=0), engine="compiled")  # compiles
        found = bf.enumerate_states(space.start, engine="compiled", progress=show)
        right = (found.states, found.radius, found.levels[-1]) == (space.states, space.radius, space.farthest)
        factor = ""
        if space.for_python:
            reference = bf.enumerate_states(space.start, engine="python")
            right = right and reference.levels == found.levels
            factor = f"{reference.seconds / found.seconds:.0f}"
        wrong += not right
        print(
            f"{space.name:<32}{found.states:>13,}{found.radius:>8}{found.levels[-1]:>10,}"
            f"{found.states / found.seconds / 1e6:>12.1f}{(found.bytes or 0) / 1e6:>8.1f}{factor:>10}"
            f"{'' if right else '  WRONG'}",
            flush=True,
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
