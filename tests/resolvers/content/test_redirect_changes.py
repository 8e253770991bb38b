"""Redirects of content by hand, and what changes of them, in both doors."""

from typing import Any

import pytest
from strawberry import Some

from content.recent_cache import RecentCache
from db.models.content import Revision
from db.models.spaces import Space
from db.session import Session
from resolvers.content.changes import get_change_request_changes, get_revision_changes
from resolvers.content.pages import get_page_by_path
from resolvers.content.redirects import RedirectChanges, changes_of_redirects, pages_of_ends
from resolvers.core.context import Context
from resolvers.core.errors import Conflict, Invalid, NotFound, PreconditionFailed
from resolvers.core.pagination import PageArguments
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    DeletePageInput,
    DeleteRedirectInput,
    RenamePageInput,
    SetRedirectInput,
)
from resolvers.revisions import limits as content_limits, store as content_store
from resolvers.revisions.rows import ContentRedirect
from resolvers.revisions.states import Changes
from resolvers.revisions.write_targets import open_target
from resolvers.writing.commits import commit_revision
from resolvers.writing.operations import ContentWrite, apply_content_changes, redirects_of_writes
from tests.conftest import Api, Queries, World, context
from tests.merging import filled_space, with_request

MANY = 5000


def set_to(path: str, page: str, anchor: str | None = None) -> ContentOperationInput:
    made = SetRedirectInput(path=path, page=page, anchor=anchor)  # type: ignore[arg-type]
    return ContentOperationInput(set_redirect=made)


def removed(path: str) -> ContentOperationInput:
    return ContentOperationInput(delete_redirect=DeleteRedirectInput(path=path))


async def apply(
    ctx: Context, space: Space, *operations: ContentOperationInput, request: str | None = None,
    dry_run: bool = False,
) -> ContentWrite:  # fmt: skip
    target = ContentTargetInput(space=space.id, change_request=request)  # type: ignore[arg-type]
    batch = ApplyContentChangesInput(target=target, operations=list(operations), dry_run=dry_run)
    return await run(ctx, apply_content_changes, batch)


async def told(ctx: Context, found: RedirectChanges | None) -> list[tuple[Any, ...]]:
    """Type, path, and where each change led and leads."""
    if found is None:
        return []
    (part,) = await changes_of_redirects(ctx, [found], PageArguments())
    ends = [end for row in part.rows for end in (row.before, row.after) if end is not None]
    pages = dict(zip(map(id, ends), await pages_of_ends(ctx, ends, None), strict=True))

    def leads(end: Any) -> Any:
        if end is None:
            return None
        page = pages[id(end)]
        return None if page is None else f"{page.path}#{end.anchor or ''}".rstrip("#")

    return [
        (row.type.value.removeprefix("redirect_"), row.path, leads(row.before), leads(row.after))
        for row in part.rows
    ]


async def test_they_are_set_and_removed_by_hand(session: Session, world: World) -> None:
    space = await filled_space(session, world)
    ctx = context(session, world.editor)
    made = await apply(ctx, space, set_to("/Old/Path/", "p1", "part"), set_to("old%20two", "p2"))
    found = (await redirects_of_writes(ctx, [made], None))[0]
    assert await told(ctx, found) == [
        ("created", "old two", None, "page-2"), ("created", "old/path", None, "page-1#part"),
    ]  # fmt: skip
    assert (await run(ctx, get_page_by_path, space.id, "OLD/path")).id == "p1"
    # Once more is nothing, and another target is an edit.
    again = await apply(ctx, space, set_to("old/path", "p1", "part"))
    assert (again.changed, (await redirects_of_writes(ctx, [again], None))[0]) == (False, None)
    made = await apply(ctx, space, set_to("old/path", "p2"), removed("OLD TWO"))
    found = (await redirects_of_writes(ctx, [made], None))[0]
    assert await told(ctx, found) == [
        ("deleted", "old two", "page-2", None), ("edited", "old/path", "page-1#part", "page-2"),
    ]  # fmt: skip
    with pytest.raises(NotFound):
        await run(ctx, get_page_by_path, space.id, "old two")
    # Within one batch, and after a page has left its path.
    renamed = RenamePageInput(page="p0", slug=Some("start"))  # type: ignore[arg-type]
    await apply(
        ctx, space, set_to("a", "p1"), removed("a"),
        ContentOperationInput(rename_page=renamed), set_to("page-0", "p2"),
    )  # fmt: skip
    with pytest.raises(NotFound):
        await run(ctx, get_page_by_path, space.id, "a")
    # The page that moved comes first.
    assert (await run(ctx, get_page_by_path, space.id, "page-0")).id == "p0"


