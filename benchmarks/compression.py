"""What survives compression at several budgets, against cutting off the head or the tail.

    python benchmarks/compression.py

Conversations: the shipped fixture, the owner's sessions of world-a and world-e, and four LoCoMo
conversations (dev) with two apart (test), where ../shared is present. Counted on what owner and
agent said: distinct numbers; day words; decisions and open points (as the night reads them: its
own rules, so an upper bound); and for LoCoMo, independent of any rule of ours, the turns that the
questions of categories 1-4 name as evidence.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memory_core.extraction import clauses
from memory_core.layers.compression import compress, tokens
from memory_core.layers.compression.units import dates, numbers
from memory_core.model import AuthorKind, Message, Origin, Polarity, Role, Theme

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
BUDGETS = (0.05, 0.1, 0.2, 0.4)
FIRM = {Theme.DECISION, Theme.REVISION}
WHO = {
    "user": (Role.USER, AuthorKind.OWNER, Origin.DIRECT),
    "assistant": (Role.ASSISTANT, AuthorKind.AGENT, Origin.DIRECT),
}
TOOL = (Role.TOOL, AuthorKind.TOOL, Origin.HOSTED)


@dataclass
class Talk:
    """One conversation, and the ids of the messages that its questions rest on."""

    name: str
    messages: list[Message]
    evidence: set[str] = field(default_factory=set)


def message(n: int, row: dict[str, str]) -> Message:
    role, who, origin = WHO.get(row["role"], TOOL)
    at = dt.datetime.fromisoformat(row["ts"]).astimezone(dt.UTC)
    return Message(
        "default", "jsonl", row["session_id"], row.get("id", f"m{n}"), at, role,
        row.get("author", ""), who, origin, row.get("content") or "", str(n), n,
    )  # fmt: skip


def sessions(path: Path) -> Talk:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return Talk(path.parent.name, [message(n, r) for n, r in enumerate(rows)])


def locomo(path: Path) -> Talk:
    data = json.loads(path.read_text(encoding="utf-8"))
    keys = (k for k in data if re.fullmatch(r"session_\d+", k))
    found: list[Message] = []
    for turn in (t for k in keys for t in data[k]):
        n = len(found)
        found.append(
            Message(
                "default", "locomo", "s", turn["dia_id"], None, Role.USER, turn["speaker"],
                AuthorKind.OWNER, Origin.DIRECT, turn["text"], str(n), n,
            )
        )  # fmt: skip
    wanted = {e for q in data["qa"] if q["category"] != 5 for e in q.get("evidence", [])}
    return Talk(f"locomo-{path.stem}", found, wanted & {m.message_id for m in found})


def talks() -> list[Talk]:
    found = [sessions(ROOT / "archive_fixtures" / "atelie" / "story.jsonl")]
    found += [sessions(p) for p in sorted(SHARED.glob("worlds/*/sessions.jsonl"))]
    return found + [locomo(p) for p in sorted(SHARED.glob("locomo/dev/*.json"))]


def cut(messages: Sequence[Message], budget: int, *, tail: bool) -> tuple[str, set[str]]:
    """Return the first or last messages that fit, whole, as one text."""
    lines: list[str] = []
    ids: set[str] = set()
    room = budget * 4
    for m in reversed(messages) if tail else messages:
        line = f"{m.author}: {m.content}"
        if len(line) + 1 > room:
            break
        room -= len(line) + 1
        lines.append(line)
        ids.add(m.message_id)
    return "\n".join(reversed(lines) if tail else lines), ids


def wanted(talk: Talk) -> dict[str, set[str]]:
    own = [m for m in talk.messages if m.author_kind in (AuthorKind.OWNER, AuthorKind.AGENT)]
    told = [(m, c) for m in own if m.author_kind is AuthorKind.OWNER for c in clauses(m)]
    firm = [(m, c) for m, c in told if c.theme in FIRM and c.polarity is not Polarity.QUESTION]
    return {
        "numbers": {n for m in own for n in numbers(m.content)},
        "dates": {d for m in own for d in dates(m.content, m.at)},
        "decisions": {m.content[c.start : c.end] for m, c in firm},
        "open points": {m.content[c.start : c.end] for m, c in told if c.theme is Theme.OPEN_POINT},
    }


def show(talk: Talk) -> None:
    whole = "\n".join(f"{m.author}: {m.content}" for m in talk.messages)
    needed = wanted(talk)
    print(f"{talk.name}: {len(talk.messages)} messages, {tokens(whole)} tokens")
    for share in BUDGETS:
        budget = int(tokens(whole) * share)
        started = time.process_time()
        made = compress(talk.messages, budget)
        seconds = time.process_time() - started
        candidates = {
            "kept": (" ".join(made.text.split()), set(made.kept)),
            "head": cut(talk.messages, budget, tail=False),
            "tail": cut(talk.messages, budget, tail=True),
        }
        for name, (text, ids) in candidates.items():
            flat = " ".join(text.split())
            low = flat.lower()
            cells = [
                f"{what} {sum(' '.join(x.split()).lower() in low for x in things)}/{len(things)}"
                for what, things in needed.items()
                if things
            ]
            if talk.evidence:
                cells.append(f"evidence turns {len(ids & talk.evidence)}/{len(talk.evidence)}")
            print(
                f"  {share:4.0%} {name}: {', '.join(cells)}"
                + (f"  ({seconds:.2f} s)" if name == "kept" else "")
            )


if __name__ == "__main__":
    if not SHARED.is_dir():
        print("../shared is missing: the shipped fixture only", file=sys.stderr)
    for each in talks():
        show(each)
