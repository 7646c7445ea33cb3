# ruff: noqa: ANN001 - fixtures and drawn values are named for what they are
"""Retrieval metrics: misses are zero, figures fit one another, intervals hold their value."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hfea.lab import metrics

KEYS = [f"t{n}" for n in range(14)]
RANKED = st.permutations(KEYS).map(lambda keys: keys[:10])
GOLD = st.sets(st.sampled_from([*KEYS, "elsewhere"]), min_size=1, max_size=5)


def test_recall_counts_gold_turns_and_a_miss_is_zero():
    one = metrics.scored(["a", "b", "c"], {"b", "z"})
    assert (one.recall[5], one.hit, one.reciprocal) == (0.5, 0.0, 0.5)
    miss = metrics.scored([], {"z"})
    assert (miss.recall[10], miss.hit, miss.reciprocal, miss.found) == (0.0, 0.0, 0.0, False)


def test_the_conditional_rank_has_only_found_questions_below_it():
    rows = [metrics.scored(["a"], {"a"}), metrics.scored(["a"], {"b"})]
    found = metrics.table(rows)
    assert (found["mrr@10"]["value"], found["mrr@10"]["n"]) == (0.5, 2)
    assert (found["mrr_conditional"]["value"], found["mrr_conditional"]["n"]) == (1.0, 1)


@settings(deadline=None)
@given(st.lists(st.tuples(RANKED, GOLD), min_size=1, max_size=20))
def test_inv_15_figures_of_any_run_fit_one_another(asked):
    found = metrics.table([metrics.scored(r, g) for r, g in asked])
    for row in found.values():
        if row["n"]:
            assert row["low"] <= row["value"] <= row["high"]
            assert row["value"] == pytest.approx(row["k"] / row["n"], abs=1e-3)
    assert found["recall@5"]["value"] <= found["recall@10"]["value"]
    assert found["hit@1"]["value"] <= found["mrr@10"]["value"] + 1e-4


def test_inv_15_figures_that_contradict_one_another_are_refused():
    wrong = metrics.Scored({5: 1.0, 10: 0.5}, 1.0, 1.0, found=True)
    with pytest.raises(metrics.Contradiction):
        metrics.table([wrong])
    with pytest.raises(metrics.Contradiction):
        metrics.table([metrics.Scored({5: 0.0, 10: 0.0}, 0.0, 0.9, found=False)])


def test_a_turn_ranked_twice_is_refused():
    with pytest.raises(ValueError):
        metrics.scored(["a", "a"], {"a"})


def test_a_difference_pairs_the_questions():
    ours = [metrics.scored(["a"], {"a"})] * 3
    theirs = [metrics.scored(["b"], {"a"})] * 3
    found = metrics.difference(ours, theirs, lambda s: s.hit)
    assert (found["value"], found["low"], found["n"]) == (1.0, 1.0, 3)
