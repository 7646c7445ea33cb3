"""Invariant 4: what is sealed is never rewritten, and any difference from it is found."""

from __future__ import annotations

import datetime as dt
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sealed_days import DAY, LATE, ONE, TWO, addendum, archive, codes, episode, message, snapshot

from hfea.archive import layout
from hfea.archive.store import AlreadySealed, Archive, EpisodeGone


def test_inv_04_a_sealed_day_is_never_rewritten(tmp_path: Path) -> None:
    store = archive(tmp_path)
    store.seal(episode([ONE]), [ONE])
    before = snapshot(store.root)
    with pytest.raises(AlreadySealed):
        store.seal(episode([ONE, TWO], inputs="other"), [ONE, TWO])
    assert snapshot(store.root) == before


def test_inv_04_an_addendum_is_appended_and_the_old_bytes_stay_a_prefix(tmp_path: Path) -> None:
    store = archive(tmp_path)
    store.seal(episode([ONE]), [ONE])
    before = store.path(DAY).read_bytes()
    store.append(DAY, addendum([LATE]), [LATE])
    after = store.path(DAY).read_bytes()
    assert after.startswith(before)
    (added,) = store.read(DAY).addenda
    assert (added.number, added.kind) == (1, "late")
    assert store.verify() == ()
    assert not store.append(DAY, addendum([LATE]), [LATE]).changed
    assert store.path(DAY).read_bytes() == after


Damage = Callable[[Archive], None]


