"""Failures in compiled methods: compiled code records the call, and Python then explains it.

A compiled method that cannot continue returns an error. On the way out its arguments are written to an array, the notes:

    | state of the notes | number of the method | site | words of the arguments ... |

The host then calls the domain's own method with them. An error that Python raises there is the error. If Python has an
answer, the value needs more than 64 bits, or contradicts a declaration of the domain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from time import sleep
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from bestfirst.compiled.compiler.arithmetic import BeyondWordError
from bestfirst.compiled.compiler.state_fields import MOST_WORDS, state_fields
from bestfirst.declared_bits import beyond_bits
from bestfirst.errors import HeuristicError, StateError, WordOverflowError
from bestfirst.rounding import EXACT_INTS, LARGEST_PART
from bestfirst.words import signed, words_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.translate import Translation
    from bestfirst.compiled.store.aliases import Array, Int, Method, Number, Pair, Self, State
    from bestfirst.domain import Domain
    from bestfirst.games.domain import GameDomain

FREE, TAKEN, WRITTEN = range(3)
STATE, METHOD, SITE, ARGUMENTS = range(4)
"""Indices in the notes."""
MOST_ARGUMENTS = 2 * MOST_WORDS + 1
"""A wide field of one word takes two words in compiled code."""

NUMBERS_ONLY = {"unrank": 1, "block_step": 2, "turned": 2}
"""The methods without a state argument, with the number of their int arguments."""
WITH_NUMBER = frozenset({"step", "play", "order", "image"})
"""The methods with an int argument besides the state."""


def new_notes() -> Array:
    """Empty notes."""
    return np.zeros(ARGUMENTS + MOST_ARGUMENTS, np.int64)


def method_numbers(names: Sequence[str]) -> Mapping[str, int]:
    """The numbers that stand for methods in notes."""
    return {name: number for number, name in enumerate(sorted(names))}


def guarded1(method: Method, notes: Array, number: int, me: Self, one: State | Int) -> State:  # noqa: ARG001
    """A method of one argument, a state or a number; if it cannot continue, the notes are written."""
    return method(me, one)


def guarded2(method: Method, notes: Array, number: int, me: Self, one: State | Int, other: Int) -> State:  # noqa: ARG001
    """Like guarded1(), for a method with one more argument."""
    return method(me, one, other)


def guarded_with(
    method: Method,
    notes: Array,  # noqa: ARG001
    number: int,  # noqa: ARG001
    me: Self,
    one: State | Int,
    other: Int,
    pair: Pair,
) -> State:
    """Like guarded2(), for step with what is prepared for a state, which is not written into the notes."""
    return method(me, one, other, pair)


def guarded_as_is1(method: Method, notes: Array, number: int, me: Self, one: State) -> Pair:  # noqa: ARG001
    """Like guarded1(), for a result that only another method reads."""
    return method(me, one)


def guarded_set1(method: Method, notes: Array, number: int, me: Self, one: State | Int) -> Int:  # noqa: ARG001
    """Like guarded1(), for a method that returns a set of moves; returns it as a word."""
    return signed(int(method(me, one)))


def guarded_key1(method: Method, notes: Array, number: int, me: Self, one: State | Int) -> Int:  # noqa: ARG001
    """Like guarded1(), for a method that returns a key; returns its words."""
    key = method(me, one)
    return words_of(key) if isinstance(key, tuple) else signed(int(key))


def attempted1(method: Method, me: Self, one: State | Int) -> tuple[bool, State | Number]:
    """Whether a method has an answer, and the answer: for calls that a search may never need."""
    try:
        return True, method(me, one)
    except Exception:
        return False, 0


def attempted2(method: Method, me: Self, one: State | Int, other: Int) -> tuple[bool, State | Number]:
    """Like attempted1(), for step."""
    try:
        return True, method(me, one, other)
    except Exception:
        return False, (False, one, 0)


def attempted_with(method: Method, me: Self, one: State | Int, other: Int, pair: Pair) -> tuple[bool, State | Number]:
    """Like attempted2(), for step with what is prepared for a state."""
    try:
        return True, method(me, one, other, pair)
    except Exception:
        return False, (False, one, 0)


def attempted_as_is1(method: Method, me: Self, one: State) -> tuple[bool, Pair]:
    """Like attempted1(), for a result that only another method reads."""
    try:
        return True, method(me, one)
    except Exception:
        return False, 0


def noted1(notes: Array, number: int, one: State | Int) -> None:  # noqa: ARG001
    """Stop because a method's result does not fit."""
    raise BeyondWordError(f"method {number}: {one}")


