"""Users, organizations and members."""

import datetime as dt

import strawberry

from db.enums import (
    CommunityType,
    OrganizationType,
    OrganizationUseCase,
    Role,
    TeamMemberRole,
)
from db.models import organizations as people, spaces as space_models
from resolvers import typed_fields
from resolvers.audit import entries as audit_entries
from resolvers.audit.entries import AuditArguments
from resolvers.change_requests import fields as change_request_lists
from resolvers.change_requests.fields import ChangeRequestArguments
from resolvers.core.pagination import PageArguments
from resolvers.core.scalars import JsonObject, Url
from resolvers.customization import fonts
from resolvers.events import fields as event_fields
from resolvers.events.fields import EventArguments
from resolvers.imports import runs
from resolvers.integrations import lists as integration_lists
from resolvers.integrations.lists import (
    IntegrationArguments,
    SearchArguments as IntegrationSearchArguments,
    TargetArguments,
)
from resolvers.jobs import operations as job_operations
from resolvers.jobs.operations import JobArguments
from resolvers.notifications import fields as notification_fields
from resolvers.notifications.fields import NotificationArguments
from resolvers.organizations import (
    agent_instructions,
    invitations,
    member_spaces,
    members,
    operations as organizations,
    team_members,
    teams,
    users,
)
from resolvers.organizations.invitations import InvitationArguments
from resolvers.organizations.member_spaces import MemberSpaceArguments
from resolvers.organizations.members import MemberArguments
from resolvers.organizations.operations import OrganizationArguments
from resolvers.organizations.team_members import MemberTeamArguments, TeamMemberArguments
from resolvers.organizations.teams import TeamArguments
from resolvers.search import groups as search_groups
from resolvers.search.operations import SearchArguments
from resolvers.sign_in import operations as sign_in
from resolvers.sign_on import closed, providers
from resolvers.sites import fields as site_fields
from resolvers.sites.fields import SiteArguments
from resolvers.spaces import collections as space_collections, fields as space_fields
from resolvers.spaces.collections import CollectionArguments
from resolvers.spaces.fields import SpaceArguments
from resolvers.specifications import operations as specifications
from resolvers.tokens import operations as tokens, service_accounts
from resolvers.translations import glossary, operations as translations
from resolvers.webhooks import operations as webhooks
from schema.node import Node
from schema.types.above import (
    AgentInstructions,
    ChangeRequest,
    Collection,
    CustomFont,
    Event,
    FeedToken,
    GlossaryEntry,
    ImportRun,
    Installation,
    InstalledIntegration,
    Integration,
    Invitation,
    Job,
    Notification,
    NotificationSettings,
    SamlProvider,
    ServiceAccount,
    Site,
    Space,
    SpaceNotificationLevel,
    Specification,
    Token,
    Translation,
    UserSession,
    Webhook,
)
from schema.types.audit import AuditEntry
from schema.types.search import SearchSpace
from schema.types.values import MergeRules
from schema.wiring import Connection, batch, column, itself, related, source_rows


