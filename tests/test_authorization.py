"""Who may do what: every row of the route table, called by somebody of each role.

`WEAKEST` names, for each operation, the weakest caller who may. Everybody weaker is refused and
leaves the database as it was; that caller succeeds. A new operation fails until it is listed.
"""

import re
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlalchemy import select

from db.enums import Role
from db.models.all import metadata
from db.models.spaces import Space
from db.session import Database, Session
from fetching.addresses import Allowance
from fetching.client import Fetcher
from resolvers.content.computed import SOURCES
from resolvers.core.installation import ImportAccess
from rest_compat.routes.all import ROUTES
from rest_compat.table import Reply, Row
from tests import factories
from tests.conftest import Api, World
from tests.events import event
from tests.fetching.servers import serving
from tests.seeds import SAMPLE_SOURCE, SampleSource, Seed, needed, sow

CALLERS = (
    "nobody", "outsider", "guest", "reader", "commenter", "editor", "reviewer", "creator", "admin",
)  # fmt: skip

# The guest and the commenter hold a grant on the space; the commenter wrote the comment on the
# space, the editor the change request and the comment on it, the reader all replies.
WEAKEST = {
    # People
    "getAuthenticatedUser": "outsider",
    "getUserById": "guest",
    "updateUserById": "admin",  # the person themselves
    "listOrganizationsForAuthenticatedUser": "outsider",
    "getOrganizationById": "guest",
    "updateOrganizationById": "admin",
    "listMembersInOrganizationById": "guest",
    "getMemberInOrganizationById": "reader",
    # Collections
    "listCollectionsInOrganizationById": "guest",
    "createCollection": "creator",
    "getCollectionById": "reader",
    "updateCollectionById": "creator",
    "deleteCollectionById": "creator",
    "listSpacesInCollectionById": "reader",
    "moveCollection": "creator",
    "transferCollection": "creator",
    # Spaces and their content
    "listSpacesInOrganizationById": "guest",
    "createSpace": "creator",
    "getSpaceById": "guest",
    "updateSpaceById": "creator",
    "deleteSpaceById": "creator",
    "restoreSpace": "creator",
    "duplicateSpace": "creator",
    "moveSpace": "creator",
    "transferSpace": "creator",
    "getCurrentRevision": "guest",
    "listPages": "guest",
    "listFiles": "guest",
    "getFileById": "guest",
    "getPageById": "guest",
    "getPageByPath": "guest",
    "getSpacePDF": "guest",
    "importContent": "editor",
    "importContentInPageById": "editor",
    "importContentInChangeRequest": "editor",
    "importContentInChangeRequestPageById": "editor",
    "applyTemplateToSpace": "editor",
    "writeSpaceContent": "editor",
    "createFileUpload": "editor",
    "searchSpaceContent": "guest",
    "searchOrganizationContent": "guest",
    "listSpaceLinks": "guest",
    "listChangeRequestLinks": "guest",
    "listPageLinksInSpace": "guest",
    "listPageLinksInChangeRequest": "guest",
    "listSpacePageBacklinks": "guest",
    "listChangeRequestPageBacklinks": "guest",
    "listSpaceFileBacklinks": "guest",
    "listChangeRequestFileBacklinks": "guest",
    "getRevisionOfChangeRequestById": "guest",
    "listPagesInChangeRequest": "guest",
    "listFilesInChangeRequestById": "guest",
    "getFileInChangeRequestById": "guest",
    "getPageInChangeRequestById": "guest",
    "getPageInChangeRequestByPath": "guest",
    "getReusableContentInChangeRequestById": "guest",
    "getReusableContentById": "guest",
    "getRevisionById": "guest",
    "listPagesInRevisionById": "guest",
    "listFilesInRevisionById": "guest",
    "getFileInRevisionById": "guest",
    "getPageInRevisionById": "guest",
    "getPageInRevisionByPath": "guest",
    "getReusableContentInRevisionById": "guest",
    "getPageDocumentInRevisionById": "guest",
    "getReusableContentDocumentInRevisionById": "guest",
    "getDocumentById": "guest",
    "getComputedDocument": "guest",
    "getComputedRevision": "guest",
    "getRevisionSemanticChanges": "guest",
    "getChangeRequestChanges": "guest",
    # Change requests
    "writeChangeRequestContent": "editor",
    "getChangeRequestPDF": "guest",
    "listChangeRequestsForOrganization": "guest",
    "listChangeRequestsForSpace": "guest",
    "createChangeRequest": "editor",
    "getChangeRequestById": "guest",
    "updateChangeRequestById": "editor",
    "mergeChangeRequest": "reviewer",
    "updateChangeRequest": "editor",
    "listConflictsInChangeRequest": "guest",
    "resolveConflictInChangeRequest": "editor",
    "getReviewsByChangeRequestId": "guest",
    "submitChangeRequestReview": "reviewer",
    "getReviewInChangeRequest": "guest",
    "getRequestedReviewersByChangeRequestId": "guest",
    "requestReviewersForChangeRequest": "editor",
    "removeRequestedReviewerFromChangeRequest": "editor",
    "getContributorsByChangeRequestId": "guest",
    # Comments on a space
    "listCommentsInSpace": "guest",
    "postCommentInSpace": "commenter",
    "getCommentInSpace": "guest",
    "updateCommentInSpace": "commenter",
    "deleteCommentInSpace": "commenter",
    "listCommentRepliesInSpace": "guest",
    "postCommentReplyInSpace": "commenter",
    "getCommentReplyInSpace": "guest",
    "updateCommentReplyInSpace": "creator",
    "deleteCommentReplyInSpace": "creator",
    "listCommentersInSpace": "guest",
    # Comments on a change request
    "listCommentsInChangeRequest": "guest",
    "postCommentInChangeRequest": "commenter",
    "getCommentInChangeRequest": "guest",
    "updateCommentInChangeRequest": "editor",
    "deleteCommentInChangeRequest": "editor",
    "listCommentRepliesInChangeRequest": "guest",
    "postCommentReplyInChangeRequest": "commenter",
    "getCommentReplyInChangeRequest": "guest",
    "updateCommentReplyInChangeRequest": "creator",
    "deleteCommentReplyInChangeRequest": "creator",
    "listCommentersInChangeRequest": "guest",
    # Sites
    "listSites": "guest",
    "createSite": "creator",
    "getSiteById": "guest",
    "searchSiteContent": "guest",
    "updateSiteById": "creator",
    "deleteSiteById": "creator",
    "listSiteSpaces": "guest",
    "addSpaceToSite": "creator",
    "updateSiteSpaceById": "creator",
    "deleteSiteSpaceById": "creator",
    "moveSiteSpace": "creator",
    "listSiteSections": "guest",
    "addSectionToSite": "creator",
    "updateSiteSectionById": "creator",
    "deleteSiteSectionById": "creator",
    "moveSiteSection": "creator",
    "listSiteSectionGroups": "guest",
    "addSectionGroupToSite": "creator",
    "updateSiteSectionGroupById": "creator",
    "deleteSiteSectionGroupById": "creator",
    "moveSiteSectionGroup": "creator",
    "addSectionToGroup": "creator",
    "removeSectionFromGroup": "creator",
    "getSiteStructure": "guest",
    "sortSiteStructure": "creator",
    "publishSite": "creator",
    "unpublishSite": "creator",
    "getSiteCustomizationById": "guest",
    "updateSiteCustomizationById": "creator",
    "getSiteSpaceCustomizationById": "guest",
    "overrideSiteSpaceCustomizationById": "creator",
    "deleteSiteSpaceCustomizationById": "creator",
    "listSiteMcpServers": "guest",
    "createSiteMcpServer": "creator",
    "getSiteMcpServerById": "reader",
    "updateSiteMcpServerById": "creator",
    "deleteSiteMcpServerById": "creator",
    "listPermissionsAggregateInSite": "guest",
    "listSiteIntegrations": "guest",
    "listSiteIntegrationScripts": "guest",
    "listSiteShareLinks": "guest",
    "createSiteShareLink": "creator",
    "updateSiteShareLinkById": "creator",
    "deleteSiteShareLinkById": "creator",
    "getSiteAdaptiveSchema": "reader",
    "updateSiteAdaptiveSchema": "creator",
    "listSiteAdaptiveTemplateConditions": "guest",
    "listSiteRedirects": "guest",
    "createSiteRedirect": "creator",
    "writeSiteRedirects": "creator",
    "updateSiteRedirectById": "creator",
    "deleteSiteRedirectById": "creator",
    "getSiteRedirectBySource": "guest",
    # Published sites
    "resolvePublishedContentByUrl": "nobody",
    "getPublishedContentByUrl": "nobody",
    "getPublishedContentSite": "reader",
    "getSitePublishingAuthById": "creator",
    "updateSitePublishingAuthById": "creator",
    "regenerateSitePublishingAuthById": "creator",
    "getSiteRevalidation": "creator",
    "setSiteRevalidation": "creator",
    "regenerateSiteRevalidationSecret": "creator",
    "getSitePublishingPreviewById": "editor",
    # Insights, host names, addresses
    "trackEventsInSiteById": "nobody",
    "aggregateSiteEvents": "creator",
    "listSiteVisitorSegments": "creator",
    "getSubdomain": "guest",
    "getCustomHostname": "admin",
    "setCustomHostname": "admin",
    "dnsRevalidateCustomHostname": "admin",
    "removeCustomHostname": "admin",
    "getContentByUrl": "guest",
    "getEmbedByUrl": "outsider",
    "getEmbedByUrlInSpace": "guest",
}

