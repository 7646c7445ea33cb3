"""HFEA's own words in somebody's transcript; they are never evidence (invariant 13)."""

from __future__ import annotations

import re

OWN_OUTPUT = "own_output"
RUN_MARKER = "hfea-run:"
FENCE_OPEN = "<hfea-recall"
_TOOL = re.compile(r"(?:mcp_{1,2})?hfea(?:[_.\-:/]|$)", re.IGNORECASE)
# The commands that print what is remembered, run from a shell: `hfea ask …`, `python -m hfea …`.
_COMMAND = re.compile(
    r"(?:^|[\s;&|(=\"'/\[,])hfea(?:[\"',\s]+--config[\"',\s=]+\S+)?[\"',\s]+"
    r"(?:ask|explain|episodes|facts|memory|fallback)\b"
)


def own_tool(name: str) -> bool:
    """Whether a tool of this name is HFEA itself, called directly or over MCP."""
    return bool(_TOOL.match(name))


def own_call(name: str, arguments: str) -> bool:
    """Whether a call asks HFEA: by its tool, or by a command line that prints memories."""
    return own_tool(name) or bool(_COMMAND.search(arguments))


def own_session(text: str) -> bool:
    """Whether a session's first words show that HFEA started it (a model run of its own)."""
    return RUN_MARKER in text[:2000]
