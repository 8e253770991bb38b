"""The address that is called when a site has changed, so that caches of a renderer are emptied."""

import datetime as dt
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import strawberry
from sqlalchemy import Integer, bindparam, select, update
from strawberry import Maybe

from db.enums import Role
from db.ids import random_text
from db.models.site_settings import PRIVATE_KEY_LENGTH, SiteRevalidation
from db.prepared import KEY
from fetching.errors import FetchError
from fetching.locations import read_location
from resolvers.access.policy import must_be_operator
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, SiteId
from resolvers.core.batch_functions import only
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import PreconditionFailed, invalid, invalid_at
from resolvers.core.scalars import Url
from resolvers.core.sealing import MARK, UnsealedError, marked, opened_mark
from resolvers.core.statements import Viewer, Written, statement
from resolvers.sites.operations import must_site


@strawberry.input(description="The address that is called when a site has changed.")
class SetSiteRevalidationInput:
    url: Maybe[Url | None] = inputs.field(
        "Where the renderer of the site takes calls: an http or https URL without credentials; "
        "null ends the calls and forgets the secret. It has to be given."
    )
    secret: Maybe[str] = inputs.text(
        "What calls are signed with, 20 to 128 printable ASCII characters; made by the server when "
        "absent at first, and as it was later.",
        min=20,
        max=128,
        pattern="[!-~]+",
        allowed="printable ASCII characters without blanks",
    )


@dataclass(frozen=True, slots=True)
class Revalidation:
    """Where a site's renderer is called, and how the last call ended."""

    url: str | None
    # Only in the answer to the write that has made it.
    secret: str | None = None
    updated_at: dt.datetime | None = None
    last_attempt_at: dt.datetime | None = None
    last_success_at: dt.datetime | None = None
    last_status: int | None = None
    last_error: str | None = None
    failures: int = 0


def _shown(row: SiteRevalidation, secret: str | None = None) -> Revalidation:
    return Revalidation(
        row.url, secret, row.updated_at, row.last_attempt_at, row.last_success_at,
        row.last_status, row.last_error, row.failures,
    )  # fmt: skip


@statement
def _stored(viewer: Viewer) -> Written:
    return select(SiteRevalidation).where(
        SiteRevalidation.site_id == bindparam("site_id", type_=KEY)
    )


async def get_site_revalidation(
    ctx: Context, id: SiteId, organization_id: InOrganization = None
) -> Revalidation:
    """The address that is called when a site has changed, and how the last call ended; needs the
    organization role `create`.
    """
    await must_site(ctx, id, organization_id, Role.CREATE, projection=only("id"))
    rows = await _stored.rows(ctx, site_id=id)
    return _shown(rows[0]) if rows else Revalidation(None)


async def set_site_revalidation(
    ctx: Context,
    id: SiteId,
    input: SetSiteRevalidationInput,
    organization_id: InOrganization = None,
) -> Revalidation:
    """Have an address called whenever a site has changed; needs the organization role `create`.
    The first call follows at once. The answer has the secret if this has made it; it is shown
    nowhere else.
    """
    row = await _locked(ctx, id, organization_id)
    if input.url is None:
        raise invalid("url", "is required; null ends the calls")
    url = input.url.value
    if url is None:
        if row is not None:
            await ctx.session.delete(row)
        return Revalidation(None)
    with invalid_at("url", FetchError):
        read_location(url)
    secret = None if input.secret is None else input.secret.value
    new_secret = random_text(PRIVATE_KEY_LENGTH) if secret is None and row is None else None
    before = None if row is None else (row.url, row.secret)
    if row is None:
        sealed = marked(ctx.sealer, secret or new_secret or "")
        row = SiteRevalidation(site_id=id, url=url, secret=sealed)
        ctx.session.add(row)
    elif secret is not None and secret != _opened(ctx, row):
        row.secret = marked(ctx.sealer, secret)
    if row.url != url:
        row.url = url
        row.failures, row.last_status, row.last_error = 0, None, None
        row.last_attempt_at = row.last_success_at = None
    if (row.url, row.secret) != before:
        row.updated_at = ctx.now()
    await ctx.session.flush()
    return _shown(row, new_secret)


async def regenerate_site_revalidation_secret(
    ctx: Context, id: SiteId, organization_id: InOrganization = None
) -> Revalidation:
    """Give a site a new secret for these calls, which is in the answer and nowhere else; needs the
    organization role `create`. PreconditionFailed while no address is set.
    """
    row = await _locked(ctx, id, organization_id)
    if row is None:
        raise PreconditionFailed("no address is called for this site; set one first")
    secret = random_text(PRIVATE_KEY_LENGTH)
    row.secret = marked(ctx.sealer, secret)
    row.updated_at = ctx.now()
    return _shown(row, secret)


def _opened(ctx: Context, row: SiteRevalidation) -> str | None:
    """The secret that a site has; None where another key has sealed it."""
    with suppress(UnsealedError):
        return opened_mark(ctx.sealer, row.secret)
    return None


# ------------------------------------------------------------------ secrets of before

# Rows that one portion seals.
PORTION = 100


@statement
def _plain(viewer: Viewer) -> Written:
    sealed = SiteRevalidation.secret.startswith(MARK, autoescape=True)
    return (
        select(SiteRevalidation.site_id, SiteRevalidation.secret)
        .where(~sealed)
        .order_by(SiteRevalidation.site_id)
        .limit(bindparam("most", type_=Integer()))
    )


async def plain_revalidation_secrets(ctx: Context) -> list[tuple[str, str]]:
    """Secrets that a version before this one has stored as they are, by their sites."""
    must_be_operator(ctx)
    return [(row.site_id, row.secret) for row in await _plain.rows(ctx, most=PORTION)]


@operation(audited=False)
async def seal_revalidation_secrets(ctx: Context, secrets: Sequence[tuple[str, str]]) -> None:
    """Seal secrets, where they have not been changed meanwhile."""
    must_be_operator(ctx)
    for id, secret in secrets:
        its = SiteRevalidation.site_id == id, SiteRevalidation.secret == secret
        change = update(SiteRevalidation).where(*its)
        await ctx.session.change(change.values(secret=marked(ctx.sealer, secret)))


async def _locked(ctx: Context, id: str, organization_id: str | None) -> SiteRevalidation | None:
    await must_site(ctx, id, organization_id, Role.CREATE, lock=True)
    return await ctx.session.get(SiteRevalidation, id, populate_existing=True)
