"""No field of the schema runs a statement for each of its parents.

The walk is made of the schema: a new type, list or field is asked for with many parents here, or
the test names it.
"""

from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx2

from db.enums import Role
from db.models.organizations import User
from db.session import Database, Session
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from resolvers.core import nesting
from resolvers.lists.batches import ByKey
from schema.build import build_schema
from schema.wiring import source_of
from tests import factories
from tests.conftest import Api, NoDns, Queries, World
from tests.graphql_walk import FieldWalk, Way
from tests.seeds import linking, sow

ORGANIZATIONS = 5
# Two fields on a way may be found alike, or read a map of a revision each.
REPEATED = 3
# Fields that do work of their own for each parent, and why nothing less would do.
EACH = {
    "Organization.search": "each is a search of its own, in another part of the index",
    "Site.search": "the same",
    "ChangeRequest.links": "each compares two revisions of its own",
    "ChangeRequest.linkStats": "the same",
}
WRITE = """mutation ($space: ID!, $page: ID!, $document: JSONObject!, $comment: ID!) {
  applyContentChanges(input: {target: {space: $space}, operations: [
    {setRedirect: {path: "old", page: $page}},
    {createPage: {title: "Links", body: {document: $document}}}
  ]}) { changed }
  addReaction(subjectId: $comment, input: {emoji: "👍"}) { __typename }
}"""


def nodes_of(value: Any, type_: str) -> Iterator[Any]:
    """Every object of a type in an answer."""
    if isinstance(value, list):
        for one in value:
            yield from nodes_of(one, type_)
    elif isinstance(value, dict):
        if value.get("__typename") == type_:
            yield value
        for one in value.values():
            yield from nodes_of(one, type_)


@asynccontextmanager
async def generous(database: Database, folder: Path) -> AsyncIterator[Api]:
    """Both doors without a limit of cost."""
    settings = Settings(
        public_url="http://docs.test", data_dir=folder, query_cost=100_000_000, request_seconds=600
    )
    server = Server(settings, database)
    server.hostnames = NoDns()
    transport = httpx2.ASGITransport(app=create_app(settings, server))
    async with httpx2.AsyncClient(transport=transport, base_url=settings.public_url) as client:
        yield Api(server, client)


async def many_organizations(session: Session, world: World, api: Api) -> dict[str, list[str]]:
    """Organizations with rows of every kind, all of the same people; ids by their names in /v1."""
    known: dict[str, list[str]] = {}
    for number in range(ORGANIZATIONS):
        here = world
        if number:
            organization = await factories.make_organization(session)
            for user in world.people().values():
                await factories.make_member(session, organization, Role.ADMIN, user)
            here = replace(world, organization=organization)
        here.organization.merge_rules = {"type": "rules", "rules": [
            {"rule": "require_specific_reviewers", "users": [world.reviewer.id]}
        ]}  # fmt: skip
        seed = await sow(session, here, f"label{number}")
        document = linking(
            {"kind": "user", "user": world.reader.id},
            {"kind": "collection", "collection": seed.collection.id},
            {"kind": "space", "space": seed.hidden.id},
            {"kind": "url", "url": "https://example.com/a"},
            {"kind": "reusable-content", "reusableContent": "notice"},
        )
        await api.data(
            WRITE, world.admin, space=seed.space.id, page="home", document=document,
            comment=seed.comment.id,
        )  # fmt: skip
        for name, ids in seed.known.items():
            known.setdefault(name, []).extend(ids)
        await session.begin_write()
    await session.commit()
    return known


@dataclass
class Counting:
    """Asks GraphQL, and counts what it takes."""

    api: Api
    person: User
    queries: Queries

    async def __call__(self, query: str, type_: str) -> tuple[int, int]:
        """How many objects of a type the answer has, and how often one statement was run."""
        # What a second request would read in one statement is not nested.
        nesting.SHAPES.clear()
        self.queries.statements.clear()
        answer = await self.api.graphql(query, self.person)
        assert "data" in answer, (query, answer)
        repeated = max(Counter(self.queries.statements).values(), default=0)
        return len([*nodes_of(answer["data"], type_)]), repeated


def batch_functions() -> dict[str, dict[str, Any]]:
    """The batch function of each field that has one, by type and field."""
    schema = build_schema()
    found: dict[str, dict[str, Any]] = {}
    for type_ in schema._schema.type_map:
        definition = schema.get_type_by_name(type_)
        for field in getattr(definition, "fields", ()):
            function = source_of(field).batch
            if function is not None:
                name = schema.config.name_converter.from_field(field)
                found.setdefault(type_, {})[name] = function
    return found


@dataclass(frozen=True)
class Found:
    """A way to several objects of a type: which of its queries leads there, and how often that
    runs a statement already."""

    walk: FieldWalk
    way: Way
    at: int
    allowed: int

    def query(self, type_: str, *selections: str) -> str:
        """The query that selects this there."""
        return [*self.walk.at(self.way, type_, *selections)][self.at]


async def way_to_many(ask: Counting, walks: Sequence[FieldWalk], type_: str) -> Found | None:
    """The first way to as many objects of a type as there are organizations."""
    for walk in walks:
        for way in walk.ways[type_]:
            for at, query in enumerate(walk.at(way, type_)):
                parents, repeated = await ask(query, type_)
                if parents >= ORGANIZATIONS:
                    return Found(walk, way, at, max(REPEATED, repeated))
    return None


async def test_statements_do_not_grow_with_parents(
    database: Database,
    session: Session,
    world: World,
    queries: Queries,
    tmp_path: Path,
    flat_maps: None,
) -> None:
    functions = batch_functions()
    many: set[int] = set()
    grows: set[str] = set()
    async with generous(database, tmp_path) as api:
        known = await many_organizations(session, world, api)
        # A page is asked for by its id; those of other types are found without one.
        walks = [
            FieldWalk(build_schema()._schema, known | {"pageId": [id]}, root="viewer", most=16)
            for id in ("link", "computed")
        ]
        reached = walks[0].ways.keys() & functions.keys()
        ask = Counting(api, world.admin, queries)
        await ask("{ viewer { id } }", "User")
        for type_ in reached:
            found = await way_to_many(ask, walks, type_)
            if found is None:
                continue
            texts = {name: found.walk.selections(type_)[name] for name in functions[type_]}
            _, times = await ask(found.query(type_, *texts.values()), type_)
            for name, text in texts.items() if times > found.allowed else ():
                _, times = await ask(found.query(type_, text), type_)
                if times > found.allowed:
                    grows.add(f"{type_}.{name}")
            many |= {id(function) for function in functions[type_].values()}
    # Types without a way are answers of lookups and writes, which are asked for one by one.
    untried = {
        f"{type_}.{name}"
        for type_ in reached
        for name, function in functions[type_].items()
        if id(function) not in many and not isinstance(function, ByKey)
    }
    assert untried == set()
    assert grows == EACH.keys()
