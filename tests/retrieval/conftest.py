# ruff: noqa: ANN002, ANN202, C901 - a test double says what it is by its name
"""A real loopback model server that can be slow, hung, failing or wrong."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


class ModelServer:
    """Speaks /api/embed and /v1/embeddings; `behave` decides what happens next."""

    def __init__(self) -> None:
        self.behave = "well"
        self.calls: list[list[str]] = []
        self.dimension = 4
        self.release = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.calls.append(sent["input"])
                outer.answer(self, sent["input"])

            def log_message(self, *_args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def vector(self, text: str) -> list[float]:
        return [float(len(text) % 7 + 1), float(text.count("a") + 1), 1.0, 2.0][: self.dimension]

    def answer(self, handler: BaseHTTPRequestHandler, texts: list[str]) -> None:
        if self.behave == "hang":
            self.release.wait(20)
            return
        if self.behave == "drip":
            handler.send_response(200)
            handler.end_headers()
            for _ in range(200):
                if self.release.wait(0.05):
                    return
                try:
                    handler.wfile.write(b" ")
                except OSError:
                    return
        if self.behave == "fail":
            handler.send_error(500)
            return
        if self.behave.startswith("slow"):
            time.sleep(float(self.behave.split()[1]))
        rows = [self.vector(t) for t in texts]
        if self.behave == "nan":
            rows[-1][0] = float("nan")
        if self.behave == "short":
            rows.pop()
        if handler.path == "/api/embed":
            body = {"embeddings": rows}
        else:
            body = {"data": [{"index": i, "embedding": r} for i, r in enumerate(rows)][::-1]}
        sent = b"no json" if self.behave == "garbage" else json.dumps(body).encode()
        handler.send_response(200)
        handler.end_headers()
        try:
            handler.wfile.write(sent)
        except OSError:
            return  # the caller's time was over

    def stop(self) -> None:
        self.release.set()
        self.http.shutdown()
        self.http.server_close()


@pytest.fixture
def server():
    running = ModelServer()
    yield running
    running.stop()
