# ruff: noqa: E501 - word lists read best a row a line
"""Whether the owner confirmed a proposal: of exactly these bytes, in time, and in person."""

from __future__ import annotations

import datetime as dt
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from memory_core.extraction.polarity import is_hypothetical, is_ironic
from memory_core.grades import Grade, foreign_pieces, grade_of
from memory_core.model import AuthorKind, Message, Origin
from memory_core.text import fold

SHOWN_FOR = dt.timedelta(hours=1)  # what was shown longer ago has to be shown again
ANSWERED_FOR = dt.timedelta(days=30)  # a yes in a session older than that is no yes now
LONGEST_YES = 120  # characters; a longer answer says more than yes


class Via(StrEnum):
    """Where the owner confirmed."""

    CLI = "cli"
    HTTP = "http"
    SESSION = "session"
    HERMES = "hermes"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The owner's yes to a proposal.

    `digest` is the `shown_digest` of what was on the screen. In a session, `answer` is the
    owner's message and `shown_in` the agent's message right before it that showed the text.
    """

    digest: str
    by: str
    via: Via
    at: dt.datetime
    shown_at: dt.datetime
    profile: str = "default"
    answer: Message | None = None
    shown_in: Message | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be confirmed: the digest of what must be shown, the text, and since when."""

    digest: str
    text: str
    profile: str
    since: dt.datetime
    expires: dt.datetime


def confirmation_faults(asked: Asked, given: Confirmation, now: dt.datetime) -> tuple[str, ...]:
    """Return why *given* confirms nothing; empty where it does."""
    faults = []
    if not hmac.compare_digest(asked.digest.encode(), given.digest.encode()):
        faults.append("other_text")
    if given.profile != asked.profile:
        faults.append("other_profile")
    if not given.by.strip():
        faults.append("nobody")
    if now >= asked.expires:
        faults.append("proposal_expired")
    if not given.shown_at <= given.at or given.at > now:
        faults.append("impossible_time")
    if given.via is Via.SESSION:
        faults += _session_times(given, now)
        faults += _answer_faults(asked, given)
        return tuple(faults)
    if now - given.shown_at > SHOWN_FOR:
        faults.append("shown_too_long_ago")
    if given.shown_at < asked.since:
        faults.append("before_the_proposal")
    if given.via is Via.HERMES:
        faults.append("not_in_person")
    return tuple(faults)


def session_confirmation(
    asked: Asked, conversation: Sequence[Message], by: str, now: dt.datetime
) -> Confirmation | None:
    """Return the owner's newest yes in a conversation, if it holds one for exactly this text.

    The agent must have shown the whole text and asked to keep it, and the owner's next message
    must say yes to that. Messages are in their order.
    """
    for shown, answer in reversed(list(pairwise(conversation))):
        if shown.at is None or answer.at is None:
            continue
        given = Confirmation(
            asked.digest, by, Via.SESSION, answer.at, shown.at, answer.profile, answer, shown
        )
        if not confirmation_faults(asked, given, now):
            return given
    return None


def _answer_faults(asked: Asked, given: Confirmation) -> list[str]:
    answer, shown = given.answer, given.shown_in
    if answer is None or shown is None:
        return ["no_answer"]
    faults = []
    direct = Grade(AuthorKind.OWNER, Origin.DIRECT)
    if grade_of(answer) != direct or foreign_pieces(answer):
        faults.append("not_the_owners_answer")
    if not _says_yes(answer.content):
        faults.append("not_a_yes")
    if shown.author_kind is not AuthorKind.AGENT or grade_of(shown).origin is not Origin.DIRECT:
        faults.append("not_shown_by_the_agent")
    if not _shows(shown.content, asked.text):
        faults.append("text_not_shown")
    same = (shown.source, shown.conversation) == (answer.source, answer.conversation)
    if not same or answer.position <= shown.position:
        faults.append("not_an_answer_to_it")
    return faults


def _session_times(given: Confirmation, now: dt.datetime) -> list[str]:
    """In a session the agent itself shows the text, often before anybody makes a proposal of it."""
    faults = []
    if given.at - given.shown_at > SHOWN_FOR:
        faults.append("shown_too_long_ago")
    if now - given.at > ANSWERED_FOR:
        faults.append("answered_too_long_ago")
    return faults


_YES = re.compile(
    r"(?:sim|s|yes|y|yep|yeah|claro|isso|isso mesmo|exato|exatamente|certo|confirmo|confirmado|pode|pode sim"
    r"|aprovo|aprovado|ok|okay|sure|please do|go ahead|confirmed?|i confirm|approved?|correct|that's right"
    r"|beleza|blz|combinado|perfeito|com certeza|absolutely|of course|do it|faz isso|manda ver|manda|ta|ta bom|quero|quero sim"
    r"|aham|uhum|positivo|i do|definitely|certainly|right|agreed|concordo|de acordo)\b|[\U0001f44d\u2705\U0001f44c]"
)
_SAVE = re.compile(
    r"\b(?:guard|grav|salv|anot|registr|lembr|memoriz|remember|save|store|keep|record|note|add)\w*"
)
_NO = re.compile(
    r"\b(?:nao|no|not|never|nunca|mas|but|depois|later|ainda|yet|espera|wait|exceto|except|menos|so a|only the"
    r"|don't|talvez|maybe)\b"
)
_MAY_I = re.compile(
    r"(?:\b(?:posso|devo|quer que eu|gostaria que eu|confirma|confirmas|can i|may i|shall i|should i|do you want me to"
    r"|would you like me to|want me to|ok to|okay to|proposal|proposta)\b[^?]{0,80}"
    r"\b(?:guard|grav|salv|anot|registr|lembr|memoriz|remember|save|store|keep|record|note|add|memor)\w*"
    r"|\b(?:guardo|gravo|salvo|anoto|registro)\b"
    r"|(?:^|[.!?\n]\s*)(?:salvar|guardar|registrar|gravar|anotar|save|store|record|keep)\b)[^?]*\?",
    re.DOTALL,
)
_SAVE_THAT = re.compile(
    r"\b(?:guard|grav|salv|anot|registr|lembr|memoriz|remember|save|store|keep|record|note)\w*(?: (?:na|no|em|sua|tua|a|o|memoria|perfil|in|to|your|my|the|memory|profile|tambem|also|entao|then)){0,4} (?:que|that)$"
)
_OPEN, _CLOSE = "\"'“«‘`*\n", "\"'”»’`*\n"


def _says_yes(text: str) -> bool:
    """Whether a whole answer is a plain yes, perhaps with the words of keeping it."""
    folded = " ".join(fold(text).split()).strip(" .!,;:)")
    if not folded or len(folded) > LONGEST_YES or "?" in text or any(q in text for q in '“”«»">'):
        return False
    if _NO.search(folded) or is_ironic(folded) or is_hypothetical(folded):
        return False
    lead = _YES.match(folded)
    return bool(lead) or bool(re.match(_SAVE, folded))


def _shows(message: str, text: str) -> bool:
    """Whether a message asks to keep *text* and shows it whole, set apart from other words."""
    if not text or not _MAY_I.search(fold(message)):
        return False
    at = message.find(text)
    while at >= 0:
        end = at + len(text)
        before, after = message[:at].rstrip(" "), message[end:].lstrip(" ")
        opens = not before or before[-1] in _OPEN or before[-1] == ":"
        opens = opens or bool(_SAVE_THAT.search(fold(before)))
        closes = not after or after[0] in _CLOSE or after[0] == "?" or after[:2] in (".\n", ".")
        if opens and closes:
            return True
        at = message.find(text, at + 1)
    return False
