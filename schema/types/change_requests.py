"""Change requests."""

import datetime as dt

import strawberry

from db.content_enums import ChangeRequestStatus
from db.models import change_requests, content, organizations, spaces
from resolvers.change_requests import (
    contributors,
    fields as change_request_lists,
    reviews as review_operations,
)
from resolvers.change_requests.reviews import ReviewArguments
from resolvers.comments import fields as comment_lists
from resolvers.comments.fields import CommentArguments
from resolvers.content import changes_within, pages_within
from resolvers.content.changes_within import RequestChangesArguments
from resolvers.content.pages_within import PageKey, PathKey
from resolvers.core.json_schemas import DOCUMENT_SCHEMA
from resolvers.core.pagination import PageArguments
from resolvers.core.scalars import JsonObject, Url
from resolvers.links import operations as content_links
from resolvers.links.rows import ChangeRequestLinkArguments
from resolvers.lists.batches import by_key
from resolvers.merging import conflict_lists
from resolvers.merging.conflict_lists import ConflictArguments
from resolvers.organizations import users
from resolvers.pdf import operations as pdfs
from resolvers.pdf.operations import PdfArguments
from schema.node import Node
from schema.types.above import (
    Comment,
    ContentChanges,
    Contributor,
    MergeConflict,
    RequestedReviewer,
    Review,
    Space,
)
from schema.types.content.pages import Page, Pdf, Revision
from schema.types.links import ContentLink, LinkStats
from schema.types.organizations import Member, User
from schema.wiring import Connection, batch, column, related, source_rows, visible_related


@strawberry.type(description="Addresses of a change request.")
class ChangeRequestUrls:
    app: Url = column("The change request for people.")
    location: Url = column("The change request in /v1.")


@strawberry.type(
    description="What the caller may do with a change request, by role and authorship: what its "
    "status, its merge rules or open conflicts forbid is refused as PRECONDITION_FAILED. The "
    "scopes of the token are not looked at."
)
class ChangeRequestPermissions:
    view: bool = column("See it.")
    comment: bool = column("Write comments on it.")
    edit: bool = column(
        "Change its subject, description and content, open it, pull, resolve conflicts."
    )
    archive: bool = column("Archive it, and reopen it from there.")
    request_reviewers: bool = column("Ask people for reviews, and take that back.")
    review: bool = column("Submit a review: never of one's own change request.")
    merge: bool = column("Merge it.")


@strawberry.type(description="A proposal to change a space's content.")
class ChangeRequest(Node):
    is_type_of = source_rows(change_requests.ChangeRequest)
    number: int = column("Its number in the space, from 1 on without gaps.")
    status: ChangeRequestStatus = column("Where it stands in its life.")
    subject: str = column("What it is about, at most 100 characters; may be empty.")
    description: JsonObject | None = batch(
        comment_lists.descriptions, f"A JSON document that describes it. {DOCUMENT_SCHEMA}"
    )
    created_by: User = batch(
        by_key(organizations.User, "created_by_id", required=True, stand_in=users.somebody),
        "Who made it; for visitors of a site a member without a name.",
        key="created_by_id",
    )
    created_at: dt.datetime = column("When it was made.")
    updated_at: dt.datetime = column(
        "When its content, status, subject, reviews or comments last changed."
    )
    space: Space = related(spaces.Space, "space_id", "The space it would change.")
    revision: Revision | None = visible_related(
        content.Revision, "revision_id", "Its own content as it is now."
    )
    revision_initial: Revision | None = visible_related(
        content.Revision, "revision_initial_id", "The content of the space when it was made."
    )
    revision_merged_ancestor: Revision | None = visible_related(
        content.Revision,
        "revision_merged_ancestor_id",
        "The content of the space that it last pulled; null before the first time.",
    )
    revision_merged: Revision | None = visible_related(
        content.Revision,
        "revision_merged_id",
        "The content of the space that its merge made; null unless it is merged.",
    )
    page: Page | None = batch(
        pages_within.page_of_change_requests,
        "The page of its content with an id; null when there is none.",
        arguments=PageKey,
    )
    page_by_path: Page | None = batch(
        pages_within.page_by_path_of_change_requests,
        "The document or group at a path of its content; the landing page for the empty path.",
        arguments=PathKey,
    )
    changes: ContentChanges | None = batch(
        changes_within.changes_of_change_requests,
        "What it changes of the content that it began with or pulled last.",
        arguments=RequestChangesArguments,
    )
    outdated: bool = batch(
        change_request_lists.change_requests_outdated,
        "Whether the space has changes that it lacks; as it was at closing once it is closed.",
    )
    urls: ChangeRequestUrls = batch(change_request_lists.change_request_urls, "Its addresses.")
    pdf: Pdf | None = batch(
        pdfs.change_request_pdfs,
        "A PDF of its own content; null while its space is in the bin.",
        arguments=PdfArguments,
    )
    permissions: ChangeRequestPermissions = batch(
        change_request_lists.change_request_permissions, "What the caller may do with it."
    )
    comments_open: int = batch(
        comment_lists.open_comments_on_change_requests, "Number of open comments, without replies."
    )
    comments: Connection[Comment] = batch(
        comment_lists.comments_of_change_requests,
        "Comments on it, newest first.",
        arguments=CommentArguments,
    )
    commenters: Connection[Member] = batch(
        comment_lists.commenters_of_change_requests,
        "Members who wrote comments or replies on it, most recent first.",
        arguments=PageArguments,
    )
    reviews: Connection[Review] = batch(
        review_operations.reviews_of_change_requests,
        "Its reviews, newest first.",
        arguments=ReviewArguments,
    )
    requested_reviewers: Connection[RequestedReviewer] = batch(
        review_operations.requested_reviewers_of_change_requests,
        "Who was asked for a review and has not submitted it, oldest request first.",
        arguments=PageArguments,
    )
    contributors: Connection[Contributor] = batch(
        contributors.contributors_of_change_requests,
        "Who edited or commented in it, the most recent first.",
        arguments=PageArguments,
    )
    conflicts: Connection[MergeConflict] = batch(
        conflict_lists.conflicts_of_change_requests,
        "What merging and pulling could not decide, oldest first.",
        arguments=ConflictArguments,
    )
    links: Connection[ContentLink] = batch(
        content_links.links_of_change_requests,
        "What its content refers to: first what it may have changed.",
        arguments=ChangeRequestLinkArguments,
    )
    link_stats: LinkStats = batch(
        content_links.link_stats_of_change_requests, "How many links its content has."
    )
