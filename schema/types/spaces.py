"""Collections and spaces."""

import datetime as dt

import strawberry

from db.enums import DefaultLevel, EditMode, Language, Visibility
from db.models import content, organizations, spaces
from db.notification_enums import NotificationLevel
from resolvers import typed_fields
from resolvers.addresses import spaces as space_urls
from resolvers.change_requests import fields as change_request_lists
from resolvers.change_requests.fields import ChangeRequestArguments, ChangeRequestKey
from resolvers.comments import fields as comment_lists
from resolvers.comments.fields import CommentArguments
from resolvers.content import changes_within, pages_within
from resolvers.content.changes_within import ChangesArguments
from resolvers.content.pages_within import PageKey, PathKey
from resolvers.core.pagination import PageArguments
from resolvers.core.scalars import JsonObject, Url
from resolvers.git import fields as git
from resolvers.integrations import fields as integration_fields, lists as integration_lists
from resolvers.integrations.lists import SearchArguments as IntegrationSearchArguments
from resolvers.links import operations as content_links
from resolvers.links.rows import LinkArguments
from resolvers.lists.batches import visible_by_key
from resolvers.notifications import fields as notification_fields
from resolvers.organizations import invitations
from resolvers.pdf import operations as pdfs
from resolvers.pdf.operations import PdfArguments
from resolvers.permissions import grants, people as content_people, reasons
from resolvers.permissions.grants import GrantArguments
from resolvers.permissions.people import ContentPeopleArguments
from resolvers.permissions.reasons import EffectiveRoleArguments
from resolvers.revisions import history
from resolvers.search import operations as search
from resolvers.search.operations import SearchArguments
from resolvers.sites import fields as site_fields
from resolvers.sites.fields import SortedSites
from resolvers.spaces import collections as space_collections, fields as space_fields
from resolvers.spaces.collections import SortedCollections
from resolvers.spaces.fields import SortedSpaces
from resolvers.webhooks import operations as webhooks
from schema.node import Node
from schema.types.above import (
    ContentChanges,
    GitInfo,
    GitOperation,
    Integration,
    Invitation,
    Site,
    SpaceIntegrationBlocks,
    Webhook,
)
from schema.types.change_requests import ChangeRequest
from schema.types.comments import Comment
from schema.types.content.pages import Page, Pdf, Revision
from schema.types.links import ContentLink, LinkStats
from schema.types.organizations import Member, Organization
from schema.types.permissions import ContentPerson, EffectiveRole, TeamGrant, UserGrant
from schema.types.search import SearchPage
from schema.types.values import MergeRules
from schema.wiring import (
    Connection,
    batch,
    column,
    member_column,
    related,
    source_rows,
    visible_related,
)

POSITION = (
    "Its sort key: spaces and collections of one parent share one order, by the bytes of this."
)
LEVEL = "Role of everybody in it: null = no access, `INHERIT` = as in its parent."


@strawberry.type(description="Addresses of a collection.")
class CollectionUrls:
    location: Url = column("The collection in /v1.")
    app: Url = column("The collection for people.")


@strawberry.type(description="What the caller may do with a collection.")
class CollectionPermissions:
    view: bool = column("See it.")
    admin: bool = column("Change, move and delete it.")
    view_invite_links: bool = column("See its invitation links.")
    create: bool = column("Put spaces and collections into it.")


