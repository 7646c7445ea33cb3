# ruff: noqa: ANN001, ANN003 - fixtures are named for what they are
"""Words first; a model widens; a slow, hung or failing one leaves words and says `degraded`."""

from __future__ import annotations

import datetime as dt
import time

import pytest

from memory_core.retrieval.embedding import Gate, HttpEmbedder, normalised
from memory_core.retrieval.engine import DEGRADED, Engine
from memory_core.retrieval.index import RowIndex
from memory_core.retrieval.index_tables import Only
from memory_core.retrieval.rows import Row
from memory_core.retrieval.vectors import VectorStore

NOW = dt.datetime(2026, 10, 20, 12, tzinfo=dt.UTC)
TEXTS = {
    "rent": "O aluguel do estúdio ficou em 1.850 reais",
    "cat": "Adotei um gato chamado Biscoito",
    "bike": "Comprei uma bicicleta azul",
}
NEAR = {"felino": "cat", "moradia": "rent"}  # what our little model knows of meaning


class Meanings:
    """A model of three dimensions, one a topic; it knows the topic of each text and of NEAR."""

    model = "topics"

    def query(self, text):
        topic = next((t for word, t in NEAR.items() if word in text), "bike")
        return self.of(topic)

    def passages(self, texts):
        return [self.of(next(k for k, t in TEXTS.items() if t == text)) for text in texts]

    def of(self, topic):
        return normalised([1.0 if k == topic else 0.1 for k in TEXTS])


@pytest.fixture
def index():
    opened = RowIndex()
    opened.put_all((k, [Row(k, t, "Ana", NOW, k)], "") for k, t in TEXTS.items())
    yield opened
    opened.close()


def keys(result):
    return [h.row.key for h in result.hits]


def engine(index, embedder, **more):
    store = VectorStore()
    store.embed(Meanings(), TEXTS)
    return Engine(index, store, Gate(embedder, **more))


def test_a_model_finds_what_shares_no_word(index):
    words = Engine(index)
    question = words.asked("Qual é o felino?", NOW)
    assert keys(words.search(question)) == []
    found = engine(index, Meanings()).search(question)
    assert keys(found)[0] == "cat"
    assert found.embedded
    assert found.degraded == ()


def test_a_question_covered_by_original_words_asks_no_model(index, server):
    built = engine(index, HttpEmbedder(server.url, "m"))
    result = built.search(built.asked("aluguel do estúdio", NOW))
    assert keys(result)[0] == "rent"
    assert (result.embedded, server.calls) == (False, [])


@pytest.mark.parametrize("behave", ["hang", "drip", "slow 1.2", "fail", "garbage", "nan", "short"])
def test_a_model_slower_than_the_limit_or_wrong_leaves_words_and_says_degraded(
    index, server, behave
):
    server.behave = behave
    built = engine(index, HttpEmbedder(server.url, "m", turn_seconds=0.3), seconds=0.3)
    started = time.monotonic()
    result = built.search(built.asked("aluguel da moradia", NOW))
    assert time.monotonic() - started < 1.1
    assert keys(result) == keys(Engine(index).search(built.asked("aluguel da moradia", NOW)))
    assert keys(result)[0] == "rent"
    assert result.degraded == (DEGRADED,)


def test_a_question_vector_of_another_space_is_degraded_and_never_compared(index, server):
    server.dimension = 2
    model = HttpEmbedder(server.url, "topics")
    built = engine(index, model)
    built._vectors.put(model.model, {"cat": TEXTS["cat"]}, [normalised([1, 2, 3])])
    result = built.search(built.asked("aluguel da moradia", NOW))
    assert result.degraded == (DEGRADED,)


def test_added_words_never_count_as_covering(index, server):
    index.put("k", [Row("k", "Rua das Flores, 12", "Ana", NOW, "k", beside="endereço localização")])
    built = engine(index, HttpEmbedder(server.url, "m"))
    server.behave = "fail"
    result = built.search(built.asked("endereço localização", NOW))
    assert keys(result)[0] == "k"
    assert result.hits[0].coverage == 0.0
    assert server.calls != []


def test_a_filter_holds_for_what_the_model_brings_too(index):
    built = engine(index, Meanings())
    result = built.search(built.asked("Qual é o felino?", NOW), Only(threads=("rent",)))
    assert "cat" not in keys(result)
