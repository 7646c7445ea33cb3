"""The skills of a home: every SKILL.md tree, read as Hermes finds it, never written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_core.layers.skills.skill import Skill, parse
from memory_core.model import AuthorKind, Origin
from memory_core.passages import Passage

LAYER = "skills"
USAGE = ".usage.json"
IGNORED = frozenset(
    {".git", ".github", ".hub", ".archive", "venv", ".venv", "node_modules", "__pycache__"}
)
SUPPORT_FOLDERS = ("references", "templates", "scripts", "assets")
LARGEST_SUPPORT = 1024 * 1024  # bytes, Hermes's own limit


@dataclass(frozen=True, slots=True)
class Support:
    """One support file of a skill, relative to the skill, and SHA-256 of its bytes, hex."""

    place: str
    digest: str


def skills(folder: Path) -> Iterator[Skill]:
    """Yield every skill below *folder*, by path. Raises OSError.

    What lies inside a skill's folder is that skill's, also another SKILL.md; archived skills
    and links that lead outside are none.
    """
    usage = _usage(folder)
    for path in _found(folder):
        data = path.read_bytes()
        parsed = parse(data.decode("utf-8-sig", errors="replace"))
        support = tuple(_support(path.parent))
        name = parsed.text("name") or path.parent.name
        used = usage.get(name)
        used = used if isinstance(used, dict) else {}
        digest = hashlib.sha256(data).hexdigest()
        category = path.parent.parent.relative_to(folder).as_posix()
        yield Skill(
            path=path.relative_to(folder).as_posix(),
            name=name,
            description=parsed.text("description"),
            version=parsed.text("version"),
            body=parsed.body,
            digest=digest,
            tree=_tree(digest, support),
            category="" if category == "." else category,
            tags=parsed.words("metadata", "hermes", "tags"),
            related=parsed.words("metadata", "hermes", "related_skills"),
            platforms=parsed.words("platforms"),
            support=tuple(s.place for s in support),
            uses=_whole(used.get("use_count")),
            last_used=str(used.get("last_used_at") or ""),
            problems=parsed.problems,
        )


def stamp(folder: Path) -> str:
    """Return a fingerprint of all skills by name, size and time; support files do not count."""
    state = hashlib.sha256()
    for path in _found(folder):
        stat = path.stat()
        state.update(f"{path}\0{stat.st_size}\0{stat.st_mtime_ns}\0{stat.st_ino}\n".encode())
    return state.hexdigest()


def passages(folder: Path) -> Iterator[Passage]:
    """Yield one passage a paragraph of each skill, under its name and description."""
    for skill in skills(folder):
        paragraphs = [skill.description, *skill.body.split("\n\n")]
        for number, text in enumerate(filter(None, map(str.strip, paragraphs))):
            yield Passage(
                layer=LAYER,
                key=f"{skill.path}@{skill.digest[:12]}#{number}",
                text=text,
                subject=" ".join([skill.name.replace("-", " "), *skill.tags]),
                author=skill.path,
                author_kind=AuthorKind.UNKNOWN,
                origin=Origin.DERIVED,
            )


def _found(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        return
    root = folder.resolve()
    inside: list[Path] = []
    for path in sorted(folder.rglob("SKILL.md"), key=lambda p: (len(p.parts), p)):
        places = path.relative_to(folder).parts
        if IGNORED.intersection(places) or any(p.startswith(".") for p in places):
            continue
        if any(path.is_relative_to(skill) for skill in inside):
            continue
        if path.is_file() and path.resolve().is_relative_to(root):
            inside.append(path.parent)
    yield from sorted(path / "SKILL.md" for path in inside)


def _support(skill: Path) -> Iterator[Support]:
    for name in SUPPORT_FOLDERS:
        folder = skill / name
        for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
            if path.is_symlink() or not path.is_file() or IGNORED.intersection(path.parts):
                continue
            if path.stat().st_size <= LARGEST_SUPPORT:
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                yield Support(path.relative_to(skill).as_posix(), digest)


def _tree(digest: str, support: tuple[Support, ...]) -> str:
    state = hashlib.sha256(f"SKILL.md\0{digest}\n".encode())
    for one in support:
        state.update(f"{one.place}\0{one.digest}\n".encode())
    return state.hexdigest()


def _usage(folder: Path) -> Mapping[str, Any]:
    try:
        table = json.loads((folder / USAGE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return table if isinstance(table, dict) else {}


def _whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
