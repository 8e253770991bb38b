"""Who may sign in, and how."""

from sqlalchemy import select

from db.enums import Role, SignInMethod
from db.models.organizations import Member, Organization, ServiceAccount
from db.models.sign_on import IS_ACTIVE, SamlProvider
from db.session import Session


async def may_sign_in_by(session: Session, user_id: str, method: SignInMethod) -> bool:
    """Whether a person may begin a session by this method.

    Members of an organization that enforces single sign-on come through one of its providers, or,
    while it has none that is active, through OpenID Connect. Its administrators may come by every
    way, so that nobody is locked out.
    """
    # Service accounts are no people.
    service = select(ServiceAccount.id).where(ServiceAccount.id == user_id)
    if (await session.execute(service)).first() is not None:
        return False
    # Whether the provider may sign this person on was decided with its answer.
    if method is SignInMethod.SAML:
        return True
    enforcing = (
        select(Organization.id)
        .join(Member, Member.organization_id == Organization.id)
        .where(
            Member.user_id == user_id,
            Member.disabled.is_(False),
            Member.role != Role.ADMIN,
            Organization.sso.is_(True),
        )
    )
    if method is SignInMethod.OPENID_CONNECT:
        providers = select(SamlProvider.id).where(
            SamlProvider.organization_id == Organization.id, IS_ACTIVE
        )
        enforcing = enforcing.where(providers.exists())
    return (await session.execute(enforcing.limit(1))).first() is None
