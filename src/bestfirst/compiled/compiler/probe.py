"""The methods of a domain, compiled, one call at a time: for comparison with the interpreted ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.specialise import no_estimate, specialise
from bestfirst.compiled.compiler.state_fields import state_of_words, state_words, words_of_state
from bestfirst.domain import Domain

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        as_self,
        estimate,
        is_goal,
        load,
        max_actions,
        next_action,
        prepared_for,
        step,
        step_with,
        store,
        unrank,
    )
    from bestfirst.compiled.store.aliases import Array, Method, Number, Self, State


def probe(data: Self, rows: Array, action: int) -> tuple[bool, Number, bool, Number]:
    """Return (goal, estimate, legal, cost) for the state at index 0 of the rows; write the next state to index 1."""
    me = as_self(data)
    state = load(rows, 0)
    legal, following, cost = step(me, state, action)
    store(rows, 1, following)
    return is_goal(me, state), estimate(me, state), legal, cost


def probe_measure(data: Self, rows: Array) -> Number:
    """The measure of the state at index 0 of the rows."""
    return estimate(as_self(data), load(rows, 0))


def probe_unrank(data: Self, rows: Array, number: int) -> None:
    """Write the state of a number to index 0 of the rows."""
    store(rows, 0, unrank(as_self(data), number))


def probe_expansion(data: Self, rows: Array, children: Array) -> int:
    """Expand the state at index 0 of the rows: write its children to the rows after it, and their actions; return their number."""
    me = as_self(data)
    state, made = load(rows, 0), 0
    pair = prepared_for(me, state)
    following = next_action(me, state, pair, -1)
    while following < max_actions(me):
        action = following
        following = next_action(me, state, pair, action)
        legal, child, _cost = step_with(me, state, action, pair)
        if legal:
            children[made] = action
            made += 1
            store(rows, made, child)
    return made


class CompiledMethods:
    """step, is_goal and a measure of states, such as a heuristic or rank, of a domain, compiled.

    Raises CompileError if they cannot be compiled.
    """

    def __init__(self, domain: Domain, measure: Method | None) -> None:
        self._domain = domain
        self._compiled = specialise(probe, domain, measure or no_estimate)
        self._rows = tuple(np.zeros(2, np.int64) for _ in state_words(domain))

    def _ask(self, state: State, action: int) -> tuple[Number, ...]:
        for row, word in zip(self._rows, words_of_state(self._domain, state), strict=True):
            row[0] = word
        answer: tuple[Number, ...] = self._compiled.run(self._compiled.data, self._rows, action)
        return answer

    def is_goal(self, state: State) -> bool:
        """Domain.is_goal."""
        return bool(self._ask(state, 0)[0])

    def measure(self, state: State) -> Number:
        """The measure of a state."""
        return self._ask(state, 0)[1]

    def step(self, state: State, action: int) -> tuple[bool, State, Number]:
        """Domain.step."""
        _goal, _h, legal, cost = self._ask(state, action)
        return bool(legal), state_of_words(self._domain, [row[1] for row in self._rows]), cost


class CompiledMeasure:
    """Only a measure of states, compiled. Raises CompileError if it cannot be compiled."""

    def __init__(self, domain: Domain, measure: Method) -> None:
        self._domain = domain
        self._compiled = specialise(probe_measure, domain, measure)
        self._rows = tuple(np.zeros(1, np.int64) for _ in state_words(domain))

    def __call__(self, state: State) -> Number:
        for row, word in zip(self._rows, words_of_state(self._domain, state), strict=True):
            row[0] = word
        return self._compiled.run(self._compiled.data, self._rows)


class CompiledExpansion:
    """The legal actions of a state and where they lead, as an expansion finds them.

    Raises CompileError if it cannot be compiled.
    """

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._compiled = specialise(probe_expansion, domain, no_estimate)
        self._rows = tuple(np.zeros(domain.max_actions + 1, np.int64) for _ in state_words(domain))
        self._actions = np.zeros(domain.max_actions, np.int64)

    def __call__(self, state: State) -> list[tuple[int, State]]:
        for row, word in zip(self._rows, words_of_state(self._domain, state), strict=True):
            row[0] = word
        made = self._compiled.run(self._compiled.data, self._rows, self._actions)
        states = [state_of_words(self._domain, [row[place + 1] for row in self._rows]) for place in range(made)]
        return list(zip(self._actions[:made].tolist(), states, strict=True))


class CompiledUnrank:
    """unrank of a domain, compiled. Raises CompileError if it cannot be compiled."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._compiled = specialise(probe_unrank, domain, no_estimate, optional=["unrank"])
        self._rows = tuple(np.zeros(1, np.int64) for _ in state_words(domain))

    def __call__(self, number: int) -> State:
        self._compiled.run(self._compiled.data, self._rows, number)
        return state_of_words(self._domain, [row[0] for row in self._rows])
