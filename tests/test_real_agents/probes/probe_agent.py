# ruff: noqa: T201 - a probe answers on stdout
"""Run by Hermes's own Python: one turn of the real agent loop against a stub model."""

import json
import sys

from hermes_cli.plugins import discover_plugins
from run_agent import AIAgent

told = json.loads(sys.argv[1])
discover_plugins()
agent = AIAgent(
    base_url=told["endpoint"],
    api_key="none",
    provider="custom",
    model="stub",
    max_iterations=4,
    quiet_mode=True,
    platform="cli",
    enabled_toolsets=["memory"],
    skip_context_files=True,
)
found = agent.run_conversation(told["message"])
print("ANSWER " + json.dumps({"final": str(found.get("final_response"))}))
