"""Each pattern of facts carries its weight: its own sentences need it, its near misses give nothing."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from memory_core.extraction.facts_reading import facts
from memory_core.extraction.facts_table import Pattern, table
from memory_core.model import AuthorKind, Message, Origin, Role

DATA = Path(__file__).parents[1] / "data"


@dataclass
class Own:
    """The sentences of one pattern."""

    positive: list[str] = field(default_factory=list)
    near: list[str] = field(default_factory=list)


def sentences() -> dict[str, Own]:
    found: dict[str, Own] = {}
    for language in ("pt", "en"):
        lines = (DATA / f"fact_patterns_{language}.txt").read_text(encoding="utf-8").splitlines()
        for line in lines:
            if line.startswith("["):
                own = found.setdefault(line.strip("[]"), Own())
            else:
                (own.positive if line[0] == "+" else own.near).append(line[2:])
    return found


OWN = sentences()
IDS = [p.row.id for p in table()]


def said(text: str) -> Message:
    return Message(
        "default",
        "jsonl",
        "s",
        "m",
        dt.datetime(2026, 3, 4, 12, tzinfo=dt.UTC),
        Role.USER,
        "Rita",
        AuthorKind.OWNER,
        Origin.DIRECT,
        text,
        "x",
        0,
    )


def fired(text: str, without: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
    return [(f.pattern, f.type.value) for f in facts(said(text), without=without)]


@pytest.mark.parametrize("pattern", table(), ids=IDS)
def test_a_pattern_reads_its_own_sentences_and_one_of_them_needs_it(pattern: Pattern) -> None:
    own, name = OWN[pattern.row.id], pattern.row.id
    assert len(own.positive) == 3
    for text in own.positive:
        assert fired(text) == [(name, pattern.row.type.value)], text
    off = frozenset({name})
    assert any(pattern.row.type.value not in dict(fired(t, off)).values() for t in own.positive)


@pytest.mark.parametrize("name", IDS)
def test_the_near_misses_of_a_pattern_give_nothing(name: str) -> None:
    assert len(OWN[name].near) == 3
    assert {t: fired(t) for t in OWN[name].near if fired(t)} == {}


def test_there_are_enough_patterns_and_types_in_each_language() -> None:
    per = Counter(name[:2] for name in IDS)
    assert min(per["pt"], per["en"]) >= 81
    for language in ("pt", "en"):
        assert len({p.row.type for p in table() if p.row.id.startswith(language)}) >= 12
    assert len(set(IDS)) == len(IDS)
    assert set(OWN) == set(IDS)
