"""People: the caller, and those who share an organization with them."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

import strawberry
from sqlalchemy import update
from strawberry import Maybe

from db.enums import Role, TokenScope
from db.models.organizations import Member, TeamMember, User
from db.prepared import among
from db.text_order import sort_key
from resolvers.access.policy import must, must_not_be_service, visible
from resolvers.core import inputs
from resolvers.core.arguments import UserId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.scalars import Url
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.urls import Urls
from resolvers.lists.batches import ID, computed_from, reads

# With one of these a token reads who people are.
PEOPLE = {TokenScope.USER_READ, TokenScope.ORGANIZATION_MEMBERS_READ}


@strawberry.input(description="Changes to a user; absent fields stay as they are.")
class UpdateUserInput:
    display_name: Maybe[str] = inputs.text("Name shown to others.", min=1, max=64)
    photo_url: Maybe[Url | None] = inputs.field("Picture; null removes it.", name="photoURL")


@operation(one_statement=True)
async def get_viewer(ctx: Context, *, projection: Projection = ALL) -> User:
    """The person whose token is used."""
    must_not_be_service(ctx)
    return await must(ctx, User, ctx.user_id, projection=projection)


@operation(one_statement=True)
async def get_user(ctx: Context, id: UserId, *, projection: Projection = ALL) -> User:
    """A person who shares an organization with you."""
    return await must(ctx, User, id, projection=projection)


async def update_user(ctx: Context, id: UserId, input: UpdateUserInput) -> User:
    """Change your own name or picture."""
    must_not_be_service(ctx)
    user = await must(ctx, User, id, Role.ADMIN, lock=True)
    inputs.assign(user, input, "display_name", "photo_url")
    if input.display_name is not None:
        # Lists of members are sorted by it.
        key = sort_key(input.display_name.value)
        for model in (Member, TeamMember):
            memberships = update(model).where(model.user_id == user.id)
            await ctx.session.execute(memberships.values(name_key=key))
    return user


@statement
def _acquainted(viewer: Viewer) -> Written:
    return visible(viewer, User).where(among(User.id, "ids"))


@reads("id", "email")
async def user_emails(ctx: Context, rows: Sequence[User], arguments: Any) -> list[str | None]:
    """Addresses are for those who share an organization with the person, with a token that reads
    people."""
    if not PEOPLE & ctx.actor.scopes and ctx.actor.user_id is not None:
        return [None for _ in rows]
    ids = {row.id for row in rows}
    acquainted = {row.id for row in await _acquainted.rows(ctx, columns=ID, ids=ids)}
    return [row.email if row.id in acquainted else None for row in rows]


@computed_from("id")
async def user_urls(ctx: Context, rows: Sequence[User], arguments: Any) -> list[Urls]:
    """Where a person is found in /v1."""
    return [Urls(location=f"{ctx.settings.public_url}/v1/users/{row.id}") for row in rows]


def somebody() -> User:
    """The anonymous user that visitors of sites get in place of members."""
    return User(
        id="member",
        email="",
        display_name="A member",
        photo_url=None,
        created_at=dt.datetime(1970, 1, 1, tzinfo=dt.UTC),
    )
