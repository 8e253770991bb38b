"""Addresses of archives and PDFs open for whoever they were made for, while they may read them."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import delete, update

from db.base import utc_now
from db.enums import Role
from db.models.organizations import Member, Token
from db.models.sign_in import UserSession
from db.session import Session
from docstead.http.holders import actor_of_holder
from jobs.table import export_kinds
from resolvers.core.actors import OPERATOR, Actor, Program
from resolvers.core.errors import Unauthenticated
from resolvers.core.signed_addresses import holder_of
from tests import factories
from tests.conftest import Api, World, settle
from tests.jobs.queue import Queue
from tests.printed_space import make_printed_space

Address = Callable[[Api, World, str, str], Awaitable[str]]


async def zip_in_graphql(api: Api, world: World, space: str, organization: str) -> str:
    query = "query ($id: ID!) { contentExport(spaceId: $id) { url } }"
    return str((await api.data(query, world.admin, id=space))["contentExport"]["url"])


async def zip_in_rest(api: Api, world: World, space: str, organization: str) -> str:
    answer = await api.rest("GET", f"/spaces/{space}/content/export", world.admin)
    return str(answer.json()["url"])


async def pdf_in_graphql(api: Api, world: World, space: str, organization: str) -> str:
    query = "query ($id: ID!) { space(id: $id) { pdf { url } } }"
    return str((await api.data(query, world.admin, id=space))["space"]["pdf"]["url"])


async def pdf_in_rest(api: Api, world: World, space: str, organization: str) -> str:
    return str((await api.rest("GET", f"/spaces/{space}/pdf", world.admin)).json()["url"])


async def archive_in_rest(api: Api, world: World, space: str, organization: str) -> str:
    started = (await api.rest("POST", f"/orgs/{organization}/export", world.admin)).json()
    await Queue(api.server).work(export_kinds(api.server.exporter))
    path = f"/orgs/{organization}/jobs/{started['id']}"
    return str((await api.rest("GET", path, world.admin)).json()["archive"]["url"])


async def archive_in_graphql(api: Api, world: World, space: str, organization: str) -> str:
    start = "mutation ($id: ID!) { startOrganizationExport(organizationId: $id) { id } }"
    started = (await api.data(start, world.admin, id=organization))["startOrganizationExport"]
    await Queue(api.server).work(export_kinds(api.server.exporter))
    query = "query ($id: ID!) { job(id: $id) { archive { url } } }"
    return str((await api.data(query, world.admin, **started))["job"]["archive"]["url"])


ADDRESSES: list[Address] = [
    zip_in_graphql, zip_in_rest, pdf_in_graphql, pdf_in_rest, archive_in_rest, archive_in_graphql,
]  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
async def test_an_address_closes_with_the_right_of_its_holder(
    api: Api, world: World, session: Session, address: Address
) -> None:
    access = await api.server.file_access()
    space = (await make_printed_space(session, world, access.blobs)).space.id
    await settle(session)
    organization, admin = world.organization.id, world.admin.id
    url = await address(api, world, space, organization)

    async def status() -> int:
        return (await api.client.get(url, headers={"Range": "bytes=0-9"})).status_code

    async def now(statement: Any) -> None:
        await session.execute(statement)
        await session.commit()

    assert await status() in (200, 206)
    # For whom it was made is signed, too: nobody, or somebody else, cannot take their place.
    holder = url.split("by=")[1].split("&")[0]
    for other in ("", f"person~{world.creator.id}"):
        swapped = url.replace(f"by={holder}", f"by={other}")
        assert (await api.client.get(swapped)).status_code == 404
    mine = Member.user_id == admin, Member.organization_id == organization
    for lost, again in (
        ({"disabled": True}, {"disabled": False}),
        ({"role": None}, {"role": Role.ADMIN}),
    ):
        await now(update(Member).where(*mine).values(**lost))
        assert await status() == 404, lost
        await now(update(Member).where(*mine).values(**again))
        assert await status() in (200, 206), again
    await now(update(Token).where(Token.user_id == admin).values(revoked_at=utc_now()))
    assert await status() == 404


async def test_whom_an_address_names(api: Api, world: World, session: Session) -> None:
    person = await factories.make_user_session(session, world.admin)
    id, points = person.id, api.server.database.points
    await session.commit()
    assert holder_of(OPERATOR) == ""
    assert await actor_of_holder(points, "") is OPERATOR
    for actor in (
        Actor(world.admin.id, session_id=id),
        Actor(world.admin.id),
        Actor("account", service=True, program=Program.INSTALLATION),
    ):
        named = await actor_of_holder(points, holder_of(actor))
        assert (named.user_id, named.program) == (actor.user_id, actor.program)
    await session.execute(delete(UserSession).where(UserSession.id == id))
    await session.commit()
    for gone in (f"session~{id}", "token~0"):
        with pytest.raises(Unauthenticated):
            await actor_of_holder(points, gone)
