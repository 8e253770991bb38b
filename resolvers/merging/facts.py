"""The variables of merge rules' expressions: `space`, `changeRequest`, `reviews` and `actor`.

Each is an object with the fields that it has in /v1. A field is an attribute of the row or a
batch function; only what an expression may read is worked out.
"""

import datetime as dt
import enum
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from content.expressions.references import Path
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.organizations import User
from db.models.reviews import Review
from db.models.spaces import Space
from resolvers.addresses import spaces
from resolvers.change_requests import (
    fields as change_request_lists,
    reviews as review_operations,
)
from resolvers.comments import fields as comment_lists
from resolvers.core.context import Batch, Context
from resolvers.core.naming import camel
from resolvers.core.scalars import write_time
from resolvers.organizations import users
from resolvers.organizations.merge_rules import MERGE_NAMES
from resolvers.spaces import fields as space_fields

# The newest ones; a change request with more is no longer read by anybody.
REVIEWS_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Kind:
    """An object of /v1: its name, and where each of its fields comes from."""

    object: str
    fields: Mapping[str, "str | Batch"]


USER = Kind(
    "user",
    {
        "id": "id",
        "displayName": "display_name",
        "email": users.user_emails,
        "photoURL": "photo_url",
        "urls": users.user_urls,
    },
)
SPACE = Kind(
    "space",
    {
        "id": "id",
        "title": "title",
        "emoji": "emoji",
        "visibility": space_fields.space_visibilities,
        "createdAt": "created_at",
        "updatedAt": "updated_at",
        "editMode": "edit_mode",
        "defaultLevel": "default_level",
        "language": "language",
        "mergeRules": "merge_rules",
        "organization": "organization_id",
        "parent": "parent_id",
        "revision": "revision_id",
        "comments": space_fields.open_comment_counts,
        "changeRequests": space_fields.change_request_counts,
        "changeRequestsOpen": space_fields.open_change_request_counts,
        "changeRequestsDraft": space_fields.draft_change_request_counts,
        "urls": spaces.space_urls,
        "permissions": space_fields.space_permissions,
    },
)


def _person(key: str) -> Batch:
    async def people(ctx: Context, rows: Sequence[Any], arguments: Any) -> list[Any]:
        ids = {getattr(row, key) for row in rows} - {None}
        users = (await ctx.session.execute(select(User).where(User.id.in_(ids)))).scalars().all()
        shown = dict(zip((user.id for user in users), await _all(ctx, users, USER), strict=True))
        return [shown.get(getattr(row, key)) for row in rows]

    return people


async def _comments(ctx: Context, rows: Sequence[Review], arguments: Any) -> list[Any]:
    """The comment of each review, with its text alone."""
    ids = {row.comment_id for row in rows} - {None}
    statement = select(Comment.id, Comment.markdown).where(Comment.id.in_(ids))
    texts = {row.id: row.markdown for row in await ctx.session.execute(statement)}
    return [
        {"id": row.comment_id, "body": {"markdown": texts[row.comment_id]}}
        if row.comment_id in texts
        else None
        for row in rows
    ]


CHANGE_REQUEST = Kind(
    "change-request",
    {
        "id": "id",
        "number": "number",
        "status": "status",
        "subject": "subject",
        "description": "description",
        "createdBy": _person("created_by_id"),
        "createdAt": "created_at",
        "updatedAt": "updated_at",
        "space": "space_id",
        "revision": "revision_id",
        "revisionInitial": "revision_initial_id",
        "revisionMergedAncestor": "revision_merged_ancestor_id",
        "outdated": change_request_lists.change_requests_outdated,
        "comments": comment_lists.open_comments_on_change_requests,
        "urls": change_request_lists.change_request_urls,
    },
)
REVIEW = Kind(
    "change-request-review",
    {
        "id": "id",
        "revision": "revision_id",
        "reviewer": _person("reviewer_id"),
        "requestedBy": _person("requested_by_id"),
        "status": "status",
        "outdated": review_operations.reviews_outdated,
        "comment": _comments,
        "createdAt": "created_at",
        "updatedAt": "updated_at",
    },
)


async def merge_facts(
    ctx: Context, space: Space, request: ChangeRequest, paths: Iterable[Path]
) -> dict[str, Any]:
    """The values behind the names that an expression reads (`references` of the expression)."""
    read = list(paths)

    async def space_object() -> Any:
        return (await _all(ctx, [space], SPACE, _wanted(read, "space")))[0]

    async def request_object() -> Any:
        names = _wanted(read, "changeRequest")
        return (await _all(ctx, [request], CHANGE_REQUEST, names))[0]

    async def reviews() -> Any:
        statement = select(Review).where(Review.change_request_id == request.id)
        newest = statement.order_by(Review.id.desc()).limit(REVIEWS_LIMIT)
        return await _all(ctx, (await ctx.session.execute(newest)).scalars().all(), REVIEW)

    async def actor() -> Any:
        statement = select(User).where(User.id == ctx.actor.user_id)
        users = (await ctx.session.execute(statement)).scalars().all()
        return next(iter(await _all(ctx, users, USER)), None)

    makers: dict[str, Callable[[], Awaitable[Any]]] = dict(
        zip(MERGE_NAMES, (space_object, request_object, reviews, actor), strict=True)
    )
    return {name: await makers[name]() for name in {path[0] for path in read} if name in makers}


def _wanted(paths: Iterable[Path], root: str) -> frozenset[str] | None:
    """The fields of an object that may be read; None = all of them."""
    mine = [path for path in paths if path[0] == root]
    if any(len(path) == 1 for path in mine):
        return None
    return frozenset(path[1] for path in mine)


async def _all(
    ctx: Context, rows: Sequence[Any], kind: Kind, names: frozenset[str] | None = None
) -> list[dict[str, Any]]:
    """Rows as JSON objects with the wanted fields; what is None is left out."""
    objects: list[dict[str, Any]] = [{"object": kind.object} for _ in rows]
    if not rows:
        return objects
    for name, of in kind.fields.items():
        if names is not None and name not in names:
            continue
        values = (
            [getattr(row, of) for row in rows] if isinstance(of, str) else await of(ctx, rows, None)
        )
        for object_, value in zip(objects, values, strict=True):
            if value is not None:
                object_[name] = _json(value)
    return objects


def _json(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, dt.datetime):
        return write_time(value)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        attributes = value._asdict().items()
        return {camel(name): _json(item) for name, item in attributes if item is not None}
    return value
