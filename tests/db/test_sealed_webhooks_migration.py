"""Migrations of webhooks and computed pages with rows in the tables: nothing that belongs to them
is lost, on the way up and on the way down."""

from typing import Any

from sqlalchemy import text

from db.migrate import migrate
from db.models.content import ComputedPage
from db.session import Database
from resolvers.webhooks.signing import sealed
from tests import factories
from tests.db.test_migrations import differences, migrated_url
from tests.factories import TEST_SEALER

__all__ = ["migrated_url"]

BEFORE, AFTER = "0024_computed_pages", "0025_sealed_webhooks"
PLAIN, OLD = "whsec_" + "A" * 44, "whsec_" + "B" * 44
# Everything of the table but the secrets.
ENDPOINT = "id, url, enabled, position, description, owner_id, old_secret_until"
DELIVERY = "id, webhook_id, message_id, type, body, state, attempt_count, attempts"


async def sow(database: Database) -> None:
    """Two endpoints with deliveries, one with sealed secrets, and a computed page."""
    async with database.session() as session:
        await session.begin_write()
        organization = await factories.make_organization(session)
        space = await factories.make_space(session, organization)
        for secret, old in ((PLAIN, None), (sealed(TEST_SEALER, PLAIN), sealed(TEST_SEALER, OLD))):
            webhook = await factories.make_webhook(
                session, organization.id, space_id=space.id, secret=secret, old_secret=old
            )
            for _ in range(2):
                await factories.make_delivery(session, webhook)
        session.add(
            ComputedPage(
                space_id=space.id, page_id="api", source={}, name="pets", pages=[{"id": "one"}]
            )
        )
        await session.commit()


async def rows(database: Database, statement: str) -> list[tuple[Any, ...]]:
    async with database.connection() as connection:
        return [tuple(row) for row in await connection.execute(text(statement))]


async def test_endpoints_keep_their_deliveries(migrated_url: str) -> None:
    database = Database(migrated_url)
    await sow(database)
    kept = (
        f"SELECT {ENDPOINT} FROM webhook ORDER BY id",
        f"SELECT {DELIVERY} FROM webhook_delivery ORDER BY id",
        "SELECT space_id, name, pages FROM computed_page",
    )
    before = [await rows(database, statement) for statement in kept]
    assert [len(some) for some in before] == [2, 4, 1]
    secrets = await rows(database, "SELECT secret, old_secret FROM webhook ORDER BY id")
    assert len(secrets[1][0]) > 64
    # The way down forgets what the version before cannot open, and nothing else.
    await migrate(database, BEFORE)
    assert [await rows(database, statement) for statement in kept] == before
    down = await rows(database, "SELECT secret, old_secret FROM webhook ORDER BY id")
    assert down == [(PLAIN, None), ("", None)]
    # An endpoint of the version before, which has a secret and one before it.
    async with database.connection() as connection:
        await connection.execute(
            text("UPDATE webhook SET secret = :a, old_secret = :b WHERE secret = ''"),
            {"a": PLAIN, "b": OLD},
        )
        await connection.commit()
    await migrate(database, AFTER)
    up = await rows(database, "SELECT secret, old_secret FROM webhook ORDER BY id")
    assert up == [(PLAIN, None), (PLAIN, OLD)]
    await migrate(database)
    assert [await rows(database, statement) for statement in kept] == before
    assert await rows(database, "SELECT failures, retry_at FROM computed_page") == [(0, None)]
    assert await differences(database) == []
    # What belongs to an endpoint still goes with it.
    async with database.connection() as connection:
        await connection.execute(text("DELETE FROM webhook"))
        await connection.commit()
    assert await rows(database, "SELECT id FROM webhook_delivery") == []
    await database.close()
