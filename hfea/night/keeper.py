"""The archive and its index as the night uses them: sealed and indexed in one go."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from hfea.archive import layout
from hfea.archive.index import Index
from hfea.archive.seal import Block, decode
from hfea.archive.store import Archive, Sealed
from hfea.episode import Addendum, Episode, Statement
from hfea.night.do import Written
from memory_core.model import Message


class ArchiveKeeper:
    """Seals, appends and indexes; knows what the archive holds that the ledger may not."""

    def __init__(self, archive: Archive, index: Index) -> None:
        self._archive, self._index = archive, index

    @property
    def root(self) -> Path:
        """The archive's folder."""
        return self._archive.root

    def recover(self) -> None:
        """Finish what a crash left half done; bring the index up to date with the files."""
        self._archive.recover()
        self._index.refresh(self._archive)

    def days(self) -> Sequence[dt.date]:
        """Return the days that have an episode."""
        return self._archive.days()

    def episode(self, day: dt.date) -> Episode | None:
        """Return the episode of *day*, None where its file cannot be read."""
        return self._archive.read(day).episode

    def statements(self, day: dt.date) -> tuple[Statement, ...]:
        """Return the statements of *day*, addenda included."""
        return tuple(self._archive.read(day).statements())

    def told(self, day: dt.date) -> set[tuple[str, str, str]]:
        """Return the (source, session, message) ids that the files of *day* cite or leave out."""
        stored = self._archive.read(day)
        blocks = (*((stored.episode,) if stored.episode else ()), *stored.addenda)
        left_out = {m for block in blocks for group in block.left_out for m in group.messages}
        cited = {
            (c.source, c.session_id, c.message_id)
            for statement in stored.statements()
            for c in statement.citations
        }
        return cited | left_out

    def seal(self, episode: Episode, messages: Sequence[Message]) -> Written:
        """Write and seal a day; index it."""
        return self._indexed(self._archive.seal(episode, messages))

    def append(self, day: dt.date, addendum: Addendum, messages: Sequence[Message]) -> Written:
        """Append to a sealed day; index it."""
        return self._indexed(self._archive.append(day, addendum, messages))

    def _indexed(self, sealed: Sealed) -> Written:
        self._index.add_day(self._archive.read(sealed.day))
        if sealed.changed:
            return Written(sealed.sequence, sealed.head, sealed.digest, sealed.bytes)
        block = self._blocks(sealed.day)[-1]
        return Written(block.sequence, block.seal, sealed.digest, 0)

    def seals_after(self, sequence: int) -> Iterator[tuple[int, dt.date, str]]:
        """Yield (sequence, day, seal) of the seals newer than *sequence*, in sealing order."""
        head = self._archive.head()
        if head.sequence <= sequence:
            return
        days = self._archive.days()
        if head.sequence == sequence + 1:
            # What a crash leaves: one seal, whose day the head file names.
            text = (self.root / layout.HEAD_FILE).read_bytes()
            days = (dt.date.fromisoformat(json.loads(text)["day"]),)
        found = [(b.sequence, day, b.seal) for day in days for b in self._blocks(day)]
        yield from sorted(entry for entry in found if entry[0] > sequence)

    def _blocks(self, day: dt.date) -> tuple[Block, ...]:
        return decode((self.root / layout.relative(day, layout.SEAL)).read_bytes())[1]
