"""The narrator that needs no model: rules over what was said, in Portuguese and English."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from zoneinfo import ZoneInfo

from hfea.consolidation import drafts, replies, tools
from hfea.consolidation.segments import Segment
from hfea.episode import Statement
from memory_core.extraction import small_talk
from memory_core.model import AuthorKind, Kind, Message, Origin, Polarity, Theme
from memory_core.text import fold

# Messages that are kept out of the account, each with the reason that the tally gives.
_REASONS = (
    ("own_output", "own output"),
    ("error_notice", "error notice"),
    ("summary", "summary of earlier talk"),
    ("undone", "taken back"),
)
_TAKEN_BACK = re.compile(
    r"\b(?:foi ironia|era ironia|estava (?:brincando|sendo ironic\w)|(?:foi|era) brincadeira"
    r"|i was (?:joking|being (?:ironic|sarcastic))|that was (?:irony|a joke|sarcasm)"
    r"|just kidding)\b|^(?:so que nao|sqn)\b"
)
NEXT_BREATH = dt.timedelta(minutes=3)
IRONY_REACH = 6  # statements back that an "it was irony" reaches
_COMMITTING = frozenset({Theme.MOOD, Theme.DECISION, Theme.REVISION, Theme.EXPECTATION})


@dataclass(frozen=True, slots=True)
class Told:
    """What a segment gave: statements, and messages left out with the reason why."""

    statements: tuple[Statement, ...]
    left_out: tuple[tuple[str, Message], ...]


def left_out_reason(message: Message) -> str:
    """Return why a message is no part of the account; '' where it is."""
    for mark, reason in _REASONS:
        if mark in message.marks:
            return reason
    if message.author_kind is AuthorKind.SYSTEM:
        return "machine"
    return ""


def tell(segment: Segment, day: dt.date, zone: ZoneInfo) -> Told:
    """Return the statements of one segment, in the order of what they rest on."""
    kept: list[Message] = []
    left: list[tuple[str, Message]] = []
    for m in segment.messages:
        reason = left_out_reason(m)
        if reason:
            left.append((reason, m))
        else:
            kept.append(m)
    statements: list[Statement] = []
    previous: Message | None = None
    for m in kept:
        if m.tool is not None or m.author_kind is AuthorKind.TOOL:
            continue
        told = _told(m, previous, day, zone)
        reason = "" if told else small_talk(m.content) or "nothing said"
        if reason:
            left.append((reason, m))
        for s in told:
            statements = (
                replies.without_asked(statements, s) if len(s.citations) > 1 else statements
            )
        statements += told
        previous = m
    statements = _grounded(_unmeant(statements))
    statements += tools.attempts(kept, day)
    statements += tools.results(kept, day)
    return Told(tuple(ordered(statements, kept)), tuple(left))


def _unmeant(statements: list[Statement]) -> list[Statement]:
    """Where the owner says it was irony, what was said just before becomes a quotation."""
    done = list(statements)
    for n, s in enumerate(statements):
        if s.author_kind is AuthorKind.OWNER and _TAKEN_BACK.search(fold(s.text)):
            for back in range(max(0, n - IRONY_REACH), n):
                if done[back].author == s.author and done[back].theme in _COMMITTING:
                    done[back] = replace(
                        done[back], kind=Kind.QUOTE, theme=Theme.OTHER, words="", provisional=False
                    )
    return done


def _grounded(statements: list[Statement]) -> list[Statement]:
    """Where an owner's next message says how things are right after a choice, it is the reason."""
    done = list(statements)
    per_message = Counter(s.citations[0].message_id for s in statements)
    for n, (last, s) in enumerate(pairwise(statements), start=1):
        alone = per_message[s.citations[0].message_id] == 1
        plain = s.theme is Theme.OTHER and s.kind is Kind.REPORTED_STATE and not s.holder
        chosen = last.theme in (Theme.DECISION, Theme.REVISION) and not last.provisional
        near = last.at is not None and s.at is not None and s.at - last.at <= NEXT_BREATH
        asks = s.polarity in (Polarity.QUESTION, Polarity.HYPOTHETICAL)
        own = s.author_kind is AuthorKind.OWNER and last.author == s.author
        if own and alone and plain and chosen and near and not asks and len(s.citations) == 1:
            done[n] = replace(s, theme=Theme.REASON)
    return done


def _told(
    message: Message, previous: Message | None, day: dt.date, zone: ZoneInfo
) -> list[Statement]:
    asked = previous is not None and "?" in previous.content and previous.author != message.author
    if message.author_kind is AuthorKind.OWNER and previous is not None:
        reply = replies.settled(message, previous, day)
        if reply is not None:
            return [reply]
    found = [] if small_talk(message.content) else drafts.spoken(message, day, zone, asked=asked)
    found += drafts.hosted(message, day)
    if not found and message.author_kind is AuthorKind.OWNER and not small_talk(message.content):
        found = _whole(message, day)
    if message.author_kind is AuthorKind.OWNER and found and not _cites(found, message):
        found += _whole(message, day)
    return found


def _cites(found: Sequence[Statement], message: Message) -> bool:
    return any(c.message_id == message.message_id for s in found for c in s.citations)


def _whole(message: Message, day: dt.date) -> list[Statement]:
    text = message.content.strip()
    if not text:
        return []
    start = message.content.index(text[0])
    end = min(start + len(text), start + drafts.LONGEST)
    kind = Kind.HOSTED if message.origin is Origin.HOSTED else Kind.EVENT
    return [drafts.make(message, (start, end), day, kind=kind)]


def ordered(statements: Iterable[Statement], messages: Sequence[Message]) -> list[Statement]:
    """Return *statements* by cited message and place in it; what came from outside stands last."""
    order = {(m.source, m.session_id, m.message_id): n for n, m in enumerate(messages)}

    def place(s: Statement) -> tuple[bool, int, int, str]:
        c = s.citations[0]
        key = (c.source, c.session_id, c.message_id)
        return s.kind is Kind.HOSTED, order.get(key, len(order)), c.start, s.id

    return sorted(statements, key=place)
