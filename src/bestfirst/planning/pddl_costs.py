"""Finds costs without a value: the translator leaves out such actions silently, and then a task may look unsolvable."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from math import prod

from bestfirst.planning.pddl_text import Block, Item

_MOST_ROWS = 300_000
"""Beyond so many steps, missing values are not looked for."""

Row = Mapping[str, str]
Facts = Mapping[str, Collection[tuple[str, ...]]]


def missing(
    cost: Block, condition: Block, objects: Mapping[str, Collection[str]], facts: Facts, values: Collection[str]
) -> list[str]:
    """The terms, such as (length a b), that an action can cost, and that have no value.

    cost: a function of parameters. condition: the precondition. objects: for each parameter, those of its type.
    facts: the arguments of each predicate that no action changes. values: the terms that have a value.
    """
    wanted = [word for word in dict.fromkeys(map(str, cost[1:])) if word in objects]
    known = [literal for literal in _conjunction(condition) if literal.head in facts]
    excluded = [negated for block in _conjunction(condition) if block.head == "not" for negated in block[1:]]
    rows = _joined(known, wanted, objects, facts)
    terms: dict[str, None] = {}
    for row in rows:
        free = [word for word in wanted if word not in row]
        if len(rows) * prod(len(objects[word]) for word in free) > _MOST_ROWS:
            return []
        for chosen in product(*(objects[word] for word in free)):
            full = {**row, **dict(zip(free, chosen, strict=True))}
            if not any(_holds(literal, full, objects, facts) for literal in excluded):
                terms[f"({' '.join([cost.head, *_filled(cost, full)])})"] = None
    return [term for term in terms if term not in values]


def _joined(
    known: Sequence[Block], wanted: Sequence[str], objects: Mapping[str, Collection[str]], facts: Facts
) -> list[Row]:
    """The values of the wanted parameters, as far as they occur in facts that must hold."""
    rows: list[Row] = [{}]
    for number, literal in enumerate(known):
        needed = {*wanted, *(str(word) for later in known[number + 1 :] for word in later[1:])}
        if len(rows) * len(facts[literal.head]) > _MOST_ROWS:
            return []
        found: dict[tuple[tuple[str, str], ...], None] = {}
        for row in rows:
            for fact in facts[literal.head]:
                longer = _matched(literal, fact, row, objects)
                if longer is not None:
                    found[tuple((word, value) for word, value in sorted(longer.items()) if word in needed)] = None
        rows = [dict(pairs) for pairs in found]
    return rows


def _matched(literal: Block, fact: Sequence[str], row: Row, objects: Mapping[str, Collection[str]]) -> Row | None:
    """The row with the values that a fact gives to the parameters of a literal; None if it does not fit."""
    longer = {**row}
    for word, value in zip(map(str, literal[1:]), fact, strict=False):
        if word not in objects:
            if word != value:
                return None
        elif value not in objects[word] or longer.setdefault(word, value) != value:
            return None
    return longer


def _filled(block: Block, row: Row) -> tuple[str, ...]:
    """The arguments of a block, with values for its parameters."""
    return tuple(row.get(str(word), str(word)) for word in block[1:])


def _holds(literal: Item, row: Row, objects: Mapping[str, Collection[str]], facts: Facts) -> bool:
    """Whether a literal is known to hold."""
    if not isinstance(literal, Block) or any(str(word) in objects and str(word) not in row for word in literal[1:]):
        return False
    return _filled(literal, row) in facts.get(literal.head, ())


def _conjunction(condition: Block) -> Iterator[Block]:
    """The parts of (and ...), also of nested ones."""
    if condition.head != "and":
        yield condition
        return
    for part in condition[1:]:
        if isinstance(part, Block):
            yield from _conjunction(part)
