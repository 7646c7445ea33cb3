# ruff: noqa: E501 - patterns read best a row a line
"""Reading facts out of the owner's own direct words; nothing else can give one.

What an agent, a tool, a document, a summary or somebody else in the chat says yields nothing
here: the night keeps it as history. Questions, suppositions, irony, quoted and reported speech
yield nothing either. A name in front that is only spoken to is an addressee.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory_core.extraction import holder, polarity
from memory_core.extraction.facts_model import EntityMention, EntityRole, FactType, ProposedFact
from memory_core.extraction.facts_table import Pattern, table
from memory_core.extraction.facts_values import is_name, value_of
from memory_core.extraction.sentences import clauses_of, sentences, trimmed
from memory_core.extraction.small_talk import small_talk
from memory_core.grades import own_stretches
from memory_core.model import AuthorKind, Message, Origin, Polarity
from memory_core.request_words import PASTES
from memory_core.text import fold
from memory_core.when import expressions

LONGEST = 400  # characters of a clause; what is longer is a document that nobody marked
NOT_THEIR_WORD = frozenset(
    "machine summary subagent overheard undone error_notice off_record own_output recalled tool_call".split()
)
_FENCE = re.compile(
    r"```.*?(?:```|\Z)|<(?P<tag>[\w-]*(?:memory|recall|context|reminder)[\w-]*)\b[^>]*>.*?(?:</(?P=tag)>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_LINE_OF_LOG = re.compile(
    r"\s*(?:>|\||\$ |#|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[\d\d[:/]|(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)\b|"
    r"\w+=\S+\s+\w+=|[A-Z][\w .-]{1,30}: .*\d\d:\d\d|at \w+\.|\d+\.\d+\.\d+\.\d+ )"
)
_QUOTES = re.compile(r"“[^”]*”|«[^»]*»|\"[^\"\n]*\"|‘[^’]*’|(?<!\w)'[^'\n]+'(?!\w)|[“«\"].*$")
_STAGED = re.compile(
    r"\b(?:traduz\w*|translate|por exemplo|for example|for instance|e\.g\.|exemplo:|example:|personagem|character|"
    r"no (?:livro|filme|conto|sonho|jogo)|na (?:novela|historia|musica|peca|letra)|in the (?:novel|book|film|movie|story|play|song|game)|"
    r"sonhei|dream(?:t|ed)|finge|finja|pretend|roleplay|role-play|conto que|story that|poem|poema|letra d[ae]|lyrics|"
    r"reescreve|rewrite|corrige a frase|revisa a frase|fix (?:the|this) sentence|hipotetic|tipo assim:|rs$|kkk+|haha|brincadeira|joking|lol)\b"
)
# "A Lívia é minha filha, já te falei?" states; only its tail asks.
_TAG = re.compile(
    r",\s+(?:né|viu|tá|ok|certo|lembra|sabe|já te (?:falei|contei|disse)|right|remember|you know|ok(?:ay)?|did I (?:tell|mention)(?: you)?(?: that)?)\s*\?$",
    re.IGNORECASE,
)
_VOCATIVE = re.compile(
    r"\s*(?:(?:oi|ola|ei|hey|hi|hello|ok|bom dia|boa tarde|boa noite|good morning),? )?(?P<name>[A-ZÀ-Þ][\w'-]+),\s+",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"(?:,|;| e| and)\s+(?=(?:eu |i |i'm |i've |my |meu |minha |moro |trabalho |sou |tenho |prefiro |adoro |odeio |detesto |gosto |nao gosto |falo |toco |sei |faco parte |we )\w)"
)
_FRONTED = re.compile(
    r"(?:on|every|each|in|at|from|starting|going|since|yesterday|today|tomorrow|next|last|tod[oa]s?|aos?|[aà]s|n[ao]s?|em|de|a partir|desde|ontem|hoje|amanhã|h[aá])\b[^,]{0,40}$",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<![\w.@])[A-ZÀ-Þ][\w'’-]+(?: (?:(?:d[aeo]s?|of|the|e) )?[A-ZÀ-Þ][\w'’-]+)*")
_ONWARDS = re.compile(r"going forward")  # thirteen letters that announce no paste
_HOUR = re.compile(
    r"\b(?:\d{1,2}(?:h\d{0,2}|:\d\d| ?[ap]\.?m\.?)|meio-dia|noon|midnight|as \d{1,2})\b"
)
_SEASON = re.compile(
    r"\b(?:verao|inverno|outono|primavera|ferias|summer|winter|spring|autumn|holidays|este ano|ano que vem|next year|this year|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|january|february|march|april|may|june|july|august|september|october|november|december)\b"
)
_LASTING = frozenset({FactType.APPOINTMENT, FactType.PLAN})
_NOT_STARTING = frozenset({FactType.IDENTITY, FactType.SKILL, FactType.KINSHIP})


@dataclass(frozen=True, slots=True)
class _Clause:
    start: int
    end: int
    text: str
    folded: str
    pole: Polarity
    addressee: str


def facts(
    message: Message, *, zone: dt.tzinfo = dt.UTC, without: frozenset[str] = frozenset()
) -> tuple[ProposedFact, ...]:
    """Return the facts that the owner states in a message, in order; one a clause at most.

    *zone* is the owner's, for the days that relative words name. *without* names patterns
    that are switched off, for tests and explanations.
    """
    if message.author_kind is not AuthorKind.OWNER or message.origin is not Origin.DIRECT:
        return ()
    if message.marks & NOT_THEIR_WORD or small_talk(message.content):
        return ()
    found = []
    for clause in _clauses(message):
        told = _told(clause, message, zone, without)
        if told is not None:
            found.append(told)
    return tuple(found)


def own_words(message: Message) -> list[tuple[int, int]]:
    """Return the stretches of a message that are its author's prose, as half-open offsets.

    Left out are its spans, fenced code, recall blocks, lines of log, table or quotation, and
    what follows the announcement of a paste of which nothing is marked.
    """
    text = message.content
    found = [s for first, last in own_stretches(message) for s in _prose(text, first, last)]
    pasted = None if message.spans else PASTES.search(_ONWARDS.sub("_" * 13, same_length(text)))
    if pasted is None:
        return found
    return [(a, min(b, pasted.start())) for a, b in found if a < pasted.start()]


def _clauses(message: Message) -> Iterator[_Clause]:
    text = message.content
    for a, b in own_words(message):
        for start, end in sentences(text[a:b]):
            yield from _sentence(text, a + start, a + end)


def _prose(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the lines of a stretch that are neither code, nor log, quotation or table."""
    for fence in _FENCE.finditer(text, start, end):
        yield from _lines(text, start, fence.start())
        start = fence.end()
    yield from _lines(text, start, end)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        if not _LINE_OF_LOG.match(text, start, stop):
            yield start, stop
        start = stop + 1


