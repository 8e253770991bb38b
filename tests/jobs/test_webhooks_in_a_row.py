"""Many events for one endpoint: over one connection, each written down before the next one."""

import datetime as dt

import pytest

from db.webhook_enums import DeliveryState
from jobs import webhooks
from tests.conftest import Queries
from tests.jobs.hooks import Hooks
from tests.jobs.receiver import HANG, Receiver


@pytest.mark.parametrize(("of_connection", "connections"), [(100, 1), (4, 3), (1, 12)])
async def test_events_in_a_row_share_a_connection(
    hooks: Hooks, receiver: Receiver, of_connection: int, connections: int
) -> None:
    """A receiver that closes it after some answers, without a word, has failed at nothing."""
    receiver.of_connection = of_connection
    id, _ = await hooks.create(types=["team_created"])
    await hooks.write(12)
    await hooks.deliver()
    assert receiver.positions == sorted(set(receiver.positions))
    assert (len(receiver.received), receiver.connections) == (12, connections)
    deliveries = await hooks.deliveries(id)
    assert all(one.state is DeliveryState.DELIVERED for one in deliveries)
    assert all(len(one.attempts) == 1 for one in deliveries)
    assert await hooks.jobs() == 0


async def test_an_event_costs_a_claim_and_an_end(
    hooks: Hooks, receiver: Receiver, queries: Queries, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came of the last attempt is written with the end of the job."""
    # Rights are not looked at anew meanwhile, however busy the machine is.
    monkeypatch.setattr(webhooks, "RIGHTS_SECONDS", 60)
    id, _ = await hooks.create(types=["team_created"])
    await hooks.write()
    await hooks.deliver()
    for number in (1, 3):
        await hooks.write(number)
        queries.statements.clear()
        await hooks.deliver()
        # Claiming, and each attempt but the last one.
        held = [text for text in queries.statements if text.startswith("UPDATE job")]
        assert len(held) == number, queries.statements
        assert sum(text.startswith("DELETE FROM job") for text in queries.statements) == 1
    assert len(await hooks.deliveries(id)) == 5
    assert receiver.positions == sorted(set(receiver.positions))


async def test_who_disables_an_endpoint_in_the_middle_is_heard(
    hooks: Hooks, receiver: Receiver
) -> None:
    id, _ = await hooks.create(types=["team_created"])
    await hooks.write(6)
    await hooks.api.server.webhook_waker.wake()
    receiver.plan = [200, HANG]
    worker = hooks.worker()
    await worker.fill()
    while len(receiver.received) < 2:
        receiver.came.clear()
        await receiver.came.wait()
    answer = await hooks.api.rest(
        "PATCH", f"{hooks.path}/{id}", hooks.world.admin, {"enabled": False}
    )
    assert answer.status_code == 200
    receiver.released.set()
    await worker.settle()
    assert len(receiver.received) <= 3
    count = len(receiver.received)
    await hooks.deliver()
    assert len(receiver.received) == count
    await hooks.api.rest("PATCH", f"{hooks.path}/{id}", hooks.world.admin, {"enabled": True})
    await hooks.pass_time(dt.timedelta(minutes=2))
    await hooks.deliver()
    assert sorted(set(receiver.positions)) == receiver.positions[:1] + [
        receiver.positions[0] + number for number in range(1, 6)
    ]
