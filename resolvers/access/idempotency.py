"""Writes with the header Idempotency-Key are carried out once (docs/rest.md, "Repeating a write").

The answer is remembered in the transaction of its write, which is held open until the answer is
made: after a crash both are there or neither, and of two requests that are carried out at the same
time one cannot be committed. Nothing notes that a request is running, so nothing of it can be left
behind (docs/decisions/0035-answers-are-remembered-with-their-write.md).
"""

import asyncio
import datetime as dt
import hashlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import delete, select

from db.inserts import insert_of
from db.models.idempotency import RememberedAnswer
from db.prepared import among
from db.sharing import KEYS, SHARED_KEY, PointReads
from resolvers.access import tokens
from resolvers.access.policy import must_be_operator
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, Conflict, FieldError, KeyReused
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.transactions import HEADER, HeldTransaction

# The header of an answer that is given again.
REPLAYED = "Idempotent-Replayed"
KEPT = dt.timedelta(hours=24)
# Bytes of an answer that is remembered; of a larger one only that there was one.
LARGEST_ANSWER = 262_144
# How long a repetition waits for the request that is running.
WAIT_SECONDS = 5.0
# Answers that one transaction of the purge removes; each may be large.
PORTION = 500
_KEY = re.compile(r"[\x20-\x7e]{1,255}")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request to carry out once: digests of its caller and key, and of what it asks for."""

    id: str
    request: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request was answered with; `replayed` when it was carried out before."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    replayed: bool = False


def asked_once(
    keys: Sequence[str], authorization: str | None, parts: Sequence[bytes]
) -> Asked | None:
    """The request with these headers Idempotency-Key and Authorization; None without a key.

    Keys belong to tokens: without one, nothing is remembered. `parts` are all that decides what
    the request asks for. BadRequest for what is no key.
    """
    if not keys or authorization is None:
        return None
    if len(keys) > 1:
        raise _wrong("is given more than once; one key belongs to one request")
    if not _KEY.fullmatch(keys[0]):
        found = (
            f"it has {len(keys[0])}" if len(keys[0]) > 255 or not keys[0] else "others are there"
        )
        raise _wrong(f"must have 1 to 255 printable ASCII characters; {found}")
    caller = tokens.digest(tokens.bearer(authorization))
    return Asked(_digest([caller.encode(), keys[0].encode()]), _digest(parts))


def _wrong(problem: str) -> BadRequest:
    return BadRequest(f"{HEADER}: {problem}", (FieldError(HEADER, problem),))


def _digest(parts: Sequence[bytes]) -> str:
    made = hashlib.sha256()
    for part in parts:
        made.update(b"%d:" % len(part))
        made.update(part)
    return made.hexdigest()


@dataclass(slots=True)
class _Turn:
    """Requests of this process with one key: one is carried out, the others wait."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    requests: int = 0


class RememberedAnswers:
    """Carries requests out once; one for each process."""

    def __init__(self, points: PointReads, wait_seconds: float = WAIT_SECONDS) -> None:
        self._points = points
        self._wait_seconds = wait_seconds
        self._turns: dict[str, _Turn] = {}

    async def answer(
        self, ctx: Context, asked: Asked, carry_out: Callable[[], Awaitable[Answer]]
    ) -> Answer:
        """The answer of a request: the remembered one, or that of carrying it out now.

        KeyReused when the key has come with another request; Conflict when the same one is still
        running, or its answer was too large to be remembered. An answer is remembered when
        something was written; errors of a request that wrote nothing are raised, and it can be
        tried again. The caller's token has been verified.
        """
        async with self._turn(asked):
            found = await self._find(ctx, asked)
            if found is not None:
                return found
            held = ctx.held = HeldTransaction()
            try:
                made = await carry_out()
                if not held.open:
                    return await self._find(ctx, asked) or made
                await held.check(ctx.session)
                if not await _remember(ctx, asked, made):
                    raise Conflict(f"{HEADER}: a request with this key was carried out meanwhile")
                await ctx.session.commit()
            except BaseException as error:
                ctx.session.expunge_all()
                await ctx.session.rollback()
                # Another process may have carried it out meanwhile: that is why this has failed.
                if not isinstance(error, Exception):
                    raise
                found = await self._find(ctx, asked)
                if found is None:
                    raise
                return found
            finally:
                ctx.held = None
            return made

    @asynccontextmanager
    async def _turn(self, asked: Asked) -> AsyncIterator[None]:
        """Wait for the requests with this key that this process is carrying out."""
        turn = self._turns.setdefault(asked.id, _Turn())
        turn.requests += 1
        try:
            try:
                async with asyncio.timeout(self._wait_seconds) as deadline:
                    await turn.lock.acquire()
            except TimeoutError:
                if not deadline.expired():
                    raise
                raise Conflict(
                    f"{HEADER}: the first request with this key is still running; try again later"
                ) from None
            try:
                yield
            finally:
                turn.lock.release()
        finally:
            turn.requests -= 1
            if not turn.requests:
                del self._turns[asked.id]

    async def _find(self, ctx: Context, asked: Asked) -> Answer | None:
        """The remembered answer, None without one."""
        row = await _remembered.read(self._points, asked.id)
        if row is None or row.created_at <= ctx.now() - KEPT:
            return None
        if row.request != asked.request:
            raise KeyReused(
                f"{HEADER}: this key has come with another request in the last 24 hours; a key "
                "belongs to one method, address and body",
                (FieldError(HEADER, "has come with another request"),),
            )
        if row.body is None:
            raise Conflict(
                f"{HEADER}: the request with this key was carried out; its answer of {row.size} "
                "bytes was too large to be given again, read what it has changed"
            )
        return Answer(row.status, row.body, row.headers, replayed=True)


@statement
def _remembered(viewer: Viewer) -> Written:
    kind = RememberedAnswer
    return select(
        kind.request,
        kind.created_at,
        kind.status,
        kind.headers,
        kind.size,
        kind.body,
        kind.id.label(SHARED_KEY),
    ).where(among(kind.id, KEYS))


async def _remember(ctx: Context, asked: Asked, answer: Answer) -> bool:
    """Remember an answer in the transaction of its write; False when there is one already."""
    now, size = ctx.now(), len(answer.body)
    row: dict[str, Any] = {
        "id": asked.id,
        "request": asked.request,
        "created_at": now,
        "status": answer.status,
        "headers": dict(answer.headers),
        "size": size,
        "body": answer.body if size <= LARGEST_ANSWER else None,
    }
    # One that is too old may still be there.
    insert = (
        insert_of(ctx.session, RememberedAnswer)
        .values(row)
        .on_conflict_do_update(
            index_elements=["id"],
            set_={name: value for name, value in row.items() if name != "id"},
            where=RememberedAnswer.created_at <= now - KEPT,
        )
    )
    result = await ctx.session.execute(insert)
    return bool(result.rowcount)


async def forget_answers(ctx: Context, before: dt.datetime) -> int:
    """Remove a portion of the answers that were made before a time; how many were removed."""
    must_be_operator(ctx)
    oldest = (
        select(RememberedAnswer.id)
        .where(RememberedAnswer.created_at <= before)
        .order_by(RememberedAnswer.created_at)
        .limit(PORTION)
    )
    statement = delete(RememberedAnswer).where(RememberedAnswer.id.in_(oldest))
    result = await ctx.session.execute(statement.execution_options(synchronize_session=False))
    return int(result.rowcount)
