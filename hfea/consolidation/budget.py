"""A talkative day is told in well under six tenths of what was said, and no owner's word is lost.

What decides, is felt or left open is kept. What merely tells gives way first: the
agent's asides, then an owner's further sentences where the message is told by another one; what
is a message's only trace is shortened, never dropped.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from hfea.consolidation.wording import shortened
from hfea.episode import Statement, statement_id
from memory_core.model import AuthorKind, Kind, Message, Theme

SHARE = 0.58  # of the owner's and the agent's own characters, headings and summary included
LEAST_SHARE = 0.34  # for the statements, whatever the headings take
TALKATIVE = 3000  # own characters from which a day is held to it
HEADING = 200  # characters of a thread's title and gist
SUMMARY = 500  # characters of a day's summary
# What gives way in turns: characters to shorten to, and whether themed statements give way too.
TURNS = ((140, False), (90, False), (60, False), (140, True), (90, True), (60, True))

_HEART = frozenset({Theme.DECISION, Theme.REVISION, Theme.MOOD, Theme.OPEN_POINT})

Told = list[list[Statement]]


def within(told: Told, messages: Sequence[Message], day: dt.date) -> Told:
    """Return the statements of each thread, fewer and shorter where the day says too much."""
    own = sum(_own_characters(m) for m in messages)
    if own < TALKATIVE:
        return told
    threads = sum(1 for t in told if t)
    limit = int(max(LEAST_SHARE * own, SHARE * own - HEADING * threads - SUMMARY))
    spare = sum(len(s.text) for t in told for s in t if s.kind is not Kind.HOSTED) - limit
    if spare <= 0:
        return told
    linked = _linked(told)
    told, spare = _dropped(told, spare, lambda s: _quiet(s) and s.id not in linked)
    told, spare = _shortened(told, spare, day)
    return _dropped(told, spare, _gives_way)[0]


def _own_characters(message: Message) -> int:
    if message.tool is not None or message.author_kind not in (AuthorKind.OWNER, AuthorKind.AGENT):
        return 0
    return len(message.content) - sum(s.end - s.start for s in message.spans)


def _linked(told: Told) -> frozenset[str]:
    """Return the ids of statements that hang together with another."""
    ends = {k.statement for t in told for s in t for k in s.links}
    return frozenset(ends | {s.id for t in told for s in t if s.links})


def _dropped(told: Told, spare: int, may: Callable[[Statement], bool]) -> tuple[Told, int]:
    """Leave out statements that *may* go until *spare* characters are saved, the longest first.

    Every message of the owner's that is told stays told by at least one statement.
    """
    traces = Counter(
        c.message_id for t in told for s in t if s.kind is not Kind.HOSTED for c in s.citations
    )
    going = [s for t in told for s in t if may(s)]
    going.sort(key=lambda s: (s.author_kind is not AuthorKind.AGENT, -len(s.text), s.id))
    dropped: set[str] = set()
    for s in going:
        if spare <= 0:
            break
        places = {c.message_id for c in s.citations}
        if s.author_kind is AuthorKind.AGENT or all(traces[m] > 1 for m in places):
            dropped.add(s.id)
            traces.subtract(places)
            spare -= len(s.text)
    kept = [[_without(s, dropped) for s in t if s.id not in dropped] for t in told]
    return kept, spare


def _without(s: Statement, dropped: set[str]) -> Statement:
    if not any(k.statement in dropped for k in s.links):
        return s
    return replace(s, links=tuple(k for k in s.links if k.statement not in dropped))


def _gives_way(s: Statement) -> bool:
    """Whether a statement may be left out where all else was not enough: it settles nothing."""
    return s.kind not in (Kind.QUOTE, Kind.HOSTED) and s.theme not in _HEART


def _quiet(s: Statement) -> bool:
    return s.theme is Theme.OTHER and s.kind in (Kind.EVENT, Kind.REPORTED_STATE)


def _shortened(told: Told, spare: int, day: dt.date) -> tuple[Told, int]:
    """Shorten what is left until *spare* characters are saved: the quiet first, then the rest."""
    renamed: dict[str, str] = {}
    done = [list(t) for t in told]
    for longest, themed in TURNS:
        places = [(t, n) for t, thread in enumerate(done) for n in range(len(thread))]
        places.sort(key=lambda p: (-len(done[p[0]][p[1]].text), done[p[0]][p[1]].id))
        for t, n in places:
            s = done[t][n]
            may = s.kind not in (Kind.QUOTE, Kind.HOSTED) and (themed or _quiet(s))
            if spare <= 0 or not may or len(s.text) <= longest:
                continue
            text = shortened(s.text, longest)
            made = replace(s, text=text, id=statement_id(day, s.kind, text, s.citations))
            renamed[s.id] = made.id
            spare -= len(s.text) - len(text)
            done[t][n] = made
    return [[_relinked(s, renamed) for s in t] for t in done], spare


def _relinked(s: Statement, renamed: dict[str, str]) -> Statement:
    if not any(k.statement in renamed for k in s.links):
        return s
    links = tuple(replace(k, statement=_now(k.statement, renamed)) for k in s.links)
    return replace(s, links=links)


def _now(name: str, renamed: dict[str, str]) -> str:
    while name in renamed:
        name = renamed[name]
    return name
