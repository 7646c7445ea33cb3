"""Stretches of talk on one matter: cut by idle gap and by topic, joined across sessions."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memory_core.model import AuthorKind, Message, Origin
from memory_core.text import content_terms, fold

IDLE = dt.timedelta(minutes=75)  # silence that ends a stretch
PAUSE = dt.timedelta(minutes=8)  # silence after which another topic starts a new one
RECENT = 6  # messages whose words a new one is compared with
ALIKE = 0.30  # idf-weighted likeness from which two stretches are one matter
_OTHER_MATTER = re.compile(
    r"^(?:outra coisa|mudando de assunto|ah,? e|aproveitando|por falar nisso|outro assunto"
    r"|another thing|by the way|btw|on another note|different topic|unrelated|also:|p\.?s\.?)\b"
)


@dataclass
class Segment:
    """Messages on one matter, in order, and the stems they are about."""

    messages: list[Message] = field(default_factory=list)
    terms: Counter[str] = field(default_factory=Counter)

    def add(self, message: Message) -> None:
        """Take one more message."""
        self.messages.append(message)
        # Summaries of two talks share the machine's own words, not a matter.
        if message.author_kind is not AuthorKind.TOOL and message.origin is not Origin.DERIVED:
            # "step 1, step 2" and "question 1, question 2" are not one matter for their numbers.
            told = {t for t in content_terms(message.content[:2000]) if not t.isdigit()}
            self.terms.update(told)


def segments(messages: Sequence[Message]) -> list[Segment]:
    """Cut a day's messages (in order) into stretches, and join those on one matter."""
    talks: dict[tuple[str, str], list[Segment]] = {}
    for m in messages:
        talk = talks.setdefault((m.source, m.conversation or m.session_id), [Segment()])
        if talk[-1].messages and _starts_anew(m, talk[-1]):
            talk.append(Segment())
        talk[-1].add(m)
    found = [s for talk in talks.values() for s in talk]
    found.sort(key=lambda s: _when(s.messages[0]))
    return _merged(found)


def _when(m: Message) -> tuple[dt.datetime, str, str]:
    return m.at or dt.datetime.max.replace(tzinfo=dt.UTC), m.session_id, m.message_id


def _starts_anew(m: Message, segment: Segment) -> bool:
    last = segment.messages[-1]
    gap = m.at - last.at if m.at and last.at else dt.timedelta(0)
    if gap >= IDLE:
        return True
    if m.author_kind is not AuthorKind.OWNER:
        return False
    if _OTHER_MATTER.match(fold(m.content[:60]).lstrip("… -")):
        return True
    if gap < PAUSE:
        return False
    recent: set[str] = set()
    for other in segment.messages[-RECENT:]:
        recent.update(content_terms(other.content[:2000]))
    mine = set(content_terms(m.content[:2000]))
    return len(mine) >= 3 and not mine & recent  # noqa: PLR2004 - too few words show no topic


def _merged(found: Sequence[Segment]) -> list[Segment]:
    weights = idf(s.terms for s in found)
    merged: list[Segment] = []
    for segment in found:
        best = max(
            merged, key=lambda other: likeness(other.terms, segment.terms, weights), default=None
        )
        if best is not None and likeness(best.terms, segment.terms, weights) >= ALIKE:
            for m in segment.messages:
                best.add(m)
        else:
            merged.append(segment)
    return merged


def idf(documents: Iterable[Iterable[str]]) -> dict[str, float]:
    """Return ln((1 + N) / (1 + df)) + 1 of every term among *documents*."""
    counted = Counter[str]()
    total = 0
    for terms in documents:
        counted.update(set(terms))
        total += 1
    return {t: math.log((1 + total) / (1 + df)) + 1 for t, df in counted.items()}


def likeness(a: Iterable[str], b: Iterable[str], weights: dict[str, float]) -> float:
    """Return the idf mass that two term sets share, over the smaller mass; 0 for none."""
    left, right = set(a), set(b)
    shared = sum(weights.get(t, 1.0) for t in left & right)
    least = min(sum(weights.get(t, 1.0) for t in left), sum(weights.get(t, 1.0) for t in right))
    return shared / least if least and len(left & right) > 1 else 0.0
