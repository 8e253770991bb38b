"""Migrations go up, down and up again on both databases, and match the models."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import inspect, select

from db.instance import instance_secrets
from db.migrate import current, differences, head, is_search_text, migrate
from db.models.all import metadata
from db.models.organizations import Member, Organization
from db.models.spaces import Collection
from db.session import Database
from db.text_order import sort_key
from resolvers.revisions.states import write_revision
from tests import factories
from tests.conftest import KINDS, context
from tests.postgres import TemporaryPostgres
from tests.seeds import sample_changes


@pytest.fixture(params=KINDS)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without a table."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    server: TemporaryPostgres = request.getfixturevalue("postgres_server")
    server.drop_database("migrations")
    return server.create_database("migrations")


async def table_names(database: Database) -> set[str]:
    async with database.connection() as connection:
        names = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
    assert len([name for name in names if is_search_text(name)]) in (0, 1, 6)
    return {name for name in names if not is_search_text(name)}


async def test_up_down_up(empty_url: str) -> None:
    database = Database(empty_url)
    assert await current(database) is None
    secrets = []
    for _ in range(2):
        await migrate(database)
        assert await current(database) == head()
        assert await table_names(database) == {*metadata.tables, "alembic_version"}
        assert await differences(database) == []
        async with database.session() as session:
            secrets += await instance_secrets(session, "file-addresses", "content-tokens")
        await migrate(database, "base")
        assert await table_names(database) == {"alembic_version"}
    assert len(set(secrets)) == 4
    assert all(len(secret) == 43 for secret in secrets)
    await database.close()


async def test_the_index_of_older_versions_is_not_for_visitors(empty_url: str) -> None:
    """Nothing of it is lost, and pages still take their words with them."""
    database = Database(empty_url)
    await migrate(database)
    async with database.session() as session:
        space = (await factories.make_space(session, await factories.make_organization(session))).id
        await session.commit()
    await migrate(database, "0005")
    words = (
        "INSERT INTO search_text (rowid, scope, title, headings, description, body) "
        "VALUES (7, 's', 'apple', '', '', '')"
        if database.is_sqlite
        else "INSERT INTO search_text (page, space_id, heads, words) "
        f"VALUES (7, '{space}', 'apple', 'apple')"
    )
    async with database.connection() as connection:
        for statement in (
            "INSERT INTO indexed_page (id, space_id, page_id, searchable) "
            f"VALUES (7, '{space}', 'page', true)",
            "INSERT INTO indexed_section (page, position, anchor, heading, body) "
            "VALUES (7, 0, 'a', 'A', 'apple')",
            words,
        ):
            await connection.exec_driver_sql(statement)
        await connection.commit()
    for _ in range(2):
        await migrate(database)
        async with database.connection() as connection:
            pages = await connection.exec_driver_sql("SELECT id, audience FROM indexed_page")
            assert [tuple(row) for row in pages] == [(7, "members")]
            sections = await connection.exec_driver_sql("SELECT * FROM indexed_section")
            assert [tuple(row) for row in sections] == [(7, 0, "a", "A", "apple")]
            count = await connection.exec_driver_sql("SELECT count(*) FROM search_text")
            assert count.scalar_one() == 1
        await migrate(database, "0005")
    await migrate(database)
    async with database.connection() as connection:
        await connection.exec_driver_sql("DELETE FROM indexed_page")
        for table in ("indexed_section", "search_text"):
            count = await connection.exec_driver_sql(f"SELECT count(*) FROM {table}")
            assert count.scalar_one() == 0, table
        await connection.commit()
    await database.close()


async def test_ids_of_content_that_is_there_are_noted(empty_url: str) -> None:
    """The oldest space keeps an id; what another table has is nobody's."""
    database = Database(empty_url)
    await migrate(database)
    async with database.session() as session:
        organization = await factories.make_organization(session)
        spaces = [await factories.make_space(session, organization) for _ in range(2)]
        for space in spaces:
            changes = sample_changes(space.id)
            home = changes.pages["home"]
            assert home is not None
            changes.pages |= {
                id: replace(home, id=id, slug=f"s{number}")
                for number, id in enumerate([organization.id, *(f"p{n}" for n in range(700))])
            }
            revision = await write_revision(context(session), space.id, None, changes)
            space.revision_id = revision.id
        await session.commit()
        first, second = sorted(space.id for space in spaces)
    await migrate(database, "0010")
    await migrate(database)
    async with database.connection() as connection:

        async def noted(table: str) -> dict[tuple[str, str], set[str]]:
            found: dict[tuple[str, str], set[str]] = {}
            for space, kind, id in await connection.exec_driver_sql(
                f"SELECT space_id, kind, id FROM {table}"
            ):
                found.setdefault((space, kind), set()).add(id)
            return found

        pages = {
            "home",
            "child",
            "deep",
            "group",
            "link",
            "computed",
            *(f"p{n}" for n in range(700)),
        }
        rest = {"file": {"apng", "bpdf"}, "reusable-content": {"notice"}}
        owners, homonyms = await noted("content_owner"), await noted("content_homonym")
        assert owners == {
            (first, "page"): pages, **{(first, kind): ids for kind, ids in rest.items()}
        }  # fmt: skip
        assert homonyms == {
            (first, "page"): {organization.id},
            (second, "page"): {*pages, organization.id},
            **{(second, kind): ids for kind, ids in rest.items()},
        }
    await database.close()


async def test_keys_of_texts_that_are_there_are_worked_out(empty_url: str) -> None:
    """More of them than are worked on at once, and the names of people in their memberships."""
    database = Database(empty_url)
    await migrate(database)
    async with database.session() as session:
        organization = await factories.make_organization(session, title="Ärzte")
        for number in range(1100):
            session.add(Collection(organization_id=organization.id, title=f"C {number}",
                                   position="V"))  # fmt: skip
        person = await factories.make_user(session, "Édith")
        await factories.make_member(session, organization, user=person)
        await session.commit()
    await migrate(database, "0013")
    await migrate(database)
    async with database.session() as session:
        collections = (await session.execute(select(Collection))).scalars().all()
        assert len(collections) == 1100
        assert {one.title_key == sort_key(one.title) for one in collections} == {True}
        (title,) = (await session.execute(select(Organization.title_key))).scalars().all()
        (name,) = (await session.execute(select(Member.name_key))).scalars().all()
        assert (title, name) == (sort_key("ärzte"), sort_key("édith"))
    await database.close()
