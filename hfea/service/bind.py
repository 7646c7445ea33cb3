"""Where the service listens, under which names, and when it refuses to (cases X12, X13)."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path

from hfea.config_sections import ServiceSection
from hfea.errors import UsageError

_MOST_PORT = 65535
_LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


class UnsafeBind(UsageError):
    """The service would be reachable by others without what protects it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where to listen: a host and port, or a Unix socket."""

    host: str = ""
    port: int = 0
    socket: Path | None = None

    def __str__(self) -> str:
        if self.socket is not None:
            return f"unix:{self.socket}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


def wanted(section: ServiceSection) -> bool:
    """Whether the settings ask for a service at all: `bind` or `socket` stands in them."""
    return section.socket is not None or bool("bind" in section.model_fields_set and section.bind)


def place(section: ServiceSection, *, tokens: int) -> Place:
    """Return where to listen; *tokens* is how many live tokens there are.

    Raises UsageError for an address that is none; UnsafeBind where others could reach it and
    the settings do not say that a TLS-terminating proxy stands before it, under which names,
    or there is no token.
    """
    if section.socket is not None:
        return Place(socket=section.socket)
    host, port = _split(section.bind)
    if is_loopback(host):
        return Place(host, port)
    if not section.behind_tls_proxy:
        msg = (
            f"[service] bind {section.bind!r} can be reached by others: bind to 127.0.0.1, or put a"
            " proxy that terminates TLS before it and say so with behind_tls_proxy = true"
        )
        raise UnsafeBind(msg)
    if not section.hosts:
        msg = f"[service] bind {section.bind!r} needs hosts = [...]: the names clients will use"
        raise UnsafeBind(msg)
    if not tokens:
        msg = f"[service] bind {section.bind!r} without any token; run `hfea token create` first"
        raise UnsafeBind(msg)
    return Place(host, port)


def is_loopback(host: str) -> bool:
    """Whether *host* is this machine only. A name other than localhost never is."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def names(section: ServiceSection, port: int) -> frozenset[str]:
    """Return the Host headers that are ours, lower case, with and without the port."""
    found = {*_LOOPBACK_NAMES, *(h.casefold() for h in section.hosts)}
    return frozenset({*found, *(f"{name}:{port}" for name in found)})


def _split(bind: str) -> tuple[str, int]:
    host, colon, port = bind.rpartition(":")
    number = int(port) if port.isascii() and port.isdigit() else -1
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not 0 <= number <= _MOST_PORT:
        msg = f"[service] bind {bind[:60]!a} is no address; write it as 127.0.0.1:8765"
        raise UsageError(msg)
    return host, number
