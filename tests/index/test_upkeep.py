from __future__ import annotations

import datetime as dt
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hfea.archive.day_files import day_path
from hfea.archive.index import FILE_NAME, Index, IndexTooNew
from hfea.archive.index_check import IndexUnreadable
from hfea.archive.index_schema import STEPS
from hfea.archive.search import ArchiveSearch
from hfea.archive.search_model import Query

MONDAY = dt.date(2026, 3, 2)
TUESDAY = dt.date(2026, 3, 3)


def in_place(path: Path, text: str):
    path.write_text(text, encoding="utf-8")


def by_rename(path: Path, text: str):
    other = path.with_suffix(".tmp")
    other.write_text(text, encoding="utf-8")
    other.replace(path)


def by_backup(path: Path, text: str):
    """As vim does: the old file is moved away, a new one written, the old one deleted."""
    kept = path.with_name(path.name + "~")
    path.rename(kept)
    path.write_text(text, encoding="utf-8")
    kept.unlink()


def by_sed(path: Path, text: str):
    subprocess.run(["sed", "-i", f"s/.*/{text}/", str(path)], check=True)


@pytest.mark.parametrize("edit", [in_place, by_rename, by_backup, by_sed])
@pytest.mark.parametrize("deep", [False, True])
def test_s08_after_one_scan_old_words_give_no_hit_and_new_words_do(
    indexed: Any, edit: Any, deep: bool
):
    archive = indexed("the boxes are in the cellar")
    edit(day_path(archive.root, MONDAY), "the boxes are in the attic")
    assert archive.found("cellar") == []
    with archive.index() as index:
        assert index.freshness(archive.days()).behind == (MONDAY,)
        assert index.refresh(archive, deep=deep).indexed == (MONDAY,)
    assert archive.found("cellar") == []
    assert archive.found("attic") == ["the boxes are in the attic"]


def test_s08_a_hit_whose_file_says_something_else_is_withheld_and_named(indexed: Any):
    archive = indexed("the boxes are in the cellar")
    archive.write(MONDAY, "the boxes are in the attic")
    with ArchiveSearch.for_maintainer(archive.root / FILE_NAME) as search:
        page = search.search(Query("cellar"))
    assert page.hits == ()
    assert page.withheld == (MONDAY,)


def test_s08_an_edit_of_equal_length_and_time_is_seen_by_a_deep_scan(indexed: Any):
    archive = indexed("the boxes are in the cellar")
    path = day_path(archive.root, MONDAY)
    before = path.stat()
    with path.open("r+b") as f:
        f.write(b"the boxes are in the closet")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with archive.index() as index:
        assert index.refresh(archive).indexed == ()
        assert index.refresh(archive, deep=True).indexed == (MONDAY,)
    assert archive.found("closet") == ["the boxes are in the closet"]


def test_s08_a_deleted_and_a_renamed_day_leave_no_hits(indexed: Any):
    archive = indexed("the boxes are in the cellar")
    archive.write(TUESDAY, "the keys are in the cellar")
    with archive.index() as index:
        index.refresh(archive)
    day_path(archive.root, MONDAY).unlink()
    moved = TUESDAY + dt.timedelta(days=1)
    day_path(archive.root, TUESDAY).rename(day_path(archive.root, moved))
    assert archive.found("cellar") == []
    with archive.index() as index:
        done = index.refresh(archive)
    assert (done.indexed, done.removed) == ((moved,), (MONDAY, TUESDAY))
    assert [hit.day for hit in archive.search("cellar")] == [moved]


def test_a_touched_day_with_the_same_bytes_keeps_its_rows(indexed: Any):
    archive = indexed("the boxes are in the cellar")
    os.utime(day_path(archive.root, MONDAY))
    with archive.index() as index:
        assert index.freshness(archive.days()).current
        assert index.refresh(archive).indexed == ()
    assert archive.found("cellar") == ["the boxes are in the cellar"]


