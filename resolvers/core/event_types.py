"""The table of events: what each type is about, who may read it, which operations emit it.

docs/events.md is printed from it. Operations are named as the audit log names them; a test calls
each one and compares (tests/test_events.py). A type with `fields` has these beside what all have.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from db.audit_enums import AuditObjectType as Object
from db.enums import TokenScope as Scope
from db.event_enums import EventAudience as Audience, EventTopic as Topic, EventType as Type

# The edits of content; what else writes content is named beside them.
_EDITS = """
    apply_content_changes write_space_content write_change_request_content create_page update_page
    rename_page move_page delete_page revert_page create_file replace_file delete_file
    create_reusable_content update_reusable_content delete_reusable_content set_space_variables
    set_redirect delete_redirect
"""
_CONTENT = (
    f"{_EDITS} apply_template import_content import_git_commit roll_back_space "
    "finish_translation_run"
)
_PAGES = """
    apply_content_changes write_space_content write_change_request_content apply_template
    import_content import_git_commit roll_back_space merge_change_request pull_change_request
    resolve_conflict finish_translation_run
"""
_STRUCTURE = """
    update_site add_site_space update_site_space delete_site_space move_site_space
    sort_site_structure add_site_section update_site_section delete_site_section move_site_section
    add_site_section_group update_site_section_group delete_site_section_group
    move_site_section_group add_section_to_group remove_section_from_group publish_site
    purge_deleted_spaces
"""
_JOINING = """
    accept_invitation join_organization invite_users_to_organization add_member sign_on_by_saml
    sign_on_by_openid create_organization
"""
_GRANTS = """
    invite_to_space invite_to_collection update_user_permission_in_space
    update_user_permission_in_collection update_team_permission_in_space
    update_team_permission_in_collection
