"""Comments, replies and reactions in /v1."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from db.content_enums import ContentFormat
from rest_compat.shape import Shape, named_shape, nested, reference, renamed, shape
from rest_compat.shapes.organizations import USER
from schema.types import comments

REACTION = shape(
    comments.EmojiReaction,
    "emoji count",
    users=named_shape("EmojiReactionUser", comments.ReactionUser, "reactedAt", user=USER),
)


PERMISSIONS = shape(comments.CommentPermissions, "view edit reply delete")


URLS = named_shape("CommentURLs", comments.CommentUrls, "location")


TARGET = shape(
    comments.CommentTarget,
    "",
    node=nested(shape(comments.CommentTargetNode, "id:nodeId preview?"), optional=True),
    tableCell=nested(
        named_shape("TableCellTarget", comments.CommentTargetCell, "record definition"),
        optional=True,
    ),
    changeRequest=reference(optional=True),
    review=renamed("reviewId", optional=True),
    page=nested(
        shape(
            comments.CommentTargetPage,
            "id:pageId title emoji? icon? createdAt? updatedAt? path outdated",
        ),
        optional=True,
    ),
    space=reference(),
    revision=reference(),
)


def _parts(format: ContentFormat) -> dict[str, Shape]:
    """The fields that comments and replies share; the body has the format that was requested."""
    name = f"CommentBody{format.value.capitalize()}"
    return {
        "body": named_shape(name, comments.CommentBody, format.value),
        "postedBy": USER,
        "reactions": REACTION,
        "urls": URLS,
        "permissions": PERMISSIONS,
    }


def _suffix(format: ContentFormat) -> str:
    return "" if format is ContentFormat.MARKDOWN else format.value.capitalize()


@cache
def comment_shape(format: ContentFormat) -> Shape:
    """A comment."""
    return named_shape(
        f"Comment{_suffix(format)}",
        comments.Comment,
        "id postedAt editedAt? status resolvedAt?",
        {"object": "comment"},
        resolvedBy=nested(USER, optional=True),
        replies=renamed("replyCount"),
        target=TARGET,
        **_parts(format),
    )


@cache
def reply_shape(format: ContentFormat) -> Shape:
    """A reply."""
    return named_shape(
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
