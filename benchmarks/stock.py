"""Stock Strawberry: the same graph as such servers are usually written, as a yardstick.

The types and fields that the workloads select, with the product's names; resolvers that load
SQLAlchemy ORM rows through aiodataloader, one loader for each relation and request; pages of many
parents with a window function. Strawberry's own executor with its ParserCache and
ValidationCache, the product's token check and visibility rule in every statement, one small
Starlette route and orjson. It shares no code with the product's engine.
"""

import datetime as dt
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

import orjson
import strawberry
from aiodataloader import DataLoader
from sqlalchemy import Select, func, or_, select
from sqlalchemy.orm import aliased
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from strawberry.extensions import ParserCache, ValidationCache
from strawberry.schema.config import StrawberryConfig

import resolvers.core.enumerations  # noqa: F401 (names the enumerations for GraphQL)
from benchmarks.servers import POOL_SIZE
from db.content_enums import ChangeRequestStatus, CommentStatus
from db.enums import DefaultLevel, EditMode, Language
from db.models import change_requests as discussions, comments, organizations, spaces
from db.session import Database, Session
from resolvers.access.policy import RULES, spaces_with_bin
from resolvers.access.tokens import digest
from resolvers.core.actors import Actor
from resolvers.core.scalars import JsonObject, Url, write_time

T = TypeVar("T")
Load = Callable[[list[Any]], Coroutine[Any, Any, list[Any]]]


@dataclass
class Context:
    """One request: who asks, the session, and a loader for each relation."""

    actor: Actor
    session: Session
    loaders: dict[Hashable, DataLoader[Any, Any]] = field(default_factory=dict)

    def loader(self, key: Hashable, load: Load) -> DataLoader[Any, Any]:
        if key not in self.loaders:
            self.loaders[key] = DataLoader(load)
        return self.loaders[key]


Info = strawberry.Info[Context, None]


@lru_cache(maxsize=64)
def _visible(model: Any, actor: Actor, bin: bool = False) -> Select[Any]:
    """The rows of `model` that the actor may read; made once, as they never change."""
    rule = spaces_with_bin if bin else RULES[model]
    return rule(select(model), actor)[0]


# ------------------------------------------------------------------ loaders


async def _users(ctx: Context, ids: list[str]) -> list[organizations.User | None]:
    statement = select(organizations.User).where(organizations.User.id.in_(ids))
    found = {row.id: row for row in (await ctx.session.execute(statement)).scalars()}
    return [found.get(id) for id in ids]


async def _pages(
    ctx: Context, statement: Select[Any], parent: Any, order: Any, parents: list[str], size: int
) -> list[list[Any]]:
    """The first rows of each parent, with a window function."""
    place = func.row_number().over(partition_by=parent, order_by=order)
    numbered = statement.where(parent.in_(parents)).add_columns(place.label("place")).subquery()
    model = aliased(parent.class_, numbered)
    wanted = select(model).where(numbered.c.place <= size).order_by(numbered.c.place)
    rows: dict[str, list[Any]] = {id: [] for id in parents}
    for row in (await ctx.session.execute(wanted)).scalars():
        rows[getattr(row, parent.key)].append(row)
    return [rows[id] for id in parents]


def _page_loader(info: Info, parent: Any, order: Any, size: int) -> DataLoader[Any, Any]:
    ctx = info.context

    async def load(parents: list[Any]) -> list[Any]:
        statement = _visible(parent.class_, ctx.actor)
        if parent.class_ is comments.Comment:
            statement = statement.where(comments.Comment.parent_id.is_(None))
        return await _pages(ctx, statement, parent, order, parents, size)

    return ctx.loader((parent.class_, size), load)


# ------------------------------------------------------------------ types


@strawberry.type
class Connection(Generic[T]):
    nodes: list[T]


@strawberry.type
class User:
    id: strawberry.ID
    display_name: str
    photo_url: Url | None = strawberry.field(name="photoURL")


@strawberry.type
class CommentBody:
    markdown: str


@strawberry.type
class Comment:
    id: strawberry.ID
    posted_at: dt.datetime
    edited_at: dt.datetime | None
    status: CommentStatus

    @strawberry.field
    def body(root: Any) -> CommentBody:
        return CommentBody(markdown=root.markdown)

    @strawberry.field
    async def posted_by(root: Any, info: Info) -> User:
        ctx = info.context

        async def load(ids: list[Any]) -> list[Any]:
            return await _users(ctx, ids)

        return cast(User, await ctx.loader(organizations.User, load).load(root.posted_by_id))


