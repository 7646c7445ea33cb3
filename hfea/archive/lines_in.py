"""One line each, read back: the inverse of hfea.archive.lines_out."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from hfea.archive.escape import plain
from hfea.archive.lines_out import NO_TIME, NOBODY, ONE_DAY
from hfea.episode import Citation, DateNote, Link, Relation, Statement
from memory_core.model import AuthorKind, Kind, Origin, Outcome, Polarity, Theme

ITEM = re.compile(
    r"- \*\*(?P<clock>\S+) (?P<author>.*?)\*\* \((?P<facets>[^()]*)\): (?P<text>.*)"
    r" (?P<marks>(?:\[\^[a0-9-]+\])+) `(?P<id>[^`\s]+)`\Z"
)
MARK = re.compile(r"\[\^([a0-9-]+)\]")
NOTE = re.compile(
    r"\[\^(?P<n>[a0-9-]+)\]: (?P<source>.*?) · (?P<session>.*?) · (?P<message>.*?)"
    r" · (?P<at>no time|\S+) · (?P<start>\d+)–(?P<end>\d+) · (?P<digest>\S+)\Z"
)
_LINK = re.compile(r"(?P<relation>\w+): `(?P<id>[^`]+)`(?: \((?P<day>[\d-]+)\))?\Z")
_DATE = re.compile(r'date: "(?P<words>.*)" = (?P<readings>.*)\Z')
_THEMES = {t.value: t for t in Theme}
_POLARITIES = {p.value: p for p in Polarity}


def statement(match: re.Match[str], citations: tuple[Citation, ...]) -> Statement:
    """Return the statement of a list item that ITEM matched, without its nested items."""
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


def nested(text: str, extras: dict[str, Any]) -> None:
    """Read one nested item into *extras*. Raises ValueError for one of no known kind."""
    if text.startswith("at: "):
        extras["at"] = moment(None if text == "at: no time" else text[4:])
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


def citation(match: re.Match[str]) -> Citation:
    """Return the citation of a footnote that NOTE matched. Raises ValueError for a wrong time."""
    digest = match["digest"]
    return Citation(
        source=plain(match["source"]),
        session_id=plain(match["session"]),
        message_id=plain(match["message"]),
        at=moment(None if match["at"] == "no time" else match["at"]),
        start=int(match["start"]),
        end=int(match["end"]),
        digest="" if digest == "unsealed" else digest,
    )


def moment(text: str | None) -> dt.datetime | None:
    """Return an ISO moment, or None."""
    return dt.datetime.fromisoformat(text) if text else None
