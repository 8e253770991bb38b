"""Which events follow from what a write has changed.

Each model whose rows are objects of events, or parts of such, has a rule here: from the change of a
row to drafts of events. The changes are those that the audit log is written from
(resolvers/core/audit_notes.py). A model with neither a rule nor a line in `SILENT` fails a test.
"""

from collections.abc import Mapping
from typing import Any

from db.audit_enums import AuditChangeKind as Kind, AuditObjectType as Object
from db.base import Base
from db.content_enums import ChangeRequestStatus, CommentStatus
from db.event_enums import EventAudience as Audience, EventType as Type
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
from db.translation_enums import TranslationStatus
from resolvers.core.event_drafts import Draft
from resolvers.core.integration_event_rules import installation_rule, integration_rule
from resolvers.core.row_changes import Drafts, RowChange, Rule, draft_of, object_rule, part_rule

# ------------------------------------------------------------------ organizations and people


def _organization(change: RowChange) -> Drafts:
    row = change.row
    if change.added:
        yield Draft(type=Type.ORGANIZATION_CREATED, object_id=row.id, organization_id=row.id)
    elif changed := change.names(
        "title", "type", "use_case", "community_type", "email_domains", "hostname", "default_role",
        "default_site_id", "sso", "ai", "invite_links", "merge_rules", "logo_url",
    ):  # fmt: skip
        yield Draft(
            type=Type.ORGANIZATION_UPDATED,
            object_id=row.id,
            organization_id=row.id,
            changed=changed,
        )


def _user(change: RowChange) -> Drafts:
    id = change.row.id
    changed = change.names("display_name", "photo_url", "email")
    if changed and change.kind is Kind.CHANGED:
        yield Draft(
            type=Type.USER_UPDATED, object_id=id, account_id=id, user_id=id, changed=changed
        )


def _member(change: RowChange) -> Drafts:
    row = change.row
    if row.service:
        # What is known of a service account is in its account and its membership.
        names = change.names("role", "disabled", "name_key")
        if names and change.kind is Kind.CHANGED:
            changed = tuple("name" if name == "nameKey" else name for name in names)
            yield draft_of(
                Type.SERVICE_ACCOUNT_UPDATED, row, row.user_id, user_id=row.user_id, changed=changed
            )
        return
    about = {"user_id": row.user_id}
    if change.kind is Kind.CHANGED:
        if changed := change.names("role", "disabled", "sso"):
            yield draft_of(Type.MEMBER_UPDATED, row, row.user_id, changed=changed, **about)
        return
    type = Type.MEMBER_ADDED if change.added else Type.MEMBER_REMOVED
    yield draft_of(type, row, row.user_id, **about)
    yield Draft(
        type=Type.USER_ORGANIZATIONS_UPDATED,
        object_id=row.user_id,
        account_id=row.user_id,
        user_id=row.user_id,
        data={"memberOf": row.organization_id},
    )


_team = object_rule(
    Type.TEAM_CREATED, Type.TEAM_UPDATED, Type.TEAM_DELETED, "title",
    lambda row: {"team_id": row.id},
)  # fmt: skip


def _team_member(change: RowChange) -> Drafts:
    row = change.row
    about = {"team_id": row.team_id, "user_id": row.user_id}
    if change.added:
        yield draft_of(Type.TEAM_MEMBER_ADDED, row, row.team_id, **about)
    elif change.removed:
        yield draft_of(Type.TEAM_MEMBER_REMOVED, row, row.team_id, **about)
    elif changed := change.names("owner"):
        yield draft_of(Type.TEAM_MEMBER_UPDATED, row, row.team_id, changed=changed, **about)


def _service_account(change: RowChange) -> Drafts:
    row = change.row
    if change.kind is not Kind.CHANGED:
        type = Type.SERVICE_ACCOUNT_CREATED if change.added else Type.SERVICE_ACCOUNT_DELETED
        yield draft_of(type, row, row.id, user_id=row.id)


