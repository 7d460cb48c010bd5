"""Small planning tasks, stated in Python."""

from __future__ import annotations

from itertools import permutations

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
