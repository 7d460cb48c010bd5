"""Shows a search in a browser: without it, one would have to read traces as text."""

from __future__ import annotations
