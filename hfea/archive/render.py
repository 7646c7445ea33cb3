"""An Episode (and its addenda) as Markdown; the inverse is hfea.archive.parse."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from zoneinfo import ZoneInfo

from hfea.archive import lines_out
from hfea.archive.escape import field, inline, opening
from hfea.archive.lines_out import Notes
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


def episode(value: Episode, sequence: int) -> str:
    """Return the whole Markdown of an episode without addenda; *sequence* is its seal's."""
    zone = ZoneInfo(value.zone)
    notes = Notes()
    body = [*_front_matter(value, sequence), ""]
    body += [f"# {value.day.isoformat()} · {WEEKDAYS[value.day.weekday()]}", ""]
    body += [f"- {opening(line)}" for line in value.summary]
    body += [""] if value.summary else []
    for thread in value.threads:
        body += _thread(thread, notes, zone, level=2)
    body += _rest(value.left_out, value.missing, level=2)
    body += notes.lines()
    return _text(body)


def addendum(value: Addendum, zone_name: str) -> str:
    """Return the block that is appended for *value*, beginning with an empty line."""
    zone = ZoneInfo(zone_name)
    notes = Notes(f"a{value.number}-")
    body = ["", f"## Addendum {value.number} · {value.on.isoformat()} · {value.kind}", ""]
    body += ["```json", *_details(value), "```", ""]
    body += [f"> {opening(value.note)}", ""]
    for thread in value.threads:
        body += _thread(thread, notes, zone, level=3)
    body += _rest(value.left_out, value.missing, level=3)
    body += notes.lines()
    return _text(body)


def _text(body: Sequence[str]) -> str:
    lines = list(body)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines) + "\n"


def _front_matter(value: Episode, sequence: int) -> Iterator[str]:
    """Yield YAML whose values are JSON: every safe loader reads them as what they are."""
    yield "---"
    yield f"format: {value.version}"
    yield f'date: "{value.day.isoformat()}"'
    yield f"zone: {_json(value.zone)}"
    yield f'start: "{value.start.isoformat()}"'
    yield f'end: "{value.end.isoformat()}"'
    yield f"completeness: {value.completeness}"
    yield f"counts: {_json(dict(value.counts))}"
    yield f"narration: {_json(_narration(value.narration))}"
    yield f"inputs: {_json(value.inputs)}"
    yield f"seal: {sequence}"
    yield "threads:" if value.threads else "threads: []"
    for thread in value.threads:
        yield f"  - {_json(_thread_details(thread))}"
    yield "---"


def _details(value: Addendum) -> Iterator[str]:
    yield _json({"inputs": value.inputs, "narration": _narration(value.narration)})
    for thread in value.threads:
        yield _json(_thread_details(thread))


def _narration(value: Narration) -> dict[str, object]:
    return {
        "narrator": value.narrator,
        "version": value.version,
        "model": value.model,
        "tokens_in": value.tokens_in,
        "tokens_out": value.tokens_out,
        "renarrate": value.renarrate,
    }


def _thread_details(thread: Thread) -> dict[str, object]:
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


def _thread(thread: Thread, notes: Notes, zone: ZoneInfo, *, level: int) -> Iterator[str]:
    yield f"{'#' * level} {inline(thread.title)}"
    yield ""
    yield _when_and_where(thread, zone)
    yield ""
    if thread.gist:
        yield opening(thread.gist)
        yield ""
    hosted = False
    for number, statement in enumerate(thread.statements):
        if lines_out.is_hosted(statement) != hosted:
            hosted = not hosted
            yield from ([""] if number else [])
            yield f"{'#' * (level + 1)} {OUTSIDE if hosted else INSIDE}"
            yield ""
        quote = "> " if hosted else ""
        for line in lines_out.statement(statement, notes, zone):
            yield quote + line
    if thread.statements:
        yield ""


def _when_and_where(thread: Thread, zone: ZoneInfo) -> str:
    start, end = lines_out.clock(thread.start, zone), lines_out.clock(thread.end, zone)
    sessions = ", ".join(field(s) for s in thread.sessions)
    return f"*{start}–{end} · {sessions}*"


def _rest(left_out: Iterable[LeftOut], missing: Iterable[Missing], *, level: int) -> Iterator[str]:
    tally = list(lines_out.left_out(left_out))
    lacking = list(lines_out.missing(missing))
    for title, lines in ((LEFT_OUT, tally), (MISSING, lacking)):
        if lines:
            yield f"{'#' * level} {title}"
            yield ""
            yield from lines
            yield ""


def erased(on: dt.date) -> str:
    """Return the line that stands for an erased one."""
    return f"[erased {on.isoformat()}]"
