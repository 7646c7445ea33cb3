"""One SKILL.md: its front matter, its body, and what is wrong with it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import yaml

LARGEST = 100_000  # characters, Hermes's own limit
NAME_CHARS, DESCRIPTION_CHARS = 64, 1024
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill. `path` is its SKILL.md below the skills folder, POSIX.

    `digest` is SHA-256 of that file's bytes, `tree` of all files of the skill with their names,
    hex. `problems` say what Hermes would not take: `no_description`, `name_too_long`, ...
    `uses` and `last_used` come from Hermes's own usage sidecar; nothing is written there.
    """

    path: str
    name: str
    description: str
    version: str
    body: str
    digest: str
    tree: str = ""
    category: str = ""
    tags: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    platforms: tuple[str, ...] = ()
    support: tuple[str, ...] = ()
    uses: int = 0
    last_used: str = ""
    problems: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Parsed:
    """A SKILL.md's front matter as a table, its body, and what is wrong with it."""

    head: dict[str, object]
    body: str
    problems: tuple[str, ...]

    def text(self, name: str) -> str:
        """Return a field as text; '' where it is absent."""
        value = self.head.get(name)
        return str(value).strip() if isinstance(value, str | int | float) else ""

    def words(self, *names: str) -> tuple[str, ...]:
        """Return a nested field as a list of words, also where it was written as one."""
        value: object = self.head
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        if isinstance(value, str):
            return tuple(filter(None, (v.strip() for v in value.split(","))))
        return tuple(str(v) for v in value if v is not None) if isinstance(value, list) else ()


def parse(text: str) -> Parsed:
    """Read a SKILL.md; a broken head leaves the whole text as the body and is a problem."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    problems = ["too_long"] if len(text) > LARGEST else []
    found = _FRONT.match(text)
    if found is None:
        return Parsed({}, text[:LARGEST], (*problems, "no_front_matter"))
    try:
        head = yaml.safe_load(found.group(1))
    except (yaml.YAMLError, ValueError):
        head = None
    if not isinstance(head, dict):
        return Parsed({}, text[:LARGEST], (*problems, "broken_front_matter"))
    table = {str(k): v for k, v in head.items()}
    parsed = Parsed(table, text[found.end() : LARGEST].strip(), ())
    for name, limit in (("name", NAME_CHARS), ("description", DESCRIPTION_CHARS)):
        value = parsed.text(name)
        problems += [f"{name}_too_long"] if len(value) > limit else []
        problems += [] if value else [f"no_{name}"]
    return Parsed(table, parsed.body, tuple(problems))
