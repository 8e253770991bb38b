"""Operations that need one statement run one, and are read without a snapshot when alone."""

from typing import Any

import pytest

from benchmarks.workloads import ALL_SPACES, NESTED, ONE_SPACE
from db.session import Session
from resolvers.change_requests import operations as change_requests, reviews
from resolvers.comments import operations as comments
from resolvers.core.declarations import declaration_of
from resolvers.core.runners import read
from resolvers.customization import fonts
from resolvers.imports import runs
from resolvers.integrations import entries, installations, operations as integrations
from resolvers.jobs import operations as jobs
from resolvers.organizations import (
    invitations,
    members,
    operations as organizations,
    teams,
    users,
)
from resolvers.sign_on import providers as sign_on
from resolvers.sites import (
    adaptive_schemas,
    mcp_servers as site_mcp_servers,
    operations as sites,
    section_groups as site_section_groups,
    sections as site_sections,
    spaces as site_spaces,
)
from resolvers.spaces import collections, operations as spaces
from resolvers.specifications import operations as specifications
from resolvers.tokens import service_accounts
from resolvers.translations import glossary, operations as translations
from resolvers.webhooks import operations as webhooks
from schema import query
from schema.wiring import OPERATION
from tests import factories
from tests.conftest import Api, Queries, World, context
from tests.seeds import Seed, sow


def calls(seed: Seed, world: World) -> list[tuple[Any, tuple[Any, ...]]]:
    """Every such operation, with arguments."""
    space, request = seed.space.id, seed.change_request
    return [
        (users.get_viewer, ()),
        (users.get_user, (world.guest.id,)),
        (organizations.get_organization, (world.organization.id,)),
        (members.get_member, (world.organization.id, world.guest.id)),
        (teams.get_team, (seed.known["teamId"][0], world.organization.id)),
        (invitations.get_invitation, (seed.known["inviteId"][0], world.organization.id)),
        (service_accounts.get_service_account, (seed.known["serviceAccountId"][0],)),
        (sign_on.get_saml_provider, (seed.known["samlProviderId"][0], world.organization.id)),
        (jobs.get_job, (seed.known["jobId"][0], world.organization.id)),
        (integrations.get_integration, (seed.known["integrationName"][0],)),
        (
            installations.get_installation,
            (seed.known["installationId"][0], seed.known["integrationName"][0]),
        ),
        (
            entries.get_space_installation,
            (seed.known["installationId"][0], space, seed.known["integrationName"][0]),
        ),
        (
            entries.get_site_installation,
            (
                seed.known["installationId"][0],
                seed.known["siteId"][0],
                seed.known["integrationName"][0],
            ),
        ),
        (
            specifications.get_specification,
            (world.organization.id, seed.known["specSlug"][0]),
        ),
        (webhooks.get_webhook, (seed.known["webhookId"][0], world.organization.id)),
        (webhooks.get_webhook_delivery, (seed.known["webhookDeliveryId"][0],)),
        (translations.get_translation, (seed.known["translationId"][0],)),
        (glossary.get_glossary_entry, (seed.known["glossaryEntryId"][0],)),
        (fonts.get_custom_font, (seed.known["fontId"][0], world.organization.id)),
        (runs.get_import_run, (seed.known["importRunId"][0], world.organization.id)),
        (spaces.get_space, (space,)),
        (collections.get_collection, (seed.collection.id,)),
        (sites.get_site, (seed.site.id, world.organization.id)),
        (adaptive_schemas.get_adaptive_schema, (seed.site.id,)),
        (site_spaces.get_site_space, (seed.site_space.id, seed.site.id)),
        (site_sections.get_site_section, (seed.known["siteSectionId"][0], seed.site.id)),
        (site_section_groups.get_site_section_group, (seed.known["siteSectionGroupId"][0],)),
        (site_mcp_servers.get_site_mcp_server, (seed.known["siteMcpServerId"][0], seed.site.id)),
        (change_requests.get_change_request, (space, str(request.number))),
        (comments.get_comment, (space, seed.comment.id)),
        (comments.get_comment_reply, (space, seed.comment.id, seed.reply.id)),
        (reviews.get_review, (space, str(request.number), seed.review.id)),
    ]


