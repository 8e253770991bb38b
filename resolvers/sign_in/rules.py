"""Who may sign in, and how."""

from sqlalchemy import select

from db.models.organizations import Member, ServiceAccount
from db.session import Session
from resolvers.access.closed_organizations import closed_organizations
from resolvers.core.actors import SignIn


async def may_sign_in_by(session: Session, user_id: str, way: SignIn) -> bool:
    """Whether a person may begin a session that way.

    Who would find all of their organizations closed has to come another way.
    """
    # Service accounts are no people.
    service = select(ServiceAccount.id).where(ServiceAccount.id == user_id)
    if (await session.execute(service)).first() is not None:
        return False
    closed = await closed_organizations(session, user_id, way)
    if not closed:
        return True
    others = select(Member.organization_id).where(
        Member.user_id == user_id,
        Member.disabled.is_(False),
        Member.organization_id.not_in(closed),
    )
    return (await session.execute(others.limit(1))).first() is not None
