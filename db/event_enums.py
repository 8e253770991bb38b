"""Enumerations of events: their types, who may read them, what can be subscribed to."""

import enum

from db.enums import Described


class EventType(Described):
    """What has happened."""

    ORGANIZATION_CREATED = "organization_created", "An organization was made."
    ORGANIZATION_UPDATED = "organization_updated", "Settings of an organization were changed."
    MEMBER_ADDED = "member_added", "Somebody became a member of an organization."
    MEMBER_UPDATED = "member_updated", "Role or state of a member was changed."
    MEMBER_REMOVED = "member_removed", "Somebody is no longer a member of an organization."
    TEAM_CREATED = "team_created", "A team was made."
    TEAM_UPDATED = "team_updated", "A team was renamed."
    TEAM_DELETED = "team_deleted", "A team was deleted."
    TEAM_MEMBER_ADDED = "team_member_added", "Somebody was brought into a team."
    TEAM_MEMBER_UPDATED = "team_member_updated", "The role of somebody in a team was changed."
    TEAM_MEMBER_REMOVED = "team_member_removed", "Somebody was taken out of a team."
    INVITATION_CREATED = "invitation_created", "An invitation was made."
    INVITATION_UPDATED = "invitation_updated", "An invitation was changed."
    INVITATION_ACCEPTED = "invitation_accepted", "Somebody has accepted an invitation."
    INVITATION_DELETED = "invitation_deleted", "An invitation was withdrawn."
    SAML_PROVIDER_CREATED = "saml_provider_created", "A SAML provider was added."
    SAML_PROVIDER_UPDATED = "saml_provider_updated", "A SAML provider was changed."
    SAML_PROVIDER_DELETED = "saml_provider_deleted", "A SAML provider was removed."
    SERVICE_ACCOUNT_CREATED = "service_account_created", "A service account was made."
    SERVICE_ACCOUNT_UPDATED = "service_account_updated", "A service account was changed."
    SERVICE_ACCOUNT_DELETED = "service_account_deleted", "A service account was deleted."
    TOKEN_CREATED = "token_created", "A token was made."
    TOKEN_REVOKED = "token_revoked", "A token was revoked."
    PERMISSION_ADDED = "permission_added", "A person or a team was given a role."
    PERMISSION_UPDATED = "permission_updated", "A role that was given was changed."
    PERMISSION_REMOVED = "permission_removed", "A role that was given was taken back."
    COLLECTION_CREATED = "collection_created", "A collection was made."
    COLLECTION_UPDATED = "collection_updated", "A collection was changed."
    COLLECTION_MOVED = "collection_moved", "A collection was moved."
    COLLECTION_TRANSFERRED = (
        "collection_transferred", "A collection went to another organization.",
    )  # fmt: skip
    COLLECTION_DELETED = "collection_deleted", "A collection was deleted."
    SPACE_CREATED = "space_created", "A space was made."
    SPACE_UPDATED = "space_updated", "A space was changed."
    SPACE_VISIBILITY_UPDATED = (
        "space_visibility_updated", "Others than before can see a space.",
    )  # fmt: skip
    SPACE_MOVED = "space_moved", "A space was moved."
    SPACE_TRANSFERRED = "space_transferred", "A space went to another organization."
    SPACE_DELETED = "space_deleted", "A space went to the bin."
    SPACE_RESTORED = "space_restored", "A space came back from the bin."
    SPACE_PURGED = "space_purged", "A space was removed for good."
    SPACE_CONTENT_UPDATED = "space_content_updated", "A space has another revision."
    PAGE_CREATED = "page_created", "A page was made."
    PAGE_UPDATED = "page_updated", "A page was changed."
    PAGE_MOVED = "page_moved", "A page has another place among the pages."
    PAGE_DELETED = "page_deleted", "A page was deleted."
    IMPORT_COMPLETED = "import_completed", "An import has written what it found."
    SPACE_GITSYNC_STARTED = "space_gitsync_started", "A Git operation of a space was begun."
    SPACE_GITSYNC_COMPLETED = (
        "space_gitsync_completed", "A Git operation of a space has ended, well or not.",
    )  # fmt: skip
    CHANGE_REQUEST_CREATED = "change_request_created", "A change request was made."
    CHANGE_REQUEST_UPDATED = (
        "change_request_updated", "Description, content or state of a change request was changed.",
    )  # fmt: skip
    CHANGE_REQUEST_OPENED = "change_request_opened", "A change request was opened for review."
    CHANGE_REQUEST_ARCHIVED = "change_request_archived", "A change request was archived."
    CHANGE_REQUEST_MERGED = "change_request_merged", "A change request was merged."
    CHANGE_REQUEST_CONFLICTED = "change_request_conflicted", "A change request has conflicts."
    REVIEW_REQUESTED = "review_requested", "Somebody was asked for a review."
    REVIEW_REQUEST_WITHDRAWN = (
        "review_request_withdrawn", "Somebody is no longer asked for a review.",
    )  # fmt: skip
    REVIEW_SUBMITTED = "review_submitted", "Somebody has reviewed a change request."
    COMMENT_CREATED = "comment_created", "A comment was written."
    COMMENT_UPDATED = "comment_updated", "The text of a comment was changed."
    COMMENT_RESOLVED = "comment_resolved", "A comment was resolved."
    COMMENT_REOPENED = "comment_reopened", "A comment was opened again."
    COMMENT_DELETED = "comment_deleted", "A comment was deleted."
    COMMENT_REPLY_CREATED = "comment_reply_created", "A comment was answered."
    COMMENT_REPLY_UPDATED = "comment_reply_updated", "The text of a reply was changed."
    COMMENT_REPLY_DELETED = "comment_reply_deleted", "A reply was deleted."
    COMMENT_REACTIONS_UPDATED = (
        "comment_reactions_updated", "Somebody has reacted to a comment or a reply, or stopped to.",
    )  # fmt: skip
    SITE_CREATED = "site_created", "A site was made."
    SITE_UPDATED = "site_updated", "A site was changed."
    SITE_PUBLISHED = "site_published", "A site was published."
    SITE_UNPUBLISHED = "site_unpublished", "A site is no longer published."
    SITE_DELETED = "site_deleted", "A site was deleted."
    SITE_STRUCTURE_UPDATED = (
        "site_structure_updated", "Sections, groups or spaces of a site were changed.",
    )  # fmt: skip
    SITE_CUSTOMIZATION_UPDATED = "site_customization_updated", "The look of a site was changed."
    SITE_SPACE_CUSTOMIZATION_UPDATED = (
        "site_space_customization_updated", "The look of a space on a site was changed.",
    )  # fmt: skip
    SITE_REDIRECTS_UPDATED = "site_redirects_updated", "Redirects of a site were changed."
    SITE_SHARE_LINK_CREATED = "site_share_link_created", "A share link was made."
    SITE_SHARE_LINK_UPDATED = "site_share_link_updated", "A share link was changed."
    SITE_SHARE_LINK_DELETED = "site_share_link_deleted", "A share link was deleted."
    SITE_PUBLISHING_AUTH_UPDATED = (
        "site_publishing_auth_updated", "How visitors of a site are let in was changed.",
    )  # fmt: skip
    SITE_ADAPTIVE_SCHEMA_UPDATED = (
        "site_adaptive_schema_updated", "The claims that a site knows of visitors were changed.",
    )  # fmt: skip
    SITE_REVALIDATION_UPDATED = (
        "site_revalidation_updated", "Where changes of a site are announced was changed.",
    )  # fmt: skip
    SITE_MCP_SERVER_CREATED = "site_mcp_server_created", "An MCP server was added to a site."
    SITE_MCP_SERVER_UPDATED = "site_mcp_server_updated", "An MCP server of a site was changed."
    SITE_MCP_SERVER_DELETED = "site_mcp_server_deleted", "An MCP server of a site was removed."
    CUSTOM_HOSTNAME_CREATED = "custom_hostname_created", "A site was given a host name."
    CUSTOM_HOSTNAME_UPDATED = "custom_hostname_updated", "The state of a host name has changed."
    CUSTOM_HOSTNAME_DELETED = "custom_hostname_deleted", "A host name was taken from a site."
    NOTIFICATION_CREATED = (
        "notification_created", "Somebody was notified of something, for the first time or again.",
    )  # fmt: skip
    NOTIFICATIONS_MARKED = (
        "notifications_marked", "Somebody has marked notifications as read or unread.",
    )  # fmt: skip
    SITE_VIEW = "site_view", "Visitors have viewed pages of a site."
    PAGE_FEEDBACK = "page_feedback", "A visitor of a site has rated a page."
    OPENAPI_SPEC_CREATED = "openapi_spec_created", "An OpenAPI specification was made."
    OPENAPI_SPEC_UPDATED = "openapi_spec_updated", "An OpenAPI specification was changed."
    OPENAPI_SPEC_PROCESSED = (
        "openapi_spec_processed", "An OpenAPI specification was processed, or could not be.",
    )  # fmt: skip
    OPENAPI_SPEC_DELETED = "openapi_spec_deleted", "An OpenAPI specification was deleted."
    WEBHOOK_CREATED = "webhook_created", "A webhook was made."
    WEBHOOK_UPDATED = "webhook_updated", "A webhook was changed."
    WEBHOOK_DISABLED = "webhook_disabled", "The server has disabled a webhook."
    WEBHOOK_DELETED = "webhook_deleted", "A webhook was deleted."
    TRANSLATION_CREATED = "translation_created", "A translation of a space was made."
    TRANSLATION_UPDATED = "translation_updated", "The instructions of a translation were changed."
    TRANSLATION_STARTED = "translation_started", "A run of a translation has begun."
    TRANSLATION_COMPLETED = "translation_completed", "A run of a translation has ended."
    TRANSLATION_DELETED = "translation_deleted", "A translation was deleted; its space stays."
    INTEGRATION_PUBLISHED = (
        "integration_published", "An integration was published, for the first time or again.",
    )  # fmt: skip
    INTEGRATION_UNPUBLISHED = "integration_unpublished", "An integration was removed."
    INTEGRATION_DEVELOPMENT_UPDATED = (
        "integration_development_updated",
        "The development mode of an integration was set or ended.",
    )
    INSTALLATION_CREATED = "installation_created", "An integration was installed."
    INSTALLATION_UPDATED = "installation_updated", "An installation was changed."
    INSTALLATION_PAUSED = "installation_paused", "An installation was paused."
    INSTALLATION_DELETED = "installation_deleted", "An integration was uninstalled."
    SPACE_INTEGRATIONS_UPDATED = (
        "space_integrations_updated", "What is installed on a space was changed.",
    )  # fmt: skip
    SITE_INTEGRATIONS_UPDATED = (
        "site_integrations_updated", "What is installed on a site was changed.",
    )  # fmt: skip
    GLOSSARY_UPDATED = "glossary_updated", "Terms of a glossary were changed."
    CUSTOM_FONTS_UPDATED = "custom_fonts_updated", "Fonts of an organization were changed."
    AGENT_INSTRUCTIONS_UPDATED = (
        "agent_instructions_updated", "What an organization tells agents was changed.",
    )  # fmt: skip
    USER_UPDATED = "user_updated", "The profile of an account was changed."
    USER_ORGANIZATIONS_UPDATED = (
        "user_organizations_updated", "An account joined or left an organization.",
    )  # fmt: skip


