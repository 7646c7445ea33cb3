# ruff: noqa: ANN001 - fixtures and drawn values are named for what they are
"""Vectors know their text, model and dimension; what is wrong is caught at write or by doctor."""

from __future__ import annotations

import pytest

from memory_core.retrieval.embedding import EmbeddingFailed, HttpEmbedder, normalised
from memory_core.retrieval.vectors import BadVector, VectorStore

TEXTS = {f"f{n}": f"fato {'a' * n} número {n}" for n in range(12)}


class Model:
    """An embedder in the process whose vectors depend on the text alone."""

    def __init__(self, name="m1", size=6, shift=0) -> None:
        self.model, self.size, self.shift = name, size, shift

    def query(self, text):
        return normalised([hash_of(text, i) for i in range(self.size)])

    def passages(self, texts):
        found = [self.query(t) for t in texts]
        return found[self.shift :] + found[: self.shift]


def hash_of(text, place):
    return sum((n + 1) * ord(c) * (place + 3) % 101 for n, c in enumerate(text)) % 53 - 26 + 0.5


@pytest.fixture
def store():
    opened = VectorStore()
    yield opened
    opened.close()


def test_what_was_embedded_is_found_by_its_own_text(store):
    model = Model()
    assert store.embed(model, TEXTS) == 12
    near = store.nearest("m1", model.query(TEXTS["f7"]), 3)
    assert near.keys[0] == "f7"
    assert near.cosines[0] == pytest.approx(1.0, abs=1e-5)
    assert store.coverage("m1", TEXTS) == 1.0


@pytest.mark.parametrize(
    "rows",
    [
        [[float("nan"), 0.0]],
        [[2.0, 0.0]],
        [[0.0, 0.0]],
        [[1.0, 0.0], [1.0, 0.0]],
        [[]],
        [[float("inf"), 1.0]],
    ],
)
def test_a_bad_vector_is_refused_at_write(store, rows):
    with pytest.raises(BadVector):
        store.put("m", {"k": "texto"}, rows)
    assert store.missing("m", {"k": "texto"}) == {"k": "texto"}


def test_another_dimension_under_the_same_name_is_refused(store):
    store.embed(Model(size=6), TEXTS)
    with pytest.raises(BadVector):
        store.put("m1", {"x": "texto"}, [[1.0, 0.0]])
    with pytest.raises(BadVector):
        store.nearest("m1", [1.0, 0.0], 3)


def test_doctor_finds_a_shifted_batch(store):
    store.embed(Model(shift=1), TEXTS)
    assert {d.code for d in store.doctor(Model(), TEXTS)} == {"differs"}


def test_doctor_finds_a_model_that_changed_under_its_name(store):
    store.embed(Model(), TEXTS)
    assert {d.code for d in store.doctor(Model(size=5), TEXTS)} == {"dimension"}


def test_doctor_finds_nothing_in_a_sound_store_and_names_a_text_that_changed(store):
    store.embed(Model(), TEXTS)
    assert store.doctor(Model(), TEXTS) == []
    changed = {**TEXTS, "f3": "outro texto"}
    assert [(d.key, d.code) for d in store.doctor(Model(), changed)] == [("f3", "stale_text")]
    assert store.embed(Model(), changed) == 1
    assert store.doctor(Model(), changed) == []


def test_a_new_model_re_embeds_in_the_background_and_spaces_never_mix(store):
    store.embed(Model(), TEXTS)
    new = Model("m2", size=4)
    assert store.nearest("m2", new.query("x"), 3).keys == ()
    store.embed_in_background(new, TEXTS).join(10)
    assert store.coverage("m2", TEXTS) == 1.0
    assert store.coverage("m1", TEXTS) == 0.0
    assert store.nearest("m2", new.query(TEXTS["f2"]), 1).keys == ("f2",)


def test_a_failure_half_way_keeps_what_was_done_and_the_old_space(store, server):
    long = {f"k{n}": f"{n} " + "a" * 1900 for n in range(9)}
    store.embed(Model(), long)
    good = HttpEmbedder(server.url, "bge")
    half = dict(list(long.items())[:4])
    store.put(good.model, half, good.passages(list(half.values())))
    server.behave = "fail"
    with pytest.raises(EmbeddingFailed):
        store.embed(good, long)
    assert store.coverage(good.model, long) == pytest.approx(4 / 9)
    assert store.coverage("m1", long) == 1.0
    server.behave = "well"
    assert store.embed(good, long) == 5


def test_dropped_keys_are_gone_from_every_space(store):
    store.embed(Model(), TEXTS)
    store.drop(["f1"])
    assert "f1" not in store.nearest("m1", Model().query("x"), 99).keys


def test_vectors_are_there_after_reopening(tmp_path):
    store = VectorStore(tmp_path / "v.sqlite")
    store.embed(Model(), TEXTS)
    store.close()
    again = VectorStore(tmp_path / "v.sqlite")
    assert again.coverage("m1", TEXTS) == 1.0
    again.close()
