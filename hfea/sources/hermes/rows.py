"""Rows of `state.db` by column presence, decoded; nothing of their meaning is decided here."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
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
    "model_config title cwd session_key origin_json"
).split()
_SUMMARISED = frozenset({"user", "assistant", "system"})


class NotHermes(Exception):
    """The database has no tables in Hermes's shape."""


@dataclass(frozen=True, slots=True)
class Session:
    """One row of `sessions`; what a version lacks is empty.

    `open` says that its end was recorded nowhere though the version records ends. Chats of a
    gateway have none by nature and are not counted as open.
    """

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
    open: bool = False


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

    @property
    def todo(self) -> bool:
        """Whether it is the task list that Hermes repeats after a summary."""
        return self.text.startswith(scaffold.TODO_START)

    def twin(self) -> bytes:
        """Return a hash by which two rows are one message stored twice, its time included."""
        return _digest(self.role, self.text, repr(self.timestamp))

    def key(self) -> bytes:
        """Return a hash by which a row and its copies after a compaction are the same."""
        text = scaffold.comparable(self.text)
        return _digest(self.role, text, self.call_id, repr(self.calls), self.tool)


def _digest(*fields: str) -> bytes:
    body = "\0".join(fields).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(body, digest_size=16).digest()


def check(db: sqlite3.Connection) -> None:
    """Raise NotHermes where the least columns of a Hermes history are missing."""
    if not {"id", "session_id", "role", "content", "timestamp"} <= columns(db, "messages"):
        raise NotHermes
    if "id" not in columns(db, "sessions"):
        raise NotHermes


def fingerprints(db: sqlite3.Connection) -> dict[str, tuple[str, int]]:
    """Return (fingerprint, rows) of every session in one pass over `messages`.

    Count, highest id, sums of the flags and bytes of content: an undo, a compaction, a
    deletion or a replaced row changes at least one of them. Salvage computes the same print.
    """
    active, compacted = flags(db)
    query = (
        f"SELECT session_id, count(*), max(id), sum({active}), sum({compacted}),"
        " sum(length(CAST(content AS BLOB))), sum(id) FROM messages NOT INDEXED"
        " GROUP BY session_id"
    )
    return {str(sid): (":".join(map(str, rest)), int(rest[0])) for sid, *rest in db.execute(query)}


def flags(db: sqlite3.Connection) -> tuple[str, str]:
    """Return the expressions for `active` and `compacted` of a row, whatever the version."""
    present = columns(db, "messages")
    active = "coalesce(active, 1)" if "active" in present else "1"
    return active, "coalesce(compacted, 0)" if "compacted" in present else "0"


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
    return {s.id: s for s in map(session_of(db), db.execute(f"{session_select(db)} NOT INDEXED"))}


def session_select(db: sqlite3.Connection) -> str:
    """Return the query for what is read of `sessions`, to be given a WHERE."""
    present = columns(db, "sessions")
    return f"SELECT {_wanted(_SESSION, present)} FROM sessions"


def session_of(db: sqlite3.Connection) -> Callable[[tuple[Any, ...]], Session]:
    """Return what makes a Session of a row that session_select gave."""
    ends = "ended_at" in columns(db, "sessions")
    return lambda row: _session(dict(zip(_SESSION, row, strict=True)), ends=ends)


def messages(db: sqlite3.Connection, session: str) -> Iterator[Row]:
    """Yield a session's rows in their true order, which is by id and never by time."""
    wanted = _wanted(_MESSAGE, columns(db, "messages"))
    query = f"SELECT {wanted} FROM messages WHERE session_id = ? ORDER BY id"
    for row in db.execute(query, (session,)):
        yield _row(dict(zip(_MESSAGE, row, strict=True)))


def by_id(db: sqlite3.Connection, ids: Sequence[int]) -> dict[int, Row]:
    """Return the rows of these ids that are there, by the table alone: no index is used."""
    wanted = _wanted(_MESSAGE, columns(db, "messages"))
    found = {}
    for number in ids:
        for row in db.execute(f"SELECT {wanted} FROM messages WHERE id = ?", (number,)):
            found[number] = _row(dict(zip(_MESSAGE, row, strict=True)))
    return found


def _wanted(names: Sequence[str], present: Collection[str]) -> str:
    return ", ".join(f'"{c}"' if c in present else f'NULL AS "{c}"' for c in names)


def _session(row: dict[str, Any], *, ends: bool) -> Session:
    origin = _object(row["origin_json"])
    chat_type = _text(row["chat_type"] or origin.get("chat_type"))
    key = _text(row["session_key"])
    name = row["display_name"] or origin.get("chat_name" if chat_type == "dm" else "user_name")
    return Session(
        id=_text(row["id"]),
        source=_text(row["source"]),
        user_id=_text(row["user_id"] or origin.get("user_id")),
        chat_type=chat_type,
        display_name=_text(name or origin.get("user_name")),
        parent=_text(row["parent_session_id"]),
        started=_float(row["started_at"]) or 0.0,
        ended=_float(row["ended_at"]),
        end_reason=_text(row["end_reason"]),
        config=_object(row["model_config"]),
        title=_text(row["title"]),
        cwd=_text(row["cwd"]),
        key=key,
        open=ends and row["ended_at"] is None and not key and not chat_type,
    )


def _row(row: dict[str, Any]) -> Row:
    text = content_text(row["content"])
    role = _text(row["role"]).strip().lower()
    return Row(
        id=int(row["id"]),
        session=_text(row["session_id"]),
        role=role,
        text=text,
        call_id=_text(row["tool_call_id"]),
        calls=tool_calls(row["tool_calls"]),
        tool=_text(row["tool_name"]),
        timestamp=row["timestamp"],
        finish=_text(row["finish_reason"]),
        observed=bool(row["observed"]),
        active=row["active"] is None or bool(row["active"]),
        compacted=bool(row["compacted"]),
        summary=role in _SUMMARISED
        and (bool(row["_compressed_summary"]) or scaffold.has_summary(text)),
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
