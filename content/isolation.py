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
from collections.abc import Collection, Mapping

MEGABYTE = 1024 * 1024
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER_MODE = 38, 22, 2
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050001  # the last: error EPERM
# Numbers of architectures in the kernel's audit interface.
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# System calls that open sockets, by architecture; io_uring could open them as well.
_SOCKET_CALLS = {"x86_64": (41, 425), "aarch64": (198, 425)}
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
    return _filter_calls(_SOCKET_CALLS, listed=_REFUSE, others=_ALLOW)


def allow_only(calls: Mapping[str, Collection[int]]) -> bool:
    """Have the kernel refuse all system calls but these from now on; whether it does.

    `calls` are numbers by architecture, at most 200 of each. What is refused fails with EPERM.
    """
    return _filter_calls(calls, listed=_ALLOW, others=_REFUSE)


def _filter_calls(calls: Mapping[str, Collection[int]], *, listed: int, others: int) -> bool:
    machine = platform.machine()
    if sys.platform != "linux" or machine not in calls or machine not in _ARCHITECTURES:
        return False
    instructions = _filter(_ARCHITECTURES[machine], calls[machine], listed, others)
    libc = ctypes.CDLL(None, use_errno=True)
    program = _Program(len(instructions) // 8, instructions)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    installed: int = libc.prctl(_SET_SECCOMP, _FILTER_MODE, ctypes.byref(program), 0, 0)
    return installed == 0


def _filter(architecture: int, calls: Collection[int], listed: int, others: int) -> bytes:
    """A program of the kernel's packet filter: one answer for `calls`, another for all others."""
    load, equal, at_least, answer = 0x20, 0x15, 0x35, 0x06

    def step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
        return struct.pack("=HBBI", code, yes, no, value)

    program = [
        step(load, 4),
        step(equal, architecture, 1, 0),
        step(answer, _KILL),
        step(load, 0),
        step(at_least, _X32_CALLS, 0, 1),
        step(answer, _REFUSE),
    ]
    for index, call in enumerate(calls):
        program.append(step(equal, call, len(calls) - index, 0))
    program += [step(answer, others), step(answer, listed)]
    return b"".join(program)
