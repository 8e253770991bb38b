"""Reading what a PDF shows: the pages of a revision, and what they refer to.

A PDF is the same for everybody who sees the same pages of the space, so that it is drawn once: it
holds nothing of other spaces, and of people the names of members of the organization only.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from content.pdf.job import KnownPage, Limits, PrintedFile, PrintedPage, PrintJob
from db.content_enums import PageType
from db.inserts import parts
from db.models.change_requests import ChangeRequest
from db.models.organizations import Organization
from db.models.spaces import Space
from resolvers.access.policy import must
from resolvers.content.documents import EMPTY
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
from resolvers.core.errors import NotFound
from resolvers.pdf.operations import Printout
from resolvers.revisions.conditions import hidden_by_mask, without
from resolvers.revisions.read_targets import find_revision
from resolvers.revisions.rows import File, Page
from resolvers.revisions.states import Body, bodies
from resolvers.revisions.tree import all_pages

Json = dict[str, Any]
BODIES_AT_ONCE = 100
# Formats that the layout engine draws.
IMAGES = {
    "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp",
    "image/svg+xml": "svg", "image/bmp": "bmp",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """A job for the printer, and the files whose bytes go with it, by the names in the job."""

    job: PrintJob
    images: dict[str, File]


async def read_print_source(ctx: Context, printout: Printout, limits: Limits) -> Source:
    """The content of a PDF; NotFound when its space, revision or page is gone."""
    revision = await find_revision(
        ctx, printout.space_id, revision_id=printout.revision_id, columns=None
    )
    space = await must(ctx, Space, printout.space_id)
    organization = await must(ctx, Organization, space.organization_id)
    (tree,) = await all_pages(ctx, [revision])
    if printout.hidden:
        tree = without(tree, hidden_by_mask(tree, printout.hidden))
    chosen = select_pages(tree, printout.page_id, printout.only)
    read = await _bodies(ctx, chosen)
    documents = {id: EMPTY if body is None else body.document for id, body in read.items()}
    rows = [page for page in chosen if page.id in documents]
    led = await with_kept_html(ctx, revision, rows, [documents[page.id] for page in rows])
    documents |= {page.id: document for page, document in zip(rows, led, strict=True)}
    named = Named()
    await collect(documents.values(), named)
    await collect_written(ctx, (body for body in read.values() if body), named)
    contents = await contents_of(ctx, revision, named)
    files = await files_of(ctx, revision, named.files)
    images = {
        f"{number}.{IMAGES[file.content_type]}": file
        for number, file in enumerate(files, start=1)
        if file.content_type in IMAGES
    }
    lines, title = [organization.title], space.title
    if printout.change_request_id:
        request = await must(ctx, ChangeRequest, printout.change_request_id)
        lines.insert(0, f"Change request #{request.number} {request.subject}".strip())
    lines.append(f"{revision.created_at:%Y-%m-%d}")
    alone = bool(printout.page_id)
    job = PrintJob(
        title=chosen[0].title if alone and chosen else title,
        space_id=space.id,
        address=ctx.settings.public_url,
        pages=_printed(chosen, tree, documents, ctx.settings.public_url),
        lines=[] if alone else lines,
        language=space.language.value if space.language is not None else "en",
        known_pages={
            page.id: KnownPage(page.title, page.path)
            for page in tree
            if page.type in (PageType.DOCUMENT, PageType.GROUP)
        },
        files=_printed_files(files, images),
        users=await names_of(ctx, space.organization_id, named.users),
        contents=contents,
        written=named.written,
        variables=dict(revision.variables),
        limits=limits,
    )
    return Source(job, images)


def select_pages(tree: list[Page], page_id: str, only: bool) -> list[Page]:
    """The pages that are printed: what the navigation shows, or one page with those below it.

    A hidden page is left out with all below it, unless it is the one that was asked for.
    """
    if page_id:
        top = next((page for page in tree if page.id == page_id), None)
        if top is None:
            raise NotFound(f"page {page_id!r} does not exist in this content")
        return [top] if only else [top, *_shown(top.children or [])]
    return list(_shown(page for page in tree if page.parent_id is None))


def _shown(pages: Iterable[Page]) -> Iterator[Page]:
    stack = list(reversed(list(pages)))
    while stack:
        page = stack.pop()
        if not page.hidden:
            yield page
            stack.extend(reversed(page.children or []))


async def _bodies(ctx: Context, pages: list[Page]) -> dict[str, Body | None]:
    """The bodies of document pages by page id."""
    by_page: dict[str, Body | None] = {}
    documents = [page for page in pages if page.type is PageType.DOCUMENT]
    for part in parts(documents, BODIES_AT_ONCE):
        read = await bodies(ctx, [(page.space_id, page.document_id) for page in part])
        for page, body in zip(part, read, strict=True):
            by_page[page.id] = body
    return by_page


def _printed_files(files: list[File], images: dict[str, File]) -> dict[str, PrintedFile]:
    names = {file.id: name for name, file in images.items()}
    return {
        file.id: PrintedFile(
            file.name, file.size, file.width, file.height, names.get(file.id), file.content_type
        )
        for file in files
    }


def _printed(
    chosen: list[Page], tree: list[Page], documents: dict[str, Json], base: str
) -> list[PrintedPage]:
    by_id = {page.id: page for page in tree}
    shown = {page.id for page in chosen}
    depths: dict[str, int] = {}
    result = []
    for page in chosen:
        parent = page.parent_id if page.parent_id in depths else None
        depths[page.id] = depths[parent] + 1 if parent is not None else 0
        result.append(
            PrintedPage(
                id=page.id,
                kind=page.type.value,
                title=page.title,
                depth=depths[page.id],
                emoji=page.emoji or "",
                description=page.description or "",
                above=_titles_above(page, by_id),
                document=documents.get(page.id),
                children=[child.id for child in page.children or [] if child.id in shown],
                variables=dict(page.variables),
                href=_link_of(page, base, by_id),
            )
        )
    # Sources of computed pages are not worked out here, so they show nothing.
    return [page for page in result if page.kind != PageType.COMPUTED.value]


def _titles_above(page: Page, by_id: dict[str, Page]) -> list[str]:
    titles: list[str] = []
    above = page.parent_id
    while above is not None and above in by_id:
        titles.insert(0, by_id[above].title)
        above = by_id[above].parent_id
    return titles


def _link_of(page: Page, base: str, by_id: dict[str, Page]) -> str:
    """Where a link page leads; empty where that is not known."""
    target = page.target or {}
    linked = by_id.get(str(target.get("page")))
    if linked is not None and target.get("space") in (None, page.space_id):
        return f"{base}/s/{page.space_id}/{linked.path}"
    if target.get("kind") in ("page", "anchor", "space") and "space" in target:
        return f"{base}/s/{target['space']}"
    return str(target.get("url") or "")