# Query parameters that have to be there.
COMMENT = {"body": {"markdown": "Changed"}}
IMPORT = {"url": "{page}", "source": "markdown"}
# Bodies that ask for a change; {space} is the space, {extra} a second one, {other} another
# organization, {reviewers} two people, {page} the address of a page that imports may fetch.
BODIES: dict[str, Any] = {
    "getComputedDocument": {"source": SAMPLE_SOURCE, "seed": "s"},
    "getComputedRevision": {"source": SAMPLE_SOURCE, "seed": "s"},
    "searchSiteContent": {"query": "hello"},
    "updateUserById": {"displayName": "Changed"},
    "updateOrganizationById": {"title": "Changed"},
    "createCollection": {"title": "New"},
    "updateCollectionById": {"title": "Changed"},
    "moveCollection": {"parent": None},
    "transferCollection": {"organization": "{other}"},
    "createSpace": {"title": "New"},
    "updateSpaceById": {"title": "Changed"},
    "moveSpace": {"parent": None},
    "transferSpace": {"organization": "{other}"},
    "applyTemplateToSpace": {"id": "{space}"},
    "writeSpaceContent": {"changes": [{"type": "delete_page", "page": "child"}]},
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
    "resolvePublishedContentByUrl": {"url": "http://docs.test/o/x"},
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
    "importContent": IMPORT,
    "importContentInPageById": IMPORT,
    "importContentInChangeRequest": IMPORT,
    "importContentInChangeRequestPageById": IMPORT,
}
# Operations on the second space or collection: the first one is held by a site.
# The second site is published.
SECOND = {"transferSpace": "spaceId", "moveCollection": "collectionId",
          "transferCollection": "collectionId", "getSitePublishingPreviewById": "siteId",
          "getPublishedContentSite": "siteId", "unpublishSite": "siteId",
          "trackEventsInSiteById": "siteId"}  # fmt: skip