def noted2(notes: Array, number: int, one: State | Int, other: Int) -> None:  # noqa: ARG001
    """Like noted1(), for a method with one more argument."""
    raise BeyondWordError(f"method {number}: {one}, {other}")


def has_notes(notes: Array) -> bool:
    """Whether a method has stopped; waits until its notes are written."""
    while notes[STATE] == TAKEN:
        sleep(0)
    return bool(notes[STATE] == WRITTEN)


FIRST_STOP = 1000
"""The statuses of compiled code from here on: a method of the domain has stopped, at a site."""


class MethodStopped(Exception):  # noqa: N818  (it is never seen outside)
    """A compiled method has stopped, and the notes describe the call."""

    def __init__(self, status: int) -> None:
        super().__init__(f"compiled code stopped with status {status}")
        self.status = status


def explain(translation: Translation, notes: Array, methods: Mapping[str, Method]) -> NoReturn:
    """Raise the error of the call in the notes, and clear them.

    methods: the methods of the searched domain, in Python.
    """
    names = sorted(methods)
    number, site_number = int(notes[METHOD]), int(notes[SITE])
    name = names[number]
    domain = translation.domain
    arguments = _arguments(domain, name, notes)
    notes[STATE] = FREE
    called = _as_called(name, arguments)
    try:
        answer = methods[name](*arguments)
    except Exception as error:
        error.add_note(f"in {called} of {type(domain).__name__}")
        raise
    _check_answer(domain, name, answer)
    site = translation.site(site_number)
    original = translation.originals.get(name)
    file = site.file if site else original.__code__.co_filename if original is not None else ""
    line = site.line if site else original.__code__.co_firstlineno if original is not None else 0
    function = site.function if site else name
    if name == "estimate" and isinstance(answer, float) and answer < inf:
        if answer > LARGEST_PART:
            raise HeuristicError(name if original is None else original.__name__, arguments[0], answer)
        if answer > EXACT_INTS / 2:
            why = "is a float beyond 2**52, but costs are ints; return math.inf for a dead end, or float(cost) from step"
            raise WordOverflowError(file, line, function, f"{called} {why}")
    raise WordOverflowError(
        file,
        line,
        function,
        f"{called}: compiled code cannot represent a number. Possible causes: {_too_large(translation)}; an int beyond 2**53 is "
        "divided, or must be converted to a float because another branch gives a float; an element of a list needs more bits "
        "than its field declares",
    )


def _too_large(translation: Translation) -> str:
    if not translation.widest:
        return "an int needs more than 64 bits"
    return (
        f"an int needs {translation.widest} bits or more; min, max, abs, a product or a quotient involves an int that does not fit "
        "into a signed 64-bit word"
    )


def _arguments(domain: Domain | GameDomain, name: str, notes: Array) -> list[State]:
    words = notes[ARGUMENTS:].tolist()
    if name in NUMBERS_ONLY:
        return words[: NUMBERS_ONLY[name]]  # type: ignore[no-any-return]
    values = []
    at = 0
    for field in state_fields(domain):
        values.append(field.unpacked(words[at : at + field.count]))
        at += field.register_words
    state = domain.State(*values)
    return [state, words[at]] if name in WITH_NUMBER else [state]


def _as_called(name: str, arguments: Sequence[object]) -> str:
    return f"{name}({', '.join(map(repr, arguments))})"


def _check_answer(domain: Domain | GameDomain, name: str, answer: State) -> None:
    """Raise StateError for a state that does not fit into its fields."""
    states = []
    if name == "step":
        legal, state, _cost = answer
        states = [state] if legal else []
    elif name in ("play", "image", "null", "unrank", "abstract", "dual"):
        states = [answer]
    for state in states:
        for field, value in zip(state._fields, state, strict=True):
            check_bits(domain, state, field, value)


def check_bits(domain: Domain | GameDomain, state: State, name: str, value: object) -> None:
    """Raise StateError for a field that is not an int, or a tuple of them, or does not fit into its declared bits."""
    if isinstance(value, tuple):
        for element in value:
            check_bits(domain, state, name, element)
        return
    if isinstance(value, bool) or not isinstance(value, int):
        raise StateError(f"state {state!r}: its field {name} must be an int")
    bits = domain.bits.get(name)
    if bits is not None and not 0 <= value < 2**bits:
        raise StateError(beyond_bits(domain, state, name))
