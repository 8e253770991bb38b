"""Content to merge: spaces with pages, and edits of them as the operations of content make them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from content.markdown.parser import parse_document
from content.ordering import spread
from db.content_enums import PageType
from db.enums import EditMode
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.organizations import User
from db.models.spaces import Space
from db.session import Session
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.runners import run
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes, bodies, write_revision
from resolvers.revisions.tree import find_page
from resolvers.revisions.write_targets import open_target
from resolvers.writing.commits import commit_revision
from tests.conftest import World, context
from tests.factories import make_change_request, make_space

BODY = "First paragraph here.\n\nSecond paragraph here.\n\nThird paragraph here.\n"


def pages_of(space_id: str, count: int, body: str = BODY) -> Changes:
    """`count` documents at the top level, `p0` and so on."""
    changes = Changes()
    for number, order in enumerate(spread(count)):
        id = f"p{number}"
        changes.pages[id] = Page(
            space_id=space_id, revision_id="", id=id, type=PageType.DOCUMENT,
            title=f"Page {number}", parent_id=None, order=order, slug=f"page-{number}",
            document_id=changes.add_document(body, parse_document(body, seed=id)),
        )  # fmt: skip
    return changes


async def filled_space(session: Session, world: World, count: int = 3, **changes: Any) -> Space:
    """A committed space whose primary content may be edited live."""
    space = await make_space(session, world.organization, edit_mode=EditMode.LIVE, **changes)
    revision = await write_revision(context(session), space.id, None, pages_of(space.id, count))
    space.revision_id = revision.id
    await session.commit()
    return space


async def with_request(
    session: Session, world: World, count: int = 3, **changes: Any
) -> tuple[Space, ChangeRequest]:
    """A space and a change request of its editor."""
    space = await filled_space(session, world, count)
    await session.begin_write()
    row = await make_change_request(session, space, world.editor, **changes)
    await session.commit()
    return space, row


@operation(takes_turns=True)
async def _edit(
    ctx: Context, space_id: str, request: str | None, edits: Mapping[str, Mapping[str, Any] | None]
) -> Revision:
    target = await open_target(ctx, space_id, request)
    changes = Changes()
    for id, wanted in edits.items():
        old = changes.before[id] = await find_page(ctx, target.revision, id)
        if wanted is None:
            changes.pages[id] = None
            continue
        values = dict(wanted)
        body = values.pop("body", None)
        if body is not None:
            document = parse_document(body, seed=id)
            values["document_id"] = changes.add_document(body, document)
        changes.pages[id] = replace(old, **values)
    return await commit_revision(ctx, target, changes)


async def edit(
    session: Session, person: User, space: Space, request: ChangeRequest | None = None,
    **edits: Mapping[str, Any] | None,
) -> Revision:  # fmt: skip
    """Edit pages by id: fields, `body` as Markdown; None removes a page."""
    id = None if request is None else request.id
    return await run(context(session, person), _edit, space.id, id, edits)


async def text_of(ctx: Context, revision: Revision, page_id: str) -> str:
    """The Markdown of a page."""
    page = await find_page(ctx, revision, page_id)
    (body,) = await bodies(ctx, [(revision.space_id, page.document_id)])
    return "" if body is None else body.markdown
