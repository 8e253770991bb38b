"""Batches of operations on content: all or nothing, and one new revision.

One implementation for primary content and change requests; `resolvers/writing/edits.py` has
the short forms for one operation, `resolvers/writing/batches.py` the form of /v1.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from db.content_enums import PageOutcome
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from resolvers.content.changes import LARGEST_LIMIT, ChangeRow, ChangesRow, changes_between
from resolvers.content.redirects import RedirectChanges, keep_pages
from resolvers.core.context import Context
from resolvers.core.declarations import Transactions, operation
from resolvers.core.errors import PreconditionFailed, invalid
from resolvers.core.naming import camel
from resolvers.core.runners import run
from resolvers.core.urls import Urls
from resolvers.drafts import contents as draft_contents, page_reverts, pages as draft_pages
from resolvers.drafts.bodies import weight_of
from resolvers.drafts.bounds import has_document
from resolvers.drafts.draft import Draft, FileBytes
from resolvers.drafts.links import settle_links
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    CreateFileInput,
    ReplaceFileInput,
)
from resolvers.drafts.page_inputs import PageBodyInput
from resolvers.revisions.bodies_work import LIGHT, BodiesWork, lightly_locked
from resolvers.revisions.conflict_contents import look_at_conflicts_ahead
from resolvers.revisions.extracts import extract_ahead
from resolvers.revisions.ids import FILE, PAGE, REUSABLE_CONTENT, ids_in, stable_ids_in
from resolvers.revisions.rows import File, Page, ReusableContent
from resolvers.revisions.states import Changes, show_unstored, write_revision
from resolvers.revisions.write_targets import Target
from resolvers.writing.commits import commit_revision
from resolvers.writing.received_files import (
    Place,
    ReceivedFiles,
    fetch_files,
    open_place,
    receiving,
)


@dataclass(frozen=True, slots=True)
class AffectedPage:
    """The outcome of a page that a batch touched, with the name that the batch gave it."""

    page_id: str
    outcome: PageOutcome
    location: str
    ref: str | None = None

    @property
    def page(self) -> "AffectedPage | None":
        """The page as something to read; None when it is gone."""
        return None if self.outcome is PageOutcome.DELETED else self

    @property
    def id(self) -> str:
        return self.page_id

    @property
    def urls(self) -> Urls:
        return Urls(location=self.location)


async def _affected_pages(
    draft: Draft, target: Target, refs: Mapping[str, str | None]
) -> list[AffectedPage]:
    """Outcomes of pages that were touched, without those that the batch made and deleted again."""
    there = await draft.find_pages(refs)
    place = f"spaces/{target.space_id}"
    if target.change_request is not None:
        place += f"/change-requests/{target.change_request.id}"
    affected = []
    for id, ref in refs.items():
        existed = draft.stored_page(id) is not None
        if not existed and id not in there:
            continue
        outcome = PageOutcome.UPDATED if existed else PageOutcome.CREATED
        if id not in there:
            outcome = PageOutcome.DELETED
        location = f"{draft.ctx.settings.public_url}/v1/{place}/content/page/{id}"
        affected.append(AffectedPage(id, outcome, location, ref))
    return affected


Row = Page | File | ReusableContent
Run = Callable[[Draft, Any, str], Awaitable[Row | None]]


# By the name of the field in ContentOperationInput.
OPERATIONS: dict[str, Run] = {
    "create_page": draft_pages.create_page,
    "update_page": draft_pages.update_page,
    "rename_page": draft_pages.rename_page,
    "move_page": draft_pages.move_page,
    "delete_page": draft_pages.delete_page,
    "revert_page": page_reverts.revert_page,
    "create_file": draft_contents.create_file,
    "replace_file": draft_contents.replace_file,
    "delete_file": draft_contents.delete_file,
    "create_reusable_content": draft_contents.create_reusable_content,
    "update_reusable_content": draft_contents.update_reusable_content,
    "delete_reusable_content": draft_contents.delete_reusable_content,
    "set_variables": draft_contents.set_variables,
    "set_redirect": draft_contents.set_redirect,
    "delete_redirect": draft_contents.delete_redirect,
}
# Those that make something, with the kind of references to it.
MAKES = {
    "create_page": PAGE,
    "create_file": FILE,
    "create_reusable_content": REUSABLE_CONTENT,
}
# Those that name a page which they change.
ON_PAGES = ("update_page", "rename_page", "move_page", "delete_page", "revert_page")


@dataclass(frozen=True, slots=True)
class Step:
    """One operation of a batch: its name in OPERATIONS, its input, how errors call its place.

    `bytes` came along with the write; an operation without them makes its file of an upload.
    """

    name: str
    input: Any
    where: str
    bytes: FileBytes | None = None


@dataclass(frozen=True, slots=True)
class CreatedContent:
    """Something that a batch made, with the name that the batch gave it."""

    id: str
    kind: str
    ref: str | None = None


@dataclass(slots=True)
class ContentWrite:
    """The result of a write of content; after a dry run `revision` is the one that stayed."""

    revision: Revision
    changed: bool
    dry_run: bool = False
    change_request: ChangeRequest | None = None
    # The revision before, and what is different now: of a dry run it is known at once.
    before: Revision | None = None
    compared: ChangesRow | None = None
    # What the operations made and changed, in their order; what was deleted is not here.
    pages: list[Page] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    reusable_contents: list[ReusableContent] = field(default_factory=list)
    created: list[CreatedContent] = field(default_factory=list)
    # Every page that was made, changed or deleted, in the order in which they were touched.
    affected: list[AffectedPage] = field(default_factory=list)
    # Whether the caller wrote the batch as the newest published contract has it.
    by_operation: bool = False

    @property
    def audited(self) -> ChangeRequest | Revision:
        """What the audit log names."""
        return self.change_request or self.revision


@operation(transactions=Transactions.IN_STEPS)
async def apply_content_changes(ctx: Context, input: ApplyContentChangesInput) -> ContentWrite:
    """Make operations on the content of a space or a change request: all of them, or none.

    They make one new revision, none when nothing changes. Primary content needs `edit` where it
    is edited live, else `review`; a change request that is a draft or open needs its author or
    `edit`. Without `expectedRevision` they are made on whatever is newest.
    """
    steps = [
        step_of(operation, f"operations[{index}]")
        for index, operation in enumerate(input.operations)
    ]
    place = Place(input.target.space, input.target.change_request, input.expected_revision)
    return await write_steps(ctx, place, steps, dry_run=input.dry_run)


async def write_steps(
    ctx: Context, place: Place, steps: Sequence[Step], *, dry_run: bool = False
) -> ContentWrite:
    """Fetch the files that have an address, then make the operations in one transaction."""
    places = _addresses(steps)
    async with receiving(ctx, place.space_id, dry_run=dry_run) as received:
        bytes_by_url = await fetch_files(ctx, place, places, received)
        ready = [
            replace(step, bytes=bytes_by_url.get(step.input.url)) if _is_file(step) else step
            for step in steps
        ]
        return await write_ready(ctx, place, ready, received, dry_run=dry_run)


def _is_file(step: Step) -> bool:
    return isinstance(step.input, CreateFileInput | ReplaceFileInput)


def _addresses(steps: Sequence[Step]) -> dict[str, str]:
    """The addresses of bytes, each with the field that has it."""
    places: dict[str, str] = {}
    for step in steps:
        if _is_file(step) and step.input.url is not None:
            if step.input.upload is not None:
                raise invalid(step.where, "must have one of `upload` and `url`")
            places.setdefault(step.input.url, f"{step.where}.url")
    return places


async def write_ready(
    ctx: Context,
    place: Place,
    steps: Sequence[Step],
    received: ReceivedFiles,
    *,
    dry_run: bool,
) -> ContentWrite:
    """Make operations whose bytes are there, in one transaction.

    Where they have much work on bodies, that is done before: on the state that is newest then,
    and once more when another write has changed these bodies meanwhile.
    """
    work = BodiesWork()
    ctx.worked_out = work.results
    return await lightly_locked(
        sum(map(_weight, steps)) > LIGHT,
        lambda: _work_ahead(ctx, place, steps, work, dry_run),
        lambda bound: run(ctx, _write_received, place, steps, received, dry_run, work, bound),
    )


def _weight(step: Step) -> int:
    """A lower bound of the work on a step's body: its length."""
    body: PageBodyInput | None = getattr(step.input, "body", None)
    if body is None:
        return 0
    return len(body.markdown or "") + weight_of(body.document or {})


