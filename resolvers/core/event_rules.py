"""Which events follow from what a write has changed.

Each model whose rows are objects of events, or parts of such, has a rule here: from the change of a
row to drafts of events. The changes are those that the audit log is written from
(resolvers/core/audit_notes.py). A model with neither a rule nor a line in `SILENT` fails a test.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import inspect

from db.audit_enums import AuditChangeKind as Kind, AuditObjectType as Object
from db.base import Base
from db.content_enums import ChangeRequestStatus, CommentStatus
from db.event_enums import EventAudience as Audience, EventType as Type
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment, Reaction
from db.models.content import FileUpload, Revision
from db.models.invitations import AccountLink, Invitation
from db.models.merging import MergeConflict
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
from resolvers.core.audit_notes import Change, ContentChange
from resolvers.core.event_drafts import Draft
from resolvers.core.event_types import EVENT_KINDS
from resolvers.core.naming import camel

Drafts = Iterator[Draft]


@dataclass(slots=True)
class RowChange:
    """What a write has made of a row, from its first change to its last one."""

    kind: Kind
    row: Any
    # Names of its attributes that have changed.
    changed: dict[str, None] = field(default_factory=dict)
    # Of the values that the audit log shows: before and after.
    values: dict[str, tuple[Any, Any]] = field(default_factory=dict)

    @property
    def added(self) -> bool:
        return self.kind is Kind.ADDED

    @property
    def removed(self) -> bool:
        return self.kind is Kind.REMOVED

    def before(self, name: str) -> Any:
        """The value that an attribute had, of those that the audit log shows."""
        return self.values[name][0]

    def names(self, *attributes: str) -> tuple[str, ...]:
        """Those of the attributes that have changed, as callers know them."""
        return tuple(_public(name) for name in attributes if name in self.changed)


def _public(attribute: str) -> str:
    return camel(attribute.removesuffix("_id"))


Rule = Callable[[RowChange], Drafts]


def _draft(type: Type, row: Any, id: str | None, **facts: Any) -> Draft:
    """A draft about an object, with what its row says of where it belongs."""
    for name in ("organization_id", "space_id", "change_request_id", "site_id"):
        facts.setdefault(name, getattr(row, name, None))
    return Draft(type=type, object_id=id, **facts)


def _plain(
    created: Type, updated: Type, deleted: Type, attributes: str, facts: Callable[[Any], Any] = dict
) -> Rule:
    """A row that is an object, and is made, changed and deleted."""
    names = attributes.split()

    def rule(change: RowChange) -> Drafts:
        row = change.row
        own = facts(row) if facts is not dict else {}
        if change.added:
            yield _draft(created, row, row.id, **own)
        elif change.removed:
            yield _draft(deleted, row, row.id, **own)
        elif changed := change.names(*names):
            yield _draft(updated, row, row.id, changed=changed, **own)

    return rule


def _part(type: Type, of: str, attributes: str | None = None, **links: str) -> Rule:
    """A row that is a part of an object: whatever happens to it, the object is changed.

    `attributes` are those that count and are named, all where it is None; `links` are facts, by
    the attributes that hold them.
    """
    names = None if attributes is None else attributes.split()

    def rule(change: RowChange) -> Drafts:
        row = change.row
        changed: tuple[str, ...] = ()
        if names is not None:
            changed = change.names(*names)
            if change.kind is Kind.CHANGED and not changed:
                return
            if change.kind is not Kind.CHANGED:
                changed = tuple(_public(name) for name in names if getattr(row, name) is not None)
        facts: dict[str, Any] = {name: getattr(row, link) for name, link in links.items()}
        if "site_space_id" in facts:
            facts["data"] = {"siteSpaceId": facts["site_space_id"]}
        yield _draft(type, row, getattr(row, of), changed=changed, **facts)

    return rule


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
            yield _draft(
                Type.SERVICE_ACCOUNT_UPDATED, row, row.user_id, user_id=row.user_id, changed=changed
            )
        return
    about = {"user_id": row.user_id}
    if change.kind is Kind.CHANGED:
        if changed := change.names("role", "disabled", "sso"):
            yield _draft(Type.MEMBER_UPDATED, row, row.user_id, changed=changed, **about)
        return
    type = Type.MEMBER_ADDED if change.added else Type.MEMBER_REMOVED
    yield _draft(type, row, row.user_id, **about)
    yield Draft(
        type=Type.USER_ORGANIZATIONS_UPDATED,
        object_id=row.user_id,
        account_id=row.user_id,
        user_id=row.user_id,
        data={"memberOf": row.organization_id},
    )


_team = _plain(
    Type.TEAM_CREATED, Type.TEAM_UPDATED, Type.TEAM_DELETED, "title",
    lambda row: {"team_id": row.id},
)  # fmt: skip


def _team_member(change: RowChange) -> Drafts:
    row = change.row
    about = {"team_id": row.team_id, "user_id": row.user_id}
    if change.added:
        yield _draft(Type.TEAM_MEMBER_ADDED, row, row.team_id, **about)
    elif change.removed:
        yield _draft(Type.TEAM_MEMBER_REMOVED, row, row.team_id, **about)
    elif changed := change.names("owner"):
        yield _draft(Type.TEAM_MEMBER_UPDATED, row, row.team_id, changed=changed, **about)


def _service_account(change: RowChange) -> Drafts:
    row = change.row
    if change.kind is not Kind.CHANGED:
        type = Type.SERVICE_ACCOUNT_CREATED if change.added else Type.SERVICE_ACCOUNT_DELETED
        yield _draft(type, row, row.id, user_id=row.id)


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
    yield _draft(type, row, row.id, user_id=row.user_id, audience=Audience.ADMINISTRATORS)


def _invitation(change: RowChange) -> Drafts:
    row = change.row
    places = {"space_id": row.space_id, "collection_id": row.collection_id}
    if change.added:
        yield _draft(Type.INVITATION_CREATED, row, row.id, **places)
    elif change.removed:
        # Whose time was over, or which was accepted, ends with no word.
        if row.accepted_at is None:
            yield _draft(Type.INVITATION_DELETED, row, row.id, **places)
    elif "accepted_by_id" in change.changed:
        yield _draft(Type.INVITATION_ACCEPTED, row, row.id, user_id=row.accepted_by_id, **places)
    elif changed := change.names("role", "sso", "expires_at", "space_id", "collection_id"):
        yield _draft(Type.INVITATION_UPDATED, row, row.id, changed=changed, **places)


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
        yield _draft(Type.PERMISSION_ADDED, row, target, **facts)
    elif change.removed:
        yield _draft(Type.PERMISSION_REMOVED, row, target, **facts)
    elif changed := change.names("role"):
        yield _draft(Type.PERMISSION_UPDATED, row, target, changed=changed, **facts)


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
        yield _draft(moved, row, row.id, **facts)


def _collection(change: RowChange) -> Drafts:
    row = change.row
    own = {"collection_id": row.id}
    if change.added:
        yield _draft(Type.COLLECTION_CREATED, row, row.id, **own)
    elif change.removed:
        yield _draft(Type.COLLECTION_DELETED, row, row.id, **own)
    else:
        yield from _placed(change, row, own, Type.COLLECTION_MOVED, Type.COLLECTION_TRANSFERRED)
        attributes = ["title", "description", "default_level"]
        if "organization_id" in change.changed:
            attributes.remove("default_level")
        if changed := change.names(*attributes):
            yield _draft(Type.COLLECTION_UPDATED, row, row.id, changed=changed, **own)


def _space(change: RowChange) -> Drafts:
    row = change.row
    own = {"space_id": row.id, "collection_id": row.parent_id}
    if change.added:
        yield _draft(Type.SPACE_CREATED, row, row.id, **own)
        return
    if change.removed:
        yield _draft(Type.SPACE_PURGED, row, row.id, **own)
        return
    binned = "deleted_at" in change.changed
    if binned:
        type = Type.SPACE_RESTORED if row.deleted_at is None else Type.SPACE_DELETED
        yield _draft(type, row, row.id, **own)
    else:
        yield from _placed(change, row, own, Type.SPACE_MOVED, Type.SPACE_TRANSFERRED)
    if "revision_id" in change.changed:
        yield _draft(Type.SPACE_CONTENT_UPDATED, row, row.id, revision_id=row.revision_id, **own)
    attributes = ["title", "emoji", "icon_url", "edit_mode", "language", "merge_rules"]
    if not binned and "organization_id" not in change.changed:
        attributes.append("default_level")
    if changed := change.names(*attributes):
        yield _draft(Type.SPACE_UPDATED, row, row.id, changed=changed, **own)


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
        yield _draft(Type.CHANGE_REQUEST_CREATED, row, row.id, **own)
        return
    attributes = ["subject", "description", "revision_id"]
    if "status" in change.changed:
        type = _STATUSES.get(row.status)
        if type is None:
            attributes.append("status")
        else:
            merged = row.revision_merged_id if type is Type.CHANGE_REQUEST_MERGED else None
            yield _draft(type, row, row.id, revision_id=merged, **own)
    if changed := change.names(*attributes, "revision_merged_ancestor_id"):
        yield _draft(
            Type.CHANGE_REQUEST_UPDATED, row, row.id, revision_id=row.revision_id,
            changed=changed, **own,
        )  # fmt: skip


def _conflict(change: RowChange) -> Drafts:
    row = change.row
    # New ones are said by whoever finds them (resolvers/change_requests/conflicts.py).
    if change.removed or change.names("resolution"):
        yield _draft(
            Type.CHANGE_REQUEST_UPDATED, row, row.change_request_id, changed=("conflicts",)
        )


def _requested_reviewer(change: RowChange) -> Drafts:
    row = change.row
    type = Type.REVIEW_REQUEST_WITHDRAWN if change.removed else Type.REVIEW_REQUESTED
    if change.kind is not Kind.CHANGED:
        yield _draft(type, row, row.change_request_id, user_id=row.user_id)


def _review(change: RowChange) -> Drafts:
    row = change.row
    if change.added or change.names("status"):
        yield _draft(
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
        yield _draft(type, row, row.id, **facts)
    elif change.removed:
        type = Type.COMMENT_REPLY_DELETED if reply else Type.COMMENT_DELETED
        yield _draft(type, row, row.id, **facts)
    else:
        if "markdown" in change.changed or "document" in change.changed:
            type = Type.COMMENT_REPLY_UPDATED if reply else Type.COMMENT_UPDATED
            yield _draft(type, row, row.id, **facts)
        if "status" in change.changed:
            resolved = row.status is CommentStatus.RESOLVED
            type = Type.COMMENT_RESOLVED if resolved else Type.COMMENT_REOPENED
            yield _draft(type, row, row.id, **facts)


# ------------------------------------------------------------------ sites


def _site(change: RowChange) -> Drafts:
    row = change.row
    own = {"site_id": row.id}
    if change.added:
        yield _draft(Type.SITE_CREATED, row, row.id, **own)
    elif change.removed:
        yield _draft(Type.SITE_DELETED, row, row.id, **own)
        return
    if "published" in change.changed and change.kind is Kind.CHANGED:
        type = Type.SITE_PUBLISHED if row.published else Type.SITE_UNPUBLISHED
        yield _draft(type, row, row.id, **own)
    if change.added:
        return
    if changed := change.names(
        "title", "type", "visibility", "basename", "hostname", "proxy_origin", "icon",
        "adaptive_content", "agents_context", "previews",
    ):  # fmt: skip
        yield _draft(Type.SITE_UPDATED, row, row.id, changed=changed, **own)
    if change.names("default_site_space_id", "default_section_id"):
        yield _draft(Type.SITE_STRUCTURE_UPDATED, row, row.id, **own)


def _structure(change: RowChange) -> Drafts:
    site_id = change.row.site_id
    yield Draft(type=Type.SITE_STRUCTURE_UPDATED, object_id=site_id, site_id=site_id)


def _hostname(change: RowChange) -> Drafts:
    row = change.row
    if change.added:
        yield _draft(Type.CUSTOM_HOSTNAME_CREATED, row, row.hostname)
    elif change.removed:
        yield _draft(Type.CUSTOM_HOSTNAME_DELETED, row, row.hostname)
    elif changed := change.names("status", "site_id"):
        yield _draft(Type.CUSTOM_HOSTNAME_UPDATED, row, row.hostname, changed=changed)


RULES: Mapping[type[Base], Rule] = {
    Organization: _organization,
    User: _user,
    Member: _member,
    Team: _team,
    TeamMember: _team_member,
    ServiceAccount: _service_account,
    Token: _token,
    SamlProvider: _plain(
        Type.SAML_PROVIDER_CREATED, Type.SAML_PROVIDER_UPDATED, Type.SAML_PROVIDER_DELETED,
        "label entity_id sso_url certificate default_role default_team_id trusted",
    ),
    Invitation: _invitation,
    AccessGrant: _grant,
    Collection: _collection,
    Space: _space,
    ChangeRequest: _change_request,
    MergeConflict: _conflict,
    RequestedReviewer: _requested_reviewer,
    Review: _review,
    Comment: _comment,
    Reaction: _part(Type.COMMENT_REACTIONS_UPDATED, "comment_id", comment_id="comment_id"),
    Site: _site,
    SiteSection: _structure,
    SiteSectionGroup: _structure,
    SiteSpace: _structure,
    ShareLink: _plain(
        Type.SITE_SHARE_LINK_CREATED, Type.SITE_SHARE_LINK_UPDATED, Type.SITE_SHARE_LINK_DELETED,
        "name active",
    ),
    SiteRedirect: _part(Type.SITE_REDIRECTS_UPDATED, "site_id"),
    SiteMcpServer: _plain(
        Type.SITE_MCP_SERVER_CREATED, Type.SITE_MCP_SERVER_UPDATED, Type.SITE_MCP_SERVER_DELETED,
        "name url headers",
    ),
    CustomHostname: _hostname,
    AdaptiveSchema: _part(Type.SITE_ADAPTIVE_SCHEMA_UPDATED, "site_id"),
    PublishingAuth: _part(
        Type.SITE_PUBLISHING_AUTH_UPDATED, "site_id", "private_key backend fallback_url integration"
    ),
    SiteRevalidation: _part(Type.SITE_REVALIDATION_UPDATED, "site_id", "url secret"),
    SiteCustomization: _part(Type.SITE_CUSTOMIZATION_UPDATED, "site_id"),
    SiteSpaceCustomization: _part(
        Type.SITE_SPACE_CUSTOMIZATION_UPDATED, "site_space_id", site_space_id="site_space_id"
    ),
}  # fmt: skip
# Models that audit entries name and no event is about, and why.
SILENT: Mapping[type[Base], str] = {
    UserSession: "how somebody is signed in is in the audit log",
    SignInLink: "as sessions",
    AccountLink: "a step of an invitation, which has events itself",
    FileUpload: "nothing sees an upload before content names it",
    Revision: "what points to it has events",
}


# ------------------------------------------------------------------ all of a write


def drafts_of(
    changes: Iterable[Change], contents: Iterable[ContentChange], facts: Iterable[Draft]
) -> list[Draft]:
    """The events of a write, each once, objects before what belongs to them."""
    drafts: list[Draft] = []
    for change in _row_changes(changes):
        drafts += RULES[type(change.row)](change)
    for content in contents:
        drafts += _of_content(content)
    return _without_what_follows([*drafts, *facts])


def _row_changes(changes: Iterable[Change]) -> list[RowChange]:
    """What became of each row; those that came and went in the same write are left out."""
    by_key: dict[tuple[type[Base], Any], RowChange] = {}
    for change in changes:
        model = type(change.row)
        if model not in RULES:
            continue
        key = model, tuple(inspect(model).primary_key_from_instance(change.row))
        known = by_key.get(key)
        if known is None:
            known = by_key[key] = RowChange(change.kind, change.row)
        elif known.added and change.kind is Kind.REMOVED:
            del by_key[key]
            continue
        elif change.kind is Kind.REMOVED:
            known.kind = Kind.REMOVED
        elif known.removed and change.kind is Kind.ADDED:
            known.kind = Kind.CHANGED
        known.row = change.row
        known.changed |= dict.fromkeys(change.changed)
        for name, (before, after) in change.values.items():
            earlier = known.values.get(name)
            known.values[name] = (before if earlier is None else earlier[0], after)
    return list(by_key.values())


# What happens to a site as a whole, beside its parts.
_WHOLE = (Type.SITE_CREATED, Type.SITE_DELETED, Type.SITE_PUBLISHED, Type.SITE_UNPUBLISHED)
_PAGES = {
    Kind.ADDED: Type.PAGE_CREATED,
    Kind.CHANGED: Type.PAGE_UPDATED,
    Kind.REMOVED: Type.PAGE_DELETED,
}


def _of_content(content: ContentChange) -> Drafts:
    if content.type is not Object.PAGE:
        return
    facts: dict[str, Any] = {
        "object_id": content.id,
        "page_id": content.id,
        "space_id": content.space_id,
        "change_request_id": content.change_request_id,
        "revision_id": content.revision_id,
    }
    if content.kind is not Kind.CHANGED:
        yield Draft(type=_PAGES[content.kind], **facts)
        return
    if content.moved:
        yield Draft(type=Type.PAGE_MOVED, **facts)
    if content.edited:
        yield Draft(type=Type.PAGE_UPDATED, **facts)


def _without_what_follows(drafts: list[Draft]) -> list[Draft]:
    """Each event once, and none that says less than another one of the same write."""
    whole = {
        draft.object_id for draft in drafts if draft.type in (Type.SITE_CREATED, Type.SITE_DELETED)
    }
    reviewers = {draft.user_id for draft in drafts if draft.type is Type.REVIEW_SUBMITTED}
    merged: dict[Any, Draft] = {}
    for draft in drafts:
        if draft.type not in _WHOLE and draft.site_id in whole:
            continue
        if draft.type is Type.REVIEW_REQUEST_WITHDRAWN and draft.user_id in reviewers:
            continue
        key: tuple[Any, ...] = draft.type, draft.object_id, draft.change_request_id
        fields = EVENT_KINDS[draft.type].fields
        if "userId" in fields or "teamId" in fields:
            key += (draft.user_id, draft.team_id)
        if "newOrganizationId" in fields:
            # One for each of the two organizations.
            key += (draft.organization_id,)
        earlier = merged.get(key)
        if earlier is not None:
            draft = replace(
                earlier,
                organization_id=earlier.organization_id or draft.organization_id,
                changed=tuple(dict.fromkeys((*earlier.changed, *draft.changed))),
            )
        merged[key] = draft
    return list(merged.values())
