"""Signals that are no words of the question: who speaks, when, and what a row looks like."""

from __future__ import annotations

import datetime as dt
import math

import numpy as np

from memory_core.question_types import AnswerType
from memory_core.retrieval.asked import Asked
from memory_core.retrieval.slices import Floats, Slice, shifted
from memory_core.text import fold

_OPENING = 2  # rows of a thread that open it
_SIGNS = 3.0  # signs of a sort that a surface counts at most
_MEAN_SIZE = 3.0  # ln(1 + words) of a middling row
# Days in which nearness fades to 1/e: news is told after it happened, seldom before.
_FADE_AFTER, _FADE_BEFORE = 7.0, 2.0
_NAMED = frozenset({AnswerType.WHO, AnswerType.WHERE, AnswerType.WHAT})


def people(asked: Asked, rows: Slice) -> Floats:
    """Return 1 for rows of the one speaker asked about, 0 for others, 0.5 where none is."""
    if len(asked.people) != 1:
        return np.full(len(rows), 0.5)
    return np.array([float(fold(p.speaker) in asked.people) for p in rows.placed])


def contextual(asked: Asked, rows: Slice, spoken: Floats, own: Floats) -> dict[str, Floats]:
    """Return every signal that is not lexical, by name, a value a row."""
    question = np.array([float(s.question) for s in rows.surfaces])
    before, after = shifted(own, rows.before), shifted(own, rows.after)
    times = np.array([s.times for s in rows.surfaces]) / _SIGNS
    names = np.array([s.names for s in rows.surfaces]) / _SIGNS
    number = np.array([float(s.number) for s in rows.surfaces])
    return {
        "speaker": spoken,
        "speaker_match": spoken * (own + 0.5 * before + 0.3 * after),
        "speaker_after": spoken * before,
        "question": question,
        "question_match": question * own,
        "after_question": shifted(question, rows.before) * spoken,
        "size": np.array([s.size for s in rows.surfaces]) - _MEAN_SIZE,
        "times_asked": times * (AnswerType.WHEN in asked.types),
        "number_asked": number * (AnswerType.HOW_MANY in asked.types),
        "names_asked": names * bool(_NAMED & asked.types),
        "opening": np.array([float(p.order < _OPENING) for p in rows.placed]),
        "day_near": _days(asked, rows),
    }


def _days(asked: Asked, rows: Slice) -> Floats:
    """Return how near a row's day is to those asked about: 1 within them, fading outside."""
    if asked.span is None:
        return np.zeros(len(rows))
    first, end = asked.span
    return np.array([_nearness(p.day, first, end) if p.day else 0.0 for p in rows.placed])


def _nearness(day: dt.date, first: dt.date, end: dt.date) -> float:
    if day < first:
        return math.exp(-(first - day).days / _FADE_BEFORE)
    if day >= end:
        return math.exp(-((day - end).days + 1) / _FADE_AFTER)
    return 1.0
