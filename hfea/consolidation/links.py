"""What hangs together: reasons and alternatives of decisions, outcomes, revisions, closings."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from hfea.consolidation.inputs import Prior
from hfea.consolidation.segments import idf
from hfea.episode import Link, Relation, Statement
from memory_core.model import Kind, Outcome, Polarity, Theme
from memory_core.text import content_terms, fold

FAR = 12  # statements within which an alternative belongs to a decision
LATEST = 400  # earlier statements that are compared with one, the newest that share a stem
RAREST = 8  # stems of a statement by which earlier ones are looked up
NEAR = 3  # statements within which a reason belongs to a decision
SAME_MATTER = 0.34  # share of the rarer statement's idf mass that both must have
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-ZÀ-Þ][\w'’-]{2,}")
_FIRM = frozenset({Theme.DECISION, Theme.REVISION})
_REVISABLE = frozenset(
    {Theme.DECISION, Theme.REVISION, Theme.CONSTRAINT, Theme.EXPECTATION, Theme.OTHER}
)


class _Memory:
    """Earlier statements by the stems they hold, so that one is found without reading all."""

    def __init__(self, prior: Prior) -> None:
        self.said: list[tuple[Statement, frozenset[str], dt.date | None]] = []
        self._places: dict[str, list[int]] = {}
        for day, statement in prior:
            self.add(statement, day)

    def add(self, statement: Statement, day: dt.date | None = None) -> None:
        """Remember one more; what came from outside is nothing to revise or close."""
        if statement.kind is Kind.HOSTED:
            return
        terms = _terms(statement.text)
        for term in terms:
            self._places.setdefault(term, []).append(len(self.said))
        self.said.append((statement, terms, day))

    def sharing(self, terms: frozenset[str]) -> list[int]:
        """Return the places of statements that hold one of *terms*, in order."""
        rare = sorted(terms, key=lambda t: (len(self._places.get(t, ())), t))[:RAREST]
        found = sorted({n for t in rare for n in self._places.get(t, ())})
        return found[-LATEST:]


def linked(threads: Sequence[Sequence[Statement]], prior: Prior) -> list[list[Statement]]:
    """Return the threads with links set; no link where it is doubtful."""
    memory = _Memory(prior)
    weights = idf([t for _, t, _ in memory.said] + [_terms(s.text) for t in threads for s in t])
    done: list[list[Statement]] = []
    for thread in threads:
        fresh: list[Statement] = []
        for number, statement in enumerate(thread):
            links = (*_inside(thread, number), *_backwards(statement, memory, weights))
            made = replace(statement, links=tuple(dict.fromkeys((*statement.links, *links))))
            fresh.append(made)
            memory.add(made)
        done.append(fresh)
    return done


@lru_cache(maxsize=100_000)
def _terms(text: str) -> frozenset[str]:
    return frozenset(content_terms(text))


def _inside(thread: Sequence[Statement], number: int) -> list[Link]:
    """Link a reason, an alternative, an answer or an outcome to its neighbour in the thread."""
    s = thread[number]
    if s.kind is Kind.HOSTED:
        return []
    if s.theme is Theme.REASON:
        return _near(thread, number, _takes_reason, Relation.REASON_FOR)
    if s.theme is Theme.ALTERNATIVE:
        near = thread[max(0, number - FAR) : number + FAR]
        firm = [t for t in near if t.theme in _FIRM and t.id != s.id]
        return [Link(Relation.ALTERNATIVE_TO, firm[-1].id)] if firm else []
    before = thread[number - 1] if number else None
    if before is not None and _answers(before, s):
        return [Link(Relation.ANSWERS, before.id)]
    if s.theme is Theme.ATTEMPT and s.outcome in (Outcome.SUCCESS, Outcome.FAILURE):
        tried = [
            t
            for t in thread[max(0, number - 4) : number]
            if t.theme is Theme.ATTEMPT and t.outcome is not Outcome.SUCCESS
        ]
        return [Link(Relation.OUTCOME_OF, tried[-1].id)] if tried else []
    return []


def _takes_reason(s: Statement) -> bool:
    return s.theme in (*_FIRM, Theme.ALTERNATIVE, Theme.CONSTRAINT, Theme.ATTEMPT)


def _near(
    thread: Sequence[Statement], number: int, fits: Callable[[Statement], bool], how: Relation
) -> list[Link]:
    """Prefer the same message, then what stands nearest before, then after."""
    mine = thread[number].citations[0].message_id
    places = [
        n
        for n in range(max(0, number - NEAR), min(len(thread), number + NEAR + 1))
        if n != number and fits(thread[n])
    ]
    places.sort(
        key=lambda n: (thread[n].citations[0].message_id != mine, abs(n - number), n > number)
    )
    return [Link(how, thread[places[0]].id)] if places else []


def _answers(before: Statement, s: Statement) -> bool:
    return (
        before.polarity is Polarity.QUESTION
        and s.polarity is not Polarity.QUESTION
        and before.author != s.author
        and before.kind is not Kind.HOSTED
    )


def _backwards(s: Statement, memory: _Memory, weights: dict[str, float]) -> list[Link]:
    """Link a revision to what it revises, and what settles something to what was left open."""
    if s.kind is Kind.HOSTED or s.polarity is Polarity.QUESTION:
        return []
    if s.theme is Theme.REVISION:
        return _best(s, memory, weights, Relation.REVISES, lambda e: e.theme in _REVISABLE)
    if s.theme is Theme.DECISION:
        revised = _best(
            s, memory, weights, Relation.REVISES, lambda e: e.theme in _FIRM and e.provisional
        )
        return [*revised, *_best(s, memory, weights, Relation.CLOSES, _is_open)]
    settles = s.theme in (Theme.ATTEMPT, Theme.OTHER) and s.polarity is Polarity.AFFIRMED
    if settles and s.outcome is not Outcome.FAILURE:
        return _best(s, memory, weights, Relation.CLOSES, _is_open)
    return []


def _is_open(s: Statement) -> bool:
    return s.theme is Theme.OPEN_POINT


def _best(
    s: Statement,
    memory: _Memory,
    weights: dict[str, float],
    how: Relation,
    fits: Callable[[Statement], bool],
) -> list[Link]:
    mine = _terms(s.text)
    ranked = []
    for place in memory.sharing(mine):
        other, terms, day = memory.said[place]
        if not fits(other) or other.id == s.id:
            continue
        score = _share(mine, terms, weights)
        if how is Relation.REVISES and _names(s.text) & _names(other.text):
            score = max(score, SAME_MATTER)  # a revision that names what was decided on
        if score >= SAME_MATTER:
            ranked.append((round(score, 2), place, Link(how, other.id, day)))
    return [max(ranked, key=lambda r: r[:2])[2]] if ranked else []


def _share(a: frozenset[str], b: frozenset[str], weights: dict[str, float]) -> float:
    shared = a & b
    if len(shared) < 2:  # noqa: PLR2004 - one common stem shows no common matter
        return 0.0
    mass = sum(weights.get(t, 1.0) for t in shared)
    least = min(sum(weights.get(t, 1.0) for t in a), sum(weights.get(t, 1.0) for t in b))
    return mass / least if least else 0.0


def _names(text: str) -> frozenset[str]:
    """Return the folded names of a text: capitalised words that do not begin a sentence."""
    return frozenset(fold(m) for m in _NAME.findall(text))
