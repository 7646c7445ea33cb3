"""The reviewer: after a session or at night it proposes what may be worth remembering.

Deterministic. It proposes and decides nothing: facts are evidence, and what would steer the
agent (an explicit request to remember, a standing rule) is a proposal for the guard. Only the
owner's own direct words give any; each proposal cites them, exactly.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from memory_core.extraction import Clause, clauses
from memory_core.extraction.facts_model import EntityMention, EntityRole, FactType, ProposedFact
from memory_core.extraction.facts_reading import NOT_THEIR_WORD, facts, own_words
from memory_core.model import AuthorKind, Kind, Message, Origin, Polarity, Theme
from memory_core.remembering import requests
from memory_core.text import content_terms, is_function_word, words

SAME = 0.8  # shared content words from which two texts of one number and polarity say one thing
_FIRM = frozenset({Theme.DECISION, Theme.REVISION, Theme.CONSTRAINT})
_LEAST_WORDS = 3  # a choice with fewer content words ("go with that") leans on what is not in it
_QUOTED = re.compile('[«»“”"]')
_NUMBER = re.compile(r"\d[\d.,:]*")
_DENIALS = frozenset("nao nunca jamais nem sem not never no without don't doesn't isn't".split())


class ProposalKind(StrEnum):
    """Whether a proposal adds evidence or asks to steer the agent; the guard decides the latter."""

    FACT = "fact"
    AUTHORITY = "authority"


@dataclass(frozen=True, slots=True)
class Cited:
    """The exact words a proposal rests on: half-open code-point offsets into one message."""

    source: str
    session_id: str
    message_id: str
    start: int
    end: int
    said_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class MemoryProposal:
    """Something that may be worth keeping, in the words it was said in.

    `type` is a fact's type, `decision` for a choice without a pattern of its own, or `request`
    for what the owner asked to be remembered. `citations` holds every place where it was said.
    """

    kind: ProposalKind
    content: str
    type: str
    subject: str
    attribute: str
    value: str
    entities: tuple[EntityMention, ...]
    valid_from: dt.date | None
    valid_to: dt.date | None
    author: str
    author_kind: AuthorKind
    origin: Origin
    citations: tuple[Cited, ...]
    reason: str
    profile: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """What one review proposes, and how many proposals were dropped as already known."""

    proposals: tuple[MemoryProposal, ...]
    known: int = 0


def review(
    messages: Sequence[Message], *, zone: dt.tzinfo = dt.UTC, known: Collection[str] = ()
) -> Review:
    """Return proposals from *messages*, in order, none twice and none that *known* texts hold.

    *zone* is the owner's. *known* are the texts of facts that are kept already.
    """
    found: list[MemoryProposal] = []
    dropped = 0
    have = [_Said.of(text) for text in known]
    for message in messages:
        for proposal in _of(message, zone):
            said = _Said.of(proposal.content)
            if any(said.same(other) for other in have):
                dropped += 1
                continue
            at = next((n for n, p in enumerate(found) if _same(p, proposal)), None)
            if at is None:
                found.append(proposal)
            else:
                found[at] = _joined(found[at], proposal)
    return Review(tuple(found), dropped)


@dataclass(frozen=True, slots=True)
class _Said:
    """What of a text tells whether another says the same."""

    terms: frozenset[str]
    numbers: tuple[str, ...]
    denies: bool

    @classmethod
    def of(cls, text: str) -> _Said:
        denies = bool(_DENIALS.intersection(words(text)))
        return cls(frozenset(content_terms(text)), tuple(sorted(_NUMBER.findall(text))), denies)

    def same(self, other: _Said) -> bool:
        if self.numbers != other.numbers or self.denies != other.denies:
            return False
        union = self.terms | other.terms
        return bool(union) and len(self.terms & other.terms) >= SAME * len(union)


def _same(left: MemoryProposal, right: MemoryProposal) -> bool:
    if left.profile != right.profile:
        return False
    return _Said.of(left.content).same(_Said.of(right.content))


def _joined(first: MemoryProposal, again: MemoryProposal) -> MemoryProposal:
    """Return a proposal with the places where it was said again; a request outweighs a mention."""
    stronger = first
    if again.kind is ProposalKind.AUTHORITY and first.kind is ProposalKind.FACT:
        stronger = again
    both = tuple(dict.fromkeys((*first.citations, *again.citations)))
    return replace(stronger, citations=both)


def _of(message: Message, zone: dt.tzinfo) -> Iterator[MemoryProposal]:
    if message.author_kind is not AuthorKind.OWNER or message.origin is not Origin.DIRECT:
        return
    if message.marks & NOT_THEIR_WORD:
        return
    told = facts(message, zone=zone)
    asked = [r.payloads[0] for r in requests(message) if r.payloads]
    taken = [*asked, *((f.start, f.end) for f in told)]
    found = [_requested(message, *span) for span in asked]
    found += [_from_fact(f) for f in told if not _touches((f.start, f.end), asked)]
    own = own_words(message)
    for clause in clauses(message):
        span = (clause.start, clause.end)
        inside = any(a <= clause.start and clause.end <= b for a, b in own)
        inside = inside and not _QUOTED.search(message.content, clause.start, clause.end)
        if inside and not _touches(span, taken) and _firm(clause, message):
            found.append(_decided(message, clause))
    yield from sorted(found, key=lambda p: p.citations[0].start)


def _touches(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(a < span[1] and span[0] < b for a, b in others)


def _firm(clause: Clause, message: Message) -> bool:
    """Whether a clause settles something of the owner's, and says what."""
    refused = clause.theme is Theme.ALTERNATIVE and clause.polarity is Polarity.NEGATED
    if not (refused or clause.theme in _FIRM) or clause.provisional:
        return False
    if clause.holder is not AuthorKind.OWNER:
        return False
    if clause.kind in (Kind.QUOTE, Kind.HOSTED, Kind.INFERENCE):
        return False
    if clause.polarity not in (Polarity.AFFIRMED, Polarity.NEGATED):
        return False
    said = words(message.content[clause.start : clause.end])
    return len({w for w in said if not is_function_word(w)}) >= _LEAST_WORDS


