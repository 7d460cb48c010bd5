"""Lights Out: pressing a cell of a board toggles its light and those of the cells above, below, left and right of it.

A state is one int, a bit for each light; on a board of 64 cells it is taken modulo 2**64, into -2**63 .. 2**63 - 1, a range
that exclusive or preserves, in Python as in compiled code. On a board of three columns:

     63       6   5      4      3      2      1      0
    +---+ ... +------+------+------+------+------+------+
    |   |     | r2c3 | r2c2 | r2c1 | r1c3 | r1c2 | r1c1 |
    +---+ ... +------+------+------+------+------+------+

An action presses a cell, named by its row and column; it costs 1. Presses commute, and a second press of a cell undoes the
first one. So pressing the cells in order would suffice; but then the last cell pressed would be part of the
state, and each board would be as many states as it has cells. Here a state is just the visible board.
Source: Anderson & Feil 1998.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bestfirst.domain import Domain
from bestfirst.domains.sliding_tile.notation import read_size
from bestfirst.errors import InputError, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.problem import Cell
from bestfirst.tables import table
from bestfirst.words import signed

MOST_CELLS = 64
MOST_RANKED = 30

_ALL_BUT_SIGN = 2**63 - 1
_EVERY_2ND, _PAIRS, _NIBBLES, _SHORTS = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x00FF00FF00FF00FF


class LightsOut(Domain):
    """A board of lights, and the board to reach. Pressing a light switches it and its neighbours.

    board, goal: rows separated by slashes, 1 or * for a light that is on, 0 or . for one that is off ("010/111/010"); or the
    size of a board that is all on ("5x5"). Default goal: all off.
    Raises InputError for an invalid board, a board of more than 64 cells, and a goal of a different size.
    """

    class State(NamedTuple):
        """See the module docstring."""

        lights: int

    frozen_arrays = frozenset({"changes", "presses", "quiet"})
    unit_cost = True
    default_heuristic = "exact"

    _settled_for_good = frozenset({"rows", "columns", "max_actions"})

    def __init__(self, board: str, goal: str | None = None) -> None:
        (self.rows, self.columns), lights = _read_board("board", board)
        size, goal_lights = ((self.rows, self.columns), 0) if goal is None else _read_board("goal", goal)
        if size != (self.rows, self.columns):
            raise InputError(
                f"the goal {shown(goal)} is {size[0]}x{size[1]}, but the board is {self.rows}x{self.columns}; use the same size"
            )
        self.initial = self.State(signed(lights))
        self.goal = signed(goal_lights)
        self.max_actions = self.rows * self.columns
        self.actions = [f"r{row + 1}c{column + 1}" for row in range(self.rows) for column in range(self.columns)]
        if self.max_actions < MOST_CELLS:
            self.bits = {"lights": self.max_actions}
        if self.max_actions <= MOST_RANKED:
            self.size = 1 << self.max_actions
        self._make_tables()
        self._settle()

    def _make_tables(self) -> None:
        """changes: the lights that a press of each cell toggles. presses: the presses for each light. quiet: those that
        change nothing.

        Every reachable set of lights is toggled by the presses of each of its lights together (see _eliminated).
        """
        changes = [self._changed_by(*divmod(cell, self.columns)) for cell in range(self.max_actions)]
        presses, self._quiet = _eliminated(changes)
        quiet = [0]
        for pattern in self._quiet:
            quiet += [other ^ pattern for other in quiet]
        self.changes = table(signed(lights) for lights in changes)
        self.presses = table(signed(presses.get(cell, 0)) for cell in range(self.max_actions))
        self.quiet = table(signed(pattern) for pattern in quiet)

    def _changed_by(self, row: int, column: int) -> int:
        cross = [(row, column), (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return sum(1 << self.columns * r + c for r, c in cross if 0 <= r < self.rows and 0 <= c < self.columns)

    @classmethod
    def from_text(cls, text: str, *, goal: str | None = None) -> LightsOut:
        """A board from command-line arguments."""
        return cls(text, goal)

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        return True, self.State(state.lights ^ self.changes[action]), 1

    def inverse(self, action: int) -> int:
        return action

    def is_goal(self, state: State) -> bool:
        return state.lights == self.goal

    def goal_state(self) -> State:
        return self.State(self.goal)

    def backward(self) -> LightsOut:
        return LightsOut(self.format(self.goal_state()), self.format(self.initial))

    def rank(self, state: State) -> int:
        return state.lights

    def unrank(self, number: int) -> State:
        return self.State(number)

    def unsolvable(self) -> str | None:
        """Decided by linear algebra modulo 2: a pattern of presses that changes nothing meets each press's lights an even
        number of times.

        This holds because the relation "a press of one cell toggles the other" is symmetric. If the lights to toggle are an
        even number of each such pattern, they can be toggled.
        Source: Sutner 1989; Anderson & Feil 1998.
        """
        wanted = self.initial.lights ^ self.goal
        for pattern in self._quiet:
            if (wanted & pattern).bit_count() % 2:
                return (
                    "parity: each press changes an even number of the lights of the pattern "
                    f"{self.format(self.State(pattern))}, but an odd number must change"
                )
        return None

    def format(self, state: State) -> str:
        return "/".join(self._lines(state, "01"))

    def draw(self, state: State) -> str:
        """The board: * for a light that is on."""
        return "\n".join(" ".join(line) for line in self._lines(state, ".*"))

    def _lines(self, state: State, off_and_on: str) -> list[str]:
        lights = [off_and_on[state.lights >> cell & 1] for cell in range(self.max_actions)]
        return ["".join(lights[start : start + self.columns]) for start in range(0, self.max_actions, self.columns)]

    def cells(self, state: State) -> list[Cell]:
        columns = self.columns
        return [
            (cell // columns, cell % columns, "*" if state.lights >> cell & 1 else "") for cell in range(self.max_actions)
        ]

    def format_action(self, action: str) -> str:
        row, column = action[1:].split("c")
        return f"press row {row}, column {column}"

    @heuristic(admissible=True, consistent=True)
    def exact(self, state: State) -> int:
        """The exact distance: the smallest set of presses that leads to the goal.

        The presses for all lights to toggle are one solution; every other one differs from it by presses that
        change nothing, of which at most 256 patterns exist on a board of up to 64 cells.
        """
        presses = 0
        for light in range(self.max_actions):
            if ((state.lights ^ self.goal) >> light) & 1:
                presses ^= self.presses[light]
        fewest = 64
        for pattern in range(len(self.quiet)):
            fewest = min(fewest, _ones(presses ^ self.quiet[pattern]))
        return fewest

    @heuristic(admissible=True, consistent=True)
    def lit(self, state: State) -> int:
        """A fifth of the number of lights to toggle, rounded up: a press toggles at most 5."""
        return (_ones(state.lights ^ self.goal) + 4) // 5


def _ones(number: int) -> int:
    """The number of ones among the 64 bits of an int: counted in fields of 2 bits, of 4, of 8, of 16, and in all."""
    rest = number & _ALL_BUT_SIGN
    rest -= (rest >> 1) & _EVERY_2ND
    rest = (rest & _PAIRS) + ((rest >> 2) & _PAIRS)
    rest = (rest + (rest >> 4)) & _NIBBLES
    rest = (rest + (rest >> 8)) & _SHORTS
    rest += rest >> 16
    return (number < 0) + ((rest + (rest >> 32)) & 127)


def _eliminated(changes: list[int]) -> tuple[dict[int, int], list[int]]:
    """The presses for each light, and a basis of the presses that do nothing, by elimination modulo 2.

    changes: the lights that a press of each cell toggles. Each light of the first part has presses that toggle it and no
    other light of that part; the effect on the remaining lights follows.
    """
    reduced: dict[int, tuple[int, int]] = {}
    quiet = []
    for cell, changed in enumerate(changes):
        lights, presses = changed, 1 << cell
        for light, (others, theirs) in reduced.items():
            if lights >> light & 1:
                lights ^= others
                presses ^= theirs
        if lights == 0:
            quiet.append(presses)
            continue
        first = lights.bit_length() - 1
        for light, (others, theirs) in reduced.items():
            if others >> first & 1:
                reduced[light] = others ^ lights, theirs ^ presses
        reduced[first] = lights, presses
    return {light: presses for light, (_, presses) in reduced.items()}, quiet


def _read_board(what: str, given: str) -> tuple[tuple[int, int], int]:
    """The size and the lights of a board."""
    remedy = "write rows of 1 (on) and 0 (off), separated by slashes, such as 010/111/010, or a size such as 5x5, all on"
    if not isinstance(given, str):
        raise InputError(f"the {what} is {shown(given)}; {remedy}")
    if re.fullmatch(r"\s*\d+\s*x\s*\d+\s*", given):
        rows, columns = read_size(given)
        lines = ["1" * columns] * rows if rows * columns <= MOST_CELLS else []
    else:
        lines = ["".join(line.split()).replace("*", "1").replace(".", "0") for line in re.split(r"[/\n]", given.strip())]
        rows, columns = len(lines), len(lines[0])
        if not all(re.fullmatch("[01]+", line) for line in lines):
            raise InputError(f"the {what} is {shown(given)}; {remedy}")
        if len({len(line) for line in lines}) > 1:
            raise InputError(
                f"the rows of the {what} {shown(given)} have different lengths: {[len(line) for line in lines]}; make them equal"
            )
    if rows * columns > MOST_CELLS:
        raise InputError(
            f"the {what} {shown(given)} has {rows * columns} cells; a board has at most {MOST_CELLS}, such as 8x8"
        )
    return (rows, columns), sum(1 << cell for cell, light in enumerate("".join(lines)) if light == "1")
