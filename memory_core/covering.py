"""Whether the other layers hold what a permanent entry says, so that it could be done without."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory_core.content import content_words
from memory_core.content import share as said
from memory_core.layers.permanent import Entry
from memory_core.matching import Wanted
from memory_core.model import Evidence, Origin
from memory_core.text import fold

LEAST_SHARE = 0.7  # of an entry's words, in one piece of evidence
_SUPPORT_SHARE = 0.5  # a piece that holds this much may bring a missing number or name
_EXACT = re.compile(r"\d+(?:[.,:/-]\d+)*|(?<!^)(?<![.!?]\s)\b[A-ZÀ-Þ][\w'’-]+")
_CUE = 2  # every second word of the entry makes the poorer of the two questions

Look = Callable[[str], Sequence[Evidence]]


@dataclass(frozen=True, slots=True)
class Covered:
    """How well the other layers answer for one entry.

    `share` is the part of the entry's words found in the best single piece, for the poorer of
    two questions; `lost` are its numbers and names that no good piece holds; `layers` says
    where the pieces are. `covered` only where nothing of it would be missed.
    """

    entry: Entry
    share: float
    lost: tuple[str, ...]
    layers: tuple[str, ...]
    sources: tuple[str, ...]

    @property
    def covered(self) -> bool:
        """Whether the entry could go and still be answered from the other layers."""
        return self.share >= LEAST_SHARE and not self.lost


def covered(entry: Entry, look: Look) -> Covered:
    """Ask the other layers for an entry in its own words, and in half of them.

    *look* returns what recall finds; what permanent memory itself gives, what is hosted and
    what is no longer valid does not count.
    """
    asked = content_words(entry.text)
    if not asked:
        return Covered(entry, 0.0, (), (), ())
    found = [_best(entry, asked, look(question)) for question in _questions(entry.text)]
    return min(found, key=lambda c: (c.covered, c.share))


def _questions(text: str) -> tuple[str, str]:
    some = [w for w in text.split() if content_words(w)]
    half = some[::_CUE] if len(some) > _CUE else some
    return " ".join(text.split()), " ".join(half)


def _best(entry: Entry, asked: Sequence[Wanted], pieces: Sequence[Evidence]) -> Covered:
    usable = [e for e in pieces if _counts(e)]
    shares = [(said(asked, f"{e.subject} {e.text}"), e) for e in usable]
    good = [e for part, e in shares if part >= _SUPPORT_SHARE]
    held = fold(" ".join(f"{e.subject} {e.text}" for e in good))
    exact = dict.fromkeys(_EXACT.findall(entry.text))
    lost = tuple(word for word in exact if not _holds(held, fold(word)))
    best = max((part for part, _ in shares), default=0.0)
    return Covered(
        entry,
        round(best, 3),
        lost,
        tuple(sorted({e.layer for e in good})),
        tuple(e.source for e in good[:5]),
    )


def _holds(text: str, word: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text))


def _counts(e: Evidence) -> bool:
    current = not e.superseded_by and e.valid_to is None
    return e.layer != "permanent" and e.origin is not Origin.HOSTED and current
