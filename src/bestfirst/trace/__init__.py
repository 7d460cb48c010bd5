"""Events of a search, a bounded recording of them, and the formats in which a recording can be shown."""

from bestfirst.trace.dot import to_dot
from bestfirst.trace.events import Event
from bestfirst.trace.expansions import AgendaStep, agenda_lines, agenda_steps, expansion_lines
from bestfirst.trace.json_lines import to_json_lines
from bestfirst.trace.posthoc import to_posthoc
from bestfirst.trace.recording import Trace
from bestfirst.trace.svg import to_svg
from bestfirst.trace.tree import SearchTree, TreeNode

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
    "to_json_lines",
    "to_posthoc",
    "to_svg",
]
