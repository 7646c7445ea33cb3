"""OpenClaw's entries as raw messages: who spoke, which branch is live, what is machine."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hfea.sources import times
from hfea.sources.base import RawMessage
from hfea.sources.calls import Calls
from hfea.sources.notices import ERROR_NOTICE, is_notice
from hfea.sources.openclaw_envelope import unwrap
from hfea.sources.own_output import OWN_OUTPUT, own_session
from hfea.sources.parts import text_of
from memory_core.model import AuthorKind, Origin, Role

_HEARTBEAT = re.compile(r"\A(?:HEARTBEAT|NO_REPLY\b|Read HEARTBEAT\.md)", re.IGNORECASE)
_SILENT = frozenset({"NO_REPLY", "HEARTBEAT_OK"})
_SPOKEN = frozenset({"message", "compaction", "branch_summary", "custom_message"})
_STATE = "session model_change thinking_level_change custom label session_info leaf".split()
KNOWN = _SPOKEN | frozenset(_STATE)
_NEVER = dt.datetime.min.replace(tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line object of a session, from whichever era."""

    session: str
    value: Mapping[str, Any]
    where: str

    @property
    def id(self) -> str:
        """Its id in the session's tree; '' where it has none."""
        return str(self.value.get("id") or "") if self.value.get("type") != "session" else ""

    def time(self) -> times.Stamp:
        """Return its own time, else that of the message in it."""
        stamp = times.read(self.value.get("timestamp"))
        inner = self.value.get("message")
        if stamp.at is None and isinstance(inner, dict):
            stamp = times.read(inner.get("timestamp"))
        return stamp


@dataclass(frozen=True, slots=True)
class Chat:
    """What is known of a session besides its entries; `conversation` is where it began."""

    session: str
    conversation: str
    chat_type: str = ""
    channel: str = ""


def merged(parts: Sequence[list[Entry]]) -> tuple[list[Entry], str]:
    """Join what several places hold of one session: its entries in order, and its newest leaf.

    An entry counts once, from the first place that has it. Where more than one place adds
    something, time decides, and within one place its own order.
    """
    seen: set[str] = set()
    kept: list[tuple[dt.datetime, int, int, Entry]] = []
    leaf = (_NEVER, "")
    places = set()
    for place, part in enumerate(parts):
        latest = _NEVER
        for number, entry in enumerate(part):
            latest = max(latest, entry.time().at or latest)
            if entry.id and "parentId" in entry.value and number >= _last_leaf(part):
                leaf = max(leaf, (latest, entry.id), key=lambda found: found[0])
            key = entry.id or repr(sorted(entry.value.items(), key=str))
            if key not in seen:
                seen.add(key)
                places.add(place)
                kept.append((latest, place, number, entry))
    if len(places) > 1:
        kept.sort(key=lambda found: found[:3])
    return [entry for *_, entry in kept], leaf[1]


def _last_leaf(part: list[Entry]) -> int:
    last = len(part) - 1
    while last > 0 and not (part[last].id and "parentId" in part[last].value):
        last -= 1
    return last


def _live(entries: list[Entry], leaf: str) -> set[str]:
    """Return the ids on the live branch: from the leaf up to the root."""
    parents = {e.id: e.value.get("parentId") for e in entries if e.id}
    live: set[str] = set()
    current: object = leaf
    while isinstance(current, str) and current and current not in live:
        live.add(current)
        current = parents.get(current)
    return live


def messages(chat: Chat, entries: list[Entry], leaf: str) -> Iterator[RawMessage]:
    """Yield the messages of one session; entries off the live branch are marked `abandoned`."""
    live, reader, position = _live(entries, leaf), _Reader(chat), 0
    named = (e.value for e in entries if e.value.get("type") == "session_info")
    title = next((str(v["name"]) for v in named if v.get("name")), "")
    for entry in entries:
        for fields in reader.fields(entry.value):
            position += 1
            text = str(fields.pop("text")).strip()
            if not text:
                continue
            stamp = entry.time()
            marks = stamp.marks | frozenset(fields.pop("marks", ()))
            marks |= {OWN_OUTPUT} if reader.own else frozenset()
            marks |= {"abandoned"} if live and entry.id not in live else frozenset()
            suffix = fields.pop("suffix", "")
            fields["channel"] = fields.get("channel") or chat.channel
            yield RawMessage(
                session_id=chat.session,
                message_id=f"{chat.session}:{entry.id or position}{suffix}",
                at=stamp.at,
                text=text,
                position=position,
                conversation=chat.conversation,
                marks=marks,
                title=title,
                where=entry.where,
                **fields,
            )


class _Reader:
    """Reads the entries of one session one after another."""

    def __init__(self, chat: Chat) -> None:
        self._chat, self._calls = chat, Calls()
        self.own = self._started = False

    def fields(self, value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield what the messages of one entry are made of."""
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
            yield from self._spoken(value["message"])

    def _spoken(self, message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        role, content = message.get("role"), message.get("content")
        if role == "user":
            yield self._user(text_of(content))
        elif role == "assistant":
            yield from self._assistant(message)
        elif role == "toolResult":
            call = str(message.get("toolCallId") or "")
            name = str(message.get("toolName") or "")
            yield self._calls.result(call, text_of(content), message.get("isError"), name)
        elif role == "bashExecution":
            yield from self._shell(message)

    def _user(self, text: str) -> dict[str, Any]:
        found = unwrap(text, self._chat.chat_type)
        if not self._started:
            self._started, self.own = True, own_session(found.words)
        fields: dict[str, Any] = {
            "role": Role.USER,
            "text": found.words,
            "author": found.author,
            "author_id": found.author_id,
            "channel": found.channel,
        }
        if _HEARTBEAT.match(found.words.strip()):
            fields |= {"author_kind": AuthorKind.SYSTEM, "marks": {"machine"}}
        return fields

    def _assistant(self, message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        content = message.get("content")
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
                call = str(part.get("id") or "")
                fields = self._calls.call(
                    str(part.get("name") or "tool"), call, part.get("arguments")
                )
                yield {**fields, "suffix": f":{call}"}

    def _shell(self, message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield a command that the owner ran from the chat, and what it printed."""
        command, code = str(message.get("command") or ""), message.get("exitCode")
        failed = code != 0 if isinstance(code, int) else message.get("isError")
        self._calls.call("bash", "shell", {"command": command})
        output = message.get("output", message.get("content"))
        yield self._calls.result("shell", text_of(output), failed, "bash")
