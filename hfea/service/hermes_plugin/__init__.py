"""HFEA in Hermes: recall before each answer, and the owner's gate before memory is written.

This folder is copied into a Hermes home and runs there: it uses nothing but the standard library.
"""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import json
import logging
import os
from pathlib import Path
from typing import Any

from .link import Down, Link

log = logging.getLogger("hfea.plugin")

FOLDER = Path(__file__).resolve().parent
FIRED = "fired.json"  # what `hfea hermes verify` looks at
MACHINE = frozenset({"cron", "subagent", "flush"})  # nobody's questions
_seen: dict[str, str] = {}


def register(ctx: Any) -> None:
    """Hermes calls this once, when it loads the plugin."""
    link = Link(FOLDER)

    def on_session_start(**_given: Any) -> None:
        mark("on_session_start")

    def pre_llm_call(
        user_message: Any = "", platform: str = "", **_given: Any
    ) -> dict[str, str] | None:
        mark("pre_llm_call")
        if platform in MACHINE:
            return None
        text = link.prefetch(words_of(user_message))
        return {"context": text} if text else None

    def pre_tool_call(
        tool_name: str = "", args: Any = None, **_given: Any
    ) -> dict[str, str] | None:
        mark("pre_tool_call")
        if not link.settings().get("guard"):
            return None
        return guarded(link, tool_name, args if isinstance(args, dict) else {})

    ctx.register_hook("on_session_start", on_session_start)
    ctx.register_hook("pre_llm_call", pre_llm_call)
    ctx.register_hook("pre_tool_call", pre_tool_call)
    mark("register")


def words_of(message: Any) -> str:
    """Return the text of a message, also of one that comes in parts."""
    if isinstance(message, str):
        return message
    if isinstance(message, list):
        parts = (p.get("text", "") for p in message if isinstance(p, dict))
        return "\n".join(str(p) for p in parts if p)
    return ""


def guarded(link: Link, tool: str, args: dict[str, Any]) -> dict[str, str] | None:
    """Send a memory write to the owner's queue instead; ask a human before a skill is edited."""
    if tool == "skill_manage":
        return {"action": "approve", "message": "A skill steers the agent: the owner decides."}
    if tool != "memory":
        return None
    steps = args.get("operations")
    steps = steps if isinstance(steps, list) else [args]
    try:
        numbers = [str(link.propose(change_of(s, args)).get("id", "?")) for s in steps]
    except Down as error:
        said = f"Memory was not changed: HFEA could not take the proposal ({error})."
        return {"action": "block", "message": said}
    said = f"Proposed to the owner as {', '.join(numbers)}; memory changes when the owner confirms."
    return {"action": "block", "message": said}


def change_of(step: Any, args: dict[str, Any]) -> dict[str, Any]:
    """Return one step of Hermes's `memory` tool as a proposal."""
    given = step if isinstance(step, dict) else {}
    return {
        "act": str(given.get("action", "add")),
        "target": str(given.get("target") or args.get("target") or "memory"),
        "text": str(given.get("content") or ""),
        "old_text": str(given.get("old_text") or ""),
    }


def mark(hook: str) -> None:
    """Leave a mark that *hook* ran under this Hermes: at most once an hour in a process."""
    version = hermes_version()
    hour = f"{version} {dt.datetime.now(dt.timezone.utc):%Y-%m-%d %H}"  # noqa: UP017 - old Pythons
    if _seen.get(hook) == hour:
        return
    _seen[hook] = hour
    path = FOLDER / FIRED
    try:
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = {}
        if not isinstance(found, dict) or found.get("version") != version:
            found = {"version": version, "hooks": {}}
        now = dt.datetime.now(dt.timezone.utc).isoformat(timespec="seconds")  # noqa: UP017 - old Pythons
        found.setdefault("hooks", {})[hook] = now
        draft = path.with_name(f".{FIRED}.{os.getpid()}")
        draft.write_text(json.dumps(found), encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        log.warning("HFEA's mark cannot be written: %s", error)


def hermes_version() -> str:
    """Return the version of the Hermes that runs this; '' where it cannot be told."""
    try:
        return importlib.metadata.version("hermes-agent")
    except importlib.metadata.PackageNotFoundError:
        return ""
