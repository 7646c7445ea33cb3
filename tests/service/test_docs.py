from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from service_world import Live

from hfea.config_sections import ServiceSection

DOCS = Path(__file__).resolve().parents[2] / "docs"
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def snippets(kind: str) -> list[Any]:
    found = []
    for name in ("api.md", "agents.md"):
        parts = _FENCE.findall((DOCS / name).read_text("utf-8"))
        found += [
            pytest.param(text, id=f"{name}-{n}") for n, (k, text) in enumerate(parts) if k == kind
        ]
    return found


def environment(live: Live) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HFEA_URL": live.url,
        "HFEA_TOKEN": live.agent,
        "HFEA_MAINTAINER_TOKEN": live.maintainer,
        "HFEA_CONFIG": str(live.settings.file),
    }


@pytest.mark.parametrize("text", snippets("sh"))
def test_each_shell_snippet_works(live: Live, text: str, caplog: pytest.LogCaptureFixture) -> None:
    if shutil.which("curl") is None:
        pytest.skip("needs curl")
    done = subprocess.run(
        ["sh", "-c", text], env=environment(live), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert "status" not in answer, [answer, *(vars(r).get("why") for r in caplog.records)]


@pytest.mark.parametrize("text", snippets("python"))
def test_each_python_snippet_works(live: Live, text: str) -> None:
    if "mcp" in text:
        pytest.importorskip("mcp", reason="MCP is an extra: pip install 'hfea[mcp]'")
    done = subprocess.run(
        [sys.executable, "-W", "error::SyntaxWarning", "-c", text],
        env=environment(live),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "azul" in done.stdout or "Corsa" in done.stdout


@pytest.mark.parametrize("text", snippets("json"))
def test_each_mcp_entry_names_a_command_or_an_address_that_is_ours(text: str) -> None:
    table = json.loads(text)
    servers = table.get("mcpServers") or table["mcp"]["servers"]
    entry = servers["hfea"]
    if "url" in entry:
        assert entry["url"].endswith("/mcp")
        assert entry["headers"]["Authorization"].startswith("Bearer ")
    else:
        assert [entry["command"], *entry["args"]] == ["hfea", "mcp"]


@pytest.mark.parametrize("text", snippets("toml"))
def test_each_settings_snippet_is_valid(text: str) -> None:
    ServiceSection(**tomllib.loads(text)["service"])


@pytest.mark.parametrize("text", snippets("console"))
def test_each_command_of_the_docs_is_there(text: str) -> None:
    for line in text.splitlines():
        words = line.partition("#")[0].removeprefix("$ ").split()
        assert words[0] == "hfea"
        names = [w for w in words[1:3] if w.islower()]
        done = subprocess.run(
            [sys.executable, "-m", "hfea", *names, "--help"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, line
        for option in (w for w in words if w.startswith("--")):
            assert option in done.stdout, line


def test_every_call_and_metric_is_in_the_docs(live: Live) -> None:
    text = (DOCS / "api.md").read_text("utf-8")
    with live.client(live.agent) as client:
        paths = client.get("/openapi.json").json()["paths"]
        metrics = client.get("/metrics").text
    for path in paths:
        assert path in text, path
    for name in re.findall(r"^# TYPE (\S+)", metrics, re.MULTILINE):
        assert name in text, name
