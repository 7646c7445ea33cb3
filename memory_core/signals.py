"""The raw signals of a verdict: what the evidence says of each thing a question asks for."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory_core import matching
from memory_core.answer_types import denies, holds_answer
from memory_core.matching import Bag, Wanted, bag, met
from memory_core.model import AuthorKind, Evidence, EvidenceReport, Origin
from memory_core.question import Question
from memory_core.question_types import AnswerType
from memory_core.text import fold, language, words

ON_TOPIC = 0.45  # coverage from which a piece counts as a step of a story
_NEAR = 0.85  # share of the best piece's coverage from which another one leads as well
_WHOLE = 0.99  # coverage that leaves nothing of the question unmet
_TOP = 3  # pieces that may answer together
_MATTERS = 0.5  # share of the heaviest word's weight from which a word must be met
# What was only meant, asked for or weighed has not happened.
_NOT_YET = re.compile(
    r"\b(?:vai|vao|vou|vamos|plan[eo]j\w+|pretend\w+|pendente|aguard\w+|pedid[oa]|pediu|requerid[oa]"
    r"|encomend\w+|orcamento|cotacao|provis\w+|talvez|ideia|algum dia|sem data|proposta"
    r"|will|going to|plans?|planned|planning|pending|awaiting|requested|ordered|quote[ds]?"
    r"|tentative\w*|penc\w+ in|maybe|might|some day|proposed|considering|wants? to|hopes? to)\b"
)
_DONE = re.compile(
    r"\b(?:foi|foram|fez|ficou|\w{3,}(?:ou|aram|eram|iram)|ja|did|was|were|has|have|had|\w{3,}ed)\b"
)
_CURRENT = re.compile(r"\b(?:ainda|agora|hoje|atual\w*|now|still|current\w*|today)\b")


@dataclass(frozen=True, slots=True)
class Reading:
    """One piece of evidence as read for a question; every number is raw, 0 to 1."""

    evidence: Evidence
    coverage: float
    matter: float
    names: float
    numbers: float
    head: float
    weakest: float
    typed: bool

    @property
    def rank(self) -> float:
        """How much the piece looks like an answer; for choosing the best one only."""
        return self.coverage + 0.2 * self.names + 0.1 * self.typed


def readings(question: Question, report: EvidenceReport, idf: Mapping[str, float]) -> list[Reading]:
    """Read every usable piece of *report*, the best first; ties by source."""
    on = report.as_of or report.asked_at.date()
    found = [_read(question, e, idf) for e in report.evidence if usable(e, on)]
    return sorted(found, key=lambda r: (-r.rank, r.evidence.source))


def usable(e: Evidence, on: dt.date) -> bool:
    """Whether a piece may support an answer as of the day *on*."""
    if e.superseded_by or e.origin is Origin.HOSTED:
        return False
    return (e.valid_from is None or e.valid_from <= on) and (e.valid_to is None or on < e.valid_to)


def seen(e: Evidence) -> str:
    """Return the words of a piece of evidence that may cover a question: who, about what, what."""
    who = e.author if e.author_kind in (AuthorKind.OWNER, AuthorKind.THIRD_PARTY) else ""
    # The title of a conversation is about all of it: it cannot make one line of it an answer.
    about = "" if e.layer in ("archive", "history") else e.subject
    return " ".join(filter(None, (who, about, e.text)))


def coverage(question: Question, text: str, idf: Mapping[str, float]) -> float:
    """Return the share of the question's idf mass that *text* covers."""
    return matching.coverage(question.wanted, bag(text), idf)


def _read(question: Question, e: Evidence, idf: Mapping[str, float]) -> Reading:
    told = bag(seen(e))
    return Reading(
        evidence=e,
        coverage=matching.coverage(question.wanted, told, idf),
        matter=matching.coverage(_matter(question), told, idf),
        names=_share(question.names, told.folded),
        numbers=_share(question.numbers, told.folded),
        head=_head(question, told),
        weakest=_weakest(question, told, idf),
        typed=holds_answer(question, e.text),
    )


