"""Both forms of the rule about what a site serves agree, whatever is in the bin."""

import random
from typing import Any

from sqlalchemy import select

from db.base import utc_now
from db.models.sites import Site, SiteSpace
from db.session import Session
from resolvers.addresses.defaults import level_defaults, served_defaults, served_sections
from resolvers.published.paths import SiteMap
from resolvers.published.visitors import everything_in, structure_of
from tests import factories
from tests.conftest import World, context

SITES = 40


async def random_site(session: Session, world: World, dice: random.Random) -> Site:
    """A site with spaces at its root or in sections, and defaults and spaces that may be gone."""

    async def spaces(most: int) -> list[Any]:
        made = [
            await factories.make_space(session, world.organization)
            for _ in range(dice.randint(0, most))
        ]
        for space in made:
            if dice.random() < 0.5:
                space.deleted_at = utc_now()
        return made

    async def some_default(section_id: str | None, site: Site) -> str | None:
        await session.flush()
        statement = select(SiteSpace.id).where(
            SiteSpace.site_id == site.id, SiteSpace.section_id.is_(None)
            if section_id is None else SiteSpace.section_id == section_id,
        )  # fmt: skip
        ids = list((await session.execute(statement.order_by(SiteSpace.place))).scalars())
        chosen: str | None = dice.choice([*ids, None, "gone"])
        return chosen

    if dice.random() < 0.3:
        site = await factories.make_site(session, world.organization, *await spaces(5))
        site.default_site_space_id = await some_default(None, site)
        return site
    site = await factories.make_site(session, world.organization)
    sections = [
        await factories.make_section(session, site, *await spaces(3))
        for _ in range(dice.randint(1, 5))
    ]
    for section in sections:
        section.default_site_space_id = await some_default(section.id, site)
    site.default_section_id = dice.choice([*(one.id for one in sections), None, "gone"])
    return site


async def test_sql_and_rows_agree(session: Session, world: World) -> None:
    dice = random.Random(20)
    sites = [await random_site(session, world, dice) for _ in range(SITES)]
    ids = [site.id for site in sites]
    await session.commit()

    async def found(statement: Any) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in await session.execute(statement, {"sites": ids})]

    levels = {(site, section): id for site, section, id in await found(level_defaults("sites"))}
    sections = dict(await found(served_sections("sites")))
    roots = dict(await found(served_defaults("sites")))
    stood_in = 0
    for site in sites:
        structure = await structure_of(context(session), site.id)
        there = SiteMap(site, structure, everything_in(structure))
        places = [(None, site.default_site_space_id)] if not structure.sections else [
            (one.id, one.default_site_space_id) for one in structure.sections
        ]  # fmt: skip
        rows = {one.id: one for one in structure.sections}
        for section_id, default_id in places:
            served = there._default_row(rows.get(section_id))
            expected = levels.get((site.id, section_id))
            assert (None if served is None else served.id) == expected
            stood_in += expected is not None and expected != default_id
        root = there.place(())
        assert (None if root is None else root.site_space.id) == roots.get(site.id)
        if root is not None and root.section is not None:
            assert root.section.id == sections[site.id]
    assert stood_in > 10
    assert len(roots) > SITES // 2
