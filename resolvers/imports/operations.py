"""Importing content from elsewhere into a space or a change request, also below one of its pages.

Fetching and converting take a while, so they come before the transaction: nothing is locked
meanwhile, and whatever fails in them has written nothing. The bytes of files are set aside before
it and stored as its last step: a file without its bytes would do harm.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from strawberry import Maybe

from content.merkle.read import diff
from content.slugs import MAX_PATH_LENGTH, slug_key
from db.content_enums import ImportContentSource, ImportLeftOutKind, ImportMode, PageType
from db.event_enums import EventType
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from resolvers.content.changes import LARGEST_LIMIT
from resolvers.content.redirects import RedirectChanges, redirect_changes
from resolvers.core import inputs
from resolvers.core.arguments import Expected, SpaceId
from resolvers.core.audit_notes import note_fact
from resolvers.core.context import Context
from resolvers.core.declarations import Transactions, operation
from resolvers.core.errors import invalid
from resolvers.core.event_drafts import Draft as EventDraft
from resolvers.core.runners import run
from resolvers.core.scalars import URL_LENGTH, Url
from resolvers.drafts.draft import Draft
from resolvers.drafts.page_places import check_parent
from resolvers.imports.app_links import lead_packed
from resolvers.imports.download import Target, download
from resolvers.imports.first_pages import take_first_place
from resolvers.imports.pages import ImportPlace, PutPages, put_contents, put_files, put_pages
from resolvers.revisions.ids import PAGE, stable_id
from resolvers.revisions.import_marks import Imported, read_imported, source_of, texts_of
from resolvers.revisions.rows import ContentRedirect, Page
from resolvers.revisions.store import walk_one
from resolvers.revisions.write_targets import Target as ContentTarget
from resolvers.writing.commits import commit_revision
from resolvers.writing.edits import InChangeRequest
from resolvers.writing.received_files import Place, ReceivedFiles, open_place, receiving

Json = dict[str, Any]
WHERE = "pageId"
# Warnings of an answer, and characters of one.
WARNINGS, WARNING_LENGTH = 200, 1000
# Pages that the result of a job names.
RESULT_PAGES = 1_000


@strawberry.input(description="What to import, and from where.")
class ImportContentInput:
    url: Url = inputs.text(
        "An http or https address that the server can reach on the public internet.",
        required=True,
        min=1,
        max=URL_LENGTH,
    )
    source: ImportContentSource = inputs.field("What is there.", required=True)
    mode: Maybe[ImportMode] = inputs.field(
        "Whether to add pages, which is done when absent, or to update those that an earlier "
        "import has put into the same place: by their paths in the source."
    )
    expected_revision: strawberry.ID | None = inputs.text(
        "Id of the newest revision that the caller knows; another one is refused (409)."
    )


@dataclass(frozen=True, slots=True)
class LeftOutItem:
    """A page or a file that is not imported; its path is that in the source, or its address."""

    kind: ImportLeftOutKind
    title: str
    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How much was found and not imported; the first of it by name."""

    pages: int
    files: int
    items: Sequence[LeftOutItem]


@dataclass(frozen=True, slots=True)
class ImportedContent:
    """What an import made. `total_resources` counts pages and files that were found; those that
    were not imported are beyond the limits of one import or could not be fetched."""

    revision_id: str
    imported_resources: int
    total_resources: int
    warnings: Sequence[str]
    left_out: LeftOut
    pages: PutPages
    redirects: RedirectChanges | None = None
    # What the audit log names.
    audited: ChangeRequest | Revision | None = None


BelowPage = Annotated[
    strawberry.ID | None,
    inputs.argument("Id of the page that imported pages come below; the top level when absent."),
]


