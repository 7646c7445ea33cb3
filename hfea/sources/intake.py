"""The one door from a source into the archive: safe, authored, marked and redacted messages."""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace

from hfea.sources.base import Problem, RawMessage
from hfea.sources.cuts import Cuts
from hfea.sources.echo import EchoMemory
from hfea.sources.hosted import hosted_spans
from hfea.sources.off_record import off_record_spans
from hfea.sources.own_output import OWN_OUTPUT, own_session
from hfea.sources.recall_marks import recall_spans
from memory_core.model import AuthorKind, Message, Origin, Owner, Role, Span, ToolUse
from memory_core.secrets import Redaction, Redactor
from memory_core.text import fold

OFF_RECORD = "off_record"
_UNSAFE = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Exclusions:
    """Projects, sessions and chats that never enter; names or ids, compared folded."""

    projects: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    chats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Withheld:
    """A message that is not kept, and why; its text is nowhere in it.

    `reason` is `off_record`, `excluded_project`, `excluded_session`, `excluded_chat`,
    `own_output` or `empty`.
    """

    source: str
    session_id: str
    message_id: str
    at: dt.datetime | None
    reason: str
    identity: str


class Intake:
    """Turns raw messages into messages, or says why one is withheld.

    *key* is the archive key. It remembers, bounded, what hosted and recalled text each
    conversation has seen, so messages of one conversation must come in their order.
    """

    def __init__(
        self,
        key: bytes,
        owner: Owner,
        *,
        agent_names: tuple[str, ...] = (),
        personal_ids: bool = False,
        exclusions: Exclusions | None = None,
    ) -> None:
        self._key, self._owner = key, owner
        self._owners = frozenset(map(_name, (*owner.names, *owner.ids)))
        self._agents = frozenset(map(_name, agent_names))
        self._redactor = Redactor(key, personal_ids=personal_ids)
        self._exclusions = exclusions or Exclusions()
        self._echo = EchoMemory()

    def take(self, raw: RawMessage, *, source: str, profile: str) -> Message | Withheld:
        """Return the message that may be stored, or a Withheld with the reason."""
        identity = self.identity(raw)
        if reason := self._refused(raw):
            return Withheld(source, raw.session_id, raw.message_id, raw.at, reason, identity)
        cuts = self._cuts(raw, source)
        if not cuts.text.strip():
            off = any(off_record_spans(raw.text))
            reason = OFF_RECORD if off else OWN_OUTPUT if recall_spans(raw.text) else "empty"
            return Withheld(source, raw.session_id, raw.message_id, raw.at, reason, identity)
        author = self.author_kind(raw)
        spans = cuts.spans(raw.spans) + self._text_spans(cuts.text, author, (source, raw))
        return self._message(raw, (source, profile), (cuts.text, spans, author), identity)

    def problem(self, problem: Problem) -> Problem:
        """Return *problem* with the keyed hash of its raw bytes, without them, detail redacted."""
        digest = problem.digest
        if problem.raw:
            digest = hmac.new(self._key, b"problem\0" + problem.raw, hashlib.sha256).hexdigest()
        return replace(problem, digest=digest, raw=b"", detail=self._clean(problem.detail))

    def identity(self, raw: RawMessage) -> str:
        """Return HMAC-SHA-256(key, role, NUL, NFC text) as hex; no redaction rule can change it."""
        text = unicodedata.normalize("NFC", safe_text(raw.text))
        material = f"{raw.role}\0{text}".encode()
        return hmac.new(self._key, material, hashlib.sha256).hexdigest()

    def author_kind(self, raw: RawMessage) -> AuthorKind:
        """Return who wrote it: structure first, then the owner's names and ids.

        A user turn without any author is the owner's (single-user agents record none). With an
        author it is the owner's only where the settings name that author or id; where they
        name nobody, an agent's user turn is the owner's too, except from a known agent name.
        """
        if raw.author_kind is not None:
            return raw.author_kind
        fixed = {
            Role.ASSISTANT: AuthorKind.AGENT,
            Role.TOOL: AuthorKind.TOOL,
            Role.SYSTEM: AuthorKind.SYSTEM,
        }
        if raw.role in fixed:
            return fixed[raw.role]
        given = {_name(n) for n in (raw.author, raw.author_id) if n.strip()}
        if given & self._agents:
            return AuthorKind.THIRD_PARTY
        if not given or given & self._owners or not self._owners:
            return AuthorKind.OWNER
        generic = given <= {"user", "human", "owner", "me", "you", "voce", "eu"}
        return AuthorKind.OWNER if generic else AuthorKind.THIRD_PARTY

    def _refused(self, raw: RawMessage) -> str:
        if OWN_OUTPUT in raw.marks or (raw.role is not Role.ASSISTANT and own_session(raw.text)):
            return OWN_OUTPUT
        if OFF_RECORD in raw.marks:
            return OFF_RECORD
        excluded = self._exclusions
        for reason, names, values in (
            ("excluded_project", excluded.projects, (raw.project,)),
            ("excluded_session", excluded.sessions, (raw.session_id, raw.conversation, raw.title)),
            ("excluded_chat", excluded.chats, (raw.channel,)),
        ):
            if {_name(n) for n in names} & {_name(v) for v in values if v}:
                return reason
        return ""

    def _cuts(self, raw: RawMessage, source: str) -> Cuts:
        """Remove recall blocks and off-the-record passages, and make the rest safe."""
        recalled = recall_spans(raw.text)
        chat = (source, raw.conversation or raw.session_id)
        for start, end in recalled:
            self._echo.recalled(chat, raw.text[start:end])
        spoken = off_record_spans(raw.text) if raw.role is Role.USER else ()
        return Cuts(raw.text, (*recalled, *spoken), safe_text)

    def _text_spans(
        self, text: str, author: AuthorKind, where: tuple[str, RawMessage]
    ) -> tuple[Span, ...]:
        source, raw = where
        chat = (source, raw.conversation or raw.session_id)
        spans: tuple[Span, ...] = ()
        if author in (AuthorKind.OWNER, AuthorKind.THIRD_PARTY) and raw.role is Role.USER:
            spans = hosted_spans(text, owner=self._owner)
        if author is AuthorKind.TOOL or raw.origin is Origin.HOSTED:
            self._echo.hosted(chat, text)
            return spans
        for span in spans:
            self._echo.hosted(chat, text[span.start : span.end])
        return spans + self._echo.spans(chat, text)

    def _message(
        self,
        raw: RawMessage,
        place: tuple[str, str],
        read: tuple[str, tuple[Span, ...], AuthorKind],
        identity: str,
    ) -> Message:
        (source, profile), (text, spans, author) = place, read
        redaction = self._redactor.redact(text)
        return Message(
            profile=profile,
            source=source,
            session_id=raw.session_id,
            message_id=raw.message_id,
            at=raw.at,
            role=raw.role,
            author=self._clean(raw.author),
            author_kind=author,
            origin=Origin.HOSTED if raw.role is Role.TOOL else raw.origin,
            content=redaction.text,
            identity=identity,
            position=raw.position,
            conversation=raw.conversation or raw.session_id,
            spans=_moved(spans, redaction),
            tool=self._tool(raw.tool),
            marks=raw.marks,
            title=self._clean(raw.title),
            channel=self._clean(raw.channel),
        )

    def _tool(self, tool: ToolUse | None) -> ToolUse | None:
        if tool is None:
            return None
        return replace(tool, name=self._clean(tool.name), arguments=self._clean(tool.arguments))

    def _clean(self, text: str) -> str:
        return self._redactor.redact(safe_text(text)).text


def safe_text(text: str) -> str:
    """Return *text* with LF line ends and every lone surrogate or control made visible (U+FFFD).

    Tabs stay, and direction marks stay as data; whoever renders them neutralises them.
    """
    return _UNSAFE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def _name(name: str) -> str:
    return " ".join(fold(name).split()).lstrip("@")


def _moved(spans: Iterable[Span], redaction: Redaction) -> tuple[Span, ...]:
    """Return the spans as offsets into the redacted text, in order."""
    out = []
    for span in spans:
        start, end = redaction.moved(span.start), redaction.moved(span.end, end=True)
        if start < end:
            out.append(replace(span, start=start, end=end))
    return tuple(sorted(dict.fromkeys(out), key=lambda s: (s.start, s.end)))
