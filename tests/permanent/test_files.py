"""MEMORY.md and USER.md exactly as Hermes keeps them: form, limits, lock, drift, atomicity."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.layers import permanent
from memory_core.layers.permanent import (
    Ambiguous,
    ChangedSince,
    Drifted,
    LockBusy,
    NoSuchEntry,
    Operation,
    OverLimit,
    apply,
    entries,
    limits,
    look,
    writing,
)

ENTRY = (
    st.text(min_size=1, max_size=60)
    .map(str.strip)
    .filter(lambda t: bool(t) and "\n§\n" not in f"\n{t}\n" and "\r" not in t and t.isprintable())
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "memories").mkdir()
    return tmp_path


def write(home: Path, text: str, file: str = "MEMORY.md") -> Path:
    path = home / "memories" / file
    path.write_bytes(text.encode())
    return path


def test_the_shipped_home_is_read_as_hermes_wrote_it(shared: Path) -> None:
    home = shared / "data" / "hermes-home"
    memory, user = look(home, "MEMORY.md"), look(home, "USER.md")
    assert (len(memory.entries), len(user.entries)) == (3, 3)
    assert (memory.used, memory.limit, user.limit) == (240, 2200, 1375)
    assert memory.drift == user.drift == ""
    assert "Gosta de § como separador em notas pessoais (ex.: a § b)" in [
        e.text for e in user.entries
    ]
    assert [e.text for e in memory.entries][2].count("\n") == 2


def test_entries_carry_hash_length_and_estimated_tokens(home: Path) -> None:
    write(home, "um\n§\ndois dois")
    first, second = entries(home)
    assert first.digest == hashlib.sha256(b"um").hexdigest()
    assert (second.length, second.tokens) == (9, 3)


@given(st.lists(ENTRY, max_size=8))
def test_joining_and_parsing_are_inverse(texts: list[str]) -> None:
    assert list(permanent.parse(permanent.joined(texts))) == texts


def test_limits_come_from_hermess_own_config(home: Path) -> None:
    assert (limits(home).memory, limits(home).user) == (2200, 1375)
    (home / "config.yaml").write_text(
        "memory:\n  memory_char_limit: '900'\n  user_char_limit: nonsense\n  write_approval: on\n"
    )
    found = limits(home)
    assert (found.memory, found.user, found.memory_approval, found.skills_approval) == (
        900,
        1375,
        True,
        False,
    )
    (home / "config.yaml").write_text("[broken: {")
    assert limits(home).memory == 2200


def test_adding_appends_in_canonical_form_without_a_last_line_end(home: Path) -> None:
    path = write(home, "um")
    apply(home, Operation("MEMORY.md", "add", "dois"))
    assert path.read_bytes() == "um\n§\ndois".encode()
    assert (home / "memories" / "MEMORY.md.lock").exists()
    assert not list((home / "memories").glob(".mem_*"))


def test_adding_what_is_there_changes_nothing(home: Path) -> None:
    path = write(home, "um\n§\ndois")
    before = path.stat().st_mtime_ns
    assert not apply(home, Operation("MEMORY.md", "add", "um")).changed
    assert path.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("text", "drifts"),
    [("a\n\n§\n\nb", True), ("a\n§\nb\n", False), ("a\n§\nb", False), ("x" * 2300, True)],
)
def test_drift_is_what_hermes_calls_drift(home: Path, text: str, drifts: bool) -> None:
    path = write(home, text)
    assert bool(look(home, "MEMORY.md").drift) is drifts
    operation = Operation("MEMORY.md", "replace", "c", text[:1])
    if drifts:
        with pytest.raises(Drifted):
            apply(home, operation)
        assert path.read_bytes() == text.encode()
    else:
        assert apply(home, operation).changed


def test_add_goes_on_over_blank_lines_as_hermes_does_and_loses_no_entry(home: Path) -> None:
    path = write(home, "a\n\n§\n\nb")
    apply(home, Operation("MEMORY.md", "add", "c"))
    assert path.read_text(encoding="utf-8") == "a\n§\nb\n§\nc"


def test_bytes_that_are_no_text_are_drift_and_never_rewritten(home: Path) -> None:
    path = home / "memories" / "MEMORY.md"
    path.write_bytes(b"caf\xe9\n\xc2\xa7\nb")
    assert look(home, "MEMORY.md").drift == "not_utf8"
    with pytest.raises(UnicodeDecodeError):
        apply(home, Operation("MEMORY.md", "add", "c"))
    assert path.read_bytes() == b"caf\xe9\n\xc2\xa7\nb"


def test_k19_a_full_file_refuses_whole_and_says_what_to_do(home: Path) -> None:
    path = write(home, "x" * 2190)
    with pytest.raises(OverLimit, match="2200"):
        apply(home, Operation("MEMORY.md", "add", "y" * 8))
    assert path.read_bytes() == b"x" * 2190
    with pytest.raises(OverLimit):
        apply(home, Operation("USER.md", "add", "z" * 2100))
    assert not (home / "memories" / "USER.md").exists()


def test_a_part_that_names_two_entries_or_none_changes_nothing(home: Path) -> None:
    write(home, "chave um\n§\nchave dois")
    with pytest.raises(Ambiguous):
        apply(home, Operation("MEMORY.md", "remove", old_text="chave"))
    with pytest.raises(NoSuchEntry):
        apply(home, Operation("MEMORY.md", "remove", old_text="porta"))


def test_a_concurrent_edit_is_noticed(home: Path) -> None:
    path = write(home, "um")
    seen = look(home, "MEMORY.md").digest
    path.write_text("um e meio", encoding="utf-8")
    with pytest.raises(ChangedSince):
        apply(home, Operation("MEMORY.md", "add", "dois"), expect=seen)
    assert path.read_text(encoding="utf-8") == "um e meio"


def test_hermess_lock_is_waited_for_and_respected(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(home, "um")
    monkeypatch.setattr(writing, "LOCK_SECONDS", 0.05)
    handle = os.open(path.with_name("MEMORY.md.lock"), os.O_RDWR | os.O_CREAT)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        with pytest.raises(LockBusy):
            apply(home, Operation("MEMORY.md", "add", "dois"))
        assert path.read_text(encoding="utf-8") == "um"
    finally:
        os.close(handle)
    assert apply(home, Operation("MEMORY.md", "add", "dois")).changed


def test_many_processes_lose_no_entry(home: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from memory_core.layers.permanent import *\n"
        "for n in range(12): apply(Path(sys.argv[1]), Operation('MEMORY.md', 'add', f'{sys.argv[2]}-{n}'))"
    )
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(home), name], cwd=Path(__file__).parents[2]
        )
        for name in "abcd"
    ]
    assert [w.wait() for w in workers] == [0] * 4
    assert sorted(e.text for e in entries(home)) == sorted(
        f"{w}-{n}" for w in "abcd" for n in range(12)
    )


def test_a_write_that_fails_anywhere_leaves_the_file_whole(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(home, "um")
    for name in ("fsync", "fchmod"):

        def broken(*_: object) -> None:
            raise OSError(28, "disk full")

        with monkeypatch.context() as patched:
            patched.setattr(os, name, broken)
            with pytest.raises(OSError, match="disk full"):
                apply(home, Operation("MEMORY.md", "add", "dois"))
        assert path.read_text(encoding="utf-8") in ("um", "um\n§\ndois")
        assert not list((home / "memories").glob(".mem_*"))


def test_the_files_mode_and_a_link_stay(home: Path, tmp_path: Path) -> None:
    real = tmp_path / "elsewhere.md"
    real.write_text("um", encoding="utf-8")
    real.chmod(0o640)
    link = home / "memories" / "MEMORY.md"
    link.symlink_to(real)
    apply(home, Operation("MEMORY.md", "add", "dois"))
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert real.read_text(encoding="utf-8") == "um\n§\ndois"


def test_an_entry_twice_in_a_file_is_one_passage(home: Path) -> None:
    write(home, "um\n§\num")
    assert len(list(permanent.passages(home))) == 1


def test_only_the_proposals_write_permanent_files() -> None:
    """The gate is the one door: no other module calls the writer."""
    root = Path(__file__).parents[2]
    callers = {
        path.relative_to(root).as_posix()
        for room in ("memory_core", "hfea")
        for path in (root / room).rglob("*.py")
        if "permanent.apply(" in (text := path.read_text(encoding="utf-8"))
        or "permanent.put_back(" in text
        or "permanent.writing import" in text
    }
    assert callers == {"memory_core/applying.py", "memory_core/layers/permanent/__init__.py"}
