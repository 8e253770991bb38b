"""Sections as operations: every rule, and who may."""

import pytest
from sqlalchemy import select
from strawberry import Some

from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.session import Session
from resolvers.core.errors import BadRequest, Conflict, Invalid, NotFound
from resolvers.core.runners import run
from resolvers.sites import (
    operations as sites,
    section_groups as site_section_groups,
    sections as site_sections,
    spaces as site_spaces,
    structure as site_structure,
)
from resolvers.sites.operations import UpdateSiteInput
from resolvers.sites.section_groups import AddSiteSectionGroupInput
from resolvers.sites.sections import AddSiteSectionInput, UpdateSiteSectionInput
from resolvers.sites.spaces import AddSiteSpaceInput, UpdateSiteSpaceInput
from tests.conftest import World, context, settle
from tests.deleting import removes
from tests.factories import make_site, make_space
from tests.resolvers.sites.shared_sites import default_of, prepared, sections_of, spaces_of


async def test_the_first_section_takes_the_spaces_of_a_flat_site_along(
    session: Session, world: World
) -> None:
    spaces = [await make_space(session, world.organization) for _ in range(3)]
    site = await make_site(session, world.organization, *spaces, title="Kelpline documentation")
    new = await make_space(session, world.organization, title="A")
    await settle(session)
    ctx = context(session, world.creator)
    before = (await site_spaces.site_spaces_of_sites(
        ctx, [site], site_spaces.SiteSpaceArguments()
    ))[0].rows  # fmt: skip
    wanted = UpdateSiteInput(default_site_space=Some(before[1].id))
    await run(ctx, sites.update_site, site.id, wanted)
    added = await run(
        ctx, site_sections.add_site_section, site.id, AddSiteSectionInput(space_id=new.id)
    )
    assert (added.title, added.path, added.position, added.place) == ("A ", "a", 1, 1)
    first, second = await sections_of(ctx, site)
    assert (first.title, first.path) == ("Kelpline documentation", "kelpline-documentation")
    assert second.id == added.id
    assert [row.id for row in await spaces_of(ctx, first)] == [row.id for row in before]
    assert first.default_site_space_id == before[1].id
    assert [row.space_id for row in await spaces_of(ctx, second)] == [new.id]
    assert await default_of(session, site) == first.title
    found = await session.get(Site, site.id)
    assert found is not None
    assert found.default_site_space_id is None


async def test_the_first_section_of_an_empty_site_is_its_only_one(
    session: Session, world: World
) -> None:
    site = await make_site(session, world.organization)
    space = await make_space(session, world.organization, title="API")
    await settle(session)
    ctx = context(session, world.creator)
    wanted = AddSiteSectionInput(space_id=space.id, title=Some("Reference"), icon=Some("code"))
    added = await run(ctx, site_sections.add_site_section, site.id, wanted)
    assert (added.title, added.path, added.icon) == ("Reference", "reference", "code")
    assert [row.id for row in await sections_of(ctx, site)] == [added.id]
    assert await default_of(session, site) == "Reference"
    with pytest.raises(Conflict, match="already on this site"):
        await run(ctx, site_sections.add_site_section, site.id, wanted)


async def test_titles_give_paths_that_differ(session: Session, world: World) -> None:
    site = await make_site(session, world.organization)
    spaces = [await make_space(session, world.organization, title="V") for _ in range(3)]
    await settle(session)
    ctx = context(session, world.creator)
    paths = []
    for space in spaces:
        wanted = AddSiteSectionInput(space_id=space.id, title=Some(None))
        paths.append((await run(ctx, site_sections.add_site_section, site.id, wanted)).path)
    # `v` is reserved.
    assert paths == ["v-1", "v-2", "v-3"]


async def test_a_space_is_added_to_the_default_section_or_to_a_named_one(
    session: Session, world: World
) -> None:
    site, (first, second) = await prepared(session, world, "First", "Second")
    spaces = [await make_space(session, world.organization) for _ in range(2)]
    await settle(session)
    ctx = context(session, world.creator)
    default = AddSiteSpaceInput(space_id=spaces[0].id)
    named = AddSiteSpaceInput(space_id=spaces[1].id, section_id=Some(second.id))
    assert (await run(ctx, site_spaces.add_site_space, site.id, default)).section_id == first.id
    added = await run(ctx, site_spaces.add_site_space, site.id, named)
    assert (added.section_id, added.position, added.place) == (second.id, 1, 3)
    other, (elsewhere,) = await prepared(session, world, "Elsewhere")
    for unknown in ("nothing", elsewhere.id):
        wrong = AddSiteSpaceInput(space_id=spaces[0].id, section_id=Some(unknown))
        with pytest.raises(NotFound, match="sectionId"):
            await run(ctx, site_spaces.add_site_space, site.id, wrong)
    assert len(await sections_of(ctx, other)) == 1


