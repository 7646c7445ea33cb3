"""Judging one clause: its theme, kind, polarity and holder, from its cues."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory_core.extraction import holder, polarity
from memory_core.extraction.cues import AGENT_TABLE, PRIORITY, TABLE, Cue
from memory_core.extraction.model import Clause
from memory_core.model import AuthorKind, Kind, Message, Outcome, Polarity, Theme

_READING = re.compile(
    r"\b(?:voce (?:parece|prefere|gosta|esta|quer)|pelo visto|parece que|imagino que|acho que voce"
    r"|you (?:clearly|probably|seem|must|prefer|like|look)|i guess you|it seems|apparently"
    r"|suponho|presumo|aparentemente|(?:it )?sounds (?:as if|like) you\w*|you sound"
    r"|i (?:think|guess|suspect) you (?:were|are|may|might|feel)|pelo (?:seu|teu) tom)\b"
)
_OFFER = re.compile(
    r"\b(?:quer que|posso|devo|gostaria|precisa de|should i|shall i|would you like|can i|may i"
    r"|do you want|mais alguma coisa|anything else|registro que|entendi certo|did i get|certo\?"
    r"|right\?)"
)
_ANSWERS = re.compile(
    r"\b(?:resolvid[oa]|pode riscar|ja (?:fiz|foi|esta|renovei|comprei|paguei|resolvi)|pronto|feito"
    r"|concluid[oa]|done|sorted|settled|fixed|no longer open|cross it off|renovei|paguei|comprei"
    r"|decidimos|fica)\b"
)
_PLAIN_ASK = re.compile(
    r"^(?:pode|podes|consegue|could you|can you|please|por favor|me (?:diz|manda|mostra)|roda|monta"
    r"|confirma|resume|olha|abre|manda|run|show|open|tell|summari[sz]e|compara|compare)\b"
)
_STATES = frozenset(
    {Theme.REASON, Theme.CONSTRAINT, Theme.LEARNING, Theme.DOUBT, Theme.EXPECTATION, Theme.MOOD}
)


@dataclass(frozen=True, slots=True)
class Part:
    """One clause: offsets into the message, text, folded text, and whether its sentence asks."""

    start: int
    end: int
    text: str
    folded: str
    asked: bool


def speaker(message: Message) -> AuthorKind:
    """Return whose words a message holds: the owner's, the agent's or a third party's."""
    if message.author_kind in (AuthorKind.OWNER, AuthorKind.AGENT):
        return message.author_kind
    return AuthorKind.THIRD_PARTY


def judged(message: Message, part: Part, reported: str, without: frozenset[str]) -> Clause:
    """Return a part of a message as a clause, judged by its words and its sentence."""
    who = speaker(message)
    table = AGENT_TABLE if who is AuthorKind.AGENT else TABLE
    found = table.find(part.folded, without)
    pole = polarity.polarity(part.folded, asked=part.asked)
    theme, cue = _theme(found, part, pole, who)
    them = holder.other(part.text)
    if them.does == "feels" and theme is not Theme.MOOD:
        them = holder.NOBODY  # a thing's state is told by whoever tells it
    names = {c.name for c in found}
    # "My sister says stop, but I won't": the sentence's speaker does not own what "I" will do.
    name = them.name or ("" if names & _FIRST_PERSON else reported)
    if name and them.does != "feels":
        theme = _their_theme(theme, cue, acts=them.does == "acts")
    kind = _kind(theme, found, part, who, pole)
    if kind is Kind.INFERENCE and theme is not Theme.REASON:
        theme = Theme.OTHER
    says = bool(name) and them.does != "acts" and kind is not Kind.INFERENCE
    return Clause(
        start=part.start,
        end=part.end,
        kind=Kind.REPORTED_STATE if says else kind,
        theme=theme,
        polarity=_final_polarity(pole, theme, found),
        holder=AuthorKind.THIRD_PARTY if name else who,
        holder_name=name,
        provisional=theme is Theme.DECISION and any(c.provisional for c in found),
        outcome=_outcome(found, part) if theme is Theme.ATTEMPT else None,
        words=_mood_words(part, cue) if theme is Theme.MOOD else None,
        answers=bool(_ANSWERS.search(part.folded)) and pole is Polarity.AFFIRMED,
        cues=tuple(c.name for c in found),
    )


