"""Edits beside open conflicts: which ones they look at."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import orjson
import pytest
from strawberry import ID

from content.markdown.spelling import write_markdown
from db.content_enums import ConflictResolution
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.spaces import Space
from db.session import Session
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    UpdatePageInput,
)
from resolvers.drafts.page_inputs import (
    BlockEditInput,
    BlocksInput,
    PageBodyInput,
    ReplaceBlockInput,
)
from resolvers.merging.conflict_resolution import ResolveConflictInput, resolve_conflict
from resolvers.merging.operations import pull_change_request
from resolvers.revisions import bodies_work, conflict_contents
from resolvers.revisions.bodies_work import LIGHT
from resolvers.revisions.states import Changes, bodies
from resolvers.revisions.tree import find_page
from resolvers.revisions.write_targets import open_target
from resolvers.writing import operations
from resolvers.writing.commits import commit_revision
from resolvers.writing.operations import apply_content_changes
from tests.conftest import Queries, World, context
from tests.merging import edit, with_request
from tests.resolvers.merging.test_conflicts import stored


@operation(takes_turns=True)
async def _add_to(ctx: Context, space_id: str, request_id: str, word: str) -> Revision:
    """Add to a paragraph of the first page that has a word; its other blocks keep their keys."""
    target = await open_target(ctx, space_id, request_id)
    changes = Changes()
    page = changes.before["p0"] = await find_page(ctx, target.revision, "p0")
    (body,) = await bodies(ctx, [(space_id, page.document_id)])
    assert body is not None
    document = orjson.loads(orjson.dumps(body.document).replace(word.encode(), b"Agreed"))
    document_id = changes.add_document(write_markdown(document), document)
    changes.pages["p0"] = replace(page, document_id=document_id)
    return await commit_revision(ctx, target, changes)


async def _with_conflicts(
    session: Session, world: World, count: int
) -> tuple[Space, ChangeRequest]:
    """A change request whose first page has so many paragraphs, all of them in conflict."""
    texts = [f"Paragraph {n} of {n * 7919}" for n in range(count)]
    space, row = await with_request(session, world, 2)
    for request, side in ((None, "here"), (row, "ours"), (None, "theirs")):
        body = "\n\n".join(f"{text} is {side} {n}x" for n, text in enumerate(texts))
        if side == "ours":
            await run(context(session, world.editor), pull_change_request, space.id, row.id)
        await edit(session, world.creator, space, request, p0={"body": body})
    await run(context(session, world.editor), pull_change_request, space.id, row.id)
    assert len(await stored(session, row)) == count
    return space, row


async def test_edits_look_at_the_conflicts_that_they_are_about(
    session: Session, world: World, monkeypatch: pytest.MonkeyPatch, queries: Queries
) -> None:
    """However many are open beside them: others wait for the lock of the edit meanwhile."""
    loaded: list[int] = []
    real = conflict_contents.with_ids

    async def with_ids(ctx: Context, ids: Sequence[str]) -> Any:
        loaded.append(len(ids))
        return await real(ctx, ids)

    monkeypatch.setattr(conflict_contents, "with_ids", with_ids)
    statements = []
    for count in (6, 30):
        space, row = await _with_conflicts(session, world, count)
        ctx = context(session, world.editor)
        loaded.clear()
        await edit(session, world.editor, space, row, p1={"title": "Elsewhere"})
        assert not loaded
        await edit(session, world.editor, space, row, p0={"title": "Another title"})
        assert sum(loaded) == 0
        queries.statements.clear()
        await run(ctx, _add_to, space.id, row.id, "theirs 2x")
        statements.append(len(queries.statements))
        assert loaded[1:] == [1]
        decided = [one for one in await stored(session, row) if one.resolution is not None]
        assert [one.resolution for one in decided] == [ConflictResolution.CUSTOM]
    assert statements[0] == statements[1]


async def _replace(session: Session, world: World, row: ChangeRequest, word: str) -> None:
    """Replace the paragraph of the first page that has a word, as clients do."""
    ctx = context(session, world.editor)
    target = await open_target(ctx, row.space_id, row.id, lock=False)
    page = await find_page(ctx, target.revision, "p0")
    (body,) = await bodies(ctx, [(row.space_id, page.document_id)])
    assert body is not None
    blocks = body.document["nodes"]
    (key,) = [block["key"] for block in blocks if word in orjson.dumps(block).decode()]
    content = BlocksInput(markdown=f"Agreed instead of {word}")
    replaced = BlockEditInput(replace=ReplaceBlockInput(key=key, content=content))
    page_input = UpdatePageInput(page=ID("p0"), body=PageBodyInput(edits=[replaced]))
    place = ContentTargetInput(space=ID(row.space_id), change_request=ID(row.id))
    operations = [ContentOperationInput(update_page=page_input)]
    changes = ApplyContentChangesInput(target=place, operations=operations)
    await run(context(session, world.editor), apply_content_changes, changes)


async def test_long_texts_are_looked_into_before_the_lock(
    session: Session, world: World, monkeypatch: pytest.MonkeyPatch, queries: Queries
) -> None:
    """Whatever the number of conflicts; and again, if others have settled some meanwhile."""
    looked, meanwhile = list[bool](), list[str]()
    real, ahead = conflict_contents._look_inside, operations.look_at_conflicts_ahead

    async def look_inside(ctx: Context, *arguments: Any) -> Any:
        looked.append(ctx.writing)
        return await real(ctx, *arguments)

    async def settled_meanwhile(ctx: Context, *arguments: Any) -> None:
        await ahead(ctx, *arguments)
        other = next(one for one in await stored(session, row) if one.resolution is None)
        chosen = ResolveConflictInput(resolution=ConflictResolution.THEIRS)
        theirs = context(session, world.editor)
        await run(theirs, resolve_conflict, row.space_id, row.id, other.id, chosen)
        meanwhile.append(other.id)
        looked.clear()

    monkeypatch.setattr(conflict_contents, "_look_inside", look_inside)
    statements = []
    for count in (6, 30):
        _, row = await _with_conflicts(session, world, count)
        monkeypatch.setattr(bodies_work, "LIGHT", 0)
        looked.clear()
        queries.statements.clear()
        await _replace(session, world, row, "theirs 2x")
        statements.append(len(queries.statements))
        assert looked == [False]
        decided = [one for one in await stored(session, row) if one.resolution is not None]
        assert [one.resolution for one in decided] == [ConflictResolution.CUSTOM]
        monkeypatch.setattr(bodies_work, "LIGHT", LIGHT)
    assert statements[0] == statements[1]
    with monkeypatch.context() as patched:
        patched.setattr(bodies_work, "LIGHT", 0)
        patched.setattr(operations, "look_at_conflicts_ahead", settled_meanwhile)
        await _replace(session, world, row, "theirs 5x")
    assert looked == [True]
    resolutions = [one.resolution for one in await stored(session, row)]
    assert resolutions.count(ConflictResolution.CUSTOM) == 2
    assert resolutions.count(ConflictResolution.THEIRS) == len(meanwhile) > 0
    assert resolutions.count(None) == count - 2 - len(meanwhile)
