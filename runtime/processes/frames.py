"""Messages between the server and the processes of scripts: a length, then JSON."""

import json
import socket
import struct
from typing import Any

LENGTH = struct.Struct("!I")
# What reading a message raises that no unharmed process sends.
MALFORMED = (ValueError, KeyError, TypeError, OverflowError, RecursionError)
_CHUNK = 262_144


def frame(kind: str, details: str) -> bytes:
    """The bytes of a message whose details are JSON already."""
    data = f'{{"kind":{json.dumps(kind)},"details":{details}}}'.encode()
    return LENGTH.pack(len(data)) + data


class Frames:
    """Reads messages from a socket that blocks."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._buffer = bytearray()

    def read(self) -> tuple[str, Any]:
        """The next message: its kind and details; EOFError when the other side has gone."""
        (size,) = LENGTH.unpack(self._exactly(LENGTH.size))
        message = json.loads(self._exactly(size))
        return message["kind"], message["details"]

    @property
    def begun(self) -> bool:
        """Whether something was received that is not read."""
        return bool(self._buffer)

    def _exactly(self, size: int) -> bytes:
        while len(self._buffer) < size:
            data = self._connection.recv(_CHUNK)
            if not data:
                raise EOFError
            self._buffer += data
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data
