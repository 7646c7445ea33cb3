"""Tool calls and their results as files record them, matched by the id of the call."""

from __future__ import annotations

from typing import Any

from hfea.sources.own_output import OWN_OUTPUT, own_call, own_tool
from hfea.sources.parts import arguments_of
from memory_core.model import AuthorKind, Origin, Role, ToolUse


class Calls:
    """Remembers the calls of one transcript, so that a result says which tool gave it."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._own: set[str] = set()

    def call(self, name: str, call: str, given: object) -> dict[str, Any]:
        """Return the fields of the message that is a call of *name* with the arguments *given*."""
        arguments = arguments_of(given)
        self._names[call] = name
        marks = {"tool_call"}
        if own_call(name, arguments):
            self._own.add(call)
            marks.add(OWN_OUTPUT)
        return {
            "role": Role.ASSISTANT,
            "text": f"{name}: {arguments}",
            "author_kind": AuthorKind.AGENT,
            "tool": ToolUse(name, call, arguments),
            "marks": frozenset(marks),
        }

    def result(self, call: str, text: str, failed: object, name: str = "") -> dict[str, Any]:
        """Return the fields of the message that is the result of *call*; *failed* if a bool."""
        name = name or self._names.get(call, "")
        own = own_tool(name) or call in self._own
        outcome = failed if isinstance(failed, bool) else None
        return {
            "role": Role.TOOL,
            "text": text,
            "author": name or "tool",
            "author_kind": AuthorKind.TOOL,
            "origin": Origin.HOSTED,
            "tool": ToolUse(name, call, is_result=True, failed=outcome),
            "marks": frozenset({OWN_OUTPUT} if own else ()),
        }