def _token(change: RowChange) -> Drafts:
    row = change.row
    if change.added:
        type = Type.TOKEN_CREATED
    elif "revoked_at" in change.changed and change.before("revoked_at") is None:
        type = Type.TOKEN_REVOKED
    else:
        return
    if row.organization_id is None:
        yield Draft(type=type, object_id=row.id, account_id=row.user_id, user_id=row.user_id)
        return
    yield draft_of(type, row, row.id, user_id=row.user_id, audience=Audience.ADMINISTRATORS)


def _invitation(change: RowChange) -> Drafts:
    row = change.row
    places = {"space_id": row.space_id, "collection_id": row.collection_id}
    if change.added:
        yield draft_of(Type.INVITATION_CREATED, row, row.id, **places)
    elif change.removed:
        # Whose time was over, or which was accepted, ends with no word.
        if row.accepted_at is None:
            yield draft_of(Type.INVITATION_DELETED, row, row.id, **places)
    elif "accepted_by_id" in change.changed:
        yield draft_of(Type.INVITATION_ACCEPTED, row, row.id, user_id=row.accepted_by_id, **places)
    elif changed := change.names("role", "sso", "expires_at", "space_id", "collection_id"):
        yield draft_of(Type.INVITATION_UPDATED, row, row.id, changed=changed, **places)


def _grant(change: RowChange) -> Drafts:
    row = change.row
    facts = {
        "space_id": row.space_id,
        "collection_id": row.collection_id,
        "user_id": row.user_id,
        "team_id": row.team_id,
        "object_type": Object.COLLECTION if row.space_id is None else Object.SPACE,
    }
    target = row.space_id or row.collection_id
    if change.added:
        yield draft_of(Type.PERMISSION_ADDED, row, target, **facts)
    elif change.removed:
        yield draft_of(Type.PERMISSION_REMOVED, row, target, **facts)
    elif changed := change.names("role"):
        yield draft_of(Type.PERMISSION_UPDATED, row, target, changed=changed, **facts)


# ------------------------------------------------------------------ spaces and collections


def _placed(
    change: RowChange, row: Any, facts: dict[str, Any], moved: Type, transferred: Type
) -> Drafts:
    """What a change of place says: in the tree, or from one organization to another."""
    if "organization_id" in change.changed:
        facts = {**facts, "data": {"newOrganizationId": row.organization_id}}
        for organization_id in (change.before("organization_id"), row.organization_id):
            yield Draft(
                type=transferred, object_id=row.id, organization_id=organization_id, **facts
            )
    elif {"parent_id", "position"} & change.changed.keys():
        yield draft_of(moved, row, row.id, **facts)


def _collection(change: RowChange) -> Drafts:
    row = change.row
    own = {"collection_id": row.id}
    if change.added:
        yield draft_of(Type.COLLECTION_CREATED, row, row.id, **own)
    elif change.removed:
        yield draft_of(Type.COLLECTION_DELETED, row, row.id, **own)
    else:
        yield from _placed(change, row, own, Type.COLLECTION_MOVED, Type.COLLECTION_TRANSFERRED)
        attributes = ["title", "description", "default_level"]
        if "organization_id" in change.changed:
            attributes.remove("default_level")
        if changed := change.names(*attributes):
            yield draft_of(Type.COLLECTION_UPDATED, row, row.id, changed=changed, **own)


def _space(change: RowChange) -> Drafts:
    row = change.row
    own = {"space_id": row.id, "collection_id": row.parent_id}
    if change.added:
        yield draft_of(Type.SPACE_CREATED, row, row.id, **own)
        return
    if change.removed:
        yield draft_of(Type.SPACE_PURGED, row, row.id, **own)
        return
    binned = "deleted_at" in change.changed
    if binned:
        type = Type.SPACE_RESTORED if row.deleted_at is None else Type.SPACE_DELETED
        yield draft_of(type, row, row.id, **own)
    else:
        yield from _placed(change, row, own, Type.SPACE_MOVED, Type.SPACE_TRANSFERRED)
    if "revision_id" in change.changed:
        yield draft_of(Type.SPACE_CONTENT_UPDATED, row, row.id, revision_id=row.revision_id, **own)
    attributes = ["title", "emoji", "icon_url", "edit_mode", "language", "merge_rules", "git_info"]
    if not binned and "organization_id" not in change.changed:
        attributes.append("default_level")
    if changed := change.names(*attributes):
        yield draft_of(Type.SPACE_UPDATED, row, row.id, changed=changed, **own)


