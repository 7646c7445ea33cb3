"""A grounded answer in words: extractive, in the question's language, each line from a source."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from memory_core.model import Conflict, Evidence, Origin, Slot

WORTH_QUOTING = 0.5  # share of the best piece's coverage from which another is quoted
LINES = 3  # pieces of evidence an ordinary answer quotes
STORY_LINES = 8  # and one that tells how something came about


@dataclass(frozen=True, slots=True)
class Phrases:
    """The fixed words of an answer in one language."""

    conflict: str
    gap: str
    nearest: str
    missing: str
    hosted: str
    inference: str
    error: str
    undated: str
    slots: dict[str, str]


PT = Phrases(
    conflict="As fontes divergem:",
    gap="Não há registro que responda a isso.",
    nearest="O mais próximo que há:",
    missing="Falta saber:",
    hosted="material de fora, não é palavra do dono",
    inference="leitura do agente, não é fato",
    error="Não consegui consultar:",
    undated="sem data",
    slots={
        "who": "quem",
        "when": "quando",
        "where": "onde",
        "how_many": "quanto",
        "why": "por quê",
        "yes_no": "se sim ou não",
        "process": "a sequência",
        "change": "o que mudou",
        "alternatives": "as alternativas",
        "mood": "como se sentia",
        "how_to": "como fazer",
    },
)
EN = Phrases(
    conflict="The sources disagree:",
    gap="There is no record that answers this.",
    nearest="The nearest there is:",
    missing="Not known:",
    hosted="material from outside, not the owner's word",
    inference="the agent's reading, not a fact",
    error="Could not consult:",
    undated="undated",
    slots={
        "who": "who",
        "when": "when",
        "where": "where",
        "how_many": "how much",
        "why": "why",
        "yes_no": "whether or not",
        "process": "the sequence",
        "change": "what changed",
        "alternatives": "the alternatives",
        "mood": "how it felt",
        "how_to": "how to do it",
    },
)


def phrases(language: str) -> Phrases:
    """Return the fixed words for `pt` or `en`; Portuguese where undecided."""
    return EN if language == "en" else PT


def grounded(evidence: Sequence[Evidence], *, language: str, story: bool, zone: dt.tzinfo) -> str:
    """Quote the best evidence, in order of time where the question asks for a story."""
    floor = WORTH_QUOTING * max((_coverage(e) for e in evidence), default=0.0)
    worth = [e for e in evidence if _coverage(e) >= floor]
    chosen = worth[: STORY_LINES if story else LINES]
    if story:
        chosen.sort(key=lambda e: (e.at is None, e.at or dt.datetime.min.replace(tzinfo=dt.UTC)))
    words = phrases(language)
    return "\n".join(_line(e, words, zone) for e in chosen)


def _coverage(e: Evidence) -> float:
    return e.scores.get("coverage", 0.0)


def conflict(conflicts: Sequence[Conflict], *, language: str, zone: dt.tzinfo) -> str:
    """Give both sides of each conflict with their dates and sources."""
    words = phrases(language)
    lines = [words.conflict]
    seen = set()
    for pair in conflicts[:LINES]:
        for side in (pair.left, pair.right):
            if side.source not in seen:
                seen.add(side.source)
                lines.append("- " + _line(side, words, zone))
    return "\n".join(lines)


def gap(
    nearest: Sequence[Evidence], missing: Sequence[Slot], *, language: str, zone: dt.tzinfo
) -> str:
    """Say that nothing answers, what is known nearby, and what is missing."""
    words = phrases(language)
    lines = [words.gap]
    if missing:
        names = ", ".join(s.value or words.slots.get(s.name, s.name) for s in missing)
        lines.append(f"{words.missing} {names}.")
    if nearest:
        lines.append(f"{words.nearest} {_line(nearest[0], words, zone)}")
    return "\n".join(lines)


def failed(layers: Sequence[str], *, language: str) -> str:
    """Say which layers could not be consulted."""
    return f"{phrases(language).error} {', '.join(layers)}."


def _line(e: Evidence, words: Phrases, zone: dt.tzinfo) -> str:
    day = e.at.astimezone(zone).date().isoformat() if e.at else words.undated
    marks = []
    if e.origin is Origin.HOSTED:
        marks.append(words.hosted)
    if e.kind == "inference":
        marks.append(words.inference)
    note = f" ({'; '.join(marks)})" if marks else ""
    text = " ".join(e.text.split())
    return f"{day}: {text}{note} [{e.source}]"
