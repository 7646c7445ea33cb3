"""The index over files that the archive itself wrote."""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import replace
from pathlib import Path

from hfea.archive.day_files import day_path
from hfea.archive.index import FILE_NAME, Index
from hfea.archive.search import ArchiveSearch
from hfea.archive.search_model import Excerpt, Query
from hfea.archive.store import Archive
from hfea.episode import Citation, Episode, Narration, Statement, Thread, statement_id
from memory_core.model import AuthorKind, Kind, Message, Origin, Role, Theme

SAID = {
    dt.date(2026, 3, 2): ["as caixas ficam no sótão por enquanto", "o Igor rodou o deploy.sh"],
    dt.date(2026, 3, 3): ["as caixas vão para o porão", "备份放在阁楼"],
}


def message(day: dt.date, number: int, text: str) -> Message:
    return Message(
        profile="default",
        source="jsonl:toy",
        session_id=f"s-{day}",
        message_id=f"m{number}",
        at=dt.datetime(day.year, day.month, day.day, 12, number, tzinfo=dt.UTC),
        role=Role.USER,
        author="Ana",
        author_kind=AuthorKind.OWNER,
        origin=Origin.DIRECT,
        content=text,
        identity=hashlib.sha256(text.encode()).hexdigest(),
        position=number,
    )


def episode(day: dt.date, messages: list[Message]) -> Episode:
    start = dt.datetime(day.year, day.month, day.day, 3, tzinfo=dt.UTC)
    statements = []
    for m in messages:
        places = (Citation(m.source, m.session_id, m.message_id, m.at, 0, len(m.content)),)
        statements.append(
            Statement(
                statement_id(day, Kind.QUOTE, m.content, places),
                Kind.QUOTE,
                Theme.OTHER,
                m.content,
                m.at,
                "Ana",
                m.author_kind,
                m.origin,
                places,
            )
        )
    thread = Thread("t1", "mudança", "as caixas", (f"s-{day}",), start, start, tuple(statements))
    end = start + dt.timedelta(days=1)
    zone, inputs = "America/Sao_Paulo", "00" * 32
    return Episode(day, zone, start, end, ("s",), (thread,), (), (), (), Narration(), inputs)


def sealed_archive(root: Path) -> Archive:
    archive = Archive(root, b"k" * 32)
    for day, texts in SAID.items():
        messages = [message(day, number, text) for number, text in enumerate(texts)]
        archive.seal(episode(day, messages), messages)
    return archive


def answers(root: Path) -> list[tuple[Excerpt, ...]]:
    with ArchiveSearch.for_maintainer(root / FILE_NAME) as search:
        asked = ("caixas", "sotao", "deploy.sh", "备份", "")
        return [search.search(Query(text)).hits for text in asked]


def test_what_the_archive_sealed_is_found_and_a_rebuild_finds_the_same(tmp_path: Path) -> None:
    archive = sealed_archive(tmp_path)
    with Index(tmp_path / FILE_NAME) as index:
        for day in sorted(archive.days(), reverse=True):
            index.add_day(archive.read(day))
        assert index.state() == {day: archive.read(day).digest for day in archive.days()}
        assert index.freshness(archive.days()).current
    before = answers(tmp_path)
    assert [len(hits) for hits in before] == [2, 1, 1, 1, 4]
    assert all(hit.sealed for hits in before for hit in hits)
    for path in tmp_path.glob(f"{FILE_NAME}*"):
        path.unlink()
    with Index(tmp_path / FILE_NAME) as index:
        assert index.rebuild(archive) == 4
    assert answers(tmp_path) == before


def test_a_correction_is_shown_with_what_it_corrects(tmp_path: Path) -> None:
    archive = sealed_archive(tmp_path)
    day = dt.date(2026, 3, 2)
    wrong = next(archive.read(day).statements())
    on = dt.date(2026, 3, 9)
    archive.correct(day, wrong.id, "as caixas ficam na garagem", on=on, by="Ana")
    with Index(tmp_path / FILE_NAME) as index:
        index.refresh(archive)
    with ArchiveSearch.for_maintainer(tmp_path / FILE_NAME) as search:
        old, new = search.search(Query("sótão")).hits
        assert new.text == search.search(Query("garagem")).hits[0].text
    assert old.superseded_by == (new.id,)
    assert (old.addendum, new.addendum) == (0, 1)


def test_a_hand_edit_is_found_by_its_new_words_and_says_that_it_is_one(tmp_path: Path) -> None:
    archive = sealed_archive(tmp_path)
    path = day_path(tmp_path, dt.date(2026, 3, 2))
    with Index(tmp_path / FILE_NAME) as index:
        index.refresh(archive)
        path.write_text(path.read_text().replace("sótão", "forro"))
        index.refresh(archive)
    with ArchiveSearch.for_maintainer(tmp_path / FILE_NAME) as search:
        assert [hit.sealed for hit in search.search(Query("forro")).hits] == [False]
        assert index_hits(search, "sótão") == ["cited"]


def index_hits(search: ArchiveSearch, text: str) -> list[str]:
    """The evidence file still has the old word, so its statement is found as citing it."""
    return ["cited" if text not in hit.text else "said" for hit in search.search(Query(text)).hits]


def test_two_stretches_of_one_message_are_both_searchable(tmp_path: Path) -> None:
    day = dt.date(2026, 3, 4)
    long = "primeira palavra " + "x " * 2_000 + "derradeira palavra"
    hosted = replace(
        message(day, 0, long), author_kind=AuthorKind.TOOL, origin=Origin.HOSTED, role=Role.TOOL
    )
    made = episode(day, [hosted])
    (thread,) = made.threads
    (whole,) = thread.statements
    ends = tuple(
        replace(whole.citations[0], start=start, end=start + 8) for start in (0, len(long) - 8)
    )
    both = replace(whole, text="duas pontas", kind=Kind.HOSTED, citations=ends)
    archive = Archive(tmp_path, b"k" * 32)
    archive.seal(replace(made, threads=(replace(thread, statements=(both,)),)), [hosted])
    with Index(tmp_path / FILE_NAME) as index:
        index.refresh(archive)
    with ArchiveSearch.for_maintainer(tmp_path / FILE_NAME) as search:
        for word in ("primeira", "derradeira"):
            assert [hit.text for hit in search.search(Query(word)).hits] == ["duas pontas"]
