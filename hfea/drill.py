"""Restoring: for good into another place, or as a drill that proves a backup is of use."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from dataclasses import dataclass
from pathlib import Path

from hfea import fixed_questions, keys, preserving
from hfea.archive.store import Archive
from hfea.config import Settings, load
from hfea.errors import UsageError
from hfea.gate import gate
from hfea.moved_settings import KEY_FILE, Layout, rewrite
from hfea.preserving import BackupFailed
from memory_core import removal
from memory_core.layers import preservation
from memory_core.layers.preservation import Key, Manifest, PreservationError


@dataclass(frozen=True, slots=True)
class Drilled:
    """What a drill found. `ok` only where every count, seal and answer agreed."""

    place: Path
    tables: int
    rows: int
    files: int
    asked: int
    same: int
    faults: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether the backup can be relied on."""
        return not self.faults and self.same == self.asked


def restore(place: Path, layout: Layout, key: Key | None = None) -> tuple[Path, Manifest]:
    """Restore a backup; return the settings file that points at what was restored.

    Raises BackupFailed where anything is in the way or the backup is not what it says.
    """
    try:
        with preservation.opened(place, key) as (_, manifest):
            roots = layout.roots({s.name: "" for s in manifest.stores})
        manifest = preservation.restore(place, roots, key)
        return rewrite(layout, manifest.roots), manifest
    except (PreservationError, OSError) as error:
        raise BackupFailed(f"not restored: {error}") from error


def drill(settings: Settings, place: Path, key: Key | None = None) -> Drilled:
    """Restore into a scratch folder, compare everything with the manifest, and record it.

    Every row count, every archive seal, and the answers to the fifty questions. The record is
    what allows a removal later. Raises BackupFailed, UsageError.
    """
    with tempfile.TemporaryDirectory(prefix="hfea-drill-") as scratch:
        layout = Layout.below(Path(scratch))
        file, manifest = restore(place, layout, key)
        if not (layout.settings / KEY_FILE).exists():
            shutil.copyfile(settings.key_file, layout.settings / KEY_FILE)
            (layout.settings / KEY_FILE).chmod(0o600)
        faults = preserving.faults(settings, place, key) + _differences(layout, manifest)
        restored = load(file)
        faults += _seals(restored)
        agreed = fixed_questions.again(restored, manifest.answers)
    faults += [f"another answer to {a.question!r}" for a, same in agreed if not same]
    done = Drilled(
        place=place,
        tables=sum(len(s.rows) for s in manifest.stores),
        rows=manifest.rows,
        files=len(manifest.files),
        asked=len(agreed),
        same=sum(same for _, same in agreed),
        faults=tuple(faults),
    )
    with gate(settings) as proposals:
        detail = f"{done.place.name}: {done.rows} rows, {done.same} of {done.asked} answers"
        proposals.passed(removal.DRILL, ok=done.ok, detail=detail)
    return done


def _differences(layout: Layout, manifest: Manifest) -> list[str]:
    """Return the tables whose restored rows are not those that were counted at the backup."""
    roots = layout.roots({s.name: "" for s in manifest.stores})
    found: list[str] = []
    for store in manifest.stores:
        for record in store.files if store.kind == "sqlite" else ():
            path = roots[record.root] / record.place
            try:
                found += preservation.count_differences(store, preservation.counts_of(path))
            except sqlite3.Error as error:
                found.append(f"{store.name}: {error}")
    return found


def _seals(settings: Settings) -> list[str]:
    root = settings.archive.path
    if not root.is_dir():
        return []
    try:
        key = keys.load(settings.key_file)
    except UsageError as error:
        return [str(error)]
    return [f"{f.code} {f}" for f in Archive(root, key).verify()]
