"""Reading and editing pages of a large space costs a bounded number of nodes and statements."""

import dataclasses

import pytest
from sqlalchemy import func, select

from content.ordering import spread
from content.recent_cache import RecentCache
from content.slugs import slug_key
from db.content_enums import PageType
from db.models.content import ContentNode, Document, Revision
from db.models.spaces import Space
from db.session import Session
from resolvers.content import changes as content_changes, documents, pages
from resolvers.content.documents import PageMarkdownArguments
from resolvers.core.errors import NotFound
from resolvers.core.pagination import PageArguments
from resolvers.core.runners import read
from resolvers.lists.memory_pages import WholeList
from resolvers.revisions import store as content_store
from resolvers.revisions.conditions import without
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes, write_revision
from resolvers.revisions.store import NodeCache
from resolvers.revisions.tree import all_pages, find_page
from tests import factories
from tests.conftest import Queries, World, context
from tests.seeds import sample_changes

SECTIONS, EACH = 50, 100


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> NodeCache:
    """Caches of their own for one test: what is in them was read by it."""
    fresh: NodeCache = RecentCache(64 * 1024 * 1024, len)
    monkeypatch.setattr(content_store, "NODES", fresh)
    monkeypatch.setattr("resolvers.revisions.tree.TREES", RecentCache(100_000, len))
    monkeypatch.setattr("resolvers.revisions.objects.LANDINGS", RecentCache(100, len))
    return fresh


def page(space: Space, id: str, parent: str | None, order: str, **more: object) -> Page:
    values: dict[str, object] = {"type": PageType.DOCUMENT, "title": id.title(), "slug": id} | more
    return Page(
        space_id=space.id, revision_id="", id=id, parent_id=parent, order=order, **values  # type: ignore[arg-type]
    )  # fmt: skip


async def large_space(session: Session, world: World) -> Space:
    """5,050 pages in 50 sections."""
    space = await factories.make_space(session, world.organization)
    changes = Changes()
    for section, order in zip(range(SECTIONS), spread(SECTIONS), strict=True):
        above = page(space, f"s{section}", None, order)
        changes.pages[above.id] = above
        for number, place in zip(range(EACH), spread(EACH), strict=True):
            one = page(space, f"s{section}p{number}", above.id, place)
            one.document_id = changes.add_document(f"Body {one.id}", {"object": "document"})
            changes.pages[one.id] = one
    ctx = context(session)
    revision = await write_revision(ctx, space.id, None, changes)
    space.revision_id = revision.id
    await session.commit()
    return space


async def stored(session: Session, space: Space) -> tuple[int, int]:
    """Numbers of nodes and documents of a space."""
    found = []
    for model in (ContentNode, Document):
        statement = select(func.count()).where(model.space_id == space.id)
        found.append((await session.execute(statement)).scalar_one())
    return found[0], found[1]


async def test_one_page_of_a_large_space(
    session: Session, world: World, queries: Queries, cold: NodeCache
) -> None:
    space = await large_space(session, world)
    ctx = context(session, world.reader)
    await read(ctx, pages.get_page, space.id, "s7p3")
    nodes = len(cold)
    assert nodes <= 6
    found = await read(ctx, pages.get_page_by_path, space.id, "S7/s7p3/")
    assert (found.id, found.path) == ("s7p3", "s7/s7p3")
    assert len(cold) <= 12
    # Known nodes are not read again: the revision and the body are.
    with queries(2):
        found = await read(ctx, pages.get_page, space.id, "s7p3")
        (markdown,) = await documents.page_markdown(ctx, [found], PageMarkdownArguments())
    assert markdown == "# S7P3\n\nBody s7p3\n"


async def test_what_is_below_a_page_is_read_when_it_is_asked_for(
    session: Session, world: World, cold: NodeCache
) -> None:
    space = await large_space(session, world)
    ctx = context(session, world.reader)
    section = await read(ctx, pages.get_page, space.id, "s7")
    assert section.children is None
    (part,) = await pages.children_of_pages(ctx, [section], PageArguments(first=3))
    assert [row.id for row in part.rows] == ["s7p0", "s7p1", "s7p2"]
    assert [row.path for row in part.rows][:1] == ["s7/s7p0"]
    assert part.has_next
    assert await part.counter.counts(ctx, [part.parent]) == [EACH]


async def test_landing_page_does_not_read_the_tree(
    session: Session, world: World, cold: NodeCache
) -> None:
    space = await large_space(session, world)
    landing = await read(context(session, world.reader), pages.get_page_by_path, space.id, "")
    assert landing.id == "s0"
    statement = select(func.count()).where(ContentNode.space_id == space.id)
    assert len(cold) < (await session.execute(statement)).scalar_one() // 2


