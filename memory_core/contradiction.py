"""Conflicts between pieces of evidence, and who supersedes whom.

Two pieces conflict where they speak of one matter (most of their words that are no values meet),
name nobody different, and give a value of one type differently, both valid on the asked day.
"""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from memory_core import matching
from memory_core.answer_types import denies
from memory_core.matching import Wanted, bag, met
from memory_core.model import Conflict, Evidence, Origin
from memory_core.question import Question
from memory_core.question_types import AnswerType
from memory_core.text import fold, is_function_word, words
from memory_core.values import Values, values

_STORIES = frozenset({"archive", "history"})
SAME_MATTER = 0.6  # share of the shorter frame's words that must meet in the other
ABOUT = 0.4  # share of the question that each side must meet
SAME_SENTENCE = 0.75  # share of both frames, where one denies what the other says
NEAR_BEST = 0.6  # and share of what the best piece meets
MOST_COMPARED = 16  # pieces, best first
LONGEST_SLIP = 2  # characters by which a misheard code differs
_DIGIT = re.compile(r"\d")
_PLANS = re.compile(
    r"\b(?:talvez|quem sabe|provis\w+|plan[eo]j\w+|pensando em|ideia|se der|maybe|perhaps"
    r"|tentative\w*|planned|thinking of|idea|might|could)\b"
)
# Which values answer which question; the rest of the types admit every kind.
_ASKED: Mapping[AnswerType, tuple[str, ...]] = {
    AnswerType.WHEN: ("days", "times"),
    AnswerType.HOW_MANY: ("money", "counts", "codes"),
    AnswerType.WHO: ("names",),
}
_ALL = ("money", "days", "times", "codes", "counts")


def conflicts(
    evidence: Sequence[Evidence],
    *,
    on: dt.date,
    question: Question,
    idf: Mapping[str, float],
    seen: Mapping[int, str],
) -> tuple[Conflict, ...]:
    """Return the pairs that give what *question* asks about differently on the day *on*.

    `seen[i]` are the words of `evidence[i]` that may be met. A pair where one explicitly
    supersedes the other, or where one was no longer valid, is history, not a conflict. A hosted
    claim never contradicts anybody: it is somebody else's word.
    """
    named = {part for name in question.names for part in words(name)}
    matter = tuple(w for w in question.wanted if w.word not in named)
    covers = [
        (matching.coverage(matter or question.wanted, bag(seen[i]), idf), i)
        for i, e in enumerate(evidence)
        if _valid(e, on) and e.origin is not Origin.HOSTED
    ]
    best = max((c for c, _ in covers), default=0.0)
    near = [pair for pair in covers if pair[0] >= max(ABOUT, NEAR_BEST * best)]
    chosen = [i for _, i in sorted(near, key=lambda p: (-p[0], p[1]))[:MOST_COMPARED]]
    found = []
    for a, b in itertools.combinations(sorted(chosen), 2):
        left, right = evidence[a], evidence[b]
        reason = _clash(left, right, question)
        if reason:
            found.append(Conflict(left.subject or right.subject, reason, left, right, reason))
    return tuple(found)


def _valid(e: Evidence, on: dt.date) -> bool:
    if e.superseded_by:
        return False
    return (e.valid_from is None or e.valid_from <= on) and (e.valid_to is None or on < e.valid_to)


def _clash(left: Evidence, right: Evidence, question: Question) -> str:
    """Return why two pieces conflict; '' where they do not."""
    if left.layer in _STORIES and right.layer in _STORIES:
        return ""  # what was said one day and another the next is a story, told in order
    if left.text == right.text or _planned(left) != _planned(right):
        return ""  # a plan never contradicts what came of it
    same_subject = bool(left.subject) and fold(left.subject) == fold(right.subject)
    if _shared(left.text, right.text) < (SAME_MATTER / 2 if same_subject else SAME_MATTER):
        return ""
    said = values(left.text), values(right.text)
    if _slip(*said):
        return "near_value"
    return _by_value(said, question, same_subject=same_subject) or _by_negation(left, right)


def _by_value(said: tuple[Values, Values], question: Question, *, same_subject: bool) -> str:
    wanted = {kind for t in question.types for kind in _ASKED.get(t, _ALL)}
    if _other_people(*said) and wanted != {"names"} and not same_subject:
        return ""
    if any(_differ(getattr(said[0], kind), getattr(said[1], kind), kind) for kind in wanted):
        return "value"
    return ""


def _by_negation(left: Evidence, right: Evidence) -> str:
    denied = denies(left.text) != denies(right.text)
    return "negation" if denied and _same_words(left.text, right.text) else ""


def _same_words(left: str, right: str) -> bool:
    """Whether neither text says much that the other does not: then a "not" parts them."""
    return min(_met(_frame(left), right), _met(_frame(right), left)) >= SAME_SENTENCE


def _planned(e: Evidence) -> bool:
    return bool(_PLANS.search(fold(e.text)))


def _shared(left: str, right: str) -> float:
    """Return how much of the shorter frame (words that are no values) the other one meets."""
    frames = _frame(left), _frame(right)
    if len(frames[0]) <= len(frames[1]):
        return _met(frames[0], right)
    return _met(frames[1], left)


def _met(frame: tuple[Wanted, ...], other: str) -> float:
    told = bag(other)
    return sum(met(w, told) for w in frame) / len(frame) if frame else 0.0


def _frame(text: str) -> tuple[Wanted, ...]:
    named = {part for name in values(text).names for part in name.split()}
    row = words(text)
    kept = [not _DIGIT.search(w) and not is_function_word(w) and w not in named for w in row]
    return matching.wanted(row, kept)


def _other_people(left: Values, right: Values) -> bool:
    """Whether each side names somebody or something that the other does not."""
    a = {part for name in left.names for part in name.split()}
    b = {part for name in right.names for part in name.split()}
    return bool(a - b) and bool(b - a)


def _differ(left: frozenset[Any], right: frozenset[Any], kind: str) -> bool:
    if kind == "counts":
        units = {u for _, u in left if u} & {u for _, u in right if u}
        return any(
            {n for n, u in left if u == unit}.isdisjoint({n for n, u in right if u == unit})
            for unit in units
        )
    return bool(left and right) and left.isdisjoint(right)


def _slip(left: Values, right: Values) -> bool:
    """Whether a code of one side is one of the other but for a character or two."""
    return any(
        a != b and len(a) == len(b) and _unlike(a, b) <= LONGEST_SLIP
        for a in left.codes - right.codes
        for b in right.codes - left.codes
    )


def _unlike(a: str, b: str) -> int:
    return sum(x != y for x, y in zip(a, b, strict=True))
