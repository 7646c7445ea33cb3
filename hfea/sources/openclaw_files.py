"""Where OpenClaw keeps transcripts: which files are whose session, and what lies beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hfea.sources import lines

DATABASE = "openclaw-agent.sqlite"
# The last two are where files go when a database takes their place.
_FOLDERS = (
    "sessions",
    "sessions/session-sqlite-import-archive",
    "session-sqlite-import-archive",
)
_SKIPPED = re.compile(r"\.checkpoint\.|\.trajectory|\.jsonl\.(?:lock|tmp)|~\Z|\.bak(?:\.\d+)?\Z")
_SESSION_FILE = re.compile(
    r"(?P<sid>[^/]+?)(?:-topic-[^/.]+)?\.jsonl(?:\.(?:reset|deleted)\..+)?\Z"
)
_HEADS = 8  # lines in which the header of a file is looked for


@dataclass(frozen=True, slots=True)
class Transcript:
    """One file of a session; `name` is relative to its agent's folder, `parent` a session id."""

    path: Path
    name: str
    session: str
    parent: str = ""


def agents(root: Path) -> list[Path]:
    """Return the agents' folders below a state folder, or the folder itself if it is one."""
    below = root / "agents"
    if below.is_dir():
        return [p for p in sorted(below.iterdir()) if p.is_dir() and not p.is_symlink()]
    single = (root / "sessions").is_dir() or (root / "agent" / DATABASE).is_file()
    return [root] if single else []


def _all(agent: Path) -> Iterator[Path]:
    for folder in _FOLDERS:
        if (agent / folder).is_dir():
            yield from (p for p in sorted((agent / folder).iterdir()) if ".jsonl" in p.name)


def paths(agent: Path) -> list[Path]:
    """Return the transcripts of *agent*, the living file of a session before its archives."""
    found = [
        p
        for p in _all(agent)
        if p.is_file() and not p.is_symlink() and not _SKIPPED.search(p.name)
        if _SESSION_FILE.search(p.name)
    ]
    return sorted(found, key=lambda p: (not p.name.endswith(".jsonl"), p.name, str(p)))


def left_alone(agent: Path) -> list[str]:
    """Name the checkpoints, trajectories, backups and links, which repeat sessions."""
    read = set(paths(agent))
    return [p.relative_to(agent).as_posix() for p in _all(agent) if p not in read]


def links(agent: Path) -> list[Path]:
    """Return the transcripts that are links; they are not followed."""
    return [p for p in _all(agent) if p.is_symlink() and _SESSION_FILE.search(p.name)]


def transcript(agent: Path, path: Path) -> Transcript:
    """Return whose session *path* is: its header says it, else its name. Raises OSError."""
    match = _SESSION_FILE.search(path.name)
    session, parent = match["sid"] if match else path.stem, ""
    with lines.open_stream(path) as stream:
        for number, item in enumerate(lines.read(stream)):
            value = item.value if isinstance(item, lines.Line) else None
            if isinstance(value, dict) and value.get("type") == "session":
                session = str(value.get("id") or session)
                parent = _id(value.get("parentSession"))
                break
            if number >= _HEADS:
                break
    return Transcript(path, path.relative_to(agent).as_posix(), session, parent)


def _id(value: object) -> str:
    """Return the session id of a header's parent, which may be the path of its file."""
    if not isinstance(value, str) or not value:
        return ""
    match = _SESSION_FILE.search(Path(value).name)
    return match["sid"] if match else value
