"""The narrator that needs no model: rules over what was said, in Portuguese and English."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from hfea.consolidation import drafts, tools
from hfea.consolidation.segments import Segment
from hfea.episode import Statement, statement_id
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
_YES = frozenset({"acknowledgement", "filler"})
_ASSENT = frozenset(
    "sim pode isso claro certo ok okay fechado combinado manda faz vai yes yep yeah sure go "
    "please do it ok exato perfeito beleza blz".split()
)
_DISSENT = frozenset("nao no nope nunca never deixa".split())


_TAKEN_BACK = re.compile(
    r"\b(?:foi ironia|era ironia|estava (?:brincando|sendo ironic\w)|(?:foi|era) brincadeira"
    r"|i was (?:joking|being (?:ironic|sarcastic))|that was (?:irony|a joke|sarcasm)"
    r"|just kidding)\b"
)
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
        statements += told
        previous = m
    statements = _unmeant(statements)
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


def _told(
    message: Message, previous: Message | None, day: dt.date, zone: ZoneInfo
) -> list[Statement]:
    asked = previous is not None and "?" in previous.content and previous.author != message.author
    if message.author_kind is AuthorKind.OWNER and previous is not None:
        settled = _assent(message, previous, day)
        if settled is not None:
            return [settled]
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


def _assent(message: Message, previous: Message, day: dt.date) -> Statement | None:
    """Read a bare yes or no to the agent's question as a decision that rests on both."""
    if previous.author_kind is not AuthorKind.AGENT or not previous.content.rstrip().endswith("?"):
        return None
    words = fold(message.content).replace(",", " ").replace(".", " ").replace("!", " ").split()
    if not words or len(words) > 3:  # noqa: PLR2004 - a longer answer stands for itself
        return None
    yes, no = _ASSENT.issuperset(words), _DISSENT.issuperset(words)
    if not (yes or no) or (yes and small_talk(message.content) not in (*_YES, "")):
        return None
    question_start = previous.content.rstrip().rfind(". ") + 2 if ". " in previous.content else 0
    question = drafts.make(
        previous, (question_start, len(previous.content.rstrip())), day, kind=Kind.EVENT
    )
    if _is_courtesy(question.text):
        return None
    answer = drafts.make(message, (0, len(message.content)), day, kind=Kind.EVENT)
    text = f"{question.text} — {message.content.strip()}"
    cites = (*answer.citations, *question.citations)
    return replace(
        answer,
        id=statement_id(day, Kind.EVENT, text, cites),
        text=text,
        theme=Theme.DECISION,
        polarity=Polarity.NEGATED if no else Polarity.AFFIRMED,
        origin=Origin.DERIVED,
        citations=cites,
    )


def _is_courtesy(question: str) -> bool:
    folded = fold(question)
    return any(w in folded for w in ("mais alguma coisa", "anything else", "tudo bem", "certo?"))


def ordered(statements: Iterable[Statement], messages: Sequence[Message]) -> list[Statement]:
    """Return *statements* by cited message and place in it; what came from outside stands last."""
    order = {(m.source, m.session_id, m.message_id): n for n, m in enumerate(messages)}

    def place(s: Statement) -> tuple[bool, int, int, str]:
        c = s.citations[0]
        key = (c.source, c.session_id, c.message_id)
        return s.kind is Kind.HOSTED, order.get(key, len(order)), c.start, s.id

    return sorted(statements, key=place)
