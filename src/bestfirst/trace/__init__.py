"""Events of a search, a bounded recording of them, and the formats in which a recording can be shown."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bestfirst.trace.events import Event
from bestfirst.trace.recording import Trace

if TYPE_CHECKING:
    from bestfirst.trace.dot import to_dot
    from bestfirst.trace.expansions import AgendaStep, agenda_lines, agenda_steps, expansion_lines
    from bestfirst.trace.json_lines import to_json_lines
    from bestfirst.trace.posthoc import to_posthoc
    from bestfirst.trace.svg import to_svg
    from bestfirst.trace.tree import SearchTree, TreeNode
    from bestfirst.viewer.html import to_html

__all__ = [
    "AgendaStep",
    "Event",
    "SearchTree",
    "Trace",
    "TreeNode",
    "agenda_lines",
    "agenda_steps",
    "expansion_lines",
    "to_dot",
    "to_html",
    "to_json_lines",
    "to_posthoc",
    "to_svg",
]

_MODULE_OF = {
    "AgendaStep": "bestfirst.trace.expansions",
    "SearchTree": "bestfirst.trace.tree",
    "TreeNode": "bestfirst.trace.tree",
    "agenda_lines": "bestfirst.trace.expansions",
    "agenda_steps": "bestfirst.trace.expansions",
    "expansion_lines": "bestfirst.trace.expansions",
    "to_dot": "bestfirst.trace.dot",
    "to_html": "bestfirst.viewer.html",
    "to_json_lines": "bestfirst.trace.json_lines",
    "to_posthoc": "bestfirst.trace.posthoc",
    "to_svg": "bestfirst.trace.svg",
}
"""Names that are imported on first use: most searches are not drawn."""


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULE_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF})
