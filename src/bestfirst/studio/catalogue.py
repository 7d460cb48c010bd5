"""What can be chosen on the page: problems with examples, algorithms with options, games, levels."""

from __future__ import annotations

import inspect
from functools import cache
from importlib.util import find_spec
from typing import Any

from bestfirst import ALGORITHMS, DOMAINS, lessons
from bestfirst.errors import BestfirstError
from bestfirst.games.game import Game
from bestfirst.makers import PLAYABLE, Maker
from bestfirst.studio.examples import EXAMPLES, HINTS, OPTION_HINTS, OPTION_HINTS_OF, SIZES
from bestfirst.studio.levels import LEVELS, METHODS
from bestfirst.studio.model_examples import MODEL_EXAMPLES, MODEL_HINTS
from bestfirst.text_instances import TYPED, class_of, options_of
from bestfirst.text_parameters import NO_DEFAULT

ALGORITHM_OPTIONS: dict[str, dict[str, Any]] = {
    "weight": {"kind": "number", "hint": "how much the estimate counts", "least": 0, "step": 0.1},
    "width": {"kind": "number", "hint": "nodes kept at each depth", "least": 1, "usual": 10},
    "seed": {"kind": "number", "hint": "seed of random choices", "least": 0},
    "depth": {"kind": "number", "hint": "maximum depth", "least": 0, "usual": 10},
    "prune": {"kind": "number", "hint": "maximum length of pruned operator sequences", "least": 0},
    "prune_from": {"kind": "number", "hint": "expansions before pruning begins", "least": 0},
    "ties": {"kind": "choice", "hint": "which of two equal nodes comes first", "choices": ["fifo", "lifo"]},
    "order": {"kind": "choice", "hint": "order in which children are tried", "choices": ["given", "f"]},
    "delete_redundant": {"kind": "flag", "hint": "keep only the cheapest path to each state"},
    "memo": {"kind": "flag", "hint": "remember the states that were reached"},
    "backward_heuristic": {"kind": "heuristic", "hint": "heuristic of the backward search"},
}
"""The options of algorithms that the page offers, by name."""


@cache
def catalogue() -> dict[str, Any]:
    """Everything that can be chosen, as JSON."""
    return {
        "problems": [_problem(name) for name in TYPED if name in DOMAINS or has_numpy()],
        "algorithms": [
            {
                "name": algorithm.name,
                "summary": algorithm.summary,
                "heuristic": algorithm.heuristic,
                "promise": algorithm.promise,
                "options": [
                    {"name": name, **ALGORITHM_OPTIONS[name]} for name in algorithm.options if name in ALGORITHM_OPTIONS
                ],
            }
            for algorithm in ALGORITHMS.values()
        ],
        "games": [_game(name, game) for name, game in PLAYABLE.items() if _is_there(game)],
        "lessons": [heading(lesson) for lesson in lessons.all()],
        "pauses": True,
        "methods": list(METHODS),
        "levels": [{"name": level.name, "summary": level.summary} for level in LEVELS],
    }


def heading(lesson: lessons.Lesson, name: str | None = None) -> dict[str, Any]:
    """A lesson as the page lists it. name: the name by which the page asks for it; default: its own."""
    questions = sum(isinstance(part, lessons.Question) for part in lesson.parts)
    return {"name": name or lesson.name, "title": lesson.title, "summary": lesson.summary, "questions": questions}


def _problem(name: str) -> dict[str, Any]:
    domain = class_of(name)
    is_model = name not in DOMAINS
    return {
        "name": name,
        "summary": first_line(domain),
        "hint": MODEL_HINTS[name] if is_model else HINTS[name],
        "takes_instance": True,
        "long": is_model or name in ("road-map", "grid-map", "tree"),
        "options": [
            {
                "name": option.name,
                "needed": option.default is inspect.Parameter.empty,
                "hint": OPTION_HINTS_OF.get((name, option.name), OPTION_HINTS.get(option.name, "")),
            }
            for option in options_of(domain)
        ],
        "sizes": SIZES.get(name, []),
        "examples": MODEL_EXAMPLES[name] if is_model else EXAMPLES[name],
    }


def _game(name: str, game: type[Game]) -> dict[str, Any]:
    return {
        "name": name,
        "summary": first_line(game),
        "options": [
            {"name": option.name, "usual": "" if option.default in (NO_DEFAULT, None) else str(option.default)}
            for option in Maker(name, game).options.values()
        ],
    }


def _is_there(game: type[Game]) -> bool:
    """Whether the package of a game that is not ours is installed."""
    try:
        game.from_options()
    except (BestfirstError, ImportError):
        return False
    return True


def has_numpy() -> bool:
    """Whether NumPy is installed, which models need."""
    return find_spec("numpy") is not None


def first_line(thing: object) -> str:
    """The first line of a docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]
