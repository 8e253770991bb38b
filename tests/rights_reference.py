"""Who sees a row, with which rank, and what `permissions` says of it: in plain Python.

Slow and obvious on purpose, and written from docs/roles.md and docs/sites.md: the rules of
resolvers/access are compared with it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from db.base import Base
from db.content_enums import ChangeRequestStatus
from db.enums import EditMode, Role
from db.event_enums import EventAudience as Audience
from db.integration_enums import IntegrationVisibility
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
from resolvers.core.actors import Actor, Visitor
from tests.role_reference import Facts, effective_rank, rank

READ, CREATE, ADMIN = Role.READ.rank, Role.CREATE.rank, Role.ADMIN.rank

# What follows a space, also in the bin; what is content, and hidden there; what is of a site.
DISCUSSIONS = (ChangeRequest, Contributor, MergeConflict, Review, RequestedReviewer, Comment)
CONTENT = (Revision, FileUpload, ContentLink, ContentLinkUse)
SETTINGS = (ShareLink, AdaptiveSchema, SiteRedirect, SiteMcpServer, CustomHostname)
STRUCTURE = (SiteSection, SiteSectionGroup, SiteSpace)
OTHERS = (
    Organization, Member, User, Team, TeamMember, ServiceAccount, Token, UserSession,
    SamlProvider, Invitation, AuditEntry, Event, Job, GitEntry, Notification,
    Webhook, WebhookDelivery, Specification, SpecificationVersion,
    Translation, GlossaryEntry, CustomFont,
    SpaceNotificationLevel, FeedToken,
    Collection, Space, Site,
)  # fmt: skip
INTEGRATIONS = (
    Integration, Installation, SpaceInstallation, SiteInstallation, IntegrationEvent,
)  # fmt: skip
JUDGED: tuple[type[Base], ...] = (
    *OTHERS, *DISCUSSIONS, *CONTENT, *STRUCTURE, *SETTINGS, *INTEGRATIONS,
)  # fmt: skip
# What decides, and is no object of its own in the interfaces.
FACTS: tuple[type[Base], ...] = (AccessGrant,)


@dataclass
class Everything:
    """All rows of the database, by model."""

    rows: Mapping[type[Any], list[Any]]
    # What was found before, for there is much to compare.
    ranks: dict[tuple[str, str], int] = field(default_factory=dict)

    @cached_property
    def facts(self) -> Facts:
        collections = {row.id: row for row in self.rows[Collection]}
        members, team_members = self.rows[Member], self.rows[TeamMember]
        return Facts(members, team_members, self.rows[AccessGrant], collections)

    @cached_property
    def by_id(self) -> dict[str, Any]:
        return {row.id: row for model in (Space, Site, Job) for row in self.rows[model]}

    def effective(self, person: str, row: Space | Collection) -> int:
        """The rank of a person's role on a space or collection."""
        key = (person, row.id)
        if key not in self.ranks:
            self.ranks[key] = effective_rank(self.facts, person, row)
        return self.ranks[key]

    def member(self, person: str, organization: str) -> Member | None:
        """The active membership of a person."""
        row = self._members.get((person, organization))
        return None if row is None or row.disabled else row

    @cached_property
    def _members(self) -> dict[tuple[str, str], Member]:
        return {(row.user_id, row.organization_id): row for row in self.rows[Member]}


# ------------------------------------------------------------------ ranks


def rank_on(everything: Everything, actor: Actor, row: Any) -> int | None:
    """The rank of an actor on a row, None where it is not seen."""
    if actor.visitor is not None:
        return READ if _shown(everything, actor.visitor, row) else None
    if actor.operator:
        return _of_operator(everything, row)
    if actor.user_id is None:
        return None
    return _of_person(everything, actor.user_id, row)


def rank_with_bin(everything: Everything, actor: Actor, space: Space) -> int | None:
    """The rank on a space where those in the bin are found by whoever could restore them."""
    if space.deleted_at is None or actor.visitor is not None:
        return rank_on(everything, actor, space)
    if actor.operator:
        return ADMIN
    if actor.user_id is None:
        return None
    own = everything.effective(actor.user_id, space)
    return own if own >= CREATE else None