def _git_configuration(change: RowChange) -> Drafts:
    row = change.row
    set_by_people = ("url", "ref", "directory", "direction", "interval_minutes", "enabled",
                     "commit_message", "commit_url", "tree_url", "credentials", "hook_secret",
                     "owner_id")  # fmt: skip
    if change.added or change.removed or change.names(*set_by_people):
        changed = ["git_configuration"]
        yield draft_of(Type.SPACE_UPDATED, row, row.space_id, changed=changed)


# ------------------------------------------------------------------ change requests and comments

_STATUSES = {
    ChangeRequestStatus.OPEN: Type.CHANGE_REQUEST_OPENED,
    ChangeRequestStatus.ARCHIVED: Type.CHANGE_REQUEST_ARCHIVED,
    ChangeRequestStatus.MERGED: Type.CHANGE_REQUEST_MERGED,
}


def _change_request(change: RowChange) -> Drafts:
    row = change.row
    own = {"change_request_id": row.id}
    if change.added:
        yield draft_of(Type.CHANGE_REQUEST_CREATED, row, row.id, **own)
        return
    attributes = ["subject", "description", "revision_id"]
    if "status" in change.changed:
        type = _STATUSES.get(row.status)
        if type is None:
            attributes.append("status")
        else:
            merged = row.revision_merged_id if type is Type.CHANGE_REQUEST_MERGED else None
            yield draft_of(type, row, row.id, revision_id=merged, **own)
    if changed := change.names(*attributes, "revision_merged_ancestor_id"):
        yield draft_of(
            Type.CHANGE_REQUEST_UPDATED, row, row.id, revision_id=row.revision_id,
            changed=changed, **own,
        )  # fmt: skip


def _conflict(change: RowChange) -> Drafts:
    row = change.row
    # New ones are said by whoever finds them (resolvers/change_requests/conflicts.py).
    if change.removed or change.names("resolution"):
        yield draft_of(
            Type.CHANGE_REQUEST_UPDATED, row, row.change_request_id, changed=("conflicts",)
        )


def _requested_reviewer(change: RowChange) -> Drafts:
    row = change.row
    type = Type.REVIEW_REQUEST_WITHDRAWN if change.removed else Type.REVIEW_REQUESTED
    if change.kind is not Kind.CHANGED:
        yield draft_of(type, row, row.change_request_id, user_id=row.user_id)


def _review(change: RowChange) -> Drafts:
    row = change.row
    if change.added or change.names("status"):
        yield draft_of(
            Type.REVIEW_SUBMITTED, row, row.id, user_id=row.reviewer_id,
            data={"reviewId": row.id, "status": row.status.value},
        )  # fmt: skip


def _comment(change: RowChange) -> Drafts:
    row = change.row
    facts: dict[str, Any] = {"comment_id": row.id, "page_id": row.page_id}
    reply = row.parent_id is not None
    if reply:
        facts["data"] = {"parentId": row.parent_id}
    if change.added:
        type = Type.COMMENT_REPLY_CREATED if reply else Type.COMMENT_CREATED
        yield draft_of(type, row, row.id, **facts)
    elif change.removed:
        type = Type.COMMENT_REPLY_DELETED if reply else Type.COMMENT_DELETED
        yield draft_of(type, row, row.id, **facts)
    else:
        if "markdown" in change.changed or "document" in change.changed:
            type = Type.COMMENT_REPLY_UPDATED if reply else Type.COMMENT_UPDATED
            yield draft_of(type, row, row.id, **facts)
        if "status" in change.changed:
            resolved = row.status is CommentStatus.RESOLVED
            type = Type.COMMENT_RESOLVED if resolved else Type.COMMENT_REOPENED
            yield draft_of(type, row, row.id, **facts)


# ------------------------------------------------------------------ sites


