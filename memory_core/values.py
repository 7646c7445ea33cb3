"""The values a text gives: money, numbers with what they count, days, times, codes, names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memory_core import lexicon
from memory_core.text import fold, is_function_word, stem, words

_MONEY = re.compile(
    r"(?:(?:r\$|us\$|usd|brl|eur|\$|€|£)\s?(?P<a>\d[\d.,]*\d|\d)"
    r"|(?P<b>\d[\d.,]*\d|\d)\s?(?:reais|real|dolares|dollars?|euros?|bucks|mil reais)\b)"
)
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "janeiro january jan",
            "fevereiro february fev feb",
            "marco march mar",
            "abril april abr apr",
            "maio may mai",
            "junho june jun",
            "julho july jul",
            "agosto august ago aug",
            "setembro september set sep sept",
            "outubro october out oct",
            "novembro november nov",
            "dezembro december dez dec",
        ),
        1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = re.compile(
    r"\b(?P<y1>\d{4})-(?P<m1>\d{2})-(?P<d1>\d{2})\b"
    r"|\b(?P<d2>\d{1,2})/(?P<m2>\d{1,2})(?:/\d{2,4})?\b"
    rf"|\b(?P<d3>\d{{1,2}})[oº]?(?:st|nd|rd|th)? (?:de |of )?(?P<m3>{_MONTH})\b"
    rf"|\b(?P<m4>{_MONTH}) (?P<d4>\d{{1,2}})(?:st|nd|rd|th)?\b"
)
_TIME = re.compile(
    r"\b(?P<h>\d{1,2})(?:h(?P<m>\d{2})?|:(?P<m2>\d{2}))?\s?(?P<half>am|pm|a\.m\.|p\.m\.)?(?=\W|\Z)"
)
_CODE = re.compile(r"\b(?=[\w./-]*\d)(?=[\w./-]*[a-z])[\w][\w./-]{3,}\w\b|\b\d{3,}[-/.]\d{3,}\b")
_NUMBER = re.compile(r"(?<![\w.,/-])(?P<n>\d+(?:[.,]\d+)*)\s?(?P<unit>%|[^\W\d_]+)?")
_WORDS = {
    word: number
    for number, names in (
        (1, "um uma one"),
        (2, "dois duas two"),
        (3, "tres three"),
        (4, "quatro four"),
        (5, "cinco five"),
        (6, "seis six"),
        (7, "sete seven"),
        (8, "oito eight"),
        (9, "nove nine"),
        (10, "dez ten"),
        (11, "onze eleven"),
        (12, "doze twelve dozen duzia"),
        (13, "treze thirteen"),
        (14, "catorze quatorze fourteen"),
        (15, "quinze fifteen"),
        (16, "dezesseis sixteen"),
        (20, "vinte twenty"),
        (30, "trinta thirty"),
        (40, "quarenta forty"),
        (50, "cinquenta fifty"),
    )
    for word in names.split()
}
_WORD_NUMBER = re.compile(r"\b(?P<w>" + "|".join(_WORDS) + r")\b (?P<unit>[^\W\d_]+)")
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w'’-]*(?:\s+(?:d[aeo]s?\s+)?[A-ZÀ-Þ][\w'’-]*)*")
_HALF_DAY = 12


@dataclass(frozen=True, slots=True)
class Values:
    """What a text gives, by type; numbers as plain text without thousands marks.

    `counts` pairs a number with the stem or concept of what it counts.
    """

    money: frozenset[str]
    days: frozenset[str]
    times: frozenset[str]
    codes: frozenset[str]
    counts: frozenset[tuple[str, str]]
    names: frozenset[str]


@lru_cache(maxsize=20_000)
def values(text: str) -> Values:
    """Read the values of *text*; pt-BR and English spellings come out alike."""
    folded = fold(text)
    rest, money = _taken(folded, _MONEY, lambda m: plain(m["a"] or m["b"]))
    rest, days = _taken(rest, _DAY, _day)
    rest, times = _taken(rest, _TIME, _time)
    rest, codes = _taken(rest, _CODE, lambda m: m.group())
    return Values(
        frozenset(money),
        frozenset(days),
        frozenset(times),
        frozenset(codes),
        frozenset(_counts(rest)),
        frozenset(_names(text)),
    )


def plain(number: str) -> str:
    """Return a number without thousands marks and trailing decimals: 35.800 and 35,800.00 alike."""
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", number):
        return re.sub(r"[.,]", "", number)
    whole, mark, cents = re.fullmatch(r"(.*?)(?:([.,])(\d{1,2}))?", number).groups()  # type: ignore[union-attr]
    whole = re.sub(r"[.,]", "", whole)
    return f"{whole}.{cents}" if mark and cents.strip("0") else whole


def _taken(text: str, pattern: re.Pattern[str], read: object) -> tuple[str, list[str]]:
    """Return *text* without what was read, and what was read; a reading of '' is left in place."""
    found: list[str] = []

    def take(match: re.Match[str]) -> str:
        value = read(match)  # type: ignore[operator]
        if not value:
            return match.group()
        found.append(value)
        return " " * len(match.group())

    return pattern.sub(take, text), found


def _day(match: re.Match[str]) -> str:
    day = next(match[k] for k in ("d1", "d2", "d3", "d4") if match[k])
    month = next(match[k] for k in ("m1", "m2", "m3", "m4") if match[k])
    number = _MONTHS.get(month) or (int(month) if month.isdigit() else 0)
    return f"{number:02d}-{int(day):02d}" if 1 <= number <= 12 and 1 <= int(day) <= 31 else ""  # noqa: PLR2004


def _time(match: re.Match[str]) -> str:
    hour, half = int(match["h"]), (match["half"] or "").replace(".", "")
    marked = half or "h" in match.group() or match["m2"]
    if not marked or hour > 24:  # noqa: PLR2004 - hours of a day
        return ""
    if half == "pm" and hour < _HALF_DAY:
        hour += _HALF_DAY
    return f"{hour:02d}:{match['m'] or match['m2'] or '00'}"


def _counts(folded: str) -> Iterator[tuple[str, str]]:
    for match in _NUMBER.finditer(folded):
        before = words(folded[max(0, match.start() - 30) : match.start()])
        told = match["unit"] or ""
        if not told or is_function_word(told):  # "port 8443": what is numbered stands before
            told = next((w for w in reversed(before[-2:]) if not is_function_word(w)), "")
        yield plain(match["n"]), _unit(told)
    for match in _WORD_NUMBER.finditer(folded):
        if not is_function_word(match["unit"]):
            yield str(_WORDS[match["w"]]), _unit(match["unit"])


def _unit(word: str) -> str:
    if not word or is_function_word(word):
        return ""
    numbers = lexicon.of_word(word)
    return f"c{min(numbers)}" if numbers else stem(word, "pt")


def _names(text: str) -> Iterator[str]:
    for match in _NAME.finditer(text):
        begins = not text[: match.start()].strip(" \t\n\"'«»“”*-") or text[
            : match.start()
        ].rstrip().endswith((".", "!", "?", ":", ";"))
        words_in = words(match.group())
        known = len(words_in) == 1 and (
            lexicon.of_word(words_in[0]) or is_function_word(words_in[0])
        )
        coded = any(c.isdigit() for c in match.group())
        if words_in and not coded and not (begins and known) and words_in[0] not in _MONTHS:
            yield " ".join(words_in)
