"""A write touches what it changes: statements and nodes do not depend on the size of the space."""

from typing import Any

import pytest
from sqlalchemy import func, select
from strawberry import Some

from content.links.file_index import Cache
from content.ordering import spread
from content.recent_cache import RecentCache
from db.content_enums import PageType
from db.enums import EditMode
from db.models.content import ContentNode
from db.models.spaces import Space
from db.session import Session
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    CreatePageInput,
    MovePageInput,
    UpdatePageInput,
)
from resolvers.drafts.page_inputs import PageBodyInput
from resolvers.revisions import source_paths, store as content_store
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes, bodies, write_revision
from resolvers.writing.operations import apply_content_changes
from tests import factories
from tests.conftest import Queries, World, context, settle

PAGES = 5000
PER_PARENT = 50


def large(space_id: str, *, in_git: bool = False) -> Changes:
    """5,000 documents: 100 at the top level with 49 pages below each."""
    changes = Changes()
    orders = spread(PAGES)
    for number in range(PAGES):
        top = number - number % PER_PARENT
        changes.pages[f"p{number:04}"] = Page(
            space_id=space_id, revision_id="", id=f"p{number:04}", type=PageType.DOCUMENT,
            title=f"Page {number}", parent_id=None if number == top else f"p{top:04}",
            order=orders[number], slug=f"page-{number}",
            git={"oid": "a" * 40, "path": f"docs/{top}/page-{number}.md", "root": "docs"}
            if in_git else None,
        )  # fmt: skip
    return changes


@pytest.fixture
async def space(session: Session, world: World) -> Space:
    made = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    revision = await write_revision(context(session), made.id, None, large(made.id))
    made.revision_id = revision.id
    await settle(session)
    return made


OPERATIONS: dict[str, tuple[Any, int, int]] = {
    # Operation, largest number of statements, largest number of new nodes.
    "edit": (
        UpdatePageInput(page="p2525", body=PageBodyInput(markdown="New text.")), 17, 3,
    ),
    "rename": (UpdatePageInput(page="p2525", title=Some("Another")), 22, 7),
    "create": (CreatePageInput(title="New", parent="p2500"), 21, 7),
    "move": (MovePageInput(page="p2525", parent=Some("p0100")), 26, 8),
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATIONS)
async def test_a_write_in_a_large_space(
    session: Session, world: World, space: Space, queries: Queries,
    monkeypatch: pytest.MonkeyPatch, name: str,
) -> None:  # fmt: skip
    # Everything is read from the database, as after a start.
    monkeypatch.setattr(content_store, "NODES", RecentCache(64 * 1024 * 1024, len))
    operation, statements, nodes = OPERATIONS[name]
    field = {
        UpdatePageInput: "update_page", CreatePageInput: "create_page", MovePageInput: "move_page",
    }[type(operation)]  # fmt: skip
    batch = ApplyContentChangesInput(
        target=ContentTargetInput(space=space.id),
        operations=[ContentOperationInput(**{field: operation})],
    )
    count = select(func.count()).select_from(ContentNode)
    before = (await session.execute(count)).scalar_one()
    queries.statements.clear()
    await run(context(session, world.editor), apply_content_changes, batch)
    ran = len(queries.statements)
    after = (await session.execute(count)).scalar_one()
    assert ran <= statements, "\n\n".join(queries.statements)
    assert 0 < after - before <= nodes
    # Of some 160 leaves only a few were read.
    assert len(content_store.NODES) <= 20


async def test_links_that_lead_nowhere_in_a_large_space(
    session: Session, world: World, queries: Queries, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    changes = large(made.id, in_git=True)
    made.revision_id = (await write_revision(context(session), made.id, None, changes)).id
    await settle(session)
    monkeypatch.setattr(content_store, "NODES", RecentCache(64 * 1024 * 1024, len))
    index: Cache = RecentCache(20_000, lambda node: node.weight)
    monkeypatch.setattr(source_paths, "_INDEXED", index)

    async def edit(*urls: str) -> tuple[int, int, Any]:
        text = "".join(f"[l]({url})\n\n" for url in urls)
        batch = ApplyContentChangesInput(
            target=ContentTargetInput(space=made.id),  # type: ignore[arg-type]
            operations=[
                ContentOperationInput(
                    update_page=UpdatePageInput(
                        page="p2525",  # type: ignore[arg-type]
                        body=PageBodyInput(markdown=text),
                    )
                )
            ],
        )
        queries.statements.clear()
        before = len(index._known)
        written = await run(context(session, world.editor), apply_content_changes, batch)
        statements = len(queries.statements)
        (found,) = await bodies(
            context(session, world.editor), [(made.id, written.pages[0].document_id)]
        )
        assert found is not None
        refs = [
            node["data"]["ref"]
            for block in found.document["nodes"]
            for node in block["nodes"]
            if node.get("type") == "link"
        ]
        return statements, len(index._known) - before, refs

    # The first edit reads every map once, a level at a time.
    statements, nodes, refs = await edit("gone.md", "page-2549.md")
    assert refs == [{"kind": "url", "url": "gone.md"}, {"kind": "page", "page": "p2549"}]
    assert statements <= 20, "\n\n".join(queries.statements)
    assert nodes > 150
    # Later ones read what has changed since, however many links they have.
    urls = [f"../gone/{number}.md" for number in range(100)]
    statements, nodes, refs = await edit(*urls, "../2500/page-2549.md#a")
    assert refs[-1] == {"kind": "anchor", "page": "p2549", "anchor": "a"}
    assert statements <= 15, "\n\n".join(queries.statements)
    assert nodes <= 4
