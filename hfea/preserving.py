"""Backups of everything HFEA and its Hermes home cannot do without, made from settings."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from hfea import __version__, keys
from hfea.archive.index import FILE_NAME as INDEX_FILE
from hfea.archive.seal import Head
from hfea.archive.verify import newest_seal
from hfea.clock import Clock, SystemClock
from hfea.config import Settings
from hfea.errors import HfeaError, Unavailable
from hfea.fixed_questions import answers
from hfea.gate import state_folder
from hfea.ledger.lock import night_lock
from hfea.ledger.store import FILE_NAME as LEDGER_FILE
from hfea.sources import sqlite_reading
from memory_core.layers import preservation
from memory_core.layers.preservation import (
    Key,
    Lock,
    Manifest,
    PreservationError,
    Seal,
    Store,
    StoreRecord,
)

FOLDER = "hfea-backups"
SETTINGS_FILE = "hfea.toml"
KEY_FILE = "hfea.key"
# What of a Hermes home is memory or history; secrets (.env, auth.json) and logs are not.
_TREES = ("memories", "skills", "pending", "wiki", "cron", "sessions")
_FILES = ("config.yaml", "SOUL.md")


class BackupFailed(HfeaError):
    """A backup could not be made, checked or restored; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Made:
    """A new backup: where it is, what it holds, and which older ones it let go."""

    place: Path
    manifest: Manifest
    dropped: tuple[Path, ...]


def folder_of(settings: Settings, given: Path | None = None) -> Path:
    """Return where backups are kept: *given*, or a folder beside the settings file."""
    return (given or settings.file.parent / FOLDER).expanduser().absolute()


def stores(settings: Settings, *, with_key: bool = False) -> list[Store]:
    """Return every store that is preserved, the ledger last: it may know more, never less."""
    home, archive = settings.core.home, settings.archive.path
    found = [Store("settings", settings.file, "file", "settings", SETTINGS_FILE)]
    if with_key:
        found.append(Store("key", settings.key_file, "file", "settings", KEY_FILE))
    found += _home(home, "")
    found += _sources(settings)
    profiles = home / "profiles"
    for folder in sorted(profiles.iterdir()) if profiles.is_dir() else ():
        if folder.is_dir() and not folder.is_symlink():
            found += _home(folder, f"profiles/{folder.name}/")
    for number, wiki in enumerate(settings.core.wiki):
        found.append(Store(f"wiki {number}", wiki, "tree", f"wiki-{number}", ""))
    if settings.core.facts is not None:
        name = settings.core.facts.name
        found.append(Store("facts file", settings.core.facts, "file", "facts", name))
    state = state_folder(settings)
    for path in sorted(state.glob("*.sqlite")) if state.is_dir() else ():
        found.append(Store(f"state {path.stem}", path, "sqlite", "state", path.name))
    if state.is_dir():
        found.append(Store("state files", state, "tree", "state", ""))
    found.append(Store("archive", archive, "tree", "archive", ""))
    found.append(Store("index", archive / INDEX_FILE, "sqlite", "archive", INDEX_FILE))
    found.append(Store("ledger", archive / LEDGER_FILE, "sqlite", "archive", LEDGER_FILE))
    return found


def _home(home: Path, place: str) -> Iterator[Store]:
    databases = sorted(home.glob("*.db")) if home.is_dir() else []
    for path in databases:
        if not path.is_symlink():
            yield Store(f"{place}{path.name}", path, "sqlite", "home", f"{place}{path.name}")
    for name in _TREES:
        if (home / name).is_dir():
            yield Store(f"{place}{name}", home / name, "tree", "home", f"{place}{name}")
    for name in _FILES:
        if (home / name).is_file():
            yield Store(f"{place}{name}", home / name, "file", "home", f"{place}{name}")


def _sources(settings: Settings) -> Iterator[Store]:
    """Yield histories that lie inside the home and are no part of it by themselves."""
    home = settings.core.home
    for source in settings.sources:
        if source.path == home or not source.path.is_relative_to(home):
            continue
        place = source.path.relative_to(home).as_posix()
        if source.path.is_file() and source.path.suffix != ".db":
            yield Store(f"source {place}", source.path, "file", "home", place)
        elif source.path.is_dir() and place.partition("/")[0] not in (*_TREES, "profiles"):
            yield Store(f"source {place}", source.path, "tree", "home", place)


