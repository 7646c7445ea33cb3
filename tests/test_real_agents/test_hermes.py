"""HFEA in the published `hermes-agent`: its own plugin loader, memory manager and agent loop.

They run with another Python, that of a venv which has `hermes-agent`: HFEA_HERMES_PYTHON names it,
or it is `.venv-hermes/bin/python` beside the sources (`python -m venv .venv-hermes` and
`.venv-hermes/bin/pip install hermes-agent`).
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from service_world import Live, make_live, sealed_house
from stub_model import stub_model

from hfea.clock import SystemClock
from hfea.config import Settings
from hfea.service import hermes, hermes_verify

ROOT = Path(__file__).resolve().parents[2]
PROBES = Path(__file__).resolve().parent / "probes"
BUDGET = 1.0
SLACK = 0.7  # a busy machine of two cores
KNOWN = "Qual é mesmo o carro da Ana?"
ARCHIVED = "Qual cofre decidimos usar para as fotos?"


@pytest.fixture(scope="session")
def python() -> Path:
    told = os.environ.get("HFEA_HERMES_PYTHON", "")
    found = Path(told) if told else ROOT / ".venv-hermes" / "bin" / "python"
    if not found.exists():
        pytest.skip("needs a venv with hermes-agent: set HFEA_HERMES_PYTHON or make .venv-hermes")
    return found


def probe(python: Path, name: str, home: Path, **told: Any) -> dict[str, Any]:
    away = home.parent / "nobody"
    away.mkdir(exist_ok=True)
    environment = {
        "HERMES_HOME": str(home),
        "HOME": str(away),
        "PATH": os.environ["PATH"],
        "PYTHONDONTWRITEBYTECODE": "1",
        "HERMES_QUIET": "1",
    }
    done = subprocess.run(
        [str(python), str(PROBES / f"probe_{name}.py"), json.dumps({"home": str(home), **told})],
        env=environment,
        cwd=away,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("ANSWER ")]
    assert lines, done.stderr[-3000:]
    found = json.loads(lines[-1].removeprefix("ANSWER "))
    assert isinstance(found, dict)
    return found


@contextmanager
def somebody(behaviour: str) -> Iterator[int]:
    """Listen where the daemon should be, and behave badly."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(16)
    listening.settimeout(0.2)
    over, kept = threading.Event(), list[socket.socket]()

    def drip(one: socket.socket) -> None:
        try:
            one.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n")
            while not over.wait(0.3):
                one.sendall(b" ")
        except OSError:
            return

    def loop() -> None:
        while not over.is_set():
            try:
                one, _ = listening.accept()
            except OSError:
                continue
            kept.append(one)
            if behaviour == "drips":
                threading.Thread(target=drip, args=(one,), daemon=True).start()
            elif behaviour == "nonsense":
                one.recv(4096)
                one.sendall(b"\x00\xff not http\r\n\r\n")
                one.close()

    thread = threading.Thread(target=loop)
    thread.start()
    try:
        yield int(listening.getsockname()[1])
    finally:
        over.set()
        thread.join(5)
        listening.close()
        for one in kept:
            one.close()


def pointed(settings: Settings, port: int) -> Settings:
    """Return settings whose service is at *port*, as a settings file would say it."""
    section = settings.service.model_copy(update={"bind": f"127.0.0.1:{port}"})
    return settings.model_copy(update={"service": section})


def installed(live: Live, **wanted: bool) -> Path:
    home = live.settings.core.home
    (home / "config.yaml").write_text("memory:\n  provider: ''  # none\nplugins:\n  enabled: []\n")
    settings = pointed(live.settings, live.port)
    hermes.install(settings, home, hermes.Wanted(**wanted), SystemClock())
    return home


@pytest.fixture
def up(tmp_path: Path) -> Iterator[Live]:
    live, stop = make_live(sealed_house(tmp_path))
    yield live
    stop()


def test_hermes_loads_the_plugin_and_its_hook_recalls_within_the_budget(
    python: Path, up: Live
) -> None:
    home = installed(up)
    found = probe(python, "hooks", home, message=KNOWN, times=5)
    assert [p["name"] for p in found["plugins"]] == ["hfea"]
    assert found["plugins"][0]["enabled"]
    for answer in found["answers"]:
        assert answer["seconds"] < BUDGET + SLACK
    text = found["answers"][-1]["found"][0]["context"]
    assert text.startswith("<hfea-recall")
    assert "Corsa prata" in text
    assert hermes_verify.missing(hermes_verify.verify(pointed(up.settings, up.port), home)) == []


def test_nothing_of_the_archive_is_ever_in_what_hermes_prefetches(python: Path, up: Live) -> None:
    home = installed(up, provider=True)
    for name in ("hooks", "provider"):
        found = probe(python, name, home, message=ARCHIVED)
        assert "azul" not in json.dumps(found, ensure_ascii=False)
        assert "archive" not in json.dumps(found["answers"])


