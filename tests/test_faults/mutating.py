"""Ways in which a transcript is damaged or changed by others: bytes, lines, JSON values."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

Mutation = Callable[[random.Random, bytes], bytes]
STRANGE = (None, True, -1, 1e308, 2**70, "", "\x00", "\ud800", [], {}, [[]], {"a": []}, "x" * 5000)


def flipped(dice: random.Random, data: bytes) -> bytes:
    """Change a few bytes."""
    changed = bytearray(data)
    for _ in range(dice.randint(1, 8)):
        changed[dice.randrange(len(changed))] = dice.randrange(256)
    return bytes(changed)


def cut(dice: random.Random, data: bytes) -> bytes:
    """Take a stretch out."""
    start = dice.randrange(len(data))
    return data[:start] + data[start + dice.randint(1, 2000) :]


def torn(dice: random.Random, data: bytes) -> bytes:
    """End too early."""
    return data[: dice.randrange(len(data))]


def stuffed(dice: random.Random, data: bytes) -> bytes:
    """Put random bytes, or a block of NULs, in."""
    start = dice.randrange(len(data))
    more = dice.choice(
        (dice.randbytes(dice.randint(1, 300)), b"\0" * 4096, b"\n\n\r\n", b"\xff\xfe")
    )
    return data[:start] + more + data[start:]


def shuffled(dice: random.Random, data: bytes) -> bytes:
    """Swap, repeat and drop lines."""
    lines = data.splitlines(keepends=True)
    for _ in range(dice.randint(1, 4)):
        a, b = dice.randrange(len(lines)), dice.randrange(len(lines))
        lines[a], lines[b] = lines[b], lines[a]
        lines.insert(a, lines[b])
    del lines[dice.randrange(len(lines))]
    return b"".join(lines)


def retyped(dice: random.Random, data: bytes) -> bytes:
    """Give a value somewhere in a JSON line another type; other data is cut."""
    lines = data.splitlines()
    place = dice.randrange(len(lines))
    try:
        value = json.loads(lines[place])
    except ValueError:
        return cut(dice, data)
    if not isinstance(value, dict):
        return cut(dice, data)
    inner = value
    while True:
        key = dice.choice(list(inner)) if inner else "new"
        below = inner.get(key)
        if not isinstance(below, dict) or dice.random() < 0.3:
            break
        inner = below
    inner[key] = dice.choice(STRANGE)
    lines[place] = json.dumps(value).encode()
    return b"\n".join(lines) + b"\n"


MUTATIONS: tuple[Mutation, ...] = (flipped, cut, torn, stuffed, shuffled, retyped)
