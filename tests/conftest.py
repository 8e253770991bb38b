"""Fixtures: a migrated database of each kind, a small world of people, and both doors."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import event, text

from db.enums import Role, TokenScope
from db.migrate import migrate
from db.models.all import metadata
from db.models.people import Organization, User
from db.session import Database, Session
from db.site_enums import CustomHostnameStatus
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from resolvers import nesting
from resolvers.context import OPERATOR, Actor, Context
from resolvers.tokens import create_token
from tests import factories
from tests.postgres import TemporaryPostgres

KINDS = os.environ.get("DOCSTEAD_TEST_DATABASES", "sqlite,postgresql").split(",")


def _migrate_in_thread(url: str) -> None:
    """Migrate a database from a synchronous fixture, while the tests' event loop stands still."""

    async def go() -> None:
        database = Database(url, durable=False)
        await migrate(database)
        await database.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, go()).result()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "docstead.sqlite3"
    _migrate_in_thread(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[TemporaryPostgres]:
    with TemporaryPostgres() as server:
        yield server


@pytest.fixture(scope="session")
def postgres_url(postgres_server: TemporaryPostgres) -> str:
    url = postgres_server.create_database("docstead")
    _migrate_in_thread(url)
    return url


@pytest.fixture(params=KINDS)
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    """An empty migrated database; the test runs once on each kind."""
    if request.param == "sqlite":
        path = tmp_path / "docstead.sqlite3"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        opened = Database(f"sqlite:///{path}", durable=False)
        yield opened
        await opened.close()
        return
    opened = Database(request.getfixturevalue("postgres_url"))
    yield opened
    # What the migration wrote stays, what tests wrote goes.
    names = [name for name in metadata.tables if name != "instance_secret"]
    async with opened.engine.begin() as connection:
        listed = ", ".join(f'"{name}"' for name in names)
        # The words of pages are in no model; they go with the pages.
        await connection.execute(text(f"TRUNCATE {listed} CASCADE"))
    await opened.close()


# Members that nobody knows are refused by name.
STRICT = {"Prefer": "handling=strict"}


@dataclass
class Api:
    """Both doors of a server on the test's database, called as a person."""

    server: Server
    client: httpx2.AsyncClient
    tokens: dict[str, str] = field(default_factory=dict)

    async def token_of(self, person: User) -> str:
        if person.id not in self.tokens:
            async with self.server.database.session() as session:
                await session.begin_write()
                _, self.tokens[person.id] = await create_token(session, person.id, "test")
                await session.commit()
        return self.tokens[person.id]

    async def rest(
        self, method: str, path: str, person: User | None, json: Any = None, **options: Any
    ) -> httpx2.Response:
        """One request to /v1; `json` is sent as the body unless it is None."""
        headers = dict(options.pop("headers", {}))
        if person is not None:
            headers["Authorization"] = f"Bearer {await self.token_of(person)}"
        if json is not None:
            options["json"] = json
        return await self.client.request(method, f"/v1{path}", headers=headers, **options)

    async def graphql(self, query: str, person: User | None, **variables: Any) -> dict[str, Any]:
        """The whole answer of one GraphQL request."""
        headers = {}
        if person is not None:
            headers["Authorization"] = f"Bearer {await self.token_of(person)}"
        response = await self.client.post(
            "/graphql", json={"query": query, "variables": variables}, headers=headers
        )
        answer: dict[str, Any] = response.json()
        return answer

    async def data(self, query: str, person: User, **variables: Any) -> Any:
        """The data of a GraphQL request that must succeed."""
        answer = await self.graphql(query, person, **variables)
        assert "errors" not in answer, answer["errors"]
        return answer["data"]


class NoDns:
    """A provider of host names for tests, which ask no resolver: every name leads nowhere."""

    async def status(self, hostname: str) -> CustomHostnameStatus:
        return CustomHostnameStatus.DNS_NO_CNAME


@pytest.fixture
async def api(database: Database, tmp_path: Path) -> AsyncIterator[Api]:
    settings = Settings(public_url="http://docs.test", data_dir=tmp_path / "data")
    server = Server(settings, database)
    server.hostnames = NoDns()
    transport = httpx2.ASGITransport(app=create_app(settings, server))
    async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as client:
        yield Api(server, client)


@pytest.fixture
async def session(database: Database) -> AsyncIterator[Session]:
    """A session to prepare rows with; commit before asking a door."""
    async with database.session() as opened:
        await opened.begin_write()
        yield opened


async def settle(session: Session) -> None:
    """Commit what was prepared and let go of it: the rows stay readable after a rollback."""
    await session.commit()
    session.expunge_all()


@dataclass
class World:
    """One organization with a person for each role, a guest, and somebody from elsewhere."""

    organization: Organization
    admin: User
    creator: User
    reviewer: User
    editor: User
    commenter: User
    reader: User
    guest: User
    outsider: User

    def people(self) -> dict[str, User]:
        return {name: value for name, value in vars(self).items() if isinstance(value, User)}


@pytest.fixture
async def world(session: Session) -> World:
    organization = await factories.make_organization(session, title="Acme")
    elsewhere = await factories.make_organization(session, title="Elsewhere")
    roles = {
        "admin": Role.ADMIN,
        "creator": Role.CREATE,
        "reviewer": Role.REVIEW,
        "editor": Role.EDIT,
        "commenter": Role.COMMENT,
        "reader": Role.READ,
        "guest": None,
    }
    people = {}
    for name, role in roles.items():
        user = await factories.make_user(session, name.capitalize())
        people[name] = await factories.make_member(session, organization, role, user)
    outsider = await factories.make_user(session, "Outsider")
    await factories.make_member(session, elsewhere, Role.ADMIN, outsider)
    await session.commit()
    await session.begin_write()
    return World(organization, **people, outsider=outsider)


def context(session: Session, person: User | None = None) -> Context:
    """A context to call operations as functions; the operator's when nobody is given."""
    if person is None:
        return Context(OPERATOR, session)
    return Context(Actor(person.id, frozenset(TokenScope)), session)


@dataclass
class Queries:
    """Counts SQL statements; prints them when the number is not the expected one."""

    statements: list[str] = field(default_factory=list)

    @contextmanager
    def __call__(self, expected: int) -> Iterator[None]:
        self.statements.clear()
        yield
        shown = "\n\n".join(self.statements)
        assert len(self.statements) == expected, (
            f"{len(self.statements)} statements instead of {expected}:\n{shown}"
        )

    @contextmanager
    def at_most(self, limit: int) -> Iterator[None]:
        """For what depends on the shape of maps; prints the statements beyond the limit."""
        self.statements.clear()
        yield
        shown = "\n\n".join(self.statements)
        assert len(self.statements) <= limit, (
            f"{len(self.statements)} statements, more than {limit}:\n{shown}"
        )


@pytest.fixture(autouse=True)
def _nothing_is_nested_yet() -> None:
    """How many statements a first request runs does not depend on the tests before."""
    nesting.SHAPES.clear()


@pytest.fixture
def queries(database: Database) -> Iterator[Queries]:
    """`with queries(3): ...` asserts the exact number of statements."""
    counted = Queries()

    def before(conn: Any, cursor: Any, statement: str, *rest: Any) -> None:
        if not statement.startswith(("BEGIN", "PRAGMA")):
            counted.statements.append(statement)

    engine = database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", before)
    # Readers have connections of their own.
    database.watch = counted.statements.append
    yield counted
    database.watch = None
    event.remove(engine, "before_cursor_execute", before)
