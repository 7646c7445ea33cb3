"""What a source is: a reader that yields raw messages and problems, and remembers its place."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from memory_core.model import AuthorKind, Origin, Role, Span, ToolUse


@dataclass(frozen=True, slots=True)
class RawMessage:
    """One turn as its source recorded it: decoded, structural facts attached, not yet redacted.

    `author_kind` is set where structure alone decides (tool, system, agent, sub-agent,
    overheard group chatter); None lets intake decide from `author`, `author_id` and the
    owner's settings. `spans` are those that structure shows (a glued summary, an untrusted
    tool result); intake adds what the text shows. Offsets count code points of `text`.
    `at` is aware UTC or None. `where` is `file#offset` or `table#rowid`, for problems.
    """

    session_id: str
    message_id: str
    at: dt.datetime | None
    role: Role
    text: str
    position: int
    author: str = ""
    author_id: str = ""
    author_kind: AuthorKind | None = None
    origin: Origin = Origin.DIRECT
    conversation: str = ""
    spans: tuple[Span, ...] = ()
    tool: ToolUse | None = None
    marks: frozenset[str] = frozenset()
    title: str = ""
    channel: str = ""
    project: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Trouble in the data, as a value with a position; the night goes on.

    `code` is a stable word (`malformed_line`, `nul_block`, `oversized_line`, `unknown_shape`,
    `source_missing`, `source_shrank`, `unusable_time`, `damaged_index`, ...). `offset` and
    `length` are bytes. `digest` is a keyed hash of the bytes, filled by intake; `raw` is what
    it is made from and is never stored.
    """

    source: str
    code: str
    where: str
    detail: str
    offset: int = -1
    length: int = 0
    digest: str = ""
    severity: str = "warning"
    raw: bytes = field(default=b"", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class SessionState:
    """How far one unit of a source (a file, a session row) has been read.

    `unit` is the source's own key, relative, so that a moved home stays recognised.
    `fingerprint` is opaque: equal means nothing changed since. `cursor` is opaque too: where
    an append-only read may continue. `sessions` are the session ids found in the unit,
    `messages` how many messages it has yielded in all.
    """

    unit: str
    fingerprint: str
    cursor: str = ""
    sessions: tuple[str, ...] = ()
    messages: int = 0


Item = RawMessage | Problem | SessionState


class Source(Protocol):
    """A reader of one agent home (or one folder). Read-only, creates nothing beside it."""

    @property
    def name(self) -> str:
        """Stable key, e.g. `hermes:default`, `claude-code`, `jsonl:world-a`."""
        ...

    @property
    def kind(self) -> str:
        """`hermes`, `claude-code`, `openclaw`, `codex` or `jsonl`."""
        ...

    @property
    def profile(self) -> str:
        """The profile its messages belong to; authority never crosses profiles."""
        ...

    def stamp(self) -> str:
        """Return a cheap fingerprint (stat only) of the whole source; '' when it is missing."""
        ...

    def scan(
        self, known: Mapping[str, SessionState], wanted: Collection[str] = ()
    ) -> Iterator[Item]:
        """Yield what is new or changed against *known*, and every unit of *wanted* whole.

        For each unit read, its messages and problems come first and its new SessionState
        last; a unit whose messages were not all safely read yields no SessionState, so that
        it is read again. Unchanged units yield nothing. A unit of *known* that is gone yields
        a Problem `source_missing` (or `pruned`), never silence. Memory stays bounded.
        """
        ...

    def ignored(self) -> tuple[str, ...]:
        """Name the files beside the source that were left alone on purpose (backups, caches)."""
        ...
