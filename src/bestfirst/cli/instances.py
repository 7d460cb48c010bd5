"""Makes a problem or a game from command-line arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

from bestfirst.errors import InputError, reading_instance
from bestfirst.games.game import Game, Position, check_game, check_initial
from bestfirst.makers import Given, Kind, Maker, flag, maker_named
from bestfirst.problem import Problem
from bestfirst.solution import Limits


def read_instance(name: str, text: str | None, given: Given, limits: Limits | None = None) -> Problem:
    """The problem that a name, an instance string and command-line options describe.

    given: option -> value. limits: those of the command, for a domain whose instances are long work to read.
    Raises InputError for an option that is unknown to the domain, missing, or invalid.
    """
    problem: Problem = _made(maker_named(name, Kind.PROBLEM), text, given, limits)
    return problem


def read_in_time(name: str, text: str | None, given: Given, limits: Limits) -> tuple[Problem, Limits]:
    """As read_instance(), with what is left of the limits if reading the instance is long work."""
    begun = perf_counter()
    problem = read_instance(name, text, given, limits)
    if limits.seconds is None or not maker_named(name, Kind.PROBLEM).takes_limits:
        return problem, limits
    return problem, replace(limits, seconds=max(0.0, limits.seconds - (perf_counter() - begun)))


def only_instance(name: str, words: Sequence[str] | None, kind: Kind | None = Kind.PROBLEM) -> str | None:
    """The text of the only instance that the words after a name give; None if there are no words. Raises InputError if there
    are several instances."""
    if not words:
        return None
    maker = maker_named(name, kind)
    texts = maker.instances(words)
    if len(texts) > 1:
        listed = ", ".join(map(repr, texts))
        raise InputError(
            f"one instance of {maker.name} is expected, but {len(texts)} are given: {listed}; give one, in quotes if it has spaces"
        )
    return texts[0]


def goal_as_instance(name: str, given: Given) -> str | None:
    """The goal of the options, if it can stand for the instance of a command that needs only a goal; None otherwise."""
    maker = maker_named(name, Kind.PROBLEM)
    goal = given.get("goal") if maker.reads_text else None
    if isinstance(goal, list):
        raise InputError(
            f"no instance is given, and {flag('goal')} is given {len(goal)} times; add an instance of {maker.name}"
        )
    return goal


def read_game(name: str, given: Given) -> Game:
    """The game with this name and options; raises InputError for an unknown or invalid option."""
    game: Game = _made(maker_named(name, Kind.GAME), None, given)
    check_game(game)
    check_initial(game)
    return game


def read_position(game: Game, text: str) -> Position:
    """The position of moves or a board, for analyse(): text, but if states are strings, the state that it describes."""
    return game.parse(text) if isinstance(game.initial, str) else text


def read_either(name: str, text: str | None, given: Given) -> Problem | Game:
    """The problem or the game with this name: see read_instance() and read_game()."""
    made: Problem | Game = _made(maker_named(name), text, given)
    return made


def _made(maker: Maker, text: str | None, given: Given, limits: Limits | None = None) -> Any:
    with reading_instance():
        return maker.make(text, given, limits)