async def _work_ahead(
    ctx: Context, place: Place, steps: Sequence[Step], work: BodiesWork, dry_run: bool
) -> None:
    """Make operations on the newest state without a lock; only what they worked out stays."""
    work.bound(None)
    target = await open_place(ctx, place, lock=False)
    draft, _ = await _drafted(ctx, target, steps, work)
    changes = await draft.changes()
    if not dry_run:
        await look_at_conflicts_ahead(ctx, work, target, changes)
    if target.space is not None and not dry_run:
        pages = [page for page in changes.pages.values() if page is not None]
        await extract_ahead(work, place.space_id, pages, changes.documents)


@operation(takes_turns=True)
async def _write_received(
    ctx: Context,
    place: Place,
    steps: Sequence[Step],
    received: ReceivedFiles,
    dry_run: bool,
    work: BodiesWork,
    bound: int | None,
) -> ContentWrite:
    """Make operations whose bytes are there, and keep these."""
    work.bound(bound)
    target = await open_place(ctx, place)
    written = await apply_steps(ctx, target, steps, work, dry_run=dry_run)
    await received.keep()
    return written


def step_of(operation: ContentOperationInput, where: str) -> Step:
    """The one operation of an input; Invalid when there is none, or several."""
    kinds = operation.given()
    if len(kinds) != 1:
        names = ", ".join(map(camel, OPERATIONS))
        raise invalid(where, f"must have exactly one of {names}")
    (name,) = kinds
    return Step(name, getattr(operation, name), f"{where}.{camel(name)}")


