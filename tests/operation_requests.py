"""One request for each operation of the route table, to content of every kind."""

import re
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self
from urllib.parse import urlencode

from sqlalchemy import LargeBinary, Table, select, update

from db.base import utc_now
from db.enums import Role
from db.models.all import metadata
from db.models.integrations import Installation, Integration
from db.models.organizations import Organization, User
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.session import Database, Session
from db.storage_enums import StorageUploadKind
from fetching.addresses import Allowance
from fetching.client import Fetcher
from resolvers.core.installation import ImportAccess
from resolvers.revisions.states import write_revision
from rest_compat.routes.all import ROUTES
from rest_compat.table import Row
from tests import factories
from tests.conftest import Api, Stored, World, context
from tests.events import event
from tests.fetching.servers import serving
from tests.merging import pages_of
from tests.runtime.scripts import bundle
from tests.seeds import SAMPLE_SOURCE, Seed, needed, sow

COMMENT = {"body": {"markdown": "Changed"}}
IMPORT = {"url": "{page}", "source": "markdown"}
RUN = {
    "source": {"type": "website", "url": "{page}", "format": "markdown"},
    "target": {"space": "{space}"},
}
REPOSITORY = {"url": "https://git.example.com/docs.git", "ref": "refs/heads/main"}
CHANGED_INSTRUCTIONS = {
    "object": "document",
    "data": {},
    "nodes": [{
        "object": "block", "type": "paragraph", "isVoid": False, "data": {},
        "nodes": [{"object": "text", "leaves": [
            {"object": "leaf", "text": "Say du.", "marks": []}]}],
    }],
}  # fmt: skip
# Bodies that ask for a change; {space} is the space, {extra} a second one, {other} another
# organization, {reviewers} two people, {page} the address of a page that imports may fetch.
BODIES: dict[str, Any] = {
    "markNotificationsRead": {"ids": ["{unread}"]},
    "markNotificationsUnread": {"ids": ["{read}"]},
    "updateNotificationSettings": {"level": "all"},
    "setSpaceNotificationLevel": {"level": "none"},
    "createFeedToken": {"label": "New"},
    "getComputedDocument": {"source": SAMPLE_SOURCE, "seed": "s"},
    "getComputedRevision": {"source": SAMPLE_SOURCE, "seed": "s"},
    "searchSiteContent": {"query": "hello"},
    "startImportRun": RUN,
    "importGitRepository": REPOSITORY,
    "importUploadedTree": {"file": "{importfile}"},
    "setGitConfiguration": {**REPOSITORY, "direction": "both"},
    "exportToGitRepository": {**REPOSITORY, "commitMessage": "Changed"},
    "updateUserById": {"displayName": "Changed"},
    "updateOrganizationById": {"title": "Changed"},
    "updateMemberInOrganizationById": {"role": "comment"},
    "inviteUsersToOrganization": {"emails": ["new@example.com"], "role": "edit"},
    "createOrganizationInvite": {"role": "read"},
    "updateOrganizationInviteById": {"role": "comment"},
    "createOrganizationTeam": {"title": "New", "members": "{reviewers}"},
    "updateTeamInOrganizationById": {"title": "Changed"},
    "updateMembersInOrganizationTeam": {"add": "{reviewers}"},
    "addMemberToOrganizationTeamById": {"role": "owner"},
    "createOrganizationSAMLProvider": {"label": "New"},
    "updateOrganizationSAMLProvider": {"label": "Changed"},
    "createCollection": {"title": "New"},
    "updateCollectionById": {"title": "Changed"},
    "moveCollection": {"parent": None},
    "transferCollection": {"organization": "{other}"},
    "inviteToCollection": {"role": "comment", "users": "{reviewers}"},
    "updateUserPermissionInCollection": {"role": "comment"},
    "updateTeamPermissionInCollection": {"role": "comment"},
    "inviteToSpace": {"role": "comment", "users": "{reviewers}"},
    "updateUserPermissionInSpace": {"role": None},
    "updateTeamPermissionInSpace": {"role": "edit"},
    "createSpace": {"title": "New"},
    "updateSpaceById": {"title": "Changed"},
    "moveSpace": {"parent": None},
    "transferSpace": {"organization": "{other}"},
    "applyTemplateToSpace": {"id": "{space}"},
    "writeSpaceContent": {"changes": [{"type": "delete_page", "page": "child"}]},
    "rollBackSpaceToRevision": {"subject": "Back"},
    "writeChangeRequestContent": {"changes": [{"type": "delete_page", "page": "child"}]},
    "createFileUpload": {"name": "a.png"},
    "createChangeRequest": {"subject": "New"},
    "updateChangeRequestById": {"subject": "Changed"},
    "resolveConflictInChangeRequest": {"resolution": "ours"},
    "submitChangeRequestReview": {"status": "approved"},
    "requestReviewersForChangeRequest": {"users": "{reviewers}"},
    "postCommentInSpace": COMMENT,
    "updateCommentInSpace": {"resolved": True},
    "postCommentReplyInSpace": COMMENT,
    "updateCommentReplyInSpace": COMMENT,
    "postCommentInChangeRequest": COMMENT,
    "updateCommentInChangeRequest": {"resolved": True},
    "postCommentReplyInChangeRequest": COMMENT,
    "updateCommentReplyInChangeRequest": COMMENT,
    "createSite": {"title": "New site"},
    "updateSiteById": {"title": "Changed"},
    "setSiteRevalidation": {"url": "https://renderer.example/revalidate"},
    "updateSitePublishingAuthById": {"fallbackURL": "https://example.com/login"},
    "resolvePublishedContentByUrl": {"url": "http://acme-docs.docs.test/page-0"},
    "addSpaceToSite": {"spaceId": "{extra}"},
    "updateSiteSpaceById": {"path": "changed"},
    "moveSiteSpace": {"position": {}},
    "addSectionToSite": {"spaceId": "{extra}"},
    "updateSiteSectionById": {"title": "Changed"},
    "moveSiteSection": {"position": {}},
    "addSectionGroupToSite": {"title": "New"},
    "updateSiteSectionGroupById": {"title": "Changed"},
    "moveSiteSectionGroup": {"position": {}},
    "addSectionToGroup": {"sectionId": "{section}"},
    "sortSiteStructure": {"item": {"type": "site-section", "id": "{section}"}, "position": {}},
    "updateSiteCustomizationById": {"title": "Changed"},
    "getSiteCustomizationPreview": {"title": "Changed"},
    "overrideSiteSpaceCustomizationById": {"title": "Changed"},
    "createSiteMcpServer": {"name": "New", "url": "https://mcp.example.com/new"},
    "updateSiteMcpServerById": {"name": "Changed"},
    "createSiteShareLink": {"name": "Partners"},
    "updateSiteShareLinkById": {"active": False},
    "updateSiteAdaptiveSchema": {
        "jsonSchema": {"type": "object", "properties": {}, "additionalProperties": False}
    },
    "createSiteRedirect": {
        "source": "/new",
        "destination": {"kind": "url", "url": "https://a.example"},
    },
    "writeSiteRedirects": {"redirects": [{"source": "/text", "destination": None}]},
    "updateSiteRedirectById": {"permanent": True},
    "trackEventsInSiteById": {"events": [event()]},
    "aggregateSiteEvents": {"range": "last7Days"},
    "setCustomHostname": {"target": "{sitetarget}"},
    "createOpenAPISpec": {"slug": "new", "source": {"url": "https://api.example/openapi.json"}},
    "createOrUpdateOpenAPISpecBySlug": {"source": {"text": factories.SPECIFICATION_TEXT}},
    "updateOpenAPISpecBySlug": {"visibility": "public"},
    "createWebhook": {"url": "https://hooks.example/new"},
    "updateWebhook": {"enabled": False},
    "publishIntegration": {
        "organization": "{organization}",
        "title": "Notes",
        "description": "Takes notes.",
        "script": "export default {}",
        "scopes": [],
    },
    "setIntegrationDevelopmentMode": {"tunnelUrl": "https://tunnel.example/"},
    "queueIntegrationTask": {"task": {}},
    "renderIntegrationUIWithPost": {
        "componentId": "a",
        "props": {},
        "context": {"type": "document", "theme": "dark", "spaceId": "{space}"},
    },
    "installIntegration": {"organization": "{organization}"},
    "updateIntegrationInstallation": {"configuration": {"channel": "#new"}},
    "installIntegrationOnSpace": {"space": "{extra}"},
    "updateIntegrationSpaceInstallation": {"configuration": {"a": 1}},
    "installIntegrationOnSite": {"siteId": "{published}"},
    "updateIntegrationSiteInstallation": {"configuration": {"a": 1}},
    "generateStorageUploadURL": {
        "file": {"name": "a.woff2", "type": "font/woff2", "size": 3},
        "kind": "customization_font",
    },
    "createCustomFont": {
        "fontFamily": "New",
        "fontFaces": [{"weight": 400, "storageKey": "{storagekey}"}],
    },
    "updateCustomFont": {"fontFamily": "Changed"},
    "updateOrganizationAgentInstructions": {"instructions": CHANGED_INSTRUCTIONS},
    "createTranslation": {"source": {"space": "{extra}", "language": "en"}, "language": "fr"},
    "updateTranslation": {"instructions": CHANGED_INSTRUCTIONS},
    "updateGlossaryEntries": {
        "operations": [{"type": "insert", "translations": {"en": "space", "de": "Bereich"}}]
    },
    "importContent": IMPORT,
    "importContentInPageById": IMPORT,
    "importContentInChangeRequest": IMPORT,
    "importContentInChangeRequestPageById": IMPORT,
}
# Operations on the second collection: the first one is held by a site.
# The second site is published, and has two spaces.
SECOND = {"moveCollection": ["collectionId"], "transferCollection": ["collectionId"],
          "getSitePublishingPreviewById": ["siteId"], "getPublishedContentSite": ["siteId"],
          "getSiteCustomizationPreview": ["siteId"],
          "unpublishSite": ["siteId"], "trackEventsInSiteById": ["siteId"],
          "moveSiteSpace": ["siteId", "siteSpaceId"],
          # The second team was given a role on the space, the first one on the second collection.
          "removeTeamFromSpace": ["teamId"], "removeTeamFromCollection": ["collectionId"],
          "listTeamPermissionsInCollection": ["collectionId"],
          # The first job waits, the second one has failed.
          "retryJob": ["jobId"],
          # The second integration is in development mode; the first one runs, and its script is
          # not restored with the database.
          "disableIntegrationDevelopmentMode": ["integrationName"],
          "publishIntegration": ["integrationName"], "unpublishIntegration": ["integrationName"],
          # The first integration is installed already.
          "installIntegration": ["integrationName"]}  # fmt: skip