def _of_operator(everything: Everything, row: Any) -> int | None:
    if isinstance(row, Member) and row.service:
        return None
    if isinstance(row, FileUpload) and row.user_id is not None:
        return None  # those of the operator are nobody's
    if isinstance(row, Notification | SpaceNotificationLevel | FeedToken):
        return None  # those of people
    if isinstance(row, Space):
        return ADMIN if row.deleted_at is None else None
    if isinstance(row, SpaceInstallation):
        return ADMIN if everything.by_id[row.space_id].deleted_at is None else None
    if isinstance(row, (*DISCUSSIONS, *CONTENT, SiteSpace)):
        deleted = everything.by_id[row.space_id].deleted_at is not None
        if deleted:
            return READ if isinstance(row, DISCUSSIONS) else None
    return ADMIN


def _of_person(everything: Everything, person: str, row: Any) -> int | None:
    if isinstance(row, User):
        return _on_user(everything, person, row)
    if isinstance(row, Organization):
        member = everything.member(person, row.id)
        return None if member is None else rank(member.role)
    if isinstance(row, Member):
        member = everything.member(person, row.organization_id)
        if row.service or member is None or (member.role is None and row.user_id != person):
            return None
        return rank(member.role)
    if isinstance(row, UserSession) or (isinstance(row, Token) and row.organization_id is None):
        return ADMIN if row.user_id == person else None
    if isinstance(row, AuditEntry) and row.organization_id is None:
        return ADMIN if row.person_id == person else None
    if isinstance(row, (ServiceAccount, Token, SamlProvider, AuditEntry)):
        return ADMIN if _administrates(everything, person, row) else None
    if isinstance(row, Event):
        if row.organization_id is not None and _administrates(everything, person, row):
            return ADMIN
        return READ if _hears(everything, person, row) else None
    if isinstance(row, FeedToken):
        return ADMIN if row.user_id == person else None
    if isinstance(row, Notification | SpaceNotificationLevel):
        space = everything.by_id[row.space_id]
        readable = space.deleted_at is None and everything.effective(person, space) >= READ
        return ADMIN if row.user_id == person and readable else None
    if isinstance(row, Job):
        return ADMIN if _follows(everything, person, row) else None
    if isinstance(row, GitEntry):
        job = everything.by_id[row.job_id]
        space = everything.by_id.get(str(job.space_id))
        synchronises = space is not None and (_in_space(everything, person, space) or 0) >= CREATE
        return ADMIN if synchronises or _follows(everything, person, job) else None
    if isinstance(row, INTEGRATIONS):
        return _with_integrations(everything, person, row)
    if isinstance(row, (Specification, SpecificationVersion, GlossaryEntry, CustomFont)):
        member = everything.member(person, row.organization_id)
        own = 0 if member is None else rank(member.role)
        return own if own >= READ else None
    if isinstance(row, (Webhook, WebhookDelivery)):
        return ADMIN if _administrates_webhook(everything, person, row) else None
    if isinstance(row, Translation):
        member = everything.member(person, row.organization_id)
        spaces = (everything.by_id[row.source_space_id], everything.by_id[row.result_space_id])
        seen = all(_in_space(everything, person, space) is not None for space in spaces)
        return rank(member.role) if member is not None and seen else None
    if isinstance(row, Invitation):
        if _administrates(everything, person, row):
            return ADMIN
        return CREATE if _is_into_what_they_change(everything, person, row) else None
    if isinstance(row, (Team, TeamMember)):
        return _on_team(everything, person, row)
    if isinstance(row, Collection):
        return everything.effective(person, row) or None
    if isinstance(row, (Space, *DISCUSSIONS, *CONTENT)):
        return _in_space(everything, person, row)
    return _at_site(everything, person, row)


def _administrates(everything: Everything, person: str, row: Any) -> bool:
    member = everything.member(person, str(row.organization_id))
    return member is not None and member.role is Role.ADMIN


