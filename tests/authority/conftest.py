"""Messages as they come in, a copy of a Hermes home, and a gate on it with a clock moved by hand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from memory_core.model import AuthorKind, Message, Origin, Role
from memory_core.proposals import Places, Promotion, Proposals

NOON = dt.datetime(2026, 11, 3, 12, tzinfo=dt.UTC)
Say = Callable[..., Message]


@pytest.fixture
def say() -> Say:
    """A message of the owner's in one conversation; keywords change what it is."""
    position = 0

    def make(text: str, **given: Any) -> Message:
        nonlocal position
        position += 1
        known: dict[str, Any] = {
            "profile": "default",
            "source": "hermes",
            "session_id": "s1",
            "message_id": f"m{position}",
            "at": NOON + dt.timedelta(minutes=position),
            "role": Role.USER,
            "author": "Lívia",
            "author_kind": AuthorKind.OWNER,
            "origin": Origin.DIRECT,
            "content": text,
            "identity": f"{position:064x}",
            "position": position,
            "conversation": "s1",
        }
        return Message(**(known | given))

    return make


@dataclass
class Gate:
    """A gate with everything around it that a test looks at."""

    home: Path
    proposals: Proposals
    ledger: list[Promotion]
    time: list[dt.datetime] = field(default_factory=list)

    def user(self) -> str:
        return (self.home / "memories" / "USER.md").read_text(encoding="utf-8")

    def memory(self) -> str:
        return (self.home / "memories" / "MEMORY.md").read_text(encoding="utf-8")

    def later(self, **delta: int) -> None:
        self.time[0] += dt.timedelta(**delta)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A small Hermes home of fictional people."""
    folder = tmp_path / "home"
    (folder / "memories").mkdir(parents=True)
    (folder / "memories" / "MEMORY.md").write_text(
        "O servidor de testes fica em Recife\n§\nA chave do depósito roda a cada 30 dias",
        encoding="utf-8",
    )
    (folder / "memories" / "USER.md").write_text("Lívia mora em Olinda.", encoding="utf-8")
    skill = folder / "skills" / "casa" / "rega"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text(
        "---\nname: rega\ndescription: regar o jardim\n---\nAbrir a torneira.\n", encoding="utf-8"
    )
    return folder


@pytest.fixture
def gate(home: Path, tmp_path: Path) -> Iterator[Gate]:
    time = [NOON + dt.timedelta(hours=2)]
    ledger: list[Promotion] = []
    with Proposals(
        tmp_path / "state" / "proposals.sqlite",
        Places(home, home / "wiki"),
        now=lambda: time[0],
        record=ledger.append,
    ) as opened:
        yield Gate(home, opened, ledger, time)
