"""The resident memory of a process, by which a limit on memory ends a search before the machine does."""

from __future__ import annotations

import re
import sys
from math import inf
from pathlib import Path

from bestfirst.errors import InputError
from bestfirst.system.control_groups import memory_left

_MEMINFO = Path("/proc/meminfo")


def resident_bytes() -> int:
    """The resident memory of this process now (on macOS: its peak; in a browser: all that Python has).

    Raises InputError on systems without this information, which cannot enforce a memory limit.
    """
    known = resident_bytes_of("self")
    if known is not None:
        return known
    if sys.platform == "darwin":
        import resource  # noqa: PLC0415

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if sys.platform == "emscripten":
        import pyodide_js  # noqa: PLC0415  (of Python in a browser)

        return int(pyodide_js._module.HEAPU8.length)
    raise InputError("this system does not report the memory of a process; omit the limit on memory")


def resident_bytes_of(process: int | str) -> int | None:
    """The resident memory of a process in bytes; None if it has ended, or the system does not report it."""
    try:
        import resource  # noqa: PLC0415  (not there on Windows)

        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize()
    except (ImportError, OSError, IndexError):
        return None


def available_bytes() -> float:
    """The memory that this process can still take without swapping; infinite if unknown.

    In a container at most what the container may still take.
    """
    return min(_available_in_system(), memory_left())


def _available_in_system() -> float:
    try:
        text = _MEMINFO.read_text()
    except OSError:
        return inf
    match = re.search(r"MemAvailable:\s*(\d+) kB", text)
    return inf if match is None else 1024 * int(match[1])


def check_room(what: str, size: int, remedy: str) -> None:
    """Raise InputError if something takes more bytes than are available. remedy: what to do instead."""
    available = available_bytes()
    if size > available:
        raise InputError(f"{what} takes {size:,} bytes, but only {available:,.0f} are available; {remedy}")
