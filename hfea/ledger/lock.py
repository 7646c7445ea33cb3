"""One night at a time: a kernel lock on the archive folder itself, so it sits with the data."""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hfea.errors import Unavailable

log = logging.getLogger(__name__)
NOTE = "night.lock"


class NightRunning(Unavailable):
    """Another process is consolidating into this archive."""


@contextmanager
def night_lock(folder: Path) -> Iterator[None]:
    """Hold the archive's night lock for a block; raises NightRunning at once where it is held.

    The lock is flock(2) on the folder: the kernel releases it when its holder dies, and no
    removed or stale file can decide. `night.lock` inside it only tells people who holds it.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _take(handle, folder)
        _say_who(folder)
        try:
            yield
        finally:
            (folder / NOTE).unlink(missing_ok=True)
    finally:
        os.close(handle)


def _take(handle: int, folder: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = _read_note(folder) or "another process"
        msg = f"a night is already running in {folder} ({holder}); try again when it has ended"
        raise NightRunning(msg) from error
    except OSError as error:
        msg = f"{folder} cannot be locked ({error.strerror}); use a local file system"
        raise Unavailable(msg) from error


def _read_note(folder: Path) -> str:
    try:
        return (folder / NOTE).read_text(encoding="ascii", errors="replace")[:40].strip()
    except OSError:
        return ""


def _say_who(folder: Path) -> None:
    if left := _read_note(folder):
        log.warning("%s says %r, but nobody holds the lock: left by a crash", NOTE, left)
    (folder / NOTE).unlink(missing_ok=True)
    note = os.open(folder / NOTE, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(note, f"pid {os.getpid()}\n".encode())
    finally:
        os.close(note)
