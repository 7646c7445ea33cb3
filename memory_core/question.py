"""What a question asks for: language, answer types, names, numbers, time range, content words."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory_core import matching, when
from memory_core.matching import Wanted
from memory_core.question_types import NARRATIVE, AnswerType, types_of
from memory_core.text import fold, is_function_word, language, stem, words

__all__ = ["AnswerType", "Question", "content_terms", "understand"]

_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-ZÀ-Þ][\w'’-]*(?:\s+(?:d[aeo]s?\s+)?[A-ZÀ-Þ][\w'’-]*)*")
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_NOW = re.compile(
    r"\b(?:hoje|agora|atual(?:mente)?|ainda|now|current(?:ly)?|today|these days|still|nowadays)\b"
)
_ASKING_WORDS = frozenset(
    "que qual quais quem quando onde como quanto quantos quanta quantas porque what which who "
    "whom whose when where why how did does done esta eu mim me i my gente there any algum alguma "
    "foi era is was tem ha houve have has many much may might could would should shall can do "
    "serao foram eram sera sido being been were are havia segundo according exactly exatamente "
    "agora hoje now today ainda still atualmente currently ja mesmo afinal".split()
)
_PRONOUN = frozenset("I I'm I've I'd I'll".split())
# The noun after the asking word: "which reverse proxy", "qual era a tiragem", "how many places".
_HEAD = re.compile(
    r"\b(?:qual|quais|que|what|which|whose|quant[oa]s|how many)\b"
    r"(?: (?:e|era|eram|foi|foram|sao|sera|is|was|were|are|will be|seria))?"
    r"(?: (?:o|a|os|as|the|um|uma|an))?"
    r" (?P<head>[\w'-]+)"
)


_TIME_HEADS = frozenset(
    "dia dias data datas hora horas horario mes ano prazo day days date dates time times month "
    "year hour hours".split()
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question as understood by code; nothing here depends on what is stored.

    `terms` are stems of the content words, in order and without repeats; `wanted` are the same
    words as they can be met; neither holds the words of its time expressions. `head` is the
    noun asked for ('' where none is). `span` is the half-open range of local days it asks about,
    `now` whether it asks for the present state.
    """

    text: str
    language: str
    types: tuple[AnswerType, ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    terms: tuple[str, ...]
    span: tuple[dt.date, dt.date] | None
    now: bool
    wanted: tuple[Wanted, ...] = ()
    head: str = ""

    @property
    def narrative(self) -> bool:
        """Whether several ordered pieces of evidence are needed (design, section 4)."""
        return any(t in NARRATIVE for t in self.types)


def understand(text: str, asked_at: dt.datetime) -> Question:
    """Read a question put at *asked_at* (aware, the owner's zone); any string is valid."""
    lang = language(text) or "pt"
    folded = fold(text)
    bare = _without_times(text, asked_at)
    row = words(bare)
    types = types_of(folded)
    head = _head(fold(bare))
    # "which day", "what time": the answer's type already says it; no text need repeat the word.
    plain = {head} if head in _TIME_HEADS and AnswerType.WHEN in types else set()
    kept = [_is_content(w) and w not in plain for w in row]
    if not any(kept):  # nothing but a time, or function words alone: then those are asked for
        row = words(text)
        kept = [len(row) <= 3 or _is_content(w) for w in row]  # noqa: PLR2004 - a word or three
    return Question(
        text=text,
        language=lang,
        types=types,
        names=_names(bare),
        numbers=tuple(dict.fromkeys(_NUMBER.findall(bare))),
        terms=tuple(
            dict.fromkeys(stem(w, lang) for w, keep in zip(row, kept, strict=True) if keep)
        ),
        span=when.range_of(text, asked_at),
        now=bool(_NOW.search(folded)),
        wanted=matching.wanted(row, kept),
        head="" if plain else head,
    )


def content_terms(text: str, lang: str) -> tuple[str, ...]:
    """Return the stems of the content words of *text*, without question and function words."""
    return tuple(dict.fromkeys(stem(w, lang) for w in words(text) if _is_content(w)))


def is_asking_word(word: str) -> bool:
    """Whether a folded word asks, or only holds a question together: "which", "houve"."""
    return word in _ASKING_WORDS


def _is_content(word: str) -> bool:
    return word not in _ASKING_WORDS and not is_function_word(word)


def _without_times(text: str, asked_at: dt.datetime) -> str:
    """Blank the time expressions: they bound the evidence, they are no words to be met."""
    out = list(text)
    for found in when.expressions(text, asked_at):
        out[found.start : found.end] = " " * (found.end - found.start)
    return "".join(out)


def _names(text: str) -> tuple[str, ...]:
    found = (m.group().strip() for m in _NAME.finditer(text.strip()))
    return tuple(dict.fromkeys(n for n in found if n not in _PRONOUN))


def _head(folded: str) -> str:
    found: Sequence[re.Match[str]] = list(_HEAD.finditer(folded))
    heads = [m["head"] for m in found if _is_content(m["head"])]
    return heads[0] if heads else ""
