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

LONGEST = 16 * 1024 * 1024  # bytes of one line that are parsed
KEPT_HEAD = 64 * 1024  # bytes of a longer line that are looked at
CHUNK = 1024 * 1024
DEEPEST = 200  # nested brackets of one line that are parsed
_RAW_KEPT = 4096  # bytes of a bad line that a keyed hash is made of
_BLANK = b" \t\r\n\x00"
_NULS = re.compile(rb"\x00+")


@dataclass(frozen=True, slots=True)
class Line:
    """One JSON value and where its line stands; bytes."""

    value: Any
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Damage:
    """A stretch that is no usable line: what it is, where, and its first bytes.

    `head` is the start of an oversized line, `digest` the SHA-256 of all of it.
    """

    code: str
    offset: int
    length: int
    detail: str
    raw: bytes = b""
    head: bytes = b""
    digest: str = ""


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
    reader = zstandard.ZstdDecompressor(max_window_size=2**31).stream_reader(
        raw, read_across_frames=True, closefd=True
    )
    return io.BufferedReader(reader, CHUNK)


def read(stream: BinaryIO, start: int = 0) -> Iterator[Line | Damage | End]:
    """Yield the lines of *stream* from byte *start*, the damage between them, and the end.

    Memory is bounded whatever the length of a line. The last line counts only when its line
    feed is there or when it parses as it stands; else it is torn, and waits for the writer.
    """
    if start:
        _skip(stream, start)
    offset = start
    for piece, length, digest in _pieces(stream):
        whole = piece.endswith(b"\n") or digest
        if not whole:
            yield from _last(piece, offset)
            return
        if digest:
            yield _oversized(piece, offset, length, digest)
        else:
            yield from _values(piece, offset)
        offset += length
    yield End(offset, 0)


def _skip(stream: BinaryIO, start: int) -> None:
    if stream.seekable():
        stream.seek(start)
        return
    left = start
    while left:
        left -= len(stream.read(min(left, CHUNK)) or b"\0" * left)


def _pieces(stream: BinaryIO) -> Iterator[tuple[bytes, int, str]]:
    """Yield (bytes, length, '') a line, or (head, length, digest) for one that is too long."""
    while piece := stream.readline(LONGEST + 1):
        if len(piece) <= LONGEST or piece.endswith(b"\n"):
            yield piece, len(piece), ""
            continue
        state, length, head = hashlib.sha256(piece), len(piece), piece[:KEPT_HEAD]
        del piece
        while more := stream.readline(CHUNK):
            state.update(more)
            length += len(more)
            if more.endswith(b"\n"):
                break
        yield head, length, state.hexdigest()


def _oversized(head: bytes, offset: int, length: int, digest: str) -> Damage:
    detail = f"a line of {length} bytes is longer than {LONGEST}; its head was read"
    return Damage("oversized_line", offset, length, detail, head[:_RAW_KEPT], head, digest)


def _last(piece: bytes, offset: int) -> Iterator[Line | Damage | End]:
    found = list(_values(piece, offset))
    broken = any(isinstance(item, Damage) and item.code == "malformed_line" for item in found)
    if not broken:
        yield from found
        yield End(offset + len(piece), 0)
    else:
        yield End(offset, len(piece))


def _values(piece: bytes, offset: int) -> Iterator[Line | Damage]:
    """Yield what one physical line holds: usually one value; NUL blocks are taken out."""
    position = 0
    for block in _NULS.finditer(piece):
        if block.end() - block.start() > 0:
            yield from _json(piece[position : block.start()], offset + position)
            length = block.end() - block.start()
            yield Damage(
                "nul_block", offset + block.start(), length, f"{length} zero bytes", b"\0" * 16
            )
        position = block.end()
    yield from _json(piece[position:], offset + position)


def _json(part: bytes, offset: int) -> Iterator[Line | Damage]:
    if part.startswith(b"\xef\xbb\xbf"):
        part, offset = part[3:], offset + 3
    body = part.strip(_BLANK)
    if not body:
        return
    if _too_deep(body):
        yield _malformed(part, offset, "nested deeper than any transcript")
        return
    text = body.decode("utf-8", "replace")
    decoder, position, failed = json.JSONDecoder(), 0, ""
    while position < len(text):
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            failed = str(error)
            break
        yield Line(value, offset, len(part))
        position = end
        while position < len(text) and text[position] in " \t\r\n":
            position += 1
    if failed:
        yield _malformed(part, offset, failed)


def _malformed(part: bytes, offset: int, why: str) -> Damage:
    return Damage("malformed_line", offset, len(part), f"not JSON: {why}", part[:_RAW_KEPT])


def _too_deep(body: bytes) -> bool:
    """Count brackets cheaply; only a line with very many of them is looked at closely."""
    if body.count(b"[") + body.count(b"{") <= DEEPEST:
        return False
    depth = deepest = 0
    inside = escaped = False
    for byte in body:
        if escaped:
            escaped = False
        elif inside:
            escaped = byte == 0x5C  # noqa: PLR2004 - backslash
            inside = byte != 0x22 if not escaped else True  # noqa: PLR2004 - quotation mark
        elif byte == 0x22:  # noqa: PLR2004
            inside = True
        elif byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest > DEEPEST
