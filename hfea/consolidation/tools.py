"""Tool activity collapsed to what was attempted, with what outcome, how often."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from hfea.consolidation.drafts import make, outcome_of, quotes
from hfea.episode import Statement, statement_id
from memory_core.model import AuthorKind, Kind, Message, Outcome, Theme
from memory_core.text import fold, words

SHARE = 0.08  # of the day's tool and hosted characters that may be quoted
LEAST = 600  # characters that may be quoted in any case
CALL_LONGEST = 160
# Said of the run itself, at a line's start or as a count; a file that is read may speak of errors.
_FAILED = re.compile(
    r"(?:^|\n)\W{0,3}(?:error|erro|fatal|traceback|exception|fail(?:ed|ure)?|falhou)\b"
    r"|\b\w*(?:error|exception): |\b[1-9]\d* (?:failed|failures|errors?)\b"
    r"|\bexit (?:code|status) [1-9]"
    r"|\b(?:command not found|no such file|permission denied|connection refused|timed out"
    r"|timeout after|not found|access denied|recusad[oa]|negad[oa]|unauthorized|forbidden)\b"
)
_WORKED = re.compile(r"\b(?:\d+ passed|success|ok|done|sucesso|conclu\w+|created|updated)\b")


_FIRST_KEY = re.compile(
    r'^(?P<name>[\w.-]+): \{"(?:command|cmd|q|query|path|url|code|file_path'
    r'|file|pattern|input|text)": "?'
)
_FIRST_SETTING = re.compile(
    r"^(?P<name>[\w.-]+): (?:command|cmd|q|query|path|url|urls|file_path|pattern|input)="
)
_NEXT_KEY = re.compile(r'"?, "(?P<key>\w+)": "?')
_SIGNS = re.compile(r'"?\}$|[{}]|(?<=\w)": "?|(?<=\W)"(?=\w+": )')


@dataclass
class _Attempt:
    call: Message
    results: list[Message] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    calls: int = 1


def attempts(messages: Sequence[Message], day: dt.date) -> list[Statement]:
    """Return one statement for each thing that was tried with tools, retries joined."""
    open_calls: dict[str, _Attempt] = {}
    groups: dict[tuple[str, ...], _Attempt] = {}
    for m in messages:
        if m.tool is None:
            continue
        if not m.tool.is_result:
            key = (m.session_id, m.tool.name, *words(m.tool.arguments)[:3])
            known = groups.get(key)
            if known is None:
                groups[key] = known = _Attempt(m)
            else:
                known.calls += 1
            open_calls[m.tool.call_id or m.tool.name] = known
            continue
        attempt = open_calls.get(m.tool.call_id) or open_calls.get(m.tool.name)
        if attempt is not None:
            attempt.results.append(m)
            attempt.outcomes.append(_outcome(m))
    return [_statement(a, day) for a in groups.values()]


def _outcome(result: Message) -> Outcome:
    if result.tool is not None and result.tool.failed is not None:
        return outcome_of(result.tool.failed)
    text = fold(result.content[:2000])
    if _FAILED.search(text):
        return Outcome.FAILURE
    return Outcome.SUCCESS if _WORKED.search(text) else Outcome.UNKNOWN


def _statement(attempt: _Attempt, day: dt.date) -> Statement:
    call = attempt.call
    end = min(len(call.content), CALL_LONGEST)
    last = attempt.outcomes[-1] if attempt.outcomes else Outcome.UNKNOWN
    base = make(call, (0, end), day, kind=Kind.EVENT, theme=Theme.ATTEMPT, outcome=last)
    text = _plain(base.text)
    number = statement_id(day, base.kind, text, base.citations)
    base = replace(base, id=number, text=text)
    cites = [*base.citations]
    cites += [
        make(result, (0, min(len(result.content), 80)), day, kind=Kind.HOSTED).citations[0]
        for result in attempt.results[-2:]
        if result.content
    ]
    return replace(base, citations=tuple(cites), times=attempt.calls)


def _plain(call: str) -> str:
    """Return a call without the signs of its JSON: "terminal: pytest -q", nothing added."""
    text = _FIRST_KEY.sub(r"\g<name>: ", call)
    text = _FIRST_SETTING.sub(r"\g<name>: ", text)
    text = _NEXT_KEY.sub(r", \g<key> ", text)
    return " ".join(_SIGNS.sub(" ", text.replace('\\"', '"').replace("\\n", " ")).split()) or call


def results(messages: Sequence[Message], day: dt.date) -> list[Statement]:
    """Quote tool results briefly: those that speak to an assistant first, then short ones.

    All quotes together stay below SHARE of what the tools wrote.
    """
    outputs = [m for m in messages if m.author_kind is AuthorKind.TOOL and m.content.strip()]
    budget = max(LEAST, int(SHARE * sum(len(m.content) for m in outputs)))
    candidates = [s for m in outputs for s in _quoted(m, day)]
    chosen: list[Statement] = []
    spent = 0
    for s in sorted(candidates, key=_interest):
        if spent + len(s.text) <= budget:
            chosen.append(s)
            spent += len(s.text)
    order = {s.id: n for n, s in enumerate(candidates)}
    return sorted(chosen, key=lambda s: order[s.id])


def _quoted(message: Message, day: dt.date) -> Iterator[Statement]:
    for number, s in enumerate(quotes(message, 0, len(message.content), day)):
        if number == 0 and not s.text.strip():
            continue
        yield s


def _interest(s: Statement) -> tuple[int, int, str]:
    directive = s.citations[0].start > 0
    has_number = any(c.isdigit() for c in s.text)
    return (0 if directive else 1 if has_number else 2, len(s.text), s.id)
