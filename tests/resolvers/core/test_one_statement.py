"""Operations that need one statement run one, and are read without a snapshot when alone."""

from typing import Any

import pytest

from db.session import Session
from resolvers.change_requests import operations as change_requests, reviews
from resolvers.comments import operations as comments, replies as comment_replies
from resolvers.core.context import ONE_STATEMENT, read
from resolvers.organizations import members, operations as organizations, users
from resolvers.sites import (
    adaptive_schemas,
    mcp_servers as site_mcp_servers,
    operations as sites,
    section_groups as site_section_groups,
    sections as site_sections,
    spaces as site_spaces,
)
from resolvers.spaces import collections, operations as spaces
from schema import query
from schema.wiring import OPERATION
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
        (comment_replies.get_comment_reply, (space, seed.comment.id, seed.reply.id)),
        (reviews.get_review, (space, str(request.number), seed.review.id)),
    ]


async def test_they_run_one_statement(session: Session, world: World, queries: Queries) -> None:
    seed = await sow(session, world)
    made = calls(seed, world)
    declared = {
        field.metadata[OPERATION].operation
        for field in query.Query.__strawberry_definition__.fields  # type: ignore[attr-defined]
        if getattr(field.metadata[OPERATION].operation, ONE_STATEMENT, False)
    }
    assert {operation for operation, _ in made} == declared
    ctx = context(session, world.admin)
    for operation, arguments in made:
        with queries(1):
            await read(ctx, operation, *arguments)


ALONE = "query ($id: ID!) { space(id: $id) { id title createdAt } }"
MORE = "query ($id: ID!) { space(id: $id) { id organization { title } } }"
BOTH = "query ($id: ID!) { space(id: $id) { id } viewer { id } }"


@pytest.mark.parametrize(("text", "begun"), [(ALONE, False), (MORE, True), (BOTH, True)])
async def test_only_they_need_no_snapshot(
    session: Session, world: World, api: Api, monkeypatch: pytest.MonkeyPatch, text: str,
    begun: bool,
) -> None:  # fmt: skip
    seed = await sow(session, world)
    reader_class = type(api.server.database.reads.reader())
    # In SQLite's thread statements are run without a turn of the event loop.
    name = "_fetch" if hasattr(reader_class, "_fetch") else "fetch"
    fetch, seen = getattr(reader_class, name), []

    def watched(self: Any, prepared: Any, values: Any, alone: bool = False) -> Any:
        seen.append(alone)
        return fetch(self, prepared, values, alone=alone)

    monkeypatch.setattr(reader_class, name, watched)
    data = await api.data(text, world.reader, id=seed.space.id)
    assert data["space"]["id"] == seed.space.id
    # The first one is the token's.
    assert seen[0]
    assert [not alone for alone in seen[1:]] == [begun] * (len(seen) - 1)
