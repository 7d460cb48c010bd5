"""Writes the tree of a game search to a file in the format of its suffix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bestfirst.games.tracing.drawing import game_tree_dot, game_tree_posthoc, game_tree_svg
from bestfirst.games.tracing.trace import GameTrace
from bestfirst.system.atomic import write_atomically
from bestfirst.trace.files import check_trace_file, form_of
from bestfirst.viewer.game_recording import game_recording_of
from bestfirst.viewer.page import page_of

_FORMS: dict[str, Callable[[GameTrace], str]] = {
    ".html": lambda trace: page_of([game_recording_of(trace)]),
    ".trace.yaml": game_tree_posthoc,
    ".dot": game_tree_dot,
    ".svg": game_tree_svg,
    ".txt": lambda trace: trace.text() + "\n",
}


def check_game_trace_file(path: Path) -> None:
    """Raise InputError for a file that cannot be written, or whose suffix is unknown."""
    check_trace_file(path, _FORMS)


def write_game_trace(path: Path, trace: GameTrace) -> None:
    """Write the last tree of a game's trace to a file, atomically, in the format of its suffix."""
    check_game_trace_file(path)
    write_atomically(path, form_of(path, _FORMS)(trace))
