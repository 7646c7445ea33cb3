"""Titles, gists and the day's summary: made of words that were said, and a few fixed ones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from hfea.episode import Relation, Statement
from memory_core.model import AuthorKind, Kind, Outcome, Polarity, Theme
from memory_core.text import fold, is_function_word

MOST_READ = 80  # statements of a thread that its title is made from
LONGEST_TITLE = 64  # characters
SHORTEST_TITLE = 18  # characters below which a clause is no heading of its own
LEAST_TELLING = 2  # words that tell something, for a heading
LONGEST_LINE = 180
SUMMARY_LINES = 5
SHORT = 24  # characters below which a line needs its question
_CONNECTIVE = re.compile(
    r"^(?:mas|e|aí|daí|então(?: tá)?|but|and|so|then)[,:]? (?=\w{2})", re.IGNORECASE
)
LEAST_GIST = 2  # weight below which a thread came to nothing worth a line
_LEAD = re.compile(
    r"^(?:o |a |the )?(?:motivo|razao|razão|reason)(?: é| e| is| foi| was)?:? ", re.IGNORECASE
)
_TOKEN = re.compile(r"[^\W_]+(?:[.\-'’/@][^\W_]+)*")
_CLAUSE_ENDS = re.compile(
    r"[.!?;:](?=\s|$)|,?\s(?:porque|pois|já que|because|since|mas|but)\s|\s[—–-]\s"
)
_LEADING = re.compile(
    r"^(?:[^\w«\"'(\[]+|(?:bom dia|boa tarde|boa noite|oi|olá|good morning|good evening|hello|hi"
    r"|hey|outra coisa|another thing|ah|então|so|ok|certo|e)\b[,.:!]?\s+)+",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"[^\w)\]»\"'?%/…]+$")
_IMAGE = re.compile(r"\[imagem?\b[^\]]*\]", re.IGNORECASE)
_DULL = frozenset(
    "coisa coisas hoje ontem amanha agora gente favor oi bom dia boa tarde noite ok sim nao quero "
    "preciso pode vai vou fazer faz ver acho ficar fica deixa tudo nada isso aqui mesmo ainda "
    "thing things today yesterday tomorrow now please want need can will make do see think get "
    "good great thanks morning yes no let let's us it's i'm don't really just decidi mudei ideia "
    "outra outro decided".split()
)
WORDS = {
    "pt": {
        "decision": "Decidido",
        "provisional": "Por enquanto",
        "revision": "Revisto",
        "failure": "Não deu certo",
        "success": "Feito",
        "open_point": "Em aberto",
        "learning": "Aprendido",
        "mood": "Como se sentia",
        "constraint": "Limite",
        "alternative": "Cogitado",
        "rejected": "Descartado",
        "expectation": "Esperado",
        "because": "motivo",
        "quiet": "Um dia só de conversa breve; nada a registrar.",
        "plain": "Conversas do dia",
        "tools": "Trabalho com ferramentas",
    },
    "en": {
        "decision": "Decided",
        "provisional": "For now",
        "revision": "Revised",
        "failure": "Did not work",
        "success": "Done",
        "open_point": "Still open",
        "learning": "Learned",
        "mood": "How it felt",
        "constraint": "Limit",
        "alternative": "Considered",
        "rejected": "Rejected",
        "expectation": "Expected",
        "because": "reason",
        "quiet": "A day of small talk only; nothing to record.",
        "plain": "The day's talk",
        "tools": "Work with tools",
    },
}


def title(statements: Sequence[Statement], language: str) -> str:
    """Name a thread by what opened it, in the words that were said; the owner's come first."""
    spoken = [s for s in statements if s.kind is not Kind.HOSTED and not _is_tool(s)]
    spoken.sort(key=lambda s: s.author_kind is not AuthorKind.OWNER)
    for s in spoken[:MOST_READ]:
        line = _headline(s.text)
        if len({w for w in map(fold, _TOKEN.findall(line)) if _tells(w)}) >= LEAST_TELLING:
            return line
    if any(_is_tool(s) for s in statements):
        return WORDS[language]["tools"]
    return (_headline(spoken[0].text) if spoken else "") or WORDS[language]["plain"]


def _headline(text: str) -> str:
    """Return the first clause of a text, short enough for a heading, without greeting marks."""
    line = _LEADING.sub("", " ".join(_IMAGE.sub(" ", text).split()))
    for cut in _CLAUSE_ENDS.finditer(line):
        head = line[: cut.start()].strip() + ("?" if cut.group().startswith("?") else "")
        if len(head) >= SHORTEST_TITLE:
            line = head
            break
    line = shortened(line, LONGEST_TITLE).rstrip(" .,;:!")
    line = _TRAILING.sub("", line)
    return line[:1].upper() + line[1:]


