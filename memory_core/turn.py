"""One at a time: a kernel lock that processes and calls within one share."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Turn:
    """flock(2) on a file of its own, taken once however deep the calls; None needs no lock."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._depth = 0

    @contextmanager
    def taken(self, *, wait: bool = True) -> Iterator[bool]:
        """Hold it for a block; gives False at once where it is held and *wait* is False."""
        if self._path is None or self._depth:
            self._depth += 1
            try:
                yield True
            finally:
                self._depth -= 1
            return
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                yield False
                return
            self._depth = 1
            try:
                yield True
            finally:
                self._depth = 0
        finally:
            os.close(handle)
