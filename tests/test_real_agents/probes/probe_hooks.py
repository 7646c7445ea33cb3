# ruff: noqa: T201 - a probe answers on stdout
"""Run by Hermes's own Python: load plugins as Hermes does, fire a hook several times, print times."""

import json
import sys
import time

from hermes_cli.plugins import discover_plugins, get_plugin_manager, invoke_hook

told = json.loads(sys.argv[1])
discover_plugins()
answers = []
for _ in range(told.get("times", 1)):
    began = time.monotonic()
    found = invoke_hook(
        "pre_llm_call",
        session_id="s1",
        task_id="t1",
        turn_id="u1",
        user_message=told["message"],
        conversation_history=[],
        is_first_turn=True,
        model="stub",
        platform=told.get("platform", "cli"),
        sender_id="",
    )
    answers.append({"found": found, "seconds": time.monotonic() - began})
plugins = [p for p in get_plugin_manager().list_plugins() if p["name"].startswith("hfea")]
print("ANSWER " + json.dumps({"answers": answers, "plugins": plugins}))
