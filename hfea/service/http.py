"""The outermost shell: names, origins, tokens, rates and sizes, before any handler runs."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hfea.errors import HfeaError
from hfea.service.auth import Caller, Door
from hfea.service.limits import Buckets, Limits
from hfea.service.problems import TOO_LARGE, problem
from hfea.service.tally import Traffic

log = logging.getLogger(__name__)

OPEN = frozenset({"/healthz"})
SIGN_IN = "/login"
PAGES = frozenset({"/", "/search", "/rates", "/logout", SIGN_IN})
_DAY_PAGE = "/day/"
_IN_URL = frozenset({"token", "access_token", "api_key", "apikey", "key", "authorization", "auth"})
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
_NO_PAGE = "default-src 'none'; frame-ancestors 'none'"


class TooSlow(HTTPException):
    """The body does not come."""

    def __init__(self) -> None:
        super().__init__(HTTPStatus.REQUEST_TIMEOUT)


class TooLarge(HTTPException):
    """The body is longer than the limit (an exception that the framework lets through)."""

    def __init__(self) -> None:
        super().__init__(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


@dataclass(frozen=True, slots=True)
class Rules:
    """What the guard goes by: our own names, the door, the limits."""

    names: frozenset[str]
    door: Door
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Refused(Exception):
    """A request goes no further."""

    status: int
    detail: str
    headers: Mapping[str, str] = field(default_factory=dict)


class Guard:
    """Wraps the whole application; what it refuses reaches no handler and no route."""

    def __init__(self, app: ASGIApp, rules: Rules, traffic: Traffic) -> None:
        self._app, self._rules, self._traffic = app, rules, traffic
        limits = rules.limits
        self._rate = Buckets(limits.rate, limits.burst)
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection of ASGI."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        number, began = secrets.token_hex(8), time.perf_counter()
        scope.setdefault("state", {})["request_id"] = number
        out = _Out(send, number)
        self._running += 1
        try:
            self._admit(scope)
            await self._app(scope, self._bounded(receive), out)
        except Refused as error:
            answer = problem(error.status, error.detail, request_id=number, headers=error.headers)
            await self._answer(answer, scope, receive, out)
        except TooLarge:
            await self._answer(problem(413, TOO_LARGE, request_id=number), scope, receive, out)
        except Exception as error:
            # The outermost loop: the caller gets a problem without a traceback, the log the rest.
            log.exception("a request failed", extra={"request": number})
            if not out.status:
                said = f"a fault of HFEA itself ({type(error).__name__})"
                await self._answer(problem(500, said, request_id=number), scope, receive, out)
        finally:
            self._running -= 1
            self._traffic.count(_route(scope), out.status, time.perf_counter() - began)

    async def _answer(self, answer: Response, scope: Scope, receive: Receive, out: _Out) -> None:
        if not out.status:
            await answer(scope, receive, out)

    def _admit(self, scope: Scope) -> None:
        """Let a request in or raise Refused: names first, then who it is, then how often."""
        headers = Headers(scope=scope)
        self._check_names(headers)
        path = str(scope["path"])
        if path in OPEN:
            return
        if self._running > self._rules.limits.at_once:
            said = "too many requests at once"
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, said, {"Retry-After": "1"})
        if not _IN_URL.isdisjoint(k.casefold() for k in QueryParams(scope["query_string"])):
            raise _stranger("a token belongs in the Authorization header, never in an address")
        caller = self._caller(headers, path)
        if caller is None and not is_page(path):
            raise _stranger("a bearer token is needed; `hfea token create` makes one")
        scope["state"]["caller"] = caller
        if caller and (wait := self._rate.take(caller.id)):
            raise _too_often(wait)
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length) > self._rules.limits.body:
            raise TooLarge

    def _check_names(self, headers: Headers) -> None:
        """Refuse other names than ours (case X12): a page cannot rebind its name to us."""
        hosts = [h.casefold() for h in headers.getlist("host")]
        if len(hosts) != 1 or hosts[0] not in self._rules.names:
            raise Refused(HTTPStatus.FORBIDDEN, "this service does not go by that name")
        for origin in headers.getlist("origin"):
            scheme, colon, name = origin.casefold().partition("://")
            if not colon or scheme not in ("http", "https") or name not in self._rules.names:
                raise Refused(HTTPStatus.FORBIDDEN, "pages of other origins may not call")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise Refused(HTTPStatus.FORBIDDEN, "pages of other origins may not call")

    def _caller(self, headers: Headers, path: str) -> Caller | None:
        try:
            given = headers.getlist("authorization")
            if given:
                return self._rules.door.bearer(given[0]) if len(given) == 1 else None
            if is_page(path):
                return self._rules.door.browser(headers.get("cookie", ""))
        except HfeaError as error:
            log.warning("tokens cannot be checked", extra={"why": str(error)})
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "tokens cannot be checked") from error
        return None

    def _bounded(self, receive: Receive) -> Receive:
        seen, more = 0, True

        async def bounded() -> Message:
            nonlocal seen, more
            limits = self._rules.limits
            try:
                # After the body's end only the caller's going away is waited for.
                message = await asyncio.wait_for(receive(), limits.body_seconds if more else None)
            except TimeoutError:
                raise TooSlow from None
            more = bool(message.get("more_body"))
            seen += len(message.get("body", b""))
            if seen > limits.body:
                raise TooLarge
            return message

        return bounded


class _Out:
    """Adds the headers every answer has, and remembers its status."""

    def __init__(self, send: Send, number: str) -> None:
        self._send, self._number = send, number
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = int(message["status"])
            headers = MutableHeaders(scope=message)
            headers["x-request-id"] = self._number
            for name, value in _HEADERS.items():
                headers[name] = value
            headers.setdefault("content-security-policy", _NO_PAGE)
        await self._send(message)


def is_page(path: str) -> bool:
    """Whether *path* is one of the maintainer's pages, which show a sign-in to strangers."""
    return path in PAGES or path.startswith(_DAY_PAGE)


def _stranger(detail: str) -> Refused:
    return Refused(HTTPStatus.UNAUTHORIZED, detail, {"WWW-Authenticate": "Bearer"})


def _too_often(wait: float) -> Refused:
    seconds = str(max(1, round(wait)))
    return Refused(HTTPStatus.TOO_MANY_REQUESTS, "too often", {"Retry-After": seconds})


def _route(scope: Scope) -> str:
    """Return the route's pattern: a path that callers invent must not become a metric."""
    return str(getattr(scope.get("route"), "path", "other"))
