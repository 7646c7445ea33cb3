"""How well a stored text says what a question asks about, word by word: raw evidence only.

A word of the question is met by the same stem (1), by a word of the same concept in either
language (lexicon, CONCEPT), or by a cognate (the same long beginning, COGNATE).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory_core import lexicon
from memory_core.text import fold, index_terms, is_function_word, stem, words
from memory_core.values import values

CONCEPT = 0.85
COGNATE = 0.7
BEGINNING = 5  # letters that cognates of the two languages share at least


@dataclass(frozen=True, slots=True)
class Wanted:
    """One content word of a question: its stems in both languages, concepts and beginning."""

    word: str
    stems: tuple[str, ...]
    concepts: frozenset[int]
    beginning: str


@dataclass(frozen=True, slots=True)
class Bag:
    """The words of a stored text as they can be met."""

    stems: frozenset[str]
    concepts: frozenset[int]
    beginnings: frozenset[str]
    folded: str


def wanted(row: Sequence[str], kept: Sequence[bool]) -> tuple[Wanted, ...]:
    """Return the words of *row* (folded) that are *kept*, each once; phrases count."""
    found: dict[str, Wanted] = {}
    for word, concepts, keep in zip(row, lexicon.of_words(row), kept, strict=True):
        if keep and word not in found:
            found[word] = Wanted(word, _stems(word), concepts, beginning(word))
    return tuple(found.values())


def _stems(word: str) -> tuple[str, ...]:
    """Return what meets *word* as it stands; scripts without spaces are met by their bigrams."""
    if word.isascii():
        return tuple(dict.fromkeys((stem(word, "pt"), stem(word, "en"), word)))
    return tuple(dict.fromkeys((stem(word, "pt"), stem(word, "en"), *index_terms(word))))


def beginning(word: str) -> str:
    """Return what a cognate of *word* begins with; '' where the word is too short to tell."""
    return word[:BEGINNING] if len(word) > BEGINNING and word.isalpha() else ""


@lru_cache(maxsize=20_000)
def bag(text: str) -> Bag:
    """Take *text* apart."""
    row = words(text)
    concepts = lexicon.union(lexicon.of_words(row))
    if values(text).money:
        concepts |= lexicon.of_word("preco")  # an amount of money is a price, cost or value
    return Bag(
        frozenset(index_terms(text)),
        concepts,
        frozenset(beginning(w) for w in row if not is_function_word(w)) - {""},
        fold(text),
    )


def met(word: Wanted, found: Bag) -> float:
    """Return how far *word* is met, 0 to 1."""
    if any(s in found.stems for s in word.stems):
        return 1.0
    if word.concepts & found.concepts:
        return CONCEPT
    if word.beginning and word.beginning in found.beginnings:
        return COGNATE
    return 0.0


def coverage(asked: Sequence[Wanted], found: Bag, weights: Mapping[str, float]) -> float:
    """Return the share of the words' weight (by `word`, 1 where unknown) that is met."""
    total = sum(weights.get(w.word, 1.0) for w in asked)
    if not total:
        return 0.0
    return sum(weights.get(w.word, 1.0) * met(w, found) for w in asked) / total
