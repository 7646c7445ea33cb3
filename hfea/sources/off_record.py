"""Off the record: passages the owner asks not to be kept, by explicit markers only.

A marker counts where it stands alone: as its own line, at the start of a sentence as an order,
or in brackets or as a tag. Speaking about the phrase ("she said off the record that …") is none.
From a marker on, the rest of the message goes, until a line or sentence that ends it.
"""

# ruff: noqa: E501 (a pattern stays on one line, so that it can be read and searched)

from __future__ import annotations

import re

_WORDS = (
    r"off[ -]the[ -]record|off[ -]record|fora do registro|em off|não (?:guard[ae]|registr[ea]|anot[ea]|salv[ea]|grav[ea]) (?:isso|isto|nada disso|essa parte)"
    r"|nao (?:guard[ae]|registr[ea]|anot[ea]|salv[ea]|grav[ea]) (?:isso|isto|nada disso|essa parte)"
    r"|(?:please )?(?:don['’]?t|do not) (?:record|log|store|save|archive|keep) (?:this|that|any of this)"
    r"|sem registrar|sem registro"
)
_EDGE = r"(?:^|(?<=[.!?…\n])[ \t]*|(?<=\n))"
_START = re.compile(
    rf"[\[(<]\s*(?:{_WORDS})\s*[\])>]|(?<![\w#])#(?:off|offrecord|offtherecord|naoregistrar|semregistro)\b"
    rf"|{_EDGE}[ \t>*_]*(?:isso é |isto é |this is |that's |ok, |kit, |por favor,? |please,? )?(?:{_WORDS})(?=\s*(?:[:.,;!—–-]|$|\n))",
    re.IGNORECASE | re.MULTILINE,
)
_STOP = re.compile(
    r"[\[(<]\s*/?\s*(?:on[ -]the[ -]record|on record|/off|fim do off|de volta ao registro)\s*[\])>]|(?<![\w#])#on\b"
    rf"|{_EDGE}[ \t]*(?:(?:back )?on the record(?: again)?|voltando(?: ao registro)?|de volta ao registro|fim do off|pode (?:voltar a )?(?:registrar|guardar|anotar))(?=\s*(?:[:.,;!—–-]|$|\n))",
    re.IGNORECASE | re.MULTILINE,
)


def off_record_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the half-open spans of *text* that are not to be kept, markers included."""
    found: list[tuple[int, int]] = []
    at = 0
    while start := _START.search(text, at):
        stop = _STOP.search(text, start.end())
        at = stop.end() if stop else len(text)
        begin = start.start()
        head = text.rfind("\n", 0, begin) + 1
        trailing = re.match(r"\s*$", text[start.end() :])
        if trailing and start.group().startswith(("#", "[", "(")):
            begin = 0 if not found else found[-1][1]  # a tag that ends the message covers it
        elif not text[head:begin].strip():
            begin = head
        found.append((begin, at))
    return tuple(found)
