"""BM25 over the columns of a statement, for a pool of candidates; pure.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009): term
saturation k1 and length normalisation b, the idf with the +1 inside the logarithm so that it
is never negative. Statements are short, so b is small. A word counts where it weighs most: in
the statement, in the messages it cites, or in its thread's title.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from memory_core.text import QueryWord

K1 = 0.9
B = 0.3
CITED_WEIGHT = 0.6
TITLE_WEIGHT = 0.4
# A word found exactly as typed, accents and ending included, outranks a folded match (S05).
EXACT_BONUS = 0.25


@dataclass(frozen=True, slots=True)
class Weighted:
    """A query word with its idf in this index."""

    word: QueryWord
    idf: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """The indexed terms and the text of one statement; `title` and `cited` are ` term term `."""

    n: int
    text: str
    said: Sequence[str]
    title: str
    cited: str


def idf(matching: int, statements: int) -> float:
    """Return the inverse document frequency of a word that *matching* statements have."""
    return math.log(1 + (max(statements - matching, 0) + 0.5) / (matching + 0.5))


def score(candidate: Candidate, words: Sequence[Weighted], mean_length: float) -> float:
    """Return the relevance of a candidate; 0 where it has none of the words."""
    length = len(candidate.said) / max(mean_length, 1.0)
    norm = K1 * (1 - B + B * length)
    surface = unicodedata.normalize("NFC", candidate.text.lower())
    total = 0.0
    for weighted in words:
        total += weighted.idf * _word_score(candidate, weighted.word, norm, surface)
    return total


def _word_score(candidate: Candidate, word: QueryWord, norm: float, surface: str) -> float:
    # A word's terms are readings of it (stems in two languages): the best one counts, once.
    count = max(map(candidate.said.count, word.terms))
    if count:
        exact = EXACT_BONUS if word.surface and word.surface in surface else 0.0
        return count * (K1 + 1) / (count + norm) + exact
    if any(f" {term} " in candidate.cited for term in word.terms):
        return CITED_WEIGHT
    if any(f" {term} " in candidate.title for term in word.terms):
        return TITLE_WEIGHT
    return 0.0
