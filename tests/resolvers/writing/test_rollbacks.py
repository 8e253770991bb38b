"""Rollback of a whole space to an earlier revision."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from strawberry import Some

from db.content_enums import ChangeRequestStatus, MergeResult, RevisionType
from db.enums import EditMode
from db.models.change_requests import ChangeRequest
from db.models.content import PageRedirect, Revision
from db.session import Database, Session
from resolvers.core.errors import Conflict, Forbidden, NotFound
from resolvers.core.runners import run
from resolvers.core.scalars import JsonObject
from resolvers.drafts.operation_inputs import (
    CreatePageInput,
    DeletePageInput,
    MovePageInput,
    RenamePageInput,
    SetVariablesInput,
    UpdatePageInput,
)
from resolvers.merging.operations import merge_change_request
from resolvers.revisions.states import write_revision
from resolvers.writing.operations import ContentWrite, changes_of_write
from resolvers.writing.rollbacks import MAPS, RollBackSpaceInput, roll_back_space
from tests import factories
from tests.conftest import World, context, settle
from tests.docstead.command_line import docstead_async
from tests.docstead.test_commands import at
from tests.resolvers.writing.test_content_writes import Content, markdown
from tests.seeds import sample_changes

EDITS = (
    UpdatePageInput(page="home", body=markdown("Rewritten.")),
    MovePageInput(page="deep", parent=Some(None)),
    CreatePageInput(title="Added", body=markdown("New.")),
    DeletePageInput(page="child"),
    SetVariablesInput(set=JsonObject({"version": "9"})),
)


@pytest.fixture
async def content(session: Session, world: World) -> Content:
    space = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    revision = await write_revision(context(session), space.id, None, sample_changes(space.id))
    space.revision_id = revision.id
    await settle(session)
    return Content(session, space, context(session, world.reviewer))


async def roll_back(content: Content, revision: str, **options: Any) -> ContentWrite:
    as_request = options.pop("as_change_request", None)
    input = RollBackSpaceInput(as_change_request=as_request)
    return await run(content.ctx, roll_back_space, content.space.id, revision, input, **options)


def holds(revision: Revision) -> tuple[Any, ...]:
    roots = [getattr(revision, name) for name in (*MAPS, "slugs_root")]
    return (*roots, revision.variables, revision.conditional)


async def edited(content: Content) -> tuple[Revision, Revision]:
    """The revision before edits of every kind, and the one after."""
    before = await content.newest()
    await content.apply(*EDITS)
    return before, await content.newest()


async def test_a_rollback_is_a_new_revision_and_can_be_rolled_back(content: Content) -> None:
    before, after = await edited(content)
    assert holds(before) != holds(after)
    written = await roll_back(content, before.id, expected_revision=after.id)
    newest = await content.newest()
    assert written.revision.id == newest.id
    assert written.changed
    assert newest.id not in (before.id, after.id)
    assert (newest.type, newest.parents) == (RevisionType.ROLLBACK, [after.id])
    assert holds(newest) == holds(before)
    kinds = {change.type.value for change in (await changes_of_write(content.ctx, written)).changes}
    assert {"page_created", "page_deleted", "page_edited", "page_moved"} <= kinds
    again = await roll_back(content, after.id)
    assert holds(await content.newest()) == holds(after)
    same = await roll_back(content, again.revision.id)
    assert not same.changed
    assert same.revision.id == again.revision.id


async def test_a_dry_run_tells_the_changes_and_writes_nothing(content: Content) -> None:
    before, after = await edited(content)
    counts = await content.counts()
    for as_request in (False, True):
        written = await roll_back(content, before.id, dry_run=True, as_change_request=as_request)
        assert (written.changed, written.dry_run, written.revision.id) == (True, True, after.id)
        assert len((await changes_of_write(content.ctx, written)).changes) >= 4
    assert await content.counts() == counts
    requests = select(func.count()).select_from(ChangeRequest)
    assert (await content.session.execute(requests)).scalar_one() == 0


async def test_as_a_change_request_it_is_reviewed_and_merged(
    content: Content, session: Session, world: World
) -> None:
    before, after = await edited(content)
    content.ctx = context(session, world.editor)
    written = await roll_back(content, before.id, as_change_request=True)
    request = written.change_request
    assert request is not None
    assert (request.status, request.subject) == (
        ChangeRequestStatus.DRAFT, f"Roll back to {before.id}",
    )  # fmt: skip
    assert (request.revision_initial_id, request.revision_id) == (after.id, written.revision.id)
    assert (await content.newest()).id == after.id
    # What was edited meanwhile stays.
    await content.apply(CreatePageInput(title="Meanwhile", body=markdown("Stays.")))
    merger = context(session, world.reviewer)
    merged = await run(merger, merge_change_request, content.space.id, request.id)
    assert merged.result is MergeResult.MERGE
    outline = await content.outline()
    assert "meanwhile" in outline
    assert "home/child" in outline
    assert "added" not in outline
    assert await content.markdown("home") != "Rewritten."


async def test_who_may_roll_back(content: Content, session: Session, world: World) -> None:
    before, after = await edited(content)
    content.ctx = context(session, world.editor)
    with pytest.raises(Forbidden):
        await roll_back(content, before.id)
    for person in (world.commenter, world.reader):
        content.ctx = context(session, person)
        for as_request in (False, True):
            with pytest.raises(Forbidden):
                await roll_back(content, before.id, as_change_request=as_request)
    assert (await content.newest()).id == after.id


async def test_what_is_refused(content: Content, session: Session, world: World) -> None:
    before, after = await edited(content)
    with pytest.raises(NotFound, match="'nowhere' does not exist in the space"):
        await roll_back(content, "nowhere")
    other = await factories.make_space(session, world.organization)
    foreign = await write_revision(context(session), other.id, None, sample_changes(other.id))
    await settle(session)
    with pytest.raises(NotFound):
        await roll_back(content, foreign.id)
    for as_request in (False, True):
        with pytest.raises(Conflict, match="expectedRevision"):
            await roll_back(
                content, before.id, expected_revision=before.id, as_change_request=as_request
            )
    assert (await content.newest()).id == after.id


async def test_old_paths_lead_on(content: Content, session: Session) -> None:
    before = await content.newest()
    await content.apply(RenamePageInput(page="home", slug=Some("start")))
    await roll_back(content, before.id)
    rows = select(PageRedirect.page_id).where(PageRedirect.space_id == content.space.id)
    assert set((await session.execute(rows)).scalars()) == {"home"}
    assert "home" in await content.outline()


async def test_the_command_rolls_back(database: Database, content: Content, tmp_path: Path) -> None:
    before, after = await edited(content)
    await settle(content.session)
    words = ("rollback", content.space.id, before.id, *at(database, tmp_path / "data"))
    dry = json.loads((await docstead_async(*words, "--dry-run", "--json")).out)
    assert (dry["changed"], dry["dryRun"], dry["revision"]) == (True, True, after.id)
    done = json.loads((await docstead_async(*words, "--json")).out)
    assert done["changes"] == dry["changes"] != {}
    assert done["revision"] not in (before.id, after.id)
    assert "the content is the same" in (await docstead_async(*words)).out
    refused = await docstead_async("rollback", content.space.id, "nowhere", *words[3:])
    assert refused.status == 1
    assert "'nowhere' does not exist" in refused.err
