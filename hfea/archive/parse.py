"""The strict reading of an episode file: the exact inverse of hfea.archive.render.

Every line is accounted for: what was read is rendered again and must give the same bytes, so a
file that a person changed, or that HFEA never wrote, is told by the line where it differs.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hfea.archive import render
from hfea.archive.escape import plain
from hfea.archive.lines_out import NO_TIME, NOBODY
from hfea.episode import (
    Addendum,
    Citation,
    DateNote,
    Episode,
    LeftOut,
    Link,
    Missing,
    Narration,
    Relation,
    Statement,
    Thread,
)
from hfea.errors import HfeaError
from memory_core.model import AuthorKind, Kind, Origin, Outcome, Polarity, Theme

_ITEM = re.compile(
    r"- \*\*(?P<clock>\S+) (?P<author>.*?)\*\* \((?P<facets>[^()]*)\): (?P<text>.*)"
    r" (?P<marks>(?:\[\^[a0-9-]+\])+) `(?P<id>[^`\s]+)`\Z"
)
_MARK = re.compile(r"\[\^([a0-9-]+)\]")
_NOTE = re.compile(
    r"\[\^(?P<n>[a0-9-]+)\]: (?P<source>.*?) · (?P<session>.*?) · (?P<message>.*?)"
    r" · (?P<at>no time|\S+) · (?P<start>\d+)–(?P<end>\d+) · (?P<digest>\S+)\Z"
)
_LINK = re.compile(r"(?P<relation>\w+): `(?P<id>[^`]+)`(?: \((?P<day>[\d-]+)\))?\Z")
_DATE = re.compile(r'date: "(?P<words>.*)" = (?P<readings>.*)\Z')
_ADDENDUM = re.compile(r"## Addendum (?P<n>\d+) · (?P<on>[\d-]+) · (?P<kind>\w+)\Z")
_THEMES = {t.value: t for t in Theme}
_POLARITIES = {p.value: p for p in Polarity}
ONE_DAY = dt.timedelta(days=1)


class Unparsable(HfeaError):
    """A file is not an episode as HFEA writes it; it is left as it is."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


@dataclass(frozen=True, slots=True)
class Document:
    """What an episode file says."""

    episode: Episode
    addenda: tuple[Addendum, ...]
    sequence: int


def document(text: str) -> Document:
    """Read a whole file. Raises Unparsable with the number of the first line that is wrong."""
    starts = [m.start() for m in re.finditer(r"(?m)^\n## Addendum \d+ · ", text)]
    parts = [text[a:b] for a, b in zip([0, *starts], [*starts, len(text)], strict=True)]
    first, sequence = _episode(parts[0])
    _same(parts[0], render.episode(first, sequence), 0)
    addenda, line = [], parts[0].count("\n")
    for part in parts[1:]:
        value = _addendum(part, line)
        _same(part, render.addendum(value, first.zone), line)
        addenda.append(value)
        line += part.count("\n")
    return Document(first, tuple(addenda), sequence)


def _same(found: str, expected: str, before: int) -> None:
    if found == expected:
        return
    mine, theirs = found.split("\n"), expected.split("\n")
    for number, (a, b) in enumerate(zip(mine, theirs, strict=False), start=before + 1):
        if a != b:
            raise Unparsable(number, "differs from what HFEA would write")
    raise Unparsable(before + min(len(mine), len(theirs)), "the file ends too early or too late")


class _Lines:
    """The lines of one part, read one after another."""

    def __init__(self, text: str, before: int) -> None:
        self._lines = text.split("\n")
        self._before = before
        self.index = 0
        self.notes: dict[str, Citation] = {}
        self._read_notes()

    def _read_notes(self) -> None:
        for number, line in enumerate(self._lines):
            if line.startswith("[^") and (match := _NOTE.match(line)):
                self.notes[match["n"]] = _citation(match, number + self._before + 1)

    def peek(self) -> str:
        return self._lines[self.index] if self.index < len(self._lines) else ""

    def ended(self) -> bool:
        return self.index >= len(self._lines)

    def take(self) -> str:
        line = self.peek()
        if self.ended():
            raise self.wrong("the file ends too early")
        self.index += 1
        return line

    def expect(self, start: str) -> str:
        """Take a line that begins with *start*; return what follows."""
        line = self.take()
        if not line.startswith(start):
            self.index -= 1
            raise self.wrong(f"expected {start!r} here")
        return line[len(start) :]

    def skip_blank(self) -> None:
        while not self.ended() and not self.peek():
            self.index += 1

    def wrong(self, why: str) -> Unparsable:
        return Unparsable(self._before + self.index + 1, why)

    def json(self, text: str) -> Any:
        try:
            return json.loads(text)
        except ValueError:
            raise self.wrong("a value is not JSON") from None


