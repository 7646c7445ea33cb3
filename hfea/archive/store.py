"""The archive: seal a day, append to it, read it back; one writer at a time (the night lock)."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hfea.archive import layout, render
from hfea.archive.check_day import day_findings, lines_of
from hfea.archive.citing import DanglingCitation, by_key, evidence_lines, with_digests
from hfea.archive.correction import correction
from hfea.archive.disk import Disk, RealDisk
from hfea.archive.evidence import CitedText, Key
from hfea.archive.findings import Finding
from hfea.archive.journal import Change, UnsafePlace, check_place, commit, current, finish, recover
from hfea.archive.layout import EVIDENCE, HEAD_FILE, MARKDOWN, SEAL, SUFFIXES
from hfea.archive.seal import GENESIS, Block, Head, decode, encode, head_bytes, leaves, sealed
from hfea.archive.stored import StoredDay, files_digest, stored_day
from hfea.archive.verify import archive_findings, newest_seal
from hfea.episode import Addendum, Episode
from hfea.errors import HfeaError, UsageError
from memory_core.model import Message

__all__ = [
    "AlreadySealed",
    "Archive",
    "DanglingCitation",
    "Finding",
    "NotSealed",
    "Sealed",
    "StoredDay",
]
SEED_BYTES = 32


class NotSealed(UsageError):
    """There is no episode of that day."""

    def __init__(self, day: dt.date) -> None:
        super().__init__(f"there is no episode of {day.isoformat()}")


class AlreadySealed(HfeaError):
    """The day has a sealed episode of other content; it is never rewritten (invariant 4)."""

    def __init__(self, day: dt.date) -> None:
        super().__init__(f"{day.isoformat()} is sealed; what comes late is appended to it")


class EpisodeGone(HfeaError):
    """The day was sealed and its episode is not there; it is not written anew."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} was sealed and is gone; restore it from a backup")


class Unappendable(HfeaError):
    """The day's file cannot be read any more, so nothing is appended to it (case C07)."""

    def __init__(self, path: Path, why: object) -> None:
        super().__init__(f"{path} cannot be read, so nothing is appended: {why}")


@dataclass(frozen=True, slots=True)
class Sealed:
    """What a sealing left: its place in the chain, its size in bytes, and whether it wrote.

    `digest` is the SHA-256 over the day's three files.
    """

    day: dt.date
    sequence: int
    head: str
    digest: str
    bytes: int
    changed: bool


