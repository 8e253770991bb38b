"""What every operation gets: who asks, the reader, the session, the loaders, and the runners.

`read` runs a query and `run` a write. Both verify that the operation asked the policy, so that a
forgotten check fails closed (docs/decisions/0003-policy-as-sql.md). `run` owns the transaction:
it commits before the answer is made, and repeats the operation when the database asked for it.
"""

import contextvars
import datetime as dt
from collections.abc import Awaitable, Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Concatenate, ParamSpec, TypeVar

from aiodataloader import DataLoader

from db.base import utc_now
from db.blobs import BlobStore
from db.enums import TokenScope
from db.metering import MeteredReader, Spent, meter_connection
from db.reading import Reader, SessionReader
from db.session import Session
from db.sharing import PointReads
from resolvers.core.database_errors import expected, is_locked, worth_repeating
from resolvers.core.errors import Conflict, Forbidden, Unauthenticated
from resolvers.core.hostname_checks import HostnameProvider
from resolvers.core.installation import FileAccess, ImportAccess, Settings
from resolvers.core.rate_limits import RateLimits
from resolvers.core.transactions import OWN, HeldTransaction, Transaction, transaction_of

P = ParamSpec("P")
T = TypeVar("T")
Operation = TypeVar("Operation", bound=Callable[..., Awaitable[Any]])

# A batch function: all parents of a level in, one value for each out, in order. Every relation and
# computed field is one; the engine calls it, and so do the loaders of ordinary resolvers.
Batch = Callable[["Context", Sequence[Any], Any], Awaitable[Sequence[Any]]]

ATTEMPTS = 4
# SQLite waits five seconds for another writer; twice that is what edits of content wait.
TURN_ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class Visitor:
    """A reader of one published site: what its content token lets it see, as things are now.

    The sets hold what the site's conditions leave for the visitor's `claims`
    (resolvers/published/visitors.py); they are worked out for each request, so that a change of the
    site takes effect at once.
    """

    site_id: str
    organization_id: str
    section_ids: frozenset[str] = frozenset()
    site_space_ids: frozenset[str] = frozenset()
    space_ids: frozenset[str] = frozenset()
    # The draft that the token was made for, beside the primary content.
    change_request_id: str | None = None
    revision_id: str | None = None
    # The spaces whose change requests and revisions anybody may preview, by their ids.
    preview_space_ids: frozenset[str] = frozenset()
    share_key: str | None = None
    # What conditions and expressions read as `visitor.claims`.
    claims: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Actor:
    """The caller: a person with a token, a visitor of a published site, the operator of the server
    (command line), or nobody.
    """

    user_id: str | None = None
    scopes: frozenset[TokenScope] = frozenset()
    operator: bool = False
    visitor: Visitor | None = None

    @property
    def nobody(self) -> bool:
        """Whether the caller is nobody: every rule gives rank 0."""
        return self.user_id is None and not self.operator and self.visitor is None


NOBODY = Actor()
OPERATOR = Actor(scopes=frozenset(TokenScope), operator=True)


class _Asked:
    """Set once the policy was asked; shared by all tasks that an operation starts."""

    def __init__(self) -> None:
        self.value = False


_asked: contextvars.ContextVar[_Asked | None] = contextvars.ContextVar("asked", default=None)


def policy_was_asked() -> None:
    """Called by the policy: the running operation has checked what the actor may see or do."""
    mark = _asked.get()
    if mark is not None:
        mark.value = True


@contextmanager
def asking_policy() -> Iterator[_Asked]:
    """Observe a block: `value` of the mark is then whether the policy was asked in it."""
    mark = _Asked()
    token = _asked.set(mark)
    try:
        yield mark
    finally:
        _asked.reset(token)
        outer = _asked.get()
        if mark.value and outer is not None:
            outer.value = True


ONE_STATEMENT = "one_statement"


def one_statement(operation: Operation) -> Operation:
    """Say that a query runs exactly one statement, so that alone it needs no snapshot.

    It is noted with the model of the row that the query finds.
    """
    setattr(operation, ONE_STATEMENT, operation.__annotations__["return"])
    return operation


LOOKS_FIRST = "looks_first"
TAKES_TURNS = "takes_turns"


def looks_first(look: Callable[..., Awaitable[Any]]) -> Callable[[Operation], Operation]:
    """Say what a write reads before it waits for its turn; the result is `ctx.seen`.

    It tells a state that was there before from one that somebody made while the write waited.
    """

    def mark(operation: Operation) -> Operation:
        setattr(operation, LOOKS_FIRST, look)
        return operation

    return mark


