"""The strict reading of an episode file: the exact inverse of hfea.archive.render.

Every line is accounted for: what was read is rendered again and must give the same bytes, so a
file that a person changed, or that HFEA never wrote, is told by the line where it differs. The
lenient reading is for files that a person did change: it takes statements as they now stand and
passes over what HFEA did not write.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from hfea.archive import lines_in, render
from hfea.archive.escape import inline, plain
from hfea.archive.line_reader import Lines, Unparsable
from hfea.episode import (
    Addendum,
    Episode,
    LeftOut,
    Missing,
    Narration,
    Statement,
    Thread,
)

_ADDENDUM = re.compile(r"## Addendum (?P<n>\d+) · (?P<on>[\d-]+) · (?P<kind>\w+)\Z")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Document:
    """What an episode file says."""

    episode: Episode
    addenda: tuple[Addendum, ...]
    sequence: int


def document(text: str, *, strict: bool = True) -> Document:
    """Read a whole file. Raises Unparsable with the number of the first line that is wrong."""
    starts = [m.start() for m in re.finditer(r"(?m)^\n\*\*\*\n\n## Addendum \d+ · ", text)]
    parts = [text[a:b] for a, b in zip([0, *starts], [*starts, len(text)], strict=True)]
    first, sequence = _guarded(_read_episode, Lines(parts[0], 0, strict=strict))
    if strict:
        _same(parts[0], render.episode(first, sequence), 0)
    addenda, line = [], parts[0].count("\n")
    for part in parts[1:]:
        value = _guarded(_read_addendum, Lines(part, line, strict=strict))
        if strict:
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


def _guarded(read: Callable[[Lines], T], lines: Lines) -> T:
    """Run a reading function; whatever a wrong value raises becomes Unparsable with a line."""
    try:
        return read(lines)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise lines.wrong(f"cannot be read ({type(error).__name__})") from error


def _read_episode(lines: Lines) -> tuple[Episode, int]:
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


def _read_addendum(lines: Lines) -> Addendum:
    lines.skip_blank()
    lines.expect("***")
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


def _thread(lines: Lines, detail: dict[str, Any], level: int) -> Thread:
    lines.skip_blank()
    lines.expect("#" * level + " " + ("" if lines.strict else inline(detail["title"])))
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
        start=lines_in.moment(detail["start"]),
        end=lines_in.moment(detail["end"]),
        statements=_statements(lines, level + 1),
    )


def _statements(lines: Lines, level: int) -> tuple[Statement, ...]:
    found = []
    labels = tuple(f"{'#' * level} {name}" for name in (render.OUTSIDE, render.INSIDE))
    while True:
        lines.skip_blank()
        line = lines.peek()
        if line in labels:
            lines.take()
        elif lines_in.ITEM.match(line.removeprefix("> ")) or (
            lines.strict and line.startswith(("- **", "> - **"))
        ):
            found.append(_statement(lines))
        elif line.startswith(("#", "[^")) or not lines.foreign():
            return tuple(found)


def _statement(lines: Lines) -> Statement:
    line = lines.take()
    quote = "> " if line.startswith("> ") else ""
    match = lines_in.ITEM.match(line[len(quote) :])
    if match is None:
        lines.index -= 1
        raise lines.wrong("a statement's line is wrong")
    citations = tuple(lines.notes[n] for n in lines_in.MARK.findall(match["marks"]))
    value = lines_in.statement(match, citations)
    extras: dict[str, Any] = {"dates": [], "links": []}
    while lines.peek().startswith(f"{quote}  - "):
        lines_in.nested(lines.take()[len(quote) + 4 :], extras)
    dates, links = tuple(extras.pop("dates")), tuple(extras.pop("links"))
    return replace(value, dates=dates, links=links, **extras)


def _rest(lines: Lines, level: int) -> tuple[tuple[LeftOut, ...], tuple[Missing, ...]]:
    left_out: list[LeftOut] = []
    missing: list[Missing] = []
    lines.skip_blank()
    wanted = tuple(f"{'#' * level} {t}" for t in (render.LEFT_OUT, render.MISSING))
    while lines.peek() not in wanted and not lines.peek().startswith("[^") and lines.foreign():
        pass
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
    if lines.strict and not lines.ended():
        raise lines.wrong("something stands here that HFEA did not write")
    return tuple(left_out), tuple(missing)


def _left_out(lines: Lines) -> LeftOut:
    reason = plain(lines.take()[2:].rpartition(" · ")[0])
    messages: list[tuple[str, str, str]] = []
    while lines.peek().startswith("  - "):
        source, session, ids = lines.take()[4:].split(" · ")
        messages += [(plain(source), plain(session), plain(i)) for i in ids.split(", ")]
    return LeftOut(reason, tuple(messages))


def front_matter_lines(text: str) -> Sequence[str]:
    """Return the lines between the two fences, for tools that only want the metadata."""
    lines = text.split("\n")
    return lines[1 : lines.index("---", 1)] if lines[:1] == ["---"] and "---" in lines[1:] else ()