"""


@dataclass(frozen=True, slots=True)
class EventKind:
    """What is known of a type of events."""

    object: Object
    audience: Audience
    # What a token needs to read them.
    scope: Scope
    topics: tuple[Topic, ...]
    # The operations that may emit it.
    operations: frozenset[str]
    # Names of its own members beside those that all events have.
    fields: tuple[str, ...]


def _kind(
    object: Object,
    audience: Audience,
    scope: Scope,
    topics: tuple[Topic, ...],
    operations: str,
    *fields: str,
) -> EventKind:
    return EventKind(object, audience, scope, topics, frozenset(operations.split()), fields)


_SPACE = Object.SPACE, Audience.SPACE, Scope.SPACE_READ
_SPACE_TOPICS = Topic.SPACE, Topic.ORGANIZATION_SPACES
_PAGE = Object.PAGE, Audience.SPACE, Scope.SPACE_READ, (Topic.SPACE_CONTENT,)
_COLLECTION = (
    Object.COLLECTION,
    Audience.COLLECTION,
    Scope.SPACE_READ,
    (Topic.COLLECTION, Topic.ORGANIZATION_COLLECTIONS),
)
_REQUEST = Object.CHANGE_REQUEST, Audience.SPACE, Scope.SPACE_READ
_REQUEST_TOPICS = (
    Topic.SPACE_CHANGE_REQUEST,
    Topic.SPACE_CHANGE_REQUESTS,
    Topic.ORGANIZATION_CHANGE_REQUESTS,
)
_REVIEWS = (Topic.CHANGE_REQUEST_REVIEWS, Topic.SPACE_CHANGE_REQUEST)
_COMMENT = Object.COMMENT, Audience.SPACE, Scope.SPACE_READ, (Topic.SPACE_COMMENTS,)
_SITE = Object.SITE, Audience.SITE, Scope.SITE_READ
_SITE_TOPICS = Topic.SITE, Topic.ORGANIZATION_SITES, Topic.PUBLISHED_CONTENT_SITE
_SETTINGS = Object.SITE, Audience.MEMBERS
_SHARE_LINK = Object.SHARE_LINK, Audience.MEMBERS, Scope.SITE_AUTH_READ, (Topic.SITE_SHARE_LINKS,)
_MCP = Object.MCP_SERVER, Audience.MEMBERS, Scope.SITE_READ, (Topic.SITE_MCP_SERVERS,)
_HOSTNAME = (
    Object.CUSTOM_HOSTNAME,
    Audience.MEMBERS,
    Scope.SITE_READ,
    (Topic.CUSTOM_HOSTNAME, Topic.SUBDOMAIN),
)
_SPECIFICATION = (
    Object.SPECIFICATION,
    Audience.MEMBERS,
    Scope.OPENAPI_READ,
    (Topic.OPENAPI_SPEC, Topic.ORGANIZATION_OPENAPI_SPECS),
)
_WEBHOOK = Object.WEBHOOK, Audience.ADMINISTRATORS, Scope.WEBHOOK_READ, (Topic.WEBHOOKS,)
_TRANSLATION = (
    Object.TRANSLATION, Audience.SPACE, Scope.SPACE_READ, (Topic.ORGANIZATION_TRANSLATIONS,),
)  # fmt: skip
_INTEGRATION = (
    Object.INTEGRATION,
    Audience.MEMBERS,
    Scope.INTEGRATION_READ,
    (Topic.INTEGRATION, Topic.ORGANIZATION_INTEGRATIONS),
)
_INSTALLATION = (
    Object.INSTALLATION,
    Audience.ADMINISTRATORS,
    Scope.INTEGRATION_INSTALLATIONS_READ,
    (Topic.INTEGRATION_INSTALLATION, Topic.ORGANIZATION_INSTALLATIONS),
)
_MEMBER = (
    Object.MEMBER,
    Audience.MEMBERS,
    Scope.ORGANIZATION_MEMBERS_READ,
    (Topic.ORGANIZATION_MEMBERS,),
)
_TEAM = Object.TEAM, Audience.TEAM, Scope.ORGANIZATION_MEMBERS_READ, (Topic.ORGANIZATION_TEAMS,)
_TEAM_MEMBER = (
    Object.TEAM,
    Audience.TEAM,
    Scope.ORGANIZATION_MEMBERS_READ,
    (Topic.ORGANIZATION_TEAM_MEMBERS,),
)
_INVITATION = (
    Object.INVITATION,
    Audience.MANAGERS,
    Scope.ORGANIZATION_MEMBERS_READ,
    (Topic.ORGANIZATION_INVITATIONS,),
)
_SAML = (
    Object.SIGN_ON_PROVIDER,
    Audience.ADMINISTRATORS,
    Scope.ORGANIZATION_READ,
    (Topic.ORGANIZATION_SAML,),
)
_SERVICE = (
    Object.SERVICE_ACCOUNT,
    Audience.ADMINISTRATORS,
    Scope.ORGANIZATION_MEMBERS_READ,
    (Topic.ORGANIZATION_SERVICE_ACCOUNTS,),
)
# Those of a person are for the person, those of a service account for administrators.
_TOKEN = (
    Object.TOKEN,
    Audience.ACCOUNT,
    Scope.USER_READ,
    (Topic.USER_API_TOKENS, Topic.ORGANIZATION_SERVICE_ACCOUNTS),
)
_GRANT = Object.SPACE, Audience.MANAGERS, Scope.SPACE_PERMISSIONS_READ, (Topic.PERMISSIONS,)
_GRANT_FIELDS = "userId", "teamId"
_ORGANIZATION = (
    Object.ORGANIZATION, Audience.MEMBERS, Scope.ORGANIZATION_READ, (Topic.ORGANIZATION,),
)  # fmt: skip

_KINDS = {
    Type.ORGANIZATION_CREATED: _kind(*_ORGANIZATION, "create_organization"),
    Type.ORGANIZATION_UPDATED: _kind(
        Object.ORGANIZATION, Audience.MEMBERS, Scope.ORGANIZATION_READ,
        (Topic.ORGANIZATION, Topic.SUBDOMAIN), "update_organization", "changed",
    ),
    Type.MEMBER_ADDED: _kind(*_MEMBER, _JOINING, "userId"),
    Type.MEMBER_UPDATED: _kind(
        *_MEMBER, f"update_member set_sso_member {_JOINING}", "userId", "changed"
    ),
    Type.MEMBER_REMOVED: _kind(*_MEMBER, "remove_member", "userId"),
    Type.TEAM_CREATED: _kind(*_TEAM, "create_team", "teamId"),
    Type.TEAM_UPDATED: _kind(*_TEAM, "update_team", "teamId", "changed"),
    Type.TEAM_DELETED: _kind(*_TEAM, "delete_team", "teamId"),
    Type.TEAM_MEMBER_ADDED: _kind(
        *_TEAM_MEMBER, f"create_team update_team_members set_team_member {_JOINING}",
        "teamId", "userId",
    ),
    Type.TEAM_MEMBER_UPDATED: _kind(
        *_TEAM_MEMBER, "update_team_members set_team_member", "teamId", "userId", "changed"
    ),
    Type.TEAM_MEMBER_REMOVED: _kind(
        *_TEAM_MEMBER, "update_team_members remove_team_member delete_team remove_member",
        "teamId", "userId",
    ),
    Type.INVITATION_CREATED: _kind(
        *_INVITATION,
        "invite_users_to_organization create_organization_invite invite_to_space "
        "invite_to_collection",
    ),
    Type.INVITATION_UPDATED: _kind(
        *_INVITATION,
        "update_invitation resend_invitation invite_users_to_organization invite_to_space "
        "invite_to_collection delete_collection",
        "changed",
    ),
    Type.INVITATION_ACCEPTED: _kind(*_INVITATION, _JOINING, "userId"),
    Type.INVITATION_DELETED: _kind(
        *_INVITATION,
        "delete_invitation transfer_space transfer_collection delete_collection remove_member "
        "forget_invitations invite_users_to_organization invite_to_space invite_to_collection",
    ),
    Type.SAML_PROVIDER_CREATED: _kind(*_SAML, "create_saml_provider"),
    Type.SAML_PROVIDER_UPDATED: _kind(*_SAML, "update_saml_provider delete_team", "changed"),
    Type.SAML_PROVIDER_DELETED: _kind(*_SAML, "delete_saml_provider"),
    Type.SERVICE_ACCOUNT_CREATED: _kind(*_SERVICE, "create_service_account", "userId"),
    Type.SERVICE_ACCOUNT_UPDATED: _kind(*_SERVICE, "update_service_account", "userId", "changed"),
    Type.SERVICE_ACCOUNT_DELETED: _kind(*_SERVICE, "delete_service_account", "userId"),
    Type.TOKEN_CREATED: _kind(*_TOKEN, "create_token create_service_token", "userId"),
    Type.TOKEN_REVOKED: _kind(
        *_TOKEN, "revoke_token delete_service_account remove_member", "userId"
    ),
    Type.PERMISSION_ADDED: _kind(
        *_GRANT,
        f"{_GRANTS} {_JOINING} create_space create_collection move_space move_collection "
        "duplicate_space",
        *_GRANT_FIELDS,
    ),
    Type.PERMISSION_UPDATED: _kind(*_GRANT, f"{_GRANTS} {_JOINING}", *_GRANT_FIELDS, "changed"),
    Type.PERMISSION_REMOVED: _kind(
        *_GRANT,
        f"{_GRANTS} remove_user_from_space remove_team_from_space remove_user_from_collection "
        "remove_team_from_collection delete_team remove_member delete_collection transfer_space "
        "transfer_collection delete_service_account",
        *_GRANT_FIELDS,
    ),
    Type.COLLECTION_CREATED: _kind(*_COLLECTION, "create_collection"),
    Type.COLLECTION_UPDATED: _kind(*_COLLECTION, "update_collection", "changed"),
    Type.COLLECTION_MOVED: _kind(*_COLLECTION, "move_collection delete_collection"),
    Type.COLLECTION_TRANSFERRED: _kind(*_COLLECTION, "transfer_collection", "newOrganizationId"),
    Type.COLLECTION_DELETED: _kind(*_COLLECTION, "delete_collection"),
    Type.SPACE_CREATED: _kind(
        *_SPACE, _SPACE_TOPICS, "create_space duplicate_space create_translation"
    ),
    Type.SPACE_UPDATED: _kind(
        *_SPACE, (*_SPACE_TOPICS, Topic.PUBLISHED_CONTENT_SITE),
        "update_space create_site update_site add_site_space publish_site add_site_section "
        "import_git_repository export_to_git_repository delete_legacy_git_installation "
        "set_git_configuration delete_git_configuration",
        "changed",
    ),
    Type.SPACE_VISIBILITY_UPDATED: _kind(
        *_SPACE, (*_SPACE_TOPICS, Topic.PUBLISHED_CONTENT_SITE),
        "publish_site unpublish_site update_site delete_site add_site_space delete_site_space "
        "add_site_section delete_site_section move_space "
        "delete_collection transfer_space",
        "visibility", "previousVisibility",
    ),
    Type.SPACE_MOVED: _kind(
        *_SPACE, _SPACE_TOPICS, "move_space delete_collection transfer_collection restore_space"
    ),
    Type.SPACE_TRANSFERRED: _kind(
        *_SPACE, _SPACE_TOPICS, "transfer_space transfer_collection", "newOrganizationId"
    ),
    Type.SPACE_DELETED: _kind(*_SPACE, _SPACE_TOPICS, "delete_space"),
    Type.SPACE_RESTORED: _kind(*_SPACE, _SPACE_TOPICS, "restore_space"),
    Type.SPACE_PURGED: _kind(*_SPACE, _SPACE_TOPICS, "purge_deleted_spaces"),
    Type.SPACE_CONTENT_UPDATED: _kind(
        *_SPACE, (Topic.SPACE_CONTENT, Topic.PUBLISHED_CONTENT_SITE),
        f"{_CONTENT} merge_change_request", "revisionId",
    ),
    Type.PAGE_CREATED: _kind(
        *_PAGE, f"{_PAGES} create_page revert_page", "pageId", "changeRequestId", "revisionId"
    ),
    Type.PAGE_UPDATED: _kind(
        *_PAGE,
        f"{_PAGES} {_EDITS}",
        "pageId", "changeRequestId", "revisionId",
    ),
    Type.PAGE_MOVED: _kind(
        *_PAGE, f"{_PAGES} create_page move_page delete_page revert_page",
        "pageId", "changeRequestId", "revisionId",
    ),
    Type.PAGE_DELETED: _kind(
        *_PAGE, f"{_PAGES} delete_page revert_page", "pageId", "changeRequestId", "revisionId"
    ),
    Type.IMPORT_COMPLETED: _kind(
        Object.SPACE, Audience.SPACE, Scope.SPACE_READ, (Topic.IMPORT_RUN,),
        "import_content import_git_commit",
        "changeRequestId", "revisionId",
    ),
    Type.SPACE_GITSYNC_STARTED: _kind(
        *_SPACE, (Topic.SPACE_GITSYNC_OPERATION,), "begin_git_operation", "revisionId", "commitId",
    ),
    Type.SPACE_GITSYNC_COMPLETED: _kind(
        *_SPACE, (Topic.SPACE_GITSYNC_OPERATION,),
        "import_git_commit record_git_export end_git_operation",
        "revisionId", "commitId", "state",
    ),
    Type.CHANGE_REQUEST_CREATED: _kind(*_REQUEST, _REQUEST_TOPICS, "create_change_request"),
    Type.CHANGE_REQUEST_UPDATED: _kind(
        *_REQUEST, (*_REQUEST_TOPICS, Topic.SPACE_CONTENT),
        f"{_CONTENT} update_change_request pull_change_request merge_change_request "
        "resolve_conflict request_reviewers",
        "changed", "revisionId",
    ),
    Type.CHANGE_REQUEST_OPENED: _kind(
        *_REQUEST, _REQUEST_TOPICS, "update_change_request request_reviewers"
    ),
    Type.CHANGE_REQUEST_ARCHIVED: _kind(*_REQUEST, _REQUEST_TOPICS, "update_change_request"),
    Type.CHANGE_REQUEST_MERGED: _kind(
        *_REQUEST, _REQUEST_TOPICS, "merge_change_request", "revisionId"
    ),
    Type.CHANGE_REQUEST_CONFLICTED: _kind(
        *_REQUEST, _REQUEST_TOPICS, "pull_change_request merge_change_request", "conflicts"
    ),
    Type.REVIEW_REQUESTED: _kind(*_REQUEST, _REVIEWS, "request_reviewers", "userId"),
    Type.REVIEW_REQUEST_WITHDRAWN: _kind(
        *_REQUEST, _REVIEWS, "withdraw_review_request remove_member", "userId"
    ),
    Type.REVIEW_SUBMITTED: _kind(
        Object.REVIEW, Audience.SPACE, Scope.SPACE_READ, _REVIEWS, "submit_review",
        "userId", "reviewId", "status",
    ),
    Type.COMMENT_CREATED: _kind(*_COMMENT, "post_comment submit_review", "commentId"),
    Type.COMMENT_UPDATED: _kind(*_COMMENT, "update_comment", "commentId"),
    Type.COMMENT_RESOLVED: _kind(*_COMMENT, "update_comment", "commentId"),
    Type.COMMENT_REOPENED: _kind(*_COMMENT, "update_comment", "commentId"),
    Type.COMMENT_DELETED: _kind(*_COMMENT, "delete_comment", "commentId"),
    Type.COMMENT_REPLY_CREATED: _kind(*_COMMENT, "reply_to_comment", "commentId", "parentId"),
    Type.COMMENT_REPLY_UPDATED: _kind(*_COMMENT, "update_comment_reply", "commentId", "parentId"),
    Type.COMMENT_REPLY_DELETED: _kind(*_COMMENT, "delete_comment_reply", "commentId", "parentId"),
    Type.COMMENT_REACTIONS_UPDATED: _kind(
        *_COMMENT, "add_reaction remove_reaction update_comment update_comment_reply", "commentId"
    ),
    Type.SITE_CREATED: _kind(*_SITE, _SITE_TOPICS, "create_site"),
    Type.SITE_UPDATED: _kind(
        *_SITE, (*_SITE_TOPICS, Topic.SUBDOMAIN), "update_site publish_site unpublish_site "
        "set_custom_hostname delete_custom_hostname", "changed",
    ),
    Type.SITE_PUBLISHED: _kind(*_SITE, _SITE_TOPICS, "publish_site update_site create_site"),
    Type.SITE_UNPUBLISHED: _kind(*_SITE, _SITE_TOPICS, "unpublish_site update_site"),
    Type.SITE_DELETED: _kind(*_SITE, _SITE_TOPICS, "delete_site"),
    Type.SITE_STRUCTURE_UPDATED: _kind(
        *_SITE, (Topic.SITE_STRUCTURE, Topic.PUBLISHED_CONTENT_SITE), _STRUCTURE
    ),
    Type.SITE_CUSTOMIZATION_UPDATED: _kind(
        *_SITE, (Topic.SITE_CUSTOMIZATION, Topic.PUBLISHED_CONTENT_SITE),
        "replace_site_customization",
    ),
    Type.SITE_SPACE_CUSTOMIZATION_UPDATED: _kind(
        *_SITE, (Topic.SITE_SPACE_CUSTOMIZATION, Topic.PUBLISHED_CONTENT_SITE),
        "override_site_space_customization delete_site_space_customization", "siteSpaceId",
    ),
    Type.SITE_REDIRECTS_UPDATED: _kind(
        *_SETTINGS, Scope.SITE_READ, (Topic.SITE_REDIRECTS,),
        "create_site_redirect update_site_redirect delete_site_redirect write_site_redirects",
    ),
    Type.SITE_SHARE_LINK_CREATED: _kind(*_SHARE_LINK, "create_share_link"),
    Type.SITE_SHARE_LINK_UPDATED: _kind(*_SHARE_LINK, "update_share_link", "changed"),
    Type.SITE_SHARE_LINK_DELETED: _kind(*_SHARE_LINK, "delete_share_link"),
    Type.SITE_PUBLISHING_AUTH_UPDATED: _kind(
        *_SETTINGS, Scope.SITE_AUTH_READ, (Topic.SITE_PUBLISHING_AUTH,),
        "update_site_publishing_auth regenerate_site_publishing_auth create_site update_site "
        "publish_site",
        "changed",
    ),
    Type.SITE_ADAPTIVE_SCHEMA_UPDATED: _kind(
        *_SETTINGS, Scope.SITE_READ, (Topic.SITE_ADAPTIVE_SCHEMA,), "update_adaptive_schema",
    ),
    Type.SITE_REVALIDATION_UPDATED: _kind(
        *_SETTINGS, Scope.SITE_AUTH_READ, (Topic.SITE_PUBLISHING_AUTH,),
        "set_site_revalidation regenerate_site_revalidation_secret", "changed",
    ),
    Type.SITE_MCP_SERVER_CREATED: _kind(*_MCP, "create_site_mcp_server"),
    Type.SITE_MCP_SERVER_UPDATED: _kind(*_MCP, "update_site_mcp_server", "changed"),
    Type.SITE_MCP_SERVER_DELETED: _kind(*_MCP, "delete_site_mcp_server"),
    Type.CUSTOM_HOSTNAME_CREATED: _kind(*_HOSTNAME, "set_custom_hostname"),
    Type.CUSTOM_HOSTNAME_UPDATED: _kind(
        *_HOSTNAME, "set_custom_hostname recheck_custom_hostname", "changed"
    ),
    Type.CUSTOM_HOSTNAME_DELETED: _kind(*_HOSTNAME, "delete_custom_hostname set_custom_hostname"),
    Type.NOTIFICATION_CREATED: _kind(
        Object.NOTIFICATION, Audience.ACCOUNT, Scope.USER_READ, (Topic.USER_NOTIFICATIONS,),
        "notify_of_events", "userId",
    ),
    Type.NOTIFICATIONS_MARKED: _kind(
        Object.USER, Audience.ACCOUNT, Scope.USER_READ, (Topic.USER_NOTIFICATIONS,),
        "mark_notifications_read mark_notifications_unread", "userId",
    ),
    Type.SITE_VIEW: _kind(
        Object.SITE, Audience.MEMBERS, Scope.SITE_INSIGHTS_READ, (Topic.SITE_VIEWS,),
        "record_views", "views", "pages",
    ),
    Type.PAGE_FEEDBACK: _kind(
        Object.SITE, Audience.MEMBERS, Scope.SITE_INSIGHTS_READ, (Topic.SITE_FEEDBACK,),
        "track_insights_events", "pageId", "rating",
    ),
    Type.OPENAPI_SPEC_CREATED: _kind(*_SPECIFICATION, "create_specification put_specification"),
    Type.OPENAPI_SPEC_UPDATED: _kind(
        *_SPECIFICATION, "put_specification update_specification", "changed"
    ),
    Type.OPENAPI_SPEC_PROCESSED: _kind(*_SPECIFICATION, "end_processing", "status"),
    Type.OPENAPI_SPEC_DELETED: _kind(*_SPECIFICATION, "delete_specification"),
    Type.WEBHOOK_CREATED: _kind(*_WEBHOOK, "create_webhook"),
    Type.WEBHOOK_UPDATED: _kind(*_WEBHOOK, "update_webhook rotate_webhook_secret", "changed"),
    Type.WEBHOOK_DISABLED: _kind(*_WEBHOOK, "record_attempt stop_webhook", "status"),
    Type.WEBHOOK_DELETED: _kind(*_WEBHOOK, "delete_webhook"),
    Type.TRANSLATION_CREATED: _kind(*_TRANSLATION, "create_translation", "language"),
    Type.TRANSLATION_UPDATED: _kind(*_TRANSLATION, "update_translation", "language", "changed"),
    Type.TRANSLATION_STARTED: _kind(*_TRANSLATION, "begin_translation_run", "language"),
    Type.TRANSLATION_COMPLETED: _kind(
        *_TRANSLATION, "begin_translation_run finish_translation_run fail_translation_run",
        "language",
    ),
    Type.TRANSLATION_DELETED: _kind(*_TRANSLATION, "delete_translation", "language"),
    Type.INTEGRATION_PUBLISHED: _kind(*_INTEGRATION, "publish_integration"),
    Type.INTEGRATION_UNPUBLISHED: _kind(*_INTEGRATION, "unpublish_integration"),
    Type.INTEGRATION_DEVELOPMENT_UPDATED: _kind(
        *_INTEGRATION, "set_development_mode disable_development_mode"
    ),
    Type.INSTALLATION_CREATED: _kind(*_INSTALLATION, "install_integration"),
    Type.INSTALLATION_UPDATED: _kind(
        *_INSTALLATION, "update_installation publish_integration", "changed"
    ),
    Type.INSTALLATION_PAUSED: _kind(*_INSTALLATION, "update_installation"),
    Type.INSTALLATION_DELETED: _kind(
        *_INSTALLATION, "uninstall_integration unpublish_integration"
    ),
    Type.SPACE_INTEGRATIONS_UPDATED: _kind(
        Object.SPACE, Audience.MANAGERS, Scope.INTEGRATION_INSTALLATIONS_READ,
        (Topic.SPACE_INTEGRATIONS,),
        "install_on_space update_space_installation uninstall_from_space uninstall_integration "
        "update_installation publish_integration delete_space transfer_space transfer_collection",
    ),
    Type.SITE_INTEGRATIONS_UPDATED: _kind(
        Object.SITE, Audience.MEMBERS, Scope.INTEGRATION_INSTALLATIONS_READ,
        (Topic.SITE_INTEGRATIONS,),
        "install_on_site update_site_installation uninstall_from_site uninstall_integration "
        "update_installation publish_integration delete_site",
    ),
    Type.GLOSSARY_UPDATED: _kind(
        Object.ORGANIZATION, Audience.MEMBERS, Scope.ORGANIZATION_READ,
        (Topic.ORGANIZATION_GLOSSARY,), "update_glossary_entries",
    ),
    Type.CUSTOM_FONTS_UPDATED: _kind(
        Object.ORGANIZATION, Audience.MEMBERS, Scope.SITE_READ, (Topic.ORGANIZATION_FONTS,),
        "create_custom_font update_custom_font delete_custom_font",
    ),
    Type.AGENT_INSTRUCTIONS_UPDATED: _kind(
        Object.ORGANIZATION, Audience.MEMBERS, Scope.ORGANIZATION_READ,
        (Topic.ORGANIZATION_AGENT_INSTRUCTIONS,), "update_agent_instructions",
    ),
    Type.USER_UPDATED: _kind(
        Object.USER, Audience.ACCOUNT, Scope.USER_READ, (Topic.USER_PROFILE,),
        "update_user update_service_account publish_integration", "userId", "changed",
    ),
    Type.USER_ORGANIZATIONS_UPDATED: _kind(
        Object.USER, Audience.ACCOUNT, Scope.USER_READ, (Topic.USER_ORGANIZATIONS,),
        f"{_JOINING} remove_member", "userId", "memberOf",
    ),
}  # fmt: skip
EVENT_KINDS: Final[Mapping[Type, EventKind]] = MappingProxyType(_KINDS)
