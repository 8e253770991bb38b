"""SAML providers of organizations: who signs their people on (docs/signing-on.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlsplit

import strawberry
from sqlalchemy import bindparam, func, select
from strawberry import Maybe

from db.enums import Role, SamlProviderStatus, TokenScope
from db.models.organizations import Organization, Team
from db.models.sign_on import IS_ACTIVE, SamlProvider
from db.prepared import KEY
from resolvers.access.policy import must, must_in
from resolvers.core import inputs
from resolvers.core.arguments import OfOrganization, OrganizationId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import ApiError, Conflict, invalid
from resolvers.core.pagination import PageArguments, Slice, by_id
from resolvers.core.policy_asked import policy_was_asked
from resolvers.core.scalars import Url
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.urls import Urls
from resolvers.lists.batches import computed_from, for_role, reads
from resolvers.lists.listings import Listing
from resolvers.organizations.locks import locked_organization, locked_part
from resolvers.sign_on.certificates import (
    LENGTH,
    can_read,
    certificate_warning,
    read_certificates,
)

PROVIDERS = 20
SamlProviderId = Annotated[
    strawberry.ID, strawberry.argument(description="Id of the SAML provider.")
]

_LABEL = inputs.Bounds(1, 30, r"\S(.*\S)?", "text of one line without spaces around it")
_LABEL_TEXT = "Its name on the page where people sign in."
_ENTITY_ID = "Its entity ID, as in its metadata"
_CERTIFICATE = (
    "What signs its answers: an X.509 certificate in PEM with or without armour, RSA with 2,048 "
    "bits or more or ECDSA. While it changes its key several, each with armour"
)
_SSO_URL = "Where people are sent to sign on (HTTP-Redirect binding)."
_TEAM = "Id of the team of those who sign on for the first time"
_ROLE = "Role of those who sign on for the first time; null makes them guests."


@strawberry.input(
    description="A SAML provider. It is pending, and signs nobody on, until `entityID`, `ssoURL` "
    "and `certificate` are there."
)
class CreateSamlProviderInput:
    label: str = inputs.field(_LABEL_TEXT, bounds=_LABEL, required=True)
    entity_id: Maybe[str] = inputs.field(
        f"{_ENTITY_ID}.", bounds=inputs.Bounds(maximum=1024), name="entityID"
    )
    certificate: Maybe[str] = inputs.text(f"{_CERTIFICATE}.", max=LENGTH)
    sso_url: Maybe[Url] = inputs.field(_SSO_URL, name="ssoURL")
    default_team: Maybe[strawberry.ID | None] = inputs.field(f"{_TEAM}.")
    default_role: Maybe[Role | None] = inputs.field(f"{_ROLE[:-1]}, as when it is absent.")


@strawberry.input(description="Changes to a SAML provider; absent fields stay as they are.")
class UpdateSamlProviderInput:
    label: Maybe[str] = inputs.field(_LABEL_TEXT, bounds=_LABEL)
    entity_id: Maybe[str] = inputs.field(
        f"{_ENTITY_ID}; empty text makes it pending.",
        bounds=inputs.Bounds(maximum=1024),
        name="entityID",
    )
    certificate: Maybe[str] = inputs.text(
        f"{_CERTIFICATE}; empty text makes it pending.", max=LENGTH
    )
    sso_url: Maybe[Url] = inputs.field(_SSO_URL, name="ssoURL")
    default_team: Maybe[strawberry.ID | None] = inputs.field(f"{_TEAM}; null for none.")
    default_role: Maybe[Role | None] = inputs.field(_ROLE)


listed_providers = Listing(
    "saml_providers_of_organizations",
    SamlProvider,
    SamlProvider.organization_id,
    by_id(SamlProvider),
    about="SAML providers of organizations.",
)


@reads("id", scope=TokenScope.ORGANIZATION_MEMBERS_READ)
async def saml_providers_of_organizations(
    ctx: Context,
    rows: Sequence[Organization],
    arguments: PageArguments,
    projection: Projection = ALL,
) -> list[Slice[SamlProvider] | ApiError]:
    """SAML providers of organizations, oldest first; needs the organization's role `admin`."""
    return await for_role(
        ctx, Organization, rows, Role.ADMIN,
        lambda allowed: listed_providers(ctx, allowed, arguments, projection),
    )  # fmt: skip


