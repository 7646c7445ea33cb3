"""The service as a process part: uvicorn on one thread of its own, until told to stop."""

from __future__ import annotations

import logging
import os
import socket
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from hfea.clock import SystemClock
from hfea.config import Settings
from hfea.errors import Unavailable, UsageError
from hfea.gate import state_folder
from hfea.service import bind, hermes_verify
from hfea.service.app import Frontage, build
from hfea.service.house import House
from hfea.service.limits import Limits
from hfea.service.tokens import FILE_NAME, Tokens

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.25
GRACE_SECONDS = 10


class Server:
    """Listens at once (so that a taken port is said at the start), serves when run."""

    def __init__(self, settings: Settings, limits: Limits | None = None) -> None:
        """Bind the address. Raises UsageError, UnsafeBind, Unavailable."""
        self._settings, section = settings, settings.service
        self._tokens = Tokens(state_folder(settings) / FILE_NAME)
        live = sum(t.live for t in self._tokens.all())
        wanted = bind.place(section, tokens=live)
        self._socket = _listen(wanted)
        port = 0 if wanted.socket else int(self._socket.getsockname()[1])
        self.place = bind.Place(wanted.host, port, wanted.socket)
        self._house = House(settings, SystemClock(), limits)
        front = Frontage(
            self._tokens,
            bind.names(section, port),
            limits or Limits(),
            behind_tls=section.behind_tls_proxy,
        )
        self._app: ASGIApp = build(self._house, front)

    def run(self, stop: Callable[[], bool]) -> None:
        """Serve until *stop*; then let running requests end, ten seconds at most."""
        # An access log would keep addresses, and whatever callers put there by mistake.
        logging.getLogger("uvicorn.access").disabled = True
        config = uvicorn.Config(
            self._app,
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=True,
            lifespan="on",
            proxy_headers=False,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=GRACE_SECONDS,
            h11_max_incomplete_event_size=32 * 1024,
            http="h11",
            ws="none",
        )
        server = uvicorn.Server(config)  # off the main thread it leaves signals alone
        thread = threading.Thread(
            target=server.run, kwargs={"sockets": [self._socket]}, name="http", daemon=True
        )
        thread.start()
        log.info("the service listens", extra={"at": str(self.place)})
        self._house.warm()
        watch = hermes_verify.Watch(self._settings)
        while thread.is_alive() and not stop():
            watch.look()
            time.sleep(LOOK_SECONDS)
        if not stop():
            log.error("the service ended by itself", extra={"at": str(self.place)})
        server.should_exit = True
        thread.join(GRACE_SECONDS + 5)
        self.close()

    def close(self) -> None:
        """Let go of the address and of what the memory holds open."""
        self._house.close()
        self._socket.close()
        if self.place.socket is not None:
            self.place.socket.unlink(missing_ok=True)


def _listen(place: bind.Place) -> socket.socket:
    if place.socket is not None:
        return _listen_unix(place.socket)
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    # Naming the protocol lets asyncio set TCP_NODELAY: without it each answer waits 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((place.host, place.port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        msg = f"cannot listen at {place} ({error.strerror}); free it or change [service] bind"
        raise Unavailable(msg) from error
    return listening


def _listen_unix(path: Path) -> socket.socket:
    """Listen on a Unix socket that only its owner may open; a leftover one is replaced."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if path.exists() or path.is_symlink():
        if not stat.S_ISSOCK(path.lstat().st_mode):
            msg = f"[service] socket {path} is there and is no socket; name another path"
            raise UsageError(msg)
        path.unlink()
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listening.bind(str(path))
        listening.listen(128)
    except OSError as error:
        listening.close()
        msg = f"cannot listen at {path}: {error.strerror}; change [service] socket"
        raise Unavailable(msg) from error
    finally:
        os.umask(before)
    return listening
