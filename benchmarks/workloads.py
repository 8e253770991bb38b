"""What is measured: the four reads, and two that ask about documents, in each contender's words.

Every contender gives the same `data`. PostGraphile derives its names from the tables, so its
documents give every field the product's name as an alias.
"""

from dataclasses import dataclass, replace
from typing import Any

import orjson

from benchmarks.data import Reads
from benchmarks.http import Request
from rest_compat.routes.all import ROUTES
from tests.parity import Question

SPACE = "id title emoji createdAt updatedAt deletedAt editMode language defaultLevel mergeRules"
ONE_SPACE = f"query($id: ID!) {{ space(id: $id) {{ __typename {SPACE} position }} }}"
ALL_SPACES = f"""query($id: ID!) {{
  organization(id: $id) {{ spaces(first: 100) {{ nodes {{ {SPACE} }} }} }} }}"""
NESTED = """query($id: ID!, $spaces: Int, $requests: Int, $comments: Int) {
  organization(id: $id) { title spaces(first: $spaces) { nodes {
    id title emoji createdAt updatedAt
    changeRequests(first: $requests) { nodes { id number subject status createdAt updatedAt
      comments(first: $comments) { nodes { id postedAt editedAt status body { markdown }
        postedBy { id displayName photoURL } } } } } } } } }"""

# PostGraphile names the column `id` of a table `rowId`.
SPACE_ROW = f"id: rowId {SPACE.removeprefix('id ')}"
ONE_SPACE_OF_TABLES = f"""query($id: String!) {{
  space: spaceByRowId(rowId: $id) {{ __typename {SPACE_ROW} position }} }}"""
ALL_SPACES_OF_TABLES = f"""query($id: String!) {{ organization: organizationByRowId(rowId: $id) {{
  spaces: spacesByOrganizationId(first: 100, orderBy: [ROW_ID_ASC]) {{
    nodes {{ {SPACE_ROW} }} }} }} }}"""
NESTED_OF_TABLES = """query($id: String!, $spaces: Int, $requests: Int, $comments: Int) {
  organization: organizationByRowId(rowId: $id) { title
    spaces: spacesByOrganizationId(first: $spaces, orderBy: [ROW_ID_ASC]) { nodes {
      id: rowId title emoji createdAt updatedAt
      changeRequests: changeRequestsBySpaceId(first: $requests, orderBy: [NUMBER_DESC]) { nodes {
        id: rowId number subject status createdAt updatedAt
        comments: commentsByChangeRequestId(first: $comments, orderBy: [ROW_ID_DESC]) { nodes {
          id: rowId postedAt editedAt status body { markdown }
          postedBy: personByPostedById {
            id: rowId displayName photoURL: photoUrl } } } } } } } } }"""

# Eight digits, as long as the numbers that replace it.
UNIQUE = "99999999"


@dataclass(frozen=True, slots=True)
class Workload:
    """One read: its GraphQL request, the one that names tables, the route, the request to /v1.

    A contender without a request does not take part, nor one that `contenders` leaves out. The
    answers of /v1 are whole objects of its own, so they are not compared.
    """

    name: str
    title: str
    connections: int
    graphql: Request | None = None
    tables: Request | None = None
    route: Request | None = None
    v1: Request | None = None
    # What every request replaces by a number, so that the server has never seen the text.
    unique: str = ""
    # Empty = all that have a request.
    contenders: frozenset[str] = frozenset()
    # Whole bodies are compared, those of /v1 with the others.
    whole: bool = False
    # Every request is another person's.
    people: bool = False


