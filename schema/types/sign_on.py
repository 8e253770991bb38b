"""Single sign-on: SAML providers of organizations, and the ways to sign on."""

import datetime as dt

import strawberry

from db.enums import Role, SamlProviderStatus
from db.models import organizations as people, sign_on as models
from resolvers.core.scalars import Url
from resolvers.sign_on import providers
from schema.node import Node
from schema.types.organizations import Organization, Team
from schema.wiring import batch, column, related, source_rows


@strawberry.type(description="What an identity provider needs to know of this server.")
class SamlService:
    acs_url: Url = strawberry.field(
        name="acsURL", description="Where it sends its answers (HTTP-POST binding)."
    )
    start_url: Url = strawberry.field(
        name="startURL", description="Where people begin to sign on through it."
    )
    entity_id: str = strawberry.field(
        name="entityID", description="The entity ID of this server; its metadata is found there."
    )


@strawberry.type(description="Addresses of a SAML provider.")
class SamlProviderUrls:
    location: Url = column("The provider in /v1.")


@strawberry.type(description="An identity provider that signs people on to an organization.")
class SamlProvider(Node):
    is_type_of = source_rows(models.SamlProvider)
    label: str = column("Its name on the page where people sign in, 1 to 30 characters.")
    sso_url: str = strawberry.field(
        name="ssoURL", description="Where people are sent to sign on; empty until it is set."
    )
    entity_id: str = strawberry.field(
        name="entityID", description="Its entity ID; empty until it is set."
    )
    certificate: str = column("What signs its answers, in PEM; empty until it is set.")
    status: SamlProviderStatus = batch(
        providers.saml_provider_statuses,
        "Whether it signs people on: `entityID`, `ssoURL` and `certificate` are there.",
    )
    default_team: Team | None = related(
        people.Team, "default_team_id", "The team of those who sign on for the first time."
    )
    default_role: Role | None = column(
        "Role of those who sign on for the first time; null makes them guests."
    )
    trusted: bool = column(
        "Whether it may sign on people who belong to other organizations as well; set by the "
        "operator of the server, until its entity ID, address or certificate changes."
    )
    created_at: dt.datetime = column("When it was added.")
    organization: Organization = related(
        people.Organization, "organization_id", "The organization."
    )
    service: SamlService = batch(providers.saml_services, "What it needs to know of this server.")
    urls: SamlProviderUrls = batch(providers.saml_provider_urls, "Its addresses.")


@strawberry.type(description="A way to sign on.")
class SignOnOption:
    provider_id: strawberry.ID = column("Id of the provider.", attribute="id")
    label: str = column("Its name.")
    start_url: Url = strawberry.field(name="startURL", description="Where it begins.")


@strawberry.type(description="The ways to sign on to an organization.")
class SignOnOptions:
    items: list[SignOnOption] = column("All of them.")
