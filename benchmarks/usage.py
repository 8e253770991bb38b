"""What processes cost, from /proc: CPU time and resident memory of a process and its children."""

import os
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


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
    """Resident memory of the tree, in 10^6 bytes."""
    total = 0
    for pid in process_tree(root):
        try:
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:"))
    return total / 1e6
