"""Change requests, comments, replies and reactions."""

import datetime as dt
from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from db.content_enums import ChangeRequestStatus, CommentStatus
from db.models import content, discussions, people, spaces
from db.rows import model_of
from resolvers import (
    change_request_lists,
    change_request_rights,
    changes_within,
    comment_lists,
    comment_rights,
    comment_targets,
    commenters,
    conflict_lists,
    content_links,
    contributors,
    discussion_texts,
    pages_within,
    pdfs,
    reactions,
    review_lists,
    users,
)
from resolvers.batches import by_key, visible_by_key
from resolvers.changes_within import RequestChangesArguments
from resolvers.comment_lists import CommentArguments
from resolvers.conflict_lists import ConflictArguments
from resolvers.json_schemas import DOCUMENT_SCHEMA
from resolvers.link_rows import ChangeRequestLinkArguments
from resolvers.pages_within import PageKey, PathKey
from resolvers.pagination import PageArguments
from resolvers.pdfs import PdfArguments
from resolvers.review_lists import ReviewArguments
from resolvers.scalars import JsonObject, Url
from schema.node import Node
from schema.types.content import Pdf, Revision
from schema.types.links import ContentLink, LinkStats
from schema.types.people import Member, User
from schema.wiring import Connection, batch, column, itself, source_rows

if TYPE_CHECKING:
    from schema.types.content import Page
    from schema.types.content_changes import ContentChanges
    from schema.types.merging import MergeConflict
    from schema.types.reviews import Contributor, RequestedReviewer, Review
    from schema.types.spaces import Space

