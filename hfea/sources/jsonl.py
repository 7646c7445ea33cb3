"""The neutral format: one JSON object a message; see docs/formats-neutral.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hfea.sources import times
from hfea.sources.base import RawMessage
from hfea.sources.files import FileSource, Layout, Parser, walk
from hfea.sources.own_output import OWN_OUTPUT, own_session, own_tool
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
        self._own: set[str] = set()

    def look(self, value: Mapping[str, Any]) -> None:
        """Count who speaks as assistant: the agent is the one who does so most."""
        if value.get("role") in ("assistant", "agent") and value.get("author"):
            self._speakers[str(value["author"])] += 1
        if own_session(str(value.get("content") or "")) or value.get("hfea_run"):
            self._own.add(str(value.get("session_id")))

    def line(self, value: Mapping[str, Any], offset: int) -> Iterable[RawMessage]:
        """See Parser.line."""
        role = _ROLES.get(str(value.get("role") or "user").lower())
        if role is None or "content" not in value or not ("role" in value or "ts" in value):
            if value.get("type") in ("session", "meta"):
                self.recognised += 1
            else:
                self.unknown += 1
            return
        self.recognised += 1
        zone = value.get("tz") or value.get("source_tz") or self._zone
        stamp = times.read(
            next((value[k] for k in _TIME_KEYS if k in value), None),
            zone if isinstance(zone, str) else None,
        )
        session = str(value.get("session_id") or Path(self.unit).stem)
        author = str(value.get("author") or "")
        kind, origin = self._author(role, value)
        tool = str(value.get("tool_name") or "")
        failed = value.get("is_error")
        yield RawMessage(
            session_id=session,
            message_id=str(value.get("id") or f"@{offset}"),
            at=stamp.at,
            role=role,
            text=text_of(value.get("content")),
            position=self.next_position(),
            author=author,
            author_id=str(value.get("author_id") or ""),
            author_kind=kind,
            origin=origin,
            conversation=str(value.get("parent") or value.get("conversation") or session),
            tool=ToolUse(tool, is_result=True, failed=failed if isinstance(failed, bool) else None)
            if role is Role.TOOL
            else None,
            marks=stamp.marks | self._marks(value, session, tool),
            title=str(value.get("title") or ""),
            channel=str(value.get("channel") or ""),
            project=str(value.get("project") or ""),
            where=f"{self.unit}#{offset}",
        )

    def _author(self, role: Role, value: Mapping[str, Any]) -> tuple[AuthorKind | None, Origin]:
        if role is Role.TOOL:
            return AuthorKind.TOOL, Origin.HOSTED
        if role is Role.SYSTEM:
            derived = value.get("kind") == "summary" or value.get("summary")
            return AuthorKind.SYSTEM, Origin.DERIVED if derived else Origin.DIRECT
        if role is Role.ASSISTANT:
            other = self._other_agent(value)
            return (AuthorKind.THIRD_PARTY if other else AuthorKind.AGENT), Origin.DIRECT
        return None, Origin.DIRECT

    def _marks(self, value: Mapping[str, Any], session: str, tool: str) -> frozenset[str]:
        given = value.get("marks")
        marks = {str(m) for m in given} if isinstance(given, list) else set()
        if value.get("off_record"):
            marks.add("off_record")
        if session in self._own or own_tool(tool):
            marks.add(OWN_OUTPUT)
        if self._other_agent(value):
            marks.add("subagent")
        return frozenset(marks)

    def _other_agent(self, value: Mapping[str, Any]) -> bool:
        main, author = self._speakers.most_common(1), value.get("author")
        speaks = value.get("role") in ("assistant", "agent")
        return bool(speaks and author and main and author != main[0][0])


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
