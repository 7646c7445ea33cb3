"""Transcript folders: which files, what changed, and how one is read; formats plug in."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import zstandard

from hfea.sources import lines, prints
from hfea.sources.base import Item, Problem, RawMessage, SessionState
from hfea.sources.copies import Copies, Key, Unit
from hfea.sources.parser import Parser
from hfea.sources.prints import Cursor


@dataclass(frozen=True, slots=True)
class Layout:
    """How one agent lays out its folder.

    `find` lists (unit, path) of the canonical transcripts; `beside` names the files left alone
    on purpose. `age` gives what they are read in the order of, where names do not give it.
    """

    kind: str
    find: Callable[[Path], list[tuple[str, Path]]]
    parser: Callable[[str, str], Parser]
    beside: Callable[[Path], list[str]]
    age: Callable[[Path], tuple[bool, str, str]] | None = None


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

    @property
    def kind(self) -> str:
        """The layout's kind."""
        return self.layout.kind

    def stamp(self) -> str:
        """Return a fingerprint by stat of every transcript; '' when the source is missing."""
        if not self.path.exists():
            return ""
        state = hashlib.sha256()
        for unit, path in self.layout.find(self.path):
            try:
                stat = path.stat()
            except OSError:
                continue
            parts = (unit, stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns)
            state.update(json.dumps(parts).encode("utf-8", "surrogateescape"))
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
        units = dict(self._in_order())
        links = dict(links_out(self.path))
        yield from self._gone(known, units.keys() | links.keys())
        yield from self._links(known, links)
        before = {unit: Cursor.of(state).before(state) for unit, state in known.items()}
        copies = Copies(
            before, frozenset(units), frozenset(wanted), lambda u: self._keyed(u, units[u])
        )
        for unit, path in units.items():
            yield from self._unit(copies, unit, path, known.get(unit), whole=unit in wanted)

    def _in_order(self) -> list[tuple[str, Path]]:
        found, age = self.layout.find(self.path), self.layout.age
        return sorted(found, key=lambda f: (*age(f[1]), f[0])) if age else found

    def _gone(self, known: Mapping[str, SessionState], there: Collection[str]) -> Iterator[Problem]:
        for unit in sorted(known.keys() - there):
            if known[unit].messages:
                detail = f"{known[unit].messages} messages were read from it; it is gone now"
                yield Problem(self.name, "pruned", unit, detail, severity="warning")

    def _links(self, known: Mapping[str, SessionState], links: Mapping[str, str]) -> Iterator[Item]:
        """Report a link that leads out of the source, once for each place it leads to."""
        for unit, target in links.items():
            if unit not in known or known[unit].fingerprint != target:
                detail = "a link that leads out of the source; it was not followed"
                yield Problem(self.name, "link_outside", unit, detail)
                yield SessionState(unit, target)

    def _unit(
        self, copies: Copies, unit: str, path: Path, before: SessionState | None, *, whole: bool
    ) -> Iterator[Item]:
        try:
            if before and not whole and prints.same(before.fingerprint, path, full=self.full):
                torn = Cursor.of(before).torn
                if self.full and torn:
                    detail = f"its last {torn} bytes are no whole line, and nobody goes on with it"
                    yield Problem(self.name, "torn_line", unit, detail, length=torn)
                    yield replace(before, cursor=replace(Cursor.of(before), torn=0).text())
                return
            yield from self._read(copies.unit(unit), path)
        except (OSError, zstandard.ZstdError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            yield Problem(self.name, "unreadable", unit, f"cannot be read: {why}", severity="error")

    def _read(self, unit: Unit, path: Path) -> Iterator[Item]:
        # Taken first: what is appended while it is read makes the next pass read it again.
        now = prints.of(path)
        parser, end = self._parser(unit.name, path), lines.End(0, 0)
        count, sessions = 0, dict[str, None]()
        with lines.open_stream(path) as stream:
            for item in self._items(lines.read(stream), parser):
                if isinstance(item, Problem):
                    yield item
                elif isinstance(item, lines.End):
                    end = item
                elif message := unit.take(parser.key(item), item):
                    count += 1
                    sessions[message.session_id] = None
                    yield message
        if not unit.found + parser.repeated and parser.unknown:
            detail = f"a non-empty file whose {parser.unknown} lines have no known shape"
            yield Problem(self.name, "unknown_shape", unit.name, detail, severity="error")
            return
        if unit.found < unit.before.found:
            detail = f"it held {unit.before.found} messages before and holds {unit.found} now"
            yield Problem(self.name, "source_shrank", unit.name, detail, severity="error")
        cursor = Cursor(end.offset, end.torn, unit.found, frozenset(unit.own))
        yield SessionState(unit.name, now, cursor.text(), tuple(sessions), count)

    def _parser(self, unit: str, path: Path) -> Parser:
        parser = self.layout.parser(unit, self.name)
        if parser.two_passes:
            with lines.open_stream(path) as stream:
                for item in lines.read(stream):
                    if isinstance(item, lines.Line) and isinstance(item.value, dict):
                        parser.look(item.value)
        return parser

    def _keyed(self, unit: str, path: Path) -> Iterator[tuple[Key, RawMessage]]:
        """Read a file again only to compare; what is wrong with it was said when it was read."""
        parser = self._parser(unit, path)
        with lines.open_stream(path) as stream:
            for item in self._items(lines.read(stream), parser):
                if isinstance(item, RawMessage) and (key := parser.key(item)):
                    yield key, item

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
                parser.unknown += item.lost and item.code != "nul_block"
                yield problem(self.name, parser.unit, item)
            else:
                yield from parser.end()
                yield item


def problem(source: str, unit: str, damage: lines.Damage) -> Problem:
    """Return the problem that *damage* in the file *unit* is."""
    return Problem(
        source, damage.code, unit, damage.detail, damage.offset, damage.length, raw=damage.raw
    )


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
            if path.is_symlink() and not _inside(path, real):
                continue
            if path.is_file():
                found.append((path.relative_to(root).as_posix(), path))
    return found


def links_out(root: Path) -> list[tuple[str, str]]:
    """List (relative name, target) of transcripts and folders that are links out of *root*."""
    found = []
    real = root.resolve()
    for folder, folders, names in os.walk(root, followlinks=False):
        for name in sorted((*folders, *names)):
            path = Path(folder) / name
            if not path.is_symlink() or _inside(path, real):
                continue
            if name in folders or ".jsonl" in name:
                found.append((path.relative_to(root).as_posix(), str(path.readlink())))
    return found


def _inside(path: Path, real: Path) -> bool:
    try:
        return path.resolve().is_relative_to(real)
    except (OSError, RuntimeError):
        return False  # a link that leads to itself
