"""Skills: SKILL.md trees, found by need; read-only for everyone but the owner."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from memory_core.model import AuthorKind, Origin
from memory_core.passages import Passage

LAYER = "skills"
LARGEST = 100_000  # characters, Hermes's own limit
IGNORED = frozenset({".git", ".github", ".hub", ".archive", "venv", "node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill: its front matter, its body, and the SHA-256 of the file, hex."""

    path: str
    name: str
    description: str
    version: str
    body: str
    digest: str


def skills(folder: Path) -> Iterator[Skill]:
    """Yield every readable skill below *folder*; support folders of a skill are not entered."""
    if not folder.is_dir():
        return
    for path in sorted(folder.rglob("SKILL.md")):
        inside = path.relative_to(folder)
        nested = any(
            (folder / Path(*inside.parts[:n]) / "SKILL.md").exists()
            for n in range(1, len(inside.parts) - 1)
        )
        if nested or IGNORED.intersection(inside.parts):
            continue
        raw = path.read_text(encoding="utf-8-sig", errors="replace")[:LARGEST]
        head, body = _front_matter(raw)
        yield Skill(
            path=inside.as_posix(),
            name=str(head.get("name") or path.parent.name),
            description=str(head.get("description") or ""),
            version=str(head.get("version") or ""),
            body=body,
            digest=hashlib.sha256(raw.encode("utf-8", "replace")).hexdigest(),
        )


def stamp(folder: Path) -> str:
    """Return a fingerprint of all skills' contents."""
    state = hashlib.sha256()
    for skill in skills(folder):
        state.update(f"{skill.path}\0{skill.digest}\n".encode())
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
                subject=skill.name.replace("-", " "),
                author=skill.path,
                author_kind=AuthorKind.UNKNOWN,
                origin=Origin.DERIVED,
            )


def _front_matter(text: str) -> tuple[dict[str, object], str]:
    if not text.startswith("---\n"):
        return {}, text
    end = text.find("\n---", 4)
    if end < 0:
        return {}, text
    try:
        head = yaml.safe_load(text[4:end])
    except yaml.YAMLError:
        head = None
    return (head if isinstance(head, dict) else {}), text[end + 4 :].lstrip("-").strip()
