"""What OpenClaw writes around the words of a person: channel envelopes and metadata blocks."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_CHANNELS = (
    "WhatsApp|Telegram|Discord|Signal|Slack|iMessage|BlueBubbles|SMS|Matrix|WebChat|Email"
    "|Google Chat|MS ?Teams|Teams|Mattermost|LINE|Zalo|Nostr|Twitch|IRC|Feishu"
)
_WHEN = (
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\s+)?\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?"
    r"(?:\s?(?:GMT|UTC)?[+-]\d{1,2}(?::?\d{2})?|\s?[A-Z]{2,5}|Z)?"
)
_ENVELOPE = re.compile(
    rf"\A\[(?P<channel>{_CHANNELS})\b[ :]*(?P<who>[^\]\n]*?)(?:\s+{_WHEN})?\]\s*"
    rf"|\A\[{_WHEN}\]\s*"
)
_ID = re.compile(r"\s*\b(?:user\s+)?id:(?P<id>\S+)")
_HANDLE = re.compile(r"\s*\((?P<handle>@?[^()\s]+)\)|\s+\+\d*[smhd]?(?=\s|\Z)|\s+\+[\d.]+")
# A label that says it is no instruction, then JSON: put before the words since 2026.2.
_BLOCK = re.compile(
    r"\A(?P<label>[A-Z][^\n]{0,80}\(untrusted[^\n]{0,40}\)):\s*\n```(?:json)?\n(?P<body>.*?)\n```\s*",
    re.DOTALL,
)
_TRAILER = re.compile(r"\s*\n\[message_id:[^\]\n]*\]\s*\Z")
_SPEAKER = re.compile(r"\A(?P<name>[^\W\d_][^:\n\[\]{}]{0,39}):\s+(?=\S)")
_GROUPS = frozenset({"group", "channel", "room"})


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The words of a person, and what was written around them about who said them, and where."""

    words: str
    author: str = ""
    author_id: str = ""
    channel: str = ""


def unwrap(text: str, chat_type: str = "") -> Unwrapped:
    """Take the envelopes off *text*; in a group the words begin with who says them."""
    author = author_id = channel = ""
    while block := _BLOCK.match(text):
        said = _json(block["body"])
        author = author or _first(said, "name", "sender", "sender_name", "username")
        author_id = author_id or _first(said, "id", "sender_id", "e164")
        text = text[block.end() :]
    told = bool(author or author_id)
    if envelope := _ENVELOPE.match(text):
        text = text[envelope.end() :]
        channel = (envelope["channel"] or "").lower()
        name, number = _who(envelope["who"] or "")
        author, author_id = author or name, author_id or number
    text = _TRAILER.sub("", text)
    if chat_type in _GROUPS and not told and (speaker := _SPEAKER.match(text)):
        author, author_id = speaker["name"].strip(), ""
        text = text[speaker.end() :]
    if author_id and channel and ":" not in author_id:
        author_id = f"{channel}:{author_id}"
    return Unwrapped(text, author, author_id, channel)


def _who(text: str) -> tuple[str, str]:
    """Return name and id of `Ana (@ana) id:123 +5m`."""
    number = _ID.search(text)
    name = _HANDLE.sub("", _ID.sub("", f" {text}")).strip()
    if re.fullmatch(r"\+?[\d .-]{5,}", name):
        return "", name
    return name, number["id"] if number else ""


def _json(text: str) -> dict[str, object]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _first(said: dict[str, object], *names: str) -> str:
    return next((str(said[n]) for n in names if isinstance(said.get(n), str | int)), "")
