"""Preservation: snapshots of every store, verified, kept, and put back elsewhere."""

from __future__ import annotations

from memory_core.layers.preservation.backup import (
    Seal,
    backups,
    count_differences,
    create,
    drop,
    faults,
    manifest_of,
    opened,
    sweep,
)
from memory_core.layers.preservation.checks import counts_of, faults_of, row_counts
from memory_core.layers.preservation.model import (
    Answer,
    CannotDecrypt,
    Damaged,
    FileRecord,
    InTheWay,
    Manifest,
    PreservationError,
    Store,
    StoreRecord,
)
from memory_core.layers.preservation.restore import restore
from memory_core.layers.preservation.retention import Keeping, to_drop
from memory_core.layers.preservation.sealed import Key, Lock
from memory_core.layers.preservation.snapshot import Reader, preserve, read_plainly

LAYER = "preservation"

__all__ = [
    "LAYER",
    "Answer",
    "CannotDecrypt",
    "Damaged",
    "FileRecord",
    "InTheWay",
    "Keeping",
    "Key",
    "Lock",
    "Manifest",
    "PreservationError",
    "Reader",
    "Seal",
    "Store",
    "StoreRecord",
    "backups",
    "count_differences",
    "counts_of",
    "create",
    "drop",
    "faults",
    "faults_of",
    "manifest_of",
    "opened",
    "preserve",
    "read_plainly",
    "restore",
    "row_counts",
    "sweep",
    "to_drop",
]
