"""Users, organizations and members."""

import datetime as dt
from typing import TYPE_CHECKING, Annotated

import strawberry

from db.enums import CommunityType, OrganizationType, OrganizationUseCase, Role
from db.models import organizations as people
from resolvers import typed_fields
from resolvers.change_requests import fields as change_request_lists
from resolvers.change_requests.fields import ChangeRequestArguments
from resolvers.core.scalars import JsonObject, Url
from resolvers.lists.batches import by_key
from resolvers.organizations import members, operations as organizations, users
from resolvers.organizations.members import MemberArguments
from resolvers.organizations.operations import OrganizationArguments
from resolvers.search import groups as search_groups
from resolvers.search.operations import SearchArguments
from resolvers.sites import fields as site_fields
from resolvers.sites.fields import SiteArguments
from resolvers.spaces import collection_fields, fields as space_fields
from resolvers.spaces.collection_fields import CollectionArguments
from resolvers.spaces.fields import SpaceArguments
from schema.node import Node
from schema.types.values import MergeRules
from schema.wiring import Connection, batch, column, source_rows

if TYPE_CHECKING:
    from schema.types.change_requests import ChangeRequest
    from schema.types.search import SearchSpace
    from schema.types.sites.sites import Site
    from schema.types.spaces import Collection, Space


@strawberry.type(description="Addresses of a user.")
class UserUrls:
    location: Url = column("The user in /v1.")


@strawberry.type(description="A person with an account.")
class User(Node):
    is_type_of = source_rows(people.User)
    display_name: str = column("Name shown to others, 1 to 64 characters.")
    email: str | None = batch(
        users.user_emails, "Address; only for those who share an organization with the person."
    )
    photo_url: Url | None = strawberry.field(name="photoURL", description="Picture of the person.")
    created_at: dt.datetime = column("When the account was made.")
    urls: UserUrls = batch(users.user_urls, "Addresses of the user.")
    organizations: Connection["Organization"] = batch(
        organizations.organizations_of_users,
        "Organizations of the viewer, oldest first; empty for other people.",
        arguments=OrganizationArguments,
    )


@strawberry.type(description="Addresses of an organization.")
class OrganizationUrls:
    location: Url = column("The organization in /v1.")
    app: Url = column("The organization for people.")
    logo: Url | None = column("Picture of the organization.")


@strawberry.type(description="What the caller may do in an organization.")
class OrganizationPermissions:
    view: bool = column("See it.")
    admin: bool = column("Change its settings and its members.")
    own_team: bool = column("Manage at least one team.")
    create_content: bool = column("Create spaces, collections and sites.")
    create_open_api_spec: bool = strawberry.field(
        name="createOpenAPISpec", description="Create OpenAPI specifications."
    )
    ingest_conversations: bool = column("Always false: conversations are not part of this server.")
    view_billing: bool = column("Always false: there is no billing.")
    list_members: bool = column("List its members.")
    list_teams: bool = column("List its teams.")
    list_integrations: bool = column("List its integrations.")
    list_installations: bool = column("List its installations.")
    install_integration: bool = column("Install integrations.")


@strawberry.type(description="A site that an organization shows first.")
class SitePointer:
    type: str = column("Always `site`.")
    site: strawberry.ID = column("Id of the site.")


@strawberry.type(description="State of a trial; there are none on a self-hosted server.")
class Trial:
    status: str = column("Always `notapplicable`.")


@strawberry.type(description="The owner of spaces, collections and sites.")
class Organization(Node):
    is_type_of = source_rows(people.Organization)
    title: str = column("Name, 2 to 255 characters.")
    created_at: dt.datetime = column("When it was made.")
    email_domains: list[str] = column("Domains whose people may join.")
    hostname: str | None = column("Label of its default host, 3 to 32 characters.")
    type: OrganizationType = column("Kind of organization.")
    use_case: OrganizationUseCase | None = column("What it publishes.")
    community_type: CommunityType | None = column("Kind of community.")
    default_role: Role | None = column("Role of new members; null makes them guests.")
    default_content: SitePointer | None = batch(
        organizations.default_contents, "What it shows first."
    )
    sso: bool = column("Whether single sign-on is enforced.")
    ai: bool = column("Whether assistants may be used.")
    invite_links: bool = column("Whether invitation links work.")
    plan: str = batch(organizations.plans, "Always `internal`: nothing is gated by plans.")
    trial: Trial = batch(organizations.trials, "State of the trial.")
    merge_rules: JsonObject = column(
        "When change requests may be merged: `type` is `none`, or `rules` with a list `rules`."
    )
    typed_merge_rules: MergeRules = batch(typed_fields.merge_rules, "The same with types.")
    urls: OrganizationUrls = batch(organizations.organization_urls, "Its addresses.")
    permissions: OrganizationPermissions = batch(
        organizations.organization_permissions, "What the caller may do in it."
    )
    members: Connection["Member"] = batch(
        members.members_of_organizations,
        "Its members; guests see themselves only.",
        arguments=MemberArguments,
    )
    spaces: Connection[Annotated["Space", strawberry.lazy("schema.types.spaces")]] = batch(
        space_fields.spaces_of_organizations,
        "Its spaces that the caller may read, oldest first.",
        arguments=SpaceArguments,
    )
    collections: Connection[Annotated["Collection", strawberry.lazy("schema.types.spaces")]] = (
        batch(
            collection_fields.collections_of_organizations,
            "Its collections that the caller may read, oldest first.",
            arguments=CollectionArguments,
        )
    )
    sites: Connection[Annotated["Site", strawberry.lazy("schema.types.sites.sites")]] = batch(
        site_fields.sites_of_organizations,
        "Its sites, oldest first.",
        arguments=SiteArguments,
    )
    change_requests: Connection[
        Annotated["ChangeRequest", strawberry.lazy("schema.types.change_requests")]
    ] = batch(
        change_request_lists.change_requests_of_organizations,
        "Change requests of its spaces that the caller may read, newest first.",
        arguments=ChangeRequestArguments,
    )
    search: Connection[Annotated["SearchSpace", strawberry.lazy("schema.types.search")]] = batch(
        search_groups.search_organizations,
        "Its spaces in which a query finds pages, best first.",
        arguments=SearchArguments,
    )


@strawberry.type(description="A person's membership in an organization.")
class Member(Node):
    is_type_of = source_rows(people.Member)
    id: strawberry.ID = batch(members.member_ids, "Identifier of the membership; not in /v1.")
    user_id: strawberry.ID = column("Id of the person.")
    role: Role | None = column("Role in the organization; null for guests.")
    user: User = batch(by_key(people.User, "user_id"), "The person.", key="user_id")
    organization: Organization = batch(
        by_key(people.Organization, "organization_id"), "The organization.", key="organization_id"
    )
    disabled: bool = column("A disabled member has no access at all.")
    sso: bool = column("Whether the person signs on through the organization's provider.")
    joined_at: dt.datetime = column("When the person joined.")
    last_seen_at: dt.datetime | None = column("When the person was last seen.")
    spaces: int = batch(
        members.member_space_counts,
        "Spaces with a grant for the person or a team of theirs; only those you may read.",
    )
    teams: int = batch(members.member_team_counts, "Teams the person belongs to.")
