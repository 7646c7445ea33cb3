"""A JSON line too long to hold, made short while it streams by: only its long strings are cut.

What is left is the same object with a stub where a long string stood, so every format reads
it like any other line: ids, times and words survive wherever in the line they stand.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from typing import Any

KEPT_STRING = 64 * 1024  # bytes of one string that are kept
MOST = 8 * 1024 * 1024  # bytes that may be left of a line; beyond it, it is given up
_RUN = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)  # of a string, up to its quote
_WHOLE_ESCAPES = re.compile(rb"(?:[^\\]|\\u[0-9A-Fa-f]{4}|\\[^u])*+", re.DOTALL)
_OPAQUE = re.compile(r"[A-Za-z0-9+/=_:;,.-]+\Z")  # no blank in so many characters: encoded data
_OPAQUE_LOOKED = 4096


class Omitted(str):  # noqa: SLOT000 - a string with two facts about what it stands for
    """What is shown for a string that was too long: its beginning, if words, and a note.

    `size` is its length in bytes as written, `digest` the hex SHA-256 of those bytes.
    """

    size: int
    digest: str

    @classmethod
    def of(cls, head: str, size: int, digest: str) -> Omitted:
        """Make the stub for a string of *size* bytes that began with *head*."""
        note = f"[{size} bytes left out, sha256 {digest[:16]}]"
        words = "" if _OPAQUE.match(head[:_OPAQUE_LOOKED]) else head
        stub = cls(f"{words}… {note}" if words else note)
        stub.size, stub.digest = size, digest
        return stub


class Slimmer:
    """Takes a line in pieces, gives back its value with long strings cut."""

    def __init__(self) -> None:
        self._out = bytearray()
        self._token = f"\\u0000{secrets.token_hex(8)}:"
        self._cut: list[tuple[int, str]] = []
        self._inside = False
        self._rest = b""
        self._begin()

    def _begin(self) -> None:
        self._head, self._size = bytearray(), 0
        self._hash: hashlib._Hash | None = None

    def feed(self, piece: bytes) -> None:
        """Take the next piece of the line."""
        piece, position = self._rest + piece, 0
        self._rest = b""
        while position < len(piece):
            if not self._inside:
                quote = piece.find(b'"', position)
                end = len(piece) if quote < 0 else quote
                self._keep(piece[position:end])
                self._inside, position = quote >= 0, end + 1
                continue
            run = _RUN.match(piece, position)
            end = run.end() if run else position
            self._string(piece[position:end])
            if end == len(piece):
                return
            if piece[end : end + 1] == b"\\":  # an escape that the next piece completes
                self._rest = piece[end:]
                return
            self._close()
            position = end + 1

    def value(self) -> Any:
        """Return the value of the line. Raises ValueError where it is not JSON, or still long."""
        if len(self._out) > MOST or self._inside:
            msg = "not a whole JSON value, or too long without its long strings"
            raise ValueError(msg)
        found = json.loads(self._out.decode("utf-8", "replace").strip(" \t\r\n\x00\ufeff"))
        return self._restored(found, json.loads(f'"{self._token}"'))

    def _keep(self, part: bytes | bytearray) -> None:
        if len(self._out) <= MOST:
            self._out += part

    def _string(self, part: bytes) -> None:
        self._size += len(part)
        room = KEPT_STRING - len(self._head)
        if self._hash is None and len(part) > room:
            self._hash = hashlib.sha256(self._head)
        if self._hash is not None:
            self._hash.update(part)
        self._head += part[: max(room, 0)]

    def _close(self) -> None:
        self._inside = False
        self._keep(b'"')
        if self._hash is None:
            self._keep(self._head)
        else:
            whole = _WHOLE_ESCAPES.match(self._head)
            self._keep(self._head[: whole.end()] if whole else b"")
            self._keep(f"{self._token}{len(self._cut)}".encode())
            self._cut.append((self._size, self._hash.hexdigest()))
        self._keep(b'"')
        self._begin()

    def _restored(self, value: Any, token: str) -> Any:
        if isinstance(value, str):
            head, found, number = value.rpartition(token)
            if not found:
                return value
            return Omitted.of(head.rstrip("\ufffd"), *self._cut[int(number)])
        if isinstance(value, dict):
            return {key: self._restored(inner, token) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._restored(inner, token) for inner in value]
        return value
