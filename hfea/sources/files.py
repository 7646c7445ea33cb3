"""Transcript folders: which files, what changed, and how one is read; formats plug in."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import zstandard

from hfea.sources import lines
from hfea.sources.base import Item, Problem, RawMessage, SessionState

EDGE = 64 * 1024  # bytes of a file's head and tail that its fingerprint covers
FEW = 3  # messages below which a shrunk unit is no alarm


class Parser:
    """Reads one transcript line by line; subclasses know a format.

    `recognised` counts lines of a known shape, `unknown` the others: a file with unknown
    lines and no message has changed its format, and must say so.
    """

    def __init__(self, unit: str, source: str) -> None:
        self.unit, self.source = unit, source
        self.recognised = self.unknown = self.position = 0

    def look(self, value: Mapping[str, Any]) -> None:
        """Take note of one line before the real reading (only where `two_passes`)."""

    two_passes = False

    def line(self, value: Mapping[str, Any], offset: int) -> Iterable[RawMessage]:
        """Yield the messages that one line completes."""
        raise NotImplementedError

    def oversized(self, damage: lines.Damage) -> Iterable[RawMessage]:
        """Yield what the head of a line too long to parse still tells."""
        self.unknown += not damage.head
        return ()

    def end(self) -> Iterable[RawMessage]:
        """Yield what was held back until the end of the file."""
        return ()

    def next_position(self) -> int:
        """Return the next place in the order of this file."""
        self.position += 1
        return self.position


@dataclass(frozen=True, slots=True)
class Layout:
    """How one agent lays out its folder.

    `find` lists (unit, path) of the canonical transcripts, in the order in which they are
    read; `beside` names the files left alone on purpose.
    """

    kind: str
    find: Callable[[Path], list[tuple[str, Path]]]
    parser: Callable[[str, str], Parser]
    beside: Callable[[Path], list[str]]


@dataclass
class FileSource:
    """A folder (or one file) of transcripts as a Source; see hfea.sources.base.

    `full` makes the comparison hash whole files, which also finds same-length edits.
    """

    layout: Layout
    path: Path
    name: str
    profile: str = "default"
    full: bool = False
    _seen: set[int] = field(default_factory=set, repr=False)

    @property
    def kind(self) -> str:
        """The layout's kind."""
        return self.layout.kind

    def stamp(self) -> str:
        """Return a fingerprint by stat of every transcript; '' when the source is missing."""
        if not self.path.exists():
            return ""
        state = hashlib.sha256()
        for unit, path in self._units():
            try:
                stat = path.stat()
            except OSError:
                continue
            parts = (unit, stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns)
            state.update(json.dumps(parts).encode())
        return state.hexdigest()

    def ignored(self) -> tuple[str, ...]:
        """Name what lies beside the transcripts and is not read."""
        return tuple(self.layout.beside(self.path)) if self.path.exists() else ()

    def scan(
        self, known: Mapping[str, SessionState], wanted: Collection[str] = ()
    ) -> Iterator[Item]:
        """Yield what changed; see Source.scan. A changed file is read whole, in one stream."""
        if not self.path.exists():
            detail = "the source is not there; its days are kept and nothing new can be read"
            yield Problem(self.name, "source_missing", str(self.path), detail, severity="error")
            return
        self._seen = set()
        units = self._units()
        for gone in sorted(known.keys() - {unit for unit, _ in units}):
            if known[gone].messages:
                detail = f"{known[gone].messages} messages were read from it; it is gone now"
                yield Problem(self.name, "pruned", gone, detail, severity="warning")
        for unit, path in units:
            yield from self._unit(unit, path, known.get(unit), whole=unit in wanted)

    def _units(self) -> list[tuple[str, Path]]:
        return self.layout.find(self.path)

    def _unit(
        self, unit: str, path: Path, before: SessionState | None, *, whole: bool
    ) -> Iterator[Item]:
        try:
            print_now = self.fingerprint(path)
            if before and before.fingerprint == print_now and not whole:
                return
            yield from self._read(unit, path, before, print_now)
        except (OSError, zstandard.ZstdError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            yield Problem(self.name, "unreadable", unit, f"cannot be read: {why}", severity="error")

    def _read(
        self, unit: str, path: Path, before: SessionState | None, print_now: str
    ) -> Iterator[Item]:
        parser = self.layout.parser(unit, self.name)
        if parser.two_passes:
            _first_pass(path, parser)
        count, end, sessions = 0, 0, dict[str, None]()
        with lines.open_stream(path) as stream:
            for item in self._items(lines.read(stream), parser):
                if isinstance(item, RawMessage):
                    if not self._new(item):
                        continue
                    count += 1
                    sessions[item.session_id] = None
                    yield item
                elif isinstance(item, Problem):
                    yield item
                else:
                    end = item.offset
        if not count and parser.unknown:
            detail = f"a non-empty file whose {parser.unknown} lines have no known shape"
            yield Problem(self.name, "unknown_shape", unit, detail, severity="error")
            return
        if before and before.messages - count >= FEW:
            detail = f"it gave {before.messages} messages before and gives {count} now"
            yield Problem(self.name, "source_shrank", unit, detail, severity="error")
        cursor = json.dumps({"offset": end})
        yield SessionState(unit, print_now, cursor, tuple(sessions), count)

    def _items(
        self, stream: Iterator[lines.Line | lines.Damage | lines.End], parser: Parser
    ) -> Iterator[RawMessage | Problem | lines.End]:
        for item in stream:
            if isinstance(item, lines.Line):
                if isinstance(item.value, dict):
                    yield from parser.line(item.value, item.offset)
                else:
                    parser.unknown += 1
            elif isinstance(item, lines.Damage):
                where = parser.unit
                yield Problem(
                    self.name, item.code, where, item.detail, item.offset, item.length, raw=item.raw
                )
                if item.head:
                    yield from parser.oversized(item)
            else:
                yield from parser.end()
                yield item

    def _new(self, message: RawMessage) -> bool:
        """Drop what another file of this pass already gave: forks and resumes copy rows."""
        body = f"{message.message_id}\0{message.role}\0{message.text}"
        key = hash(body.encode("utf-8", "surrogatepass"))
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def fingerprint(self, path: Path) -> str:
        """Return size and content hashes; never a time, which copies and restores change."""
        size = path.stat().st_size
        state = hashlib.sha256(str(size).encode())
        with path.open("rb") as f:
            if self.full:
                while block := f.read(1024 * 1024):
                    state.update(block)
            else:
                state.update(f.read(EDGE))
                f.seek(max(EDGE, size - EDGE))
                state.update(f.read(EDGE))
        return ("full:" if self.full else "edge:") + state.hexdigest()


def _first_pass(path: Path, parser: Parser) -> None:
    with lines.open_stream(path) as stream:
        for item in lines.read(stream):
            if isinstance(item, lines.Line) and isinstance(item.value, dict):
                parser.look(item.value)


def walk(root: Path, suffixes: tuple[str, ...]) -> list[tuple[str, Path]]:
    """List (relative name, path) of regular files below *root*; links out of it are left alone."""
    if root.is_file():
        return [(root.name, root)]
    found = []
    real = root.resolve()
    for folder, folders, names in os.walk(root, followlinks=False):
        folders.sort()
        for name in sorted(names):
            path = Path(folder) / name
            if not name.endswith(suffixes):
                continue
            if path.is_symlink() and not path.resolve().is_relative_to(real):
                continue
            if path.is_file():
                found.append((path.relative_to(root).as_posix(), path))
    return found
