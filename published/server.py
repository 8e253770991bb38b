"""The port of published sites to the server process, which `docstead` implements."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, TypeVar

from db.sharing import PointReads
from jobs.rendering import Renderer
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.rate_limits import Quota

T = TypeVar("T")


class Settings(Protocol):
    @property
    def public_url(self) -> str:
        """The address of the service, without a slash at its end."""

    @property
    def page_cache_megabytes(self) -> int:
        """The memory for pages that are kept; 0 for none."""


class Reads(Protocol):
    @property
    def points(self) -> PointReads:
        """Reads of single rows by their keys."""


class Views(Protocol):
    def add(self, site_id: str, page_id: str | None) -> None:
        """Count a view of a page of a site."""


class Server(Protocol):
    """One server process."""

    @property
    def settings(self) -> Settings:
        """The settings of the installation."""

    @property
    def renderer(self) -> Renderer:
        """Makes HTML of documents."""

    @property
    def database(self) -> Reads:
        """The database."""

    @property
    def views(self) -> Views:
        """Counts views of pages."""

    def in_background(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin what no answer waits for; Unavailable when too much of it is under way."""

    def context_of(
        self, actor: Actor, *, quota: Quota | None = None
    ) -> AbstractAsyncContextManager[Context]:
        """The Context of one request of an actor, for `async with`; `quota` is that of a caller
        whose searches are limited."""

    async def read_named(self, url: str) -> bytes | None:
        """What is at an address that an integration has named; None where it cannot be read."""

    async def read_in_place(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of a coroutine that only reads, run where the database is read."""
