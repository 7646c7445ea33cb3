"""An Episode (and its addenda) as Markdown; the inverse is hfea.archive.parse.

The layout is in `templates/episode.md.j2` and `templates/addendum.md.j2`; here every text is
escaped and every line is made.
"""

from __future__ import annotations

import datetime as dt
import functools
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hfea.archive import lines_out
from hfea.archive.escape import field, inline, opening
from hfea.archive.lines_out import Notes
from hfea.bundled import bundled
from hfea.episode import Addendum, Episode, LeftOut, Missing, Narration, Thread

# What YAML does not allow in a plain stream, or a reader would not see; all below U+10000.
_UNPRINTABLE = re.compile(
    "[\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff]"
)
OUTSIDE = "From outside, not the owner's words"
INSIDE = "In the conversation"
LEFT_OUT = "Left out"
MISSING = "Missing"
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class _Part:
    """List items that follow one another under a label; '' for own words at a thread's start."""

    label: str
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Thread:
    """What the template shows of a thread, escaped."""

    title: str
    place: str
    gist: str
    parts: Sequence[_Part]


def episode(value: Episode, sequence: int) -> str:
    """Return the whole Markdown of an episode without addenda; *sequence* is its seal's."""
    zone, notes = ZoneInfo(value.zone), Notes()
    threads = [_thread(t, notes, zone) for t in value.threads]
    return _filled(
        "episode.md.j2",
        front=list(_front_matter(value, sequence)),
        details=[_json(_details(t)) for t in value.threads],
        title=f"{value.day.isoformat()} · {WEEKDAYS[value.day.weekday()]}",
        summary=[opening(line) for line in value.summary],
        threads=threads,
        rest=_rest(value.left_out, value.missing),
        notes=list(notes.lines()),
    )


def addendum(value: Addendum, zone_name: str) -> str:
    """Return the block that is appended for *value*, beginning with an empty line."""
    zone, notes = ZoneInfo(zone_name), Notes(f"a{value.number}-")
    threads = [_thread(t, notes, zone) for t in value.threads]
    return _filled(
        "addendum.md.j2",
        title=f"Addendum {value.number} · {value.on.isoformat()} · {value.kind}",
        about=_json({"inputs": value.inputs, "narration": _narration(value.narration)}),
        details=[_json(_details(t)) for t in value.threads],
        note=opening(value.note),
        threads=threads,
        rest=_rest(value.left_out, value.missing),
        notes=list(notes.lines()),
    )


@functools.cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(bundled("templates")),
        autoescape=False,  # noqa: S701 - Markdown, escaped by hfea.archive.escape
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _filled(template: str, **values: object) -> str:
    return _templates().get_template(template).render(**values)


def _front_matter(value: Episode, sequence: int) -> Iterator[tuple[str, str]]:
    """Yield names and values that are JSON: every safe YAML loader reads them as what they are."""
    yield "format", str(value.version)
    yield "date", _json(value.day.isoformat())
    yield "zone", _json(value.zone)
    yield "start", _json(value.start.isoformat())
    yield "end", _json(value.end.isoformat())
    yield "completeness", value.completeness
    yield "counts", _json(dict(value.counts))
    yield "narration", _json(_narration(value.narration))
    yield "inputs", _json(value.inputs)
    yield "seal", str(sequence)


def _narration(value: Narration) -> dict[str, object]:
    return {
        "narrator": value.narrator,
        "version": value.version,
        "model": value.model,
        "tokens_in": value.tokens_in,
        "tokens_out": value.tokens_out,
        "renarrate": value.renarrate,
    }


def _details(thread: Thread) -> dict[str, object]:
    return {
        "id": thread.id,
        "title": thread.title,
        "start": thread.start.isoformat() if thread.start else None,
        "end": thread.end.isoformat() if thread.end else None,
        "sessions": list(thread.sessions),
    }


def _json(value: object) -> str:
    """Return JSON that is YAML too: astral characters as they are, invisible ones escaped."""
    return _UNPRINTABLE.sub(
        lambda m: f"\\u{ord(m.group()):04x}", json.dumps(value, ensure_ascii=False)
    )


def _thread(thread: Thread, notes: Notes, zone: ZoneInfo) -> _Thread:
    parts: list[tuple[bool, list[str]]] = []
    for statement in thread.statements:
        hosted = lines_out.is_hosted(statement)
        if not parts or parts[-1][0] != hosted:
            parts.append((hosted, []))
        quote = "> " if hosted else ""
        parts[-1][1].extend(quote + line for line in lines_out.statement(statement, notes, zone))
    return _Thread(
        title=inline(thread.title),
        place=_when_and_where(thread, zone),
        gist=opening(thread.gist),
        parts=[
            _Part(OUTSIDE if hosted else INSIDE if number else "", lines)
            for number, (hosted, lines) in enumerate(parts)
        ],
    )


def _when_and_where(thread: Thread, zone: ZoneInfo) -> str:
    start, end = lines_out.clock(thread.start, zone), lines_out.clock(thread.end, zone)
    sessions = ", ".join(field(s) for s in thread.sessions)
    return f"*{start}–{end} · {sessions}*"


def _rest(left_out: Iterable[LeftOut], missing: Iterable[Missing]) -> list[tuple[str, list[str]]]:
    return [
        (LEFT_OUT, list(lines_out.left_out(left_out))),
        (MISSING, list(lines_out.missing(missing))),
    ]


def erased(on: dt.date) -> str:
    """Return the line that stands for an erased one."""
    return f"[erased {on.isoformat()}]"
