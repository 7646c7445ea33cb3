"""Seals: every line is a committed leaf, every block is chained and keyed.

A leaf is committed as SHA-256(salt ‖ line). A block's seal is HMAC-SHA-256(archive key, block
header ‖ commitments ‖ previous seal), in sealing order over the whole archive. Erasing a line
and its salt leaves the commitment: the chain still verifies, and the text cannot be guessed.
"""

from __future__ import annotations

import datetime as dt
import functools
import hashlib
import hmac
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

SALT_BYTES = 16
FORMAT = 1
GENESIS = "0" * 64
_HEX = "0123456789abcdef"


@dataclass(frozen=True, slots=True)
class Leaf:
    """One committed line: hex salt ('' once erased), hex commitment, and the day of erasure."""

    salt: str
    commitment: str
    erased: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """What was sealed at once: an episode (number 0) or an addendum, and its evidence lines.

    `cites` are the hex salts of the footnotes' hashes, by footnote number.
    """

    sequence: int
    number: int
    markdown: tuple[Leaf, ...]
    evidence: tuple[Leaf, ...]
    cites: tuple[str, ...]
    previous: str
    seal: str


@dataclass(frozen=True, slots=True)
class Head:
    """The newest seal of an archive; sequence 0 and zeros for an empty one."""

    sequence: int = 0
    hex: str = GENESIS

    @classmethod
    def read(cls, data: bytes) -> Self:
        """Read a head file. Raises ValueError for any other shape."""
        try:
            row: Mapping[str, Any] = json.loads(data)
            return cls(int(row["sequence"]), str(row["seal"]))
        except (KeyError, TypeError, AttributeError) as error:
            msg = "not a head file"
            raise ValueError(msg) from error


def salts(seed: bytes, label: str) -> Iterator[str]:
    """Yield hex salts for the leaves of *label* ('md', 'evidence', 'cite'), in order."""
    number = 0
    while True:
        message = f"{label}:{number}".encode()
        yield hmac.new(seed, message, hashlib.sha256).digest()[:SALT_BYTES].hex()
        number += 1


def commitment(salt: str, text: str) -> str:
    """Return hex SHA-256(salt ‖ text)."""
    return hashlib.sha256(bytes.fromhex(salt) + text.encode()).hexdigest()


def leaves(seed: bytes, label: str, lines: Sequence[str]) -> tuple[Leaf, ...]:
    """Commit each line."""
    pairs = zip(salts(seed, label), lines, strict=False)
    return tuple(Leaf(salt, commitment(salt, line)) for salt, line in pairs)


def sealed(key: bytes, day: str, block: Block) -> str:
    """Return the seal that a block must carry, hex."""
    state = hmac.new(key, digestmod=hashlib.sha256)
    head = [FORMAT, day, block.sequence, block.number, len(block.markdown), len(block.evidence)]
    state.update(json.dumps(head).encode() + b"\n")
    for leaf in (*block.markdown, *block.evidence):
        state.update(bytes.fromhex(leaf.commitment))
    state.update(bytes.fromhex(block.previous))
    return state.hexdigest()


def encode(day: str, blocks: Sequence[Block]) -> bytes:
    """Return the seal file's bytes."""
    data = {
        "format": FORMAT,
        "day": day,
        "blocks": [
            {
                "sequence": b.sequence,
                "number": b.number,
                "previous": b.previous,
                "seal": b.seal,
                "cites": list(b.cites),
                "markdown": [_row(leaf) for leaf in b.markdown],
                "evidence": [_row(leaf) for leaf in b.evidence],
            }
            for b in blocks
        ],
    }
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def head_bytes(head: Head, day: dt.date) -> bytes:
    """Return the head file's bytes; *day* is whose sealing was the newest."""
    row = {"sequence": head.sequence, "seal": head.hex, "day": day.isoformat()}
    return json.dumps(row).encode() + b"\n"


@functools.lru_cache(maxsize=2)  # a check looks at one seal file from several sides
def decode(data: bytes) -> tuple[str, tuple[Block, ...]]:
    """Read a seal file; return its day and blocks. Raises ValueError for any other shape."""
    try:
        value: Mapping[str, Any] = json.loads(data)
        blocks = tuple(
            Block(
                sequence=int(b["sequence"]),
                number=int(b["number"]),
                markdown=tuple(map(_leaf, b["markdown"])),
                evidence=tuple(map(_leaf, b["evidence"])),
                cites=tuple(map(_hex, b["cites"])),
                previous=_hex(b["previous"]),
                seal=_hex(b["seal"]),
            )
            for b in value["blocks"]
        )
        return str(value["day"]), blocks
    except (KeyError, TypeError, UnicodeDecodeError) as error:
        msg = "not a seal file"
        raise ValueError(msg) from error


def _leaf(row: Sequence[object]) -> Leaf:
    salt, digest, *erased = row
    return Leaf(_hex(salt), _hex(digest), *map(str, erased))


def _hex(text: object) -> str:
    """Return *text* if it is hexadecimal in lower case. Raises ValueError otherwise."""
    if not isinstance(text, str) or len(text) % 2 or text.strip(_HEX):
        msg = "not a seal file"
        raise ValueError(msg)
    return text


def _row(leaf: Leaf) -> list[str]:
    row = [leaf.salt, leaf.commitment]
    return [*row, leaf.erased] if leaf.erased else row


def wrong_lines(leaves_: Sequence[Leaf], lines: Sequence[str]) -> list[int]:
    """Return the indexes of lines that are not what was committed; extra and lacking ones too."""
    wrong = [
        n
        for n, (leaf, line) in enumerate(zip(leaves_, lines, strict=False))
        if (
            line != f"[erased {leaf.erased}]"
            if leaf.erased
            else commitment(leaf.salt, line) != leaf.commitment
        )
    ]
    return [*wrong, *range(min(len(lines), len(leaves_)), max(len(lines), len(leaves_)))]
