"""The state of one server process: database, settings, keys; it opens the contexts of requests."""

import asyncio
import contextlib
import datetime as dt
import logging
from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from content.pdf.job import Limits
from content.recent_cache import RecentCache
from db.audit_enums import AuditDoor
from db.base import utc_now
from db.bells import keep_listening
from db.blobs import BlobStore
from db.commits import CommitFollower
from db.instance import instance_secrets
from db.models.organizations import Token
from db.models.sign_in import UserSession
from db.session import Database
from docstead.accesses import git_access, import_access, runner_of, sealer_of
from docstead.settings import Settings
from jobs import integrations, notifications, translations, webhooks
from jobs.mail import keep_sending
from jobs.organization_runs import OrganizationExporter
from jobs.printing import Printer
from jobs.rendering import Renderer
from jobs.revalidation import Revalidator
from jobs.site_views import write_views
from jobs.table import (
    INTEGRATIONS_AT_ONCE,
    INTEGRATIONS_OF_ORGANIZATION,
    KINDS,
    WEBHOOKS_AT_ONCE,
    WEBHOOKS_OF_ORGANIZATION,
    export_kinds,
    integration_kinds,
    pdf_kinds,
    webhook_kinds,
)
from jobs.waking import Waker
from jobs.worker import Worker
from resolvers.access import content_tokens, integration_tokens, tokens
from resolvers.access.idempotency import RememberedAnswers
from resolvers.access.kept_answers import KeptAnswers
from resolvers.access.versions import are_current
from resolvers.core.actors import NOBODY, OPERATOR, Actor, Origin, Visitor
from resolvers.core.context import Context
from resolvers.core.errors import Unavailable
from resolvers.core.hostname_checks import DnsProvider, HostnameProvider
from resolvers.core.installation import (
    FileAccess,
    Settings as ResolverSettings,
)
from resolvers.core.openid_providers import read_openid_providers
from resolvers.core.rate_limits import Quota, RateLimit, RateLimits
from resolvers.insights.views import ViewCounts
from resolvers.published.visitors import visitor_of
from resolvers.revisions.shown_files import shown_type
from resolvers.sign_in import sessions
from resolvers.sign_on.openid_tokens import OpenIdClient
from resolvers.sites.revalidation_calls import CHANGES
from resolvers.spaces.bin import is_in_bin
from runtime.runner import with_own_scheme

log = logging.getLogger("docstead")
T = TypeVar("T")
FLUSH_SECONDS = 30.0
# Pieces of work in the background at the same time.
MOST_IN_BACKGROUND = 100
# Bearers of content tokens that are kept; each may see hundreds of spaces.
MOST_VISITORS = 500
AskOrigin = Callable[[], Origin]


