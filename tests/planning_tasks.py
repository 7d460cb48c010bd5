"""Small planning tasks, stated in Python."""

from __future__ import annotations

from itertools import permutations

from hypothesis import strategies as st

from bestfirst.planning import Effect, Fact, Operator, Task, Variable


def switches(count: int) -> Task:
    """Switches that are turned on one after the other: each one costs its number, and needs the one before."""
    variables = [Variable(f"switch {number}", ("off", "on")) for number in range(count)]
    operators = [
        Operator(
            f"turn-on {number}",
            (*((Fact(number - 1, 1),) if number else ()), Fact(number, 0)),
            (Effect(Fact(number, 1)),),
            number + 1,
        )
        for number in range(count)
    ]
    return Task(variables, operators, (0,) * count, [Fact(number, 1) for number in range(count)])


def towers(count: int) -> Task:
    """Blocks on a table, moved one at a time: from all on the table to one tower, with block 0 on top."""
    table = count
    above = [
        Variable(f"block {block}", (*(f"on {other}" for other in range(count)), "on the table")) for block in range(count)
    ]
    clear = [Variable(f"clear {block}", ("no", "yes")) for block in range(count)]
    operators = []
    for block, source, target in permutations(range(count + 1), 3):
        if block == table:
            continue
        needs = [Fact(block, source), Fact(count + block, 1)]
        effects = [Effect(Fact(block, target))]
        if target != table:
            needs.append(Fact(count + target, 1))
            effects.append(Effect(Fact(count + target, 0)))
        if source != table:
            effects.append(Effect(Fact(count + source, 1)))
        operators.append(Operator(f"move {block} {source} {target}", tuple(sorted(needs)), tuple(effects)))
    initial = (table,) * count + (1,) * count
    return Task([*above, *clear], operators, initial, [Fact(block, block + 1) for block in range(count - 1)])


@st.composite
def random_tasks(draw: st.DrawFn, most_cost: int = 3, *, conditional: bool = True) -> Task:
    """Small tasks: with operators that cost nothing, and goals that may be out of reach. conditional: with conditional effects."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    facts = st.integers(0, len(sizes) - 1).flatmap(
        lambda variable: st.builds(Fact, st.just(variable), st.integers(0, sizes[variable] - 1))
    )
    conjunctions = st.lists(facts, max_size=3, unique_by=lambda fact: fact.variable).map(lambda some: tuple(sorted(some)))
    conditions = st.one_of(st.just(()), conjunctions) if conditional else st.just(())
    effects = st.lists(st.builds(Effect, facts, conditions), min_size=1, max_size=3).map(tuple)
    operators = draw(
        st.lists(st.tuples(conjunctions, effects, st.integers(0, most_cost)), max_size=12).map(
            lambda some: [Operator(f"operator {number}", *parts) for number, parts in enumerate(some)]
        )
    )
    variables = [Variable(f"variable {number}", tuple(map(str, range(size)))) for number, size in enumerate(sizes)]
    return Task(variables, operators, tuple(draw(st.integers(0, size - 1)) for size in sizes), draw(conjunctions))
