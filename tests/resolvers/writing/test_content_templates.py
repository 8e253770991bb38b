"""Templates: spaces whose content is copied into others, with names filled in."""

from typing import Any

import pytest
from sqlalchemy import select
from strawberry import Some

from content.documents.content_references import read_reference
from content.markdown.parser import parse_document
from content.ordering import spread
from db.content_enums import PageType
from db.enums import EditMode
from db.models.content import Revision
from db.models.spaces import Space
from db.session import Session
from resolvers.core.errors import Forbidden, Invalid, NotFound
from resolvers.core.installation import FileAccess
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import CreatePageInput
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes, bodies, first_revision, write_revision
from resolvers.revisions.tree import all_pages
from resolvers.spaces.operations import CreateSpaceInput, SpaceTemplateInput, create_space
from resolvers.writing.edits import create_page
from resolvers.writing.templates import ApplyTemplateInput, TemplateParamsInput, apply_template
from tests import factories
from tests.conftest import Api, World, context, settle

TEXT = "Ask [us](ref:support), see [child](docstead:page?page=child) or [other](ref:other).\n"
SUPPORT = {"kind": "url", "url": "https://help.example/a?b=1"}


@pytest.fixture
async def template(session: Session, world: World) -> Space:
    space = await factories.make_space(session, world.organization)
    changes = Changes(variables={"a": 1, "b": 2})
    body = changes.add_document(TEXT, parse_document(TEXT, seed="x", resolve=read_reference))
    orders = spread(3)
    for order, (id, parent, type, more) in zip([*orders, orders[0]], (
        ("start", None, PageType.DOCUMENT, {"slug": "start", "document_id": body}),
        ("group", None, PageType.GROUP, {"slug": "group"}),
        ("link", None, PageType.LINK, {"target": {"kind": "url", "url": "ref:support"}}),
        ("child", "group", PageType.DOCUMENT, {"slug": "child", "document_id": body}),
    ), strict=True):  # fmt: skip
        more_fields: dict[str, Any] = more
        changes.pages[id] = Page(
            space_id=space.id, revision_id="", id=id, type=type, title=id.title(),
            parent_id=parent, order=order, **more_fields,
        )  # fmt: skip
    space.revision_id = (await write_revision(context(session), space.id, None, changes)).id
    await session.flush()
    return space


async def pages_of(session: Session, space_id: str) -> list[Page]:
    statement = select(Revision).join(Space, Space.revision_id == Revision.id)
    revision = (await session.execute(statement.where(Space.id == space_id))).scalar_one()
    (pages,) = await all_pages(context(session), [revision])
    return pages


@pytest.fixture
async def files(api: Api) -> FileAccess:
    return await api.server.file_access()


async def test_a_template_is_added_with_its_names(
    session: Session, world: World, template: Space, files: FileAccess
) -> None:
    space = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    space.revision_id = (await first_revision(context(session), space.id, "Untitled")).id
    await settle(session)
    ctx = context(session, world.editor)
    ctx.files = files
    params = TemplateParamsInput(content_refs={"support": SUPPORT})
    written = await run(
        ctx, apply_template, space.id, ApplyTemplateInput(id=template.id, params=params)
    )
    assert written.changed
    pages = await pages_of(session, space.id)
    # The empty page of the new space is gone.
    assert [page.path if page.slug else page.title for page in pages] == [
        "start", "group", "group/child", "Link",
    ]  # fmt: skip
    assert pages[3].target == SUPPORT
    assert not {"start", "group", "child", "link"} & {page.id for page in pages}
    (body,) = await bodies(context(session), [(space.id, pages[0].document_id)])
    assert body is not None
    links = [node["data"]["ref"] for node in body.document["nodes"][0]["nodes"]
             if node.get("type") == "link"]  # fmt: skip
    assert links == [
        SUPPORT, {"kind": "page", "page": pages[2].id}, {"kind": "url", "url": "ref:other"},
    ]  # fmt: skip
    assert body.markdown.startswith("Ask [us](https://help.example/a?b=1), see [child](")
    # A second time it is put behind what is there, and variables that are set stay.
    await run(ctx, create_page, space.id, CreatePageInput(title="Mine", slug=Some("mine")))
    await run(ctx, apply_template, space.id, ApplyTemplateInput(id=template.id))
    pages = await pages_of(session, space.id)
    assert [page.slug for page in pages if page.parent_id is None and page.slug] == [
        "start", "group", "mine", "start-1", "group-1",
    ]  # fmt: skip
    orders = [page.order for page in pages if page.parent_id is None]
    assert orders == sorted(set(orders))