# Spaces that no site has: one that is used by nobody, one in the bin.
OTHER_SPACES = {"transferSpace": "{extra}", "restoreSpace": "{binned}"}
# Of somebody who is in the team, and is no administrator.
IN_TEAM = (
    "updateMemberInOrganizationById",
    "removeMemberFromOrganizationById",
    "setUserAsSSOMemberForOrganization",
    "listSpacesForOrganizationMember",
    "deleteMemberFromOrganizationTeamById",
    "listTeamsForOrganizationMember",
)
# Of somebody who was given a role on the object itself.
GRANTED = {"removeUserFromSpace": "{commenter}", "removeUserFromCollection": "{reader}"}
PUBLISHED = "http://acme-docs.docs.test/page-0"
PARAMETER = r"{(\w+)(?::\w+)?}"


@dataclass(frozen=True)
class Asked:
    """What an operation is asked for: values of the path and of the query, and a body or None."""

    ids: dict[str, str]
    parameters: Mapping[str, str]
    body: Any

    def path(self, row: Row) -> str:
        return self._path(row, self.ids)

    def unknown_path(self, row: Row) -> str:
        """The same about something that is not there, in a place that is."""
        return self._path(row, self.ids | {[*self.ids][-1]: "unknown.example"})

    def _path(self, row: Row, ids: Mapping[str, str]) -> str:
        path = re.sub(PARAMETER, lambda match: ids[match.group(1)], row.path)
        return f"{path}?{urlencode(self.parameters)}" if self.parameters else path


