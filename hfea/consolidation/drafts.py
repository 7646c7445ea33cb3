"""Statements of single messages: a speaker's clauses, as they were said, with their citations."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from hfea.episode import Citation, DateNote, Statement, statement_id
from memory_core import when
from memory_core.extraction import Clause, clauses, in_passing, sentences, small_talk
from memory_core.model import (
    AuthorKind,
    Kind,
    Message,
    Origin,
    Outcome,
    Polarity,
    Theme,
    weakest_origin,
)
from memory_core.text import fold

LONG_MESSAGE = 600  # characters from which an owner's message is told by its main clauses
LONGEST = 420  # characters of one statement
SHORT = 30  # characters of a clause that only marks the one before as provisional
LONGEST_GREETING = 40  # characters of a sentence that only greets
AGENT_CLAUSES = 3  # clauses of one answer of the agent that are kept
HOSTED_LINES = 3  # sentences of one hosted block that are quoted
HOSTED_LONGEST = 220  # characters of one of them
# Text that addresses an assistant: what a reader of the diary must see of a hosted block.
_DIRECTIVE = re.compile(
    r"\b(?:assistent\w*|assistants?|system note|ignore|remember|lembr[ea]\w*|registr[ea]\w*"
    r"|memori[sz]\w*|guard[ea]\w*|instru[cç]\w*|instructions?|you must|voce deve|delete"
    r"|apague|approved?|aprovou"
    r"|autoriz\w*|authori[sz]\w*|prefer\w*|always|sempre|never|nunca)\b"
)


# How letters begin and end: it tells nothing of what they say.
_SALUTES = re.compile(
    r"(?:prezad[oa]s?|car[oa]s?|ol[aá]|oi|dear|hello|hi|hey|att|atenciosamente|abra[cç]os?"
    r"|(?:kind|best|warm) regards|regards|cheers|sincerely|bom dia|boa tarde|good morning)"
    r"\b[^.!?]{0,30}[,.!:]*$"
)


def spoken(message: Message, day: dt.date, zone: ZoneInfo, *, asked: bool) -> list[Statement]:
    """Return the statements of what a person or the agent said; *asked* after a question."""
    found = [c for c in clauses(message) if not _inside_span(c, message)]
    found = [c for c in found if not _greets(message.content[c.start : c.end])] or found
    if message.author_kind is AuthorKind.AGENT:
        found = _agents_share(found, asked=asked)
    elif len(message.content) > LONG_MESSAGE:
        found = _main_clauses(found)
    return [_statement(message, c, day, zone) for c in _joined(found, message)]


def hosted(message: Message, day: dt.date) -> list[Statement]:
    """Return brief quotes of what came from outside inside a message, marked so."""
    found: list[Statement] = []
    for start, end in _apart(message):
        found += quotes(message, start, end, day)
    return found


def _apart(message: Message) -> list[tuple[int, int]]:
    """Return the spans of a message, those that overlap joined: nothing is quoted twice."""
    joined: list[tuple[int, int]] = []
    apart = [s for s in message.spans if not in_passing(s, message)]
    for span in sorted(apart, key=lambda s: (s.start, s.end)):
        if joined and span.start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], span.end))
        else:
            joined.append((span.start, span.end))
    return joined


def quotes(message: Message, start: int, end: int, day: dt.date) -> Iterator[Statement]:
    """Quote the first sentence of a stretch, and those that speak to an assistant."""
    spans = [(start + a, start + b) for a, b in sentences(message.content[start:end])]
    spans = [s for s in map(partial(_bare, message.content), spans) if s[0] < s[1]] or spans
    telling = [s for s in spans if not _SALUTES.match(fold(message.content[s[0] : s[1]]))]
    chosen = [
        s
        for n, s in enumerate(telling or spans)
        if n == 0 or _DIRECTIVE.search(fold(message.content[s[0] : s[1]]))
    ]
    for a, b in chosen[:HOSTED_LINES]:
        b = min(b, a + HOSTED_LONGEST)  # noqa: PLW2901 - shortened, not another one
        origin = next((s.origin for s in message.spans if s.start <= a < s.end), message.origin)
        kind = Kind.INFERENCE if origin is Origin.DERIVED else Kind.HOSTED
        yield make(
            message,
            (a, b),
            day,
            kind=kind,
            theme=Theme.OTHER,
            origin=weakest_origin((origin, message.origin)),
            author_kind=AuthorKind.AGENT
            if kind is Kind.INFERENCE
            else AuthorKind.THIRD_PARTY
            if message.author_kind is not AuthorKind.TOOL
            else AuthorKind.TOOL,
        )


def _bare(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return a span without the marks of quotation at its beginning."""
    start, end = span
    while start < end and text[start] in "> \t|*":
        start += 1
    return start, end


def make(message: Message, span: tuple[int, int], day: dt.date, **more: Any) -> Statement:
    """Return a statement whose text is exactly a stretch of one message."""
    start, end = span
    text = message.content[start:end]
    cites = (
        Citation(message.source, message.session_id, message.message_id, message.at, start, end),
    )
    kind = Kind(more.pop("kind"))
    fields: dict[str, Any] = {
        "author": message.author or _DEFAULT_NAMES[message.author_kind],
        "author_kind": message.author_kind,
        "origin": message.origin,
        "at": message.at,
        "theme": Theme.OTHER,
        **more,
    }
    number = statement_id(day, kind, text, cites)
    return Statement(id=number, kind=kind, text=text, citations=cites, **fields)


