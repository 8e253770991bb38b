"""`space_visibility_updated` says each time that others than before see a space, and never else."""

import random
from typing import Any

import pytest
from sqlalchemy import select
from strawberry import ID, Some

from db.enums import Role, SiteVisibility
from db.event_enums import EventType
from db.models.events import Event
from db.models.sites import Site, SiteSpace
from db.models.spaces import Collection, Space
from db.session import Database, Session
from resolvers.core.context import Context
from resolvers.core.errors import ApiError
from resolvers.core.runners import run
from resolvers.sites.operations import UpdateSiteInput, delete_site, update_site
from resolvers.sites.publishing import publish_site, unpublish_site
from resolvers.sites.spaces import AddSiteSpaceInput, add_site_space, delete_site_space
from resolvers.spaces.collections import delete_collection
from resolvers.spaces.fields import space_visibilities
from resolvers.spaces.operations import MoveInput, move_space
from resolvers.spaces.transfers import TransferInput, transfer_space
from tests import factories
from tests.conftest import World, context

ACTS = (
    "publish", "unpublish", "set", "add", "add", "remove", "move", "move", "delete", "dissolve",
    "transfer",
)  # fmt: skip


async def act(
    ctx: Context,
    name: str,
    site: Site,
    space: Space,
    collection: Collection,
    organizations: list[ID],
    chosen: random.Random,
) -> None:
    """Change what may show a space to others; what is refused changes nothing."""
    placed = select(SiteSpace.id).where(
        SiteSpace.site_id == site.id, SiteSpace.space_id == space.id
    )
    match name:
        case "publish":
            await run(ctx, publish_site, site.id)
        case "unpublish":
            await run(ctx, unpublish_site, site.id)
        case "set":
            visibility = Some(chosen.choice(list(SiteVisibility)))
            await run(ctx, update_site, site.id, UpdateSiteInput(visibility=visibility))
        case "add":
            await run(ctx, add_site_space, site.id, AddSiteSpaceInput(space_id=ID(space.id)))
        case "remove":
            if (id := (await ctx.session.execute(placed)).scalar()) is not None:
                await run(ctx, delete_site_space, id)
        case "move":
            parent = chosen.choice([None, ID(collection.id)])
            await run(ctx, move_space, space.id, MoveInput(parent=Some(parent)))
        case "dissolve":
            if chosen.random() < 0.3:
                await run(ctx, delete_collection, collection.id)
        case "transfer":
            # There and back: it comes to the top level, wherever it was.
            for organization in organizations:
                await run(ctx, transfer_space, space.id, TransferInput(organization=organization))
        case "delete":
            if chosen.random() < 0.2:
                await run(ctx, delete_site, site.id)


@pytest.mark.parametrize("seed", range(4))
async def test_each_change_has_its_event(
    database: Database, session: Session, world: World, seed: int
) -> None:
    chosen = random.Random(seed)
    organization = world.organization
    sites = [await factories.make_site(session, organization) for _ in range(2)]
    spaces = [await factories.make_space(session, organization) for _ in range(2)]
    collections = [await factories.make_collection(session, organization) for _ in range(5)]
    other = await factories.make_organization(session)
    await factories.make_member(session, other, Role.ADMIN, world.admin)
    organizations = [ID(other.id), ID(organization.id)]
    await session.commit()
    seen: set[str] = set()
    before: Any = None
    for step in range(50):
        site, space, name = chosen.choice(sites), chosen.choice(spaces), chosen.choice(ACTS)
        # One after the other is dissolved.
        collection = collections[step // 10]
        async with database.session() as own:
            try:
                ctx = context(own, world.admin)
                await act(ctx, name, site, space, collection, organizations, chosen)
            except ApiError:
                await own.rollback()
        async with database.session() as own:
            ids = [space.id for space in spaces]
            rows = list(
                (await own.execute(select(Space).where(Space.id.in_(ids)).order_by(Space.id)))
                .scalars()
            )  # fmt: skip
            values = await space_visibilities(context(own, world.admin), rows, None)
            after = dict(zip([row.id for row in rows], values, strict=True))
            changes = Event.type == EventType.SPACE_VISIBILITY_UPDATED
            events = (await own.execute(select(Event).where(changes))).scalars().all()
        new = [event for event in events if event.id not in seen]
        seen.update(event.id for event in new)
        if before is not None:
            assert sorted((event.space_id, event.data) for event in new) == sorted(
                (
                    id,
                    {"visibility": after[id].value, "previousVisibility": before[id].value},
                )
                for id in after
                if after[id] is not before[id]
            ), (step, name)
        before = after
    assert len(seen) > 5
