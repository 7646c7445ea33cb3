"""MCP over streamable HTTP at `/mcp`, inside the guard; the SDK is loaded at the first call."""

from __future__ import annotations

import asyncio
import importlib.util
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from hfea.service.doors import Memory
from hfea.service.problems import problem

if TYPE_CHECKING:
    from mcp.server import MCPServer


class McpMount:
    """An ASGI application that becomes the SDK's own once somebody calls it."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._app: ASGIApp | None = None
        self._lock = asyncio.Lock()
        self._over = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; a GET has no stream to wait for: this server says nothing unasked."""
        if scope["method"] != "POST":
            await problem(405, headers={"Allow": "POST"})(scope, receive, send)
            return
        async with self._lock:
            if self._app is None and importlib.util.find_spec("mcp") is not None:
                self._app = await self._begin()
        if self._app is None:
            said = "MCP is an extra: pip install 'hfea[mcp]'"
            await problem(503, said)(scope, receive, send)
            return
        await self._app({**scope, "path": "/mcp", "root_path": ""}, receive, send)

    async def close(self) -> None:
        """End the sessions."""
        self._over.set()
        if self._task is not None:
            await self._task

    async def _begin(self) -> ASGIApp:
        made = await run_in_threadpool(_load, self._memory)
        from mcp.server.transport_security import TransportSecuritySettings  # noqa: PLC0415

        # Names and origins are the guard's business; it knows the configured ones.
        rules = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        app = made.streamable_http_app(
            json_response=True, stateless_http=True, transport_security=rules
        )
        ready = asyncio.Event()

        async def hold() -> None:
            # The SDK's task group must be left by the task that entered it.
            async with made.session_manager.run():
                ready.set()
                await self._over.wait()

        self._task = asyncio.create_task(hold())
        await ready.wait()
        return app


def _load(memory: Memory) -> MCPServer[object]:
    from hfea.service.mcp import server  # noqa: PLC0415 - seconds of imports

    return server(memory)
