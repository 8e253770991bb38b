"""A title that both sides changed: one conflict, and its slug follows the decision."""

import pytest
from sqlalchemy import select
from strawberry import Some

from db.content_enums import ConflictResolution
from db.models.merging import MergeConflict
from db.session import Session
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import RenamePageInput
from resolvers.merging.conflict_resolution import ResolveConflictInput, resolve_conflict
from resolvers.merging.operations import merge_change_request, pull_change_request
from resolvers.revisions.states import get_in_space
from resolvers.revisions.tree import all_pages
from resolvers.writing.edits import rename_page
from tests.conftest import World, context
from tests.merging import with_request


@pytest.mark.parametrize(
    ("resolution", "title", "slug"),
    [
        (ConflictResolution.OURS, "Mine words", "mine-words"),
        (ConflictResolution.THEIRS, "Your words", "your-words"),
    ],
)
async def test_who_decides_about_the_title_decides_about_the_slug(
    session: Session, world: World, resolution: ConflictResolution, title: str, slug: str
) -> None:
    space, row = await with_request(session, world)
    ours, theirs = context(session, world.editor), context(session, world.creator)
    made = RenamePageInput(page="p0", title=Some("Old words"), slug=Some(None))
    await run(theirs, rename_page, space.id, made)
    await run(ours, pull_change_request, space.id, row.id)
    for ctx, text, request in ((ours, "Mine words", row.id), (theirs, "Your words", None)):
        input = RenamePageInput(page="p0", title=Some(text))
        await run(ctx, rename_page, space.id, input, request)
    await run(ours, pull_change_request, space.id, row.id)
    session.expunge_all()
    (conflict,) = (await session.execute(select(MergeConflict))).scalars()
    assert (conflict.data["field"], conflict.data["theirs"]) == ("title", "Your words")
    await session.commit()
    decided = ResolveConflictInput(resolution=resolution)
    await run(ours, resolve_conflict, space.id, row.id, conflict.id, decided)
    reviewer = context(session, world.reviewer)
    merged = await run(reviewer, merge_change_request, space.id, row.id)
    revision = await get_in_space(reviewer, space.id, merged.revision_id)
    (pages,) = await all_pages(reviewer, [revision])
    (page,) = (page for page in pages if page.id == "p0")
    assert (page.title, page.slug) == (title, slug)
