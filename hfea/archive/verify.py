"""What is wrong with an archive, by name: changed bytes, missing files, broken or forged seals."""

from __future__ import annotations

import datetime as dt
import hmac
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hfea.archive import layout
from hfea.archive.check_day import Files, citation_findings, day_findings
from hfea.archive.findings import Finding
from hfea.archive.journal import UnsafePlace, check_place
from hfea.archive.layout import SEAL, SUFFIXES
from hfea.archive.seal import GENESIS, Block, Head, decode, head_bytes

Chain = dict[int, tuple[Block, dt.date]]


def archive_findings(
    root: Path, key: bytes, *, expect_head: str | None, known: Sequence[Head]
) -> Iterator[Finding]:
    """Yield everything wrong with the archive at *root*.

    *known* are heads recorded elsewhere (the ledger, the newest backup manifest): an archive
    that does not contain one of them was rolled back or replaced.
    """
    chain: Chain = {}
    for day in sealed_days(root):
        files = tuple(_read(root, day, suffix) for suffix in SUFFIXES)
        yield from _day(root, key, day, files)
        for block in _quiet_blocks(files[2]):
            if block.sequence in chain:
                place = layout.relative(day, SEAL)
                yield Finding("broken_chain", place, f"seal {block.sequence} exists twice")
            chain[block.sequence] = (block, day)
    yield from _chain(chain)
    yield from _head(root, chain, expect_head, known)
    if (root / layout.JOURNAL_FILE).exists():
        detail = "a sealing was interrupted; the next pass finishes it"
        yield Finding("unfinished", layout.JOURNAL_FILE, detail)
    yield from _strangers(root)


def newest_seal(root: Path) -> tuple[Head, dt.date | None]:
    """Return the newest seal found among the days, and its day; for when the head file is lost."""
    chain: Chain = {}
    for day in sealed_days(root):
        for block in _quiet_blocks(_read(root, day, SEAL)):
            chain[block.sequence] = (block, day)
    return _newest(chain)


def sealed_days(root: Path) -> list[dt.date]:
    """Return the days that have an episode or a seal where it belongs, oldest first."""
    found = set(layout.days(root))
    for path in root.glob(f"[0-9][0-9][0-9][0-9]/[0-9][0-9]/*{SEAL}"):
        place = path.relative_to(root).as_posix()
        day = _day_of(place)
        if day is not None:
            found.add(day)
    return sorted(found)


def _day(root: Path, key: bytes, day: dt.date, files: Files) -> Iterator[Finding]:
    sound = True
    for finding in day_findings(root, key, day, files):
        sound = False
        yield finding
    if sound:
        try:
            yield from citation_findings(day, files)
        except ValueError:
            yield Finding("unreadable", layout.relative(day, layout.EVIDENCE), "is no evidence")


def _newest(chain: Mapping[int, tuple[Block, dt.date]]) -> tuple[Head, dt.date | None]:
    if not chain:
        return Head(), None
    number = max(chain)
    block, day = chain[number]
    return Head(number, block.seal), day


def _chain(chain: Chain) -> Iterator[Finding]:
    previous, expected = GENESIS, 1
    for number in sorted(chain):
        if number > expected:
            detail = f"the block with seal {expected} is missing"
            if number > expected + 1:
                detail = f"the blocks with seals {expected} to {number - 1} are missing"
            yield Finding("missing", layout.HEAD_FILE, detail)
            previous = ""
        block, day = chain[number]
        if previous and block.previous != previous:
            place = layout.relative(day, SEAL)
            yield Finding("broken_chain", place, f"seal {number} does not follow seal {number - 1}")
        previous, expected = block.seal, number + 1


def _head(
    root: Path, chain: Chain, expect_head: str | None, known: Sequence[Head]
) -> Iterator[Finding]:
    head, day = _newest(chain)
    yield from _head_file(root, head, day)
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


def _head_file(root: Path, head: Head, day: dt.date | None) -> Iterator[Finding]:
    """Yield what the head file says otherwise than the days' seals."""
    try:
        data = (root / layout.HEAD_FILE).read_bytes()
        written = Head.read(data)
    except FileNotFoundError:
        if head.sequence:
            yield Finding("missing", layout.HEAD_FILE, "is missing; the next pass makes it anew")
        return
    except (OSError, ValueError):
        yield Finding("unreadable", layout.HEAD_FILE, "is damaged; the next pass makes it anew")
        return
    if written.sequence > head.sequence:
        detail = f"names seal {written.sequence}, the newest found is {head.sequence}"
        yield Finding("rolled_back", layout.HEAD_FILE, detail)
    elif day is None or data != head_bytes(head, day):
        detail = f"does not name the newest seal, {head.sequence}"
        yield Finding("wrong_head", layout.HEAD_FILE, detail)


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


def _strangers(root: Path) -> Iterator[Finding]:
    """Yield files among the days that are none of the archive's, links, and too open modes."""
    ours = (path for path in (root, root / layout.HEAD_FILE) if path.exists())
    for path in (*ours, *sorted(root.glob("[0-9][0-9][0-9][0-9]/**/*"))):
        place = path.relative_to(root).as_posix()
        if path.is_symlink():
            if _day_of(place) is None:
                yield Finding("link", place, "is a link, which the archive does not follow")
            continue
        if path.stat().st_mode & 0o077:
            yield Finding("mode", place, "is open to other accounts; run chmod go-rwx on it")
        if path.is_file() and place != layout.HEAD_FILE and _day_of(place) is None:
            yield Finding("foreign", place, "is no file of the archive; it is left alone")


def _day_of(place: str) -> dt.date | None:
    """Return the day one of whose files belongs at *place*; None for a file of no day."""
    name = place.rpartition("/")[2]
    for suffix in SUFFIXES:
        if name.endswith(suffix):
            try:
                day = layout.parse_day(name.removesuffix(suffix))
            except layout.NotADay:
                return None
            return day if layout.relative(day, suffix) == place else None
    return None