_FIRST_PERSON = frozenset({"i-do", "i-dont", "i-will", "i-am-doing", "nao-vamos", "said-no"})
# What others say decides and tries nothing, but it may name an option, a reason or a next step.
_THEIR_CUES = frozenset(
    {"favours", "quoted", "blames", "precisamos-ver", "cap", "only-when", "not-until"}
)


def _their_theme(theme: Theme | None, cue: Cue | None, *, acts: bool) -> Theme | None:
    if theme in (None, Theme.MOOD) or acts:
        return theme
    return theme if cue is not None and cue.name in _THEIR_CUES else Theme.OTHER


def _theme(
    found: Sequence[Cue], part: Part, pole: Polarity, who: AuthorKind
) -> tuple[Theme | None, Cue | None]:
    """Choose the theme that the cues show; what is asked or supposed commits to nothing."""
    if pole is Polarity.QUESTION:
        return _question_theme(part, who), None
    agent = who is AuthorKind.AGENT
    if agent and _NOTED.match(part.folded):
        return None, None
    usable = [c for c in found if not agent or c.theme is not Theme.DECISION or c.name in _OWNED]
    themes = {c.theme: c for c in reversed(usable)}
    provisional = any(c.provisional for c in usable)
    if pole is Polarity.HYPOTHETICAL and not provisional and not _CONDITION.search(part.folded):
        themes = {t: c for t, c in themes.items() if t in _SUPPOSABLE}
        if polarity_supposes(part.folded) and Theme.ALTERNATIVE not in themes:
            return None, None
    for theme in _order(themes, provisional=provisional):
        if theme in themes:
            return _checked(theme, themes[theme], part, pole)
    if _PLAIN_ASK.match(part.folded):
        return None, None
    return Theme.OTHER, None


_CONDITION = re.compile(r"\w{2}.*, (?:if|se|desde que|contanto que|as long as|provided) \w")
_SUPPOSABLE = frozenset({Theme.DOUBT, Theme.ALTERNATIVE, Theme.OPEN_POINT, Theme.REASON})
_OWNED = frozenset({"decidi", "resolvi", "decided"})  # an agent's advice decides nothing
_NOTED = re.compile(
    r"^(?:combinado|mantid[oa]|anotad[oa]|registrad[oa]|guardad[oa]|entendid[oa]|atualizad[oa] no"
    r"|atualizo|anoto|registro que|understood|noted|kept|recorded|lembrete criado|reminder set"
    r"|i'll (?:keep|note|remember|record)|got it)\b|\banotad[oa]\b"
)


def _order(themes: Mapping[Theme, Cue], *, provisional: bool) -> tuple[Theme, ...]:
    if provisional and Theme.REVISION not in themes and Theme.ATTEMPT not in themes:
        return (Theme.DECISION, *PRIORITY)
    return PRIORITY


def polarity_supposes(folded: str) -> bool:
    """Whether a clause is an open supposition ("if it rains"), which tells nothing that is so."""
    return bool(re.match(r"(?:e se|se|caso|if|unless|imagin|suppose|what if|should)\b", folded))


def _question_theme(part: Part, who: AuthorKind) -> Theme | None:
    if who is AuthorKind.AGENT or _OFFER.search(part.folded) or _PLAIN_ASK.match(part.folded):
        return None
    if re.search(r"\b(?:sera que|vale a pena)\b", part.folded):
        return Theme.DOUBT
    return Theme.OPEN_POINT if _ASKS.search(part.folded) else None


_ASKS = re.compile(
    r"^(?:e |mas |and |but )?(?:quem|qual|quais|quando|onde|quanto|para quando|que dia"
    r"|who|which|when|where|how much|what day)\b"
)


def _checked(theme: Theme, cue: Cue, part: Part, pole: Polarity) -> tuple[Theme | None, Cue | None]:
    refused = cue.name in ("said-no", "nao-vamos")
    if theme is Theme.DECISION and not refused and _UNDECIDED.search(part.folded):
        return Theme.OTHER, None
    if theme is Theme.OPEN_POINT and re.match(r"(?:nao|nothing|nada|none)\b", part.folded):
        still = re.search(r"\b(?:ainda|resolvi)\b|haven't", part.folded)
        return (theme, cue) if still else (Theme.OTHER, None)
    if theme in (Theme.DOUBT, Theme.EXPECTATION) and pole is Polarity.NEGATED:
        return Theme.OTHER, None
    if theme is Theme.ATTEMPT and re.search(
        r"\b(?:nem (?:tentei|liguei)|didn't even|never even)\b", part.folded
    ):
        return Theme.OTHER, None
    return theme, cue


