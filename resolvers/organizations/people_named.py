"""Members of an organization as callers name them: by id or by address."""

from collections.abc import Collection, Sequence

from sqlalchemy import func, literal, or_, select

from db.models.organizations import Member, User
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.email_addresses import forms_of
from resolvers.core.errors import NotFound

# An id or an address.
PERSON = inputs.Bounds(1, 320)


async def find_members(
    ctx: Context, organization_id: str, *, services: bool = False, **lists: Sequence[str]
) -> dict[str, Member]:
    """The membership of each person that one of the lists names; NotFound names the first who is
    unknown.

    The lists are those of an input, by their names there; otherwise as `members_among`.
    """
    names = {name for names in lists.values() for name in names}
    members = await members_among(ctx, organization_id, names, services=services)
    for list_name, list_names in lists.items():
        for name in list_names:
            if name not in members:
                raise NotFound(f"{list_name}: {name!r} is no member of the organization")
    return members


async def members_among(
    ctx: Context, organization_id: str, names: Collection[str], *, services: bool = False
) -> dict[str, Member]:
    """The membership of each of the people named who is a member.

    Addresses are compared whatever their capitals. Nobody removes or renames these people until
    the transaction ends. With `services`, service accounts are named by their ids as well.
    """
    if not names:
        return {}
    addresses = {form for name in names if "@" in name for form in forms_of(name)}
    statement = (
        select(Member, func.lower(User.email))
        .join(User, User.id == Member.user_id)
        .where(
            Member.organization_id == organization_id,
            or_(Member.user_id.in_(names), func.lower(User.email).in_(addresses)),
            or_(Member.service.is_(False), literal(services)),
        )
        .order_by(Member.user_id)
        .with_for_update(of=Member, key_share=True)
        .execution_options(populate_existing=True)
    )
    by_name: dict[str, Member] = {}
    for member, address in (await ctx.session.execute(statement)).all():
        by_name[member.user_id] = by_name[address] = member
    return {
        name: by_name[form] for name in names for form in (name, *forms_of(name)) if form in by_name
    }


async def named_users(ctx: Context, name: str) -> set[str]:
    """Ids of the people whom an id or an address names, members or not."""
    named = select(User.id).where(or_(User.id == name, func.lower(User.email).in_(forms_of(name))))
    return set((await ctx.session.execute(named)).scalars())
