"""Hermes's own staging of writes: `pending/{memory,skills}/<8hex>.json`, read and written alike."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_core.authority import Act, Change, Target

SUBSYSTEMS = ("memory", "skills")
_NAME = re.compile(r"[0-9a-f]{8}\.json")
_LARGEST = 4 * 1024 * 1024
_SUMMARY_CHARS = 120
_LABEL = {Target.MEMORY: "memory", Target.USER: "user profile"}
_VERB = {Act.ADD: "add to", Act.REPLACE: "replace in", Act.REMOVE: "remove from"}


@dataclass(frozen=True, slots=True)
class Staged:
    """One staged write: its file relative to `pending/`, the hash of its payload, its changes.

    `fault` says why it cannot be read as changes; then there are none.
    """

    file: str
    digest: str
    changes: tuple[Change, ...]
    origin: str
    summary: str
    created_at: float
    fault: str = ""


def staged(home: Path, profile: str) -> Iterator[Staged]:
    """Yield what waits in Hermes's staging, by file name; odd files are named, never touched."""
    for subsystem in SUBSYSTEMS:
        folder = home / "pending" / subsystem
        if not folder.is_dir():
            continue
        for path in sorted(folder.glob("*.json")):
            if path.is_file() and not path.is_symlink():
                yield read(home, f"{subsystem}/{path.name}", profile)


def read(home: Path, file: str, profile: str) -> Staged:
    """Read one staged write; what cannot be understood is a fault, not an error."""
    path = home / "pending" / file
    try:
        if path.stat().st_size > _LARGEST:
            return Staged(file, "", (), "", "", 0.0, "too_large")
        record = json.loads(path.read_text(encoding="utf-8"))
        payload = record["payload"]
        # Half of an emoji cannot be kept nor shown: such a payload fails to encode here.
        data = json.dumps(payload, sort_keys=True, ensure_ascii=False).encode()
        digest = hashlib.sha256(data).hexdigest()
        changes = tuple(changes_of(home, file.partition("/")[0], payload, profile))
    except FileNotFoundError:
        return Staged(file, "", (), "", "", 0.0, "missing")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        return Staged(file, "", (), "", "", 0.0, f"unreadable: {type(error).__name__}")
    fault = "" if changes else "unknown_action"
    created = record.get("created_at")
    return Staged(
        file,
        digest,
        changes,
        str(record.get("origin") or "foreground"),
        str(record.get("summary") or ""),
        float(created) if isinstance(created, int | float) else 0.0,
        fault,
    )


def stage(home: Path, number: str, change: Change, origin: str, created_at: float) -> str:
    """Write a change of a permanent file as Hermes stages it; return its file below `pending/`.

    *number* is eight hex digits. Raises OSError, FileExistsError.
    """
    detail = change.text or change.old_text
    if change.act is Act.REPLACE:
        detail = f"old: {change.old_text}\nnew: {change.text}"
    record = {
        "id": number,
        "subsystem": "memory",
        "action": change.act.value,
        "summary": f"{_VERB[change.act]} {_LABEL[change.target]}: {detail[:_SUMMARY_CHARS]}",
        "origin": origin if origin in ("foreground", "background_review") else "foreground",
        "created_at": created_at,
        "payload": {
            "action": change.act.value,
            "target": change.target.value,
            "content": change.text or None,
            "old_text": change.old_text or None,
        },
    }
    folder = home / "pending" / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{number}.json"
    draft = path.with_suffix(".json.tmp")
    data = json.dumps(record, ensure_ascii=False, indent=2).encode()
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(fd, "wb") as f:
            f.write(data)
            f.flush()
            os.fsync(f.fileno())
        os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    return f"memory/{path.name}"


def discard(home: Path, file: str) -> None:
    """Take a staged write away once it is decided."""
    if _NAME.fullmatch(file.partition("/")[2]) and file.partition("/")[0] in SUBSYSTEMS:
        (home / "pending" / file).unlink(missing_ok=True)


def changes_of(
    home: Path, subsystem: str, payload: Mapping[str, Any], profile: str
) -> Iterator[Change]:
    """Yield the changes that a call of Hermes's memory or skill tool would make.

    *subsystem* is `memory` or `skills`, *payload* the arguments of the call, as a
    `pre_tool_call` hook sees them and as `pending/*.json` keeps them. Raises KeyError, ValueError,
    TypeError where they are none, OSError.
    """
    if subsystem == "skills":
        change = _skill_change(home / "skills", payload, profile)
        if change is not None:
            yield change
        return
    target = Target.USER if payload.get("target") == "user" else Target.MEMORY
    batch = payload.get("action") == "batch"
    for operation in payload["operations"] if batch else (payload,):
        yield Change(
            Act(operation["action"]),
            target,
            str(operation.get("content") or "").strip(),
            str(operation.get("old_text") or "").strip(),
            profile=profile,
        )


def _skill_change(skills: Path, payload: Mapping[str, Any], profile: str) -> Change | None:
    """Return what a staged `skill_manage` call would make of one file."""
    action, name = str(payload["action"]), str(payload["name"])
    folder = _skill_folder(skills, name)
    file = str(payload.get("file_path") or "SKILL.md")
    if action == "create":
        place = "/".join(filter(None, (str(payload.get("category") or ""), name, "SKILL.md")))
        return Change(Act.ADD, Target.SKILL, str(payload["content"]), "", place, profile)
    if folder is None:
        return None
    if action in ("edit", "delete"):
        file = "SKILL.md"
    path = (folder / file).relative_to(skills).as_posix()
    old = _text(skills / path) if ".." not in path else ""
    if action in ("delete", "remove_file"):
        return Change(Act.REMOVE, Target.SKILL, "", old, path, profile)
    new = _new_text(action, payload, old)
    if new is None:
        return None
    return Change(Act.REPLACE if old else Act.ADD, Target.SKILL, new, old, path, profile)


def _new_text(action: str, payload: Mapping[str, Any], old: str) -> str | None:
    if action == "edit":
        return str(payload["content"])
    if action == "write_file":
        return str(payload["file_content"])
    if action == "patch":
        before, after = str(payload["old_string"]), str(payload.get("new_string") or "")
        times = old.count(before) if before else 0
        if times == 0 or (times > 1 and not payload.get("replace_all")):
            return None
        return old.replace(before, after)
    return None


def _skill_folder(skills: Path, name: str) -> Path | None:
    if not name or "/" in name or name.startswith("."):
        return None
    for path in sorted(skills.rglob("SKILL.md")):
        hidden = any(part.startswith(".") for part in path.relative_to(skills).parts)
        if path.parent.name == name and not hidden:
            return path.parent
    return None


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""
