"""All files of one sealing appear together: written ahead to a journal, then put in place.

The journal holds the new content of every file. It is durable before the first of them is
touched; after a crash, `recover` carries it out again, which changes nothing that was already
done. A crash before the journal is durable leaves the archive as it was.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hfea.archive.disk import Disk
from hfea.archive.layout import JOURNAL_FILE
from hfea.errors import HfeaError

DRAFT = ".draft"
_BYTES = ("utf-8", "surrogateescape")  # a damaged file's bytes pass through unchanged


class ArchiveChanged(HfeaError):
    """A file is not what it was when the sealing was planned; it is kept as it is."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} was changed by somebody else; it is kept and nothing was written")
        self.path = path


class UnsafePlace(HfeaError):
    """A file or folder of the archive is a link, or of a kind that has no place there."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is a link or no plain file; remove it, the archive follows none")


class JournalDamaged(HfeaError):
    """The journal is not what HFEA wrote; it is left alone, and nothing new is sealed."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is damaged: a sealing was interrupted and cannot be finished by itself;"
            " restore the archive from a backup, or remove that file and run `hfea verify`"
        )


@dataclass(frozen=True, slots=True)
class Change:
    """The new content of one file; `before` is the SHA-256 of the old one, '' where none is.

    `added` is how many bytes at the end of `after` are new where a file is appended to that a
    person may edit; 0 where the file is replaced as a whole.
    """

    place: str
    before: str
    after: bytes
    added: int = 0


def digest(data: bytes) -> str:
    """Return the hex SHA-256 of *data*."""
    return hashlib.sha256(data).hexdigest()


def commit(root: Path, changes: Sequence[Change], disk: Disk) -> None:
    """Make all *changes* or none. Raises ArchiveChanged, UnsafePlace, OSError.

    An interrupted sealing must have been finished before (see `finish`): its journal would be
    overwritten here.
    """
    for change in changes:
        check_place(root, change.place)
        if current(root, change.place) != change.before:
            raise ArchiveChanged(root / change.place)
    _write_whole(root / JOURNAL_FILE, _encode(changes), disk)
    _carry_out(root, changes, disk)


def finish(root: Path, disk: Disk) -> tuple[str, ...]:
    """Carry out the journal if there is one; return the files that were completed.

    What a person wrote meanwhile is kept: lines that are still lacking go behind it.
    Raises JournalDamaged, ArchiveChanged, UnsafePlace, OSError.
    """
    path = root / JOURNAL_FILE
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return ()
    try:
        changes = _decode(data)
    except (ValueError, TypeError, AttributeError) as error:
        raise JournalDamaged(path) from error
    return _carry_out(root, changes, disk)


def recover(root: Path, disk: Disk) -> tuple[str, ...]:
    """Sweep drafts and finish what a crash interrupted; return the files that were completed."""
    if not root.is_dir():
        return ()
    for path in (*root.glob(f".*{DRAFT}"), *root.glob(f"[0-9]*/[0-9]*/.*{DRAFT}")):
        if not _behind_link(root, path):
            _naming(path, disk.remove, path)
    return finish(root, disk)


def check_place(root: Path, place: str) -> None:
    """Raise UnsafePlace where a folder on the way to *place* is a link (case X08)."""
    folder = root
    for part in Path(place).parts[:-1]:
        folder = folder / part
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise UnsafePlace(folder)


def _behind_link(root: Path, path: Path) -> bool:
    return any(p.is_symlink() for p in path.parents if p != root and p.is_relative_to(root))


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
            # Put in place before a crash, which may have kept the new name from the disk.
            _naming(root / change.place, disk.sync_folder, (root / change.place).parent)
            continue
        after = change.after if now == change.before else _behind(root, change)
        if after is None:
            continue
        _write_whole(root / change.place, after, disk)
        done.append(change.place)
    _naming(root / JOURNAL_FILE, disk.remove, root / JOURNAL_FILE)
    _naming(root, disk.sync_folder, root)
    return tuple(done)


def _behind(root: Path, change: Change) -> bytes | None:
    """Return a file that a person edited with the lines it still lacks; None for none."""
    path = root / change.place
    if not change.added:
        raise ArchiveChanged(path)
    theirs, ours = path.read_bytes(), change.after[-change.added :]
    if ours in theirs or change.added == len(change.after):
        return None  # ours was there before they edited it
    return theirs + (b"" if theirs.endswith(b"\n") else b"\n") + ours


def _write_whole(path: Path, data: bytes, disk: Disk) -> None:
    _naming(path, disk.make_folder, path.parent)
    draft = path.with_name(f".{path.name}.{os.getpid()}{DRAFT}")
    try:
        _naming(path, disk.remove, draft)
        _naming(path, disk.write, draft, data)
        _naming(path, disk.replace, draft, path)
    except BaseException:
        with contextlib.suppress(OSError):  # `recover` sweeps what cannot be removed now
            disk.remove(draft)
        raise
    _naming(path, disk.sync_folder, path.parent)


def _naming(path: Path, call: Callable[..., None], *args: object) -> None:
    """Call; an OSError says which file of the archive it was about (case C02)."""
    try:
        call(*args)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _encode(changes: Sequence[Change]) -> bytes:
    rows = [[c.place, c.before, c.after.decode(*_BYTES), c.added] for c in changes]
    return json.dumps(rows).encode()


def _decode(data: bytes) -> tuple[Change, ...]:
    return tuple(
        Change(place, before, text.encode(*_BYTES), int(added))
        for place, before, text, added in json.loads(data)
    )
