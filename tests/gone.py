"""Whether processes have ended."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from time import monotonic, sleep


def is_gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody waited for yet has ended too."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def all_gone(pids: Iterable[int], seconds: float = 10.0) -> bool:
    """Whether all end within some seconds."""
    deadline = monotonic() + seconds
    left = set(pids)
    while left and monotonic() < deadline:
        left = {pid for pid in left if not is_gone(pid)}
        sleep(0.02)
    return not left
