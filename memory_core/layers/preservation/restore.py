"""Putting a backup back, into places where nothing stands yet."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memory_core.layers.preservation.backup import opened
from memory_core.layers.preservation.model import Damaged, FileRecord, InTheWay, Manifest
from memory_core.layers.preservation.sealed import Key
from memory_core.layers.preservation.snapshot import below, hashed, make_folder, sync

_SIDES = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Put:
    """One file to be restored, from where and to where."""

    record: FileRecord
    source: Path
    target: Path


def restore(place: Path, roots: Mapping[str, Path], key: Key | None = None) -> Manifest:
    """Put every file of a backup back; *roots* says into which folder each root goes.

    Nothing is written where anything is in the way, also a stale `-wal` that SQLite would play
    into a restored database (case O06). Raises InTheWay, Damaged, CannotDecrypt, OSError.
    """
    with opened(place, key) as (data, manifest):
        puts = planned(data, manifest, roots)
        for put in puts:
            _check(put)
        for put in puts:
            _write(put)
        for folder in sorted({p.target.parent for p in puts}):
            sync(folder)
        return manifest


def planned(data: Path, manifest: Manifest, roots: Mapping[str, Path]) -> tuple[Put, ...]:
    """Return what a restore would write. Raises Damaged for a place outside its root."""
    found = []
    for file in manifest.files:
        if file.root not in roots:
            continue
        root = roots[file.root]
        target = Path(os.path.normpath(root / file.place))
        if not target.is_relative_to(root):
            msg = f"the manifest names {file.place}, which lies outside {root}"
            raise Damaged(msg)
        found.append(Put(file, below(data, file.root, file.place), target))
    return tuple(found)


def _check(put: Put) -> None:
    for path in (put.target, *(put.target.with_name(put.target.name + s) for s in _SIDES)):
        if os.path.lexists(path):
            msg = f"{path} is in the way; restore into an empty folder, or move it aside first"
            raise InTheWay(msg)
    if hashed(put.source) != (put.record.size, put.record.sha256):
        msg = f"{put.record.root}/{put.record.place} is not what the manifest says"
        raise Damaged(msg)


def _write(put: Put) -> None:
    make_folder(put.target.parent)
    draft = put.target.with_name(f".{put.target.name}.{os.getpid()}.draft")
    try:
        shutil.copyfile(put.source, draft)
        draft.chmod(put.record.mode)
        sync(draft)
        os.link(draft, put.target)  # refuses a name that appeared meanwhile
    except FileExistsError:
        msg = f"{put.target} appeared during the restore"
        raise InTheWay(msg) from None
    finally:
        draft.unlink(missing_ok=True)
