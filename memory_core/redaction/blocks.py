"""Secrets that are blocks of text: private keys, cookies, lists of codes, seed phrases."""

# ruff: noqa: E501 (a pattern stays on one line, so that it can be read and searched)

from __future__ import annotations

import bisect
import re

from memory_core.redaction.rule import Rule, Spans

_LONGEST_BLOCK = 20_000
_BEGIN = re.compile(r"-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = re.compile(r"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_BREAK = r"(?:\r?\n|\\r\\n|\\n)"
# What follows a key's first line where its last one was cut off: headers and base64 lines.
_BODY = re.compile(
    rf"(?:{_BREAK}[ \t>|]{{0,8}}(?:[A-Za-z-]{{4,20}}: [^\n\\]{{1,120}}|[A-Za-z0-9+/=]{{12,200}}|=[A-Za-z0-9+/]{{4}})?)*"
    r"|[ \t][A-Za-z0-9+/=]{12,}(?:[ \t][A-Za-z0-9+/=]{12,})*"
)
_PUTTY = re.compile(r"PuTTY-User-Key-File-\d:")
_PUTTY_END = re.compile(r"Private-MAC: ?[0-9a-f]+")


def _private_keys(text: str) -> Spans:
    return _between(text, _BEGIN, _END)


def _putty_keys(text: str) -> Spans:
    return _between(text, _PUTTY, _PUTTY_END)


def _between(text: str, first: re.Pattern[str], last: re.Pattern[str]) -> Spans:
    """Yield from each opening to the next closing near it, or as far as the cut body goes."""
    ends = [m.end() for m in last.finditer(text)]
    at = 0
    while begin := first.search(text, at):
        near = bisect.bisect_right(ends, begin.end())
        if near < len(ends) and ends[near] - begin.end() <= _LONGEST_BLOCK:
            at = ends[near]
        else:
            body = _BODY.match(text, begin.end())
            at = body.end() if body else begin.end()
        yield begin.start(), at


_COOKIE = re.compile(
    r"(?i)\b(?:set-)?cookies?(?:\\?[\"'])?\s{0,3}:[ \t]{0,4}(?:\\?[\"'])?(?=[^\s=;\"']{1,80}=)"
)
_PAIR = re.compile(r"([^\s=;\"'\\]{1,80})=([^\s;\"'\\]{6,})(?:;[ \t]?|)")
_FLAG = re.compile(r"(?i)(?:secure|httponly|partitioned)(?:;[ \t]?|)")
_ATTRIBUTES = frozenset("path domain expires max-age samesite priority version".split())


def _cookies(text: str) -> Spans:
    for header in _COOKIE.finditer(text):
        at = header.end()
        while pair := _PAIR.match(text, at) or _FLAG.match(text, at):
            at = pair.end()
            if pair.re is _PAIR and pair.group(1).lower() not in _ATTRIBUTES:
                yield pair.span(2)
            if not pair.group().rstrip(" \t").endswith(";"):
                break


_CODES = re.compile(
    r"(?i)\b(?:(?:backup|recovery|scratch|emergency|rescue)[ _-]codes?"
    r"|c[oó]digos?[ _](?:de[ _])?(?:recupera[cç][aã]o|backup|reserva|emerg[eê]ncia|resgate))\b"
    r"[^\n:=]{0,60}[:=]"
)
_CODE = re.compile(
    r"[\s,;*•·\"'\[`-]{0,8}(?:\d{1,2}[.)][ \t]{1,2})?([A-Za-z0-9]{4,16}(?:[- ]?[A-Za-z0-9]{4,8}){0,4})(?![A-Za-z0-9])"
)
_LONGEST_LIST = 40


def _recovery_codes(text: str) -> Spans:
    at = 0
    while head := _CODES.search(text, at):
        at = head.end()
        for _ in range(_LONGEST_LIST):
            code = _CODE.match(text, at)
            if code is None or not any(c.isdigit() for c in code.group(1)):
                break
            at = code.end()
            yield code.span(1)


_PHRASE = re.compile(
    r"(?i)(?:seed|recovery|mnemonic|secret)[ _-]?(?:phrase|words|seed)?\b[^\n:]{0,50}[:\n]\s{0,4}[\"'`]?"
    r"|frase[ -](?:semente|de recupera[cç][aã]o|mnem[oô]nica|secreta)[^\n:]{0,50}[:\n]\s{0,4}[\"'`]?"
    r"|palavras[ -](?:semente|de recupera[cç][aã]o|da carteira)[^\n:]{0,50}[:\n]\s{0,4}[\"'`]?"
)
_WORDS = re.compile(
    r"(?:(?:\d{1,2}[.)]\s?)?[a-zà-ú]{3,10}[\s,]{1,3}){11,23}(?:\d{1,2}[.)]\s?)?[a-zà-ú]{3,10}\b"
)


def _seed_phrases(text: str) -> Spans:
    for head in _PHRASE.finditer(text):
        if words := _WORDS.match(text, head.end()):
            yield words.span()


BLOCKS: tuple[Rule, ...] = (
    Rule("private_key", _private_keys, ("begin ",)),
    Rule("putty_key", _putty_keys, ("putty-user-key-file",)),
    Rule("cookie", _cookies, ("cookie",)),
    Rule("recovery_codes", _recovery_codes, ("code", "codigo", "código")),
    Rule(
        "seed_phrase", _seed_phrases, ("seed", "phrase", "mnemonic", "secret", "frase", "palavras")
    ),
)
