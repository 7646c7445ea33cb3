"""Whether a file changed, and what is remembered of it; never by its times, which copies change."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from hfea.sources.base import SessionState
from hfea.sources.copies import Before, packed, unpacked

EDGE = 64 * 1024  # bytes of a file's head and tail that the cheap comparison covers
_BLOCK = 1024 * 1024


def of(path: Path) -> str:
    """Return `size:hash of both ends:hash of all` of a file. Raises OSError."""
    state = hashlib.sha256()
    with path.open("rb") as f:
        while block := f.read(_BLOCK):
            state.update(block)
    return f"{_edges(path)}:{state.hexdigest()}"


def same(before: str, path: Path, *, full: bool) -> bool:
    """Whether the file still has the print *before*; by its ends, or by all of it."""
    size, edges, _ = (*before.split(":"), "", "")[:3]
    if _edges(path) != f"{size}:{edges}":
        return False
    return not full or of(path) == before


def _edges(path: Path) -> str:
    size = path.stat().st_size
    state = hashlib.sha256()
    with path.open("rb") as f:
        state.update(f.read(EDGE))
        f.seek(max(EDGE, size - EDGE))
        state.update(f.read(EDGE))
    return f"{size}:{state.hexdigest()}"


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where reading stopped: behind the last whole line, `torn` bytes before the end.

    `found` messages were in the file, copies included; `own` are the hashes of the ids it gave.
    """

    offset: int = 0
    torn: int = 0
    found: int = 0
    own: frozenset[bytes] = frozenset()

    @classmethod
    def of(cls, state: SessionState) -> Cursor:
        """Read the cursor of *state*; one of another version says nothing."""
        try:
            values = json.loads(state.cursor)
            offset, torn, found = (int(values[name]) for name in ("offset", "torn", "found"))
            return cls(offset, torn, found, unpacked(values["own"]))
        except (ValueError, KeyError, TypeError):
            return cls()

    def text(self) -> str:
        """Return what `of` reads."""
        values = {"offset": self.offset, "torn": self.torn, "found": self.found}
        return json.dumps({**values, "own": packed(self.own)})

    def before(self, state: SessionState) -> Before:
        """Return what the file gave before, as copies need it."""
        return Before(self.own, frozenset(state.sessions), self.found)
