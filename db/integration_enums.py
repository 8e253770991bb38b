"""Enumerations of integrations."""

from db.enums import Described


class IntegrationTarget(Described):
    """What an integration may be installed on."""

    ALL = "all", "Organizations, with entries for spaces and sites."
    SITE = "site", "Organizations, with entries for sites."
    SPACE = "space", "Organizations, with entries for spaces."
    ORGANIZATION = "organization", "Organizations, without entries."


class IntegrationVisibility(Described):
    """Who may see and install an integration."""

    PUBLIC = "public", "Everybody; it is in the list of all integrations."
    PRIVATE = "private", "The organization that publishes it."
    UNLISTED = "unlisted", "Everybody who knows its name; it is in no list of others."


class IntegrationCategory(Described):
    """What an integration is about."""

    ANALYTICS = "analytics", "Counts what visitors do."
    COLLABORATION = "collaboration", "Helps people to work together."
    CONTENT = "content", "Adds content."
    GITSYNC = "gitsync", "Synchronises with repositories."
    MARKETING = "marketing", "Helps to win customers."
    VISITOR_AUTH = "visitor-auth", "Signs visitors in."
    OTHER = "other", "Something else."


class IntegrationScope(Described):
    """What an integration may do where it is installed."""

    SPACE_CONTENT_READ = "space:content:read", "Read the content of spaces."
    SPACE_CONTENT_WRITE = "space:content:write", "Change the content of spaces."
    SPACE_METADATA_READ = "space:metadata:read", "Read spaces."
    SPACE_METADATA_WRITE = "space:metadata:write", "Change spaces."
    SPACE_GIT_SYNC = "space:git:sync", "Synchronise spaces with repositories."
    PAGE_FEEDBACK_READ = "page:feedback:read", "Hear of ratings of pages."
    SITE_METADATA_READ = "site:metadata:read", "Read sites."
    SITE_VIEWS_READ = "site:views:read", "Hear of views of sites."
    SITE_SCRIPT_INJECT = "site:script:inject", "Add a script to the pages of sites."
    SITE_SCRIPT_COOKIES = "site:script:cookies", "Set cookies by that script."
    SITE_VISITOR_AUTH = "site:visitor:auth", "Sign in visitors of sites."
    SITE_ADAPTIVE_READ = "site:adaptive:read", "Read the claims that sites know."
    SITE_ADAPTIVE_WRITE = "site:adaptive:write", "Change the claims that sites know."
    OPENAPI_READ = "openapi:read", "Read OpenAPI specifications."
    OPENAPI_WRITE = "openapi:write", "Change OpenAPI specifications."
    CONVERSATIONS_INGEST = "conversations:ingest", "Grants nothing on this server."
    SPACE_VIEWS_READ = "space:views:read", "Of older integrations; grants nothing."
    SPACE_SCRIPT_INJECT = "space:script:inject", "Of older integrations; grants nothing."
    SPACE_SCRIPT_COOKIES = "space:script:cookies", "Of older integrations; grants nothing."
    SPACE_VISITOR_AUTH = "space:visitor:auth", "Of older integrations; grants nothing."
    SITE_AI_ASK = "site:ai:ask", "Of older integrations; grants nothing."


class IntegrationRuntime(Described):
    """The runtime that a script is written for; both are run alike."""

    V1 = "v1", "The first one."
    V2 = "v2", "The second one."


class InstallationStatus(Described):
    """How an installation stands."""

    ACTIVE = "active", "It is configured and gets events."
    PENDING = "pending", "Its configuration lacks something that is required."
    PAUSED = "paused", "Events are recorded and not delivered."


class InstallationSelection(Described):
    """For which spaces or sites of the organization an installation has entries."""

    ALL = "all", "All, also those that are made later."
    SELECTED = "selected", "Those that were chosen."


class InstallationTarget(Described):
    """What the status of an installation is asked of."""

    ORGANIZATION = "organization", "The organization."
    SPACE = "space", "Its spaces."
    SITE = "site", "Its sites."


class IntegrationEventStatus(Described):
    """What came of an event."""

    SUCCESS = "success", "The integration has taken it."
    FAILED = "failed", "It could not be delivered, or the integration has failed."


class IntegrationLogLevel(Described):
    """How serious a line of a trace is."""

    DEBUG = "debug", "For whoever looks for an error."
    INFO = "info", "What happened."
    WARN = "warn", "Something is odd."
    ERROR = "error", "Something has failed."
