"""What the doctor says of memory: drifted files, writes past the gate, backups and their age."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Iterator
from contextlib import closing

from hfea import preserving
from hfea.clock import Clock, SystemClock
from hfea.config import Settings
from hfea.gate import state_file
from memory_core import sqlite_kit
from memory_core.layers import permanent, preservation, skills, wiki

OLD = dt.timedelta(days=8)  # a weekly backup and a day to spare

Seen = tuple[str, str, str, str]  # level, code, what, what to do


def look(settings: Settings, clock: Clock | None = None) -> Iterator[Seen]:
    """Yield (level, code, what, what to do); nothing is made by looking."""
    yield from _permanent(settings)
    yield from _folders(settings)
    yield from _state(settings)
    yield from _backups(settings, (clock or SystemClock()).now())


def _permanent(settings: Settings) -> Iterator[Seen]:
    home = settings.core.home
    for file in permanent.FILES:
        try:
            kept = permanent.look(home, file)
        except OSError as error:
            yield "wrong", "permanent_unreadable", f"{file}: {error.strerror}", "check its mode"
            continue
        if kept.drift:
            what = f"{file} is not as Hermes writes it ({kept.drift})"
            yield "wrong", "permanent_drift", what, "put it right by hand: one entry a block"
        if kept.used > kept.limit:
            what = f"{file} holds {kept.used} of {kept.limit} characters"
            yield "note", "permanent_full", what, "raise the limit in config.yaml, or shorten it"
    if (home / "memories").is_dir() and not permanent.limits(home).memory_approval:
        what = "the agent writes MEMORY.md and USER.md past the gate"
        yield "note", "write_approval_off", what, "set memory.write_approval: true in config.yaml"


def _folders(settings: Settings) -> Iterator[Seen]:
    folders = settings.core.wiki or (settings.core.home / "wiki",)
    for path, why in wiki.oddities(folders):
        yield "note", f"wiki_{why}", f"{path} is left out of the wiki ({why})", ""
    for skill in skills.skills(settings.core.home / "skills"):
        if skill.problems:
            what = f"the skill {skill.path}: {', '.join(skill.problems)}"
            yield "note", "skill", what, "Hermes may not take it"


def _state(settings: Settings) -> Iterator[Seen]:
    path = state_file(settings)
    if not path.is_file():
        return
    try:
        with closing(sqlite_kit.connect(path, readonly=True)) as db:
            (answer,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.Error as error:
        answer = str(error)
    if answer != "ok":
        yield "wrong", "proposals", f"{path}: {answer}", "restore it: hfea backup restore"


def _backups(settings: Settings, now: dt.datetime) -> Iterator[Seen]:
    known = preservation.backups(preserving.folder_of(settings))
    if not known:
        if settings.archive.path.is_dir():
            yield "note", "no_backup", "there is no backup yet", "hfea backup create"
        return
    age = now - known[-1][1].created
    if age > OLD:
        what = f"the newest backup is {age.days} days old"
        yield "note", "old_backup", what, "hfea backup create"
    else:
        yield "fine", "backup", f"{len(known)} backups, the newest {age.days} days old", ""
