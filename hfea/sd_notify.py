"""Tell systemd how the daemon is: READY, STATUS, WATCHDOG, STOPPING (sd_notify(3))."""

from __future__ import annotations

import os
import socket


def notify(message: str, address: str | None = None) -> bool:
    """Send *message* to the socket systemd named; False outside systemd or if nobody listens."""
    address = os.environ.get("NOTIFY_SOCKET", "") if address is None else address
    if not address:
        return False
    if address.startswith("@"):  # an abstract socket (unix(7))
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as s:
            s.connect(address)
            s.sendall(message.encode())
    except OSError:
        return False
    return True
