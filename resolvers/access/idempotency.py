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
from resolvers.core.declarations import operation
from resolvers.core.errors import BadRequest, Conflict, FieldError, KeyReused
from resolvers.core.events import write_held_events
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.transactions import HEADER, HeldTransaction

# The header of an answer that is given again.
REPLAYED = "Idempotent-Replayed"
# How long an answer is stored.
RETENTION = dt.timedelta(hours=24)
# Bytes of an answer that is remembered; of a larger one only that there was one.
LARGEST_ANSWER = 262_144
# How long a repetition waits for the request that is running.
WAIT_SECONDS = 5.0
# Answers that one transaction of the purge removes; each may be large.
PORTION = 500
_KEY = re.compile(r"[\x20-\x7e]{1,255}")


@dataclass(frozen=True, slots=True)
class KeyedRequest:
    """A request to carry out once: digests of its caller and key, and of its content."""

    id: str
    request: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The stored response of a request; `replayed` when it was carried out before."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    replayed: bool = False


def keyed_request(
    keys: Sequence[str], authorization: str | None, parts: Sequence[bytes]
) -> KeyedRequest | None:
    """The request with these headers Idempotency-Key and Authorization; None without a key.

    Keys belong to tokens: without one, nothing is remembered. `parts` are everything that the
    content of the request depends on. BadRequest for what is no key.
    """
    if not keys or authorization is None:
        return None
    if len(keys) > 1:
        raise _wrong("is given more than once; one key belongs to one request")
    if not _KEY.fullmatch(keys[0]):
        reason = (
            f"it has {len(keys[0])}" if len(keys[0]) > 255 or not keys[0] else "others are there"
        )
        raise _wrong(f"must have 1 to 255 printable ASCII characters; {reason}")
    caller = tokens.digest(tokens.bearer(authorization))
    return KeyedRequest(_digest([caller.encode(), keys[0].encode()]), _digest(parts))


def _wrong(problem: str) -> BadRequest:
    return BadRequest.at(HEADER, problem)


def _digest(parts: Sequence[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.hexdigest()


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
        self, ctx: Context, keyed: KeyedRequest, carry_out: Callable[[], Awaitable[Answer]]
    ) -> Answer:
        """The answer of a request: the remembered one, or that of carrying it out now.

        KeyReused when the key has come with another request; Conflict when the same one is still
        running, or its answer was too large to be remembered. An answer is remembered when
        something was written; errors of a request that wrote nothing are raised, and it can be
        tried again. The caller's token has been verified.
        """
        async with self._turn(keyed):
            previous = await self._find(ctx, keyed)
            if previous is not None:
                return previous
            held = ctx.held = HeldTransaction()
            try:
                answer = await carry_out()
                if not held.open:
                    return await self._find(ctx, keyed) or answer
                await held.check(ctx.session)
                if not await _remember(ctx, keyed, answer):
                    raise Conflict(f"{HEADER}: a request with this key was carried out meanwhile")
                await write_held_events(ctx)
                await ctx.session.commit()
            except BaseException as error:
                ctx.session.expunge_all()
                await ctx.session.rollback()
                # Another process may have carried it out meanwhile: that is why this has failed.
                if not isinstance(error, Exception):
                    raise
                previous = await self._find(ctx, keyed)
                if previous is None:
                    raise
                return previous
            finally:
                ctx.held = None
            ctx.announce_events()
            return answer

    @asynccontextmanager
    async def _turn(self, keyed: KeyedRequest) -> AsyncIterator[None]:
        """Wait for the requests with this key that this process is carrying out."""
        turn = self._turns.setdefault(keyed.id, _Turn())
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
                del self._turns[keyed.id]

    async def _find(self, ctx: Context, keyed: KeyedRequest) -> Answer | None:
        """The remembered answer, None without one."""
        row = await _remembered.read(self._points, keyed.id)
        if row is None or row.created_at <= ctx.now() - RETENTION:
            return None
        if row.request != keyed.request:
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


async def _remember(ctx: Context, keyed: KeyedRequest, answer: Answer) -> bool:
    """Remember an answer in the transaction of its write; False when there is one already."""
    now, size = ctx.now(), len(answer.body)
    row: dict[str, Any] = {
        "id": keyed.id,
        "request": keyed.request,
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
            where=RememberedAnswer.created_at <= now - RETENTION,
        )
    )
    result = await ctx.session.execute(insert)
    return bool(result.rowcount)


@operation(audited=False)
async def forget_answers(ctx: Context, before: dt.datetime) -> int:
    """Remove a portion of the answers that were made before a time; how many were removed."""
    must_be_operator(ctx)
    oldest = (
        select(RememberedAnswer.id)
        .where(RememberedAnswer.created_at <= before)
        .order_by(RememberedAnswer.created_at)
        .limit(PORTION)
    )
    return await ctx.session.change(delete(RememberedAnswer).where(RememberedAnswer.id.in_(oldest)))
