"""Pages are found in the organization where they are, whatever their words say in the index."""

from typing import Any

import pytest

from db.enums import Role
from db.models.content_index import FormerHome
from db.models.organizations import Organization
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.session import Session
from jobs.reindex import index_space
from resolvers.core.runners import run
from resolvers.search import words as search_words
from resolvers.spaces.transfers import TransferInput, transfer_collection, transfer_space
from tests import factories
from tests.conftest import Api, World, context, settle
from tests.resolvers.search.test_search import Writer


async def organization(session: Session, world: World, title: str) -> Organization:
    """One in which the creator may create."""
    made = await factories.make_organization(session, title=title)
    await factories.make_member(session, made, Role.CREATE, world.creator)
    return made


async def written(session: Session, owner: Organization, title: str, parent: Any = None) -> Writer:
    space = await factories.make_space(session, owner, parent, title=title)
    await session.commit()
    writer = Writer(session, space)
    await writer.write(writer.page("one", "apple\n"), writer.page("two", "apple pie\n"))
    return writer


async def found(api: Api, world: World, owner: Organization, query: str) -> dict[str, list[str]]:
    """Ids of the pages by the title of their space."""
    answer = await api.rest(
        "GET", f"/orgs/{owner.id}/search", world.creator, params={"query": query}
    )
    assert answer.status_code == 200, answer.text
    return {
        item["title"]: sorted(page["id"] for page in item["pages"])
        for item in answer.json()["items"]
    }


async def test_transferred_spaces_are_found_where_they_are(
    api: Api, session: Session, world: World
) -> None:
    first = world.organization
    second, third = [await organization(session, world, title) for title in ("2nd", "3rd")]
    moving = await written(session, first, "Moving")
    await written(session, first, "Staying")
    await factories.make_grant(session, moving.space, world.creator, Role.CREATE)
    await settle(session)
    both = ["one", "two"]
    assert await found(api, world, first, "apple") == {"Moving": both, "Staying": both}
    for target in (second, third):
        ctx = context(session, world.creator)
        input = TransferInput(organization=target.id)
        await run(ctx, transfer_space, moving.space.id, input)
        await settle(session)
        assert await found(api, world, first, "apple") == {"Staying": both}
        assert await found(api, world, target, "apple") == {"Moving": both}
        # What is written now is beside what was written before.
        moving.space = await session.get_one(Space, moving.space.id)
        await moving.write(moving.page("two", f"apple tart {target.title}\n"))
        assert await found(api, world, target, "apple tart") == {"Moving": ["two"]}
        assert await found(api, world, target, "apple") == {"Moving": both}
    assert await found(api, world, second, "apple") == {}
    await session.begin_write()
    await index_space(context(session), moving.space.id)
    assert await found(api, world, third, "apple") == {"Moving": both}


async def test_a_transferred_collection_and_back(api: Api, session: Session, world: World) -> None:
    first, second = world.organization, await organization(session, world, "2nd")
    parent = await factories.make_collection(session, first)
    await factories.make_grant(session, parent, world.creator, Role.CREATE)
    await written(session, first, "Within", parent)
    await settle(session)
    for target, other in ((second, first), (first, second), (second, first)):
        input = TransferInput(organization=target.id)
        await run(context(session, world.creator), transfer_collection, parent.id, input)
        await settle(session)
        assert await found(api, world, target, "apple") == {"Within": ["one", "two"]}
        assert await found(api, world, other, "apple") == {}
    rows = await session.execute(FormerHome.__table__.select())
    assert {tuple(row) for row in rows} == {(first.id, second.id), (second.id, first.id)}


@pytest.mark.parametrize("many", [False, True])
async def test_other_organizations_are_not_looked_at(
    api: Api, session: Session, world: World, monkeypatch: pytest.MonkeyPatch, many: bool
) -> None:
    """Whether spaces or their organization are named: the same is found."""
    if many:
        monkeypatch.setattr(search_words, "SCOPES", 1)
    other = await organization(session, world, "Other")
    await written(session, other, "Elsewhere")
    spaces = [(await written(session, world.organization, title)).space for title in "AB"]
    site = Site(organization_id=world.organization.id, title="Docs", published=True)
    session.add(site)
    await session.flush()
    session.add_all(
        SiteSpace(site_id=site.id, space_id=space.id, path=space.title, position=position)
        for position, space in enumerate(spaces)
    )
    await settle(session)
    path = f"/orgs/{world.organization.id}/sites/{site.id}/search"
    answer = await api.rest("POST", path, world.reader, {"query": "apple", "mode": "all"})
    assert answer.status_code == 200, answer.text
    expected = {"A": ["one", "two"], "B": ["one", "two"]}
    assert await found(api, world, world.organization, "apple") == expected
    assert len(answer.json()["items"]) == 2
    assert await found(api, world, other, "apple") == {"Elsewhere": ["one", "two"]}
