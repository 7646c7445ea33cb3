"""Every error as one shape (RFC 9457 problem details); no traceback, no echo of what was sent."""

from __future__ import annotations

import http
import json
import logging
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from hfea.archive.store import EpisodeGone, NotSealed
from hfea.errors import HfeaError, Unavailable, UsageError
from hfea.keys import KeyMissing, KeyUnusable
from hfea.ledger.questions import UnknownQuestion
from hfea.ledger.store import LedgerTooNew
from hfea.service.doors import NotHere, NotNow
from memory_core.layers.facts import FactStoreUnreadable
from memory_core.layers.permanent import LockBusy, PermanentError
from memory_core.proposal import ProposalError, UnknownProposal
from memory_core.sqlite_kit import NewerSchema
from memory_core.text_files import FileChanged, OutsideFolder

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
TOO_LARGE = "the body is longer than this service takes"
_SHOWN = 10  # faults of one request that are listed

# The first class that fits decides; the words go to the caller only where they are ours.
STATUS: tuple[tuple[type[Exception], int], ...] = (
    (NotSealed, 404),
    (UnknownQuestion, 404),
    (UnknownProposal, 404),
    (NotHere, 404),
    (NotNow, 503),
    (EpisodeGone, 410),
    (ProposalError, 409),
    (LockBusy, 503),
    (PermanentError, 409),
    (FileChanged, 409),
    (OutsideFolder, 400),
    (FactStoreUnreadable, 503),
    (NewerSchema, 503),
    (KeyUnusable, 503),
    (KeyMissing, 503),
    (LedgerTooNew, 503),
    (UsageError, 400),
    (Unavailable, 503),
    (HfeaError, 500),
    (sqlite3.Error, 503),
    (OSError, 503),
)
_OUR_WORDS = (HfeaError, ProposalError, PermanentError, FileChanged, OutsideFolder)


def problem(
    status: int,
    detail: str = "",
    *,
    request_id: str = "",
    headers: Mapping[str, str] | None = None,
    **more: Any,
) -> Response:
    """Return a problem response; `title` is the status's own phrase."""
    body = {
        "type": "about:blank",
        "title": http.HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "request_id": request_id,
        **more,
    }
    text = json.dumps({k: v for k, v in body.items() if v != ""}, ensure_ascii=False)
    return Response(text, status, dict(headers or {}), MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Make every error of *app* a problem."""
    for kind, status in STATUS:
        app.add_exception_handler(kind, _known(status))
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _plain)
    app.add_exception_handler(Exception, _fault)


def _known(status: int) -> Any:
    async def handle(request: Request, error: Exception) -> Response:
        words = str(error) if isinstance(error, _OUR_WORDS) else "a store cannot be reached"
        if status >= http.HTTPStatus.INTERNAL_SERVER_ERROR:
            told = {"request": request_id(request), "why": f"{type(error).__name__}: {error}"}
            log.warning("a request could not be served", extra=told)
        headers = {"Retry-After": "1"} if status == http.HTTPStatus.SERVICE_UNAVAILABLE else None
        return problem(status, words, request_id=request_id(request), headers=headers)

    return handle


async def _invalid(request: Request, error: Exception) -> Response:
    """Say where the request is wrong and how, never what stood there."""
    found = error.errors() if isinstance(error, RequestValidationError) else []
    faults = [{"at": _pointer(e["loc"]), "fault": e["msg"]} for e in found[:_SHOWN]]
    return problem(
        422, "the request is not understood", request_id=request_id(request), faults=faults
    )


async def _plain(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = dict((error.headers or {}) if isinstance(error, HTTPException) else {})
    said = {
        401: "a bearer token is needed",
        403: "this token's scope does not open that",
        404: "there is nothing at this address",
        408: "the body did not come",
        413: TOO_LARGE,
        405: "this address does not take that method",
    }
    return problem(status, said.get(status, ""), request_id=request_id(request), headers=headers)


async def _fault(request: Request, _error: Exception) -> Response:
    said = "a fault of HFEA itself; its log has this request id"
    return problem(500, said, request_id=request_id(request))


def _pointer(place: Sequence[int | str]) -> str:
    """Write a place as a path; a key the caller invented is not echoed beyond 40 characters."""
    return "/".join(str(part)[:40] for part in place)


def request_id(request: Request) -> str:
    """Return the id the guard gave this request."""
    return str(request.scope.get("state", {}).get("request_id", ""))
