"""Sockets for servers that run in a test's own process, and ports for those that do not."""

import secrets
import socket
from contextlib import suppress

from httpx2._config import DEFAULT_TIMEOUT_CONFIG

# None of those that a system gives to whoever asks for any (on Linux from 32768), and none that
# browsers refuse.
FIRST, PORTS = 11_000, 20_000
# Clients of all tests give a server as long as a busy machine takes; else it is five seconds.
for _step in ("connect", "read", "write", "pool"):
    setattr(DEFAULT_TIMEOUT_CONFIG, _step, 120.0)


def free_port() -> int:
    """A port of loopback for a program that listens there in a moment.

    Nobody gets it meanwhile by chance, as servers and connections of other tests would get one that
    the system has just taken back.
    """
    while True:
        port = FIRST + secrets.randbelow(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def open_listener() -> socket.socket:
    """A free port of loopback, whose connections send small parts at once.

    The event loop of `docstead serve` sees to that. asyncio's own does so for the sockets that it
    opens: else the body of an answer waits for the client to confirm its head, 40 ms each.
    """
    opened = socket.create_server(("127.0.0.1", 0))
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return opened
