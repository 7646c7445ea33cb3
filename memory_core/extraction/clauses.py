# ruff: noqa: E501 - word lists read best a row a line
"""Reading one message: its clauses, each with kind, theme, polarity and holder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory_core.extraction import holder, polarity
from memory_core.extraction.cues import CUES, PRIORITY, Cue
from memory_core.extraction.model import Clause
from memory_core.extraction.sentences import clauses_of, sentences
from memory_core.extraction.small_talk import small_talk
from memory_core.model import AuthorKind, Kind, Message, Origin, Outcome, Polarity, Theme
from memory_core.text import fold

_QUOTE = re.compile(r"[«“\"]([^»”\"]{3,})[»”\"]")
_SAID = re.compile(
    r"\b(?:escreveu|disse|falou|respondeu|gritou|perguntou|said|wrote|says|replied|shouted|asked)\b"
)
_READING = re.compile(
    r"\b(?:voce (?:parece|prefere|gosta|esta|quer)|pelo visto|parece que|imagino que|acho que voce"
    r"|you (?:clearly|probably|seem|must|prefer|like|look)|i guess you|it seems|apparently"
    r"|suponho|presumo|aparentemente)\b"
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
_UNMEANT = frozenset({Polarity.HYPOTHETICAL, Polarity.QUESTION})
_COMMITTING = frozenset({Theme.DECISION, Theme.REVISION, Theme.ATTEMPT, Theme.LEARNING})


@dataclass(frozen=True, slots=True)
class _Part:
    """One clause and the sentence it stands in, folded; offsets into the message."""

    start: int
    end: int
    text: str
    folded: str
    sentence: str


def clauses(
    message: Message, owner: object = None, *, without: frozenset[str] = frozenset()
) -> tuple[Clause, ...]:
    """Read a message. *without* names cues that are switched off, for tests and explanations.

    Hosted spans are `hosted` and the third party's, derived ones `inference`, whatever they say.
    """
    del owner  # who the owner is was settled when the message came in; kept for callers
    if message.author_kind is AuthorKind.TOOL or message.origin is Origin.HOSTED:
        return _whole(message, Kind.HOSTED, AuthorKind.THIRD_PARTY)
    if message.origin is Origin.DERIVED:
        return _whole(message, Kind.INFERENCE, AuthorKind.AGENT)
    if small_talk(message.content):
        return ()
    return tuple(_read(message, without))


def _whole(message: Message, kind: Kind, who: AuthorKind) -> tuple[Clause, ...]:
    found = [
        Clause(a, b, kind, Theme.OTHER, Polarity.AFFIRMED, who)
        for a, b in sentences(message.content)
    ]
    return tuple(found)


def _read(message: Message, without: frozenset[str]) -> Iterator[Clause]:
    for start, end in _own_stretches(message):
        for a, b in sentences(message.content[start:end]):
            yield from _sentence(message, start + a, start + b, without)
    for span in message.spans:
        kind = Kind.HOSTED if span.origin is Origin.HOSTED else Kind.INFERENCE
        for a, b in sentences(message.content[span.start : span.end]):
            yield Clause(
                span.start + a,
                span.start + b,
                kind,
                Theme.OTHER,
                Polarity.AFFIRMED,
                AuthorKind.THIRD_PARTY if kind is Kind.HOSTED else AuthorKind.AGENT,
            )


def _own_stretches(message: Message) -> Iterator[tuple[int, int]]:
    at = 0
    for span in sorted(message.spans, key=lambda s: s.start):
        if span.start > at:
            yield at, span.start
        at = max(at, span.end)
    if at < len(message.content):
        yield at, len(message.content)


def _sentence(message: Message, start: int, end: int, without: frozenset[str]) -> Iterator[Clause]:
    text = message.content
    whole = fold(text[start:end]).strip()
    ironic = polarity.is_ironic(whole)
    reported = holder.third_party(text[start:end])
    quote = _QUOTE.search(text[start:end])
    if quote and (_SAID.search(whole) or quote.group().startswith(("«", "“"))):
        who = _speaker(message)
        yield Clause(
            start, end, Kind.QUOTE, Theme.OTHER, Polarity.AFFIRMED,
            AuthorKind.THIRD_PARTY if reported or who is not AuthorKind.OWNER else who,
            holder_name=reported,
        )  # fmt: skip
        return
    if ironic:
        yield Clause(start, end, Kind.QUOTE, None, Polarity.AFFIRMED, _speaker(message))
        return
    for a, b in clauses_of(text, start, end):
        part = _Part(a, b, text[a:b], fold(text[a:b]).strip(), whole)
        yield _clause(message, part, reported, without)


def _speaker(message: Message) -> AuthorKind:
    if message.author_kind in (AuthorKind.OWNER, AuthorKind.AGENT):
        return message.author_kind
    return AuthorKind.THIRD_PARTY


def _clause(message: Message, part: _Part, reported: str, without: frozenset[str]) -> Clause:
    who = _speaker(message)
    found = [c for c in CUES if c.name not in without and c.pattern.search(part.folded)]
    pole = polarity.polarity(part.folded, part.sentence)
    theme, cue = _theme(found, part, pole, who)
    name = holder.third_party(part.text) or reported
    if name and theme is not Theme.MOOD:
        theme = None if theme is None else Theme.OTHER
    kind = _kind(theme, part, who, pole)
    if kind is Kind.INFERENCE:
        theme = Theme.OTHER
    return Clause(
        start=part.start,
        end=part.end,
        kind=Kind.REPORTED_STATE if name and kind is not Kind.INFERENCE else kind,
        theme=theme,
        polarity=_final_polarity(pole, theme, cue),
        holder=AuthorKind.THIRD_PARTY if name else who,
        holder_name=name,
        provisional=theme is Theme.DECISION and any(c.provisional for c in found),
        outcome=_outcome(found, part) if theme is Theme.ATTEMPT else None,
        words=_mood_words(part, cue) if theme is Theme.MOOD else None,
        answers=bool(_ANSWERS.search(part.folded)) and pole is Polarity.AFFIRMED,
        cues=tuple(c.name for c in found),
    )


def _theme(
    found: Sequence[Cue], part: _Part, pole: Polarity, who: AuthorKind
) -> tuple[Theme | None, Cue | None]:
    """Choose the theme that the cues show; what is asked or supposed commits to nothing."""
    if pole is Polarity.QUESTION:
        return _question_theme(part, who), None
    themes = {c.theme: c for c in reversed(found)}
    provisional = any(c.provisional for c in found)
    if pole is Polarity.HYPOTHETICAL and not provisional:
        allowed = {Theme.DOUBT, Theme.ALTERNATIVE, Theme.OPEN_POINT, Theme.REASON}
        themes = {t: c for t, c in themes.items() if t in allowed}
        if polarity_supposes(part.folded):
            return None, None
    order = PRIORITY
    if provisional and Theme.REVISION not in themes:
        order = (Theme.DECISION, *PRIORITY)
    for theme in order:
        if theme in themes:
            return _checked(theme, themes[theme], part, pole)
    if _PLAIN_ASK.match(part.folded):
        return None, None
    return Theme.OTHER, None


def polarity_supposes(folded: str) -> bool:
    """Whether a clause is an open supposition ("if it rains"), which tells nothing that is so."""
    return bool(re.match(r"(?:e se|se|caso|if|unless|imagin|suppose|what if|should)\b", folded))


def _question_theme(part: _Part, who: AuthorKind) -> Theme | None:
    if who is AuthorKind.AGENT or _OFFER.search(part.folded) or _PLAIN_ASK.match(part.folded):
        return None
    if re.search(r"\b(?:sera que|vale a pena)\b", part.folded):
        return Theme.DOUBT
    wh = r"^(?:e |mas |and |but )?(?:quem|qual|quais|quando|onde|quanto|para quando|que dia|who|which|when|where|how much|what day)\b"
    return Theme.OPEN_POINT if re.search(wh, part.folded) else None


def _checked(
    theme: Theme, cue: Cue, part: _Part, pole: Polarity
) -> tuple[Theme | None, Cue | None]:
    if theme is Theme.DECISION and pole is Polarity.NEGATED and _UNDECIDED.search(part.folded):
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
    r"\b(?:(?:nao|ainda nao|ninguem|not|n't|never|nobody) (?:\w+ ){0,2}(?:decid\w*|resolv\w*|bat(?:i|emos)"
    r"|settled|chose|agreed)|haven't \w+|have not \w+|did not decide|nada ainda)\b"
)


def _kind(theme: Theme | None, part: _Part, who: AuthorKind, pole: Polarity) -> Kind:
    if who is AuthorKind.AGENT and _READING.search(part.folded) and pole is not Polarity.QUESTION:
        return Kind.INFERENCE
    if theme in _STATES:
        return Kind.REPORTED_STATE
    if theme is Theme.ALTERNATIVE:
        return (
            Kind.REPORTED_STATE
            if who is AuthorKind.OWNER and pole is not Polarity.NEGATED
            else Kind.EVENT
        )
    if theme is Theme.OTHER:
        return Kind.EVENT if _HAPPENED.search(part.folded) else Kind.REPORTED_STATE
    return Kind.EVENT


_HAPPENED = re.compile(
    r"\b(?:cheg(?:ou|aram|uei)|aconteceu|comprei|vendemos|fiz|fizemos|coloquei|mandei|recebi|atualizei"
    r"|saiu|caiu|subiu|rachou|foi \w+d[oa]|foram \w+d[oa]s|\w+ei\b|arrived|happened|bought|sold|made|sent"
    r"|received|was \w+ed|were \w+ed|put|got here)\b"
)


def _final_polarity(pole: Polarity, theme: Theme | None, cue: Cue | None) -> Polarity:
    if theme in (Theme.ATTEMPT, Theme.CONSTRAINT, Theme.OPEN_POINT, Theme.REVISION, Theme.REASON):
        failed = theme is Theme.ATTEMPT and cue is not None and cue.outcome is Outcome.FAILURE
        if pole is Polarity.NEGATED and not failed:
            return Polarity.AFFIRMED
        if pole is Polarity.HYPOTHETICAL and theme in (Theme.OPEN_POINT, Theme.REVISION):
            return Polarity.AFFIRMED
    if theme is Theme.DOUBT and pole is Polarity.AFFIRMED:
        return Polarity.HYPOTHETICAL
    return pole


def _outcome(found: Sequence[Cue], part: _Part) -> Outcome:
    shown = [c.outcome for c in found if c.outcome is not None]
    if Outcome.FAILURE in shown and not re.search(r"\b(?:agora|now|finally|enfim)\b", part.folded):
        return Outcome.FAILURE
    if Outcome.SUCCESS in shown:
        return Outcome.SUCCESS
    return Outcome.UNKNOWN


def _mood_words(part: _Part, cue: Cue | None) -> tuple[int, int] | None:
    match = cue.pattern.search(part.folded) if cue else None
    if match is None:
        return None
    shown = next((n for n, w in match.groupdict().items() if w), None)
    start, end = match.span(shown) if shown else match.span()
    lead = len(part.text) - len(part.text.lstrip())
    if len(part.folded) != len(part.text.strip()):
        return None  # folding changed the length; the words cannot be placed
    return part.start + lead + start, part.start + lead + end
