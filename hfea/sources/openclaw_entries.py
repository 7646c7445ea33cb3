"""OpenClaw's entries as raw messages: who spoke, which branch is live, what is machine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hfea.sources import times
from hfea.sources.base import RawMessage
from hfea.sources.notices import ERROR_NOTICE, is_notice
from hfea.sources.own_output import OWN_OUTPUT, own_tool
from hfea.sources.parts import arguments_of, text_of
from memory_core.model import AuthorKind, Origin, Role, ToolUse

_ENVELOPE = re.compile(
    r"\A\[(?P<channel>WhatsApp|Telegram|Discord|Signal|Slack|iMessage|SMS|Matrix|WebChat|Email)"
    r"(?:[ :](?P<who>.*?))?(?:\s+id:\S+)?(?:\s+\+\S*)?"
    r"(?:\s+\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?(?:\s?[A-Z]{2,5}|Z|[+-]\d{2}:?\d{2})?)?\]\s*"
)
_HEARTBEAT = re.compile(r"\A(?:HEARTBEAT|NO_REPLY\b|Read HEARTBEAT\.md)", re.IGNORECASE)
_SILENT = frozenset({"NO_REPLY", "HEARTBEAT_OK"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One line object of a session, from whichever era."""

    session: str
    value: Mapping[str, Any]
    where: str


def _live(entries: list[Entry]) -> set[str]:
    """Return the ids on the live branch: from the last entry up to the root."""
    parents = {str(e.value["id"]): e.value.get("parentId") for e in entries if e.value.get("id")}
    order = [str(e.value["id"]) for e in entries if e.value.get("id") and "parentId" in e.value]
    live: set[str] = set()
    current: object = order[-1] if order else None
    while isinstance(current, str) and current not in live:
        live.add(current)
        current = parents.get(current)
    return live


def messages(session: str, entries: list[Entry]) -> Iterator[RawMessage]:
    """Yield the messages of one session; entries off the live branch are marked `abandoned`."""
    live = _live(entries)
    position = 0
    title = next(
        (
            str(e.value["name"])
            for e in entries
            if e.value.get("type") == "session_info" and e.value.get("name")
        ),
        "",
    )
    for entry in entries:
        abandoned = bool(live) and str(entry.value.get("id")) not in live
        for fields in _fields(entry.value):
            position += 1
            text = str(fields.pop("text")).strip()
            if text:
                yield _raw(
                    session, entry, position, text, title=title, abandoned=abandoned, **fields
                )


def _raw(
    session: str,
    entry: Entry,
    position: int,
    text: str,
    **more: Any,
) -> RawMessage:
    value = entry.value
    inner = value.get("message")
    stamp = times.read(value.get("timestamp"))
    if stamp.at is None and isinstance(inner, dict):
        stamp = times.read(inner.get("timestamp"))
    marks = set(stamp.marks) | more.pop("marks", set())
    if more.pop("abandoned"):
        marks.add("abandoned")
    suffix = more.pop("suffix", "")
    return RawMessage(
        session_id=session,
        message_id=f"{session}:{value.get('id') or position}{suffix}",
        at=stamp.at,
        text=text,
        position=position,
        conversation=session,
        marks=frozenset(marks),
        where=entry.where,
        **more,
    )


def _fields(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    kind = value.get("type")
    if kind in ("compaction", "branch_summary"):
        yield {
            "role": Role.ASSISTANT,
            "text": value.get("summary") or "",
            "author": "summary",
            "author_kind": AuthorKind.AGENT,
            "origin": Origin.DERIVED,
            "marks": {"summary"},
        }
    elif kind == "custom_message":
        yield {
            "role": Role.SYSTEM,
            "text": text_of(value.get("content")),
            "author": str(value.get("customType") or "system"),
            "author_kind": AuthorKind.SYSTEM,
            "marks": {"machine"},
        }
    elif kind == "message" and isinstance(value.get("message"), dict):
        yield from _spoken(value["message"])


def _spoken(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    role = message.get("role")
    content = message.get("content")
    if role == "user":
        yield _user(text_of(content))
    elif role == "assistant":
        text = text_of(content).strip()
        if text and text not in _SILENT:
            notice = message.get("stopReason") == "error" or is_notice(text)
            yield {
                "role": Role.ASSISTANT,
                "text": text,
                "author_kind": AuthorKind.SYSTEM if notice else AuthorKind.AGENT,
                "marks": {ERROR_NOTICE} if notice else set(),
            }
        for part in content if isinstance(content, list) else ():
            if isinstance(part, dict) and part.get("type") == "toolCall":
                yield _call(part)
    elif role in ("toolResult", "bashExecution"):
        yield _result(message)


def _user(text: str) -> dict[str, Any]:
    envelope = _ENVELOPE.match(text)
    words = text[envelope.end() :] if envelope else text
    who = (envelope.group("who") or "").strip() if envelope else ""
    fields: dict[str, Any] = {"role": Role.USER, "text": words, "author": who}
    if envelope:
        fields["channel"] = envelope.group("channel").lower()
    if _HEARTBEAT.match(words.strip()):
        fields |= {"author_kind": AuthorKind.SYSTEM, "marks": {"machine"}}
    return fields


def _call(part: Mapping[str, Any]) -> dict[str, Any]:
    name, call = str(part.get("name") or "tool"), str(part.get("id") or "")
    arguments = arguments_of(part.get("arguments"))
    return {
        "role": Role.ASSISTANT,
        "text": f"{name}: {arguments}",
        "author_kind": AuthorKind.AGENT,
        "tool": ToolUse(name, call, arguments),
        "marks": {"tool_call"} | ({OWN_OUTPUT} if own_tool(name) else set()),
        "suffix": f":{call}",
    }


def _result(message: Mapping[str, Any]) -> dict[str, Any]:
    name = str(message.get("toolName") or message.get("role") or "tool")
    failed = message.get("isError")
    output = message.get("content", message.get("output"))
    return {
        "role": Role.TOOL,
        "text": text_of(output),
        "author": name,
        "author_kind": AuthorKind.TOOL,
        "origin": Origin.HOSTED,
        "tool": ToolUse(
            name,
            str(message.get("toolCallId") or ""),
            is_result=True,
            failed=failed if isinstance(failed, bool) else None,
        ),
        "marks": {OWN_OUTPUT} if own_tool(name) else set(),
    }