_UNDECIDED = re.compile(
    r"\b(?:(?:nao|ainda nao|ninguem|not|n't|never|nobody) (?:\w+ ){0,2}"
    r"(?:decid\w*|resolv\w*|bat(?:i|emos)|settled|chose|agreed)"
    r"|haven't \w+|have not \w+|did not decide|nada ainda)\b"
)


def _kind(
    theme: Theme | None, found: Sequence[Cue], part: Part, who: AuthorKind, pole: Polarity
) -> Kind:
    names = {c.name for c in found}
    if who is AuthorKind.AGENT and pole is not Polarity.QUESTION:
        guess = theme is Theme.REASON and "blames" in names
        if guess or _READING.search(part.folded):
            return Kind.INFERENCE
    if theme is Theme.CONSTRAINT:
        return Kind.EVENT if names & _ORDERS else Kind.REPORTED_STATE
    if theme in _STATES:
        return Kind.REPORTED_STATE
    if theme is Theme.ALTERNATIVE:
        told = who is AuthorKind.OWNER and pole is not Polarity.NEGATED
        return Kind.REPORTED_STATE if told else Kind.EVENT
    if theme is Theme.OTHER:
        return Kind.EVENT if polarity.happened(part.folded) else Kind.REPORTED_STATE
    return Kind.EVENT


_ORDERS = frozenset({"never-do", "only-then"})  # a limit that is set here, not one that exists


def _final_polarity(pole: Polarity, theme: Theme | None, found: Sequence[Cue]) -> Polarity:
    """Return the polarity of what is told, which the words of the clause may not show."""
    names = {c.name for c in found}
    if theme is Theme.ATTEMPT:
        shown = {c.outcome for c in found}
        failed = Outcome.FAILURE in shown and Outcome.SUCCESS not in shown
        return Polarity.NEGATED if failed else Polarity.AFFIRMED
    if theme in (Theme.DECISION, Theme.ALTERNATIVE) and names & _REFUSALS:
        return Polarity.NEGATED if pole is Polarity.AFFIRMED else pole
    if theme is Theme.REASON and "blames" in names:
        return Polarity.HYPOTHETICAL
    if theme is Theme.DOUBT and pole is Polarity.AFFIRMED:
        return Polarity.HYPOTHETICAL
    eager = theme is Theme.MOOD and bool(names & _EAGER)  # "can't wait", "não vejo a hora"
    aimed = theme is Theme.REASON and "para-nao" in names  # "so as not to": the aim is affirmed
    bound = theme is Theme.CONSTRAINT and bool(names & _BOUNDS) and not names & _ORDERS
    if theme in (Theme.OPEN_POINT, Theme.REVISION) and pole is not Polarity.QUESTION:
        return Polarity.AFFIRMED
    return Polarity.AFFIRMED if (aimed or bound or eager) and pole is Polarity.NEGATED else pole


_EAGER = frozenset({"idiom"})
_REFUSALS = frozenset({"said-no", "so-no", "nao-vamos", "descartei", "no-thanks"})
_BOUNDS = frozenset({"limite", "sem-x-nao"})  # "no more than 40" sets a limit, it denies nothing


def _outcome(found: Sequence[Cue], part: Part) -> Outcome:
    shown = [c.outcome for c in found if c.outcome is not None]
    if Outcome.FAILURE in shown and not re.search(r"\b(?:agora|now|finally|enfim)\b", part.folded):
        return Outcome.FAILURE
    if Outcome.SUCCESS in shown:
        return Outcome.SUCCESS
    return Outcome.UNKNOWN


def _mood_words(part: Part, cue: Cue | None) -> tuple[int, int] | None:
    match = cue.pattern.search(part.folded) if cue else None
    if match is None:
        return None
    shown = next((n for n, w in match.groupdict().items() if w), None)
    start, end = match.span(shown) if shown else match.span()
    lead = len(part.text) - len(part.text.lstrip())
    if len(part.folded) != len(part.text.strip()):
        return None  # folding changed the length; the words cannot be placed
    return part.start + lead + start, part.start + lead + end
