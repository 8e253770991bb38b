"""The migration that gives integrations their role on specifications, by scopes that they have."""

import pytest
from sqlalchemy import text

from db.migrate import migrate
from db.session import Database
from tests import factories
from tests.db.test_migrations import differences, empty_url

__all__ = ["empty_url"]

BEFORE = "0031_integration_blocks"
ROLES = {
    ("openapi:read",): (0, 1),
    ("openapi:read", "openapi:write"): (0, 5),
    ("site:adaptive:write", "site:metadata:read"): (5, 0),
    ("site:metadata:read",): (1, 0),
    (): (0, 0),
}


@pytest.mark.parametrize("scopes", ROLES)
async def test_roles_follow_from_scopes(empty_url: str, scopes: tuple[str, ...]) -> None:
    database = Database(empty_url)
    await migrate(database)
    async with database.session() as session:
        await session.begin_write()
        organization = await factories.make_organization(session)
        await factories.make_integration(session, organization.id, scopes=list(scopes))
        await session.commit()
    site_role = 1 if "site:metadata:read" in scopes else 0
    await migrate(database, BEFORE)
    async with database.connection() as connection:
        await connection.execute(text("UPDATE integration SET site_role = :r"), {"r": site_role})
        await connection.commit()
    await migrate(database)
    assert await differences(database) == []
    query = text("SELECT site_role, specification_role FROM integration")
    async with database.connection() as connection:
        assert [tuple(row) for row in await connection.execute(query)] == [ROLES[scopes]]
        # Sites still learn of a new version.
        triggers = "SELECT count(*) FROM sqlite_master WHERE name = :name"
        if database.is_sqlite:
            values = {"name": "integration_site_version_update"}
            assert await connection.scalar(text(triggers), values) == 1
    await database.close()