def asked_of(row: Row, seed: Seed, page: str, values: Mapping[str, Any]) -> Asked:
    """What the weakest caller may ask for.

    `page` is an address that is fetched, `values` are those of names in bodies.
    """
    known = {name: ids[0] for name, ids in seed.known.items()}
    known |= {name: seed.known[name][1] for name in SECOND.get(row.operation_id, ())}
    if "change-requests" in row.path:
        known["commentId"], known["commentReplyId"] = (
            seed.known["commentId"][1], seed.known["commentReplyId"][1],
        )  # fmt: skip
    if row.operation_id in OTHER_SPACES:
        known["spaceId"] = values[OTHER_SPACES[row.operation_id]]
    if row.operation_id in IN_TEAM:
        known["userId"] = values["{reader}"]
    if row.operation_id in GRANTED:
        known["userId"] = values[GRANTED[row.operation_id]]
    if row.operation_id == "joinOrganizationWithInvite":
        known["inviteId"] = known["secret"]
    parameters = needed(row, seed.known, page)
    if row.operation_id == "getPublishedContentByUrl":
        parameters["url"] = PUBLISHED
    ids = {name: known[name] for name in re.findall(PARAMETER, row.path)}
    return Asked(ids, parameters, filled(BODIES.get(row.operation_id), values))


