"""Words meet by stem, by concept in either language, or as cognates; each weighs less than the last."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core import lexicon, matching
from memory_core.matching import COGNATE, CONCEPT, bag, met
from memory_core.text import QueryWord, words


def _met(word: str, text: str) -> float:
    return met(matching.wanted([word], [True])[0], bag(text))


@pytest.mark.parametrize(
    ("word", "text", "how"),
    [
        ("ensaio", "Os ensaios são no pátio.", 1.0),
        ("umidade", "Alert me when humidity passes 75%.", CONCEPT),
        ("rent", "Aluguel mensal do galpão: R$ 4.200.", CONCEPT),
        ("bombeiros", "The fire brigade comes on Thursday.", CONCEPT),
        ("cutter", "A cortadora a laser parou.", CONCEPT),
        ("quilombola", "O quilombo fica longe.", COGNATE),
        ("violino", "Comprei farinha.", 0.0),
        ("fogo", "The brigade came by car.", 0.0),
    ],
)
def test_a_word_is_met_as_far_as_the_text_says_it(word: str, text: str, how: float) -> None:
    assert _met(word, text) == how


def test_a_phrase_is_a_concept_only_as_a_whole() -> None:
    assert lexicon.of_text("fire brigade") & lexicon.of_text("bombeiros")
    assert not lexicon.of_text("brigade") & lexicon.of_text("bombeiros")


def test_coverage_is_the_weight_of_what_is_met() -> None:
    asked = matching.wanted(["aluguel", "galpao"], [True, True])
    weights = {"aluguel": 3.0, "galpao": 1.0}
    assert matching.coverage(asked, bag("O aluguel subiu."), weights) == pytest.approx(0.75)
    assert matching.coverage((), bag("O aluguel subiu."), weights) == 0.0


def test_a_wide_query_word_keeps_its_own_terms_first() -> None:
    (wide,) = lexicon.widened([QueryWord(("rent",), "rent")])
    assert wide.terms[0] == "rent"
    assert "alug" in wide.terms
    assert lexicon.widened([QueryWord(("zzz",), "")]) == [QueryWord(("zzz",), "")]


def test_the_lexicon_is_large_and_joins_both_languages() -> None:
    assert len(lexicon._table().members) > 1000
    assert lexicon.of_word("aluguel") & lexicon.of_word("rent")


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_can_be_asked_and_met(asked: str, told: str) -> None:
    row = words(asked)
    found = matching.wanted(row, [True] * len(row))
    assert 0.0 <= matching.coverage(found, bag(told), {}) <= 1.0
    if row:
        assert matching.coverage(found, bag(asked), {}) == pytest.approx(1.0)
