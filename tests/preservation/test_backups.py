"""Snapshots of every store: consistent under load, verified, encrypted, put back elsewhere."""

from __future__ import annotations

import datetime as dt
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.layers import preservation
from memory_core.layers.preservation import (
    CannotDecrypt,
    Damaged,
    InTheWay,
    Keeping,
    Key,
    Lock,
    Manifest,
    Seal,
    Store,
    StoreRecord,
    counts_of,
    create,
    faults,
    faults_of,
    manifest_of,
    read_plainly,
    restore,
    to_drop,
)

NOW = dt.datetime(2026, 11, 3, 12, tzinfo=dt.UTC)
KEY = b"k" * 32


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[tuple[Store, ...]]:
    """A database in WAL mode with rows only in its -wal, a tree, a file, and one that is missing."""
    home = tmp_path / "home"
    (home / "memories").mkdir(parents=True)
    (home / "memories" / "MEMORY.md").write_text("um\n§\ndois", encoding="utf-8")
    (home / "memories" / "MEMORY.md.lock").touch()
    (home / "config.yaml").write_text("a: 1\n")
    db = sqlite3.connect(home / "memory_store.db", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute("CREATE TABLE facts (fact_id INTEGER PRIMARY KEY, content TEXT)")
    db.execute(
        "CREATE VIRTUAL TABLE facts_fts USING fts5(content, content=facts, content_rowid=fact_id)"
    )
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for n in range(50):
        db.execute("INSERT INTO facts VALUES (?, ?)", (n, f"fact {n}"))
        db.execute("INSERT INTO facts_fts (rowid, content) VALUES (?, ?)", (n, f"fact {n}"))
    yield (
        Store("facts", home / "memory_store.db", "sqlite", "home", "memory_store.db"),
        Store("memories", home / "memories", "tree", "home", "memories"),
        Store("config", home / "config.yaml", "file", "home", "config.yaml"),
        Store("gone", home / "state.db", "sqlite", "home", "state.db"),
    )
    db.close()


def describe(records: tuple[StoreRecord, ...]) -> Manifest:
    return Manifest(NOW, "0", records, (3, "ab"))


def backup(tmp_path: Path, stores: tuple[Store, ...], lock: Lock | None = None) -> Path:
    seal = Seal(KEY, lock)
    return create(
        tmp_path / "backups", stores, describe, seal=seal, readers=lambda _: read_plainly
    )[0]


def test_a_file_copy_loses_the_rows_of_the_wal_and_a_backup_does_not(
    tmp_path: Path, stores: tuple[Store, ...]
) -> None:
    copied = tmp_path / "copy.db"
    shutil.copyfile(stores[0].path, copied)
    with closing(sqlite3.connect(copied)) as db:
        assert db.execute("SELECT count(*) FROM facts").fetchone() == (0,)
    place = backup(tmp_path, stores)
    record = manifest_of(place).stores[0]
    assert record.rows["facts"] == 50
    assert counts_of(place / "data" / "home" / "memory_store.db") == dict(record.rows)
    assert list(faults(place, KEY)) == []


def test_o05_a_backup_under_constant_writing_is_one_consistent_state(tmp_path: Path) -> None:
    """Each transaction writes the same number of rows to two tables; a torn copy would differ."""
    path = tmp_path / "busy.db"
    code = (
        "import sqlite3, sys, time\n"
        "db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.execute('PRAGMA journal_mode = WAL')\n"
        "db.execute('CREATE TABLE a (x)'); db.execute('CREATE TABLE b (x)')\n"
        "end = time.time() + 20\n"
        "n = 0\n"
        "while time.time() < end:\n"
        "    db.execute('BEGIN')\n"
        "    db.executemany('INSERT INTO a VALUES (?)', [(n,)] * 7)\n"
        "    db.executemany('INSERT INTO b VALUES (?)', [(n,)] * 7)\n"
        "    db.execute('COMMIT'); n += 1\n"
    )
    writer = subprocess.Popen([sys.executable, "-c", code, str(path)])
    try:
        deadline = time.monotonic() + 10
        while not (path.exists() and path.stat().st_size > 8192) and time.monotonic() < deadline:
            time.sleep(0.05)
        store = Store("busy", path, "sqlite", "home", "busy.db")
        counted = []
        for n in range(5):
            record = preservation.preserve(store, tmp_path / f"to{n}", read_plainly)
            copy = tmp_path / f"to{n}" / "home" / "busy.db"
            assert record.rows["a"] == record.rows["b"] > 0
            assert record.rows["a"] % 7 == 0
            assert counts_of(copy) == dict(record.rows)
            assert record.faults == ()
            counted.append(record.rows["a"])
        assert counted == sorted(counted)
    finally:
        writer.kill()
        writer.wait()


def test_nothing_is_left_beside_what_was_copied_and_passing_files_stay_out(
    tmp_path: Path, stores: tuple[Store, ...]
) -> None:
    before = sorted(p.name for p in (tmp_path / "home").rglob("*"))
    place = backup(tmp_path, stores)
    assert sorted(p.name for p in (tmp_path / "home").rglob("*")) == before
    names = {p.name for p in place.rglob("*") if p.is_file()}
    assert names == {"manifest.json", "memory_store.db", "MEMORY.md", "config.yaml"}
    assert all(p.stat().st_mode & 0o077 == 0 for p in [place, *place.rglob("*")])


def test_a_missing_store_is_said_to_be_missing(tmp_path: Path, stores: tuple[Store, ...]) -> None:
    gone = manifest_of(backup(tmp_path, stores)).stores[3]
    assert gone.missing
    assert gone.files == ()


DAMAGE = {
    "changed byte": lambda data: (data / "home" / "config.yaml").write_text("a: 2\n"),
    "missing file": lambda data: (data / "home" / "config.yaml").unlink(),
    "added file": lambda data: (data / "home" / "new.md").write_text("x"),
    "changed row": lambda data: _run(
        data / "home" / "memory_store.db", "DELETE FROM facts WHERE fact_id = 7"
    ),
}


def _run(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(sql)


@pytest.mark.parametrize("kind", sorted(DAMAGE))
def test_any_damage_to_a_backup_is_found(
    tmp_path: Path, stores: tuple[Store, ...], kind: str
) -> None:
    place = backup(tmp_path, stores)
    DAMAGE[kind](place / "data")
    assert list(faults(place, KEY)) != []


def test_a_manifest_of_somebody_elses_making_is_found(
    tmp_path: Path, stores: tuple[Store, ...]
) -> None:
    place = backup(tmp_path, stores)
    text = (place / "manifest.json").read_text(encoding="utf-8")
    (place / "manifest.json").write_text(
        text.replace('"version": "0"', '"version": "1"'), encoding="utf-8"
    )
    assert list(faults(place, KEY)) == ["the manifest was not signed with this archive's key"]
    (place / "manifest.json").write_text("{", encoding="utf-8")
    with pytest.raises(Damaged):
        list(faults(place, KEY))


def test_a_broken_full_text_index_is_found_though_sqlite_calls_the_file_sound(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT)")
        db.execute("CREATE VIRTUAL TABLE f USING fts5(c, content=t, content_rowid=id)")
        db.execute("INSERT INTO t VALUES (1, 'um dois')")
        db.execute("INSERT INTO f (rowid, c) VALUES (1, 'outra coisa')")
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert [f for f in faults_of(path) if f.startswith("full-text index f")]


def test_faults_a_store_had_before_are_kept_as_they_are_and_not_blamed_on_the_backup(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT)")
        db.execute("CREATE VIRTUAL TABLE f USING fts5(c, content=t, content_rowid=id)")
        db.execute("INSERT INTO f (rowid, c) VALUES (1, 'órfã')")
    place = backup(tmp_path, (Store("x", path, "sqlite", "home", "x.db"),))
    assert manifest_of(place).stores[0].faults
    assert list(faults(place, KEY)) == []


def test_restoring_gives_the_same_files_rows_and_modes(
    tmp_path: Path, stores: tuple[Store, ...]
) -> None:
    (tmp_path / "home" / "config.yaml").chmod(0o640)
    place = backup(tmp_path, stores)
    new = tmp_path / "new"
    manifest = restore(place, {"home": new})
    assert (new / "memories" / "MEMORY.md").read_text(encoding="utf-8") == "um\n§\ndois"
    assert (new / "config.yaml").stat().st_mode & 0o777 == 0o640
    assert counts_of(new / "memory_store.db") == dict(manifest.stores[0].rows)
    with closing(sqlite3.connect(new / "memory_store.db", isolation_level=None)) as db:
        db.execute("INSERT INTO facts VALUES (999, 'goes on')")
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize("name", ["memory_store.db", "memory_store.db-wal", "config.yaml"])
def test_o06_a_restore_never_writes_where_something_stands_also_a_stale_wal(
    tmp_path: Path, stores: tuple[Store, ...], name: str
) -> None:
    place = backup(tmp_path, stores)
    new = tmp_path / "new"
    new.mkdir()
    (new / name).write_bytes(b"somebody else's")
    with pytest.raises(InTheWay, match=name):
        restore(place, {"home": new})
    assert [p.name for p in new.iterdir()] == [name]


def test_a_changed_backup_is_not_restored(tmp_path: Path, stores: tuple[Store, ...]) -> None:
    place = backup(tmp_path, stores)
    (place / "data" / "home" / "config.yaml").write_text("b: 2\n")
    with pytest.raises(Damaged):
        restore(place, {"home": tmp_path / "new"})
    assert not (tmp_path / "new").exists()


def test_a_manifest_cannot_lead_out_of_its_root(tmp_path: Path, stores: tuple[Store, ...]) -> None:
    place = backup(tmp_path, stores)
    text = (place / "manifest.json").read_text(encoding="utf-8")
    (place / "manifest.json").write_text(
        text.replace('"config.yaml"', '"../../evil.yaml"'), encoding="utf-8"
    )
    with pytest.raises(Damaged):
        restore(place, {"home": tmp_path / "new"})
    assert not (tmp_path / "evil.yaml").exists()


def test_an_interrupted_backup_leaves_nothing_that_looks_like_one(
    tmp_path: Path, stores: tuple[Store, ...]
) -> None:
    def broken(records: tuple[StoreRecord, ...]) -> Manifest:
        raise OSError(28, "disk full")

    with pytest.raises(OSError, match="disk full"):
        create(tmp_path / "b", stores, broken, seal=Seal(KEY), readers=lambda _: read_plainly)
    assert list((tmp_path / "b").iterdir()) == []
    (tmp_path / "b" / ".partial-x").mkdir()
    assert preservation.sweep(tmp_path / "b") == 1


@pytest.mark.parametrize("kind", ["passphrase", "recipient"])
def test_an_encrypted_backup_shows_nothing_and_opens_only_with_its_key(
    tmp_path: Path, stores: tuple[Store, ...], kind: str
) -> None:
    pyrage = pytest.importorskip("pyrage")
    identity = pyrage.x25519.Identity.generate()
    lock = (
        Lock(passphrase="três gatos")
        if kind == "passphrase"
        else Lock((str(identity.to_public()),))
    )
    right = (
        Key(passphrase="três gatos") if kind == "passphrase" else Key(f"# made here\n{identity}\n")
    )
    wrong = (
        Key(passphrase="dois")
        if kind == "passphrase"
        else Key(str(pyrage.x25519.Identity.generate()))
    )
    place = backup(tmp_path, stores, lock)
    for path in place.rglob("*"):
        data = path.read_bytes()
        assert b"fact 7" not in data
        assert b"dois" not in data
        assert b"memory_store" not in data
    assert list(faults(place, KEY, right)) == []
    with pytest.raises(CannotDecrypt):
        restore(place, {"home": tmp_path / "new"}, wrong)
    with pytest.raises(CannotDecrypt):
        restore(place, {"home": tmp_path / "new"})
    restore(place, {"home": tmp_path / "new"}, right)
    assert counts_of(tmp_path / "new" / "memory_store.db")["facts"] == 50


def test_a_changed_byte_of_an_encrypted_backup_is_found(
    tmp_path: Path, stores: tuple[Store, ...]
) -> None:
    pyrage = pytest.importorskip("pyrage")
    identity = pyrage.x25519.Identity.generate()
    place = backup(tmp_path, stores, Lock((str(identity.to_public()),)))
    blob = place / "data.tar.age"
    data = bytearray(blob.read_bytes())
    data[-1] ^= 1
    blob.write_bytes(data)
    assert list(faults(place, KEY, Key(str(identity)))) == ["data.tar.age is changed"]
    with pytest.raises(CannotDecrypt):
        restore(place, {"home": tmp_path / "new"}, Key(str(identity)))


@given(st.lists(st.integers(0, 900), unique=True, max_size=60), st.integers(1, 9))
def test_retention_keeps_the_newest_and_never_drops_everything(
    days: list[int], newest: int
) -> None:
    known = [(f"b{d}", NOW - dt.timedelta(days=d)) for d in days]
    gone = set(to_drop(known, Keeping(newest, 4, 6)))
    order = sorted(days)
    assert all(f"b{d}" not in gone for d in order[:newest])
    kept = [b for b in known if b[0] not in gone]
    assert len(kept) <= newest + 4 + 6
    assert set(to_drop(kept, Keeping(newest, 4, 6))) == set()


def test_a_link_is_not_followed_and_that_is_said(tmp_path: Path, stores: tuple[Store, ...]) -> None:
    (tmp_path / "outside.md").write_text("elsewhere")
    (tmp_path / "home" / "memories" / "link.md").symlink_to(tmp_path / "outside.md")
    place = backup(tmp_path, stores)
    assert manifest_of(place).stores[1].faults == ("link not followed: link.md",)
    assert list(faults(place, KEY)) == []
