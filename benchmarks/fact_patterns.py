"""Precision and false-positive rate of the fact patterns, by type, language and split.

    python benchmarks/fact_patterns.py [--errors] [dev|test]

The sentences of tests/data/fact_sentences were written before the patterns. Each is read as a
message of its owner's. A fact of the labelled type is right; any other is false; the rate of
false positives is that of near misses from which a fact was read.
"""

from __future__ import annotations

import datetime as dt
import sys
from collections import Counter
from pathlib import Path

from hfea.intervals import Rate
from memory_core.extraction.facts_reading import facts
from memory_core.model import AuthorKind, Message, Origin, Role

LABELLED = Path(__file__).resolve().parents[1] / "tests" / "data" / "fact_sentences"
NONE = "-"


def said(text: str, author: str = "Helena") -> Message:
    return Message(
        "default", "jsonl", "s", "m", dt.datetime(2026, 3, 4, 12, tzinfo=dt.UTC), Role.USER,
        author, AuthorKind.OWNER, Origin.DIRECT, text, "x", 0,
    )  # fmt: skip


def labelled(language: str) -> list[tuple[str, str, str]]:
    """Read (split, type, sentence) of one language."""
    found, split = [], ""
    for line in (LABELLED / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            split = line.split()[1]
        elif line.strip():
            kind, _, text = line.partition(" | ")
            found.append((split, kind, text))
    return found


def show(k: int, n: int) -> str:
    low, high = Rate(k, n).interval()
    return f"{k}/{n} {k / n:.3f} [{low:.2f}, {high:.2f}]" if n else "0/0"


def measure(language: str, split: str, *, errors: bool) -> None:
    right: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    given: Counter[str] = Counter()
    fooled = near = 0
    for where, kind, text in labelled(language):
        if where != split:
            continue
        kinds = {(f.type.value, f.pattern) for f in facts(said(text))}
        given.update(k for k, _ in kinds)
        if kind == NONE:
            near += 1
            fooled += bool(kinds)
        else:
            wanted[kind] += 1
            right[kind] += any(k == kind for k, _ in kinds)
        wrong = {k for k in kinds if k[0] != kind}
        if errors and (wrong or (kind != NONE and not kinds)):
            print(f"    {kind:17} {sorted(kinds)} {text}")
    hits = right.total()
    print(f"{language} {split}: precision {show(hits, given.total())}")
    print(
        f"    recall {show(hits, wanted.total())}  near misses read as facts {show(fooled, near)}"
    )
    for kind in sorted(wanted | given):
        told = f"{right[kind]}/{given[kind]}"
        print(f"    {kind:17} precision {told} recall {right[kind]}/{wanted[kind]}")


if __name__ == "__main__":
    splits = [a for a in sys.argv[1:] if a in ("dev", "test")] or ["dev", "test"]
    for chosen in splits:
        for tongue in ("pt", "en"):
            measure(tongue, chosen, errors="--errors" in sys.argv)
