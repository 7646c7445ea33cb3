"""What is read of twenty labelled conversations does not fall behind what was reached."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from days import by_day

from hfea.episode import Relation, Statement
from memory_core.model import Kind

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
# Least precision and recall over all themes, right links, and questions answered, by split.
REACHED = {
    ("dev", "en"): (0.95, 0.80, 0.55, 25),
    ("dev", "pt"): (0.95, 0.85, 0.50, 25),
    ("test", "en"): (0.90, 0.78, 0.65, 24),
    ("test", "pt"): (0.78, 0.64, 0.40, 24),
}


@pytest.fixture(scope="module")
def benches() -> Any:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        yield importlib.import_module("conversations"), importlib.import_module("talks")
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.mark.parametrize(("split", "lang"), REACHED)
def test_labelled_conversations_are_read_as_well_as_before(
    benches: Any, split: str, lang: str
) -> None:
    scoring, reading = benches
    scorer, answered = scoring.Scorer(errors=False), 0
    for talk in reading.talks(reading.LABELLED / f"{lang}.txt"):
        if talk.split == split:
            answered += scorer.score(talk)[0]
    total = Counter[str]()
    for theme, counts in scorer.counts.items():
        if not theme.startswith("=") and theme not in ("other", "none", "lost"):
            total.update(counts)
    links = scorer.counts["= links"]
    precision, recall, linked, questions = REACHED[split, lang]
    assert total["hit"] / (total["hit"] + total["false"]) >= precision
    assert total["hit"] / (total["hit"] + total["miss"]) >= recall
    assert links["hit"] / (links["hit"] + links["miss"]) >= linked
    assert answered >= questions


def told(benches: Any, name: str) -> list[Statement]:
    _, reading = benches
    (talk,) = [
        t
        for lang in ("pt", "en")
        for t in reading.talks(reading.LABELLED / f"{lang}.txt")
        if t.name == name
    ]
    return [s for e in by_day(talk.messages, talk.zone) for s in e.statements()]


def text_of(statements: list[Statement], words: str) -> Statement:
    return next(s for s in statements if words in s.text)


def linked(statements: list[Statement], one: str, how: Relation, other: str) -> bool:
    target = text_of(statements, other).id
    return any(k.relation is how and k.statement == target for k in text_of(statements, one).links)


@pytest.mark.parametrize(
    ("name", "one", "how", "other"),
    [
        ("livia", "eletro ficou marcado", Relation.CLOSES, "Preciso ver onde"),
        ("nara", "lote eu testei ontem", Relation.CLOSES, "ninguém testou"),
        ("otavio", "Pelo Firefox foi", Relation.OUTCOME_OF, "Tentei tirar a certidão"),
        ("otavio", "querem 35%", Relation.REVISES, "30% de entrada, seguro"),
        ("wren", "Cole took the keys", Relation.CLOSES, "get the keys off him"),
        ("mabel", "slips to Wednesday", Relation.REVISES, "ships with 4.2 on Monday"),
        ("desmond", "19th to the 26th now", Relation.REVISES, "Pencil in the 12th"),
    ],
)
def test_matters_are_followed_across_days(
    benches: Any, name: str, one: str, how: Relation, other: str
) -> None:
    assert linked(told(benches, name), one, how, other)


def test_words_quoted_in_passing_stay_in_their_sentence(benches: Any) -> None:
    (quote,) = [s for s in told(benches, "socorro") if "missa e bolo, minha filha" in s.text]
    assert quote.kind is Kind.QUOTE
    assert quote.text.startswith("Ela falou")
    assert quote.holder
