"""No list of /v1 runs more statements for fifty rows than for one or two.

The lists are those of the route table: for a new one without data the test fails and names it.
"""

import datetime as dt
import re
from typing import Any

from content.merge.conflict import ConflictKind, make_conflict
from db.base import utc_now
from db.content_enums import RevisionType
from db.enums import Role
from db.event_enums import EventAudience
from db.integration_enums import IntegrationVisibility
from db.job_enums import JobKind
from db.models.comments import Comment
from db.models.content import Revision
from db.models.integrations import Installation, Integration
from db.models.jobs import Job
from db.models.organizations import TeamMember
from db.models.spaces import Space
from db.models.specifications import SpecificationVersion
from db.models.webhooks import Webhook
from db.session import Session
from resolvers.core import nesting
from resolvers.revisions.states import Changes, write_revision
from resolvers.search.index import index_revision
from rest_compat.routes.all import ROUTES
from rest_compat.table import Reply, Row
from tests import factories
from tests.callers import FOR_INTEGRATIONS, tokens_of_programs
from tests.conftest import Api, Queries, World, context
from tests.merging import pages_of
from tests.seeds import Seed, linking, needed, sow

LISTS = [row for row in ROUTES if row.reply in (Reply.PAGE, Reply.ARRAY)]
MANY = 25
# A process reads the maps of a revision, and what is new in the index of words, once.
READ_ONCE = 2
BODIES = {"searchSiteContent": {"query": "hello world", "scope": {"mode": "all"}}}
PICTURE = "iVBORw0KGgo="


def path_of(row: Row, seed: Seed) -> str:
    """The list of what has rows: in change requests others than in spaces."""
    known = {name: ids[0] for name, ids in seed.known.items()}
    if "changeRequestId" in row.path:
        known["commentId"] = seed.known["commentId"][1]
    if row.operation_id == "listPageLinksInChangeRequest":
        known["pageId"] = "child"
    return re.sub(r"{(\w+)(?::\w+)?}", lambda found: known[found[1]], row.path)


async def add_row(session: Session, world: World, seed: Seed, number: int) -> None:
    """One more row in each list, but in those of the content of a space."""
    organization, request, site = world.organization, seed.change_request, seed.site
    elsewhere = await factories.make_organization(session)
    await factories.make_member(session, elsewhere, Role.ADMIN, world.admin)
    person = await factories.make_member(session, organization, Role.REVIEW)
    await factories.make_invitation(session, organization, world.admin)
    await factories.make_audit_entry(session, organization, world.admin)
    await factories.make_audit_entry(session, None, world.admin)
    await factories.make_event(session, world.admin, EventAudience.ACCOUNT, user_id=world.admin.id)
    await factories.make_job(session, seed.space, due_at=utc_now() + dt.timedelta(days=1))
    await factories.make_job(
        session, seed.space, kind=JobKind.GIT_EXPORT, due_at=utc_now() + dt.timedelta(days=1)
    )
    team = await factories.make_team(session, organization, world.admin)
    for target in (seed.space, seed.collection):
        await factories.make_grant(session, target, team, Role.READ)
        await factories.make_grant(session, target, person, Role.EDIT)
    team_id = seed.known["teamId"][0]
    session.add(TeamMember(team_id=team_id, organization_id=organization.id, user_id=person.id))
    await factories.make_collection(session, organization)
    space = await factories.make_space(session, organization, seed.collection)
    ctx = context(session)
    revision = await write_revision(ctx, space.id, None, pages_of(space.id, 1, "Hello world.\n"))
    space.revision_id = revision.id
    await index_revision(ctx, space.id, None, revision)
    await factories.make_notification_level(session, world.admin, space)
    await factories.make_feed_token(session, world.admin, space)
    await factories.make_change_request(session, seed.space, person)
    for inside, id in zip((None, request), seed.known["commentId"], strict=True):
        above = await session.get_one(Comment, id)
        comment = await factories.make_comment(session, seed.space, person, inside)
        await factories.make_notification(session, world.admin, comment)
        await factories.make_comment(session, seed.space, person, inside, parent=above)
    await factories.make_review(session, request, person)
    await factories.make_requested_reviewer(session, request, person, world.editor)
    await factories.make_contributor(session, request, person)
    conflict = make_conflict(
        ConflictKind.FIELD, page=f"page{number}", field="title", base="A", ours="B", theirs="C"
    )
    await factories.make_conflict(session, request, conflict)
    await factories.make_saml_provider(session, organization)
    await factories.make_site(session, organization)
    await factories.make_section(session, site, space)
    await factories.make_section_group(session, site)
    await factories.make_site_mcp_server(session, site)
    await factories.make_share_link(session, site)
    await factories.make_site_redirect(session, site, f"/{number}", "https://a.example/b")
    await factories.make_insights_event(session, site, claims={"plan": f"plan{number}"})
    for of in ({"space_id": seed.space.id}, {"site_id": site.id}):
        await factories.make_webhook(session, organization.id, owner_id=person.id, **of)
    await factories.make_specification(session, organization.id, slug=f"more-{number}")
    version = await session.get_one(SpecificationVersion, seed.known["versionId"][0])
    await factories.make_specification_version(session, version)
    result = await factories.make_space(session, organization)
    await factories.make_translation(session, space, result)
    await factories.make_glossary_entry(session, organization.id)
    await factories.make_custom_font(session, organization.id)
    webhook = await session.get_one(Webhook, seed.known["webhookId"][0])
    await factories.make_delivery(session, webhook)
    integration = await factories.make_integration(
        session, organization.id, f"more-{number}", visibility=IntegrationVisibility.PUBLIC
    )
    installation = await factories.make_installation(session, integration, organization.id)
    for place in (seed.space, seed.site):
        await factories.make_entry(session, installation, place)
    notes = await session.get_one(Installation, seed.known["installationId"][0])
    for place in (space, await factories.make_site(session, organization)):
        await factories.make_entry(session, notes, place)
    await factories.make_integration_event(session, notes)
    synchronised = await session.get_one(Job, seed.known["operationId"][0])
    await factories.make_git_entries(session, synchronised)
    edited = await session.get_one(Space, seed.space.id, populate_existing=True)
    before = await session.get_one(Revision, edited.revision_id)
    merged = {"type": RevisionType.MERGE, "others": [edited.revision_id]}
    after = await write_revision(ctx, edited.id, before, Changes(), **merged)
    edited.revision_id = after.id
    await index_revision(ctx, edited.id, before, after)
    first = await session.get_one(Integration, notes.integration_id)
    await factories.make_installation(session, first, elsewhere.id)


