"""Blocks world: a state whose field is a tuple, written in plain Python, and solved at compiled speed."""

from __future__ import annotations

from typing import Any, NamedTuple

import bestfirst as bf


class Blocks(bf.Domain):
    """Blocks on a table. An action takes a block with nothing on it, and puts it on another such block or on the table."""

    class State(NamedTuple):
        """on[block]: what the block stands on: 0 for the table, or the number of a block, counted from 1."""

        on: tuple[int, ...]

    default_heuristic = "misplaced"

    def __init__(self, start: list[int], goal: list[int]) -> None:
        self.blocks = len(start)
        self.initial, self.goal = self.State(tuple(start)), tuple(goal)
        self.max_actions = self.blocks * (self.blocks + 1)
        self.bits = {"on": self.blocks.bit_length()}

    def step(self, state: State, action: int) -> Any:
        block, target = divmod(action, self.blocks + 1)
        is_clear = block + 1 not in state.on and (target == 0 or target not in state.on)
        if not is_clear or target in (block + 1, state.on[block]):
            return False, state, 1
        on = list(state.on)
        on[block] = target
        return True, self.State(tuple(on)), 1

    def is_goal(self, state: State) -> bool:
        return state.on == self.goal

    @bf.heuristic(admissible=True)
    def misplaced(self, state: State) -> int:
        """The blocks that do not stand where they should: each must move."""
        return sum(1 for block in range(self.blocks) if state.on[block] != self.goal[block])

    def action_name(self, state: State, action: int) -> str:
        del state
        block, target = divmod(action, self.blocks + 1)
        return f"{block + 1} to {target or 'table'}"


if __name__ == "__main__":
    # from the towers 1 2 3 4 and 5 6 7 to the towers 7 1 6 2 and 4 5 3, each named from the top down
    towers = Blocks([2, 3, 4, 0, 6, 7, 0], [6, 0, 0, 5, 3, 2, 1])
    solution = bf.solve(towers)
    print(*solution.actions, sep=", ")
    print(f"{solution.status}: {solution.cost} moves, {solution.stats.expanded} expanded")
