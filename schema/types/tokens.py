"""Tokens, and the service accounts that use them."""

import datetime as dt

import strawberry

from db.enums import Role, TokenScope
from db.models import organizations as people
from resolvers.core.pagination import PageArguments
from resolvers.tokens import operations as tokens, service_accounts
from schema.node import Node
from schema.types.organizations import Organization, User
from schema.wiring import Connection, batch, column, related, source_rows


@strawberry.type(description="A token with which an account calls; its text is never shown again.")
class Token(Node):
    is_type_of = source_rows(people.Token)
    label: str = column("What it is for, 1 to 50 characters.")
    scopes: list[TokenScope] = batch(
        tokens.token_scopes, "What it may be used for, within what its account may do."
    )
    created_at: dt.datetime = column("When it was made.")
    expires_at: dt.datetime | None = column("When it stops to work; null = when it is revoked.")
    last_used_at: dt.datetime | None = column(
        "When it was last used, written down within a minute; null = never."
    )
    revoked_at: dt.datetime | None = column("When it was revoked.")


@strawberry.type(description="A token was made.")
class CreateTokenPayload:
    token: Token = column("The token.")
    text: str = column(
        "What is sent as `Authorization: Bearer <text>`; keep it, it is not shown again."
    )


@strawberry.type(
    description="An account of an organization that is no person: programs work with its tokens."
)
class ServiceAccount:
    is_type_of = source_rows(people.ServiceAccount)
    user_id: strawberry.ID = column("Id of its account, by which it is named.", attribute="id")
    user: User = related(people.User, "id", "As what it stands where things name who made them.")
    organization: Organization = related(
        people.Organization, "organization_id", "The organization that it belongs to."
    )
    role: Role | None = batch(
        service_accounts.roles, "Role in the organization; null = only what it was granted."
    )
    disabled: bool = batch(
        service_accounts.disabled_ones, "A disabled service account has no access at all."
    )
    created_at: dt.datetime = column("When it was made.")
    tokens: Connection[Token] = batch(
        tokens.tokens_of_service_accounts,
        "Its tokens that are not revoked, oldest first.",
        arguments=PageArguments,
    )
