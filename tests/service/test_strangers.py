from __future__ import annotations

import datetime as dt
import hmac
import json
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest
from service_world import Live, make_live, sealed_house, write_house

from hfea.cli import main
from hfea.config import load
from hfea.config_sections import ServiceSection
from hfea.errors import Unavailable, UsageError
from hfea.service import bind
from hfea.service.limits import Buckets, Limits
from hfea.service.server import Server
from hfea.service.tokens import Scope, Tokens, TokensUnreadable, UnknownToken

METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD")


def every_place(live: Live) -> list[str]:
    with live.client(live.agent) as client:
        page = client.get("/openapi.json").json()
    places = [p for p in page["paths"] if p != "/healthz"]
    more = [
        "/",
        "/day/2026-03-05",
        "/search?q=cofre",
        "/rates",
        "/login",
        "/logout",
        "/openapi.json",
    ]
    return [p.replace("{date}", "2026-03-05") for p in places] + [*more, "/docs", "/mcp", "/x/../y"]


def test_x11_every_call_needs_a_token_but_the_bare_health_route(live: Live) -> None:
    wrong = "hfea_" + "A" * 43
    with live.client() as client:
        for place in every_place(live):
            for method in METHODS:
                for headers in (
                    {},
                    {"Authorization": f"Bearer {wrong}"},
                    {"Authorization": live.maintainer},
                    {"Authorization": f"Basic {live.maintainer}"},
                    {"Cookie": f"hfea_session={live.maintainer}"},
                ):
                    answer = client.request(method, place, headers=headers)
                    page = place in ("/login", "/logout", "/", "/rates") or place[:4] in (
                        "/day",
                        "/sea",
                    )
                    allowed = (401, 405) if page else (401,)
                    assert answer.status_code in allowed, (method, place, headers)
                    assert "cofre azul" not in answer.text
        assert client.get("/healthz").json() == {"status": "ok"}
        assert client.head("/healthz").status_code == 200
        assert "hfea" not in client.get("/healthz").headers.get("server", "")


def test_x11_a_token_in_the_address_is_refused_even_beside_a_good_one(live: Live) -> None:
    with live.client(live.maintainer) as client:
        for name in ("token", "access_token", "API_KEY"):
            answer = client.get("/v1/episodes", params={name: live.maintainer})
            assert answer.status_code == 401


def test_x11_tokens_are_compared_in_constant_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = Tokens(tmp_path / "tokens.json")
    made = [tokens.create(f"n{i}", Scope.AGENT, dt.datetime.now(dt.UTC))[1] for i in range(3)]
    seen: list[str] = []
    real = hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", lambda a, b: (seen.append(a), real(a, b))[1])
    for secret in [*made, "hfea_" + "B" * 43]:
        seen.clear()
        found = tokens.check(secret)
        assert (found is not None) == (secret in made)
        assert len(seen) == 3  # all of them, also after the right one


def test_x12_other_names_and_origins_are_refused_before_any_handler(
    live: Live, shared: Path
) -> None:
    rows = (shared / "cases/files/X12/headers.jsonl").read_text("utf-8").splitlines()
    before = [r for r in live_traffic(live) if r[0].startswith("/v1")]
    for row in map(json.loads, rows):
        headers = {"Host": row["host"].replace("{port}", str(live.port))}
        if row["origin"] is not None:
            headers["Origin"] = row["origin"].replace("{port}", str(live.port))
        if row["token"]:
            headers["Authorization"] = f"Bearer {live.agent}"
        for method, place in (("GET", "/v1/fallback/rates"), ("POST", "/v1/prefetch")):
            with live.client() as client:
                answer = client.request(method, place, headers=headers, json={"query": "ok"})
            expected = row["expect"]
            assert answer.status_code == expected, row
        if row["expect"] == 403:
            for method in METHODS:
                with live.client() as client:
                    answer = client.request(method, "/mcp", headers=headers)
                assert answer.status_code == 403
    assert [r for r in live_traffic(live) if r[0].startswith("/v1") and r[1] == "403"] == [
        r for r in before if r[1] == "403"
    ]


