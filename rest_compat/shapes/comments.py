"""Comments, replies and reactions in /v1."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from db.content_enums import ContentFormat
from rest_compat.shape import Nested, Reference, Renamed, Shape, nested, shape
from rest_compat.shapes.organizations import USER
from schema.types import comments

REACTION = shape(
    "EmojiReaction",
    comments.EmojiReaction,
    "emoji count",
    users=nested(
        shape(
            "EmojiReactionUser",
            comments.ReactionUser,
            "reactedAt",
            user=nested(USER),
        )
    ),
)


PERMISSIONS = shape("CommentPermissions", comments.CommentPermissions, "view edit reply delete")


URLS = shape("CommentURLs", comments.CommentUrls, "location")


TARGET = shape(
    "CommentTarget",
    comments.CommentTarget,
    "",
    node=nested(
        shape("CommentTargetNode", comments.CommentTargetNode, "id:nodeId preview?"),
        optional=True,
    ),
    tableCell=nested(
        shape("TableCellTarget", comments.CommentTargetCell, "record definition"), optional=True
    ),
    changeRequest=Reference(optional=True),
    review=Renamed("reviewId", optional=True),
    page=nested(
        shape(
            "CommentTargetPage",
            comments.CommentTargetPage,
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
        "body": nested(shape(name, comments.CommentBody, format.value)),
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
        comments.Comment,
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
        comments.CommentReply,
        "id postedAt editedAt?",
        {"object": "comment-reply"},
        **_parts(format),
    )


def comment_answer(choices: Mapping[str, Any]) -> Shape:
    return comment_shape(choices.get("format") or ContentFormat.MARKDOWN)


def reply_answer(choices: Mapping[str, Any]) -> Shape:
    return reply_shape(choices.get("format") or ContentFormat.MARKDOWN)
