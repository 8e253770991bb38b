"""What both hand-written servers stand on: the bare driver, and the check of the token."""

import asyncio
import datetime as dt
import gc
import os
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol

import asyncpg
import orjson
from fastapi import FastAPI, HTTPException, Request

from benchmarks.hand_rule import TOKEN, of_sqlite
from benchmarks.servers import POOL_SIZE
from resolvers.access.tokens import digest

Fetch = Callable[..., Awaitable[list[Any]]]


class Store(Protocol):
    """A database: `fetch(statement, *values)` on one connection, and how values are given."""

    def connection(self) -> AbstractAsyncContextManager[Fetch]: ...

    def ids(self, values: list[str]) -> object: ...

    def statement(self, postgresql: str, sqlite: str | None = None) -> str: ...

    async def open(self) -> None: ...

    async def close(self) -> None: ...


async def _nothing(connection: object) -> None:
    """No state is set on a connection, so nothing has to be reset."""


class PostgreSQL:
    def __init__(self, url: str) -> None:
        self._url = url.replace("+asyncpg", "")

    async def open(self) -> None:
        self._pool = await asyncpg.create_pool(
            self._url, min_size=POOL_SIZE, max_size=POOL_SIZE, reset=_nothing
        )

    async def close(self) -> None:
        await self._pool.close()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Fetch]:
        async with self._pool.acquire() as connection:
            yield connection.fetch

    def ids(self, values: list[str]) -> object:
        return values

    def statement(self, postgresql: str, sqlite: str | None = None) -> str:
        return postgresql


class SQLite:
    """Synchronous in the event loop: a thread for each statement would cost more than it."""

    def __init__(self, url: str) -> None:
        self._path = url.partition(":///")[2]

    async def open(self) -> None:
        self._connection = await asyncio.to_thread(
            sqlite3.connect, self._path, isolation_level=None, check_same_thread=False
        )

    async def close(self) -> None:
        self._connection.close()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Fetch]:
        yield self._fetch

    async def _fetch(self, statement: str, *values: object) -> list[Any]:
        return self._connection.execute(statement, values).fetchall()

    def ids(self, values: list[str]) -> object:
        return orjson.dumps(values).decode()

    def statement(self, postgresql: str, sqlite: str | None = None) -> str:
        return of_sqlite(sqlite or postgresql)


def store() -> Store:
    """The database that $DOCSTEAD_DATABASE_URL names."""
    url = os.environ["DOCSTEAD_DATABASE_URL"]
    return SQLite(url) if url.startswith("sqlite") else PostgreSQL(url)


def application(database: Store) -> FastAPI:
    """An application without routes that opens and closes the database."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await database.open()
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)
        yield
        await database.close()

    return FastAPI(lifespan=lifespan)


async def caller(fetch: Fetch, statement: str, request: Request) -> str:
    """The id of the person behind the token; `statement` is TOKEN for this database."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        raise HTTPException(401, "a token is required")
    found = await fetch(statement, digest(token.strip()))
    if not found:
        raise HTTPException(401, "the token is unknown")
    user_id, scopes, expires_at, revoked_at = found[0]
    if revoked_at is not None or (expires_at is not None and _past(expires_at)):
        raise HTTPException(401, "the token has ended")
    if not {"read", "write"} & set(orjson.loads(scopes)):
        raise HTTPException(403, "the token has no read scope")
    result: str = user_id
    return result


def _past(moment: dt.datetime | str) -> bool:
    if isinstance(moment, str):
        moment = dt.datetime.fromisoformat(moment).replace(tzinfo=dt.UTC)
    return moment <= dt.datetime.now(dt.UTC)


__all__ = ["TOKEN", "Fetch", "Store", "application", "caller", "store"]