class Archive:
    """The folder of dated Markdown, evidence and seals."""

    def __init__(
        self,
        root: Path,
        key: bytes,
        *,
        disk: Disk | None = None,
        entropy: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self.root = root
        self._key, self._disk, self._entropy = key, disk or RealDisk(), entropy

    def days(self) -> tuple[dt.date, ...]:
        """Return the days that have an episode, oldest first."""
        return layout.days(self.root)

    def path(self, day: dt.date) -> Path:
        """Return where the episode of *day* is."""
        return self.root / layout.relative(day, MARKDOWN)

    def recover(self) -> tuple[str, ...]:
        """Finish what a crash interrupted; return the files that were completed.

        A lost or damaged head file is made anew from the seals.
        """
        done = recover(self.root, self._disk)
        if self._head_as_written() is not None:
            return done
        head, day = newest_seal(self.root)
        if day is None:
            return done
        commit(self.root, [self._change(HEAD_FILE, head_bytes(head, day))], self._disk)
        return (*done, HEAD_FILE)

    def head(self) -> Head:
        """Return the newest seal; sequence 0 for an empty archive."""
        return self._head_as_written() or newest_seal(self.root)[0]

    def read(self, day: dt.date) -> StoredDay:
        """Read one day. Raises NotSealed; damage is a finding, never an exception."""
        if not self.path(day).exists() and not self.path(day).is_symlink():
            raise NotSealed(day)
        files = tuple(self._bytes(day, suffix) for suffix in SUFFIXES)
        return stored_day(day, files, tuple(day_findings(self.root, self._key, day, files)))

    def seal(self, episode: Episode, messages: Iterable[Message]) -> Sealed:
        """Write and seal a day. The same episode again changes nothing; another is refused.

        Raises AlreadySealed, EpisodeGone, DanglingCitation, ArchiveChanged, UnsafePlace, OSError.
        """
        finish(self.root, self._disk)
        day = episode.day
        if current(self.root, layout.relative(day, MARKDOWN)):
            return self._again(episode)
        if current(self.root, layout.relative(day, SEAL)):
            raise EpisodeGone(self.path(day))
        known = by_key(messages)
        seed = self._entropy(SEED_BYTES)
        threads, cites = with_digests(episode.threads, {k: (m,) for k, m in known.items()}, seed)
        value = replace(episode, threads=threads)
        text = render.episode(value, self.head().sequence + 1)
        kept = evidence_lines(value.statements(), known)
        return self._write(day, (text, kept, cites, seed), ())

    def append(self, day: dt.date, addendum: Addendum, messages: Iterable[Message]) -> Sealed:
        """Append an addendum to a sealed day; its number is given here. See `seal` for errors.

        A person's own edits of the file stay as they are: the block goes behind them. Where the
        file cannot be read any more, Unappendable is raised and nothing is written.
        """
        finish(self.root, self._disk)
        stored = self.read(day)
        if stored.episode is None:
            raise Unappendable(self.path(day), stored.findings[-1])
        for old in stored.addenda:
            if old.inputs == addendum.inputs and old.kind == addendum.kind and old.inputs:
                return self._unchanged(day)
        blocks = self._blocks(day)
        fresh = by_key(messages)
        known: dict[Key, list[Message | CitedText]] = {k: [m] for k, m in fresh.items()}
        for part in stored.evidence:
            known.setdefault(part.key, []).append(part)
        seed = self._entropy(SEED_BYTES)
        threads, cites = with_digests(addendum.threads, known, seed)
        value = replace(addendum, threads=threads, number=_next_number(blocks))
        text = render.addendum(value, stored.episode.zone)
        before = set((self._bytes(day, EVIDENCE) or b"").decode("utf-8", "replace").split("\n"))
        kept = [k for k in evidence_lines(value.statements(), fresh) if k not in before]
        return self._write(day, (text, kept, cites, seed), blocks)

    def correct(self, day: dt.date, statement: str, text: str, *, on: dt.date, by: str) -> Sealed:
        """Append the owner's correction of a statement; *text* is already redacted."""
        return self.append(day, correction(self.read(day), statement, text, on=on, by=by), ())

    def verify(
        self, *, expect_head: str | None = None, known_heads: Sequence[Head] = ()
    ) -> tuple[Finding, ...]:
        """Check every byte, seal and link of the chain; return what is wrong, by file."""
        return tuple(
            archive_findings(self.root, self._key, expect_head=expect_head, known=known_heads)
        )

    def _head_as_written(self) -> Head | None:
        try:
            return Head.read((self.root / HEAD_FILE).read_bytes())
        except (FileNotFoundError, ValueError):
            return None

    def _again(self, episode: Episode) -> Sealed:
        stored = self.read(episode.day)
        if stored.episode is not None and stored.episode.inputs != episode.inputs:
            raise AlreadySealed(episode.day)
        return self._unchanged(episode.day)

    def _unchanged(self, day: dt.date) -> Sealed:
        head = self.head()
        return Sealed(day, head.sequence, head.hex, self.read(day).digest, 0, changed=False)

    def _blocks(self, day: dt.date) -> tuple[Block, ...]:
        data = self._bytes(day, SEAL)
        if data is None:
            msg = f"{self.root / layout.relative(day, SEAL)} is missing; restore it from a backup"
            raise HfeaError(msg)
        try:
            return decode(data)[1]
        except ValueError as error:
            msg = f"{self.root / layout.relative(day, SEAL)} is damaged; restore it from a backup"
            raise HfeaError(msg) from error

    def _bytes(self, day: dt.date, suffix: str) -> bytes | None:
        place = layout.relative(day, suffix)
        try:
            check_place(self.root, place)
            path = self.root / place
            if path.is_symlink():
                return None
            return path.read_bytes() if path.is_file() else None
        except UnsafePlace:
            return None

    def _write(
        self,
        day: dt.date,
        content: tuple[str, Sequence[str], tuple[str, ...], bytes],
        blocks: Sequence[Block],
    ) -> Sealed:
        text, kept, cites, seed = content
        head = self.head()
        block = Block(
            sequence=head.sequence + 1,
            number=_next_number(blocks),
            markdown=leaves(seed, "md", lines_of(text)),
            evidence=leaves(seed, "evidence", kept),
            cites=cites,
            previous=head.hex or GENESIS,
            seal="",
        )
        block = replace(block, seal=sealed(self._key, day.isoformat(), block))
        changes = [
            self._added(day, MARKDOWN, text.encode()),
            self._added(day, EVIDENCE, "".join(f"{line}\n" for line in kept).encode()),
            self._change(layout.relative(day, SEAL), encode(day.isoformat(), [*blocks, block])),
            self._change(HEAD_FILE, head_bytes(Head(block.sequence, block.seal), day)),
        ]
        commit(self.root, changes, self._disk)
        done = files_digest([c.after for c in changes[:3]])
        size = sum(len(c.after) for c in changes)
        return Sealed(day, block.sequence, block.seal, done, size, changed=True)

    def _added(self, day: dt.date, suffix: str, more: bytes) -> Change:
        old = self._bytes(day, suffix) or b""
        if old and not old.endswith(b"\n"):
            old += b"\n"  # a person's last line without an end; theirs stays whole
        return replace(self._change(layout.relative(day, suffix), old + more), added=len(more))

    def _change(self, place: str, after: bytes) -> Change:
        return Change(place, current(self.root, place), after)


def _next_number(blocks: Sequence[Block]) -> int:
    """Return 0 for the episode itself, then 1, 2, … for addenda."""
    return max((b.number for b in blocks), default=-1) + 1
