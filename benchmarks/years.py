"""Ten years of sealed files: rebuilding the index from them, searching it, verifying them.

    python benchmarks/years.py rebuild|search|verify|make FOLDER DAYS PER_DAY QUERIES

The words are those of index.py, but every day is sealed into real Markdown, evidence and seals
(without fsync, which the making alone would feel), so reading and parsing files is in the
figures. Files are read once before each measurement: the page cache is warm.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from figures import answer, peak_megabytes
from index import Made, quantiles, questions, seconds

from hfea.archive.disk import FILE_MODE, RealDisk
from hfea.archive.index import FILE_NAME, Index
from hfea.archive.search import ArchiveSearch
from hfea.archive.search_model import Query
from hfea.archive.store import Archive
from hfea.episode import Citation, Statement
from memory_core.model import AuthorKind, Message, Origin, Role

KEY = bytes(range(32))


class QuickDisk(RealDisk):
    """A disk that does not wait for durability: the archive it makes is thrown away."""

    def write(self, path: Path, data: bytes) -> None:
        """See Disk.write."""
        path.write_bytes(data)
        path.chmod(FILE_MODE)

    def sync_folder(self, path: Path) -> None:
        """See Disk.sync_folder."""


def make(words: Sequence[str]) -> dict[str, Any]:
    """Seal *DAYS* days; say how many statements, bytes and CPU seconds that took."""
    root, days, per_day = Path(words[0]), int(words[1]), int(words[2])
    made, began = Made(days, per_day), time.process_time()
    store = Archive(
        root, KEY, disk=QuickDisk(), entropy=lambda n: hashlib.shake_256(b"s").digest(n)
    )
    for day in made.days():
        read = made.read(day)
        texts = {c.message_id: c.text for c in read.evidence}
        pairs = [
            _with_message(s, texts[s.citations[0].message_id]) for s in read.episode.statements()
        ]
        thread = replace(read.episode.threads[0], statements=tuple(s for s, _ in pairs))
        store.seal(
            replace(read.episode, threads=(thread,), inputs=day.isoformat()), [m for _, m in pairs]
        )
    files = list(_files(root))
    return {
        "statements": days * per_day,
        "files": len(files),
        "megabytes": sum(p.stat().st_size for p in files) / 1e6,
        "cpu_seconds": time.process_time() - began,
        "snapshot": _snapshot(files),
    }


def _with_message(statement: Statement, text: str) -> tuple[Statement, Message]:
    place, at = statement.citations[0], statement.at or dt.datetime.now(dt.UTC)
    message = Message(
        "default", place.source, place.session_id, place.message_id, at, Role.USER, "Ana",
        AuthorKind.OWNER, Origin.DIRECT, text, hashlib.sha256(text.encode()).hexdigest(), 1,
    )  # fmt: skip
    cited = Citation(place.source, place.session_id, place.message_id, at, 0, len(text))
    return replace(statement, citations=(cited,)), message


def rebuild(words: Sequence[str]) -> dict[str, Any]:
    """Rebuild the index from the files alone."""
    root = Path(words[0])
    _warm(root)
    with Index(root / FILE_NAME) as index:
        took = seconds(index.rebuild, Archive(root, KEY))
        index.checkpoint()
    size = (root / FILE_NAME).stat().st_size / 1e6
    return {"cpu_seconds": took, "index_megabytes": size, "peak_megabytes": peak_megabytes()}


def search(words: Sequence[str]) -> dict[str, Any]:
    """Ask questions, each CPU time apart; also on the clock, which a reader feels."""
    root, days, per_day, count = Path(words[0]), *map(int, words[1:4])
    _warm(root)
    asked = questions(Made(days, per_day), count)
    cpu, wall, hits = [], [], 0
    with ArchiveSearch.for_maintainer(root / FILE_NAME) as opened:
        opened.search(Query(asked[0]))
        for text in asked:
            before = time.perf_counter()
            cpu.append(seconds(opened.search, Query(text)))
            wall.append(time.perf_counter() - before)
        hits = sum(bool(opened.search(Query(text)).hits) for text in asked)
    return {"cpu_ms": quantiles(cpu), "wall_ms": quantiles(wall), "answered": hits, "asked": count}


def verify(words: Sequence[str]) -> dict[str, Any]:
    """Verify every byte and seal of the archive."""
    root = Path(words[0])
    _warm(root)
    found: list[Any] = []
    took = seconds(lambda: found.extend(Archive(root, KEY).verify()))
    return {"cpu_seconds": took, "findings": len(found), "peak_megabytes": peak_megabytes()}


def _files(root: Path) -> list[Path]:
    return sorted(p for p in root.glob("[0-9]*/*/*") if p.is_file())


def _warm(root: Path) -> None:
    for path in _files(root):
        path.read_bytes()


def _snapshot(files: Sequence[Path]) -> str:
    state = hashlib.sha256()
    for path in files:
        state.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return state.hexdigest()[:16]


if __name__ == "__main__":
    os.umask(0o077)
    answer({"make": make, "rebuild": rebuild, "search": search, "verify": verify})
