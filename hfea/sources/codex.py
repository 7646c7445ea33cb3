"""Codex CLI rollouts: enveloped, paginated and pre-envelope; plain or `.zst`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
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
from hfea.sources.rollbacks import Rollbacks
from memory_core.model import AuthorKind, Origin, Role

_INJECTED = (
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<permissions",
    "<skills",
    "<turn_aborted>",
    "<INSTRUCTIONS>",
)
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "web_search_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})
_ITEM_ROLES = {"UserMessage": Role.USER, "AgentMessage": Role.ASSISTANT}
_EVENT_ROLES = {"user_message": Role.USER, "agent_message": Role.ASSISTANT}
_KNOWN = frozenset(
    "session_meta turn_context response_item event_msg compacted world_state token_usage_record "
    "inter_agent_communication inter_agent_communication_metadata retained_context state".split()
)


class CodexParser(Parser):
    """Reads one rollout in two passes: which channel carries the talk, and what was rolled back.

    The same words stand in up to three channels (response items, events, completed items); one
    is read for each role, the first of these that the file has.
    """

    two_passes = True

    def __init__(self, unit: str, source: str) -> None:
        super().__init__(unit, source)
        self._channels: dict[Role, set[str]] = {Role.USER: set(), Role.ASSISTANT: set()}
        self._threads: dict[str, str] = {}
        self._session = self._conversation = self._project = ""
        self._rollbacks = Rollbacks()
        self._calls = Calls()
        self._own = self._subagent = self._started = False
        self._last: object = None

    def look(self, value: Mapping[str, Any]) -> None:
        """Learn the channels, whose thread this continues, and what a rollback removed."""
        payload = _payload(value)
        if value.get("type") == "session_meta":
            name, parent, _ = _thread(payload)
            self._threads.setdefault(name, parent)
        channel, role, text = _talk(value, payload)
        if role in self._channels and text:
            self._channels[role].add(channel)
        self._rollbacks.look(_step(payload, channel, role, text), payload.get("num_turns"))

    def key(self, message: RawMessage) -> Key:
        """See Parser.key.

        A fork repeats its parent's messages from the first one on, under new times and with no
        id of their own: what they share is their place in the lineage.
        """
        return Key(f"{self._root()}\0{message.position}", firm=False)

    def _root(self) -> str:
        """Return the first thread of the lineage, as far as the headers copied into here tell."""
        name = self._session or self.unit
        seen = {""}
        while (parent := self._threads.get(name, "")) not in seen:
            seen.add(name)
            name = parent
        return name

    def line(self, value: Mapping[str, Any], offset: int) -> Iterable[RawMessage]:
        """See Parser.line."""
        payload, kind = _payload(value), str(value.get("type") or "")
        bare = "payload" not in value
        if bare and kind not in ("message", *_CALLS, *_OUTPUTS):
            yield from self._header(value)
            return
        if not bare and kind not in _KNOWN:
            self.unknown += 1
            return
        self._last = value.get("timestamp") or self._last
        channel, role, text = _talk(value, payload)
        self._rollbacks.step(_step(payload, channel, role, text))
        if kind == "session_meta":
            self._meta(payload)
        elif kind == "compacted":
            yield from self._summary(payload, offset)
        else:
            yield from self._item(value, payload, offset)

    def _header(self, value: Mapping[str, Any]) -> Iterator[RawMessage]:
        if "id" in value and "timestamp" in value:
            self._session = self._conversation = str(value["id"])
            self._last = value["timestamp"]
        elif value.get("record_type") != "state" and value.get("type") != "reasoning":
            self.unknown += 1
        return iter(())

    def _meta(self, payload: Mapping[str, Any]) -> None:
        if self._session:
            return  # a replayed header of the thread this one continues
        self._session, _, self._subagent = _thread(payload)
        self._conversation = self._session if self._subagent else self._root()
        self._project = str(payload.get("cwd") or "")
        self._own = own_session(json.dumps(payload, default=str))

    def _message(self, value: Mapping[str, Any], offset: int, **more: Any) -> RawMessage:
        stamp = times.read(value.get("timestamp") or self._last)
        marks = stamp.marks | more.pop("marks", frozenset())
        if self._rollbacks.undone:
            marks |= {"undone"}
        if self._own:
            marks |= {OWN_OUTPUT}
        if self._subagent:
            marks |= {"subagent"}
            more["author_kind"] = AuthorKind.THIRD_PARTY
        session = self._session or Path(self.unit).name
        return RawMessage(
            session_id=session,
            message_id=f"{session}@{offset}",
            at=stamp.at,
            position=self.next_position(),
            conversation=self._conversation or session,
            marks=marks,
            project=self._project,
            channel="cli",
            where=f"{self.unit}#{offset}",
            **more,
        )

    def _summary(self, payload: Mapping[str, Any], offset: int) -> Iterator[RawMessage]:
        """Keep a compaction's summary as derived; its replayed history is never expanded."""
        text = payload.get("message")
        if isinstance(text, str) and text.strip():
            yield self._message(
                {},
                offset,
                role=Role.ASSISTANT,
                text=text,
                author_kind=AuthorKind.AGENT,
                origin=Origin.DERIVED,
                marks=frozenset({"summary"}),
            )

    def _item(
        self, value: Mapping[str, Any], payload: Mapping[str, Any], offset: int
    ) -> Iterator[RawMessage]:
        kind = str(payload.get("type") or "")
        if kind in _CALLS:
            yield self._call(value, payload, offset)
        elif kind in _OUTPUTS:
            yield self._output(value, payload, offset)
        else:
            channel, role, text = _talk(value, payload)
            if text and role in self._channels and channel == min(self._channels[role]):
                yield from self._words(value, offset, role, text)

    def _words(
        self, value: Mapping[str, Any], offset: int, role: Role, text: str
    ) -> Iterator[RawMessage]:
        if role is Role.USER and not self._started:
            self._started, self._own = True, self._own or own_session(text)
        kind = AuthorKind.AGENT if role is Role.ASSISTANT else None
        yield self._message(value, offset, role=role, text=text, author_kind=kind)

    def _call(self, value: Mapping[str, Any], item: Mapping[str, Any], at: int) -> RawMessage:
        name = str(item.get("name") or item.get("type"))
        if item.get("namespace"):
            name = f"{item['namespace']}.{name}"
        given = item.get("arguments", item.get("input", item.get("action")))
        return self._message(
            value, at, **self._calls.call(name, str(item.get("call_id") or ""), given)
        )

    def _output(self, value: Mapping[str, Any], item: Mapping[str, Any], at: int) -> RawMessage:
        text, failed = _output_text(item.get("output"))
        fields = self._calls.result(str(item.get("call_id") or ""), text, failed)
        return self._message(value, at, **fields)


