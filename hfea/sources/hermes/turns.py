"""From rows that are no copies to raw messages: who spoke, what was glued on, what is machine."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hfea.sources import times
from hfea.sources.base import RawMessage
from hfea.sources.hermes import scaffold
from hfea.sources.hermes.lineage import Aligned, Relation
from hfea.sources.hermes.rows import Row, Session
from hfea.sources.notices import ERROR_NOTICE, is_notice
from hfea.sources.own_output import FENCE_OPEN, OWN_OUTPUT, own_session, own_tool
from hfea.sources.parts import arguments_of
from memory_core.model import AuthorKind, Origin, Role, ToolUse

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL, "system": Role.SYSTEM}
_GROUPS = frozenset({"group", "channel", "thread", "supergroup"})
_SPEAKER = re.compile(r"\A\[([^\]\n]{1,60})\] ")
# Hermes's own fence around what came from outside: its words are no part of the result.
_UNTRUSTED = re.compile(
    r"\A<untrusted_tool_result[^>]*>\n(?:[^\n]+\n)*?\n|\n?</untrusted_tool_result>\s*\Z"
)
_OWN_COMMAND = re.compile(r"(?:\A|[=;&|(\n])\s*(?:\S*/)?hfea\s")
_CALLS_KEPT = 1000  # calls whose results may still come
UNKNOWN_ROLE = "unknown_role"
_MACHINE_SOURCES = frozenset({"cron", "webhook", "msgraph_webhook"})


@dataclass(frozen=True, slots=True)
class Frame:
    """What holds for every message of a session."""

    session: Session
    relation: Relation
    conversation: str
    where: str


def turns(
    frame: Frame, rows: Iterable[Aligned[Row]], known: frozenset[bytes]
) -> Iterator[RawMessage]:
    """Yield the messages of *rows*, one row at a time.

    *known* are keys of the conversation before this session.
    """
    reader = _Reader(frame, known)
    for aligned in rows:
        yield from reader.row(aligned)


class _Reader:
    def __init__(self, frame: Frame, known: frozenset[bytes]) -> None:
        self._frame = frame
        self._known = set(known)
        self._position = 0
        self._skip_reply = self._own = False
        self._started = False
        self._calls: dict[str, tuple[str, bool]] = {}  # call id: the tool, and whether it is HFEA

    def row(self, aligned: Aligned[Row]) -> Iterator[RawMessage]:
        row = aligned.row
        reply, self._skip_reply = self._skip_reply and row.role == "assistant", False
        if reply:
            return
        if row.role in ("user", "system") and scaffold.is_review(row.text):
            self._skip_reply = True
            return
        if row.hidden or row.text.startswith(scaffold.TODO_START):
            return
        for message in self._parts(aligned):
            if message.text.strip():
                yield message
        self._known.add(row.key())

    def _parts(self, aligned: Aligned[Row]) -> Iterator[RawMessage]:
        row = aligned.row
        if row.summary:
            yield from self._summary(aligned)
        elif row.role == "tool":
            yield self._result(aligned)
        elif row.role == "assistant":
            yield from self._assistant(aligned)
        else:
            yield self._person(aligned, row.text)

    def _message(self, aligned: Aligned[Row], **more: object) -> RawMessage:
        row, frame = aligned.row, self._frame
        self._position += 1
        stamp = times.read(row.timestamp)
        marks = set(stamp.marks) | set(more.pop("marks", ()))  # type: ignore[call-overload]
        if aligned.undone:
            marks.add("undone")
        if frame.relation in (Relation.DELEGATION, Relation.CHILD):
            marks.add("subagent")
            if row.role != "tool":
                more["author_kind"] = AuthorKind.THIRD_PARTY
                more["author"] = more.get("author") or "sub-agent"
        if frame.relation is Relation.BRANCH:
            marks.add("branch")
        if frame.session.source in _MACHINE_SOURCES:
            marks.add("machine")
        if self._own:
            marks.add(OWN_OUTPUT)
        fields: dict[str, object] = {
            "session_id": row.session,
            "message_id": str(row.id),
            "at": stamp.at,
            "role": _ROLES.get(row.role, Role.USER),
            "text": row.text,
            "position": self._position,
            "conversation": frame.conversation,
            "title": frame.session.title,
            "channel": ":".join(filter(None, (frame.session.source, frame.session.chat_type))),
            "project": frame.session.cwd,
            "where": f"{frame.where}#messages:{row.id}",
        }
        return RawMessage(**{**fields, **more, "marks": frozenset(marks)})  # type: ignore[arg-type]

    def _summary(self, aligned: Aligned[Row]) -> Iterator[RawMessage]:
        """Yield the summary as derived, and the genuine words that were glued to it."""
        row = aligned.row
        split = scaffold.split_summary(row.text)
        if not split.summary:  # a flagged summary in words that no version is known for
            split = scaffold.Split("", row.text)
        yield self._message(
            aligned,
            message_id=f"{row.id}:summary",
            text=split.summary,
            author_kind=AuthorKind.AGENT,
            author="summary",
            origin=Origin.DERIVED,
            marks={"summary"},
        )
        if split.genuine and _with_text(row, split.genuine).key() not in self._known:
            yield from self._parts(Aligned(_with_text(row, split.genuine), aligned.undone))

    def _person(self, aligned: Aligned[Row], text: str) -> RawMessage:
        frame, row = self._frame, aligned.row
        if row.role == "system":
            self._own = self._own or own_session(text)
            return self._message(aligned, author_kind=AuthorKind.SYSTEM, marks={"machine"})
        if row.role not in _ROLES:  # a bad import: nobody knows who spoke
            return self._message(aligned, author_kind=AuthorKind.UNKNOWN, marks={UNKNOWN_ROLE})
        words = scaffold.clean(text)
        if scaffold.is_machine(words) or frame.session.source in _MACHINE_SOURCES:
            return self._message(
                aligned, text=words, author_kind=AuthorKind.SYSTEM, marks={"machine"}
            )
        if not self._started:
            self._started, self._own = True, self._own or own_session(text)
        author, author_id, words = self._speaker(words)
        if row.observed:
            return self._message(
                aligned,
                text=words,
                author=author,
                author_kind=AuthorKind.THIRD_PARTY,
                marks={"overheard"},
            )
        return self._message(aligned, text=words, author=author, author_id=author_id)

    def _speaker(self, words: str) -> tuple[str, str, str]:
        """Return (author, author id, words): groups prefix each message with its speaker."""
        session = self._frame.session
        platform_id = f"{session.source}:{session.user_id}" if session.user_id else ""
        if session.chat_type in _GROUPS:
            found = _SPEAKER.match(words)
            if found:
                return found.group(1), "", words[found.end() :]
            return session.display_name, platform_id, words
        return session.display_name, platform_id, words

    def _assistant(self, aligned: Aligned[Row]) -> Iterator[RawMessage]:
        row = aligned.row
        text = scaffold.clean(row.text) if "<memory-context>" in row.text else row.text
        notice = is_notice(text) or row.finish == "error"
        if text.strip() and text.strip() != scaffold.SILENT:
            yield self._message(
                aligned,
                text=text,
                author_kind=AuthorKind.SYSTEM if notice else AuthorKind.AGENT,
                marks={ERROR_NOTICE} if notice else (),
            )
        for number, (name, call, given) in enumerate(row.calls):
            arguments = arguments_of(given)
            own = own_tool(name) or bool(_OWN_COMMAND.search(arguments))
            self._remember(call, name, own=own)
            yield self._message(
                aligned,
                message_id=f"{row.id}:{call or number}",
                text=f"{name}: {arguments}",
                author_kind=AuthorKind.AGENT,
                tool=ToolUse(name, call, arguments),
                marks={"tool_call"} | ({OWN_OUTPUT} if own else set()),
            )

    def _remember(self, call: str, name: str, *, own: bool) -> None:
        if not call:
            return
        self._calls[call] = (name, own)
        if len(self._calls) > _CALLS_KEPT:
            self._calls.pop(next(iter(self._calls)))

    def _result(self, aligned: Aligned[Row]) -> RawMessage:
        """Make a result; many builds name its tool only where it was called."""
        row = aligned.row
        text, failed = result_text(row.text)
        called, own = self._calls.get(row.call_id, ("", False))
        name = row.tool or called
        own = own or own_tool(name) or FENCE_OPEN in row.text
        return self._message(
            aligned,
            text=text,
            author=name or "tool",
            author_kind=AuthorKind.TOOL,
            origin=Origin.HOSTED,
            tool=ToolUse(name, row.call_id, is_result=True, failed=failed),
            marks={OWN_OUTPUT} if own else (),
        )


def _with_text(row: Row, text: str) -> Row:
    fields = {name: getattr(row, name) for name in Row.__dataclass_fields__}
    return Row(**{**fields, "text": text, "summary": False})


def result_text(content: str) -> tuple[str, bool | None]:
    """Return the words of a tool's result and whether it failed, where the result says so."""
    content = _UNTRUSTED.sub("", content)
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return content, None
    if not isinstance(data, dict):
        return content, None
    failed: bool | None = None
    if isinstance(data.get("exit_code"), int):
        failed = data["exit_code"] != 0
    elif data.get("success") is not None:
        failed = not data["success"]
    elif data.get("error"):
        failed = True
    for key in ("output", "content", "error", "message"):
        if isinstance(data.get(key), str) and data[key].strip():
            return data[key], failed
    return content, failed
