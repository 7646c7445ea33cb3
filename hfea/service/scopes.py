"""What a route depends on: the caller with the scope it needs, and the memory behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from fastapi import Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException

from hfea.service.auth import Caller
from hfea.service.doors import Memory
from hfea.service.tokens import Scope

# The guard has checked the token already; this tells the OpenAPI page that there is one.
_BEARER = HTTPBearer(auto_error=False, description="A token made by `hfea token create`.")


def caller_of(request: Request) -> Caller:
    """Return who the guard let in; 401 where it let a page's stranger in."""
    found = request.scope.get("state", {}).get("caller")
    if not isinstance(found, Caller):
        raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})
    return found


def needs(scope: Scope) -> Callable[..., None]:
    """Return a dependency that refuses callers without *scope* (403)."""

    def check(
        request: Request,
        _given: HTTPAuthorizationCredentials | None = Security(_BEARER),  # noqa: B008
    ) -> None:
        if not caller_of(request).scope.covers(scope):
            raise HTTPException(403)

    return check


def memory_of(request: Request) -> Memory:
    """Return the memory this application serves."""
    return cast("Memory", request.app.state.memory)