def _flip(store: Archive) -> None:
    data = bytearray(store.path(DAY).read_bytes())
    data[len(data) // 2] ^= 1
    store.path(DAY).write_bytes(data)


def _evidence(store: Archive) -> None:
    path = store.root / layout.relative(DAY, layout.EVIDENCE)
    path.write_bytes(path.read_bytes().replace(b"Curitiba", b"Joinvile"))


def _truncate(store: Archive) -> None:
    path = store.path(DAY)
    path.write_bytes(path.read_bytes().split(b"\n## Addendum 2")[0])


def _reorder(store: Archive) -> None:
    path = store.path(DAY)
    first, one, two = path.read_bytes().split(b"\n## Addendum ")
    path.write_bytes(b"\n## Addendum ".join((first, two, one)))


def _forge(store: Archive) -> None:
    path = store.root / layout.relative(DAY, layout.SEAL)
    data = json.loads(path.read_bytes())
    data["blocks"][0]["seal"] = "ab" * 32
    path.write_text(json.dumps(data), encoding="utf-8")


def _drop_block(store: Archive) -> None:
    path = store.root / layout.relative(DAY, layout.SEAL)
    data = json.loads(path.read_bytes())
    del data["blocks"][1]
    path.write_text(json.dumps(data), encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "code", "place"),
    [
        (_flip, "changed", ".md"),
        (_evidence, "changed", ".evidence.jsonl"),
        (lambda s: s.path(DAY).unlink(), "missing", ".md"),
        (lambda s: (s.root / layout.relative(DAY, layout.SEAL)).unlink(), "missing", ".seal.json"),
        (_truncate, "truncated", ".md"),
        (_reorder, "changed", ".md"),
        (_forge, "forged_seal", ".seal.json"),
        (_drop_block, "truncated", ".seal.json"),
        (lambda s: (s.path(DAY).parent / "x.md").write_text("?"), "foreign", "x.md"),
        (lambda s: s.path(DAY).chmod(0o644), "mode", ".md"),
    ],
    ids=[
        "byte",
        "evidence",
        "gone",
        "seal-gone",
        "truncated",
        "reordered",
        "forged",
        "block",
        "foreign",
        "mode",
    ],
)
def test_inv_04_verify_finds_and_names_damage(
    tmp_path: Path, damage: Damage, code: str, place: str
) -> None:
    store = archive(tmp_path)
    store.seal(episode([ONE]), [ONE])
    store.append(DAY, addendum([LATE]), [LATE])
    store.append(DAY, addendum([TWO], "later"), [TWO])
    assert store.verify() == ()
    damage(store)
    assert any(f.code == code and f.path.endswith(place) for f in store.verify()), store.verify()


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_inv_04_any_single_changed_byte_of_any_file_is_found(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    store = archive(tmp_path_factory.mktemp("a"))
    store.seal(episode([ONE, TWO]), [ONE, TWO])
    store.append(DAY, addendum([LATE]), [LATE])
    name = data.draw(st.sampled_from(sorted(snapshot(store.root))))
    path = store.root / name
    body = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(body) - 1))
    body[place] ^= data.draw(st.integers(1, 255))
    path.write_bytes(body)
    assert store.verify() != (), (name, place)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_inv_04_any_missing_or_doubled_line_is_found(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    store = archive(tmp_path_factory.mktemp("a"))
    store.seal(episode([ONE, TWO]), [ONE, TWO])
    store.append(DAY, addendum([LATE]), [LATE])
    suffix = data.draw(st.sampled_from(layout.SUFFIXES[:2]))
    path = store.root / layout.relative(DAY, suffix)
    lines = path.read_bytes().splitlines(keepends=True)
    number = data.draw(st.integers(0, len(lines) - 1))
    lines[number : number + 1] = [lines[number]] * data.draw(st.sampled_from([0, 2]))
    path.write_bytes(b"".join(lines))
    assert any(f.path.endswith(suffix) for f in store.verify())


def two_days(folder: Path) -> tuple[Archive, dt.date]:
    store, later = archive(folder), DAY + dt.timedelta(days=1)
    third = message("The scanner was moved.", 4, later)
    store.seal(episode([ONE, TWO]), [ONE, TWO])
    store.seal(episode([third], later), [third])
    return store, later


def test_inv_04_files_that_changed_places_are_found(tmp_path: Path) -> None:
    store, later = two_days(tmp_path)
    for suffix in layout.SUFFIXES:
        one, two = (store.root / layout.relative(day, suffix) for day in (DAY, later))
        aside = one.with_name("aside")
        shutil.move(one, aside)
        shutil.move(two, one)
        shutil.move(aside, two)
    assert {f.code for f in store.verify()} >= {"forged_seal"}
    assert {Path(f.path).name for f in store.verify()} >= {
        f"{DAY}.seal.json",
        f"{later}.seal.json",
    }


def test_inv_04_a_day_that_was_taken_out_whole_leaves_a_gap_in_the_chain(tmp_path: Path) -> None:
    store, later = two_days(tmp_path)
    for suffix in layout.SUFFIXES:
        (store.root / layout.relative(DAY, suffix)).unlink()
    assert codes(store) == {"missing"}
    assert "seal 1 is missing" in str(store.verify()[0])
    for suffix in layout.SUFFIXES:
        (store.root / layout.relative(later, suffix)).unlink()
    assert codes(store) == {"rolled_back"}


def test_inv_04_a_sealed_day_whose_episode_is_gone_is_not_written_anew(tmp_path: Path) -> None:
    store = archive(tmp_path)
    store.seal(episode([ONE]), [ONE])
    store.path(DAY).unlink()
    was = snapshot(store.root)
    with pytest.raises(EpisodeGone, match="restore it from a backup"):
        store.seal(episode([ONE]), [ONE])
    assert snapshot(store.root) == was


def test_inv_06_a_footnote_is_bound_to_the_very_words_it_cites(tmp_path: Path) -> None:
    """The salt of a footnote's hash is exchanged: every line is as sealed, the binding is not."""
    store = archive(tmp_path)
    store.seal(episode([ONE, TWO]), [ONE, TWO])
    path = store.root / layout.relative(DAY, layout.SEAL)
    data = json.loads(path.read_bytes())
    data["blocks"][0]["cites"].reverse()
    path.write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")
    assert codes(store) == {"dangling"}
