"""What reading a text yields: clauses and time expressions, as frozen values."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from memory_core.model import AuthorKind, Kind, Outcome, Polarity, Theme


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of one message that says one thing, and what kind of thing it is.

    `start` and `end` are half-open code-point offsets into the message's content. `theme` is
    None for small talk and clarifying questions. `holder` is whose content it is, which is not
    always who typed it; `holder_name` is the name or relation the text gives ("my brother").
    `provisional` marks what was decided only for now. `words` are the offsets of the words that
    show a mood. `cues` name the rules that fired, for explanation and for tests. `answers`
    marks a clause that settles or closes something left open.
    """

    start: int
    end: int
    kind: Kind
    theme: Theme | None
    polarity: Polarity
    holder: AuthorKind
    holder_name: str = ""
    provisional: bool = False
    outcome: Outcome | None = None
    words: tuple[int, int] | None = None
    answers: bool = False
    cues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A date or time phrase with every reading of it, each a half-open range of local days.

    `start` and `end` are code-point offsets into the text it was found in. More than one
    reading means the phrase is ambiguous ("sexta que vem"); nobody chooses in silence.
    `negated` marks the day that is denied ("in two days, not tomorrow").
    """

    start: int
    end: int
    words: str
    readings: tuple[tuple[dt.date, dt.date], ...]
    relative: bool
    negated: bool = False
