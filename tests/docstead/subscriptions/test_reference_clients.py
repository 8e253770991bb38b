"""The clients that define the protocols, npm graphql-ws and graphql-sse, talk to the server."""

import asyncio
import json
from pathlib import Path

from db.session import Database, Session
from jobs.notifications import notify_all
from resolvers.core.actors import OPERATOR
from tests import factories
from tests.conftest import Api, World
from tests.docstead.subscriptions.clients import base_of
from tests.node_packages import run_node
from tests.rest_compat.test_published_client import listening


async def keep_notifying(api: Api) -> None:
    """The job that notifies people, as a worker does it."""
    while True:
        async with api.server.context_of(OPERATOR) as ctx:
            await notify_all(ctx)
        await asyncio.sleep(0.1)


async def test_reference_clients_get_what_happens(
    database: Database, world: World, session: Session, tmp_path: Path
) -> None:
    space = await factories.make_space(session, world.organization)
    await session.commit()
    async with listening(database, tmp_path / "data") as api:
        base = base_of(api)
        reader, writer = await api.token_of(world.reader), await api.token_of(world.admin)
        notifying = asyncio.create_task(keep_notifying(api))
        answers = json.loads(await run_node("subscriptions.js", base, reader, writer, space.id))
        notifying.cancel()
        await asyncio.gather(notifying, return_exceptions=True)
        events = (
            await api.rest("GET", f"/orgs/{world.organization.id}/events", world.admin)
        ).json()
    ids = [item["eventId"] for item in events["items"] if item["type"] == "space_updated"]
    for name in ("socket", "sse"):
        received = answers[name]
        # From the first one that happened after it had begun.
        begun = ids.index(received["results"][0]["id"])
        own = ids[begun : begun + 3]
        assert [event["id"] for event in received["results"]] == own
        assert [event["id"] for event in received["later"]] == own[1:]
        assert all(event["changed"] == ["title"] for event in received["results"])
        assert answers[f"{name}Query"] == [{"data": {"viewer": {"displayName": "Reader"}}}]
        # Of the account, so that it needs no organization; more of the same counts up.
        notified = answers[f"{name}Notified"]
        assert [event["type"] for event in notified["results"]] == ["NOTIFICATION_CREATED"] * 2
        shown = [event["notification"] for event in notified["results"]]
        assert {one["space"]["id"] for one in shown} == {space.id}
        assert {one["kind"] for one in shown} == {"COMMENTED"}
        assert [event["id"] for event in notified["later"]] == [notified["results"][1]["id"]]
    # The refusal of a document is an error of the operation here, its only result there.
    assert answers["socketInvalid"] == {"errors": True}
    assert answers["sseInvalid"][0]["errors"][0].startswith("Cannot query field 'nothing'")
    assert answers["socketForbidden"]["code"] == 4403
    assert answers["sseForbidden"]["status"] == 401
