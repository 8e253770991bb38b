"""Share links and their keys: who sees them, where they stand in addresses, when they open."""

import pytest
from sqlalchemy import select
from strawberry import Some

from db.enums import Role, SiteVisibility
from db.models.organizations import User
from db.models.site_settings import ShareLink
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.session import Session
from resolvers.addresses import sites as site_urls, spaces as space_urls
from resolvers.core.actors import Actor, Visitor
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden, NotFound
from resolvers.core.pagination import PageArguments
from resolvers.core.runners import read, run
from resolvers.sites import operations as sites, share_links
from resolvers.sites.share_links import CreateShareLinkInput, UpdateShareLinkInput
from resolvers.spaces import operations as spaces
from tests.conftest import Queries, World, context, settle
from tests.deleting import removes
from tests.factories import make_grant, make_share_link, make_site, make_space

BASE = "http://127.0.0.1:8000/sites"


class Shared:
    """A published site behind share links, with two spaces on it."""

    def __init__(
        self, session: Session, site: Site, placed: list[SiteSpace], links: list[ShareLink]
    ):
        self.session, self.site, self.placed, self.links = session, site, placed, links
        self.root = f"{BASE}/{site.id}"
        self.keys = [link.secret for link in links]

    async def address(self, ctx: Context) -> str | None:
        (urls,) = await site_urls.site_urls(ctx, [self.site], None)
        return urls.published

    async def addresses(self, ctx: Context) -> list[str | None]:
        return [one.published for one in await site_urls.site_space_urls(ctx, self.placed, None)]

    def ctx(self, person: User | None) -> Context:
        return context(self.session, person)


@pytest.fixture
async def shared(session: Session, world: World) -> Shared:
    made = [await make_space(session, world.organization) for _ in range(2)]
    site = await make_site(
        session, world.organization, *made, published=True, visibility=SiteVisibility.SHARE_LINK
    )
    links = [await make_share_link(session, site, active=active) for active in (False, True, True)]
    statement = select(SiteSpace).where(SiteSpace.site_id == site.id).order_by(SiteSpace.position)
    placed = list((await session.execute(statement)).scalars())
    await settle(session)
    return Shared(session, site, placed, links)


async def test_life_of_a_share_link(session: Session, world: World) -> None:
    site = await make_site(session, world.organization)
    await settle(session)
    ctx = context(session, world.creator)
    link = await run(
        ctx, share_links.create_share_link, site.id, CreateShareLinkInput(name="Partners")
    )
    assert (link.name, link.active, len(link.secret)) == ("Partners", True, 20)
    again = await run(
        ctx, share_links.create_share_link, site.id, CreateShareLinkInput(name="Partners")
    )
    assert again.secret != link.secret
    change = UpdateShareLinkInput(name=Some("Press"), active=Some(False))
    changed = await run(ctx, share_links.update_share_link, link.id, change, site.id)
    assert (changed.name, changed.active, changed.secret) == ("Press", False, link.secret)
    same = await run(ctx, share_links.update_share_link, link.id, UpdateShareLinkInput())
    assert (same.name, same.active) == ("Press", False)
    assert await removes(ctx, share_links.delete_share_link, link.id, site.id) is True
    assert await removes(ctx, share_links.delete_share_link, link.id, site.id) is False
    (part,) = await share_links.share_links_of_sites(ctx, [site], PageArguments())
    assert [one.id for one in part.rows] == [again.id]


async def test_links_belong_to_their_site(shared: Shared, session: Session, world: World) -> None:
    other = await make_site(session, world.organization)
    await settle(session)
    ctx = shared.ctx(world.creator)
    link = shared.links[1]
    with pytest.raises(NotFound):
        await run(ctx, share_links.update_share_link, link.id, UpdateShareLinkInput(), other.id)
    assert await removes(ctx, share_links.delete_share_link, link.id, other.id) is False
    with pytest.raises(NotFound):
        await run(
            ctx, share_links.update_share_link, link.id, UpdateShareLinkInput(), None, "elsewhere"
        )
    assert (await session.get(ShareLink, link.id)) is not None


async def test_changing_needs_create(shared: Shared, session: Session, world: World) -> None:
    await make_grant(session, await session.get_one(Space, shared.placed[0].space_id), world.guest,
                     Role.ADMIN)  # fmt: skip
    await settle(session)
    link = shared.links[1]
    off = UpdateShareLinkInput(active=Some(False))
    for person in (world.reviewer, world.editor, world.commenter, world.reader):
        ctx = shared.ctx(person)
        with pytest.raises(Forbidden):
            await run(
                ctx, share_links.create_share_link, shared.site.id, CreateShareLinkInput(name="x")
            )
        with pytest.raises(Forbidden):
            await run(ctx, share_links.update_share_link, link.id, off)
        with pytest.raises(Forbidden):
            await run(ctx, share_links.delete_share_link, link.id)
    for person in (world.guest, world.outsider):
        ctx = shared.ctx(person)
        with pytest.raises(NotFound):
            await run(ctx, share_links.update_share_link, link.id, off)
        assert await removes(ctx, share_links.delete_share_link, link.id) is False
    session.expunge_all()
    assert (await session.get_one(ShareLink, link.id)).active
    assert len((await session.execute(select(ShareLink))).all()) == 3


