"""A process that merges the open change requests of a space, until it is done or killed.

Its arguments are the URL of the database, the id of the space, that of a person, and `pull` to
pull instead of merging; or `import` with a folder for files and the address of a page on loopback,
which is imported into each change request that is as it began. It prints a line before the first.
"""

import sys
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import select
from strawberry import ID

from db.blobs import BlobStore
from db.content_enums import ChangeRequestStatus, ImportContentSource
from db.enums import TokenScope
from db.models.change_requests import ChangeRequest
from db.session import Database
from fetching.addresses import Allowance
from fetching.client import Fetcher
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.installation import FileAccess, ImportAccess
from resolvers.core.runners import run
from resolvers.imports.operations import ImportContentInput, import_content
from resolvers.merging.operations import merge_change_request, pull_change_request


async def main(
    url: str, space_id: str, person_id: str, kind: str = "merge", folder: str = "", page: str = ""
) -> None:
    database = Database(url, durable=False)
    statement = select(ChangeRequest.id).where(
        ChangeRequest.space_id == space_id, ChangeRequest.status == ChangeRequestStatus.OPEN
    )
    if kind == "import":
        statement = statement.where(ChangeRequest.revision_id == ChangeRequest.revision_initial_id)
    async with database.session() as session:
        open_ones = list((await session.execute(statement.order_by(ChangeRequest.id))).scalars())
    sys.stdout.write("merging\n")
    sys.stdout.flush()
    for id in open_ones:
        async with database.session() as session:
            ctx = Context(Actor(person_id, frozenset(TokenScope)), session)
            if kind == "import":
                ctx.files = FileAccess(BlobStore.in_folder(Path(folder)), b"")
                port = urlsplit(page).port or 0
                ctx.imports = ImportAccess(Fetcher(Allowance(frozenset({("127.0.0.1", port)}))))
                wanted = ImportContentInput(url=page, source=ImportContentSource.HTML)
                await run(ctx, import_content, space_id, wanted, ID(id))
                continue
            operation = pull_change_request if kind == "pull" else merge_change_request
            await run(ctx, operation, space_id, id)
    await database.close()
