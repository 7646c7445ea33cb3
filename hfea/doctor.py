"""What stands in the way of the night: paths, modes, zone, sources, stores; and what to do."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hfea import keys
from hfea.archive.index import FILE_NAME as INDEX_FILE
from hfea.archive.index import Index
from hfea.clock import SystemClock
from hfea.config import Settings, load
from hfea.errors import HfeaError
from hfea.ledger.store import FILE_NAME as LEDGER_FILE
from hfea.ledger.store import Ledger
from hfea.settings_words import explained
from hfea.sources.registry import build, keeps_days
from memory_core.secrets import Redactor

LEAST_FREE = 100 * 1024 * 1024
_LARGEST_LOOKED_AT = 2 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Found:
    """One thing the doctor saw. `level` is `fine`, `note` or `wrong`; `what` names no content."""

    level: str
    code: str
    what: str
    do: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return it for programs."""
        return asdict(self)

    def as_text(self) -> str:
        """Return it for people."""
        advice = f"\n       {self.do}" if self.do else ""
        return f"{self.level:5}  {self.what}{advice}"


def examine(config: Path | None) -> list[Found]:
    """Look at everything; never raises for what it finds."""
    try:
        settings = load(config)
    except HfeaError as error:
        return [Found("wrong", "settings", str(error))]
    found = [Found("fine", "settings", f"settings {settings.file}")]
    for look in _LOOKS:
        try:
            found += look(settings)
        except HfeaError as error:
            found.append(Found("wrong", "unavailable", str(error)))
    return found


def bundle(found: Sequence[Found]) -> dict[str, Any]:
    """Return counts by level and code only: nothing that names a person, a file or a word."""
    return {
        "levels": dict(Counter(f.level for f in found)),
        "codes": dict(Counter(f"{f.level}:{f.code}" for f in found)),
    }


def _explained(settings: Settings) -> Iterator[Found]:
    for place, value, meaning in explained(settings):
        yield Found("fine", "setting", f"{place} = {value}", meaning)


def _zone(settings: Settings) -> Iterator[Found]:
    machine = os.path.realpath("/etc/localtime").partition("/zoneinfo/")[2]
    if machine and machine != settings.timezone:
        what = f"the machine's zone is {machine}, days are cut in {settings.timezone}"
        yield Found("note", "zone", what, "nothing to do if the setting is where you live")


def _archive(settings: Settings) -> Iterator[Found]:
    root = settings.archive.path
    place = _existing(root)
    if not root.exists() and os.access(place, os.W_OK):
        yield Found("note", "archive", f"the archive {root} is made by the first night")
        return
    if not os.access(place, os.W_OK | os.X_OK) or _read_only(place):
        advice = _sandbox_line(root, "ReadWritePaths") or f"check owner and mode of {place}"
        yield Found("wrong", "archive_read_only", f"the archive {root} cannot be written", advice)
        return
    yield Found("fine", "archive", f"the archive {root} can be written")
    if root.stat().st_mode & 0o077:
        what = f"{root} is open to other accounts"
        yield Found("wrong", "mode", what, f"chmod 700 {root}")
    if shutil.disk_usage(root).free < LEAST_FREE:
        yield Found("wrong", "space", f"less than 100 MB are free on the disk of {root}")


def _key(settings: Settings) -> Iterator[Found]:
    path = settings.key_file
    if not path.exists() and not (settings.archive.path / LEDGER_FILE).exists():
        yield Found("note", "key", f"the key {path} is made by the first night")
        return
    keys.load(path)
    yield Found("fine", "key", f"the key {path}; keep a copy of it away from the archive")


def _sources(settings: Settings) -> Iterator[Found]:
    if not settings.sources:
        yield Found("wrong", "no_sources", "no [[sources]] are set", "hfea sources add KIND PATH")
    for table in settings.sources:
        yield from _source(table.kind, table.path, table.name)


def _source(kind: str, path: Path, name: str) -> Iterator[Found]:
    label = f"{kind} {path}"
    if not path.exists() or not os.access(path, os.R_OK):
        blocked = _existing(path)
        advice = _sandbox_line(path, "BindReadOnlyPaths") or f"the path ends at {blocked}"
        yield Found("wrong", "source_unreachable", f"{label} is missing or not readable", advice)
        return
    yield Found("fine", "source", f"{label} can be read")
    if days := keeps_days(kind, path):
        what = f"{label} deletes its sessions after {days} days"
        yield Found("note", "retention", what, "let `hfea run` work every night, or raise it there")
    for source in build(kind, path, name=name):
        if ignored := source.ignored():
            shown = ", ".join(ignored[:5])
            what = f"{source.name}: {len(ignored)} files beside it are left alone: {shown}"
            yield Found("note", "ignored", what)


def _stores(settings: Settings) -> Iterator[Found]:
    root, clock = settings.archive.path, SystemClock()
    if (root / LEDGER_FILE).exists():
        with Ledger.open(root / LEDGER_FILE, clock, readonly=True) as ledger:
            yield Found("fine", "ledger", f"{len(ledger.nights.sealed_days())} episodes on record")
            for note in ledger.sources.problems()[:20]:
                problem = note.problem
                what = f"{problem.source}: {problem.code} at {problem.where} ({note.times} times)"
                yield Found("note", "source_problem", what, problem.detail)
    if (root / INDEX_FILE).exists():
        with Index(root / INDEX_FILE) as index:
            for fault in index.check().faults:
                yield Found("wrong", "index", f"the index: {fault}", "hfea index rebuild")


def _memory(settings: Settings) -> Iterator[Found]:
    from hfea.doctor_memory import look  # noqa: PLC0415 - heavy

    for level, code, what, advice in look(settings):
        yield Found(level, code, what, advice)


def _secrets(settings: Settings) -> Iterator[Found]:
    """Count secrets in files that Hermes owns; they are never rewritten for it (invariant 12)."""
    home, redactor = settings.core.home, Redactor(b"doctor")
    files = [*home.glob("*.md"), *home.glob("memories/*.md"), *home.glob("skills/**/SKILL.md")]
    for path in sorted({*files, *home.glob("pending/**/*.json")}):
        try:
            if path.is_symlink() or path.stat().st_size > _LARGEST_LOOKED_AT:
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if count := len(redactor.redact(text).found):
            what = f"{path} seems to hold {count} secrets"
            yield Found("note", "secret", what, "move them out; the archive redacts its own copy")


def _existing(path: Path) -> Path:
    """Return *path* or the nearest folder above it that can be seen."""
    while not os.access(path, os.F_OK) and path != path.parent:
        path = path.parent
    return path


def _read_only(path: Path) -> bool:
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def _sandbox_line(path: Path, setting: str) -> str:
    """Return which line of the unit is missing, when run inside one (case O10)."""
    if "INVOCATION_ID" not in os.environ:
        return ""
    hidden = path.is_relative_to("/home") or path.is_relative_to("/root")
    more = " and ProtectHome=tmpfs or read-only" if hidden and setting != "ReadWritePaths" else ""
    return f"add {setting}={path}{more} to the unit (systemctl edit hfea)"


_LOOKS: tuple[Callable[[Settings], Iterator[Found]], ...] = (
    _zone,
    _archive,
    _key,
    _sources,
    _stores,
    _memory,
    _secrets,
    _explained,
)
