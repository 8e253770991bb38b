"""The clients that define the protocols, npm graphql-ws and graphql-sse, talk to the server."""

import json
from pathlib import Path

from db.session import Database, Session
from tests import factories
from tests.conftest import World
from tests.docstead.subscriptions.clients import base_of
from tests.node_packages import run_node
from tests.rest_compat.test_published_client import listening


async def test_reference_clients_get_what_happens(
    database: Database, world: World, session: Session, tmp_path: Path
) -> None:
    space = await factories.make_space(session, world.organization)
    await session.commit()
    async with listening(database, tmp_path / "data") as api:
        base = base_of(api)
        reader, writer = await api.token_of(world.reader), await api.token_of(world.admin)
        answers = json.loads(await run_node("subscriptions.js", base, reader, writer, space.id))
        events = (
            await api.rest("GET", f"/orgs/{world.organization.id}/events", world.admin)
        ).json()
    ids = [item["eventId"] for item in events["items"]]
    for name, own in (("socket", ids[:3]), ("sse", ids[3:])):
        received = answers[name]
        assert [event["id"] for event in received["results"]] == own
        assert [event["id"] for event in received["later"]] == own[1:]
        assert all(event["changed"] == ["title"] for event in received["results"])
        assert answers[f"{name}Query"] == [{"data": {"viewer": {"displayName": "Reader"}}}]
    # The refusal of a document is an error of the operation here, its only result there.
    assert answers["socketInvalid"] == {"errors": True}
    assert answers["sseInvalid"][0]["errors"][0].startswith("Cannot query field 'nothing'")
    assert answers["socketForbidden"]["code"] == 4403
    assert answers["sseForbidden"]["status"] == 401
