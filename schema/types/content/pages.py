"""Revisions, pages, files and reusable contents."""

import datetime as dt
from typing import Any

import strawberry

from db.content_enums import PageType, RevisionType
from db.models import content, organizations, spaces
from resolvers import typed_fields
from resolvers.content import (
    changes_within,
    documents,
    files as file_reads,
    pages as page_reads,
    pages_within,
    redirects as content_redirects,
)
from resolvers.content.changes_within import ChangesArguments
from resolvers.content.documents import BodyArguments, PageMarkdownArguments
from resolvers.content.files import FileArguments, ReusableContentArguments
from resolvers.content.pages import AllPagesArguments
from resolvers.content.pages_within import PageKey, PathKey
from resolvers.core.json_schemas import DOCUMENT_SCHEMA
from resolvers.core.pagination import PageArguments
from resolvers.core.scalars import JsonObject, Url
from resolvers.links import backlinks, operations as content_links
from resolvers.links.rows import LinkArguments
from resolvers.lists.batches import by_key, visible_by_key
from resolvers.revisions import ids as content_ids, states
from resolvers.revisions.rows import (
    File as FileRow,
    Page as PageRow,
    ReusableContent as ReusableContentRow,
)
from schema.node import Node
from schema.types.above import ChangeRequest, ContentChanges, Space, User
from schema.types.links import ContentLink, ContentLocation, LinkStats
from schema.types.references import ContentReference
from schema.types.values import ComputedSource, PageCover, PageLayout, Variable
from schema.wiring import Connection, batch, column, instances_of, related, source_rows

OWN_ID = (
    "Identifier. In primary content it is the same as in /v1; in a change request, and in a "
    "revision that was asked for, the same thing has another one."
)


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


@strawberry.type(description="An archive of content in the Git layout, made when it is fetched.")
class ContentExport:
    url: Url = column("Its address: signed, for whoever holds it, valid for one to two hours.")
    revision_id: strawberry.ID = column("Id of the revision that is in it.")


@strawberry.type(description="Size of an image.")
class Dimensions:
    width: int = column("Width in pixels.")
    height: int = column("Height in pixels.")


@strawberry.type(description="A file of a space: an image, a document to download.")
class File(Node):
    is_type_of = instances_of(FileRow)
    id: strawberry.ID = batch(content_ids.content_ids, OWN_ID)
    file_id: strawberry.ID = column(
        "Id of the file within its space, the same in all its content and in /v1.", attribute="id"
    )
    name: str = column("Name with its extension.")
    content_type: str = column("Media type.")
    size: int = column("Size in bytes.")
    download_url: Url = batch(
        file_reads.file_urls,
        "Address of the bytes: signed, for whoever holds it, valid for one to two hours. For "
        "visitors it lasts while a public or unlisted site shows the file to every reader.",
        name="downloadURL",
    )
    dimensions: Dimensions | None = batch(file_reads.file_dimensions, "Size of an image.")
    git: GitBlob | None = batch(page_reads.git_blobs, "Where it stands in Git.")
    backlinks: Connection[ContentLocation] = batch(
        backlinks.backlinks_of_files,
        "Where the file is shown or linked, in content that the caller may read; its own space "
        "first.",
        arguments=PageArguments,
    )


@strawberry.type(description="A body by itself, in both forms.")
class Document:
    document_id: strawberry.ID | None = column(
        "Identifier within the space; null while it is empty.", attribute="id"
    )
    data: JsonObject = column(
        f"What it says of itself, such as `schemaVersion`: `data` of a document. {DOCUMENT_SCHEMA}"
    )
    nodes: list[JsonObject] = column(f"Its blocks: `nodes` of a document. {DOCUMENT_SCHEMA}")
    markdown: str = batch(documents.document_markdown, "The same as Markdown.")


@strawberry.type(description="A named piece of content that pages include.")
class ReusableContent(Node):
    is_type_of = instances_of(ReusableContentRow)
    id: strawberry.ID = batch(content_ids.content_ids, OWN_ID)
    reusable_content_id: strawberry.ID = column(
        "Id within its space, the same in all its content and in /v1.", attribute="id"
    )
    title: str = column("Name.")
    document_id: strawberry.ID | None = column("Id of its body; null while it is empty.")
    markdown: str = batch(documents.body_markdown, "The body as Markdown.", arguments=BodyArguments)
    document: JsonObject = batch(
        documents.body_documents,
        f"The body as a JSON document. {DOCUMENT_SCHEMA}",
        arguments=BodyArguments,
    )
    git: GitBlob | None = batch(page_reads.git_blobs, "Where it stands in Git.")