LazyPage = Annotated["Page", strawberry.lazy("schema.types.content")]
LazyChanges = Annotated["ContentChanges", strawberry.lazy("schema.types.content_changes")]
ReviewType = Annotated["Review", strawberry.lazy("schema.types.reviews")]
RequestedReviewerType = Annotated["RequestedReviewer", strawberry.lazy("schema.types.reviews")]
ConflictType = Annotated["MergeConflict", strawberry.lazy("schema.types.merging")]
ContributorType = Annotated["Contributor", strawberry.lazy("schema.types.reviews")]
SpaceType = Annotated["Space", strawberry.lazy("schema.types.spaces")]


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
    is_type_of = source_rows(discussions.ChangeRequest)
    number: int = column("Its number in the space, from 1 on without gaps.")
    status: ChangeRequestStatus = column("Where it stands in its life.")
    subject: str = column("What it is about, at most 100 characters; may be empty.")
    description: JsonObject | None = batch(
        discussion_texts.descriptions, f"A JSON document that describes it. {DOCUMENT_SCHEMA}"
    )
    created_by: User = batch(
        by_key(people.User, "created_by_id", required=True, stand_in=users.somebody),
        "Who made it; for visitors of a site a member without a name.",
        key="created_by_id",
    )
    created_at: dt.datetime = column("When it was made.")
    updated_at: dt.datetime = column(
        "When its content, status, subject, reviews or comments last changed."
    )
    space: SpaceType = batch(
        by_key(spaces.Space, "space_id"), "The space it would change.", key="space_id"
    )
    revision: Revision | None = batch(
        visible_by_key(content.Revision, "revision_id"),
        "Its own content as it is now.",
        key="revision_id",
    )
    revision_initial: Revision | None = batch(
        visible_by_key(content.Revision, "revision_initial_id"),
        "The content of the space when it was made.",
        key="revision_initial_id",
    )
    revision_merged_ancestor: Revision | None = batch(
        visible_by_key(content.Revision, "revision_merged_ancestor_id"),
        "The content of the space that it last pulled; null before the first time.",
        key="revision_merged_ancestor_id",
    )
    revision_merged: Revision | None = batch(
        visible_by_key(content.Revision, "revision_merged_id"),
        "The content of the space that its merge made; null unless it is merged.",
        key="revision_merged_id",
    )
    page: LazyPage | None = batch(
        pages_within.page_of_change_requests,
        "The page of its content with an id; null when there is none.",
        arguments=PageKey,
    )
    page_by_path: LazyPage | None = batch(
        pages_within.page_by_path_of_change_requests,
        "The document or group at a path of its content; the landing page for the empty path.",
        arguments=PathKey,
    )
    changes: LazyChanges | None = batch(
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
        change_request_rights.change_request_permissions, "What the caller may do with it."
    )
    comments_open: int = batch(
        comment_lists.open_comments_on_change_requests, "Number of open comments, without replies."
    )
    comments: Connection["Comment"] = batch(
        comment_lists.comments_of_change_requests,
        "Comments on it, newest first.",
        arguments=CommentArguments,
    )
    commenters: Connection[Member] = batch(
        commenters.commenters_of_change_requests,
        "Members who wrote comments or replies on it, most recent first.",
        arguments=PageArguments,
    )
    reviews: Connection[ReviewType] = batch(
        review_lists.reviews_of_change_requests,
        "Its reviews, newest first.",
        arguments=ReviewArguments,
    )
    requested_reviewers: Connection[RequestedReviewerType] = batch(
        review_lists.requested_reviewers_of_change_requests,
        "Who was asked for a review and has not submitted it, oldest request first.",
        arguments=PageArguments,
    )
    contributors: Connection[ContributorType] = batch(
        contributors.contributors_of_change_requests,
        "Who edited or commented in it, the most recent first.",
        arguments=PageArguments,
    )
    conflicts: Connection[ConflictType] = batch(
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


@strawberry.type(description="Text of a comment, in two forms.")
class CommentBody:
    markdown: str = batch(discussion_texts.comment_markdown, "As Markdown.")
    document: JsonObject = batch(
        discussion_texts.comment_documents, f"As a JSON document. {DOCUMENT_SCHEMA}"
    )


@strawberry.type(description="Somebody who reacted.")
class ReactionUser:
    user: User = batch(by_key(people.User, "user_id"), "Who reacted.", key="user_id")
    reacted_at: dt.datetime = column("When.")


@strawberry.type(description="An emoji on a comment.")
class EmojiReaction:
    emoji: str = column("The emoji, or its code points in hex: as it was first given.")
    count: int = column("How many people reacted with it.")
    users: list[ReactionUser] = column("The first of them, at most 50.")


@strawberry.type(description="Addresses of a comment or reply.")
class CommentUrls:
    location: Url = column("The comment or reply in /v1.")


@strawberry.type(description="What the caller may do with a comment or reply.")
class CommentPermissions:
    view: bool = column("Read it.")
    edit: bool = column("Change its text.")
    reply: bool = column("Reply.")
    react: bool = column("React with an emoji.")
    resolve: bool = column("Close or reopen the discussion.")
    delete: bool = column("Delete it.")


@strawberry.type(description="A part of a page that a comment is about.")
class CommentTargetNode:
    node_id: strawberry.ID = column("Key of the node in the document.", attribute="id")
    preview: str | None = column("Its text when the comment was posted, at most 100 characters.")


@strawberry.type(description="A cell of a table that a comment is about.")
class CommentTargetCell:
    record: str = column("Id of the row.")
    definition: str = column("Id of the column.")


@strawberry.type(description="A page that a comment is about.")
class CommentTargetPage:
    page_id: strawberry.ID = column("Stable id of the page.", attribute="id")
    title: str = column("Title.")
    emoji: str | None = column("Emoji in front of the title.")
    icon: str | None = column("Name of the icon in front of the title.")
    created_at: dt.datetime | None = column("When it was made, where that is known.")
    updated_at: dt.datetime | None = column("When it was last edited, where that is known.")
    path: str = column("Slugs from the top level down, joined by `/`.")
    outdated: bool = column("Whether the page has been removed since; it is shown as it was.")


@strawberry.type(description="What a comment is about.")
class CommentTarget:
    space: SpaceType = batch(
        by_key(spaces.Space, "space_id"), "The space it belongs to.", key="space_id"
    )
    change_request: ChangeRequest | None = batch(
        by_key(discussions.ChangeRequest, "change_request_id"),
        "The change request; null for a comment on the space itself.",
        key="change_request_id",
    )
    review_id: strawberry.ID | None = column("Id of the review that it belongs to.")
    revision: Revision | None = batch(
        visible_by_key(content.Revision, "revision_id"),
        "The content when it was posted.",
        key="revision_id",
    )
    page: CommentTargetPage | None = batch(
        comment_targets.target_pages, "The page; null when it is about the whole."
    )
    node: CommentTargetNode | None = batch(
        comment_targets.target_nodes, "The part of the page; null when it is about all of it."
    )
    table_cell: CommentTargetCell | None = batch(
        comment_targets.target_cells, "The cell, where the part is a table."
    )


def _is_comment(value: Any, info: Any) -> bool:
    return model_of(value) is discussions.Comment and value.parent_id is None


def _is_reply(value: Any, info: Any) -> bool:
    return model_of(value) is discussions.Comment and value.parent_id is not None


@strawberry.interface(description="Something to react to with emoji: a comment or a reply.")
class Reactable(Node):
    reactions: list[EmojiReaction] = batch(
        reactions.comment_reactions, "Emoji on it by first use, at most 100."
    )
    permissions: CommentPermissions = batch(
        comment_rights.comment_rights, "What the caller may do with it."
    )


@strawberry.type(description="The reactions to a comment or reply have changed.")
class ReactionPayload:
    emoji: str = column("The emoji, as it was given.")
    subject: Reactable = column("The comment or reply.")


@strawberry.type(description="A comment on a space or on a change request.")
class Comment(Reactable):
    is_type_of = _is_comment
    posted_by: User = batch(by_key(people.User, "posted_by_id"), "Its author.", key="posted_by_id")
    posted_at: dt.datetime = column("When it was posted.")
    edited_at: dt.datetime | None = column("When its text was last changed; null if never.")
    body: CommentBody = itself("What it says.")
    status: CommentStatus = column("Whether the discussion is open.")
    resolved_at: dt.datetime | None = column("When it was closed; null while it is open.")
    resolved_by: User | None = batch(
        by_key(people.User, "resolved_by_id"),
        "Who closed it; null while it is open.",
        key="resolved_by_id",
    )
    target: CommentTarget = itself("What it is about.")
    urls: CommentUrls = batch(comment_lists.comment_urls, "Its addresses.")
    reply_count: int = batch(comment_lists.reply_counts, "Number of replies.")
    replies: Connection["CommentReply"] = batch(
        comment_lists.replies_of_comments, "Replies, oldest first.", arguments=PageArguments
    )


@strawberry.type(description="A reply to a comment.")
class CommentReply(Reactable):
    is_type_of = _is_reply
    posted_by: User = batch(by_key(people.User, "posted_by_id"), "Its author.", key="posted_by_id")
    posted_at: dt.datetime = column("When it was posted.")
    edited_at: dt.datetime | None = column("When its text was last changed; null if never.")
    body: CommentBody = itself("What it says.")
    comment: Comment = batch(
        by_key(discussions.Comment, "parent_id"), "The comment it replies to.", key="parent_id"
    )
    urls: CommentUrls = batch(comment_lists.comment_urls, "Its addresses.")
