"""Frozen values that every room shares: messages, evidence, reports and verdicts; no I/O."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class AuthorKind(StrEnum):
    """Who wrote a text, decided by code from structure and the owner's settings."""

    OWNER = "owner"
    AGENT = "agent"
    SYSTEM = "system"
    TOOL = "tool"
    THIRD_PARTY = "third_party"
    UNKNOWN = "unknown"


class Origin(StrEnum):
    """How a text came here: said here, brought in from outside, or made from other text."""

    DIRECT = "direct"
    DERIVED = "derived"
    HOSTED = "hosted"


class Role(StrEnum):
    """The role a source recorded for a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Kind(StrEnum):
    """What sort of statement it is; a reading of the agent's is always `inference`."""

    EVENT = "event"
    QUOTE = "quote"
    REPORTED_STATE = "reported_state"
    INFERENCE = "inference"
    HOSTED = "hosted"


class Theme(StrEnum):
    """What a statement is to the story of the day."""

    DECISION = "decision"
    ALTERNATIVE = "alternative"
    REVISION = "revision"
    REASON = "reason"
    CONSTRAINT = "constraint"
    ATTEMPT = "attempt"
    LEARNING = "learning"
    OPEN_POINT = "open_point"
    DOUBT = "doubt"
    EXPECTATION = "expectation"
    MOOD = "mood"
    OTHER = "other"


class Polarity(StrEnum):
    """Whether a statement affirms, denies, supposes or asks."""

    AFFIRMED = "affirmed"
    NEGATED = "negated"
    HYPOTHETICAL = "hypothetical"
    QUESTION = "question"


class Outcome(StrEnum):
    """How an attempt ended."""

    SUCCESS = "success"
    FAILURE = "failure"
    UNKNOWN = "unknown"


_AUTHOR_RANK = (
    AuthorKind.OWNER,
    AuthorKind.AGENT,
    AuthorKind.SYSTEM,
    AuthorKind.TOOL,
    AuthorKind.THIRD_PARTY,
    AuthorKind.UNKNOWN,
)
_ORIGIN_RANK = (Origin.DIRECT, Origin.DERIVED, Origin.HOSTED)


def weakest_author(kinds: Iterable[AuthorKind]) -> AuthorKind:
    """Return the author kind with the least authority; `unknown` for no input (invariant 7)."""
    return max(kinds, key=_AUTHOR_RANK.index, default=AuthorKind.UNKNOWN)


def weakest_origin(origins: Iterable[Origin]) -> Origin:
    """Return the least trustworthy origin; `hosted` for no input (invariant 7)."""
    return max(origins, key=_ORIGIN_RANK.index, default=Origin.HOSTED)


@dataclass(frozen=True, slots=True)
class Owner:
    """The human whose agent it is, as the settings name them."""

    names: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    languages: tuple[str, ...] = ("pt-BR", "en")


@dataclass(frozen=True, slots=True)
class Span:
    """Part of a message whose author or origin differs from the message's own.

    `start` and `end` are half-open code-point offsets into `Message.content`. `label` says
    what it is in a word or two: `document`, `log`, `quoted mail`, `chat export`, `summary`.
    """

    start: int
    end: int
    author_kind: AuthorKind
    origin: Origin
    label: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            msg = f"a span needs 0 <= start < end, got {self.start}..{self.end}"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One tool call or its result; `arguments` is redacted and shortened for display."""

    name: str
    call_id: str = ""
    arguments: str = ""
    is_result: bool = False
    failed: bool | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One turn or tool result of a session, normalised and redacted.

    `at` is UTC, or None where the source's stamp was unusable (mark `no_usable_time`).
    `identity` is HMAC-SHA-256(archive key, raw normalised content), hex. `position` orders
    the messages of one conversation; times may run backwards, positions never do.
    `conversation` is the first session of a continued lineage; `session_id` the one it was
    recorded in. `marks` are the facts about it that code found (`assumed_zone`, `machine`,
    `overheard`, `subagent`, `branch`, `undone`, `summary`, `error_notice`, `recovered`, ...).
    """

    profile: str
    source: str
    session_id: str
    message_id: str
    at: dt.datetime | None
    role: Role
    author: str
    author_kind: AuthorKind
    origin: Origin
    content: str
    identity: str
    position: int
    conversation: str = ""
    spans: tuple[Span, ...] = ()
    tool: ToolUse | None = None
    marks: frozenset[str] = frozenset()
    title: str = ""
    channel: str = ""

    def __post_init__(self) -> None:
        if self.at is not None and self.at.utcoffset() != dt.timedelta(0):
            msg = "a message's time is in UTC"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True)
class Provenance:
    """The five questions kept apart: asserted, recorded, source, validity, authorised."""

    asserted_by: str
    author_kind: AuthorKind
    origin: Origin
    recorded_by: str
    source: str
    message_ids: tuple[str, ...] = ()
    recorded_at: dt.datetime | None = None
    valid_from: dt.date | None = None
    valid_to: dt.date | None = None
    authorised_by: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one layer returned for a question; `scores` are raw, never fused.

    `layer` is `permanent`, `facts`, `history`, `wiki`, `skills` or, after a ticket,
    `archive`; `kind` is the statement kind where the archive knows it.
    """

    text: str
    layer: str
    source: str
    at: dt.datetime | None
    author: str
    author_kind: AuthorKind
    origin: Origin
    kind: str = ""
    subject: str = ""
    message_ids: tuple[str, ...] = ()
    valid_from: dt.date | None = None
    valid_to: dt.date | None = None
    superseded_by: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two pieces of evidence that give one attribute different values, both valid then."""

    subject: str
    attribute: str
    left: Evidence
    right: Evidence
    reason: str


@dataclass(frozen=True, slots=True)
class Route:
    """One layer as it was consulted: hits, time, and what went wrong if anything did.

    `state` is `ok`, `empty`, `stale`, `error` or `skipped`.
    """

    layer: str
    state: str
    hits: int = 0
    milliseconds: float = 0.0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class EvidenceReport:
    """Everything the core can say to a question, before anyone judges it."""

    question: str
    asked_at: dt.datetime
    as_of: dt.date | None
    evidence: tuple[Evidence, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    routes: tuple[Route, ...] = ()
    degraded: tuple[str, ...] = ()


class VerdictKind(StrEnum):
    """Whether the evidence answers the question; `error` is never a gap (invariant 9)."""

    SUFFICIENT = "sufficient"
    INSUFFICIENT = "insufficient"
    CONTRADICTORY = "contradictory"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing the question asks for or presupposes: `who`, `when`, `where`, `how_many`, ..."""

    name: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement on a report: kind, reason codes, what is missing, and the numbers."""

    kind: VerdictKind
    reasons: tuple[str, ...] = ()
    missing: tuple[Slot, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    thresholds: str = ""
