"""What people do with their own sessions, and the operator with those of anybody."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import strawberry
from sqlalchemy import delete, select

from content.visitors.user_agents import read_user_agent
from db.models.organizations import User
from db.models.sign_in import SignInLink, UserSession
from resolvers.access import accounts
from resolvers.access.policy import must, must_be_operator, must_not_be_service
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import finding_what_to_delete
from resolvers.core.orders import by
from resolvers.core.pagination import Order, PageArguments, Slice
from resolvers.lists.batches import computed_from
from resolvers.lists.listings import Listing
from resolvers.sign_in.sessions import IDLE

# Sessions and links that are removed at once.
PORTION = 1_000

SessionId = Annotated[strawberry.ID, strawberry.argument(description="Id of the session.")]


_BROWSERS = {
    "chrome": "Chrome",
    "edge": "Edge",
    "firefox": "Firefox",
    "ie": "Internet Explorer",
    "opera": "Opera",
    "safari": "Safari",
}
_SYSTEMS = {
    "android": "Android",
    "ios": "iOS",
    "linux": "Linux",
    "macos": "macOS",
    "windows": "Windows",
}


def device_of(user_agent: str) -> str:
    """Browser and system, as far as the browser says them."""
    agent = read_user_agent(user_agent)
    browser = _BROWSERS.get(agent.browser, "Unknown browser")
    system = _SYSTEMS.get(agent.system)
    return f"{browser} on {system}" if system else browser


def _latest_first() -> Order:
    columns = (UserSession.last_used_at, UserSession.id)
    return Order(tuple(replace(by(column), descending=True) for column in columns))


sessions_of_users = Listing(
    "sessions_of_users",
    UserSession,
    UserSession.user_id,
    _latest_first(),
    about="Sessions of the caller, the one that was used last first; empty for other people.",
)


async def list_own_sessions(ctx: Context, arguments: PageArguments) -> Slice[UserSession]:
    """A page of your own sessions, the one that was used last first."""
    user = await must(ctx, User, ctx.user_id)
    (page,) = await sessions_of_users(ctx, [user], arguments)
    return page


@computed_from("id")
async def are_current(ctx: Context, rows: Sequence[UserSession], arguments: Any) -> list[bool]:
    """Whether each session is that of the request."""
    return [row.id == ctx.actor.session_id for row in rows]


@computed_from("user_agent")
async def devices(ctx: Context, rows: Sequence[UserSession], arguments: Any) -> list[str]:
    """Browser and system of each session, as far as the browser says them."""
    return [device_of(row.user_agent) for row in rows]


@computed_from("last_used_at")
async def expiry_times(
    ctx: Context, rows: Sequence[UserSession], arguments: Any
) -> list[dt.datetime]:
    """When each session ends unless it is used again."""
    return [row.last_used_at + IDLE for row in rows]


async def end_session(ctx: Context, id: SessionId) -> User:
    """Sign out one of your browsers, at once; answers with you."""
    must_not_be_service(ctx)
    with finding_what_to_delete():
        session = await must(ctx, UserSession, id, lock=True)
    await ctx.session.delete(session)
    return await must(ctx, User, session.user_id)


async def end_other_sessions(ctx: Context) -> User:
    """Sign out all of your browsers but the one that asks; by a token, all. Answers with you.

    Links that are under way to you do not work any more.
    """
    must_not_be_service(ctx)
    user = await must(ctx, User, ctx.user_id)
    others = delete(UserSession).where(UserSession.user_id == user.id)
    if ctx.actor.session_id is not None:
        others = others.where(UserSession.id != ctx.actor.session_id)
    await ctx.session.execute(others)
    await ctx.session.execute(delete(SignInLink).where(SignInLink.user_id == user.id))
    return user


async def end_sessions_of(ctx: Context, email: str) -> int:
    """Sign out all browsers of the person with this address, for the operator; how many."""
    user = await accounts.find_account(ctx, email)
    sessions = delete(UserSession).where(UserSession.user_id == user.id)
    ended = (await ctx.session.execute(sessions.returning(UserSession.id))).all()
    await ctx.session.execute(delete(SignInLink).where(SignInLink.user_id == user.id))
    return len(ended)


@operation(audited=False)
async def forget_sign_ins(ctx: Context, now: dt.datetime) -> int:
    """Remove a portion of the sessions and links that have ended; how many, for the operator."""
    must_be_operator(ctx)
    count = 0
    for key, time, before in (
        (UserSession.id, UserSession.last_used_at, now - IDLE),
        (SignInLink.digest, SignInLink.expires_at, now),
    ):
        oldest = select(key).where(time <= before).order_by(time).limit(PORTION // 2)
        ended = delete(key.class_).where(key.in_(oldest))
        result = await ctx.session.execute(ended.execution_options(synchronize_session=False))
        count += result.rowcount
    return count
