"""What every operation gets: who asks, the reader, the session, the loaders."""

import datetime as dt
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aiodataloader import DataLoader

from db.base import utc_now
from db.blobs import BlobStore
from db.metering import MeteredReader, Spent, meter_connection
from db.reading import Reader, SessionReader
from db.session import Session
from db.sharing import PointReads
from resolvers.core.actors import OF_THE_SERVER, Actor, Origin
from resolvers.core.batch_functions import BatchCall
from resolvers.core.dependencies import Dependencies
from resolvers.core.errors import Unauthenticated, Unavailable
from resolvers.core.event_drafts import PendingEvents
from resolvers.core.hostname_checks import HostnameProvider
from resolvers.core.installation import (
    AskIntegration,
    Concerns,
    FileAccess,
    GitAccess,
    ImportAccess,
    Settings,
)
from resolvers.core.leases import Lease
from resolvers.core.rate_limits import Quota, RateLimits
from resolvers.core.sealing import Sealer
from resolvers.core.transactions import OWN, HeldTransaction, Transaction
from runtime.calls import Answer

# A batch function: all parents of a level in, one value for each out, in order. Every relation and
# computed field is one; the engine calls it, and so do the loaders of ordinary resolvers.
Batch = Callable[["Context", Sequence[Any], Any], Awaitable[Sequence[Any]]]


def _of_the_server() -> Origin:
    return OF_THE_SERVER


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
    # How repositories are reached; the server provides it.
    git: GitAccess | None = None
    # Signs content tokens; the server provides it.
    token_key: bytes | None = None
    # Checks where custom host names lead; the server provides it.
    hostnames: HostnameProvider | None = None
    # How often callers may do what costs the server, counted for the whole process.
    limits: RateLimits = field(default_factory=RateLimits)
    # The address of a caller without a token, to count what it does; it is never stored.
    address: str = ""
    # How often the caller may search and write; None: as often as they like.
    quota: Quota | None = None
    clock: Callable[[], dt.datetime] = utc_now
    # Asked for by writes only, for the audit log.
    origin: Callable[[], Origin] = _of_the_server
    # Seals secrets of others; the server provides it.
    secrets: Sealer | None = None
    # Runs events of integrations; the server provides it.
    ask_integration: AskIntegration | None = None
    # The write in steps that is running, by the name of its operation.
    action: str | None = None
    _reader: Reader | None = None
    # Makes the session when it is needed.
    open_session: Callable[[], Session] | None = None
    # Whether a write is running: it gets rows of the session, which it can change.
    writing: bool = False
    # Whether something of this context is committed: what fails from then on is an answer only.
    written: bool = False
    # The job that this is the work of, which each of its writes confirms.
    lease: Lease | None = None
    # The one transaction of all writes, where it stays open behind them.
    held: HeldTransaction | None = None
    # Hears of the streams that have new events, once these are committed.
    on_events: Callable[[Collection[str]], None] | None = None
    # Hears of jobs that have changed, once that is committed: their organization and their id.
    on_job: Callable[[str, str], None] | None = None
    # Counts a view of a page of a site.
    on_view: Callable[[str, str | None], None] | None = None
    events: PendingEvents = field(default_factory=PendingEvents)
    # Whether the next statement is, but for exceptions, all that this context will read: it needs
    # no snapshot, and may be shared by `points`.
    alone: bool = False
    # Whether statements share a snapshot. Without it each is a read of its own, which holds nothing
    # of the database when it ends: for what goes on with slow work.
    snapshot: bool = True
    points: PointReads | None = None
    # Counts statements, where they are metered.
    spent: Spent | None = None
    # Values that were read with the rows of an earlier level (resolvers/core/nesting.py), for the
    # batch functions, which get no more than rows and the context: by call and key of a parent.
    prefetched: dict[BatchCall, dict[str, Any]] = field(default_factory=dict)
    # Results that batch functions share within the request (`Statement.once`).
    cache: dict[Hashable, Any] = field(default_factory=dict)
    # Notes what is read, where the answer may be kept (resolvers/access/kept_answers.py).
    dependencies: Dependencies | None = None
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
        self.depend_on_more()
        if self._session is None:
            if self.open_session is None:
                raise RuntimeError("this context was opened for reads only")
            self._session = self.open_session()
        return self._session

    @property
    def withholds(self) -> bool:
        """Whether attributes about members are withheld: from visitors of sites."""
        return self.actor.visitor is not None

    @property
    def reader(self) -> Reader:
        """What statements are read with."""
        self.depend_on_more()
        return self.lasting_reader

    @property
    def lasting_reader(self) -> Reader:
        """What lasting statements are read with: nothing has to be noted of them."""
        if self._reader is None:
            self._reader = SessionReader(self.session)
        if self.spent is not None and not self.writing:
            return MeteredReader(self._reader, self.spent)
        return self._reader

    @property
    def dialect(self) -> str:
        """The database that statements are read from: `sqlite` or `postgresql`."""
        return self.lasting_reader.dialect

    def depend_on_more(self) -> None:
        """Note that the answer follows from what nobody could ask for again."""
        if self.dependencies is not None:
            self.dependencies.more = True

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

    async def ask(
        self, integration_id: str, event: Mapping[str, Any], concerns: Concerns
    ) -> Answer:
        """What came of an event of an integration; Unavailable where none can be asked now.

        Scripts are slow and connections of the database few: nothing that was read is held
        meanwhile, and what is read later is of a later time.
        """
        if self.ask_integration is None:
            raise Unavailable("this server runs no integrations")
        if self._reader is not None:
            await self._reader.release()
        return await self.ask_integration(integration_id, event, concerns)

    def take_alone(self) -> bool:
        """Whether a statement that is about to run is the only one, or one without a snapshot.

        What is read after the only one all the same shares a snapshot.
        """
        alone, self.alone = self.alone, False
        return alone or not self.snapshot

    def report(self, stage: str, done: int = 0, total: int | None = None) -> None:
        """Say how far the work is; where it is no job, nobody asks."""
        if self.lease is not None:
            self.lease.report(stage, done, total)

    def count_searches(self, number: int) -> None:
        """Count searches of the caller; RateLimited when there were too many."""
        if self.quota is not None:
            self.quota.search(number)

    def announce_events(self) -> None:
        """Say which streams have new events, unless these wait for a held transaction."""
        if self.held is None and self.events.streams:
            streams, self.events.streams = self.events.streams, set()
            if self.on_events is not None:
                self.on_events(streams)

    def announce_job(self, organization_id: str | None, job_id: str) -> None:
        """Say that a job of an organization has changed; that must be committed."""
        if organization_id is not None and self.on_job is not None:
            self.on_job(organization_id, job_id)

    def count_views(self, site_id: str, page_ids: Iterable[str | None]) -> None:
        """Count views of pages of a site, each of the page with an id or of none that is known."""
        if self.on_view is not None:
            for page_id in page_ids:
                self.on_view(site_id, page_id)

    def now(self) -> dt.datetime:
        """The current time; tests fix it."""
        self.depend_on_more()
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

    @property
    def sealer(self) -> Sealer:
        """What seals secrets of others."""
        if self.secrets is None:
            raise RuntimeError("this context was opened without a sealer")
        return self.secrets

    @property
    def signing_key(self) -> bytes:
        """What tokens are signed with that are stored nowhere."""
        if self.token_key is None:
            raise RuntimeError("this context was opened without a key for tokens")
        return self.token_key

    @property
    def git_access(self) -> GitAccess:
        """How repositories are reached."""
        if self.git is None:
            raise RuntimeError("this context was opened without Git")
        return self.git
