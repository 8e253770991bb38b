"""The process that has one script ready, and forks for each of its events.

It is started with the number of a socket. Over that come the limits and the script; later the
sockets of events, one each, and questions how their processes have ended.
"""

import gc
import json
import os
import socket
import sys
import time
from typing import Any

from runtime.host.calls import warm_up
from runtime.processes.confinement import confine_event, confine_preparer, stop_after
from runtime.processes.frames import Frames, frame
from runtime.processes.scripts import BROKEN, Script, web_interfaces

NO_FILTER = 20
# Far behind the server and the database; what is left of the cores is theirs.
NICENESS = 15
# Bytes of a command: f or e, and the number of an event.
COMMAND = 9


class Preparer:
    """One script, and the processes of its events."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._processes: dict[int, int] = {}
        self._limits: dict[str, Any] = {}

    def prepare(self) -> Script | None:
        """Load the script; None where it cannot be used, which is sent to the server."""
        _, self._limits = Frames(self._control).read()
        limits, interfaces = self._limits, web_interfaces()
        source = limits.pop("script")
        warm_up(limits.pop("zones"))
        if not confine_preparer(limits["address_space"]) and not limits["unfiltered"]:
            self._answer("unfiltered", {})
            return None
        script = Script(interfaces, limits["megabytes"])
        stop_after(cpu_milliseconds=limits["load_milliseconds"], wall_seconds=0)
        complaint = script.load(source)
        stop_after(cpu_milliseconds=0, wall_seconds=0)
        self._answer("loaded", {"complaint": complaint})
        gc.collect()
        gc.freeze()
        gc.disable()
        return script if not complaint else None

    def serve(self, script: Script) -> None:
        """Fork for each event that comes, until the server goes."""
        while True:
            data, descriptors, _, _ = socket.recv_fds(self._control, COMMAND, 1)
            if not data:
                return
            id = int.from_bytes(data[1:9], "big")
            if data[:1] == b"f":
                self._begin(script, id, descriptors)
            else:
                self._end(id)

    def _begin(self, script: Script, id: int, descriptors: list[int]) -> None:
        connection = socket.socket(fileno=descriptors[0])
        process = os.fork()
        if process == 0:
            # Whatever happens, this process must not go on with the preparer's work.
            status = BROKEN
            try:
                self._control.close()
                stop_after(
                    cpu_milliseconds=self._limits["cpu_milliseconds"],
                    wall_seconds=self._limits["wall_seconds"],
                )
                if confine_event() or self._limits["unfiltered"]:
                    status = script.handle(connection)
                else:
                    status = NO_FILTER
            finally:
                os._exit(status)
        self._processes[id] = process
        connection.close()

    def _end(self, id: int) -> None:
        """Say how the process of an event has ended; it has closed its socket."""
        process = self._processes.pop(id, None)
        status, cpu = 0, 0.0
        if process is not None:
            _, code, usage = os.wait4(process, 0)
            status = os.waitstatus_to_exitcode(code)
            cpu = usage.ru_utime + usage.ru_stime
        self._answer("ended", {"id": id, "status": status, "cpu": 1000 * cpu})

    def _answer(self, kind: str, details: dict[str, Any]) -> None:
        self._control.sendall(frame(kind, json.dumps(details)))


def main() -> None:
    """Serve one server process until it goes."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    # Where cores are few, requests of the server come first.
    os.nice(NICENESS)
    preparer = Preparer(socket.socket(fileno=int(sys.argv[1])))
    script = preparer.prepare()
    if script is not None:
        preparer.serve(script)


if __name__ == "__main__":
    main()
