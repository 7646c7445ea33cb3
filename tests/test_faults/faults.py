"""A story that seals and appends; disks that fail or kill at a counted call."""

from __future__ import annotations

import datetime as dt
import errno
import hashlib
import os
import signal
from collections.abc import Callable
from pathlib import Path

from sealed_days import DAY, KEY, addendum, episode, message

from hfea.archive.disk import Disk, RealDisk
from hfea.archive.store import Archive

BEFORE = DAY - dt.timedelta(days=40)
NEXT = DAY + dt.timedelta(days=1)
OLD = message("The old days were sealed long ago.", 9, BEFORE)
ONE = message("We keep the backups in Curitiba.\nNão em São Paulo.")
TWO = message("They run at four.", 2)
LATE = message("The scanner room is on the third floor.", 3)
THIRD = message("The scanner was moved.", 4, NEXT)


def archive(root: Path, disk: Disk | None = None) -> Archive:
    """Open an archive whose salts depend on the place in the chain alone."""

    def entropy(count: int) -> bytes:
        return hashlib.shake_256(f"salt {Archive(root, KEY).head()}".encode()).digest(count)

    return Archive(root, KEY, disk=disk, entropy=entropy)


def before(root: Path) -> None:
    """Make an archive with one day sealed."""
    archive(root).seal(episode([OLD], BEFORE), [OLD])


def story(root: Path, disk: Disk | None = None) -> None:
    """What a night does: recover, then seal and append whatever is not done yet."""
    store = archive(root, disk)
    store.recover()
    store.seal(episode([ONE, TWO]), [ONE, TWO])
    store.seal(episode([THIRD], NEXT), [THIRD])
    store.append(DAY, addendum([LATE]), [LATE])


def tree(root: Path) -> dict[str, bytes]:
    """Return every file below *root*, drafts and journals too."""
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()}


class CountingDisk:
    """Does what RealDisk does; `at` is told the number of each call before and after it."""

    def __init__(self, at: Callable[[int, str, tuple[Path, ...]], None]) -> None:
        self._disk, self._at, self.calls = RealDisk(), at, 0

    def _call(self, name: str, work: Callable[[], None], *paths: Path) -> None:
        self.calls += 1
        self._at(self.calls, name, paths)
        work()

    def make_folder(self, path: Path) -> None:
        self._call("make_folder", lambda: self._disk.make_folder(path), path)

    def write(self, path: Path, data: bytes) -> None:
        self._call("write", lambda: self._disk.write(path, data), path)

    def replace(self, old: Path, new: Path) -> None:
        self._call("replace", lambda: self._disk.replace(old, new), old, new)

    def sync_folder(self, path: Path) -> None:
        self._call("sync_folder", lambda: self._disk.sync_folder(path), path)

    def remove(self, path: Path) -> None:
        self._call("remove", lambda: self._disk.remove(path), path)


def failing(number: int, code: int, *, forever: bool) -> CountingDisk:
    """Return a disk whose call *number* (and every later one) fails; a write leaves a stump."""

    def at(call: int, name: str, paths: tuple[Path, ...]) -> None:
        if call == number or (forever and call > number):
            if name == "write" and code == errno.ENOSPC:
                paths[0].write_bytes(b"half a fi")
            raise OSError(code, os.strerror(code))

    return CountingDisk(at)


def killing(number: int) -> CountingDisk:
    """Return a disk that kills its process just before call *number*; a write leaves a stump."""

    def at(call: int, name: str, paths: tuple[Path, ...]) -> None:
        if call == number:
            if name == "write":
                paths[0].write_bytes(b"half a fi")
            os.kill(os.getpid(), signal.SIGKILL)

    return CountingDisk(at)
