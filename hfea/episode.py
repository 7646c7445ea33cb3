"""The record of one day as a value: statements with citations, threads, tally, addenda."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from memory_core.model import AuthorKind, Kind, Origin, Outcome, Polarity, Theme

FORMAT_VERSION = 1


class Relation(StrEnum):
    """How one statement hangs together with another."""

    ALTERNATIVE_TO = "alternative_to"
    REASON_FOR = "reason_for"
    REVISES = "revises"
    OUTCOME_OF = "outcome_of"
    ANSWERS = "answers"
    CLOSES = "closes"
    CORRECTS = "corrects"


@dataclass(frozen=True, slots=True)
class Citation:
    """The words a statement rests on: source, session, message, and a code-point span.

    `start` and `end` are half-open offsets into the redacted content of the message. `digest`
    is hex SHA-256(salt ‖ cited redacted text), filled when the day is sealed. A document is
    cited with `session_id` = its path and `message_id` = `sha256#heading`.
    """

    source: str
    session_id: str
    message_id: str
    at: dt.datetime | None
    start: int
    end: int
    digest: str = ""


@dataclass(frozen=True, slots=True)
class DateNote:
    """A relative date of the text, the original words and every reading of them.

    Each reading is a half-open range of local days, (first, after).
    """

    words: str
    readings: tuple[tuple[dt.date, dt.date], ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A relation to another statement, perhaps of another day (`day` is then set)."""

    relation: Relation
    statement: str
    day: dt.date | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """One line of an episode; never without a citation.

    `holder` is whose content it is where that is not the author (a reported opinion).
    `times` says how often it happened or was said. `words` are the words of the text that
    show a reported mood. `at` is UTC; None only where no cited message has a usable time.
    """

    id: str
    kind: Kind
    theme: Theme
    text: str
    at: dt.datetime | None
    author: str
    author_kind: AuthorKind
    origin: Origin
    citations: tuple[Citation, ...]
    polarity: Polarity = Polarity.AFFIRMED
    provisional: bool = False
    holder: str = ""
    outcome: Outcome | None = None
    times: int = 1
    words: str = ""
    dates: tuple[DateNote, ...] = ()
    links: tuple[Link, ...] = ()

    def __post_init__(self) -> None:
        if not self.citations:
            msg = "a statement needs at least one citation"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True)
class Thread:
    """Statements on one matter, in order: a title, one line of gist, sessions, time range."""

    id: str
    title: str
    gist: str
    sessions: tuple[str, ...]
    start: dt.datetime | None
    end: dt.datetime | None
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Messages of the day that no statement cites, and why (`greeting`, `acknowledgement`, ...).

    `messages` are (source, session_id, message_id).
    """

    reason: str
    messages: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """Something the day should have held and does not: code, place, and a sentence."""

    code: str
    where: str
    detail: str


@dataclass(frozen=True, slots=True)
class Narration:
    """Who wrote the day up: `extractive` or `llm`, its version, model, and tokens."""

    narrator: str = "extractive"
    version: str = "1"
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    renarrate: bool = False


@dataclass(frozen=True, slots=True)
class Episode:
    """The record of one local day; `start` and `end` are its UTC window, half-open.

    `counts` are (name, number) pairs: messages by author kind, sessions, statements by kind.
    `inputs` is the hex digest of everything the episode is a function of.
    """

    day: dt.date
    zone: str
    start: dt.datetime
    end: dt.datetime
    summary: tuple[str, ...]
    threads: tuple[Thread, ...]
    left_out: tuple[LeftOut, ...]
    missing: tuple[Missing, ...]
    counts: tuple[tuple[str, int], ...]
    narration: Narration
    inputs: str
    version: int = FORMAT_VERSION

    @property
    def completeness(self) -> str:
        """`partial` where something is missing, else `complete`."""
        return "partial" if self.missing else "complete"

    def statements(self) -> Iterator[Statement]:
        """Yield the statements in order of appearance, addenda not included."""
        for thread in self.threads:
            yield from thread.statements


@dataclass(frozen=True, slots=True)
class Addendum:
    """A dated block appended to a sealed episode.

    `kind` is `late`, `correction` or `narration`; `note` says what it adds or corrects.
    """

    number: int
    on: dt.date
    kind: str
    note: str
    threads: tuple[Thread, ...]
    left_out: tuple[LeftOut, ...] = ()
    missing: tuple[Missing, ...] = ()
    narration: Narration = Narration()
    inputs: str = ""

    def statements(self) -> Iterator[Statement]:
        """Yield the statements in order of appearance."""
        for thread in self.threads:
            yield from thread.statements


def statement_id(day: dt.date, kind: Kind, text: str, citations: tuple[Citation, ...]) -> str:
    """Derive a statement's id from what it says and cites, so that a rerun gives the same id."""
    places = [(c.source, c.session_id, c.message_id, c.start, c.end) for c in citations]
    body = json.dumps([day.isoformat(), kind.value, text, places])
    return "s" + hashlib.sha256(body.encode()).hexdigest()[:10]
