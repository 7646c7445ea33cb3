"""Rows of `state.db` by column presence, decoded; nothing of their meaning is decided here."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hfea.sources.hermes import scaffold
from hfea.sources.parts import part_text
from hfea.sources.sqlite_reading import columns

NUL_JSON = "\x00json:"
_MESSAGE = (
    "id session_id role content tool_call_id tool_calls tool_name timestamp finish_reason "
    "observed active compacted _compressed_summary display_kind platform_message_id"
).split()
_SESSION = (
    "id source user_id chat_type display_name parent_session_id started_at ended_at end_reason "
    "model_config title cwd session_key"
).split()


class NotHermes(Exception):
    """The database has no tables in Hermes's shape."""


@dataclass(frozen=True, slots=True)
class Session:
    """One row of `sessions`; what a version lacks is empty."""

    id: str
    source: str
    user_id: str
    chat_type: str
    display_name: str
    parent: str
    started: float
    ended: float | None
    end_reason: str
    config: dict[str, Any]
    title: str
    cwd: str
    key: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row of `messages`, its content decoded to text."""

    id: int
    session: str
    role: str
    text: str
    call_id: str
    calls: tuple[tuple[str, str, object], ...]
    tool: str
    timestamp: object
    finish: str
    observed: bool
    active: bool
    compacted: bool
    summary: bool
    hidden: bool

    @property
    def visible(self) -> bool:
        """Whether it is history: live, or summarised away in place."""
        return self.active or self.compacted

    def key(self) -> bytes:
        """Return a hash by which a row and its copies after a compaction are the same."""
        body = (
            self.role,
            scaffold.comparable(self.text),
            self.call_id,
            repr(self.calls),
            self.tool,
        )
        return hashlib.blake2b(
            "\0".join(body).encode("utf-8", "surrogatepass"), digest_size=16
        ).digest()


def check(db: sqlite3.Connection) -> None:
    """Raise NotHermes where the least columns of a Hermes history are missing."""
    if not {"id", "session_id", "role", "content", "timestamp"} <= columns(db, "messages"):
        raise NotHermes
    if "id" not in columns(db, "sessions"):
        raise NotHermes


def fingerprints(db: sqlite3.Connection) -> dict[str, tuple[str, int]]:
    """Return (fingerprint, rows) of every session in one pass over `messages`.

    Count, highest id, sums of the flags and bytes of content: an undo, a compaction, a
    deletion or a replaced row changes at least one of them.
    """
    present = columns(db, "messages")
    active = "sum(coalesce(active, 1))" if "active" in present else "0"
    compacted = "sum(coalesce(compacted, 0))" if "compacted" in present else "0"
    query = (
        f"SELECT session_id, count(*), max(id), {active}, {compacted},"
        " sum(length(CAST(content AS BLOB))), sum(id) FROM messages NOT INDEXED"
        " GROUP BY session_id"
    )
    return {str(sid): (":".join(map(str, rest)), int(rest[0])) for sid, *rest in db.execute(query)}


def content_hashes(db: sqlite3.Connection) -> dict[str, str]:
    """Return a hash over all content of every session; finds same-length edits."""
    states: dict[str, Any] = {}
    query = "SELECT session_id, id, role, CAST(content AS BLOB) FROM messages ORDER BY id"
    for sid, number, role, content in db.execute(query):
        state = states.setdefault(str(sid), hashlib.blake2b(digest_size=16))
        state.update(f"{number}\0{role}\0".encode())
        state.update(content or b"")
    return {sid: state.hexdigest() for sid, state in states.items()}


def sessions(db: sqlite3.Connection) -> dict[str, Session]:
    """Return every session by id."""
    present = columns(db, "sessions")
    wanted = ", ".join(c if c in present else f"NULL AS {c}" for c in _SESSION)
    found = {}
    for row in db.execute(f"SELECT {wanted} FROM sessions"):
        session = _session(dict(zip(_SESSION, row, strict=True)))
        found[session.id] = session
    return found


def messages(db: sqlite3.Connection, session: str) -> Iterator[Row]:
    """Yield a session's rows in their true order, which is by id and never by time."""
    present = columns(db, "messages")
    wanted = ", ".join(f'"{c}"' if c in present else f'NULL AS "{c}"' for c in _MESSAGE)
    query = f"SELECT {wanted} FROM messages WHERE session_id = ? ORDER BY id"
    for row in db.execute(query, (session,)):
        yield _row(dict(zip(_MESSAGE, row, strict=True)))


def _session(row: dict[str, Any]) -> Session:
    return Session(
        id=_text(row["id"]),
        source=_text(row["source"]),
        user_id=_text(row["user_id"]),
        chat_type=_text(row["chat_type"]),
        display_name=_text(row["display_name"]),
        parent=_text(row["parent_session_id"]),
        started=_float(row["started_at"]) or 0.0,
        ended=_float(row["ended_at"]),
        end_reason=_text(row["end_reason"]),
        config=_object(row["model_config"]),
        title=_text(row["title"]),
        cwd=_text(row["cwd"]),
        key=_text(row["session_key"]),
    )


def _row(row: dict[str, Any]) -> Row:
    text = content_text(row["content"])
    return Row(
        id=int(row["id"]),
        session=_text(row["session_id"]),
        role=_text(row["role"]),
        text=text,
        call_id=_text(row["tool_call_id"]),
        calls=tool_calls(row["tool_calls"]),
        tool=_text(row["tool_name"]),
        timestamp=row["timestamp"],
        finish=_text(row["finish_reason"]),
        observed=bool(row["observed"]),
        active=row["active"] is None or bool(row["active"]),
        compacted=bool(row["compacted"]),
        summary=bool(row["_compressed_summary"]) or scaffold.has_summary(text),
        hidden=row["display_kind"] == "hidden",
    )


def content_text(content: object) -> str:
    """Return the text of a content column: plain, NUL-JSON parts, bytes, numbers or nothing."""
    if content is None:
        return ""
    if isinstance(content, bytes):
        content = content.decode("utf-8", "replace")
    if not isinstance(content, str):
        return str(content)
    if not content.startswith(NUL_JSON):
        return content
    try:
        parts = json.loads(content[len(NUL_JSON) :])
    except (ValueError, RecursionError):
        return content[len(NUL_JSON) :]
    if not isinstance(parts, list):
        parts = [parts]
    texts = (part_text(p) if isinstance(p, dict) else str(p) for p in parts)
    return "\n".join("[screenshot]" if t.startswith("[image") else t for t in texts if t)


def tool_calls(value: object) -> tuple[tuple[str, str, object], ...]:
    """Return (name, call id, arguments) of each call; malformed JSON counts as none."""
    try:
        calls = json.loads(value) if isinstance(value, str | bytes) and value else []
    except (ValueError, RecursionError):
        return ()
    found = []
    for call in calls if isinstance(calls, list) else ():
        if not isinstance(call, dict):
            continue
        inner = call.get("function")
        function = inner if isinstance(inner, dict) else call
        name = _text(function.get("name")) or "tool"
        found.append(
            (name, _text(call.get("id") or call.get("call_id")), function.get("arguments"))
        )
    return tuple(found)


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _object(value: object) -> dict[str, Any]:
    try:
        data = json.loads(value) if isinstance(value, str) and value else {}
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
