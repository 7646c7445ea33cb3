# ruff: noqa: E501 - tables and patterns read best a row a line
"""Precision and recall of the reading of clauses, by theme, language and split; gold worlds too.

    python benchmarks/extraction.py [--errors] [dev|test]

Each labelled sentence is read as a message of its own. A theme counts as found where the clause
that overlaps the labelled part most has it. `none` means: no theme that commits (other or none).
"""

from __future__ import annotations

import datetime as dt
import json
import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import conversations

from memory_core.extraction import Clause, clauses
from memory_core.model import AuthorKind, Message, Origin, Role, Theme

ROOT = Path(__file__).resolve().parents[1]
LABELLED = ROOT / "tests" / "data" / "extraction"
LINE = re.compile(
    r"(?P<near>~?)(?P<agent>@?)(?P<theme>[a-z_]+)(?P<mark>[?+-]?) (?P<kind>[esqi]) (?P<pole>[anhq]) (?P<holder>[ogt]) ?@?\| (?P<text>.+)"
)
POLES = {"a": "affirmed", "n": "negated", "h": "hypothetical", "q": "question"}
HOLDERS = {"o": "owner", "g": "agent", "t": "third_party"}
KINDS = {"e": "event", "s": "reported_state", "q": "quote", "i": "inference"}
QUIET = {"none", "other"}


@dataclass(frozen=True)
class Label:
    """One labelled part of a sentence."""

    split: str
    near: bool
    text: str
    start: int
    end: int
    theme: str
    kind: str
    polarity: str
    holder: str
    agent: bool


def labelled(path: Path) -> list[Label]:
    """Read one labelled file."""
    found, split = [], ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            split = line.split()[1]
            continue
        match = LINE.match(line)
        if match is None:
            sys.exit(f"{path.name}: cannot read {line!r}")
        text = match["text"]
        start, end = 0, len(text)
        if "[[" in text:
            start = text.index("[[")
            end = text.index("]]") - 2
            text = text.replace("[[", "").replace("]]", "")
        found.append(
            Label(
                split,
                bool(match["near"]),
                text,
                start,
                end,
                match["theme"],
                KINDS[match["kind"]],
                POLES[match["pole"]],
                HOLDERS[match["holder"]],
                "@|" in line or "@ |" in line,
            )
        )
    return found


def message(text: str, *, agent: bool) -> Message:
    """Make a message of one text."""
    kind = AuthorKind.AGENT if agent else AuthorKind.OWNER
    return Message(
        "p",
        "s",
        "s",
        "1",
        dt.datetime(2026, 3, 5, 12, tzinfo=dt.UTC),
        Role.ASSISTANT if agent else Role.USER,
        "x",
        kind,
        Origin.DIRECT,
        text,
        "0" * 64,
        1,
    )


def best(found: tuple[Clause, ...], start: int, end: int) -> Clause | None:
    """Return the clause that overlaps the labelled part most."""

    def overlap(c: Clause) -> int:
        return min(c.end, end) - max(c.start, start)

    top = max(found, key=lambda c: (overlap(c), c.theme not in (None, Theme.OTHER)), default=None)
    return top if top is not None and 2 * overlap(top) >= end - start else None


def named(clause: Clause | None) -> str:
    """Return the theme as the labels name it."""
    return "none" if clause is None or clause.theme is None else clause.theme.value


