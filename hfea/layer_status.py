"""What the memory layers hold and cost, for `hfea status`; nothing is made by looking."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hfea.config import Settings
from hfea.gate import state_file
from hfea.sources import sqlite_reading
from memory_core import sqlite_kit, staging
from memory_core.layers import permanent, skills, wiki

FACT_STORE = "memory_store.db"
_WAITING = (
    "SELECT count(*) FROM proposal p WHERE p.pending_file = '' AND (SELECT state FROM step"
    " WHERE proposal = p.id ORDER BY id DESC LIMIT 1) = 'pending'"
)


@dataclass(frozen=True, slots=True)
class Layers:
    """Counts by layer. `tokens_per_turn` is what MEMORY.md and USER.md cost every turn.

    None where a store is there and cannot be read; then `trouble` says why.
    """

    permanent_entries: int
    tokens_per_turn: int
    facts: int | None
    entities: int | None
    relations: int | None
    facts_with_vectors: int | None
    wiki_pages: int
    skills: int
    proposals_waiting: int
    trouble: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return it for programs."""
        return asdict(self) | {"trouble": list(self.trouble)}

    def as_text(self) -> str:
        """Return it for people."""
        permanent_line = (
            f"permanent memory: {self.permanent_entries} entries,"
            f" {self.tokens_per_turn} tokens a turn; {self.proposals_waiting} proposals wait"
        )
        counts = (
            f"facts {_shown(self.facts)}, entities {_shown(self.entities)},"
            f" relations {_shown(self.relations)}, with vectors {_shown(self.facts_with_vectors)};"
            f" wiki pages {self.wiki_pages}, skills {self.skills}"
        )
        troubles = [f"TROUBLE: {line}" for line in self.trouble]
        return "\n".join([permanent_line, counts, *troubles])


def look(settings: Settings) -> Layers:
    """Count what each layer holds. Never raises for what a layer's files are like."""
    home = settings.core.home
    trouble: list[str] = []
    counts = _facts(home / FACT_STORE, trouble)
    folders = settings.core.wiki or (home / "wiki",)
    kept = []
    for file in permanent.FILES:
        try:
            kept.append(permanent.look(home, file))
        except OSError as error:
            trouble.append(f"{file} cannot be read: {error.strerror}")
    trouble += [f"{k.file} is not as Hermes writes it: {k.drift}" for k in kept if k.drift]
    return Layers(
        permanent_entries=sum(len(k.entries) for k in kept),
        tokens_per_turn=sum(k.prompt_tokens for k in kept),
        facts=counts.get("facts"),
        entities=counts.get("entities"),
        relations=counts.get("fact_entities"),
        facts_with_vectors=counts.get("vectors"),
        wiki_pages=sum(1 for _ in wiki.page_files(folders)),
        skills=sum(1 for _ in skills.skills(home / "skills")),
        proposals_waiting=_waiting(settings),
        trouble=tuple(trouble),
    )


def _facts(store: Path, trouble: list[str]) -> dict[str, int | None]:
    """Count the rows of Hermes's fact store by the tables and columns it has."""
    if not store.is_file():
        return dict.fromkeys(("facts", "entities", "fact_entities", "vectors"), 0)

    def count(db: sqlite3.Connection) -> dict[str, int | None]:
        found: dict[str, int | None] = {}
        for table in ("facts", "entities", "fact_entities"):
            there = sqlite_reading.columns(db, table)
            found[table] = (
                int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]) if there else 0
            )
        if "hrr_vector" in sqlite_reading.columns(db, "facts"):
            query = "SELECT count(*) FROM facts WHERE hrr_vector IS NOT NULL"
            found["vectors"] = int(db.execute(query).fetchone()[0])
        return found

    try:
        return sqlite_reading.read(store, count)
    except (sqlite3.Error, OSError, sqlite_reading.SourceBusy) as error:
        trouble.append(f"the fact store {store} cannot be read: {error}")
        return {}


def _waiting(settings: Settings) -> int:
    staged = sum(1 for _ in staging.staged(settings.core.home, "default"))
    path = state_file(settings)
    if not path.is_file():
        return staged
    try:
        with closing(sqlite_kit.connect(path, readonly=True)) as db:
            return staged + int(db.execute(_WAITING).fetchone()[0])
    except sqlite3.Error:
        return staged


def _shown(count: int | None) -> str:
    return "unreadable" if count is None else str(count)