@pytest.mark.parametrize("behaviour", ["down", "hangs", "drips", "nonsense"])
@pytest.mark.parametrize("name", ["hooks", "provider"])
def test_a_daemon_that_is_away_or_ill_costs_a_turn_no_more_than_the_budget(
    python: Path, tmp_path: Path, behaviour: str, name: str
) -> None:
    live, stop = make_live(sealed_house(tmp_path))
    home = installed(live, provider=True)
    stop()

    def answers(port: int) -> list[dict[str, Any]]:
        for plugin in ("hfea", "hfea-memory"):
            path = home / "plugins" / plugin / "link.json"
            path.write_text(json.dumps({**json.loads(path.read_text()), "port": port}))
        found = probe(python, name, home, message=KNOWN, times=3)
        return list(found["answers"])

    if behaviour == "down":
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = int(free.getsockname()[1])
        found = answers(port)
    else:
        with somebody(behaviour) as port:
            found = answers(port)
    assert all(not a["found"] for a in found)
    assert found[0]["seconds"] < BUDGET + SLACK
    # And then it is left in peace for a while: a hung daemon costs one turn, not each of them.
    assert all(a["seconds"] < SLACK for a in found[1:])


def test_machine_sessions_and_small_talk_are_not_recalled_for(python: Path, up: Live) -> None:
    home = installed(up)
    assert probe(python, "hooks", home, message=KNOWN, platform="cron")["answers"][0]["found"] == []
    assert probe(python, "hooks", home, message="ok")["answers"][0]["found"] == []
    parts = [{"type": "text", "text": KNOWN}, {"type": "image_url", "image_url": {"url": "data:"}}]
    assert probe(python, "hooks", home, message=parts)["answers"][0]["found"]


def test_hermes_memory_manager_takes_the_provider_its_prefetch_and_its_one_tool(
    python: Path, up: Live
) -> None:
    home = installed(up, provider=True)
    found = probe(python, "provider", home, message=KNOWN, times=3)
    assert "hfea-memory" in found["known"]
    assert found["tools"] == ["hfea_propose"]
    assert "quoted data" in found["prompt"]
    assert all(a["seconds"] < BUDGET + SLACK for a in found["answers"])
    assert "Corsa prata" in found["answers"][-1]["found"]
    assert found["tool"]["state"] == "pending"


def test_the_real_agent_loop_sends_the_recall_block_with_the_message(
    python: Path, up: Live
) -> None:
    home = installed(up)
    with stub_model({"role": "assistant", "content": "Um Corsa prata."}) as model:
        found = probe(python, "agent", home, message=KNOWN, endpoint=model.url)
        assert "Corsa" in found["final"]
        sent = json.dumps(model.requests, ensure_ascii=False)
    assert "<hfea-recall" in sent
    assert "cofre" not in sent


def test_with_the_guard_the_real_agents_memory_tool_writes_nothing_and_the_owner_decides(
    python: Path, up: Live
) -> None:
    home = installed(up, guard=True)
    memory = home / "memories" / "MEMORY.md"
    before = memory.read_bytes()
    step = {"action": "add", "target": "memory", "content": "Ana joga xadrez às quintas."}
    call = {
        "id": "call_1",
        "type": "function",
        "function": {"name": "memory", "arguments": json.dumps(step)},
    }
    asks = {"role": "assistant", "content": "", "tool_calls": [call]}
    with stub_model(asks, {"role": "assistant", "content": "Feito."}) as model:
        probe(
            python, "agent", home, message="Guarde que jogo xadrez às quintas", endpoint=model.url
        )
        results = [m for r in model.requests for m in r["messages"] if m["role"] == "tool"]
    assert memory.read_bytes() == before
    assert "Proposed to the owner" in json.dumps(results, ensure_ascii=False)
    with up.client(up.maintainer) as owner:
        waiting = owner.get("/v1/memory/proposals").json()["proposals"]
    assert [p["text"] for p in waiting] == [step["content"]]


def test_with_the_guard_and_no_daemon_memory_stays_as_it_is(python: Path, tmp_path: Path) -> None:
    live, stop = make_live(sealed_house(tmp_path))
    home = installed(live, guard=True)
    stop()
    memory = home / "memories" / "MEMORY.md"
    before = memory.read_bytes()
    step = json.dumps({"action": "add", "target": "memory", "content": "Ana joga xadrez."})
    call = {"id": "c1", "type": "function", "function": {"name": "memory", "arguments": step}}
    asks = {"role": "assistant", "content": "", "tool_calls": [call]}
    with stub_model(asks, {"role": "assistant", "content": "Não deu."}) as model:
        probe(python, "agent", home, message="Guarde isso", endpoint=model.url)
        sent = json.dumps(model.requests, ensure_ascii=False)
    assert memory.read_bytes() == before
    assert "Memory was not changed" in sent


def test_an_update_of_hermes_is_noticed_once(python: Path, up: Live) -> None:
    home = installed(up)
    settings = pointed(up.settings, up.port)
    probe(python, "hooks", home, message=KNOWN)
    first = hermes_verify.verify(settings, home)
    hermes_verify.renew(home, first)
    fired = home / "plugins" / "hfea" / "fired.json"
    told = json.loads(fired.read_text())
    assert told["version"]
    fired.write_text(json.dumps({**told, "version": "99.0"}))
    again = hermes_verify.verify(settings, home)
    assert [m.name for m in hermes_verify.missing(again)] == ["hermes_version"]
    hermes_verify.renew(home, again)
    assert hermes_verify.missing(hermes_verify.verify(settings, home)) == []