def _sentence(text: str, start: int, end: int) -> Iterator[_Clause]:
    words = text[start:end]
    whole = fold(words).strip()
    if len(words) > LONGEST or polarity.is_ironic(whole) or _STAGED.search(whole):
        return
    tag = _TAG.search(words)
    if tag:
        end = start + tag.start()
        words = text[start:end]
    if words.rstrip(" \"'”»)").endswith("?") or _QUOTES.search(words):
        return
    vocative = _VOCATIVE.match(text, start, end)
    name = ""
    if vocative and is_name(vocative["name"]):
        name, start = vocative["name"], vocative.end()
    if holder.third_party(text[start:end]):
        return
    supposes = polarity.is_hypothetical(fold(text[start:end]).strip())
    for a, b in _pieces(text, start, end):
        folded = same_length(text[a:b])
        pole = Polarity.HYPOTHETICAL if supposes else polarity.polarity(folded, asked=False)
        yield _Clause(a, b, text[a:b], folded, pole, name)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for a, b in clauses_of(text, start, end):
        at = a
        for joint in _JOINT.finditer(same_length(text[a:b])):
            if _FRONTED.match(text, at, a + joint.start()):
                continue  # "On the fifth, I pay": what stands in front is no clause
            if "é" in text[a + joint.start() : a + joint.end()].lower():
                continue  # "é minha" is, it does not join
            if (piece := trimmed(text, at, a + joint.start())) is not None:
                yield piece
            at = a + joint.end()
        if (piece := trimmed(text, at, b)) is not None:
            yield piece


