"""What a process and its children cost: CPU time, resident memory, and executed instructions.

The first two are from /proc. Instructions are counted by perf (the Debian package linux-perf),
where it is installed and the machine has such counters.
"""

import asyncio
import os
import shutil
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PERF = shutil.which("perf")
UNKNOWN = float("nan")


@dataclass(frozen=True, slots=True)
class _Process:
    """Fields of /proc/PID/stat; `ended` is the CPU time of children that have ended."""

    parent: int
    used: int
    ended: int


def _process(pid: int) -> _Process | None:
    """None when it has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    # The name in parentheses may hold anything.
    fields = text.rpartition(")")[2].split()
    times = [int(field) for field in fields[11:15]]
    return _Process(int(fields[1]), times[0] + times[1], times[2] + times[3])


def process_tree(root: int) -> list[int]:
    """A process and everything it started that still runs."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (found := _process(int(entry))):
            children.setdefault(found.parent, []).append(int(entry))
    tree, pending = [], [root]
    while pending:
        pid = pending.pop()
        tree.append(pid)
        pending += children.get(pid, [])
    return tree


def cpu_seconds(root: int) -> float:
    """User and system time of the tree so far; exact to a hundredth of a second."""
    found = [one for pid in process_tree(root) if (one := _process(pid))]
    return sum(one.used + one.ended for one in found) / TICKS


def resident_megabytes(root: int) -> float:
    """Resident memory of the tree, in 10^6 bytes; what processes share counts once."""
    total = 0
    for pid in process_tree(root):
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return total / 1e6


@dataclass(slots=True)
class Count:
    """How many; not a number while it is unknown."""

    value: float = UNKNOWN


@asynccontextmanager
async def instructions(root: int) -> AsyncIterator[Count]:
    """Instructions in user mode of the tree during the block.

    Whatever else a machine does changes seconds, and hardly these.
    """
    count = Count()
    if PERF is None:
        yield count
        return
    pids = ",".join(map(str, process_tree(root)))
    process = await asyncio.create_subprocess_exec(
        PERF, "stat", "-x", ";", "-e", "instructions:u", "-p", pids,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        # It prints nothing when it has begun.
        await asyncio.sleep(0.1)
        yield count
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
        _, printed = await process.communicate()
    text = printed.decode().strip().rpartition("\n")[2].partition(";")[0]
    if text.isdecimal():
        count.value = int(text)
