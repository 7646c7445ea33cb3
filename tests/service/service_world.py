"""A house with two sealed days, and the real service on a free loopback port."""

from __future__ import annotations

import datetime as dt
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import httpx

from hfea.config import Settings, load
from hfea.gate import state_folder
from hfea.night.run import Order, Watch
from hfea.service.limits import Limits
from hfea.service.server import Server
from hfea.service.tokens import FILE_NAME, Scope, Tokens
from hfea.wiring import consolidate

ROWS = [
    ("m1", "2026-03-05T12:00:00-03:00", "user", "Decidimos usar o cofre azul para as fotos porque o verde encheu."),
    ("m2", "2026-03-05T12:01:00-03:00", "assistant", "Certo, o cofre azul fica com as fotos."),
    ("m3", "2026-03-06T09:00:00-03:00", "user", "We chose the Porto train for Friday, not the bus."),
]  # fmt: skip
MEMORY = "Ana prefere respostas em português.\n§\nO carro da Ana é um Corsa prata."


def write_house(folder: Path, extra: str = "") -> Path:
    history = folder / "history.jsonl"
    keys = ("id", "ts", "role", "content")
    rows = [dict(zip(keys, r, strict=True)) | {"session_id": "s1", "author": "Ana"} for r in ROWS]
    history.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), "utf-8")
    memories = folder / "home" / "memories"
    memories.mkdir(parents=True)
    (memories / "MEMORY.md").write_text(MEMORY, "utf-8")
    file = folder / "hfea.toml"
    file.write_text(
        f"""timezone = "America/Sao_Paulo"
[owner]
names = ["Ana"]
[archive]
path = "{folder}/archive"
[core]
home = "{folder}/home"
history_days = 0
[[sources]]
kind = "jsonl"
path = "{history}"
[service]
bind = "127.0.0.1:0"
{extra}
""",
        "utf-8",
    )
    return file


def sealed_house(folder: Path) -> Settings:
    settings = load(write_house(folder))
    night = consolidate(settings, Order(), Watch(lambda: False, lambda *_: None))
    assert night.exit_code == 0
    return settings


@dataclass(frozen=True)
class Live:
    """The running service and a token of each scope."""

    settings: Settings
    url: str
    port: int
    agent: str
    maintainer: str
    tokens: Tokens

    def client(self, token: str = "", **more: object) -> httpx.Client:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(base_url=self.url, headers=headers, timeout=20, **more)  # type: ignore[arg-type]


def serve(settings: Settings, limits: Limits | None) -> tuple[Server, Callable[[], None]]:
    server, over = Server(settings, limits), threading.Event()
    thread = threading.Thread(target=server.run, args=(over.is_set,))
    thread.start()

    def stop() -> None:
        over.set()
        thread.join(20)
        assert not thread.is_alive()

    return server, stop


def make_live(settings: Settings, limits: Limits | None = None) -> tuple[Live, Callable[[], None]]:
    tokens = Tokens(state_folder(settings) / FILE_NAME)
    at = dt.datetime(2026, 3, 7, tzinfo=dt.UTC)
    agent = tokens.create("hermes", Scope.AGENT, at)[1]
    maintainer = tokens.create("Ana", Scope.MAINTAINER, at)[1]
    server, stop = serve(settings, limits)
    port = server.place.port
    live = Live(settings, f"http://127.0.0.1:{port}", port, agent, maintainer, tokens)
    with live.client() as client:
        for _ in range(100):
            try:
                if client.get("/healthz").status_code == 200:
                    break
            except httpx.TransportError:
                threading.Event().wait(0.05)
    return live, stop
