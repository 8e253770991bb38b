"""Enumerations of the audit log."""

from db.enums import Described


class AuditDoor(Described):
    """The interface through which something was done."""

    GRAPHQL = "graphql", "The GraphQL endpoint."
    V1 = "v1", "The REST interface `/v1`."
    PAGE = "page", "A page for people, such as the one to sign in."
    COMMAND = "command", "The command line of the server."
    JOB = "job", "Work that the server does by itself."


class AuditActorKind(Described):
    """Who has done something."""

    PERSON = "person", "A person with an account."
    OPERATOR = "operator", "Whoever operates the server, at its command line."
    SYSTEM = "system", "The server itself."
    ANONYMOUS = "anonymous", "Somebody who is not signed in."


class AuditObjectType(Described):
    """The kind of object that something was done to."""

    ORGANIZATION = "organization", "An organization."
    USER = "user", "An account."
    MEMBER = "member", "A person's membership in an organization; its id is that of the person."
    TEAM = "team", "A team, or a place in it."
    TOKEN = "token", "An API token."
    SERVICE_ACCOUNT = "serviceAccount", "A service account of an organization."
    SESSION = "session", "A session of a browser."
    INVITATION = "invitation", "An invitation to an organization."
    SIGN_ON_PROVIDER = "signOnProvider", "A provider of single sign-on."
    COLLECTION = "collection", "A collection, or what is granted on it."
    SPACE = "space", "A space, its content, or what is granted on it."
    CHANGE_REQUEST = "changeRequest", "A change request or its content."
    CONFLICT = "conflict", "A conflict of a change request."
    REVIEW = "review", "A review of a change request."
    PAGE = "page", "A page of a space or a change request."
    FILE = "file", "A file of a space or a change request."
    REUSABLE_CONTENT = "reusableContent", "A reusable content of a space or a change request."
    COMMENT = "comment", "A comment or a reply."
    UPLOAD = "upload", "An upload of a file."
    SITE = "site", "A site or its settings."
    SITE_SECTION = "siteSection", "A section of a site."
    SITE_SECTION_GROUP = "siteSectionGroup", "A group of sections of a site."
    SITE_SPACE = "siteSpace", "A space on a site."
    SHARE_LINK = "shareLink", "A share link of a site."
    SITE_REDIRECT = "siteRedirect", "A redirect of a site."
    MCP_SERVER = "mcpServer", "An MCP server of a site."
    CUSTOM_HOSTNAME = "customHostname", "A custom host name; its id is the name."
    JOB = "job", "A job."
    NOTIFICATION = "notification", "A notification of a person."
    SPECIFICATION = "openApiSpec", "An OpenAPI specification."
    WEBHOOK = "webhook", "A webhook, or one of its deliveries."
    TRANSLATION = "translation", "A translation of a space."
    INTEGRATION = "integration", "An integration."
    INSTALLATION = "installation", "An installation of an integration, or one of its entries."
    GLOSSARY_ENTRY = "glossaryEntry", "A term of a glossary."
    CUSTOM_FONT = "customFont", "A font of an organization."
    AUDIT_LOG = "auditLog", "The audit log itself."
    OTHER = "other", "Something else."


class AuditChangeKind(Described):
    """What happened to a value."""

    ADDED = "added", "It was set with a new object."
    CHANGED = "changed", "It was replaced."
    REMOVED = "removed", "It went with its object."
