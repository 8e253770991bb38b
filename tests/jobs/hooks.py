"""Endpoints of webhooks, and what delivers to them, in tests."""

import datetime as dt
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import func, select

from db.job_enums import JobKind
from db.models.jobs import Job
from db.models.webhooks import Webhook, WebhookDelivery
from fetching.addresses import Allowance
from fetching.client import Fetcher, FetchLimits
from jobs.kinds import Kind
from jobs.table import webhook_kinds
from jobs.webhooks import Deliverer, sweep
from jobs.worker import Worker
from resolvers.core.installation import ImportAccess
from tests.conftest import Api, World
from tests.jobs.receiver import (
    Receiver,
)


@dataclass
class Hooks:
    """Endpoints of a world, and what delivers to them."""

    api: Api
    world: World
    receivers: list[Receiver]
    seconds: float = 5.0

    def allow(self) -> None:
        pairs = frozenset(("127.0.0.1", receiver.port) for receiver in self.receivers)
        fetcher = Fetcher(Allowance(pairs), FetchLimits(total_seconds=20))
        self.api.server.imports = ImportAccess(fetcher)

    @property
    def path(self) -> str:
        return f"/orgs/{self.world.organization.id}/webhooks"

    async def create(self, **body: Any) -> tuple[str, str]:
        """The id and the secret of a new endpoint."""
        answer = await self.api.rest(
            "POST", self.path, self.world.admin, {"url": self.receivers[0].url, **body}
        )
        assert answer.status_code == 201, answer.text
        return answer.json()["webhook"]["id"], answer.json()["secret"]

    async def write(self, number: int = 1) -> None:
        """Leave so many events: each is a team that is made."""
        for _ in range(number):
            answer = await self.api.rest(
                "PUT", f"/orgs/{self.world.organization.id}/teams", self.world.admin,
                {"title": "New"},
            )  # fmt: skip
            assert answer.status_code < 300, answer.text

    def worker(self, **options: Any) -> Worker:
        server = self.api.server
        deliverer = Deliverer(server.context_of, self.seconds)
        kinds = {JobKind.WEBHOOK: replace(webhook_kinds(server.context_of)[JobKind.WEBHOOK],
                                          handler=deliverer, at_once=20)}  # fmt: skip
        options = {"at_once": 20, "most_of_organization": 4, "watch_seconds": 0.02, **options}
        return Worker(server.context_of, kinds, server.database.bell, **options)

    async def deliver(self, *, once: bool = False) -> None:
        """Wake endpoints, and deliver until all have what they can get now; `once` does not try
        again, however late it is by then."""
        await self.api.server.webhook_waker.wake()
        worker = self.worker()
        while True:
            await worker.fill()
            if not worker.busy:
                return
            await worker.settle()
            if once:
                return

    async def sweep(self) -> None:
        """Look for endpoints that nobody has woken."""
        server = self.api.server
        kinds = {JobKind.WEBHOOK_SWEEP: Kind(handler=sweep, every=dt.timedelta(minutes=1))}
        worker = Worker(
            server.context_of, kinds, server.database.bell, at_once=1, most_of_organization=1
        )
        await worker.enqueue_periodic()
        await worker.fill()
        await worker.settle()

    async def webhook(self, id: str) -> Webhook:
        async with self.api.server.database.session() as session:
            return (await session.execute(select(Webhook).where(Webhook.id == id))).scalar_one()

    async def deliveries(self, id: str) -> list[WebhookDelivery]:
        chosen = select(WebhookDelivery).where(WebhookDelivery.webhook_id == id)
        async with self.api.server.database.session() as session:
            rows = await session.execute(chosen.order_by(WebhookDelivery.id))
            return list(rows.scalars())

    async def jobs(self) -> int:
        async with self.api.server.database.session() as session:
            return (await session.execute(select(func.count()).select_from(Job))).scalar_one()

    async def pass_time(self, time: dt.timedelta) -> None:
        """Let time pass for endpoints and their jobs, as if it were later."""
        async with self.api.server.database.session() as session:
            await session.begin_write()
            for webhook in (await session.execute(select(Webhook))).scalars():
                for name in ("next_attempt_at", "failing_since", "old_secret_until"):
                    if (value := getattr(webhook, name)) is not None:
                        setattr(webhook, name, value - time)
            for delivery in (await session.execute(select(WebhookDelivery))).scalars():
                delivery.created_at -= time
            for job in (await session.execute(select(Job))).scalars():
                job.due_at = job.due_at and job.due_at - time
                job.order_at -= time
            await session.commit()
