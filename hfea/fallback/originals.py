"""The original messages behind excerpts, from the evidence files beside the episodes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from pathlib import Path

from hfea.archive import evidence, layout
from hfea.archive.evidence import CitedText, Key
from hfea.archive.search_model import Excerpt


def originals(root: Path, excerpts: Sequence[Excerpt]) -> dict[Key, CitedText]:
    """Return the kept text of every message that *excerpts* cite, read from their days' files.

    A line that is no evidence is passed over: the excerpt then stands with its own words.
    """
    wanted = {(c.source, c.session_id, c.message_id) for e in excerpts for c in e.citations}
    found: dict[Key, CitedText] = {}
    for day in sorted({e.day for e in excerpts}):
        for part in _of_day(root, day):
            known = found.get(part.key)
            if part.key in wanted and (known is None or len(part.text) > len(known.text)):
                found[part.key] = part
    return found


def _of_day(root: Path, day: dt.date) -> Iterable[CitedText]:
    path = root / layout.relative(day, layout.EVIDENCE)
    if path.is_symlink() or not path.is_file():
        return
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        if not line or line.startswith("[erased "):
            continue
        try:
            yield evidence.read(line)
        except ValueError:
            continue
