"""Reacting to a comment or reply with one emoji, by its id alone."""

from dataclasses import dataclass
from typing import Annotated

import strawberry

from content.emoji import ALLOWED
from db.enums import Role
from db.models.comments import Comment
from resolvers.access.policy import must
from resolvers.comments.operations import place_of
from resolvers.comments.reactions import apply_reactions, read_emoji
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.errors import NothingToDelete

SubjectId = Annotated[
    strawberry.ID, strawberry.argument(description="Id of the comment or reply to react to.")
]


@strawberry.input(description="An emoji for a comment or reply.")
class ReactionInput:
    emoji: str = inputs.text(f"What to react with: {ALLOWED}.", required=True)


@dataclass(frozen=True, slots=True)
class ReactionChange:
    """The comment or reply whose reactions have changed, and the emoji as it was given."""

    subject: Comment
    emoji: str


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
    seen = await must(ctx, Comment, subject_id)
    # A change request is locked before its comments.
    place = await place_of(ctx, seen.space_id, seen.change_request_id)
    comment = await must(ctx, Comment, subject_id, Role.COMMENT, where=place.comments(), lock=True)
    if await apply_reactions(ctx, comment, emojis if adds else {}, {} if adds else emojis, "emoji"):
        place.touch(ctx)
    elif not adds:
        raise NothingToDelete(f"you have not reacted with {input.emoji!r}")
    return ReactionChange(comment, input.emoji)
