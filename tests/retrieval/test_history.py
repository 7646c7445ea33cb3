# ruff: noqa: ANN001, ANN003 - a test double says what it is by its name
"""The history layer: the declared window, ranges, speakers, roles, sub-agents, inflections."""

from __future__ import annotations

import datetime as dt

import pytest

from memory_core.layers.history import History, Wanted
from memory_core.model import AuthorKind, Message, Origin, Role
from memory_core.retrieval.embedding import EmbeddingFailed, Gate
from memory_core.retrieval.vectors import VectorStore

NOW = dt.datetime(2026, 10, 20, 12, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)


def message(number, text, *, author="Ana", ago=1, session="s1", **more):
    given = {
        "role": Role.USER,
        "author_kind": AuthorKind.OWNER,
        "origin": Origin.DIRECT,
        "marks": frozenset(),
        **more,
    }
    return Message(
        profile="default",
        source="jsonl:x",
        session_id=session,
        message_id=f"m{number}",
        at=NOW - ago * DAY,
        author=author,
        content=text,
        identity=f"{session}-{number}",
        position=number,
        **given,
    )


@pytest.fixture
def history():
    layer = History()
    yield layer
    layer.close()


def keys(found):
    return [f.passage.message_ids[0] for f in found.found]


def test_a_message_outside_the_declared_window_is_not_found(history):
    history.sync([message(1, "O alvará saiu", ago=40), message(2, "O alvará atrasou", ago=3)])
    assert keys(history.search("alvará", NOW, Wanted(days=30))) == ["m2"]
    assert set(keys(history.search("alvará", NOW, Wanted(days=None)))) == {"m1", "m2"}
    assert history.search("alvará", NOW, Wanted(days=0)).found == ()


def test_nothing_said_after_the_question_is_found(history):
    history.sync([message(1, "O alvará saiu", ago=-1)])
    assert history.search("alvará", NOW).found == ()


def test_a_range_narrows_the_window(history):
    history.sync([message(n, "O alvará mudou", ago=n) for n in range(1, 6)])
    found = history.search("alvará", NOW, Wanted(since=NOW - 3 * DAY, until=NOW - 1 * DAY))
    assert set(keys(found)) == {"m2", "m3"}


def test_a_day_named_in_the_question_brings_its_messages_first(history):
    history.sync(
        [message(n, "Falamos do alvará da obra", ago=n, session=f"s{n}") for n in range(1, 9)]
    )
    assert keys(history.search("O que falamos do alvará em 15/10/2026?", NOW))[0] == "m5"


def test_inflected_words_speaker_role_and_scope_are_searchable(history):
    history.sync(
        [
            message(1, "Decidimos as cotações da obra", author="Ana"),
            message(
                2,
                "A cotação ficou em 300",
                author="Hermes",
                role=Role.ASSISTANT,
                author_kind=AuthorKind.AGENT,
            ),
            message(
                3,
                "Comparei três cotações",
                author="Hermes",
                marks=frozenset({"subagent"}),
                author_kind=AuthorKind.AGENT,
            ),
        ]
    )
    assert set(keys(history.search("cotação", NOW))) == {"m1", "m2", "m3"}
    assert keys(history.search("cotação", NOW, Wanted(speakers=("Ana",)))) == ["m1"]
    assert keys(history.search("cotação", NOW, Wanted(roles=("assistant",)))) == ["m2"]
    assert keys(history.search("cotação", NOW, Wanted(scope="subagent"))) == ["m3"]


def test_me_is_the_speaker_who_asks(history):
    history.sync(
        [
            message(1, "Comprei uma bicicleta azul", author="Rui"),
            message(2, "Comprei uma bicicleta azul", author="Ana"),
        ]
    )
    assert keys(history.search("O que eu comprei?", NOW, Wanted(me="Ana")))[0] == "m2"


def test_what_was_undone_or_is_the_machines_is_never_evidence(history):
    history.sync(
        [
            message(1, "alvará", marks=frozenset({"undone"})),
            message(2, "alvará", marks=frozenset({"machine"})),
        ]
    )
    assert len(history) == 0


def test_origin_and_author_kind_stay_with_the_message(history):
    history.sync(
        [message(1, "alvará na portaria", author_kind=AuthorKind.THIRD_PARTY, origin=Origin.HOSTED)]
    )
    (found,) = history.search("alvará", NOW).found
    assert (found.passage.author_kind, found.passage.origin) == (
        AuthorKind.THIRD_PARTY,
        Origin.HOSTED,
    )
    assert found.passage.key == "jsonl:x/s1/m1"


def test_a_second_sync_writes_only_the_conversation_that_changed(history):
    first = [message(n, f"assunto {n}", session=s) for s in ("s1", "s2") for n in range(3)]
    assert history.sync(first) == 6
    assert history.sync(first) == 0
    assert history.sync([*first, message(3, "mais um assunto", session="s2")]) == 1
    assert history.sync(first[:3]) == 0
    assert len(history) == 3


def test_the_index_lies_where_it_was_put_and_nowhere_else(tmp_path):
    layer = History(tmp_path / "history.sqlite")
    layer.sync([message(1, "alvará")])
    layer.close()
    assert {p.name for p in tmp_path.iterdir()} <= {
        "history.sqlite",
        "history.sqlite-wal",
        "history.sqlite-shm",
    }


class Far:
    """A model that never comes."""

    model = "far"

    def query(self, text):
        raise EmbeddingFailed("timeout", text)

    def passages(self, texts):
        raise EmbeddingFailed("timeout", str(len(texts)))


def test_a_model_that_never_comes_leaves_words_and_says_degraded():
    layer = History(None, VectorStore(), Gate(Far()))
    layer.sync([message(1, "O alvará da portaria saiu")])
    searched = layer.search("alvará do felino", NOW)
    assert keys(searched) == ["m1"]
    assert searched.degraded == ("degraded",)
    assert layer.texts() == {"jsonl:x/s1/m1": "Ana: O alvará da portaria saiu"}
    layer.close()
