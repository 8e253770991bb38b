"""Signing on through an OpenID Connect provider of the server: authorization code with PKCE."""

import base64
import hashlib
from collections.abc import Mapping
from urllib.parse import urlencode

from sqlalchemy import select

from db.enums import SignInMethod
from db.models.sign_on import SignOnAnswer
from resolvers.access.tokens import digest, new_secret
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import Forbidden, NotFound
from resolvers.core.openid_providers import OpenIdProvider
from resolvers.core.policy_asked import policy_was_asked
from resolvers.core.runners import read, run
from resolvers.sign_in.sessions import sign_in
from resolvers.sign_on import pending
from resolvers.sign_on.arrivals import arrive_at_server
from resolvers.sign_on.identities import Identity
from resolvers.sign_on.openid_tokens import OpenIdClient
from resolvers.sign_on.saml import KEPT, Arrival, Departure

_CODE_LENGTH = 4_000


def _provider(ctx: Context, name: str) -> OpenIdProvider:
    for provider in ctx.settings.openid_providers:
        if provider.name == name:
            return provider
    raise NotFound("there is no such provider")


def _redirect(ctx: Context, provider: OpenIdProvider) -> str:
    return f"{ctx.settings.public_url}/openid/{provider.name}/callback"


def _key(provider: OpenIdProvider) -> str:
    return f"openid:{provider.name}"


async def begin_openid_sign_on(
    ctx: Context, client: OpenIdClient, name: str, next_path: str
) -> Departure:
    """Begin to sign on through a provider; `next_path` is where the person goes afterwards."""
    provider = _provider(ctx, name)
    begun = pending.begin(_key(provider), next_path)
    settings = await client.discover(provider)
    challenge = hashlib.sha256(begun.verifier.encode()).digest()
    query = {
        "response_type": "code",
        "client_id": provider.client_id,
        "redirect_uri": _redirect(ctx, provider),
        "scope": "openid email profile",
        "state": begun.request_id,
        "nonce": begun.nonce,
        "code_challenge": base64.urlsafe_b64encode(challenge).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
    }
    separator = "&" if "?" in settings.authorization else "?"
    address = f"{settings.authorization}{separator}{urlencode(query)}"
    return Departure(address, begun.cookie, await read(ctx, seal, begun))


@operation(open_to_all=True)
async def seal(ctx: Context, begun: pending.PendingSignOn) -> str:
    """What the browser keeps until the provider sends it back."""
    policy_was_asked()
    return await pending.sealed(ctx, begun)


@operation(open_to_all=True)
async def find_begun(
    ctx: Context, provider: str, state: str, cookies: Mapping[str, str]
) -> pending.PendingSignOn:
    """The sign-on that this browser has begun; Forbidden for every other one."""
    policy_was_asked()
    return await pending.opened(ctx, provider, state, cookies)


async def finish_openid_sign_on(
    ctx: Context,
    client: OpenIdClient,
    name: str,
    query: Mapping[str, str],
    cookies: Mapping[str, str],
    *,
    user_agent: str = "",
    replaces: str | None = None,
) -> Arrival:
    """Sign in whom the provider has signed on; Forbidden says why not."""
    provider = _provider(ctx, name)
    begun = await read(ctx, find_begun, _key(provider), query.get("state", ""), cookies)
    # RFC 9207: an answer of another provider is not brought to this one.
    if query.get("iss", provider.issuer) != provider.issuer:
        raise Forbidden("the answer comes from another provider")
    if "error" in query:
        raise Forbidden(f"the provider did not sign you on ({query['error'][:60]!r})")
    code = query.get("code", "")
    if not 1 <= len(code) <= _CODE_LENGTH:
        raise Forbidden("the provider gives no code; begin anew")
    tokens = await client.exchange(provider, code, _redirect(ctx, provider), begun.verifier)
    identity = await client.identity(provider, tokens, begun.nonce)
    return await run(ctx, enter, begun, identity, user_agent=user_agent, replaces=replaces)


@operation(open_to_all=True)
async def enter(
    ctx: Context,
    begun: pending.PendingSignOn,
    identity: Identity,
    *,
    user_agent: str = "",
    replaces: str | None = None,
) -> Arrival:
    """Open the session of a person whom a provider of the server has signed on, once."""
    policy_was_asked()
    taken = select(SignOnAnswer.id).where(
        SignOnAnswer.provider == begun.provider, SignOnAnswer.request_id == begun.request_id
    )
    if (await ctx.session.execute(taken)).first() is not None:
        raise Forbidden("this sign-on was finished already; begin anew")
    user = await arrive_at_server(ctx, identity)
    ctx.session.add(
        SignOnAnswer(
            provider=begun.provider,
            request_id=begun.request_id,
            answer_digest=digest(begun.request_id),
            code_digest=digest(new_secret()),
            email=identity.email,
            display_name=identity.display_name,
            expires_at=ctx.now() + KEPT,
            used_at=ctx.now(),
        )
    )
    row, secret = await sign_in(
        ctx, user.id, SignInMethod.OPENID_CONNECT, user_agent=user_agent, replaces=replaces
    )
    return Arrival(row, secret, begun.next, begun.cookie)
