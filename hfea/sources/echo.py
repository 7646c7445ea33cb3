"""What a conversation has seen from outside, to recognise it when somebody repeats it.

Texts are remembered as hashes of runs of words; memory is bounded by the count of conversations
and of runs in each, the oldest going first.
"""

from __future__ import annotations

import re
from collections import OrderedDict

from memory_core.model import AuthorKind, Origin, Span
from memory_core.text import fold

RUN = 8  # words that must be repeated verbatim
RECALL_RUN = 5  # fewer for our own recall output: part-paraphrases of it are recognised too
_MOST_RUNS = 40_000
_MOST_CHATS = 64
_WORD = re.compile(r"\w+")
_RECALL_LABEL, _HOSTED_LABEL = "recalled", "repeated"
Chat = tuple[str, str]


class EchoMemory:
    """Remembers hosted and recalled text a conversation; finds verbatim repetitions of it."""

    def __init__(self) -> None:
        self._chats: OrderedDict[Chat, OrderedDict[int, str]] = OrderedDict()

    def hosted(self, chat: Chat, text: str) -> None:
        """Remember text that came from outside."""
        self._remember(chat, text, RUN, _HOSTED_LABEL)

    def recalled(self, chat: Chat, text: str) -> None:
        """Remember text that our own recall gave the agent."""
        self._remember(chat, text, RECALL_RUN, _RECALL_LABEL)

    def spans(self, chat: Chat, text: str) -> tuple[Span, ...]:
        """Return spans that repeat what was seen: hosted, or recalled (derived)."""
        seen = self._chats.get(chat)
        if not seen:
            return ()
        words = _words(text)
        found: list[Span] = []
        for run, label in ((RUN, _HOSTED_LABEL), (RECALL_RUN, _RECALL_LABEL)):
            found += _joined(words, run, {k for k, v in seen.items() if v == label}, label)
        return tuple(found)

    def _remember(self, chat: Chat, text: str, run: int, label: str) -> None:
        seen = self._chats.setdefault(chat, OrderedDict())
        self._chats.move_to_end(chat)
        words = _words(text)
        for i in range(len(words) - run + 1):
            seen[_key(words, i, run)] = label
        while len(seen) > _MOST_RUNS:
            seen.popitem(last=False)
        while len(self._chats) > _MOST_CHATS:
            self._chats.popitem(last=False)


def _words(text: str) -> list[tuple[str, int, int]]:
    return [(fold(m.group()), m.start(), m.end()) for m in _WORD.finditer(text)]


def _key(words: list[tuple[str, int, int]], at: int, run: int) -> int:
    return hash((run, *(w for w, _, _ in words[at : at + run])))


def _joined(words: list[tuple[str, int, int]], run: int, seen: set[int], label: str) -> list[Span]:
    spans: list[tuple[int, int]] = []
    for i in range(len(words) - run + 1):
        if _key(words, i, run) in seen:
            start, end = words[i][1], words[i + run - 1][2]
            if spans and start <= spans[-1][1]:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
    if label == _RECALL_LABEL:
        return [Span(a, b, AuthorKind.AGENT, Origin.DERIVED, label) for a, b in spans]
    return [Span(a, b, AuthorKind.THIRD_PARTY, Origin.HOSTED, label) for a, b in spans]
