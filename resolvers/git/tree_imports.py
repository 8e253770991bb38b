"""Importing an uploaded archive or bundle: the content becomes that of its tree.

The file is uploaded first (resolvers/storage); the work is a job (jobs/tree_import.py).
"""

import strawberry

from db.job_enums import JobKind
from db.models.git import DIRECTORY_LENGTH
from db.models.jobs import Job
from db.models.spaces import Space
from db.storage_enums import StorageUploadKind
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.arguments import SpaceId
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import Conflict, NotFound, invalid
from resolvers.git.operations import read_directory
from resolvers.imports.operations import check_target
from resolvers.imports.tree_writes import TreeUpdate, store_update
from resolvers.jobs.queue import NewJob, check_room, enqueue
from resolvers.storage.operations import use_upload
from resolvers.writing.received_files import Place

KEY_LENGTH = 512
SAME = "the content is that of the tree already"


@strawberry.input(description="An import of an uploaded tree of files.")
class ImportUploadedTreeInput:
    file: str = inputs.text(
        "Key of an upload of the kind `import_file`: a zip archive, or a Git bundle with the "
        "history of its branch. A plan leaves it to be used again.",
        required=True,
        min=1,
        max=KEY_LENGTH,
    )
    change_request: strawberry.ID | None = inputs.field(
        "Id or number of the change request whose content it becomes; that of the space when "
        "absent."
    )
    repo_project_directory: str | None = inputs.text(
        "The folder with the configuration; that of the tree when absent.", max=DIRECTORY_LENGTH
    )
    force: bool | None = inputs.field(
        "Whether to import a tree without any page, too, which empties the content."
    )
    dry_run: bool | None = inputs.field(
        "Whether to say only what would change: the operation has a plan then."
    )


async def import_uploaded_tree(
    ctx: Context, space_id: SpaceId, input: ImportUploadedTreeInput
) -> Job:
    """Make the content of a space or of a change request that of an uploaded archive or bundle in
    the Git layout, for whoever may edit it.

    Pages keep their ids, what the tree does not have is deleted, and whatever fails has written
    nothing. The work goes on by itself. CONFLICT (409) while another import into the same content
    waits or runs.
    """
    place = Place(space_id, input.change_request)
    target, _ = await check_target(ctx, place, None)
    space = await must(ctx, Space, space_id)
    directory = read_directory(input.repo_project_directory or "")
    await check_room(ctx, space.organization_id)
    dry_run = bool(input.dry_run)
    try:
        upload = await use_upload(
            ctx, space.organization_id, input.file, StorageUploadKind.IMPORT_FILE, "file",
            lasting=False, again=dry_run,
        )  # fmt: skip
    except NotFound as error:
        raise invalid("file", "must be the key of a file that you have uploaded") from error
    request = target.change_request
    place_id = space.id if request is None else request.id
    id = await enqueue(
        ctx,
        NewJob(
            kind=JobKind.TREE_IMPORT,
            organization_id=space.organization_id,
            space_id=space.id,
            arguments={
                "space": space.id,
                "changeRequest": None if request is None else request.id,
                "file": upload.id,
                "directory": directory,
                "force": bool(input.force),
                "dryRun": dry_run,
            },
            unique_key=f"tree:{place_id}",
        ),
    )
    if id is None:
        raise Conflict("another import into this content runs; wait until it has ended")
    return await must(ctx, Job, id)


@operation(takes_turns=True)
async def store_uploaded_tree(ctx: Context, update: TreeUpdate, warnings: list[str]) -> None:
    """Write the content of an uploaded tree as a revision; its job ends with it. StaleRevision when
    the content has moved on since it was compared."""
    written = await store_update(ctx, update)
    result = {"revision": written.revision.id, "warnings": warnings}
    commit = update.prepared.git
    if commit is not None:
        result["commit"] = commit["oid"]
    if not written.changed:
        result["nothing"] = SAME
    if ctx.lease is not None:
        ctx.lease.finish(result)