def filled(body: Any, values: Mapping[str, Any]) -> Any:
    """A body with values in the places of their names."""
    if isinstance(body, dict):
        return {name: filled(value, values) for name, value in body.items()}
    if isinstance(body, list):
        return [filled(value, values) for value in body]
    return values.get(body, body) if isinstance(body, str) else body


@dataclass
class Requests:
    """Who may call, and what each operation is asked for; `page` is an address that is fetched."""

    people: dict[str, User]
    asked: dict[str, Asked]
    page: str
    seed: Seed
    # Another organization, where all but the outsider may create.
    elsewhere: Organization
    # Spaces that no site has; the second one is in the bin.
    further_spaces: tuple[Space, Space]

    @cached_property
    def of(self) -> dict[str, tuple[str, Any]]:
        """The path and the body of each operation."""
        return {
            row.operation_id: (asked.path(row), asked.body)
            for row in ROUTES
            for asked in [self.asked[row.operation_id]]
        }


async def publish_content(session: Session, world: World, seed: Seed) -> None:
    """Two spaces on the second site, each with a page."""
    site = await session.get_one(Site, seed.known["siteId"][1])
    for position, title in enumerate(("Guide", "Reference")):
        space = await factories.make_space(session, world.organization, title=title)
        revision = await write_revision(context(session), space.id, None, pages_of(space.id, 1))
        space.revision_id = revision.id
        placed = SiteSpace(
            site_id=site.id, space_id=space.id, path=title.lower(), position=position,
            place=position,
        )  # fmt: skip
        session.add(placed)
        await session.flush()
        site.default_site_space_id = site.default_site_space_id or placed.id
        seed.known["siteSpaceId"].append(placed.id)
    await session.commit()


@asynccontextmanager
async def one_request_each(api: Api, world: World, session: Session) -> AsyncIterator[Requests]:
    """Content of every kind, people with tokens, and a request for each operation."""
    async with serving({"/page.md": ("text/markdown", b"# Imported")}) as server:
        allowance = Allowance(frozenset({("127.0.0.1", server.port)}))
        api.server.imports = ImportAccess(Fetcher(allowance))
        page = f"{server.url}page.md"
        people = world.people()
        other = await factories.make_organization(session)
        for name, person in people.items():
            if name != "outsider":
                await factories.make_member(session, other, Role.CREATE, person)
        extra = await factories.make_space(session, world.organization)
        binned = await factories.make_space(session, world.organization, deleted_at=utc_now())
        seed = await sow(session, world)
        await session.begin_write()
        await publish_content(session, world, seed)
        # Whoever has an address there may join.
        joined = update(Organization).where(Organization.id == world.organization.id)
        await session.execute(joined.values(email_domains=["example.com"]))
        verified = update(User).where(User.id.in_([world.outsider.id, world.admin.id]))
        await session.execute(verified.values(email_verified_at=utc_now()))
        await session.commit()
        team = await factories.make_team(session, world.organization)
        seed.known["teamId"].append(team.id)
        await factories.make_grant(session, seed.space, team, Role.EDIT)
        await factories.make_grant(session, seed.collection, world.reader, Role.READ)
        await session.commit()
        await make_runnable(api, session)
        import_file = await factories.make_storage_upload(
            session, world.organization.id, kind=StorageUploadKind.IMPORT_FILE
        )
        await session.commit()
        for person in people.values():
            await api.token_of(person)
        values: dict[str, Any] = {
            "{organization}": world.organization.id,
            "{published}": seed.known["siteId"][1], "{other}": other.id,
            "{extra}": extra.id, "{binned}": binned.id,
            "{space}": seed.space.id, "{reviewers}": seed.known["userId"][1:3],
            "{section}": seed.known["siteSectionId"][1], "{page}": page,
            "{storagekey}": seed.known["storageKey"][0], "{importfile}": import_file.id,
            "{unread}": seed.known["notificationId"][0],
            "{read}": seed.known["notificationId"][1],
            "{reader}": world.reader.id, "{commenter}": world.commenter.id,
            "{sitetarget}": {"type": "site", "site": seed.site.id},
        }  # fmt: skip
        asked = {row.operation_id: asked_of(row, seed, page, values) for row in ROUTES}
        try:
            yield Requests(people, asked, page, seed, other, (extra, binned))
        finally:
            await api.server.runner.close()