async def apply_steps(
    ctx: Context,
    target: Target,
    steps: Sequence[Step],
    work: BodiesWork | None = None,
    *,
    dry_run: bool = False,
) -> ContentWrite:
    """Make the operations on a target that is locked; a dry run writes nothing."""
    draft, results = await _drafted(ctx, target, steps, work or BodiesWork())
    changes = await draft.changes()
    if not await has_document(draft, changes):
        raise PreconditionFailed("the last document of a space cannot be deleted")
    if dry_run:
        return await rehearse(ctx, target, changes)
    before, revision = target.revision, await commit_revision(ctx, target, changes)
    written = ContentWrite(revision, revision.id != before.id, False, target.change_request, before)
    await _describe(draft, written, results)
    touched = _touched(draft, results, changes)
    written.affected = await _affected_pages(draft, target, touched)
    return written


async def _drafted(
    ctx: Context, target: Target, steps: Sequence[Step], work: BodiesWork
) -> tuple[Draft, list[tuple[Step, Row | None]]]:
    """A draft with the operations made on it, and the rows that each has made or changed."""
    draft = Draft(ctx, target.revision, base_of(target))
    draft.work = work
    draft.received = {step.where: step.bytes for step in steps if step.bytes is not None}
    _name_all(draft, steps)
    draft.refs.update(await stable_ids_in(ctx, draft.space_id, ids_in(steps)))
    results: list[tuple[Step, Row | None]] = []
    for step in steps:
        results.append((step, await OPERATIONS[step.name](draft, step.input, step.where)))
    await settle_links(draft)
    return draft, results


def base_of(target: Target) -> str | None:
    """The id of the revision that a change request is based on; None for primary content."""
    request = target.change_request
    if request is None:
        return None
    return request.revision_merged_ancestor_id or request.revision_initial_id


def _name_all(draft: Draft, steps: Sequence[Step]) -> None:
    """Give ids to what the batch names, so that links may lead to what comes later."""
    for step in steps:
        ref = getattr(step.input, "ref", None)
        if ref is None:
            continue
        name = f"ref:{ref}"
        if name in draft.refs:
            raise invalid(f"{step.where}.ref", f"{ref!r} is a name in this batch already")
        draft.refs[name] = draft.work.id_of(step.where)
        draft.kinds[name] = MAKES[step.name]


