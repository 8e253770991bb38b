"""Signing on through a SAML provider: begin, take the provider's answer, and come in.

The answer arrives in a request of the provider's page, with which browsers send no cookie of ours.
So it is verified and put aside under a code, and the browser comes for it in a request of its own:
only the one that has begun is let in. Answers are noted in the database, so that none is taken
twice, by whatever process.
"""

import asyncio
import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, select

from db.enums import SignInMethod
from db.models.sign_in import UserSession
from db.models.sign_on import SamlProvider, SignOnAnswer
from db.prepared import KEY
from resolvers.access.policy import must_be_operator
from resolvers.access.tokens import digest, looks_like_secret, new_secret
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import Forbidden, NotFound
from resolvers.core.policy_asked import policy_was_asked
from resolvers.core.runners import read, run
from resolvers.core.statements import Viewer, Written, statement
from resolvers.sign_in.sessions import sign_in
from resolvers.sign_on import certificates, pending
from resolvers.sign_on.arrivals import arrive_at_organization
from resolvers.sign_on.identities import Identity
from resolvers.sign_on.providers import SamlService, is_active, service_of
from resolvers.sign_on.saml_answers import Expected, SamlAnswer
from resolvers.sign_on.saml_requests import metadata, sign_on_address

# An answer is kept for longer than what it answers is valid.
KEPT = 2 * pending.LIFETIME
# How long a browser takes to come for it.
_FETCHED_WITHIN = dt.timedelta(minutes=2)
PORTION = 1_000
# How long the browser keeps the cookie of a sign-on.
COOKIE_SECONDS = int(pending.LIFETIME.total_seconds())
_VERIFYING = asyncio.Semaphore(4)


@dataclass(frozen=True, slots=True)
class Departure:
    """Where the browser is sent to, and the cookie that it keeps meanwhile."""

    address: str
    cookie: str
    sealed: str


@dataclass(frozen=True, slots=True)
class Arrival:
    """A new session with the text of its cookie, where the person goes, and the cookie that is
    not needed any more."""

    row: UserSession
    secret: str
    next: str
    cookie: str


@statement
def _provider(viewer: Viewer) -> Written:
    return select(SamlProvider).where(SamlProvider.id == bindparam("id", type_=KEY))


@operation(open_to_all=True)
async def get_sign_on_provider(ctx: Context, provider_id: str) -> SamlProvider:
    """A provider for somebody who signs on; NotFound unless it is active."""
    policy_was_asked()
    rows = await _provider.rows(ctx, id=provider_id)
    if not rows or not is_active(rows[0]):
        raise NotFound("there is no such provider, or it signs nobody on at present")
    provider: SamlProvider = rows[0]
    return provider


@operation(open_to_all=True)
async def get_saml_metadata(ctx: Context, provider_id: str) -> str:
    """What a provider, also one that is pending, reads to know this server."""
    policy_was_asked()
    if not await _provider.rows(ctx, id=provider_id):
        raise NotFound("there is no such provider")
    return metadata(_service(ctx, provider_id))


@operation(open_to_all=True)
async def begin_saml_sign_on(ctx: Context, provider_id: str, next_path: str) -> Departure:
    """Begin to sign on through a provider; `next_path` is where the person goes afterwards."""
    provider = await get_sign_on_provider(ctx, provider_id)
    begun = pending.begin(provider.id, next_path)
    service = _service(ctx, provider.id)
    address = sign_on_address(provider.sso_url, service, begun.request_id, ctx.now())
    return Departure(address, begun.cookie, await pending.sealed(ctx, begun))


async def take_saml_answer(ctx: Context, provider_id: str, text: str) -> str:
    """Verify the answer of a provider and put it aside; the code under which it is found.

    Forbidden says what is wrong with it.
    """
    provider = await read(ctx, get_sign_on_provider, provider_id)
    service = _service(ctx, provider.id)
    await certificates.can_read()
    expected = Expected(
        provider.entity_id,
        certificates.read_certificates(provider.certificate),
        service.entity_id,
        service.acs_url,
    )
    async with _VERIFYING:
        answer = await asyncio.to_thread(_verified, text, expected, ctx.now())
    return await run(ctx, put_answer_aside, provider.id, answer)


