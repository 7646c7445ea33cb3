"""One sealed day as its files say: values, and what differs from the seal."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hfea.archive import evidence, layout, parse
from hfea.archive.evidence import CitedText
from hfea.archive.findings import Finding
from hfea.archive.layout import EVIDENCE, MARKDOWN
from hfea.archive.line_reader import Unparsable
from hfea.episode import Addendum, Episode, Statement


@dataclass(frozen=True, slots=True)
class StoredDay:
    """One day as its files say. `episode` is None where they cannot be read.

    `digest` is the SHA-256 over the three files; `findings` say what differs from the seal.
    """

    day: dt.date
    episode: Episode | None
    addenda: tuple[Addendum, ...]
    evidence: tuple[CitedText, ...]
    digest: str
    findings: tuple[Finding, ...]

    def statements(self) -> Iterator[Statement]:
        """Yield the statements of the episode and of its addenda."""
        if self.episode is not None:
            yield from self.episode.statements()
        for addendum in self.addenda:
            yield from addendum.statements()


def stored_day(day: dt.date, files: Sequence[bytes | None], found: Sequence[Finding]) -> StoredDay:
    """Read the Markdown, evidence and seal of a day; *found* is what `verify` says of them."""
    findings = list(found)
    episode, addenda = _parsed(files[0], findings, layout.relative(day, MARKDOWN))
    cited = tuple(_cited(files[1], findings, layout.relative(day, EVIDENCE)))
    return StoredDay(day, episode, addenda, cited, files_digest(files), tuple(findings))


def files_digest(files: Sequence[bytes | None]) -> str:
    """Return the hex SHA-256 over files, each with its length before it."""
    state = hashlib.sha256()
    for data in files:
        state.update(len(data or b"").to_bytes(8, "big") + (data or b""))
    return state.hexdigest()


def _parsed(
    data: bytes | None, found: list[Finding], place: str
) -> tuple[Episode | None, tuple[Addendum, ...]]:
    if data is None:
        return None, ()
    try:
        document = parse.document(data.decode("utf-8"), strict=not found)
    except (Unparsable, UnicodeDecodeError) as error:
        found.append(Finding("unreadable", place, str(error)))
        return None, ()
    return document.episode, document.addenda


def _cited(data: bytes | None, found: list[Finding], place: str) -> Iterator[CitedText]:
    lines = (data or b"").decode("utf-8", "replace").split("\n")
    for number, text in enumerate(lines, start=1):
        if not text or text.startswith("[erased "):
            continue
        try:
            yield evidence.read(text)
        except ValueError:
            found.append(Finding("unreadable", place, f"line {number} is no evidence"))
