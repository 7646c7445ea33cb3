"""The sentences that may be kept, each with the things of it that must not be lost."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memory_core.extraction import clauses
from memory_core.extraction.sentences import clauses_of, sentences
from memory_core.extraction.small_talk import small_talk
from memory_core.grades import Grade, grade_of
from memory_core.model import Message, Polarity, Theme
from memory_core.text import content_terms
from memory_core.when import expressions

LONG = 240  # characters; a longer sentence is kept clause by clause
_MOST_PARTS = 400  # of one message; beyond, it is a log or a book
_NUMBER = re.compile(r"(?<![\w.])(?:[R$£€]{1,2} ?)?\d[\w.,:/%-]*(?<![.,:/-])")
_NAME = re.compile(r"(?<=[\w,;:] )[A-ZÀ-Þ][\w'’-]{2,}")
_HEAVY = {
    Theme.DECISION: 12.0,
    Theme.REVISION: 12.0,
    Theme.OPEN_POINT: 12.0,
    Theme.CONSTRAINT: 8.0,
    Theme.REASON: 3.0,
    Theme.EXPECTATION: 3.0,
    Theme.ALTERNATIVE: 2.0,
    Theme.LEARNING: 3.0,
    Theme.ATTEMPT: 2.0,
}
_NUMBER_WEIGHT, _DATE_WEIGHT, _NAME_WEIGHT, _TERM_WEIGHT = 3.5, 3.5, 1.0, 0.2
_FOREIGN = 0.2  # what was brought in counts this much: logs are full of numbers
_NOON = dt.datetime(2000, 1, 1, 12, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of one message, with the weight of each thing that it tells."""

    index: int
    start: int
    end: int
    text: str
    grade: Grade
    tells: dict[str, float]


def units(messages: Sequence[Message]) -> list[Unit]:
    """Return every sentence of *messages* in order; greetings tell nothing."""
    found = [u for index, m in enumerate(messages) for u in _of(index, m)]
    seen = Counter(t for u in found for t in u.tells if t.startswith("t:"))
    return [_without_hapax(u, seen) for u in found]


def _without_hapax(unit: Unit, seen: Counter[str]) -> Unit:
    """Return the unit with words that stand nowhere else left out: they are about nothing."""
    told = {t: w for t, w in unit.tells.items() if not t.startswith("t:") or seen[t] > 1}
    return Unit(unit.index, unit.start, unit.end, unit.text, unit.grade, told)


def numbers(text: str) -> list[str]:
    """Return the numbers of *text* as they stand, amounts and times among them."""
    return [m.group().strip() for m in _NUMBER.finditer(text)]


def dates(text: str, at: dt.datetime | None) -> list[str]:
    """Return the words of *text* that name a day."""
    return [e.words.lower() for e in expressions(text, at or _NOON)]


def _parts(message: Message) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a message that may be kept apart; none crosses a span's edge."""
    text = message.content
    edges = {0, len(text)} | {e for s in message.spans for e in (s.start, s.end)}
    for first, last in pairwise(sorted(e for e in edges if e <= len(text))):
        for start, end in _pieces(text[first:last]):
            yield first + start, first + end


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    for n, (start, end) in enumerate(sentences(text)):
        if n >= _MOST_PARTS:
            yield start, len(text)
            return
        if end - start <= LONG:
            yield start, end
        else:
            yield from clauses_of(text, start, end)


def _of(index: int, message: Message) -> Iterator[Unit]:
    text = message.content
    empty = bool(small_talk(text))
    foreign = Grade(message.author_kind, message.origin).foreign
    told = () if empty or foreign else clauses(message)
    for start, end in _parts(message):
        part, grade = text[start:end], grade_of(message, start, end)
        tells: dict[str, float] = {}
        if not empty:
            tells = _tells(part, message, foreign=grade.foreign)
            for c in told:
                asks = c.polarity is Polarity.QUESTION and c.theme is not Theme.OPEN_POINT
                if c.theme in _HEAVY and start <= c.start < end and not asks:
                    tells[f"c:{index}:{c.start}"] = _HEAVY[c.theme]
        yield Unit(index, start, end, part, grade, tells)


def _tells(part: str, message: Message, *, foreign: bool) -> dict[str, float]:
    scale = _FOREIGN if foreign else 1.0
    found = {f"t:{t}": _TERM_WEIGHT * scale for t in content_terms(part[: LONG * 2])}
    found |= {f"a:{n}": _NAME_WEIGHT * scale for n in _NAME.findall(part)}
    if foreign:
        return found | {f"h:{n}": _NUMBER_WEIGHT * scale for n in numbers(part[: LONG * 2])}
    found |= {f"n:{n}": _NUMBER_WEIGHT for n in numbers(part)}
    return found | {f"d:{message.message_id}:{d}": _DATE_WEIGHT for d in dates(part, message.at)}