@operation(transactions=Transactions.IN_STEPS)
async def import_content(
    ctx: Context,
    space_id: SpaceId,
    input: ImportContentInput,
    change_request_id: InChangeRequest = None,
    page_id: BelowPage = None,
    expected_revision: Expected = None,
) -> ImportedContent:
    """Import pages and files from elsewhere, behind the pages that are there or below one of them.
    The empty page of a new space becomes the first document.

    It makes one new revision, or none when anything fails. Links between imported pages become
    references, pictures become files, and redirects of `.gitbook.yaml` lead to the pages; below
    a page, old paths are below its path, too. With the mode `update` pages of earlier imports into
    the same place keep their ids, and no revision is made when nothing has changed. What it needs
    is what editing needs.
    """
    expected = _expected(input.expected_revision, expected_revision)
    place = Place(space_id, change_request_id, expected)
    mode = inputs.given(input.mode, ImportMode.APPEND)
    source = source_of(input.url, input.source.value)

    async def texts(ids: Sequence[str]) -> dict[str, str]:
        return await run(ctx, _texts, place, ids)

    # Nobody makes the server fetch anything for content that they may not write.
    earlier = await run(ctx, _look, place, page_id, source, mode)
    async with receiving(ctx, space_id) as received:
        meets = Target(received.set_aside, earlier.known, texts, ctx.report)
        answer = await download(ctx.import_access, input.url, input.source, meets)
        ctx.report("writing")
        return await run(ctx, _store, place, page_id, mode, source, earlier, answer, received)


def _expected(in_input: str | None, beside_it: str | None) -> str | None:
    """The one revision that is expected, wherever the caller has named it."""
    if in_input is not None and beside_it not in (None, in_input):
        raise invalid("expectedRevision", f"{in_input!r} is not {beside_it!r}, as is said as well")
    return beside_it if in_input is None else in_input


@operation(transactions=Transactions.BEFORE_SLOW_WORK)
async def _look(
    ctx: Context, place: Place, page_id: str | None, source: str, mode: ImportMode
) -> Imported:
    """What earlier imports have put there, if that is to be updated.

    It is asked before anything is fetched whether content may be imported there.
    """
    target, page_id = await check_target(ctx, place, page_id)
    if mode is ImportMode.APPEND:
        return Imported(source)
    return await read_imported(ctx, target.revision, source, page_id)


async def check_target(
    ctx: Context, place: Place, page_id: str | None
) -> tuple[ContentTarget, str | None]:
    """Check that content may be imported there; the target, and the lasting id of the page."""
    target = await open_place(ctx, place)
    page_id = await _stable_page(ctx, place.space_id, page_id)
    await check_parent(Draft(ctx, target.revision), _page(place.space_id, page_id), WHERE)
    return target, page_id


@operation(transactions=Transactions.BEFORE_SLOW_WORK)
async def _texts(ctx: Context, place: Place, ids: Sequence[str]) -> dict[str, str]:
    """The texts of pages whose files are gone."""
    target = await open_place(ctx, place)
    return await texts_of(ctx, target.revision, ids)


async def _stable_page(ctx: Context, space_id: str, page_id: str | None) -> str | None:
    return None if page_id is None else await stable_id(ctx, space_id, PAGE, page_id, WHERE)


def _page(space_id: str, parent_id: str | None) -> Page:
    """A page to ask whether it may stand below another one."""
    return Page(
        space_id=space_id, revision_id="", id="", type=PageType.DOCUMENT, title="",
        parent_id=parent_id, order="",
    )  # fmt: skip