def _episode(text: str) -> tuple[Episode, int]:
    lines = _Lines(text, 0)
    try:
        return _read_episode(lines)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise lines.wrong(f"cannot be read ({type(error).__name__})") from error


def _read_episode(lines: _Lines) -> tuple[Episode, int]:
    lines.expect("---")
    version = int(lines.expect("format: "))
    day = dt.date.fromisoformat(lines.json(lines.expect("date: ")))
    zone = lines.json(lines.expect("zone: "))
    start = dt.datetime.fromisoformat(lines.json(lines.expect("start: ")))
    end = dt.datetime.fromisoformat(lines.json(lines.expect("end: ")))
    lines.expect("completeness: ")
    counts = lines.json(lines.expect("counts: "))
    narration = Narration(**lines.json(lines.expect("narration: ")))
    inputs = lines.json(lines.expect("inputs: "))
    sequence = int(lines.expect("seal: "))
    lines.expect("threads:")
    details = []
    while lines.peek().startswith("  - "):
        details.append(lines.json(lines.take()[4:]))
    lines.expect("---")
    lines.skip_blank()
    lines.expect("# ")
    lines.skip_blank()
    summary = []
    while lines.peek().startswith("- "):
        summary.append(plain(lines.take()[2:]))
    threads = tuple(_thread(lines, detail, 2) for detail in details)
    left_out, missing = _rest(lines, 2)
    value = Episode(
        day=day,
        zone=zone,
        start=start,
        end=end,
        summary=tuple(summary),
        threads=threads,
        left_out=left_out,
        missing=missing,
        counts=tuple(counts.items()),
        narration=narration,
        inputs=inputs,
        version=version,
    )
    return value, sequence


def _addendum(text: str, before: int) -> Addendum:
    lines = _Lines(text, before)
    try:
        return _read_addendum(lines)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise lines.wrong(f"cannot be read ({type(error).__name__})") from error


def _read_addendum(lines: _Lines) -> Addendum:
    lines.skip_blank()
    match = _ADDENDUM.match(lines.take())
    if match is None:
        raise lines.wrong("an addendum's heading is wrong")
    lines.skip_blank()
    lines.expect("```json")
    head = lines.json(lines.take())
    details = []
    while not lines.peek().startswith("```"):
        details.append(lines.json(lines.take()))
    lines.expect("```")
    lines.skip_blank()
    note = plain(lines.expect("> "))
    threads = tuple(_thread(lines, detail, 3) for detail in details)
    left_out, missing = _rest(lines, 3)
    return Addendum(
        number=int(match["n"]),
        on=dt.date.fromisoformat(match["on"]),
        kind=match["kind"],
        note=note,
        threads=threads,
        left_out=left_out,
        missing=missing,
        narration=Narration(**head["narration"]),
        inputs=head["inputs"],
    )


def _thread(lines: _Lines, detail: dict[str, Any], level: int) -> Thread:
    lines.skip_blank()
    lines.expect("#" * level + " ")
    lines.skip_blank()
    lines.expect("*")
    lines.skip_blank()
    gist = ""
    following = lines.peek()
    if following and not following.startswith(("#", "- ", "> ", "[^")):
        gist = plain(lines.take())
    return Thread(
        id=detail["id"],
        title=detail["title"],
        gist=gist,
        sessions=tuple(detail["sessions"]),
        start=_moment(detail["start"]),
        end=_moment(detail["end"]),
        statements=_statements(lines, level + 1),
    )


def _statements(lines: _Lines, level: int) -> tuple[Statement, ...]:
    found = []
    labels = tuple(f"{'#' * level} {name}" for name in (render.OUTSIDE, render.INSIDE))
    while True:
        lines.skip_blank()
        line = lines.peek()
        if line in labels:
            lines.take()
        elif line.startswith(("- **", "> - **")):
            found.append(_statement(lines))
        else:
            return tuple(found)


def _statement(lines: _Lines) -> Statement:
    line = lines.take()
    quote = "> " if line.startswith("> ") else ""
    match = _ITEM.match(line[len(quote) :])
    if match is None:
        lines.index -= 1
        raise lines.wrong("a statement's line is wrong")
    citations = tuple(lines.notes[n] for n in _MARK.findall(match["marks"]))
    value = _facets(match, citations)
    extras: dict[str, Any] = {"dates": [], "links": []}
    while lines.peek().startswith(f"{quote}  - "):
        _extra(lines.take()[len(quote) + 4 :], extras)
    dates, links = tuple(extras.pop("dates")), tuple(extras.pop("links"))
    return replace(value, dates=dates, links=links, **extras)


