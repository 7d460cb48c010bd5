"""Specialise a game: an engine template and a GameDomain become compiled code, kept on disk for the next process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bestfirst.compiled.compiler.lookups import read_data
from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.compiled.compiler.specialise import Compiled, built, digest_of
from bestfirst.compiled.compiler.state_fields import state_words
from bestfirst.compiled.compiler.translate import Translation, translate
from bestfirst.errors import CompileError, NotCompilableError
from bestfirst.games.domain import GameDomain
from bestfirst.words import words_of

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Names, Template

NEEDED = ("legal", "play", "is_over", "score")
OPTIONAL = ("evaluate", "order", "noisy", "winning", "losing", "image", "key", "side_to_move", "is_over_unwon")
_READY: dict[str, Template] = {}


def has_changed(compiled: Compiled, game: GameDomain, *, is_selective: bool) -> bool:
    """Whether the code of the game differs from the code that is running."""
    try:
        return _translation(game, _optional(is_selective=is_selective)).digest != compiled.translation.digest
    except (CompileError, NotCompilableError):
        return True


def _optional(*, is_selective: bool) -> Sequence[str]:
    return (*OPTIONAL, "null") if is_selective else OPTIONAL


def _translation(game: GameDomain, optional: Sequence[str]) -> Translation:
    names = [*NEEDED, *(name for name in optional if game.defines(name))]
    return translate(game, {name: getattr(type(game), name) for name in names})


def specialise_game(
    template: Template,
    game: GameDomain,
    parts: Sequence[Template] = (),
    *,
    is_selective: bool = False,
    is_shared: bool = False,
) -> Compiled:
    """The template compiled for a game. Raises CompileError for code that cannot be compiled; the template itself is
    compiled on first call.

    is_selective, is_shared: whether to include the code of forward pruning, and that of several threads; leaving it out
    saves compile time.
    """
    optional = _optional(is_selective=is_selective)
    defined = {name: game.defines(name) for name in optional}
    translation = _translation(game, optional)
    attributes = translation.attributes
    data = read_data(game, attributes)
    constants = {f"HAS_{name.upper()}": known for name, known in defined.items()} | {
        "FIELDS": len(state_words(game)),
        "KEY_WORDS": len(words_of(game.key(game.initial))),
        "NO_KEY": (0,) * len(words_of(game.key(game.initial))),
        "IMAGES": game.images if defined["image"] else 0,
        "ALTERNATES": bool(game.alternates),
        "CAN_PASS": bool(game.can_pass),
        "COUNTS_POINTS": bool(game.counts_points),
        "NOISY_IS_FORCED": bool(game.noisy_is_forced),
        "SELECTIVE": is_selective,
        "IS_SHARED": is_shared,
    }
    tag = f"{template.__name__}_{translation.digest}_{digest_of(template, (specialise_game, *parts), constants)}"
    if tag not in _READY:

        def meanings() -> Names:
            from bestfirst.compiled.compiler.game_methods import kernels_of_game  # noqa: PLC0415  (it imports Numba)

            return kernels_of_game(translation, defined["key"]) | constants

        def find_fault() -> None:
            from bestfirst.compiled.compiler import game_methods  # noqa: PLC0415

            game_methods.find_fault(translation, data)

        _READY[tag] = built(template, meanings, tag, parts, type(game).__name__, find_fault)
    return Compiled(_READY[tag], Kept(data), attributes, False, translation)
