"""Which model addresses are acceptable: never a metadata service, never another scheme."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import SplitResult, urlsplit

from hfea.errors import UsageError

# Names under which clouds serve credentials to whoever asks from inside.
_METADATA_NAMES = frozenset(
    {"metadata", "metadata.google.internal", "metadata.goog", "instance-data"}
)
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class UnsafeEndpoint(UsageError):
    """The address of a model endpoint must not be called."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"the endpoint {url!r} is refused: {why}; set an http(s) address of yours")


def checked_url(url: str) -> str:
    """Return *url* without a trailing slash where it may be called; raise UnsafeEndpoint if not.

    Loopback and private (LAN) addresses are welcome: that is where people's models run.
    Link-local addresses (169.254/16, fe80::/10), however they are spelt, and the well-known
    metadata names are not. Names are looked at literally here and again by `checked_host`
    after resolution, just before a connection.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https"):
        raise UnsafeEndpoint(url, f"the scheme {parts.scheme or '(none)'} is not http or https")
    host = _host(url, parts)
    if parts.username or parts.password:
        raise UnsafeEndpoint(url, "it holds a user or password; use the key setting")
    if host.rstrip(".") in _METADATA_NAMES:
        raise UnsafeEndpoint(url, "it names a metadata service")
    address = _literal(host)
    if address is not None:
        _check_address(url, address)
    return url.rstrip("/")


def checked_host(url: str) -> None:
    """Resolve the host of *url* and refuse it where any address is link-local.

    Raises UnsafeEndpoint; a host that does not resolve is left to the HTTP client to report.
    """
    host = _host(url, urlsplit(url))
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return
    for *_, place in found:
        _check_address(url, ipaddress.ip_address(str(place[0]).partition("%")[0]))


def _host(url: str, parts: SplitResult) -> str:
    try:
        _ = parts.port
    except ValueError as error:
        raise UnsafeEndpoint(url, "its port is not a number") from error
    if not parts.hostname:
        raise UnsafeEndpoint(url, "it has no host")
    return parts.hostname.casefold()


def _literal(host: str) -> _Address | None:
    """Read *host* as an address in any spelling a C library accepts: 2852039166, 0xa9fea9fe."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


def _check_address(url: str, address: _Address) -> None:
    mapped = getattr(address, "ipv4_mapped", None)
    real = mapped or address
    if real.is_link_local:
        raise UnsafeEndpoint(url, "it is a link-local address, where metadata services live")
    if real.is_multicast or real.is_unspecified:
        raise UnsafeEndpoint(url, "it is no address of one machine")
