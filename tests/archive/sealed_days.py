"""Small days to seal: messages, and episodes that cite them."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable
from pathlib import Path

from hfea.archive.store import Archive
from hfea.episode import (
    Addendum,
    Citation,
    Episode,
    LeftOut,
    Narration,
    Statement,
    Thread,
    statement_id,
)
from memory_core.model import AuthorKind, Kind, Message, Origin, Role, Theme

KEY = bytes(range(32))
DAY = dt.date(2026, 3, 5)


def fixed(seed: str = "seed") -> Callable[[int], bytes]:
    """Return an entropy source that gives the same bytes on every run."""
    calls = 0

    def draw(count: int) -> bytes:
        nonlocal calls
        calls += 1
        return hashlib.shake_256(f"{seed}:{calls}".encode()).digest(count)

    return draw


def message(text: str, n: int = 1, day: dt.date = DAY, **more: object) -> Message:
    fields: dict[str, object] = {
        "profile": "default",
        "source": "test",
        "session_id": "s",
        "message_id": str(n),
        "at": dt.datetime.combine(day, dt.time(10, n % 60), dt.UTC),
        "role": Role.USER,
        "author": "Ana",
        "author_kind": AuthorKind.OWNER,
        "origin": Origin.DIRECT,
        "content": text,
        "identity": hashlib.sha256(f"{n}{text!a}".encode()).hexdigest(),
        "position": n,
    }
    return Message(**{**fields, **more})  # type: ignore[arg-type]


def statement(m: Message, day: dt.date = DAY) -> Statement:
    cites = (Citation(m.source, m.session_id, m.message_id, m.at, 0, len(m.content)),)
    return Statement(
        id=statement_id(day, Kind.EVENT, m.content, cites),
        kind=Kind.EVENT,
        theme=Theme.DECISION,
        text=m.content,
        at=m.at,
        author=m.author,
        author_kind=m.author_kind,
        origin=m.origin,
        citations=cites,
    )


def thread(messages: list[Message], day: dt.date = DAY) -> Thread:
    return Thread(
        "t1",
        "Backups",
        "",
        ("s",),
        messages[0].at,
        messages[-1].at,
        tuple(statement(m, day) for m in messages),
    )


def episode(messages: list[Message], day: dt.date = DAY, inputs: str = "in") -> Episode:
    start = dt.datetime.combine(day, dt.time(), dt.UTC)
    return Episode(
        day=day,
        zone="UTC",
        start=start,
        end=start + dt.timedelta(days=1),
        summary=("Decided about backups.",),
        threads=(thread(messages, day),),
        left_out=(LeftOut("greeting", (("test", "s", "0"),)),),
        missing=(),
        counts=(("messages", len(messages)),),
        narration=Narration(),
        inputs=inputs,
    )


def addendum(messages: list[Message], inputs: str = "late") -> Addendum:
    return Addendum(
        0,
        dt.date(2026, 3, 12),
        "late",
        "Messages that came late.",
        (thread(messages),),
        inputs=inputs,
    )


ONE = message("We keep the backups in Curitiba.")
TWO = message("They run at four.", 2)
LATE = message("The scanner room is on the third floor.", 3)


def archive(folder: Path, seed: str = "seed") -> Archive:
    return Archive(folder / "archive", KEY, entropy=fixed(seed))


def snapshot(root: Path) -> dict[str, tuple[bytes, int]]:
    return {
        p.relative_to(root).as_posix(): (p.read_bytes(), p.stat().st_mtime_ns)
        for p in sorted(root.rglob("*"))
        if p.is_file()
    }


def codes(store: Archive, **more: object) -> set[str]:
    return {f.code for f in store.verify(**more)}  # type: ignore[arg-type]
