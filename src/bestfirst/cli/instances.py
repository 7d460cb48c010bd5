"""Makes a problem or a game from command-line arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bestfirst.errors import reading_instance
from bestfirst.games.game import Game, check_game, check_initial
from bestfirst.makers import Kind, Maker, maker_named
from bestfirst.problem import Problem


def read_instance(name: str, text: str | None, given: Mapping[str, str]) -> Problem:
    """The problem that a name, an instance string and command-line options describe.

    given: option -> value. Raises InputError for an option that is unknown to the domain, missing, or invalid.
    """
    problem: Problem = _made(maker_named(name, Kind.PROBLEM), text, given)
    return problem


def read_game(name: str, given: Mapping[str, str]) -> Game:
    """The game with this name and options; raises InputError for an unknown or invalid option."""
    game: Game = _made(maker_named(name, Kind.GAME), None, given)
    check_game(game)
    check_initial(game)
    return game


def read_either(name: str, text: str | None, given: Mapping[str, str]) -> Problem | Game:
    """The problem or the game with this name: see read_instance() and read_game()."""
    made: Problem | Game = _made(maker_named(name), text, given)
    return made


def _made(maker: Maker, text: str | None, given: Mapping[str, str]) -> Any:
    with reading_instance():
        return maker.make(text, given)
