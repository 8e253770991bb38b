"""`python -m benchmarks.merges`: merging 20 pages into a space of 5,000, both sides changed.

Beside it what a merge would cost that writes the whole space again: bodies, maps and a revision.
"""

import asyncio
import dataclasses
import statistics
import sys
import time
from collections.abc import Awaitable, Callable

from sqlalchemy import func, select

from benchmarks.servers import migrated, store
from content.markdown.parser import parse_document
from content.merkle.read import scan
from content.ordering import spread
from db.content_enums import PageType
from db.enums import EditMode, Role, TokenScope
from db.models.content import ContentNode, Document
from db.models.organizations import Member, Organization, User
from db.models.spaces import Space
from db.session import Database
from resolvers.change_requests.operations import CreateChangeRequestInput, create_change_request
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.runners import run
from resolvers.merging.operations import merge_change_request
from resolvers.revisions.rows import Page, page_of
from resolvers.revisions.states import Changes, bodies, write_revision
from resolvers.revisions.store import walk_one
from resolvers.revisions.tree import find_page
from resolvers.revisions.write_targets import open_target
from resolvers.writing.commits import commit_revision

PAGES, CHANGED, ROUNDS = 5000, 20, 5
BODY = "\n\n".join(f"Paragraph {number} of a page with some text in it." for number in range(12))


def _page(space_id: str, number: int, order: str, changes: Changes) -> Page:
    body = changes.add_document(BODY, parse_document(BODY, seed=f"p{number}"))
    return Page(
        space_id=space_id, revision_id="", id=f"p{number}", type=PageType.DOCUMENT,
        title=f"Page {number}", parent_id=None, order=order, slug=f"page-{number}",
        document_id=body,
    )  # fmt: skip


async def own_organization(ctx: Context) -> str:
    """The id of an organization of the caller."""
    person = User(id=ctx.user_id, display_name="Bo", email="bo@example.com")
    organization = Organization(title="Acme")
    ctx.session.add_all([person, organization])
    await ctx.session.flush()
    ctx.session.add(Member(organization_id=organization.id, user_id=person.id, role=Role.ADMIN))
    await ctx.session.flush()
    return organization.id


async def new_space(
    ctx: Context, organization_id: str, content: Callable[[str], Changes] = lambda id: Changes()
) -> str:
    """The id of a new space that is edited live, with this content."""
    space = Space(
        organization_id=organization_id, title="Large", position="V", revision_id="none",
        edit_mode=EditMode.LIVE,
    )  # fmt: skip
    ctx.session.add(space)
    await ctx.session.flush()
    space.revision_id = (await write_revision(ctx, space.id, None, content(space.id))).id
    return space.id


def _pages(space_id: str) -> Changes:
    changes = Changes()
    for number, order in enumerate(spread(PAGES)):
        changes.pages[f"p{number}"] = _page(space_id, number, order, changes)
    return changes


async def _edit(ctx: Context, space_id: str, request: str | None, old: str, new: str) -> None:
    target = await open_target(ctx, space_id, request)
    changes = Changes()
    for number in range(0, PAGES, PAGES // CHANGED):
        page = changes.before[f"p{number}"] = await find_page(ctx, target.revision, f"p{number}")
        (body,) = await bodies(ctx, [(space_id, page.document_id)])
        text = ("" if body is None else body.markdown).replace(old, new)
        id = changes.add_document(text, parse_document(text, seed=page.id))
        changes.pages[page.id] = dataclasses.replace(page, document_id=id)
    await commit_revision(ctx, target, changes)


async def _rewrite(ctx: Context, space_id: str) -> None:
    """All pages and their bodies written again, as a revision without a parent."""
    target = await open_target(ctx, space_id)
    entries = await walk_one(ctx, space_id, scan(target.revision.pages_root))
    pages = [page_of(space_id, "", id, entry) for id, entry in entries]
    stored = await bodies(ctx, [(space_id, page.document_id) for page in pages])
    changes = Changes(pages={page.id: page for page in pages})
    for body in stored:
        if body is not None:
            changes.add_document(body.markdown, body.document)
    await write_revision(ctx, space_id, None, changes, others=[target.revision.id])


async def _size(database: Database) -> int:
    async with database.session() as session:
        found = [
            (await session.execute(select(func.sum(func.length(model.data))))).scalar_one()
            for model in (ContentNode, Document)
        ]
    return int(sum(one or 0 for one in found))


async def _timed(work: Callable[[], Awaitable[object]]) -> float:
    start = time.perf_counter()
    await work()
    return 1000 * (time.perf_counter() - start)


async def measure(kind: str) -> str:
    """A row of the report: milliseconds (medians) and bytes."""
    with store(kind) as place:
        async with migrated(place.url) as database:
            return await _measured(kind, database)


async def _measured(kind: str, database: Database) -> str:
    person = Actor("0" * 20, frozenset(TokenScope))

    async def own(operation: Callable[..., Awaitable[object]], *arguments: object) -> object:
        async with database.session() as session:
            return await run(Context(person, session), operation, *arguments)

    async with database.session() as session:
        ctx = Context(person, session)
        await ctx.begin_write()
        space_id = await new_space(ctx, await own_organization(ctx), _pages)
        await session.commit()
    merges, rewrites, sizes = [], [], []
    for turn in range(ROUNDS):
        await own(create_change_request, space_id, CreateChangeRequestInput())
        request = str(turn + 1)
        await own(_edit, space_id, request, "Paragraph 2 ", f"Paragraph 2 {turn} ")
        await own(_edit, space_id, None, "Paragraph 9 ", f"Paragraph 9 {turn} ")
        before = await _size(database)

        async def merge(request: str = request) -> object:
            return await own(merge_change_request, space_id, request)

        merges.append(await _timed(merge))
        sizes.append(await _size(database) - before)
        rewrites.append(await _timed(lambda: own(_rewrite, space_id)))
    whole = await _size(database)
    fast, slow = statistics.median(merges), statistics.median(rewrites)
    return (
        f"| {kind} | {fast:,.0f} | {statistics.median(sizes) / 1000:,.0f} | {slow:,.0f} | "
        f"{whole / 1000:,.0f} | {slow / fast:.0f} x |"
    )


async def main() -> None:
    head = ["database", "merge ms", "merge writes kB", "rewriting ms", "whole space kB", "merge is"]
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join('---' for _ in head)} |"]
    for kind in ("sqlite", "postgresql"):
        lines.append(await measure(kind))
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    asyncio.run(main())
