"""The four reads that are measured, as each contender is asked for them."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import orjson

from benchmarks.data import Reads
from benchmarks.http import Client, Request

SPACE_FIELDS = (
    "id title emoji createdAt updatedAt deletedAt editMode language defaultLevel mergeRules"
)
ONE_SPACE = f"query($id: ID!) {{ space(id: $id) {{ {SPACE_FIELDS} }} }}"
ALL_SPACES = f"""query($id: ID!) {{
  organization(id: $id) {{ spaces(first: 100) {{ nodes {{ {SPACE_FIELDS} }} }} }} }}"""
NESTED = """query($id: ID!, $spaces: Int, $requests: Int, $comments: Int) {
  organization(id: $id) { title spaces(first: $spaces) { nodes { id title
    changeRequests(first: $requests) { nodes { id number subject
      comments(first: $comments) { nodes { id postedAt body { markdown }
        postedBy { id displayName } } } } } } } } }"""

Run = Callable[[Client], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Read:
    """One read: the GraphQL request, the requests to /v1, the hand-written route."""

    name: str
    graphql: Request
    hand_written: Request
    v1: Run
    # Requests that a client of /v1 sends for it.
    v1_requests: int


def reads(data: Reads) -> list[Read]:
    """The reads of one generated organization."""
    one, organization = data.space_id, data.organization_id
    whole = f"/v1/orgs/{organization}/spaces?limit=100"
    return [
        Read(
            "one space",
            _graphql(data, ONE_SPACE, id=one),
            _get(data, f"/spaces/{one}"),
            _single(_get(data, f"/v1/spaces/{one}")),
            1,
        ),
        Read(
            "100 spaces",
            _graphql(data, ALL_SPACES, id=organization),
            _get(data, f"/organizations/{organization}/spaces"),
            _single(_get(data, whole)),
            1,
        ),
        _nested("nested 20 x 10 x 5", data, 20, 10, 5),
        _nested("nested 5 x 3 x 2", data, 5, 3, 2),
    ]


def _nested(name: str, data: Reads, spaces: int, requests: int, comments: int) -> Read:
    sizes = {"spaces": spaces, "requests": requests, "comments": comments}
    query = "&".join(f"{key}={value}" for key, value in sizes.items())
    organization = data.organization_id
    return Read(
        name,
        _graphql(data, NESTED, id=organization, **sizes),
        _get(data, f"/organizations/{organization}/tree?{query}"),
        _walk(data, spaces, requests, comments),
        2 + spaces + spaces * requests,
    )


def _walk(data: Reads, spaces: int, requests: int, comments: int) -> Run:
    """What a client of /v1 does for a nested read: level by level, one request for each parent."""

    async def run(client: Client) -> None:
        base = f"/v1/orgs/{data.organization_id}"
        await client.send(_get(data, base))
        for space in await _items(client, data, f"{base}/spaces?limit={spaces}"):
            path = f"/v1/spaces/{space['id']}/change-requests"
            for request in await _items(client, data, f"{path}?limit={requests}"):
                await client.send(_get(data, f"{path}/{request['id']}/comments?limit={comments}"))

    return run


async def _items(client: Client, data: Reads, path: str) -> list[Any]:
    found: list[Any] = orjson.loads(await client.send(_get(data, path)))["items"]
    return found


def _single(request: Request) -> Run:
    async def run(client: Client) -> None:
        await client.send(request)

    return run


def _graphql(data: Reads, query: str, **variables: Any) -> Request:
    body = orjson.dumps({"query": query, "variables": variables})
    return Request("POST", "/graphql", data.token, body)


def _get(data: Reads, path: str) -> Request:
    return Request("GET", path, data.token)


async def check_same_answer(read: Read, ours: Client, hand_written: Client) -> None:
    """SystemExit unless the hand-written route gives GraphQL's answer, member by member."""
    answers = await asyncio.gather(ours.send(read.graphql), hand_written.send(read.hand_written))
    # GraphQL adds what the query cost, which is no part of the data.
    left, right = [orjson.loads(answer)["data"] for answer in answers]
    if left != right:
        raise SystemExit(f"{read.name}: the answers differ:\n{answers[0]!r}\n{answers[1]!r}")
