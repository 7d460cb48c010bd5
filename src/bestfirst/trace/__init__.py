"""What a search did: its events, a bounded recording of them, and the forms in which a recording can be shown."""

from bestfirst.trace.events import Event
from bestfirst.trace.recording import Trace

__all__ = ["Event", "Trace"]