async def test_keys_are_shown_to_creators_while_they_open_the_site(
    shared: Shared, session: Session, world: World, queries: Queries
) -> None:
    creator = shared.ctx(world.creator)
    with queries(2 + 1):
        # Addresses with the oldest key, and ranks; what the rows hold is not read again.
        urls = await share_links.share_link_urls(creator, shared.links, None)
    assert [one.published for one in urls] == [
        None, f"{shared.root}/{shared.keys[1]}", f"{shared.root}/{shared.keys[2]}",
    ]  # fmt: skip
    for person in (world.reviewer, world.reader):
        urls = await share_links.share_link_urls(shared.ctx(person), shared.links, None)
        assert [one.published for one in urls] == [None, None, None]
    site = await session.get_one(Site, shared.site.id)
    for published, visibility in (
        (False, SiteVisibility.SHARE_LINK), (True, SiteVisibility.PUBLIC),
        (True, SiteVisibility.VISITOR_AUTH),
    ):  # fmt: skip
        site.published, site.visibility = published, visibility
        await session.flush()
        urls = await share_links.share_link_urls(creator, shared.links, None)
        assert [one.published for one in urls] == [None, None, None]


async def test_the_address_of_the_site_has_the_oldest_active_key_for_creators(
    shared: Shared, session: Session, world: World, queries: Queries
) -> None:
    creator = shared.ctx(world.creator)
    with queries(2):
        assert await shared.address(creator) == f"{shared.root}/{shared.keys[1]}"
    # The site, its oldest key, and which site space it serves at its root.
    with queries(3):
        assert await shared.addresses(creator) == [
            f"{shared.root}/{shared.keys[1]}", f"{shared.root}/{shared.keys[1]}/path-1",
        ]  # fmt: skip
    for person in (world.reviewer, world.reader):
        ctx = shared.ctx(person)
        assert await shared.address(ctx) == shared.root
        assert await shared.addresses(ctx) == [shared.root, f"{shared.root}/path-1"]
    first = await session.get_one(ShareLink, shared.links[1].id)
    first.active = False
    await session.flush()
    assert await shared.address(creator) == f"{shared.root}/{shared.keys[2]}"
    (await session.get_one(ShareLink, shared.links[2].id)).active = False
    await session.flush()
    assert await shared.address(creator) == shared.root


async def test_sites_of_other_audiences_have_no_keys(
    shared: Shared, session: Session, world: World, queries: Queries
) -> None:
    site = await session.get_one(Site, shared.site.id)
    site.visibility = SiteVisibility.UNLISTED
    await session.flush()
    ctx = shared.ctx(world.creator)
    await read(ctx, sites.get_site, site.id, None, shared.keys[2])
    with queries(1):
        (urls,) = await site_urls.site_urls(ctx, [site], None)
    assert urls.published == shared.root


async def test_a_given_key_stands_in_the_addresses(
    shared: Shared, world: World, queries: Queries
) -> None:
    for person in (world.creator, world.reader):
        ctx = shared.ctx(person)
        with queries(1):
            await read(ctx, sites.get_site, shared.site.id, None, shared.keys[2])
        with queries(2):
            assert await shared.address(ctx) == f"{shared.root}/{shared.keys[2]}"
        assert (await shared.addresses(ctx))[1] == f"{shared.root}/{shared.keys[2]}/path-1"
        ctx = shared.ctx(person)
        with queries(1):
            space = await read(ctx, spaces.get_space, shared.placed[1].space_id, shared.keys[2])
        (urls,) = await space_urls.space_urls(ctx, [space], None)
        assert urls.published == f"{shared.root}/{shared.keys[2]}/path-1"
        assert urls.public is None


async def test_keys_that_open_nothing_are_not_found(
    shared: Shared, session: Session, world: World
) -> None:
    elsewhere = await make_site(
        session, world.organization, published=True, visibility=SiteVisibility.SHARE_LINK
    )
    foreign = await make_share_link(session, elsewhere)
    await settle(session)
    ctx = shared.ctx(world.admin)
    usual = await shared.address(ctx)
    visitor = Visitor(
        shared.site.id, world.organization.id,
        site_space_ids=frozenset(one.id for one in shared.placed),
        space_ids=frozenset(one.space_id for one in shared.placed), share_key=shared.keys[2],
    )  # fmt: skip
    for key in (shared.keys[0], foreign.secret, "unknown", ""):
        # Who may read anyway has the address as without a key.
        await read(ctx, sites.get_site, shared.site.id, None, key)
        await read(ctx, spaces.get_space, shared.placed[0].space_id, key)
        assert await shared.address(ctx) == usual
        guest = Context(Actor(visitor=visitor), shared.session)
        if key == "":
            await read(guest, sites.get_site, shared.site.id, None, key)
            continue
        with pytest.raises(NotFound, match="shareKey"):
            await read(guest, sites.get_site, shared.site.id, None, key)
        with pytest.raises(NotFound, match="shareKey"):
            await read(guest, spaces.get_space, shared.placed[0].space_id, key)
        assert guest.share_keys == set()


async def test_visitors_have_the_key_of_their_token(shared: Shared, world: World) -> None:
    visitor = Visitor(
        shared.site.id, world.organization.id,
        site_space_ids=frozenset(one.id for one in shared.placed), share_key=shared.keys[2],
    )  # fmt: skip
    ctx = Context(Actor(visitor=visitor), shared.session)
    assert await shared.address(ctx) == f"{shared.root}/{shared.keys[2]}"
    (part,) = await share_links.share_links_of_sites(ctx, [shared.site], PageArguments())
    assert part.rows == []
    with pytest.raises(Forbidden):
        await run(
            ctx, share_links.create_share_link, shared.site.id, CreateShareLinkInput(name="x")
        )
