"""Titles, gists and the day's summary: made of words that were said, and a few fixed ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from hfea.episode import Statement
from memory_core.model import AuthorKind, Kind, Outcome, Polarity, Theme
from memory_core.text import fold, is_function_word, stem

TITLE_WORDS = 5
LONGEST_LINE = 180
SUMMARY_LINES = 5
_TOKEN = re.compile(r"[^\W_]+(?:[.\-'’/@][^\W_]+)*")
_INNER = frozenset("de do da dos das e of the in no na para".split())
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
        "because": "reason",
        "quiet": "A day of small talk only; nothing to record.",
        "plain": "The day's talk",
        "tools": "Work with tools",
    },
}


def title(statements: Sequence[Statement], language: str) -> str:
    """Return the most telling phrase of the owner's words, else of the agent's; it occurs so."""
    for kinds in ((AuthorKind.OWNER,), (AuthorKind.AGENT, AuthorKind.THIRD_PARTY)):
        texts = [
            s.text
            for s in statements
            if s.author_kind in kinds
            and s.kind is not Kind.HOSTED
            and not (s.theme is Theme.ATTEMPT and kinds[0] is not AuthorKind.OWNER)
        ]
        best = _phrase(texts, language)
        if best:
            return best[0].upper() + best[1:]
    tool = next((s for s in statements if s.theme is Theme.ATTEMPT), None)
    return WORDS[language]["tools" if tool else "plain"]


def _phrase(texts: Sequence[str], language: str) -> str:
    counts = Counter(
        stem(fold(w), language) for t in texts for w in _TOKEN.findall(t) if _tells(fold(w))
    )
    best, best_score = "", 0.0
    for place, text in enumerate(texts):
        for words in _runs(text):
            phrase, score = _window(words, text, counts, language)
            score /= 1 + 0.1 * place
            if score > best_score:
                best, best_score = phrase, score
    return best


def _tells(word: str) -> bool:
    return len(word) > 2 and not is_function_word(word) and word not in _DULL and not word.isdigit()  # noqa: PLR2004


def _runs(text: str) -> Iterator[list[re.Match[str]]]:
    """Yield runs of neighbouring words, broken by punctuation and by words that tell nothing."""
    run: list[re.Match[str]] = []
    end = 0
    for match in _TOKEN.finditer(text):
        word = fold(match.group())
        broken = bool(run) and text[end : match.start()].strip()
        if broken or not (_tells(word) or (run and word in _INNER)):
            yield run
            run = []
        if _tells(word) or (run and word in _INNER):
            run.append(match)
        end = match.end()
    yield run


def _window(
    run: list[re.Match[str]], text: str, counts: Counter[str], language: str
) -> tuple[str, float]:
    while run and fold(run[-1].group()) in _INNER:
        run = run[:-1]
    run = run[:TITLE_WORDS]
    while run and fold(run[-1].group()) in _INNER:
        run = run[:-1]
    if not run:
        return "", 0.0
    score = 0.0
    for m in run:
        word = fold(m.group())
        if word in _INNER:
            continue
        weight = counts[stem(word, language)]
        score += weight * (1.4 if m.group()[0].isupper() and m.start() else 1.0)
    return text[run[0].start() : run[-1].end()], score / (1 + 0.15 * len(run))


def gist(statements: Sequence[Statement], language: str) -> str:
    """Return one line that says what the thread came to: its weightiest statement, and why."""
    ranked = sorted(enumerate(statements), key=lambda pair: (-_weight(pair[1]), -pair[0]))
    if not ranked or _weight(ranked[0][1]) <= 0:
        return ""
    top = ranked[0][1]
    line = f"{_label(top, language)}: {shortened(top.text)}"
    reason = next(
        (
            s
            for s in statements
            if s.theme is Theme.REASON and any(k.statement == top.id for k in s.links)
        ),
        None,
    )
    if reason is not None and reason.text not in top.text:
        line += f" ({WORDS[language]['because']}: {shortened(reason.text, 90)})"
    return line


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
    lines = [f"{_label(s, language)}: {shortened(s.text)}" for s in chosen]
    return tuple(dict.fromkeys(lines))


def shortened(text: str, longest: int = LONGEST_LINE) -> str:
    """Return *text* on one line, cut at a word where it is too long."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    return line[:longest].rsplit(" ", 1)[0].rstrip(",;:") + "…"
