"""Claude Code transcripts: one JSONL file a session, a line a content block."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hfea.sources import lines, times
from hfea.sources.base import RawMessage
from hfea.sources.files import FileSource, Layout, Parser, walk
from hfea.sources.own_output import OWN_OUTPUT, own_session, own_tool
from hfea.sources.parts import arguments_of, text_of
from memory_core.model import AuthorKind, Origin, Role, ToolUse

_WRAPPERS = (
    "<command-name>",
    "<command-message>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "[Request interrupted by user",
)
_REMINDER = re.compile(r"<system-reminder>.*?(?:</system-reminder>|\Z)", re.DOTALL)
_METADATA = frozenset(
    "summary ai-title custom-title last-prompt mode permission-mode agent-setting pr-link "
    "file-history-snapshot attachment progress system queue-operation agent-name tag".split()
)
_HEAD_FIELD = re.compile(r'"(type|uuid|sessionId|timestamp)"\s*:\s*"([^"\\]{1,200})"')


class ClaudeParser(Parser):
    """Reads one transcript; holds back one assistant message until it is complete."""

    def __init__(self, unit: str, source: str) -> None:
        super().__init__(unit, source)
        self._pending: RawMessage | None = None
        self._pending_id = ""
        self._tools: dict[str, str] = {}
        self._title = self._parent = ""
        self._own = False
        self._started = False

    def line(self, value: Mapping[str, Any], offset: int) -> Iterable[RawMessage]:
        """See Parser.line."""
        kind = value.get("type")
        if kind == "assistant" and isinstance(value.get("message"), dict):
            self.recognised += 1
            yield from self._assistant(value, offset)
            return
        yield from self._flush()
        if kind == "user" and isinstance(value.get("message"), dict):
            self.recognised += 1
            yield from self._user(value, offset)
        elif kind in _METADATA:
            self.recognised += 1
            yield from self._metadata(value, offset)
        else:
            self.unknown += 1

    def end(self) -> Iterable[RawMessage]:
        """See Parser.end."""
        yield from self._flush()

    def oversized(self, damage: lines.Damage) -> Iterable[RawMessage]:
        """Keep place, time and kind of a line that is too long, and a stub of its content."""
        head = damage.head.decode("utf-8", "replace")
        fields: dict[str, str] = {}
        for key, found in _HEAD_FIELD.findall(head):
            fields.setdefault(key, found)
        if fields.get("type") not in ("user", "assistant") or "uuid" not in fields:
            return
        tool = '"tool_result"' in head
        yield self._message(
            {**fields, "isSidechain": '"isSidechain":true' in head.replace(" ", "")},
            damage.offset,
            role=Role.TOOL if tool or '"image"' in head else Role.USER,
            text=f"[{damage.length} bytes left out, sha256 {damage.digest[:16]}]",
            author_kind=AuthorKind.TOOL,
            origin=Origin.HOSTED,
            tool=ToolUse("", is_result=True) if tool else None,
            marks=frozenset({"oversized"}),
        )

    def _flush(self) -> Iterator[RawMessage]:
        if self._pending is not None:
            yield self._pending
        self._pending, self._pending_id = None, ""

    def _message(self, value: Mapping[str, Any], offset: int, **more: Any) -> RawMessage:
        stamp = times.read(value.get("timestamp"))
        session = str(value.get("sessionId") or Path(self.unit).stem)
        marks = stamp.marks | more.pop("marks", frozenset())
        forked = value.get("forkedFrom")
        if isinstance(forked, dict) and forked.get("sessionId"):
            self._parent = str(forked["sessionId"])
            marks |= {"branch"}
        if value.get("isSidechain") or value.get("agentId") or "/subagents/" in f"/{self.unit}":
            marks |= {"subagent"}
            more["author_kind"] = AuthorKind.THIRD_PARTY
            more.setdefault("author", str(value.get("agentId") or "sub-agent"))
        if self._own:
            marks |= {OWN_OUTPUT}
        return RawMessage(
            session_id=session,
            message_id=str(more.pop("message_id", "") or value.get("uuid") or f"@{offset}"),
            at=stamp.at,
            position=self.next_position(),
            conversation=self._parent or session,
            marks=marks,
            title=self._title,
            project=str(value.get("cwd") or ""),
            channel="cli",
            where=f"{self.unit}#{offset}",
            **more,
        )

    def _user(self, value: Mapping[str, Any], offset: int) -> Iterator[RawMessage]:
        content = value["message"].get("content")
        blocks = content if isinstance(content, list) else []
        for block in blocks:
            if isinstance(block, dict) and block.get("type") == "tool_result":
                yield self._result(value, block, offset)
        words = [b for b in blocks if not (isinstance(b, dict) and b.get("type") == "tool_result")]
        text = _REMINDER.sub("", text_of(words if blocks else content)).strip()
        if not text or value.get("isMeta") or text.startswith(_WRAPPERS):
            return
        if value.get("isCompactSummary"):
            yield self._message(
                value,
                offset,
                role=Role.USER,
                text=text,
                author_kind=AuthorKind.AGENT,
                origin=Origin.DERIVED,
                marks=frozenset({"summary"}),
            )
            return
        if not self._started:
            self._started, self._own = True, own_session(text)
        yield self._message(value, offset, role=Role.USER, text=text)

    def _result(self, value: Mapping[str, Any], block: Mapping[str, Any], at: int) -> RawMessage:
        call = str(block.get("tool_use_id") or "")
        name = self._tools.get(call, "")
        failed = block.get("is_error")
        return self._message(
            value,
            at,
            message_id=f"{value.get('uuid')}:{call}" if call else "",
            role=Role.TOOL,
            text=text_of(block.get("content")),
            author=name or "tool",
            author_kind=AuthorKind.TOOL,
            origin=Origin.HOSTED,
            tool=ToolUse(
                name, call, is_result=True, failed=failed if isinstance(failed, bool) else None
            ),
            marks=frozenset({OWN_OUTPUT} if own_tool(name) else ()),
        )

    def _assistant(self, value: Mapping[str, Any], offset: int) -> Iterator[RawMessage]:
        message = value["message"]
        error = value.get("isApiErrorMessage") or message.get("model") == "<synthetic>"
        content = message.get("content")
        text = text_of(content).strip()
        if text:
            yield from self._text(value, offset, text, error=bool(error))
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") == "tool_use":
                yield from self._flush()
                yield self._call(value, block, offset)

    def _text(
        self, value: Mapping[str, Any], offset: int, text: str, *, error: bool
    ) -> Iterator[RawMessage]:
        """Join the blocks of one message; a snapshot that repeats its beginning replaces it."""
        key = str(value["message"].get("id") or value.get("uuid"))
        before = self._pending
        if before is not None and key == self._pending_id:
            joined = text if text.startswith(before.text) else f"{before.text}\n\n{text}"
            if not before.text.startswith(text):
                self._pending = _with_text(before, joined)
            return
        yield from self._flush()
        self._pending_id = key
        self._pending = self._message(
            value,
            offset,
            role=Role.ASSISTANT,
            text=text,
            author_kind=AuthorKind.SYSTEM if error else AuthorKind.AGENT,
            marks=frozenset({"error_notice"} if error else ()),
        )

    def _call(self, value: Mapping[str, Any], block: Mapping[str, Any], at: int) -> RawMessage:
        name, call = str(block.get("name") or "tool"), str(block.get("id") or "")
        self._tools[call] = name
        arguments = arguments_of(block.get("input"))
        return self._message(
            value,
            at,
            message_id=f"{value.get('uuid')}:{call}",
            role=Role.ASSISTANT,
            text=f"{name}: {arguments}",
            author_kind=AuthorKind.AGENT,
            tool=ToolUse(name, call, arguments),
            marks=frozenset({"tool_call"} | ({OWN_OUTPUT} if own_tool(name) else set())),
        )

    def _metadata(self, value: Mapping[str, Any], offset: int) -> Iterator[RawMessage]:
        for key in ("customTitle", "aiTitle", "summary"):
            if isinstance(value.get(key), str):
                self._title = value[key][:200]
        if value.get("type") == "queue-operation" and value.get("operation") == "remove":
            # Steering text that was taken back from the queue stands nowhere else.
            text = text_of(value.get("content")).strip()
            if text and not text.startswith(_WRAPPERS):
                yield self._message(
                    {**value, "uuid": f"queue@{offset}"}, offset, role=Role.USER, text=text
                )


def _with_text(message: RawMessage, text: str) -> RawMessage:
    fields = {name: getattr(message, name) for name in RawMessage.__dataclass_fields__}
    return RawMessage(**{**fields, "text": text})


def _root(path: Path) -> Path:
    return path / "projects" if (path / "projects").is_dir() else path


def _find(path: Path) -> list[tuple[str, Path]]:
    """List transcripts, parents before the forks that copy them, then by name."""
    found = [
        (unit, p)
        for unit, p in walk(_root(path), (".jsonl",))
        if not Path(unit).name.startswith("agent-acompact-")
    ]
    return sorted(found, key=lambda pair: (_is_fork(pair[1]), pair[0]))


def _is_fork(path: Path) -> bool:
    try:
        with path.open("rb") as f:
            return b'"forkedFrom"' in f.read(256 * 1024)
    except OSError:
        return False


def _beside(path: Path) -> list[str]:
    read = {p for _, p in _find(path)}
    everything = walk(_root(path), ("",))
    return [unit for unit, p in everything if p not in read and ".jsonl" in p.name]


LAYOUT = Layout("claude-code", _find, ClaudeParser, _beside)


def claude_code_source(
    path: Path, *, name: str = "claude-code", profile: str = "default", full: bool = False
) -> FileSource:
    """Return the source for a Claude Code folder (`~/.claude`, or one transcript file)."""
    return FileSource(LAYOUT, path, name, profile, full)
