"""What ranking needs to know of a question: its words, their pairs, people, days and kind."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

from memory_core import question as questions
from memory_core.matching import Wanted
from memory_core.question_types import AnswerType
from memory_core.retrieval.rows import content, stems
from memory_core.text import fold, language

_FIRST_PERSON = re.compile(r"\b(?:eu|me|mim|meus?|minhas?|i|my|mine|myself)\b")
# A span without an end, or longer than a lifetime, says nothing about nearness.
_OPEN = (dt.date(1900, 1, 1), dt.date(2200, 1, 1))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as ranking sees it; nothing in it depends on what is stored but `people`.

    `words` are its content words without its time expressions and without the names of
    `people`, the speakers it asks about (folded). `span` is a half-open range of local days.
    """

    text: str
    words: tuple[Wanted, ...]
    pairs: frozenset[tuple[str, str]]
    people: frozenset[str]
    span: tuple[dt.date, dt.date] | None
    types: frozenset[AnswerType]
    language: str


def asked(text: str, asked_at: dt.datetime, speakers: Collection[str] = (), me: str = "") -> Asked:
    """Read a question put at *asked_at* (aware); any string is valid.

    *speakers* are the names of those whose words are searched; *me* is the speaker who asks
    ('' where nobody knows): "what did I say" is then about them.
    """
    understood = questions.understand(text, asked_at)
    folded = fold(text)
    people = {s for s in map(fold, speakers) if _named(s, folded)}
    if not people and me and _FIRST_PERSON.search(folded):
        people = {fold(me)}
    parts = {w for person in people for w in person.split()}
    kept = tuple(w for w in understood.wanted if _bare(w.word) not in parts)
    return Asked(
        text=text,
        words=kept or understood.wanted,
        pairs=_pairs(text),
        people=frozenset(people),
        span=_bounded(understood.span),
        types=frozenset(understood.types),
        language=language(text),
    )


def _bounded(span: tuple[dt.date, dt.date] | None) -> tuple[dt.date, dt.date] | None:
    if span is None:
        return None
    return max(span[0], _OPEN[0]), min(span[1], _OPEN[1])


def _bare(word: str) -> str:
    return word.removesuffix("'s")


def _named(speaker: str, folded: str) -> bool:
    """Whether a question names a speaker, by the whole name or by its first word."""
    names = {speaker, *speaker.split(maxsplit=1)[:1]} - {""}
    return any(re.search(rf"(?<!\w){re.escape(n)}(?:'s)?(?!\w)", folded) for n in names)


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    both = [stems(w) for w in content(text)]
    return frozenset(pair for a, b in pairwise(both) for pair in ((a[0], b[0]), (a[-1], b[-1])))
