"""Change requests, comments and replies in /v1."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from db.content_enums import ContentFormat
from rest_compat.shape import Nested, Reference, Renamed, Shape, nested, shape
from rest_compat.shapes.people import USER
from schema.types import discussions

CHANGE_REQUEST = shape(
    "ChangeRequest",
    discussions.ChangeRequest,
    "id number status subject description? createdAt updatedAt outdated",
    {"object": "change-request"},
    createdBy=nested(USER),
    space=Reference(),
    revision=Reference(),
    revisionInitial=Reference(),
    revisionMergedAncestor=Reference(optional=True),
    revisionMerged=Reference(optional=True),
    comments=Renamed("commentsOpen"),
    urls=nested(shape("ChangeRequestURLs", discussions.ChangeRequestUrls, "app location")),
)

REACTION = shape(
    "EmojiReaction",
    discussions.EmojiReaction,
    "emoji count",
    users=nested(
        shape(
            "EmojiReactionUser",
            discussions.ReactionUser,
            "reactedAt",
            user=nested(USER),
        )
    ),
)
PERMISSIONS = shape("CommentPermissions", discussions.CommentPermissions, "view edit reply delete")
URLS = shape("CommentURLs", discussions.CommentUrls, "location")
TARGET = shape(
    "CommentTarget",
    discussions.CommentTarget,
    "",
    node=nested(
        shape("CommentTargetNode", discussions.CommentTargetNode, "id:nodeId preview?"),
        optional=True,
    ),
    tableCell=nested(
        shape("TableCellTarget", discussions.CommentTargetCell, "record definition"), optional=True
    ),
    changeRequest=Reference(optional=True),
    review=Renamed("reviewId", optional=True),
    page=nested(
        shape(
            "CommentTargetPage",
            discussions.CommentTargetPage,
            "id:pageId title emoji? icon? createdAt? updatedAt? path outdated",
        ),
        optional=True,
    ),
    space=Reference(),
    revision=Reference(),
)


def _parts(format: ContentFormat) -> dict[str, Nested]:
    """What comments and replies share; the body has the form that was asked for."""
    name = f"CommentBody{format.value.capitalize()}"
    return {
        "body": nested(shape(name, discussions.CommentBody, format.value)),
        "postedBy": nested(USER),
        "reactions": nested(REACTION),
        "urls": nested(URLS),
        "permissions": nested(PERMISSIONS),
    }


def _suffix(format: ContentFormat) -> str:
    return "" if format is ContentFormat.MARKDOWN else format.value.capitalize()


@cache
def comment_shape(format: ContentFormat) -> Shape:
    """A comment."""
    return shape(
        f"Comment{_suffix(format)}",
        discussions.Comment,
        "id postedAt editedAt? status resolvedAt?",
        {"object": "comment"},
        resolvedBy=nested(USER, optional=True),
        replies=Renamed("replyCount"),
        target=nested(TARGET),
        **_parts(format),
    )


@cache
def reply_shape(format: ContentFormat) -> Shape:
    """A reply."""
    return shape(
        f"CommentReply{_suffix(format)}",
        discussions.CommentReply,
        "id postedAt editedAt?",
        {"object": "comment-reply"},
        **_parts(format),
    )


def comment_answer(choices: Mapping[str, Any]) -> Shape:
    return comment_shape(choices.get("format") or ContentFormat.MARKDOWN)


def reply_answer(choices: Mapping[str, Any]) -> Shape:
    return reply_shape(choices.get("format") or ContentFormat.MARKDOWN)