@operation(one_statement=True)
async def get_saml_provider(
    ctx: Context,
    id: SamlProviderId,
    organization_id: OfOrganization = None,
    *,
    projection: Projection = ALL,
) -> SamlProvider:
    """A SAML provider of an organization; only for its administrators."""
    return await must_in(ctx, SamlProvider, id, organization_id, projection=projection)


async def create_saml_provider(
    ctx: Context, organization_id: OrganizationId, input: CreateSamlProviderInput
) -> SamlProvider:
    """Add a SAML provider to an organization, which has at most 20; needs its role `admin`."""
    await locked_organization(ctx, organization_id, Role.ADMIN)
    provider = SamlProvider(
        organization_id=organization_id, label=input.label, created_at=ctx.now(), trusted=False
    )
    provider.entity_id = provider.sso_url = provider.certificate = ""
    provider.default_role, provider.default_team_id = None, None
    count = select(func.count()).where(SamlProvider.organization_id == organization_id)
    if (await ctx.session.execute(count)).scalar_one() >= PROVIDERS:
        raise Conflict(f"an organization has at most {PROVIDERS} SAML providers")
    await _assign(ctx, provider, input)
    ctx.session.add(provider)
    await ctx.session.flush()
    return provider


async def update_saml_provider(
    ctx: Context,
    id: SamlProviderId,
    input: UpdateSamlProviderInput,
    organization_id: OfOrganization = None,
) -> SamlProvider:
    """Change a SAML provider; needs the role `admin` in its organization.

    With another entity ID, address or certificate it is not trusted any more.
    """
    provider = await _locked_provider(ctx, id, organization_id)
    inputs.assign(provider, input, "label")
    await _assign(ctx, provider, input)
    return provider


async def delete_saml_provider(
    ctx: Context, id: SamlProviderId, organization_id: OfOrganization = None
) -> Deletion:
    """Remove a SAML provider: nobody signs on through it any more, and the people stay.

    Needs the role `admin` in its organization.
    """
    with finding_what_to_delete():
        provider = await _locked_provider(ctx, id, organization_id)
    await ctx.session.delete(provider)
    return Deletion(deleted_id=provider.id, organization_id=provider.organization_id)


async def _locked_provider(ctx: Context, id: str, organization_id: str | None) -> SamlProvider:
    """A provider, locked together with its organization, as teams and members are."""
    provider, _ = await locked_part(ctx, SamlProvider, id, organization_id, Role.ADMIN)
    return provider


async def _assign(
    ctx: Context, provider: SamlProvider, input: CreateSamlProviderInput | UpdateSamlProviderInput
) -> None:
    """Copy what is given, after a look at it."""
    if input.sso_url is not None:
        _check_address(input.sso_url.value)
    # Those that are stored are read, too, for what is said of them.
    await can_read()
    if input.certificate is not None and input.certificate.value:
        read_certificates(input.certificate.value)
    if input.default_team is not None:
        provider.default_team_id = None
        if (team_id := input.default_team.value) is not None:
            in_organization = Team.organization_id == provider.organization_id
            team = await must(ctx, Team, team_id, where=in_organization)
            provider.default_team_id = team.id
    identity = _identity(provider)
    inputs.assign(provider, input, "entity_id", "sso_url", "certificate", "default_role")
    if _identity(provider) != identity:
        # The operator trusted whoever held that key, and nobody else.
        provider.trusted = False


def _identity(provider: SamlProvider) -> tuple[str, str, str]:
    """Who it is that signs people on."""
    return provider.entity_id, provider.sso_url, provider.certificate


def _check_address(url: str) -> None:
    parts = urlsplit(url)
    if parts.fragment or parts.username or parts.password:
        raise invalid("ssoURL", "must have no fragment and no user in it")
    try:
        _ = parts.port
    except ValueError as error:
        raise invalid("ssoURL", "must have a port from 0 to 65535") from error


