"""From a day's messages to its Episode: segments, statements, links, checks, words, tally."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hfea.consolidation import budget, extractive, llm, wording
from hfea.consolidation.inputs import (
    NARRATOR_VERSION,
    Consolidated,
    DayInput,
    Prior,
    digest,
    in_order,
    own_words,
)
from hfea.consolidation.links import linked
from hfea.consolidation.segments import Segment, segments
from hfea.consolidation.verification import Key, check
from hfea.episode import Addendum, Episode, LeftOut, Missing, Narration, Statement, Thread
from memory_core.model import AuthorKind, Message
from memory_core.text import fold, language

OPEN = "session_open"  # a source's mark on the last message of a session that is not over


@dataclass(frozen=True, slots=True)
class _Story:
    threads: tuple[Thread, ...]
    left_out: tuple[LeftOut, ...]
    dropped: Mapping[str, int]
    language: str
    narration: Narration


def consolidate(day: DayInput, prior: Prior = (), writer: llm.Writer | None = None) -> Consolidated:
    """Return the episode of a day; a pure function of its arguments and the model's replies."""
    story = _story(day, prior, writer)
    said = [s for t in story.threads for s in t.statements]
    summary = wording.summary(said, story.language) if story.threads else ()
    if day.messages and not story.threads:
        summary = (wording.WORDS[story.language]["quiet"],)
    episode = Episode(
        day=day.day,
        zone=day.zone,
        start=day.start,
        end=day.end,
        summary=summary,
        threads=story.threads,
        left_out=story.left_out,
        missing=(*day.missing, *_open_sessions(day.messages)),
        counts=_counts(day.messages, said),
        narration=story.narration,
        inputs=digest(day),
    )
    return Consolidated(episode, story.dropped)


def addendum(
    day: DayInput, on: dt.date, prior: Prior = (), writer: llm.Writer | None = None
) -> tuple[Addendum, Mapping[str, int]]:
    """Return what late messages add to a sealed day; numbered when it is appended."""
    story = _story(day, prior, writer)
    count = len(day.messages)
    note = (
        f"{count} mensagens deste dia chegaram depois de selado."
        if story.language == "pt"
        else f"{count} messages of this day came after it was sealed."
    )
    value = Addendum(
        number=0,
        on=on,
        kind="late",
        note=note,
        threads=story.threads,
        left_out=story.left_out,
        missing=day.missing,
        narration=story.narration,
        inputs=digest(day, ["late"]),
    )
    return value, story.dropped


def _story(day: DayInput, prior: Prior, writer: llm.Writer | None) -> _Story:
    messages = in_order(day.messages)
    lang = language(own_words(messages)) or language(" ".join(m.content for m in messages)) or "pt"
    known: dict[Key, Message] = {(m.source, m.session_id, m.message_id): m for m in messages}
    dropped = Counter[str]()
    account = llm.Account()
    told: list[list[Statement]] = []
    left: list[tuple[str, Message]] = []
    cut: list[Segment] = segments(messages)
    for segment in cut:
        part = (
            extractive.tell(segment, day.day, day.tz)
            if writer is None
            else llm.tell(segment, day.day, day.tz, writer, account)
        )
        left += part.left_out
        told.append(_checked(part.statements, known, dropped))
    told = budget.within(linked(_once(told), prior), messages, day.day)
    threads = [
        _thread(number, segment, statements, lang)
        for number, (segment, statements) in enumerate(
            ((g, s) for g, s in zip(cut, told, strict=True) if s), start=1
        )
    ]
    cited = {
        (c.source, c.session_id, c.message_id)
        for t in threads
        for s in t.statements
        for c in s.citations
    }
    left += [
        ("not told", m)
        for key, m in known.items()
        if key not in cited and m.author_kind is AuthorKind.OWNER
    ]
    dropped.update(account.refused)
    narration = _narration(writer, account)
    return _Story(tuple(threads), _tally(left, cited), dropped, lang, narration)


def _open_sessions(messages: Sequence[Message]) -> list[Missing]:
    """Say which sessions were not over: what follows in them may complete this day's talk."""
    places = sorted({(m.source, m.session_id) for m in messages if OPEN in m.marks})
    return [
        Missing("session_open", f"{source} {session}", "the session was not over yet")
        for source, session in places
    ]


def _narration(writer: llm.Writer | None, account: llm.Account) -> Narration:
    if writer is None:
        return Narration("extractive", NARRATOR_VERSION)
    return Narration(
        "llm",
        NARRATOR_VERSION,
        writer.name,
        account.tokens_in,
        account.tokens_out,
        renarrate=account.failed > 0,
    )


def _checked(
    statements: Iterable[Statement], known: Mapping[Key, Message], dropped: Counter[str]
) -> list[Statement]:
    kept = []
    for s in statements:
        result = check(s, known)
        if result.reason:
            dropped[result.reason] += 1
        if result.statement is not None:
            kept.append(result.statement)
    return kept


def _once(threads: Sequence[Sequence[Statement]]) -> list[list[Statement]]:
    """Join what one author said twice in the same words: one statement, both citations."""
    seen: dict[tuple[str, str, str], tuple[int, int]] = {}
    done: list[list[Statement]] = []
    for thread in threads:
        fresh: list[Statement] = []
        done.append(fresh)
        for s in thread:
            key = (" ".join(fold(s.text).split()), s.author, s.kind.value)
            if key in seen:
                n, place = seen[key]
                first = done[n][place]
                cites = tuple(dict.fromkeys((*first.citations, *s.citations)))
                done[n][place] = replace(first, citations=cites, times=first.times + s.times)
            else:
                seen[key] = (len(done) - 1, len(fresh))
                fresh.append(s)
    return done


def _thread(number: int, segment: Segment, statements: Sequence[Statement], lang: str) -> Thread:
    times = [m.at for m in segment.messages if m.at]
    sessions = tuple(dict.fromkeys(m.session_id for m in segment.messages))
    return Thread(
        id=f"t{number}",
        title=wording.title(statements, lang),
        gist=wording.gist(statements, lang),
        sessions=sessions,
        start=min(times, default=None),
        end=max(times, default=None),
        statements=tuple(statements),
    )


def _tally(left: Iterable[tuple[str, Message]], cited: set[Key]) -> tuple[LeftOut, ...]:
    """List each message that no statement cites under one reason; tool output is not listed."""
    by_reason: dict[str, list[Key]] = {}
    placed: set[Key] = set()
    for reason, m in left:
        key = (m.source, m.session_id, m.message_id)
        if key not in cited and key not in placed:
            placed.add(key)
            by_reason.setdefault(reason, []).append(key)
    return tuple(LeftOut(r, tuple(keys)) for r, keys in sorted(by_reason.items()))


def _counts(
    messages: Sequence[Message], statements: Sequence[Statement]
) -> tuple[tuple[str, int], ...]:
    authors = Counter(m.author_kind.value for m in messages)
    kinds = Counter(s.kind.value for s in statements)
    sessions = len({(m.source, m.conversation or m.session_id) for m in messages})
    counts = {"messages": len(messages), "sessions": sessions, "statements": len(statements)}
    counts |= {f"messages {k}": n for k, n in sorted(authors.items())}
    counts |= {f"statements {k}": n for k, n in sorted(kinds.items())}
    return tuple(counts.items())
