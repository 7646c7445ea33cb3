# ruff: noqa: E501 - tables and patterns read best a row a line
"""What a question asks for: language, answer types, names, numbers, time range, content words."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from enum import StrEnum

from memory_core import when
from memory_core.text import fold, is_function_word, language, stem, words


class AnswerType(StrEnum):
    """What kind of thing would answer; a question may ask for several."""

    WHO = "who"
    WHEN = "when"
    WHERE = "where"
    HOW_MANY = "how_many"
    YES_NO = "yes_no"
    WHY = "why"
    HOW_TO = "how_to"
    PROCESS = "process"
    CHANGE = "change"
    MOOD = "mood"
    ALTERNATIVES = "alternatives"
    WHAT = "what"


# Questions of these types ask how something came about: one matching line does not answer them.
NARRATIVE = frozenset({AnswerType.PROCESS, AnswerType.CHANGE, AnswerType.ALTERNATIVES})

# Folded text, first match wins within a type; every type that matches is kept.
_TYPES: tuple[tuple[AnswerType, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        (AnswerType.WHY, r"\bpor ?que\b|\bwhy\b|\bmotivo|\brazao\b|\breasons?\b|\bwhat made\b"),
        (
            AnswerType.PROCESS,
            (
                r"\bcomo (?:\w+ ){0,2}(?:surgiu|chegou|chegamos|nasceu|amadureceu|evoluiu|foi decidid)"
                r"|\bhow did (?:\w+ ){1,6}(?:come|end up|evolve|mature|get|unfold)|\bhow (?:has|have)\b"
                r"|\bpasso a passo\b|\bsequencia\b|\bhistoria d|\bsequence\b|\bstory of\b"
            ),
        ),
        (AnswerType.CHANGE, r"\bo que mudou\b|\bmudou\b|\bwhat (?:has )?changed\b|\bmudanca"),
        (
            AnswerType.ALTERNATIVES,
            (
                r"\balternativ|\bopc(?:ao|oes)\b|\boptions?\b|\bdescart|\brejeit|\bdiscarded\b"
                r"|\brejected\b|\bconsidered\b|\bruled out\b|\bweighed\b"
            ),
        ),
        (
            AnswerType.MOOD,
            (
                r"\b(?:como|how) (?:\w+ ){0,3}(?:se )?(?:sentiu|sentia|estava|felt|feel|feeling)\b"
                r"|\bhumor\b|\bmood\b|\banimad|\bfrustrad|\bhumou?r\b"
            ),
        ),
        (AnswerType.HOW_MANY, r"\bquant[oa]s?\b|\bhow (?:many|much|long|often)\b|\bpercent"),
        (AnswerType.WHO, r"\bquem\b|\bwho\b|\bwhose\b|\bwhom\b"),
        (
            AnswerType.WHEN,
            (
                r"\bquando\b|\bwhen\b|\bque (?:dia|data|horas?)\b|\b(?:what|which) (?:day|date|time)\b"
                r"|\bate quando\b|\bdesde quando\b|\bsince when\b|\buntil when\b"
            ),
        ),
        (AnswerType.WHERE, r"\b(?:para |de |a)?onde\b|\bwhere\b"),
        (
            AnswerType.HOW_TO,
            r"\bcomo (?:eu |se |a gente )?(?:fa[zc]|posso|devo)|\bhow (?:do|to|can|should)\b",
        ),
    )
)
_ASKS = re.compile(
    r"\b(?:que|qual|quais|quem|quando|onde|como|quant[oa]s?|what|which|who|when|where|why|how)\b"
)
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-ZÀ-Þ][\w'’-]*(?:\s+(?:d[aeo]s?\s+)?[A-ZÀ-Þ][\w'’-]*)*")
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_NOW = re.compile(r"\b(?:hoje|agora|atual(?:mente)?|now|current(?:ly)?|today|these days)\b")
_ASKING_WORDS = frozenset(
    "que qual quais quem quando onde como quanto quantos quanta quantas porque what which who "
    "whom whose when where why how did does done está eu mim me i my gente there any algum alguma "
    "foi era is was tem ha houve have has".split()
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question as understood by code; nothing here depends on what is stored.

    `terms` are stems of the content words, in order and without repeats. `span` is the
    half-open range of local days it asks about, `now` whether it asks for the present state.
    """

    text: str
    language: str
    types: tuple[AnswerType, ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    terms: tuple[str, ...]
    span: tuple[dt.date, dt.date] | None
    now: bool

    @property
    def narrative(self) -> bool:
        """Whether several ordered pieces of evidence are needed (design, section 4)."""
        return any(t in NARRATIVE for t in self.types)


def understand(text: str, asked_at: dt.datetime) -> Question:
    """Read a question put at *asked_at* (aware, the owner's zone); any string is valid."""
    lang = language(text) or "pt"
    folded = fold(text)
    return Question(
        text=text,
        language=lang,
        types=_types(folded),
        names=tuple(dict.fromkeys(m.group() for m in _NAME.finditer(text.strip()))),
        numbers=tuple(dict.fromkeys(_NUMBER.findall(text))),
        terms=content_terms(text, lang),
        span=when.range_of(text, asked_at),
        now=bool(_NOW.search(folded)),
    )


def content_terms(text: str, lang: str) -> tuple[str, ...]:
    """Return the stems of the content words of *text*, without question and function words."""
    kept = [w for w in words(text) if w not in _ASKING_WORDS and not is_function_word(w)]
    return tuple(dict.fromkeys(stem(w, lang) for w in kept))


def _types(folded: str) -> tuple[AnswerType, ...]:
    found = tuple(kind for kind, pattern in _TYPES if pattern.search(folded))
    if found:
        return found
    return (AnswerType.WHAT,) if _ASKS.search(folded) else (AnswerType.YES_NO,)
