"""A pattern database for a custom domain: a stack of pancakes in which only some are distinguished."""

from typing import NamedTuple

import numpy as np

import bestfirst as bf
from bestfirst.domains.placed_items import PlacedItems


class Pancakes(bf.Domain):
    """A stack of pancakes to sort; action k flips the top k + 2."""

    class State(NamedTuple):
        stack: int  # four bits for each pancake, the top one lowest

    unit_cost = True

    def __init__(self, stack):
        self.sizes = tuple(stack)
        self.count = len(stack)
        self.max_actions = self.count - 1
        self.initial = self.State(sum(pancake << 4 * place for place, pancake in enumerate(stack)))
        self.goal = sum(place + 1 << 4 * place for place in range(self.count))

    def step(self, state, action):
        top = action + 2
        stack = state.stack >> 4 * top << 4 * top
        for place in range(top):
            stack |= (state.stack >> 4 * place & 15) << 4 * (top - 1 - place)
        return True, self.State(stack), 1

    def inverse(self, action):
        return action

    def is_goal(self, state):
        return state.stack == self.goal

    def project(self, pattern):
        return SomePancakes(self, list(pattern))


class SomePancakes(PlacedItems):
    """The places of some pancakes: the effect of a flip on a place does not depend on the pancake there."""

    def __init__(self, problem, sizes):
        places = range(problem.count)
        moved = [[top - 1 - place if place < top else place for place in places] for top in range(2, problem.count + 1)]
        goal = [size - 1 for size in sizes]
        super().__init__(np.array(moved), [problem.sizes.index(size) for size in sizes], goal)
        self.item = np.array([sizes.index(size) if size in sizes else -1 for size in range(problem.count + 1)])

    def abstract(self, state):
        places = 0
        for place in range(self.all):
            item = self.item[state.stack >> 4 * place & 15]
            if item >= 0:
                places |= place << 4 * item
        return self.State(places)


problem = Pancakes([5, 3, 8, 1, 7, 2, 6, 4])
databases = [bf.PatternDatabase.build(problem, pattern) for pattern in ([1, 2, 3, 4], [5, 6, 7, 8])]
print(bf.solve(problem, "idastar", bf.max_of(*databases)))
