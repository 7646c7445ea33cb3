"""What is wrong with an archive, by name: changed bytes, missing files, broken or forged seals."""

from __future__ import annotations

import datetime as dt
import hmac
import json
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hfea.archive import layout
from hfea.archive.journal import UnsafePlace, check_place
from hfea.archive.layout import EVIDENCE, MARKDOWN, SEAL
from hfea.archive.seal import GENESIS, Block, Head, Leaf, decode, sealed, wrong_lines

MOST_LINES = 5  # line numbers named in one finding
WINDOW = 60  # lines that a person may have added in one place and still be told apart


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: a stable code, the file below the root, and a sentence.

    Codes: `changed`, `missing`, `unreadable`, `forged_seal`, `broken_chain`, `rolled_back`,
    `truncated`, `link`, `mode`, `foreign`, `wrong_head`.
    """

    code: str
    path: str
    detail: str

    def __str__(self) -> str:
        return f"{self.path}: {self.detail}"


class Lines:
    """The lines of a text as leaves: each line without its line feed, the last one ended."""

    @staticmethod
    def of(text: str) -> list[str]:
        """Return the lines of *text*, which ends with a line feed."""
        return text.removesuffix("\n").split("\n") if text else []


Files = tuple[bytes | None, bytes | None, bytes | None]


def day_findings(root: Path, key: bytes, day: dt.date, files: Files) -> Iterator[Finding]:
    """Yield what differs between a day's *files* (Markdown, evidence, seal) and its seal."""
    markdown, evidence, seal = files
    for suffix, data in ((MARKDOWN, markdown), (EVIDENCE, evidence), (SEAL, seal)):
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
        yield from _compared(day, EVIDENCE, evidence, [b.evidence for b in blocks])


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
        yield Finding("forged_seal", place, f"is the seal of {named}")
    for number, block in enumerate(blocks):
        try:
            right = hmac.compare_digest(sealed(key, named, block), block.seal)
        except ValueError:
            right = False
        if not right:
            yield Finding("forged_seal", place, f"the seal {block.sequence} is not by this key")
        if block.number != number:
            yield Finding("truncated", place, f"addendum {number} is missing or out of order")
    return blocks


def _compared(
    day: dt.date, suffix: str, data: bytes | None, parts: Sequence[Sequence[Leaf]]
) -> Iterator[Finding]:
    if data is None:
        return
    place = layout.relative(day, suffix)
    try:
        lines = Lines.of(data.decode("utf-8"))
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


def archive_findings(
    root: Path, key: bytes, *, expect_head: str | None, known: Sequence[Head]
) -> Iterator[Finding]:
    """Yield everything wrong with the archive at *root*.

    *known* are heads recorded elsewhere (the ledger, the newest backup manifest): an archive
    that does not contain one of them was rolled back or replaced.
    """
    chain: dict[int, tuple[Block, str]] = {}
    for day in sorted({*layout.days(root), *_sealed_days(root)}):
        files = (_read(root, day, MARKDOWN), _read(root, day, EVIDENCE), _read(root, day, SEAL))
        yield from day_findings(root, key, day, files)
        for block in _quiet_blocks(files[2]):
            place = layout.relative(day, SEAL)
            if block.sequence in chain:
                yield Finding("broken_chain", place, f"seal {block.sequence} exists twice")
            chain[block.sequence] = (block, place)
    yield from _chain(root, chain, expect_head, known)
    yield from _strangers(root)


def _chain(
    root: Path,
    chain: dict[int, tuple[Block, str]],
    expect_head: str | None,
    known: Sequence[Head],
) -> Iterator[Finding]:
    previous = GENESIS
    for number in range(1, max(chain, default=0) + 1):
        if number not in chain:
            yield Finding("missing", layout.HEAD_FILE, f"the block with seal {number} is missing")
            previous = ""
            continue
        block, place = chain[number]
        if previous and block.previous != previous:
            yield Finding("broken_chain", place, f"seal {number} does not follow seal {number - 1}")
        previous = block.seal
    newest = max(chain, default=0)
    head = Head(newest, chain[newest][0].seal if newest else GENESIS)
    yield from _head(root, head, chain, expect_head, known)


def _head(
    root: Path,
    head: Head,
    chain: dict[int, tuple[Block, str]],
    expect_head: str | None,
    known: Sequence[Head],
) -> Iterator[Finding]:
    written = _head_file(root)
    if written != head:
        detail = f"names seal {written.sequence}, the newest found is {head.sequence}"
        code = "rolled_back" if written.sequence > head.sequence else "wrong_head"
        yield Finding(code, layout.HEAD_FILE, detail)
    if expect_head is not None and not hmac.compare_digest(
        expect_head.strip().lower().encode(), head.hex.encode()
    ):
        detail = f"the newest seal is {head.hex[:16]}…, not the one expected"
        yield Finding("rolled_back", layout.HEAD_FILE, detail)
    for known_head in known:
        found = chain.get(known_head.sequence)
        if known_head.sequence and (found is None or found[0].seal != known_head.hex):
            detail = f"seal {known_head.sequence}, recorded before, is not in the archive"
            yield Finding("rolled_back", layout.HEAD_FILE, detail)


def _head_file(root: Path) -> Head:
    try:
        data = json.loads((root / layout.HEAD_FILE).read_bytes())
        return Head(int(data["sequence"]), str(data["seal"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Head()


def _quiet_blocks(data: bytes | None) -> tuple[Block, ...]:
    try:
        return decode(data)[1] if data is not None else ()
    except ValueError:
        return ()


def _read(root: Path, day: dt.date, suffix: str) -> bytes | None:
    path = root / layout.relative(day, suffix)
    try:
        check_place(root, layout.relative(day, suffix))
    except UnsafePlace:
        return None
    if path.is_symlink() or not path.is_file():
        return None
    return path.read_bytes()


def _sealed_days(root: Path) -> Iterator[dt.date]:
    for path in root.glob("[0-9][0-9][0-9][0-9]/[0-9][0-9]/*.seal.json"):
        name = path.name.removesuffix(SEAL)
        try:
            day = layout.parse_day(name)
        except layout.NotADay:
            continue
        if path.relative_to(root).as_posix() == layout.relative(day, SEAL):
            yield day


def _strangers(root: Path) -> Iterator[Finding]:
    """Yield files among the days that are none of the archive's, links, and too open modes."""
    for path in sorted(root.glob("[0-9][0-9][0-9][0-9]/**/*")):
        place = path.relative_to(root).as_posix()
        if path.is_symlink():
            if not place.endswith(layout.SUFFIXES):
                yield Finding("link", place, "is a link, which the archive does not follow")
            continue
        if path.stat().st_mode & 0o077:
            yield Finding("mode", place, "is open to other accounts; run chmod go-rwx on it")
        if path.is_file() and not _belongs(place):
            yield Finding("foreign", place, "is no file of the archive; it is left alone")


def _belongs(place: str) -> bool:
    name = place.rpartition("/")[2]
    for suffix in layout.SUFFIXES:
        if name.endswith(suffix):
            try:
                return layout.relative(layout.parse_day(name.removesuffix(suffix)), suffix) == place
            except layout.NotADay:
                return False
    return False
