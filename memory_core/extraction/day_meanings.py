# ruff: noqa: D103 - each says in its name which expression it reads
"""What a matched time expression means: functions from a match to half-open ranges of days."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Callable

Range = tuple[dt.date, dt.date]
Readings = tuple[Range, ...]
DAY = dt.timedelta(days=1)
FAR_DAYS = 230  # a date without a year that is this far off may as well be the other way

WEEKDAYS = {
    "segunda": 0, "terca": 1, "quarta": 2, "quinta": 3, "sexta": 4, "sabado": 5, "domingo": 6,
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5,
    "sunday": 6, "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thurs": 3, "fri": 4,
}  # fmt: skip
MONTHS = {
    "janeiro": 1, "fevereiro": 2, "marco": 3, "abril": 4, "maio": 5, "junho": 6, "julho": 7,
    "agosto": 8, "setembro": 9, "outubro": 10, "novembro": 11, "dezembro": 12, "january": 1,
    "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
    "september": 9, "october": 10, "november": 11, "december": 12, "jan": 1, "fev": 2, "feb": 2,
    "mar": 3, "abr": 4, "apr": 4, "mai": 5, "jun": 6, "jul": 7, "ago": 8, "aug": 8, "set": 9,
    "sep": 9, "sept": 9, "out": 10, "oct": 10, "nov": 11, "dez": 12, "dec": 12,
}  # fmt: skip
NUMBERS = {
    "um": 1, "uma": 1, "dois": 2, "duas": 2, "tres": 3, "quatro": 4, "cinco": 5, "seis": 6,
    "sete": 7, "oito": 8, "nove": 9, "dez": 10, "quinze": 15, "vinte": 20, "a": 1, "an": 1,
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "couple": 2, "fifteen": 15, "twenty": 20,
}  # fmt: skip
UNITS = {
    "dia": "day", "dias": "day", "day": "day", "days": "day", "semana": "week",
    "semanas": "week", "week": "week", "weeks": "week", "mes": "month", "meses": "month",
    "month": "month", "months": "month", "ano": "year", "anos": "year", "year": "year",
    "years": "year",
}  # fmt: skip
PT_DAY = r"(?:segunda|terca|quarta|quinta|sexta)(?:[- ]feira)?|sabado|domingo"
EN_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
PT_MONTH = "|".join(
    m
    for m in MONTHS
    if m
    in ("janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro")
)
EN_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
SHORT_MONTH = "jan|feb|fev|mar|abr|apr|mai|jun|jul|ago|aug|set|sept?|out|oct|nov|dez|dec"
N = r"\d{1,3}|" + "|".join(sorted(NUMBERS, key=len, reverse=True))


class Said:
    """When the text was said: the local day, and which language decides about 03/04."""

    def __init__(self, day: dt.date, lang: str) -> None:
        self.day, self.lang = day, lang


Meaning = Callable[[re.Match[str], Said], Readings]


def one(day: dt.date) -> Readings:
    return ((day, day + DAY),)


def number_of(word: str) -> int:
    return int(word) if word.isdigit() else 1 if word == "primeiro" else NUMBERS[word]


def offset(days: int) -> Meaning:
    return lambda _m, s: one(s.day + dt.timedelta(days=days))


def week(day: dt.date, weeks: int) -> Readings:
    first = day - dt.timedelta(days=day.weekday()) + dt.timedelta(weeks=weeks)
    return ((first, first + dt.timedelta(days=7)),)


def month_range(year: int, month: int) -> Readings:
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    after = dt.date(year + month // 12, month % 12 + 1, 1)
    return ((dt.date(year, month, 1), after),)


def shifted(day: dt.date, months: int) -> dt.date:
    year, month = day.year + (day.month - 1 + months) // 12, (day.month - 1 + months) % 12 + 1
    return dt.date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def amount(match: re.Match[str], said: Said, sign: int) -> Readings:
    count, unit = number_of(match["n"]), UNITS[match["unit"]]
    if unit == "month":
        return one(shifted(said.day, sign * count))
    if unit == "year":
        return one(shifted(said.day, sign * 12 * count))
    return one(said.day + sign * dt.timedelta(days=count * (7 if unit == "week" else 1)))


def ago(match: re.Match[str], said: Said) -> Readings:
    return amount(match, said, -1)


def ahead(match: re.Match[str], said: Said) -> Readings:
    return amount(match, said, 1)


def weekday_of(match: re.Match[str]) -> int:
    return WEEKDAYS[match["day"].replace("-", " ").split()[0]]


def last_weekday(match: re.Match[str], said: Said) -> Readings:
    """Return the most recent such day before the one it was said on."""
    back = (said.day.weekday() - weekday_of(match) - 1) % 7 + 1
    return one(said.day - dt.timedelta(days=back))


def coming_day(said: Said, weekday: int) -> dt.date:
    return said.day + dt.timedelta(days=(weekday - said.day.weekday() - 1) % 7 + 1)


def next_weekday(match: re.Match[str], said: Said) -> Readings:
    """Return the coming one and, where that lies in the running week, also the one after it."""
    first = coming_day(said, weekday_of(match))
    monday = said.day - dt.timedelta(days=said.day.weekday())
    if first < monday + dt.timedelta(days=7):
        return (*one(first), *one(first + dt.timedelta(days=7)))
    return one(first)


def this_weekday(match: re.Match[str], said: Said) -> Readings:
    monday = said.day - dt.timedelta(days=said.day.weekday())
    return one(monday + dt.timedelta(days=weekday_of(match)))


def bare_weekday(match: re.Match[str], said: Said) -> Readings:
    """Read a weekday alone as the last one or the coming one; as today where it is today's."""
    weekday = weekday_of(match)
    if weekday == said.day.weekday():
        return one(said.day)
    coming = coming_day(said, weekday)
    return (*one(coming - dt.timedelta(days=7)), *one(coming))


