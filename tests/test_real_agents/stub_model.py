"""A model endpoint on loopback that says what a test tells it to, and keeps what it was sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Stub:
    """Scripted answers, in order; the last one is repeated."""

    def __init__(self, answers: list[dict[str, Any]]) -> None:
        self.answers, self.requests = answers, list[dict[str, Any]]()
        self.url = ""

    def next(self, request: dict[str, Any]) -> dict[str, Any]:
        self.requests.append(request)
        return self.answers[min(len(self.requests), len(self.answers)) - 1]


@contextmanager
def stub_model(*answers: dict[str, Any]) -> Iterator[Stub]:
    stub = Stub(list(answers))

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            self._send(b'{"object":"list","data":[{"id":"stub","object":"model"}]}', "json")

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length", "0"))))
            if not self.path.endswith("/chat/completions"):
                self.send_error(404)
                return
            message = stub.next(body)
            reason = "tool_calls" if message.get("tool_calls") else "stop"
            head = {"id": "c1", "created": 1, "model": "stub"}
            usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
            if not body.get("stream"):
                choice = {"index": 0, "message": message, "finish_reason": reason}
                whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
                self._send(json.dumps(whole).encode(), "json")
                return
            delta = dict(message)
            if calls := delta.get("tool_calls"):
                delta["tool_calls"] = [{"index": i, **c} for i, c in enumerate(calls)]
            parts = [
                {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
                {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
                {"choices": [], "usage": usage},
            ]
            lines = [{**head, "object": "chat.completion.chunk", **p} for p in parts]
            text = "".join(f"data: {json.dumps(line)}\n\n" for line in lines) + "data: [DONE]\n\n"
            self._send(text.encode(), "event-stream")

        def _send(self, body: bytes, kind: str) -> None:
            self.send_response(200)
            mime = "application/json" if kind == "json" else "text/event-stream"
            self.send_header("content-type", mime)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stub.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
