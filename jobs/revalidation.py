"""Tells renderers what is out of date: calls of the addresses of sites, behind the writes.

Changes are noted when their transaction is committed, which costs the write nothing. A moment later
they are put together, one call for each site, and sent. What a process has not sent when it ends is
lost, and so is what another process of the same installation does, such as a command; each server
process calls for its own writes.
"""

import asyncio
import hashlib
import hmac
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager

import orjson

from db.commits import Change
from fetching.client import Fetcher
from fetching.errors import FetchError
from resolvers.core.context import Context
from resolvers.core.runners import read, run
from resolvers.core.sealing import UnsealedError, opened_mark
from resolvers.sites.revalidation_calls import Call, body_of, record_call, revalidation_calls

log = logging.getLogger("docstead.revalidation")
# Seconds in which changes come together, and between one attempt and the next.
GATHERING = 0.5
PAUSES = (1.0, 2.0, 4.0)
CALL_SECONDS = 10.0
# Changes that are collected before all sites count as changed; calls at the same time, so many that
# a few renderers which never answer keep nobody waiting.
MOST_CHANGES, AT_ONCE = 10_000, 50
# The second is the name that clients of the published contract look for.
SIGNATURES = ("X-Webhook-Signature", "X-GitBook-Integration-Signature")
TOO_MANY_REQUESTS, SERVER_ERROR = 429, 500

OpenOperator = Callable[[], AbstractAsyncContextManager[Context]]


class Revalidator:
    """The calls of one process."""

    def __init__(
        self,
        open_operator: OpenOperator,
        fetcher: Callable[[], Fetcher],
        *,
        gathering: float = GATHERING,
        pauses: Sequence[float] = PAUSES,
    ) -> None:
        self._open_operator, self._fetcher = open_operator, fetcher
        self._gathering, self._pauses = gathering, pauses
        self._changes: set[Change] = set()
        self._everything = False
        self._changed = asyncio.Event()
        # By site: what has to be sent, next or after the call that is under way.
        self._waiting: dict[str, Call] = {}
        self._calling: dict[str, asyncio.Task[None]] = {}
        self._slots = asyncio.Semaphore(AT_ONCE)

    def heard(self, changes: Iterable[Change]) -> None:
        """Take note of what was committed; never waits."""
        self._changes.update(changes)
        if len(self._changes) > MOST_CHANGES:
            self._changes.clear()
            self._everything = True
        self._changed.set()

    async def keep_calling(self) -> None:
        """Send what is noted, until cancelled."""
        try:
            while True:
                await self._changed.wait()
                await asyncio.sleep(self._gathering)
                await self.gather()
        finally:
            for task in list(self._calling.values()):
                task.cancel()

    async def settle(self) -> None:
        """Send all that is noted, and wait until each call has ended."""
        while self._changed.is_set() or self._calling:
            await self.gather()
            await asyncio.gather(*self._calling.values())

    async def gather(self) -> None:
        """Begin the calls for what is noted."""
        changes, self._changes = self._changes, set()
        everything, self._everything = self._everything, False
        self._changed.clear()
        if not changes and not everything:
            return
        try:
            async with self._open_operator() as ctx:
                calls = await read(ctx, revalidation_calls, changes, everything=everything)
        except Exception:
            log.exception("it could not be found out whom a change concerns")
            return
        for call in calls:
            before = self._waiting.get(call.site_id)
            if before is not None:
                call.add(before)
            self._waiting[call.site_id] = call
            if call.site_id not in self._calling:
                self._calling[call.site_id] = asyncio.create_task(self._call(call.site_id))

    async def _call(self, site_id: str) -> None:
        """Send what waits for a site, until nothing does."""
        try:
            while site_id in self._waiting:
                await self._deliver(self._waiting.pop(site_id))
        except Exception:
            log.exception("the renderer of site %s could not be called", site_id)
        finally:
            del self._calling[site_id]

    async def _deliver(self, call: Call) -> None:
        """One call with its repetitions; what is noted meanwhile goes along with the next one."""
        for pause in (*self._pauses, None):
            status, error = await self._attempt(call)
            again = error is not None and (status is None or _is_passing(status))
            async with self._open_operator() as ctx:
                await run(ctx, record_call, call, ctx.now(), status, error)
            if not again or pause is None:
                break
            await asyncio.sleep(pause)
            newer = self._waiting.pop(call.site_id, None)
            if newer is not None:
                newer.add(call)
                call = newer
        if error is not None:
            # Not the error, for the address may hold a key; whoever has set it can read both.
            answer = "none" if status is None else status
            log.warning(
                "the renderer of site %s did not take a call; its answer: %s", call.site_id, answer
            )

    async def _attempt(self, call: Call) -> tuple[int | None, str | None]:
        """The status of one call, and what is wrong with it; no status where there was none."""
        try:
            async with self._open_operator() as ctx:
                moment, secret = ctx.now(), opened_mark(ctx.sealer, call.secret)
        except UnsealedError:
            return None, "its secret was sealed with another key; set another secret"
        body = orjson.dumps(body_of(call, moment))
        signed = signature(secret, int(moment.timestamp()), body)
        headers = {"Content-Type": "application/json"} | dict.fromkeys(SIGNATURES, signed)
        try:
            async with self._slots:
                status = await self._fetcher().post(call.url, body, headers, seconds=CALL_SECONDS)
        except FetchError as error:
            return None, str(error)
        if 200 <= status < 300:
            return status, None
        return status, f"answered with status {status}"


def _is_passing(status: int) -> bool:
    """Whether the same call may succeed later."""
    return status == TOO_MANY_REQUESTS or status >= SERVER_ERROR


def signature(secret: str, seconds: int, body: bytes) -> str:
    """The signature of a body and its time: HMAC-SHA256 over both."""
    text = f"{seconds}.".encode() + body
    digest = hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={digest}"
