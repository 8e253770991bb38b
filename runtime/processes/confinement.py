"""What a process that runs scripts of strangers may ask of the kernel.

The preparer loads a script and forks; its children run one event each and may do less. Both lists
hold what Python, the engine and OpenSSL need once everything is loaded.
"""

import resource
import signal

from content.isolation import MEGABYTE, allow_only

# System calls by name: numbers on x86-64 and on aarch64, None where an architecture has none.
_OF_EVENTS: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63),
    "write": (1, 64),
    "fstat": (5, 80),
    "lseek": (8, 62),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "rt_sigreturn": (15, 139),
    "select": (23, None),
    "pselect6": (270, 72),
    "sendto": (44, 206),
    "recvfrom": (45, 207),
    "futex": (202, 98),
    "sched_yield": (24, 124),
    "getrandom": (318, 278),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "getpid": (39, 172),
    "gettid": (186, 178),
    "getrusage": (98, 165),
    "restart_syscall": (219, 128),
    "exit": (60, 93),
    "exit_group": (231, 94),
}
# The preparer also forks, receives the sockets of events, and confines its children.
_OF_PREPARERS: dict[str, tuple[int | None, int | None]] = {
    **_OF_EVENTS,
    "close": (3, 57),
    "recvmsg": (47, 212),
    "ioctl": (16, 29),
    "clone": (56, 220),
    "wait4": (61, 260),
    "set_robust_list": (273, 99),
    "rseq": (334, 293),
    "setitimer": (38, 103),
    "prctl": (157, 167),
    "prlimit64": (302, 261),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "getsockopt": (55, 209),
    "getsockname": (51, 204),
}


def _numbers(calls: dict[str, tuple[int | None, int | None]]) -> dict[str, list[int]]:
    """The numbers of calls by architecture."""
    return {
        "x86_64": [number for number, _ in calls.values() if number is not None],
        "aarch64": [number for _, number in calls.values() if number is not None],
    }


def _bound(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def confine_preparer(address_space: int) -> bool:
    """Bound this process, which will load a script and fork; whether the kernel filters its calls.

    `address_space` is in megabytes.
    """
    _bound(resource.RLIMIT_AS, address_space * MEGABYTE)
    _bound(resource.RLIMIT_FSIZE, 0)
    _bound(resource.RLIMIT_CORE, 0)
    return allow_only(_numbers(_OF_PREPARERS))


def confine_event() -> bool:
    """Bound this process, which will run one event; whether the kernel filters its calls."""
    _bound(resource.RLIMIT_NOFILE, 0)
    _bound(resource.RLIMIT_NPROC, 0)
    return allow_only(_numbers(_OF_EVENTS))


def stop_after(*, cpu_milliseconds: float, wall_seconds: float) -> None:
    """Have the kernel kill this process after so much computing time or time; 0 = never.

    Neither a script nor the engine can put it off: signals have their default action, and a
    confined event may change neither that nor the timers.
    """
    signal.setitimer(signal.ITIMER_PROF, cpu_milliseconds / 1000)
    signal.setitimer(signal.ITIMER_REAL, wall_seconds)
