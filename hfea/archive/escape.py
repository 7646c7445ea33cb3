r"""Text inside Markdown: shown as it is, unable to be structure, and recovered exactly.

A text becomes part of one line. ASCII punctuation that Markdown, HTML or a viewer's extension
could read as structure gets a backslash; a line feed becomes the visible `⏎`; control, bidi,
zero-width and other invisible characters become a visible `\\u{202e}`.
"""

from __future__ import annotations

import re
import string

_NEWLINE = "⏎"
# Controls, separators that some readers treat as line ends, bidi and zero-width characters,
# surrogates, tags and other invisible format characters.
_INVISIBLE = (
    "\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e0fff"
)
# Only where they could mean something: an underscore inside a word, a price's dollar sign or a
# lone equals sign stay as they are, so that the file reads well. (One tilde strikes through too.)
_ACTIVE = (
    r"[\\`*\[\]<|]|(?<![^\W_])_|_(?![^\W_])|\$(?! )|&(?=#?\w+;)|~(?!/)|%(?=%)|(?<=%)%"
    r"|=(?==)|(?<==)=|#(?=[#\w]|$)"
)
_SPECIAL = re.compile(f"{_ACTIVE}|[\n{_NEWLINE}{_INVISIBLE}]")
_FIELD_SPECIAL = re.compile(f'{_ACTIVE}|[\n{_NEWLINE}{_INVISIBLE}·—,;()"]')
_OPENING = re.compile(r"\A(\d{0,9})((?<=\d)[.)]|(?<!\d)[-+ >#])")
_ESCAPED = re.compile(r"\\(?:u\{([0-9a-f]{1,6})\}|(.))|⏎", re.DOTALL)


def inline(text: str) -> str:
    """Return *text* as it is written inside a line of Markdown."""
    return _SPECIAL.sub(_written, text)


def opening(text: str) -> str:
    """Return *text* for the start of a block, where it could open a list or indented code."""
    return _OPENING.sub(
        lambda m: f"\\u{{{ord(m[2]):x}}}" if m[2] == " " else f"{m[1]}\\{m[2]}",
        inline(text),
        count=1,
    )


def field(text: str) -> str:
    """Return *text* for a place where separators end it: a name, an id, a quoted phrase."""
    return _FIELD_SPECIAL.sub(_written_field, text)


def plain(written: str) -> str:
    """Return the text that `inline` or `field` wrote."""
    return _ESCAPED.sub(_read, written) if "\\" in written or _NEWLINE in written else written


def _written(match: re.Match[str]) -> str:
    char = match.group()
    if char == "\n":
        return _NEWLINE
    if char in string.punctuation:
        return "\\" + char
    return f"\\u{{{ord(char):x}}}"


def _written_field(match: re.Match[str]) -> str:
    char = match.group()
    return f"\\u{{{ord(char):x}}}" if char in '·—,;()"' else _written(match)


def _read(match: re.Match[str]) -> str:
    if match.group(1):
        return chr(int(match.group(1), 16))
    return match.group(2) or "\n"
