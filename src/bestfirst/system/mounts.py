"""Which files other machines may see: there, neither a lock nor memory that is mapped from a file need reach all processes.

No call tells that a file system is shared. So one is taken to be shared unless its type is known to be that of a local one.
"""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

_ON_DISKS = (
    "ext2",
    "ext3",
    "ext4",
    "xfs",
    "btrfs",
    "bcachefs",
    "zfs",
    "f2fs",
    "jfs",
    "reiserfs",
    "overlay",
    "aufs",
    "squashfs",
)
_OF_OTHER_SYSTEMS = ("fuseblk", "ntfs", "ntfs3", "hfsplus", "vfat", "exfat", "iso9660", "erofs")
_IN_MEMORY = ("tmpfs", "ramfs", "rootfs", "devtmpfs")
_LOCAL = {*_ON_DISKS, *_OF_OTHER_SYSTEMS, *_IN_MEMORY}
GONE = (errno.ENOENT, errno.ESTALE)
"""The errors for a file that is gone; the second, if another machine removed or replaced it while this one was looking."""
_MOUNTS = Path("/proc/self/mountinfo")


def may_be_shared(path: Path) -> bool:
    """Whether other machines may have a file, which need not exist; False if the system cannot tell."""
    try:
        found = mount_of(path)
    except OSError:
        return False
    return found is not None and found[1] not in _LOCAL


def mount_of(path: Path) -> tuple[Path, str] | None:
    """Where the file system of a file is mounted, and its type. Raises OSError if the system cannot tell."""
    best = None
    place = path.resolve()
    for line in os.fsdecode(_MOUNTS.read_bytes()).splitlines():
        before, _, after = line.partition(" - ")
        mount = Path(re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), before.split()[4]))
        if (mount == place or mount in place.parents) and (best is None or len(mount.parts) >= len(best[0].parts)):
            best = mount, after.split()[0]
    return best


def is_there(path: Path) -> bool:
    """Whether there is a file, also if another machine removes it just now."""
    try:
        return path.exists()
    except OSError as error:
        if error.errno not in GONE:
            raise
        return False