def create(
    settings: Settings,
    *,
    folder: Path | None = None,
    lock: Lock | None = None,
    keeping: preservation.Keeping | None = None,
    clock: Clock | None = None,
) -> Made:
    """Make a backup, check it, and let older ones go by *keeping* (None: all stay).

    The archive key goes along only into an encrypted one. Raises BackupFailed, Unavailable
    (a night is running), KeyMissing.
    """
    clock = clock or SystemClock()
    place = folder_of(settings, folder)
    key = keys.load(settings.key_file)
    if place.is_relative_to(settings.archive.path):
        raise BackupFailed(f"{place} lies inside the archive; name a folder outside it")
    try:
        with ExitStack() as held:
            if settings.archive.path.is_dir():
                held.enter_context(night_lock(settings.archive.path))
            preservation.sweep(place)
            made, manifest = preservation.create(
                place,
                stores(settings, with_key=lock is not None),
                _describer(settings, clock.now()),
                seal=Seal(key, lock),
                readers=_reader,
            )
        dropped = _tidy(place, keeping) if keeping else ()
    except (PreservationError, sqlite3.Error, sqlite_reading.SourceBusy) as error:
        raise BackupFailed(f"no backup was made: {error}") from error
    return Made(made, manifest, dropped)


def _reader(store: Store) -> preservation.Reader[StoreRecord]:
    """Read Hermes's databases so that nothing appears beside them (invariant 1)."""
    return sqlite_reading.read if store.root == "home" else preservation.read_plainly


def _describer(
    settings: Settings, now: dt.datetime
) -> Callable[[tuple[StoreRecord, ...]], Manifest]:
    def describe(records: tuple[StoreRecord, ...]) -> Manifest:
        head, _ = newest_seal(settings.archive.path)
        roots = {
            "home": str(settings.core.home),
            "archive": str(settings.archive.path),
            "settings": str(settings.file.parent),
            "state": str(state_folder(settings)),
        }
        return Manifest(
            created=now.astimezone(dt.UTC),
            version=__version__,
            stores=records,
            head=(head.sequence, head.hex),
            answers=answers(settings, now),
            roots=roots,
        )

    return describe


def _tidy(place: Path, keeping: preservation.Keeping) -> tuple[Path, ...]:
    known = preservation.backups(place)
    gone = preservation.to_drop(((p.name, m.created) for p, m in known), keeping)
    for name in gone:
        preservation.drop(place / name)
    return tuple(place / name for name in gone)


def expire(settings: Settings, before: dt.datetime, folder: Path | None = None) -> list[Path]:
    """Drop every backup made before a moment, if a sound one was made since; for forgetting.

    Raises BackupFailed where there is no later backup: nothing is dropped then.
    """
    place = folder_of(settings, folder)
    known = preservation.backups(place)
    if not any(m.created >= before for _, m in known):
        raise BackupFailed("make and verify a new backup first; the old ones stay until then")
    old = [p for p, m in known if m.created < before]
    for path in old:
        preservation.drop(path)
    return old


def chosen(settings: Settings, name: str = "", folder: Path | None = None) -> Path:
    """Return the backup that *name* names (a folder or its name), or the newest one."""
    if name and Path(name).is_dir():
        return Path(name)
    place = folder_of(settings, folder)
    if name:
        if "/" in name or not (place / name).is_dir():
            raise BackupFailed(f"there is no backup {name[:80]!a} in {place}")
        return place / name
    known = preservation.backups(place)
    if not known:
        raise Unavailable(f"there is no backup in {place}; `hfea backup create` makes one")
    return known[-1][0]


def faults(settings: Settings, place: Path, opener: Key | None = None) -> list[str]:
    """Return what is wrong with a backup. Raises BackupFailed where it cannot be opened."""
    try:
        return list(preservation.faults(place, keys.load(settings.key_file), opener))
    except (PreservationError, OSError) as error:
        raise BackupFailed(str(error)) from error


def known_heads(settings: Settings, folder: Path | None = None) -> Sequence[Head]:
    """Return the archive's head as the newest signed backup recorded it.

    An archive that lacks it was rolled back. A manifest not signed with this key says nothing.
    """
    known = preservation.backups(folder_of(settings, folder))
    if not known:
        return ()
    key = keys.load(settings.key_file)
    heads = [m.head for _, m in known if m.head[0] and m.is_signed_by(key)]
    return (Head(*heads[-1]),) if heads else ()
