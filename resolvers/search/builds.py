"""Building the index of a space that has none, in steps of one short transaction each.

Writers are never kept waiting for a whole space. What they write meanwhile is not indexed by them
(`index_revision` sees that the index is being built) but by the last step.
"""

import datetime as dt
from dataclasses import dataclass

from sqlalchemy import and_, delete, or_, select

from content.merkle.read import scan
from db.ids import new_id
from db.models.content_index import ContentIndex, ContentLink, IndexedPage, ShownFile, Spelling
from db.models.spaces import Space
from resolvers.access.policy import must, must_be_operator, spaces_with_bin
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import Conflict
from resolvers.links.index import LinkWriter, judge_all_links
from resolvers.revisions.index_plan import Plan, plan_of_pages
from resolvers.revisions.objects import CONTENTS
from resolvers.revisions.owners import note_ids
from resolvers.revisions.states import get_in_space
from resolvers.revisions.store import walk_all
from resolvers.search.index import FORMAT, index_pages, index_revision

# Pages of one step.
STEP_PAGES = 200
# A builder that was not seen for so long is gone.
ABANDONED_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Build:
    """A build that has begun: of which revision, by whom, and what has to be indexed."""

    space_id: str
    revision_id: str
    builder: str
    page_ids: tuple[str, ...]
    content_ids: tuple[str, ...]


@operation(audited=False)
async def spaces_to_index(ctx: Context, space_id: str | None, *, again: bool) -> list[str]:
    """Ids of the spaces that are not indexed and that nobody is indexing; or of all (`again`).

    With `space_id` only that one; NotFound when there is none.
    """
    must_be_operator(ctx)
    statement = select(Space.id).order_by(Space.id)
    if space_id is not None:
        await must(ctx, Space, space_id, rule=spaces_with_bin)
        statement = statement.where(Space.id == space_id)
    if not again:
        state = ContentIndex
        gone = ctx.now() - dt.timedelta(seconds=ABANDONED_SECONDS)
        statement = statement.outerjoin(state, state.space_id == Space.id).where(
            or_(
                state.space_id.is_(None),
                state.format != FORMAT,
                and_(state.revision_id.is_(None), state.built_at < gone),
            )
        )
    return list(await ctx.session.scalars(statement))


@operation(audited=False)
async def begin_build(ctx: Context, space_id: str) -> Build:
    """Forget the index of a space and begin to build it again; takes over from other builders."""
    must_be_operator(ctx)
    space = await must(ctx, Space, space_id, rule=spaces_with_bin, lock=True)
    for table in (IndexedPage, Spelling, ContentLink, ShownFile, ContentIndex):
        await ctx.session.execute(delete(table).where(table.space_id == space_id))
    builder = new_id()
    ctx.session.add(
        ContentIndex(space_id=space_id, format=FORMAT, builder=builder, built_at=ctx.now())
    )
    revision = await get_in_space(ctx, space_id, space.revision_id)
    pages, contents = await walk_all(
        ctx, [(space_id, scan(revision.pages_root)), (space_id, scan(revision.contents_root))]
    )
    return Build(
        space_id, revision.id, builder,
        tuple(id for id, _ in pages), tuple(id for id, _ in contents),
    )  # fmt: skip


@operation(audited=False)
async def build_pages(ctx: Context, build: Build, start: int) -> None:
    """Index `STEP_PAGES` pages from the number `start` on."""
    must_be_operator(ctx)
    await _still_ours(ctx, build)
    revision = await get_in_space(ctx, build.space_id, build.revision_id)
    plan = await plan_of_pages(ctx, revision, build.page_ids[start : start + STEP_PAGES])
    await index_pages(ctx, plan, LinkWriter(ctx, build.space_id))


@operation(audited=False)
async def finish_build(ctx: Context, build: Build) -> None:
    """Index the reusable contents, judge the links, and come to the newest revision."""
    must_be_operator(ctx)
    space = await must(ctx, Space, build.space_id, rule=spaces_with_bin, lock=True)
    state = await _still_ours(ctx, build)
    revision = await get_in_space(ctx, build.space_id, build.revision_id)
    plan = Plan(revision)
    (plan.contents,) = await CONTENTS.find(ctx, [(revision, build.content_ids)])
    await index_pages(ctx, plan, LinkWriter(ctx, build.space_id))
    await note_ids(ctx, None, revision)
    state.revision_id, state.builder = revision.id, None
    await ctx.session.flush()
    await judge_all_links(ctx, revision)
    if space.revision_id != revision.id:
        newest = await get_in_space(ctx, build.space_id, space.revision_id)
        await index_revision(ctx, build.space_id, revision, newest)


async def _still_ours(ctx: Context, build: Build) -> ContentIndex:
    """The state of the index; Conflict when somebody else is building it now."""
    statement = select(ContentIndex).where(ContentIndex.space_id == build.space_id)
    statement = statement.with_for_update().execution_options(populate_existing=True)
    state: ContentIndex | None = (await ctx.session.execute(statement)).scalar_one_or_none()
    if state is None or state.builder != build.builder:
        raise Conflict(f"the index of space {build.space_id!r} is being built by somebody else")
    state.built_at = ctx.now()
    return state
