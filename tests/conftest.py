"""Fixtures: a migrated database of each kind, a small world of people, and both doors."""

import gc
import pickle
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, settings as hypothesis
from sqlalchemy import QueuePool, event, insert, select

from db.base import Base, utc_now
from db.enums import Role, TokenScope
from db.models.organizations import Member, Organization, User
from db.session import Database, Session
from db.site_enums import CustomHostnameStatus
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from resolvers.access.tokens import create_token
from resolvers.core import nesting
from resolvers.core.actors import OPERATOR, Actor
from resolvers.core.context import Context
from tests import factories
from tests.databases import PostgresTests, SqliteTests, migrate_in_thread
from tests.factories import TEST_SEALER
from tests.kinds import parametrize
from tests.postgres import TemporaryPostgres
from tests.slow import sort_and_mark

# While modules are imported nothing becomes garbage that is worth looking for.
gc.disable()
# How long an example takes says something about the machine, not about the code.
hypothesis.register_profile("docstead", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis.load_profile("docstead")
# The client of tests asks for it in each request, and Python looks for what is not there anew.
sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]
Stored = SqliteTests | PostgresTests


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    sort_and_mark(items)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    parametrize(metafunc)


def pytest_collection_finish() -> None:
    """What is imported by now stays, so the garbage collector need not walk over it each time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    gc.enable()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "docstead.sqlite3"
    migrate_in_thread(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[TemporaryPostgres]:
    with TemporaryPostgres() as server:
        yield server


@pytest.fixture(scope="session")
def postgres_url(postgres_server: TemporaryPostgres) -> str:
    url = postgres_server.create_database("docstead")
    migrate_in_thread(url)
    return url


@pytest.fixture(scope="session")
async def opened_databases() -> AsyncIterator[dict[str, Stored]]:
    """What `database` has opened, by kind; closed after the last test."""
    opened: dict[str, Stored] = {}
    yield opened
    for kind in opened.values():
        await kind.close()


@pytest.fixture
async def database(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    opened_databases: dict[str, Stored],
) -> AsyncIterator[Database]:
    """An empty migrated database; the test runs once on each kind."""
    kind = opened_databases.get(request.param)
    if kind is None:
        if request.param == "sqlite":
            template = request.getfixturevalue("sqlite_template")
            kind = SqliteTests(template, tmp_path_factory.mktemp("database"))
        else:
            kind = PostgresTests(request.getfixturevalue("postgres_url"))
        opened_databases[request.param] = kind
    await kind.begin()
    kind.database.follower = None
    yield kind.database
    await kind.end()
    await kind.check()


@pytest.fixture
def stored(database: Database, opened_databases: dict[str, Stored]) -> Stored:
    """What holds the test's database: it can be saved, and be again as it was."""
    return next(kind for kind in opened_databases.values() if kind.database is database)


# Members that nobody knows are refused by name.
STRICT = {"Prefer": "handling=strict"}


@dataclass
class Api:
    """Both doors of a server on the test's database, called as a person."""

    server: Server
    client: httpx2.AsyncClient
    tokens: dict[str, str] = field(default_factory=dict)
    # The application, where a test looks inside of it.
    app: Any = None

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
    settings = Settings(
        public_url="http://docs.test",
        data_dir=tmp_path / "data",
        # It gives back what it gets.
        translation_provider="command",
        translation_command="cat",
    )
    server = Server(settings, database)
    server.hostnames = NoDns()
    app = create_app(settings, server)
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as client:
        yield Api(server, client, app=app)
    await server.finish_background()


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


@dataclass(frozen=True)
class SavedWorld:
    """The rows of a world by model, and its objects (a `World`), pickled."""

    rows: dict[type[Base], list[dict[str, Any]]]
    objects: bytes

    async def write(self, session: Session) -> World:
        for model, rows in self.rows.items():
            await session.execute(insert(model.__table__), rows)  # type: ignore[arg-type]
        world: World = pickle.loads(self.objects)
        session.add_all(vars(world).values())
        return world


@pytest.fixture(scope="session")
def saved_worlds() -> dict[type[Stored], SavedWorld]:
    return {}