def future_weekday(match: re.Match[str], said: Said) -> Readings:
    return one(coming_day(said, weekday_of(match)))


def weekend(weeks: int) -> Meaning:
    def meaning(_match: re.Match[str], said: Said) -> Readings:
        monday = said.day - dt.timedelta(days=said.day.weekday()) + dt.timedelta(weeks=weeks)
        return ((monday + dt.timedelta(days=5), monday + dt.timedelta(days=7)),)

    return meaning


def next_weekend(_match: re.Match[str], said: Said) -> Readings:
    """Return the coming weekend and, until it has begun, also the one after it."""
    saturday = said.day - dt.timedelta(days=said.day.weekday() - 5)
    after = saturday + dt.timedelta(days=7)
    coming = ((saturday, saturday + 2 * DAY),) if said.day < saturday else ()
    return (*coming, (after, after + 2 * DAY))


def nearest_year(said: Said, month: int, day: int = 1) -> int:
    """Return the year that puts a month nearest to when it was said."""
    years = (said.day.year - 1, said.day.year, said.day.year + 1)
    last = calendar.monthrange(said.day.year, month)[1]
    return min(years, key=lambda y: abs((dt.date(y, month, min(day, last, 28)) - said.day).days))


def years(text: str | None, said: Said, month: int, day: int) -> tuple[int, ...]:
    """Return the year that is written, or those that put the date within eight months."""
    if text:
        return (int(text) + (2000 if len(text) == 2 else 0),)  # noqa: PLR2004 - `26` is 2026
    years = sorted(
        (said.day.year - 1, said.day.year, said.day.year + 1),
        key=lambda y: abs((dt.date(y, month, min(day, 28)) - said.day).days),
    )
    second = abs((dt.date(years[1], month, min(day, 28)) - said.day).days)
    return tuple(sorted(years[:2])) if second <= FAR_DAYS else (years[0],)


def day_of_month(match: re.Match[str], said: Said) -> Readings:
    """`dia 3`: of this month, or of the one before or after it that lies nearer."""
    number = int(match["d"])
    options = []
    for months in (-1, 0, 1):
        year, month = said.day.year, said.day.month + months
        year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
        if number <= calendar.monthrange(year, month)[1]:
            options.append(dt.date(year, month, number))
    return one(min(options, key=lambda d: abs((d - said.day).days))) if options else ()


def day_and_month(match: re.Match[str], said: Said) -> Readings:
    month, day = MONTHS[match["month"].rstrip(".")], number_of(match["d"])
    last = int(match.groupdict().get("d2") or day)
    return tuple(
        (dt.date(year, month, day), dt.date(year, month, last) + DAY)
        for year in years(match["year"], said, month, day)
    )


def named_month(match: re.Match[str], said: Said) -> Readings:
    month = MONTHS[match["month"]]
    year = int(match["year"]) if match["year"] else nearest_year(said, month, 15)
    part = match.groupdict().get("part") or ""
    ((first, after),) = month_range(year, month)
    if re.match(r"come|inicio|early|beginning|start", part):
        return ((first, first + dt.timedelta(days=10)),)
    if re.match(r"mea|mid", part):
        return ((first + dt.timedelta(days=10), first + dt.timedelta(days=20)),)
    if re.match(r"fi|end|late", part):
        return ((first + dt.timedelta(days=20), after),)
    return ((first, after),)


def slashed(match: re.Match[str], said: Said) -> Readings:
    """Read 03/04 day first; in English text month first is a second reading."""
    a, b = int(match["a"]), int(match["b"])
    if match["d2"]:
        last = int(match["d2"])
        return tuple(
            (dt.date(y, b, a), dt.date(y, b, last) + DAY) for y in years(match["year"], said, b, a)
        )
    readings: list[Range] = []
    for day, month in ((a, b), (b, a)) if said.lang == "en" else ((a, b),):
        if not 1 <= month <= 12:  # noqa: PLR2004 - months
            continue
        for year in years(match["year"], said, month, day):
            readings += [r for r in one(dt.date(year, month, day)) if r not in readings]
    return tuple(readings)


def iso(match: re.Match[str], _said: Said) -> Readings:
    return one(dt.date(int(match["year"]), int(match["month"]), int(match["d"])))


def relative_month(months: int) -> Meaning:
    return lambda _m, s: month_range(s.day.year, s.day.month + months)


def relative_year(years: int) -> Meaning:
    return lambda _m, s: (
        (dt.date(s.day.year + years, 1, 1), dt.date(s.day.year + years + 1, 1, 1)),
    )


def whole_year(match: re.Match[str], _said: Said) -> Readings:
    year = int(match["year"])
    return ((dt.date(year, 1, 1), dt.date(year + 1, 1, 1)),)