def expired_certificate(ctx: Context, provider: SamlProvider) -> str | None:
    """What to say beside the answer of a write about the certificate that was stored."""
    return certificate_warning(provider.certificate, ctx.now())


# ------------------------------------------------------------------ fields


def is_active(provider: SamlProvider) -> bool:
    """Whether all is there that it takes to sign people on."""
    return bool(provider.entity_id and provider.sso_url and provider.certificate)


@computed_from("entity_id", "sso_url", "certificate")
async def saml_provider_statuses(
    ctx: Context, rows: Sequence[SamlProvider], arguments: Any
) -> list[SamlProviderStatus]:
    """Whether each signs people on."""
    return [
        SamlProviderStatus.ACTIVE if is_active(row) else SamlProviderStatus.PENDING for row in rows
    ]


@computed_from("id", "organization_id")
async def saml_provider_urls(
    ctx: Context, rows: Sequence[SamlProvider], arguments: Any
) -> list[Urls]:
    """Where each is found in /v1."""
    base = f"{ctx.settings.public_url}/v1/orgs"
    return [Urls(location=f"{base}/{row.organization_id}/saml/{row.id}") for row in rows]


@dataclass(frozen=True, slots=True)
class SamlService:
    """What an identity provider needs to know of this server."""

    acs_url: str
    start_url: str
    entity_id: str


def service_of(public_url: str, provider_id: str) -> SamlService:
    """The service provider that this server is to one provider."""
    base = f"{public_url}/saml/{provider_id}"
    return SamlService(f"{base}/acs", f"{base}/start", f"{base}/metadata")


@computed_from("id")
async def saml_services(
    ctx: Context, rows: Sequence[SamlProvider], arguments: Any
) -> list[SamlService]:
    """What each provider needs to know of this server."""
    return [service_of(ctx.settings.public_url, row.id) for row in rows]


# ------------------------------------------------------------------ options


@dataclass(frozen=True, slots=True)
class SignOnOption:
    """One way to sign on: its name and the address that begins it."""

    id: str
    label: str
    start_url: str


@dataclass(frozen=True, slots=True)
class SignOnOptions:
    """All ways to sign on."""

    items: list[SignOnOption]


@statement
def _active_providers(viewer: Viewer) -> Written:
    return (
        select(SamlProvider.id, SamlProvider.label)
        .where(SamlProvider.organization_id == bindparam("organization_id", type_=KEY))
        .where(IS_ACTIVE)
        .order_by(SamlProvider.id)
        .limit(PROVIDERS)
    )


@operation(open_to_all=True)
async def get_sign_on_options(ctx: Context, organization_id: OrganizationId) -> SignOnOptions:
    """The active providers through which people sign on to an organization; needs no token.

    It is empty where there is no such organization, which looks like one without a provider.
    """
    policy_was_asked()
    rows = await _active_providers.rows(ctx, organization_id=organization_id)
    return SignOnOptions(
        [
            SignOnOption(row.id, row.label, service_of(ctx.settings.public_url, row.id).start_url)
            for row in rows
        ]
    )


# Organizations of a server whose sign-in page shows the providers of all.
FEW = 1


@statement
def _few_organizations(viewer: Viewer) -> Written:
    return select(Organization.id).order_by(Organization.id).limit(FEW + 1)


@operation(open_to_all=True)
async def get_server_sign_on_options(
    ctx: Context, organization_id: str | None = None
) -> SignOnOptions:
    """The ways to sign on that the sign-in page shows: those of an organization, or, without one,
    those of the only organization of the server; and those of the server itself."""
    policy_was_asked()
    own = SignOnOptions(
        [
            SignOnOption(
                f"openid:{provider.name}",
                provider.label,
                f"{ctx.settings.public_url}/openid/{provider.name}/start",
            )
            for provider in ctx.settings.openid_providers
        ]
    )
    if organization_id is None:
        rows = await _few_organizations.rows(ctx)
        if len(rows) != FEW:
            return own
        organization_id = rows[0].id
    options = await get_sign_on_options(ctx, strawberry.ID(organization_id))
    return SignOnOptions([*options.items, *own.items])
