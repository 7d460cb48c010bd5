"""The members of a GameDomain, and what moves its states and keys to and from the engine's arrays, for Numba to compile."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numba
import numpy as np
from numba.core import errors as numba_errors
from numba.core import types as numba_types

from bestfirst.compiled.code_generation import inner
from bestfirst.compiled.intrinsics import whole_number
from bestfirst.compiled.kernels import compiled_functions, complaint, read_in
from bestfirst.compiled.translate import Place, Translation
from bestfirst.errors import CompileError
from bestfirst.games.domain import GameDomain
from bestfirst.games.packed_table import FACTOR, SHIFT, words_of

TAKES_A_NUMBER = frozenset({"play", "order", "image"})
"""The members that take a move, or the number of an image, beside the state."""


def kernels_of_game(translation: Translation, has_key: bool) -> dict[str, Any]:
    """What a template reads of a game. has_key: whether the game has a key of its own."""
    kernels = _kernels(translation)
    game: Any = translation.domain
    return kernels | _words(game, has_key, kernels)


def find_fault(translation: Translation, data: tuple[Any, ...]) -> None:
    """Compile the members one by one. Raises CompileError for the first that cannot be compiled."""
    game = translation.domain
    kernels = _kernels(translation)
    me_type = numba.typeof(kernels["as_self"].py_func(data))
    state_type = numba_types.NamedUniTuple(numba_types.int64, len(game.State._fields), game.State)
    for name, function in translation.functions.items():
        place = Place(function)
        arguments = (me_type, state_type) + ((numba_types.int64,) if name in TAKES_A_NUMBER else ())
        try:
            kernels[name].compile(arguments)
        except numba_errors.NumbaError as error:
            raise complaint(error, place) from None
        result = kernels[name].overloads[arguments].signature.return_type
        if name in ("play", "image", "null"):
            fits, wanted = result == state_type, "self.State(...) in every case"
        else:
            fits = isinstance(result, numba_types.Integer | numba_types.Boolean) or name == "key"
            wanted = "an int in every case; use // instead of /, or int()"
        if not fits:
            raise CompileError(place.file, place.first_line, place.name, f"it returns {result}; return {wanted}")


def _kernels(translation: Translation) -> dict[str, Any]:
    """The members of the game, compiled, and the functions that move a state to and from the engine's arrays."""
    attributes = sorted(translation.reads)
    state_class = translation.domain.State
    shared = {"State": state_class, "_whole_number": whole_number} | compiled_functions(translation)
    kernels: dict[str, Any] = {"whole": whole_number}
    for name, function in translation.functions.items():
        function.__globals__.update(shared)
        kernels[name] = inner(function, forceinline=True)
    places = range(len(state_class._fields))
    game: Any = translation.domain
    source = f"""
def as_self(data):
    return Data({", ".join(read_in(game, attributes, 0))})

def load_row(words, at):
    return State({", ".join(f"words[unsigned(at + {field})]" for field in places)})

def store_row(words, at, state):
    {"; ".join(f"words[unsigned(at + {field})] = state[{field}]" for field in places)}
"""
    namespace: dict[str, Any] = {"Data": namedtuple("Data", attributes), "State": state_class, "unsigned": np.uint64}
    exec(source, namespace)
    return kernels | {name: inner(namespace[name]) for name in ("as_self", "load_row", "store_row")}


def _words(game: GameDomain, has_key: bool, kernels: dict[str, Any]) -> dict[str, Any]:
    """The functions that have to do with the words of a key; the slot is that of PackedTable."""
    count = len(words_of(game.key(game.initial)))
    fields = game.State._fields
    if has_key:
        words = "key(me, state)" if isinstance(game.key(game.initial), tuple) else "(key(me, state),)"
    else:
        words = f"({''.join(f'state[{fields.index(name)}], ' for name in game.identity or fields)})"
    source = f"""
def key_words(me, state):
    return {words}

def place_of(words, places):
    mixed = unsigned(0)
    {"; ".join(f"mixed = (mixed ^ unsigned(words[{number}])) * FACTOR; mixed ^= mixed >> SHIFT" for number in range(count))}
    return int64(mixed & unsigned(places - 1)) * {count + 1}

def is_key(table, at, words, entry):
    return {" and ".join(f"table[unsigned(at + {number})] == words[{number}] ^ entry" for number in range(count))}

def store_entry(table, at, words, entry):
    {"; ".join(f"table[unsigned(at + {number})] = words[{number}] ^ entry" for number in range(count))}
    table[unsigned(at + {count})] = entry

def load_key(rows, at):
    return ({"".join(f"rows[unsigned(at + {number})], " for number in range(count))})

def store_key(rows, at, words):
    {"; ".join(f"rows[unsigned(at + {number})] = words[{number}]" for number in range(count))}
"""
    namespace: dict[str, Any] = {
        "unsigned": np.uint64,
        "int64": np.int64,
        "FACTOR": np.uint64(FACTOR),
        "SHIFT": np.uint64(SHIFT),
        **({"key": kernels["key"]} if has_key else {}),
    }
    exec(source, namespace)
    return {
        name: inner(namespace[name]) for name in ("key_words", "place_of", "is_key", "store_entry", "load_key", "store_key")
    }
