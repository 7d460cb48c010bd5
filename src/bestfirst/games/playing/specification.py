"""Players and settings as strings, such as "depth=6,killers=0", "mcts,seconds=1", "random", "external: ./my-program"."""

from __future__ import annotations

import re
import shlex
from dataclasses import fields
from typing import Any

from bestfirst.errors import InputError, UnknownNameError, shown
from bestfirst.games.engine.settings import OwnSettings, Settings
from bestfirst.games.limits import GameLimits
from bestfirst.games.playing.external import ExternalPlayer
from bestfirst.games.playing.player import Player
from bestfirst.games.playing.players import EnginePlayer, MonteCarloPlayer, RandomPlayer

EXTERNAL = "external:"
LIMITS = {"seconds": float, "nodes": int, "depth": int}
OUTSIDE = {"patience": float, "start_up": float}
MONTE_CARLO = {"playouts": int, "seconds": float, "exploration": float, "seed": int}
RANDOM = {"seed": int}
PLIES_OR_ALL = ("foresight", "symmetries")
"""Switches that take a number of plies, on or off."""
SWITCHES = {field.name: str(field.type) for field in fields(Settings)}
FOUNDATIONS = ("plain", "solver")
"""Base settings, to which the switches are changes."""
_ON = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


def player_from(text: str, name: str | None = None) -> Player:
    """The player that a string describes. Words are separated by commas or spaces:

        depth=6,seconds=1,nodes=10000       the engine, with limits for each move,
        depth=6,method=mtdf,killers=0       and any switch of Settings; `plain` switches off all others, and `solver`
                                            means the settings that solve the game fastest
        depth=6,engine=python               the engine of EnginePlayer: python or compiled
        mcts,playouts=1000                  Monte Carlo tree search: playouts, seconds, exploration, seed
        random,seed=3                       random legal moves
        seconds=1 external: ./other --fast  a program that speaks the protocol of docs/protocol.md, with limits for each
                                            move, patience and start_up (see ExternalPlayer)

    name: the name of the player. Default: the string. Raises InputError for an invalid string.
    """
    text = text.strip()
    if not text.strip(", "):
        raise InputError(f"the player is {shown(text)}; name one, such as depth=6, mcts or random")
    called = name or text
    before, is_external, command = text.partition(EXTERNAL)
    words = _words(before, text)
    if is_external:
        if not command.strip():
            raise InputError(
                f"the player is {shown(text)}; write a command after {EXTERNAL}, such as 'external: ./my-program'"
            )
        given = _typed(words, LIMITS | OUTSIDE, "an external player")
        waiting = {key: given.pop(key) for key in OUTSIDE if key in given}
        return ExternalPlayer(_command(command), _limits(given), name=called, **waiting)
    if _has(words, "random"):
        return RandomPlayer(**_typed(words, RANDOM, "random"), name=called)
    if _has(words, "mcts"):
        return MonteCarloPlayer(**_typed(words, MONTE_CARLO, "mcts"), name=called)
    limits = {key: words.pop(key) for key in LIMITS if key in words}
    engine = words.pop("engine", None)
    others = (*LIMITS, "engine", "mcts", "random", EXTERNAL)
    return EnginePlayer(
        _limits(_typed(limits, LIMITS, "the engine")),
        settings_of(words, others, "player or switch"),
        name=called,
        engine=engine,
    )


def settings_from(text: str, method: str | None = None) -> Settings:
    """The settings that a string describes, such as "killers=0,method=alpha-beta", or "plain,table=64MB"; see player_from.

    method: overrides the method in the string. `solver` means the searched game's solver_settings(); switches without `plain`
        or `solver` change its default_settings().
    Raises InputError for an unknown switch or an invalid value.
    """
    return settings_of(_words(text, text) | ({} if method is None else {"method": method}))


def settings_of(words: dict[str, str], others: tuple[str, ...] = (), what: str = "switch") -> Settings:
    """The settings that {name: value} describes, with "" for a name alone.

    others: further names allowed by the caller. what: the kind of name, for errors.
    Raises InputError for an unknown switch or an invalid value.
    """
    words = dict(words)
    plain, solver = _has(words, "plain"), _has(words, "solver")
    if plain and solver:
        raise InputError("the settings name both plain and solver; name only one")
    given = {}
    for key, value in words.items():
        if key not in SWITCHES:
            raise UnknownNameError(what, key, [*SWITCHES, *FOUNDATIONS, *others])
        given[key] = _switch(key, value, SWITCHES[key])
    if plain:
        return Settings.plain(**given)
    return OwnSettings.full_depth(**given) if solver else OwnSettings.default(**given)


def _words(text: str, whole: str) -> dict[str, str]:
    """{name: value} for name=value, and {name: ""} for a name alone."""
    words: dict[str, str] = {}
    for word in re.split(r"[,\s]+", text.strip()):
        if word:
            key, _, value = word.partition("=")
            key = key.strip().lower().replace("-", "_")
            if key in words:
                raise InputError(f"{shown(whole)} names {key} twice; write it once")
            words[key] = value.strip()
    return words


def _has(words: dict[str, str], flag: str) -> bool:
    """Remove a word without a value; return whether it was present."""
    value = words.pop(flag, None)
    if value:
        raise InputError(f"{flag} takes no value; omit {shown(value)}")
    return value is not None


def _command(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise InputError(
            f"the command {shown(text.strip())} cannot be read: {error}; check the quotes and backslashes"
        ) from None


def _limits(given: dict[str, Any]) -> GameLimits | None:
    return GameLimits(**given) if given else None


def _typed(words: dict[str, str], types: dict[str, Any], what: str) -> dict[str, Any]:
    for key in words:
        if key not in types:
            raise UnknownNameError(f"option of {what}", key, types)
    return {key: _number(key, value, types[key]) for key, value in words.items()}


def _number(key: str, value: str, kind: type[int] | type[float]) -> int | float:
    try:
        return kind(value)
    except ValueError:
        needed = f"a whole number, such as {key}=5" if kind is int else f"a number, such as {key}=0.5"
        raise InputError(f"{key} is {shown(value)}; use {needed}") from None


def _switch(key: str, value: str, kind: str) -> Any:
    if "None" in kind and value.lower() in ("none", "off"):
        return None
    if kind.startswith("bool") and (value.lower() in _ON or "str" not in kind):
        if value.lower() not in _ON:
            raise InputError(f"the setting {key} is {shown(value)}; use 1 (on) or 0 (off)")
        return _ON[value.lower()]
    if key in PLIES_OR_ALL and not value.isdigit():
        if value.lower() not in _ON:
            raise InputError(f"the setting {key} is {shown(value)}; use on, off, or a number of plies, such as 1")
        return _ON[value.lower()]
    if "int" in kind and "str" not in kind:
        return _number(key, value, int)
    return value
