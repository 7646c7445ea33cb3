"""Recall blocks in a transcript: what a memory gave the agent, never evidence (invariant 13)."""

from __future__ import annotations

import re

_NAMES = "memory-context|hfea-recall|hfea-evidence|hfea-answer"
_OPEN = re.compile(rf"<\s*({_NAMES})\b[^<>\n]{{0,400}}>?", re.IGNORECASE)
_CLOSE = re.compile(rf"<\s*/\s*({_NAMES})\s*>?|&lt;/({_NAMES})&gt;", re.IGNORECASE)


def recall_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of recall blocks, tags included; nested ones are one.

    A block that is never closed goes to the next blank line but one, or to the end: too much
    is removed rather than too little. A closing tag alone is removed by itself.
    """
    found: list[tuple[int, int]] = []
    at = depth = start = 0
    tags = sorted(
        [(m.start(), m.end(), 1) for m in _OPEN.finditer(text)]
        + [(m.start(), m.end(), -1) for m in _CLOSE.finditer(text)]
    )
    for begin, end, step in tags:
        if depth == 0:
            if step < 0:
                found.append((begin, end))
                continue
            start = begin
        depth += step
        at = end
        if depth == 0:
            found.append((start, at))
    if depth > 0:
        found.append((start, len(text)))
    return tuple(found)
