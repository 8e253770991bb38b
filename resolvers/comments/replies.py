"""Replies to comments: reading and writing one. They have no status and no target."""

import strawberry
from strawberry import Maybe

from db.enums import Role
from db.models.comments import Comment
from resolvers.access.policy import must
from resolvers.change_requests.bodies import CommentBodyInput, read_body
from resolvers.comments.fields import must_have
from resolvers.comments.operations import (
    IS_REPLY,
    REACTION_LIMIT,
    InChangeRequest,
    change_text,
    find_comment,
    place_of,
    remove,
)
from resolvers.comments.reactions import change_reactions
from resolvers.core import inputs
from resolvers.core.arguments import CommentId, ReplyId, SpaceId
from resolvers.core.context import Context, one_statement
from resolvers.core.deletions import Deletion
from resolvers.core.statements import Columns


@strawberry.input(description="A new reply.")
class PostCommentReplyInput:
    body: CommentBodyInput = inputs.field("What it says.", required=True)


@strawberry.input(description="Changes to a reply; absent fields stay as they are.")
class UpdateCommentReplyInput:
    body: Maybe[CommentBodyInput] = inputs.field("What it says.")
    resolved: bool | None = inputs.field("Accepted and ignored: replies have no status.")
    added_reactions: list[str] | None = inputs.items(
        "Emoji to react with; those you have given already are ignored.", max=REACTION_LIMIT
    )
    removed_reactions: list[str] | None = inputs.items(
        "Emoji to take back; those you have not given are ignored.", max=REACTION_LIMIT
    )


@one_statement
async def get_comment_reply(
    ctx: Context,
    space_id: SpaceId,
    comment_id: CommentId,
    id: ReplyId,
    change_request_id: InChangeRequest = None,
    *,
    columns: Columns = None,
) -> Comment:
    """A reply to a comment."""
    return await find_comment(
        ctx, id, space_id, change_request_id, IS_REPLY, columns, comment_id=comment_id
    )


async def reply_to_comment(
    ctx: Context,
    space_id: SpaceId,
    comment_id: CommentId,
    input: PostCommentReplyInput,
    change_request_id: InChangeRequest = None,
) -> Comment:
    """Reply to a comment; a closed discussion stays closed."""
    place = await place_of(ctx, space_id, change_request_id)
    open_here = place.comments(Comment.parent_id.is_(None))
    # The lock makes a deletion wait, and this wait for a deletion.
    parent = await must(ctx, Comment, comment_id, Role.COMMENT, where=open_here, lock=True)
    body = await read_body(input.body)
    reply = Comment(
        space_id=space_id,
        change_request_id=parent.change_request_id,
        parent_id=parent.id,
        posted_by_id=ctx.user_id,
        posted_at=ctx.now(),
        markdown=body.markdown,
        document=body.document,
        revision_id=place.revision_id,
    )
    ctx.session.add(reply)
    await place.record(ctx)
    await ctx.session.flush()
    return reply


async def update_comment_reply(
    ctx: Context,
    space_id: SpaceId,
    comment_id: CommentId,
    id: ReplyId,
    input: UpdateCommentReplyInput,
    change_request_id: InChangeRequest = None,
) -> Comment:
    """Change what a reply says, or react to it."""
    place = await place_of(ctx, space_id, change_request_id)
    mine = place.comments(Comment.parent_id == comment_id)
    reply = await must(ctx, Comment, id, Role.COMMENT, where=mine, lock=True)
    await must_have(ctx, reply, *([] if input.body is None else ["edit"]))
    changed = await change_text(ctx, reply, input.body)
    changed |= await change_reactions(
        ctx, reply, input.added_reactions or (), input.removed_reactions or ()
    )
    if changed:
        place.touch(ctx)
    return reply


async def delete_comment_reply(
    ctx: Context,
    space_id: SpaceId,
    comment_id: CommentId,
    id: ReplyId,
    change_request_id: InChangeRequest = None,
) -> Deletion:
    """Delete a reply."""
    place = await place_of(ctx, space_id, change_request_id)
    return await remove(ctx, place, id, place.comments(Comment.parent_id == comment_id))
