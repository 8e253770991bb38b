"""Who may sign in, and how."""

from sqlalchemy import select

from db.enums import SignInMethod
from db.models.organizations import ServiceAccount
from db.session import Session


async def may_sign_in_by(session: Session, user_id: str, method: SignInMethod) -> bool:
    """Whether a person may begin a session by this method."""
    # Service accounts are no people.
    service = select(ServiceAccount.id).where(ServiceAccount.id == user_id)
    return (await session.execute(service)).first() is None
