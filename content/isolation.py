"""Limits of a process that works on content of others, set before it looks at any of it.

Memory, computing time and the size of files are limited on every Unix. On Linux the kernel also
refuses sockets, so that not even a fault in a parser or a layout engine reaches the network.
"""

from __future__ import annotations

import ctypes
import platform
import resource
import struct
import sys

MEGABYTE = 1024 * 1024
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER_MODE = 38, 22, 2
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050001  # the last: error EPERM
# Architecture: (its number in the kernel's audit interface, system calls that open sockets).
# io_uring could open them as well.
_SOCKET_CALLS: dict[str, tuple[int, tuple[int, ...]]] = {
    "x86_64": (0xC000003E, (41, 425)),
    "aarch64": (0xC00000B7, (198, 425)),
}
_X32_CALLS = 0x40000000


def limit_resources(seconds: int, megabytes: int, *, file_bytes: int) -> None:
    """Bound computing time, memory and the size of files of this process."""
    bounds = (
        (resource.RLIMIT_AS, megabytes * MEGABYTE),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, file_bytes),
        (resource.RLIMIT_CORE, 0),
    )
    for kind, bound in bounds:
        _, hard = resource.getrlimit(kind)
        value = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(kind, (value, value))


class _Program(ctypes.Structure):
    """A filter as the kernel takes it: number of instructions, and where they are."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def refuse_sockets() -> bool:
    """Have the kernel refuse sockets to this process from now on; whether it does."""
    calls = _SOCKET_CALLS.get(platform.machine())
    if sys.platform != "linux" or calls is None:
        return False
    instructions = _filter(*calls)
    libc = ctypes.CDLL(None, use_errno=True)
    program = _Program(len(instructions) // 8, instructions)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    installed: int = libc.prctl(_SET_SECCOMP, _FILTER_MODE, ctypes.byref(program), 0, 0)
    return installed == 0


def _filter(architecture: int, calls: tuple[int, ...]) -> bytes:
    """A program of the kernel's packet filter: refuse `calls`, allow all others."""
    load, equal, at_least, answer = 0x20, 0x15, 0x35, 0x06

    def step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
        return struct.pack("=HBBI", code, yes, no, value)

    # To the refusal it is so many steps from the first comparison of a call.
    distance = len(calls) + 1
    program = [
        step(load, 4),
        step(equal, architecture, 1, 0),
        step(answer, _KILL),
        step(load, 0),
        step(at_least, _X32_CALLS, distance - 0, 0),
    ]
    for index, call in enumerate(calls):
        program.append(step(equal, call, len(calls) - index, 0))
    program += [step(answer, _ALLOW), step(answer, _REFUSE)]
    return b"".join(program)
