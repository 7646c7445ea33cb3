# ruff: noqa: ANN001 - fixtures and drawn values are named for what they are
"""Reciprocal rank fusion and the weighted sum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.retrieval.fusion import K, reciprocal_ranks, weighted_sum
from memory_core.retrieval.ranking import LEXICAL, VECTORS, standard, weights


def test_what_both_rankings_praise_comes_first():
    assert reciprocal_ranks([["a", "b", "c"], ["b", "c", "a"]])[0] == "b"


def test_the_constant_is_sixty():
    assert K == 60


@given(st.permutations(list("abcdef")))
def test_one_ranking_fused_with_itself_stays_as_it_is(order):
    assert reciprocal_ranks([order, order]) == list(order)


@given(st.lists(st.permutations(list("abcd")), min_size=1, max_size=4))
def test_every_key_comes_out_once(rankings):
    assert sorted(reciprocal_ranks(rankings)) == list("abcd")


def test_a_signal_that_does_not_vary_adds_nothing():
    flat = weighted_sum({"a": np.array([0.2, 0.9]), "b": np.array([5.0, 5.0])}, {"a": 1, "b": 9})
    assert flat.tolist() == [0.0, 1.0]


def test_weights_must_fit_the_rankings():
    with pytest.raises(ValueError):
        reciprocal_ranks([["a"]], weights=(1.0, 2.0))


def test_cosines_are_compared_in_deviations_and_a_row_without_a_vector_is_in_the_middle():
    found = standard(np.array([0.8, 0.9, np.nan]))
    assert found.tolist() == pytest.approx([-1.0, 1.0, 0.0])


def test_the_weights_with_vectors_hold_every_lexical_signal():
    assert set(weights(LEXICAL)) < set(weights(VECTORS))