async def test_changing_a_section(session: Session, world: World) -> None:
    site, (first, second) = await prepared(session, world, "First", "Second")
    ctx = context(session, world.creator)
    changes = UpdateSiteSectionInput(
        title=Some("Guides"), path=Some("guides"), condition=Some("visitor.claims.beta"),
        icon=Some("book"), description=Some("All of them"),
    )  # fmt: skip
    row = await run(ctx, site_sections.update_site_section, first.id, changes, site.id)
    assert (row.title, row.path, row.condition, row.icon, row.description) == (
        "Guides", "guides", "visitor.claims.beta", "book", "All of them",
    )  # fmt: skip
    same = await run(ctx, site_sections.update_site_section, first.id, UpdateSiteSectionInput())
    assert (same.title, same.condition) == ("Guides", "visitor.claims.beta")
    cleared = UpdateSiteSectionInput(condition=Some(None), icon=Some(None), description=Some(None))
    row = await run(ctx, site_sections.update_site_section, first.id, cleared)
    assert (row.condition, row.icon, row.description) == (None, None, None)
    for path, error in (("GUIDES", Conflict), ("a/b", Invalid), ("~gitbook", Invalid)):
        change = UpdateSiteSectionInput(path=Some(path))
        with pytest.raises(error, match="path: "):
            await run(ctx, site_sections.update_site_section, second.id, change)
    for condition, problem in (
        ("a =", "condition: "),
        ("visitor.claims.a = 1", "condition: character 18"),
        ("true && window.alert", "condition: character 9: 'window' is unknown"),
        ("claims.beta", "condition: character 1: 'claims' is unknown"),
    ):
        wrong = UpdateSiteSectionInput(condition=Some(condition), path=Some("changed"))
        with pytest.raises(Invalid, match=problem):
            await run(ctx, site_sections.update_site_section, second.id, wrong)
    session.expunge_all()
    assert [one.path for one in await sections_of(ctx, site)] == ["guides", "second"]


async def test_the_default_of_a_section_is_one_of_its_own(session: Session, world: World) -> None:
    site, (first, second) = await prepared(session, world, "First", "Second")
    space = await make_space(session, world.organization)
    await settle(session)
    ctx = context(session, world.creator)
    wanted = AddSiteSpaceInput(space_id=space.id, section_id=Some(second.id))
    added = await run(ctx, site_spaces.add_site_space, site.id, wanted)
    chosen = UpdateSiteSectionInput(default_site_space=Some(added.id))
    row = await run(ctx, site_sections.update_site_section, second.id, chosen)
    assert row.default_site_space_id == added.id
    for section, id in ((first, added.id), (second, "nothing")):
        wrong = UpdateSiteSectionInput(default_site_space=Some(id))
        with pytest.raises(BadRequest, match="defaultSiteSpace"):
            await run(ctx, site_sections.update_site_section, section.id, wrong)


@pytest.mark.parametrize(
    ("default", "gone", "expected"),
    [("A", "A", "B"), ("C", "C", "B"), ("B", "B", "C"), ("A", "C", "A")],
)
async def test_deleting_the_default_section_gives_it_to_the_next_else_the_previous(
    session: Session, world: World, default: str, gone: str, expected: str
) -> None:
    site, made = await prepared(session, world, "A", "B", "C")
    ids = {one.title: one.id for one in made}
    ctx = context(session, world.creator)
    chosen = UpdateSiteInput(default_site_section=Some(ids[default]))
    await run(ctx, sites.update_site, site.id, chosen)
    assert await removes(ctx, site_sections.delete_site_section, ids[gone]) is True
    assert await removes(ctx, site_sections.delete_site_section, ids[gone]) is False
    assert await default_of(session, site) == expected
    left = (await session.execute(select(SiteSpace.section_id))).scalars()
    assert set(left) == set(ids.values()) - {ids[gone]}
    assert len((await session.execute(select(Space.id))).all()) == 3


