"""Which file a test process gets next: one that waits, beside those that compute.

Files with tests of browsers and servers leave a processor half of the time. Where all processes
have such files at once it idles, and where none has, they only slow each other down. So one process
has one at any time, and more do while fewer of these files are done than of the others.
"""

from functools import cached_property

from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

from tests.slow import files_that_wait


class WaitingBesideComputing(LoadFileScheduling):
    """Whole files, in the order of tests/slow.py among those that wait, and among the others."""

    @cached_property
    def _waiting(self) -> set[str]:
        assert self.collection is not None
        return files_that_wait(self.collection)

    @cached_property
    def _counts(self) -> tuple[int, int]:
        """How many files wait, and how many do not; none of them has begun."""
        waiting = len(self._waiting & self.workqueue.keys())
        return waiting, len(self.workqueue) - waiting

    def _assign_work_unit(self, node: WorkerController) -> None:
        all_waiting, all_computing = self._counts
        waiting = [file for file in self.workqueue if file in self._waiting]
        computing = [file for file in self.workqueue if file not in self._waiting]
        if waiting and computing:
            busy = sum(self._has_one_that_waits(other) for other in self.nodes if other != node)
            are_behind = len(waiting) * all_computing > len(computing) * all_waiting
            take_waiting = busy == 0 or (are_behind and busy < len(self.nodes) - 1)
            next_file = waiting[0] if take_waiting else computing[0]
            self.workqueue.move_to_end(next_file, last=False)
        super()._assign_work_unit(node)

    def _has_one_that_waits(self, node: WorkerController) -> bool:
        return any(
            file in self._waiting and not all(unit.values())
            for file, unit in self.assigned_work[node].items()
        )
