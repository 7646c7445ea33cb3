"""Rows as ranking sees them: a text with its speaker, time and place, and the same taken apart.

What is read off a row at indexing time is stored as two short strings, so that ranking a hundred
candidates needs no tokenising. Stems are kept in both languages: a row may mix them.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from memory_core import lexicon
from memory_core.matching import beginning
from memory_core.question import is_asking_word
from memory_core.text import fold, index_terms, is_function_word, stem, words

_MOST = 3  # signs of one sort that count
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|recently|soon|(?:week|month|year)s?"
    r"|weekends?|days?|morning|night|afternoon|evening"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|wed|thurs?|fri|sat"
    r"|ontem|anteontem|hoje|amanha|passad[oa]|proxim[oa]|atras|desde|semanas?|mes(?:es)?|anos?"
    r"|dias?|manha|noite|tarde|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro"
    r"|outubro|novembro|dezembro|segunda|terca|quarta|quinta|sexta|sabado|domingo"
    r"|(?:19|20)\d\d|\d{1,2}/\d{1,2}|\d{1,2}[h:]\d\d)\b"
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|once|couple|several|few|dozen"
    r"|hundred|thousand|um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|varios|varias"
    r"|poucos|poucas|duzia|cem|mil)\b"
)
_NAME = re.compile(r"(?<![.!?…]\s)(?<!^)\b[A-ZÀ-Þ][\w'’-]+")


@dataclass(frozen=True, slots=True)
class Row:
    """One piece to be ranked; `key` is unique within its index and stable.

    `thread` is the conversation (or document) whose rows, in order, are each other's
    neighbours; '' where there is no such order. `beside` are words that belong to the row but
    are not its own text (caption, title, added keywords): they rank it, they are never original
    evidence. `role` and `scope` are for filters only; `data` is carried along unread.
    """

    key: str
    text: str
    speaker: str = ""
    at: dt.datetime | None = None
    thread: str = ""
    beside: str = ""
    role: str = ""
    scope: str = ""
    data: str = ""


@dataclass(frozen=True, slots=True)
class Surface:
    """Signs that show on a text's surface: times, numbers and names in it, question, length.

    `times` and `names` are counted up to three; `size` is ln(1 + words).
    """

    times: int
    number: bool
    names: int
    question: bool
    size: float

    def packed(self) -> str:
        """Return the signs as a short string; `unpacked` reads it."""
        signs = (self.times, int(self.number), self.names, int(self.question))
        return "".join(str(s) for s in signs) + f"{self.size:.2f}"


@dataclass(frozen=True, slots=True)
class Read:
    """A row taken apart: how often each stem occurs, concepts, cognate beginnings, word pairs."""

    counts: Mapping[str, int]
    concepts: frozenset[int]
    starts: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    size: int
    plain: tuple[str, ...]


def content(text: str) -> list[str]:
    """Return the words of *text*, folded, in order, without those that only hold it together."""
    row = words(text.replace("'s ", " ").replace("’s ", " "))
    return [w for w in row if not is_function_word(w) and not is_asking_word(w)]


@lru_cache(maxsize=100_000)
def stems(word: str) -> tuple[str, ...]:
    """Return the terms under which a folded word is found: its stems, or its parts as well."""
    both = (stem(word, "pt"), stem(word, "en"))
    more = () if word.isascii() and word.isalpha() else tuple(index_terms(word))
    return tuple(dict.fromkeys((*both, *more)))


def surface(text: str, speakers: Collection[str] = ()) -> Surface:
    """Read the signs off *text*; the names of its *speakers* are forms of address, not names."""
    folded = fold(text)
    names = {m.group() for m in _NAME.finditer(text)} - set(speakers)
    return Surface(
        times=min(_MOST, len(_TIME.findall(folded))),
        number=bool(_NUMBER.search(folded)),
        names=min(_MOST, len(names)),
        question=text.rstrip().endswith("?"),
        size=math.log1p(len(text.split())),
    )


@lru_cache(maxsize=50_000)
def unpacked(signs: str) -> Surface:
    """Read what `Surface.packed` wrote."""
    times, number, names, question = (int(c) for c in signs[:4])
    return Surface(times, bool(number), names, bool(question), float(signs[4:]))


@lru_cache(maxsize=50_000)
def take_apart(line: str) -> Read:
    """Take apart a row's content words, joined by spaces as the index keeps them."""
    row = line.split()
    both = [stems(w) for w in row]
    counts = Counter(s for found in both for s in found)
    pairs = {pair for a, b in pairwise(both) for pair in ((a[0], b[0]), (a[-1], b[-1]))}
    return Read(
        counts=counts,
        concepts=lexicon.union(lexicon.of_words(row)),
        starts=frozenset(beginning(w) for w in row) - {""},
        pairs=frozenset(pairs),
        size=max(1, len(row)),
        plain=tuple(row),
    )
