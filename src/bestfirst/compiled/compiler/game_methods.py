"""The compilable members of a GameDomain, and the functions that move its states and keys to and from arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
from numba.core import types as numba_types

from bestfirst.compiled.compiler.arithmetic import OPERATIONS
from bestfirst.compiled.compiler.code_generation import compiler, numba_type
from bestfirst.compiled.compiler.domain_methods import as_self, guarded_methods, raw_methods, result_of, state_type_of
from bestfirst.compiled.compiler.guards import WITH_NUMBER
from bestfirst.compiled.compiler.intrinsics import whole_number
from bestfirst.compiled.compiler.machine_code import passed
from bestfirst.compiled.compiler.operations.whole import in_words, is_int
from bestfirst.compiled.compiler.shared import shared
from bestfirst.compiled.compiler.state_fields import state_fields, state_words, telling_fields
from bestfirst.compiled.compiler.state_source import row_functions, word_of
from bestfirst.compiled.compiler.translate import Place, Translation
from bestfirst.compiled.store.hashing import hashing_names, mixing
from bestfirst.games.domain import GameDomain
from bestfirst.words import words_of

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Names


def kernels_of_game(translation: Translation, has_key: bool) -> Names:
    """The functions of a game that a template reads. has_key: whether the game has its own key."""
    key = compiler(), translation.digest, has_key
    if key not in translation.compiled:
        kernels = _kernels(translation)
        kernels |= guarded_methods(translation, kernels)
        translation.compiled[key] = kernels | _words(cast("GameDomain", translation.domain), has_key, kernels)
    return dict(translation.compiled[key])


def find_fault(translation: Translation, data: tuple[object, ...]) -> None:
    """Compile the members one by one. Raises CompileError for the first that cannot be compiled."""
    game = translation.domain
    kernels = _kernels(translation)
    data_type = numba_type(passed(data)[0])
    kernels["as_self"].compile((data_type,))
    me_type = kernels["as_self"].overloads[data_type,].signature.return_type
    state_type = state_type_of(game)
    for name, function in translation.originals.items():
        place = Place(function)
        arguments = (me_type, state_type) + ((numba_types.int64,) if name in WITH_NUMBER else ())
        result = result_of(kernels[f"raw_{name}"], arguments, place)
        if name in ("play", "image", "null"):
            fits, wanted = result == state_type, "self.State(...) in every case"
        else:
            fits = is_int(result) or name == "key"
            wanted = "an int in every case; use // instead of /, or int()"
        if not fits:
            raise place.fail(None, f"it returns {in_words(result)}; return {wanted}")


def _kernels(translation: Translation) -> Names:
    """The members of the game, compiled, and the functions that move a state to and from the engine's arrays."""
    game = cast("GameDomain", translation.domain)
    fields = state_fields(game)
    words = [word_of(fields, number) for number in range(len(state_words(game)))]
    source = f"""{row_functions(fields, "int({})")}
def hash_of(state):
    {"; ".join(mixing(words))}
    return mixed
"""
    namespace: Names = {"State": game.State, **hashing_names(), **OPERATIONS, "ZERO": np.int64(0)}
    exec(source, namespace)
    kernels: Names = {"whole": whole_number, **raw_methods(translation)}
    kernels |= {name: shared(namespace[name]) for name in ("load_row", "store_row", "hash_of")}
    return kernels | {"as_self": as_self(translation)}


def _words(game: GameDomain, has_key: bool, kernels: Names) -> Names:
    """The functions for the words of a key; the slot is that of PackedTable."""
    count = len(words_of(game.key(game.initial)))
    fields = state_fields(game)
    if has_key:
        words = "key(me, state)" if isinstance(game.key(game.initial), tuple) else "(key(me, state),)"
    else:
        words = f"({''.join(f'{word_of(fields, number)}, ' for number in telling_fields(game))})"
    source = f"""
def key_words(me, state):
    return {words}

def place_of(words, places):
    {"; ".join(mixing(f"words[{number}]" for number in range(count)))}
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
    namespace: Names = {
        **hashing_names(),
        **OPERATIONS,
        "int64": np.int64,
        **({"key": kernels["key"]} if has_key else {}),
    }
    exec(source, namespace)
    return {
        name: shared(namespace[name]) for name in ("key_words", "place_of", "is_key", "store_entry", "load_key", "store_key")
    }