def request_of(row: Row, seed: Seed, extra: Space, other: str, page: str) -> tuple[str, Any]:
    """The path and the body of a request that the weakest caller may send."""
    known = {name: values[0] for name, values in seed.known.items()}
    known["userId"] = seed.known["userId"][0]
    if "change-requests" in row.path:
        known["commentId"], known["commentReplyId"] = (
            seed.known["commentId"][1], seed.known["commentReplyId"][1],
        )  # fmt: skip
    second = SECOND.get(row.operation_id)
    if second == "spaceId":
        known["spaceId"] = extra.id
    elif second == "collectionId":
        known["collectionId"] = seed.known["collectionId"][1]
    elif second == "siteId":
        known["siteId"] = seed.known["siteId"][1]
    path = re.sub(r"{(\w+)(?::\w+)?}", lambda match: known[match.group(1)], row.path)
    parameters = urlencode(needed(row, seed.known, page))
    path = f"{path}?{parameters}" if parameters else path
    body = BODIES.get(row.operation_id)
    if body is not None:
        values: dict[str, Any] = {
            "{other}": other, "{extra}": extra.id, "{space}": seed.space.id,
            "{reviewers}": seed.known["userId"][1:3],
            "{section}": seed.known["siteSectionId"][1],
            "{page}": page, "{sitetarget}": {"type": "site", "site": seed.site.id},
        }  # fmt: skip
        body = filled(body, values)
    return path, body


