"""The memory that a container leaves to its processes, from files as Linux writes them."""

from __future__ import annotations

import os
from math import inf
from pathlib import Path

import pytest

from bestfirst.system import control_groups, memory

MOUNTS = """\
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 23 0:29 / /media/not-utf-8-\udcff rw,relatime - tmpfs tmpfs rw
35 31 0:32 {root} /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
36 31 0:33 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
41 31 0:38 {root} /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw
"""


def system(root: Path, monkeypatch: pytest.MonkeyPatch, *, groups: str, mounted: str = "/", files: dict[str, str]) -> None:
    """A system whose process is in these groups, of which one is mounted."""
    monkeypatch.setattr(control_groups, "ROOT", root)
    for name, text in {
        "proc/self/cgroup": groups,
        "proc/self/mountinfo": MOUNTS.format(root=mounted),
        **{f"sys/fs/cgroup/{name}": text for name, text in files.items()},
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(os.fsencode(text))


def test_the_limit_of_version_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is taken is beside it; files in memory can be dropped."""
    files = {"memory.max": "1000\n", "memory.current": "700\n", "memory.stat": "anon 600\ninactive_file 50\n"}
    files = {f"unified/jobs/one/{name}": text for name, text in files.items()}
    system(tmp_path, monkeypatch, groups="0::/jobs/one\n", files=files)
    assert control_groups.memory_left() == 350


def test_the_limit_of_version_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a hierarchy of its own, with names of its own."""
    files = {"memory.limit_in_bytes": "1000", "memory.usage_in_bytes": "900", "memory.stat": "total_inactive_file 20\n"}
    files = {f"memory/box/{name}": text for name, text in files.items()}
    system(tmp_path, monkeypatch, groups="4:memory:/box\n3:cpu:/\n0::/\n", files=files)
    assert control_groups.memory_left() == 120


def test_the_tightest_limit_on_the_way_up_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A group without one is in groups with some."""
    files = {
        "unified/a/b/memory.max": "max",
        "unified/a/memory.max": "500",
        "unified/a/memory.current": "100",
        "unified/memory.max": "450",
        "unified/memory.current": "449",
    }
    system(tmp_path, monkeypatch, groups="0::/a/b", files=files)
    assert control_groups.memory_left() == 1


def test_in_a_container_the_group_itself_is_mounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the path that it has outside, below the group or not."""
    files = {"unified/memory.max": "500", "unified/memory.current": "100"}
    for groups in ("0::/docker/ab12", "0::/docker/ab12/inner", "0::/../other"):
        system(tmp_path, monkeypatch, groups=groups, mounted="/docker/ab12", files=files)
        assert control_groups.memory_left() == 400


def test_without_a_limit_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No group, none with a limit, or no Linux."""
    system(tmp_path, monkeypatch, groups="0::/\n", files={"unified/a/memory.max": "5"})
    assert control_groups.memory_left() == inf
    monkeypatch.setattr(control_groups, "ROOT", tmp_path / "nowhere")
    assert control_groups.memory_left() == inf


def test_more_than_the_limit_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what is available is never more than that."""
    files = {"unified/memory.max": "500", "unified/memory.current": "600"}
    system(tmp_path, monkeypatch, groups="0::/", files=files)
    assert (control_groups.memory_left(), memory.available_bytes()) == (0, 0)
    (tmp_path / "sys/fs/cgroup/unified/memory.max").write_text("10000")
    assert memory.available_bytes() == 9_400
