"""Who is asking: the bearer token of a program, or the page session of a maintainer's browser."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie

from hfea.service.tokens import Scope, Token, Tokens

COOKIE = "hfea_session"
SESSION_SECONDS = 8 * 3600
_MOST_SESSIONS = 50
_BEARER = re.compile(r"bearer +([!-~]+) *", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who a request comes from: the token's id and name, and what it may do."""

    id: str
    name: str
    scope: Scope


class Sessions:
    """The browsers that signed in with a maintainer's token; in memory only, eight hours long."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: dict[str, tuple[Token, float]] = {}

    def begin(self, token: Token) -> str:
        """Return a new session's secret."""
        now = self._clock()
        self._open = {k: v for k, v in self._open.items() if v[1] > now}
        while len(self._open) >= _MOST_SESSIONS:
            del self._open[next(iter(self._open))]
        secret = secrets.token_urlsafe(32)
        self._open[_digest(secret)] = token, now + SESSION_SECONDS
        return secret

    def end(self, secret: str) -> None:
        """Forget a session."""
        self._open.pop(_digest(secret), None)

    def find(self, secret: str, live: Callable[[str], bool]) -> Token | None:
        """Return the token a session began with, while both last."""
        wanted, found = _digest(secret), None
        for known, (token, until) in list(self._open.items()):
            if hmac.compare_digest(known, wanted) and until > self._clock():
                found = token
        return found if found and live(found.id) else None


class Door:
    """Tells callers from strangers."""

    def __init__(self, tokens: Tokens, sessions: Sessions) -> None:
        self.tokens, self.sessions = tokens, sessions

    def bearer(self, header: str) -> Caller | None:
        """Return who the Authorization header stands for. Raises TokensUnreadable."""
        match = _BEARER.fullmatch(header)
        return _caller(self.tokens.check(match[1])) if match else None

    def browser(self, cookie: str) -> Caller | None:
        """Return who the session cookie stands for; pages only, the API never takes it."""
        secret = session_secret(cookie)
        return _caller(self.sessions.find(secret, self._live)) if secret else None

    def _live(self, number: str) -> bool:
        return any(t.id == number and t.live for t in self.tokens.all())


def session_secret(cookie: str) -> str:
    """Return the session's secret out of a Cookie header; '' where there is none."""
    jar: Mapping[str, object]
    try:
        jar = SimpleCookie(cookie)
    except CookieError:
        return ""
    morsel = jar.get(COOKIE)
    return str(getattr(morsel, "value", ""))


def _caller(token: Token | None) -> Caller | None:
    return Caller(token.id, token.name, token.scope) if token else None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