class Server:
    """One process: opens contexts and remembers which tokens and sessions were used."""

    def __init__(
        self, settings: Settings, database: Database, door: AuditDoor = AuditDoor.JOB
    ) -> None:
        """`door` is that of contexts that no request has asked for."""
        self.settings = settings
        self._origin = Origin(door)
        self.database = database
        self.resolver_settings = ResolverSettings(
            public_url=settings.public_url,
            hostname_target=settings.hostname_target,
            page_size=settings.page_size,
            merge_on_conflict=settings.merge_on_conflict,
            insights_days=settings.insights_days,
            openid_providers=read_openid_providers(settings.openid_providers),
            sends_mail=bool(settings.smtp_url),
            translation=settings.translation,
        )
        self.imports = import_access(settings)
        self.sealer = sealer_of(settings)
        self.git = git_access(settings, self.imports.fetcher, self.sealer)
        self.runner = runner_of(settings)
        self.asking = integrations.Asking(self.context_of, lambda: self.runner)
        self.limits = RateLimits(
            RateLimit(settings.events_per_address), RateLimit(settings.events_per_site)
        )
        self.hostnames: HostnameProvider = DnsProvider(settings.hostname_target)
        self.openid = OpenIdClient(self.imports.fetcher)
        self.answers = RememberedAnswers(database.points)
        self._files: FileAccess | None = None
        self._token_key: bytes | None = None
        self._uses: dict[str, dt.datetime] = {}
        self._session_uses: dict[str, dt.datetime] = {}
        # By the digest of their content token.
        self._visitors: RecentCache[str, _KeptVisitor] = RecentCache(MOST_VISITORS, lambda _: 1)
        kept_bytes = settings.answer_cache_megabytes * 1_000_000
        self.kept_answers = KeptAnswers(kept_bytes) if kept_bytes else None
        self._background: set[asyncio.Task[Any]] = set()
        self.revalidator = Revalidator(
            lambda: self.context_of(OPERATOR), lambda: self.imports.fetcher
        )
        self.webhook_waker = Waker(self.context_of, webhooks.wake_endpoints, webhooks.GATHERING)
        self.integration_waker = Waker(
            self.context_of, integrations.wake_integrations, integrations.GATHERING
        )
        self.notification_waker = Waker(
            self.context_of, notifications.wake_notifications, notifications.GATHERING
        )
        self.translation_waker = Waker(
            self.context_of, translations.wake_translations, translations.GATHERING
        )
        # Hears of the streams that have new events, too (docstead/subscriptions/hub.py).
        self.on_events: Callable[[Collection[str]], None] | None = None
        # Hears of jobs that have changed: their organization and their id.
        self.on_job: Callable[[str, str], None] | None = None
        database.follower = CommitFollower(CHANGES, self.revalidator.heard)
        # Views of pages of sites that are not written yet.
        self.views = ViewCounts()
        self.renderer = Renderer()
        self.exporter = OrganizationExporter(
            database, lambda: self.context_of(OPERATOR), settings.data_dir / "exports"
        )
        self.printer = Printer(
            self._blobs,
            lambda: self.context_of(OPERATOR),
            settings.data_dir / "printing",
            Limits(settings.pdf_sheets, settings.pdf_seconds, settings.pdf_megabytes),
        )

    @property
    def token_key(self) -> bytes:
        """What tokens are signed with that are stored nowhere, once files were opened."""
        assert self._token_key is not None
        return self._token_key

    async def authenticate(self, authorization: str | None) -> Actor:
        """The actor of an Authorization header; Unauthenticated when the token is not valid."""
        now = utc_now()
        text = tokens.bearer(authorization)
        if content_tokens.looks_like_one(text):
            await self.file_access()
            if integration_tokens.kind_of(text) is not None:
                return await integration_tokens.authenticate(
                    self.database.points, self.token_key, text, now
                )
            return await self._visitor(text, now)
        actor = await tokens.authenticate(self.database.points, text, now)
        assert actor.token_id is not None
        self._uses[actor.token_id] = now
        return actor

    async def find_session(self, secret: str) -> Actor | None:
        """The person who is signed in with a cookie; None when its session has ended."""
        now = utc_now()
        actor = await sessions.find_session(self.database.points, secret, now)
        if actor is not None and actor.session_id is not None:
            self._session_uses[actor.session_id] = now
        return actor

    async def _visitor(self, text: str, now: dt.datetime) -> Actor:
        """The reader of a published site behind a content token; files were opened."""
        digest = tokens.digest(text)
        bearer = self._visitors.get(digest)
        if bearer is not None and now < bearer.expires:
            visitor = bearer.visitor
            site = {visitor.site_id: visitor.site_version}
            if await are_current(self.database.points, site):
                return Actor(visitor=visitor)
        grant = content_tokens.verify(self.token_key, text, now)
        assert grant.expires is not None
        async with self.context_of(NOBODY) as ctx:
            visitor = await visitor_of(ctx, grant)
        if visitor.site_version is not None:
            self._visitors.discard(digest)
            self._visitors.put(digest, _KeptVisitor(visitor, grant.expires))
        return Actor(visitor=visitor)

    def context_of(
        self,
        actor: Actor,
        address: str = "",
        origin: AskOrigin | None = None,
        quota: Quota | None = None,
    ) -> "OpenContext":
        """The Context of one request of an actor, for `async with`.

        `address` is that of a caller without a token. `origin` says where the request comes from,
        `quota` how often its caller may search and write.
        """
        return OpenContext(self, actor, address, origin, quota)

    async def open_context(
        self,
        actor: Actor,
        address: str = "",
        origin: AskOrigin | None = None,
        quota: Quota | None = None,
    ) -> Context:
        """The Context of one request of an actor, which whoever asks for it closes."""
        files = self._files or await self.file_access()
        return Context(
            actor,
            None,
            self.resolver_settings,
            files,
            self.imports,
            self.git,
            self._token_key,
            self.hostnames,
            self.limits,
            address,
            quota,
            secrets=self.sealer,
            ask_integration=self.asking,
            origin=origin or self._own_origin,
            on_events=self._events_came,
            on_job=self.on_job,
            on_view=self.views.add,
            _reader=self.database.new_reader(),
            points=self.database.points,
            # In a thread for reads there is nothing to write with.
            open_session=None if self.database.in_reader_thread() else self.database.new_session,
        )

    async def read_named(self, url: str) -> bytes | None:
        """What is at an address that an integration has named; None where it cannot be read."""
        return await self.runner.read(with_own_scheme(url, self.settings.public_url))

    def _events_came(self, streams: Collection[str]) -> None:
        for waker in self._wakers():
            waker.heard(streams)
        if self.on_events is not None:
            self.on_events(streams)

    def _wakers(self) -> tuple[Waker, ...]:
        return (
            self.webhook_waker,
            self.integration_waker,
            self.notification_waker,
            self.translation_waker,
        )

    def _own_origin(self) -> Origin:
        return self._origin

    async def read_in_place(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of a coroutine that only reads, run where the database is read.

        On SQLite that is a thread of its own, for the driver blocks; the way there and back is
        then paid once, and not for each statement. The contexts of `work` are opened there.
        """
        self.asking.loop = asyncio.get_running_loop()
        # Reads its key with the session of the caller's event loop.
        await self.file_access()
        return await self.database.read_in_place(work)

    async def file_access(self) -> FileAccess:
        """The bytes of files and the key that signs their addresses, which all processes share."""
        if self._files is None:
            async with self.database.session() as session:
                key, token_key = await instance_secrets(session, "file-addresses", "content-tokens")
            self._token_key = token_key.encode()
            self._files = FileAccess(self.settings.open_blobs(), key.encode())
        return self._files

    async def in_bin(self, space_id: str) -> bool:
        """Whether a space has been deleted: nothing of it is served any more."""
        return await is_in_bin(self.database.points, space_id)

    async def shown_type(self, space_id: str, sha256: str, name: str) -> str | None:
        """The media type of a file that sites show to everybody; None for every other file."""
        return await shown_type(self.database.points, space_id, sha256, name)

    async def _blobs(self) -> BlobStore:
        return (await self.file_access()).blobs

    def in_background(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin what no answer waits for; Unavailable when too much of it is under way."""
        if len(self._background) >= MOST_IN_BACKGROUND:
            work.close()
            raise Unavailable("many people ask for this at the moment; try again")
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    async def finish_background(self) -> None:
        """Wait for what was begun in the background."""
        while self._background:
            await asyncio.wait(self._background)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Background work of the process; ends with what is left to write."""
        tasks = [
            asyncio.create_task(self._keep_flushing()),
            asyncio.create_task(self.revalidator.keep_calling()),
            *(asyncio.create_task(waker.keep_waking()) for waker in self._wakers()),
        ]
        if self.settings.jobs:
            tasks.append(asyncio.create_task(self.keep_working()))
        if (mail := self.settings.mail_server) is not None:
            tasks.append(asyncio.create_task(keep_sending(lambda: self.context_of(OPERATOR), mail)))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
            await self.finish_background()
            await self.printer.close()
            await self.runner.close()
            try:
                await self.flush_uses()
                await write_views(self.context_of, self.views)
            finally:
                await self.database.close()

    async def keep_working(self) -> None:
        """Do jobs until cancelled; what is under way is given back then."""
        workers = (self.worker(), self.webhook_worker(), self.integration_worker())
        work = [worker.keep_working() for worker in workers]
        if not self.database.is_sqlite:
            work.append(keep_listening(self.database.url, self.database.bell))
        async with asyncio.TaskGroup() as tasks:
            for task in work:
                tasks.create_task(task)

    def worker(self) -> Worker:
        """What does jobs in this process, as the settings say."""
        return Worker(
            self.context_of,
            {**KINDS, **pdf_kinds(self.printer), **export_kinds(self.exporter)},
            self.database.bell,
            at_once=self.settings.jobs_at_once,
            most_of_organization=self.settings.jobs_per_organization,
        )

    def webhook_worker(self) -> Worker:
        """What delivers to endpoints in this process, beside its other jobs."""
        return Worker(
            self.context_of,
            webhook_kinds(self.context_of),
            self.database.bell.another(),
            at_once=WEBHOOKS_AT_ONCE,
            most_of_organization=WEBHOOKS_OF_ORGANIZATION,
        )

    def integration_worker(self) -> Worker:
        """What delivers to integrations in this process, beside its other jobs."""
        return Worker(
            self.context_of,
            integration_kinds(self.runner),
            self.database.bell.another(),
            at_once=INTEGRATIONS_AT_ONCE,
            most_of_organization=INTEGRATIONS_OF_ORGANIZATION,
        )

    async def _keep_flushing(self) -> None:
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            try:
                await self.flush_uses()
            except Exception:
                log.exception("the last use of tokens and sessions could not be written")
            try:
                await write_views(self.context_of, self.views)
            except Exception:
                log.exception("the views of sites could not be written")

    async def flush_uses(self) -> None:
        """Write down when tokens and sessions were last used."""
        uses, self._uses = self._uses, {}
        session_uses, self._session_uses = self._session_uses, {}
        if not uses and not session_uses:
            return
        try:
            async with self.database.session() as session:
                await session.begin_write()
                await tokens.record_use(session, Token, uses)
                await tokens.record_use(session, UserSession, session_uses)
                await session.commit()
        except BaseException:
            # For the next time; what was used since then is newer.
            self._uses = uses | self._uses
            self._session_uses = session_uses | self._session_uses
            raise


@dataclass(frozen=True, slots=True)
class _KeptVisitor:
    """The bearer of a content token, as long as the token and the version of the site hold."""

    visitor: Visitor
    expires: dt.datetime


class OpenContext:
    """`async with` around one request: opens its Context and closes it.

    A class of its own, for each request has one: a generator for it takes three times as long.
    """

    __slots__ = ("_actor", "_address", "_ctx", "_origin", "_quota", "_server")

    def __init__(
        self,
        server: Server,
        actor: Actor,
        address: str,
        origin: AskOrigin | None,
        quota: Quota | None,
    ) -> None:
        self._server, self._actor, self._address = server, actor, address
        self._origin, self._quota = origin, quota

    async def __aenter__(self) -> Context:
        self._ctx = await self._server.open_context(
            self._actor, self._address, self._origin, self._quota
        )
        return self._ctx

    async def __aexit__(self, *raised: object) -> None:
        await self._ctx.close()
