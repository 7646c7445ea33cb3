"""Conflicts between pieces of evidence, and who supersedes whom."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Sequence

from memory_core.answer_types import denies
from memory_core.model import Conflict, Evidence, Origin
from memory_core.text import fold, index_terms

_VALUE = re.compile(r"\d+(?:[.,:/-]\d+)*|(?<!^)\b[A-ZÀ-Þ][\w'’-]+")
_STORIES = frozenset({"archive", "history"})
SAME_MATTER = 0.6  # share of the shorter frame's words that both must have in common


def conflicts(
    evidence: Sequence[Evidence], *, on: dt.date, about: frozenset[str]
) -> tuple[Conflict, ...]:
    """Return the pairs that give one matter different values, both valid on the day *on*.

    Only what touches the question's stems *about* counts. A pair where one explicitly
    supersedes the other, or where one was no longer valid, is history, not a conflict. A
    hosted claim never contradicts anybody: it is somebody else's word.
    """
    valid = [e for e in evidence if _valid(e, on) and e.origin is not Origin.HOSTED]
    found = []
    for left, right in itertools.combinations(valid, 2):
        reason = _clash(left, right, about)
        if reason:
            found.append(Conflict(left.subject or right.subject, reason, left, right, reason))
    return tuple(found)


def _valid(e: Evidence, on: dt.date) -> bool:
    if e.superseded_by:
        return False
    return (e.valid_from is None or e.valid_from <= on) and (e.valid_to is None or on < e.valid_to)


def _clash(left: Evidence, right: Evidence, about: frozenset[str]) -> str:
    frames = _frame(left.text), _frame(right.text)
    if not (frames[0] & about and frames[1] & about):
        return ""
    if left.layer == right.layer and left.layer in _STORIES:
        return ""  # what was said one day and another the next is a story, told in order
    kept = left.layer not in _STORIES and right.layer not in _STORIES
    same_subject = kept and bool(left.subject) and fold(left.subject) == fold(right.subject)
    shared = len(frames[0] & frames[1]) / max(1, min(map(len, frames)))
    if shared < (SAME_MATTER / 2 if same_subject else SAME_MATTER):
        return ""
    values = _values(left.text), _values(right.text)
    if values[0] and values[1] and not (values[0] <= values[1] or values[1] <= values[0]):
        return "value"
    if shared >= SAME_MATTER and denies(left.text) != denies(right.text):
        return "negation"
    return ""


def _values(text: str) -> set[str]:
    return {fold(m.group()) for m in _VALUE.finditer(text)}


def _frame(text: str) -> set[str]:
    return set(index_terms(_VALUE.sub(" ", text)))
