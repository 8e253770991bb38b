"""Rows for tests: each factory makes the parents it lacks and flushes nothing it need not."""

import itertools
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import select

from content.links.redirect_paths import read_source
from content.merge.conflict import Conflict, conflict_json
from content.openapi.processing import process
from db.audit_enums import AuditActorKind, AuditDoor, AuditObjectType
from db.base import utc_now
from db.content_enums import (
    ChangeRequestStatus,
    ConflictKind,
    ContributionAction,
    ReviewStatus,
    RevisionType,
)
from db.enums import DefaultLevel, Language, Role, SignInMethod
from db.event_enums import EventAudience, EventType
from db.git_enums import (
    GitChange,
    GitChangeKind,
    GitConfigurationDirection,
    GitDirection,
    GitProvider,
)
from db.ids import new_id
from db.inserts import insert_of
from db.integration_enums import (
    InstallationSelection,
    InstallationStatus,
    IntegrationEventStatus,
    IntegrationRuntime,
    IntegrationTarget,
    IntegrationVisibility,
)
from db.job_enums import JobKind, JobState
from db.models.audit import AuditEntry
from db.models.change_requests import ChangeRequest, Contributor
from db.models.comments import Comment
from db.models.content import Revision
from db.models.events import Event, EventCounter
from db.models.git import GitConfiguration, GitEntry, GitSync
from db.models.insights import InsightsEvent
from db.models.integrations import (
    DevelopmentMode,
    ExternalId,
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
    PublishingAuth,
    ShareLink,
    SiteCustomization,
    SiteMcpServer,
    SiteRedirect,
    SiteSpaceCustomization,
)
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import AccessGrant, Collection, CollectionAncestor, Space
from db.models.specifications import (
    Specification,
    SpecificationContent,
    SpecificationVersion,
)
from db.models.storage import CustomFont, StorageUpload
from db.models.translations import GlossaryEntry, Translation
from db.models.webhooks import Webhook, WebhookDelivery
from db.notification_enums import NotificationKind, NotificationLevel
from db.prepared import POSTGRESQL
from db.session import Session
from db.site_enums import InsightsEventType
from db.specification_enums import SpecificationState, SpecificationVisibility
from db.storage_enums import StorageUploadKind
from db.translation_enums import TranslationStatus
from db.webhook_enums import DeliveryState
from resolvers.access.tokens import digest
from resolvers.core.email_addresses import INTEGRATION_DOMAIN, SERVICE_DOMAIN
from resolvers.core.sealing import Sealer
from resolvers.webhooks.attempts import Attempt
from resolvers.webhooks.signing import new_secret
from tests.saml_certificates import CERTIFICATE

TEST_SEALER = Sealer(lambda: b"key of tests")
# All have as many digits, whatever was made before: no name begins with another one, and they sort
# in the order in which they were made.
_number = itertools.count(1_000_001)
T = TypeVar("T")


async def stored(session: Session, row: T) -> T:
    """The row, with its id."""
    session.add(row)
    await session.flush()
    return row


def new_user(name: str = "", **changes: Any) -> User:
    """A person with an address of their own, not stored."""
    number = next(_number)
    return User(display_name=name or f"Person {number}", email=f"p{number}@example.com", **changes)


async def make_user(session: Session, name: str = "", **changes: Any) -> User:
    return await stored(session, new_user(name, **changes))


async def make_organization(session: Session, **changes: Any) -> Organization:
    return await stored(
        session, Organization(**{"title": f"Organization {next(_number)}"} | changes)
    )


async def make_member(
    session: Session,
    organization: Organization,
    role: Role | None = Role.READ,
    user: User | None = None,
    **changes: Any,
) -> User:
    """A member of the organization; returns the person."""
    user = user or await make_user(session)
    session.add(Member(organization_id=organization.id, user_id=user.id, role=role, **changes))
    await session.flush()
    return user


def _of_program(account: User, domain: str) -> str:
    return account.email.partition("@")[0] + domain


