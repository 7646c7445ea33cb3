"""Text that shows by its own shape that it was pasted: logs, mails, chats, JSON, tables, quotes."""

# ruff: noqa: E501 (a pattern stays on one line, so that it can be read and searched)

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_core.model import Owner
from memory_core.text import fold

Piece = tuple[int, int, str]

_LINE_SHAPES = (
    (
        "log",
        re.compile(
            r"\W{0,3}(?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d|\d\d:\d\d:\d\d[.,]\d{3}|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d )|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL)\]?[ :]"
        ),
    ),
    (
        "stack trace",
        re.compile(
            r"Traceback \(most recent|[ \t]+File \"|[ \t]+at [\w.$<>]+\(|(?:[\w.]+)?(?:Error|Exception)\b:|Caused by: |panicked at "
        ),
    ),
    ("quoted mail", re.compile(r"[ \t]{0,3}>")),
    (
        "quoted mail",
        re.compile(
            r"(?:On|Em) .{6,120}(?:wrote|escreveu):[ \t]*$|-{3,} ?(?:Forwarded|Original|Mensagem).{0,40}-{2,}|Begin forwarded"
        ),
    ),
    (
        "chat export",
        re.compile(
            r"\u200e?\[?\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?,? \d\d:\d\d(?::\d\d)?\]?(?: -)? ?[^:\n]{1,40}: "
        ),
    ),
    ("table", re.compile(r"[ \t]*\|.*\|[ \t]*$")),
)
_INNER = re.compile(r"[ \t]+\S")
_HEADER = re.compile(
    r"\*?(?:From|De|To|Para|Subject|Assunto|Sent|Enviada? em|Date|Data|Cc):\*? \S", re.IGNORECASE
)
_SPEECH = re.compile(r"([A-ZÀ-Ý][\wÀ-ÿ'.-]{1,20}(?: [A-ZÀ-Ý][\wÀ-ÿ'.-]{1,20})?): \S")
_FENCE = re.compile(r"(?m)^[ \t]*(`{3,}|~{3,})([^\n`]*)\n")
_TAG = re.compile(
    r"<(document|file|email|page|doc|attachment|context|article|html|body|content|webpage|transcript|arquivo|documento)\b[^<>\n]{0,200}>",
    re.IGNORECASE,
)
_JSON = re.compile(r"[{\[]\s{0,8}[{\"]")
_WROTE = re.compile(
    r"(?:wrote|said|says|writes|replied|told me|states?|message|escreveu|disse|mandou|respondeu|falou|diz|recado|mensagem)(?: [^\n:\"“«']{1,40})?:?[ ]?((?:[\"“«]|(?<!\w)')[^\"”»\n]{8,2000}(?:[\"”»]|'(?!\w)))"
)
_MINE = re.compile(r"(?i)\b(?:i|eu|we|nós)(?: \w+){0,3} *$")
_ORDER = re.compile(
    r"(?i)\b(?:run|execute|try|use|roda|rode|executa|usa|tenta|this is my|meu|minha|my)\b[^\n]{0,60}$"
)
_LONGEST_JSON = 50_000


def shaped_pieces(text: str, owner: Owner) -> Iterator[Piece]:
    """Yield half-open spans of *text* that are pasted by their shape, with a label; may overlap."""
    lines = _lines(text)
    yield from _runs(lines)
    yield from _mails(text, lines)
    yield from _dialogues(lines, owner)
    yield from _fences(text)
    yield from _tags(text)
    yield from _blobs(text)
    yield from _quotes(text)


def _lines(text: str) -> list[tuple[int, int, str]]:
    out, at = [], 0
    for line in text.split("\n"):
        out.append((at, at + len(line), line))
        at += len(line) + 1
    return out


def _shape(line: str) -> str:
    return next((label for label, pattern in _LINE_SHAPES if pattern.match(line)), "")


def _runs(lines: list[tuple[int, int, str]]) -> Iterator[Piece]:
    start = end = -1
    label = ""
    for begin, stop, line in [*lines, (0, 0, "\0")]:
        shape = _shape(line)
        if not shape and label == "stack trace" and _INNER.match(line):
            shape = label
        if shape:
            if start < 0:
                start, label = begin, shape
            end = stop
        elif start >= 0 and (line.strip() or label != "quoted mail"):
            if end > start:
                yield start, end, label
            start = -1
            label = ""


def _mails(text: str, lines: list[tuple[int, int, str]]) -> Iterator[Piece]:
    for i, (begin, _, line) in enumerate(lines):
        heads = [bool(_HEADER.match(item[2])) for item in lines[i : i + 4]]
        if (
            _HEADER.match(line)
            and sum(heads) > 1
            and (i == 0 or not _HEADER.match(lines[i - 1][2]))
        ):
            blank = text.find("\n\n", begin)
            body = text.find("\n\n", blank + 2) if blank >= 0 else -1
            yield begin, body if body >= 0 else len(text), "quoted mail"


def _dialogues(lines: list[tuple[int, int, str]], owner: Owner) -> Iterator[Piece]:
    mine = {fold(n) for n in owner.names}
    run: list[tuple[int, int, str]] = []
    for begin, end, line in [*lines, (0, 0, "")]:
        match = _SPEECH.match(line)
        if match:
            run.append((begin, end, fold(match.group(1))))
            continue
        speakers = {name for *_, name in run}
        if len(run) > len(speakers) > 1 and speakers - mine:
            yield run[0][0], run[-1][1], "chat export"
        run = []


def _fences(text: str) -> Iterator[Piece]:
    at = 0
    while opened := _FENCE.search(text, at):
        close = text.find("\n" + opened.group(1), opened.end() - 1)
        end = len(text) if close < 0 else close + 1 + len(opened.group(1))
        body = text[opened.end() : end]
        intro = text[: opened.start()].rstrip()
        foreign = any(map(_shape, body.split("\n"))) or body.lstrip()[:1] in ("{", "[", "<")
        if foreign or (len(body.split()) > 25 and not _ORDER.search(intro[-80:])):  # noqa: PLR2004
            yield opened.start(), end, "document"
        at = max(end, opened.end())


def _tags(text: str) -> Iterator[Piece]:
    at, lowered = 0, text.lower()
    while opened := _TAG.search(text, at):
        close = lowered.rfind(f"</{opened.group(1).lower()}", opened.end())
        end = len(text) if close < 0 else close
        if opened.end() < end:
            yield opened.end(), end, "document"
        at = max(end, opened.end())


def _blobs(text: str) -> Iterator[Piece]:
    at = 0
    while opened := _JSON.search(text, at):
        end = _balanced(text, opened.start())
        if end - opened.start() > 20 and ":" in text[opened.start() : end]:  # noqa: PLR2004
            yield opened.start(), end, "data"
        at = max(end, opened.end())


def _balanced(text: str, start: int) -> int:
    depth, inside, at = 0, False, start
    limit = min(len(text), start + _LONGEST_JSON)
    while at < limit:
        sign = text[at]
        if sign == "\\":
            at += 1
        elif sign == '"':
            inside = not inside
        elif not inside and sign in "{[":
            depth += 1
        elif not inside and sign in "}]":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return limit


def _quotes(text: str) -> Iterator[Piece]:
    for match in _WROTE.finditer(text):
        if not _MINE.search(text[max(0, match.start() - 40) : match.start()]):
            yield match.start(1), match.end(1), "quote"