def _matter(question: Question) -> tuple[Wanted, ...]:
    """Return the words of a question that name nobody: what is asked about whom."""
    parts = {part for name in question.names for part in words(name)}
    return tuple(w for w in question.wanted if w.word not in parts)


def _head(question: Question, told: Bag) -> float:
    if not question.head:
        return 1.0
    return max((met(w, told) for w in question.wanted if w.word == question.head), default=1.0)


def _weakest(question: Question, told: Bag, idf: Mapping[str, float]) -> float:
    """Return how far the least met of the words that matter is met."""
    top = max((idf.get(w.word, 1.0) for w in question.wanted), default=0.0)
    heavy = [w for w in question.wanted if idf.get(w.word, 1.0) >= _MATTERS * top]
    return min((met(w, told) for w in heavy), default=0.0)


def _share(asked: Sequence[str], folded: str) -> float:
    if not asked:
        return 1.0
    return sum(all(part in folded for part in fold(w).split()) for w in asked) / len(asked)


def measure(question: Question, found: Sequence[Reading]) -> dict[str, float]:
    """Return the signals of the readings together; all zero where there is nothing."""
    if not found:
        return dict.fromkeys(NAMES, 0.0)
    best = found[0]
    others = [r.coverage for r in found[1:]]
    text = best.evidence.text
    whole = [r.matter for r in found if r.names >= 1]
    partly = [r.matter for r in found if r.names < 1]
    return {
        "coverage": best.coverage,
        "together": _together(question, found[:_TOP]),
        "margin": best.coverage - max(others, default=0.0),
        "matter": max(whole, default=0.0),
        "elsewhere": max(0.0, max(partly, default=0.0) - max(whole, default=0.0)),
        "names": best.names,
        "numbers": best.numbers,
        "head": best.head,
        "weakest": best.weakest,
        "typed": float(any(r.typed for r in _leading(found))),
        "full": float(best.coverage >= _WHOLE),
        "crossed": float(_crossed(question, text)),
        "not_yet": float(_not_yet(question, text)),
        "denied": float(denies(text) != denies(question.text)),
        "polar": float(AnswerType.YES_NO in question.types),
        "deep": float(question.narrative or bool(DEEP & set(question.types))),
        "length": min(1.0, len(question.wanted) / 10),
        "cosine": max((r.evidence.scores.get("cosine", 0.0) for r in found), default=0.0),
        "sources": min(3, len({r.evidence.layer for r in found if r.coverage >= ON_TOPIC})) / 3,
    }


DEEP = frozenset({AnswerType.WHY, AnswerType.MOOD, AnswerType.ALTERNATIVES, AnswerType.CHANGE})
NAMES = (
    "coverage",
    "together",
    "margin",
    "matter",
    "elsewhere",
    "names",
    "numbers",
    "head",
    "weakest",
    "typed",
    "full",
    "crossed",
    "not_yet",
    "denied",
    "polar",
    "deep",
    "length",
    "cosine",
    "sources",
)


def _leading(found: Sequence[Reading]) -> list[Reading]:
    """Return the best pieces that say nearly as much as the one that says most."""
    top = max(r.coverage for r in found[:_TOP])
    return [r for r in found[:_TOP] if r.coverage >= _NEAR * top]


def _together(question: Question, found: Sequence[Reading]) -> float:
    """Return the plain share of the question's words that some of the pieces meet."""
    bags = [bag(seen(r.evidence)) for r in found]
    if not question.wanted:
        return 0.0
    return sum(max(met(w, b) for b in bags) for w in question.wanted) / len(question.wanted)


def _crossed(question: Question, text: str) -> bool:
    spoken = language(text)
    return bool(spoken) and spoken != question.language


def _not_yet(question: Question, text: str) -> bool:
    """Whether the question takes for done what the text only plans, asks for or weighs."""
    asked = fold(question.text)
    told = _NOT_YET.search(fold(text))
    return bool(told and _DONE.search(asked) and not _NOT_YET.search(asked))
