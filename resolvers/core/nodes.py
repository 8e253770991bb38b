"""The tables whose rows have an id of their own, which `node(id)` finds."""

from db.base import Base
from db.models.audit import AuditEntry
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.content import FileUpload, Revision
from db.models.events import Event
from db.models.integrations import Installation, Integration, IntegrationEvent
from db.models.invitations import Invitation
from db.models.jobs import Job
from db.models.merging import MergeConflict
from db.models.notifications import FeedToken, Notification
from db.models.organizations import Organization, Team, Token, User
from db.models.reviews import Review
from db.models.sign_in import UserSession
from db.models.sign_on import SamlProvider
from db.models.site_settings import ShareLink, SiteMcpServer, SiteRedirect
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import Collection, Space
from db.models.specifications import Specification, SpecificationVersion
from db.models.storage import CustomFont
from db.models.translations import GlossaryEntry, Translation
from db.models.webhooks import Webhook, WebhookDelivery

NODES: dict[str, type[Base]] = {
    model.__tablename__: model
    for model in (
        Organization, User, UserSession, Token, Team, Invitation, Collection, Space, Revision,
        ChangeRequest, Review,
        MergeConflict, Comment, Site, SiteSection, SiteSectionGroup, SiteSpace, ShareLink,
        SiteRedirect, SiteMcpServer, FileUpload, SamlProvider, AuditEntry, Event, Job,
        Notification, FeedToken,
        Webhook, WebhookDelivery, Specification, SpecificationVersion,
        Translation, GlossaryEntry, CustomFont,
        Integration, Installation, IntegrationEvent,
    )
}  # fmt: skip


SEPARATOR = "~"
