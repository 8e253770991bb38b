"""Organizations that stay closed to an account for the way in which it has come.

An organization that enforces single sign-on is open to those who came through a provider of its
own. What another organization's provider says of somebody counts nowhere else, unless the operator
of the server trusts it. A session or a token knows how its bearer has come, so the rule is one for
both; the statement that finds them asks it, and the policy leaves out what is closed
(resolvers/access/ranks.py).
"""

from dataclasses import replace
from typing import Any

from sqlalchemy import (
    Select,
    String,
    and_,
    false,
    func,
    literal,
    literal_column,
    not_,
    or_,
    select,
    type_coerce,
)
from sqlalchemy.orm import aliased

from db.enums import Role, SignInMethod
from db.models.notifications import FeedToken
from db.models.organizations import Member, Organization, Token
from db.models.sign_in import UserSession
from db.models.sign_on import IS_ACTIVE, SamlProvider
from db.prepared import KEY
from db.session import Session
from resolvers.core.actors import SignIn
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden

# Between ids, which have none.
_SEPARATOR = ","
# Part of the text of the statement, which depends on no values.
_AS_TEXT: Any = literal_column(f"'{_SEPARATOR}'")


def _closed(user_id: Any, method: Any, provider_id: Any, provider_organization: Any) -> Select[str]:
    """Ids of the organizations that are closed to an account which has come that way."""
    provider = aliased(SamlProvider)
    by_saml = method == SignInMethod.SAML.value
    by_openid = method == SignInMethod.OPENID_CONNECT.value
    own = func.coalesce(provider_organization, "") == Organization.id
    # Administrators may come by every way, so that nobody is locked out.
    enforced = and_(Organization.sso.is_(True), Member.role != Role.ADMIN)
    active = select(SamlProvider.id).where(
        SamlProvider.organization_id == Organization.id, IS_ACTIVE
    )
    trusted = func.coalesce(provider.trusted, false())
    closed = or_(
        and_(by_saml, own, provider.id.is_(None), enforced),
        and_(by_saml, not_(own), or_(not_(trusted), enforced)),
        and_(by_openid, enforced, active.exists()),
        and_(not_(by_saml), not_(by_openid), enforced),
    )
    return (
        select(Member.organization_id)
        .join(Organization, Organization.id == Member.organization_id)
        .outerjoin(provider, provider.id == provider_id)
        .where(
            Member.user_id == user_id,
            Member.service.is_(False),
            Member.disabled.is_(False),
            closed,
        )
    )


def closed_column(row: type[UserSession] | type[Token] | type[FeedToken]) -> Any:
    """What `closed_of` reads, as a column of a statement that finds sessions or tokens."""
    method = func.coalesce(type_coerce(row.method, String()), "")
    closed = _closed(row.user_id, method, row.provider_id, row.provider_organization_id)
    joined = func.aggregate_strings(Member.organization_id, _AS_TEXT)
    return closed.with_only_columns(joined).correlate(row).scalar_subquery().label("closed")


def closed_of(row: Any) -> frozenset[str]:
    """The ids of the closed organizations in a row with that column."""
    return frozenset(row.closed.split(_SEPARATOR)) if row.closed else frozenset()


async def closed_organizations(session: Session, user_id: str, way: SignIn) -> frozenset[str]:
    """The ids of the organizations that are closed to an account which has come that way."""
    closed = _closed(
        user_id,
        literal("" if way.method is None else way.method.value),
        literal(way.provider_id or "", KEY),
        literal(way.provider_organization_id or "", KEY),
    )
    return frozenset((await session.execute(closed)).scalars())


async def close_to_joined(ctx: Context, organization_id: str) -> None:
    """Look anew at what is closed to the caller, who has joined an organization in this write.

    Forbidden where somebody else's provider says who they are: it must not join people to anything.
    """
    way = ctx.actor.sign_in
    await ctx.session.flush()
    closed = await closed_organizations(ctx.session, ctx.user_id, way)
    if way.method is SignInMethod.SAML and organization_id in closed:
        raise Forbidden(
            "you have signed on through a provider of another organization, which does not speak "
            "for you in this one: sign in another way"
        )
    ctx.actor = replace(ctx.actor, closed=closed)
