"""Changing a permanent file as Hermes does: its lock, its rules, its canonical form, atomically.

Nothing here decides whether a change is allowed: that is `memory_core.authority`, and only the
proposals call this.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memory_core.layers.permanent.entries import decoded, drift_of, joined, parse
from memory_core.layers.permanent.limits import limits

LOCK_SECONDS = 10.0
_RETRY_SECONDS = 0.02
_NEW_MODE = 0o600


class PermanentError(Exception):
    """A permanent file was left as it is; the sentence says why and what to do."""


class Drifted(PermanentError):
    """The file holds text that Hermes would not write back as it stands."""


class OverLimit(PermanentError):
    """The change does not fit Hermes's limit; nothing is cut (case K19)."""


class NoSuchEntry(PermanentError):
    """No entry has the text that was to be changed."""


class Ambiguous(PermanentError):
    """Several different entries hold the text that was to be changed."""


class ChangedSince(PermanentError):
    """Somebody wrote the file since it was read for this change."""


class LockBusy(PermanentError):
    """Another process holds Hermes's lock on the file."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One change of a file: `act` is add, replace or remove; `old_text` part of one entry.

    Where `exact`, `old_text` must be a whole entry.
    """

    file: str
    act: str
    text: str = ""
    old_text: str = ""
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """What a change did: the bytes before and after; None for a file that was not there."""

    file: str
    before: bytes | None
    after: bytes

    @property
    def changed(self) -> bool:
        """Whether anything is different now; adding what is there already changes nothing."""
        return self.before != self.after


def apply(home: Path, operation: Operation, *, expect: str | None = None) -> Written:
    """Carry out one change under Hermes's lock, whole or not at all.

    *expect* is the SHA-256 (hex, '' for no file) of the bytes the change was made for; with it
    a concurrent edit raises ChangedSince. Raises PermanentError, OSError, UnicodeDecodeError.
    """
    path = home / "memories" / operation.file
    path.parent.mkdir(parents=True, exist_ok=True)
    limit = limits(home).of(operation.file)
    with _locked(path):
        before = path.read_bytes() if path.is_file() else None
        if expect is not None and expect != _digest(before):
            raise ChangedSince(
                f"{path} was written by somebody else meanwhile; look at it and propose again"
            )
        text = decoded(before or b"")
        if operation.act != "add" and (why := drift_of(text, limit)):
            raise Drifted(
                f"{path} is not as Hermes writes it ({why}); Hermes refuses to change it too:"
                " put it right by hand, one entry a block, then approve again"
            )
        found = list(dict.fromkeys(parse(text)))
        after = _changed(found, operation)
        if after is None:
            return Written(operation.file, before, before or b"")
        new = joined(after)
        if len(new) > limit and len(new) > len(joined(found)):
            raise OverLimit(
                f"{operation.file} would hold {len(new)} of {limit} characters; nothing was"
                " written and nothing cut: shorten the text, or raise the limit in config.yaml"
            )
        _replace(path, new.encode())
        return Written(operation.file, before, new.encode())


def put_back(home: Path, file: str, data: bytes | None, *, expect: str) -> None:
    """Give a file its former bytes, if it still holds those with the digest *expect*.

    None: an empty file, as Hermes leaves it. Raises ChangedSince, LockBusy, OSError.
    """
    path = home / "memories" / file
    with _locked(path):
        now = path.read_bytes() if path.is_file() else None
        if _digest(now) != expect:
            raise ChangedSince(f"{path} was written since; undo entry by entry")
        _replace(path, data or b"")


def _changed(found: list[str], operation: Operation) -> list[str] | None:
    """Return the entries after the change; None where nothing is to be done."""
    text = operation.text.strip()
    if operation.act == "add":
        return None if text in found else [*found, text]
    at = _place(found, operation)
    if operation.act == "remove":
        return found[:at] + found[at + 1 :]
    if found[at] == text:
        return None
    return list(dict.fromkeys([*found[:at], text, *found[at + 1 :]]))


def _place(found: list[str], operation: Operation) -> int:
    old = operation.old_text.strip()
    hits = [n for n, e in enumerate(found) if (e == old if operation.exact else old in e)]
    if not hits or not old:
        raise NoSuchEntry(f"{operation.file} has no entry with the text to be changed")
    if len(hits) > 1:
        raise Ambiguous(f"{len(hits)} entries of {operation.file} hold that text; give more of it")
    return hits[0]


def _digest(data: bytes | None) -> str:
    return "" if data is None else hashlib.sha256(data).hexdigest()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold flock(2) on `<file>.lock`, as Hermes does around every write of its own."""
    lock = path.with_name(path.name + ".lock")
    handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, _NEW_MODE)
    try:
        deadline = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise LockBusy(f"{lock} is held by another process; try again") from None
                time.sleep(_RETRY_SECONDS)
        yield
    finally:
        os.close(handle)


def _replace(path: Path, data: bytes) -> None:
    """Put *data* in the file's place: temporary beside it, synced, renamed, folder synced."""
    real = path.resolve()  # a linked file stays a link
    mode = real.stat().st_mode & 0o7777 if real.exists() else _NEW_MODE
    fd, name = tempfile.mkstemp(dir=real.parent, prefix=".mem_", suffix=".tmp")
    draft = Path(name)
    try:
        with os.fdopen(fd, "wb") as f:
            os.fchmod(f.fileno(), mode)
            f.write(data)
            f.flush()
            os.fsync(f.fileno())
        draft.replace(real)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    folder = os.open(real.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
