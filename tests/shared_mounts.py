"""A file system that other machines share, as far as the list of mounts says: the tests have none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bestfirst.system import mounts


def list_mounts(listed: Path, share: Path, monkeypatch: pytest.MonkeyPatch, kind: str = "nfs4") -> None:
    """Write a list of mounts to a file, in which a directory is on a file system of this kind, and have it used."""
    place = str(share).replace(" ", r"\040")
    other = "3 1 0:6 / /media/not-utf-8-\udcff rw - tmpfs none rw\n"
    listed.write_bytes(
        os.fsencode(f"1 0 8:1 / / rw - ext4 /dev/x rw\n2 1 0:5 / {place} rw - {kind} server:/home rw\n{other}")
    )
    monkeypatch.setattr(mounts, "_MOUNTS", listed)
