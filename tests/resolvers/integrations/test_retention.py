"""What of integrations ends by itself: their events after 30 days, development modes after one."""

import datetime as dt
from typing import Any

from sqlalchemy import select, update

from db.base import utc_now
from db.models.integrations import DevelopmentMode, IntegrationEvent
from db.session import Session
from jobs.purge import clear_integrations
from resolvers.integrations.deliveries import QUIET, RETENTION
from tests import factories
from tests.conftest import World, context, settle

MOMENT = dt.timedelta(minutes=1)


async def _all(session: Session, column: Any) -> set[str]:
    return set((await session.execute(select(column))).scalars())


async def test_old_events_and_quiet_development_modes_are_removed(
    session: Session, world: World
) -> None:
    now = utc_now()
    notes, drafts = [
        await factories.make_integration(session, world.organization.id, name)
        for name in ("notes", "drafts")
    ]
    installation = await factories.make_installation(session, notes, world.organization.id)
    ages = {
        "old": RETENTION + MOMENT, "old and waiting": RETENTION + MOMENT,
        "young": RETENTION - MOMENT, "new": dt.timedelta(),
    }  # fmt: skip
    events = {
        name: await factories.make_integration_event(
            session, installation, created_at=now - age,
            **({"status": None} if "waiting" in name else {}),
        )
        for name, age in ages.items()
    }  # fmt: skip
    for integration, age in ((notes, QUIET + MOMENT), (drafts, QUIET - MOMENT)):
        await factories.make_development_mode(session, integration)
        await session.execute(
            update(DevelopmentMode)
            .where(DevelopmentMode.integration_id == integration.id)
            .values(last_traffic_at=now - age)
        )
    left, working = {events["young"].id, events["new"].id}, {drafts.id}
    await settle(session)
    assert await clear_integrations(context(session), now) == 3
    assert await _all(session, IntegrationEvent.id) == left
    assert await _all(session, DevelopmentMode.integration_id) == working
    assert await clear_integrations(context(session), now) == 0
