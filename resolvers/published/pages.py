"""A page of a published site: its text, its place, and the targets of its references.

The caller is a visitor (`ctx.actor.visitor`), so the policy and the conditions decide what there
is; this reads it, in a number of statements that does not depend on the size of the space.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from content.documents.evaluation import evaluate_document
from db.content_enums import Evaluated
from db.models.content import Revision
from resolvers.content.documents import document_of
from resolvers.content.files import file_urls
from resolvers.content.pages import landing_pages, pages_before, pages_behind
from resolvers.content.shown_references import (
    Named,
    collect,
    collect_written,
    contents_of,
    files_of,
    names_of,
    with_kept_html,
)
from resolvers.core.context import Context
from resolvers.integrations.shown import Drawn, with_blocks
from resolvers.links.index import anchors_that_links_say
from resolvers.revisions.objects import active_revisions, find_page_by_path, find_pages
from resolvers.revisions.page_trees import PageTree
from resolvers.revisions.read_targets import find_revision
from resolvers.revisions.rows import File, Page
from resolvers.revisions.states import bodies
from resolvers.revisions.tree import all_pages
from resolvers.specifications.shown import with_specifications

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file and where its bytes are."""

    file: File
    url: str


@dataclass(slots=True)
class ShownSpace:
    """What a visitor sees of one revision of a space: its pages, and what some of them refer to."""

    # Every page that the visitor may see, depth first.
    tree: PageTree
    # The page at the space's own address.
    landing_id: str | None
    # By id: files, names of people, documents of reusable contents.
    files: Mapping[str, ShownFile]
    users: Mapping[str, str]
    contents: Mapping[str, Json]
    # How texts write what they refer to in spaces that the visitor does not see on the site.
    written: Mapping[str, str]
    # Other spaces that the visitor may see, to whose pages they refer; and whether to people.
    refers_to: frozenset[str] = frozenset()
    names_people: bool = False
    # What integrations have drawn.
    drawn: Drawn = field(default_factory=lambda: Drawn(()))
    # Pages of other spaces that the visitor may see, by (space, page).
    elsewhere: Mapping[tuple[str, str], Page] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PublishedPage:
    """One page as a visitor reads it."""

    page: Page
    document: Json
    space: ShownSpace
    before: Page | None
    behind: Page | None


async def read_published_page(
    ctx: Context, space_id: str, path: str, revision_id: str | None = None
) -> PublishedPage:
    """The page at a path of a space; the landing page for the empty one. NotFound without one."""
    revision = await find_revision(ctx, space_id, revision_id=revision_id, columns=None)
    page = await find_page_by_path(ctx, revision, path)
    (tree,) = await all_pages(ctx, [revision])
    row = await document_of(ctx, page, Evaluated.TRUE)
    (own,) = await with_kept_html(ctx, revision, [page], [row.document])
    named = Named(shown=readable_spaces(ctx) | {space_id})
    await collect([own, dict(page.cover or {}), *tree.targets], named)
    if {space for space, _ in named.elsewhere} - named.shown:
        read = await bodies(ctx, [(page.space_id, page.document_id)])
        await collect_written(ctx, (body for body in read if body), named)
    space = await shown_space(ctx, revision, tree, named)
    if row.evaluation is not None:
        space.contents = {
            id: evaluate_document(document, row.evaluation)
            for id, document in space.contents.items()
        }
    space.elsewhere = await find_elsewhere(ctx, named, space_id)
    (before,) = await pages_before(ctx, [page], None)
    (behind,) = await pages_behind(ctx, [page], None)
    documents = await with_specifications(ctx, space_id, [own, *space.contents.values()])
    space.drawn = await with_blocks(ctx, space_id, documents)
    document, *contents = space.drawn.documents
    space.contents = dict(zip(space.contents, contents, strict=True))
    linked = await anchors_that_links_say(ctx, space_id, page.id)
    # What the HTML has to lead to its place, whatever program the links were written for.
    document = {**document, "meta": {"linked": linked, "title": page.title}}
    return PublishedPage(page, document, space, before, behind)


async def read_published_space(
    ctx: Context, space_id: str, revision_id: str | None = None
) -> ShownSpace:
    """A space as a visitor sees it where no page is shown: its pages, and what links among them
    lead to."""
    revision = await find_revision(ctx, space_id, revision_id=revision_id, columns=None)
    (tree,) = await all_pages(ctx, [revision])
    named = Named(shown=readable_spaces(ctx) | {space_id})
    await collect([row.target for row in tree if row.target is not None], named)
    space = await shown_space(ctx, revision, tree, named)
    space.elsewhere = await find_elsewhere(ctx, named, space_id)
    return space


async def shown_space(ctx: Context, revision: Revision, tree: PageTree, named: Named) -> ShownSpace:
    """A revision with what its pages name; the caller adds the pages elsewhere."""
    contents = await contents_of(ctx, revision, named)
    (landing,) = await landing_pages(ctx, [revision], None)
    organization_id = "" if ctx.actor.visitor is None else ctx.actor.visitor.organization_id
    return ShownSpace(
        tree=tree,
        landing_id=None if landing is None else landing.id,
        files=await shown_files(ctx, revision, named.files),
        users=await names_of(ctx, organization_id, named.users),
        contents=contents,
        written=named.written,
        refers_to=frozenset(space for space, _ in named.elsewhere) & readable_spaces(ctx),
        names_people=bool(named.users),
    )


async def shown_files(
    ctx: Context, revision: Revision, ids: Collection[str]
) -> dict[str, ShownFile]:
    """The files of a revision with these ids."""
    files = await files_of(ctx, revision, ids)
    urls = await file_urls(ctx, files, None)
    return {file.id: ShownFile(file, url) for file, url in zip(files, urls, strict=True)}


def readable_spaces(ctx: Context) -> frozenset[str]:
    """The spaces that the visitor may see."""
    visitor = ctx.actor.visitor
    return frozenset() if visitor is None else visitor.space_ids


async def find_elsewhere(
    ctx: Context, named: Named, space_id: str | None = None, draft: Revision | None = None
) -> dict[tuple[str, str], Page]:
    """Pages that are named with their space, by (space, page), but for those of `space_id`.

    Of spaces that the visitor may not see there is none; those of the space of a `draft` are as
    they are in that.
    """
    readable = readable_spaces(ctx)
    ids_by_space: dict[str, set[str]] = {}
    for space, page in named.elsewhere:
        if page and space != space_id and space in readable:
            ids_by_space.setdefault(space, set()).add(page)
    revisions = await active_revisions(ctx, ids_by_space)
    if draft is not None and draft.space_id in revisions:
        revisions[draft.space_id] = draft
    lookups = [(revision, ids_by_space[space]) for space, revision in revisions.items()]
    return {
        (revision.space_id, id): page
        for (revision, _), pages in zip(lookups, await find_pages(ctx, lookups), strict=True)
        for id, page in pages.items()
    }