def _hears(everything: Everything, person: str, event: Event) -> bool:
    """Whether somebody who is no administrator reads an event (docs/events.md)."""
    if event.audience is Audience.ACCOUNT:
        return event.organization_id is None and event.stream_id == person
    member = everything.member(person, str(event.organization_id))
    if member is None:
        return False
    space = everything.by_id.get(str(event.space_id))
    collection = everything.facts.collections.get(str(event.collection_id))
    of_space = of_collection = 0
    # What has gone to another organization counts as gone.
    if space is not None and space.organization_id == event.organization_id:
        of_space = everything.effective(person, space)
    if collection is not None and collection.organization_id == event.organization_id:
        of_collection = everything.effective(person, collection)
    binned = space is not None and space.deleted_at is not None
    if event.audience is Audience.SPACE:
        return of_space >= (CREATE if binned else READ)
    if event.audience is Audience.COLLECTION:
        return of_collection >= READ
    if event.audience is Audience.MANAGERS:
        if event.space_id is not None:
            return not binned and of_space >= CREATE
        return of_collection >= CREATE
    has_role = member.role is not None
    if event.audience is Audience.SITE:
        site = everything.by_id.get(str(event.site_id))
        placed = [] if site is None else _placed(everything, site)
        return has_role or any(_readable(everything, person, one) for one in placed)
    if event.audience is Audience.MEMBERS:
        return has_role or event.user_id == person
    if event.audience is Audience.TEAM:
        places = everything.rows[TeamMember]
        return has_role or any(
            one.team_id == event.team_id and one.user_id == person for one in places
        )
    return False


def _follows(everything: Everything, person: str, job: Job) -> bool:
    """Whether somebody reads a job, and may cancel it (docs/jobs.md)."""
    if job.organization_id is None or everything.member(person, job.organization_id) is None:
        return False
    if _administrates(everything, person, job):
        return True
    space = everything.by_id.get(str(job.space_id))
    readable = space is None or _in_space(everything, person, space) is not None
    return job.started_by_id == person and readable


def _with_integrations(everything: Everything, person: str, row: Any) -> int | None:
    """What people see of integrations: whoever knows the name of one that is not private sees it,
    and what is installed is for those who administrate the place (docs/integrations.md)."""
    if isinstance(row, IntegrationEvent):
        own = next(one for one in everything.rows[Integration] if one.id == row.integration_id)
        return ADMIN if _administrates(everything, person, own) else None
    if isinstance(row, Installation):
        return ADMIN if _administrates(everything, person, row) else None
    if isinstance(row, SpaceInstallation):
        space = everything.by_id[row.space_id]
        rights = everything.effective(person, space) if space.deleted_at is None else 0
        return rights if rights >= CREATE else None
    organization = row.organization_id
    if isinstance(row, SiteInstallation):
        organization = everything.by_id[row.site_id].organization_id
    member = everything.member(person, organization)
    rights = 0 if member is None else rank(member.role)
    if isinstance(row, SiteInstallation):
        return rights if rights >= CREATE else None
    return rights if rights or row.visibility is not IntegrationVisibility.PRIVATE else None


def _administrates_webhook(
    everything: Everything, person: str, row: Webhook | WebhookDelivery
) -> bool:
    """Whether somebody administers an endpoint (docs/webhooks.md)."""
    if isinstance(row, WebhookDelivery):
        row = next(one for one in everything.rows[Webhook] if one.id == row.webhook_id)
    if _administrates(everything, person, row):
        return True
    if everything.member(person, row.organization_id) is None or row.space_id is None:
        return False
    space = everything.by_id[row.space_id]
    here = space.organization_id == row.organization_id and space.deleted_at is None
    return bool(here and everything.effective(person, space) >= ADMIN)


def _is_into_what_they_change(everything: Everything, person: str, row: Invitation) -> bool:
    """Whether an invitation is to a space or a collection whose role `create` they have."""
    if row.space_id is not None:
        space = everything.by_id[row.space_id]
        return space.deleted_at is None and everything.effective(person, space) >= CREATE
    if row.collection_id is None:
        return False
    collection = everything.facts.collections[row.collection_id]
    return everything.effective(person, collection) >= CREATE


def _on_user(everything: Everything, person: str, row: User) -> int | None:
    if row.id == person:
        return ADMIN
    for theirs in everything.rows[Member]:
        if theirs.user_id == row.id and everything.member(person, theirs.organization_id):
            return READ
    return None


