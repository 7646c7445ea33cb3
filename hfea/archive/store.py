"""The archive: seal a day, append to it, read it back; one writer at a time (the night lock)."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hfea.archive import evidence, layout, parse, render
from hfea.archive.disk import Disk, RealDisk
from hfea.archive.evidence import CitedText
from hfea.archive.journal import Change, UnsafePlace, check_place, commit, current, recover
from hfea.archive.layout import EVIDENCE, HEAD_FILE, MARKDOWN, SEAL
from hfea.archive.seal import GENESIS, Block, Head, decode, encode, leaves, salts, sealed
from hfea.archive.verify import Finding, Lines, archive_findings, day_findings
from hfea.episode import (
    Addendum,
    Citation,
    Episode,
    Link,
    Relation,
    Statement,
    Thread,
    statement_id,
)
from hfea.errors import HfeaError, UsageError
from memory_core.model import AuthorKind, Kind, Message, Origin, Theme

SEED_BYTES = 32


class NotSealed(UsageError):
    """There is no episode of that day."""

    def __init__(self, day: dt.date) -> None:
        super().__init__(f"there is no episode of {day.isoformat()}")


class AlreadySealed(HfeaError):
    """The day has a sealed episode of other content; it is never rewritten (invariant 4)."""

    def __init__(self, day: dt.date) -> None:
        super().__init__(f"{day.isoformat()} is sealed; what comes late is appended to it")


class DanglingCitation(HfeaError):
    """A statement cites a message, or a stretch of one, that is not there (invariant 6)."""

    def __init__(self, citation: Citation) -> None:
        place = f"{citation.source} {citation.session_id} {citation.message_id}"
        super().__init__(f"a citation of {place} resolves to nothing; the day was not sealed")


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


@dataclass(frozen=True, slots=True)
class Sealed:
    """What a sealing left: its place in the chain, its size in bytes, and whether it wrote."""

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
        """Finish what a crash interrupted; return the files that were completed."""
        return recover(self.root, self._disk)

    def head(self) -> Head:
        """Return the newest seal, as the head file says."""
        try:
            data = json.loads((self.root / HEAD_FILE).read_bytes())
            return Head(int(data["sequence"]), str(data["seal"]))
        except FileNotFoundError:
            return Head()
        except (ValueError, KeyError, TypeError) as error:
            msg = f"{self.root / HEAD_FILE} is damaged; `hfea verify` says what the seals hold"
            raise HfeaError(msg) from error

    def read(self, day: dt.date) -> StoredDay:
        """Read one day. Raises NotSealed; damage is a finding, never an exception."""
        if not self.path(day).exists() and not self.path(day).is_symlink():
            raise NotSealed(day)
        files = (self._bytes(day, MARKDOWN), self._bytes(day, EVIDENCE), self._bytes(day, SEAL))
        state = hashlib.sha256()
        for data in files:
            state.update(len(data or b"").to_bytes(8, "big") + (data or b""))
        found = list(day_findings(self.root, self._key, day, files))
        episode, addenda = _parsed(files[0], found, layout.relative(day, MARKDOWN))
        cited = tuple(_cited(files[1], found, layout.relative(day, EVIDENCE)))
        return StoredDay(day, episode, addenda, cited, state.hexdigest(), tuple(found))

    def seal(self, episode: Episode, messages: Iterable[Message]) -> Sealed:
        """Write and seal a day. The same episode again changes nothing; another is refused.

        Raises AlreadySealed, DanglingCitation, ArchiveChanged, UnsafePlace, OSError.
        """
        day = episode.day
        if current(self.root, layout.relative(day, MARKDOWN)):
            return self._again(episode)
        seed = self._entropy(SEED_BYTES)
        threads, cites = _with_digests(episode.threads, _by_key(messages), seed)
        value = replace(episode, threads=threads)
        head = self.head()
        text = render.episode(value, head.sequence + 1)
        kept = _evidence_lines(value.statements(), _by_key(messages))
        return self._write(day, 0, (text, kept, cites, seed), ())

    def append(self, day: dt.date, addendum: Addendum, messages: Iterable[Message]) -> Sealed:
        """Append an addendum to a sealed day; its number is given here. See `seal` for errors.

        A person's own edits of the file stay as they are: the block goes behind them.
        """
        stored = self.read(day)
        if stored.episode is None:
            msg = f"{self.path(day)} cannot be read, so nothing is appended: {stored.findings[0]}"
            raise HfeaError(msg)
        for old in stored.addenda:
            if old.inputs == addendum.inputs and old.kind == addendum.kind and old.inputs:
                return self._unchanged(day)
        blocks = self._blocks(day)
        number = max((b.number for b in blocks), default=0) + 1
        fresh = _by_key(messages)
        known: dict[evidence.Key, Message | CitedText] = {p.key: p for p in stored.evidence}
        known.update(fresh)
        seed = self._entropy(SEED_BYTES)
        threads, cites = _with_digests(addendum.threads, known, seed)
        value = replace(addendum, threads=threads, number=number)
        text = render.addendum(value, stored.episode.zone)
        before = set((self._bytes(day, EVIDENCE) or b"").decode().split("\n"))
        kept = [
            k for k in _evidence_lines(value.statements(), _by_key(messages)) if k not in before
        ]
        return self._write(day, number, (text, kept, cites, seed), blocks)

    def correct(self, day: dt.date, statement: str, text: str, *, on: dt.date, by: str) -> Sealed:
        """Append the owner's correction of a statement; *text* is already redacted."""
        stored = self.read(day)
        old = next((s for s in stored.statements() if s.id == statement), None)
        if old is None:
            msg = f"{day.isoformat()} has no statement {statement}; `hfea episodes show` lists them"
            raise UsageError(msg)
        if not text.strip():
            raise UsageError("a correction needs words")
        citations = tuple(replace(c, digest="") for c in old.citations)
        new = Statement(
            id=statement_id(day, Kind.EVENT, text, citations),
            kind=Kind.EVENT,
            theme=old.theme if old.theme is not Theme.MOOD else Theme.OTHER,
            text=text,
            at=old.at,
            author=by,
            author_kind=AuthorKind.OWNER,
            origin=Origin.DIRECT,
            citations=citations,
            links=(Link(Relation.CORRECTS, statement),),
        )
        inputs = hashlib.sha256(f"{statement}\0{text}\0{on}".encode()).hexdigest()
        thread = Thread("c1", f"Correction of {statement}", "", (), None, None, (new,))
        note = f"{by or 'The owner'} corrects statement {statement}."
        value = Addendum(0, on, "correction", note, (thread,), inputs=inputs)
        return self.append(day, value, ())

    def verify(
        self, *, expect_head: str | None = None, known_heads: Sequence[Head] = ()
    ) -> tuple[Finding, ...]:
        """Check every byte, seal and link of the chain; return what is wrong, by file."""
        return tuple(
            archive_findings(self.root, self._key, expect_head=expect_head, known=known_heads)
        )

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
        number: int,
        content: tuple[str, list[str], tuple[str, ...], bytes],
        blocks: Sequence[Block],
    ) -> Sealed:
        text, kept, cites, seed = content
        head = self.head()
        block = Block(
            sequence=head.sequence + 1,
            number=number,
            markdown=leaves(seed, "md", Lines.of(text)),
            evidence=leaves(seed, "evidence", kept),
            cites=cites,
            previous=head.hex or GENESIS,
            seal="",
        )
        block = replace(block, seal=sealed(self._key, day.isoformat(), block))
        files = self._changes(day, text, kept, [*blocks, block])
        commit(self.root, files, self._disk)
        state = hashlib.sha256()
        for change in files[:3]:
            state.update(len(change.after).to_bytes(8, "big") + change.after)
        size = sum(len(c.after) for c in files)
        return Sealed(day, block.sequence, block.seal, state.hexdigest(), size, changed=True)

    def _changes(
        self, day: dt.date, text: str, kept: Sequence[str], blocks: Sequence[Block]
    ) -> list[Change]:
        newest = blocks[-1]
        head = json.dumps({"sequence": newest.sequence, "seal": newest.seal, "day": str(day)})
        added = {
            MARKDOWN: text.encode(),
            EVIDENCE: "".join(f"{line}\n" for line in kept).encode(),
        }
        changes = []
        for suffix in (MARKDOWN, EVIDENCE):
            old = self._bytes(day, suffix) or b""
            if suffix == MARKDOWN and old and not old.endswith(b"\n"):
                old += b"\n"  # a person's last line without an end; theirs stays whole
            place = layout.relative(day, suffix)
            changes.append(Change(place, current(self.root, place), old + added[suffix]))
        place = layout.relative(day, SEAL)
        changes.append(Change(place, current(self.root, place), encode(day.isoformat(), blocks)))
        changes.append(Change(HEAD_FILE, current(self.root, HEAD_FILE), head.encode() + b"\n"))
        return changes


