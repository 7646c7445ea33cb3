from __future__ import annotations

import datetime as dt
import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from sealed_days import DAY, LATE, ONE, TWO, addendum, archive, codes, episode, message, snapshot

from hfea import keys
from hfea.archive import layout
from hfea.archive.journal import ArchiveChanged, Change, UnsafePlace, commit
from hfea.archive.seal import Head
from hfea.archive.store import Archive, DanglingCitation
from hfea.errors import HfeaError, UsageError
from memory_core.model import AuthorKind, Origin


def test_a_sealed_day_reads_back_with_evidence_for_each_citation(tmp_path: Path) -> None:
    store = archive(tmp_path)
    done = store.seal(episode([ONE, TWO]), [ONE, TWO])
    day = store.read(DAY)
    assert day.findings == ()
    assert day.episode is not None
    assert [s.text for s in day.statements()] == [ONE.content, TWO.content]
    for s in day.statements():
        (c,) = s.citations
        (kept,) = [e for e in day.evidence if e.message_id == c.message_id]
        assert kept.text[c.start : c.end] == s.text
        assert len(c.digest) == 64
    assert (done.sequence, done.changed, store.verify()) == (1, True, ())


def test_a_correction_cites_what_it_corrects_and_is_the_owners(tmp_path: Path) -> None:
    store = archive(tmp_path)
    store.seal(episode([ONE]), [ONE])
    (old,) = store.read(DAY).statements()
    store.correct(DAY, old.id, "In Porto Alegre.", on=dt.date(2026, 3, 9), by="Ana")
    (_, new) = store.read(DAY).statements()
    assert new.citations[0].message_id == old.citations[0].message_id
    assert (new.author_kind, new.links[0].statement) == (AuthorKind.OWNER, old.id)
    assert store.verify() == ()
    with pytest.raises(UsageError, match="no statement"):
        store.correct(DAY, "s0000000000", "x", on=DAY, by="Ana")


def test_inv_06_a_citation_that_resolves_to_nothing_is_refused(tmp_path: Path) -> None:
    store = archive(tmp_path)
    with pytest.raises(DanglingCitation):
        store.seal(episode([ONE, TWO]), [ONE])
    assert store.days() == ()


def test_hosted_text_is_kept_only_around_the_citation_and_own_words_whole(tmp_path: Path) -> None:
    own = message("a" * 3000)
    tool = message("x" * 4000, 2, author_kind=AuthorKind.TOOL, origin=Origin.HOSTED)
    value = episode([own, tool])
    (first, second) = value.threads[0].statements
    short = replace(second, citations=(replace(second.citations[0], start=2000, end=2040),))
    value = replace(value, threads=(replace(value.threads[0], statements=(first, short)),))
    store = archive(tmp_path)
    store.seal(value, [own, tool])
    kept = {e.message_id: e for e in store.read(DAY).evidence}
    assert len(kept["1"].text) == 3000
    assert len(kept["2"].text) <= 500
    assert kept["2"].holds(2000, 2040)


@pytest.mark.parametrize("mask", [0o022, 0o000])
def test_x16_files_are_0600_and_folders_0700_under_any_umask(tmp_path: Path, mask: int) -> None:
    old = os.umask(mask)
    try:
        store = archive(tmp_path)
        store.seal(episode([ONE]), [ONE])
        store.append(DAY, addendum([LATE]), [LATE])
    finally:
        os.umask(old)
    for path in (store.root, *store.root.rglob("*")):
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == wanted, path
    assert store.verify() == ()


def test_x08_links_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    secret = outside / "secret.txt"
    secret.write_text("foreign words", encoding="utf-8")
    store = archive(tmp_path)
    store.seal(episode([ONE]), [ONE])
    path = store.path(DAY)
    path.unlink()
    path.symlink_to(secret)
    day = store.read(DAY)
    assert day.episode is None
    assert "link" in {f.code for f in day.findings}
    later = dt.date(2026, 4, 1)
    store.root.joinpath("2026", "04").symlink_to(outside)
    m = message("April.", 9, later)
    with pytest.raises(UnsafePlace):
        store.seal(episode([m], later), [m])
    dangling = store.root / "2026" / "05"
    dangling.mkdir()
    may = dt.date(2026, 5, 1)
    (dangling / "2026-05-01.md").symlink_to(tmp_path / "nowhere")
    m = message("May.", 9, may)
    store.seal(episode([m], may), [m])
    assert not store.path(may).is_symlink()
    assert not (tmp_path / "nowhere").exists()
    assert secret.read_text(encoding="utf-8") == "foreign words"


