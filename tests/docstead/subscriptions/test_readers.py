"""Who reads a site with a content token or a share link follows no events, and is told so."""

from db.session import Session
from tests import factories
from tests.conftest import Api, World
from tests.docstead.subscriptions.clients import base_of, event_stream, socket
from tests.rest_compat.published.test_visitors import token

CONTENT = "subscription ($id: ID!) { content(spaceId: $id) { id } }"
STRUCTURE = "subscription ($id: ID!) { siteStructure(id: $id) { id } }"


async def test_readers_of_a_site_are_refused(live: Api, world: World, session: Session) -> None:
    space = await factories.make_space(session, world.organization)
    apart = await factories.make_space(session, world.organization)
    site = await factories.make_site(session, world.organization, space, published=True)
    link = await factories.make_share_link(session, site)
    await session.commit()
    for share_key in (None, link.secret):
        header = (await token(live, site, share_key=share_key))["Authorization"]
        bearer = header.removeprefix("Bearer ")
        query = "query ($id: ID!) { space(id: $id) { id } }"
        async with socket(base_of(live), bearer) as client:
            # They read the space, so that it is no secret that there is one.
            for number, (text, id, code) in enumerate((
                (CONTENT, space.id, "FORBIDDEN"), (STRUCTURE, site.id, "FORBIDDEN"),
                (CONTENT, apart.id, "NOT_FOUND"),
            )):  # fmt: skip
                await client.subscribe(str(number), text, id=id)
                message = await client.receive()
                assert message["type"] == "error", message
                assert message["payload"][0]["extensions"]["code"] == code
            await client.subscribe("read", query, id=space.id)
            assert (await client.results(1))[0]["data"] == {"space": {"id": space.id}}
        async with event_stream(live.client, bearer, CONTENT, id=space.id) as events:
            received = [event async for event in events]
        assert received[0][2]["errors"][0]["extensions"]["code"] == "FORBIDDEN"
        assert received[-1][0] == "complete"
    # With the key of a link alone nobody is recognised.
    async with socket(base_of(live)) as client:
        await client.send(type="connection_init")
        assert await client.receive() == 4403
