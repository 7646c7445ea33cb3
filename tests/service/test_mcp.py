from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from service_world import Live, sealed_house

httpx2 = pytest.importorskip("httpx2", reason="it comes with MCP, an extra")
pytest.importorskip("mcp", reason="MCP is an extra: pip install 'hfea[mcp]'")

from mcp import ClientSession, MCPError, StdioServerParameters  # noqa: E402
from mcp.client.stdio import stdio_client  # noqa: E402
from mcp.client.streamable_http import streamable_http_client  # noqa: E402

TOOLS = {"ask", "recall", "remember", "feedback"}
Talk = Callable[[ClientSession], Awaitable[None]]


def over_stdio(config: Path, talk: Talk, log: Path) -> None:
    async def run() -> None:
        told = StdioServerParameters(
            command=sys.executable, args=["-m", "hfea", "--config", str(config), "mcp"]
        )
        with log.open("w", encoding="utf-8") as errors, anyio.fail_after(60):
            async with (
                stdio_client(told, errlog=errors) as (read, write),
                ClientSession(read, write) as session,
            ):
                await session.initialize()
                await talk(session)

    anyio.run(run)


def words(result: Any) -> str:
    return "".join(part.text for part in result.content)


async def everything(session: ClientSession) -> None:
    tools = (await session.list_tools()).tools
    assert {t.name for t in tools} == TOOLS
    assert all(t.description for t in tools)
    found = await session.call_tool("ask", {"question": "Qual cofre decidimos usar para as fotos?"})
    answer = json.loads(words(found))
    assert answer["outcome"] == "grounded"
    assert "cofre azul" in answer["answer"]
    recalled = json.loads(words(await session.call_tool("recall", {"question": "O carro da Ana?"})))
    assert "Corsa prata" in json.dumps(recalled, ensure_ascii=False)
    number = answer["question_id"]
    told = await session.call_tool("feedback", {"question_id": number, "value": "needed"})
    assert not told.is_error
    kept = json.loads(words(await session.call_tool("remember", {"text": "Ana joga xadrez."})))
    assert kept["state"] == "pending"
    said: list[str] = []
    for name, given in (
        ("feedback", {"question_id": "0" * 16, "value": "needed"}),
        ("feedback", {"question_id": "../x", "value": "needed"}),
        ("ask", {"question": "Que cofre?", "as_of": "../../etc/passwd"}),
        ("ask", {"question": ""}),
        ("remember", {"text": "x", "target": "skill"}),
        ("episodes", {}),
    ):
        try:
            refused = await session.call_tool(name, given)
        except MCPError as error:  # the protocol's own refusal
            said.append(str(error))
            continue
        assert refused.is_error
        said.append(words(refused))
    assert "Traceback" not in "".join(said)


def test_the_sdks_own_client_uses_every_tool_over_stdio(tmp_path: Path) -> None:
    settings = sealed_house(tmp_path)
    memory = (settings.core.home / "memories" / "MEMORY.md").read_bytes()
    over_stdio(settings.file, everything, tmp_path / "errors.log")
    assert (settings.core.home / "memories" / "MEMORY.md").read_bytes() == memory


def test_the_sdks_own_client_uses_every_tool_over_http(own: Live) -> None:
    async def run() -> None:
        headers = {"Authorization": f"Bearer {own.agent}"}
        with anyio.fail_after(60):
            async with (
                httpx2.AsyncClient(headers=headers, timeout=30) as http,
                streamable_http_client(f"{own.url}/mcp", http_client=http) as streams,
                ClientSession(streams[0], streams[1]) as session,
            ):
                await session.initialize()
                await everything(session)

    anyio.run(run)


def test_a_cancelled_question_leaves_the_session_usable(tmp_path: Path) -> None:
    settings = sealed_house(tmp_path)

    async def talk(session: ClientSession) -> None:
        with anyio.move_on_after(0.001) as gone:
            await session.call_tool("ask", {"question": "Qual cofre decidimos usar para as fotos?"})
        assert gone.cancelled_caught
        found = await session.call_tool("recall", {"question": "O carro da Ana?"})
        assert "Corsa" in words(found)

    over_stdio(settings.file, talk, tmp_path / "errors.log")


def test_o15_every_line_on_stdout_is_protocol(tmp_path: Path) -> None:
    settings = sealed_house(tmp_path)
    (settings.core.home / "memory_store.db").write_bytes(b"this is no database" * 100)
    calls = [
        {
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"},
            },
        },
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "tools/call", "params": {"name": "ask", "arguments": {"question": "Que cofre?"}}},
    ]  # fmt: skip
    noisy = """
import os, sys, threading, warnings
import hfea.config
real = hfea.config.load
def load(path=None):
    warnings.warn("startup")
    print("a banner")
    os.write(1, b"raw noise")
    for seconds in (0.1, 1, 2, 3, 5):
        threading.Timer(seconds, lambda: (print("later"), os.write(1, b"raw noise"))).start()
    return real(path)
hfea.config.load = load
import hfea.cli
sys.exit(hfea.cli.main(sys.argv[1:]))
"""
    process = subprocess.Popen(
        [sys.executable, "-W", "default", "-c", noisy, "--config", str(settings.file), "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    lines = []
    try:
        for call in calls:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **call}) + "\n")
            process.stdin.flush()
            if "id" in call:
                lines.append(process.stdout.readline())
        rest, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    lines += rest.splitlines()
    assert [json.loads(line)["jsonrpc"] for line in lines if line.strip()] == ["2.0"] * len(lines)
    assert {json.loads(line).get("id") for line in lines} >= {1, 2, 3}
    assert process.returncode == 0
    assert "startup" in errors


def test_mcp_without_settings_says_so_on_stderr_alone(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hfea", "--config", str(tmp_path / "none.toml"), "mcp"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1


def test_nonsense_over_http_is_refused_without_a_fault(own: Live) -> None:
    json_rpc = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    with own.client(own.agent) as client:
        for method in ("GET", "POST", "DELETE", "PUT"):
            for body in (b"", b"{", b"[]", b'{"jsonrpc":"2.0","id":1,"method":"no/such"}', b"\xff"):
                answer = client.request(method, "/mcp", content=body, headers=json_rpc)
                assert answer.status_code < 500, (method, body, answer.text)
                assert answer.status_code >= 400 or "error" in answer.json()
                assert "Traceback" not in answer.text
        assert client.post("/mcp", content=b" " * 300_000, headers=json_rpc).status_code == 413
