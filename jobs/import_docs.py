"""Imports documentation in the Git layout into a new space, or as the next revision of one.

Reading and parsing happen outside the transaction; the write itself is one.
"""

import asyncio
from dataclasses import dataclass

from db.ids import new_id
from db.models.content import Revision
from db.models.spaces import Space, written_revision
from resolvers.core.context import Context
from resolvers.core.declarations import Transactions, operation
from resolvers.core.runners import run
from resolvers.imports.app_links import lead_changes
from resolvers.imports.trees import Prepared, Progress, TooLargeError, prepare
from resolvers.revisions.states import revision_of_space, write_revision
from resolvers.revisions.write_targets import Target
from resolvers.spaces.operations import CreateSpaceInput, make_space
from resolvers.writing.commits import activate_revision

__all__ = ["Prepared", "Progress", "TooLargeError", "import_space", "keep_files",
           "make_imported_space", "prepare"]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Imported:
    """The space and revision that an import made."""

    space: Space
    revision: Revision
    pages: int
    files: int

    @property
    def audited(self) -> Space:
        """What the audit log names."""
        return self.space


@operation(transactions=Transactions.IN_STEPS)
async def import_space(
    ctx: Context, organization_id: str, input: CreateSpaceInput, prepared: Prepared
) -> Imported:
    """Make a space with the prepared content; when that fails nothing of it remains."""
    space_id = new_id()
    try:
        await keep_files(ctx, space_id, prepared)
        return await run(ctx, make_imported_space, organization_id, input, space_id, prepared)
    except BaseException:
        # The transaction takes the rows back; bytes of files are not part of it.
        await ctx.blobs.delete_space(space_id)
        raise


async def keep_files(ctx: Context, space_id: str, prepared: Prepared) -> None:
    """Keep the bytes of the files, before a transaction that would hold locks meanwhile."""
    for _, file in prepared.files:
        await ctx.blobs.put(space_id, await asyncio.to_thread(file.read))


async def make_imported_space(
    ctx: Context, organization_id: str, input: CreateSpaceInput, space_id: str, prepared: Prepared
) -> Imported:
    """Make a space with the prepared content, in the transaction; its files are stored already."""
    space = await make_space(ctx, organization_id, input, space_id)
    await lead_changes(ctx, prepared.changes)
    now = ctx.now()
    for page in prepared.changes.pages.values():
        assert page is not None
        # Of what the source does not say, the time of the import is known.
        page.created_at = page.updated_at = min(page.updated_at or now, now)
    revision = await write_revision(ctx, space.id, None, prepared.changes, git=prepared.git)
    revision.parents = [written_revision(space)]
    before = await revision_of_space(ctx, space)
    await activate_revision(ctx, Target(space.id, space, None, before), revision)
    return Imported(space, revision, len(prepared.changes.pages), len(prepared.changes.files))
