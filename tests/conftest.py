"""Fixtures: a migrated database of each kind, a small world of people, and both doors."""

# ruff: noqa: E402
import gc

# While modules are imported nothing becomes garbage that is worth looking for.
gc.disable()

import pickle
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import pytest
from graphql import GraphQLSchema
from hypothesis import HealthCheck, settings as hypothesis
from hypothesis.internal.conjecture import providers
from sqlalchemy import QueuePool, event, insert, select
from xdist.scheduler import LoadFileScheduling

from content.merkle import write
from db.base import Base, utc_now
from db.enums import Role, TokenScope
from db.models.organizations import Member, Organization, User
from db.session import Database, Session
from db.site_enums import CustomHostnameStatus
from docstead import asgi
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from resolvers.access.tokens import create_token
from resolvers.core import nesting
from resolvers.core.actors import OPERATOR, Actor
from resolvers.core.context import Context
from schema.documents import Documents, DocumentSettings
from tests import factories
from tests.databases import PostgresTests, SqliteTests, migrate_in_thread
from tests.docstead.demo_data import share_demo
from tests.factories import TEST_SEALER
from tests.kinds import parametrize
from tests.late_guard import late_ones_are_ready  # noqa: F401 (a fixture)
from tests.postgres import TemporaryPostgres
from tests.scheduling import WaitingBesideComputing
from tests.slow import sort_and_mark

# How long an example takes says something about the machine, not about the code.
hypothesis.register_profile("random", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same examples in each run: what chance finds must not refuse the change of somebody else.
# `--hypothesis-profile=random` looks for others.
hypothesis.register_profile("docstead", hypothesis.get_profile("random"), derandomize=True)
hypothesis.load_profile("docstead")
# Hypothesis would try the literals of all modules of ours that are loaded by then, so that a change
# anywhere, and each test that ran before, gave all properties other examples.
providers._get_local_constants = lambda: providers._local_constants
# The client of tests asks for it in each request, and Python looks for what is not there anew.
sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]
Stored = SqliteTests | PostgresTests
T = TypeVar("T")
# Fixtures that fill a database by `fill_once`.
FILLED = frozenset({"sown", "large_space", "large_git_space"})


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    # Test processes have it from the one that starts them.
    if not hasattr(config, "workerinput"):
        config.add_cleanup(share_demo().cleanup)
    else:
        # Each test tells the process with the count of reruns two things: the second would wait
        # 40 ms until the first is acknowledged.
        config.failures_db.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # type: ignore[attr-defined]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    by_file = config.getoption("dist") == "loadfile"
    return WaitingBesideComputing(config, log) if by_file else None


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
def postgres_template(postgres_server: TemporaryPostgres) -> str:
    """The name of a migrated database that nobody is connected to, to be copied."""
    name = "template_docstead"
    migrate_in_thread(postgres_server.create_database(name))
    return name


@pytest.fixture(scope="session")
def postgres_url(postgres_server: TemporaryPostgres, postgres_template: str) -> str:
    return postgres_server.create_database("docstead", template=postgres_template)


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
    # The first test with content that is copied fills an empty one.
    filled = FILLED.intersection(request.fixturenames)
    fillings = request.getfixturevalue("fillings")
    await kind.begin(filled=any((type(kind), name) in fillings for name in filled))
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


# Documents with the settings that a server asks for them with.
Shared = list[tuple[DocumentSettings, Documents]]
SHARED_BYTES = 2_000_000


@pytest.fixture(scope="module")
def documents_of_module() -> Shared:
    return []


@pytest.fixture
def shared_documents(monkeypatch: pytest.MonkeyPatch, documents_of_module: Shared) -> None:
    """Servers of a module's tests have their documents in common; named before `api`.

    A walk over the schema asks the same of each kind of database, and half of its time is to
    prepare what no kind has a part in.
    """

    def shared(schema: GraphQLSchema, settings: DocumentSettings) -> Documents:
        for own, documents in documents_of_module:
            if documents.schema is schema and own == settings:
                return documents
        roomy = replace(settings, cached_documents=2_000, cached_bytes=SHARED_BYTES)
        documents_of_module.append((settings, Documents(schema, roomy)))
        return documents_of_module[-1][1]

    monkeypatch.setattr(asgi, "Documents", shared)


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
        ids = [row.id for row in vars(world).values()]
        mine = Member.user_id.in_(ids)
        rows = {}
        for model, chosen in (
            (Organization, Organization.id.in_(select(Member.organization_id).where(mine))),
            (User, User.id.in_(ids)),
            (Member, mine),
        ):
            found = await session.execute(select(model.__table__).where(chosen))
            rows[model] = [dict(row) for row in found.mappings()]
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


# By kind of database and by name: what it was filled with, and the objects for it.
Fillings = dict[tuple[type[Stored], str], tuple[Any, bytes]]


@pytest.fixture(scope="session")
def fillings() -> Fillings:
    """What databases were filled with by `fill_once`."""
    return {}


async def fill_once(
    stored: Stored, fillings: Fillings, name: str, fill: Callable[[Session], Awaitable[T]]
) -> T:
    """Content that is written once in a test process and then copied, and its objects.

    `name` is that of the fixture (`FILLED`), which a test names before `session`. Its ids are the
    same each time, and what a process remembers by them is remembered from one test to the next.
    """
    database, key = stored.database, (type(stored), name)
    pool = database.engine.pool
    assert isinstance(pool, QueuePool)
    assert pool.checkedout() == 0, f"the fixture `{name}` comes before `session`"
    if key in fillings:
        saved, objects = fillings[key]
        await stored.fill(saved)
    else:
        async with database.session() as opened:
            await opened.begin_write()
            filled = await fill(opened)
            await opened.commit()
            opened.expunge_all()
        objects = pickle.dumps(filled)
        fillings[key] = await stored.save_for_others(), objects
    copied: T = pickle.loads(objects)
    return copied


@pytest.fixture
async def sown(stored: Stored, fillings: Fillings) -> Sown:
    """A database that is filled already."""
    # The seeds are made of what is in this module.
    from tests.seeds import sow

    async def fill(session: Session) -> Sown:
        world = await make_world(session)
        return Sown(world, await sow(session, world))

    return await fill_once(stored, fillings, "sown", fill)


@pytest.fixture
async def large_space(stored: Stored, fillings: Fillings) -> Any:
    """A `LargeSpace`."""
    from tests.large_spaces import write_large_space

    fill = partial(write_large_space, in_git=False)
    return await fill_once(stored, fillings, "large_space", fill)


@pytest.fixture
async def large_git_space(stored: Stored, fillings: Fillings) -> Any:
    """A `LargeSpace` whose pages are those of files in Git."""
    from tests.large_spaces import write_large_space

    fill = partial(write_large_space, in_git=True)
    return await fill_once(stored, fillings, "large_git_space", fill)


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
def flat_maps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Maps of revisions have one level: how many they have else, ids decide, which chance made.

    They are read level by level, so the number of statements would be another in some runs.
    """
    monkeypatch.setattr(write, "height", lambda key: 0)


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
