"""Which sentences to keep: the most told for the tokens, nothing told twice.

Greedy choice by gain over cost, with gains that only shrink, so that an old gain is an upper
bound and most need no second look (Minoux 1978, accelerated greedy for submodular functions).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from memory_core.layers.compression.model import CHARS_A_TOKEN
from memory_core.layers.compression.units import Unit
from memory_core.model import AuthorKind, Message, Origin

_GAP = " … "


def chosen(units: Sequence[Unit], messages: Sequence[Message], budget: int) -> list[Unit]:
    """Return the units to keep, in their order; what `rendered` makes of them fits *budget*."""
    room = budget * CHARS_A_TOKEN
    heap = [(-_gain(u, frozenset()) / _cost(u, messages, set()), n) for n, u in enumerate(units)]
    heapq.heapify(heap)
    told: set[str] = set()
    opened: set[int] = set()
    kept: list[int] = []
    while heap:
        bound, n = heapq.heappop(heap)
        cost = _cost(units[n], messages, opened)
        if cost > room or bound == 0:
            continue
        value = -_gain(units[n], told) / cost
        if heap and value > heap[0][0]:
            heapq.heappush(heap, (value, n))
            continue
        room -= cost
        told |= units[n].tells.keys()
        opened.add(units[n].index)
        kept.append(n)
    return [units[n] for n in sorted(kept)]


def _gain(unit: Unit, told: set[str] | frozenset[str]) -> float:
    return sum(weight for what, weight in unit.tells.items() if what not in told)


def _cost(unit: Unit, messages: Sequence[Message], opened: set[int]) -> int:
    """Return an upper bound of the characters that a unit adds to the text."""
    head = 0 if unit.index in opened else len(head_of(unit.index, messages[unit.index])) + 1
    marked = len(_marked(unit, messages[unit.index])) + 2 * len(_GAP)
    return head + marked


def head_of(index: int, message: Message) -> str:
    """Return what opens the line of a message: its number, who speaks, what it is worth."""
    who = message.author or message.author_kind.value
    worth = "" if message.origin is Origin.DIRECT else f", {message.origin.value}"
    kind = "" if message.author_kind is AuthorKind.OWNER else f" ({message.author_kind.value})"
    return f"#{index + 1} {who[:40]}{kind}{worth}: ".replace("\n", " ")


def _marked(unit: Unit, message: Message) -> str:
    """Return a unit's text on one line; what is worth less than its message says so."""
    line = " ".join(unit.text.split())
    lower = unit.grade.origin is not message.origin
    return f"[{unit.grade.origin.value}: {line}]" if lower else line


def rendered(kept: Sequence[Unit], messages: Sequence[Message]) -> str:
    """Return the summary: a line a message, left-out stretches marked with an ellipsis."""
    lines: list[str] = []
    last: Unit | None = None
    for unit in kept:
        message = messages[unit.index]
        text = _marked(unit, message)
        if last is not None and last.index == unit.index:
            between = message.content[last.end : unit.start]
            lines[-1] += (_GAP if between.strip(" \n\t,;:–—-") else " ") + text
        else:
            opened = _GAP.lstrip() if message.content[: unit.start].strip() else ""
            lines.append(head_of(unit.index, message) + opened + text)
        last = unit
    return "\n".join(lines)
