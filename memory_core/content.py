"""How much of what one text says another says too: by stem, concept or cognate, either language."""

from __future__ import annotations

from collections.abc import Sequence

from memory_core.matching import Wanted, bag, coverage, wanted
from memory_core.text import is_function_word, words


def content_words(text: str) -> tuple[Wanted, ...]:
    """Return the words of a text that say something."""
    row = words(text)
    return wanted(row, [not is_function_word(w) for w in row])


def share(asked: Sequence[Wanted], other: str) -> float:
    """Return the part of *asked* that *other* says, 0 to 1."""
    return coverage(asked, bag(other), {})
