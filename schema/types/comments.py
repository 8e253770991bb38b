"""Comments, replies and reactions."""

import datetime as dt
from typing import Any

import strawberry

from db.content_enums import CommentStatus
from db.models import change_requests, comments as comment_models, content, organizations, spaces
from db.rows import model_of
from resolvers.comments import fields as comment_lists, reactions, targets as comment_targets
from resolvers.core.json_schemas import DOCUMENT_SCHEMA
from resolvers.core.pagination import PageArguments
from resolvers.core.scalars import JsonObject, Url
from schema.node import Node
from schema.types.above import Space
from schema.types.change_requests import ChangeRequest
from schema.types.content.pages import Revision
from schema.types.organizations import User
from schema.wiring import Connection, batch, column, itself, related, visible_related


@strawberry.type(description="Text of a comment, in two forms.")
class CommentBody:
    markdown: str = batch(comment_lists.comment_markdown, "As Markdown.")
    document: JsonObject = batch(
        comment_lists.comment_documents, f"As a JSON document. {DOCUMENT_SCHEMA}"
    )


@strawberry.type(description="Somebody who reacted.")
class ReactionUser:
    user: User = related(organizations.User, "user_id", "Who reacted.")
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
    space: Space = related(spaces.Space, "space_id", "The space it belongs to.")
    change_request: ChangeRequest | None = related(
        change_requests.ChangeRequest,
        "change_request_id",
        "The change request; null for a comment on the space itself.",
    )
    review_id: strawberry.ID | None = column("Id of the review that it belongs to.")
    revision: Revision | None = visible_related(
        content.Revision, "revision_id", "The content when it was posted."
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
    return model_of(value) is comment_models.Comment and value.parent_id is None


def _is_reply(value: Any, info: Any) -> bool:
    return model_of(value) is comment_models.Comment and value.parent_id is not None


@strawberry.interface(description="Something to react to with emoji: a comment or a reply.")
class Reactable(Node):
    reactions: list[EmojiReaction] = batch(
        reactions.comment_reactions, "Emoji on it by first use, at most 100."
    )
    permissions: CommentPermissions = batch(
        comment_lists.comment_rights, "What the caller may do with it."
    )


@strawberry.type(description="The reactions to a comment or reply have changed.")
class ReactionPayload:
    emoji: str = column("The emoji, as it was given.")
    subject: Reactable = column("The comment or reply.")


@strawberry.type(description="A comment on a space or on a change request.")
class Comment(Reactable):
    is_type_of = _is_comment
    posted_by: User = related(organizations.User, "posted_by_id", "Its author.")
    posted_at: dt.datetime = column("When it was posted.")
    edited_at: dt.datetime | None = column("When its text was last changed; null if never.")
    body: CommentBody = itself("What it says.")
    status: CommentStatus = column("Whether the discussion is open.")
    resolved_at: dt.datetime | None = column("When it was closed; null while it is open.")
    resolved_by: User | None = related(
        organizations.User, "resolved_by_id", "Who closed it; null while it is open."
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
    posted_by: User = related(organizations.User, "posted_by_id", "Its author.")
    posted_at: dt.datetime = column("When it was posted.")
    edited_at: dt.datetime | None = column("When its text was last changed; null if never.")
    body: CommentBody = itself("What it says.")
    comment: Comment = related(comment_models.Comment, "parent_id", "The comment it replies to.")
    urls: CommentUrls = batch(comment_lists.comment_urls, "Its addresses.")
