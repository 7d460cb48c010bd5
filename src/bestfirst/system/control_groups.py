"""Control groups: how much memory Linux still grants to the container of this process.

A process belongs to a group of version 1 (a hierarchy for memory alone) or 2 (one for everything), or to both. A group's
limit holds for all processes in it and in the groups below it, so the tightest limit on the path to the root applies.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from math import inf
from pathlib import Path, PurePosixPath

ROOT = Path("/")

_FILES = {
    "cgroup2": ("memory.max", "memory.current", "inactive_file"),
    "cgroup": ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
}
"""For each file system type, the files with the limit and the usage, and the name of reclaimable file memory in
memory.stat."""


def memory_left() -> float:
    """The bytes that this process may still take under its control groups; infinite if there is no limit."""
    try:
        return min((_left(group, kind) for kind, group in _groups()), default=inf)
    except (OSError, ValueError):  # not Linux, or no information
        return inf


def _groups() -> Iterator[tuple[str, Path]]:
    """The groups of this process and their ancestors: the file system type, and the directory."""
    paths = {}
    for line in _read("/proc/self/cgroup").splitlines():
        _number, controllers, path = line.split(":", 2)
        if not controllers or "memory" in controllers.split(","):
            paths["cgroup" if controllers else "cgroup2"] = path
    for line in _read("/proc/self/mountinfo").splitlines():
        before, _, after = line.partition(" - ")
        kind, _source, options = after.split(" ", 2)
        if kind not in paths or (kind == "cgroup" and "memory" not in options.split(",")):
            continue
        root, mount = before.split()[3:5]
        inside = _below(root, paths[kind])
        for place in (inside, *inside.parents):
            yield kind, ROOT / mount.lstrip("/") / place


def _below(root: str, path: str) -> PurePosixPath:
    """A group's path relative to the mounted one; in a container, that often is the group itself."""
    try:
        return PurePosixPath(path).relative_to(root)
    except ValueError:
        return PurePosixPath(".")


def _left(group: Path, kind: str) -> float:
    """What the limit of a group leaves; cached files can be dropped, so they are treated as free."""
    limit, taken, droppable = _FILES[kind]
    try:
        allowed = (group / limit).read_text().strip()
        if allowed == "max":
            return inf
        used = int((group / taken).read_text())
    except OSError:  # the root group has no limit
        return inf
    return max(0, int(allowed) - used + _dropped(group, droppable))


def _dropped(group: Path, name: str) -> int:
    try:
        facts = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
    except OSError:
        return 0
    return int(facts.get(name, 0))


def _read(path: str) -> str:
    return os.fsdecode((ROOT / path.lstrip("/")).read_bytes())
