"""Time expressions of pt-BR and English as ranges of local days, with every reading.

A table of patterns, each with a function from the match and the day it was said on to readings:
half-open ranges of days. Ambiguous phrases ("sexta que vem" on a Thursday) give several; nobody
chooses in silence. Matching runs over folded text of the same length, so offsets are the text's.
"""

from __future__ import annotations

import datetime as dt
import re

from memory_core.extraction.day_meanings import DAY, Meaning, Range, Readings, Said
from memory_core.extraction.day_patterns import HINT, ROWS
from memory_core.extraction.model import TimeExpression
from memory_core.text import fold, language

_TABLE = tuple((re.compile(pattern), meaning, relative) for pattern, meaning, relative in ROWS)


def expressions(text: str, said_at: dt.datetime) -> tuple[TimeExpression, ...]:
    """Return the time expressions of *text*, in order, not overlapping; longest first.

    *said_at* is aware, in the owner's zone: "ontem" is the day before its local day.
    """
    folded = _same_length(text)
    if not HINT.search(folded):
        return ()
    said = Said(said_at.date(), language(text) or "pt")
    found: list[TimeExpression] = []
    taken = bytearray(len(text))
    for pattern, meaning, relative in _TABLE:
        for match in pattern.finditer(folded):
            start, end = match.span()
            if any(taken[start:end]):
                continue
            readings = _safe(meaning, match, said)
            if readings:
                taken[start:end] = b"\1" * (end - start)
                denied = bool(_DENIED.search(folded[max(0, start - 24) : start]))
                found.append(
                    TimeExpression(start, end, text[start:end], readings, relative, denied)
                )
    return tuple(sorted(found, key=lambda e: e.start))


def range_of(question: str, asked_at: dt.datetime) -> Range | None:
    """Return the half-open range of days that a question is about; None where it names none.

    "before X" and "since X" open the range on one side. Several expressions give the span
    from the first to the last.
    """
    found = expressions(question, asked_at)
    if not found:
        return None
    folded = _same_length(question)
    ranges = []
    for e in found:
        before = folded[max(0, e.start - 24) : e.start]
        first, after = e.readings[0][0], e.readings[-1][1]
        if _UNTIL.search(before):
            ranges.append((dt.date.min, first if _STRICTLY.search(before) else after))
        elif _SINCE.search(before):
            ranges.append((first, asked_at.date() + DAY))
        else:
            ranges.append((first, after))
    return min(r[0] for r in ranges), max(r[1] for r in ranges)


# The day itself is denied, not what happened on it: "not tomorrow", "não é na sexta".
_DENIED = re.compile(
    r"(?:(?:^|[,;(]\s*|\b(?:e|and|mas|but) )(?:nao|not)"
    r"|\b(?:nao (?:e|era|sera|vai ser)|(?:is|was|be) not|(?:is|was)n't))"
    r"(?: (?:n[ao]|em|para|pra|on|in|for|at|by))?(?: (?:a|o|the))? $"
)
_UNTIL = re.compile(r"\b(?:ate|antes d[eoa]s?|before|until|by|up to)\s+(?:o |a |the )?(?:dia )?$")
_STRICTLY = re.compile(r"\b(?:antes|before)\b")
_SINCE = re.compile(
    r"\b(?:desde|a partir d[eoa]s?|since|from|after|depois d[eoa]s?)\s+(?:o |a |the )?(?:dia )?$"
)


def _same_length(text: str) -> str:
    """Fold letter by letter, so that offsets stay those of *text*."""
    if text.isascii():
        return text.lower()
    return "".join(f if len(f := fold(c)) == 1 else c for c in text)


def _safe(meaning: Meaning, match: re.Match[str], said: Said) -> Readings:
    try:
        return meaning(match, said)
    except (ValueError, OverflowError):
        return ()  # 31 February, year 0: no day, so no expression
