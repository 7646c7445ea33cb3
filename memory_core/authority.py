"""Who may change what steers the agent: pure decisions from provenance, never from trust.

Three levels. A verbatim stretch of the owner's own direct message, with an explicit request to
remember it, may be applied. Anything else the agent proposes from the owner's words is derived
and waits. Hosted, derived or archived material is foreign and waits too; only the owner's
confirmation of those very bytes promotes either. No score, confidence or text takes part.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import PurePosixPath

from memory_core.content import content_words, share
from memory_core.extraction.sentences import sentences
from memory_core.grades import Grade, foreign_pieces, grade_of, own_stretches
from memory_core.leaning import Definition, definitions
from memory_core.matching import Wanted
from memory_core.model import AuthorKind, Message, Origin
from memory_core.remembering import requests
from memory_core.secrets import PLACEHOLDER, Redactor
from memory_core.text import words

SEPARATOR = "\n§\n"
SAME_MATTER = 0.6  # share of a text's words that makes another say the same
FEWEST_WORDS = 3  # shorter texts say too little to be recognised
ECHO_WORDS = 6  # so many words in a row of a hosted text are its words, not a coincidence
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff\ud800-\udfff"
    "\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u2028\u2029]"
)
NOBODYS = Grade(AuthorKind.UNKNOWN, Origin.HOSTED)
_OWNERS = frozenset({"memory", "user"})


class Act(StrEnum):
    """What a change does; all three are guarded alike."""

    ADD = "add"
    REPLACE = "replace"
    REMOVE = "remove"


class Target(StrEnum):
    """What a change touches: MEMORY.md, USER.md, a file of a skill, a page of the wiki."""

    MEMORY = "memory"
    USER = "user"
    SKILL = "skill"
    WIKI = "wiki"


class Level(StrEnum):
    """How near a change is to the owner's own word."""

    VERBATIM = "verbatim"
    DERIVED = "derived"
    FOREIGN = "foreign"


class Outcome(StrEnum):
    """What may be done with a change now."""

    APPLY = "apply"
    QUEUE = "queue"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Change:
    """One change of what steers the agent.

    `text` is what will stand there, `old_text` the whole entry (or file) that it takes the
    place of; `path` is relative and POSIX, for skills and wiki. `claims` is what the proposer
    says of it (confidence, trust, a reason): kept to be shown, never read by a decision.
    """

    act: Act
    target: Target
    text: str = ""
    old_text: str = ""
    path: str = ""
    profile: str = "default"
    claims: Mapping[str, object] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Support:
    """What a change rests on: a message as it came in, or evidence of a layer.

    `layer` is `session` for a message read from its source; `archive` never supports more than
    a foreign change. `quote` is the stretch meant, `grade` applies where there is no message.
    """

    message: Message | None = None
    quote: str = ""
    layer: str = "session"
    source: str = ""
    grade: Grade = NOBODYS


@dataclass(frozen=True, slots=True)
class Decision:
    """What may happen to a change, why, and what must be shown with it."""

    outcome: Outcome
    level: Level
    reasons: tuple[str, ...]
    definitions: tuple[Definition, ...] = ()


def shown_digest(change: Change, defined: Sequence[Definition] = (), salt: str = "") -> str:
    """Return SHA-256, hex, of everything the owner is shown of a change and must confirm.

    *salt* is random and goes when the text is erased, so that the digest, which the ledger
    keeps, does not help to confirm a guess at it.
    """
    shown = [
        salt,
        change.profile, change.target.value, change.path, change.act.value,
        change.old_text, change.text, [[d.phrase, d.quote, d.source] for d in defined],
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(shown, ensure_ascii=True).encode()).hexdigest()


def decide(
    change: Change, support: Sequence[Support] = (), context: Sequence[Message] = ()
) -> Decision:
    """Decide what may be done with *change* without asking the owner.

    *context* are the messages around it (the conversation so far, or the day): what hosted
    text says there is recognised in the change, also where the proposer does not cite it.
    """
    if faults := change_faults(change):
        return Decision(Outcome.REFUSE, Level.FOREIGN, faults)
    leaning = definitions(change.text, context) if change.text else ()
    if _asked_by_owner(change, support):
        # These very bytes are the owner's own; what else is cited takes nothing from them.
        reasons = tuple(_not_at_once(change, leaning))
        if reasons:
            return Decision(Outcome.QUEUE, Level.VERBATIM, reasons, leaning)
        return Decision(Outcome.APPLY, Level.VERBATIM, ("owner_asked",))
    foreign = tuple(dict.fromkeys(_foreign(change, support, context)))
    leans = ("leans_on_hosted",) if leaning else ()
    level = Level.FOREIGN if foreign else Level.DERIVED
    return Decision(Outcome.QUEUE, level, (*foreign, *leans, "not_the_owners_words"), leaning)


