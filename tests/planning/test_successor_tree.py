"""The decision tree for applicable operators."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bestfirst.planning import Task
from planning_tasks import random_tasks
from profiles import examples


@examples(30)
@given(task=random_tasks(), data=st.data())
def test_successors_are_those_of_the_operators_that_apply_in_their_order(task: Task, data: st.DataObject) -> None:
    """The tree finds the same operators as a look at each of them; and so does a walk through its ints, in the same order."""
    state = tuple(data.draw(st.integers(0, len(variable.facts) - 1)) for variable in task.variables)
    wanted = [(one.name, one.applied(state), one.cost) for one in task.operators if one.applies(state)]
    assert list(task.successors(state)) == wanted
    assert walked(task, state) == list(task.tree.applicable(state))


def walked(task: Task, state: tuple[int, ...]) -> list[int]:
    """The operators that the flattened tree finds."""
    domains = [len(variable.facts) for variable in task.variables]
    table = task.tree.flattened(domains, [(number,) for number in range(len(domains))])
    found: list[int] = []
    waiting = [0]
    while waiting:
        fork = waiting.pop()
        first, end, switches = table[fork : fork + 3]
        found += range(first, end)
        for at in reversed(range(fork + 3, fork + 3 + 2 * switches, 2)):
            following = table[table[at + 1] + state[table[at]]]
            if following:
                waiting.append(following)
    return found
