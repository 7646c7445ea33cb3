"""Carrying out an approved change on the files, and taking it back; no decision is made here."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from memory_core import text_files
from memory_core.authority import Act, Change, Target
from memory_core.layers import permanent

FILE_OF = {Target.MEMORY: "MEMORY.md", Target.USER: "USER.md"}
_INVERSE = {Act.ADD: "remove", Act.REPLACE: "replace", Act.REMOVE: "add"}


@dataclass(frozen=True, slots=True)
class Places:
    """Where the files of one profile lie: its Hermes home, and its wiki folder."""

    home: Path
    wiki: Path

    def root(self, target: Target) -> Path:
        """Return the folder that `Change.path` is relative to."""
        return self.wiki if target is Target.WIKI else self.home / "skills"


def place_of(change: Change) -> str:
    """Return the name of the file a change touches, for people and for the record."""
    return FILE_OF.get(change.target) or f"{change.target.value}:{change.path}"


def current(places: Places, change: Change) -> bytes | None:
    """Return the bytes of the file a change touches; None where it is not there."""
    if change.target in FILE_OF:
        path = places.home / "memories" / FILE_OF[change.target]
        return path.read_bytes() if path.is_file() else None
    return text_files.read(places.root(change.target), change.path)


def digest(data: bytes | None) -> str:
    """Return SHA-256 of a file's bytes, hex; '' for no file."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def resolved(places: Places, change: Change) -> Change:
    """Return a change whose `old_text` is the whole entry that the given part names.

    Raises NoSuchEntry, Ambiguous. Other files are taken as the proposer saw them.
    """
    if change.act is Act.ADD or change.target not in FILE_OF:
        return change
    kept = permanent.look(places.home, FILE_OF[change.target])
    old = change.old_text.strip()
    hits = list(dict.fromkeys(e.text for e in kept.entries if old and old in e.text))
    if not hits:
        raise permanent.NoSuchEntry(f"{kept.file} has no entry with the text to be changed")
    if len(hits) > 1 and old not in hits:
        raise permanent.Ambiguous(f"{len(hits)} entries of {kept.file} hold that text")
    whole = old if old in hits else hits[0]
    return Change(
        change.act, change.target, change.text.strip(), whole, "", change.profile, change.claims
    )


def carry_out(places: Places, change: Change, before: bytes | None) -> bytes | None:
    """Make the change on a file that holds *before*; return what it holds now.

    Raises PermanentError, FileChanged, OutsideFolder, OSError.
    """
    if change.target in FILE_OF:
        operation = permanent.Operation(
            FILE_OF[change.target], change.act.value, change.text, change.old_text, exact=True
        )
        return permanent.apply(places.home, operation, expect=digest(before)).after
    root = places.root(change.target)
    seen = None if change.act is Act.ADD else change.old_text.encode()
    data = None if change.act is Act.REMOVE else change.text.encode()
    text_files.change(root, change.path, seen=seen, data=data)
    return data


def in_place(places: Places, change: Change) -> bool:
    """Whether the files are as the change would leave them."""
    data = current(places, change)
    if change.target not in FILE_OF:
        return data == (None if change.act is Act.REMOVE else change.text.encode())
    kept = permanent.look(places.home, FILE_OF[change.target])
    texts = {e.text for e in kept.entries}
    there = change.act is Act.REMOVE or change.text.strip() in texts
    gone = change.act is Act.ADD or change.old_text.strip() not in texts
    return there and gone


def take_back(
    places: Places, change: Change, before: bytes | None, after: str
) -> tuple[bytes | None, bytes | None]:
    """Undo a change: the former bytes where nothing else was written since, else its entry.

    *after* is the digest the change left. Returns the bytes now and those found.
    Raises PermanentError, FileChanged, OutsideFolder, OSError.
    """
    now = current(places, change)
    if change.target not in FILE_OF:
        if digest(now) != after:
            raise text_files.FileChanged(f"{place_of(change)} was written since; undo it by hand")
        text_files.change(places.root(change.target), change.path, seen=now, data=before)
        return before, now
    file = FILE_OF[change.target]
    if digest(now) == after:
        permanent.put_back(places.home, file, before, expect=after)
        return before, now
    operation = permanent.Operation(
        file, _INVERSE[change.act], change.old_text, change.text, exact=True
    )
    return permanent.apply(places.home, operation).after, now
