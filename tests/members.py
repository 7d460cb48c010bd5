"""The optional members of a Domain, held to what they promise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import bestfirst as bf
from bestfirst.compiled.compiler.specialise import no_estimate, specialise
from bestfirst.patterns.abstract_domain import as_abstract

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import as_self, load, store

    def rank(me: Any, state: Any) -> int: ...
    def unrank(me: Any, number: int) -> Any: ...


def states_on_a_walk(domain: bf.Domain, choices: Sequence[int]) -> list[Any]:
    """The states of a walk from the start that takes, at each step, the action that the number chooses."""
    states = [domain.initial]
    for choice in choices:
        following = list(domain.successors(states[-1]))
        states.append(following[choice % len(following)][1])
    return states


def assert_members_hold(domain: bf.Domain, states: Iterable[Any]) -> None:
    """Fields keep to their bits; block_step and inverse agree with step; unrank undoes rank."""
    for state in states:
        assert all(0 <= getattr(state, field) < 1 << bits for field, bits in domain.bits.items())
        steps = [domain.step(state, action) for action in range(domain.max_actions)]
        legal = [action for action, (is_legal, _, _) in enumerate(steps) if is_legal]
        if domain.defines("block_step"):
            block, order = divmod(domain.rank(state), as_abstract(domain).block_size)
            blocks = [as_abstract(domain).block_step(block, action) for action in range(domain.max_actions)]
            assert [action for action, (is_legal, _, _) in enumerate(blocks) if is_legal] == legal
            for action in legal:
                _, other, turn = blocks[action]
                number = other * as_abstract(domain).block_size + as_abstract(domain).turned(turn, order)
                assert number == domain.rank(steps[action][1])
        for action in legal:
            if domain.inverse(action) >= 0:
                assert domain.step(steps[action][1], domain.inverse(action)) == (True, state, steps[action][2])
        if domain.defines("rank"):
            assert 0 <= domain.rank(state) < domain.size
            assert domain.unrank(domain.rank(state)) == state


def there_and_back(data: Any, rows: Any, number: int) -> int:
    """For a template: the state of a number goes to place 0 of the rows; its rank."""
    me = as_self(data)
    state = unrank(me, number)
    store(rows, 0, state)
    return rank(me, load(rows, 0))


def assert_compiled_ranks_agree(domain: bf.Domain, numbers: Iterable[int]) -> None:
    """unrank and rank, compiled, say what they say interpreted."""
    compiled = specialise(there_and_back, domain, no_estimate, optional=("rank", "unrank"))
    rows = tuple(np.zeros(1, np.int64) for _ in domain.State._fields)
    for number in numbers:
        assert compiled.run(compiled.data, rows, number) == domain.rank(domain.unrank(number)) == number
        assert domain.State(*(int(row[0]) for row in rows)) == domain.unrank(number)
