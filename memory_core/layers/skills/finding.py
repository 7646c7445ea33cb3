"""Which skill answers a need: by its name, tags and description first, then by its steps."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from memory_core.layers.skills.skill import Skill
from memory_core.text import content_terms, query_words

# How much a word weighs where it stands; a name says more of what a skill is for than a step.
_WEIGHTS = (3.0, 2.0, 2.0, 1.0)
LEAST_SHARE = 0.2  # of what was asked for, by weight; less is no match


@dataclass(frozen=True, slots=True)
class Match:
    """A skill that answers a need; `share` is the part of the need it speaks of, 0 to 1."""

    skill: Skill
    share: float
    score: float


def find(need: str, known: Iterable[Skill], limit: int = 5) -> tuple[Match, ...]:
    """Return the skills that speak of *need*, best first; none where none does.

    Words are compared by their stems in Portuguese and English, rare ones weigh more
    (inverse document frequency over the skills).
    """
    fields = [(skill, _fields(skill)) for skill in known]
    wanted = query_words(need)
    if not wanted or not fields:
        return ()
    idf = [_idf(word.terms, [f for _, f in fields]) for word in wanted]
    total = sum(idf) or 1.0
    found = []
    for skill, places in fields:
        held = [_best(word.terms, places) for word in wanted]
        share = sum(i for i, h in zip(idf, held, strict=True) if h) / total
        score = sum(i * h for i, h in zip(idf, held, strict=True)) / total
        if share >= LEAST_SHARE:
            found.append(Match(skill, round(share, 4), round(score, 4)))
    return tuple(sorted(found, key=lambda m: (-m.score, m.skill.path))[:limit])


def _fields(skill: Skill) -> tuple[frozenset[str], ...]:
    texts = (skill.name.replace("-", " "), " ".join(skill.tags), skill.description, skill.body)
    return tuple(frozenset(content_terms(text)) for text in texts)


def _best(terms: tuple[str, ...], places: tuple[frozenset[str], ...]) -> float:
    hits = [w for w, place in zip(_WEIGHTS, places, strict=True) if not place.isdisjoint(terms)]
    return max(hits, default=0.0)


def _idf(terms: tuple[str, ...], known: list[tuple[frozenset[str], ...]]) -> float:
    df = sum(any(not place.isdisjoint(terms) for place in places) for places in known)
    df = max(1, df)  # a word no skill has says little of the need; it must not drown the others
    return math.log(1 + (len(known) - df + 0.5) / (df + 0.5))
