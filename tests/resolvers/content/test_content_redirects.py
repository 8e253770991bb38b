"""Redirects that the configuration of a space sets: they are content, and follow it."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from strawberry import Some

from content.git.layout import read_space
from content.sources.opening import open_source
from db.content_enums import MergeResult
from db.models.content import ContentRedirect as RedirectRow, Revision
from db.models.spaces import Space
from db.session import Session
from resolvers.content.pages import get_page_by_path
from resolvers.content.redirects import redirects_of_revisions
from resolvers.core.context import Context
from resolvers.core.errors import NotFound, PreconditionFailed
from resolvers.core.pagination import PageArguments
from resolvers.core.runners import run
from resolvers.drafts.draft import Draft
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    DeletePageInput,
    MovePageInput,
    RenamePageInput,
)
from resolvers.merging.operations import merge_change_request, pull_change_request
from resolvers.revisions import limits as content_limits
from resolvers.revisions.read_targets import get_revision
from resolvers.revisions.rows import ContentRedirect
from resolvers.revisions.states import Changes
from resolvers.revisions.write_targets import open_target
from resolvers.spaces.operations import (
    CreateSpaceInput,
    SpaceTemplateInput,
    create_space,
    duplicate_space,
)
from resolvers.writing.commits import activate_revision, commit_revision
from resolvers.writing.operations import apply_content_changes
from resolvers.writing.templates import ApplyTemplateInput, apply_template
from tests.conftest import Api, Queries, World, context
from tests.content.conftest import commit_files
from tests.content.sources.test_sources import FILE, bundle_of
from tests.importing.redirecting_content import FILES
from tests.merging import filled_space, with_request
from tests.sources import imported


def to(path: str, page_id: str, anchor: str | None = None) -> ContentRedirect:
    return ContentRedirect(space_id="", revision_id="", path=path, page_id=page_id, anchor=anchor)


async def set_redirects(
    ctx: Context, space_id: str, request: str | None = None, **paths: str | None
) -> Revision:
    """Set redirects of a space or of a change request, as an import of nothing else would."""
    target = await open_target(ctx, space_id, request)
    changes = Changes(
        redirects={
            path.replace("_", "/"): None if id is None else to(path.replace("_", "/"), id)
            for path, id in paths.items()
        }
    )
    return await commit_revision(ctx, target, changes)


async def leads(ctx: Context, space_id: str, path: str) -> str | None:
    try:
        return (await get_page_by_path(ctx, space_id, path)).id
    except NotFound:
        return None


async def listed(
    ctx: Context, space_id: str, request: str | None = None
) -> list[tuple[str, str, str | None]]:
    revision = await get_revision(ctx, space_id, None, request)
    (found,) = await redirects_of_revisions(ctx, [revision], PageArguments())
    return [(row.path, row.page_id, row.anchor) for row in found.rows]


async def edit(ctx: Context, space: Space, request: str | None = None, **operation: Any) -> None:
    await run(
        ctx, apply_content_changes,
        ApplyContentChangesInput(
            target=ContentTargetInput(space=space.id, change_request=request),  # type: ignore[arg-type]
            operations=[ContentOperationInput(**operation)],
        ),
    )  # fmt: skip


async def test_a_bundle(session: Session, world: World, api: Api, tmp_path: Path) -> None:
    commit_files(
        tmp_path / "docs.git",
        {path.encode(): (FILE, text.encode()) for path, text in FILES.items()},
    )
    bundle = bundle_of(tmp_path / "docs.git", tmp_path / "docs.bundle")
    await session.commit()
    with open_source(bundle) as source:
        warnings = [one for one in read_space(source).warnings if "redirect" in one]
    assert len(warnings) == 2
    assert "'nowhere'" in warnings[1]
    assert "'picture.png' is not the file of a page" in warnings[0]
    space = await imported(session, world, api, str(bundle))
    ctx = context(session, world.editor)
    paths = {
        "help/old": "guide/setup", "HELP/anchored": "guide/setup", "/home/": "readme",
        "deep/below/it": "guide/more/deep", "help%2Fold": "guide/setup",
        # A page is there.
        "guide": "guide",
    }  # fmt: skip
    for path, expected in paths.items():
        assert (await run(ctx, get_page_by_path, space.id, path)).path == expected
    for path in ("help", "help/old/more", "asset", "nowhere", "help/old.md"):
        assert await run(ctx, leads, space.id, path) is None
    found = await run(ctx, listed, space.id)
    assert [(path, anchor) for path, _, anchor in found] == [
        ("deep/below/it", None), ("guide", None), ("help/anchored", "first-steps"),
        ("help/old", None), ("home", None), ("secret", None),
    ]  # fmt: skip


async def test_they_follow_their_pages(session: Session, world: World) -> None:
    space = await filled_space(session, world)
    ctx = context(session, world.editor)
    await run(ctx, set_redirects, space.id, old="p1", p_q="p2")
    assert await run(ctx, leads, space.id, "old") == "p1"
    renamed = RenamePageInput(page="p1", slug=Some("renamed"))  # type: ignore[arg-type]
    await edit(ctx, space, rename_page=renamed)
    moved = MovePageInput(page="p1", parent=Some("p0"))  # type: ignore[arg-type]
    await edit(ctx, space, move_page=moved)
    page = await run(ctx, get_page_by_path, space.id, "old")
    assert (page.id, page.path) == ("p1", "page-0/renamed")
    await edit(ctx, space, delete_page=DeletePageInput(page="p1"))  # type: ignore[arg-type]
    assert await run(ctx, leads, space.id, "old") is None
    assert await run(ctx, leads, space.id, "p/q") == "p2"


async def test_pages_and_pages_that_moved_come_first(session: Session, world: World) -> None:
    space = await filled_space(session, world)
    ctx = context(session, world.editor)
    await run(ctx, set_redirects, space.id, **{"page-0": "p2", "page-1": "p2"})
    assert await run(ctx, leads, space.id, "page-1") == "p1"
    renamed = RenamePageInput(page="p1", slug=Some("x"))  # type: ignore[arg-type]
    await edit(ctx, space, rename_page=renamed)
    assert await run(ctx, leads, space.id, "page-1") == "p1"
    # The page that was there is gone: what is set counts.
    await edit(ctx, space, delete_page=DeletePageInput(page="p1"))  # type: ignore[arg-type]
    assert await run(ctx, leads, space.id, "page-1") == "p2"
    assert await run(ctx, leads, space.id, "page-0") == "p0"


async def test_a_change_request_fires_when_it_is_merged(session: Session, world: World) -> None:
    space, request = await with_request(session, world)
    ctx = context(session, world.editor)
    await run(ctx, set_redirects, space.id, first="p0", both="p0", gone="p0")
    await run(ctx, set_redirects, space.id, request.id, old="p1", both="p1")
    for path in ("old", "first"):
        expected = "p0" if path == "first" else None
        assert await run(ctx, leads, space.id, path) == expected
    await session.refresh(request)
    assert await run(ctx, listed, space.id, request.id) == [
        ("both", "p1", None),
        ("old", "p1", None),
    ]
    # Pulled in, and merged: what both sides have set is that of the change request.
    await run(ctx, pull_change_request, space.id, request.id)
    await session.refresh(request)
    everything = [("both", "p1", None), ("first", "p0", None), ("gone", "p0", None),
                  ("old", "p1", None)]  # fmt: skip
    assert await run(ctx, listed, space.id, request.id) == everything
    await run(ctx, set_redirects, space.id, request.id, gone=None, first=None)
    await run(ctx, set_redirects, space.id, first="p2")
    assert await run(ctx, leads, space.id, "both") == "p0"
    reviewer = context(session, world.reviewer)
    done = await run(reviewer, merge_change_request, space.id, request.id)
    assert done.result is MergeResult.MERGE
    for path, expected in {"old": "p1", "both": "p1", "gone": None, "first": "p2"}.items():
        assert await run(ctx, leads, space.id, path) == expected, path


async def test_an_older_revision_brings_its_own_back(session: Session, world: World) -> None:
    space = await filled_space(session, world)
    ctx = context(session, world.editor)
    first = await run(ctx, set_redirects, space.id, old="p1", kept="p1")
    await run(ctx, set_redirects, space.id, old="p2", new="p2")

    async def back(ctx: Context) -> None:
        target = await open_target(ctx, space.id)
        await activate_revision(ctx, target, await ctx.session.get_one(Revision, first.id))

    await run(ctx, back)
    for path, expected in {"old": "p1", "kept": "p1", "new": None}.items():
        assert await run(ctx, leads, space.id, path) == expected
    keys = select(RedirectRow.page_id).where(RedirectRow.space_id == space.id)
    assert list((await session.execute(keys)).scalars()) == ["p1", "p1"]


async def test_copies_have_their_own(session: Session, world: World, api: Api) -> None:
    space = await filled_space(session, world)
    ctx = context(session, world.creator)
    ctx.files = await api.server.file_access()
    await run(ctx, set_redirects, space.id, old="p1", lost="p2")
    await edit(ctx, space, delete_page=DeletePageInput(page="p2"))  # type: ignore[arg-type]
    copy = await run(ctx, duplicate_space, space.id)
    page = await run(ctx, get_page_by_path, copy.id, "old")
    assert (page.path, page.id == "p1", page.space_id) == ("page-1", False, copy.id)
    assert [path for path, *_ in await run(ctx, listed, copy.id)] == ["old"]
    # Nobody has come to another space by the old paths of a template.
    other = await filled_space(session, world, 1)
    await run(ctx, apply_template, other.id, ApplyTemplateInput(id=space.id))  # type: ignore[arg-type]
    assert await run(ctx, leads, other.id, "old") is None
    template = Some(SpaceTemplateInput(id=space.id))  # type: ignore[arg-type]
    made = await run(
        ctx,
        create_space,
        world.organization.id,
        CreateSpaceInput(title=Some("New"), template=template),
    )  # type: ignore[arg-type]
    assert await run(ctx, listed, made.id) == []


async def test_there_are_bounds(
    session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = await filled_space(session, world)
    ctx = context(session, world.editor)
    monkeypatch.setattr(content_limits, "REDIRECTS", 2)

    async def draft_of(ctx: Context, **paths: str) -> None:
        target = await open_target(ctx, space.id)
        draft = Draft(ctx, target.revision)
        draft.written.redirects.update({path: to(path, id) for path, id in paths.items()})
        await commit_revision(ctx, target, await draft.changes())

    await run(ctx, draft_of, a="p0", b="p1")
    await run(ctx, draft_of, a="p1", b="p0")
    with pytest.raises(PreconditionFailed, match="at most 2 redirects"):
        await run(ctx, draft_of, c="p0")
    assert await run(ctx, leads, space.id, "c") is None


async def test_reading_costs_nothing_where_a_page_is(
    session: Session, world: World, queries: Queries
) -> None:
    space = await filled_space(session, world)
    ctx = context(session, world.reader)
    editor = context(session, world.editor)
    await run(editor, set_redirects, space.id, **{f"old-{n}": "p1" for n in range(100)})
    await run(ctx, leads, space.id, "page-1")
    with queries(1):
        await run(ctx, leads, space.id, "page-1")
    with queries(3):
        await run(ctx, leads, space.id, "old-7")
