"""Versions of sites rise with every write of their rows, on both databases."""

from sqlalchemy import delete, select, update

from db.models.sites import Site, SiteVersion
from db.models.spaces import Space
from db.session import Database, Session
from tests import factories
from tests.conftest import World


async def versions(session: Session) -> dict[str, int]:
    rows = await session.execute(select(SiteVersion.subject, SiteVersion.version))
    return {row.subject: row.version for row in rows}


async def test_versions_rise_with_writes(session: Session, world: World) -> None:
    space = await factories.make_space(session, world.organization)
    site = await factories.make_site(session, world.organization, space)
    other = await factories.make_site(session, world.organization)
    await session.commit()
    before = await versions(session)
    assert {site.id, other.id} <= before.keys()
    for statement in (
        update(Site).where(Site.id == site.id).values(title="Another"),
        update(Space).where(Space.id == space.id).values(title="Another"),
        update(Site).where(Site.id == site.id).values(hostname="docs.example.com"),
    ):
        await session.begin_write()
        await session.change(statement)
        await session.commit()
        after = await versions(session)
        assert after[site.id] > before[site.id]
        assert after[other.id] == before[other.id]
        before |= {site.id: after[site.id]}
    assert after["addresses"] > before.get("addresses", 0)
    await session.begin_write()
    await session.change(delete(Site).where(Site.id == site.id))
    await session.commit()
    assert site.id not in await versions(session)


async def test_a_transaction_raises_a_version_once_on_postgresql(
    database: Database, session: Session, world: World
) -> None:
    """It would look for the newest state of the row among those of the transaction."""
    site = await factories.make_site(session, world.organization)
    await session.commit()
    version = (await versions(session))[site.id]
    for number in range(2):
        await session.begin_write()
        for letter in "abc":
            await factories.make_site_redirect(
                session, site, f"/{number}/{letter}", "https://a.example"
            )
        await session.commit()
        version += 3 if database.is_sqlite else 1
        assert (await versions(session))[site.id] == version
    await session.begin_write()
    async with session.begin_nested() as savepoint:
        await factories.make_site_redirect(session, site, "/back", "https://a.example")
        await savepoint.rollback()
    # What is taken back has raised nothing.
    await factories.make_site_redirect(session, site, "/stays", "https://a.example")
    await session.commit()
    assert (await versions(session))[site.id] == version + 1
