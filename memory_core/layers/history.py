"""History: the declared window of recent sessions, as the same sources give them to the night.

The messages are indexed in the core's own state (or in memory), conversation by conversation;
nothing is written beside a source. What was compacted in place is still a message and is found.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memory_core.model import AuthorKind, Message, Origin
from memory_core.passages import Passage
from memory_core.retrieval.embedding import Gate
from memory_core.retrieval.engine import Engine
from memory_core.retrieval.index import RowIndex
from memory_core.retrieval.index_tables import Only
from memory_core.retrieval.rows import Row
from memory_core.retrieval.vectors import VectorStore

LAYER = "history"
LONGEST = 2000  # characters of one message that are searched
LIMIT = 12
MAIN, SUBAGENT = "main", "subagent"
# Never evidence (invariant 13): what the machine said to itself, and what was undone.
SILENT = frozenset({"machine", "own_output", "undone", "error_notice", "summary", "branch_copy"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which messages a search may return; empty means any.

    `days` is the declared window back from the question (None: all, 0: none); `since` and
    `until` narrow it, half-open. `me` is the speaker who asks: "what did I say" means them.
    """

    days: int | None = 30
    since: dt.datetime | None = None
    until: dt.datetime | None = None
    speakers: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    scope: str = ""
    conversations: tuple[str, ...] = ()
    me: str = ""
    limit: int = LIMIT


@dataclass(frozen=True, slots=True)
class Found:
    """A message as a passage, its raw coverage of the question, and every raw signal by name."""

    passage: Passage
    coverage: float
    signals: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found, the best first; `degraded` is the reason where a model failed."""

    found: tuple[Found, ...] = ()
    degraded: tuple[str, ...] = ()


class History:
    """Searches the messages of recent sessions; the file at *path* is a cache, None is memory."""

    def __init__(
        self,
        path: Path | None = None,
        vectors: VectorStore | None = None,
        gate: Gate | None = None,
    ) -> None:
        self._index = RowIndex(path)
        self._engine = Engine(self._index, vectors, gate)

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def __len__(self) -> int:
        return len(self._index)

    def sync(self, messages: Iterable[Message]) -> int:
        """Make *messages* all that is held; only conversations that changed are written.

        Returns how many messages were written. Raises sqlite3.Error.
        """
        held = self._index.stamps()
        threads = _threads(messages)
        changed = [
            (name, rows, stamp)
            for name, rows in threads.items()
            if held.get(name) != (stamp := _stamp(rows))
        ]
        self._index.drop(set(held) - set(threads))
        return self._index.put_all(changed)

    def search(self, text: str, asked_at: dt.datetime, wanted: Wanted | None = None) -> Searched:
        """Return the messages that may answer *text*, best first; any string is valid.

        *asked_at* is aware. Raises sqlite3.Error; a model's failure is only `degraded`.
        """
        wanted = wanted or Wanted()
        if wanted.days == 0:
            return Searched()
        question = self._engine.asked(text, asked_at, wanted.me)
        result = self._engine.search(question, _only(wanted, asked_at), wanted.limit)
        found = (Found(_passage(h.row), h.coverage, h.ranked.signals) for h in result.hits)
        return Searched(tuple(found), result.degraded)

    def texts(self) -> dict[str, str]:
        """Return what a model embeds of each message, by key: who said it, and what."""
        return {row.key: f"{row.speaker}: {row.text}" for row in self._index.all()}


def window(asked_at: dt.datetime, days: int | None) -> tuple[dt.datetime, dt.datetime] | None:
    """Return the half-open UTC window of the last *days*; None for all of it, empty for 0."""
    if days is None:
        return None
    end = asked_at.astimezone(dt.UTC)
    return end - dt.timedelta(days=days), end


def passages(messages: Iterable[Message]) -> Iterator[Passage]:
    """Yield each message that may be evidence, with its author kind and origin kept."""
    for m in messages:
        if m.at is None or m.marks & SILENT or m.author_kind is AuthorKind.SYSTEM:
            continue
        text = m.content.strip()[:LONGEST]
        if text:
            yield Passage(
                layer=LAYER,
                key=f"{m.source}/{m.session_id}/{m.message_id}",
                text=text,
                subject=m.title,
                at=m.at,
                author=m.author,
                author_kind=m.author_kind,
                origin=m.origin,
                message_ids=(m.message_id,),
            )


def _only(wanted: Wanted, asked_at: dt.datetime) -> Only:
    """Return the filter: the declared window, narrowed; what is later than the question is not."""
    end = asked_at.astimezone(dt.UTC) + dt.timedelta(microseconds=1)
    declared = window(asked_at, wanted.days)
    starts = [t for t in (declared[0] if declared else None, wanted.since) if t]
    return Only(
        since=max(starts, default=None),
        until=min(end, wanted.until or end),
        speakers=wanted.speakers,
        roles=wanted.roles,
        scopes=(wanted.scope,) if wanted.scope else (),
        threads=wanted.conversations,
    )


def _threads(messages: Iterable[Message]) -> dict[str, list[Row]]:
    """Return the rows of each conversation in the order of its messages, each key once."""
    found: dict[str, dict[str, tuple[int, Row]]] = {}
    for m in messages:
        for p in passages((m,)):
            name = f"{m.source}/{m.conversation or m.session_id}"
            found.setdefault(name, {}).setdefault(p.key, (m.position, _row(p, m, name)))
    return {
        name: [row for _, row in sorted(rows.values(), key=lambda r: (r[0], r[1].key))]
        for name, rows in found.items()
    }


def _row(p: Passage, m: Message, thread: str) -> Row:
    return Row(
        key=p.key,
        text=p.text,
        speaker=p.author,
        at=p.at,
        thread=thread,
        beside=p.subject,
        role=m.role.value,
        scope=SUBAGENT if "subagent" in m.marks else MAIN,
        data=json.dumps([p.author_kind.value, p.origin.value, *p.message_ids]),
    )


def _passage(row: Row) -> Passage:
    kind, origin, *ids = json.loads(row.data)
    return Passage(
        layer=LAYER,
        key=row.key,
        text=row.text,
        subject=row.beside,
        at=row.at,
        author=row.speaker,
        author_kind=AuthorKind(kind),
        origin=Origin(origin),
        message_ids=tuple(ids),
    )


def _stamp(rows: Iterable[Row]) -> str:
    whole = hashlib.sha256()
    for row in rows:
        whole.update(repr(replace(row, thread="")).encode("utf-8", "replace"))
    return whole.hexdigest()