_DEFAULT_NAMES = {
    AuthorKind.OWNER: "owner",
    AuthorKind.AGENT: "agent",
    AuthorKind.SYSTEM: "system",
    AuthorKind.TOOL: "tool",
    AuthorKind.THIRD_PARTY: "somebody",
    AuthorKind.UNKNOWN: "unknown",
}


def _greets(words: str) -> bool:
    if len(words) > LONGEST_GREETING:
        return False
    kind = small_talk(words)
    answers = fold(words).startswith(_ANSWERS)
    return kind in ("greeting", "thanks", "farewell", "filler") or (
        kind == "acknowledgement" and not answers
    )


# Words of assent that may answer a question; "ótimo" and "great" only greet what was said.
_ANSWERS = (
    "sim",
    "yes",
    "yep",
    "yeah",
    "isso",
    "exato",
    "claro",
    "ok",
    "pode",
    "certo",
    "right",
    "sure",
)


def _inside_span(clause: Clause, message: Message) -> bool:
    return any(
        s.start < clause.end and clause.start < s.end
        for s in message.spans
        if not in_passing(s, message)
    )


def _agents_share(found: Sequence[Clause], *, asked: bool) -> list[Clause]:
    """Keep what an answer decides, tries, offers or finds, and its beginning where it answers."""
    themed = [c for c in found if c.theme not in (None, Theme.OTHER) or c.kind is Kind.INFERENCE]
    first = [c for c in found[:3] if asked and c.theme in (None, Theme.OTHER)]
    facts = [c for c in found if c.kind is Kind.EVENT and c.theme is Theme.OTHER]
    questions = [c for c in found if c.polarity is Polarity.QUESTION]
    kept = {c.start: c for c in [*themed[:AGENT_CLAUSES], *first[:2], *facts[:1], *questions[-1:]]}
    if not kept and found:
        kept = {found[0].start: found[0]}
    return [kept[k] for k in sorted(kept)]


def _main_clauses(found: Sequence[Clause]) -> list[Clause]:
    """Keep the themed clauses of a long message, its beginning, and what names or counts."""
    kept = [
        c
        for n, c in enumerate(found)
        if n == 0 or c.theme not in (None, Theme.OTHER) or c.kind in (Kind.QUOTE, Kind.INFERENCE)
    ]
    return kept or list(found[:1])


def _joined(found: Sequence[Clause], message: Message) -> list[Clause]:
    """Join neighbours that say one thing of one kind, so that the day reads in sentences."""
    joined: list[Clause] = []
    for clause in found:
        last = joined[-1] if joined else None
        if last is not None and _belongs(last, clause, message.content):
            joined[-1] = replace(last, end=clause.end, cues=(*last.cues, *clause.cues))
        else:
            joined.append(clause)
    return joined


def _belongs(last: Clause, clause: Clause, text: str) -> bool:
    quiet = (None, Theme.OTHER)
    marker = (
        last.provisional and clause.provisional and len(text[clause.start : clause.end]) <= SHORT
    )
    if marker and not text[last.end : clause.start].strip(" \t\n,;:–—-"):
        return True  # "I think of the 12th, but it's provisional" is one decision
    same = last.theme == clause.theme or (last.theme in quiet and clause.theme in quiet)
    close = not text[last.end : clause.start].strip(" \t\n,;.:–—-")
    near = clause.end - last.start <= LONGEST // 2
    return (
        same
        and close
        and near
        and last.theme in quiet
        and (last.kind, last.polarity, last.holder) == (clause.kind, clause.polarity, clause.holder)
    )


def _statement(message: Message, clause: Clause, day: dt.date, zone: ZoneInfo) -> Statement:
    end = min(clause.end, clause.start + LONGEST)
    holder = clause.holder_name if clause.holder is AuthorKind.THIRD_PARTY else ""
    words = message.content[clause.words[0] : clause.words[1]] if clause.words else ""
    return make(
        message,
        (clause.start, end),
        day,
        kind=clause.kind,
        theme=clause.theme or Theme.OTHER,
        origin=_origin(message, clause),
        polarity=clause.polarity,
        provisional=clause.provisional,
        holder=holder,
        outcome=clause.outcome if clause.theme is Theme.ATTEMPT else None,
        words=words,
        dates=_dates(message, clause.start, end, zone),
    )


def _origin(message: Message, clause: Clause) -> Origin:
    """Return the weakest origin of what a clause holds: a quotation in it makes it hosted."""
    held = [s.origin for s in message.spans if s.start < clause.end and clause.start < s.end]
    own = Origin.DERIVED if clause.kind is Kind.INFERENCE else message.origin
    return weakest_origin([own, *held])


def _dates(message: Message, start: int, end: int, zone: ZoneInfo) -> tuple[DateNote, ...]:
    if message.at is None:
        return ()
    found = when.expressions(message.content[start:end], message.at.astimezone(zone))
    return tuple(DateNote(e.words, e.readings) for e in found if e.relative or len(e.readings) > 1)


def outcome_of(failed: bool | None) -> Outcome:  # noqa: FBT001 - three-valued
    """Return the outcome that a tool's own report shows."""
    if failed is None:
        return Outcome.UNKNOWN
    return Outcome.FAILURE if failed else Outcome.SUCCESS
