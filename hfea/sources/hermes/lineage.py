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

from hfea.sources.hermes import scaffold
from hfea.sources.hermes.rows import Row, Session

LONGEST_HEAD = 8  # copied rows before a summary
LONGEST_WALK = 64  # sessions of one lineage; guards against cycles
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
    while len(chain) < LONGEST_WALK:
        if relation(current, sessions) not in (Relation.BRANCH, Relation.COMPRESSION):
            break
        parent = sessions.get(current.parent)
        if parent is None or parent.id in seen:
            break
        chain.append(parent)
        seen.add(parent.id)
        current = parent
    return chain


@dataclass(frozen=True, slots=True)
class Aligned:
    """A row that is no copy, and whether an undo took it back."""

    row: Row
    undone: bool = False


def align(rows: Sequence[Row], before: Sequence[bytes] = ()) -> tuple[list[Aligned], list[bytes]]:
    """Drop copies from *rows* (by id); return what stays, and the keys of the last generation.

    *before* are the keys of the conversation that a compression continues.
    """
    twins = {(r.role, r.text, r.timestamp) for r in rows if r.visible}
    generation = list(before)
    kept: list[Aligned] = []
    visible = [r for r in rows if r.visible]
    undone = [r for r in rows if not r.visible and (r.role, r.text, r.timestamp) not in twins]
    index = 0
    while index < len(visible):
        head = _copied_head(visible, index, generation)
        if head is None:
            kept.append(Aligned(visible[index]))
            generation.append(visible[index].key())
            index += 1
            continue
        summary = visible[index + head]
        kept.append(Aligned(summary))
        index, generation = _after_summary(visible, index + head, generation, head)
    kept += [Aligned(r, undone=True) for r in undone]
    kept.sort(key=lambda a: a.row.id)
    return kept, generation


def _copied_head(rows: Sequence[Row], index: int, generation: Sequence[bytes]) -> int | None:
    """Return how many copies of the generation's head precede a summary here; None for no block."""
    for count in range(LONGEST_HEAD + 1):
        place = index + count
        if place >= len(rows):
            return None
        copied = count < len(generation) and rows[place].key() == generation[count]
        # An earlier summary may itself stand in the copied head.
        if rows[place].summary and not copied:
            return count
        if not copied:
            return None
    return None


def _after_summary(
    rows: Sequence[Row], place: int, generation: Sequence[bytes], head: int
) -> tuple[int, list[bytes]]:
    """Return the index behind the copied tail, and the keys of the new generation."""
    start = place + 1
    while start < len(rows) and rows[start].text.startswith(scaffold.TODO_START):
        start += 1
    longest = 0
    keys = [r.key() for r in rows[start : start + len(generation)]]
    for count in range(min(len(keys), len(generation)), 0, -1):
        if keys[:count] == list(generation[-count:]):
            longest = count
            break
    fresh = [*generation[:head], rows[place].key(), *keys[:longest]]
    return start + longest, fresh


def without_prefix(rows: Sequence[Aligned], parent: Sequence[bytes]) -> list[Aligned]:
    """Drop the rows of a branch that repeat its parent's history from the beginning."""
    count = 0
    for mine, theirs in zip(rows, parent, strict=False):
        if mine.row.key() != theirs:
            break
        count += 1
    return list(rows[count:])