async def test_what_is_wrong_is_named(
    session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    space, request = await with_request(session, world)
    ctx = context(session, world.editor)
    delete = ContentOperationInput(delete_page=DeletePageInput(page="p2"))  # type: ignore[arg-type]
    for kind, where, problem, operations in (
        (Invalid, "setRedirect.path", "the root of a space", [set_to("//", "p1")]),
        (Invalid, "setRedirect.path", "is not the path of a page", [set_to("~/a", "p1")]),
        (Invalid, "setRedirect.path", "is not allowed", [set_to("a%07b", "p1")]),
        (Invalid, "setRedirect.path", "at most 512", [set_to("x" * 513, "p1")]),
        (Conflict, "setRedirect.path", "the page 'p0' is at this path", [set_to("PAGE-0", "p1")]),
        (NotFound, "setRedirect.page", "'none' does not exist", [set_to("a", "none")]),
        (NotFound, "setRedirect.page", "'p2' does not exist", [delete, set_to("a", "p2")]),
        (NotFound, "deleteRedirect.path", "no redirect from 'a'", [removed("a")]),
        (
            NotFound,
            "deleteRedirect.path",
            "from 'a'",
            [set_to("a", "p1"), removed("a"), removed("a")],
        ),
    ):
        with pytest.raises(kind) as caught:
            await apply(ctx, space, *operations, request=request.id)
        (field,) = caught.value.fields
        assert field.path == f"operations[{len(operations) - 1}].{where}", problem
        assert problem in field.message
    monkeypatch.setattr(content_limits, "REDIRECTS", 2)
    await apply(ctx, space, set_to("a", "p1"), set_to("b", "p1"), request=request.id)
    await apply(ctx, space, set_to("a", "p2"), removed("b"), set_to("c", "p1"), request=request.id)
    with pytest.raises(PreconditionFailed, match="at most 2 redirects"):
        await apply(ctx, space, set_to("d", "p1"), request=request.id)


async def test_a_change_request_tells_what_it_changes(
    session: Session, world: World, api: Api
) -> None:
    space, request = await with_request(session, world)
    ctx = context(session, world.editor)
    await apply(ctx, space, set_to("others", "p0"))
    rename = RenamePageInput(page="p1", slug=Some("now"))  # type: ignore[arg-type]
    await apply(
        ctx, space, set_to("old", "p1", "part"), ContentOperationInput(rename_page=rename),
        request=request.id,
    )  # fmt: skip
    found = await run(ctx, get_change_request_changes, space.id, request.id)
    # What the space has got meanwhile is no change of the request.
    assert await told(ctx, found.redirects) == [("created", "old", None, "now#part")]
    assert [one.type.value for one in found.changes] == ["page_edited"]
    path = f"/spaces/{space.id}/change-requests/{request.id}"
    body = (await api.rest("GET", f"{path}/changes", world.reader)).json()
    page = {"id": "p1", "type": "document", "title": "Page 1", "path": "now"}
    created = {"type": "redirect_created", "path": "old", "after": {"page": page, "anchor": "part"}}
    assert body["redirects"] == {"total": 1, "changes": [created]}
    assert [one["type"] for one in body["changes"]] == ["page_edited"]
    query = """query ($space: ID!, $request: ID!) {
      changeRequestChanges(spaceId: $space, changeRequestId: $request) {
        redirects { total more changes { totalCount nodes {
          type path before { anchor } after { anchor page { pageId path } } } } } } }"""
    data = await api.data(query, world.reader, space=space.id, request=request.id)
    assert data["changeRequestChanges"]["redirects"] == {
        "total": 1, "more": None, "changes": {"totalCount": 1, "nodes": [{
            "type": "REDIRECT_CREATED", "path": "old", "before": None,
            "after": {"anchor": "part", "page": {"pageId": "p1", "path": "now"}},
        }]},
    }  # fmt: skip
    # A page that is gone leads nowhere.
    delete = ContentOperationInput(delete_page=DeletePageInput(page="p1"))  # type: ignore[arg-type]
    await apply(ctx, space, delete, request=request.id)
    body = (await api.rest("GET", f"{path}/changes", world.reader)).json()
    assert body["redirects"]["changes"][0]["after"] == {"anchor": "part"}


async def test_a_dry_run_tells_them_and_writes_nothing(
    session: Session, world: World, api: Api
) -> None:
    space, request = await with_request(session, world)
    ctx = context(session, world.editor)
    await apply(ctx, space, set_to("kept", "p0"), request=request.id)
    rename = RenamePageInput(page="p1", slug=Some("now"))  # type: ignore[arg-type]
    await session.refresh(request)
    before = request.revision_id
    written = await apply(
        ctx, space, ContentOperationInput(rename_page=rename), set_to("page-1", "p1"),
        set_to("kept", "p2"), request=request.id, dry_run=True,
    )  # fmt: skip
    found = (await redirects_of_writes(ctx, [written], None))[0]
    assert await told(ctx, found) == [
        ("edited", "kept", "page-0", "page-2"), ("created", "page-1", None, "now"),
    ]  # fmt: skip
    await session.refresh(request)
    assert request.revision_id == before
    answer = await api.rest(
        "POST", f"/spaces/{space.id}/change-requests/{request.id}/content?dryRun=true",
        world.editor, {"changes": [{"type": "delete_redirect", "path": "Kept"}]},
    )  # fmt: skip
    deleted = answer.json()["redirects"]
    assert (deleted["total"], deleted["changes"][0]["type"]) == (1, "redirect_deleted")
    assert deleted["changes"][0]["before"]["page"]["path"] == "page-0"
    assert answer.json()["changes"] == []


async def fill(ctx: Context, space_id: str, request: str) -> Revision:
    target = await open_target(ctx, space_id, request)
    changes = Changes()
    for number in range(MANY):
        path = f"old/{number:04}"
        changes.redirects[path] = ContentRedirect(
            space_id=space_id, revision_id="", path=path, page_id=f"p{number % 3}"
        )
    return await commit_revision(ctx, target, changes)


async def test_thousands_of_them_are_paged(
    session: Session, world: World, api: Api, queries: Queries, monkeypatch: pytest.MonkeyPatch
) -> None:
    space, request = await with_request(session, world)
    ctx = context(session, world.editor)
    await run(ctx, fill, space.id, request.id)
    reader = context(session, world.reader)

    async def read() -> tuple[RedirectChanges, int]:
        monkeypatch.setattr(content_store, "NODES", RecentCache(64 * 1024 * 1024, len))
        queries.statements.clear()
        found = await run(reader, get_change_request_changes, space.id, request.id, 20)
        assert found.redirects is not None
        shown = await told(reader, found.redirects)
        assert [path for _, path, *_ in shown] == [f"old/{number:04}" for number in range(20)]
        return found.redirects, len(queries.statements)

    found, statements = await read()
    assert (found.total, found.more) == (MANY, MANY - 20)
    assert statements <= 7, "\n\n".join(queries.statements)
    paths: list[str] = []
    after = None
    while True:
        arguments = PageArguments(first=100, after=after)
        (part,) = await changes_of_redirects(reader, [found], arguments)
        paths += [row.path for row in part.rows]
        if not part.has_next:
            break
        after = part.cursor_of(part.rows[-1])
    assert paths == [f"old/{number:04}" for number in range(MANY)]
    path = f"/spaces/{space.id}/change-requests/{request.id}/changes"
    body = (await api.rest("GET", f"{path}?limit=1000", world.reader)).json()
    assert body["changes"] == []
    assert (len(body["redirects"]["changes"]), body["redirects"]["more"]) == (1000, MANY - 1000)
    # A revision tells the same of its parent.
    await session.refresh(request)
    of_revision = await run(reader, get_revision_changes, space.id, request.revision_id)
    assert of_revision.redirects is not None
    assert of_revision.redirects.total == MANY
