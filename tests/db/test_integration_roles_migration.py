"""The migration that gives integrations their role on specifications, by scopes that they have."""

from sqlalchemy import text

from db.migrate import migrate
from db.session import Database
from tests import factories
from tests.db.test_migrations import differences, migrated_url

__all__ = ["migrated_url"]

BEFORE = "0031_integration_blocks"
ROLES = {
    ("openapi:read",): (0, 1),
    ("openapi:read", "openapi:write"): (0, 5),
    ("site:adaptive:write", "site:metadata:read"): (5, 0),
    ("site:metadata:read",): (1, 0),
    (): (0, 0),
}


async def test_roles_follow_from_scopes(migrated_url: str) -> None:
    database = Database(migrated_url)
    rows = {}
    async with database.session() as session:
        await session.begin_write()
        for number, scopes in enumerate(ROLES):
            organization = await factories.make_organization(session)
            row = await factories.make_integration(
                session, organization.id, f"integration-{number}", scopes=list(scopes)
            )
            rows[row.id] = scopes
        await session.commit()
    await migrate(database, BEFORE)
    async with database.connection() as connection:
        for id, scopes in rows.items():
            values = {"id": id, "role": 1 if "site:metadata:read" in scopes else 0}
            change = text("UPDATE integration SET site_role = :role WHERE id = :id")
            await connection.execute(change, values)
        await connection.commit()
    await migrate(database)
    assert await differences(database) == []
    query = text("SELECT id, site_role, specification_role FROM integration")
    async with database.connection() as connection:
        found = {rows[id]: tuple(roles) for id, *roles in await connection.execute(query)}
        assert found == ROLES
        # Sites still learn of a new version.
        triggers = "SELECT count(*) FROM sqlite_master WHERE name = :name"
        if database.is_sqlite:
            names = {"name": "integration_site_version_update"}
            assert await connection.scalar(text(triggers), names) == 1
    await database.close()