def test_x07_only_real_days_in_ascii_digits_are_days(shared: Path) -> None:
    text = (shared / "cases" / "files" / "X07" / "dates.txt").read_text("utf-8")
    *single, first, second = text.rstrip("\n").split("\n")
    refused = [*single[1:], f"{first}\n{second}", f"{first}\n", "", "2026-03-05\0"]
    assert layout.parse_day(single[0]) == DAY
    for line in refused:
        with pytest.raises(layout.NotADay):
            layout.parse_day(line)


def test_m02_titles_come_back_from_front_matter_with_a_plain_safe_loader(
    shared: Path, tmp_path: Path
) -> None:
    data = json.loads((shared / "cases/files/M02/titles.json").read_text("utf-8"))
    titles = data if isinstance(data, list) else data["titles"]
    value = episode([ONE])
    value = replace(value, threads=tuple(replace(value.threads[0], title=t) for t in titles))
    store = archive(tmp_path)
    store.seal(value, [ONE])
    text = store.path(DAY).read_text("utf-8")
    head = yaml.safe_load(text.split("---\n")[1])
    assert [t["title"] for t in head["threads"]] == titles
    assert head["date"] == "2026-03-05"
    assert store.path(DAY).name == "2026-03-05.md"


def test_a_rolled_back_archive_is_found_by_heads_recorded_elsewhere(tmp_path: Path) -> None:
    store = archive(tmp_path)
    store.seal(episode([ONE]), [ONE])
    old = snapshot(store.root)
    store.append(DAY, addendum([LATE]), [LATE])
    newest = store.head()
    for name, (body, _) in old.items():
        (store.root / name).write_bytes(body)
    assert codes(store) == set()
    assert codes(store, known_heads=[newest]) == {"rolled_back"}
    assert codes(store, expect_head=newest.hex) == {"rolled_back"}
    assert codes(store, expect_head=store.head().hex, known_heads=[Head()]) == set()


def test_another_key_cannot_have_sealed_it(tmp_path: Path) -> None:
    archive(tmp_path).seal(episode([ONE]), [ONE])
    assert codes(Archive(tmp_path / "archive", b"k" * 32)) == {"forged_seal"}


def test_c07_a_persons_edits_are_kept_reported_and_never_overwritten(tmp_path: Path) -> None:
    store = archive(tmp_path)
    store.seal(episode([ONE, TWO]), [ONE, TWO])
    path = store.path(DAY)
    edited = path.read_text("utf-8").replace("in Curitiba", "in Joinville")
    edited = edited.replace("---\nformat", "---\nmine: yes\nformat", 1)
    edited = edited.replace("\n## Backups", "\nMy own paragraph.\n\n## Backups")
    path.write_text(edited, encoding="utf-8")
    day = store.read(DAY)
    assert {f.code for f in day.findings} == {"changed"}
    assert "We keep the backups in Joinville." in [s.text for s in day.statements()]
    assert not store.seal(episode([ONE, TWO]), [ONE, TWO]).changed
    assert path.read_text("utf-8") == edited
    store.append(DAY, addendum([LATE]), [LATE])
    assert path.read_text("utf-8").startswith(edited)
    assert LATE.content in [s.text for s in store.read(DAY).statements()]


def test_c07_a_file_with_broken_front_matter_is_left_byte_for_byte_and_reported(
    tmp_path: Path,
) -> None:
    store = archive(tmp_path)
    store.seal(episode([ONE]), [ONE])
    broken = b"---\nformat: [\n" + store.path(DAY).read_bytes()
    store.path(DAY).write_bytes(broken)
    day = store.read(DAY)
    assert day.episode is None
    assert {"changed", "unreadable"} <= {f.code for f in day.findings}
    with pytest.raises(HfeaError, match="cannot be read"):
        store.append(DAY, addendum([LATE]), [LATE])
    assert store.path(DAY).read_bytes() == broken


def test_an_edit_between_planning_and_writing_wins(tmp_path: Path) -> None:
    store = archive(tmp_path)
    store.seal(episode([ONE]), [ONE])
    head = store.root / layout.HEAD_FILE
    with pytest.raises(ArchiveChanged):
        commit(store.root, [Change(layout.HEAD_FILE, "0" * 64, b"{}")], store._disk)
    assert json.loads(head.read_bytes())["sequence"] == 1


def test_the_key_is_made_once_0600_and_never_silently_replaced(tmp_path: Path) -> None:
    path = tmp_path / "settings" / "hfea.key"
    key = keys.load_or_create(path, archive_exists=False)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert keys.load_or_create(path, archive_exists=True) == key
    path.unlink()
    with pytest.raises(keys.KeyMissing):
        keys.load_or_create(path, archive_exists=True)
    path.write_text("nonsense", encoding="ascii")
    path.chmod(0o600)
    with pytest.raises(keys.KeyUnusable):
        keys.load(path)
