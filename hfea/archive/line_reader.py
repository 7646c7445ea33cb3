"""The lines of an episode file, taken one after another, with a number for what is wrong."""

from __future__ import annotations

import json
import re
from typing import Any

from hfea.archive import lines_in
from hfea.episode import Citation
from hfea.errors import HfeaError


class Unparsable(HfeaError):
    """A file is not an episode as HFEA writes it; it is left as it is."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


class Lines:
    """The lines of one part of a file; *before* lines of the file come before it.

    Where *strict* is false, lines that HFEA did not write are passed over.
    """

    def __init__(self, text: str, before: int, *, strict: bool) -> None:
        self._lines = text.split("\n")
        self._before = before
        self.strict = strict
        self.index = 0
        self.notes: dict[str, Citation] = {}
        self._read_notes()

    def _read_notes(self) -> None:
        for number, line in enumerate(self._lines):
            if line.startswith("[^") and (match := lines_in.NOTE.match(line)):
                self.notes[match["n"]] = self._note(match, number + self._before + 1)

    def _note(self, match: re.Match[str], line: int) -> Citation:
        try:
            return lines_in.citation(match)
        except ValueError:
            raise Unparsable(line, "a footnote's time is wrong") from None

    def peek(self) -> str:
        """Return the next line; '' at the end."""
        return self._lines[self.index] if self.index < len(self._lines) else ""

    def ended(self) -> bool:
        """Whether all lines were taken."""
        return self.index >= len(self._lines)

    def take(self) -> str:
        """Return the next line and go past it. Raises Unparsable at the end."""
        line = self.peek()
        if self.ended():
            raise self.wrong("the file ends too early")
        self.index += 1
        return line

    def expect(self, start: str) -> str:
        """Take a line that begins with *start*; return what follows."""
        here = self.index
        while not self.strict and not self.ended() and not self.peek().startswith(start):
            self.index += 1
        if not self.peek().startswith(start):
            self.index = here
            raise self.wrong(f"expected {start!r} here")
        return self.take()[len(start) :]

    def foreign(self) -> bool:
        """Pass over a line that HFEA did not write, where that is allowed."""
        if self.strict or self.ended():
            return False
        self.index += 1
        return True

    def skip_blank(self) -> None:
        """Go past empty lines."""
        while not self.ended() and not self.peek():
            self.index += 1

    def wrong(self, why: str) -> Unparsable:
        """Return the error for the line that is next."""
        return Unparsable(self._before + self.index + 1, why)

    def json(self, text: str) -> Any:
        """Return the value that *text* writes as JSON. Raises Unparsable."""
        try:
            return json.loads(text)
        except ValueError:
            raise self.wrong("a value is not JSON") from None
