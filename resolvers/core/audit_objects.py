"""What the audit log names: the object that a row stands for, and the values that it shows.

A row without a line here is written down as `other`. Values are shown of the fields that are
listed, and of no others: nothing secret, no content.
"""

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from db.audit_enums import AuditObjectType as Type
from db.base import Base
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment, Reaction
from db.models.content import FileUpload, Revision
from db.models.git import GitConfiguration, GitSync
from db.models.integrations import (
    DevelopmentMode,
    Installation,
    Integration,
    IntegrationEvent,
    IntegrationTask,
    SiteInstallation,
    SpaceInstallation,
)
from db.models.invitations import AccountLink, Invitation
from db.models.jobs import Job
from db.models.merging import MergeConflict
from db.models.notifications import FeedToken, NotificationSettings, SpaceNotificationLevel
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
from db.models.sign_in import SignInLink, UserSession
from db.models.sign_on import SamlProvider
from db.models.site_settings import (
    AdaptiveSchema,
    CustomHostname,
    PublishingAuth,
    ShareLink,
    SiteCustomization,
    SiteMcpServer,
    SiteRedirect,
    SiteRevalidation,
    SiteSpaceCustomization,
)
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import AccessGrant, Collection, Space
from db.models.specifications import Specification, SpecificationVersion
from db.models.storage import AgentInstructions, CustomFont, StorageUpload
from db.models.translations import GlossaryEntry, Translation
from db.models.webhooks import Webhook, WebhookDelivery

# Characters of a value that is shown.
VALUE_LENGTH = 255
Text = Callable[[Any], str | None]


def _attribute(name: str) -> Text:
    def value(row: Any) -> str | None:
        text: str | None = getattr(row, name)
        return text

    return value


@dataclass(frozen=True, slots=True)
class ObjectKind:
    """How rows of a model stand for an object."""

    type: Type
    id: Text = _attribute("id")
    # None: the object has no name, or is looked up by its id (`named_elsewhere`).
    name: Text | None = None
    # The id of the person whom the row is about.
    person: Text | None = None
    # Whether the row is a part of the object, which has a table of its own with the name.
    named_elsewhere: bool = False
    # Whether a row that comes or goes changes the object, which stays.
    part: bool = False
    # Whether it is how something is stored that is named itself: the content of a space.
    stored_form: bool = False
    # The fields whose values are shown where they change.
    fields: tuple[str, ...] = ()


def _part_of(type: Type, id: str, *fields: str, person: str | None = None) -> ObjectKind:
    """Rows that are a part of another object, whose id is in an attribute."""
    about = None if person is None else _attribute(person)
    return ObjectKind(
        type, _attribute(id), None, about, named_elsewhere=True, part=True, fields=fields
    )


def _titled(type: Type, *fields: str) -> ObjectKind:
    return ObjectKind(type, name=_attribute("title"), fields=("title", *fields))


def _grant_type(row: AccessGrant) -> Type:
    return Type.COLLECTION if row.space_id is None else Type.SPACE