def _site(change: RowChange) -> Drafts:
    row = change.row
    own = {"site_id": row.id}
    if change.added:
        yield draft_of(Type.SITE_CREATED, row, row.id, **own)
    elif change.removed:
        yield draft_of(Type.SITE_DELETED, row, row.id, **own)
        return
    if "published" in change.changed and change.kind is Kind.CHANGED:
        type = Type.SITE_PUBLISHED if row.published else Type.SITE_UNPUBLISHED
        yield draft_of(type, row, row.id, **own)
    if change.added:
        return
    if changed := change.names(
        "title", "type", "visibility", "basename", "hostname", "proxy_origin", "icon",
        "adaptive_content", "agents_context", "previews",
    ):  # fmt: skip
        yield draft_of(Type.SITE_UPDATED, row, row.id, changed=changed, **own)
    if change.names("default_site_space_id", "default_section_id"):
        yield draft_of(Type.SITE_STRUCTURE_UPDATED, row, row.id, **own)


def _structure(change: RowChange) -> Drafts:
    site_id = change.row.site_id
    yield Draft(type=Type.SITE_STRUCTURE_UPDATED, object_id=site_id, site_id=site_id)


def _hostname(change: RowChange) -> Drafts:
    row = change.row
    if change.added:
        yield draft_of(Type.CUSTOM_HOSTNAME_CREATED, row, row.hostname)
    elif change.removed:
        yield draft_of(Type.CUSTOM_HOSTNAME_DELETED, row, row.hostname)
    elif changed := change.names("status", "site_id"):
        yield draft_of(Type.CUSTOM_HOSTNAME_UPDATED, row, row.hostname, changed=changed)


def _webhook(change: RowChange) -> Drafts:
    row = change.row
    if change.added:
        yield draft_of(Type.WEBHOOK_CREATED, row, row.id)
    elif change.removed:
        yield draft_of(Type.WEBHOOK_DELETED, row, row.id)
    elif "stop" in change.changed and row.stop is not None:
        yield draft_of(Type.WEBHOOK_DISABLED, row, row.id, data={"status": row.stop.value})
    elif changed := change.names("url", "description", "types", "enabled", "secret"):
        yield draft_of(Type.WEBHOOK_UPDATED, row, row.id, changed=changed)


def _specification(change: RowChange) -> Drafts:
    row = change.row
    if change.added:
        yield draft_of(Type.OPENAPI_SPEC_CREATED, row, row.id)
    elif change.removed:
        yield draft_of(Type.OPENAPI_SPEC_DELETED, row, row.id)
    elif "last_processed_at" in change.changed:
        code = row.last_process_error_code
        status = row.processing_state.value if code is None else code.value
        yield draft_of(Type.OPENAPI_SPEC_PROCESSED, row, row.id, data={"status": status})
    elif changed := change.names("source_url", "source_digest", "requested", "visibility"):
        names = {"sourceDigest": "source", "requested": "source"}
        public = tuple(dict.fromkeys(names.get(name, name) for name in changed))
        yield draft_of(Type.OPENAPI_SPEC_UPDATED, row, row.id, changed=public)


def _translation(change: RowChange) -> Drafts:
    row = change.row
    facts: dict[str, Any] = {
        "space_id": row.result_space_id, "data": {"language": row.language.value}
    }  # fmt: skip
    if change.added:
        yield draft_of(Type.TRANSLATION_CREATED, row, row.id, **facts)
    elif change.removed:
        yield draft_of(Type.TRANSLATION_DELETED, row, row.id, **facts)
    else:
        if changed := change.names("instructions"):
            yield draft_of(Type.TRANSLATION_UPDATED, row, row.id, changed=changed, **facts)
        if "status" in change.changed and row.status is TranslationStatus.RUNNING:
            yield draft_of(Type.TRANSLATION_STARTED, row, row.id, **facts)
        if "status" in change.changed and row.status is TranslationStatus.COMPLETED:
            yield draft_of(Type.TRANSLATION_COMPLETED, row, row.id, **facts)