def test_an_edited_day_is_served_marked_and_an_unreadable_one_is_not_served_but_named(indexed: Any):
    archive = indexed("EDITED the boxes are in the cellar")
    assert [hit.sealed for hit in archive.search("cellar")] == [False]
    archive.write(TUESDAY, "UNREADABLE cellar")
    with archive.index() as index:
        assert index.refresh(archive).unreadable == (TUESDAY,)
        fresh = index.freshness(archive.days())
    assert (fresh.edited, fresh.unreadable, fresh.current) == ((MONDAY,), (TUESDAY,), False)
    assert len(archive.found("cellar")) == 1


def test_s09_the_cases_own_desync_is_what_fts5s_own_check_with_rank_1_sees(
    shared: Path, tmp_path: Path
):
    script = shared / "cases" / "files" / "S09" / "make_desync.py"
    told = subprocess.run(
        [sys.executable, script, tmp_path / "d.sqlite"], capture_output=True, text=True, check=True
    ).stdout
    assert "integrity_check: ok" in told
    assert "malformed" in told


def test_s09_a_row_changed_behind_the_triggers_is_found_out_and_repaired(indexed: Any):
    archive = indexed("old cellar note", "another note")
    with sqlite3.connect(archive.root / FILE_NAME) as db:
        db.execute("DROP TRIGGER terms_changed")
        db.execute(
            "UPDATE terms SET said = replace(said, 'cellar', 'attic') WHERE said LIKE '%cellar%'"
        )
    db.close()
    assert archive.found("attic") == []
    with archive.index() as index:
        broken = index.check()
        assert any("FTS5" in fault for fault in broken.faults)
        with pytest.raises(IndexUnreadable, match="FTS5"):
            broken.must_be_sound()
        assert index.repair(archive).sound
    assert archive.found("cellar") == ["old cellar note"]
    assert archive.found("attic") == []


def test_s09_a_text_changed_without_its_terms_is_not_served_under_them(indexed: Any):
    archive = indexed("old cellar note", "another note")
    with sqlite3.connect(archive.root / FILE_NAME) as db:
        db.execute("UPDATE statement SET text = 'old attic note' WHERE text LIKE '%cellar%'")
    db.close()
    assert archive.found("cellar") == []
    assert archive.found("attic") == []
    with archive.index() as index:
        assert any("texts" in fault for fault in index.check().faults)
        assert index.repair(archive).sound
    assert archive.found("cellar") == ["old cellar note"]


def test_s09_ghost_rows_of_the_search_table_are_no_hits_and_are_named(indexed: Any):
    archive = indexed("old cellar note", "another note")
    with sqlite3.connect(archive.root / FILE_NAME) as db:
        db.execute("INSERT INTO words (rowid, said) VALUES (99, 'ghost')")
    db.close()
    assert archive.found("ghost") == []
    with archive.index() as index:
        assert not index.check().sound
        assert index.repair(archive).sound


def test_s18_freshness_is_true_before_during_and_after(indexed: Any):
    archive = indexed("the boxes are in the cellar")
    days = archive.days()
    with ArchiveSearch.for_maintainer(archive.root / FILE_NAME) as search:
        assert search.freshness(days).current
        archive.write(TUESDAY, "the keys are in the attic")
        stale = search.freshness(archive.days())
        assert (stale.current, stale.pending, stale.unindexed) == (False, 1, (TUESDAY,))
        with archive.index() as index:
            index.refresh(archive)
        assert search.freshness(archive.days()).current
        assert len(search.search(Query("attic")).hits) == 1


def test_s18_a_quiet_store_stays_current_over_a_thousand_searches(indexed: Any):
    archive = indexed("the boxes are in the cellar")
    with ArchiveSearch.for_maintainer(archive.root / FILE_NAME) as search:
        for _ in range(1_000):
            assert search.search(Query("cellar")).withheld == ()
        assert search.freshness(archive.days()).current


