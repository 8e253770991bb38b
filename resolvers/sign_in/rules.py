"""Who may sign in, and how."""

from db.enums import SignInMethod
from db.session import Session


async def may_sign_in_by(session: Session, user_id: str, method: SignInMethod) -> bool:
    """Whether a person may begin a session by this method."""
    return True