def workloads(data: Reads) -> list[Workload]:
    """The workloads on one generated organization."""
    space, organization = data.space_id, data.organization_id
    sizes = {"spaces": 20, "requests": 10, "comments": 5}
    return [
        Workload(
            "W1", "one space, 12 scalars", 16,
            graphql=_graphql(data, ONE_SPACE, id=space),
            tables=_graphql(data, ONE_SPACE_OF_TABLES, id=space),
            route=_get(data, f"/spaces/{space}"),
        ),
        Workload(
            "W2", "100 spaces, 10 scalars", 16,
            graphql=_graphql(data, ALL_SPACES, id=organization),
            tables=_graphql(data, ALL_SPACES_OF_TABLES, id=organization),
            route=_get(data, f"/organizations/{organization}/spaces"),
        ),
        _nested("W3", data, sizes, 4),
        _nested("W4", data, {"spaces": 5, "requests": 3, "comments": 2}, 16),
        _as_v1("V1", "one space as /v1 shows it", data, "getSpaceById", spaceId=space),
        _as_v1(
            "V2", "50 spaces as /v1 shows them", data, "listSpacesInOrganizationById",
            organizationId=organization,
        ),
        Workload(
            "V3", "100 spaces as /v1 shows them, and the same by hand", 16,
            v1=_get(data, f"/v1/orgs/{organization}/spaces?limit=100"),
            route=_get(data, f"/v1/orgs/{organization}/spaces?limit=100"),
            contenders=frozenset({"v1", "hand"}), whole=True,
        ),
        *_by_people(data, space, organization),
        _nested("W3x1", data, sizes, 1, "W3 at one connection"),
        _nested("known", data, dict.fromkeys(sizes, 1), 1, "W3's document with sizes 1 x 1 x 1"),
        Workload(
            "new", "the same document, never seen before", 1, unique=UNIQUE,
            graphql=_graphql(data, _aliased(NESTED), id=organization, **dict.fromkeys(sizes, 1)),
            tables=_graphql(
                data, _aliased(NESTED_OF_TABLES), id=organization, **dict.fromkeys(sizes, 1)
            ),
        ),
        # Clients that write arguments into the document; each has a literal of its own.
        Workload(
            "inline", "W1 with literals that differ every time", 1, unique=UNIQUE,
            graphql=_graphql(data, _inlined(space)),
            contenders=frozenset({"graphql"}),
        ),
    ]  # fmt: skip


def _nested(
    name: str,
    data: Reads,
    sizes: dict[str, int],
    connections: int,
    title: str = "",
) -> Workload:
    organization = data.organization_id
    query = "&".join(f"{key}={value}" for key, value in sizes.items())
    shape = " x ".join(str(size) for size in sizes.values())
    return Workload(
        name,
        title or f"{shape} comments with authors",
        connections,
        graphql=_graphql(data, NESTED, id=organization, **sizes),
        tables=_graphql(data, NESTED_OF_TABLES, id=organization, **sizes),
        route=_get(data, f"/organizations/{organization}/tree?{query}"),
    )


def _as_v1(name: str, title: str, data: Reads, operation: str, **path: str) -> Workload:
    """A request to /v1, and one to GraphQL for the very same values."""
    (row,) = [row for row in ROUTES if row.operation_id == operation]
    question = Question(row, path, {}, {})
    return Workload(
        name, title, 16,
        graphql=_graphql(data, question.graphql()),
        v1=_get(data, f"/v1{question.path}"),
        contenders=frozenset({"graphql", "v1"}),
    )  # fmt: skip


def _by_people(data: Reads, space: str, organization: str) -> list[Workload]:
    """W1, W2 and W4, where no two requests at a time are the same person's."""
    contenders = frozenset({"graphql", "hand", "json"})
    small = _nested("P4", data, {"spaces": 5, "requests": 3, "comments": 2}, 16, "W4 by 200 people")
    return [
        Workload(
            "P1", "W1 by 200 people", 16,
            graphql=_graphql(data, ONE_SPACE, id=space), route=_get(data, f"/spaces/{space}"),
            contenders=contenders, people=True,
        ),
        Workload(
            "P2", "W2 by 200 people", 16,
            graphql=_graphql(data, ALL_SPACES, id=organization),
            route=_get(data, f"/organizations/{organization}/spaces"),
            contenders=contenders, people=True,
        ),
        replace(small, contenders=contenders, people=True),
    ]  # fmt: skip


def _aliased(document: str) -> str:
    return document.replace("{ title", f"{{ a{UNIQUE}: title", 1)


def _inlined(space: str) -> str:
    # Nothing has the second id.
    fields = f"__typename {SPACE} position"
    return f'{{ space(id: "{space}") {{ {fields} }} nodes(ids: ["{UNIQUE}"]) {{ id }} }}'


def _graphql(data: Reads, query: str, **variables: Any) -> Request:
    body = orjson.dumps({"query": query, "variables": variables})
    return Request("POST", "/graphql", data.token, body)


def _get(data: Reads, path: str) -> Request:
    return Request("GET", path, data.token)