async def test_edit_of_one_page_stores_a_few_rows(session: Session, world: World) -> None:
    space = await large_space(session, world)
    ctx = context(session)
    parent = (
        await session.execute(select(Revision).where(Revision.id == space.revision_id))
    ).scalar_one()
    nodes, documents = await stored(session, space)
    changes = Changes()
    before = await find_page(ctx, parent, "s7p3")
    changes.pages["s7p3"] = dataclasses.replace(
        before, document_id=changes.add_document("New", {"object": "document"})
    )
    edited = await write_revision(ctx, space.id, parent, changes)
    after = await stored(session, space)
    assert after[0] - nodes <= 4
    assert after[1] - documents == 1
    assert edited.slugs_root == parent.slugs_root
    assert edited.pages_root != parent.pages_root


async def test_tree_and_single_reads_agree(session: Session, world: World, cold: NodeCache) -> None:
    space = await factories.make_space(session, world.organization)
    ctx = context(session)
    revision = await write_revision(ctx, space.id, None, sample_changes(space.id))
    (listed,) = await pages.pages_of_revisions(ctx, [revision], WholeList())
    assert [row.id for row in listed.rows] == ["home", "child", "deep", "group", "link", "computed"]
    for row in listed.rows:
        single = await find_page(ctx, revision, row.id)
        assert (single.path, single.title) == (row.path, row.title)
        (below,) = await pages.children_of_pages(ctx, [single], WholeList())
        assert [one.id for one in below.rows] == [one.id for one in row.children or []]
        assert [one.path for one in below.rows] == [one.path for one in row.children or []]


async def test_pages_beside_another_are_looked_up_in_what_all_share(
    session: Session, world: World, cold: NodeCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each page of a large space costs a reader the same, not the whole space once more."""
    space = await large_space(session, world)
    revision = await session.get_one(Revision, space.revision_id)
    ctx = context(session, world.reader)
    (tree,) = await all_pages(ctx, [revision])
    compared = 0

    def counted(path: str) -> str:
        nonlocal compared
        compared += 1
        return slug_key(path)

    monkeypatch.setattr("resolvers.revisions.page_trees.slug_key", counted)
    row = await find_page(ctx, revision, "s7p3")
    for _ in range(3):
        (again,) = await all_pages(context(session, world.reader), [revision])
        assert again.by_path["s7/s7p3"].id == "s7p3"
        (before,) = await pages.pages_before(ctx, [row], None)
        (behind,) = await pages.pages_behind(ctx, [row], None)
        assert (before and before.id, behind and behind.id) == ("s7p2", "s7p4")
        assert [page.id for page in again.way_to(row)] == ["s7", "s7p3"]
        assert again.top[7].id == "s7"
    assert compared == len(tree)
    # What a visitor sees of it is another tree.
    shown = without(tree, frozenset({"s7p2"}))
    assert [page.id for page in shown.navigation][shown.places["s7p3"] - 1] == "s7p1"


async def test_landing_page_is_the_first_document_even_in_a_group(
    session: Session, world: World
) -> None:
    space = await factories.make_space(session, world.organization)
    ctx = context(session)
    first, second, third = spread(3)
    changes = Changes()
    for one in (
        page(space, "link", None, first, type=PageType.LINK, slug=None, target={"kind": "url"}),
        page(space, "empty", None, first, type=PageType.GROUP),
        page(space, "group", None, second, type=PageType.GROUP),
        page(space, "inner", "group", first, hidden=True),
        page(space, "last", None, third),
    ):
        changes.pages[one.id] = one
    space.revision_id = (await write_revision(ctx, space.id, None, changes)).id
    await session.flush()
    landing = await pages.get_page_by_path(ctx, space.id, "/")
    assert (landing.id, landing.path) == ("inner", "group/inner")
    nothing = await factories.make_space(session, world.organization)
    with pytest.raises(NotFound, match="no page"):
        await pages.get_page_by_path(ctx, nothing.id, "")


async def test_changes_between_revisions_read_what_differs(
    session: Session, world: World, queries: Queries, cold: NodeCache
) -> None:
    space = await large_space(session, world)
    first = await session.get_one(Revision, space.revision_id)
    ctx = context(session)
    old = await find_page(ctx, first, "s7p3")
    changes = Changes(pages={"s7p3": dataclasses.replace(old, title="Other")})
    second = await write_revision(ctx, space.id, first, changes)
    await session.commit()
    cold.clear()
    ctx = context(session, world.reader)
    found = await read(ctx, content_changes.get_revision_changes, space.id, second.id)
    (change,) = found.changes
    assert change.page is not None
    assert (change.page.id, change.page.path, found.more) == ("s7p3", "s7/s7p3", None)
    # The path to the leaf in both maps, and the page above.
    assert len(cold) <= 12
    with queries(2):  # both revisions; the nodes are known
        await read(ctx, content_changes.get_revision_changes, space.id, second.id)


async def test_landing_page_is_looked_for_once(
    session: Session, world: World, queries: Queries, cold: NodeCache
) -> None:
    space = await large_space(session, world)
    ctx = context(session, world.reader)
    first = await read(ctx, pages.get_page_by_path, space.id, "")
    cold.clear()
    again = await read(ctx, pages.get_page_by_path, space.id, "/")
    assert (again.id, again.path, again.revision_id) == (first.id, first.path, first.revision_id)
    assert len(cold) <= 4