@strawberry.type(description="Addresses of a page or a revision.")
class ContentUrls:
    app: Url = column("For people.")


@strawberry.type(
    description="What the caller may do with a page where it was read, by role: nothing in older "
    "revisions. The scopes of the token are not looked at."
)
class PagePermissions:
    view: bool = column("Read it.")
    comment: bool = column("Write comments on it.")
    edit: bool = column(
        "Change it: in primary content, or in the change request whose content was read, as long "
        "as that is open."
    )


@strawberry.interface(description="A page of a revision.")
class Page(Node):
    id: strawberry.ID = batch(content_ids.content_ids, OWN_ID)
    page_id: strawberry.ID = column(
        "Id of the page within its space, the same in all its content and in /v1.", attribute="id"
    )
    type: PageType = column("Kind of page.")
    title: str = column("Title.")
    emoji: str | None = column("Emoji in front of the title.")
    icon: str | None = column("Name of the icon in front of the title.")
    hidden: bool = column("Left out of the navigation; the page itself can be read.")
    path: str = column("Slugs from the top level down, joined by `/`.")
    created_at: dt.datetime | None = column("When it was made, where that is known.")
    updated_at: dt.datetime | None = column("When it was last edited, where that is known.")
    git: GitBlob | None = batch(page_reads.git_blobs, "Where it stands in Git.")
    space: Space | None = batch(
        by_key(spaces.Space, "space_id"),
        "The space that it belongs to; null in what a source of computed content makes.",
    )
    revision: "Revision | None" = batch(
        visible_by_key(content.Revision, "revision_id"),
        "The revision that it was read from; null in what a source of computed content makes.",
    )
    permissions: PagePermissions = batch(
        page_reads.page_permissions, "What the caller may do with it."
    )
    links: Connection[ContentLink] = batch(
        content_links.links_of_pages,
        "What the page refers to, each thing once for each relation.",
        arguments=LinkArguments,
    )
    link_stats: LinkStats = batch(content_links.link_stats_of_pages, "How many links the page has.")
    backlinks: Connection[ContentLocation] = batch(
        backlinks.backlinks_of_pages,
        "Where the page is linked, in content that the caller may read; its own space first.",
        arguments=PageArguments,
    )


def _is(type_: PageType) -> Any:
    def is_type_of(value: Any, info: Any) -> bool:
        return isinstance(value, PageRow) and value.type is type_

    return is_type_of


@strawberry.type(description="A page with a body.")
class DocumentPage(Page):
    is_type_of = _is(PageType.DOCUMENT)
    slug: str = column("Its part of the path.")
    description: str | None = column("A sentence about the page.")
    no_index: bool = column(
        "Left out of search, of its own or with a page above it.", attribute="out_of_search"
    )
    no_robots_index: bool = column(
        "Closed to crawlers, of its own or with a page above it.", attribute="closed_to_crawlers"
    )
    layout: PageLayout = batch(page_reads.page_layouts, "Which parts are shown.")
    cover: JsonObject | None = column("Cover: `ref`, `refDark` (content references) and `yPos`.")
    typed_cover: PageCover | None = batch(typed_fields.page_covers, "The cover with its type.")
    variables: JsonObject = column("Variables of the page.")
    typed_variables: list[Variable] = batch(
        typed_fields.variables, "Variables of the page as a list, by name."
    )
    condition: str | None = column("Expression that decides whether a visitor sees the page.")
    document_id: strawberry.ID | None = column("Id of the body.")
    markdown: str = batch(
        documents.page_markdown,
        "The page as Markdown: its title as the leading heading, then the body.",
        arguments=PageMarkdownArguments,
    )
    document: JsonObject = batch(
        documents.body_documents,
        f"The body as a JSON document. {DOCUMENT_SCHEMA}",
        arguments=BodyArguments,
    )
    previous: Page | None = batch(page_reads.pages_before, "The page before it in the navigation.")
    next: Page | None = batch(page_reads.pages_behind, "The page behind it in the navigation.")
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
    no_index: bool = column("Its pages are left out of search.", attribute="out_of_search")
    no_robots_index: bool = column(
        "Its pages are closed to crawlers.", attribute="closed_to_crawlers"
    )
    pages: Connection[Page] = batch(
        page_reads.children_of_pages,
        "Pages directly below, in display order.",
        arguments=PageArguments,
    )


