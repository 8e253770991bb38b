"""Taking all content of a space back to an earlier revision, as a new one (docs/writing.md)."""

from collections.abc import Callable
from typing import Annotated, TypeVar

import strawberry

from content.merkle.read import Change, diff
from content.pages.stored import Entry, repaired_page
from db.content_enums import RevisionType
from db.enums import Role
from db.models.content import Revision
from db.models.spaces import Space, written_revision
from resolvers.access.computed_spaces import must_be_written_by_hand
from resolvers.access.policy import must
from resolvers.change_requests.operations import (
    SUBJECT_LIMIT,
    CreateChangeRequestInput,
    create_change_request,
)
from resolvers.core import inputs
from resolvers.core.arguments import Expected, RevisionId, SpaceId
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import NotFound
from resolvers.drafts.bounds import check_merged
from resolvers.revisions.rows import content_of, file_of, page_of, redirect_of
from resolvers.revisions.states import Changes, find_in_space, get_in_space
from resolvers.revisions.store import walk_all
from resolvers.revisions.write_targets import Target, expect_revision, limit_wait, written_of
from resolvers.writing.commits import commit_revision
from resolvers.writing.operations import ContentWrite, rehearse

DryRun = Annotated[bool, inputs.argument("Only tell what would change, and write nothing.")]
Row = TypeVar("Row")
MAPS = ("pages_root", "files_root", "contents_root", "redirects_root")


@strawberry.input(description="How a space is taken back to an earlier revision.")
class RollBackSpaceInput:
    as_change_request: bool | None = inputs.field(
        "Propose it: a new change request takes the space back when it is merged."
    )
    subject: str | None = inputs.text(
        "With `asChangeRequest`, what that is about; 'Roll back to' and the revision when absent.",
        max=SUBJECT_LIMIT,
    )


@operation(takes_turns=True)
async def roll_back_space(
    ctx: Context,
    space_id: SpaceId,
    revision_id: RevisionId,
    input: RollBackSpaceInput,
    dry_run: DryRun = False,
    expected_revision: Expected = None,
) -> ContentWrite:
    """Take pages, files, reusable contents, redirects and variables of a space back to a revision.

    It makes a new revision with that content: no revision goes, so a rollback is taken back by
    another one. Pages keep their ids, so comments stay with them, and old paths lead on. Needs the
    role `review`; as a change request, whose changes are reviewed and merged like any other, the
    role `edit`. Nothing is made where the content is the same. The changes of the answer say what
    changed, or after a dry run would. With an expected revision, another newest revision of the
    space is a conflict.
    """
    await limit_wait(ctx)
    role = Role.EDIT if input.as_change_request else Role.REVIEW
    space = await must(ctx, Space, space_id, role, lock=True)
    must_be_written_by_hand(space)
    newest = await get_in_space(ctx, space.id, written_revision(space))
    expect_revision(newest.id, written_of(space, newest, expected_revision))
    then = await find_in_space(ctx, space.id, revision_id)
    if then is None:
        raise NotFound(f"revision {revision_id!r} does not exist in the space")
    if then.expands_id is not None:
        then = await get_in_space(ctx, space.id, then.expands_id)
    changes = await _changes(ctx, newest, then)
    if changes is None:
        return ContentWrite(newest, changed=False, dry_run=dry_run, before=newest)
    await check_merged(ctx, newest, changes)
    target = Target(space.id, space, None, newest)
    if dry_run:
        return await rehearse(ctx, target, changes)
    if input.as_change_request:
        subject = input.subject or f"Roll back to {revision_id}"
        request = await create_change_request(
            ctx, space_id, CreateChangeRequestInput(subject=subject)
        )
        target = Target(space.id, None, request, newest)
    revision = await commit_revision(ctx, target, changes, type=RevisionType.ROLLBACK)
    return ContentWrite(revision, changed=True, change_request=target.change_request, before=newest)


async def _changes(ctx: Context, newest: Revision, then: Revision) -> Changes | None:
    """What makes the one revision the other; None where they hold the same."""
    walks = [(newest.space_id, diff(getattr(newest, name), getattr(then, name))) for name in MAPS]
    pages, files, contents, redirects = await walk_all(ctx, walks)
    same_variables = dict(newest.variables) == dict(then.variables)
    if not (pages or files or contents or redirects) and same_variables:
        return None
    space_id = newest.space_id
    return Changes(
        pages={c.key: _made(page_of, space_id, c, page=True) for c in pages},
        before={
            c.key: page_of(space_id, "", c.key, repaired_page(c.before))
            for c in pages
            if c.before is not None
        },
        files={c.key: _made(file_of, space_id, c) for c in files},
        contents={c.key: _made(content_of, space_id, c) for c in contents},
        redirects={c.key: _made(redirect_of, space_id, c) for c in redirects},
        variables=None if same_variables else dict(then.variables),
    )


def _made(
    make: Callable[[str, str, str, Entry], Row],
    space_id: str,
    change: Change,
    *,
    page: bool = False,
) -> Row | None:
    """The row of what a change leads to; None where it removes."""
    if change.after is None:
        return None
    entry = repaired_page(change.after) if page else change.after
    return make(space_id, "", change.key, entry)
