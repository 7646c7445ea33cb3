"""Lines of a transcript in bounded memory: torn tails wait, damage is a value with an offset."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import zstandard

from hfea.sources.slim import Slimmer

LONGEST = 16 * 1024 * 1024  # bytes of one line that are parsed as they stand
CHUNK = 1024 * 1024
DEEPEST = 200  # nested brackets of one line that are read
LARGEST_WINDOW = 2**27  # bytes that unpacking a .zst may hold
_TRIES = 64  # places of a broken line where a whole record may begin
RAW_KEPT = 4096  # bytes of a bad line that a keyed hash is made of
_BLANK = b" \t\r\n\x00"
_NULS = re.compile(rb"\x00+")
_RECORD = re.compile(r'\{\s*"(?:[^"\\]|\\.)*"\s*:')


@dataclass(frozen=True, slots=True)
class Line:
    """One JSON value and where it stands; bytes."""

    value: Any
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Damage:
    """A stretch that is no sound line: what it is, where, and its first bytes.

    `digest` is the hex SHA-256 of all of a line that is too long. `lost` is False where its
    value was read all the same; it then comes as a Line of its own.
    """

    code: str
    offset: int
    length: int
    detail: str
    raw: bytes = b""
    digest: str = ""
    lost: bool = True


@dataclass(frozen=True, slots=True)
class End:
    """Where reading stopped: the offset behind the last whole line. `torn` bytes wait."""

    offset: int
    torn: int


def open_stream(path: Path) -> BinaryIO:
    """Open a transcript for reading, decompressing `.zst` on the way. Raises OSError."""
    raw = path.open("rb")
    if path.suffix != ".zst":
        return raw
    unpacker = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW)
    reader = unpacker.stream_reader(raw, read_across_frames=True, closefd=True)
    return io.BufferedReader(reader, CHUNK)


def read(stream: BinaryIO) -> Iterator[Line | Damage | End]:
    """Yield the lines of *stream*, the damage between them, and the end.

    Memory is bounded whatever the length of a line. The last line counts only when its line
    feed is there or when it parses as it stands; else it is torn, and waits for the writer.
    """
    offset = 0
    while piece := stream.readline(LONGEST + 1):
        if len(piece) > LONGEST and not piece.endswith(b"\n"):
            found, length, whole = _long(stream, piece, offset)
        else:
            found, length, whole = list(_values(piece, offset)), len(piece), piece.endswith(b"\n")
        if not whole and _unfinished(found):
            yield End(offset, length)
            return
        yield from found
        offset += length
    yield End(offset, 0)


def _unfinished(found: list[Line | Damage]) -> bool:
    """Whether a last line that gave this may be one whose writer is still at it.

    Zero bytes in it are what a crash leaves: no writer comes back to such a line.
    """
    damage = [item for item in found if isinstance(item, Damage)]
    return any(d.lost for d in damage) and all(d.code != "nul_block" for d in damage)


def _long(stream: BinaryIO, piece: bytes, offset: int) -> tuple[list[Line | Damage], int, bool]:
    """Read a line that is too long to hold: its damage, its value without its long strings."""
    slimmer, state, length, raw = Slimmer(), hashlib.sha256(), 0, piece[:RAW_KEPT]
    whole = False
    while piece and not whole:
        slimmer.feed(piece)
        state.update(piece)
        length += len(piece)
        whole = piece.endswith(b"\n")
        piece = b"" if whole else stream.readline(CHUNK)
    found: list[Line | Damage] = []
    more = "what is too long in it is left out"
    try:
        value = slimmer.value()
        refuse_depth(value)
        found.append(Line(value, offset, length))
    except (ValueError, RecursionError):
        more = "nothing of it could be read"
    detail = f"a line of {length} bytes is longer than {LONGEST}; {more}"
    damage = Damage(
        "oversized_line", offset, length, detail, raw, state.hexdigest(), lost=not found
    )
    return [damage, *found], length, whole


def _values(piece: bytes, offset: int) -> Iterator[Line | Damage]:
    """Yield what one physical line holds: usually one value; NUL blocks are taken out."""
    position = 0
    for block in _NULS.finditer(piece):
        yield from _json(piece[position : block.start()], offset + position)
        length = block.end() - block.start()
        place = offset + block.start()
        yield Damage("nul_block", place, length, f"{length} zero bytes", b"\0" * min(length, 16))
        position = block.end()
    yield from _json(piece[position:], offset + position)


def _json(part: bytes, offset: int) -> Iterator[Line | Damage]:
    if part.startswith(b"\xef\xbb\xbf"):
        part, offset = part[3:], offset + 3
    body = part.strip(_BLANK)
    if not body:
        return
    offset += part.index(body)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        text = body.decode("utf-8", "replace")
        yield Damage(
            "invalid_utf8",
            offset + error.start,
            error.end - error.start,
            "bytes that are no UTF-8; shown as replacement marks",
            body[error.start : error.start + RAW_KEPT],
            lost=False,
        )
    yield from _chain(text, offset, len(body))


def _chain(text: str, offset: int, size: int) -> Iterator[Line | Damage]:
    """Yield the values that follow one another on a line; after a broken one, the next whole."""
    position = 0
    while position < len(text):
        try:
            value, end = _decode(text, position)
        except (ValueError, RecursionError) as error:
            broken = _bytes(text, 0, position)
            resumed = _resume(text, position)
            stop = resumed[1] if resumed else len(text)
            raw = text[position : min(stop, position + RAW_KEPT)].encode("utf-8", "replace")
            length = _bytes(text, position, stop)
            yield Damage("malformed_line", offset + broken, length, f"not JSON: {error}", raw)
            if resumed:
                yield Line(resumed[0], offset + broken + length, _bytes(text, stop, len(text)))
            return
        if end == len(text) and not position:
            yield Line(value, offset, size)
            return
        yield Line(value, offset + _bytes(text, 0, position), _bytes(text, position, end))
        while end < len(text) and text[end] in " \t\r\n":
            end += 1
        position = end


def _bytes(text: str, start: int, end: int) -> int:
    return len(text[start:end].encode("utf-8", "replace"))


def _decode(text: str, position: int) -> tuple[Any, int]:
    value, end = json.JSONDecoder().raw_decode(text, position)
    if text.count("[", position, end) + text.count("{", position, end) > DEEPEST:
        refuse_depth(value)
    return value, end


def _resume(text: str, position: int) -> tuple[Any, int] | None:
    """Find the record that was written behind a torn one on the same line (codex#24425).

    It must reach the end of the line and begin with the same key as the torn one, so that a
    part of the torn one is never taken for a record.
    """
    opening = _RECORD.match(text, position)
    starts = re.compile(re.escape(opening.group())) if opening else _RECORD
    for number, start in enumerate(starts.finditer(text, position + 1)):
        if number >= _TRIES:
            break
        try:
            value, end = _decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        if end == len(text):
            return value, start.start()
    return None


def refuse_depth(value: Any) -> None:
    """Raise ValueError for what is nested so deep that reading it recursively is no option."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    msg = "nested deeper than any transcript"
    raise ValueError(msg)