def score(labels: list[Label], *, errors: bool) -> dict[str, Counter[str]]:
    """Count hits, misses and false alarms by theme, and right polarity and holder."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for label in labels:
        clause = best(clauses(message(label.text, agent=label.agent)), label.start, label.end)
        theme = named(clause)
        if label.near and label.theme not in QUIET:
            # It asks one thing: not to be taken for anything that the owner affirms.
            taken = (
                clause is not None
                and theme not in QUIET
                and (clause.polarity.value, clause.holder.value) == ("affirmed", "owner")
            )
            wrong = taken and (label.polarity, label.holder) != ("affirmed", "owner")
            wrong = wrong or (taken and theme != label.theme)
            counts["near misses"]["miss" if wrong else "hit"] += 1
            counts[theme]["false"] += wrong
            if wrong and errors:
                print(f"  {label.theme:12} TAKEN for the owner's {label.text!r} {clause.cues}")
        elif theme == label.theme or {theme, label.theme} <= QUIET:
            counts[label.theme]["hit"] += 1
        else:
            counts[label.theme]["miss"] += 1
            counts[theme]["false"] += 1
            if errors:
                print(
                    f"  {label.theme:12} read as {theme:12} {label.text[label.start : label.end]!r}"
                    f" {clause.cues if clause else ()}"
                )
        for name in ("polarity", "holder", "kind") if clause is not None or theme != "none" else ():
            mine = getattr(clause, name).value
            counts[f"= {name}"]["hit" if mine == getattr(label, name) else "miss"] += 1
    return counts


def table(title: str, counts: dict[str, Counter[str]]) -> None:
    """Print precision and recall with their numbers."""
    print(f"\n{title}")
    total = Counter[str]()
    for theme in sorted(counts):
        c = counts[theme]
        if theme not in QUIET and not theme.startswith("="):
            total.update(c)
        hit, miss, false = c["hit"], c["miss"], c["false"]
        if theme.startswith("=") or theme == "near misses":
            print(f"  {theme:14} right {hit / max(1, hit + miss):.2f} ({hit}/{hit + miss})")
            continue
        precision = f"{hit / (hit + false):.2f}" if hit + false else "-"
        recall = f"{hit / (hit + miss):.2f}" if hit + miss else "-"
        print(
            f"  {theme:14} precision {precision:>4} ({hit}/{hit + false})  recall {recall:>4} ({hit}/{hit + miss})"
        )
    hit, miss, false = total["hit"], total["miss"], total["false"]
    print(
        f"  {'all themes':14} precision {hit / max(1, hit + false):.3f} ({hit}/{hit + false})"
        f"  recall {hit / max(1, hit + miss):.3f} ({hit}/{hit + miss})"
    )


def world(folder: Path, *, errors: bool) -> None:
    """Print recall on the gold statements of a world: theme, kind, polarity, holder."""
    rows = [
        json.loads(line) for line in (folder / "sessions.jsonl").read_text("utf-8").splitlines()
    ]
    texts = {r["id"]: r for r in rows}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for line in (folder / "statements.jsonl").read_text("utf-8").splitlines():
        gold = json.loads(line)
        row = texts[gold["message_id"]]
        if row["role"] == "tool":
            continue
        start = row["content"].index(gold["span"])
        found = clauses(message(row["content"], agent=row["role"] == "assistant"))
        clause = best(found, start, start + len(gold["span"]))
        theme = gold["theme"] or "none"
        mine = named(clause)
        right = mine == theme or {mine, theme} <= QUIET
        counts[theme]["hit" if right else "miss"] += 1
        if not right:
            counts[mine]["false"] += 1
            if errors:
                print(
                    f"  {theme:12} read as {mine:12} {gold['span']!r} {clause.cues if clause else ()}"
                )
        for name in ("kind", "polarity", "holder"):
            value = getattr(clause, name).value if clause else "none"
            counts[f"= {name}"]["hit" if value == gold[name] else "miss"] += 1
    table(
        f"{folder.name}: gold statements (recall counts; precision is against gold rows only)",
        counts,
    )


def main() -> None:
    """Score the labelled sets and, where they are beside the checkout, the gold worlds."""
    errors = "--errors" in sys.argv
    splits = [a for a in sys.argv[1:] if a in ("dev", "test")] or ["dev", "test"]
    for path in sorted(LABELLED.glob("*.txt")):
        labels = labelled(path)
        near = sum(x.near for x in labels)
        print(f"\n{path.name}: {len(labels)} sentences, {near} near misses")
        for split in splits:
            table(
                f"{path.stem} {split}",
                score([x for x in labels if x.split == split], errors=errors),
            )
    for folder in sorted((ROOT.parent / "shared" / "data" / "worlds").glob("*")):
        if (folder / "statements.jsonl").is_file() and "dev" in splits:
            world(folder, errors=errors)
    conversations.main()


if __name__ == "__main__":
    main()
