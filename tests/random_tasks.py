"""Small random planning tasks for hypothesis, and the truth about their projections, computed without the code under test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

from hypothesis import strategies as st

from bestfirst.planning import Effect, Fact, Operator, Task, Variable
from bestfirst.planning.task import State


@st.composite
def tasks(draw: st.DrawFn, *, conditional: bool = True, most_cost: int = 3) -> Task:
    """Two to four variables of two or three values. conditional: whether effects may have conditions."""
    sizes = draw(st.lists(st.integers(2, 3), min_size=2, max_size=4))

    def facts(most: int) -> st.SearchStrategy[tuple[Fact, ...]]:
        one = st.integers(0, len(sizes) - 1).flatmap(
            lambda variable: st.builds(Fact, st.just(variable), st.integers(0, sizes[variable] - 1))
        )
        return st.lists(one, max_size=most, unique_by=lambda fact: fact.variable).map(lambda some: tuple(sorted(some)))

    no_facts: st.SearchStrategy[tuple[Fact, ...]] = st.just(())
    operators = []
    for number in range(draw(st.integers(1, 6))):
        made = draw(facts(3).filter(bool))
        conditions = [draw(facts(2) if conditional and draw(st.booleans()) else no_facts) for _ in made]
        effects = tuple(Effect(fact, condition) for fact, condition in zip(made, conditions, strict=True))
        operators.append(Operator(f"operator {number}", draw(facts(3)), effects, draw(st.integers(0, most_cost))))
    variables = [Variable(f"v{one}", tuple(f"v{one}={value}" for value in range(size))) for one, size in enumerate(sizes)]
    initial = tuple(draw(st.integers(0, size - 1)) for size in sizes)
    return Task(variables, operators, initial, draw(facts(len(sizes))))


def states_of(task: Task) -> list[State]:
    """All states, reachable or not."""
    return list(product(*(range(len(variable.facts)) for variable in task.variables)))


def abstract_distances(task: Task, pattern: Sequence[int]) -> dict[State, float]:
    """The distance of each abstract state, over the images of all transitions of the task, relaxed until nothing changes."""

    def image(state: State) -> State:
        return tuple(state[variable] for variable in pattern)

    edges = {(image(state), image(after), cost) for state in states_of(task) for _, after, cost in task.successors(state)}
    distances = {image(state): math.inf for state in states_of(task)}
    distances |= {image(state): 0 for state in states_of(task) if task.is_goal(state)}
    changed = True
    while changed:
        changed = False
        for before, after, cost in edges:
            if cost + distances[after] < distances[before]:
                distances[before] = cost + distances[after]
                changed = True
    return distances
