"""What a test takes back is as it was, and the database goes on to keep its own rules."""

from typing import Any

from sqlalchemy import delete, func, select, text, update

from db.models.content_index import IndexedPage
from db.models.events import Event
from db.models.organizations import Organization
from db.session import Database
from tests import factories
from tests.conftest import Sown, Stored
from tests.operation_requests import contents


async def test_rows_are_restored_whatever_was_done(
    database: Database, stored: Stored, sown: Sown
) -> None:
    saved: Any = await stored.save()
    before = await contents(database)
    for _ in range(2):
        async with database.session() as session:
            await session.begin_write()
            # Words go with the pages, by a trigger.
            assert await session.change(delete(IndexedPage)) > 0
            await session.change(update(Organization).values(title="Other"))
            await factories.make_space(session, sown.world.organization)
            await session.change(delete(Event))
            await session.commit()
        changed = await contents(database)
        assert {name for name in before if before[name] != changed[name]} >= {
            "indexed_page", "organization", "space", "event",
        }  # fmt: skip
        await stored.restore(saved)
        assert await contents(database) == before
        if database.is_sqlite:
            async with database.session() as session:
                await session.begin_write()
                pages = await session.scalar(select(func.count()).select_from(IndexedPage))
                words = await session.scalar(text("SELECT count(*) FROM search_text"))
                assert pages == words
                await session.execute(
                    text("INSERT INTO search_text (search_text) VALUES ('integrity-check')")
                )