class EventAudience(enum.Enum):
    """Who may read an event, beside the administrators of its organization."""

    # Those who may read the space, as it is now.
    SPACE = "space"
    # Those who may read the collection, as it is now.
    COLLECTION = "collection"
    # Those who have the role `create` on the space or the collection.
    MANAGERS = "managers"
    # Members with a role, and guests who may read one of the site's spaces.
    SITE = "site"
    # Members with a role; guests what is about themselves.
    MEMBERS = "members"
    # Members with a role, and those who are in the team.
    TEAM = "team"
    # Administrators alone.
    ADMINISTRATORS = "administrators"
    # Nobody but the account.
    ACCOUNT = "account"


class EventTopic(Described):
    """What can be subscribed to: each topic has some types of events."""

    ORGANIZATION = "organization", "An organization and its settings."
    ORGANIZATION_MEMBERS = "organization-members", "Its members."
    ORGANIZATION_TEAMS = "organization-teams", "Its teams."
    ORGANIZATION_TEAM_MEMBERS = "organization-team-members", "Who is in its teams."
    ORGANIZATION_INVITATIONS = "organization-link-invites", "Invitations to it."
    ORGANIZATION_SAML = "organization-saml", "Its SAML providers."
    ORGANIZATION_SERVICE_ACCOUNTS = (
        "organization-service-accounts", "Its service accounts and their tokens.",
    )  # fmt: skip
    ORGANIZATION_SITES = "organization-sites", "Which sites it has."
    ORGANIZATION_SPACES = "organization-spaces", "Which spaces it has, and where they are."
    ORGANIZATION_COLLECTIONS = "organization-collections", "Which collections it has."
    ORGANIZATION_CHANGE_REQUESTS = (
        "organization-change-requests", "Change requests of its spaces.",
    )  # fmt: skip
    COLLECTION = "collection", "A collection."
    SPACE = "space", "A space and its settings."
    SPACE_CONTENT = "space-content", "The content of a space or of a change request."
    SPACE_CHANGE_REQUESTS = "space-change-requests", "Which change requests a space has."
    SPACE_CHANGE_REQUEST = "space-change-request", "A change request."
    CHANGE_REQUEST_REVIEWS = (
        "space-change-request-reviews", "Reviews of a change request, and who is asked for one.",
    )  # fmt: skip
    SPACE_COMMENTS = "space-comments", "Comments, their replies and reactions."
    PERMISSIONS = "permissions", "Roles on spaces and collections."
    SPACE_GITSYNC_OPERATION = (
        "space-gitsync-operation", "Git operations of a space.",
    )  # fmt: skip
    IMPORT_RUN = "import-run", "Imports into a space or a change request."
    SITE = "site", "A site and its settings."
    SITE_STRUCTURE = "site-structure", "Sections, groups and spaces of a site."
    SITE_CUSTOMIZATION = "site-customization", "The look of a site."
    SITE_SPACE_CUSTOMIZATION = "site-space-customization", "The look of a space on a site."
    SITE_REDIRECTS = "site-redirects", "Redirects of a site."
    SITE_SHARE_LINKS = "site-share-links", "Share links of a site."
    SITE_PUBLISHING_AUTH = "site-publishing-auth", "How visitors of a site are let in."
    SITE_ADAPTIVE_SCHEMA = "site-adaptive-schema", "The claims that a site knows of visitors."
    SITE_MCP_SERVERS = "site-mcp-servers", "MCP servers of a site."
    SITE_VIEWS = "site-views", "Views of pages by visitors, counted twice a minute."
    SITE_FEEDBACK = "site-feedback", "Ratings of pages by visitors."
    PUBLISHED_CONTENT_SITE = "published-content-site", "What visitors of a site see."
    SUBDOMAIN = "subdomain", "Host names of the server that organizations and sites have."
    CUSTOM_HOSTNAME = "custom-hostname", "Host names of sites."
    ORGANIZATION_OPENAPI_SPECS = (
        "organization-openapi-specs", "Which OpenAPI specifications an organization has.",
    )  # fmt: skip
    OPENAPI_SPEC = "openapi-spec", "An OpenAPI specification."
    WEBHOOKS = "webhooks", "Webhooks."
    ORGANIZATION_TRANSLATIONS = "organization-translations", "Translations of its spaces."
    INTEGRATION = "integration", "An integration."
    ORGANIZATION_INTEGRATIONS = "organization-integrations", "Which integrations it publishes."
    ORGANIZATION_INSTALLATIONS = "organization-installations", "What it has installed."
    INTEGRATION_INSTALLATION = "integration-installation", "An installation."
    SPACE_INTEGRATIONS = "space-integrations", "What is installed on a space."
    SITE_INTEGRATIONS = "site-integrations", "What is installed on a site."
    ORGANIZATION_GLOSSARY = "organization-translations-glossary", "Its glossary."
    ORGANIZATION_FONTS = "organization-fonts", "Its fonts."
    ORGANIZATION_AGENT_INSTRUCTIONS = (
        "organization-agent-instructions", "What it tells agents.",
    )  # fmt: skip
    USER_PROFILE = "user-profile", "The profile of an account."
    USER_ORGANIZATIONS = "user-organizations", "The organizations of an account."
    USER_NOTIFICATIONS = "user-notifications", "The notifications of an account."
    USER_API_TOKENS = "user-api-tokens", "The tokens of an account."
