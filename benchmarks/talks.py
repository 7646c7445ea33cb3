"""The labelled conversations of tests/data/conversations as messages, labels and episodes."""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from zoneinfo import ZoneInfo

from hfea.consolidation.assemble import consolidate
from hfea.consolidation.inputs import DayInput, Prior
from hfea.episode import Episode, Statement
from hfea.sources.base import RawMessage
from hfea.sources.intake import Intake
from memory_core.model import AuthorKind, Message, Origin, Owner, Role, ToolUse
from memory_core.text import fold

LABELLED = Path(__file__).resolve().parents[1] / "tests" / "data" / "conversations"
PART = re.compile(
    r"\[\[(?P<text>.+?)\|(?P<theme>\w+)\?? (?P<kind>[esqi]) (?P<pole>[anhq]) (?P<holder>[ogt])"
    r"(?P<more>(?: [#>][\w:]+)*)\]\]"
)
POLES = {"a": "affirmed", "n": "negated", "h": "hypothetical", "q": "question"}
ROLES = {"O": Role.USER, "T": Role.TOOL}


@dataclass(frozen=True)
class Label:
    """One labelled part of a message."""

    message: str
    start: int
    end: int
    text: str
    theme: str
    polarity: str
    holder: str
    tag: str
    links: tuple[tuple[str, str], ...]


@dataclass
class Talk:
    """One conversation over its days, its labels and its questions."""

    split: str
    name: str
    owner: str
    zone: str
    messages: list[Message] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    questions: list[tuple[str, list[list[str]]]] = field(default_factory=list)


def talks(path: Path) -> Iterator[Talk]:
    """Read the conversations of one file."""
    talk: Talk | None = None
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            if talk:
                yield talk
            head, owner, _, zone = (x.strip() for x in line[2:].split("|"))
            split, name = head.split()
            talk = Talk(split, name, owner, zone)
            intake = Intake(b"k" * 32, Owner((owner,)))
        elif line.startswith("? ") and talk:
            question, *answers = (x.strip() for x in line[2:].split("|") if x.strip())
            needles = [[fold(n.strip()) for n in a.split(",")] for a in answers]
            talk.questions.append((question, needles))
        elif line.strip() and talk:
            _message(line, talk, intake)
    if talk:
        yield talk


def _message(line: str, talk: Talk, intake: Intake) -> None:
    day, clock, role, text = line.split(" ", 3)
    at = dt.datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=ZoneInfo(talk.zone))
    number = len(talk.messages) + 1
    name = f"{talk.name}-{number:02}"
    plain = ""
    while part := PART.search(text):
        plain += text[: part.start()]
        start = len(plain.replace("\\n", "\n"))
        plain += part["text"]
        marks = part["more"].split()
        talk.labels.append(
            Label(
                name,
                start,
                len(plain.replace("\\n", "\n")),
                part["text"],
                part["theme"],
                POLES[part["pole"]],
                {"o": "owner", "g": "agent", "t": "third_party"}[part["holder"]],
                next((m[1:] for m in marks if m.startswith("#")), ""),
                tuple((m[1:].split(":")[0], m.split(":")[1]) for m in marks if m[0] == ">"),
            )
        )
        text = text[part.end() :]
    plain = (plain + text).replace("\\n", "\n")
    said = RawMessage(
        talk.name, name, at.astimezone(dt.UTC), ROLES.get(role, Role.ASSISTANT), plain, number,
        author=talk.owner if role == "O" else "bot",
    )  # fmt: skip
    taken = intake.take(_shaped(said, role), source="jsonl", profile="default")
    if isinstance(taken, Message):
        talk.messages.append(taken)


def _shaped(said: RawMessage, role: str) -> RawMessage:
    """Return a message with the structure that its role's letter stands for."""
    if role == "A":
        return replace(said, author_kind=AuthorKind.AGENT)
    if role == "C":
        call, tool, arguments = said.text.split(" ", 2)
        used = ToolUse(tool, call, arguments)
        return replace(
            said, text=f"{tool}: {arguments}", author_kind=AuthorKind.AGENT, tool=used,
            marks=frozenset({"tool_call"}),
        )  # fmt: skip
    if role == "T":
        call, tool, _ = said.text.split(" ", 2)
        return replace(
            said, text=said.text.split("=> ", 1)[1], author=tool, author_kind=AuthorKind.TOOL,
            origin=Origin.HOSTED, tool=ToolUse(tool, call, is_result=True),
        )  # fmt: skip
    return said


def episodes(talk: Talk) -> list[Episode]:
    """Consolidate each local day, giving later days what earlier ones said."""
    zone = ZoneInfo(talk.zone)
    days: dict[dt.date, list[Message]] = defaultdict(list)
    for m in talk.messages:
        if m.at:
            days[m.at.astimezone(zone).date()].append(m)
    prior: list[tuple[dt.date, Statement]] = []
    done = []
    for day in sorted(days):
        start = dt.datetime.combine(day, dt.time(), zone).astimezone(dt.UTC)
        given = DayInput(day, talk.zone, start, start + dt.timedelta(days=1), tuple(days[day]))
        before: Prior = tuple(prior)
        episode = consolidate(given, before).episode
        prior += [(day, s) for s in episode.statements()]
        done.append(episode)
    return done
