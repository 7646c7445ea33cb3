"""The fact store as `ask` sees it: HFEA's own facts, and Hermes's holographic store in step."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memory_core.model import AuthorKind, Origin
from memory_core.passages import Passage

LAYER = "facts"


class FactStoreUnreadable(Exception):
    """The fact store is there and cannot be read; that is an error, never a gap."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"the fact store {path} cannot be read: {why}")


def stamp(store: Path) -> str:
    """Return a fingerprint by stat of the store and its -wal; '' where there is none."""
    if not store.is_file():
        return ""
    parts = []
    for path in (store, store.with_name(store.name + "-wal")):
        if path.is_file():
            stat = path.stat()
            parts.append(f"{stat.st_ino}:{stat.st_size}:{stat.st_mtime_ns}")
    return hashlib.sha256("/".join(parts).encode()).hexdigest()


def passages(store: Path) -> Iterator[Passage]:
    """Yield the facts of a holographic store, by column presence; a missing store has none.

    Raises FactStoreUnreadable where the file is there but is no readable fact store.
    """
    if not store.is_file():
        return
    wal = store.with_name(store.name + "-wal")
    mode = "mode=ro" if wal.is_file() else "immutable=1"
    try:
        with contextlib.closing(sqlite3.connect(f"file:{store}?{mode}", uri=True)) as db:
            db.execute("PRAGMA query_only = 1")
            names = {str(row[1]) for row in db.execute("PRAGMA table_info(facts)")}
            if not {"fact_id", "content"} <= names:
                raise FactStoreUnreadable(store, "it has no table of facts")
            tags = "tags" if "tags" in names else "''"
            created = "created_at" if "created_at" in names else "NULL"
            query = f"SELECT fact_id, content, {tags}, {created} FROM facts ORDER BY fact_id"
            for number, content, tag, at in db.execute(query):
                yield _fact(number, str(content), str(tag or ""), at)
    except sqlite3.Error as error:
        raise FactStoreUnreadable(store, str(error)) from error


def _fact(number: int, content: str, tags: str, created: object) -> Passage:
    at = None
    if isinstance(created, str):
        with contextlib.suppress(ValueError):
            at = dt.datetime.fromisoformat(created).replace(tzinfo=dt.UTC)
    return Passage(
        layer=LAYER,
        key=str(number),
        text=content,
        subject=tags.replace(",", " "),
        at=at,
        author="fact store",
        author_kind=AuthorKind.AGENT,
        origin=Origin.DERIVED,
        valid_from=at.date() if at else None,
    )


def imported(path: Path) -> Iterator[Passage]:
    """Yield facts of a JSONL file in the worlds' shape, each in the layer it names.

    A line is `{fact_id, layer, subject, text, recorded_at, valid_from, valid_to, source[]}`;
    dates are ISO days, `valid_to` is exclusive.
    """
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield _imported(json.loads(line))


def _imported(row: Mapping[str, Any]) -> Passage:
    recorded = _day(row.get("recorded_at"))
    at = dt.datetime.combine(recorded, dt.time(12), dt.UTC) if recorded else None
    return Passage(
        layer=str(row.get("layer") or LAYER),
        key=str(row["fact_id"]),
        text=str(row["text"]),
        subject=str(row.get("subject") or ""),
        at=at,
        author="fact store",
        author_kind=AuthorKind.AGENT,
        origin=Origin.DERIVED,
        message_ids=tuple(map(str, row.get("source") or ())),
        valid_from=_day(row.get("valid_from")),
        valid_to=_day(row.get("valid_to")),
    )


def _day(text: object) -> dt.date | None:
    return dt.date.fromisoformat(text[:10]) if isinstance(text, str) and text else None