@strawberry.type(description="A folder of spaces and of other collections.")
class Collection(Node):
    is_type_of = source_rows(spaces.Collection)
    title: str = column("Name, at most 50 characters.")
    description: str | None = column("What it holds, at most 100 characters.")
    created_at: dt.datetime = column("When it was made.")
    default_level: DefaultLevel | None = column(LEVEL)
    position: str = column(POSITION)
    organization: Organization = related(
        organizations.Organization,
        "organization_id",
        "The organization that owns it.",
        required=True,
    )
    parent: "Collection | None" = batch(
        visible_by_key(spaces.Collection, "parent_id"),
        "The collection it is in; null at the top level, or if the caller may not see that one.",
    )
    collections: Connection["Collection"] = batch(
        space_collections.collections_of_collections,
        "Collections directly in it, in display order.",
        arguments=SortedCollections,
    )
    spaces: Connection["Space"] = batch(
        space_fields.spaces_of_collections,
        "Spaces directly in it, in display order.",
        arguments=SortedSpaces,
    )
    urls: CollectionUrls = batch(space_collections.collection_urls, "Its addresses.")
    permissions: CollectionPermissions = batch(
        space_collections.collection_permissions, "What the caller may do with it."
    )
    effective_role: EffectiveRole | None = batch(
        reasons.effective_roles_on_collections,
        "What you may do on it, or another person, and why; null for visitors of sites.",
        arguments=EffectiveRoleArguments,
    )
    people: Connection[ContentPerson] = batch(
        content_people.people_of_collections,
        "Everybody who may read it, by name, with their roles; guests see themselves only.",
        arguments=ContentPeopleArguments,
    )
    user_grants: Connection[UserGrant] | None = batch(
        grants.user_grants_of_collections,
        "What people were given on it itself, oldest first; needs the role `create` on it.",
        arguments=GrantArguments,
    )
    team_grants: Connection[TeamGrant] | None = batch(
        grants.team_grants_of_collections,
        "What teams were given on it itself, oldest first; needs the role `create` on it.",
        arguments=GrantArguments,
    )
    invitations: Connection[Invitation] | None = batch(
        invitations.invitations_to_collections,
        "Invitations and links to it itself, oldest first; needs the role `create` on it.",
        arguments=PageArguments,
    )


@strawberry.type(description="Addresses of a space.")
class SpaceUrls:
    location: Url = column("The space in /v1.")
    app: Url = column("The space for people.")
    published: Url | None = column("Where readers find it while it is on a published site.")
    public: Url | None = column("The same, if everybody may read it.")
    icon: Url | None = column("Picture shown instead of an emoji.")


@strawberry.type(description="What the caller may do with a space.")
class SpacePermissions:
    view: bool = column("See it.")
    access: bool = column("See it as a member, not only as a reader of a site.")
    admin: bool = column("Change its settings, move and delete it.")
    view_invite_links: bool = column("See its invitation links.")
    edit: bool = column("Edit its content directly; only while its edit mode is live.")
    trigger_git_sync: bool = column("Start a synchronisation with Git.")
    comment: bool = column("Write comments.")
    merge: bool = column("Merge change requests.")
    review: bool = column("Review change requests.")
    install_integration: bool = column("Install integrations on it.")