def _by_key(messages: Iterable[Message]) -> dict[evidence.Key, Message]:
    return {(m.source, m.session_id, m.message_id): m for m in messages}


def _cited_words(c: Citation, known: Mapping[evidence.Key, Message | CitedText]) -> str:
    found = known.get((c.source, c.session_id, c.message_id))
    if isinstance(found, Message) and c.start < c.end <= len(found.content):
        return found.content[c.start : c.end]
    if isinstance(found, CitedText) and c.start < c.end and found.holds(c.start, c.end):
        return found.text[c.start - found.offset : c.end - found.offset]
    raise DanglingCitation(c)


def _with_digests(
    threads: Sequence[Thread], known: Mapping[evidence.Key, Message | CitedText], seed: bytes
) -> tuple[tuple[Thread, ...], tuple[str, ...]]:
    """Fill each citation's salted hash; return the threads and the salts in footnote order."""
    fresh = salts(seed, "cite")
    filled: dict[Citation, Citation] = {}
    used: list[str] = []

    def fill(c: Citation) -> Citation:
        if c not in filled:
            salt = next(fresh)
            words = _cited_words(c, known)
            body = bytes.fromhex(salt) + words.encode()
            filled[c] = replace(c, digest=hashlib.sha256(body).hexdigest())
            used.append(salt)
        return filled[c]

    done = tuple(
        replace(
            thread,
            statements=tuple(
                replace(s, citations=tuple(map(fill, s.citations))) for s in thread.statements
            ),
        )
        for thread in threads
    )
    return done, tuple(used)


def _evidence_lines(
    statements: Iterable[Statement], messages: Mapping[evidence.Key, Message]
) -> list[str]:
    citations = [c for s in statements for c in s.citations]
    return [evidence.line(part) for part in evidence.stretches(citations, messages)]


def _parsed(
    data: bytes | None, found: list[Finding], place: str
) -> tuple[Episode | None, tuple[Addendum, ...]]:
    if data is None:
        return None, ()
    try:
        document = parse.document(data.decode("utf-8"), strict=not found)
    except (parse.Unparsable, UnicodeDecodeError) as error:
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