@strawberry.type
class ChangeRequest:
    id: strawberry.ID
    number: int
    subject: str
    status: ChangeRequestStatus
    created_at: dt.datetime
    updated_at: dt.datetime

    @strawberry.field
    async def comments(root: Any, info: Info, first: int | None = 50) -> Connection[Comment]:
        model = comments.Comment
        loader = _page_loader(info, model.change_request_id, model.id.desc(), first or 50)
        return Connection(nodes=await loader.load(root.id))


@strawberry.type
class Space:
    id: strawberry.ID
    title: str
    emoji: str
    created_at: dt.datetime
    updated_at: dt.datetime
    deleted_at: dt.datetime | None
    edit_mode: EditMode
    language: Language | None
    default_level: DefaultLevel | None
    merge_rules: JsonObject
    position: str

    @strawberry.field
    async def change_requests(
        root: Any, info: Info, first: int | None = 50
    ) -> Connection[ChangeRequest]:
        model = discussions.ChangeRequest
        loader = _page_loader(info, model.space_id, model.number.desc(), first or 50)
        return Connection(nodes=await loader.load(root.id))


@strawberry.type
class Organization:
    title: str

    @strawberry.field
    async def spaces(root: Any, info: Info, first: int | None = 50) -> Connection[Space]:
        model = spaces.Space
        loader = _page_loader(info, model.organization_id, model.id, first or 50)
        return Connection(nodes=await loader.load(root.id))


@strawberry.type
class Query:
    @strawberry.field
    async def space(
        self, info: Info, id: strawberry.ID, share_key: str | None = None
    ) -> Space | None:
        ctx, model = info.context, spaces.Space
        week_ago = dt.datetime.now(dt.UTC) - dt.timedelta(days=7)
        kept = or_(model.deleted_at.is_(None), model.deleted_at >= week_ago)
        statement = _visible(model, ctx.actor, bin=True).where(model.id == id, kept)
        found = (await ctx.session.execute(statement)).scalars().first()
        return cast(Space | None, found)

    @strawberry.field
    async def organization(self, info: Info, id: strawberry.ID) -> Organization | None:
        ctx, model = info.context, organizations.Organization
        statement = _visible(model, ctx.actor).where(model.id == id)
        found = (await ctx.session.execute(statement)).scalars().first()
        return cast(Organization | None, found)


# ------------------------------------------------------------------ the server


def build_schema() -> strawberry.Schema:
    """The schema with Strawberry's own caches."""
    scalars: dict[object, Any] = {
        dt.datetime: strawberry.scalar(name="DateTime", serialize=write_time, parse_value=str),
        JsonObject: strawberry.scalar(name="JSONObject", serialize=dict, parse_value=dict),
        Url: strawberry.scalar(name="URL", serialize=str, parse_value=str),
    }
    return strawberry.Schema(
        Query,
        extensions=[lambda: ParserCache(maxsize=1000), lambda: ValidationCache(maxsize=1000)],
        config=StrawberryConfig(scalar_map=scalars),
    )


async def _caller(session: Session, request: Request) -> Actor | None:
    """The person behind the token; None without a valid one."""
    token = request.headers.get("authorization", "").partition(" ")[2].strip()
    model = organizations.Token
    statement = select(
        model.id, model.user_id, model.scopes, model.expires_at, model.revoked_at
    ).where(model.digest == digest(token))
    found = (await session.execute(statement)).first()
    if found is None or found.revoked_at is not None:
        return None
    if found.expires_at is not None and found.expires_at <= dt.datetime.now(dt.UTC):
        return None
    return Actor(found.user_id) if {"read", "write"} & set(found.scopes) else None


def create_app() -> Starlette:
    """The server on the database that $DOCSTEAD_DATABASE_URL names."""
    database = Database(os.environ["DOCSTEAD_DATABASE_URL"], pool_size=POOL_SIZE)
    schema = build_schema()

    async def graphql(request: Request) -> Response:
        asked: dict[str, Any] = orjson.loads(await request.body())
        async with database.session() as session:
            actor = await _caller(session, request)
            if actor is None:
                return Response(status_code=401)
            result = await schema.execute(
                asked["query"], asked.get("variables"), context_value=Context(actor, session)
            )
        content: dict[str, Any] = {"data": result.data}
        if result.errors:
            content["errors"] = [error.formatted for error in result.errors]
        return Response(orjson.dumps(content), media_type="application/json")

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await database.close()

    return Starlette(routes=[Route("/graphql", graphql, methods=["POST"])], lifespan=lifespan)
