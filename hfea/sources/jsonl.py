"""The neutral format: one JSON object a message; see docs/formats-neutral.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hfea.sources import times
from hfea.sources.base import RawMessage
from hfea.sources.beginnings import Beginnings
from hfea.sources.copies import Key
from hfea.sources.files import FileSource, Layout, walk
from hfea.sources.own_output import OWN_OUTPUT, own_session, own_tool
from hfea.sources.parser import Parser
from hfea.sources.parts import text_of
from memory_core.model import AuthorKind, Origin, Role, ToolUse

_ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "agent": Role.ASSISTANT,
    "tool": Role.TOOL,
    "system": Role.SYSTEM,
}
_TIME_KEYS = ("ts", "timestamp", "time", "created_at", "at")


class NeutralParser(Parser):
    """Reads the neutral format in two passes: the first learns who the agent is."""

    two_passes = True

    def __init__(self, unit: str, source: str, zone: str | None = None) -> None:
        super().__init__(unit, source)
        self._zone = zone
        self._speakers: Counter[str] = Counter()
        self._beginnings = Beginnings()
        self._own: set[str] = set()
        self._begun: set[str] = set()

    def look(self, value: Mapping[str, Any]) -> None:
        """Learn who the agent is (who speaks most as assistant), and how sessions begin."""
        role = _role(value)
        if role is None:
            return
        if role is Role.ASSISTANT and value.get("author"):
            self._speakers[str(value["author"])] += 1
        session = self._session(value)
        if role is Role.USER and session not in self._begun:
            self._begun.add(session)
            if own_session(text_of(value.get("content"))):
                self._own.add(session)
        if value.get("hfea_run"):
            self._own.add(session)
        self._beginnings.look(session, _time(value), *_said(role, value))

    def line(self, value: Mapping[str, Any], offset: int) -> Iterable[RawMessage]:
        """See Parser.line."""
        role = _role(value)
        if role is None:
            self.unknown += value.get("type") not in ("session", "meta")
            return
        position, session = self.next_position(), self._session(value)
        if self._beginnings.row(session, _time(value), *_said(role, value)):
            self.repeated += 1
            return
        zone = value.get("tz") or value.get("source_tz") or self._zone
        stamp = times.read(_time(value), zone if isinstance(zone, str) else None)
        kind, origin = self._author(role, value)
        parent = str(value.get("parent") or value.get("conversation") or "")
        yield RawMessage(
            session_id=session,
            message_id=_text(value, "id") or f"@{offset}",
            at=stamp.at,
            role=role,
            text=text_of(value.get("content")),
            position=position,
            author=_text(value, "author"),
            author_id=_text(value, "author_id"),
            author_kind=kind,
            origin=origin,
            conversation=parent or self._beginnings.origin(session),
            tool=_tool(role, value),
            marks=stamp.marks | self._marks(value, session),
            title=_text(value, "title"),
            channel=_text(value, "channel"),
            project=_text(value, "project"),
            where=f"{self.unit}#{offset}",
        )

    def _session(self, value: Mapping[str, Any]) -> str:
        return _text(value, "session_id") or Path(self.unit).name.removesuffix(".zst").removesuffix(
            ".jsonl"
        )

    def key(self, message: RawMessage) -> Key | None:
        """See Parser.key: an id is only the session's own, or its parent's."""
        if message.message_id.startswith("@"):
            return None
        return Key(f"{message.conversation}\0{message.message_id}\0{message.at}")

    def _author(self, role: Role, value: Mapping[str, Any]) -> tuple[AuthorKind | None, Origin]:
        if role is Role.TOOL:
            return AuthorKind.TOOL, Origin.HOSTED
        if role is Role.SYSTEM:
            derived = value.get("kind") == "summary" or value.get("summary") or _sums_up(value)
            return AuthorKind.SYSTEM, Origin.DERIVED if derived else Origin.DIRECT
        if role is Role.ASSISTANT:
            other = self._other_agent(value)
            return (AuthorKind.THIRD_PARTY if other else AuthorKind.AGENT), Origin.DIRECT
        return None, Origin.DIRECT

    def _marks(self, value: Mapping[str, Any], session: str) -> frozenset[str]:
        given = value.get("marks")
        marks = {str(m) for m in given} if isinstance(given, list) else set()
        if value.get("off_record"):
            marks.add("off_record")
        if session in self._own or own_tool(_text(value, "tool_name")):
            marks.add(OWN_OUTPUT)
        if self._other_agent(value):
            marks.add("subagent")
        return frozenset(marks)

    def _other_agent(self, value: Mapping[str, Any]) -> bool:
        main, author = self._speakers.most_common(1), value.get("author")
        return bool(
            _role(value) is Role.ASSISTANT and author and main and str(author) != main[0][0]
        )


# A system turn that says of itself that it sums the talk up: made from it, by no one's hand.
_SUMMARY = re.compile(
    r"\A\W*(?:\w+ ){0,2}(?:context|conversation|session|chat|compaction|resumo|contexto|conversa)\b"
    r"[^\n\]]{0,40}\b(?:summar\w+|compact\w+|resumo|resumid\w+|compactad\w+|handoff)"
    r"|\A\W*(?:automatic |automated )?(?:summary|resumo|recap)\b",
    re.IGNORECASE,
)
_SUMMARISERS = re.compile(r"compact|summar|resum", re.IGNORECASE)


def _sums_up(value: Mapping[str, Any]) -> bool:
    author = _text(value, "author")
    told = text_of(value.get("content"))[:200]
    return bool(_SUMMARY.match(told) or _SUMMARISERS.search(author))


def _role(value: Mapping[str, Any]) -> Role | None:
    """Return the role of a record; None where it is not one of this format."""
    if "content" not in value or not ("role" in value or "ts" in value):
        return None
    return _ROLES.get(str(value.get("role") or "user").lower())


def _text(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    return "" if found is None or isinstance(found, dict | list) else str(found)


def _time(value: Mapping[str, Any]) -> object:
    return next((value[k] for k in _TIME_KEYS if k in value), None)


def _said(role: Role, value: Mapping[str, Any]) -> tuple[str, str, str]:
    return role.value, _text(value, "author"), text_of(value.get("content"))


def _tool(role: Role, value: Mapping[str, Any]) -> ToolUse | None:
    if role is not Role.TOOL:
        return None
    failed = value.get("is_error")
    outcome = failed if isinstance(failed, bool) else None
    return ToolUse(_text(value, "tool_name"), is_result=True, failed=outcome)


def _find(path: Path) -> list[tuple[str, Path]]:
    found = walk(path, (".jsonl", ".jsonl.zst"))
    return found if path.is_file() else [(u, p) for u, p in found if not _label_file(p)]


def _label_file(path: Path) -> bool:
    """Whether a folder of a lab world keeps other things than sessions in this file."""
    return (path.parent / "sessions.jsonl").exists() and path.name != "sessions.jsonl"


def _beside(path: Path) -> list[str]:
    read = {p for _, p in _find(path)}
    return [unit for unit, p in walk(path, ("",)) if p not in read and ".jsonl" in p.name]


def jsonl_source(
    path: Path,
    *,
    name: str = "jsonl",
    profile: str = "default",
    zone: str | None = None,
    full: bool = False,
) -> FileSource:
    """Return the source for a file or folder of neutral JSONL; naive times are read in *zone*."""
    layout = Layout("jsonl", _find, lambda unit, who: NeutralParser(unit, who, zone), _beside)
    return FileSource(layout, path, name, profile, full)