def same_length(text: str) -> str:
    """Fold letter by letter, so that offsets stay those of *text*."""
    if text.isascii():
        return text.lower()
    return "".join(f if len(f := fold(c)) == 1 else c for c in text).replace("’", "'")


def _told(
    clause: _Clause, message: Message, zone: dt.tzinfo, without: frozenset[str]
) -> ProposedFact | None:
    if clause.pole in (Polarity.QUESTION, Polarity.HYPOTHETICAL):
        return None
    for pattern in table():
        row = pattern.row
        if row.id in without or (clause.pole is Polarity.NEGATED and not row.denies):
            continue
        match = pattern.regex.search(clause.folded)
        value = value_of(match, clause.text, row.type) if match else ""
        if match and value and (not pattern.needs_time or _has_time(clause, message, zone)):
            return _fact(clause, message, zone, (pattern, match, value))
    return None


def _has_time(clause: _Clause, message: Message, zone: dt.tzinfo) -> bool:
    if _HOUR.search(clause.folded) or _SEASON.search(clause.folded):
        return True
    said = message.at or dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
    return bool(expressions(clause.text, said.astimezone(zone)))


def _fact(
    clause: _Clause, message: Message, zone: dt.tzinfo, found: tuple[Pattern, re.Match[str], str]
) -> ProposedFact:
    pattern, match, value = found
    row, groups = pattern.row, match.groupdict()
    subject = "owner"
    for name in ("s", "sp"):
        if groups.get(name):
            subject = clause.text[match.start(name) : match.end(name)].strip()
    first, last = _valid(clause, message, zone, row.type)
    return ProposedFact(
        content=clause.text, type=row.type, subject=subject, attribute=row.attribute,
        value=value, entities=_entities(clause, message), valid_from=first, valid_to=last,
        start=clause.start, end=clause.end, source=message.source,
        session_id=message.session_id, message_id=message.message_id, author=message.author,
        author_kind=message.author_kind, origin=message.origin, said_at=message.at,
        pattern=row.id, profile=message.profile,
    )  # fmt: skip


def _entities(clause: _Clause, message: Message) -> tuple[EntityMention, ...]:
    found = [EntityMention(message.author, EntityRole.UTTERED_BY)] if message.author else []
    if clause.addressee:
        found.append(EntityMention(clause.addressee, EntityRole.ADDRESSEE))
    named = (m for m in _NAME.finditer(clause.text) if m.start() or " " in m.group())
    mentioned = dict.fromkeys(m.group() for m in named if m.group() != "I")
    return (*found, *(EntityMention(name, EntityRole.MENTIONED) for name in mentioned))


def _valid(
    clause: _Clause, message: Message, zone: dt.tzinfo, kind: FactType
) -> tuple[dt.date | None, dt.date | None]:
    """Return since and until when it holds, as half-open local days.

    What is to come holds from the day it was said until its day has passed; what happened,
    on its day. A day with two readings bounds nothing.
    """
    if message.at is None:
        return None, None
    said = message.at.astimezone(zone)
    named = [e for e in expressions(clause.text, said) if len(e.readings) == 1 and not e.negated]
    day = named[0].readings[0] if named else None
    if kind in _NOT_STARTING:
        return None, None
    if day and kind in _LASTING and day[1] > said.date():
        return said.date(), day[1]
    if day and kind is FactType.EVENT:
        return day
    if day and day[0] <= said.date() and day[0].year > 1:
        return day[0], None
    return said.date(), None
