"""What differs between one day's files and its seal."""

from __future__ import annotations

import datetime as dt
import hmac
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

from hfea.archive import evidence, layout, lines_in
from hfea.archive.citing import DanglingCitation, cited_words, digest
from hfea.archive.evidence import CitedText, Key
from hfea.archive.findings import Finding
from hfea.archive.layout import EVIDENCE, MARKDOWN, SEAL
from hfea.archive.seal import Block, Leaf, decode, encode, sealed, wrong_lines

MOST_LINES = 5  # line numbers named in one finding
WINDOW = 60  # lines that a person may have added in one place and still be told apart
Files = Sequence[bytes | None]  # Markdown, evidence, seal; None for one that is not there


def lines_of(text: str) -> list[str]:
    """Return the lines of *text*, which ends with a line feed, as they are committed."""
    return text.removesuffix("\n").split("\n") if text else []


def day_findings(root: Path, key: bytes, day: dt.date, files: Files) -> Iterator[Finding]:
    """Yield what differs between a day's *files* and its seal."""
    markdown, kept, seal = files
    for suffix, data in ((MARKDOWN, markdown), (EVIDENCE, kept), (SEAL, seal)):
        if data is None:
            place = layout.relative(day, suffix)
            linked = (root / place).is_symlink()
            yield Finding(
                "link" if linked else "missing",
                place,
                "is a link, which the archive does not follow" if linked else "is missing",
            )
    blocks = yield from _blocks(key, day, seal)
    if blocks:
        yield from _compared(day, MARKDOWN, markdown, [b.markdown for b in blocks])
        yield from _compared(day, EVIDENCE, kept, [b.evidence for b in blocks])


def citation_findings(day: dt.date, files: Files) -> Iterator[Finding]:
    """Yield the footnotes whose hash is not that of the evidence they cite (invariant 6).

    For a day without other findings; erased footnotes and salts are passed over.
    """
    markdown, kept, seal = (data or b"" for data in files)
    known: dict[Key, list[CitedText]] = {}
    for line in lines_of(kept.decode("utf-8")):
        if not line.startswith("[erased "):
            part = evidence.read(line)
            known.setdefault(part.key, []).append(part)
    lines, at = lines_of(markdown.decode("utf-8")), 0
    for block in decode(seal)[1]:
        after = at + len(block.markdown)
        for number in range(at, after):
            if lines[number].startswith("[^") and not _bound(lines[number], block, known):
                place = layout.relative(day, MARKDOWN)
                detail = f"the footnote of line {number + 1} is not bound to its evidence"
                yield Finding("dangling", place, detail)
        at = after


def _bound(line: str, block: Block, known: dict[Key, list[CitedText]]) -> bool:
    match = lines_in.NOTE.match(line)
    if match is None:
        return False
    number = int(match["n"].rpartition("-")[2])
    if not 0 < number <= len(block.cites):
        return False
    salt = block.cites[number - 1]
    if not salt:
        return True  # erased
    citation = lines_in.citation(match)
    try:
        return hmac.compare_digest(digest(salt, cited_words(citation, known)), citation.digest)
    except (DanglingCitation, ValueError):
        return False


def _blocks(
    key: bytes, day: dt.date, data: bytes | None
) -> Generator[Finding, None, tuple[Block, ...]]:
    """Yield what is wrong with a seal file; return its blocks."""
    place = layout.relative(day, SEAL)
    if data is None:
        return ()
    try:
        named, blocks = decode(data)
    except ValueError:
        yield Finding("unreadable", place, "is no seal file")
        return ()
    if named != day.isoformat():
        yield Finding("forged_seal", place, f"is the seal of {named[:40]}")
    for number, block in enumerate(blocks):
        try:
            right = hmac.compare_digest(sealed(key, named, block).encode(), block.seal.encode())
        except ValueError:
            right = False
        if not right:
            yield Finding("forged_seal", place, f"the seal {block.sequence} is not by this key")
        if block.number != number:
            yield Finding("truncated", place, f"addendum {number} is missing or out of order")
    if encode(named, blocks) != data:
        yield Finding("changed", place, "is not written as HFEA writes it")
    return blocks


def _compared(
    day: dt.date, suffix: str, data: bytes | None, parts: Sequence[Sequence[Leaf]]
) -> Iterator[Finding]:
    if data is None:
        return
    place = layout.relative(day, suffix)
    try:
        lines = lines_of(data.decode("utf-8"))
    except UnicodeDecodeError:
        yield Finding("changed", place, "is not the UTF-8 text that was sealed")
        return
    leaves = [leaf for part in parts for leaf in part]
    ended = not data or data.endswith(b"\n")
    if ended and not wrong_lines(leaves, lines):
        return
    extra, gone = _aligned(leaves, lines)
    if not ended and not extra and not gone:
        extra = [len(lines)]
    if extra:
        named = ", ".join(str(n) for n in extra[:MOST_LINES])
        yield Finding("changed", place, f"differs from its seal at line {named}")
    if gone:
        detail = f"{len(gone)} sealed lines are not there, from line {gone[0] + 1} on"
        yield Finding("truncated" if not extra else "changed", place, detail)


def _aligned(leaves: Sequence[Leaf], lines: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return (1-based numbers of lines that were not sealed so, indexes of leaves without a line).

    Sealed lines keep their order; a person may have added, changed or removed some.
    """
    extra: list[int] = []
    gone: list[int] = []
    at = 0
    for number, line in enumerate(lines, start=1):
        nearby = leaves[at : at + WINDOW]
        step = next((n for n, leaf in enumerate(nearby) if not wrong_lines([leaf], [line])), None)
        if step is None:
            extra.append(number)
        else:
            gone += range(at, at + step)
            at += step + 1
    gone += range(at, len(leaves))
    return extra, gone
