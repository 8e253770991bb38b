"""The number of SQL statements of a nested query does not depend on the amount of data."""

import pytest

from db.session import Session
from tests import factories
from tests.conftest import Api, Queries, World
from tests.resolvers.search.test_search import Writer

QUERY = """
query ($id: ID!) {
  organization(id: $id) {
    spaces(first: 50) {
      nodes {
        title
        changeRequests(first: 10) {
          nodes {
            subject
            createdBy { displayName }
            comments(first: 5) { nodes { postedBy { displayName } } }
          }
        }
      }
    }
  }
}
"""
# The token; the organization; its spaces; their change requests; who made them; their comments;
# who wrote those.
STATEMENTS = 7


@pytest.mark.parametrize(("spaces", "requests", "comments"), [(1, 1, 1), (12, 4, 3)])
async def test_nested_query_runs_a_constant_number_of_statements(
    session: Session, world: World, api: Api, queries: Queries,
    spaces: int, requests: int, comments: int,
) -> None:  # fmt: skip
    for _ in range(spaces):
        space = await factories.make_space(session, world.organization)
        for _ in range(requests):
            request = await factories.make_change_request(session, space, world.editor)
            for _ in range(comments):
                await factories.make_comment(session, space, world.commenter, request)
    await session.commit()
    await api.token_of(world.reader)
    await api.data("{ viewer { id } }", world.reader)  # what a process reads once
    with queries(STATEMENTS):
        data = await api.data(QUERY, world.reader, id=world.organization.id)
    found = data["organization"]["spaces"]["nodes"]
    assert len(found) == spaces
    for space_node in found:
        assert len(space_node["changeRequests"]["nodes"]) == requests
        for node in space_node["changeRequests"]["nodes"]:
            assert node["createdBy"]["displayName"] == "Editor"
            assert len(node["comments"]["nodes"]) == comments
            assert node["comments"]["nodes"][0]["postedBy"]["displayName"] == "Commenter"


TYPED = """
query ($id: ID!) {
  organization(id: $id) {
    spaces(first: 50) {
      nodes {
        typedMergeRules { rules { users { displayName } } }
        links(first: 10) {
          nodes {
            typedReference {
              ... on UserReference { user { displayName } }
              ... on SpaceReference { space { title } }
              ... on FileReference { file { name } space { title } }
            }
          }
        }
      }
    }
  }
}
"""


async def test_typed_fields_run_a_constant_number_of_statements(
    session: Session, world: World, api: Api, queries: Queries
) -> None:
    counts = []
    for spaces in (1, 8):
        for number in range(spaces):
            space = await factories.make_space(session, world.organization)
            person = await factories.make_member(session, world.organization)
            rule = {"rule": "allow_bypass", "users": [person.id, world.editor.id]}
            space.merge_rules = {"type": "rules", "rules": [rule]}
            writer = Writer(session, space)
            references = f"[a](docstead:user?user={person.id}) [b](docstead:space?space={space.id})"
            await writer.write(
                writer.page(f"p{number}", f"{references} [c](docstead:file?file=gone)\n")
            )
            await session.begin_write()
        await session.commit()
        await api.data(TYPED, world.reader, id=world.organization.id)  # what a process reads once
        queries.statements.clear()
        data = await api.data(TYPED, world.reader, id=world.organization.id)
        counts.append(len(queries.statements))
        await session.begin_write()
    assert counts[0] == counts[1]
    nodes = data["organization"]["spaces"]["nodes"]
    assert len(nodes) == 9
    for one in nodes:
        assert len(one["typedMergeRules"]["rules"][0]["users"]) == 2
        assert len(one["links"]["nodes"]) == 3