def test_s18_a_rebuild_killed_half_way_says_what_is_missing_and_refresh_completes_it(toy: Any):
    days = [dt.date(2025, 1, 1) + dt.timedelta(days=n) for n in range(70)]
    for day in days:
        toy.write(day, f"note of {day}")

    class Killed(BaseException):
        pass

    def kill(day: dt.date) -> None:
        if day == days[45]:
            raise Killed

    with toy.index() as index:
        with pytest.raises(Killed):
            index.rebuild(toy, tick=kill)
        assert index.freshness(toy.days()).unindexed == tuple(days[30:])
        index.refresh(toy)
        assert index.freshness(toy.days()).current
        assert index.check().sound


@pytest.mark.parametrize("count", [0, 1, 7, 2_000])
def test_s20_a_rebuild_ends_with_checks_and_canaries_whatever_its_size(toy: Any, count: int):
    toy.write(MONDAY, *(f"note number {n} about the cellar" for n in range(count)))
    with toy.index() as index:
        assert index.rebuild(toy) == count
        check = index.check()
    assert check.sound
    assert (check.statements, check.canaries_found) == (count, min(count, 3))


def test_s20_a_corrupt_search_segment_fails_the_check_and_doctor_sees_why(toy: Any):
    toy.write(MONDAY, *(f"note number {n} about the cellar" for n in range(500)))
    with toy.index() as index:
        index.rebuild(toy)
    with sqlite3.connect(toy.root / FILE_NAME) as db:
        db.execute("UPDATE words_data SET block = zeroblob(length(block)) WHERE id > 100")
    db.close()
    with toy.index() as index:
        assert not index.check().sound
        with pytest.raises(IndexUnreadable):
            index.check().must_be_sound()
        assert index.repair(toy).sound


def test_o08_a_newer_index_is_refused_and_not_touched(indexed: Any):
    archive = indexed("a note")
    path = archive.root / FILE_NAME
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    before = path.read_bytes()
    with pytest.raises(IndexTooNew, match=rf"schema 99.*up to {len(STEPS)}"):
        archive.index()
    with pytest.raises(IndexUnreadable, match="99"):
        ArchiveSearch.for_maintainer(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_x16_the_index_and_its_sidecars_are_private(toy: Any, umask: int):
    toy.write(MONDAY, "a note")
    old = os.umask(umask)
    try:
        with toy.index() as index:
            index.refresh(toy)
            files = list(toy.root.glob("index.sqlite*"))
            assert len(files) == 3
            assert {stat.S_IMODE(f.stat().st_mode) for f in files} == {0o600}
    finally:
        os.umask(old)


def test_erasure_leaves_no_byte_of_a_removed_day(toy: Any):
    toy.write(MONDAY, "zyxwvu is the word~qponml too")
    toy.write(TUESDAY, "an ordinary note")
    with toy.index() as index:
        index.refresh(toy)
        index.put_vector("zyxwvu is the word", "toy", [0.5, 1.0])
        day_path(toy.root, MONDAY).unlink()
        index.refresh(toy)
        index.erase()
        for path in toy.root.glob("index.sqlite*"):
            for word in (b"zyxwvu", b"qponml"):
                assert word not in path.read_bytes(), path.name
        assert index.check().sound


def test_vectors_survive_a_rebuild_and_missing_ones_are_pending(toy: Any):
    toy.write(MONDAY, "one note", "another note")
    with toy.index() as index:
        index.refresh(toy)
        index.put_vector("one note", "toy", [0.5, 1.0])
        index.rebuild(toy)
        assert index.pending_vectors("toy") == 1
        assert index.pending_vectors("another model") == 2


def test_a_copied_archive_searches_as_the_original(
    indexed: Any, tmp_path_factory: pytest.TempPathFactory
):
    archive = indexed("the boxes are in the cellar")
    other = tmp_path_factory.mktemp("moved") / "archive"
    shutil.copytree(archive.root, other)
    with ArchiveSearch.for_maintainer(other / FILE_NAME) as search:
        assert len(search.search(Query("cellar")).hits) == 1
    with Index(other / FILE_NAME) as index:
        assert index.refresh(archive.__class__(other)).indexed == ()