@strawberry.type(description="A container of pages and files.")
class Space(Node):
    is_type_of = source_rows(spaces.Space)
    title: str = column("Name, at most 50 characters.")
    emoji: str = column("An emoji, or its code points in hexadecimal.")
    visibility: Visibility = batch(
        space_fields.space_visibilities,
        "Who can see it: the widest audience of its published sites, else its members.",
    )
    notification_level: NotificationLevel | None = batch(
        notification_fields.levels_of_spaces,
        "What you want to be notified of in it; null = as your settings say for all spaces.",
    )
    created_at: dt.datetime = column("When it was made.")
    updated_at: dt.datetime = column("When it was last changed.")
    deleted_at: dt.datetime | None = column("When it was put into the bin.")
    edit_mode: EditMode = member_column(
        "edit_mode",
        "Whether its content is edited live or in change requests only.",
        to_visitors=space_fields.EDIT_MODE_OF_VISITORS,
    )
    default_level: DefaultLevel | None = member_column("default_level", LEVEL, to_visitors=None)
    language: Language | None = column("Language of its content.")
    merge_rules: JsonObject = member_column(
        "merge_rules",
        "When change requests may be merged: `type` is `inherit` (the organization's rules), "
        "`none`, or `rules` with a list `rules`.",
        to_visitors=space_fields.RULES_OF_VISITORS,
    )
    typed_merge_rules: MergeRules = batch(typed_fields.merge_rules, "The same with types.")
    position: str = column(POSITION)
    organization: Organization = related(
        organizations.Organization,
        "organization_id",
        "The organization that owns it.",
        required=True,
    )
    parent: Collection | None = batch(
        visible_by_key(spaces.Collection, "parent_id"),
        "The collection it is in; null at the top level, or if the caller may not see that one.",
    )
    revision: Revision | None = visible_related(
        content.Revision,
        "revision_id",
        "The active revision of its content; null while it is in the bin.",
    )
    revisions: Connection[Revision] = batch(
        history.revisions_of_spaces,
        "Revisions that its primary content was, as they were written, newest first.",
        arguments=PageArguments,
    )
    page: Page | None = batch(
        pages_within.page_of_spaces,
        "The page of its primary content with an id; null when there is none.",
        arguments=PageKey,
    )
    page_by_path: Page | None = batch(
        pages_within.page_by_path_of_spaces,
        "The document or group at a path of its primary content, or to which the path leads still; "
        "the landing page for the empty path.",
        arguments=PathKey,
    )
    changes: ContentChanges | None = batch(
        changes_within.changes_of_spaces,
        "What its active revision changed of its first parent, or of another revision.",
        arguments=ChangesArguments,
    )
    pdf: Pdf | None = batch(
        pdfs.space_pdfs,
        "A PDF of its content; null while it is in the bin.",
        arguments=PdfArguments,
    )
    git_sync: GitInfo | None = batch(
        git.git_infos, "What is known of the Git repository that it is synchronised with."
    )
    git_operations: Connection[GitOperation] = batch(
        git.operations_of_spaces,
        "Its Git operations of the last 30 days that you have started, newest first; for "
        "administrators of the organization all.",
        arguments=PageArguments,
    )
    comments_open: int = batch(
        space_fields.open_comment_counts, "Open comments on its content, without replies."
    )
    change_requests_total: int = batch(
        space_fields.change_request_counts, "Change requests of every status."
    )
    change_requests_open: int = batch(
        space_fields.open_change_request_counts, "Change requests with the status `OPEN`."
    )
    change_requests_draft: int = batch(
        space_fields.draft_change_request_counts, "Change requests with the status `DRAFT`."
    )
    urls: SpaceUrls = batch(space_urls.space_urls, "Its addresses.")
    permissions: SpacePermissions = batch(
        space_fields.space_permissions, "What the caller may do with it."
    )
    effective_role: EffectiveRole | None = batch(
        reasons.effective_roles_on_spaces,
        "What you may do on it, or another person, and why; null for visitors of sites.",
        arguments=EffectiveRoleArguments,
    )
    people: Connection[ContentPerson] = batch(
        content_people.people_of_spaces,
        "Everybody who may read it, by name, with their roles; guests see themselves only.",
        arguments=ContentPeopleArguments,
    )
    user_grants: Connection[UserGrant] | None = batch(
        grants.user_grants_of_spaces,
        "What people were given on it itself, oldest first; needs the role `create` on it.",
        arguments=GrantArguments,
    )
    team_grants: Connection[TeamGrant] | None = batch(
        grants.team_grants_of_spaces,
        "What teams were given on it itself, oldest first; needs the role `create` on it.",
        arguments=GrantArguments,
    )
    invitations: Connection[Invitation] | None = batch(
        invitations.invitations_to_spaces,
        "Invitations and links to it itself, oldest first; needs the role `create` on it.",
        arguments=PageArguments,
    )
    integrations: Connection[Integration] = batch(
        integration_lists.integrations_of_spaces,
        "What is installed on it, oldest first.",
        arguments=IntegrationSearchArguments,
    )
    integration_blocks: list[SpaceIntegrationBlocks] = batch(
        integration_fields.blocks_of_spaces, "The blocks that integrations offer in it."
    )
    webhooks: Connection[Webhook] = batch(
        webhooks.webhooks_of_spaces,
        "Endpoints that its events alone are sent to, oldest first; those that you administer.",
        arguments=PageArguments,
    )
    sites: Connection[Site] = batch(
        site_fields.sites_of_spaces,
        "Sites that it is placed on, oldest first.",
        arguments=SortedSites,
    )
    change_requests: Connection[ChangeRequest] = batch(
        change_request_lists.change_requests_of_spaces,
        "Its change requests, newest first.",
        arguments=ChangeRequestArguments,
    )
    change_request: ChangeRequest | None = batch(
        change_request_lists.change_request_of_spaces,
        "One of its change requests, by id or number; null when there is none.",
        arguments=ChangeRequestKey,
    )
    comments: Connection[Comment] = batch(
        comment_lists.comments_of_spaces,
        "Comments on the space itself, newest first.",
        arguments=CommentArguments,
    )
    commenters: Connection[Member] = batch(
        comment_lists.commenters_of_spaces,
        "Members who wrote comments or replies on the space itself, most recent first.",
        arguments=PageArguments,
    )
    search: Connection[SearchPage] = batch(
        search.search_spaces,
        "Pages that a query finds in its primary content, best first, at most 1000.",
        arguments=SearchArguments,
    )
    links: Connection[ContentLink] = batch(
        content_links.links_of_spaces,
        "What its primary content refers to, each thing once for each relation.",
        arguments=LinkArguments,
    )
    link_stats: LinkStats = batch(
        content_links.link_stats_of_spaces, "How many links its primary content has."
    )
