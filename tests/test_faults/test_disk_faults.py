"""Every call to the disk fails in its turn, once or for good; then one more run (case C02)."""

from __future__ import annotations

import contextlib
import errno
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from faults import (
    BEFORE,
    LATE,
    NEXT,
    ONE,
    THIRD,
    TWO,
    archive,
    before,
    failing,
    story,
    tree,
)
from sealed_days import DAY, addendum, episode

from hfea.archive.journal import JournalDamaged
from hfea.archive.store import Archive

MOST_CALLS = 1000


def uninterrupted(folder: Path) -> dict[str, bytes]:
    before(folder)
    story(folder)
    return tree(folder)


@contextlib.contextmanager
def naming_its_file(root: Path, code: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        named = error.errno == code and Path(str(error.filename)).is_relative_to(root)
        if not named:
            raise AssertionError(str(error)) from error
        raise


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO], ids=["full", "io"])
@pytest.mark.parametrize("forever", [False, True], ids=["once", "for-good"])
def test_inv_05_c02_a_disk_that_fails_at_any_call_costs_nothing(
    tmp_path: Path, code: int, forever: bool
) -> None:
    wanted = uninterrupted(tmp_path / "whole")
    before(tmp_path / "before")
    for number in range(1, MOST_CALLS):
        root = tmp_path / str(number)
        shutil.copytree(tmp_path / "before", root)
        old = {name: data for name, data in tree(root).items() if BEFORE.isoformat() in name}
        disk = failing(number, code, forever=forever)
        with contextlib.suppress(OSError), naming_its_file(root, code):
            story(root, disk)
        if disk.calls < number:
            break
        assert {name: tree(root)[name] for name in old} == old, number
        story(root)
        assert tree(root) == wanted, number
        assert archive(root).verify() == (), number
        assert all(stat.S_IMODE(p.stat().st_mode) & 0o077 == 0 for p in root.rglob("*"))
    assert number > 60


@pytest.mark.parametrize("number", range(1, 28))  # all that one sealing asks of the disk
def test_a_day_after_a_failed_one_does_not_lose_what_the_failed_one_began(
    tmp_path: Path, number: int
) -> None:
    """A night goes on with the next day, and nobody called `recover` between the two."""
    root = tmp_path / "archive"
    before(root)
    store = archive(root, failing(number, errno.EIO, forever=False))
    with pytest.raises(OSError, match="Input/output"):
        store.seal(episode([ONE, TWO]), [ONE, TWO])
    store.seal(episode([THIRD], NEXT), [THIRD])
    assert store.days()[-1] == NEXT
    assert store.verify() == ()
    store.seal(episode([ONE, TWO]), [ONE, TWO])
    assert store.days() == (BEFORE, DAY, NEXT)
    assert store.verify() == ()


def half_done(root: Path, replaced: int) -> Archive:
    """Leave an archive whose addendum was interrupted after *replaced* files were in place."""
    store = archive(root)
    store.seal(episode([ONE, TWO]), [ONE, TWO])
    # five calls for the journal, then five a file
    interrupted = archive(root, failing(5 + 5 * replaced + 1, errno.EIO, forever=True))
    with pytest.raises(OSError, match="Input/output"):
        interrupted.append(DAY, addendum([LATE]), [LATE])
    assert {f.code for f in store.verify()} >= {"unfinished"}
    return store


@pytest.mark.parametrize("replaced", [0, 1, 2, 3])
def test_c07_an_edit_made_while_a_sealing_lay_unfinished_is_kept(
    tmp_path: Path, replaced: int
) -> None:
    store = half_done(tmp_path / "archive", replaced)
    mine = store.path(DAY).read_bytes() + b"\nA line of my own, written at noon."
    store.path(DAY).write_bytes(mine)
    store.recover()
    assert store.path(DAY).read_bytes().startswith(mine)
    day = store.read(DAY)
    assert [s.text for s in day.statements()].count(LATE.content) == 1
    assert {(f.code, Path(f.path).name) for f in store.verify()} == {("changed", f"{DAY}.md")}
    again = store.path(DAY).read_bytes()
    assert store.recover() == ()
    assert store.path(DAY).read_bytes() == again


def test_a_damaged_journal_stops_the_writer_and_names_itself(tmp_path: Path) -> None:
    root = tmp_path / "archive"
    before(root)
    (root / "pending.json").write_bytes(b'[["2026/')
    was = tree(root)
    for call in (archive(root).recover, lambda: story(root)):
        with pytest.raises(JournalDamaged, match=r"pending\.json is damaged"):
            call()
    assert tree(root) == was


@pytest.mark.parametrize("lost", [None, b"", b"{}", b"[1]", b'{"sequence":"x","seal":1}'])
def test_a_lost_head_file_is_made_anew_from_the_seals(tmp_path: Path, lost: bytes | None) -> None:
    root = tmp_path / "archive"
    whole = uninterrupted(root)
    head = root / "head.json"
    if lost is None:
        head.unlink()
    else:
        head.write_bytes(lost)
    assert {f.path for f in archive(root).verify()} == {"head.json"}
    assert archive(root).recover() == ("head.json",)
    assert tree(root) == whole
