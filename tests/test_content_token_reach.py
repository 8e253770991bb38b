"""What the bearer of a content token finds when it asks every field and every route for everything.

The site shows one space. Of the rest of the organization, its people and their work nothing may
come back, whatever is asked for and however the relations are followed.
"""

import dataclasses
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import orjson
import pytest
from graphql import (
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    build_schema,
    get_named_type,
    is_leaf_type,
)

from db.content_enums import ChangeRequestStatus
from db.enums import DefaultLevel, EditMode, SitePreviews
from db.session import Database, Session
from rest_compat.routes.all import ROUTES
from tests.conftest import Api, World, settle
from tests.factories import make_change_request, make_comment
from tests.kinds import dealt
from tests.published.sites import Published, make_flat
from tests.rest_compat.test_hostile_requests import row_counts
from tests.seeds import Seed, sow
from tests.test_visibility import path_of

SCHEMA = Path(__file__).parent.parent / "schema" / "schema.graphql"
# Levels of relations below each field of the query, and of their fields what one query asks for;
# fewer where that is more than a query may ask for. A query for many costs little more.
DEPTH, TOGETHER = 1, 8
# Ids that are tried for an argument, and combinations of them for a field.
TRIED, COMBINATIONS = 3, 6
CHOICES: dict[str, str] = {"Boolean": "true", "Int": "2"}


@pytest.fixture
async def seed(session: Session, world: World) -> Seed:
    return await sow(session, world)


# What a setting of the site opens to anybody, by what it is.
OPENED: dict[SitePreviews, frozenset[str]] = {
    SitePreviews.NOBODY: frozenset(),
    SitePreviews.MEMBERS: frozenset(),
    SitePreviews.ANYBODY: frozenset({"change request"}),
}


@pytest.fixture
async def made(session: Session, world: World, seed: Seed, previews: SitePreviews) -> Published:
    """A published site of the seed's space; the seed's own site is not published."""
    found = await make_site_of(session, world, seed, previews)
    await settle(session)
    return found


async def make_site_of(
    session: Session, world: World, seed: Seed, previews: SitePreviews
) -> Published:
    found = await make_flat(session, world.organization, "guide", previews=previews)
    found.site_spaces["guide"].space_id = seed.space.id
    (await session.merge(seed.site)).published = False
    return found


async def token_of(api: Api, made: Published) -> str:
    url = f"http://docs.test/sites/{made.site.id}"
    answer = await api.rest("POST", "/urls/published", None, {"url": url})
    return str(answer.json()["apiToken"])


def secrets(world: World, seed: Seed, previews: SitePreviews) -> dict[str, str]:
    """What visitors may not read with this setting of the site, by what it is."""
    people = world.people().items()
    found = {f"address of {name}": person.email for name, person in people}
    found |= {f"id of {name}": person.id for name, person in people}
    found |= {
        "title of the organization": f'"{world.organization.title}"',
        "other space": f'"id":"{seed.hidden.id}"',
        "collection": f'"id":"{seed.collection.id}"',
        "other site": f'"id":"{seed.site.id}"',
        "its site space": f'"id":"{seed.site_space.id}"',
        "change request": seed.change_request.id,
        "comment": seed.comment.id,
        "reply": seed.reply.id,
        "review": seed.review.id,
    }
    return {what: text for what, text in found.items() if what not in OPENED[previews]}


