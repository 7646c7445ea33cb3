"""How a session hangs together with its parent, and which of its rows are copies.

Rules as Hermes decides them: branch, delegation, new conversation in one chat, compression,
else an ephemeral child. In-place compaction is undone by aligning generations: the copies of
head and tail that follow a summary are dropped, and the first occurrence, with its true time,
stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic

from hfea.sources.hermes.outline import L
from hfea.sources.hermes.rows import Session

LONGEST_HEAD = 8  # copied rows before a summary
_RESETS = frozenset({"session_reset", "new_session", "idle", "daily", "suspended", "idle_timeout"})


class Relation(StrEnum):
    """What a session is to its parent."""

    ROOT = "root"
    BRANCH = "branch"
    DELEGATION = "delegation"
    RESET = "reset"
    COMPRESSION = "compression"
    CHILD = "child"


def relation(session: Session, sessions: Mapping[str, Session]) -> Relation:
    """Decide what *session* is to its parent; markers that were inherited do not count."""
    if session.source == "subagent" or _delegated(session):
        return Relation.DELEGATION
    if not session.parent:
        return Relation.ROOT
    parent = sessions.get(session.parent)
    branched = session.config.get("_branched_from")
    if parent is None:
        return Relation.BRANCH if branched else Relation.ROOT
    if branched == parent.id or (
        parent.end_reason == "branched" and session.started >= (parent.ended or 0)
    ):
        return Relation.BRANCH
    same_chat = bool(session.key) and session.key == parent.key
    if session.config.get("_reset_from") or (same_chat and parent.end_reason in _RESETS):
        return Relation.RESET
    return Relation.COMPRESSION if parent.end_reason == "compression" else Relation.CHILD


def _delegated(session: Session) -> bool:
    marker = session.config.get("_delegate_from")
    return bool(marker) and (not session.parent or marker in (session.parent, "__orphaned__"))


def ancestors(session: Session, sessions: Mapping[str, Session]) -> list[Session]:
    """Return the sessions that *session* continues or branched from, nearest first."""
    chain: list[Session] = []
    seen, current = {session.id}, session
    while relation(current, sessions) in (Relation.BRANCH, Relation.COMPRESSION):
        parent = sessions.get(current.parent)
        if parent is None or parent.id in seen:
            break
        chain.append(parent)
        seen.add(parent.id)
        current = parent
    return chain


def conversation(
    session: Session, chain: Sequence[Session], sessions: Mapping[str, Session]
) -> str:
    """Return the first session of a lineage; where parents go round in a circle, its least id."""
    first = chain[-1] if chain else session
    ids = {session.id, *(s.id for s in chain)}
    circle = first.parent in ids and relation(first, sessions) in (
        Relation.BRANCH,
        Relation.COMPRESSION,
    )
    return min(ids) if circle else first.id


@dataclass(frozen=True, slots=True)
class Aligned(Generic[L]):
    """A row that is no copy, and whether an undo took it back."""

    row: L
    undone: bool = False


def align(rows: Sequence[L], before: Sequence[bytes] = ()) -> tuple[list[Aligned[L]], list[bytes]]:
    """Drop copies from *rows* (by id); return what stays, and the keys of the last generation.

    *before* are the keys of the conversation that a compression continues. A hidden row that is
    stored visibly once more, with the same time, is the original of a carried tail: it stays at
    its place and the copy goes. Any other hidden row was undone.
    """
    twins = {r.twin() for r in rows if r.visible}
    originals: dict[bytes, int] = {}
    for row in rows:
        if not row.visible and row.twin() in twins:
            originals.setdefault(row.twin(), row.id)
    shown = [r for r in rows if r.visible or originals.get(r.twin()) == r.id]
    kept, generation = _collapse(shown, list(before))
    found = [Aligned(r) for r in kept if originals.get(r.twin(), r.id) == r.id]
    found += [Aligned(r, undone=True) for r in rows if not r.visible and r.twin() not in twins]
    found.sort(key=lambda a: a.row.id)
    return found, generation


def _collapse(rows: Sequence[L], generation: list[bytes]) -> tuple[list[L], list[bytes]]:
    kept: list[L] = []
    index = 0
    while index < len(rows):
        head = _copied_head(rows, index, generation)
        if head is None:
            kept.append(rows[index])
            generation.append(rows[index].key())
            index += 1
            continue
        kept.append(rows[index + head])
        index, generation = _after_summary(rows, index + head, generation, head)
    return kept, generation


def _copied_head(rows: Sequence[L], index: int, generation: Sequence[bytes]) -> int | None:
    """Return how many copies of the generation's head precede a summary here; None for no block.

    An earlier summary may itself stand in the copied head: a summary that is no copy is looked
    for first. Where there is none, the last that looks like a copy was written once more in the
    same words, as the placeholder of a failed summary is.
    """
    repeated: int | None = None
    for count in range(min(LONGEST_HEAD + 1, len(rows) - index)):
        row = rows[index + count]
        copied = count < len(generation) and row.key() == generation[count]
        if row.summary and not copied:
            return count
        if row.summary:
            repeated = count
        if not copied:
            break
    return repeated


def _after_summary(
    rows: Sequence[L], place: int, generation: Sequence[bytes], head: int
) -> tuple[int, list[bytes]]:
    """Return the index behind the copied tail, and the keys of the new generation."""
    start = place + 1
    while start < len(rows) and rows[start].todo:
        start += 1
    keys = [r.key() for r in rows[start : start + len(generation)]]
    longest = _overlap(keys, generation)
    fresh = [*generation[:head], rows[place].key(), *keys[:longest]]
    return start + longest, fresh


def _overlap(keys: Sequence[bytes], generation: Sequence[bytes]) -> int:
    """Return how many of *keys*, at most, are the end of *generation*, in linear time.

    The failure function of Knuth, Morris and Pratt: a broken build repeats a tail thousands of
    times, and comparing every length with every other would take the night.
    """
    if not keys:
        return 0
    back, state = [0], 0
    for key in keys[1:]:
        state = _step(keys, back, state, key)
        back.append(state)
    state = 0
    for key in generation:
        state = _step(keys, back, back[-1] if state == len(keys) else state, key)
    return state


def _step(keys: Sequence[bytes], back: Sequence[int], state: int, key: bytes) -> int:
    while state and keys[state] != key:
        state = back[state - 1]
    return state + 1 if keys[state] == key else state


def without_prefix(rows: Sequence[Aligned[L]], parent: Sequence[bytes]) -> list[Aligned[L]]:
    """Drop the rows of a branch that repeat its parent's history from the beginning."""
    count = 0
    for mine, theirs in zip(rows, parent, strict=False):
        if mine.row.key() != theirs:
            break
        count += 1
    return list(rows[count:])
