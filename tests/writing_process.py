"""A process that writes batches of changes into a space, and says so, until it is killed."""

import sys

from strawberry import ID, Some

from db.session import Database
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    CreatePageInput,
    UpdatePageInput,
)
from resolvers.drafts.page_inputs import PageBodyInput
from resolvers.writing.operations import apply_content_changes


async def main(url: str, space_id: str, name: str) -> None:
    database = Database(url)
    number = 0
    while True:
        number += 1
        pages = [
            CreatePageInput(
                title=f"{name} {number} {part}", body=PageBodyInput(markdown=f"{number}")
            )
            for part in range(5)
        ]
        operations = [ContentOperationInput(create_page=page) for page in pages]
        home = UpdatePageInput(page=ID("home"), title=Some(f"{name} {number}"))
        operations.append(ContentOperationInput(update_page=home))
        batch = ApplyContentChangesInput(
            target=ContentTargetInput(space=ID(space_id)), operations=operations
        )
        async with database.session() as session:
            await run(Context(OPERATOR, session), apply_content_changes, batch)
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()
