"""Claude Code transcripts: one JSONL file a session, a line a content block."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hfea.sources import times
from hfea.sources.base import RawMessage
from hfea.sources.calls import Calls
from hfea.sources.copies import Key
from hfea.sources.files import FileSource, Layout, walk
from hfea.sources.own_output import OWN_OUTPUT, own_session
from hfea.sources.parser import Parser
from hfea.sources.parts import text_of
from memory_core.model import AuthorKind, Origin, Role

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
_TIME = re.compile(rb'"timestamp"\s*:\s*"(\d{4}-[0-9T:.Z+-]{4,30})"')
_LOOKED = 64 * 1024  # bytes of a transcript's head and tail that its age is read from
_METADATA = frozenset(
    "summary ai-title custom-title last-prompt mode permission-mode agent-setting pr-link "
    "file-history-snapshot attachment progress system queue-operation agent-name tag".split()
)


class ClaudeParser(Parser):
    """Reads one transcript; holds back one assistant message until it is complete."""

    def __init__(self, unit: str, source: str) -> None:
        super().__init__(unit, source)
        self._pending: RawMessage | None = None
        self._pending_id = ""
        self._calls = Calls()
        name = Path(unit).stem
        self._worker = name if name.startswith("agent-") or "/subagents/" in f"/{unit}" else ""
        self._title = self._parent = ""
        self._own = False
        self._started = False

    def line(self, value: Mapping[str, Any], offset: int) -> Iterable[RawMessage]:
        """See Parser.line."""
        kind = str(value.get("type") or "")
        if kind == "assistant" and isinstance(value.get("message"), dict):
            yield from self._assistant(value, offset)
        elif kind == "user" and isinstance(value.get("message"), dict):
            yield from self._flush()
            yield from self._user(value, offset)
        elif kind in _METADATA:
            # No end of the answer being written: such rows come between its snapshots too.
            yield from self._metadata(value, offset)
        else:
            self.unknown += 1

    def end(self) -> Iterable[RawMessage]:
        """See Parser.end."""
        yield from self._flush()

    def key(self, message: RawMessage) -> Key | None:
        """See Parser.key: an uuid is the same row in every file."""
        return None if message.message_id.startswith("@") else Key(message.message_id)

    def _flush(self) -> Iterator[RawMessage]:
        if self._pending is not None:
            yield self._pending
        self._pending, self._pending_id = None, ""

    def _message(self, value: Mapping[str, Any], offset: int, **more: Any) -> RawMessage:
        stamp = times.read(value.get("timestamp"))
        session, conversation = self._place(value)
        marks = stamp.marks | more.pop("marks", frozenset())
        if isinstance(value.get("forkedFrom"), dict):
            marks |= {"branch"}
        if value.get("isSidechain") or value.get("agentId") or self._worker:
            marks |= {"subagent"}
            if more.get("author_kind") is not AuthorKind.TOOL:
                more["author_kind"] = AuthorKind.THIRD_PARTY
            more.setdefault("author", str(value.get("agentId") or self._worker or "sub-agent"))
        if self._own:
            marks |= {OWN_OUTPUT}
        return RawMessage(
            session_id=session,
            message_id=str(more.pop("message_id", "") or value.get("uuid") or f"@{offset}"),
            at=stamp.at,
            position=self.next_position(),
            conversation=conversation,
            marks=marks,
            title=self._title,
            project=str(value.get("cwd") or ""),
            channel="cli",
            where=f"{self.unit}#{offset}",
            **more,
        )

    def _place(self, value: Mapping[str, Any]) -> tuple[str, str]:
        """Return session and conversation; a sub-agent's own file is a session of its own."""
        session = str(value.get("sessionId") or Path(self.unit).stem)
        if self._worker:
            return f"{session}:{self._worker}", session
        forked = value.get("forkedFrom")
        if isinstance(forked, dict) and forked.get("sessionId"):
            self._parent = str(forked["sessionId"])
        return session, self._parent or session

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
        fields = self._calls.result(call, text_of(block.get("content")), block.get("is_error"))
        return self._message(value, at, message_id=_part_id(value, call), **fields)

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
        call = str(block.get("id") or "")
        fields = self._calls.call(str(block.get("name") or "tool"), call, block.get("input"))
        return self._message(value, at, message_id=_part_id(value, call), **fields)

    def _metadata(self, value: Mapping[str, Any], offset: int) -> Iterator[RawMessage]:
        for key in ("customTitle", "aiTitle", "summary"):
            if isinstance(value.get(key), str):
                self._title = value[key][:200]
        if value.get("type") == "queue-operation" and value.get("operation") == "remove":
            # Steering text that was taken back from the queue stands nowhere else.
            text = text_of(value.get("content")).strip()
            if text and not text.startswith(_WRAPPERS):
                yield self._message(
                    {**value, "uuid": f"@{offset}"}, offset, role=Role.USER, text=text
                )


def _part_id(value: Mapping[str, Any], call: str) -> str:
    return f"{value['uuid']}:{call}" if value.get("uuid") and call else ""


def _with_text(message: RawMessage, text: str) -> RawMessage:
    return replace(message, text=text)


def _root(path: Path) -> Path:
    return path / "projects" if (path / "projects").is_dir() else path


def _find(path: Path) -> list[tuple[str, Path]]:
    return [
        (unit, p)
        for unit, p in walk(_root(path), (".jsonl",))
        if not Path(unit).name.startswith("agent-acompact-")
    ]


def _age(path: Path) -> tuple[bool, str, str]:
    """Return whether a file says it is a fork, and the first and last time written in it.

    In this order the oldest comes first (it is deleted first), and forks come after what they
    copy: of two that begin alike, the one that ended first was copied. Names decide nothing.
    """
    try:
        with path.open("rb") as f:
            head = f.read(_LOOKED)
            f.seek(max(0, path.stat().st_size - _LOOKED))
            first, tail = _TIME.search(head), f.read(_LOOKED)
    except OSError:
        return False, "", ""
    last = _TIME.findall(tail)
    began = first.group(1).decode() if first else ""
    return b'"forkedFrom"' in head, began, last[-1].decode() if last else began


def _beside(path: Path) -> list[str]:
    read = {p for _, p in _find(path)}
    everything = walk(_root(path), ("",))
    return [unit for unit, p in everything if p not in read and ".jsonl" in p.name]


LAYOUT = Layout("claude-code", _find, ClaudeParser, _beside, _age)


def claude_code_source(
    path: Path, *, name: str = "claude-code", profile: str = "default", full: bool = False
) -> FileSource:
    """Return the source for a Claude Code folder (`~/.claude`, or one transcript file)."""
    return FileSource(LAYOUT, path, name, profile, full)
