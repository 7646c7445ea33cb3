from __future__ import annotations

import datetime as dt
import json
import sqlite3
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hfea.archive import candidates
from hfea.archive.index import FILE_NAME
from hfea.archive.index_check import IndexUnreadable
from hfea.archive.search import ArchiveSearch
from hfea.archive.search_model import BadQuery, Query
from hfea.episode import Relation
from memory_core.model import Kind, Theme


def case(shared: Path, name: str) -> tuple[dict[int, str], list[dict]]:
    folder = shared / "cases" / "files" / name
    docs = [json.loads(x) for x in (folder / "docs.jsonl").read_text().splitlines()]
    queries = [json.loads(x) for x in (folder / "queries.jsonl").read_text().splitlines()]
    return {d["id"]: d["content"] for d in docs}, queries


def test_s01_punctuation_is_no_syntax_and_every_query_finds_what_it_means(
    shared: Path, indexed: Any
):
    docs, queries = case(shared, "S01")
    archive = indexed(*docs.values())
    for query in queries:
        found = archive.found(query["q"])
        if query["expect"] is None:
            continue
        if not query["expect"]:
            assert found == [], query["q"]
        for number in query["expect"]:
            assert docs[number] in found[:3], query["q"]


def test_s01_an_engine_error_is_an_error_and_never_an_empty_page(indexed: Any):
    archive = indexed("the backup is in the attic")
    with ArchiveSearch.for_maintainer(archive.root / FILE_NAME) as search:
        with sqlite3.connect(archive.root / FILE_NAME) as db:
            db.execute("DROP TABLE words")
        db.close()
        with pytest.raises(IndexUnreadable, match="cannot be searched"):
            search.search(Query("attic"))


def test_s01_a_missing_index_is_an_error_and_is_not_created(tmp_path: Path):
    with pytest.raises(IndexUnreadable):
        ArchiveSearch.for_maintainer(tmp_path / FILE_NAME)
    assert list(tmp_path.iterdir()) == []


def test_s02_absent_words_lower_the_score_and_do_not_veto(shared: Path, indexed: Any):
    docs, _ = case(shared, "S01")
    archive = indexed(*docs.values())
    asked = "which worker did ticket POL-358 talk about yesterday, please?"
    assert archive.found(asked)[0] == docs[1]
    assert archive.found("onde foi parar o deploy.sh que editamos?")[0] == docs[2]


def test_s03_words_of_unspaced_scripts_are_found_also_two_characters_and_glued_names(
    shared: Path, indexed: Any
):
    docs, queries = case(shared, "S03")
    archive = indexed(*docs.values())
    for query in queries:
        found = archive.found(query["q"])
        assert [docs[n] for n in query["expect"]] == found[: len(query["expect"])], query["q"]


def test_s03_latin_results_keep_their_order_beside_other_scripts(shared: Path, indexed: Any):
    docs, _ = case(shared, "S03")
    latin = ["the NAS holds the backup", "the backup of the backup", "a list of devices"]
    alone = indexed(*latin).found("backup NAS")
    beside = indexed(*latin, *docs.values()).found("backup NAS")
    assert [text for text in beside if text in latin] == alone


def test_s05_accents_and_case_fold_and_the_exact_form_ranks_first(shared: Path, indexed: Any):
    docs, queries = case(shared, "S05")
    archive = indexed(*docs.values())
    for query in queries:
        assert {docs[n] for n in query["expect"]} <= set(archive.found(query["q"])), query["q"]
    assert archive.found("ação")[-1] == docs[2]
    assert archive.found("acao")[0] == docs[2]


@pytest.mark.parametrize(
    ("asked", "first"), [("avó", "a avó ligou"), ("avô", "o avô ligou"), ("AVÓ", "a avó ligou")]
)
def test_s05_the_exact_accent_ranks_above_the_folded_one(indexed: Any, asked: str, first: str):
    archive = indexed("o avô ligou", unicodedata.normalize("NFD", "a avó ligou"))
    assert unicodedata.normalize("NFC", archive.found(asked)[0]) == first


def test_inflected_words_meet_in_both_languages(indexed: Any):
    archive = indexed("tomamos três decisões sobre os servidores", "she decided to move the boxes")
    assert archive.found("decisão do servidor")[0].startswith("tomamos")
    assert archive.found("moving a box")[0].startswith("she")


