"""Reading MEMORY.md and USER.md: entries with hash, length and estimated tokens; drift."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from memory_core.layers.permanent.limits import Limits, limits
from memory_core.model import AuthorKind, Origin
from memory_core.passages import Passage

LAYER = "permanent"
SEPARATOR = "\n§\n"
FILES = ("MEMORY.md", "USER.md")
_CHARS_PER_TOKEN = 4
# Hermes renders each file into the system prompt below a rule of 46 signs, a header, a rule.
_HEADER_CHARS = 2 * 47 + 60


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a permanent file; `digest` is SHA-256 of its text, hex."""

    file: str
    number: int
    text: str
    digest: str

    @property
    def length(self) -> int:
        """Characters, as Hermes counts them."""
        return len(self.text)

    @property
    def tokens(self) -> int:
        """Estimated tokens: a quarter of the characters, rounded up."""
        return -(-len(self.text) // _CHARS_PER_TOKEN)


@dataclass(frozen=True, slots=True)
class Kept:
    """One permanent file as it was read.

    `digest` is SHA-256 of its bytes ('' for a missing file), `drift` says why Hermes refuses
    to replace or remove in it ('' where it does not), `used` and `limit` are characters.
    """

    file: str
    digest: str
    entries: tuple[Entry, ...]
    used: int
    limit: int
    drift: str = ""

    @property
    def prompt_tokens(self) -> int:
        """Estimated tokens that every turn pays for this file, header included; 0 if empty."""
        if not self.entries:
            return 0
        return -(-(self.used + _HEADER_CHARS) // _CHARS_PER_TOKEN)


def digest_of(text: str) -> str:
    """Return SHA-256 of a text in UTF-8, hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def decoded(data: bytes, errors: str = "strict") -> str:
    """Return a file's text as Python reads it for Hermes: any line end is a line feed."""
    return data.decode("utf-8", errors).replace("\r\n", "\n").replace("\r", "\n")


def decoded_whole(data: bytes) -> bool:
    """Whether the bytes are UTF-8 throughout."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def parse(text: str) -> tuple[str, ...]:
    """Return the entries of a file's text; duplicates stay."""
    return tuple(part for piece in text.split(SEPARATOR) if (part := piece.strip()))


def joined(entries: Iterable[str]) -> str:
    """Return the one text that Hermes reads back as exactly these entries."""
    return SEPARATOR.join(entries)


def drift_of(text: str, limit: int) -> str:
    """Return why Hermes would refuse to rewrite a file that holds *text*; '' if it would not."""
    found = parse(text)
    if text.strip() != joined(found):
        return "not_canonical"
    if any(len(entry) > limit for entry in found):
        return "entry_over_limit"
    return ""


def look(home: Path, file: str, known: Limits | None = None) -> Kept:
    """Read one file; a missing one has no entries, odd bytes are drift. Raises OSError."""
    limit = (known or limits(home)).of(file)
    path = home / "memories" / file
    if not path.is_file():
        return Kept(file, "", (), 0, limit)
    data = path.read_bytes()
    text = decoded(data, "replace")
    found = parse(text)
    drift = drift_of(text, limit) if decoded_whole(data) else "not_utf8"
    numbered = tuple(Entry(file, n, t, digest_of(t)) for n, t in enumerate(found))
    digest = hashlib.sha256(data).hexdigest()
    return Kept(file, digest, numbered, len(joined(found)), limit, drift)


def entries(home: Path) -> Iterator[Entry]:
    """Yield the entries of both files in order; a missing file has none."""
    known = limits(home)
    for name in FILES:
        yield from look(home, name, known).entries


def stamp(home: Path) -> str:
    """Return a fingerprint of the files' contents; they are small."""
    state = hashlib.sha256()
    for name in FILES:
        path = home / "memories" / name
        state.update(path.read_bytes() if path.is_file() else b"-")
    return state.hexdigest()


def passages(home: Path, dates: Mapping[str, dt.datetime] | None = None) -> Iterator[Passage]:
    """Yield each entry once as a passage; the files say nothing of date or author.

    *dates* says by an entry's digest when it was first seen, where somebody keeps that.
    """
    seen = set()
    for entry in entries(home):
        if (key := (entry.file, entry.digest)) in seen:
            continue
        seen.add(key)
        yield Passage(
            layer=LAYER,
            key=f"{entry.file}#{entry.digest[:12]}",
            text=entry.text.removeprefix("\ufeff"),
            at=dates.get(entry.digest) if dates else None,
            author=entry.file,
            author_kind=AuthorKind.AGENT,
            origin=Origin.DERIVED,
        )
