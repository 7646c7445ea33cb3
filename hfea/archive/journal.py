"""All files of one sealing appear together: written ahead to a journal, then put in place.

The journal holds the new content of every file. It is durable before the first of them is
touched; after a crash, `recover` carries it out again, which changes nothing that was already
done. A crash before the journal is durable leaves the archive as it was.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hfea.archive.disk import Disk
from hfea.archive.layout import JOURNAL_FILE
from hfea.errors import HfeaError

DRAFT = ".draft"


class ArchiveChanged(HfeaError):
    """A file is not what it was when the sealing was planned; it is kept as it is."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} was changed by somebody else; it is kept and nothing was written")
        self.path = path


class UnsafePlace(HfeaError):
    """A file or folder of the archive is a link, or of a kind that has no place there."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is a link or no plain file; remove it, the archive follows none")


@dataclass(frozen=True, slots=True)
class Change:
    """The new content of one file; `before` is the SHA-256 of the old one, '' where none is."""

    place: str
    before: str
    after: bytes


def digest(data: bytes) -> str:
    """Return the hex SHA-256 of *data*."""
    return hashlib.sha256(data).hexdigest()


def commit(root: Path, changes: Sequence[Change], disk: Disk) -> None:
    """Make all *changes* or none. Raises ArchiveChanged, UnsafePlace, OSError."""
    for change in changes:
        check_place(root, change.place)
        if current(root, change.place) != change.before:
            raise ArchiveChanged(root / change.place)
    _write_whole(root / JOURNAL_FILE, _encode(changes), disk)
    _carry_out(root, changes, disk)


def recover(root: Path, disk: Disk) -> tuple[str, ...]:
    """Finish what a crash interrupted and sweep drafts; return the files that were completed."""
    if not root.is_dir():
        return ()
    for path in (*root.glob(f".*{DRAFT}"), *root.glob(f"[0-9]*/[0-9]*/.*{DRAFT}")):
        disk.remove(path)
    try:
        changes = _decode((root / JOURNAL_FILE).read_bytes())
    except FileNotFoundError:
        return ()
    return _carry_out(root, changes, disk)


def check_place(root: Path, place: str) -> None:
    """Raise UnsafePlace where a folder on the way to *place* is a link (case X08)."""
    folder = root
    for part in Path(place).parts[:-1]:
        folder = folder / part
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise UnsafePlace(folder)


def current(root: Path, place: str) -> str:
    """Return the SHA-256 of a file of the archive; '' for none, and for a link (no file)."""
    path = root / place
    if path.is_symlink() or not path.exists():
        return ""
    if not path.is_file():
        raise UnsafePlace(path)
    return digest(path.read_bytes())


def _carry_out(root: Path, changes: Sequence[Change], disk: Disk) -> tuple[str, ...]:
    done = []
    for change in changes:
        check_place(root, change.place)
        now = current(root, change.place)
        if now == digest(change.after):
            continue
        if now != change.before:
            raise ArchiveChanged(root / change.place)
        _write_whole(root / change.place, change.after, disk)
        done.append(change.place)
    disk.remove(root / JOURNAL_FILE)
    disk.sync_folder(root)
    return tuple(done)


def _write_whole(path: Path, data: bytes, disk: Disk) -> None:
    disk.make_folder(path.parent)
    draft = path.with_name(f".{path.name}.{os.getpid()}{DRAFT}")
    try:
        disk.remove(draft)
        disk.write(draft, data)
        disk.replace(draft, path)
    except BaseException:
        disk.remove(draft)
        raise
    disk.sync_folder(path.parent)


def _encode(changes: Sequence[Change]) -> bytes:
    rows = [[c.place, c.before, c.after.decode("utf-8")] for c in changes]
    return json.dumps(rows, ensure_ascii=False).encode()


def _decode(data: bytes) -> tuple[Change, ...]:
    return tuple(Change(place, before, text.encode()) for place, before, text in json.loads(data))
