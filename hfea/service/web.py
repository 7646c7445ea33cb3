"""The maintainer's pages: days, one day, search, rates. Plain HTML, no script, nothing remote."""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from hfea.archive.html import to_html
from hfea.archive.layout import parse_day
from hfea.bundled import bundled
from hfea.errors import HfeaError
from hfea.service.auth import COOKIE, SESSION_SECONDS, Caller, session_secret
from hfea.service.doors import Looked, Memory
from hfea.service.problems import STATUS
from hfea.service.tokens import Scope
from hfea.service.web_words import Words, choose

pages = APIRouter(include_in_schema=False)
PER_PAGE = 60
_LONGEST = 200  # characters of a search
_WORD = re.compile(r"\w{2,}")


@functools.cache
def _templates() -> Environment:
    place = FileSystemLoader(bundled("templates") / "web")
    return Environment(
        loader=place, autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip


@functools.cache
def _style() -> tuple[str, str]:
    """Return the one style sheet and the policy that admits it by its hash, and nothing else."""
    text = (bundled("templates") / "web" / "style.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return text, (
        f"default-src 'none'; style-src 'sha256-{digest}'; form-action 'self';"
        " base-uri 'none'; frame-ancestors 'none'"
    )


def _page(request: Request, name: str, status: int = 200, **values: Any) -> Response:
    style, policy = _style()
    words = _words(request)
    caller = request.scope.get("state", {}).get("caller")
    body = (
        _templates()
        .get_template(f"{name}.html.j2")
        .render(
            t=words,
            style=Markup(style),  # noqa: S704 - our own file
            signed_in=caller is not None,
            **values,
        )
    )
    headers = {"content-security-policy": policy, "vary": "Accept-Language, Cookie"}
    if status == 401:  # noqa: PLR2004
        headers["www-authenticate"] = "Bearer"
    return HTMLResponse(body, status, headers)


def _words(request: Request) -> Words:
    wanted = request.query_params.get("lang", "")
    return choose(wanted, request.headers.get("accept-language", ""))


def _maintainer(request: Request) -> bool:
    caller = request.scope.get("state", {}).get("caller")
    return isinstance(caller, Caller) and caller.scope.covers(Scope.MAINTAINER)


async def _shown(request: Request, work: Any) -> Response:
    """Show what *work* returns (template, values), a sign-in to strangers, errors as a page."""
    if not _maintainer(request):
        known = request.scope.get("state", {}).get("caller") is not None
        return _page(request, "sign_in", 403 if known else 401, refused=known)
    try:
        name, values = await run_in_threadpool(work, request.app.state.memory)
    except HfeaError as error:
        status = next(code for kind, code in STATUS if isinstance(error, kind))
        return _page(request, "error", status, detail=str(error))
    return _page(request, name, **values)


@pages.get("/")
async def days(request: Request, page: int = 0) -> Response:
    """Show the days that have an episode, newest first."""

    def work(house: Memory) -> tuple[str, dict[str, Any]]:
        rows = house.episodes()
        start = max(0, min(page, len(rows) // PER_PAGE)) * PER_PAGE
        here = {"page": start // PER_PAGE, "more": start + PER_PAGE < len(rows)}
        return "days", {"rows": rows[start : start + PER_PAGE], **here}

    return await _shown(request, work)


@pages.get("/day/{date:path}")
async def day(request: Request, date: str) -> Response:
    """Show one episode, rendered through two walls: no raw HTML, and an allow-list."""

    def work(house: Memory) -> tuple[str, dict[str, Any]]:
        wanted = parse_day(date)
        html = to_html(house.markdown(wanted))
        return "day", {"day": wanted.isoformat(), "html": Markup(html)}  # noqa: S704 - cleaned

    return await _shown(request, work)


@pages.get("/search")
async def search(request: Request, q: str = "", cursor: str = "") -> Response:
    """Show the statements that match, the words marked."""

    def work(house: Memory) -> tuple[str, dict[str, Any]]:
        text = q[:_LONGEST]
        if not text.strip():
            return "search", {"q": "", "hits": [], "total": 0, "next": None}
        found = house.search(Looked(text, cursor=cursor[:9]))
        hits = [{**hit, "marked": marked(hit["text"], text)} for hit in found["hits"]]
        return "search", {"q": text, "hits": hits, "total": found["total"], "next": found["next"]}

    return await _shown(request, work)


@pages.get("/rates")
async def rates(request: Request) -> Response:
    """Show how often the archive was needed."""

    def work(house: Memory) -> tuple[str, dict[str, Any]]:
        table = house.rates()
        return "rates", {"asked": table["asked"], "rows": rate_rows(table)}

    return await _shown(request, work)


@pages.post("/login")
async def login(request: Request) -> Response:
    """Begin a session for a maintainer's token; the token is in the body, never in the address."""
    form = parse_qs((await request.body()).decode("ascii", "replace"), max_num_fields=5)
    token = request.app.state.door.tokens.check((form.get("token") or [""])[0])
    if token is None or token.scope is not Scope.MAINTAINER:
        return _page(request, "sign_in", 401, refused=True)
    answer = RedirectResponse("/", 303)
    answer.set_cookie(
        COOKIE,
        request.app.state.door.sessions.begin(token),
        max_age=SESSION_SECONDS,
        httponly=True,
        samesite="strict",
        secure=request.app.state.behind_tls,
    )
    return answer


@pages.post("/logout")
async def logout(request: Request) -> Response:
    """End the session."""
    if secret := session_secret(request.headers.get("cookie", "")):
        request.app.state.door.sessions.end(secret)
    if not _maintainer(request):
        return _page(request, "sign_in", 401, refused=False)
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(COOKIE)
    return answer


def marked(text: str, query: str) -> Markup:
    """Return *text* escaped, with the query's words in `mark`; the marks cross no tag."""
    wanted = {word.casefold() for word in _WORD.findall(query)}
    parts, at = [], 0
    for match in _WORD.finditer(text):
        if match[0].casefold() in wanted:
            parts += [escape(text[at : match.start()]), Markup("<mark>{}</mark>").format(match[0])]
            at = match.end()
    return Markup("").join([*parts, escape(text[at:])])


def rate_rows(table: Mapping[str, Any]) -> list[tuple[str, str, Mapping[str, Any]]]:
    """Return (where it comes from, its name, the rate) for the whole and for each group.

    What comes from every question, from feedback and from shadow samples stays apart.
    """
    groups = [("", table)]
    for name in ("by_language", "by_reason"):
        groups += [(f" · {key}", part) for key, part in table.get(name, {}).items()]
    return [
        (f"{part}{label}", name, rate)
        for label, group in groups
        for part in ("all", "feedback", "shadow")
        for name, rate in group.get(part, {}).items()
    ]
