"""The few things the archive does to a disk, as a port, so that tests can make each one fail."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

FILE_MODE, FOLDER_MODE = 0o600, 0o700


class Disk(Protocol):
    """Writes drafts, puts them in place, and makes both durable. Every call may raise OSError."""

    def make_folder(self, path: Path) -> None:
        """Create *path* (0700) and what it lacks above it, durably."""
        ...

    def write(self, path: Path, data: bytes) -> None:
        """Create *path* (0600), which must not exist, with *data*, and sync it."""
        ...

    def replace(self, old: Path, new: Path) -> None:
        """Put *old* in the place of *new*: a link there is replaced, never followed."""
        ...

    def sync_folder(self, path: Path) -> None:
        """Make the names in a folder durable."""
        ...

    def remove(self, path: Path) -> None:
        """Remove *path* if it is there."""
        ...


class RealDisk:
    """The file system. Modes hold under any umask."""

    def make_folder(self, path: Path) -> None:
        """See Disk.make_folder."""
        missing = [p for p in (path, *path.parents) if not p.exists()]
        for folder in reversed(missing):
            folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
            folder.chmod(FOLDER_MODE)
            self.sync_folder(folder.parent)

    def write(self, path: Path, data: bytes) -> None:
        """See Disk.write."""
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, FILE_MODE)
        with os.fdopen(fd, "wb") as f:
            os.fchmod(f.fileno(), FILE_MODE)
            f.write(data)
            f.flush()
            os.fsync(f.fileno())

    def replace(self, old: Path, new: Path) -> None:
        """See Disk.replace."""
        old.replace(new)

    def sync_folder(self, path: Path) -> None:
        """See Disk.sync_folder."""
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)

    def remove(self, path: Path) -> None:
        """See Disk.remove."""
        path.unlink(missing_ok=True)