def _thread(payload: Mapping[str, Any]) -> tuple[str, str, bool]:
    """Return a header's thread, the thread it was forked from, and whether it is a sub-agent."""
    source = payload.get("source")
    subagent = payload.get("thread_source") == "subagent" or (
        isinstance(source, dict) and "subagent" in source
    )
    name = str(payload.get("id") or payload.get("session_id") or "")
    parent = payload.get("forked_from_id") or (
        None if subagent else payload.get("parent_thread_id")
    )
    return name, str(parent or ""), subagent


def _step(payload: Mapping[str, Any], channel: str, role: Role | None, text: str) -> str:
    """Return what a line means for the counting of turns: see Rollbacks."""
    kind = str(payload.get("type") or "")
    if kind in ("task_started", "turn_started"):
        return "turn"
    if kind == "thread_rolled_back":
        return "rollback"
    return f"user {channel}" if role is Role.USER and text else ""


def _payload(value: Mapping[str, Any]) -> Mapping[str, Any]:
    payload = value.get("payload", value)
    return payload if isinstance(payload, dict) else {}


def _talk(value: Mapping[str, Any], payload: Mapping[str, Any]) -> tuple[str, Role | None, str]:
    """Return (channel, role, text) of a line that carries talk; channels sort by preference."""
    kind = str(payload.get("type") or "")
    if value.get("type") in ("response_item", "message") and kind == "message":
        role = {"user": Role.USER, "assistant": Role.ASSISTANT}.get(str(payload.get("role")))
        return "1 response", role, _genuine(text_of(payload.get("content")))
    if kind in _EVENT_ROLES:
        return "2 event", _EVENT_ROLES[kind], _genuine(text_of(payload.get("message")))
    item = payload.get("item")
    if kind == "item_completed" and isinstance(item, dict):
        role = _ITEM_ROLES.get(str(item.get("type")))
        return "3 item", role, _genuine(text_of(item.get("content") or item.get("text")))
    return "", None, ""


def _genuine(text: str) -> str:
    stripped = text.strip()
    return "" if stripped.startswith(_INJECTED) else stripped


def _output_text(output: object) -> tuple[str, bool | None]:
    """Return the text of a tool's output and whether it failed, where that is said."""
    if isinstance(output, str):
        try:
            inner = json.loads(output)
        except (ValueError, RecursionError):
            return output, None
        if not isinstance(inner, dict):
            return output, None
        output = inner
    if isinstance(output, dict):
        details = output.get("metadata")
        code = output.get("exit_code")
        if code is None and isinstance(details, dict):
            code = details.get("exit_code")
        body = output.get("output", output.get("content", ""))
        text = text_of(body) or (json.dumps(body, ensure_ascii=False) if body else "")
        return text, (code != 0 if isinstance(code, int) else None)
    return text_of(output), None


def _find(path: Path) -> list[tuple[str, Path]]:
    """List rollouts under their names alone, which survive archiving and compression."""
    if path.is_file():
        return [(path.name, path)]
    homes = [path / name for name in ("archived_sessions", "sessions")]
    folders = [folder for folder in homes if folder.is_dir()] or [path]
    found: dict[str, Path] = {}
    for folder in folders:
        for _, p in walk(folder, (".jsonl", ".jsonl.zst")):
            unit = p.name.removesuffix(".zst")
            if unit not in found or found[unit].suffix == ".zst" or p.suffix != ".zst":
                found[unit] = p
    return sorted(found.items())


def _beside(path: Path) -> list[str]:
    read = {p for _, p in _find(path)}
    return [unit for unit, p in walk(path, ("",)) if p not in read]


LAYOUT = Layout("codex", _find, CodexParser, _beside)


def codex_source(
    path: Path, *, name: str = "codex", profile: str = "default", full: bool = False
) -> FileSource:
    """Return the source for a Codex home (`~/.codex`) or one rollout."""
    return FileSource(LAYOUT, path, name, profile, full)
