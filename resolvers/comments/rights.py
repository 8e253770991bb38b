"""What the caller may do with a comment (docs/comments.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from db.enums import Role
from db.models.comments import Comment
from db.prepared import ACTOR_RANK
from resolvers.access.policy import ranks_of
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden
from resolvers.lists.batches import reads


@dataclass(frozen=True, slots=True)
class CommentRights:
    """What the caller may do with one comment or reply."""

    view: bool
    reply: bool
    react: bool
    edit: bool
    resolve: bool
    delete: bool


def rights_of(rank: int, is_author: bool) -> CommentRights:
    """The table of rights: by the rank in the space, and for authors who may still comment."""
    writes = rank >= Role.COMMENT.rank
    own = is_author and writes
    manages = rank >= Role.CREATE.rank
    return CommentRights(
        view=rank >= Role.READ.rank,
        reply=writes,
        react=writes,
        edit=own or manages,
        resolve=own or rank >= Role.EDIT.rank,
        delete=own or manages,
    )


@reads("id", "posted_by_id", ACTOR_RANK)
async def comment_rights(
    ctx: Context, rows: Sequence[Comment], arguments: Any
) -> list[CommentRights]:
    """What the caller may do with each comment."""
    found = await ranks_of(ctx, Comment, rows)
    return [
        rights_of(rank, row.posted_by_id == ctx.actor.user_id)
        for row, rank in zip(rows, found, strict=True)
    ]


async def must_have(ctx: Context, comment: Comment, *rights: str) -> None:
    """Forbidden when the caller lacks one of these rights on the comment."""
    (found,) = await comment_rights(ctx, [comment], None)
    for right in rights:
        if not getattr(found, right):
            raise Forbidden(f"you may not {right} this comment")