async def test_an_empty_section_stays(session: Session, world: World) -> None:
    site, (first, second) = await prepared(session, world, "First", "Second")
    ctx = context(session, world.creator)
    (row,) = await spaces_of(ctx, first)
    await run(ctx, site_spaces.delete_site_space, row.id)
    session.expunge_all()
    rows = await sections_of(ctx, site)
    assert [(one.title, one.default_site_space_id is None) for one in rows] == [
        ("First", True), ("Second", False),
    ]  # fmt: skip
    # It stays the default, and the next one with something to read is served.
    assert await default_of(session, site) == "First"
    (shown,) = await spaces_of(ctx, second)
    (served,) = await site_spaces.default_site_spaces(ctx, [site], None)
    assert served is not None
    assert served.id == shown.id


async def test_the_default_of_the_site(session: Session, world: World) -> None:
    site, (first, second) = await prepared(session, world, "First", "Second")
    ctx = context(session, world.creator)
    (one,), (two,) = await spaces_of(ctx, first), await spaces_of(ctx, second)
    wrong = UpdateSiteInput(default_site_space=Some(two.id))
    with pytest.raises(BadRequest, match="not a site space in the section"):
        await run(ctx, sites.update_site, site.id, wrong)
    both = UpdateSiteInput(default_site_section=Some(second.id), default_site_space=Some(two.id))
    await run(ctx, sites.update_site, site.id, both)
    assert await default_of(session, site) == "Second"
    for default, expected in ((True, [two.id]), (False, [one.id])):
        arguments = site_spaces.SiteSpaceArguments(default=default)
        (part,) = await site_spaces.site_spaces_of_sites(ctx, [site], arguments)
        assert [row.id for row in part.rows] == expected
    assert await site_spaces.are_defaults(ctx, [one, two], None) == [True, True]
    with pytest.raises(BadRequest, match="defaultSiteSection: 'nothing'"):
        await run(ctx, sites.update_site, site.id,
                  UpdateSiteInput(default_site_section=Some("nothing")))  # fmt: skip


async def test_a_site_space_moves_to_another_section(session: Session, world: World) -> None:
    _, (first, second) = await prepared(session, world, "First", "Second")
    ctx = context(session, world.creator)
    (row,) = await spaces_of(ctx, first)
    moved = UpdateSiteSpaceInput(section=Some(second.id))
    with pytest.raises(Conflict, match="path"):
        await run(ctx, site_spaces.update_site_space, row.id, moved)
    moved = UpdateSiteSpaceInput(section=Some(second.id), path=Some("other"))
    await run(ctx, site_spaces.update_site_space, row.id, moved)
    session.expunge_all()
    assert await spaces_of(ctx, first) == []
    assert [one.path for one in await spaces_of(ctx, second)] == ["path-0", "other"]
    wrong = UpdateSiteSpaceInput(section=Some("nothing"))
    with pytest.raises(NotFound, match="section"):
        await run(ctx, site_spaces.update_site_space, row.id, wrong)


async def test_a_site_is_bounded(
    session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_structure, "SPACES_LIMIT", 3)
    monkeypatch.setattr(site_structure, "SECTIONS_LIMIT", 4)
    site, (first, _) = await prepared(session, world, "First", "Second")
    spaces = [await make_space(session, world.organization) for _ in range(2)]
    await settle(session)
    ctx = context(session, world.creator)
    await run(ctx, site_spaces.add_site_space, site.id, AddSiteSpaceInput(space_id=spaces[0].id))
    wanted = AddSiteSpaceInput(space_id=spaces[1].id)
    with pytest.raises(Invalid, match="holds 3 site spaces; at most 3"):
        await run(ctx, site_spaces.add_site_space, site.id, wanted)
    (row, *_) = await spaces_of(ctx, first)
    await run(ctx, site_spaces.delete_site_space, row.id)
    add = site_section_groups.add_site_section_group
    for _ in range(2):
        await run(ctx, add, site.id, AddSiteSectionGroupInput(title="G"))
    with pytest.raises(Invalid, match="title: the site holds 4 sections and section groups"):
        await run(ctx, add, site.id, AddSiteSectionGroupInput(title="G"))
    wrong = AddSiteSectionInput(space_id=spaces[1].id)
    with pytest.raises(Invalid, match="spaceId: the site holds 4 sections and section groups"):
        await run(ctx, site_sections.add_site_section, site.id, wrong)
