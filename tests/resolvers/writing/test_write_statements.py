"""A write touches what it changes: statements and nodes do not depend on the size of the space."""

from typing import Any

import pytest
from sqlalchemy import func, select
from strawberry import Some

from content.links.file_index import Cache
from content.recent_cache import RecentCache
from db.models.content import ContentNode
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
from resolvers.revisions.states import bodies
from resolvers.writing.operations import apply_content_changes
from tests.conftest import Queries, context
from tests.large_spaces import LargeSpace

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
    large_space: LargeSpace, session: Session, queries: Queries,
    monkeypatch: pytest.MonkeyPatch, name: str,
) -> None:  # fmt: skip
    world, space = large_space.world, large_space.space
    await session.commit()
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
    large_git_space: LargeSpace,
    session: Session,
    queries: Queries,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world, space = large_git_space.world, large_git_space.space
    await session.commit()
    monkeypatch.setattr(content_store, "NODES", RecentCache(64 * 1024 * 1024, len))
    index: Cache = RecentCache(20_000, lambda node: node.weight)
    monkeypatch.setattr(source_paths, "_INDEXED", index)

    async def edit(*urls: str) -> tuple[int, int, Any]:
        text = "".join(f"[l]({url})\n\n" for url in urls)
        batch = ApplyContentChangesInput(
            target=ContentTargetInput(space=space.id),  # type: ignore[arg-type]
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
            context(session, world.editor), [(space.id, written.pages[0].document_id)]
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