async def make_service(
    session: Session, organization: Organization, role: Role | None = Role.READ
) -> ServiceAccount:
    """A service account of the organization."""
    user = await make_member(session, organization, role, service=True)
    user.email = _of_program(user, SERVICE_DOMAIN)
    account = ServiceAccount(id=user.id, organization_id=organization.id)
    session.add(account)
    await session.flush()
    return account


async def make_user_session(session: Session, person: User) -> UserSession:
    return await stored(
        session,
        UserSession(
            user_id=person.id,
            digest=f"{next(_number):064}",
            method=SignInMethod.EMAIL_LINK,
            user_agent="Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        ),
    )


async def make_token(session: Session, account: User | ServiceAccount) -> Token:
    """A token of a person or a service account, whose text nobody knows."""
    organization_id = account.organization_id if isinstance(account, ServiceAccount) else None
    token = Token(
        user_id=account.id, organization_id=organization_id, label="token", digest=new_id(),
        scopes=["read", "write"],
    )  # fmt: skip
    session.add(token)
    await session.flush()
    return token


async def make_invitation(
    session: Session, organization: Organization, inviter: User, secret: str = "", **changes: Any
) -> Invitation:
    """A link that gives a role; with an `email` an invitation of one person."""
    return await stored(
        session,
        Invitation(
            organization_id=organization.id,
            inviter_id=inviter.id,
            digest=digest(secret or new_id()),
            **{"role": Role.READ} | changes,
        ),
    )


async def make_team(session: Session, organization: Organization, *people: User) -> Team:
    team = Team(organization_id=organization.id, title=f"Team {next(_number)}")
    session.add(team)
    await session.flush()
    for person in people:
        session.add(TeamMember(team_id=team.id, organization_id=organization.id, user_id=person.id))
    await session.flush()
    return team


async def make_collection(
    session: Session,
    organization: Organization,
    parent: Collection | None = None,
    default_level: DefaultLevel | None = DefaultLevel.INHERIT,
    **changes: Any,
) -> Collection:
    number = next(_number)
    depth = parent.depth + 1 if parent else 0
    collection = Collection(
        organization_id=organization.id,
        parent_id=parent.id if parent else None,
        default_level=default_level,
        depth=depth,
        level_rank=parent.level_rank if parent else None,
        level_depth=parent.level_depth if parent else None,
        **{"title": f"Collection {number}", "position": f"C{number:06}V"} | changes,
    )
    if default_level is not DefaultLevel.INHERIT:
        collection.level_rank = 0 if default_level is None else default_level.rank
        collection.level_depth = depth
    session.add(collection)
    await session.flush()
    session.add(CollectionAncestor(collection_id=collection.id, ancestor_id=collection.id))
    if parent:
        found = await session.execute(
            select(CollectionAncestor.ancestor_id).where(
                CollectionAncestor.collection_id == parent.id
            )
        )
        for ancestor_id in found.scalars().all():
            session.add(CollectionAncestor(collection_id=collection.id, ancestor_id=ancestor_id))
    await session.flush()
    return collection


async def make_space(
    session: Session,
    organization: Organization,
    parent: Collection | None = None,
    **changes: Any,
) -> Space:
    number = next(_number)
    revision_id = new_id()
    space = Space(
        organization_id=organization.id,
        parent_id=parent.id if parent else None,
        revision_id=revision_id,
        **{"title": f"Space {number}", "position": f"S{number:06}V"} | changes,
    )
    session.add(space)
    await session.flush()
    session.add(
        Revision(id=revision_id, space_id=space.id, type=RevisionType.EDITS, conditional=False)
    )
    await session.flush()
    return space


async def make_grant(
    session: Session,
    target: Space | Collection,
    subject: User | Team,
    role: Role | None,
) -> AccessGrant:
    return await stored(
        session,
        AccessGrant(
            space_id=target.id if isinstance(target, Space) else None,
            collection_id=target.id if isinstance(target, Collection) else None,
            user_id=subject.id if isinstance(subject, User) else None,
            team_id=subject.id if isinstance(subject, Team) else None,
            role=role,
        ),
    )


async def make_change_request(
    session: Session, space: Space, author: User, **changes: Any
) -> ChangeRequest:
    space.last_change_request += 1
    return await stored(
        session,
        ChangeRequest(
            space_id=space.id,
            number=space.last_change_request,
            created_by_id=author.id,
            revision_id=space.revision_id,
            revision_initial_id=space.revision_id,
            **{"status": ChangeRequestStatus.OPEN, "subject": f"Change {next(_number)}"} | changes,
        ),
    )


async def make_review(
    session: Session, change_request: ChangeRequest, reviewer: User, **changes: Any
) -> Review:
    return await stored(
        session,
        Review(
            space_id=change_request.space_id,
            change_request_id=change_request.id,
            reviewer_id=reviewer.id,
            revision_id=change_request.revision_id,
            **{"status": ReviewStatus.APPROVED} | changes,
        ),
    )


async def make_requested_reviewer(
    session: Session, change_request: ChangeRequest, person: User, by: User
) -> RequestedReviewer:
    return await stored(
        session,
        RequestedReviewer(
            space_id=change_request.space_id,
            change_request_id=change_request.id,
            user_id=person.id,
            requested_by_id=by.id,
            revision_id=change_request.revision_id,
        ),
    )


async def make_contributor(
    session: Session,
    change_request: ChangeRequest,
    person: User,
    action: ContributionAction = ContributionAction.EDIT,
) -> Contributor:
    return await stored(
        session,
        Contributor(
            space_id=change_request.space_id,
            change_request_id=change_request.id,
            user_id=person.id,
            action=action,
        ),
    )


async def make_conflict(
    session: Session, change_request: ChangeRequest, conflict: Conflict, **changes: Any
) -> MergeConflict:
    return await stored(
        session,
        MergeConflict(
            space_id=change_request.space_id,
            change_request_id=change_request.id,
            key=conflict.id,
            kind=ConflictKind(conflict.kind.value),
            page_id=conflict.page,
            file_id=conflict.file,
            content_id=conflict.content,
            block=conflict.block,
            field=conflict.field,
            data=conflict_json(conflict),
            **changes,
        ),
    )


async def make_comment(
    session: Session,
    space: Space,
    author: User,
    change_request: ChangeRequest | None = None,
    parent: Comment | None = None,
    **changes: Any,
) -> Comment:
    number = next(_number)
    return await stored(
        session,
        Comment(
            space_id=space.id,
            change_request_id=change_request.id if change_request else None,
            parent_id=parent.id if parent else None,
            posted_by_id=author.id,
            revision_id=(change_request or space).revision_id,
            **{
                "markdown": f"Comment {number}",
                "document": {"object": "document", "data": {}, "nodes": []},
            }
            | changes,
        ),
    )


async def make_site(
    session: Session, organization: Organization, *spaces: Space, **changes: Any
) -> Site:
    """A site with these spaces on it in order; the first is the default."""
    site = Site(
        organization_id=organization.id,
        **{"title": f"Site {next(_number)}"} | changes,
    )
    session.add(site)
    await session.flush()
    session.add(PublishingAuth(site_id=site.id))
    for position, space in enumerate(spaces):
        placed = SiteSpace(
            site_id=site.id, space_id=space.id, path=f"path-{position}", position=position,
            place=position,
        )  # fmt: skip
        session.add(placed)
        await session.flush()
        if position == 0:
            site.default_site_space_id = placed.id
    await session.flush()
    return site


async def make_section(
    session: Session,
    site: Site,
    *spaces: Space,
    group: SiteSectionGroup | None = None,
    **changes: Any,
) -> SiteSection:
    """A section with these spaces at the end of a site, or of a group that stands last on it."""
    where = None if group is None else group.id
    placed = await _all(session, SiteSpace, site)
    sections = await _all(session, SiteSection, site)
    section = SiteSection(
        site_id=site.id,
        group_id=where,
        position=await _length(session, site, where),
        place=len(sections),
        **{"title": f"Section {next(_number)}", "path": f"section-{next(_number)}"} | changes,
    )
    session.add(section)
    await session.flush()
    for position, space in enumerate(spaces):
        one = SiteSpace(
            site_id=site.id, section_id=section.id, space_id=space.id, path=f"path-{position}",
            position=position, place=len(placed) + position,
        )  # fmt: skip
        session.add(one)
        await session.flush()
        section.default_site_space_id = section.default_site_space_id or one.id
    site.default_section_id = site.default_section_id or section.id
    await session.flush()
    return section


async def make_section_group(
    session: Session, site: Site, *, parent: SiteSectionGroup | None = None, **changes: Any
) -> SiteSectionGroup:
    """An empty group at the end of a site, or of a group that stands last on it."""
    where = None if parent is None else parent.id
    group = SiteSectionGroup(
        site_id=site.id,
        parent_id=where,
        position=await _length(session, site, where),
        place=len(await _all(session, SiteSectionGroup, site)),
        **{"title": f"Group {next(_number)}"} | changes,
    )
    session.add(group)
    await session.flush()
    return group


async def _all(session: Session, model: Any, site: Site) -> list[Any]:
    return list((await session.execute(select(model).where(model.site_id == site.id))).scalars())


async def _length(session: Session, site: Site, group_id: str | None) -> int:
    """How many sections and groups stand on one level of a site."""
    above = [one.group_id for one in await _all(session, SiteSection, site)]
    above += [one.parent_id for one in await _all(session, SiteSectionGroup, site)]
    return above.count(group_id)


async def make_site_customization(
    session: Session, site: Site, settings: dict[str, Any]
) -> SiteCustomization:
    row = SiteCustomization(site_id=site.id, settings=settings)
    session.add(row)
    await session.flush()
    return row


async def make_site_space_customization(
    session: Session, site_space: SiteSpace, settings: dict[str, Any]
) -> SiteSpaceCustomization:
    row = SiteSpaceCustomization(site_space_id=site_space.id, settings=settings)
    session.add(row)
    await session.flush()
    return row


async def make_site_mcp_server(session: Session, site: Site, **changes: Any) -> SiteMcpServer:
    row = SiteMcpServer(
        site_id=site.id,
        **{
            "name": f"Server {next(_number)}",
            "url": "https://mcp.example.com/",
            "headers": {"Authorization": "Bearer secret"},
        }
        | changes,
    )
    session.add(row)
    await session.flush()
    return row


async def make_saml_provider(
    session: Session, organization: Organization, **changes: Any
) -> SamlProvider:
    """An active provider."""
    row = SamlProvider(
        organization_id=organization.id,
        **{
            "label": "Provider",
            "entity_id": "https://idp.example/metadata",
            "sso_url": "https://idp.example/sso",
            "certificate": CERTIFICATE,
        }
        | changes,
    )
    return await stored(session, row)


async def make_share_link(session: Session, site: Site, **changes: Any) -> ShareLink:
    """An active share link."""
    link = ShareLink(site_id=site.id, **{"name": f"Link {next(_number)}"} | changes)
    session.add(link)
    await session.flush()
    return link


async def make_site_redirect(
    session: Session, site: Site, source: str, url: str | None = None, **destination: str
) -> SiteRedirect:
    """A live redirect to an address, or to a destination of another kind.

    `kind="site-page", siteSpaceId=..., pageId=...`; members that are left out name nothing.
    """
    read = read_source(source)
    stored = {"kind": "url", "url": url} if url is not None else dict(destination)
    if stored["kind"] in ("site-space", "site-page"):
        stored.setdefault("siteSpaceId", "gone")
    row = SiteRedirect(
        site_id=site.id,
        source=source,
        source_key=read.key,
        wildcard=read.wildcard,
        destination=stored,
    )
    session.add(row)
    await session.flush()
    return row


async def make_adaptive_schema(
    session: Session, site: Site, **claims: dict[str, Any]
) -> AdaptiveSchema:
    """A schema of these claims, or of one that is true or false."""
    properties = claims or {"beta": {"type": "boolean", "description": "Tries what is new"}}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    row = AdaptiveSchema(site_id=site.id, json_schema=schema)
    session.add(row)
    await session.flush()
    return row


async def make_insights_event(
    session: Session, site: Site, claims: dict[str, str] | None = None, **changes: Any
) -> InsightsEvent:
    """A page view of a visitor with these claims."""
    data = {"claims": claims, "claim": claims} if claims else {}
    event = InsightsEvent(
        site_id=site.id,
        **{
            "happened_at": utc_now(),
            "type": InsightsEventType.PAGE_VIEW,
            "visitor_id": f"visitor-{next(_number)}",
            "session_id": f"session-{next(_number)}",
            "url": "https://docs.example.com/",
            "data": data,
        }
        | changes,
    )
    session.add(event)
    await session.flush()
    return event


async def make_integration(
    session: Session, organization_id: str, name: str = "notes", **values: Any
) -> Integration:
    """A private integration of the organization, with blocks and a schema of its configuration."""
    account = await make_user(session, name)
    account.email = _of_program(account, INTEGRATION_DOMAIN)
    integration = Integration(
        name=name,
        organization_id=organization_id,
        account_id=account.id,
        **{
            "version": 1,
            "runtime": IntegrationRuntime.V1,
            "title": name.title(),
            "description": "Takes notes.",
            "summary": "# Notes",
            "visibility": IntegrationVisibility.PRIVATE,
            "target": IntegrationTarget.ALL,
            "scopes": ["site:script:inject", "site:views:read"],
            "categories": ["collaboration"],
            "blocks": [{"id": "note", "title": "Note"}],
            "content_sources": [
                {"id": "all", "title": "All notes", "configuration": {"componentId": "config"}}
            ],
            "external_links": [{"url": "https://notes.example/", "label": "Notes"}],
            "configurations": {
                "account": {"properties": {"channel": {"type": "string", "title": "Channel"}}}
            },
            "content_security_policy": {"default-src": "'self'"},
            "space_role": None,
            "site_role": None,
            "specification_role": None,
            "files_id": new_id(),
            "script_sha256": "a" * 64,
            "script_size": 1,
            "icon": {"sha256": "b" * 64, "type": "image/png"},
            "previews": [{"sha256": "b" * 64, "type": "image/png"}],
            "secrets": TEST_SEALER.seal("{}"),
            "signing_secret": TEST_SEALER.seal("secret"),
            "token_mark": f"mark-{next(_number)}",
            **values,
        },
    )
    return await stored(session, integration)


async def make_development_mode(session: Session, integration: Integration) -> DevelopmentMode:
    """A tunnel of the integration where nobody answers."""
    return await stored(
        session,
        DevelopmentMode(
            integration_id=integration.id,
            organization_id=integration.organization_id,
            tunnel_url="https://developer.example/",
        ),
    )


async def make_installation(
    session: Session, integration: Integration, organization_id: str, **values: Any
) -> Installation:
    """An installation, with the account that is a guest of the organization."""
    account = await make_user(session, integration.title)
    account.email = _of_program(account, INTEGRATION_DOMAIN)
    session.add(
        Member(organization_id=organization_id, user_id=account.id, role=None, service=True)
    )
    installation = Installation(
        integration_id=integration.id,
        organization_id=organization_id,
        account_id=account.id,
        **{
            "status": InstallationStatus.ACTIVE,
            "configuration": {"channel": "#docs"},
            "space_selection": InstallationSelection.SELECTED,
            "site_selection": InstallationSelection.SELECTED,
            "external_ids": ["T1"],
            "signing_secret": TEST_SEALER.seal("secret"),
            "position": 0,
            **values,
        },
    )
    await stored(session, installation)
    session.add(
        ExternalId(integration_id=integration.id, value="T1", installation_id=installation.id)
    )
    await session.flush()
    return installation


async def make_entry(
    session: Session, installation: Installation, place: Space | Site
) -> SpaceInstallation | SiteInstallation:
    """The entry of an installation for a space or a site."""
    kind, of = (SpaceInstallation, "space")
    if isinstance(place, Site):
        kind, of = (SiteInstallation, "site")
    return await stored(
        session,
        kind(
            id=f"{installation.id}~{place.id}",
            installation_id=installation.id,
            integration_id=installation.integration_id,
            organization_id=installation.organization_id,
            status=InstallationStatus.ACTIVE,
            configuration={},
            external_ids=[],
            **{f"{of}_id": place.id},
        ),
    )


async def make_integration_event(
    session: Session, installation: Installation, **values: Any
) -> IntegrationEvent:
    """An event that an integration has taken."""
    log = {"message": "Hello", "timestamp": "2026-01-31T08:00:00.000Z", "level": "info"}
    return await stored(
        session,
        IntegrationEvent(
            integration_id=installation.integration_id,
            installation_id=installation.id,
            organization_id=installation.organization_id,
            **{
                "type": "installation_setup",
                "payload": {"type": "installation_setup", "status": "active"},
                "status": IntegrationEventStatus.SUCCESS,
                "logs": [log],
                "attempt_count": 1,
                **values,
            },
        ),
    )


async def make_webhook(session: Session, organization_id: str, **values: Any) -> Webhook:
    """An endpoint that nobody answers at, of the operator's."""
    webhook = Webhook(
        organization_id=organization_id,
        **{
            "url": "https://hooks.example/in",
            "secret": TEST_SEALER.seal(new_secret()),
            "position": 0,
            **values,
        },
    )
    session.add(webhook)
    await session.flush()
    return webhook


async def make_delivery(session: Session, webhook: Webhook, **values: Any) -> WebhookDelivery:
    """A delivery of an endpoint, which was taken."""
    attempt = Attempt(utc_now(), 12, {"webhook-id": "event"}, 200, "thanks")
    delivery = WebhookDelivery(
        webhook_id=webhook.id,
        organization_id=webhook.organization_id,
        **{
            "message_id": "event",
            "type": "space_updated",
            "body": "{}",
            "state": DeliveryState.DELIVERED,
            "attempt_count": 1,
            "attempts": [attempt.stored()],
            "finished_at": utc_now(),
            **values,
        },
    )
    session.add(delivery)
    await session.flush()
    return delivery


SPECIFICATION_TEXT = """openapi: 3.1.0
info: {title: Planets, version: "1"}
paths:
  /planets:
    get:
      operationId: listPlanets
      summary: All planets
      responses:
        "200":
          description: The planets
          content:
            application/json:
              # A property whose name is a word of documents.
              schema: {type: object, properties: {type: {type: string}, nodes: {type: array}}}
"""


async def make_specification(
    session: Session, organization_id: str, text: str = SPECIFICATION_TEXT, **values: Any
) -> tuple[Specification, SpecificationVersion]:
    """A specification that was processed, and its version."""
    processed = process(text.encode(), None, lambda url: b"")
    row = Specification(
        organization_id=organization_id,
        **{
            "slug": "planets",
            "source_url": "https://api.example/openapi.json",
            "visibility": SpecificationVisibility.PRIVATE,
            "processing_state": SpecificationState.COMPLETE,
            "last_processed_at": utc_now(),
            **values,
        },
    )
    session.add(row)
    await session.flush()
    version = SpecificationVersion(
        specification_id=row.id, organization_id=organization_id, digest=processed.digest,
        title=processed.title, format=processed.format, size=processed.size,
    )  # fmt: skip
    session.add(version)
    # Specifications share contents.
    if await session.get(SpecificationContent, (organization_id, processed.digest)) is None:
        session.add(
            SpecificationContent(
                organization_id=organization_id, digest=processed.digest, data=processed.data
            )
        )
    await session.flush()
    row.last_version_id = version.id
    await session.flush()
    return row, version


async def make_specification_version(
    session: Session, like: SpecificationVersion
) -> SpecificationVersion:
    """Another version of a specification, of the same content."""
    version = SpecificationVersion(
        specification_id=like.specification_id, organization_id=like.organization_id,
        digest=like.digest, title=like.title, format=like.format, size=like.size,
    )  # fmt: skip
    session.add(version)
    await session.flush()
    return version


async def make_translation(
    session: Session, source: Space, result: Space, **values: Any
) -> Translation:
    """A translation that has run once, of what its source holds."""
    row = Translation(
        organization_id=source.organization_id,
        source_space_id=source.id,
        result_space_id=result.id,
        **{
            "source_language": Language.EN,
            "language": Language.DE,
            "instructions": {"object": "document", "data": {}, "nodes": []},
            "status": TranslationStatus.COMPLETED,
            "source_revision_id": source.revision_id,
            "tried_revision_id": source.revision_id,
            **values,
        },
    )
    session.add(row)
    await session.flush()
    return row


async def make_glossary_entry(session: Session, organization_id: str) -> GlossaryEntry:
    """A term in two languages."""
    row = GlossaryEntry(organization_id=organization_id, translations={"en": "page", "de": "Seite"})
    session.add(row)
    await session.flush()
    return row


async def make_storage_upload(
    session: Session, organization_id: str, **values: Any
) -> StorageUpload:
    """A font that has arrived, as far as the database knows."""
    row = StorageUpload(
        organization_id=organization_id,
        **{
            "kind": StorageUploadKind.CUSTOMIZATION_FONT,
            "name": "a.woff2",
            "content_type": "font/woff2",
            "size": 3,
            "sha256": "a" * 64,
            "uploaded_at": utc_now(),
            **values,
        },
    )
    session.add(row)
    await session.flush()
    return row


async def make_custom_font(session: Session, organization_id: str) -> CustomFont:
    """A font with one face."""
    upload = await make_storage_upload(session, organization_id, used_at=utc_now(), lasting=True)
    face = {"weight": 400, "upload": upload.id, "format": "woff2"}
    row = CustomFont(organization_id=organization_id, font_family="Own", faces=[face])
    session.add(row)
    await session.flush()
    return row


async def make_job(session: Session, space: Space, **values: Any) -> Job:
    """An import into a space, started by nobody but the operator; it waits, unless it is told."""
    job = Job(
        **{
            "kind": JobKind.IMPORT,
            "organization_id": space.organization_id,
            "space_id": space.id,
            "due_at": utc_now(),
            "order_at": utc_now(),
            **values,
        }
    )
    session.add(job)
    await session.flush()
    return job


async def make_git_sync(session: Session, space: Space) -> Job:
    """The import that has synchronised a space with a repository."""
    arguments = {
        "space": space.id, "url": "https://git.example.com/team/docs.git", "directory": "",
        "ref": "refs/heads/main", "timestamp": utc_now().isoformat(), "force": False,
        "cache": None, "treeUrl": None, "commitUrl": None, "standalone": False,
    }  # fmt: skip
    job = await make_job(
        session, space, kind=JobKind.GIT_IMPORT, state=JobState.SUCCEEDED, due_at=None,
        arguments=arguments, attempts=1, stage="finalize", started_at=utc_now(),
        finished_at=utc_now(),
        result={
            "revision": space.revision_id, "commit": "1" * 40, "warnings": ["gone"],
            "plan": {"counts": {"page created": 1}},
        },
    )  # fmt: skip
    await make_git_entries(session, job)
    space.git_info = {
        "provider": GitProvider.GITLAB.value, "url": "https://git.example.com/team/docs",
        "repoName": "team/docs", "updatedAt": utc_now().isoformat(),
    }  # fmt: skip
    session.add(space)
    sync = GitSync(
        space_id=space.id, last_timestamp=utc_now(),
        last_direction=GitDirection.IMPORT, last_repository="https://git.example.com/team/docs.git",
        last_ref="refs/heads/main", last_directory="", last_oid="1" * 40,
        last_revision_id=space.revision_id,
    )  # fmt: skip
    session.add(sync)
    await session.flush()
    return job


async def make_git_entries(session: Session, job: Job) -> None:
    """A change that an operation has planned, and a conflict."""
    entry = partial(GitEntry, job_id=job.id, kind=GitChangeKind.PAGE, name="Home", path="README.md",
                    object_id="home")  # fmt: skip
    session.add(entry(is_conflict=False, change=GitChange.CREATED, before="HOME.md"))
    session.add(entry(is_conflict=True, reason="both", revision_id="1" * 20, blob_id="a" * 40))
    await session.flush()


async def make_git_configuration(session: Session, space: Space, **values: Any) -> GitConfiguration:
    """A configuration of a space with a branch, of nobody's, which is looked at in a day."""
    return await stored(
        session,
        GitConfiguration(
            **{
                "space_id": space.id, "url": "https://git.example.com/team/docs.git",
                "ref": "refs/heads/main", "direction": GitConfigurationDirection.BOTH,
                "commit_message": "Update", "hook_id": f"hook-{space.id}", "hook_secret": "sealed",
                "interval_minutes": 60, "next_at": utc_now() + timedelta(days=1),
                **values,
            }
        ),
    )  # fmt: skip


async def make_notification(
    session: Session, person: User, comment: Comment, **values: Any
) -> Notification:
    """Somebody was mentioned in a comment, and has not read of it."""
    return await stored(
        session,
        Notification(
            **{
                "user_id": person.id,
                "kind": NotificationKind.MENTIONED,
                "subject_id": comment.id,
                "space_id": comment.space_id,
                "change_request_id": comment.change_request_id,
                "comment_id": comment.id,
                "actor_id": comment.posted_by_id,
                **values,
            }
        ),
    )


async def make_notification_level(
    session: Session, person: User, space: Space, level: NotificationLevel = NotificationLevel.ALL
) -> SpaceNotificationLevel:
    row = SpaceNotificationLevel(user_id=person.id, space_id=space.id, level=level)
    return await stored(session, row)


async def make_feed_token(session: Session, person: User, space: Space) -> FeedToken:
    number = next(_number)
    return await stored(
        session,
        FeedToken(user_id=person.id, space_id=space.id, label="Feed", digest=f"feed{number}"),
    )


async def make_audit_entry(
    session: Session, organization: Organization | None, person: User, **changes: Any
) -> AuditEntry:
    """An entry of something that a person did with their membership, or with their account."""
    row = AuditEntry(
        **{
            "organization_id": None if organization is None else organization.id,
            "action": "updateMember" if organization else "updateUser",
            "actor_kind": AuditActorKind.PERSON,
            "actor_id": person.id,
            "actor_name": person.display_name,
            "door": AuditDoor.V1,
            "address": "192.0.2.1",
            "request_id": "request",
            "object_type": AuditObjectType.MEMBER if organization else AuditObjectType.USER,
            "object_id": person.id,
            "object_name": person.display_name,
            "person_id": person.id,
            "person_name": person.display_name,
            "changes": [
                {
                    "kind": "changed", "objectType": "member", "objectId": person.id,
                    "personId": person.id, "field": "role", "before": "read", "after": "edit",
                }
            ],
        }
        | changes
    )  # fmt: skip
    return await stored(session, row)


async def make_event(
    session: Session, stream: Organization | User, audience: EventAudience, **facts: Any
) -> Event:
    """The next event of an organization or of an account, with what it is about."""
    of = None if isinstance(stream, User) else stream.id
    last = select(EventCounter.last).where(EventCounter.stream_id == stream.id)
    position = (await session.execute(last)).scalar_one_or_none() or 0
    row = Event(
        **{
            "stream_id": stream.id,
            "organization_id": of,
            "position": position + 1,
            "type": EventType.SPACE_UPDATED,
            "audience": audience,
            "actor_kind": AuditActorKind.SYSTEM,
            "action": "updateSpace",
            "object_type": AuditObjectType.SPACE,
            "changed": ["title"],
            "data": {},
        }
        | facts
    )
    row = await stored(session, row)
    if session.get_bind().dialect.name == POSTGRESQL:
        counted = insert_of(session, EventCounter).values(stream_id=stream.id, last=row.position)
        await session.execute(
            counted.on_conflict_do_update(index_elements=["stream_id"], set_={"last": row.position})
        )
    return row
