"""What a format of transcripts is: lines in, messages out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hfea.sources.base import RawMessage
from hfea.sources.copies import Key


class Parser:
    """Reads one transcript line by line; subclasses know a format.

    `unknown` counts lines without a known shape: a file with such lines and no message has
    changed its format, and must say so. `repeated` counts messages that are copies in themselves.
    """

    two_passes = False

    def __init__(self, unit: str, source: str) -> None:
        self.unit, self.source = unit, source
        self.unknown = self.repeated = self.position = 0

    def look(self, value: Mapping[str, Any]) -> None:
        """Take note of one line before the real reading (only where `two_passes`)."""

    def line(self, value: Mapping[str, Any], offset: int) -> Iterable[RawMessage]:
        """Yield the messages that one line completes."""
        raise NotImplementedError

    def end(self) -> Iterable[RawMessage]:
        """Yield what was held back until the end of the file."""
        return ()

    def key(self, message: RawMessage) -> Key | None:
        """Return what makes *message* the same one in another file; None where nothing does."""
        del message
        return None

    def next_position(self) -> int:
        """Return the next place in the order of this file."""
        self.position += 1
        return self.position
