"""What models are called in messages."""

from db.base import Base
from db.models.audit import AuditEntry
from db.models.change_requests import ChangeRequest, Contributor
from db.models.comments import Comment
from db.models.content import FileUpload, Revision
from db.models.content_index import ContentLink, ContentLinkUse
from db.models.events import Event
from db.models.git import GitEntry
from db.models.integrations import (
    Installation,
    Integration,
    IntegrationEvent,
    SiteInstallation,
    SpaceInstallation,
)
from db.models.invitations import Invitation
from db.models.jobs import Job
from db.models.merging import MergeConflict
from db.models.notifications import FeedToken, Notification, SpaceNotificationLevel
from db.models.organizations import (
    Member,
    Organization,
    ServiceAccount,
    Team,
    TeamMember,
    Token,
    User,
)
from db.models.reviews import RequestedReviewer, Review
from db.models.sign_in import UserSession
from db.models.sign_on import SamlProvider
from db.models.site_settings import (
    AdaptiveSchema,
    CustomHostname,
    ShareLink,
    SiteMcpServer,
    SiteRedirect,
)
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import Collection, Space
from db.models.specifications import Specification, SpecificationVersion
from db.models.storage import CustomFont
from db.models.translations import GlossaryEntry, Translation
from db.models.webhooks import Webhook, WebhookDelivery

NAMES: dict[type[Base], str] = {
    AuditEntry: "entry of the audit log",
    Event: "event",
    Organization: "organization",
    Member: "member",
    User: "user",
    UserSession: "session",
    Team: "team",
    TeamMember: "member of the team",
    ServiceAccount: "service account",
    Token: "token",
    SamlProvider: "SAML provider",
    Invitation: "invitation",
    Job: "job",
    GitEntry: "entry of the operation",
    Notification: "notification",
    SpaceNotificationLevel: "notification level of a space",
    FeedToken: "feed token",
    Specification: "OpenAPI specification",
    SpecificationVersion: "version of the OpenAPI specification",
    Webhook: "webhook",
    WebhookDelivery: "delivery of a webhook",
    Integration: "integration",
    Installation: "installation",
    SpaceInstallation: "entry of the space",
    SiteInstallation: "entry of the site",
    IntegrationEvent: "event of the integration",
    Translation: "translation",
    GlossaryEntry: "entry of the glossary",
    CustomFont: "font",
    Collection: "collection",
    Space: "space",
    ChangeRequest: "change request",
    Contributor: "contributor",
    MergeConflict: "conflict",
    Review: "review",
    RequestedReviewer: "requested reviewer",
    Comment: "comment",
    Revision: "revision",
    FileUpload: "upload",
    ContentLink: "link",
    ContentLinkUse: "place of a link",
    Site: "site",
    SiteSection: "site section",
    SiteSectionGroup: "site section group",
    SiteSpace: "site space",
    ShareLink: "share link",
    AdaptiveSchema: "adaptive schema",
    SiteRedirect: "redirect",
    SiteMcpServer: "MCP server",
    CustomHostname: "custom host name",
}
