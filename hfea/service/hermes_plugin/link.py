"""The line from a Hermes process to the HFEA daemon: short, bounded, and quiet when it is down.

This file is copied into a Hermes home and runs there: it uses nothing but the standard library.
"""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

BUDGET = 1.0  # seconds a turn may wait for memory; Hermes itself allows eight
LONGEST = 64 * 1024  # bytes of an answer that are read
REST_REFUSED = 3.0  # seconds nobody is asked after the daemon was not there
REST_LATE = 30.0  # and after it did not answer in time
FENCE = "<hfea-recall"


class Down(Exception):
    """The daemon did not give a usable answer."""


class _Unix(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Link:
    """Calls of the daemon within a budget; *folder* holds `link.json` and `token`."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock = folder, clock
        self._rest_until = float("-inf")

    def settings(self) -> dict[str, Any]:
        """Return `link.json`; {} where it cannot be read."""
        try:
            found = json.loads((self._folder / "link.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def prefetch(self, query: str) -> str:
        """Return the fenced block for *query*, or '' when there is none in time."""
        if self._clock() < self._rest_until:
            return ""
        told = self.settings()
        budget = float(told.get("budget_seconds", BUDGET))
        box: list[dict[str, Any]] = []

        def work() -> None:
            try:
                box.append(self._post("/v1/prefetch", {"query": query[:20_000]}, budget))
            except Down:
                self._rest_until = self._clock() + REST_REFUSED

        thread = threading.Thread(target=work, name="hfea-prefetch", daemon=True)
        thread.start()
        thread.join(budget)
        if thread.is_alive():
            self._rest_until = self._clock() + REST_LATE
            return ""
        text = str(box[0].get("text", "")) if box else ""
        return text if text.startswith(FENCE) else ""

    def propose(self, change: dict[str, Any]) -> dict[str, Any]:
        """Send a change to the owner's queue. Raises Down."""
        return self._post("/v1/memory/proposals", change, 5.0)

    def _post(self, path: str, body: dict[str, Any], seconds: float) -> dict[str, Any]:
        end = self._clock() + seconds
        try:
            connection = self._connection(seconds)
            try:
                connection.request("POST", path, json.dumps(body), self._headers())
                answer = connection.getresponse()
                text = _read(connection, answer, end, self._clock)
            finally:
                connection.close()
            found = json.loads(text)
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise Down(type(error).__name__) from error
        if answer.status not in (200, 201) or not isinstance(found, dict):
            detail = str(found.get("detail", "")) if isinstance(found, dict) else ""
            raise Down(detail or str(answer.status))
        return found

    def _connection(self, seconds: float) -> http.client.HTTPConnection:
        told = self.settings()
        if told.get("socket"):
            return _Unix(str(told["socket"]), seconds)
        return http.client.HTTPConnection(
            str(told.get("host", "127.0.0.1")), int(told.get("port", 8765)), timeout=seconds
        )

    def _headers(self) -> dict[str, str]:
        secret = (self._folder / "token").read_text(encoding="ascii").strip()
        return {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}


def _read(
    connection: http.client.HTTPConnection,
    answer: http.client.HTTPResponse,
    end: float,
    clock: Callable[[], float],
) -> bytes:
    """Read an answer until *end*; one that drips is given up."""
    parts: list[bytes] = []
    while (left := end - clock()) > 0:
        if connection.sock is not None:
            connection.sock.settimeout(left)
        part = answer.read1(8192)
        parts.append(part)
        if not part or sum(map(len, parts)) > LONGEST:
            return b"".join(parts)
    raise TimeoutError
