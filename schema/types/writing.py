"""What writes of content answer with."""

import datetime as dt

import strawberry

from db.content_enums import PageOutcome
from db.models import content
from resolvers.core.scalars import Url
from resolvers.writing import operations as content_writes, uploads
from schema.node import Node
from schema.types.change_requests import ChangeRequest
from schema.types.content.changes import ContentChange, RedirectChanges
from schema.types.content.pages import File, Page, ReusableContent, Revision
from schema.wiring import batch, column, source_rows


@strawberry.type(description="Something that a write has made.")
class CreatedContent:
    content_id: strawberry.ID = column("Its stable id.", attribute="id")
    kind: str = column("`page`, `file` or `reusable-content`.")
    ref: str | None = column("The name that the batch gave it.")


@strawberry.type(description="Addresses of a page that was written.")
class WrittenPageUrls:
    location: Url = column("Where /v1 has the page.")


@strawberry.type(description="A page that a write has made or changed.")
class WrittenPage:
    page_id: strawberry.ID = column("Its stable id.", attribute="id")
    urls: WrittenPageUrls = column("Its addresses.")


@strawberry.type(description="What became of a page that a write touched.")
class AffectedPage:
    outcome: PageOutcome = column("What became of it.")
    page_id: strawberry.ID = column("Id of the page.")
    page: WrittenPage | None = column("The page; null when it was deleted.")
    ref: str | None = column("The name that the batch gave it.")


@strawberry.type(description="What every write of content answers.")
class WrittenContent:
    revision: Revision = column("The newest revision now; unchanged when nothing has changed.")
    changed: bool = column("Whether there is a new revision; after a dry run, would be.")
    change_request: ChangeRequest | None = column("The change request that was written to.")
    changes: list[ContentChange] = batch(
        content_writes.changes_of_writes,
        "What changed, or after a dry run would: at most 1,000 changes.",
    )
    more_changes: int | None = batch(
        content_writes.more_changes_of_writes,
        "How many changes there are beside these; null when these are all.",
    )
    redirects: RedirectChanges | None = batch(
        content_writes.redirects_of_writes,
        "What changed of redirects, or after a dry run would; null when nothing did. At most 1,000 "
        "are listed without `first`, and after a dry run.",
    )


@strawberry.type(description="What a write of content did.")
class ContentWrite(WrittenContent):
    dry_run: bool = column("Whether nothing was written.")
    created: list[CreatedContent] = column("What was made, in the order of the operations.")
    affected_pages: list[AffectedPage] = column(
        "What became of each page that was made, changed or deleted, in the order in which they "
        "were touched; none after a dry run.",
        attribute="affected",
    )
    pages: list[Page] = column("Pages that were made or changed; none after a dry run.")
    files: list[File] = column("Files that were made or changed; none after a dry run.")
    reusable_contents: list[ReusableContent] = column(
        "Reusable contents that were made or changed; none after a dry run."
    )


@strawberry.type(description="An address that takes the bytes of a file.")
class FileUpload(Node):
    is_type_of = source_rows(content.FileUpload)
    name: str = column("Name of the file.")
    url: Url = batch(uploads.upload_urls, "Where to send the bytes with PUT; it is signed.")
    expires_at: dt.datetime = batch(uploads.upload_ends, "When the address stops taking bytes.")