def _cited(message: Message, start: int, end: int) -> Cited:
    return Cited(message.source, message.session_id, message.message_id, start, end, message.at)


def _proposal(message: Message, start: int, end: int, kind: ProposalKind) -> MemoryProposal:
    by = (EntityMention(message.author, EntityRole.UTTERED_BY),) if message.author else ()
    text = message.content[start:end]
    return MemoryProposal(
        kind=kind,
        content=text,
        type="request",
        subject="owner",
        attribute="",
        value=text,
        entities=by,
        valid_from=None,
        valid_to=None,
        author=message.author,
        author_kind=message.author_kind,
        origin=message.origin,
        citations=(_cited(message, start, end),),
        reason="asked",
        profile=message.profile,
    )


def _requested(message: Message, start: int, end: int) -> MemoryProposal:
    return _proposal(message, start, end, ProposalKind.AUTHORITY)


def _decided(message: Message, clause: Clause) -> MemoryProposal:
    made = _proposal(message, clause.start, clause.end, ProposalKind.FACT)
    theme = clause.theme.value if clause.theme else ""
    return replace(made, type="decision", attribute=theme, reason=f"clause:{theme}")


def _from_fact(fact: ProposedFact) -> MemoryProposal:
    steers = fact.type is FactType.RULE
    return MemoryProposal(
        kind=ProposalKind.AUTHORITY if steers else ProposalKind.FACT,
        content=fact.content,
        type=fact.type.value,
        subject=fact.subject,
        attribute=fact.attribute,
        value=fact.value,
        entities=fact.entities,
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
        author=fact.author,
        author_kind=fact.author_kind,
        origin=fact.origin,
        citations=(
            Cited(
                fact.source, fact.session_id, fact.message_id, fact.start, fact.end, fact.said_at
            ),
        ),
        reason=f"pattern:{fact.pattern}",
        profile=fact.profile,
    )
