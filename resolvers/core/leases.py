"""The lease of a job that a worker does: what its writes are committed with.

A worker that hangs, sleeps or is cut off may wake up when another one has taken its job. So each
write of a job ends with a statement that finds the job as this worker has taken it, by the number
of its claims; without it the transaction is taken back. The same statement can end the job: then
what it has written and that it is done are committed together, or neither is.
"""

import datetime as dt
from typing import Any

from sqlalchemy import update

from db.job_enums import JobState
from db.models.jobs import MESSAGE_LENGTH, STAGE_LENGTH, Job
from db.session import Session

Json = dict[str, Any]


class LeaseLostError(Exception):
    """The job belongs to another worker by now, or was cancelled: nothing more may be written."""


class Lease:
    """One job in the hands of one worker, and how far it is.

    `finished` once a write of the job has been committed that ended it.
    """

    def __init__(
        self, job_id: str, claims: int, length: dt.timedelta, organization_id: str | None = None
    ) -> None:
        self.job_id, self.claims, self.length = job_id, claims, length
        self.organization_id = organization_id
        self.progress: Json = {}
        # Whether something of the progress is not stored yet.
        self.changed = False
        self.finished = False
        self._result: Json | None = None

    def report(
        self,
        stage: str | None = None,
        done: int | None = None,
        total: int | None = None,
        message: str | None = None,
    ) -> None:
        """Say how far the job is; it is stored with the next write or within about a second.

        A new stage begins at 0 of an unknown number. What is None stays as it is.
        """
        progress: Json = {}
        if stage is not None:
            progress = {"stage": stage[:STAGE_LENGTH], "done": 0, "total": None, "message": None}
        values = {"done": done, "total": total, "message": message and message[:MESSAGE_LENGTH]}
        progress |= {name: value for name, value in values.items() if value is not None}
        if any(self.progress.get(name) != value for name, value in progress.items()):
            self.progress |= progress
            self.changed = True

    def finish(self, result: Json | None = None) -> None:
        """Let the write that is running end the job, with a result."""
        self._result = {} if result is None else result

    async def confirm(self, session: Session, now: dt.datetime) -> None:
        """Hold the job until the end of the transaction, for as long again as a lease is long.

        LeaseLostError when it is another worker's, or was cancelled.
        """
        values = {**self.progress, "due_at": now + self.length}
        if self._result is not None:
            values |= {
                "state": JobState.SUCCEEDED, "due_at": None, "finished_at": now,
                "result": self._result, "error": None,
            }  # fmt: skip
        mine = (
            Job.id == self.job_id,
            Job.claims == self.claims,
            Job.state == JobState.RUNNING,
            Job.cancel_requested.is_(False),
        )
        if await session.change(update(Job).where(*mine).values(values)) != 1:
            raise LeaseLostError(f"the job {self.job_id} is not this worker's any more")

    def committed(self) -> None:
        """The write was committed."""
        self.changed = False
        self.finished = self._result is not None

    def undone(self) -> None:
        """The write was taken back; it may be tried again."""
        self._result = None
