# ruff: noqa: ANN001 - fixtures and drawn values are named for what they are
"""The row index: any string is a question, words meet their inflections, filters hold."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.retrieval import ranking
from memory_core.retrieval.asked import asked
from memory_core.retrieval.index import RowIndex
from memory_core.retrieval.index_tables import Only
from memory_core.retrieval.rows import Row, surface, unpacked

NOW = dt.datetime(2026, 10, 20, 12, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
TALK = (
    ("Ana", "Bom dia! Alguma novidade do estúdio?"),
    ("Rui", "Sim, as decisões sobre o aluguel saíram ontem."),
    ("Ana", "E quanto ficou?"),
    ("Rui", "Ficou em 1.850 reais, com reajuste em março."),
    ("Ana", "Ótimo. Eu adotei um gato chamado Biscoito."),
    ("Rui", "Que lindo! Meu cachorro late para ele."),
)


def talk(thread: str = "t1", start: dt.datetime = NOW - 5 * DAY) -> list[Row]:
    return [
        Row(f"{thread}/{n}", text, who, start + n * dt.timedelta(minutes=1), thread, role="user")
        for n, (who, text) in enumerate(TALK)
    ]


def filled(*threads: str) -> RowIndex:
    index = RowIndex()
    index.put_all((t, talk(t), "") for t in threads)
    return index


def best(index: RowIndex, text: str, only: Only | None = None, limit: int = 3) -> list[str]:
    question = asked(text, NOW, index.speakers())
    found = ranking.rank(question, index.slice(question, only or Only()), limit)
    whole = index.rows(r.number for r in found)
    return [whole[r.number].key for r in found]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        '"',
        "a-b NOT (c OR",
        "NEAR/3",
        "*",
        "🙂",
        "合同在哪里",
        "สัญญา",
        "de o que a",
        "x" * 10_240,
        "\0",
        "'; DROP TABLE row; --",
    ],
)
def test_any_string_is_a_question(text):
    assert isinstance(best(filled("t1"), text), list)


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_can_be_kept_and_asked_for(kept, question):
    index = RowIndex()
    bare = kept.encode("utf-8", "replace").decode()
    index.put("t", [Row("k", bare, "Ana", NOW, "t")])
    best(index, question)
    index.drop(["t"])
    assert len(index) == 0
    index.close()


def test_an_inflected_word_finds_its_row_in_portuguese_and_english():
    index = filled("t1")
    assert best(index, "Qual foi a decisão do aluguel?")[0] == "t1/1"
    assert best(index, "Which cat did Ana adopt?")[0] == "t1/4"


def test_the_row_that_answers_is_found_beside_the_row_that_was_met():
    assert "t1/3" in best(filled("t1"), "Quanto ficou o aluguel segundo o Rui?")


def test_rows_of_the_person_asked_about_come_first():
    index = RowIndex()
    index.put(
        "t",
        [
            Row("a", "I bought a red bicycle", "Ana", NOW, "t"),
            Row("b", "I bought a red bicycle", "Rui", NOW, "t"),
        ],
    )
    assert best(index, "What did Rui buy?")[0] == "b"
    assert best(index, "What did Ana buy?")[0] == "a"


def test_a_filter_by_time_speaker_and_thread_lets_nothing_else_through():
    index = RowIndex()
    index.put("t1", talk("t1", NOW - 40 * DAY))
    index.put("t2", talk("t2", NOW - 2 * DAY))
    assert {k[:2] for k in best(index, "aluguel", Only(since=NOW - 30 * DAY), 9)} == {"t2"}
    assert {k[:2] for k in best(index, "aluguel", Only(threads=("t1",)), 9)} == {"t1"}
    keys = best(index, "aluguel decisões", Only(speakers=("Rui",)), 9)
    assert keys
    assert all(int(k[-1]) % 2 for k in keys)


def test_an_appended_row_keeps_what_was_there_and_a_changed_row_replaces_it():
    index = RowIndex()
    rows = talk()
    assert index.put("t1", rows[:4]) == 4
    assert index.put("t1", rows) == 2
    assert len(index) == 6
    changed = [*rows[:5], Row("t1/5", "Comprei um aquário", "Rui", NOW, "t1")]
    assert index.put("t1", changed) == 1
    assert best(index, "aquário")[0] == "t1/5"
    assert "t1/5" not in best(index, "cachorro", limit=1)


def test_counts_after_changes_are_those_of_an_index_filled_afresh():
    changed, fresh = RowIndex(), RowIndex()
    changed.put_all((t, talk(t), "") for t in ("t1", "t2", "t3"))
    changed.put("t2", talk("t2")[:2])
    changed.drop(["t1"])
    fresh.put_all([("t2", talk("t2")[:2], ""), ("t3", talk("t3"), "")])
    a, b = changed.counts(), fresh.counts()
    assert (a.rows, a.mean_size) == (b.rows, b.mean_size)
    for word in ("aluguel", "decisao", "gat", "adot"):
        assert a.frequency(word) == b.frequency(word)


def test_the_order_does_not_depend_on_the_order_of_filling():
    one, two = RowIndex(), RowIndex()
    one.put_all((t, talk(t), "") for t in ("t1", "t2"))
    two.put_all((t, talk(t), "") for t in ("t2", "t1"))
    assert best(one, "aluguel em março", limit=9) == best(two, "aluguel em março", limit=9)


def test_an_index_on_disk_is_there_after_reopening(tmp_path):
    index = RowIndex(tmp_path / "i.sqlite")
    index.put("t1", talk(), stamp="s1")
    index.close()
    again = RowIndex(tmp_path / "i.sqlite")
    assert again.stamps() == {"t1": "s1"}
    assert best(again, "gato Biscoito")[0] == "t1/4"
    again.close()


def test_added_words_rank_a_row_but_are_named_apart_from_its_text():
    index = RowIndex()
    index.put(
        "t",
        [
            Row(
                "k",
                "O estúdio fica na rua das Flores",
                "Ana",
                NOW,
                "t",
                beside="endereço localização",
            ),
            Row("z", "nada", "Ana", NOW, "t"),
        ],
    )
    assert best(index, "endereço do estúdio")[0] == "k"


@given(st.text(max_size=200))
def test_surface_signs_survive_packing(text):
    signs = surface(text)
    assert unpacked(signs.packed()) == unpacked(unpacked(signs.packed()).packed())
    assert unpacked(signs.packed()).times == signs.times
