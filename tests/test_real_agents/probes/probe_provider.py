# ruff: noqa: T201 - a probe answers on stdout
"""Run by Hermes's own Python: load the memory provider by Hermes's loader into its own manager."""

import json
import sys
import time

from agent.memory_manager import MemoryManager
from plugins.memory import discover_memory_providers, load_memory_provider

told = json.loads(sys.argv[1])
provider = load_memory_provider("hfea-memory")
manager = MemoryManager()
manager.add_provider(provider)
manager.initialize_all("s1", hermes_home=told["home"], platform="cli", agent_context="primary")
answers = []
for _ in range(told.get("times", 1)):
    began = time.monotonic()
    found = manager.prefetch_all(told["message"], session_id="s1")
    answers.append({"found": found, "seconds": time.monotonic() - began})
manager.sync_all("a", "b", session_id="s1")
tool = manager.handle_tool_call("hfea_propose", {"text": "Ana tem um cachorro."})
print(
    "ANSWER "
    + json.dumps(
        {
            "answers": answers,
            "known": [name for name, _, _ in discover_memory_providers()],
            "tools": sorted(manager.get_all_tool_names()),
            "prompt": manager.build_system_prompt(),
            "tool": json.loads(tool),
        }
    )
)
manager.shutdown_all()
