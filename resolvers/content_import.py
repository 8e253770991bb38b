"""Importing content from elsewhere into a space or a change request, also below one of its pages.

Fetching and converting take a while, so they come before the transaction: nothing is locked
meanwhile, and whatever fails in them has written nothing. The bytes of files are set aside before
it and kept as its last step: a file without its bytes would do harm.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import strawberry

from content.markdown.parser import parse_document
from content.merkle.read import diff
from content.slugs import MAX_PATH_LENGTH, slug_key
from db.content_enums import ImportContentSource, PageType
from resolvers import inputs
from resolvers.app_links import lead_app_links
from resolvers.arguments import Expected, SpaceId
from resolvers.content_changes import LARGEST_LIMIT
from resolvers.content_commits import commit_revision
from resolvers.content_draft import Draft
from resolvers.content_store import walk_one
from resolvers.content_targets import open_target
from resolvers.context import Context, in_steps, run
from resolvers.errors import invalid
from resolvers.import_download import download
from resolvers.page_edits import InChangeRequest
from resolvers.page_places import check_parent, made_slug, put_in_place
from resolvers.page_rows import ContentRedirect, File, Page, ReusableContent
from resolvers.received_files import ReceivedFiles, receiving
from resolvers.redirect_changes import RedirectChanges, redirect_changes
from resolvers.scalars import URL_LENGTH, Url
from resolvers.transactions import before_slow_work

Json = dict[str, Any]
WHERE = "pageId"
_FIELDS = ("description", "icon", "emoji", "hidden", "no_index", "no_robots_index", "layout",
           "cover", "variables", "condition", "extra", "target", "computed", "git")  # fmt: skip


@strawberry.input(description="What to import, and from where.")
class ImportContentInput:
    url: Url = inputs.text(
        "An http or https address that the server can reach on the public internet.",
        required=True,
        min=1,
        max=URL_LENGTH,
    )
    source: ImportContentSource = inputs.field("What is there.", required=True)
    expected_revision: strawberry.ID | None = inputs.text(
        "Id of the newest revision that the caller knows; another one is refused (409)."
    )


@dataclass(frozen=True, slots=True)
class ImportedContent:
    """What an import made. `total_resources` counts pages and files that were found; those that
    were not imported are beyond the limits of one import or could not be fetched."""

    revision_id: str
    imported_resources: int
    total_resources: int
    warnings: Sequence[str]
    redirects: RedirectChanges | None = None


BelowPage = Annotated[
    strawberry.ID | None,
    strawberry.argument(
        description="Id of the page that imported pages come below; the top level when absent."
    ),
]


@in_steps
async def import_content(
    ctx: Context,
    space_id: SpaceId,
    input: ImportContentInput,
    change_request_id: InChangeRequest = None,
    page_id: BelowPage = None,
    expected_revision: Expected = None,
) -> ImportedContent:
    """Import pages and files from elsewhere, behind the pages that are there or below one of them.

    It makes one new revision, or none when anything fails. Links between imported pages become
    references, pictures become files, and redirects of `.gitbook.yaml` lead to the pages; below
    a page, old paths are below its path, too. What it needs is what editing needs.
    """
    expected = _expected(input.expected_revision, expected_revision)
    target = (space_id, change_request_id, page_id, expected)
    # Nobody makes the server fetch anything for content that they may not write.
    await run(ctx, _check, *target)
    async with receiving(ctx, space_id) as received:
        found = await download(ctx.import_access, input.url, input.source, received.set_aside)
        return await run(ctx, _store, *target, found, received)


def _expected(in_input: str | None, beside_it: str | None) -> str | None:
    """The one revision that is expected, wherever the caller has named it."""
    if in_input is not None and beside_it not in (None, in_input):
        raise invalid("expectedRevision", f"{in_input!r} is not {beside_it!r}, as is said as well")
    return beside_it if in_input is None else in_input


@before_slow_work
async def _check(
    ctx: Context, space_id: str, request: str | None, page_id: str | None, expected: str | None
) -> None:
    """Whether content may be imported there, before anything is fetched for it."""
    target = await open_target(ctx, space_id, request, expected_revision=expected)
    await check_parent(Draft(ctx, target.revision), _page(space_id, page_id), WHERE)


def _page(space_id: str, parent_id: str | None, id: str = "") -> Page:
    """A page to ask whether it may stand below another one."""
    return Page(
        space_id=space_id, revision_id="", id=id, type=PageType.DOCUMENT, title="",
        parent_id=parent_id, order="",
    )  # fmt: skip


async def _store(
    ctx: Context,
    space_id: str,
    request: str | None,
    page_id: str | None,
    expected: str | None,
    found: Json,
    received: ReceivedFiles,
) -> ImportedContent:
    """Write what was found as one revision."""
    target = await open_target(ctx, space_id, request, expected_revision=expected)
    draft = Draft(ctx, target.revision)
    documents = [one.get("document") for one in (*found["pages"], *found["contents"])]
    await lead_app_links(ctx, documents, draft)
    for value in found["pages"]:
        await _add_page(draft, value, page_id)
    for value in found["files"]:
        file = File(space_id=space_id, revision_id="", **value)
        draft.written.files[file.id] = file
    for value in found["contents"]:
        content = ReusableContent(
            space_id=space_id,
            revision_id="",
            id=value["id"],
            title=value["title"],
            document_id=draft.written.add_document(value["markdown"], value["document"]),
            git=value["git"],
        )
        draft.written.contents[content.id] = content
    warnings = [*found["warnings"], *await _add_redirects(draft, found, page_id)]
    # Variables that are there already keep their values: other pages depend on them.
    draft.written.variables = {**found["variables"], **target.revision.variables}
    before = target.revision
    revision = await commit_revision(ctx, target, await draft.changes())
    await received.keep()
    changed = await walk_one(ctx, space_id, diff(before.redirects_root, revision.redirects_root))
    redirects = redirect_changes(before, revision, changed, {}, LARGEST_LIMIT)
    return ImportedContent(revision.id, found["imported"], found["total"], warnings, redirects)


async def _add_redirects(draft: Draft, value: Json, below: str | None) -> list[str]:
    """Add redirects from old paths: below the page that the pages of the import come below, as all
    paths of the import do. Of the same path the newest counts. Says which were left out.
    """
    folder = ""
    if below is not None and value["redirects"]:
        above = await draft.path_of(await draft.page(below, WHERE))
        folder = f"{slug_key(above)}/" if above else ""
    left_out: list[str] = []
    for one in value["redirects"]:
        path = folder + one["path"]
        if len(path) > MAX_PATH_LENGTH:
            left_out.append(f"the redirect from '{one['path'][:200]}' is left out, it is too long")
            continue
        draft.written.redirects[path] = ContentRedirect(
            space_id=draft.space_id,
            revision_id="",
            path=path,
            page_id=one["page"],
            anchor=one["anchor"],
        )
    return left_out


async def _add_page(draft: Draft, value: Json, below: str | None) -> None:
    """Add a page: below another imported one where it was, the topmost ones last in their place."""
    page = Page(
        space_id=draft.space_id,
        revision_id="",
        id=value["id"],
        type=PageType(value["type"]),
        title=value["title"],
        parent_id=value["parent"],
        order=value["order"],
        slug=value.get("slug"),
        created_at=draft.ctx.now(),
        updated_at=draft.ctx.now(),
        **{name: value[name] for name in _FIELDS if value.get(name) is not None},
    )
    if page.type is PageType.GROUP and below is not None:
        # Groups stand at the top level only; elsewhere a page without a body does the same.
        page = replace(page, type=PageType.DOCUMENT)
        value = {"markdown": "", "document": parse_document("", seed=page.id)}
    if page.type is PageType.DOCUMENT:
        page.document_id = draft.written.add_document(value["markdown"], value["document"])
    if page.parent_id is None:
        page.parent_id = below
        await check_parent(draft, page, WHERE)
        if page.slug is not None:
            page.slug = await made_slug(draft, page, page.slug)
        await put_in_place(draft, page, None, WHERE)
    else:
        await check_parent(draft, page, WHERE)
        draft.put(page, edited=False)
