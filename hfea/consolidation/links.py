"""What hangs together: reasons and alternatives of decisions, outcomes, revisions, closings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from hfea.consolidation.inputs import Prior
from hfea.consolidation.matters import (
    SAME_MATTER,
    Memory,
    Said,
    Weights,
    likeness,
    names,
    one_rare_word,
    shapes,
    terms_of,
    values,
)
from hfea.consolidation.segments import idf
from hfea.episode import Link, Relation, Statement
from memory_core.model import AuthorKind, Kind, Outcome, Polarity, Theme
from memory_core.text import fold

FAR = 12  # statements within which an alternative belongs to a decision
NEAR = 3  # statements within which a reason belongs to a decision
_FIRM = frozenset({Theme.DECISION, Theme.REVISION})
_PLANS = _FIRM | {Theme.EXPECTATION}
_REVISABLE = frozenset(
    {Theme.DECISION, Theme.REVISION, Theme.CONSTRAINT, Theme.EXPECTATION, Theme.OTHER}
)
# News that something is done or has come, in a statement that names no theme.
_DONE = re.compile(
    r"\b(?:sorted|settled|solved|done|booked|arriv(?:ed|es?)|came|got here|took|went off|is off"
    r"|sent|paid|signed|confirm\w+|delivered|picked up|handed"
    r"|found|bought|fixed|approved|in and running"
    r"|resolv\w+|pront[oa]s?|feit[oa]s?|marcad[oa]s?|marquei|chegou|chegaram|chegam?|na mao|levou"
    r"|levei|comprei|paguei|entreg\w+|definid[oa]s?|assin(?:ei|ou|ad[oa])|consegui\w*|contei|falei"
    r"|avisei|mandei|enviei|renovei|achei|veio|vieram|saiu|liberad[oa]|testei|fiz|peguei|desculp\w+"
    r"|apologi[sz]ed|agreed|fechad[oa]|encerrad[oa]|closed)\b"
)
_CLOSING = re.compile(r"\b(?:encerrad[oa]s?|fechad[oa]s?|resolvid[oa]s?|closed|settled|resolved)\b")
_FIRST = re.compile(r"\b(?:antes|primeiro|sem|before|until|till|first|without)\b")


def linked(threads: Sequence[Sequence[Statement]], prior: Prior) -> list[list[Statement]]:
    """Return the threads with links set; no link where it is doubtful."""
    memory = Memory(prior)
    weights = Weights(
        idf([*(m.terms for m in memory.said), *(terms_of(s.text) for t in threads for s in t)])
    )
    done: list[list[Statement]] = []
    for thread in threads:
        fresh: list[Statement] = []
        for number, statement in enumerate(thread):
            links = (*_inside(thread, number), *_backwards(memory.read(statement), memory, weights))
            made = replace(statement, links=tuple(dict.fromkeys((*statement.links, *links))))
            fresh.append(made)
            memory.add(made)
        done.append(fresh)
    return done


def _inside(thread: Sequence[Statement], number: int) -> list[Link]:
    """Link a reason, an alternative, an answer or an outcome to its neighbour in the thread."""
    s = thread[number]
    if s.kind is Kind.HOSTED:
        return []
    if s.theme is Theme.REASON:
        return _grounds(thread, number)
    if s.theme is Theme.ALTERNATIVE:
        return _weighed(thread, number)
    before = thread[number - 1] if number else None
    if before is not None and _answers(before, s):
        return [Link(Relation.ANSWERS, before.id)]
    if s.theme is Theme.ATTEMPT and s.outcome is Outcome.FAILURE:
        tried = [
            t
            for t in thread[max(0, number - 4) : number]
            if t.theme is Theme.ATTEMPT and t.outcome is Outcome.UNKNOWN
        ]
        return [Link(Relation.OUTCOME_OF, tried[-1].id)] if tried else []
    return []


def _weighed(thread: Sequence[Statement], number: int) -> list[Link]:
    """Link an option to its choice: one of the same words, else the next, else the last."""
    mine = terms_of(thread[number].text)
    places = [
        n
        for n in range(max(0, number - FAR), min(len(thread), number + FAR))
        if thread[n].theme in _FIRM and thread[n].polarity is not Polarity.QUESTION
    ]
    places.sort(key=lambda n: (not mine & terms_of(thread[n].text), n < number, abs(n - number)))
    return [Link(Relation.ALTERNATIVE_TO, thread[places[0]].id)] if places else []


def _takes_reason(s: Statement) -> bool:
    return s.theme in (*_FIRM, Theme.ALTERNATIVE, Theme.CONSTRAINT, Theme.ATTEMPT)


def _settled(s: Statement) -> bool:
    refused = s.theme is Theme.ALTERNATIVE and s.polarity is Polarity.NEGATED
    return s.theme in _FIRM or refused


def _grounds(thread: Sequence[Statement], number: int) -> list[Link]:
    """Prefer the same message, then a choice to an option or a limit, then what stands nearest."""
    mine = thread[number].citations[0].message_id
    places = [
        n
        for n in range(max(0, number - NEAR), min(len(thread), number + NEAR + 1))
        if n != number and _takes_reason(thread[n])
    ]
    places.sort(
        key=lambda n: (
            thread[n].citations[0].message_id != mine,
            not _settled(thread[n]),
            abs(n - number),
            n > number,
        )
    )
    return [Link(Relation.REASON_FOR, thread[places[0]].id)] if places else []


def _answers(before: Statement, s: Statement) -> bool:
    return (
        before.polarity is Polarity.QUESTION
        and s.polarity is not Polarity.QUESTION
        and before.author != s.author
        and before.kind is not Kind.HOSTED
    )


def _backwards(said: Said, memory: Memory, weights: Weights) -> list[Link]:
    """Link a revision to what it revises, and what settles something to what was left open."""
    s = said.statement
    if s.kind is Kind.HOSTED or s.polarity is Polarity.QUESTION:
        return []
    links = []
    if s.theme in _FIRM:
        links += _revised(said, memory, weights)
    if _settles(s):
        links += _closed(said, memory, weights)
    if s.theme is Theme.ATTEMPT and s.outcome is Outcome.SUCCESS and len(s.citations) == 1:
        links += _tried(said, memory)
    return links


def _revised(said: Said, memory: Memory, weights: Weights) -> list[Link]:
    """Find what a change of plan changes: the same words, a name, one rare word, a like value."""
    s = said.statement
    explicit = s.theme is Theme.REVISION
    ranked = []
    for place in memory.sharing(said):
        other = memory.said[place]
        if other.statement.id == s.id or not _may_be_revised(s, other.statement):
            continue
        score = likeness(said, other, weights)
        hinted = explicit or other.statement.provisional
        named = names(s.text) & names(other.statement.text)
        if hinted and (named or one_rare_word(said.terms, other.terms, memory)):
            score = max(score, SAME_MATTER)
        if score >= SAME_MATTER:
            ranked.append((other.statement.theme in _PLANS, round(score, 2), place))
    plan = max(ranked, default=None)
    if explicit and (plan is None or not plan[0]):
        like = _like_value(said, memory)
        if like:
            return like
    if plan is None:
        return []
    found = memory.said[plan[2]]
    return [Link(Relation.REVISES, found.statement.id, found.day)]


def _may_be_revised(s: Statement, other: Statement) -> bool:
    if s.theme is Theme.REVISION:
        return other.theme in _REVISABLE
    if other.theme not in _FIRM:
        return False
    differs = values(s.text) != values(other.text) or s.polarity is not other.polarity
    return other.provisional or (differs and s.author == other.author)


def _like_value(said: Said, memory: Memory) -> list[Link]:
    """Find the last plan of the talk that fixes a value of the same kind ("it's the 19th now")."""
    mine = shapes(said.statement.text)

    def planned(other: Statement) -> bool:
        return other.theme in _PLANS and bool(shapes(other.text) & mine)

    for other in memory.recent(said, planned):
        if values(other.statement.text) != values(said.statement.text):
            return [Link(Relation.REVISES, other.statement.id, other.day)]
    return []


def _settles(s: Statement) -> bool:
    """Whether a statement may settle something: a choice, a success, news that it is done."""
    if s.theme in _FIRM:
        return True
    if s.polarity is not Polarity.AFFIRMED or s.author_kind is AuthorKind.TOOL:
        return False
    if s.theme is Theme.ATTEMPT:
        return s.outcome is not Outcome.FAILURE
    own = s.author_kind is not AuthorKind.AGENT or _CLOSING.search(fold(s.text)) is not None
    told = s.theme in (Theme.OTHER, Theme.EXPECTATION) and s.kind is not Kind.INFERENCE
    return own and told and (s.kind is Kind.EVENT or _DONE.search(fold(s.text)) is not None)


def _closed(said: Said, memory: Memory, weights: Weights) -> list[Link]:
    """Find what was open and is settled here."""
    s = said.statement
    done = _DONE.search(fold(s.text)) is not None
    firm = s.theme in _FIRM
    ranked = []
    for place in memory.sharing(said):
        other = memory.said[place]
        settled = other.statement.id in memory.closed
        if settled or not _is_open(other.statement) or other.statement.id == s.id:
            continue
        score = likeness(said, other, weights)
        if (done or firm) and one_rare_word(said.terms, other.terms | other.context, memory):
            score = max(score, SAME_MATTER)
        if score >= SAME_MATTER:
            ranked.append((round(score, 2), place))
    if ranked:
        found = memory.said[max(ranked)[1]]
        return [Link(Relation.CLOSES, found.statement.id, found.day)]
    return []


def _is_open(s: Statement) -> bool:
    waits = s.theme is Theme.CONSTRAINT and _FIRST.search(fold(s.text)) is not None
    return s.theme is Theme.OPEN_POINT or waits


def _tried(said: Said, memory: Memory) -> list[Link]:
    """Find the attempt that went wrong before this one went well, in the same talk."""
    for other in memory.recent(said, lambda o: o.theme is Theme.ATTEMPT):
        tool = len(other.statement.citations) > 1
        if other.statement.outcome is Outcome.SUCCESS and other.terms & said.terms:
            return []
        if other.statement.outcome is Outcome.FAILURE or (
            other.statement.outcome is Outcome.UNKNOWN and not tool
        ):
            return [Link(Relation.OUTCOME_OF, other.statement.id, other.day)]
    return []
