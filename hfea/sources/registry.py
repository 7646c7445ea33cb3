"""Which sources there are: built from a kind and a path, or found on this machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from hfea.errors import UsageError
from hfea.sources.base import Source
from hfea.sources.claude_code import claude_code_source
from hfea.sources.codex import codex_source
from hfea.sources.hermes import HermesSource, hermes_profiles
from hfea.sources.jsonl import jsonl_source
from hfea.sources.openclaw import OpenClawSource

KINDS = ("hermes", "claude-code", "openclaw", "codex", "jsonl")
CLAUDE_KEEPS_DAYS = 30  # Claude Code's own default of cleanupPeriodDays
HERMES_KEEPS_DAYS = 90  # and Hermes's, where pruning is switched on


class UnknownKind(UsageError):
    """A source names a kind that HFEA does not read."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"there is no source kind {kind!r}; use one of {', '.join(KINDS)}")


@dataclass(frozen=True, slots=True)
class Found:
    """An agent found on this machine. `keeps_days` says after how many days it deletes, if so."""

    kind: str
    path: Path
    keeps_days: int | None


def build(
    kind: str, path: Path, *, name: str = "", zone: str | None = None, full: bool = False
) -> list[Source]:
    """Return the sources of *kind* at *path*; a Hermes home gives one a profile.

    *name* is the stable key where several sources of a kind are configured. *zone* is what
    naive times are read in (neutral JSONL only). Raises UnknownKind.
    """
    if kind == "hermes":
        if path.is_file():
            return [HermesSource(path, name or "hermes:default", "default", full)]
        found = hermes_profiles(path, full=full)
        if name:
            for source in found:
                source.name = f"{name}:{source.profile}"
        return list(found)
    if kind == "claude-code":
        return [claude_code_source(path, name=name or kind, full=full)]
    if kind == "codex":
        return [codex_source(path, name=name or kind, full=full)]
    if kind == "openclaw":
        return [OpenClawSource(path, name or kind, "default", full)]
    if kind == "jsonl":
        return [jsonl_source(path, name=name or f"jsonl:{_stem(path)}", zone=zone, full=full)]
    raise UnknownKind(kind)


def find(home: Path, env: Mapping[str, str]) -> list[Found]:
    """Return the agents whose histories lie below *home* or where *env* says they do.

    Those that delete their transcripts come first, the soonest first: they must be read first.
    """
    places = (
        ("hermes", _place(env, "HERMES_HOME", home / ".hermes"), "state.db"),
        ("claude-code", _place(env, "CLAUDE_CONFIG_DIR", home / ".claude"), "projects"),
        ("openclaw", _place(env, "OPENCLAW_STATE_DIR", home / ".openclaw"), "agents"),
        ("codex", _place(env, "CODEX_HOME", home / ".codex"), "sessions"),
    )
    found = [
        Found(kind, path, keeps_days(kind, path))
        for kind, path, sign in places
        if (path / sign).exists()
    ]
    return sorted(found, key=lambda f: (f.keeps_days is None, f.keeps_days or 0, f.kind))


def keeps_days(kind: str, path: Path) -> int | None:
    """Return after how many days the agent at *path* deletes old sessions; None for never."""
    if kind == "claude-code":
        return _claude_days(path / "settings.json")
    if kind == "hermes":
        return _hermes_days(path / "config.yaml")
    return None


def _claude_days(path: Path) -> int | None:
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return CLAUDE_KEEPS_DAYS
    days = settings.get("cleanupPeriodDays") if isinstance(settings, dict) else None
    return days if isinstance(days, int) and days > 0 else CLAUDE_KEEPS_DAYS


def _hermes_days(path: Path) -> int | None:
    try:
        config = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeError, yaml.YAMLError):
        return None
    sessions = config.get("sessions") if isinstance(config, dict) else None
    if not isinstance(sessions, dict) or sessions.get("auto_prune") is not True:
        return None
    days = sessions.get("retention_days")
    return days if isinstance(days, int) and days > 0 else HERMES_KEEPS_DAYS


def _place(env: Mapping[str, str], name: str, default: Path) -> Path:
    return Path(env[name]).expanduser() if env.get(name) else default


def _stem(path: Path) -> str:
    return path.parent.name if path.name == "sessions.jsonl" else path.name.removesuffix(".jsonl")