@strawberry.type(description="An entry of the table of contents that leads elsewhere.")
class LinkPage(Page):
    is_type_of = _is(PageType.LINK)
    target: JsonObject = column("Content reference: `kind` and what it names.")
    typed_target: ContentReference = batch(
        typed_fields.page_targets, "The content reference with its type."
    )
    href: str | None = batch(
        page_reads.link_addresses,
        "The URL that it leads to, in the application where that is a page of the same content; "
        "null for what is not there or has no address.",
    )


@strawberry.type(description="A place in the table of contents that a source fills with pages.")
class ComputedPage(Page):
    is_type_of = _is(PageType.COMPUTED)
    computed: JsonObject = column("The source: `type`, `props` and `dependencies`.")
    typed_computed: ComputedSource | None = batch(
        typed_fields.page_sources, "The source with its type."
    )


_NAMES = {
    PageType.DOCUMENT: "DocumentPage",
    PageType.GROUP: "GroupPage",
    PageType.LINK: "LinkPage",
    PageType.COMPUTED: "ComputedPage",
}


def name_of_page(value: Any) -> str | None:
    """The name of a page's type; None for what is no page."""
    return _NAMES.get(value.type) if type(value) is PageRow else None


@strawberry.type(
    description="An old path that leads to a page, as `.gitbook.yaml` or `setRedirect` sets it. In "
    "the content of the space it counts after pages that moved; a page that is at the path comes "
    "before both."
)
class ContentRedirect:
    path: str = column("The old path below the space, as paths are compared: in small letters.")
    page: Page | None = batch(
        content_redirects.pages_of_redirects,
        "Where it leads; null when the page is gone, and then it leads nowhere.",
    )
    anchor: str | None = column("The heading that it leads to on the page.")


@strawberry.type(description="An immutable state of a space's content.")
class Revision(Node):
    is_type_of = source_rows(content.Revision)
    space: Space = related(spaces.Space, "space_id", "The space whose content it is.")
    type: RevisionType = batch(
        states.revision_types,
        "What made it; a merge is `EDITS` for those who may not see its change request.",
    )
    parents: list[strawberry.ID] = column("Ids of the revisions it was made from, at most two.")
    created_at: dt.datetime = column("When it was made.")
    author: User | None = batch(
        by_key(organizations.User, "author_id"),
        "Who has made it; null for the server, and to visitors of sites.",
        key="author_id",
    )
    variables: JsonObject = column("Variables of the space: text, numbers, true or false.")
    typed_variables: list[Variable] = batch(
        typed_fields.variables, "Variables of the space as a list, by name."
    )
    merged_from: ChangeRequest | None = batch(
        states.merge_requests,
        "The change request whose merge made it.",
        key="merged_from_id",
    )
    git: GitCommit | None = batch(states.revision_commits, "The commit it came from.")
    urls: ContentUrls = batch(states.revision_urls, "Addresses of the revision.")
    pages: Connection[Page] = batch(
        page_reads.top_pages_of_revisions,
        "Pages at the top level, in display order.",
        arguments=PageArguments,
    )
    page: Page | None = batch(
        pages_within.page_of_revisions,
        "The page of the revision with an id; null when there is none.",
        arguments=PageKey,
    )
    page_by_path: Page | None = batch(
        pages_within.page_by_path_of_revisions,
        "The document or group at a path of the revision; the landing page for the empty path.",
        arguments=PathKey,
    )
    changes: ContentChanges | None = batch(
        changes_within.changes_of_revisions,
        "What it changed of its first parent, or of another revision of the space.",
        arguments=ChangesArguments,
    )
    all_pages: Connection[Page] = batch(
        page_reads.pages_of_revisions,
        "All pages, depth first in display order.",
        arguments=AllPagesArguments,
    )
    landing_page: Page | None = batch(
        page_reads.landing_pages, "The first document: what the root of the space shows."
    )
    files: Connection[File] = batch(
        file_reads.files_of_revisions, "Files, oldest first.", arguments=FileArguments
    )
    reusable_contents: Connection[ReusableContent] = batch(
        file_reads.reusable_contents_of_revisions,
        "Reusable contents, oldest first.",
        arguments=ReusableContentArguments,
    )
    redirects: Connection[ContentRedirect] = batch(
        content_redirects.redirects_of_revisions,
        "Redirects that the content has, by path; not those of pages that moved.",
        arguments=PageArguments,
    )


@strawberry.type(description="What a source of computed content makes.")
class ComputedRevision:
    pages: list[Page] = column("Pages at the top, in display order.")
    files: list[File] = column("Files.")
    reusable_contents: list[ReusableContent] = column("Reusable contents.")
