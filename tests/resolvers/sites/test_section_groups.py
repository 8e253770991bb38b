"""Groups of sections as operations: every rule, and who sees them."""

import pytest
import strawberry
from sqlalchemy import select
from strawberry import Some

from db.enums import Role
from db.models.sites import SiteSectionGroup
from db.session import Session
from resolvers.core.errors import BadRequest, Conflict, NotFound, PreconditionFailed
from resolvers.core.runners import read, run
from resolvers.sites import (
    section_groups as site_section_groups,
    sections as site_sections,
    spaces as site_spaces,
)
from resolvers.sites.section_groups import (
    AddSectionToGroupInput,
    AddSiteSectionGroupInput,
    UpdateSiteSectionGroupInput,
)
from resolvers.sites.sections import SpaceStructure
from resolvers.sites.spaces import AddSiteSpaceInput
from tests.conftest import World, context, settle
from tests.deleting import removes
from tests.factories import make_grant, make_section, make_section_group, make_site, make_space
from tests.resolvers.sites.shared_sites import default_of, prepared, sections_of, tree


async def test_without_its_last_section_a_site_is_flat_and_empty(
    session: Session, world: World
) -> None:
    site, (only,) = await prepared(session, world, "Only")
    group = await make_section_group(session, site)
    await make_section_group(session, site, parent=group)
    space = await make_space(session, world.organization)
    await settle(session)
    ctx = context(session, world.creator)
    await run(ctx, site_section_groups.add_section_to_group, group.id,
              AddSectionToGroupInput(section_id=only.id))  # fmt: skip
    await run(ctx, site_sections.delete_site_section, only.id)
    ctx.cache.clear()
    assert await site_sections.structures_of_sites(ctx, [site], None) == [SpaceStructure([])]
    assert (await session.execute(select(SiteSectionGroup.id))).all() == []
    assert await default_of(session, site) is None
    added = await run(
        ctx, site_spaces.add_site_space, site.id, AddSiteSpaceInput(space_id=space.id)
    )
    assert added.section_id is None


async def test_groups(session: Session, world: World) -> None:
    site, made = await prepared(session, world, "A", "B", "C", "D")
    ids = {one.title: one.id for one in made}
    ctx = context(session, world.creator)
    add = site_section_groups.add_site_section_group
    wanted = AddSiteSectionGroupInput(
        title="G", icon=Some("book"), sections=Some([ids["C"], ids["A"], ids["C"]])
    )
    group = await run(ctx, add, site.id, wanted)
    assert (group.title, group.icon, group.parent_id) == ("G", "book", None)
    assert await tree(ctx, site) == ["B", "D", ["G", "C", "A"]]
    nested = AddSiteSectionGroupInput(title="N", parent=Some(group.id), sections=Some([ids["B"]]))
    inner = await run(ctx, add, site.id, nested)
    assert await tree(ctx, site) == ["D", ["G", "C", "A", ["N", "B"]]]
    assert [row.title for row in await sections_of(ctx, site)] == ["D", "C", "A", "B"]
    with pytest.raises(BadRequest, match="parent"):
        await run(ctx, add, site.id, AddSiteSectionGroupInput(title="X", parent=Some(inner.id)))
    for wrong in (
        AddSiteSectionGroupInput(title="X", parent=Some("nothing")),
        AddSiteSectionGroupInput(title="X", sections=Some([ids["A"], "nothing"])),
    ):
        with pytest.raises(NotFound):
            await run(ctx, add, site.id, wrong)
    into = site_section_groups.add_section_to_group
    with pytest.raises(Conflict, match="already in this group"):
        await run(ctx, into, inner.id, AddSectionToGroupInput(section_id=ids["B"]))
    with pytest.raises(NotFound, match="sectionId"):
        await run(ctx, into, inner.id, AddSectionToGroupInput(section_id="nothing"))
    await run(ctx, into, inner.id, AddSectionToGroupInput(section_id=ids["D"]))
    assert await tree(ctx, site) == [["G", "C", "A", ["N", "B", "D"]]]
    out = site_section_groups.remove_section_from_group
    assert await removes(ctx, out, inner.id, strawberry.ID(ids["B"])) is True
    assert await removes(ctx, out, inner.id, strawberry.ID(ids["B"])) is False
    assert await removes(ctx, out, "nothing", strawberry.ID(ids["B"])) is False
    assert await tree(ctx, site) == [["G", "C", "A", ["N", "D"], "B"]]
    change = UpdateSiteSectionGroupInput(title=Some("Guides"), icon=Some(None))
    changed = await run(ctx, site_section_groups.update_site_section_group, group.id, change)
    assert (changed.title, changed.icon) == ("Guides", None)


async def test_a_deleted_group_leaves_what_it_held_in_its_place(
    session: Session, world: World
) -> None:
    site, _ = await prepared(session, world, "A")
    group = await make_section_group(session, site, title="G")
    await make_section(session, site, group=group, title="B")
    inner = await make_section_group(session, site, parent=group, title="N")
    await make_section(session, site, group=inner, title="C")
    await make_section(session, site, title="D")
    await settle(session)
    ctx = context(session, world.creator)
    assert await tree(ctx, site) == ["A", ["G", "B", ["N", "C"]], "D"]
    assert await removes(ctx, site_section_groups.delete_site_section_group, group.id) is True
    assert await removes(ctx, site_section_groups.delete_site_section_group, group.id) is False
    assert await tree(ctx, site) == ["A", "B", ["N", "C"], "D"]
    await run(ctx, site_section_groups.delete_site_section_group, inner.id)
    assert await tree(ctx, site) == ["A", "B", "C", "D"]
    rows = await sections_of(ctx, site)
    assert [(row.position, row.place) for row in rows] == [(n, n) for n in range(4)]


async def test_groups_need_sections(session: Session, world: World) -> None:
    site = await make_site(
        session, world.organization, await make_space(session, world.organization)
    )
    await settle(session)
    ctx = context(session, world.creator)
    wanted = AddSiteSectionGroupInput(title="G")
    with pytest.raises(PreconditionFailed, match="no sections"):
        await run(ctx, site_section_groups.add_site_section_group, site.id, wanted)


async def test_guests_see_sections_with_a_space_of_theirs(session: Session, world: World) -> None:
    site = await make_site(session, world.organization)
    mine, other = [await make_space(session, world.organization) for _ in range(2)]
    group = await make_section_group(session, site, title="G")
    await make_section(session, site, mine, group=group, title="Mine")
    hidden = await make_section(session, site, other, title="Other")
    empty = await make_section_group(session, site, title="Empty")
    await make_grant(session, mine, world.guest, Role.READ)
    await settle(session)
    ctx = context(session, world.guest)
    assert await tree(ctx, site) == [["G", "Mine"]]
    with pytest.raises(NotFound):
        await read(ctx, site_sections.get_site_section, hidden.id)
    with pytest.raises(NotFound):
        await read(ctx, site_section_groups.get_site_section_group, empty.id)
    assert (await read(ctx, site_section_groups.get_site_section_group, group.id)).title == "G"
    assert await tree(context(session, world.reader), site) == [["G", "Mine"], "Other", ["Empty"]]
