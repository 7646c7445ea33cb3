"""Precision, recall and duplicates of the reviewer on labelled ordinary days.

    python benchmarks/review.py [--errors] [dev|test]

Independent of our own labels: the worlds of ../shared, where present, say what their core holds
and which messages each fact rests on.

A proposal is right where it cites part of what is marked as worth keeping; a marked part is
found where a proposal cites it. Each day is reviewed twice over, so that duplicates would show.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from hfea.intervals import Rate
from memory_core.model import AuthorKind, Message, Origin, Role
from memory_core.review import MemoryProposal, review

LABELLED = Path(__file__).resolve().parents[1] / "tests" / "data" / "review_days"
WORLDS = Path(__file__).resolve().parents[2] / "shared" / "data" / "worlds"
WHO = {
    "O": (Role.USER, AuthorKind.OWNER, Origin.DIRECT),
    "A": (Role.ASSISTANT, AuthorKind.AGENT, Origin.DIRECT),
    "T": (Role.TOOL, AuthorKind.TOOL, Origin.HOSTED),
    "X": (Role.USER, AuthorKind.THIRD_PARTY, Origin.DIRECT),
    "H": (Role.USER, AuthorKind.OWNER, Origin.HOSTED),
}


@dataclass
class Day:
    """One day: its messages, and the stretches of them that are worth keeping."""

    split: str
    name: str
    messages: list[Message] = field(default_factory=list)
    worth: list[tuple[str, int, int]] = field(default_factory=list)


def days() -> list[Day]:
    """Read every labelled day."""
    found: list[Day] = []
    for path in sorted(LABELLED.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                found.append(Day(*line.split()[1:]))
            elif line:
                add(found[-1], line[0], line[2:])
    return found


def add(day: Day, who: str, marked: str) -> None:
    n = len(day.messages)
    text = ""
    for piece in re.split(r"(\[\[.*?\]\])", marked):
        inner = piece.removeprefix("[[").removesuffix("]]")
        if inner != piece:
            day.worth.append((f"m{n}", len(text), len(text) + len(inner)))
        text += inner
    at = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC) + dt.timedelta(minutes=n)
    role, kind, origin = WHO[who]
    day.messages.append(
        Message(
            "default",
            "jsonl",
            day.name,
            f"m{n}",
            at,
            role,
            "",
            kind,
            origin,
            text,
            f"{day.name}-{n}",
            n,
        )
    )


def hits(proposal: MemoryProposal, worth: tuple[str, int, int]) -> bool:
    """Whether a proposal cites part of a stretch that is worth keeping."""
    where, start, end = worth
    return any(
        c.message_id == where and c.start < end and start < c.end for c in proposal.citations
    )


def measure(split: str, *, errors: bool) -> tuple[Rate, Rate, int]:
    """Return precision, recall and duplicates of a split."""
    right = given = found = wanted = twice = 0
    for day in (d for d in days() if d.split == split):
        made = review([*day.messages, *day.messages]).proposals
        twice += len(made) - len({(p.citations[0].message_id, p.citations[0].start) for p in made})
        good = [p for p in made if any(hits(p, w) for w in day.worth)]
        missed = [w for w in day.worth if not any(hits(p, w) for p in made)]
        right, given = right + len(good), given + len(made)
        found, wanted = found + len(day.worth) - len(missed), wanted + len(day.worth)
        if errors:
            text = {m.message_id: m.content for m in day.messages}
            for p in made:
                if p not in good:
                    print(f"  false  {p.reason:22} {p.content}")
            for where, start, end in missed:
                print(f"  missed {text[where][start:end]}")
    return Rate(right, given), Rate(found, wanted), twice


def spoken(n: int, row: dict[str, str], owner: str) -> Message:
    """Return a line of a world's sessions as a message; other users are third parties."""
    role, kind, origin = WHO[{"user": "O", "assistant": "A"}.get(row["role"], "T")]
    if row["role"] == "user" and row["author"] != owner:
        kind = AuthorKind.THIRD_PARTY
    at = dt.datetime.fromisoformat(row["ts"]).astimezone(dt.UTC)
    return Message(
        "default", "jsonl", row["session_id"], row["id"], at, role, row["author"], kind, origin,
        row["content"], str(n), n,
    )  # fmt: skip


def measure_world(folder: Path) -> tuple[Rate, Rate]:
    """Return the share of proposals that cite what a core fact rests on, and of facts so found.

    Facts that rest on no message of the owner's are left out; they are not for this reviewer.
    """
    rows = [json.loads(x) for x in (folder / "sessions.jsonl").read_text("utf-8").splitlines()]
    owner = Counter(r["author"] for r in rows if r["role"] == "user").most_common(1)[0][0]
    messages = [spoken(n, r, owner) for n, r in enumerate(rows)]
    own = {m.message_id for m in messages if m.author_kind is AuthorKind.OWNER}
    kept = [json.loads(x) for x in (folder / "facts.jsonl").read_text("utf-8").splitlines()]
    sources = [set(f["source"]) & own for f in kept if set(f["source"]) & own]
    made = review(messages).proposals
    cited = [{c.message_id for c in p.citations} for p in made]
    anywhere = set().union(*cited)
    rest = set().union(*sources)
    right = sum(bool(c & rest) for c in cited)
    return Rate(right, len(made)), Rate(sum(bool(s & anywhere) for s in sources), len(sources))


if __name__ == "__main__":
    for chosen in [a for a in sys.argv[1:] if a in ("dev", "test")] or ["dev", "test"]:
        precision, recall, twice = measure(chosen, errors="--errors" in sys.argv)
        print(f"{chosen}: precision {precision.table()} recall {recall.table()} duplicates {twice}")
    for world in sorted(WORLDS.glob("world-*")):
        precision, recall = measure_world(world)
        print(
            f"{world.name}: cites a core fact's source {precision.table()} found {recall.table()}"
        )
