"""A fresh, isolated home for one case: settings, sessions, preloaded authority, and a fence."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hfea import config
from hfea.errors import HfeaError
from hfea.lab.qa20f_files import Case
from memory_core.authority import SEPARATOR

_FENCES: list[tuple[Path, list[str]]] = []
_HOOKED: list[bool] = []


class NotIsolated(HfeaError):
    """The lab would touch what is the invoking user's own; it does not start."""


@contextmanager
def home(case: Case) -> Iterator[tuple[config.Settings, list[str]]]:
    """Give the settings of a scratch home, and the list that refused writes are counted in."""
    with TemporaryDirectory(prefix="hfea-qa20f-") as name:
        root = Path(name).resolve()
        _refuse_own(root)
        _write(root, case)
        table = {
            "timezone": "UTC",
            "owner": {"names": [case.owner] if case.owner else []},
            "archive": {"path": str(root / "archive")},
            "core": {"home": str(root / "home"), "history_days": 0},
            "sources": [{"kind": "jsonl", "path": str(root / "sessions")}],
        }
        settings = config.from_table(table, root / "hfea.toml")
        with fenced(root) as refused:
            yield settings, refused


def _refuse_own(root: Path) -> None:
    """Refuse a scratch folder inside what belongs to the user, and overrides that point there."""
    own = [Path.home() / name for name in (".hermes", ".claude", ".codex", ".openclaw")]
    if any(root.is_relative_to(p) for p in own):
        msg = f"the scratch folder {root} lies in a real home; set TMPDIR elsewhere"
        raise NotIsolated(msg)
    named = [n for n in os.environ if n.startswith("HFEA_")]
    if named:
        msg = f"unset {', '.join(sorted(named))}: the lab runs on settings of its own"
        raise NotIsolated(msg)


def _write(root: Path, case: Case) -> None:
    for folder in ("sessions", "home/memories", "home/skills"):
        (root / folder).mkdir(parents=True)
    lines = "".join(json.dumps(dict(m), ensure_ascii=False) + "\n" for m in case.sessions)
    (root / "sessions" / "sessions.jsonl").write_text(lines, encoding="utf-8")
    for name, texts in case.preload.items():
        place = root / "home" / ("memories" if name.endswith(".md") else "skills") / name
        if not place.resolve().is_relative_to(root / "home"):
            msg = f"case {case.case_id} preloads {name!a}, which lies outside the home"
            raise NotIsolated(msg)
        if place.suffix != ".md":
            place = place / "SKILL.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(SEPARATOR.join(texts), encoding="utf-8")


def authority(settings: config.Settings) -> dict[str, str]:
    """Return everything that steers the agent in a home, by file."""
    root = settings.core.home
    found = {}
    for folder in ("memories", "skills"):
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and not path.name.endswith(".lock"):
                text = path.read_text(encoding="utf-8", errors="replace")
                found[path.relative_to(root).as_posix()] = text
    return found


@contextmanager
def fenced(root: Path) -> Iterator[list[str]]:
    """Let nothing be written outside *root* while the block runs; refusals are listed.

    An audit hook (PEP 578) cannot be taken out again, so one hook serves all fences.
    """
    if not _HOOKED:
        sys.addaudithook(_hook)
        _HOOKED.append(True)
    refused: list[str] = []
    _FENCES.append((root, refused))
    try:
        yield refused
    finally:
        _FENCES.pop()


_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if not _FENCES:
        return
    place = _written(event, args)
    if place is None:
        return
    root, refused = _FENCES[-1]
    path = Path(os.fsdecode(place)).absolute()
    if path.is_relative_to(root) or path.is_relative_to("/dev"):
        return
    refused.append(f"{event} {path}")
    msg = f"the lab writes nothing outside its scratch folder: {path}"
    raise PermissionError(msg)


def _written(event: str, args: tuple[Any, ...]) -> Any:
    """Return the path an event writes to; None for one that writes nothing."""
    if event == "open":
        path, _, flags = args
        writes = isinstance(flags, int) and flags & _WRITES
        return path if writes and isinstance(path, str | bytes | os.PathLike) else None
    if event in ("os.mkdir", "os.remove", "os.rmdir", "os.rename", "os.link", "os.symlink"):
        return args[1] if event in ("os.rename", "os.link", "os.symlink") else args[0]
    return None
