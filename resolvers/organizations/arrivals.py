"""People who come by an invitation and have no account yet: they get one, and are signed in."""

from dataclasses import dataclass

from db.enums import SignInMethod
from db.models.organizations import User
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import Forbidden
from resolvers.organizations.joining import create_invited_account
from resolvers.organizations.newcomers import create_account_by_link
from resolvers.sign_in.sessions import open_session


@dataclass(frozen=True, slots=True)
class Arrival:
    """A new account; the text for the cookie of its session, None where it has to sign on."""

    user: User
    secret: str | None

    @property
    def audited(self) -> User:
        """What the audit log names."""
        return self.user


@operation(open_to_all=True)
async def arrive_by_invitation(
    ctx: Context,
    secret: str,
    display_name: str,
    *,
    user_agent: str = "",
    replaces: str | None = None,
) -> Arrival:
    """Make the account of somebody who was invited by mail, and sign them in.

    As `create_invited_account`. Where the organization enforces single sign-on, they sign in
    through its provider. `user_agent` and `replaces` are those of `open_session`.
    """
    user = await create_invited_account(ctx, secret, display_name)
    return await _sign_in(ctx, user, user_agent, replaces)


@operation(open_to_all=True)
async def arrive_by_account_link(
    ctx: Context,
    secret: str,
    display_name: str,
    *,
    user_agent: str = "",
    replaces: str | None = None,
) -> Arrival:
    """Make the account of somebody who was sent a link to do so, and sign them in.

    As `create_account_by_link`, and otherwise as `arrive_by_invitation`.
    """
    user = await create_account_by_link(ctx, secret, display_name)
    return await _sign_in(ctx, user, user_agent, replaces)


async def _sign_in(ctx: Context, user: User, user_agent: str, replaces: str | None) -> Arrival:
    try:
        _, cookie = await open_session(
            ctx.session,
            user.id,
            SignInMethod.INVITATION,
            user_agent=user_agent,
            replaces=replaces,
            now=ctx.now(),
        )
    except Forbidden:
        return Arrival(user, None)
    return Arrival(user, cookie)
