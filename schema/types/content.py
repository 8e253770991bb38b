"""Revisions, pages, files and reusable contents."""

import datetime as dt
from typing import Any

import strawberry

from db.enums import PageType, RevisionType
from db.models import content
from resolvers import files as file_reads
from resolvers import pages as page_reads
from resolvers import revisions
from resolvers.page_rows import Page as PageRow
from resolvers.pagination import PageArguments
from resolvers.scalars import JsonObject, Url
from schema.node import Node
from schema.wiring import Connection, batch, column, source_rows


@strawberry.type(description="Where a page or file stands in the repository it came from.")
class GitBlob:
    oid: str = column("Id of the Git blob (SHA-1, 40 hex digits).")
    path: str = column("Path in the repository.")


@strawberry.type(description="The commit that a revision was imported from.")
class GitCommit:
    oid: str = column("Id of the commit.")
    message: str = column("Message of the commit.")
    created_by_service: bool = column("Whether this server made the commit.")
    url: Url | None = column("Address of the commit.")
    ref: str | None = column("The branch, as refs/heads/NAME.")


@strawberry.type(description="A PDF, which is made when it is fetched for the first time.")
class Pdf:
    url: Url = column(
        "Its address: signed, for whoever holds it, valid for one to two hours.",
    )


@strawberry.type(description="Size of an image.")
class Dimensions:
    width: int = column("Width in pixels.")
    height: int = column("Height in pixels.")


@strawberry.type(description="A file of a space: an image, a document to download.")
class File:
    id: strawberry.ID = column("Identifier of the file within its space.")
    name: str = column("Name with its extension.")
    content_type: str = column("Media type.")
    size: int = column("Size in bytes.")
    download_url: Url = batch(
        file_reads.file_urls,
        "Address of the bytes: signed, for whoever holds it, valid for one to two hours.",
        name="downloadURL",
    )
    dimensions: Dimensions | None = batch(file_reads.file_dimensions, "Size of an image.")
    git: GitBlob | None = batch(page_reads.git_blobs, "Where it stands in Git.")


@strawberry.type(description="A named piece of content that pages include.")
class ReusableContent:
    id: strawberry.ID = column("Identifier within its space.")
    title: str = column("Name.")
    document_id: strawberry.ID | None = column("Id of its body; null while it is empty.")
    git: GitBlob | None = batch(page_reads.git_blobs, "Where it stands in Git.")


@strawberry.type(description="Which parts of a page are shown.")
class PageLayout:
    width: str = column("`default` or `wide`.")
    cover: bool = column("The cover picture.")
    cover_size: str = column("`hero` or `full`.")
    title: bool = column("The title.")
    description: bool = column("The description.")
    table_of_contents: bool = column("The table of contents.")
    outline: bool = column("The outline of the page.")
    pagination: bool = column("Links to the previous and the next page.")
    metadata: bool = column("When the page was changed.")


@strawberry.type(description="Addresses of a page or a revision.")
class ContentUrls:
    app: Url = column("For people.")


@strawberry.interface(description="A page of a revision.")
class Page:
    id: strawberry.ID = column("Identifier within the space; the same in all its revisions.")
    type: PageType = column("Kind of page.")
    title: str = column("Title.")
    emoji: str | None = column("Emoji in front of the title.")
    icon: str | None = column("Name of the icon in front of the title.")
    hidden: bool = column("Left out of the navigation; the page itself can be read.")
    path: str = column("Slugs from the top level down, joined by `/`.")
    created_at: dt.datetime | None = column("When it was made, where that is known.")
    updated_at: dt.datetime | None = column("When it was last edited, where that is known.")
    git: GitBlob | None = batch(page_reads.git_blobs, "Where it stands in Git.")


def _is(type_: PageType) -> Any:
    def is_type_of(value: Any, info: Any) -> bool:
        return isinstance(value, PageRow) and value.type is type_

    return is_type_of


@strawberry.type(description="A page with a body.")
class DocumentPage(Page):
    is_type_of = _is(PageType.DOCUMENT)
    slug: str = column("Its part of the path.")
    description: str | None = column("A sentence about the page.")
    no_index: bool = column("Left out of search.")
    no_robots_index: bool = column("Closed to crawlers.")
    layout: PageLayout = batch(page_reads.page_layouts, "Which parts are shown.")
    cover: JsonObject | None = column("Cover: `ref`, `refDark` (content references) and `yPos`.")
    variables: JsonObject = column("Variables of the page.")
    condition: str | None = column("Expression that decides whether a visitor sees the page.")
    document_id: strawberry.ID | None = column("Id of the body.")
    markdown: str = batch(
        page_reads.page_markdown,
        "The page as Markdown: its title as the leading heading, then the body.",
    )
    document: JsonObject = batch(page_reads.page_documents, "The body as a JSON document.")
    urls: ContentUrls = batch(page_reads.page_urls, "Addresses of the page.")
    pages: Connection[Page] = batch(
        page_reads.children_of_pages,
        "Pages directly below, in display order.",
        arguments=PageArguments,
    )


@strawberry.type(description="A heading in the table of contents with pages below it.")
class GroupPage(Page):
    is_type_of = _is(PageType.GROUP)
    slug: str = column("Its part of the path.")
    no_index: bool = column("Its pages are left out of search.")
    no_robots_index: bool = column("Its pages are closed to crawlers.")
    pages: Connection[Page] = batch(
        page_reads.children_of_pages,
        "Pages directly below, in display order.",
        arguments=PageArguments,
    )


@strawberry.type(description="An entry of the table of contents that leads elsewhere.")
class LinkPage(Page):
    is_type_of = _is(PageType.LINK)
    target: JsonObject = column("Content reference: `kind` and what it names.")
    href: str | None = batch(page_reads.link_addresses, "The URL, where the target is one.")


@strawberry.type(description="A place in the table of contents that a source fills with pages.")
class ComputedPage(Page):
    is_type_of = _is(PageType.COMPUTED)
    computed: JsonObject = column("The source: `type`, `props` and `dependencies`.")


@strawberry.type(description="An immutable state of a space's content.")
class Revision(Node):
    is_type_of = source_rows(content.Revision)
    type: RevisionType = column("What made it.")
    parents: list[strawberry.ID] = column("Ids of the revisions it was made from, at most two.")
    created_at: dt.datetime = column("When it was made.")
    variables: JsonObject = column("Variables of the space: text, numbers, true or false.")
    git: GitCommit | None = batch(revisions.revision_commits, "The commit it came from.")
    urls: ContentUrls = batch(revisions.revision_urls, "Addresses of the revision.")
    pages: Connection[Page] = batch(
        page_reads.top_pages_of_revisions,
        "Pages at the top level, in display order.",
        arguments=PageArguments,
    )
    all_pages: Connection[Page] = batch(
        page_reads.pages_of_revisions,
        "All pages, depth first in display order.",
        arguments=PageArguments,
    )
    files: Connection[File] = batch(
        file_reads.files_of_revisions, "Files, oldest first.", arguments=PageArguments
    )
    reusable_contents: Connection[ReusableContent] = batch(
        file_reads.reusable_contents_of_revisions,
        "Reusable contents, oldest first.",
        arguments=PageArguments,
    )
