"""`hfea hermes verify`: a marker for each thing HFEA relies on in Hermes; a missing one is loud."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from hfea.config import Settings
from hfea.errors import HfeaError
from hfea.gate import state_folder
from hfea.service import hermes, hermes_config
from hfea.service.tokens import FILE_NAME, Tokens
from hfea.sources import sqlite_reading

log = logging.getLogger(__name__)

WATCH_SECONDS = 10.0
SILENT = dt.timedelta(hours=2)  # the plugin marks each hour; answers without one tell it is gone


class State(StrEnum):
    """How a marker stands: there, missing (loud), or not asked for."""

    OK = "ok"
    MISSING = "missing"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Marker:
    """One thing relied on; *detail* says what to do where it is missing."""

    name: str
    state: State
    detail: str = ""


def verify(settings: Settings, home: Path) -> tuple[Marker, ...]:
    """Return every marker; without an installation the first says so."""
    known = hermes.record(home)
    if known is None:
        told = "HFEA is not installed here; run `hfea hermes install`"
        return (Marker("installed", State.MISSING, told),)
    try:
        table: dict[str, Any] = dict(hermes_config.read(home))
    except HfeaError as error:
        return (Marker("config_entry", State.MISSING, str(error)),)
    return (
        *_files(home, known),
        _entry(settings, table),
        _enabled(table),
        _token(settings, home, known),
        *_fired(home, known),
        _slot(table, known),
        _textv1(home),
        _approval(table, known),
    )


def missing(found: Iterable[Marker]) -> list[Marker]:
    """Return the markers that are missing."""
    return [m for m in found if m.state is State.MISSING]


def renew(home: Path, found: Iterable[Marker]) -> None:
    """Take note of the Hermes that was verified, once everything but its version is in place.

    So a change of version is loud once, and the next one is noticed again.
    """
    if any(m.name != "hermes_version" for m in missing(found)):
        return
    known, seen = hermes.record(home), hermes.fired(home)
    if known is not None and seen.get("version"):
        told = replace(known, hermes_version=str(seen["version"]))
        path = hermes.folder(home) / hermes.RECORD
        hermes_config.put(path, json.dumps(asdict(told), indent=1).encode())


class Watch:
    """Verifies at the start and whenever another Hermes has loaded the plugin (an update)."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings, self._clock = settings, clock
        self._seen: str | None = None
        self._next = float("-inf")

    def look(self) -> None:
        """Look at most every ten seconds; log each missing marker as an error."""
        if self._clock() < self._next:
            return
        self._next = self._clock() + WATCH_SECONDS
        home = self._settings.core.home
        version = str(hermes.fired(home).get("version", ""))
        if version == self._seen:
            return
        self._seen = version
        if hermes.record(home) is None:
            return
        for marker in missing(verify(self._settings, home)):
            told = {"marker": marker.name, "detail": marker.detail}
            log.error("Hermes lacks what HFEA relies on: %s", marker.name, extra=told)


def _files(home: Path, known: hermes.Record) -> Iterator[Marker]:
    names = [hermes.PLUGIN, *([hermes.PROVIDER] if known.wanted.get("provider") else [])]
    for name in names:
        place = hermes.folder(home, name)
        wrong = []
        for file, body in hermes.copies(name):
            try:
                found = hashlib.sha256((place / file).read_bytes()).digest()
            except OSError:
                found = b""
            if found != hashlib.sha256(body).digest():
                wrong.append(file)
        told = f"{', '.join(wrong)} in {place} differ; run `hfea hermes install` again"
        yield _marker(f"plugin_hash:{name}", not wrong, told)


def _entry(settings: Settings, table: dict[str, Any]) -> Marker:
    found = (table.get("mcp_servers") or {}).get(hermes.SERVER)
    found = found if isinstance(found, dict) else {}
    args = list(found.get("args") or [])
    same = found.get("enabled") is not False and args == hermes.entry(settings)["args"]
    told = "mcp_servers.hfea is not there, is off, or names other settings; install again"
    return _marker("config_entry", same, told)


def _enabled(table: dict[str, Any]) -> Marker:
    plugins = table.get("plugins") or {}
    on = hermes.PLUGIN in (plugins.get("enabled") or [])
    off = hermes.PLUGIN in (plugins.get("disabled") or [])
    told = "plugins.enabled does not name hfea, or plugins.disabled does; install again"
    return _marker("plugin_enabled", on and not off, told)