@strawberry.type(
    description="An organization whose member signs on through its provider before it is open."
)
class OrganizationToSignOn:
    is_type_of = source_rows(closed.OrganizationToSignOn)
    organization_id: strawberry.ID = column("Id of the organization.")
    title: str = column("Its name.")
    sign_in_url: Url = strawberry.field(
        name="signInURL", description="The page where a browser begins to sign on."
    )


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
    organizations_to_sign_on: list[OrganizationToSignOn] = batch(
        closed.organizations_to_sign_on,
        "Organizations of the viewer that are closed to this session or token until they sign on "
        "through a provider of the organization, oldest first, at most 100; empty for other "
        "people.",
    )
    tokens: Connection[Token] = batch(
        tokens.tokens_of_users,
        "Tokens of the viewer that are not revoked, oldest first; empty for other people.",
        arguments=PageArguments,
    )
    audit_log: Connection[AuditEntry] = batch(
        audit_entries.audit_log_of_accounts,
        "What was done with the viewer's account, such as sign-ins and tokens, newest first; empty "
        "for other people.",
        arguments=AuditArguments,
    )
    events: Connection[Event] = batch(
        event_fields.events_of_accounts,
        "What has happened to the viewer's account in the last 30 days, in order; empty for other "
        "people.",
        arguments=EventArguments,
    )
    notifications: Connection[Notification] = batch(
        notification_fields.notifications_of_users,
        "What the viewer should know of, the newest first; empty for other people.",
        arguments=NotificationArguments,
    )
    unread_notifications: int = batch(
        notification_fields.unread_counts,
        "How many notifications of the viewer are unread, at most 1,000; 0 for other people.",
    )
    notification_settings: NotificationSettings | None = batch(
        notification_fields.settings_of_users,
        "What the viewer wants to be notified of; null for other people.",
    )
    notification_levels: Connection[SpaceNotificationLevel] = batch(
        notification_fields.levels_of_users,
        "Spaces in which the viewer wants to be notified of something else than in others, the "
        "oldest setting first; empty for other people.",
        arguments=PageArguments,
    )
    feed_tokens: Connection[FeedToken] = batch(
        notification_fields.feed_tokens_of_users,
        "Tokens of feeds of the viewer that are not revoked; empty for other people.",
        arguments=PageArguments,
    )
    sessions: Connection[UserSession] = batch(
        sign_in.sessions_of_users,
        "Browsers in which you are signed in, the one that was used last first; empty for other "
        "people.",
        arguments=PageArguments,
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
    invite_links: bool = column("Whether links by which people join work.")
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
    join_links: Connection[Invitation] | None = batch(
        invitations.links_to_organizations,
        "Links by which people join it with a role, oldest first; needs the role `admin`.",
        arguments=PageArguments,
    )
    invitations: Connection[Invitation] = batch(
        invitations.invitations_of_organizations,
        "Invitations to it and to what is in it, oldest first; those that you may change.",
        arguments=InvitationArguments,
    )
    teams: Connection["Team"] = batch(
        teams.teams_of_organizations,
        "Its teams, oldest first; guests see those that they are in.",
        arguments=TeamArguments,
    )
    service_accounts: Connection[ServiceAccount] = batch(
        service_accounts.service_accounts_of_organizations,
        "Its service accounts, oldest first; only administrators see them.",
        arguments=PageArguments,
    )
    saml_providers: Connection[SamlProvider] | None = batch(
        providers.saml_providers_of_organizations,
        "Providers through which people sign on to it, oldest first; for its administrators.",
        arguments=PageArguments,
    )
    audit_log: Connection[AuditEntry] | None = batch(
        audit_entries.audit_log_of_organizations,
        "Who did what in it, newest first; for its administrators. More than 10,000 entries are "
        "counted as 10,000.",
        arguments=AuditArguments,
    )
    jobs: Connection[Job] = batch(
        job_operations.jobs_of_organizations,
        "Jobs of it that you have started, newest first; for its administrators all.",
        arguments=JobArguments,
    )
    specifications: Connection[Specification] = batch(
        specifications.specifications_of_organizations,
        "Its OpenAPI specifications, oldest first.",
        arguments=PageArguments,
    )
    integrations: Connection[Integration] = batch(
        integration_lists.integrations_of_organizations,
        "What it may choose from: public integrations and its own, oldest first.",
        arguments=IntegrationArguments,
    )
    installations: Connection[Installation] = batch(
        integration_lists.installations_of_organizations,
        "What is installed in it, oldest first; only administrators see it.",
        arguments=IntegrationSearchArguments,
    )
    installed_integrations: Connection[InstalledIntegration] = batch(
        integration_lists.statuses_of_organizations,
        "How what is installed in it stands, oldest first.",
        arguments=TargetArguments,
    )
    webhooks: Connection[Webhook] = batch(
        webhooks.webhooks_of_organizations,
        "Endpoints that its events are sent to, oldest first; those that you administer.",
        arguments=PageArguments,
    )
    translations: Connection[Translation] = batch(
        translations.translations_of_organizations,
        "Translations of its spaces whose source and result you may read, oldest first.",
        arguments=PageArguments,
    )
    glossary: Connection[GlossaryEntry] = batch(
        glossary.entries_of_organizations,
        "Its glossary, oldest entries first.",
        arguments=PageArguments,
    )
    fonts: Connection[CustomFont] = batch(
        fonts.fonts_of_organizations, "Its fonts, oldest first.", arguments=PageArguments
    )
    agent_instructions: AgentInstructions = batch(
        agent_instructions.agent_instructions, "What it tells agents."
    )
    import_runs: Connection[ImportRun] = batch(
        runs.import_runs_of_organizations,
        "Import runs of it that you have started, newest first; for its administrators all.",
        arguments=PageArguments,
    )
    events: Connection[Event] = batch(
        event_fields.events_of_organizations,
        "What has happened in it in the last 30 days, of what the caller may read, in order. More "
        "than 10,000 events are counted as 10,000.",
        arguments=EventArguments,
    )
    spaces: Connection[Space] = batch(
        space_fields.spaces_of_organizations,
        "Its spaces that the caller may read, oldest first.",
        arguments=SpaceArguments,
    )
    collections: Connection[Collection] = batch(
        space_collections.collections_of_organizations,
        "Its collections that the caller may read, oldest first.",
        arguments=CollectionArguments,
    )
    sites: Connection[Site] = batch(
        site_fields.sites_of_organizations,
        "Its sites, oldest first.",
        arguments=SiteArguments,
    )
    change_requests: Connection[ChangeRequest] = batch(
        change_request_lists.change_requests_of_organizations,
        "Change requests of its spaces that the caller may read, newest first.",
        arguments=ChangeRequestArguments,
    )
    search: Connection[SearchSpace] = batch(
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
    user: User = related(people.User, "user_id", "The person.")
    organization: Organization = related(
        people.Organization, "organization_id", "The organization."
    )
    disabled: bool = column("A disabled member has no access at all.")
    sso: bool = column("Whether the person signs on through the organization's provider.")
    joined_at: dt.datetime = column("When the person joined.")
    last_seen_at: dt.datetime | None = column("When the person was last seen.")
    spaces: int = batch(
        members.member_space_counts,
        "Spaces with a grant for the person or a team of theirs; only those you may read.",
    )
    space_permissions: Connection["MemberSpace"] = batch(
        member_spaces.spaces_of_members,
        "All spaces that the person may read, oldest first, by whatever right; only those you may "
        "read.",
        arguments=MemberSpaceArguments,
    )
    teams: int = batch(members.member_team_counts, "Teams the person is in, those that you see.")
    team_memberships: Connection["TeamMember"] = batch(
        team_members.teams_of_members,
        "Teams of the organization that the person is in, oldest first; only those you may see.",
        arguments=MemberTeamArguments,
    )


@strawberry.type(description="A space that a member of its organization may read.")
class MemberSpace:
    permission: Role = column("The effective role of the person on the space.")
    space: Space = related(space_models.Space, "id", "The space.")


@strawberry.type(description="What the caller may do with a team.")
class TeamPermissions:
    admin: bool = column("Manage its members: its owners, and administrators.")
    view: bool = column("See it.")


@strawberry.type(description="Members of an organization who receive roles together.")
class Team(Node):
    is_type_of = source_rows(people.Team)
    title: str = column("Name, 1 to 64 characters.")
    organization: Organization = related(
        people.Organization, "organization_id", "The organization."
    )
    created_at: dt.datetime = column("When it was made.")
    members: Connection["TeamMember"] = batch(
        team_members.members_of_teams,
        "The people in it, by name; guests see themselves, unless they own the team.",
        arguments=TeamMemberArguments,
    )
    member_count: int = batch(teams.member_counts, "Number of people in it.")
    space_count: int = batch(
        teams.space_counts,
        "Spaces that it reaches, by grants on them or above them; only those you may read.",
    )
    permissions: TeamPermissions = batch(teams.team_permissions, "What the caller may do with it.")


@strawberry.type(description="What a person is in a team.")
class TeamMembership:
    role: TeamMemberRole = batch(team_members.team_roles, "Role in the team.")


@strawberry.type(description="What the caller may do with the entry of a person in a team.")
class TeamMemberPermissions:
    view: bool = column("See it.")


@strawberry.type(description="A member of an organization in one of its teams.")
class TeamMember:
    is_type_of = source_rows(people.TeamMember)
    user_id: strawberry.ID = column("Id of the person.")
    user: User = related(people.User, "user_id", "The person.")
    member: Member = batch(
        team_members.organization_members, "Their membership in the organization."
    )
    team: Team = related(people.Team, "team_id", "The team.")
    membership: TeamMembership = itself("What they are in the team.")
    permissions: TeamMemberPermissions = batch(
        team_members.team_member_permissions, "What the caller may do with this entry."
    )
