"""Messages of one text for tests of reading, and the shared cases as messages."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path

from memory_core.model import AuthorKind, Message, Origin, Role

AT = dt.datetime(2026, 3, 5, 15, tzinfo=dt.UTC)


def said(text: str, who: AuthorKind = AuthorKind.OWNER) -> Message:
    """Return a message of one text, said by *who*."""
    role = Role.ASSISTANT if who is AuthorKind.AGENT else Role.USER
    return Message(
        "p", "s", "s", "1", AT, role, who.value, who, Origin.DIRECT, text, "0" * 64, 1
    )  # fmt: skip


def case(shared: Path, name: str, owner: str = "Rita") -> list[Message]:
    """Return the dialogue of a shared case as messages."""
    lines = (shared / "cases" / "files" / name / "dialogue.jsonl").read_text("utf-8").splitlines()
    found = []
    for row in map(json.loads, lines):
        kind = AuthorKind.OWNER if row["author"] == owner else AuthorKind.THIRD_PARTY
        kind = AuthorKind.AGENT if row["role"] == "assistant" else kind
        at = dt.datetime.fromisoformat(row["ts"])
        found.append(replace(said(row["content"], kind), message_id=row["id"], at=at))
    return found
