"""Comments and their replies (docs/comments.md)."""

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

import strawberry
from sqlalchemy import ColumnElement, and_, bindparam, delete, select
from strawberry import Maybe

from content.emoji import ALLOWED
from db.content_enums import CommentStatus, ContributionAction
from db.enums import Role
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.spaces import Space
from db.prepared import KEY
from resolvers.access.policy import must
from resolvers.change_requests.bodies import CommentBodyInput, read_body
from resolvers.change_requests.contributors import record_contribution
from resolvers.change_requests.operations import addressing, naming_of, writable_change_request
from resolvers.comments.fields import comment_documents, comment_markdown, must_have
from resolvers.comments.reactions import apply_reactions, change_reactions, read_emoji
from resolvers.comments.targets import check_target
from resolvers.core import inputs
from resolvers.core.arguments import CommentId, ReplyId, SpaceId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import NothingToDelete, invalid
from resolvers.revisions.ids import LONGEST, PAGE, stable_id

REACTION_LIMIT = 50

InChangeRequest = Annotated[
    strawberry.ID | None,
    inputs.argument("Id or number of the change request it stands on; absent = the space itself."),
]


@strawberry.input(description="A cell of a table.")
class TableCellInput:
    record: str = inputs.text("Id of the row.", min=1, max=64, required=True)
    definition: str = inputs.text("Id of the column.", min=1, max=64, required=True)


@strawberry.input(description="A new comment; without a page it is about the whole.")
class PostCommentInput:
    body: CommentBodyInput = inputs.field("What it says.", required=True)
    page: strawberry.ID | None = inputs.text("Id of the page it is about.", min=1, max=LONGEST)
    node: strawberry.ID | None = inputs.text(
        "Key of the node of the page's document it is about; needs `page`.", min=1, max=64
    )
    table_cell: TableCellInput | None = inputs.field(
        "The cell it is about, where the node is a table; needs `node`."
    )


@strawberry.input(description="Changes to a comment; absent fields stay as they are.")
class UpdateCommentInput:
    body: Maybe[CommentBodyInput] = inputs.field("What it says.")
    resolved: Maybe[bool] = inputs.field("True closes the discussion, false opens it again.")
    added_reactions: list[str] | None = inputs.items(
        "Emoji to react with; those you have given already are ignored.", max=REACTION_LIMIT
    )
    removed_reactions: list[str] | None = inputs.items(
        "Emoji to take back; those you have not given are ignored.", max=REACTION_LIMIT
    )


IS_COMMENT = Comment.parent_id.is_(None)
IS_REPLY = Comment.parent_id == bindparam("comment_id", type_=KEY)


@cache
def _on(naming: ColumnElement[bool] | None, kind: ColumnElement[bool]) -> ColumnElement[bool]:
    in_space = Comment.space_id == bindparam("space_id", type_=KEY)
    if naming is None:
        return and_(in_space, Comment.change_request_id.is_(None), kind)
    change_request_id = select(ChangeRequest.id).where(addressing(naming)).scalar_subquery()
    return and_(in_space, Comment.change_request_id == change_request_id, kind)


async def find_comment(
    ctx: Context,
    id: str,
    space_id: str,
    change_request_id: str | None,
    kind: ColumnElement[bool],
    projection: Projection,
    **values: Any,
) -> Comment:
    """A comment or reply (`kind`, with its `values`) of one family.

    That is on a space itself, or on one of its change requests, never one for the other.
    """
    naming, named = (None, None) if change_request_id is None else naming_of(change_request_id)
    where = _on(naming, kind)
    return await must(
        ctx,
        Comment,
        id,
        where=where,
        projection=projection,
        space_id=space_id,
        named=named,
        **values,
    )