@cache
def committed_schema() -> GraphQLSchema:
    return build_schema(SCHEMA.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Query:
    """A field of the query, and what is selected of one type of its values."""

    field: str
    kind: str
    parts: list[str]

    def __str__(self) -> str:
        below = f"{{ ... on {self.kind} {{ __typename {' '.join(self.parts)} }} }}"
        return f"{{ {self.field} {below if self.kind else ''} }}"

    def halves(self) -> Iterator["Query"]:
        """The same in two queries; nothing where it selects one field."""
        half = len(self.parts) // 2
        if half:
            yield Query(self.field, self.kind, self.parts[:half])
            yield Query(self.field, self.kind, self.parts[half:])


class Walk:
    """Queries for every field of the query, with what is known as arguments."""

    def __init__(self, known: dict[str, list[str]]) -> None:
        self._known = known
        self._schema = committed_schema()

    def queries(self) -> Iterator[Query]:
        """Queries for each field, a few of its own fields at a time."""
        assert self._schema.query_type is not None
        for name, field in self._schema.query_type.fields.items():
            if name == "node":
                continue  # `nodes` asks for every object at once
            every = self._arguments(name, field)
            # Queries that differ in their ids only stand together: they are parsed once.
            for kind, parts in self._selections(get_named_type(field.type)) if every else ():
                for arguments in every:
                    yield Query(f"{name}{arguments}", kind, parts)

    def _arguments(self, name: str, field: GraphQLField) -> list[str]:
        choices: dict[str, list[str]] = {}
        for argument, one in field.args.items():
            if not isinstance(one.type, GraphQLNonNull):
                continue
            values = self._values(name, argument, str(get_named_type(one.type)))
            if "[" in str(one.type):
                values = [f"[{', '.join(values)}]"]
            choices[argument] = values
        found = []
        for chosen in list(product(*choices.values()))[:COMBINATIONS]:
            pairs = ", ".join(f"{key}: {value}" for key, value in zip(choices, chosen, strict=True))
            found.append(f"({pairs})" if pairs else "")
        return found

    def _values(self, field: str, argument: str, kind: str) -> list[str]:
        names = [argument, f"{field}Id"] if argument == "id" else [argument]
        ids = [id for one in names for id in self._known.get(one, ())][:TRIED]
        if argument in ("id", "ids") and field in ("node", "nodes"):
            ids = sorted({id for ids in self._known.values() for id in ids})
        if ids:
            return [f'"{id}"' for id in ids]
        if kind in CHOICES:
            return [CHOICES[kind]]
        enum = self._schema.type_map[kind]
        if hasattr(enum, "values"):
            return [next(iter(enum.values))]
        if kind in ("ID", "String"):
            return ['"home"', f'"{self._known["spaceId"][1]}"']
        return []

    def _selections(self, kind: Any) -> Iterator[tuple[str, list[str]]]:
        """An object of a type, and a few of its fields with all that is below them."""
        if is_leaf_type(kind):
            yield "", []
            return
        for one in self._objects(kind):
            parts = [part for part in self._fields(one, DEPTH, alone=True) if part]
            for start in range(0, len(parts), TOGETHER):
                yield one.name, parts[start : start + TOGETHER]

    def _objects(self, kind: Any) -> Iterable[GraphQLObjectType]:
        if isinstance(kind, GraphQLObjectType):
            return [kind]
        assert isinstance(kind, GraphQLInterfaceType | GraphQLUnionType)
        return self._schema.get_possible_types(kind)

    def _fields(self, kind: GraphQLObjectType, depth: int, *, alone: bool) -> Iterator[str]:
        for name, field in kind.fields.items():
            needed = [
                f"{one}: {self._values(name, one, str(get_named_type(argument.type)))[0]}"
                for one, argument in field.args.items()
                if isinstance(argument.type, GraphQLNonNull)
                and self._values(name, one, str(get_named_type(argument.type)))
            ]
            if len(needed) < sum(isinstance(a.type, GraphQLNonNull) for a in field.args.values()):
                continue
            if "first" in field.args:
                needed.append("first: 3")
            arguments = f"({', '.join(needed)})" if needed else ""
            inner = get_named_type(field.type)
            # Fields of one name have other types in other members of a union.
            shown = f"{name}{arguments}" if alone else f"{kind.name}_{name}: {name}{arguments}"
            if is_leaf_type(inner):
                yield shown
            elif depth or name in ("nodes", "edges", "node"):
                objects = list(self._objects(inner))
                below = depth if name in ("nodes", "edges", "node") else depth - 1
                parts = [
                    f"... on {one.name} {{ __typename {' '.join(fields)} }}"
                    for one in objects
                    if (fields := list(self._fields(one, below, alone=len(objects) == 1)))
                ]
                if parts:
                    yield f"{shown} {{ {' '.join(parts)} }}"


async def ask(api: Api, token: str, query: str) -> str | None:
    """The data of an answer, whose errors repeat the ids that were asked for; None where a
    query is larger than any may be.
    """
    headers = {"Authorization": f"Bearer {token}"}
    answer = await api.client.post("/graphql", json={"query": query}, headers=headers)
    assert answer.status_code < 500, (query, answer.text)
    body = answer.json()
    if "data" not in body and body["errors"][0]["extensions"]["code"] == "QUERY_TOO_COMPLEX":
        return None
    # A query that is not understood would show nothing whatever is open.
    assert "data" in body, (query, answer.text[:1000])
    faults = [one for one in body.get("errors", ()) if one["extensions"]["code"] == "INTERNAL"]
    assert not faults, (query, faults)
    return orjson.dumps(body["data"]).decode()


async def answers(
    api: Api, token: str, queries: Iterable[Query]
) -> AsyncIterator[tuple[Query, str]]:
    """Each query and its data; one that is too large is asked in parts."""
    waiting = deque(queries)
    while waiting:
        query = waiting.popleft()
        data = await ask(api, token, str(query))
        if data is None:
            waiting.extend(query.halves())
        else:
            yield query, data


@dataclass
class Reader:
    """Somebody with a token, and what they are asked to find nothing of."""

    token: str
    # None where the other kind of database is asked.
    queries: Sequence[Query | None]
    hidden: dict[str, str]
    # Fields that were answered, and what of the hidden was seen, by which query.
    answered: int = 0
    seen: dict[str, str] = dataclasses.field(default_factory=dict)

    async def look(self, api: Api, at: int) -> None:
        """Ask one of the queries."""
        one = self.queries[at]
        async for query, data in answers(api, self.token, [] if one is None else [one]):
            self.answered += len(query.parts) or 1
            for what, secret in self.hidden.items():
                if secret in data:
                    self.seen.setdefault(what, f"{query} {data}")


def share_of(queries: Sequence[Query], database: Database) -> list[Query | None]:
    """Each once, and of those that differ in their arguments only what is this kind's share."""
    places: dict[Any, list[int]] = {}
    for at, query in enumerate(queries):
        key = (query.field.partition("(")[0], query.kind, *query.parts)
        places.setdefault(key, []).append(at)
    mine = {at for first, *others in places.values() for at in (first, *dealt(others, database))}
    return [query if at in mine else None for at, query in enumerate(queries)]


@pytest.mark.usefixtures("shared_documents")
async def test_the_graph_shows_a_visitor_nothing_else(
    api: Api, session: Session, world: World, seed: Seed, database: Database
) -> None:
    """A site for each setting. On PostgreSQL for the one that opens most: others differ in what is
    asked of the actor, not in statements. Of this one each kind asks every field, and of ids after
    the first half."""
    settings = SitePreviews if database.is_sqlite else [SitePreviews.ANYBODY]
    sites = {one: await make_site_of(session, world, seed, one) for one in settings}
    await settle(session)
    visitors: dict[SitePreviews, Reader] = {}
    admin, asked = None, 0
    for previews, made in sites.items():
        known = {**seed.known, "spaceId": [seed.space.id, seed.hidden.id]}
        known["siteId"] = [made.site.id, seed.site.id]
        queries = [*Walk(known).queries()]
        hidden, asked = secrets(world, seed, previews), len(queries)
        mine = share_of(queries, database) if previews is SitePreviews.ANYBODY else queries
        visitors[previews] = Reader(await token_of(api, made), mine, hidden)
        if previews is SitePreviews.NOBODY:
            # What is hidden then is hidden with every setting, or more than it. For somebody who
            # may see it the walk reaches all of it.
            admin = Reader(await api.token_of(world.admin), queries, hidden)
    # All ask the same one after the other: what differs are ids, so it is parsed once.
    for at in range(asked):
        for reader in visitors.values():
            await reader.look(api, at)
        if admin is not None:
            await admin.look(api, at)
    for previews, reader in visitors.items():
        assert reader.seen == {}, previews
        fields = sum(len(query.parts) or 1 for query in reader.queries if query is not None)
        assert reader.answered > fields * 0.95
    if admin is not None:
        assert admin.hidden.keys() - admin.seen.keys() <= {"address of outsider", "id of outsider"}


@pytest.mark.divided("previews", list(SitePreviews))
async def test_v1_shows_a_visitor_nothing_else_and_lets_it_change_nothing(
    api: Api,
    world: World,
    seed: Seed,
    made: Published,
    database: Database,
    previews: SitePreviews,
) -> None:
    hidden = secrets(world, seed, previews)
    token = await token_of(api, made)
    headers = {"Authorization": f"Bearer {token}"}
    before, shown = await row_counts(database), 0
    for row in ROUTES:
        for space, site in ((seed.space, made.site), (seed.hidden, seed.site)):
            path = path_of(row, seed.known, spaceId=space.id, siteId=site.id)
            body: Any = None if row.method == "GET" else {}
            answer = await api.rest(row.method, path, None, body, headers=headers)
            assert answer.status_code < 500, (path, answer.text)
            if answer.status_code >= 400 or row.method == "DELETE":
                continue
            shown += 1
            for what, secret in hidden.items():
                assert secret not in answer.text, (what, path, answer.text)
    assert await row_counts(database) == before
    assert shown > 20


# What changes for visitors when something does that only members see: field -> reason.
TELLING: dict[str, str] = {
    "updatedAt": "a setting has changed, and when is nothing that readers may not know",
}


# With previews for anybody the change requests are everybody's.
@pytest.mark.divided("previews", [SitePreviews.NOBODY, SitePreviews.MEMBERS])
async def test_what_only_members_see_changes_nothing_for_visitors(
    api: Api, session: Session, world: World, seed: Seed, made: Published
) -> None:
    """All fields of the published objects are the same whatever goes on behind the site."""
    known = {**seed.known, "spaceId": [seed.space.id, seed.hidden.id]}
    known["siteId"] = [made.site.id, seed.site.id]
    queries = [
        query
        for query in Walk(known).queries()
        if query.field.startswith((f'space(id: "{seed.space.id}"', f'site(id: "{made.site.id}"'))
    ]
    assert len(queries) > 4
    paths = (f"/spaces/{seed.space.id}", f"/orgs/{world.organization.id}/sites/{made.site.id}",
             f"/orgs/{world.organization.id}/sites/{made.site.id}/structure")  # fmt: skip
    headers = {"Authorization": f"Bearer {await token_of(api, made)}"}
    token = headers["Authorization"].removeprefix("Bearer ")

    async def everything() -> dict[str, Any]:
        seen: dict[str, Any] = {
            str(query): orjson.loads(data) async for query, data in answers(api, token, queries)
        }
        for path in paths:
            answer = await api.rest("GET", path, None, headers=headers)
            assert answer.status_code == 200, (path, answer.text)
            seen[path] = answer.json()
        return seen

    before = await everything()
    space = await session.merge(seed.space)
    space.edit_mode = EditMode.LOCKED if space.edit_mode is EditMode.LIVE else EditMode.LIVE
    space.merge_rules = {"type": "rules", "rules": [{"users": [world.admin.id], "count": 1}]}
    space.default_level = DefaultLevel.COMMENT
    for status in (ChangeRequestStatus.OPEN, ChangeRequestStatus.DRAFT):
        await make_change_request(session, space, world.editor, status=status)
    await make_comment(session, space, world.editor)
    await settle(session)
    after = await everything()
    for place, seen in before.items():
        assert without_telling(seen) == without_telling(after[place]), place


def without_telling(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_telling(one) for name, one in value.items() if name not in TELLING}
    return [without_telling(one) for one in value] if isinstance(value, list) else value
