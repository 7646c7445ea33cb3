"""The application: routes, problems, metrics, health, pages and MCP, inside the guard."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from fastapi import Depends, FastAPI, Request
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Lifespan

from hfea import __version__
from hfea.service import problems, routes_owner, web
from hfea.service.auth import Door, Sessions
from hfea.service.doors import Memory
from hfea.service.http import Guard, Rules
from hfea.service.limits import Limits
from hfea.service.mcp_mount import McpMount
from hfea.service.metrics import MEDIA_TYPE, exposition
from hfea.service.routes import PROBLEMS, House, agent
from hfea.service.scopes import needs
from hfea.service.tally import Traffic
from hfea.service.tokens import Scope, Tokens


@dataclass(frozen=True, slots=True)
class Frontage:
    """What the application shows to the outside: tokens, its own names, limits, zone."""

    tokens: Tokens
    names: frozenset[str]
    limits: Limits = field(default_factory=Limits)
    behind_tls: bool = False


def build(memory: Memory, front: Frontage) -> ASGIApp:
    """Return the whole service for *memory*, guarded."""
    mcp = McpMount(memory)
    app = FastAPI(
        lifespan=_closing(mcp),
        title="HFEA",
        version=__version__,
        description="The story of a personal agent: ask, recall, propose; errors are problems.",
        docs_url=None,  # its scripts would come from elsewhere
        redoc_url=None,
        redirect_slashes=False,
    )
    door, traffic = Door(front.tokens, Sessions()), Traffic()
    app.state.memory, app.state.door, app.state.traffic = memory, door, traffic
    app.state.behind_tls = front.behind_tls
    problems.install(app)
    app.get("/healthz", tags=["service"])(healthz)
    app.head("/healthz", include_in_schema=False)(healthz)
    anyone = [Depends(needs(Scope.AGENT))]
    app.get("/readyz", tags=["service"], responses=PROBLEMS, dependencies=anyone)(readyz)
    app.get("/metrics", tags=["service"], responses=PROBLEMS, dependencies=anyone)(metrics)
    app.include_router(agent)
    app.include_router(routes_owner.owner)
    app.include_router(web.pages)
    app.router.routes.append(Route("/mcp", mcp))
    return Guard(app, Rules(front.names, door, front.limits), traffic)


def _closing(mcp: McpMount) -> Lifespan[FastAPI]:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        await mcp.close()

    return lifespan


def healthz() -> dict[str, str]:
    """Say that the process answers, and nothing else; the one call without a token."""
    return {"status": "ok"}


def readyz(house: House) -> JSONResponse:
    """Say whether key, ledger and index can be read; 503 where one cannot."""
    found = house.ready()
    return JSONResponse(found, 200 if found["ready"] else 503)


def metrics(request: Request, house: House) -> PlainTextResponse:
    """Return counts for Prometheus."""
    text = exposition(house.gauges(), request.app.state.traffic)
    return PlainTextResponse(text, media_type=MEDIA_TYPE)