@dataclass(frozen=True, slots=True)
class Place:
    """Where a write happens: a space, or a change request whose row is locked."""

    space_id: str
    change_request: ChangeRequest | None
    revision_id: str

    @property
    def change_request_id(self) -> str | None:
        return self.change_request.id if self.change_request is not None else None

    def comments(self, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
        """The comments and replies here that satisfy the conditions."""
        on_request = (
            Comment.change_request_id.is_(None)
            if self.change_request is None
            else Comment.change_request_id == self.change_request.id
        )
        alive = Space.deleted_at.is_(None)
        return and_(Comment.space_id == self.space_id, on_request, alive, *conditions)

    async def record(self, ctx: Context) -> None:
        """Note that the caller wrote a comment or reply here."""
        if self.change_request is not None:
            await record_contribution(ctx, self.change_request, ContributionAction.COMMENT)

    def touch(self, ctx: Context) -> None:
        """Note that something about the comments here changed."""
        if self.change_request is not None:
            self.change_request.updated_at = ctx.now()


async def place_of(
    ctx: Context, space_id: str, change_request_id: str | None, role: Role | None = None
) -> Place:
    """The place of a write. Its change request is always locked before its comments."""
    if change_request_id is None:
        space = await must(ctx, Space, space_id, role)
        return Place(space.id, None, space.revision_id)
    request = await writable_change_request(ctx, space_id, change_request_id, role)
    return Place(space_id, request, request.revision_id)


@operation(one_statement=True)
async def get_comment(
    ctx: Context,
    space_id: SpaceId,
    id: CommentId,
    change_request_id: InChangeRequest = None,
    *,
    projection: Projection = ALL,
) -> Comment:
    """A comment on a space or on a change request."""
    return await find_comment(ctx, id, space_id, change_request_id, IS_COMMENT, projection)


async def post_comment(
    ctx: Context,
    space_id: SpaceId,
    input: PostCommentInput,
    change_request_id: InChangeRequest = None,
) -> Comment:
    """Comment on a space or a change request, on one of its pages or on a part of a page."""
    place = await place_of(ctx, space_id, change_request_id, Role.COMMENT)
    if input.node is not None and input.page is None:
        raise invalid("node", "needs `page`: the page whose document has the node")
    if input.table_cell is not None and input.node is None:
        raise invalid("tableCell", "needs `node`: the table that has the cell")
    body = await read_body(input.body)
    page_id = preview = None
    if input.page is not None:
        page_id = await stable_id(ctx, space_id, PAGE, input.page, "page")
        preview = await check_target(ctx, place.revision_id, page_id, input.node)
    cell = input.table_cell
    comment = Comment(
        space_id=space_id,
        change_request_id=place.change_request_id,
        posted_by_id=ctx.user_id,
        posted_at=ctx.now(),
        markdown=body.markdown,
        document=body.document,
        revision_id=place.revision_id,
        page_id=page_id,
        node_id=input.node,
        node_preview=preview,
        table_record=cell.record if cell is not None else None,
        table_definition=cell.definition if cell is not None else None,
    )
    ctx.session.add(comment)
    await place.record(ctx)
    await ctx.session.flush()
    return comment


async def update_comment(
    ctx: Context,
    space_id: SpaceId,
    id: CommentId,
    input: UpdateCommentInput,
    change_request_id: InChangeRequest = None,
) -> Comment:
    """Change what a comment says, close or reopen its discussion, react to it."""
    place = await place_of(ctx, space_id, change_request_id)
    mine = place.comments(Comment.parent_id.is_(None))
    return await _update(ctx, place, id, mine, input, input.resolved)


async def _update(
    ctx: Context,
    place: Place,
    id: str,
    where: ColumnElement[bool],
    input: "UpdateCommentInput | UpdateCommentReplyInput",
    resolved: Maybe[bool],
) -> Comment:
    """Change a comment or reply as far as the input says."""
    comment = await must(ctx, Comment, id, Role.COMMENT, where=where, lock=True)
    rights = [] if input.body is None else ["edit"]
    if resolved is not None:
        rights.append("resolve")
    await must_have(ctx, comment, *rights)
    changed = await change_text(ctx, comment, input.body)
    if resolved is not None:
        changed |= _resolve(ctx, comment, resolved.value)
    changed |= await change_reactions(
        ctx, comment, input.added_reactions or (), input.removed_reactions or ()
    )
    if changed:
        place.touch(ctx)
    return comment


async def change_text(ctx: Context, comment: Comment, body: Maybe[CommentBodyInput]) -> bool:
    """Replace the text when one is given; whether it is another one than before."""
    if body is None:
        return False
    new = await read_body(body.value)
    # Each form follows from the other, but not always as the author wrote it.
    same = (
        new.markdown == comment.markdown
        if body.value.document is None
        else new.document == comment.document
    )
    if same or await _is_as_read(ctx, comment, body.value):
        return False
    comment.markdown, comment.document = new.markdown, new.document
    comment.edited_at = ctx.now()
    return True


async def _is_as_read(ctx: Context, comment: Comment, body: CommentBodyInput) -> bool:
    """Whether a body equals the stored text as clients read it."""
    if body.document is not None:
        (document,) = await comment_documents(ctx, [comment], None)
        return body.document == document
    (markdown,) = await comment_markdown(ctx, [comment], None)
    return body.markdown == markdown


def _resolve(ctx: Context, comment: Comment, resolved: bool) -> bool:
    """Close or reopen; whether that changed anything."""
    status = CommentStatus.RESOLVED if resolved else CommentStatus.OPEN
    if comment.status is status:
        return False
    comment.status = status
    comment.resolved_at = ctx.now() if resolved else None
    comment.resolved_by_id = ctx.user_id if resolved else None
    return True


async def delete_comment(
    ctx: Context, space_id: SpaceId, id: CommentId, change_request_id: InChangeRequest = None
) -> Deletion:
    """Delete a comment with its replies."""
    place = await place_of(ctx, space_id, change_request_id)
    return await remove(ctx, place, id, place.comments(Comment.parent_id.is_(None)))


async def remove(ctx: Context, place: Place, id: str, where: ColumnElement[bool]) -> Deletion:
    """Delete a comment or reply; NothingToDelete without one, Forbidden without the right."""
    with finding_what_to_delete():
        comment = await must(ctx, Comment, id, where=where, lock=True)
    await must_have(ctx, comment, "delete")
    # The database deletes replies and reactions with it.
    await ctx.session.change(delete(Comment).where(Comment.id == comment.id))
    place.touch(ctx)
    return Deletion(
        deleted_id=comment.id,
        space_id=comment.space_id,
        change_request_id=comment.change_request_id,
        comment_id=comment.parent_id,
        audited=comment,
    )


SubjectId = Annotated[strawberry.ID, inputs.argument("Id of the comment or reply to react to.")]


@strawberry.input(description="An emoji for a comment or reply.")
class ReactionInput:
    emoji: str = inputs.text(f"What to react with: {ALLOWED}.", required=True)


@dataclass(frozen=True, slots=True)
class ReactionChange:
    """The comment or reply whose reactions have changed, and the emoji as it was given."""

    subject: Comment
    emoji: str

    @property
    def audited(self) -> Comment:
        """What the audit log names."""
        return self.subject


async def add_reaction(ctx: Context, subject_id: SubjectId, input: ReactionInput) -> ReactionChange:
    """React to a comment or reply with an emoji; who has done so already changes nothing."""
    return await _change(ctx, subject_id, input, adds=True)


async def remove_reaction(
    ctx: Context, subject_id: SubjectId, input: ReactionInput
) -> ReactionChange:
    """Take back one's own reaction with an emoji."""
    return await _change(ctx, subject_id, input, adds=False)


async def _change(
    ctx: Context, subject_id: str, input: ReactionInput, *, adds: bool
) -> ReactionChange:
    emojis = {read_emoji("emoji", input.emoji): input.emoji}
    target = await must(ctx, Comment, subject_id)
    # A change request is locked before its comments.
    place = await place_of(ctx, target.space_id, target.change_request_id)
    comment = await must(ctx, Comment, subject_id, Role.COMMENT, where=place.comments(), lock=True)
    if await apply_reactions(ctx, comment, emojis if adds else {}, {} if adds else emojis, "emoji"):
        place.touch(ctx)
    elif not adds:
        raise NothingToDelete(f"you have not reacted with {input.emoji!r}")
    return ReactionChange(comment, input.emoji)


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


@operation(one_statement=True)
async def get_comment_reply(
    ctx: Context,
    space_id: SpaceId,
    comment_id: CommentId,
    id: ReplyId,
    change_request_id: InChangeRequest = None,
    *,
    projection: Projection = ALL,
) -> Comment:
    """A reply to a comment."""
    return await find_comment(
        ctx, id, space_id, change_request_id, IS_REPLY, projection, comment_id=comment_id
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
    return await _update(ctx, place, id, mine, input, None)


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