def live_traffic(live: Live) -> list[tuple[str, str]]:
    with live.client(live.agent) as client:
        lines = client.get("/metrics").text.splitlines()
    found = [line for line in lines if line.startswith("hfea_http_requests_total{")]
    return [(line.split('"')[1], line.split('"')[3]) for line in found]


def test_x12_two_host_headers_or_none_are_refused(live: Live) -> None:
    for hosts in (["127.0.0.1", "evil.example"], ["evil.example", "127.0.0.1"]):
        with socket.create_connection(("127.0.0.1", live.port), 5) as s:
            lines = "".join(f"Host: {h}\r\n" for h in hosts)
            s.sendall(f"GET /healthz HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode())
            status = s.makefile("rb").readline().split()[1]
        assert status in (b"400", b"403")


@pytest.mark.parametrize(
    "address",
    ["0.0.0.0:8765", "[::]:8765", "192.168.1.20:8765", "mybox.example:8765", "10.0.0.1:1"],
)
def test_x13_an_address_others_can_reach_is_refused(tmp_path: Path, address: str) -> None:
    for extra in ("", "behind_tls_proxy = true", 'behind_tls_proxy = true\nhosts = ["h.example"]'):
        folder = tmp_path / str(len(extra))
        folder.mkdir()
        file = write_house(folder)
        text = file.read_text("utf-8").replace("127.0.0.1:0", address)
        file.write_text(text + extra + "\n", "utf-8")
        with pytest.raises(UsageError) as caught:
            Server(load(file))
        assert "[service] bind" in str(caught.value)
        assert "\n" not in str(caught.value)


def test_x13_the_daemon_says_why_it_does_not_start(tmp_path: Path) -> None:
    file = write_house(tmp_path)
    file.write_text(file.read_text("utf-8").replace("127.0.0.1:0", "0.0.0.0:8765"), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "hfea", "--config", str(file), "run"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("hfea: [service] bind '0.0.0.0:8765' can be reached by others")
    assert "Traceback" not in done.stderr


def test_x16_what_the_service_keeps_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        tokens = Tokens(tmp_path / "state" / "tokens.json")
        tokens.create("a", Scope.AGENT, dt.datetime.now(dt.UTC))
        place = tmp_path / "run" / "s.sock"
        settings = load(write_house(tmp_path))
        section = settings.service.model_copy(update={"socket": place})
        server = Server(settings.model_copy(update={"service": section}))
        try:
            for path in [*(tmp_path / "state").iterdir(), place]:
                assert path.stat().st_mode & 0o777 == 0o600, path
            for folder in (tmp_path / "state", tmp_path / "run"):
                assert folder.stat().st_mode & 0o777 == 0o700
        finally:
            server.close()
    finally:
        os.umask(before)


def test_x13_with_a_proxy_its_names_and_a_token_a_public_address_is_taken() -> None:
    section = ServiceSection(bind="0.0.0.0:8765", behind_tls_proxy=True, hosts=("h.example",))
    assert bind.place(section, tokens=1).host == "0.0.0.0"
    assert "h.example" in bind.names(section, 8765)
    for loopback in ("127.0.0.1:1", "[::1]:1", "localhost:1", "127.9.9.9:1"):
        assert bind.place(ServiceSection(bind=loopback), tokens=0).port == 1


@pytest.mark.parametrize(
    "address", ["", "8765", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:99999", ":1"]
)
def test_an_address_that_is_none_is_said(address: str) -> None:
    with pytest.raises(UsageError):
        bind.place(ServiceSection(bind=address), tokens=1)


def test_a_port_that_is_taken_is_said_at_the_start(live: Live, tmp_path: Path) -> None:
    file = write_house(tmp_path)
    file.write_text(file.read_text("utf-8").replace(":0", f":{live.port}"), "utf-8")
    with pytest.raises(Unavailable, match="cannot listen"):
        Server(load(file))


def test_tokens_are_kept_as_hashes_in_a_private_file(own: Live) -> None:
    folder = own.settings.file.parent / "hfea-state"
    kept = [p for p in folder.rglob("*") if p.is_file()]
    assert kept
    for path in kept:
        body = path.read_bytes()
        assert own.agent.encode() not in body
        assert own.agent.removeprefix("hfea_").encode() not in body
        assert path.stat().st_mode & 0o077 == 0
    file = folder / "tokens.json"
    file.chmod(0o644)
    with own.client(own.agent) as client:
        assert client.get("/v1/fallback/rates").status_code == 503
    with pytest.raises(TokensUnreadable):
        Tokens(file).all()


def test_a_revoked_token_opens_nothing_from_the_next_request_on(own: Live) -> None:
    with own.client(own.agent) as client:
        assert client.get("/v1/fallback/rates").status_code == 200
        number = next(t.id for t in own.tokens.all() if t.scope is Scope.AGENT)
        own.tokens.revoke(number, dt.datetime.now(dt.UTC))
        assert client.get("/v1/fallback/rates").status_code == 401
    with pytest.raises(UnknownToken):
        own.tokens.revoke(number, dt.datetime.now(dt.UTC))


def test_tokens_made_by_twenty_processes_at_once_are_all_kept(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "s" / "tokens.json")
    at = dt.datetime(2026, 3, 7, tzinfo=dt.UTC)
    threads = [
        threading.Thread(target=tokens.create, args=(f"a{i}", Scope.AGENT, at)) for i in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(t.name for t in Tokens(tmp_path / "s" / "tokens.json").all()) == sorted(
        f"a{i}" for i in range(20)
    )


def test_the_command_line_makes_lists_and_revokes_tokens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = ["--config", str(write_house(tmp_path)), "token"]
    assert main([*config, "create", "--scope", "agent", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert main([*config, "list"]) == 0
    listed = capsys.readouterr().out
    assert made["id"] in listed
    assert made["token"] not in listed
    assert main([*config, "revoke", made["id"]]) == 0
    capsys.readouterr()
    assert main([*config, "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tokens"][0]["revoked"]
    assert main([*config, "create", "--scope", "root"]) == 2
    assert main([*config, "revoke", "nope"]) == 2
    assert main([*config, "create", "--name", "a\nb"]) == 2


def test_tokens_and_questions_never_reach_the_log(
    own: Live, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with own.client(own.agent) as client:
        client.post("/v1/ask", json={"question": "Qual cofre secreto?"})
        client.get("/v1/episodes", params={"token": own.maintainer})
        client.get(f"/v1/{own.maintainer}")
        client.post("/v1/ask", content=b"{")
    said = [
        r.getMessage() + str(vars(r))
        for r in caplog.records
        if r.name.startswith(("hfea", "uvicorn"))
    ]
    for secret in (own.agent, own.maintainer, "cofre secreto"):
        assert not [line for line in said if secret in line]


def test_a_caller_that_asks_too_often_is_told_when_to_come_back(tmp_path: Path) -> None:
    live, stop = make_live(sealed_house(tmp_path), Limits(rate=0.5, burst=5))
    try:
        with live.client(live.agent) as client:
            answers = [client.get("/v1/fallback/rates") for _ in range(8)]
            assert [a.status_code for a in answers[:5]] == [200] * 5
            assert answers[-1].status_code == 429
            assert int(answers[-1].headers["retry-after"]) >= 1
            assert client.get("/healthz").status_code == 200
        with live.client(live.maintainer) as owner:
            assert owner.get("/v1/fallback/rates").status_code == 200
    finally:
        stop()


def test_a_body_that_stops_coming_is_given_up(tmp_path: Path) -> None:
    live, stop = make_live(sealed_house(tmp_path), Limits(body_seconds=0.3))
    try:
        with socket.create_connection(("127.0.0.1", live.port), 10) as s:
            head = (
                f"Host: localhost\r\nAuthorization: Bearer {live.agent}\r\nContent-Length: 90\r\n"
            )
            s.sendall(f"POST /v1/ask HTTP/1.1\r\n{head}\r\n{{".encode())
            assert s.makefile("rb").readline().split()[1] == b"408"
        with live.client(live.agent) as client:
            assert client.get("/v1/fallback/rates").status_code == 200
    finally:
        stop()


def test_a_bucket_fills_again_with_time() -> None:
    now = [0.0]
    buckets = Buckets(2.0, 3, lambda: now[0])
    assert [buckets.take("a") for _ in range(3)] == [0.0, 0.0, 0.0]
    assert buckets.take("a") == pytest.approx(0.5)
    assert buckets.take("b") == 0.0
    now[0] = 0.5
    assert buckets.take("a") == 0.0


def test_a_unix_socket_is_private_and_goes_when_the_service_does(tmp_path: Path) -> None:
    settings = sealed_house(tmp_path)
    place = tmp_path / "run" / "hfea.sock"
    section = settings.service.model_copy(update={"socket": place})
    settings = settings.model_copy(update={"service": section})
    tokens = Tokens(tmp_path / "hfea-state" / "tokens.json")
    secret = tokens.create("a", Scope.AGENT, dt.datetime.now(dt.UTC))[1]
    server, over = Server(settings), threading.Event()
    thread = threading.Thread(target=server.run, args=(over.is_set,))
    thread.start()
    try:
        assert place.stat().st_mode & 0o777 == 0o600
        with httpx.Client(
            transport=httpx.HTTPTransport(uds=str(place)), base_url="http://localhost"
        ) as client:
            headers = {"Authorization": f"Bearer {secret}"}
            assert client.get("/v1/fallback/rates", headers=headers).status_code == 200
            assert client.get("/v1/fallback/rates").status_code == 401
    finally:
        over.set()
        thread.join(20)
    assert not place.exists()


def test_a_running_answer_is_finished_when_the_service_is_asked_to_stop(tmp_path: Path) -> None:
    live, stop = make_live(sealed_house(tmp_path))
    body = json.dumps({"question": "Que cofre?"}).encode()
    stopping = threading.Thread(target=stop)
    with socket.create_connection(("127.0.0.1", live.port), 30) as s:
        head = f"Host: localhost\r\nAuthorization: Bearer {live.agent}"
        head += f"\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        s.sendall(f"POST /v1/ask HTTP/1.1\r\n{head}\r\nExpect: 100-continue\r\n\r\n".encode())
        answer = s.makefile("rb")
        assert answer.readline().split()[1] == b"100"  # it runs now
        stopping.start()
        time.sleep(1.0)
        s.sendall(body)
        assert answer.readline() == b"\r\n"
        assert answer.readline().split()[1] == b"200"
    stopping.join(30)
    assert not stopping.is_alive()


def test_the_daemon_serves_while_it_waits_for_the_night(tmp_path: Path) -> None:
    file = write_house(tmp_path)
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    file.write_text(file.read_text("utf-8").replace("127.0.0.1:0", f"127.0.0.1:{port}"), "utf-8")
    daemon = subprocess.Popen(
        [sys.executable, "-m", "hfea", "--config", str(file), "run"],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        for _ in range(200):
            try:
                if httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.1)
        else:
            pytest.fail("the daemon did not answer in twenty seconds")
        daemon.terminate()
        _, said = daemon.communicate(timeout=30)
    finally:
        daemon.kill()
    assert daemon.returncode == 0
    assert all(json.loads(line) for line in said.splitlines())