@pytest.mark.parametrize(
    "text",
    ["", "   ", "?", '"', "🙂", "\x00", "a" * 10_000, "palavra " * 1_300, "NEAR(", "{x}", "\ud800",
     "*", "said:x", "- - -", "the of and", "😀 * \" ' ( ) ^ : AND OR NOT NEAR", "|kind=event"],
)  # fmt: skip
def test_any_string_is_a_valid_query(indexed: Any, text: str):
    indexed("the backup is in the attic").search(text)


@given(text=st.text(max_size=200))
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_no_text_is_syntax(indexed: Any, text: str):
    said = text.replace("\n", " ").replace("\r", " ").replace("~", " ").strip("\x1c\x1d\x1e\x85")
    archive = indexed("the backup is in the attic", said.encode("utf-8", "ignore").decode())
    archive.search(text)


def test_stop_words_alone_are_searched_for_like_any_word(indexed: Any):
    archive = indexed("to be or not to be", "another thing")
    assert archive.found("to be") == ["to be or not to be"]


def test_the_words_of_a_cited_message_find_the_statement_below_its_own_words(indexed: Any):
    archive = indexed("we moved it~the backup of Igor lies in the attic", "the attic is dry")
    assert archive.found("attic") == ["the attic is dry", "we moved it"]
    assert archive.found("Igor") == ["we moved it"]


def test_filters_by_day_kind_theme_and_author_hold_inside_the_match(toy: Any):
    days = [dt.date(2026, 3, n) for n in (2, 3, 4)]
    toy.changes = {
        "the attic in march two": {"kind": Kind.QUOTE, "author": "Igor P."},
        "the attic in march three": {"theme": Theme.DECISION},
    }
    for day, word in zip(days, ("two", "three", "four"), strict=True):
        toy.write(day, f"the attic in march {word}")
    with toy.index() as index:
        index.refresh(toy)
    assert len(toy.found("attic")) == 3
    assert toy.found("attic", first=days[1], after=days[2]) == ["the attic in march three"]
    assert toy.found("attic", kinds=(Kind.QUOTE,)) == ["the attic in march two"]
    assert toy.found("attic", themes=(Theme.DECISION, Theme.MOOD)) == ["the attic in march three"]
    assert toy.found("attic", authors=("igor p.",)) == ["the attic in march two"]
    assert toy.found("", first=days[1]) == ["the attic in march three", "the attic in march four"]
    assert toy.found("", kinds=(Kind.QUOTE,)) == ["the attic in march two"]


def test_pages_follow_one_another_without_gap_or_overlap(indexed: Any):
    texts = [f"attic number {n} of many" for n in range(950)]
    archive = indexed(*texts)
    found, cursor = [], ""
    with ArchiveSearch.for_maintainer(archive.root / FILE_NAME) as search:
        while True:
            page = search.search(Query("attic", limit=70, cursor=cursor))
            assert page.total == 950
            found += [hit.text for hit in page.hits]
            cursor = page.next
            if not cursor:
                break
    assert sorted(found) == sorted(texts)


def test_a_query_of_impossible_bounds_is_the_callers_mistake():
    for wrong in ({"limit": 0}, {"limit": 101}, {"cursor": "x"},
                  {"first": dt.date(2026, 3, 2), "after": dt.date(2026, 3, 1)}):  # fmt: skip
        with pytest.raises(BadQuery):
            Query("x", **wrong)


def test_what_revises_a_statement_later_is_named_with_it(toy: Any, link_to: Any):
    toy.write(dt.date(2026, 3, 2), "we keep the boxes in the attic")
    toy.write(dt.date(2026, 3, 5), "no, the boxes go to the cellar")
    toy.changes = {"no, the boxes go to the cellar": link_to(Relation.REVISES, "s0302-0")}
    with toy.index() as index:
        index.refresh(toy)
    first = toy.search("attic")[0]
    assert first.superseded_by == ("s0305-0",)
    assert toy.search("cellar")[0].links == (("revises", "s0302-0", ""),)
    assert first.message_ids == ("m0",)


def test_common_words_are_still_found_together(toy: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(candidates, "ROW_BUDGET", 20)
    monkeypatch.setattr(candidates, "NEWEST", 10)
    texts = [f"server number {n}" for n in range(60)] + [f"backup number {n}" for n in range(60)]
    toy.write(dt.date(2026, 3, 2), "the backup of the server", *texts)
    with toy.index() as index:
        index.refresh(toy)
    assert toy.found("server backup")[0] == "the backup of the server"
    assert toy.found("backup server number 7")[0] in {"server number 7", "backup number 7"}
