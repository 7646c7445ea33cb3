"""Making a backup, whole or not at all, and saying whether one is still what it was."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memory_core.layers.preservation import sealed
from memory_core.layers.preservation.checks import counts_of, faults_of
from memory_core.layers.preservation.model import (
    DATA,
    MANIFEST,
    Damaged,
    FileRecord,
    Manifest,
    PreservationError,
    Store,
    StoreRecord,
    decode,
)
from memory_core.layers.preservation.sealed import Key, Lock
from memory_core.layers.preservation.snapshot import Reader, below, hashed, preserve, sync

PREFIX = "hfea-"
Describe = Callable[[tuple[StoreRecord, ...]], Manifest]


@dataclass(frozen=True, slots=True)
class Seal:
    """The archive key that signs a manifest, and the lock of an encrypted backup."""

    key: bytes
    lock: Lock | None = None


def create(
    folder: Path,
    stores: Sequence[Store],
    describe: Describe,
    *,
    seal: Seal,
    readers: Callable[[Store], Reader[StoreRecord]],
) -> tuple[Path, Manifest]:
    """Copy every store into a new backup below *folder*; return its folder and manifest.

    *describe* makes the manifest of what was copied, *seal* signs it. The backup appears under
    its name only once all of it is there and durable. Raises PreservationError, OSError,
    sqlite3.Error.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = Path(tempfile.mkdtemp(prefix=".partial-", dir=folder))
    try:
        data = draft / DATA
        data.mkdir(mode=0o700)
        records = tuple(preserve(store, data, readers(store)) for store in stores)
        manifest = describe(records).signed(seal.key)
        if seal.lock is not None:
            (data / MANIFEST).write_bytes(manifest.encode())
            sealed.encrypt(data, draft, seal.lock)
            shutil.rmtree(data)
            size, digest = hashed(draft / sealed.BLOB)
            manifest = manifest.public(FileRecord("", sealed.BLOB, size, digest, 0o600))
            manifest = manifest.signed(seal.key)
        (draft / MANIFEST).write_bytes(manifest.encode())
        (draft / MANIFEST).chmod(0o600)
        _sync_all(draft)
        stamp = f"{manifest.created:%Y%m%dT%H%M%SZ}"
        place = folder / f"{PREFIX}{stamp}-{manifest.mac[:8]}"
        draft.rename(place)
        sync(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    return place, manifest


def backups(folder: Path) -> list[tuple[Path, Manifest]]:
    """Return the readable backups below *folder*, oldest first."""
    found = []
    for path in sorted(folder.glob(f"{PREFIX}*")) if folder.is_dir() else ():
        try:
            found.append((path, manifest_of(path)))
        except (PreservationError, OSError):
            continue  # `verify` names it
    return sorted(found, key=lambda b: (b[1].created, b[0].name))


def manifest_of(place: Path) -> Manifest:
    """Return the manifest that stands in a backup. Raises Damaged, OSError."""
    try:
        return decode((place / MANIFEST).read_bytes())
    except FileNotFoundError:
        msg = f"{place} has no manifest and is no backup"
        raise Damaged(msg) from None


@contextmanager
def opened(place: Path, key: Key | None = None) -> Iterator[tuple[Path, Manifest]]:
    """Give the data folder and full manifest of a backup, decrypted for the block if need be.

    Raises Damaged, CannotDecrypt, NoAge, OSError.
    """
    manifest = manifest_of(place)
    if not manifest.encrypted:
        yield place / DATA, manifest
        return
    with tempfile.TemporaryDirectory(prefix="hfea-open-") as scratch:
        data = Path(scratch) / DATA
        data.mkdir(mode=0o700)
        sealed.decrypt(place, data, key or Key())
        yield data, decode((data / MANIFEST).read_bytes())


def faults(place: Path, key: bytes, opener: Key | None = None) -> Iterator[str]:
    """Yield what is wrong with a backup: forged, changed, missing, added, or not as counted.

    Faults that the databases had when they were copied are not the backup's and not yielded.
    """
    outer = manifest_of(place)
    if not outer.is_signed_by(key):
        yield "the manifest was not signed with this archive's key"
    if outer.blob is not None:
        changed = list(_blob_faults(place, outer.blob))
        yield from changed
        if changed:
            return
    with opened(place, opener) as (data, manifest):
        if outer.encrypted and not manifest.is_signed_by(key):
            yield "the inner manifest was not signed with this archive's key"
        for store in manifest.stores:
            yield from _store_faults(data, store)
        listed = {below(data, f.root, f.place) for f in manifest.files} | {data / MANIFEST}
        for path in sorted(data.rglob("*")):
            if path.is_file() and path not in listed:
                yield f"{path.relative_to(data).as_posix()} is not in the manifest"


def _blob_faults(place: Path, blob: FileRecord) -> Iterator[str]:
    if not (place / blob.place).is_file():
        yield f"{blob.place} is missing"
    elif hashed(place / blob.place) != (blob.size, blob.sha256):
        yield f"{blob.place} is changed"


def _store_faults(data: Path, store: StoreRecord) -> Iterator[str]:
    for file in store.files:
        path = below(data, file.root, file.place)
        if not path.is_file() or path.is_symlink():
            yield f"{file.root}/{file.place} is missing"
        elif hashed(path) != (file.size, file.sha256):
            yield f"{file.root}/{file.place} is changed"
        elif store.kind == "sqlite":
            yield from _database_faults(path, store)


def _database_faults(path: Path, store: StoreRecord) -> Iterator[str]:
    for fault in faults_of(path):
        if fault not in store.faults:
            yield f"{store.name}: {fault}"
    yield from count_differences(store, counts_of(path))


def count_differences(store: StoreRecord, now: dict[str, int]) -> Iterator[str]:
    """Yield the tables whose rows differ from the manifest's counts."""
    for table in sorted({*store.rows, *now}):
        if store.rows.get(table) != now.get(table):
            yield f"{store.name}.{table}: {store.rows.get(table)} rows then, {now.get(table)} now"


def drop(place: Path) -> None:
    """Take a backup away, its manifest first, so that a half-gone one is none."""
    (place / MANIFEST).unlink(missing_ok=True)
    shutil.rmtree(place)


def sweep(folder: Path) -> int:
    """Take away what interrupted backups left; return how many."""
    left = list(folder.glob(".partial-*")) if folder.is_dir() else []
    for path in left:
        shutil.rmtree(path, ignore_errors=True)
    return len(left)


def _sync_all(folder: Path) -> None:
    for path, _, names in os.walk(folder, topdown=False):
        for name in names:
            sync(Path(path) / name)
        sync(Path(path))