def takes_turns(operation: Operation) -> Operation:
    """Say that a write of content waits ten seconds for the one before it, then is a Conflict."""
    setattr(operation, TAKES_TURNS, True)
    return operation


OPEN_TO_VISITORS = "open_to_visitors"


def open_to_visitors(operation: Operation) -> Operation:
    """Say that visitors of published sites may call a write; every other write refuses them."""
    setattr(operation, OPEN_TO_VISITORS, True)
    return operation


OPEN_TO_ALL = "open_to_all"


def open_to_all(operation: Operation) -> Operation:
    """Say that calls without a token are let through to the policy; all others refuse them."""
    setattr(operation, OPEN_TO_ALL, True)
    return operation


def is_open_to_all(operation: Any) -> bool:
    """Whether an operation may be called without a token."""
    return getattr(operation, OPEN_TO_ALL, False) is True


IN_STEPS = "in_steps"


def in_steps(operation: Operation) -> Operation:
    """Say that a write does slow work before its transaction, and so opens it itself.

    Each step that reads or writes goes through `run`, which asks for the write scope and verifies
    that the policy was asked; nothing is locked between two of them. All but the last are marked
    `before_slow_work` (resolvers/core/transactions.py).
    """
    setattr(operation, IN_STEPS, True)
    return operation


class PolicyNotAskedError(RuntimeError):
    """An operation answered without asking the policy: a fault of ours, never the caller's."""


@dataclass(slots=True)
class Context:
    """One request: its actor, what it reads and writes with, its loaders.

    Reads go through `reader`, writes through `session`. Without a reader of its own, a context
    reads through its session; a write does that in any case, to see what it has written.
    """

    actor: Actor
    _session: Session | None = None
    settings: Settings = field(default_factory=Settings)
    # Bytes of files, and the key that signs their addresses; the server provides both.
    files: FileAccess | None = None
    # What imports fetch with; the server provides it.
    imports: ImportAccess | None = None
    # Signs content tokens; the server provides it.
    token_key: bytes | None = None
    # Checks where custom host names lead; the server provides it.
    hostnames: HostnameProvider | None = None
    # How often callers may do what costs the server, counted for the whole process.
    limits: RateLimits = field(default_factory=RateLimits)
    # The address of a caller without a token, to count what it does; it is never stored.
    address: str = ""
    clock: Callable[[], dt.datetime] = utc_now
    _reader: Reader | None = None
    # Makes the session when it is needed.
    open_session: Callable[[], Session] | None = None
    # Whether a write is running: it gets rows of the session, which it can change.
    writing: bool = False
    # The one transaction of all writes, where it stays open behind them.
    held: HeldTransaction | None = None
    # What a write has read before it waited for its turn (`looks_first`).
    seen: Any = None
    # Whether one statement is all that this context will read: it needs no snapshot, and may
    # share the statement by `points`.
    alone: bool = False
    points: PointReads | None = None
    # Counts statements, where they are metered.
    spent: Spent | None = None
    # Whether relations may be prefetched with their rows (resolvers/core/nesting.py), and the
    # values that were: by call of a batch function, and by key of a parent.
    nesting: bool = False
    prefetched: dict[Hashable, dict[str, Any]] = field(default_factory=dict)
    # Results that batch functions share within the request (`Statement.once`).
    cache: dict[Hashable, Any] = field(default_factory=dict)
    # Keys of share links that the request gave; they stand in the addresses of their sites
    # (resolvers/access/share_keys.py).
    share_keys: set[str] = field(default_factory=set)
    # What a write of content computed before it took its lock
    # (resolvers/revisions/bodies_work.py).
    worked_out: Mapping[Hashable, Any] = field(default_factory=dict)
    _loaders: dict[Hashable, DataLoader[Any, Any]] = field(default_factory=dict)

    @property
    def session(self) -> Session:
        """The session for writes."""
        if self._session is None:
            if self.open_session is None:
                raise RuntimeError("this context was opened for reads only")
            self._session = self.open_session()
        return self._session

    @property
    def reader(self) -> Reader:
        """What statements are read with."""
        if self._reader is None:
            self._reader = SessionReader(self.session)
        if self.spent is not None and not self.writing:
            return MeteredReader(self._reader, self.spent)
        return self._reader

    async def begin_write(self, transaction: Transaction = OWN) -> None:
        """Begin a write in a transaction; later reads are part of it."""
        # The write may change what was read.
        self.prefetched.clear()
        self.cache.clear()
        reader, self._reader = self._reader, SessionReader(self.session)
        if reader is not None:
            await reader.close()
        if await transaction.begin(self.session) and self.spent is not None:
            meter_connection(await self.session.connection(), self.spent)

    async def close(self) -> None:
        """Give back the connections that the context has opened."""
        try:
            if self._reader is not None:
                await self._reader.close()
        finally:
            if self._session is not None and self.open_session is not None:
                await self._session.close()

    def now(self) -> dt.datetime:
        """The current time; tests fix it."""
        return self.clock()

    @property
    def user_id(self) -> str:
        """The id of the calling person; Unauthenticated when it is nobody."""
        if self.actor.user_id is None:
            raise Unauthenticated("this operation needs the token of a person")
        return self.actor.user_id

    async def load(self, batch: Batch, row: Any, arguments: Hashable = None) -> Any:
        """`batch` for one row; calls in the same turn of the event loop are gathered into one."""
        key = (batch, arguments)
        loader = self._loaders.get(key)
        if loader is None:

            async def load_many(rows: list[Any]) -> list[Any]:
                return list(await batch(self, rows, arguments))

            # Loaders gather and do not cache: a value cached by the identity of a row could be
            # returned for another row at the same place in memory, or outlive a write.
            loader = DataLoader(load_many, cache=False, get_cache_key=id)
            self._loaders[key] = loader
        return await loader.load(row)

    @property
    def blobs(self) -> BlobStore:
        """The bytes of files."""
        return self.file_access.blobs

    @property
    def file_access(self) -> FileAccess:
        if self.files is None:
            raise RuntimeError("this context was opened without files")
        return self.files

    @property
    def import_access(self) -> ImportAccess:
        """What imports fetch with."""
        if self.imports is None:
            raise RuntimeError("this context was opened without imports")
        return self.imports