def _verified(text: str, expected: Expected, now: dt.datetime) -> SamlAnswer:
    # Parsers and verifiers of XML take 10 MB, which few servers need; off the event loop.
    from resolvers.sign_on.saml_responses import verify_answer

    return verify_answer(text, expected, now)


@operation(open_to_all=True, audited=False)
async def put_answer_aside(ctx: Context, provider: str, answer: SamlAnswer) -> str:
    """Note a verified answer; Forbidden when one to the request, or it itself, was taken before."""
    policy_was_asked()
    used = digest(answer.assertion_id)
    taken = select(SignOnAnswer.id).where(
        SignOnAnswer.provider == provider,
        (SignOnAnswer.answer_digest == used) | (SignOnAnswer.request_id == answer.request_id),
    )
    if (await ctx.session.execute(taken)).first() is not None:
        raise Forbidden("the answer of the provider was taken already; begin anew")
    code = new_secret()
    ctx.session.add(
        SignOnAnswer(
            provider=provider,
            request_id=answer.request_id,
            answer_digest=used,
            code_digest=digest(code),
            email=answer.identity.email,
            display_name=answer.identity.display_name,
            expires_at=ctx.now() + KEPT,
        )
    )
    await ctx.session.flush()
    return code


@operation(open_to_all=True)
async def finish_saml_sign_on(
    ctx: Context,
    provider_id: str,
    code: str,
    cookies: Mapping[str, str],
    *,
    user_agent: str = "",
    replaces: str | None = None,
) -> Arrival:
    """Sign in whoever a provider's answer is about, in the browser that has asked for it.

    Forbidden in every other browser, for a code that was used, and for people who may not come in.
    """
    provider = await get_sign_on_provider(ctx, provider_id)
    answer = await _fetched(ctx, provider_id, code)
    begun = await pending.opened(ctx, provider_id, answer.request_id, cookies)
    user = await arrive_at_organization(ctx, provider, Identity(answer.email, answer.display_name))
    row, secret = await sign_in(
        ctx,
        user.id,
        SignInMethod.SAML,
        provider=provider,
        user_agent=user_agent,
        replaces=replaces,
    )
    return Arrival(row, secret, begun.next, begun.cookie)


async def _fetched(ctx: Context, provider_id: str, code: str) -> SignOnAnswer:
    """The answer under a code, which nobody fetches again."""
    answer: SignOnAnswer | None = None
    if looks_like_secret(code):
        named = select(SignOnAnswer).where(
            SignOnAnswer.code_digest == digest(code), SignOnAnswer.provider == provider_id
        )
        answer = (await ctx.session.execute(named.with_for_update())).scalars().first()
    if answer is None or answer.used_at is not None:
        raise Forbidden("this sign-on was finished already; begin anew")
    if ctx.now() > answer.expires_at - KEPT + _FETCHED_WITHIN:
        raise Forbidden("this sign-on took too long; begin anew")
    answer.used_at = ctx.now()
    return answer


def _service(ctx: Context, provider_id: str) -> SamlService:
    return service_of(ctx.settings.public_url, provider_id)


@operation(audited=False)
async def forget_answers(ctx: Context, now: dt.datetime) -> int:
    """Remove a portion of the answers that no request is waiting for any more; how many."""
    must_be_operator(ctx)
    old = select(SignOnAnswer.id).where(SignOnAnswer.expires_at < now).limit(PORTION)
    result = await ctx.session.execute(
        delete(SignOnAnswer).where(SignOnAnswer.id.in_(old)).returning(SignOnAnswer.id)
    )
    return len(result.all())


async def trust_provider(ctx: Context, provider_id: str, trusted: bool) -> SamlProvider:
    """Say whether a provider speaks for people of other organizations, too; for the operator."""
    must_be_operator(ctx)
    provider = await ctx.session.get(SamlProvider, provider_id, with_for_update=True)
    if provider is None:
        raise NotFound(f"there is no SAML provider {provider_id!r}")
    provider.trusted = trusted
    return provider
