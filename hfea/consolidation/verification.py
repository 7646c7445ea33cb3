"""Is a statement borne out by what it cites? The same checks for every narrator.

What fails is demoted to an inference or dropped, and counted by reason (invariant 6).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hfea.episode import Statement
from memory_core.extraction import sentences
from memory_core.extraction.polarity import is_negated
from memory_core.model import AuthorKind, Kind, Message, Origin, weakest_author, weakest_origin
from memory_core.text import fold

Key = tuple[str, str, str]
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-ZÀ-Þ][\w'’-]{2,}")
_DATE_WORDS = re.compile(
    r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2} (?:de )?(?:janeiro|fevereiro|marco|abril|maio|junho|julho"
    r"|agosto|setembro|outubro|novembro|dezembro|january|february|march|april|may|june|july|august"
    r"|september|october|november|december)\b"
)


@dataclass(frozen=True, slots=True)
class Checked:
    """A statement after the checks: None where it was dropped; `reason` says what failed."""

    statement: Statement | None
    reason: str = ""


def check(statement: Statement, messages: Mapping[Key, Message]) -> Checked:
    """Check one statement against the messages it may cite (and no others).

    Dropped: a citation of a message that was not given, a span outside it, a quote that is not
    its exact words, or that leaves out what turns its sense. Demoted: numbers, dates or names
    that the cited words do not hold, and events that rest on the agent's guesses alone.
    """
    cited = []
    for c in statement.citations:
        message = messages.get((c.source, c.session_id, c.message_id))
        if message is None:
            return Checked(None, "unknown_message")
        if not 0 <= c.start < c.end <= len(message.content):
            return Checked(None, "span_outside")
        cited.append((message, message.content[c.start : c.end]))
    if statement.kind is Kind.QUOTE and not any(statement.text in words for _, words in cited):
        return Checked(None, "not_a_quote")
    weakest = _with_weakest(statement, [m for m, _ in cited])
    if not _numbers_held(statement.text, [w for _, w in cited], [m for m, _ in cited]):
        return Checked(_demoted(weakest), "number_not_cited")
    if not _names_held(statement.text, [m.content for m, _ in cited], [m for m, _ in cited]):
        return Checked(_demoted(weakest), "name_not_cited")
    return Checked(weakest)


def quote_span(quote: str, message: Message) -> tuple[int, int] | None:
    """Return the span of a proposed quote if it is whole and says what its sentence says.

    A quote that is a substring can still turn the sense ("order clay before Friday" out of "Do
    not order clay before Friday"): the polarity of its whole sentence must be its own.
    """
    start = message.content.find(quote)
    if start < 0 or not quote.strip():
        return None
    end = start + len(quote)
    for a, b in sentences(message.content):
        if a < end and start < b:
            whole, part = message.content[a:b], message.content[max(a, start) : min(b, end)]
            if is_negated(fold(whole)) != is_negated(fold(part)):
                return None
    return start, end


def _with_weakest(s: Statement, cited: Sequence[Message]) -> Statement:
    """Let code decide author kind and origin as the weakest of what is cited (invariant 7)."""
    if s.kind is Kind.HOSTED:
        # Whoever brought it in, what came from outside is nobody's word here.
        own = s.author_kind in (AuthorKind.OWNER, AuthorKind.AGENT)
        return replace(s, author_kind=AuthorKind.THIRD_PARTY) if own else s
    tools = [m for m in cited if m.author_kind is AuthorKind.TOOL]
    speaking = [m for m in cited if m.author_kind is not AuthorKind.TOOL] or tools
    kind = weakest_author([s.author_kind, *(m.author_kind for m in speaking)])
    origin = weakest_origin([s.origin, *(m.origin for m in speaking)])
    return replace(s, author_kind=kind, origin=origin)


def _demoted(s: Statement) -> Statement:
    return replace(s, kind=Kind.INFERENCE, origin=weakest_origin([s.origin, Origin.DERIVED]))


def _numbers_held(text: str, words: Sequence[str], cited: Sequence[Message]) -> bool:
    have = {n for w in words for n in _numbers(w)}
    days = {str(part) for m in cited if m.at for part in (m.at.day, m.at.month, m.at.year)}
    return all(n in have or n in days for n in _numbers(text))


def _numbers(text: str) -> set[str]:
    return {n.strip(".,:") for n in _NUMBER.findall(text)}


def _names_held(text: str, words: Sequence[str], cited: Sequence[Message]) -> bool:
    have = fold(" ".join([*words, *(m.author for m in cited)]))
    names = {fold(n) for n in _NAME.findall(text)} - _CALENDAR
    return all(n in have for n in names)


_CALENDAR = frozenset(
    "january february march april may june july august september october november december monday "
    "tuesday wednesday thursday friday saturday sunday".split()
)