async def test_they_run_one_statement(session: Session, world: World, queries: Queries) -> None:
    seed = await sow(session, world)
    made = calls(seed, world)
    declared = {
        field.metadata[OPERATION].operation
        for field in query.Query.__strawberry_definition__.fields  # type: ignore[attr-defined]
        if declaration_of(field.metadata[OPERATION].operation).one_statement
    }
    assert {operation for operation, _ in made} == declared
    ctx = context(session, world.admin)
    for operation, arguments in made:
        with queries(1):
            await read(ctx, operation, *arguments)


async def test_the_documents_of_the_benchmark_are_one_statement(
    session: Session, world: World, api: Api, queries: Queries
) -> None:
    seed = await sow(session, world)
    await session.close()
    organization = {"id": world.organization.id}
    small = {"spaces": 5, "requests": 3, "comments": 2}
    for text, given in (
        (ONE_SPACE, {"id": seed.space.id}),
        (ALL_SPACES, organization),
        (NESTED, organization | small),
    ):
        first = await api.data(text, world.reader, **given)
        # The token's is another one.
        with queries(2):
            assert await api.data(text, world.reader, **given) == first
    spaces = first["organization"]["spaces"]["nodes"]
    assert any(comment["body"]["markdown"] for space in spaces
               for request in space["changeRequests"]["nodes"]
               for comment in request["comments"]["nodes"])  # fmt: skip


COMMENT = """query ($space: ID!, $id: ID!) { comment(spaceId: $space, id: $id) {
  body { markdown document } postedBy { displayName } } }"""
LISTED = """query ($space: ID!) { space(id: $space) { comments(first: 3) { nodes {
  id body { markdown document } postedBy { displayName } } } } }"""


async def test_a_text_that_names_something_is_read_further_in_a_snapshot(
    session: Session, world: World, api: Api, queries: Queries, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = await sow(session, world)
    text = "See [the page](docstead:page?page=home) and [them](docstead:user?user=u1)."
    comment = await factories.make_comment(session, seed.space, world.reader, markdown=text)
    plain = await factories.make_comment(session, seed.space, world.reader)
    await session.commit()
    await session.close()
    path = f"/spaces/{seed.space.id}/comments/{comment.id}"
    v1 = (await api.rest("GET", path, world.reader)).json()["body"]["markdown"]
    assert "docstead:" not in v1
    assert f"http://docs.test/s/{seed.space.id}/" in v1
    for document, given in ((COMMENT, {"id": comment.id}), (LISTED, {})):
        for _ in range(3):
            seen = watched(api, monkeypatch)
            data = await api.data(document, world.reader, space=seed.space.id, **given)
            monkeypatch.undo()
            nodes = data["space"]["comments"]["nodes"] if document is LISTED else [data["comment"]]
            assert v1 in [one["body"]["markdown"] for one in nodes]
        # The token's, the comments', and what the text needs, which sees one state.
        assert seen[:2] == [True, True]
        assert len(seen) > 2
        assert not any(seen[2:])
    with queries(2):
        await api.data(COMMENT, world.reader, space=seed.space.id, id=plain.id)


ALONE = "query ($id: ID!) { space(id: $id) { id title createdAt } }"
MORE = "query ($id: ID!) { space(id: $id) { id organization { title } } }"
BOTH = "query ($id: ID!) { space(id: $id) { id } viewer { id } }"


def watched(api: Api, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each statement from now on is run without a snapshot."""
    reader_class = type(api.server.database.reads.reader())
    # In SQLite's thread statements are run without a turn of the event loop.
    name = "_fetch" if hasattr(reader_class, "_fetch") else "fetch"
    fetch, seen = getattr(reader_class, name), list[bool]()

    def fetched(self: Any, prepared: Any, values: Any, alone: bool = False) -> Any:
        seen.append(alone)
        return fetch(self, prepared, values, alone=alone)

    monkeypatch.setattr(reader_class, name, fetched)
    return seen


@pytest.mark.parametrize(("text", "begun"), [(ALONE, False), (MORE, True), (BOTH, True)])
async def test_only_they_need_no_snapshot(
    session: Session, world: World, api: Api, monkeypatch: pytest.MonkeyPatch, text: str,
    begun: bool,
) -> None:  # fmt: skip
    seed = await sow(session, world)
    seen = watched(api, monkeypatch)
    data = await api.data(text, world.reader, id=seed.space.id)
    assert data["space"]["id"] == seed.space.id
    # The first one is the token's.
    assert seen[0]
    assert [not alone for alone in seen[1:]] == [begun] * (len(seen) - 1)