_ID = _attribute("id")
_USER = _attribute("user_id")
OBJECTS: Mapping[type[Base], ObjectKind] = {
    Organization: _titled(
        Type.ORGANIZATION, "hostname", "default_role", "sso", "invite_links", "email_domains", "ai"
    ),
    User: ObjectKind(
        Type.USER,
        name=_attribute("display_name"),
        person=_ID,
        fields=("display_name", "email", "email_verified_at"),
    ),
    Member: ObjectKind(
        Type.MEMBER,
        _USER,
        person=_USER,
        named_elsewhere=True,
        fields=("role", "disabled", "sso"),
    ),
    Team: _titled(Type.TEAM),
    TeamMember: _part_of(Type.TEAM, "team_id", "owner", person="user_id"),
    ServiceAccount: ObjectKind(Type.SERVICE_ACCOUNT, person=_ID, named_elsewhere=True),
    Token: ObjectKind(
        Type.TOKEN,
        name=_attribute("label"),
        person=_USER,
        fields=("label", "scopes", "expires_at", "revoked_at"),
    ),
    UserSession: ObjectKind(Type.SESSION, person=_USER, fields=("method", "user_agent")),
    SignInLink: _part_of(Type.USER, "user_id", "method", "expires_at", person="user_id"),
    SamlProvider: ObjectKind(
        Type.SIGN_ON_PROVIDER,
        name=_attribute("label"),
        fields=(
            "label",
            "entity_id",
            "sso_url",
            "certificate",
            "default_role",
            "default_team_id",
            "trusted",
        ),
    ),
    Invitation: ObjectKind(
        Type.INVITATION,
        name=lambda row: row.email,
        fields=("email", "role", "space_id", "collection_id", "sso", "accepted_by_id"),
    ),
    AccountLink: _part_of(Type.INVITATION, "invitation_id", "email", "expires_at"),
    Collection: _titled(Type.COLLECTION, "organization_id", "parent_id", "default_level"),
    Space: _titled(
        Type.SPACE,
        "organization_id",
        "parent_id",
        "default_level",
        "edit_mode",
        "deleted_at",
        "revision_id",
    ),
    AccessGrant: ObjectKind(
        Type.SPACE,
        lambda row: row.space_id or row.collection_id,
        person=_USER,
        named_elsewhere=True,
        part=True,
        fields=("role", "team_id"),
    ),
    ChangeRequest: ObjectKind(
        Type.CHANGE_REQUEST, name=_attribute("subject"), fields=("subject", "status", "revision_id")
    ),
    RequestedReviewer: _part_of(Type.CHANGE_REQUEST, "change_request_id", person="user_id"),
    Revision: replace(_part_of(Type.SPACE, "space_id"), stored_form=True),
    Review: ObjectKind(Type.REVIEW, fields=("status",)),
    MergeConflict: ObjectKind(Type.CONFLICT, fields=("resolution",)),
    Comment: ObjectKind(Type.COMMENT, fields=("status",)),
    Reaction: _part_of(Type.COMMENT, "comment_id"),
    FileUpload: ObjectKind(Type.UPLOAD, name=_attribute("name")),
    Site: _titled(
        Type.SITE,
        "organization_id",
        "visibility",
        "published",
        "basename",
        "hostname",
        "previews",
    ),
    SiteSection: _titled(Type.SITE_SECTION, "path"),
    SiteSectionGroup: _titled(Type.SITE_SECTION_GROUP),
    SiteSpace: ObjectKind(Type.SITE_SPACE, name=_attribute("path"), fields=("path", "space_id")),
    ShareLink: ObjectKind(Type.SHARE_LINK, name=_attribute("name"), fields=("name", "active")),
    SiteRedirect: ObjectKind(Type.SITE_REDIRECT, name=_attribute("source"), fields=("source",)),
    SiteMcpServer: ObjectKind(Type.MCP_SERVER, name=_attribute("name"), fields=("name",)),
    CustomHostname: ObjectKind(
        Type.CUSTOM_HOSTNAME, _attribute("hostname"), _attribute("hostname"), fields=("status",)
    ),
    FeedToken: ObjectKind(
        Type.TOKEN,
        name=_attribute("label"),
        person=_USER,
        fields=("label", "space_id", "expires_at", "revoked_at"),
    ),
    NotificationSettings: _part_of(Type.USER, "user_id", "level", "digest", person="user_id"),
    SpaceNotificationLevel: _part_of(Type.USER, "user_id", "level", person="user_id"),
    Job: ObjectKind(Type.JOB, name=lambda row: row.kind.value, fields=("state",)),
    GitConfiguration: _part_of(
        Type.SPACE,
        "space_id",
        "url",
        "ref",
        "directory",
        "direction",
        "interval_minutes",
        "enabled",
        "owner_id",
    ),
    GitSync: _part_of(Type.SPACE, "space_id", "last_ref", "last_oid"),
    Specification: ObjectKind(
        Type.SPECIFICATION, name=_attribute("slug"), fields=("visibility", "processing_state")
    ),
    SpecificationVersion: _part_of(Type.SPECIFICATION, "specification_id"),
    Webhook: ObjectKind(
        Type.WEBHOOK,
        name=_attribute("description"),
        fields=("description", "types", "enabled", "stop", "owner_id"),
    ),
    WebhookDelivery: _part_of(Type.WEBHOOK, "webhook_id", "state"),
    Translation: ObjectKind(
        Type.TRANSLATION,
        name=lambda row: row.language.value,
        fields=("language", "source_language", "source_space_id", "result_space_id"),
    ),
    Integration: ObjectKind(
        Type.INTEGRATION,
        name=_attribute("name"),
        fields=("version", "title", "visibility", "target", "scopes"),
    ),
    DevelopmentMode: _part_of(Type.INTEGRATION, "integration_id", "all"),
    IntegrationTask: _part_of(Type.INTEGRATION, "integration_id"),
    IntegrationEvent: _part_of(Type.INTEGRATION, "integration_id", "status"),
    Installation: ObjectKind(
        Type.INSTALLATION, fields=("integration_id", "status", "space_selection", "site_selection")
    ),
    SpaceInstallation: _part_of(Type.INSTALLATION, "installation_id", "status"),
    SiteInstallation: _part_of(Type.INSTALLATION, "installation_id", "status"),
    GlossaryEntry: ObjectKind(
        Type.GLOSSARY_ENTRY,
        name=lambda row: next(iter(row.translations.values()), None),
    ),
    CustomFont: ObjectKind(
        Type.CUSTOM_FONT, name=_attribute("font_family"), fields=("font_family",)
    ),
    StorageUpload: ObjectKind(Type.UPLOAD, name=_attribute("name")),
    AgentInstructions: _part_of(Type.ORGANIZATION, "organization_id"),
    AdaptiveSchema: _part_of(Type.SITE, "site_id"),
    PublishingAuth: _part_of(Type.SITE, "site_id", "backend"),
    SiteRevalidation: _part_of(Type.SITE, "site_id"),
    SiteCustomization: _part_of(Type.SITE, "site_id"),
    SiteSpaceCustomization: _part_of(Type.SITE_SPACE, "site_space_id"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditObject:
    """An object as an entry names it, and where its organization is found."""

    type: Type
    id: str | None
    name: str | None = None
    named_elsewhere: bool = False
    part: bool = False
    person_id: str | None = None
    organization_id: str | None = None
    space_id: str | None = None
    site_id: str | None = None
    site_space_id: str | None = None
    collection_id: str | None = None
    team_id: str | None = None


# Attributes of rows that say what they belong to.
_PARENTS = (
    "organization_id", "space_id", "site_id", "site_space_id", "collection_id", "team_id",
)  # fmt: skip
# What their own id is a parent of, for whatever stands below them.
_OWN = {Organization: "organization_id", Space: "space_id", Site: "site_id"}


def object_of(row: Base) -> AuditObject:
    """The object that a row stands for."""
    kind = OBJECTS.get(type(row)) or ObjectKind(Type.OTHER, lambda row: getattr(row, "id", None))
    parents = {name: getattr(row, name, None) for name in _PARENTS}
    if type(row) in _OWN:
        parents[_OWN[type(row)]] = kind.id(row)
    return AuditObject(
        type=_grant_type(row) if isinstance(row, AccessGrant) else kind.type,
        id=kind.id(row),
        name=None if kind.name is None else (kind.name(row) or "")[:VALUE_LENGTH] or None,
        named_elsewhere=kind.named_elsewhere,
        part=kind.part,
        person_id=None if kind.person is None else kind.person(row),
        **parents,
    )


def shown(value: Any) -> str | None:
    """A value as text; None for one that is not set."""
    if value is None:
        return None
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, bool):
        value = str(value).lower()
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    if hasattr(value, "isoformat"):
        value = value.isoformat()
    return str(value)[:VALUE_LENGTH]
