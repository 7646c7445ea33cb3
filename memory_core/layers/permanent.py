"""Permanent memory: MEMORY.md and USER.md exactly as Hermes keeps them, read-only here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memory_core.model import AuthorKind, Origin
from memory_core.passages import Passage

LAYER = "permanent"
SEPARATOR = "\n§\n"
FILES = ("MEMORY.md", "USER.md")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a permanent file; `digest` is SHA-256 of its text, hex."""

    file: str
    number: int
    text: str
    digest: str

    @property
    def tokens(self) -> int:
        """Estimated tokens: a quarter of the characters, rounded up."""
        return -(-len(self.text) // 4)


def entries(home: Path) -> Iterator[Entry]:
    """Yield the entries of both files in order; a missing file has none."""
    for name in FILES:
        path = home / "memories" / name
        if not path.is_file():
            continue
        text = path.read_text(encoding="utf-8-sig", errors="replace").strip()
        for number, part in enumerate(filter(None, map(str.strip, text.split(SEPARATOR)))):
            yield Entry(name, number, part, hashlib.sha256(part.encode()).hexdigest())


def stamp(home: Path) -> str:
    """Return a fingerprint of the files' contents; they are small."""
    state = hashlib.sha256()
    for name in FILES:
        path = home / "memories" / name
        state.update(path.read_bytes() if path.is_file() else b"-")
    return state.hexdigest()


def passages(home: Path) -> Iterator[Passage]:
    """Yield each entry as a passage; the files say nothing of date or author."""
    for entry in entries(home):
        yield Passage(
            layer=LAYER,
            key=f"{entry.file}#{entry.digest[:12]}",
            text=entry.text,
            author=entry.file,
            author_kind=AuthorKind.AGENT,
            origin=Origin.DERIVED,
        )
