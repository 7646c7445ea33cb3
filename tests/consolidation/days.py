"""A day of talk for a test, read from its docstring or from a case's dialogue."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

from hfea.consolidation.assemble import consolidate
from hfea.consolidation.inputs import DayInput, Prior
from hfea.consolidation.llm import Writer
from hfea.episode import Episode, Statement
from hfea.sources.base import RawMessage
from hfea.sources.intake import Intake
from hfea.sources.jsonl import jsonl_source
from memory_core.model import AuthorKind, Message, Origin, Owner, Role, ToolUse

KEY = b"k" * 32
DAY = dt.date(2026, 3, 5)


def said(doc: str, *, day: dt.date = DAY, owner: str = "ana", zone: str = "UTC") -> list[Message]:
    """`HH:MM speaker: text` a line; `tool` and `sub` speak as a tool and a sub-agent."""
    found = []
    for number, line in enumerate(filter(None, map(str.strip, doc.splitlines())), start=1):
        clock, _, rest = line.partition(" ")
        speaker, _, text = rest.partition(": ")
        at = dt.datetime.combine(day, dt.time.fromisoformat(clock), ZoneInfo(zone))
        kind = {owner: AuthorKind.OWNER, "bot": AuthorKind.AGENT, "tool": AuthorKind.TOOL}.get(
            speaker, AuthorKind.THIRD_PARTY
        )
        tool = kind is AuthorKind.TOOL
        found.append(
            Message(
                profile="default",
                source="test",
                session_id="s",
                message_id=f"{day:%m%d}-{number:02}",
                at=at.astimezone(dt.UTC),
                role=Role.TOOL if tool else Role.USER if speaker == owner else Role.ASSISTANT,
                author=speaker,
                author_kind=kind,
                origin=Origin.HOSTED if tool else Origin.DIRECT,
                content=text,
                identity=hashlib.sha256(f"{day}{number}{text}".encode()).hexdigest(),
                position=number,
                tool=ToolUse("lookup", is_result=True) if tool else None,
            )
        )
    return found


def case_messages(path: Path, owner: str) -> list[Message]:
    """Read a case's dialogue through the real source and intake."""
    intake = Intake(KEY, Owner((owner,)))
    taken = [
        intake.take(item, source="jsonl", profile="default")
        for item in jsonl_source(path).scan({})
        if isinstance(item, RawMessage)
    ]
    return [m for m in taken if isinstance(m, Message)]


def day_input(messages: Sequence[Message], day: dt.date = DAY, zone: str = "UTC") -> DayInput:
    tz = ZoneInfo(zone)
    start = dt.datetime.combine(day, dt.time(), tz).astimezone(dt.UTC)
    end = dt.datetime.combine(day + dt.timedelta(days=1), dt.time(), tz).astimezone(dt.UTC)
    return DayInput(day, zone, start, end, tuple(messages))


def story(
    messages: Sequence[Message],
    prior: Prior = (),
    *,
    zone: str = "UTC",
    writer: Writer | None = None,
) -> Episode:
    """Consolidate the (only) day of *messages*."""
    day = messages[0].at.astimezone(ZoneInfo(zone)).date() if messages[0].at else DAY
    return consolidate(day_input(messages, day, zone), prior, writer).episode


def by_day(messages: Sequence[Message], zone: str = "UTC") -> list[Episode]:
    """Consolidate each local day, giving later days what earlier ones said."""
    tz = ZoneInfo(zone)
    days: dict[dt.date, list[Message]] = {}
    for m in messages:
        if m.at:
            days.setdefault(m.at.astimezone(tz).date(), []).append(m)
    prior: list[tuple[dt.date, Statement]] = []
    done = []
    for day in sorted(days):
        episode = consolidate(day_input(days[day], day, zone), prior).episode
        prior += [(day, s) for s in episode.statements()]
        done.append(episode)
    return done


def find(episode: Episode, words: str) -> Statement:
    """Return the one statement that holds *words*."""
    (found,) = [s for s in episode.statements() if words in s.text]
    return found


def reshuffled(messages: Sequence[Message], order: Sequence[int]) -> list[Message]:
    return [replace(messages[i]) for i in order]


def expected(folder: Path) -> dict[str, list[str]]:
    data: dict[str, list[str]] = json.loads((folder / "expected.json").read_text("utf-8"))
    return data