def change_faults(change: Change) -> tuple[str, ...]:
    """Return why *change* can never be made as it stands, whoever confirms it."""
    faults = []
    if not _is_text(change.text) or not _is_text(change.old_text) or not _is_text(change.path):
        return ("not_text",)
    if change.act is not Act.REMOVE and not change.text.strip():
        faults.append("empty")
    if change.act is not Act.ADD and not change.old_text.strip():
        faults.append("nothing_to_change")
    if change.target.value in _OWNERS:
        if SEPARATOR in f"\n{change.text}\n":
            faults.append("separator_inside")
    elif not _safe_path(change.path):
        faults.append("unsafe_path")
    if PLACEHOLDER.search(change.text) or Redactor(b"authority").redact(change.text).found:
        faults.append("holds_secret")
    return tuple(faults)


def _is_text(text: str) -> bool:
    """Whether a string can be stored and shown: no half of a surrogate pair, no NUL."""
    return "\0" not in text and not any("\ud800" <= c <= "\udfff" for c in text)


def _safe_path(path: str) -> bool:
    parts = PurePosixPath(path).parts
    plain = bool(parts) and not path.startswith(("/", "~")) and "\\" not in path
    return plain and all(p not in ("..", ".") and "\0" not in p for p in parts)


def _foreign(
    change: Change, support: Sequence[Support], context: Sequence[Message]
) -> Iterable[str]:
    """Yield why a change counts as somebody else's."""
    for one in support:
        if one.layer == "archive":
            yield "archived"
        elif one.message is None:
            if one.grade.foreign:
                yield "hosted" if one.grade.origin is Origin.HOSTED else "derived"
        else:
            if one.message.profile != change.profile:
                yield "other_profile"
            grade = _cited_grade(one)
            if grade.foreign:
                yield "hosted" if grade.origin is Origin.HOSTED else _not_direct(grade)
    if _echoes(change.text, context):
        yield "hosted_words"
    elif _paraphrases(change.text, context):
        yield "hosted_matter"


def _not_direct(grade: Grade) -> str:
    return "derived" if grade.origin is Origin.DERIVED else "not_the_owner"


def _cited_grade(one: Support) -> Grade:
    message = one.message
    if message is None:
        return one.grade
    start = message.content.find(one.quote) if one.quote else -1
    if start < 0:
        return grade_of(message)
    return grade_of(message, start, start + len(one.quote))


def _asked_by_owner(change: Change, support: Sequence[Support]) -> bool:
    """Whether the owner asked, in a direct message of this profile, for exactly this text."""
    for one in support:
        message = one.message
        if one.layer != "session" or message is None or message.profile != change.profile:
            continue
        for request in requests(message):
            if any(message.content[a:b] == change.text for a, b in request.payloads):
                return True
    return False


def _not_at_once(change: Change, leaning: Sequence[Definition]) -> Iterable[str]:
    """Yield why the owner's own words still have to be shown before they are applied."""
    if change.act is not Act.ADD:
        yield "changes_what_stands"
    if change.target.value not in _OWNERS:
        yield "more_than_an_entry"
    if leaning:
        yield "leans_on_hosted"
    if _INVISIBLE.search(change.text):
        yield "invisible_characters"


def _echoes(text: str, context: Sequence[Message]) -> bool:
    """Whether *text* repeats a run of words of something hosted or derived in *context*."""
    own = words(text)
    size = min(ECHO_WORDS, len(own))
    if size < FEWEST_WORDS:
        return False
    runs = set(_runs(own, size))
    pieces = (piece for message in context for piece in foreign_pieces(message))
    return any(run in runs for piece in pieces for run in _runs(words(piece), size))


def _paraphrases(text: str, context: Sequence[Message]) -> bool:
    """Whether *text* says what a foreign sentence of *context* says, and the owner nowhere does.

    A hint for whoever looks at the queue, and a bar to Hermes's; it promotes and refuses nothing.
    """
    asked = content_words(text)
    if len(asked) < FEWEST_WORDS:
        return False
    foreign = (piece for message in context for piece in foreign_pieces(message))
    if not any(_says(asked, piece) for piece in foreign):
        return False
    own = (
        m.content[a:b]
        for m in context
        if m.author_kind is AuthorKind.OWNER and m.origin is Origin.DIRECT
        for a, b in own_stretches(m)
    )
    return not any(_says(asked, piece) for piece in own)


def _says(asked: tuple[Wanted, ...], text: str) -> bool:
    return any(share(asked, sentence) >= SAME_MATTER for sentence in _sentences(text))


@lru_cache(maxsize=1024)
def _sentences(text: str) -> tuple[str, ...]:
    return tuple(text[a:b] for a, b in sentences(text))


def _runs(found: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    return (tuple(found[i : i + size]) for i in range(len(found) - size + 1))
