"""What a part of a lesson computes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Progress: TypeAlias = Callable[[str], None]
"""Called with a description of what is being done."""


@dataclass(frozen=True)
class Result:
    """What was computed. values: by name, numbers, texts, lists and mappings of them. texts: (title, lines) to show.

    recording: what the viewer shows (docs/viewer-format.md); None if there is nothing to watch.
    """

    values: dict[str, Any]
    texts: list[tuple[str, str]] = field(default_factory=list)
    recording: dict[str, Any] | None = None
