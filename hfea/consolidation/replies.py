"""Short replies that say nothing without the question they answer: told together with it."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from hfea.consolidation import drafts
from hfea.episode import Statement, statement_id
from memory_core.extraction import sentences, small_talk
from memory_core.extraction.polarity import happened
from memory_core.model import AuthorKind, Kind, Message, Origin, Polarity, Theme
from memory_core.text import content_terms, fold

LONGEST_REPLY = 5  # words; a longer answer stands for itself
_YES = frozenset({"acknowledgement", "filler"})
_ASSENT = frozenset(
    "sim pode isso claro certo ok okay fechado combinado manda faz vai yes yep yeah sure go "
    "please do it ok exato perfeito beleza blz pls plz pfv favor por bora quero cria faca yup "
    "absolutely definitely worth a shot aceito topo".split()
)
_DISSENT = frozenset("nao no nope nunca never deixa nah obrigado obrigada thanks".split())
_COURTESIES = ("mais alguma coisa", "anything else", "tudo bem", "certo?")
# A reply that leaves the question open.
_PENDING = re.compile(
    r"(?:nao,? )?(?:ainda nao|nao sei|sei la|depois|mais tarde|a gente ve|talvez|not yet|no idea"
    r"|dunno|don't know|later|maybe|we'll see|not sure)\b"
)
_EITHER = re.compile(r"\b(?:ou|or|which|qual)\b")
_VERB = re.compile(
    r"\b(?:é|são|está|tá|tô|tem|quero|acho|sei|vou|vai|i|is|are|was|have|has|want|think|know|will)\b"
)


def settled(message: Message, previous: Message, day: dt.date) -> Statement | None:
    """Read the owner's short reply to the agent's question as one statement that rests on both.

    A bare yes or no, the question's own verb ("Crio um lembrete?" — "Cria.") and the choice of
    one of the options are decisions; another fragment ("When?" — "Monday.") is told with its
    question, so that a reader knows what it is about.
    """
    if previous.author_kind is not AuthorKind.AGENT or not previous.content.rstrip().endswith("?"):
        return None
    said = re.sub(r"[^\w\s'’%:.-]|[.!](?=\s|$)", " ", fold(message.content)).split()
    if not said or len(said) > LONGEST_REPLY or "?" in message.content or message.spans:
        return None
    question = _question(previous, day)
    if any(w in fold(question.text) for w in _COURTESIES):
        return None
    yes, no = _ASSENT.issuperset(said), _DISSENT.issuperset(said)
    if yes and small_talk(message.content) not in (*_YES, ""):
        return None
    decides = yes or no or _echoes(said, question.text) or _picks(message.content, question.text)
    if not decides and (small_talk(message.content) or not _fragment(message.content)):
        return None
    theme = Theme.DECISION if decides else Theme.OTHER
    if not decides and _PENDING.match(" ".join(said)):
        theme = Theme.OPEN_POINT
    pole = Polarity.NEGATED if no else Polarity.AFFIRMED
    return _joined(message, question, day, theme=theme, pole=pole)


def without_asked(told: list[Statement], reply: Statement) -> list[Statement]:
    """Return what was told, but for the question that a reply already repeats."""
    asked = {(c.message_id, c.start) for c in reply.citations[1:]}
    return [
        s
        for s in told
        if not (
            s.polarity is Polarity.QUESTION
            and s.author_kind is AuthorKind.AGENT
            and s.text in reply.text
            and any(c.message_id == m for c in s.citations for m, _ in asked)
        )
    ]


def _question(previous: Message, day: dt.date) -> Statement:
    start, end = sentences(previous.content)[-1]
    return drafts.make(previous, (start, end), day, kind=Kind.EVENT)


def _joined(
    message: Message, question: Statement, day: dt.date, *, theme: Theme, pole: Polarity
) -> Statement:
    answer = drafts.make(message, (0, len(message.content)), day, kind=Kind.EVENT)
    text = f"{question.text} — {message.content.strip()}"
    cites = (*answer.citations, *question.citations)
    return replace(
        answer,
        id=statement_id(day, Kind.EVENT, text, cites),
        text=text,
        theme=theme,
        polarity=pole,
        origin=Origin.DERIVED,
        citations=cites,
    )


def _echoes(said: list[str], question: str) -> bool:
    """Whether a reply is the question's verb said back: "calculo quanto?" — "Calcula"."""
    word = said[0]
    asked = fold(question).split()
    alike = any(len(w) > 3 and w[:4] == word[:4] for w in asked)  # noqa: PLR2004 - a stem
    return len(said) <= 2 and len(word) > 3 and alike and word.isalpha()  # noqa: PLR2004


def _picks(reply: str, question: str) -> bool:
    if not _EITHER.search(fold(question)):
        return False
    return bool(set(content_terms(reply)) & set(content_terms(question))) and _fragment(reply)


def _fragment(reply: str) -> bool:
    return not _VERB.search(reply.casefold()) and not happened(fold(reply))