# What the integration of the seed draws, whatever it is asked.
DRAWS = "return Response.json({ element: { type: 'block', children: [] }, state: {}, props: {} });"


async def make_runnable(api: Api, session: Session) -> None:
    """Give the first integration of the seed a script, and secrets that this server opens."""
    access, script = await api.server.file_access(), bundle(DRAWS).encode()
    seal = api.server.sealer.seal
    integration = await session.scalar(select(Integration).where(Integration.name == "notes"))
    assert integration is not None
    sha256 = await access.blobs.put(integration.files_id, script)
    own = update(Integration).where(Integration.id == integration.id)
    await session.execute(
        own.values(script_sha256=sha256, secrets=seal("{}"), signing_secret=seal("secret"))
    )
    await session.execute(update(Installation).values(signing_secret=seal("secret")))
    await session.commit()


def _columns(table: Table, binary: str) -> str:
    """All columns but when tokens were used; `binary` is how bytes become text."""
    return ", ".join(
        (binary if isinstance(column.type, LargeBinary) else "{}").format(f'"{column.name}"')
        for column in table.c
        if column.name != "last_used_at"
    )


CONTENTS = {
    name: f'SELECT {_columns(table, "{}")} FROM "{name}"' for name, table in metadata.tables.items()
}
ROW = "SELECT '{0}', ROW({1})::text FROM \"{0}\""
# All tables at once: a server is asked for them again and again.
AT_ONCE = " UNION ALL ".join(
    ROW.format(name, _columns(table, "encode({}, 'escape')"))
    for name, table in metadata.tables.items()
)


async def contents(database: Database) -> dict[str, list[str]]:
    """Every row of every table as it is stored, except when tokens were used."""
    if database.is_sqlite:
        with closing(sqlite3.connect(str(database.url.database))) as file:
            return {name: sorted(map(repr, file.execute(rows))) for name, rows in CONTENTS.items()}
    found: dict[str, list[str]] = {name: [] for name in CONTENTS}
    async with database.connection() as connection:
        for name, row in await connection.exec_driver_sql(AT_ONCE):
            found[name].append(row)
    return {name: sorted(rows) for name, rows in found.items()}


class Unchanged:
    """Whether a database is as it was when it was saved; what is no more is restored."""

    def __init__(self, stored: Stored) -> None:
        self._stored = stored

    async def begin(self) -> Self:
        """Save what is in it now; nothing may be under way."""
        self._saved = await self._stored.save()
        self._contents = await contents(self._stored.database)
        self._state = await self._stored.state()
        return self

    async def __call__(self) -> bool:
        # Most callers write nothing at all, and then there is nothing to compare.
        if await self._stored.state() == self._state:
            return True
        if await contents(self._stored.database) == self._contents:
            self._state = await self._stored.state()
            return True
        await self.restore()
        return False

    async def restore(self) -> None:
        await self._stored.restore(self._saved)
        self._state = await self._stored.state()
