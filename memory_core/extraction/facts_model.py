"""What is read as a fact: a typed, cited proposal; it is evidence and steers nothing."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from memory_core.model import AuthorKind, Origin


class FactType(StrEnum):
    """What a fact is about."""

    IDENTITY = "identity"
    KINSHIP = "kinship"
    RESIDENCE = "residence"
    WORK = "work"
    CONTACT = "contact"
    PREFERENCE = "preference"
    DISLIKE = "dislike"
    POSSESSION = "possession"
    HEALTH = "health"
    APPOINTMENT = "appointment"
    PLAN = "plan"
    RULE = "rule"
    CREDENTIAL_PLACE = "credential_place"
    PRICE = "price"
    EVENT = "event"
    SKILL = "skill"
    MEMBERSHIP = "membership"
    ROUTINE = "routine"
    SETTING = "setting"


class EntityRole(StrEnum):
    """What a name is to the sentence it stands in."""

    UTTERED_BY = "uttered_by"
    MENTIONED = "mentioned"
    ADDRESSEE = "addressee"


@dataclass(frozen=True, slots=True)
class EntityMention:
    """A name and its role; who is spoken to is never who the fact is about."""

    name: str
    role: EntityRole


@dataclass(frozen=True, slots=True)
class ProposedFact:
    """One fact as it was said, with where it was said.

    `content` is the exact clause; `start` and `end` are its half-open code-point offsets in the
    message. `subject` is "owner" or the words that name somebody or something else. The place
    of a credential is told, never the credential. `valid_from` is the first local day on which
    it held, `valid_to` the day after its last, or None. `pattern` names the rule that fired.
    """

    content: str
    type: FactType
    subject: str
    attribute: str
    value: str
    entities: tuple[EntityMention, ...]
    valid_from: dt.date | None
    valid_to: dt.date | None
    start: int
    end: int
    source: str
    session_id: str
    message_id: str
    author: str
    author_kind: AuthorKind
    origin: Origin
    said_at: dt.datetime | None
    pattern: str
    profile: str = ""


@dataclass(frozen=True, slots=True)
class PatternRow:
    """One rule: its id, type and attribute, its expression, and whether a denial states it too."""

    id: str
    type: FactType
    attribute: str
    expression: str
    denies: bool = False