async def rehearse(ctx: Context, target: Target, changes: Changes) -> ContentWrite:
    """The changes of a dry run: the revision is written, compared, and taken back."""
    async with ctx.session.begin_nested() as nested:
        revision = await write_revision(ctx, target.space_id, target.revision, changes)
        written = ContentWrite(
            target.revision, revision.id != target.revision.id, True, target.change_request
        )
        written.compared = await changes_between(ctx, target.revision, revision, LARGEST_LIMIT)
        of_redirects = await keep_pages(ctx, written.compared.redirects)
        await nested.rollback()
    owners = [change.page or change.reusable_content for change in written.compared.changes]
    ids = [owner.document_id for owner in owners if owner is not None]
    show_unstored(ctx, target.space_id, changes, ids)
    for page in of_redirects:
        page.children = []
    for change in written.compared.changes:
        # Nothing of the revision is stored, so nothing below its pages can be read.
        around = (change.parent.before, change.parent.after) if change.parent else ()
        for page in (change.page, *around):
            if page is not None:
                page.children = []
    return written


async def changes_of_write(ctx: Context, row: ContentWrite) -> ChangesRow:
    """What a write changed, or a dry run would: at most 1,000 changes."""
    if row.compared is None:
        row.compared = await changes_between(ctx, row.before, row.revision, LARGEST_LIMIT)
    return row.compared


async def changes_of_writes(
    ctx: Context, rows: Sequence[ContentWrite], arguments: Any
) -> list[list[ChangeRow]]:
    """The changes of writes, at most 1,000 of each."""
    return [(await changes_of_write(ctx, row)).changes for row in rows]


async def more_changes_of_writes(
    ctx: Context, rows: Sequence[ContentWrite], arguments: Any
) -> list[int | None]:
    """The number of changes that are not listed."""
    return [(await changes_of_write(ctx, row)).more for row in rows]


async def redirects_of_writes(
    ctx: Context, rows: Sequence[ContentWrite], arguments: Any
) -> list[RedirectChanges | None]:
    """The changes of writes to redirects."""
    return [(await changes_of_write(ctx, row)).redirects for row in rows]


async def _describe(
    draft: Draft, written: ContentWrite, results: Sequence[tuple[Step, Row | None]]
) -> None:
    """Note the rows that operations made or changed, as the new revision has them."""
    lists: dict[type[Any], list[Any]] = {
        Page: written.pages, File: written.files, ReusableContent: written.reusable_contents,
    }  # fmt: skip
    described: set[str] = set()
    revision, request = written.revision, written.change_request
    for step, row in results:
        if row is None:
            continue
        if step.name in MAKES:
            written.created.append(CreatedContent(row.id, MAKES[step.name], step.input.ref))
        if row.id in described:
            continue
        described.add(row.id)
        final = await _final(draft, row)
        if final is not None:
            final.revision_id, final.asked_in = revision.id, request.id if request else None
            lists[type(final)].append(final)
    for page in written.pages:
        page.path = await draft.path_of(page)
        page.pages_root, page.slugs_root = revision.pages_root, revision.slugs_root


def _touched(
    draft: Draft, results: Sequence[tuple[Step, Row | None]], changes: Changes
) -> dict[str, str | None]:
    """The pages that operations made or named, in that order, and then those deleted with them;
    each with the name that the batch gave it."""
    refs: dict[str, str | None] = {}
    for step, row in results:
        if step.name == "create_page" and row is not None:
            refs[row.id] = step.input.ref
        elif step.name in ON_PAGES:
            refs.setdefault(draft.named(step.input.page), None)
    deleted = (id for id, page in changes.pages.items() if page is None)
    return refs | {id: None for id in deleted if id not in refs}


async def _final(draft: Draft, row: Row) -> Row | None:
    """The row as it is at the end of the batch: later operations may have changed it."""
    if isinstance(row, Page):
        return await draft.find_page(row.id)
    if isinstance(row, File):
        return draft.written.files.get(row.id, row)
    return draft.written.contents.get(row.id, row)