def more_pages(first: int, count: int) -> list[list[dict[str, Any]]]:
    """Changes of content: pages that link to the home page and to a file, which links as often."""
    inside = linking({"kind": "page", "page": "home"}, {"kind": "file", "file": "apng"})
    outside = linking(
        *({"kind": "url", "url": f"https://example.com/{number}"} for number in range(count))
    )
    pages = [
        {"type": "insert_page", "title": f"Page {number}", "document": inside}
        for number in range(first, first + count)
    ]
    files = [
        {"name": f"{number}.png", "base64": PICTURE, "contentType": "image/png"}
        for number in range(first, first + count)
    ]
    return [
        pages,
        [
            {"type": "update_page", "page": "home", "document": outside},
            {"type": "update_page", "page": "child", "document": outside},
            *({"type": "insert_files", "files": files[at : at + 20]} for at in range(0, count, 20)),
        ],
    ]


async def test_lists_cost_the_same_with_many_rows(
    api: Api, world: World, session: Session, queries: Queries, flat_maps: None
) -> None:
    seed = await sow(session, world)
    program = (await tokens_of_programs(api, session, seed))["integration"]

    async def measure(least: int) -> dict[str, int]:
        """The statements of each list; all have at least so many rows."""
        counts, short = {}, {}
        assert api.server.kept_answers is not None
        api.server.kept_answers.cache.clear()
        for row in LISTS:
            parameters = needed(row, seed.known)
            body = BODIES.get(row.operation_id)
            # What a second request would read in one statement is not nested.
            nesting.SHAPES.clear()
            queries.statements.clear()
            caller, headers = world.admin, {}
            if row.operation_id in FOR_INTEGRATIONS:
                caller, headers = None, {"Authorization": f"Bearer {program}"}
            answer = await api.rest(
                row.method, path_of(row, seed), caller, body, params=parameters, headers=headers
            )
            assert answer.status_code == 200, answer.text
            counts[row.operation_id] = len(queries.statements)
            items = answer.json() if row.reply is Reply.ARRAY else answer.json()["items"]
            if len(items) < least:
                short[row.operation_id] = len(items)
        assert short == {}
        return counts

    async def grow(first: int, count: int) -> None:
        """So many more rows in each list."""
        await session.begin_write()
        for number in range(first, first + count):
            await add_row(session, world, seed, number)
        await session.commit()
        space = f"/spaces/{seed.space.id}"
        for changes in more_pages(first, count):
            for place in (space, f"{space}/change-requests/{seed.change_request.id}"):
                answer = await api.rest(
                    "POST", f"{place}/content", world.admin, {"changes": changes}
                )
                assert answer.status_code == 200, answer.text
            seed.known["revisionId"] = [answer.json()["revision"]]

    await grow(0, 1)
    await measure(1)  # what a process reads once
    few = await measure(1)
    await grow(1, MANY)
    many = await measure(MANY)
    grown = {
        name: (few[name], count) for name, count in many.items() if count > few[name] + READ_ONCE
    }
    assert grown == {}