def _token(settings: Settings, home: Path, known: hermes.Record) -> Marker:
    try:
        secret = (hermes.folder(home) / "token").read_text(encoding="ascii").strip()
        found = Tokens(state_folder(settings) / FILE_NAME).check(secret)
    except (OSError, HfeaError, UnicodeDecodeError):
        found = None
    good = found is not None and found.id == known.token
    return _marker("token", good, "the plugin's token is revoked or gone; install again")


def _fired(home: Path, known: hermes.Record) -> Iterator[Marker]:
    seen = hermes.fired(home)
    hooks = seen.get("hooks") or {}
    told = "no session has run the hook yet; start Hermes, say something, verify again"
    ran = _moment(hooks.get("pre_llm_call"))
    if ran is not None and (answered := _last_answer(home)) and answered - ran > SILENT:
        told = (
            f"Hermes answered at {answered:%Y-%m-%d %H:%M} UTC and the hook last ran {ran:%F %H:%M}"
        )
        ran = None
    yield _marker("hook_fired", ran, told)
    version = str(seen.get("version", ""))
    same = not known.hermes_version or known.hermes_version == version
    if known.hermes_version and not version:
        same = False
    changed = f"Hermes was {known.hermes_version} and is {version or 'unknown'}: look at the rest"
    yield _marker("hermes_version", same, changed)


def _slot(table: dict[str, Any], known: hermes.Record) -> Marker:
    found = str((table.get("memory") or {}).get("provider") or "")
    if known.wanted.get("provider"):
        told = f"memory.provider is {found or 'empty'}, not {hermes.PROVIDER}; install again"
        return _marker("provider_slot", found == hermes.PROVIDER, told)
    told = f"memory.provider was {known.provider_before or 'empty'} and is {found or 'empty'}"
    return _marker("provider_slot", found == known.provider_before, told)


def _textv1(home: Path) -> Marker:
    """Look whether the fact store's vectors are marked as ours (raw text, `textv1`)."""

    def query(db: sqlite3.Connection) -> bool:
        names = {str(r[0]) for r in db.execute("SELECT name FROM sqlite_master")}
        return any("textv1" in name for name in names | set(sqlite_reading.columns(db, "facts")))

    store = home / "memory_store.db"
    if not store.is_file():
        return Marker("textv1", State.OFF, "there is no memory_store.db")
    try:
        marked = sqlite_reading.read(store, query)
    except (sqlite3.Error, OSError, sqlite_reading.SourceBusy) as error:
        return Marker("textv1", State.MISSING, f"memory_store.db cannot be read: {error}")
    told = "its vectors are not marked textv1; HFEA reads them as words only"
    return Marker("textv1", State.OK if marked else State.OFF, "" if marked else told)


def _last_answer(home: Path) -> dt.datetime | None:
    """Return when Hermes last answered, by its own store; None where that cannot be told."""

    def query(db: sqlite3.Connection) -> object:
        sql = "SELECT max(timestamp) FROM (SELECT role, timestamp FROM messages ORDER BY id DESC"
        return db.execute(f"{sql} LIMIT 200) WHERE role = 'assistant'").fetchone()[0]

    try:
        found = sqlite_reading.read(home / "state.db", query)
        return dt.datetime.fromtimestamp(float(str(found)), dt.UTC)
    except (sqlite3.Error, OSError, ValueError, OverflowError, sqlite_reading.SourceBusy):
        return None


def _moment(text: object) -> dt.datetime | None:
    try:
        at = dt.datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=dt.UTC)


def _approval(table: dict[str, Any], known: hermes.Record) -> Marker:
    on = all((table.get(n) or {}).get("write_approval") is True for n in ("memory", "skills"))
    if on:
        return Marker("write_approval", State.OK)
    told = "memory.write_approval and skills.write_approval are not both on"
    wanted = known.wanted.get("write_approval")
    return Marker("write_approval", State.MISSING if wanted else State.OFF, told)


def _marker(name: str, good: object, told: str) -> Marker:
    return Marker(name, State.OK) if good else Marker(name, State.MISSING, told)
