"""The narrator with a language model: it proposes, code verifies every statement.

The model's words are a paraphrase, so their origin is derived; kind and author come from what is
cited. What it leaves out of the owner's words, and every segment it fails on, is told by the
extractive narrator the same night.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol
from zoneinfo import ZoneInfo

from hfea.consolidation import extractive, tools
from hfea.consolidation.drafts import make
from hfea.consolidation.proposals import BadReply, Proposal, parse, prompt
from hfea.consolidation.segments import Segment
from hfea.consolidation.verification import quote_span
from hfea.episode import Citation, Statement, statement_id
from memory_core.model import (
    AuthorKind,
    Kind,
    Message,
    Origin,
    weakest_author,
    weakest_origin,
)

SHORT_ID = 40  # characters up to which a message's own id names it in the prompt
LEAST_SPLIT = 4  # messages from which a segment that failed is tried again in halves
LONGEST_PROMPT = 12_000  # characters of one segment that are sent


class NoReply(Exception):
    """The model gave nothing: it failed, the budget is spent, or its breaker is open."""


@dataclass(frozen=True, slots=True)
class Written:
    """One reply, and the tokens it cost."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0


class Writer(Protocol):
    """Answers a prompt; the same prompt always gives the same answer (it is kept)."""

    @property
    def name(self) -> str:
        """The model's name, for the front matter."""
        ...

    def write(self, instructions: str, data: str) -> Written:
        """Return the reply. Raises NoReply."""
        ...


@dataclass
class Account:
    """What the model cost and how it went, over all segments of a day."""

    tokens_in: int = 0
    tokens_out: int = 0
    failed: int = 0
    refused: Counter[str] = field(default_factory=Counter)


def tell(
    segment: Segment, day: dt.date, zone: ZoneInfo, writer: Writer, account: Account
) -> extractive.Told:
    """Return what the model and the checks make of a segment; extractive where it fails."""
    plain = extractive.tell(segment, day, zone)
    talk = [m for m in segment.messages if _is_talk(m)]
    if not talk:
        return plain
    try:
        told = _ask(talk, day, writer, account)
    except NoReply:
        account.failed += 1
        return plain
    cited = {_key(c) for s in told for c in s.citations}
    kept = [s for s in plain.statements if _still_needed(s, cited)]
    kept += [s for s in tools.attempts(segment.messages, day) if s not in kept]
    statements = extractive.ordered([*told, *kept], segment.messages)
    return extractive.Told(tuple(statements), plain.left_out)


def _is_talk(m: Message) -> bool:
    return not extractive.left_out_reason(m) and m.tool is None and bool(m.content.strip())


def _key(c: Citation) -> tuple[str, str, str]:
    return c.source, c.session_id, c.message_id


def _still_needed(s: Statement, cited: set[tuple[str, str, str]]) -> bool:
    """Keep what the model did not tell of: hosted quotes, tools, and the owner's other words."""
    if s.kind is Kind.HOSTED or len(s.citations) > 1:
        return True
    return s.author_kind is AuthorKind.OWNER and not any(_key(c) in cited for c in s.citations)


def _ask(
    talk: Sequence[Message], day: dt.date, writer: Writer, account: Account
) -> list[Statement]:
    """Ask for one stretch; a reply that is not what was asked is tried again in halves."""
    names = _names(talk)
    instructions, data = prompt(talk, names)
    if len(data) > LONGEST_PROMPT and len(talk) >= LEAST_SPLIT:
        return _halves(talk, day, writer, account)
    reply = writer.write(instructions, data)
    account.tokens_in += reply.tokens_in
    account.tokens_out += reply.tokens_out
    try:
        proposals = parse(reply.text)
    except BadReply as error:
        account.refused[f"reply: {error.reason}"] += 1
        if len(talk) >= LEAST_SPLIT:
            return _halves(talk, day, writer, account)
        raise NoReply from error
    by_name = {names[m.message_id]: m for m in talk}
    found = []
    for p in proposals:
        made = _statement(p, by_name, day, account)
        if made is not None:
            found.append(made)
    return found


def _halves(
    talk: Sequence[Message], day: dt.date, writer: Writer, account: Account
) -> list[Statement]:
    middle = len(talk) // 2
    return [
        *_ask(talk[:middle], day, writer, account),
        *_ask(talk[middle:], day, writer, account),
    ]


def _names(talk: Sequence[Message]) -> dict[str, str]:
    ids = Counter(m.message_id for m in talk)
    return {
        m.message_id: m.message_id
        if ids[m.message_id] == 1 and len(m.message_id) <= SHORT_ID and m.message_id.isascii()
        else f"m{n}"
        for n, m in enumerate(talk, start=1)
    }


def _statement(
    p: Proposal, by_name: Mapping[str, Message], day: dt.date, account: Account
) -> Statement | None:
    """Turn a proposal into a statement, or count why not."""
    cited = [by_name[name] for name in p.sources if name in by_name]
    places = [(m, span) for m in cited if (span := quote_span(p.quote, m)) is not None]
    refusal = (
        "no source"
        if not p.sources
        else "unknown message"
        if len(cited) != len(p.sources)
        else "quote not found or turned"
        if p.quote and not places
        else ""
    )
    if refusal:
        account.refused[refusal] += 1
        return None
    first, span = places[0] if places else (cited[0], (0, len(cited[0].content)))
    base = make(first, span, day, kind=p.kind)
    others = [
        make(m, (0, len(m.content)), day, kind=p.kind).citations[0] for m in cited if m is not first
    ]
    cites = (*base.citations, *others)
    hosted = _hosted(first, span)
    kind = Kind.HOSTED if hosted else p.kind
    text = first.content[span[0] : span[1]] if kind in (Kind.QUOTE, Kind.HOSTED) else p.text
    return replace(
        base,
        id=statement_id(day, kind, text, cites),
        kind=kind,
        theme=p.theme,
        text=text,
        polarity=p.polarity,
        origin=Origin.HOSTED
        if hosted
        else weakest_origin([Origin.DERIVED, *(m.origin for m in cited)]),
        author_kind=AuthorKind.THIRD_PARTY
        if hosted
        else weakest_author(m.author_kind for m in cited),
        citations=cites,
    )


def _hosted(message: Message, span: tuple[int, int]) -> bool:
    if message.origin is Origin.HOSTED:
        return True
    return any(
        s.origin is Origin.HOSTED and s.start < span[1] and span[0] < s.end for s in message.spans
    )
