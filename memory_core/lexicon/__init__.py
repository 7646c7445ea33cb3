"""A small bilingual lexicon: which Portuguese and English words may stand for one another.

Concepts widen matching between a question and what is stored in the other language or in other
words. They are never original lexical evidence: callers keep them apart and weigh them less.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memory_core.text import QueryWord, fold, is_function_word, stem, words

_FILE = "concepts.txt"


@dataclass(frozen=True, slots=True)
class _Table:
    """Concept numbers by stem, and phrases by their first stem."""

    single: dict[str, frozenset[int]] = field(default_factory=dict)
    phrases: dict[str, tuple[tuple[tuple[str, ...], int], ...]] = field(default_factory=dict)
    members: tuple[tuple[str, ...], ...] = ()


@functools.cache
def _table() -> _Table:
    text = (importlib.resources.files(__name__) / _FILE).read_text(encoding="utf-8")
    single: dict[str, set[int]] = {}
    phrases: dict[str, set[tuple[tuple[str, ...], int]]] = {}
    members: list[dict[str, None]] = []
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    for number, line in enumerate(lines):
        members.append({})
        for side, lang in zip(line.split("|"), ("pt", "en"), strict=True):
            for entry in fold(side).split():
                stems = tuple(stem(w, lang) for w in entry.split("_"))
                if len(stems) == 1:
                    single.setdefault(stems[0], set()).add(number)
                    members[number][stems[0]] = None
                else:
                    phrases.setdefault(stems[0], set()).add((stems, number))
    return _Table(
        {key: frozenset(found) for key, found in single.items()},
        {key: tuple(sorted(found)) for key, found in phrases.items()},
        tuple(tuple(found) for found in members),
    )


@functools.lru_cache(maxsize=100_000)
def of_word(word: str) -> frozenset[int]:
    """Return the concepts of one folded word, read in either language."""
    table = _table()
    found: frozenset[int] = frozenset()
    for key in {stem(word, "pt"), stem(word, "en"), word}:
        found |= table.single.get(key, frozenset())
    if not found and "-" in word:
        return frozenset().union(*(of_word(part) for part in word.split("-") if part))
    return found


def of_words(folded: Sequence[str]) -> list[frozenset[int]]:
    """Return the concepts of each word in a row of folded words, phrases counted."""
    table = _table()
    found = [frozenset[int]() if is_function_word(w) else of_word(w) for w in folded]
    if table.phrases:
        both = [{stem(w, "pt"), stem(w, "en")} for w in folded]
        for start, keys in enumerate(both):
            for key in keys:
                for stems, number in table.phrases.get(key, ()):
                    if _at(both, start, stems):
                        for n in range(start, start + len(stems)):
                            found[n] |= {number}
    return found


def _at(both: Sequence[set[str]], start: int, stems: tuple[str, ...]) -> bool:
    part = both[start : start + len(stems)]
    return len(part) == len(stems) and all(s in keys for s, keys in zip(stems, part, strict=True))


def of_text(text: str) -> frozenset[int]:
    """Return every concept that *text* names."""
    return union(of_words(words(text)))


def widened(asked: Sequence[QueryWord]) -> list[QueryWord]:
    """Return the words of a query, each satisfied by the other words of its concepts as well."""
    table = _table()
    found = []
    for word in asked:
        numbers = sorted(of_word(fold(word.surface))) if word.surface else []
        more = [stem_ for n in numbers for stem_ in table.members[n]]
        found.append(QueryWord(tuple(dict.fromkeys((*word.terms, *more))), word.surface))
    return found


def union(parts: Iterable[frozenset[int]]) -> frozenset[int]:
    """Join sets of concepts."""
    return frozenset().union(*parts)