async def _store(
    ctx: Context,
    place: Place,
    page_id: str | None,
    mode: ImportMode,
    source: str,
    earlier: Imported,
    answer: Json,
    received: ReceivedFiles,
) -> ImportedContent:
    """Write what was found as one revision."""
    target = await open_place(ctx, place)
    page_id = await _stable_page(ctx, place.space_id, page_id)
    above = ImportPlace(source, page_id)
    draft = Draft(ctx, target.revision)
    if page_id is None:
        await take_first_place(draft, answer)
    await lead_packed(ctx, [*answer["pages"], *answer["contents"]], draft)
    update = mode is ImportMode.UPDATE
    gone = earlier.missing(answer["paths"]) if update and answer["complete"] else []
    pages = await put_pages(draft, above, answer["pages"], gone)
    await put_files(draft, above, answer["files"])
    await put_contents(draft, above, answer["contents"])
    warnings = [*answer["warnings"], *pages.warnings]
    if update and not answer["complete"]:
        warnings.append("not all pages of the source were read, so none is removed")
    warnings += await _add_redirects(draft, answer, page_id)
    # Variables that are there already keep their values, unless their source is imported anew:
    # other pages depend on them.
    there = target.revision.variables
    draft.written.variables = {**answer["variables"], **there}
    if update:
        draft.written.variables = {**there, **answer["variables"]}
    before = target.revision
    revision = await commit_revision(ctx, target, await draft.changes())
    if revision.id != before.id:
        request_id = None if target.change_request is None else target.change_request.id
        completed = EventDraft(
            type=EventType.IMPORT_COMPLETED,
            object_id=place.space_id,
            space_id=place.space_id,
            change_request_id=request_id,
            revision_id=revision.id,
        )
        note_fact(ctx.session, completed)
    await received.keep()
    walk = diff(before.redirects_root, revision.redirects_root)
    changed = await walk_one(ctx, place.space_id, walk)
    redirects = redirect_changes(before, revision, changed, {}, LARGEST_LIMIT)
    warnings = _bounded(warnings)
    if ctx.lease is not None:
        # The revision and the end of the job are one transaction.
        ctx.lease.finish(_result(revision.id, answer, warnings))
    return ImportedContent(
        revision.id,
        answer["imported"],
        answer["total"],
        warnings,
        _left_out(answer),
        pages,
        redirects,
        target.change_request or revision,
    )


def _result(revision_id: str, answer: Json, warnings: Sequence[str]) -> Json:
    """What a job says of the import that it was."""
    return {
        "revision": revision_id,
        "imported": answer["imported"],
        "total": answer["total"],
        "warnings": list(warnings),
        "pages": [
            {"id": page["id"], "path": page["path"][:URL_LENGTH]}
            for page in answer["pages"][:RESULT_PAGES]
        ],
    }


def _bounded(warnings: Sequence[str]) -> list[str]:
    """The first warnings, and how many more there are."""
    more = len(warnings) - WARNINGS
    shown = [warning[:WARNING_LENGTH] for warning in warnings[:WARNINGS]]
    return [*shown, f"and {more} more warnings"] if more > 0 else shown


def _left_out(answer: Json) -> LeftOut:
    items = [
        LeftOutItem(
            ImportLeftOutKind(item["kind"]), item["title"], item["path"][:URL_LENGTH],
            item["reason"][:WARNING_LENGTH],
        )
        for item in answer["left_out"]
    ]  # fmt: skip
    return LeftOut(answer["left_out_pages"], answer["left_out_files"], items)


async def _add_redirects(draft: Draft, value: Json, below: str | None) -> list[str]:
    """Add redirects from old paths: below the page that the pages of the import come below, as all
    paths of the import do. Of the same path the newest counts. Says which were left out.
    """
    folder = ""
    if below is not None and value["redirects"]:
        above = await draft.path_of(await draft.page(below, WHERE))
        folder = f"{slug_key(above)}/" if above else ""
    left_out: list[str] = []
    for redirect in value["redirects"]:
        path = folder + redirect["path"]
        if len(path) > MAX_PATH_LENGTH:
            left_out.append(
                f"the redirect from '{redirect['path'][:200]}' is left out, it is too long"
            )
            continue
        draft.written.redirects[path] = ContentRedirect(
            space_id=draft.space_id,
            revision_id="",
            path=path,
            page_id=redirect["page"],
            anchor=redirect["anchor"],
        )
    return left_out