def _is_tool(s: Statement) -> bool:
    return s.theme is Theme.ATTEMPT and len(s.citations) > 1 and s.author_kind is AuthorKind.AGENT


def _tells(word: str) -> bool:
    return (
        len(word) > 2  # noqa: PLR2004 - shorter words tell nothing
        and not is_function_word(word)
        and word not in _DULL
        and not word.isdigit()
    )


def gist(statements: Sequence[Statement], language: str) -> str:
    """Return one line that says what the thread came to: its weightiest statement, and why."""
    ranked = sorted(enumerate(statements), key=lambda pair: (-_weight(pair[1]), -pair[0]))
    if not ranked or _weight(ranked[0][1]) < LEAST_GIST:
        return _last_word(statements)
    top = ranked[0][1]
    line = f"{_label(top, language)}: {_told(top, {s.id: s for s in statements})}"
    reason = next(
        (
            s
            for s in statements
            if s.theme is Theme.REASON and any(k.statement == top.id for k in s.links)
        ),
        None,
    )
    if reason is not None and reason.text not in top.text:
        line += f" ({WORDS[language]['because']}: {shortened(_LEAD.sub('', reason.text), 90)})"
    return line


def _last_word(statements: Sequence[Statement]) -> str:
    """Return what was said last where nothing weighs more; '' where it is all there is."""
    said = [s for s in statements if s.kind is not Kind.HOSTED and not _is_tool(s)]
    answers = [s for s in said if s.author_kind is AuthorKind.AGENT] or said
    if len(said) < 2:  # noqa: PLR2004 - the title has said it
        return ""
    return f"{answers[-1].author}: {shortened(answers[-1].text)}"


def _told(s: Statement, known: Mapping[str, Statement]) -> str:
    """Return a statement as a line of its own: with its question where it is too short without."""
    text = s.text
    if len(text) <= SHORT:
        for link in s.links:
            asked = known.get(link.statement)
            if link.relation is Relation.ANSWERS and asked is not None:
                text = f"{shortened(asked.text, 120)} — {text}"
    bare = _CONNECTIVE.sub("", text)
    return shortened(bare[:1].upper() + bare[1:] if bare != text else text)


def _weight(s: Statement) -> int:
    if s.kind in (Kind.HOSTED, Kind.INFERENCE) or s.author_kind is not AuthorKind.OWNER:
        own = s.author_kind is AuthorKind.AGENT and s.theme is Theme.ATTEMPT
        return 2 if own and s.outcome is Outcome.FAILURE else 1 if own else 0
    if s.polarity is Polarity.QUESTION:
        return 1
    base = {
        Theme.REVISION: 9,
        Theme.DECISION: 8,
        Theme.LEARNING: 6,
        Theme.ATTEMPT: 5,
        Theme.OPEN_POINT: 5,
        Theme.CONSTRAINT: 4,
        Theme.MOOD: 3,
        Theme.EXPECTATION: 3,
        Theme.ALTERNATIVE: 3,
    }.get(s.theme, 1)
    return base - (2 if s.provisional else 0)


def _label(s: Statement, language: str) -> str:
    words = WORDS[language]
    if s.theme is Theme.DECISION:
        return words["provisional" if s.provisional else "decision"]
    if s.theme is Theme.ALTERNATIVE and s.polarity is Polarity.NEGATED:
        return words["rejected"]
    if s.theme is Theme.ATTEMPT:
        return (
            words["failure" if s.outcome is Outcome.FAILURE else "success"]
            if (s.outcome is not Outcome.UNKNOWN)
            else s.author
        )
    return words.get(s.theme.value, s.author)


def summary(statements: Sequence[Statement], language: str) -> tuple[str, ...]:
    """Return up to five lines: what was decided, revised, learned, failed, felt, left open."""
    closed = {k.statement for s in statements for k in s.links if k.relation.value == "closes"}
    own = [s for s in statements if _weight(s) >= 3 and s.id not in closed]  # noqa: PLR2004
    ranked = sorted(enumerate(own), key=lambda p: (-_weight(p[1]), p[0]))[:SUMMARY_LINES]
    chosen = [own[n] for n, _ in sorted(ranked)]
    known = {s.id: s for s in statements}
    lines = [f"{_label(s, language)}: {_told(s, known)}" for s in chosen]
    return tuple(dict.fromkeys(lines))


def shortened(text: str, longest: int = LONGEST_LINE) -> str:
    """Return *text* on one line, cut at a word where it is too long."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    return line[:longest].rsplit(" ", 1)[0].rstrip(",;:") + "…"
