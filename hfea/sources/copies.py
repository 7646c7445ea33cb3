"""Which transcript a message belongs to where forks and resumes have copied it into several.

A message that has an id across files belongs to the file that gave it first, in this pass or
in an earlier one: the cursor of each file remembers which ids it gave. Only ids are remembered,
as short hashes, never words; whether a message really is a copy is seen by reading its owner
again, and only where a file shares an id with it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from hfea.sources.base import RawMessage

_WIDTH = 8  # bytes of an id's hash: among a million ids two agree once in forty million histories


@dataclass(frozen=True, slots=True)
class Key:
    """What makes a message the same one in every file. `firm`: the id alone is proof of that."""

    id: str
    firm: bool = True


@dataclass(frozen=True, slots=True)
class Before:
    """What a file gave when it was last read: hashes of ids, its sessions, messages it held."""

    own: frozenset[bytes] = frozenset()
    sessions: frozenset[str] = frozenset()
    found: int = 0


def packed(hashes: Iterable[bytes]) -> str:
    """Return hashes as one short string."""
    return base64.b64encode(b"".join(sorted(hashes))).decode()


def unpacked(text: str) -> frozenset[bytes]:
    """Return the hashes that `packed` wrote. Raises ValueError."""
    raw = base64.b64decode(text, validate=True)
    return frozenset(raw[i : i + _WIDTH] for i in range(0, len(raw), _WIDTH))


Reader = Callable[[str], Iterable[tuple[Key, RawMessage]]]


@dataclass
class Copies:
    """Decides, over one pass, which file gives a message; see the module.

    *known* is what every file gave before, *present* the files that are there, *wanted* those
    whose messages are asked for again, and *read* gives the keyed messages of one present.
    """

    known: Mapping[str, Before]
    present: frozenset[str]
    wanted: frozenset[str]
    read: Reader
    _owners: dict[bytes, str] = field(default_factory=dict)
    _given: dict[bytes, tuple[str, str]] = field(default_factory=dict)
    _loaded: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for unit in sorted(self.known):
            for short in self.known[unit].own:
                self._owners.setdefault(short, unit)

    def unit(self, name: str) -> Unit:
        """Begin to read the file *name*."""
        self._loaded.add(name)
        return Unit(self, name, self.known.get(name, Before()))

    def holder(self, unit: Unit, key: Key, message: RawMessage) -> tuple[str, str] | None:
        """Return (file, conversation) of who gives *message*; None where that file is gone."""
        owner = self._owners.get(short_hash(key), unit.name)
        if owner != unit.name and owner in self.present:
            self._load(owner)
        elif owner != unit.name and self._given_by_gone(owner, unit, key, message):
            return None
        return self._given.setdefault(_body(key, message), (unit.name, message.conversation))

    def _given_by_gone(self, owner: str, unit: Unit, key: Key, message: RawMessage) -> bool:
        """Whether a file that is gone gave it, and it must not come again under a fork's name.

        A file that was only moved has the same session, and whoever asks for what the gone
        file held takes it from wherever it is.
        """
        if owner in self.wanted or message.session_id in self.known[owner].sessions:
            return False
        return key.firm or unit.was_left_out(key)

    def _load(self, unit: str) -> None:
        if unit in self._loaded:
            return
        self._loaded.add(unit)
        for key, message in self.read(unit):
            if self._owners.get(short_hash(key)) == unit:
                self._given.setdefault(_body(key, message), (unit, message.conversation))


@dataclass
class Unit:
    """One file while it is read."""

    copies: Copies
    name: str
    before: Before
    own: set[bytes] = field(default_factory=set)
    found: int = 0
    _lineage: dict[str, str] = field(default_factory=dict)
    _shown: set[bytes] = field(default_factory=set)

    def take(self, key: Key | None, message: RawMessage) -> RawMessage | None:
        """Return the message, in the conversation it continues, or None where it is a copy."""
        self.found += 1
        if key is None:
            return self._placed(message)
        holder = self.copies.holder(self, key, message)
        if holder is None:
            return None
        if holder[0] != self.name:
            if holder[1] != message.conversation:
                self._lineage.setdefault(message.conversation, holder[1])
            return None
        body = _body(key, message)
        if body in self._shown:
            return None  # rows that the agent appended a second time
        self._shown.add(body)
        self.own.add(short_hash(key))
        return self._placed(message)

    def was_left_out(self, key: Key) -> bool:
        """Whether the last reading, which reached beyond this place, did not give it."""
        return self.found <= self.before.found and short_hash(key) not in self.before.own

    def _placed(self, message: RawMessage) -> RawMessage:
        talk = self._lineage.get(message.conversation)
        return message if talk is None else replace(message, conversation=talk)


def short_hash(key: Key) -> bytes:
    """Return the short hash by which an id is remembered."""
    return hashlib.sha256(key.id.encode("utf-8", "surrogatepass")).digest()[:_WIDTH]


def _body(key: Key, message: RawMessage) -> bytes:
    text = f"{key.id}\0{message.role}\0{message.text}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