def filled(body: Any, values: dict[str, Any]) -> Any:
    """A body with values in the places of their names."""
    if isinstance(body, dict):
        return {name: filled(value, values) for name, value in body.items()}
    return values.get(body, body) if isinstance(body, str) else body


@pytest.fixture
async def page(api: Api) -> AsyncIterator[str]:
    """The address of a page on loopback that the server is allowed to fetch."""
    async with serving({"/page.md": ("text/markdown", b"# Imported")}) as server:
        allowance = Allowance(frozenset({("127.0.0.1", server.port)}))
        api.server.imports = ImportAccess(Fetcher(allowance))
        yield f"{server.url}page.md"


async def contents(database: Database) -> dict[str, list[Any]]:
    """Every row of every table, except when tokens were used."""
    async with database.connection() as connection:
        found = {}
        for name, table in metadata.tables.items():
            columns = [column for column in table.c if column.name != "last_used_at"]
            rows = await connection.execute(select(*columns))
            found[name] = sorted(map(repr, rows))
        return found


def test_every_operation_is_listed() -> None:
    assert {row.operation_id for row in ROUTES} == WEAKEST.keys()


@pytest.mark.parametrize("row", ROUTES, ids=lambda row: row.operation_id)
async def test_weaker_callers_are_refused_and_change_nothing(
    api: Api, world: World, session: Session, database: Database, page: str, row: Row,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setitem(SOURCES, SAMPLE_SOURCE["type"], SampleSource())
    other = await factories.make_organization(session)
    for name, person in world.people().items():
        if name != "outsider":
            await factories.make_member(session, other, Role.CREATE, person)
    extra = await factories.make_space(session, world.organization)
    seed = await sow(session, world)
    path, body = request_of(row, seed, extra, other.id, page)
    people = {"nobody": None, **world.people()}
    weakest = CALLERS.index(WEAKEST[row.operation_id])
    for person in people.values():
        if person is not None:
            await api.token_of(person)
    before = await contents(database)
    for caller in CALLERS[:weakest]:
        response = await api.rest(row.method, path, people[caller], body)
        allowed = {"nobody": {401}, "outsider": {404}}.get(caller, {403, 404})
        if row.method == "DELETE" and caller != "nobody":
            # What may not be seen is not there: nothing was deleted.
            allowed = allowed | {204}
        assert response.status_code in allowed, (caller, response.status_code, response.text)
    if weakest:
        assert await contents(database) == before
    response = await api.rest(row.method, path, people[CALLERS[weakest]], body)
    done = {row.status} if row.reply is Reply.NOTHING else {200, 201, 205}
    assert response.status_code in done, response.text
    if row.method != "GET":
        assert await contents(database) != before or row.operation_id in {
            "restoreSpace", "moveSiteSpace", "getComputedDocument", "getComputedRevision",
            "updateChangeRequest", "resolvePublishedContentByUrl", "aggregateSiteEvents",
            "searchSiteContent",
        }  # fmt: skip
