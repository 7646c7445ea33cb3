"""Permanent memory: MEMORY.md and USER.md exactly as Hermes keeps them."""

from __future__ import annotations

from memory_core.layers.permanent.entries import (
    FILES,
    LAYER,
    SEPARATOR,
    Entry,
    Kept,
    digest_of,
    entries,
    joined,
    look,
    parse,
    passages,
    stamp,
)
from memory_core.layers.permanent.limits import Limits, limits
from memory_core.layers.permanent.writing import (
    Ambiguous,
    ChangedSince,
    Drifted,
    LockBusy,
    NoSuchEntry,
    Operation,
    OverLimit,
    PermanentError,
    Written,
    apply,
    put_back,
)

__all__ = [
    "FILES",
    "LAYER",
    "SEPARATOR",
    "Ambiguous",
    "ChangedSince",
    "Drifted",
    "Entry",
    "Kept",
    "Limits",
    "LockBusy",
    "NoSuchEntry",
    "Operation",
    "OverLimit",
    "PermanentError",
    "Written",
    "apply",
    "digest_of",
    "entries",
    "joined",
    "limits",
    "look",
    "parse",
    "passages",
    "put_back",
    "stamp",
]
