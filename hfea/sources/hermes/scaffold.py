"""What Hermes writes into user and assistant text around the words that were really said."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SUMMARY = re.compile(
    r"\A\[(?:CONTEXT COMPACTION|(?:CONTEXT |CONVERSATION )?SUMMARY\])", re.IGNORECASE
)
SUMMARY_END = "--- END OF CONTEXT SUMMARY"
PRIOR_START = "[PRIOR CONTEXT"
PRIOR_END = "[END OF PRIOR CONTEXT"
TODO_START = "[Your active task list was preserved"
CRON_START = "[IMPORTANT: You are running as a scheduled cron job"
SKILL_START = "[IMPORTANT: The user has invoked the "
SILENT = "[SILENT]"
_REVIEWS = (
    "Review the conversation above and update the skill library",
    "Review the conversation above and consider saving to memory",
)
_SKILL_NAME = re.compile(r'The user has invoked the "([^"]+)" skill')
_SKILL_WORDS = "The user has provided the following instruction alongside the skill invocation: "
_BUNDLE_WORDS = "\nUser instruction: "
_BUNDLE_END = "\n\n[Loaded as part of the "
_RUNTIME_NOTE = "\n\n[Runtime note:"
_MEMORY = re.compile(r"<memory-context>.*?(?:</memory-context>|\Z)", re.DOTALL | re.IGNORECASE)
_STAMP = re.compile(
    r"\A\[(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?"
    r"(?: ?[A-Z]{2,5}|Z|[+-]\d{2}:?\d{2})?\] "
)
_SYSTEM_NOTE = re.compile(r"\A\[System(?: note)?:", re.IGNORECASE)
_IMAGE = re.compile(r"\[screenshot\]|\[Image attached at: ([^\]]*)\]")


@dataclass(frozen=True, slots=True)
class Split:
    """A text taken apart: the genuine words, and the summary that was glued to them."""

    genuine: str
    summary: str


def split_summary(text: str) -> Split:
    """Separate a compaction summary from genuine text before or after it."""
    if text.startswith(PRIOR_START):
        head, marker, tail = text.partition(PRIOR_END)
        genuine = head.partition("\n")[2].strip() if marker else ""
        summary = tail.partition("\n")[2] if marker else text
        after = split_summary(summary.strip()).genuine if marker else ""
        return Split("\n\n".join(filter(None, (genuine, after))), summary.strip())
    if _SUMMARY.match(text):
        head, marker, tail = text.partition(SUMMARY_END)
        genuine = tail.partition("\n")[2].strip() if marker else ""
        return Split(genuine, head.strip())
    return Split(text, "")


def has_summary(text: str) -> bool:
    """Whether *text* is or carries a compaction summary."""
    return text.startswith(PRIOR_START) or bool(_SUMMARY.match(text))


def is_review(text: str) -> bool:
    """Whether *text* is the harness of old builds that makes the agent review its memory."""
    return text.startswith(_REVIEWS)


def is_machine(text: str) -> bool:
    """Whether a user turn was written by Hermes itself."""
    return text.startswith((CRON_START, TODO_START)) or bool(_SYSTEM_NOTE.match(text))


def clean(text: str) -> str:
    """Return the words of a user turn without recall blocks, stamps and skill bodies."""
    text = _MEMORY.sub("", text)
    text = _STAMP.sub("", text)
    if text.startswith(SKILL_START):
        return _skill(text)
    return text.strip()


def _skill(text: str) -> str:
    found = _SKILL_NAME.search(text[:300])
    name = f"/{found.group(1)}" if found else "/skill"
    if " skill bundle," in text[:300]:
        words = text.partition(_BUNDLE_WORDS)[2].partition(_BUNDLE_END)[0]
    else:
        words = text.rpartition(_SKILL_WORDS)[2] if _SKILL_WORDS in text else ""
        words = words.partition(_RUNTIME_NOTE)[0]
    words = words.strip()
    return f"{name} — {words}" if words else name


def comparable(text: str) -> str:
    """Return *text* as it is compared between a row and its copy: pictures in one spelling."""
    return "\n".join(filter(None, map(str.strip, _IMAGE.sub("[image]", text).splitlines())))
