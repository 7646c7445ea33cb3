"""Permanent entries against facts and the record: what only one side knows, what differs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory_core.answer_types import denies
from memory_core.content import content_words, share
from memory_core.entry_index import Dated
from memory_core.layers.permanent import Entry, digest_of
from memory_core.matching import Wanted
from memory_core.passages import Passage
from memory_core.proposal import Proposal

SAME_MATTER = 0.6  # share of the shorter text's words that both have in common
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference; nothing is repaired.

    `code`: `orphan` (an entry no fact speaks of), `divergence` (an entry and a fact give one
    matter different values), `stale` (the fact it agrees with is no longer valid), `ghost` (a
    fact, or an applied proposal, of an entry that is gone), `duplicate`, `drift`.
    """

    code: str
    file: str
    text: str
    other: str = ""
    source: str = ""


def reconciled(
    entries: Sequence[Entry],
    facts: Sequence[Passage],
    dated: Sequence[Dated],
    proposals: Sequence[Proposal],
) -> tuple[Finding, ...]:
    """Compare entries, facts, the index of entries and what was applied."""
    found = [f for entry in _once(entries) for f in _of_entry(entry, facts)]
    found += _duplicates(entries)
    found += _ghosts(entries, facts, dated, proposals)
    return tuple(found)


def _once(entries: Sequence[Entry]) -> list[Entry]:
    return list({(e.file, e.digest): e for e in entries}.values())


def _of_entry(entry: Entry, facts: Sequence[Passage]) -> Iterator[Finding]:
    near = [(_shared(entry.text, p.text), p) for p in facts]
    same = [p for shared, p in near if shared >= SAME_MATTER]
    if not same:
        yield Finding("orphan", entry.file, entry.text)
        return
    for fact in same:
        gone = bool(fact.superseded_by) or fact.valid_to is not None
        if _differs(entry.text, fact.text):
            if not gone:
                yield Finding("divergence", entry.file, entry.text, fact.text, fact.key)
        elif gone:
            yield Finding("stale", entry.file, entry.text, fact.text, fact.key)


def _shared(left: str, right: str) -> float:
    """Return how far the shorter text is met by the other, its numbers aside."""
    frames = _frame(left), _frame(right)
    if len(frames[0]) > len(frames[1]):
        left, right, frames = right, left, (frames[1], frames[0])
    return share(frames[0], right)


def _frame(text: str) -> tuple[Wanted, ...]:
    return tuple(w for w in content_words(text) if not any(c.isdigit() for c in w.word))


def _differs(left: str, right: str) -> bool:
    """Whether two texts on one matter give other numbers, or one denies what the other says."""
    values = set(_NUMBER.findall(left)), set(_NUMBER.findall(right))
    if values[0] and values[1] and not (values[0] <= values[1] or values[1] <= values[0]):
        return True
    return denies(left) != denies(right)


def _duplicates(entries: Sequence[Entry]) -> Iterator[Finding]:
    seen: set[str] = set()
    for entry in entries:
        if entry.digest in seen:
            yield Finding("duplicate", entry.file, entry.text)
        seen.add(entry.digest)


def _ghosts(
    entries: Sequence[Entry],
    facts: Sequence[Passage],
    dated: Sequence[Dated],
    proposals: Sequence[Proposal],
) -> Iterator[Finding]:
    present = {e.digest for e in entries}
    gone = {d.digest: d for d in dated if d.gone_at and d.digest not in present}
    for fact in facts:
        known = gone.get(digest_of(fact.text))
        if known and not fact.superseded_by:
            yield Finding("ghost", known.file, fact.text, source=fact.key)
    taken = {digest_of(p.change.old_text) for p in proposals if p.change.old_text}
    for proposal in proposals:
        digest = digest_of(proposal.change.text)
        if proposal.change.text and digest not in present and digest not in taken:
            file = "USER.md" if proposal.change.target.value == "user" else "MEMORY.md"
            yield Finding("ghost", file, proposal.change.text, source=f"proposal {proposal.id}")