async def test_a_new_space_begins_with_a_template(
    session: Session, world: World, template: Space, files: FileAccess
) -> None:
    await settle(session)
    ctx = context(session, world.creator)
    ctx.files = files
    new = CreateSpaceInput(
        title=Some("New"),
        template=Some(SpaceTemplateInput(
            id=template.id, params=TemplateParamsInput(content_refs={"support": SUPPORT}))),
    )  # fmt: skip
    space = await run(ctx, create_space, world.organization.id, new)
    pages = await pages_of(session, space.id)
    assert [page.title for page in pages] == ["Start", "Group", "Child", "Link"]
    assert pages[3].target == SUPPORT


async def test_what_is_no_template(
    session: Session, world: World, template: Space, files: FileAccess
) -> None:
    space = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    hidden = await factories.make_space(session, world.organization, default_level=None)
    elsewhere = await factories.make_organization(session)
    await factories.make_member(session, elsewhere, user=world.editor)
    foreign = await factories.make_space(session, elsewhere)
    await settle(session)
    ctx = context(session, world.editor)
    ctx.files = files
    for id in ("none", hidden.id, foreign.id):
        with pytest.raises(NotFound, match="no template"):
            await run(ctx, apply_template, space.id, ApplyTemplateInput(id=id))
    bad: tuple[tuple[dict[str, Any], str], ...] = (
        ({"a": 1}, "params.contentRefs.a"),
        ({"a": {"kind": "x"}}, "params.contentRefs.a.kind"),
        ({"a": {"kind": "url", "url": "javascript:x"}}, "params.contentRefs.a.url"),
    )
    for references, path in bad:
        params = TemplateParamsInput(content_refs=references)
        with pytest.raises(Invalid) as caught:
            await run(
                ctx, apply_template, space.id, ApplyTemplateInput(id=template.id, params=params)
            )
        assert caught.value.fields[0].path == path
    reader = context(session, world.reader)
    reader.files = files
    with pytest.raises(Forbidden):
        await run(reader, apply_template, space.id, ApplyTemplateInput(id=template.id))


async def test_both_doors(api: Api, session: Session, world: World, template: Space) -> None:
    space = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    request = await factories.make_change_request(session, space, world.editor)
    await settle(session)
    answer = await api.rest(
        "POST", f"/spaces/{space.id}/content/template", world.editor,
        {"id": template.id, "params": {"contentRefs": {"support": SUPPORT}}},
    )  # fmt: skip
    assert (answer.status_code, answer.content) == (201, b"")
    answer = await api.rest(
        "POST", f"/spaces/{space.id}/content/template", world.editor, {"id": "none"}
    )
    assert answer.status_code == 404
    data = await api.data(
        """mutation ($space: ID!, $request: ID!, $id: ID!) {
          applyTemplate(spaceId: $space, changeRequestId: $request, input: {id: $id}) {
            changed changes { type } } }""",
        world.editor, space=space.id, request=request.id, id=template.id,
    )  # fmt: skip
    assert data["applyTemplate"]["changed"] is True
    assert {one["type"] for one in data["applyTemplate"]["changes"]} == {
        "PAGE_CREATED", "VARIABLES_EDITED",
    }  # fmt: skip