def _on_team(everything: Everything, person: str, row: Team | TeamMember) -> int | None:
    """On a team, or on somebody's place in it."""
    member = everything.member(person, row.organization_id)
    if member is None:
        return None
    team = row.id if isinstance(row, Team) else row.team_id
    places = [one for one in everything.rows[TeamMember] if one.team_id == team]
    own = [one for one in places if one.user_id == person]
    owner = any(one.owner for one in own)
    if member.role is Role.ADMIN or owner:
        return ADMIN
    shown = bool(own) if isinstance(row, Team) else row.user_id == person
    return READ if member.role is not None or shown else None


def _in_space(everything: Everything, person: str, row: Any) -> int | None:
    space = row if isinstance(row, Space) else everything.by_id[row.space_id]
    own = everything.effective(person, space)
    if own == 0 or (isinstance(row, FileUpload) and row.user_id != person):
        return None
    if space.deleted_at is None:
        return own
    return READ if isinstance(row, DISCUSSIONS) and own >= CREATE else None


def _at_site(everything: Everything, person: str, row: Any) -> int | None:
    site = row if isinstance(row, Site) else everything.by_id[row.site_id]
    member = everything.member(person, site.organization_id)
    if isinstance(row, SiteSpace):
        seen = _readable(everything, person, row)
    elif member is None:
        seen = False
    elif member.role is not None:
        seen = True
    else:
        seen = any(_readable(everything, person, one) for one in _placed(everything, row))
    if not seen:
        return None
    assert member is not None, "who reads a space of a site is in its organization"
    return rank(member.role)


def _readable(everything: Everything, person: str, placed: SiteSpace) -> bool:
    space = everything.by_id[placed.space_id]
    alive = space.deleted_at is None
    return alive and everything.effective(person, space) > 0


def _placed(everything: Everything, row: Any) -> list[SiteSpace]:
    """The spaces on a site, in a section, or in a group and the groups in it; of settings none."""
    everywhere = everything.rows[SiteSpace]
    if isinstance(row, Site):
        return [one for one in everywhere if one.site_id == row.id]
    if isinstance(row, SiteSection):
        return [one for one in everywhere if one.section_id == row.id]
    if isinstance(row, SiteSectionGroup):
        sections = _sections_below(everything, row)
        return [one for one in everywhere if one.section_id in sections]
    return []


def _sections_below(everything: Everything, group: SiteSectionGroup) -> set[str]:
    groups = {group.id}
    groups |= {one.id for one in everything.rows[SiteSectionGroup] if one.parent_id == group.id}
    return {one.id for one in everything.rows[SiteSection] if one.group_id in groups}


def _shown(everything: Everything, visitor: Visitor, row: Any) -> bool:
    """Whether a visitor of a site sees a row (docs/sites.md, "What a visitor sees")."""
    if isinstance(row, (Site, *STRUCTURE)):
        site = row if isinstance(row, Site) else everything.by_id[row.site_id]
        if site.id != visitor.site_id or not site.published:
            return False
        if isinstance(row, SiteSection):
            return row.id in visitor.section_ids
        if isinstance(row, SiteSectionGroup):
            return bool(_sections_below(everything, row) & visitor.section_ids)
        if isinstance(row, SiteSpace):
            alive = everything.by_id[row.space_id].deleted_at is None
            return alive and row.id in visitor.site_space_ids
        return True
    if not isinstance(row, (Space, Revision, ChangeRequest)):
        return False
    space = row if isinstance(row, Space) else everything.by_id[row.space_id]
    if space.id not in visitor.space_ids or space.deleted_at is not None:
        return False
    return (
        isinstance(row, Space)
        or space.id in visitor.preview_space_ids
        or listed(visitor, space, row)
        or (
            isinstance(row, Revision)
            and row.expands_id is not None
            and row.expands_id == visitor.revision_id
        )
    )


def listed(visitor: Visitor, space: Space, row: Revision | ChangeRequest) -> bool:
    """Whether lists show a visitor this row of a space that it sees: no previews for anybody."""
    if isinstance(row, Revision):
        return row.id in (space.revision_id, visitor.revision_id)
    return row.id == visitor.change_request_id


# ------------------------------------------------------------------ permissions

