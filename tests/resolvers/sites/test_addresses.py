"""Paths on a site: redirects from old ones, addresses, publishing."""

import pytest
from sqlalchemy import select
from strawberry import Some

from db.base import utc_now
from db.enums import EditMode
from db.models.site_settings import SitePathRedirect
from db.models.sites import SiteSpace
from db.models.spaces import Space
from db.session import Session
from resolvers.addresses import sites as site_urls
from resolvers.core.errors import Forbidden, NotFound, PreconditionFailed
from resolvers.core.runners import run
from resolvers.sites import (
    operations as sites,
    publishing as site_publishing,
    sections as site_sections,
    spaces as site_spaces,
)
from resolvers.sites.operations import UpdateSiteInput
from resolvers.sites.sections import AddSiteSectionInput, UpdateSiteSectionInput
from resolvers.sites.spaces import AddSiteSpaceInput, UpdateSiteSpaceInput
from resolvers.sites.writes import remove_spaces_from_sites
from tests.conftest import World, context, settle
from tests.factories import make_site, make_space
from tests.resolvers.sites.shared_sites import prepared, sections_of, spaces_of


async def keys(session: Session) -> dict[str, str | None]:
    session.expunge_all()
    rows = (await session.execute(select(SitePathRedirect))).scalars()
    return {row.key: row.section_id or row.site_space_id for row in rows}


async def test_old_paths_lead_to_what_stood_there(session: Session, world: World) -> None:
    site, (first, second) = await prepared(session, world, "First", "Second")
    ctx = context(session, world.creator)
    (one,), (two,) = await spaces_of(ctx, first), await spaces_of(ctx, second)

    async def section(path: str) -> None:
        change = UpdateSiteSectionInput(path=Some(path))
        await run(ctx, site_sections.update_site_section, second.id, change)

    async def space(row: SiteSpace, path: str) -> None:
        change = UpdateSiteSpaceInput(path=Some(path))
        await run(ctx, site_spaces.update_site_space, row.id, change)

    await section("SECOND")
    assert await keys(session) == {}
    await section("API")
    assert await keys(session) == {"second": second.id}
    await section("rest")
    assert await keys(session) == {"second": second.id, "api": second.id}
    # What stands there again needs no redirect.
    await section("Second")
    assert await keys(session) == {"api": second.id, "rest": second.id}
    await space(two, "v2")
    assert (await keys(session))["second/path-0"] == two.id
    # Spaces of the default section also stood directly below the root.
    await space(one, "v1")
    found = await keys(session)
    assert (found["first/path-0"], found["path-0"]) == (one.id, one.id)
    await space(one, "path-0")
    assert {"first/path-0", "path-0"}.isdisjoint(await keys(session))
    new = await make_space(session, world.organization, title="Api")
    await settle(session)
    await run(ctx, site_sections.add_site_section, site.id, AddSiteSectionInput(space_id=new.id))
    assert "api" not in await keys(session)
    await run(ctx, site_sections.delete_site_section, second.id)
    assert second.id not in (await keys(session)).values()


async def test_the_old_path_on_a_flat_site(session: Session, world: World) -> None:
    space = await make_space(session, world.organization)
    site = await make_site(session, world.organization, space)
    new = await make_space(session, world.organization)
    await settle(session)
    ctx = context(session, world.creator)
    row = (await session.execute(select(SiteSpace))).scalar_one()
    change = UpdateSiteSpaceInput(path=Some("Straße"))
    await run(ctx, site_spaces.update_site_space, row.id, change)
    assert await keys(session) == {"path-0": row.id}
    await run(ctx, site_sections.add_site_section, site.id, AddSiteSectionInput(space_id=new.id))
    # In the default section it still stands at the same place.
    assert await keys(session) == {"path-0": row.id}


async def test_addresses(session: Session, world: World) -> None:
    site, (first, second) = await prepared(session, world, "First", "Second", published=True)
    space = await make_space(session, world.organization)
    await settle(session)
    ctx = context(session, world.creator)
    wanted = AddSiteSpaceInput(space_id=space.id, section_id=Some(second.id))
    added = await run(ctx, site_spaces.add_site_space, site.id, wanted)
    (one,), (two, _) = await spaces_of(ctx, first), await spaces_of(ctx, second)
    root = f"{ctx.settings.public_url}/sites/{site.id}"

    async def shown() -> list[str | None]:
        ctx.cache.clear()
        urls = await site_urls.section_urls(ctx, [first, second], None)
        urls += await site_urls.site_space_urls(ctx, [one, two, added], None)
        return [None if found.published is None else found.published.removeprefix(root)
                for found in urls]  # fmt: skip

    assert await shown() == ["", "/second", "", "/second", f"/second/{added.path}"]
    chosen = UpdateSiteInput(
        default_site_section=Some(second.id), default_site_space=Some(added.id)
    )
    await run(ctx, sites.update_site, site.id, chosen)
    assert await shown() == ["/first", "", "/first", "/path-0", ""]
    # What is in the bin is stood in for.
    gone = await session.get(Space, space.id)
    assert gone is not None
    gone.deleted_at = utc_now()
    await settle(session)
    assert await shown() == ["/first", "", "/first", "", f"/{added.path}"]
    gone = await session.get(Space, two.space_id)
    assert gone is not None
    gone.deleted_at = utc_now()
    await settle(session)
    assert (await shown())[:3] == ["", "/second", ""]
    await run(ctx, site_publishing.unpublish_site, site.id)
    assert set(await shown()) == {None}


async def test_spaces_that_go_for_good_leave_sections_sound(session: Session, world: World) -> None:
    site, (first, second) = await prepared(session, world, "First", "Second")
    ctx = context(session)
    (one,), (two,) = await spaces_of(ctx, first), await spaces_of(ctx, second)
    await session.begin_write()
    await remove_spaces_from_sites(ctx, [one.space_id])
    await settle(session)
    rows = await sections_of(ctx, site)
    assert [row.default_site_space_id for row in rows] == [None, two.id]
    assert (await spaces_of(ctx, rows[1]))[0].place == 0


async def test_publishing(session: Session, world: World) -> None:
    site = await make_site(session, world.organization)
    space = await make_space(session, world.organization, edit_mode=EditMode.LIVE)
    await settle(session)
    ctx = context(session, world.creator)
    with pytest.raises(PreconditionFailed, match="no site space"):
        await run(ctx, site_publishing.publish_site, site.id)
    await run(ctx, site_spaces.add_site_space, site.id, AddSiteSpaceInput(space_id=space.id))
    for _ in range(2):
        assert (await run(ctx, site_publishing.publish_site, site.id)).published is True
    session.expunge_all()
    shown = await session.get(Space, space.id)
    assert shown is not None
    assert shown.edit_mode is EditMode.LOCKED
    for _ in range(2):
        assert (await run(ctx, site_publishing.unpublish_site, site.id)).published is False
    for person, error in ((world.reviewer, Forbidden), (world.outsider, NotFound)):
        for operation in (site_publishing.publish_site, site_publishing.unpublish_site):
            with pytest.raises(error):
                await run(context(session, person), operation, site.id)