async def read(
    ctx: Context,
    operation: Callable[Concatenate[Context, P], Awaitable[T]],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Run a query; PolicyNotAskedError if it answered without asking the policy."""
    if ctx.actor.user_id is not None and TokenScope.READ not in ctx.actor.scopes:
        raise Forbidden("the token has no read scope")
    with asking_policy() as mark:
        result = await operation(ctx, *args, **kwargs)
    if not mark.value:
        raise PolicyNotAskedError(operation.__name__)
    return result


async def run(
    ctx: Context,
    operation: Callable[Concatenate[Context, P], Awaitable[T]],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Run a write in one transaction and commit it; on any error nothing of it remains.

    A write `in_steps` opens its transactions itself; where one is held, it is committed later.
    Conflict when a constraint refused it; Unavailable when the database stayed locked.
    """

    _check_may_write(ctx.actor, operation)
    if getattr(operation, IN_STEPS, False):
        return await read(ctx, operation, *args, **kwargs)
    look = getattr(operation, LOOKS_FIRST, None)
    if look is not None:
        ctx.seen = await look(ctx, *args, **kwargs)
    transaction = transaction_of(operation, ctx.held)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            await ctx.begin_write(transaction)
            ctx.writing = True
            try:
                result = await read(ctx, operation, *args, **kwargs)
            finally:
                ctx.writing = False
            await ctx.session.flush()
            await transaction.end(ctx.session)
        except BaseException as error:
            ctx.session.expunge_all()
            await transaction.undo(ctx.session)
            waited = getattr(operation, TAKES_TURNS, False) and is_locked(error)
            if attempt < (TURN_ATTEMPTS if waited else ATTEMPTS) and worth_repeating(error):
                continue
            if waited:
                raise Conflict("somebody else is changing content; try again") from error
            if (refusal := expected(error)) is not None and refusal is not error:
                raise refusal from error
            raise
        return result
    raise AssertionError("unreachable: the last attempt returns or raises")


def _check_may_write(actor: Actor, operation: Callable[..., Any]) -> None:
    if actor.visitor is not None:
        if not getattr(operation, OPEN_TO_VISITORS, False):
            raise Forbidden("a content token only reads")
    elif actor.nobody and is_open_to_all(operation):
        return
    elif not actor.operator and TokenScope.WRITE not in actor.scopes:
        if actor.user_id is None:
            raise Unauthenticated("a token is required")
        raise Forbidden("the token has no write scope")