@pytest.fixture
async def world(
    session: Session, stored: Stored, saved_worlds: dict[type[Stored], SavedWorld]
) -> World:
    """A world with the same ids in all tests of a process; a write goes on."""
    saved = saved_worlds.get(type(stored))
    if saved is None:
        world = await make_world(session)
        rows = {
            model: [
                dict(row) for row in (await session.execute(select(model.__table__))).mappings()
            ]
            for model in (Organization, User, Member)
        }
        saved_worlds[type(stored)] = SavedWorld(rows, pickle.dumps(world))
        return world
    world = await saved.write(session)
    await session.commit()
    await session.begin_write()
    return world


async def make_world(session: Session) -> World:
    """The rows of a world, committed; a write goes on."""
    organization, elsewhere = Organization(title="Acme"), Organization(title="Elsewhere")
    roles = {
        "admin": Role.ADMIN,
        "creator": Role.CREATE,
        "reviewer": Role.REVIEW,
        "editor": Role.EDIT,
        "commenter": Role.COMMENT,
        "reader": Role.READ,
        "guest": None,
    }
    people = {name: factories.new_user(name.capitalize()) for name in roles}
    outsider = factories.new_user("Outsider")
    # Nearly every test has a world: two flushes take a fraction of one for each row.
    session.add_all([organization, elsewhere, *people.values(), outsider])
    await session.flush()
    for name, user in people.items():
        member = Member(organization_id=organization.id, user_id=user.id, role=roles[name])
        session.add(member)
    session.add(Member(organization_id=elsewhere.id, user_id=outsider.id, role=Role.ADMIN))
    await session.commit()
    await session.begin_write()
    return World(organization, **people, outsider=outsider)


@dataclass(frozen=True)
class Sown:
    """A world with content of every kind (`tests.seeds.Seed`); no session has its rows."""

    world: World
    seed: Any


@pytest.fixture(scope="session")
def sown_before() -> dict[type[Stored], tuple[Any, bytes]]:
    """What each kind of database was filled with, and the objects for it."""
    return {}


@pytest.fixture
async def sown(
    database: Database, stored: Stored, sown_before: dict[type[Stored], tuple[Any, bytes]]
) -> Sown:
    """A database that is filled already; a test names this fixture before `session`.

    It is made once in a test process and then copied. Its ids are the same
    each time, and what a process remembers by them is remembered from one test to the next.
    """
    # The seeds are made of what is in this module.
    from tests.seeds import sow

    pool = database.engine.pool
    assert isinstance(pool, QueuePool)
    assert pool.checkedout() == 0, "the fixture `sown` comes before `session`"
    if type(stored) in sown_before:
        saved, objects = sown_before[type(stored)]
        await stored.fill(saved)  # type: ignore[arg-type]
    else:
        async with database.session() as opened:
            await opened.begin_write()
            world = await make_world(opened)
            made = Sown(world, await sow(opened, world))
            opened.expunge_all()
        objects = pickle.dumps(made)
        sown_before[type(stored)] = await stored.save_for_others(), objects
    copied: Sown = pickle.loads(objects)
    return copied


def context(session: Session, person: User | None = None) -> Context:
    """A context to call operations as functions; the operator's when nobody is given."""
    if person is None:
        return Context(OPERATOR, session, secrets=TEST_SEALER)
    return Context(Actor(person.id, frozenset(TokenScope)), session, secrets=TEST_SEALER)


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
def fixed_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Addresses that are signed until an hour ends are the same in all answers of a test."""
    moment = utc_now()
    monkeypatch.setattr(Context, "now", lambda _: moment)


@pytest.fixture
def queries(database: Database) -> Iterator[Queries]:
    """`with queries(3): ...` asserts the exact number of statements."""
    counted = Queries()

    def before(conn: Any, cursor: Any, statement: str, *rest: Any) -> None:
        if not statement.startswith(("BEGIN", "PRAGMA")):
            counted.statements.append(statement)

    engine = database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", before)
    also = database.watch

    def watch(statement: str) -> None:
        counted.statements.append(statement)
        if also is not None:
            also(statement)

    # Readers have connections of their own.
    database.watch = watch
    yield counted
    database.watch = also
    event.remove(engine, "before_cursor_execute", before)