# The weakest role for each of them; "guest" is whoever sees the object, "nobody" is none.
NEEDS: dict[type[Any], dict[str, str]] = {
    Organization: {
        "view": "guest", "list_members": "read", "list_teams": "read", "list_integrations": "read",
        "create_content": "create", "create_open_api_spec": "create",
        "admin": "admin", "own_team": "admin", "list_installations": "admin",
        "install_integration": "admin", "ingest_conversations": "nobody", "view_billing": "nobody",
    },
    Team: {"view": "guest", "admin": "admin"},
    Space: {
        "view": "read", "access": "read", "comment": "comment", "edit": "edit",
        "merge": "review", "review": "review", "admin": "create", "view_invite_links": "create",
        "trigger_git_sync": "create", "install_integration": "create",
    },
    Collection: {
        "view": "read", "admin": "create", "view_invite_links": "create", "create": "create",
    },
    Site: {
        "view": "guest", "view_settings": "read", "preview": "edit", "view_insights": "create",
        "edit": "create", "publish": "create", "delete": "create", "manage_hostname": "admin",
    },
    ChangeRequest: {
        "view": "read", "comment": "comment", "edit": "edit", "request_reviewers": "edit",
        "archive": "review", "review": "review", "merge": "review",
    },
    Comment: {
        "view": "read", "reply": "comment", "react": "comment", "resolve": "edit",
        "edit": "create", "delete": "create",
    },
}  # fmt: skip
RANKS = {"guest": 0, **{role.value: role.rank for role in Role}, "nobody": 99}


def permissions(everything: Everything, actor: Actor, row: Any) -> dict[str, bool] | None:
    """What `permissions` of a row must say to an actor, None where the row is not seen."""
    if isinstance(row, Space):
        own = rank_with_bin(everything, actor, row)
    else:
        own = rank_on(everything, actor, row)
    if own is None:
        return None
    if actor.visitor is not None:
        return {name: name in ("view", "access") for name in NEEDS[type(row)]}
    answer = {name: own >= RANKS[role] for name, role in NEEDS[type(row)].items()}
    person = actor.user_id
    if isinstance(row, Organization):
        answer["own_team"] |= _owns_team(everything, person, row)
    elif isinstance(row, Space):
        answer["edit"] &= row.edit_mode is EditMode.LIVE
    elif isinstance(row, Comment) and row.posted_by_id == person and answer["reply"]:
        answer |= dict.fromkeys(("edit", "resolve", "delete"), True)
    elif isinstance(row, ChangeRequest):
        if everything.by_id[row.space_id].deleted_at is not None:
            return {name: name == "view" for name in answer}
        asked = any(
            one.change_request_id == row.id and one.user_id == person
            for one in everything.rows[RequestedReviewer]
        )
        answer["review"] |= asked and answer["comment"]
        if row.created_by_id == person:
            answer |= dict.fromkeys(("edit", "request_reviewers", "archive"), True)
            answer["review"] = False
    return answer


def _owns_team(everything: Everything, person: str | None, row: Organization) -> bool:
    teams = {team.id for team in everything.rows[Team] if team.organization_id == row.id}
    return any(
        one.owner and one.user_id == person and one.team_id in teams
        for one in everything.rows[TeamMember]
    )


def permissions_in_space(everything: Everything, actor: Actor, space: Space) -> dict[str, bool]:
    """`permissions` of a page of primary content that the actor sees."""
    own = rank_on(everything, actor, space) or 0
    if actor.visitor is not None:
        own = 0
    needed = Role.EDIT if space.edit_mode is EditMode.LIVE else Role.REVIEW
    return {"view": True, "comment": own >= Role.COMMENT.rank, "edit": own >= needed.rank}


def permissions_in_request(
    everything: Everything, actor: Actor, row: ChangeRequest
) -> dict[str, bool]:
    """`permissions` of a page of an edited change request that the actor sees."""
    own = rank_on(everything, actor, row) or 0
    if actor.visitor is not None:
        own = 0
    open_for_edits = row.status in (ChangeRequestStatus.DRAFT, ChangeRequestStatus.OPEN)
    edits = own >= Role.EDIT.rank or (own > 0 and row.created_by_id == actor.user_id)
    return {
        "view": True, "comment": own >= Role.COMMENT.rank, "edit": open_for_edits and edits,
    }  # fmt: skip


def seen(everything: Everything, actor: Actor, rows: Iterable[Any]) -> dict[str, int]:
    """The ranks of those rows that the actor sees, by id."""
    ranks = {row.id: rank_on(everything, actor, row) for row in rows}
    return {id: own for id, own in ranks.items() if own is not None}