RULES: Mapping[type[Base], Rule] = {
    Organization: _organization,
    User: _user,
    Member: _member,
    Team: _team,
    TeamMember: _team_member,
    ServiceAccount: _service_account,
    Token: _token,
    SamlProvider: object_rule(
        Type.SAML_PROVIDER_CREATED, Type.SAML_PROVIDER_UPDATED, Type.SAML_PROVIDER_DELETED,
        "label entity_id sso_url certificate default_role default_team_id trusted",
    ),
    Invitation: _invitation,
    AccessGrant: _grant,
    Collection: _collection,
    Space: _space,
    GitConfiguration: _git_configuration,
    ChangeRequest: _change_request,
    MergeConflict: _conflict,
    RequestedReviewer: _requested_reviewer,
    Review: _review,
    Comment: _comment,
    Reaction: part_rule(Type.COMMENT_REACTIONS_UPDATED, "comment_id", comment_id="comment_id"),
    Site: _site,
    SiteSection: _structure,
    SiteSectionGroup: _structure,
    SiteSpace: _structure,
    ShareLink: object_rule(
        Type.SITE_SHARE_LINK_CREATED, Type.SITE_SHARE_LINK_UPDATED, Type.SITE_SHARE_LINK_DELETED,
        "name active",
    ),
    SiteRedirect: part_rule(Type.SITE_REDIRECTS_UPDATED, "site_id"),
    SiteMcpServer: object_rule(
        Type.SITE_MCP_SERVER_CREATED, Type.SITE_MCP_SERVER_UPDATED, Type.SITE_MCP_SERVER_DELETED,
        "name url headers",
    ),
    CustomHostname: _hostname,
    Specification: _specification,
    Webhook: _webhook,
    Translation: _translation,
    Integration: integration_rule,
    DevelopmentMode: part_rule(Type.INTEGRATION_DEVELOPMENT_UPDATED, "integration_id"),
    Installation: installation_rule,
    SpaceInstallation: part_rule(Type.SPACE_INTEGRATIONS_UPDATED, "space_id"),
    SiteInstallation: part_rule(Type.SITE_INTEGRATIONS_UPDATED, "site_id"),
    GlossaryEntry: part_rule(Type.GLOSSARY_UPDATED, "organization_id"),
    CustomFont: part_rule(Type.CUSTOM_FONTS_UPDATED, "organization_id"),
    AgentInstructions: part_rule(Type.AGENT_INSTRUCTIONS_UPDATED, "organization_id"),
    AdaptiveSchema: part_rule(Type.SITE_ADAPTIVE_SCHEMA_UPDATED, "site_id"),
    PublishingAuth: part_rule(
        Type.SITE_PUBLISHING_AUTH_UPDATED, "site_id", "private_key backend fallback_url integration"
    ),
    SiteRevalidation: part_rule(Type.SITE_REVALIDATION_UPDATED, "site_id", "url secret"),
    SiteCustomization: part_rule(Type.SITE_CUSTOMIZATION_UPDATED, "site_id"),
    SiteSpaceCustomization: part_rule(
        Type.SITE_SPACE_CUSTOMIZATION_UPDATED, "site_space_id", site_space_id="site_space_id"
    ),
}  # fmt: skip
# Models that audit entries name and no event is about, and why.
SILENT: Mapping[type[Base], str] = {
    UserSession: "how somebody is signed in is in the audit log",
    SignInLink: "as sessions",
    AccountLink: "a step of an invitation, which has events itself",
    FileUpload: "nothing sees an upload before content names it",
    StorageUpload: "as the uploads of spaces: what is made of it has events",
    FeedToken: "nobody follows tokens of feeds; the audit log has them",
    NotificationSettings: "nobody else is to know what somebody wants to hear of",
    SpaceNotificationLevel: "as the settings",
    Job: "how far jobs are is read from them; what they write leaves its own events",
    IntegrationTask: "nobody but the integration knows of its tasks",
    IntegrationEvent: "as deliveries: they are made of events",
    GitSync: "synchronisations leave events of their own",
    SpecificationVersion: "the specification has events",
    WebhookDelivery: "what was delivered is an event itself",
    Revision: "what points to it has events",
}
