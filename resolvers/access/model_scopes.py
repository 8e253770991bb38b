"""The scope that a token needs to see rows of each model below other objects (docs/tokens.md).

Lists and relations ask for it (resolvers/lists). A model without a line needs the scope `read`.
"""

from collections.abc import Mapping

from db.base import Base
from db.enums import TokenScope as Scope
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
from db.models.spaces import AccessGrant, Collection, Space
from db.models.specifications import Specification, SpecificationVersion
from db.models.storage import CustomFont
from db.models.translations import GlossaryEntry, Translation
from db.models.webhooks import Webhook, WebhookDelivery

MODEL_SCOPES: Mapping[type[Base], Scope] = {
    User: Scope.USER_READ,
    Token: Scope.USER_READ,
    UserSession: Scope.USER_READ,
    Organization: Scope.ORGANIZATION_READ,
    Member: Scope.ORGANIZATION_MEMBERS_READ,
    Team: Scope.ORGANIZATION_MEMBERS_READ,
    TeamMember: Scope.ORGANIZATION_MEMBERS_READ,
    Invitation: Scope.ORGANIZATION_MEMBERS_READ,
    AuditEntry: Scope.ORGANIZATION_MEMBERS_READ,
    Event: Scope.ORGANIZATION_READ,
    SamlProvider: Scope.ORGANIZATION_READ,
    ServiceAccount: Scope.ORGANIZATION_MEMBERS_READ,
    Job: Scope.SPACE_READ,
    GitEntry: Scope.SPACE_READ,
    Notification: Scope.USER_READ,
    SpaceNotificationLevel: Scope.USER_READ,
    FeedToken: Scope.USER_READ,
    Specification: Scope.OPENAPI_READ,
    SpecificationVersion: Scope.OPENAPI_READ,
    Webhook: Scope.WEBHOOK_READ,
    WebhookDelivery: Scope.WEBHOOK_READ,
    Integration: Scope.INTEGRATION_READ,
    Installation: Scope.INTEGRATION_INSTALLATIONS_READ,
    SpaceInstallation: Scope.INTEGRATION_INSTALLATIONS_READ,
    SiteInstallation: Scope.INTEGRATION_INSTALLATIONS_READ,
    IntegrationEvent: Scope.INTEGRATION_READ,
    Translation: Scope.SPACE_READ,
    GlossaryEntry: Scope.ORGANIZATION_READ,
    CustomFont: Scope.SITE_READ,
    Collection: Scope.SPACE_READ,
    Space: Scope.SPACE_READ,
    AccessGrant: Scope.SPACE_PERMISSIONS_READ,
    Revision: Scope.SPACE_READ,
    FileUpload: Scope.SPACE_READ,
    ContentLink: Scope.SPACE_READ,
    ContentLinkUse: Scope.SPACE_READ,
    ChangeRequest: Scope.SPACE_READ,
    Contributor: Scope.SPACE_READ,
    MergeConflict: Scope.SPACE_READ,
    Review: Scope.SPACE_READ,
    RequestedReviewer: Scope.SPACE_READ,
    Comment: Scope.SPACE_READ,
    Site: Scope.SITE_READ,
    SiteSection: Scope.SITE_READ,
    SiteSectionGroup: Scope.SITE_READ,
    SiteSpace: Scope.SITE_READ,
    SiteRedirect: Scope.SITE_READ,
    SiteMcpServer: Scope.SITE_READ,
    CustomHostname: Scope.SITE_READ,
    AdaptiveSchema: Scope.SITE_READ,
    ShareLink: Scope.SITE_AUTH_READ,
}


def scope_of_object(model: type[Base]) -> Scope:
    """The scope for an object of a kind that somebody asks for."""
    return MODEL_SCOPES.get(model, Scope.READ)


def scope_of_rows(model: type[Base]) -> Scope | None:
    """The scope for rows of a model below other objects.

    People have none there: who made something is part of it. Their addresses are for tokens that
    may read people (resolvers/organizations/users.py).
    """
    return None if model is User else scope_of_object(model)
