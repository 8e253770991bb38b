"""Building the index of spaces that have none, while others write."""

from pathlib import Path

import pytest
from sqlalchemy import delete, func, select

from db.models.all import metadata
from db.models.content_index import ContentIndex, ContentLink, IndexedPage
from db.session import Database, Session
from jobs.reindex import index_space, reindex
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.errors import Conflict, NotFound
from resolvers.core.runners import run
from resolvers.search.builds import STEP_PAGES, begin_build, build_pages, finish_build
from tests import factories
from tests.conftest import Api, World
from tests.resolvers.search.test_search import Writer, search

TABLES = ("content_index", "indexed_page", "indexed_section", "content_link", "content_link_use")


@pytest.fixture
async def writer(session: Session, world: World) -> Writer:
    space = await factories.make_space(session, world.organization, title="Manual")
    await session.commit()
    return Writer(session, space)


async def index_of(session: Session) -> dict[str, list[str]]:
    """The whole index, without numbers and ids that every build gives anew."""
    numbers = {
        number: page
        for number, page in await session.execute(select(IndexedPage.id, IndexedPage.page_id))
    }
    digests = {
        id: digest
        for id, digest in await session.execute(select(ContentLink.id, ContentLink.digest))
    }
    found = {}
    for name in TABLES:
        rows = (await session.execute(select(metadata.tables[name]))).mappings()
        shown = []
        for row in rows:
            values = dict(row)
            for key in {"built_at", "revision_id"} & values.keys():
                del values[key]
            for key, names in (("id", numbers | digests), ("page", numbers), ("link_id", digests)):
                if key in values:
                    values[key] = names[values[key]]
            shown.append(str(values))
        found[name] = sorted(shown)
    await session.commit()
    return found


async def test_a_build_gives_what_following_the_writes_gave(
    api: Api, world: World, writer: Writer, session: Session
) -> None:
    await writer.write(
        writer.page("group", no_index=True), writer.page("a", "[b](#x) alpha\n\n## X\n"),
        writer.page("b", '[out](https://example.com)\n\n{% include "/reusable-content/n" %}\n',
                    parent_id="group"),
        contents={"n": "Shown. [a](missing.md)\n"},
    )  # fmt: skip
    await writer.write(writer.page("a", "[b](#y) beta\n\n## X\n"))
    await writer.write(writer.page("b", parent_id=None), removed=("group",))
    before = await index_of(session)
    assert len(before["content_link"]) == 4
    ctx = Context(OPERATOR, session)
    done = await reindex(ctx, again=True)
    assert [(one.space_id, one.pages) for one in done] == [(writer.space.id, 2)]
    assert await index_of(session) == before
    assert await search(api, writer.space, "beta", world.reader) == ["a"]
    assert await reindex(ctx, again=False) == []


async def test_writes_during_a_build_are_not_lost(
    api: Api, world: World, writer: Writer, session: Session
) -> None:
    await writer.write(*(writer.page(f"p{n}", "Alpha.\n") for n in range(STEP_PAGES + 10)))
    await session.begin_write()
    await session.execute(delete(ContentIndex))
    await session.execute(delete(IndexedPage))
    await session.commit()
    ctx = Context(OPERATOR, session)
    build = await run(ctx, begin_build, writer.space.id)
    assert await reindex(ctx, again=False) == []
    await run(ctx, build_pages, build, 0)
    await writer.write(writer.page("p0", "Beta.\n"), removed=("p1",))
    await run(ctx, build_pages, build, STEP_PAGES)
    await run(ctx, finish_build, build)
    assert await search(api, writer.space, "beta", world.reader) == ["p0"]
    assert len(await search(api, writer.space, "alpha", world.reader, limit=1000)) == STEP_PAGES + 8


async def test_of_two_builders_the_later_one_goes_on(writer: Writer, session: Session) -> None:
    await writer.write(writer.page("a", "Alpha.\n"))
    ctx = Context(OPERATOR, session)
    first = await run(ctx, begin_build, writer.space.id)
    second = await run(ctx, begin_build, writer.space.id)
    with pytest.raises(Conflict):
        await run(ctx, build_pages, first, 0)
    await run(ctx, build_pages, second, 0)
    await run(ctx, finish_build, second)
    state = (await session.execute(select(ContentIndex))).scalar_one()
    assert (state.revision_id, state.builder) == (writer.space.revision_id, None)


async def test_a_space_that_does_not_exist(session: Session) -> None:
    ctx = Context(OPERATOR, session)
    with pytest.raises(NotFound):
        await reindex(ctx, "nowhere", again=True)
    assert (await index_space(ctx, "nowhere")).taken


async def test_nothing_is_left_of_a_purged_space(
    database: Database, writer: Writer, session: Session, tmp_path: Path
) -> None:
    await writer.write(writer.page("a", "[x](https://example.com) Alpha.\n\n## Beta\n"))
    await session.begin_write()
    await session.delete(await session.merge(writer.space))
    await session.commit()
    async with database.connection() as connection:
        for name in (*TABLES, "search_text"):
            count = await connection.exec_driver_sql(f'SELECT count(*) FROM "{name}"')
            assert count.scalar_one() == 0, name
    assert await session.scalar(select(func.count()).select_from(ContentLink)) == 0
