"""Reactions: a person's emoji on a comment, once per person and emoji (docs/comments.md)."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, select

from content.emoji import ALLOWED, code_points
from db.models.comments import Comment, Reaction
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.errors import invalid
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import reads

# Code points -> the emoji as it was given.
Emojis = dict[str, str]
USERS_SHOWN = 50
EMOJI_PER_COMMENT = 100


@dataclass(frozen=True, slots=True)
class ReactionUser:
    """Who reacted, and when."""

    user_id: str
    reacted_at: dt.datetime


@dataclass(frozen=True, slots=True)
class EmojiReaction:
    """One emoji on a comment: as it was first given, how many people, the first 50 of them."""

    emoji: str
    count: int
    users: list[ReactionUser]


@statement
def _shown(viewer: Viewer) -> Written:
    identity = (Reaction.comment_id, Reaction.code_points)
    by_time = (Reaction.reacted_at, Reaction.user_id)
    placed = (
        select(
            *identity,
            Reaction.emoji,
            Reaction.user_id,
            Reaction.reacted_at,
            func.count().over(partition_by=identity).label("people"),
            func.row_number().over(partition_by=identity, order_by=by_time).label("place"),
        )
        .where(among(Reaction.comment_id, "comments"))
        .subquery()
    )
    return (
        select(placed)
        .where(placed.c.place <= USERS_SHOWN)
        .order_by(placed.c.comment_id, placed.c.code_points, placed.c.place)
    )


@reads("id")
async def comment_reactions(
    ctx: Context, rows: Sequence[Comment], arguments: Any
) -> list[list[EmojiReaction]]:
    """The reactions on each comment, in the order of their first use."""
    groups: dict[str, dict[str, EmojiReaction]] = {}
    for row in await _shown.rows(ctx, comments={row.id for row in rows}):
        emojis = groups.setdefault(row.comment_id, {})
        group = emojis.get(row.code_points)
        if group is None:
            group = emojis[row.code_points] = EmojiReaction(row.emoji, row.people, [])
        group.users.append(ReactionUser(row.user_id, row.reacted_at))
    return [
        sorted(groups.get(row.id, {}).values(), key=lambda group: group.users[0].reacted_at)
        for row in rows
    ]


def read_emojis(path: str, texts: Sequence[str]) -> Emojis:
    """The emoji of a list; Invalid names the first that is none."""
    emojis: Emojis = {}
    for index, text in enumerate(texts):
        emojis.setdefault(read_emoji(f"{path}[{index}]", text), text)
    return emojis


def read_emoji(path: str, text: str) -> str:
    """The code points of an emoji; Invalid when the text is none."""
    name = code_points(text)
    if name is None:
        raise invalid(path, f"{text[:60]!r} is not allowed; it must be {ALLOWED}")
    return name


async def change_reactions(
    ctx: Context, comment: Comment, added: Sequence[str], removed: Sequence[str]
) -> bool:
    """Add and remove the caller's reactions; whether anything changed.

    Adding twice and removing what is not there are ignored; an emoji in both lists is removed.
    The comment's row must be locked.
    """
    new = read_emojis("addedReactions", added)
    gone = read_emojis("removedReactions", removed)
    return await apply_reactions(ctx, comment, new, gone, "addedReactions")


async def apply_reactions(
    ctx: Context, comment: Comment, new: Emojis, gone: Emojis, path: str
) -> bool:
    """Add and remove reactions of the caller; errors name the field `path` of the new ones."""
    mine = select(Reaction.code_points).where(
        Reaction.comment_id == comment.id, Reaction.user_id == ctx.user_id
    )
    present = set((await ctx.session.execute(mine)).scalars())
    dropped = present & gone.keys()
    if dropped:
        await ctx.session.execute(
            delete(Reaction).where(
                Reaction.comment_id == comment.id,
                Reaction.user_id == ctx.user_id,
                Reaction.code_points.in_(dropped),
            )
        )
    fresh = {name: emoji for name, emoji in new.items() if name not in present | gone.keys()}
    if fresh:
        await _check_room(ctx, comment, fresh, path)
    for name, emoji in fresh.items():
        ctx.session.add(
            Reaction(
                comment_id=comment.id,
                code_points=name,
                user_id=ctx.user_id,
                emoji=emoji,
                reacted_at=ctx.now(),
            )
        )
    await ctx.session.flush()
    return bool(dropped or fresh)


async def _check_room(ctx: Context, comment: Comment, fresh: Emojis, path: str) -> None:
    used = select(Reaction.code_points).where(Reaction.comment_id == comment.id).distinct()
    emojis = set((await ctx.session.execute(used)).scalars())
    if len(emojis | fresh.keys()) > EMOJI_PER_COMMENT:
        raise invalid(
            path,
            f"a comment holds at most {EMOJI_PER_COMMENT} different emoji",
        )