def _facets(match: re.Match[str], citations: tuple[Citation, ...]) -> Statement:
    author_kind, *rest = match["facets"].split(", ")
    fields: dict[str, Any] = {"origin": Origin.DIRECT, "theme": Theme.OTHER}
    for word in rest:
        _facet(word, fields)
    return Statement(
        id=match["id"],
        text=plain(match["text"]),
        at=None if match["clock"] == NO_TIME and citations[0].at is None else citations[0].at,
        author="" if match["author"] == NOBODY else plain(match["author"]),
        author_kind=AuthorKind(author_kind),
        citations=citations,
        **fields,
    )


def _facet(word: str, fields: dict[str, Any]) -> None:
    head, _, tail = word.partition(" ")
    if head == "origin":
        fields["origin"] = Origin(tail)
    elif head == "outcome":
        fields["outcome"] = Outcome(tail)
    elif head == "times":
        fields["times"] = int(tail)
    elif head == "of":
        fields["holder"] = plain(tail)
    elif word == "provisional":
        fields["provisional"] = True
    elif "kind" not in fields:
        fields["kind"] = Kind(word)
    elif word in _THEMES:
        fields["theme"] = _THEMES[word]
    else:
        fields["polarity"] = _POLARITIES[word]


def _extra(text: str, extras: dict[str, Any]) -> None:
    if text.startswith("at: "):
        extras["at"] = _moment(None if text == "at: no time" else text[4:])
    elif text.startswith("shown by: "):
        extras["words"] = plain(text[10:])
    elif match := _DATE.match(text):
        extras["dates"].append(DateNote(plain(match["words"]), _readings(match["readings"])))
    else:
        found = _LINK.match(text)
        if found is None:
            raise ValueError(text)
        day = dt.date.fromisoformat(found["day"]) if found["day"] else None
        extras["links"].append(Link(Relation(found["relation"]), found["id"], day))


def _readings(text: str) -> tuple[tuple[dt.date, dt.date], ...]:
    if text == "undetermined":
        return ()
    found = []
    for part in text.split(" or "):
        first, _, last = part.partition("..")
        end = dt.date.fromisoformat(last or first) + ONE_DAY
        found.append((dt.date.fromisoformat(first), end))
    return tuple(found)


def _rest(lines: _Lines, level: int) -> tuple[tuple[LeftOut, ...], tuple[Missing, ...]]:
    left_out: list[LeftOut] = []
    missing: list[Missing] = []
    lines.skip_blank()
    if lines.peek() == f"{'#' * level} {render.LEFT_OUT}":
        lines.take()
        lines.skip_blank()
        while lines.peek().startswith("- "):
            left_out.append(_left_out(lines))
        lines.skip_blank()
    if lines.peek() == f"{'#' * level} {render.MISSING}":
        lines.take()
        lines.skip_blank()
        while lines.peek().startswith("- "):
            code, where, detail = lines.take()[2:].split(" · ", 2)
            missing.append(Missing(plain(code), plain(where), plain(detail)))
        lines.skip_blank()
    while lines.peek().startswith("[^"):
        lines.take()
    lines.skip_blank()
    if not lines.ended():
        raise lines.wrong("something stands here that HFEA did not write")
    return tuple(left_out), tuple(missing)


def _left_out(lines: _Lines) -> LeftOut:
    reason = plain(lines.take()[2:].rpartition(" · ")[0])
    messages: list[tuple[str, str, str]] = []
    while lines.peek().startswith("  - "):
        source, session, ids = lines.take()[4:].split(" · ")
        messages += [(plain(source), plain(session), plain(i)) for i in ids.split(", ")]
    return LeftOut(reason, tuple(messages))


def _citation(match: re.Match[str], line: int) -> Citation:
    try:
        at = _moment(None if match["at"] == "no time" else match["at"])
    except ValueError:
        raise Unparsable(line, "a footnote's time is wrong") from None
    digest = match["digest"]
    return Citation(
        source=plain(match["source"]),
        session_id=plain(match["session"]),
        message_id=plain(match["message"]),
        at=at,
        start=int(match["start"]),
        end=int(match["end"]),
        digest="" if digest == "unsealed" else digest,
    )


def _moment(text: str | None) -> dt.datetime | None:
    return dt.datetime.fromisoformat(text) if text else None


def front_matter_lines(text: str) -> Sequence[str]:
    """Return the lines between the two fences, for tools that only want the metadata."""
    lines = text.split("\n")
    return lines[1 : lines.index("---", 1)] if lines[:1] == ["---"] and "---" in lines[1:] else ()
