"""Whose document is prepared next: one at a time, and nobody keeps others waiting.

Whoever is known goes before those who are not, who get a turn after `KNOWN_IN_A_ROW`. Among either
callers go in turn, one document each, however many of theirs wait; those who are not known network
by network, for whoever has one address has its neighbours. A line has an end: who has too many in
it is refused, and when all together are too many, whoever has most of them in the network that has.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from starlette.types import Receive

from docstead.http.time_limits import TimeLimit, TimeLimitPassed
from resolvers.core.errors import ApiError, NoCapacity, RateLimited

KNOWN_IN_A_ROW = 4
# Documents that wait: of one caller, and of all that are known, or are not.
OF_CALLER, OF_ALL = 32, 256
# Seconds; a full line takes about as long.
RETRY_AFTER = 2
LONGEST_SECONDS = 30

_FULL = "the server has too many long documents to read that it has never seen"

_Callers = OrderedDict[Hashable, deque[asyncio.Future[None]]]
# What names a caller, and whether it is an account: one that the operator could close.
Caller = tuple[Hashable, bool]


class Turns:
    """The turns of one event loop, in the order that they are given."""

    def __init__(
        self,
        of_caller: int = OF_CALLER,
        of_all: int = OF_ALL,
        network: Callable[[Any], Hashable] = lambda key: key,
    ) -> None:
        """`network` is what callers have in common who are not known, by what names them."""
        self._known = Line(of_caller, of_all)
        self._unknown = Line(of_caller, of_all, network)
        self._taken, self._in_a_row = False, 0

    @asynccontextmanager
    async def turn(self, caller: Caller, receive: Receive | None = None) -> AsyncIterator[None]:
        """A turn of the caller; RateLimited or NoCapacity where too many wait. With `receive`, the
        request's, ClientDisconnected as soon as the client goes away."""
        if self._taken:
            try:
                with TimeLimit(LONGEST_SECONDS, receive):
                    await self._wait(*caller)
            except TimeLimitPassed:
                raise _refusal(NoCapacity, _FULL) from None
        self._taken = True
        try:
            # Those of one turn of the loop come after each other, too.
            await asyncio.sleep(0)
            yield
        finally:
            self._pass_on()

    async def _wait(self, key: Hashable, is_known: bool) -> None:
        line = self._known if is_known else self._unknown
        turn = line.join(key)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                line.leave(key, turn)
            elif turn.exception() is None:
                # It had come already.
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        lines = [self._known, self._unknown]
        if self._in_a_row >= KNOWN_IN_A_ROW:
            lines.reverse()
        for line in lines:
            if (turn := line.next()) is not None:
                self._in_a_row = self._in_a_row + 1 if line is self._known else 0
                turn.set_result(None)
                return
        self._taken, self._in_a_row = False, 0


class Line:
    """Those who wait: network by network, and in each caller by caller."""

    def __init__(
        self, of_caller: int, of_all: int, network: Callable[[Any], Hashable] = lambda key: key
    ) -> None:
        self._of_caller, self._of_all, self._length = of_caller, of_all, 0
        self._network = network
        self._networks: OrderedDict[Hashable, _Callers] = OrderedDict()

    def join(self, key: Hashable) -> asyncio.Future[None]:
        """A place in the line, whose turn comes; raises where there is none."""
        network = self._network(key)
        callers = self._networks.get(network, OrderedDict())
        theirs = callers.get(key, ())
        if len(theirs) >= self._of_caller:
            raise _refusal(
                RateLimited,
                f"{self._of_caller} long documents of yours that the server has never seen are "
                "waiting to be read, which is the limit; send fewer at the same time",
            )
        if self._length >= self._of_all:
            self._make_room(network, len(theirs))
        turn = asyncio.get_running_loop().create_future()
        callers = self._networks.setdefault(network, OrderedDict())
        callers.setdefault(key, deque()).append(turn)
        self._length += 1
        return turn

    def next(self) -> asyncio.Future[None] | None:
        """The next one, who leaves the line; the caller's others are behind all other callers."""
        if not self._networks:
            return None
        network, callers = next(iter(self._networks.items()))
        key, theirs = next(iter(callers.items()))
        turn = theirs[0]
        callers.move_to_end(key)
        self._networks.move_to_end(network)
        self.leave(key, turn)
        # Cancelled, and its task has not run since.
        return self.next() if turn.done() else turn

    def leave(self, key: Hashable, turn: asyncio.Future[None]) -> None:
        """Give a place up."""
        network = self._network(key)
        callers = self._networks.get(network)
        theirs = None if callers is None else callers.get(key)
        if callers is None or theirs is None or turn not in theirs:
            return
        theirs.remove(turn)
        self._length -= 1
        if not theirs:
            del callers[key]
        if not callers:
            del self._networks[network]

    def _make_room(self, network: Hashable, has: int) -> None:
        """Take a place of the network that has most, or else of the caller's own network."""
        sizes = {name: sum(map(len, its.values())) for name, its in self._networks.items()}
        largest = max(sizes, key=lambda name: sizes[name])
        is_larger = sizes[largest] > sizes.get(network, 0) + 1
        callers = self._networks.get(largest if is_larger else network, OrderedDict())
        # Of those who have as many, whoever had a turn last.
        most: tuple[Hashable, Sequence[asyncio.Future[None]]] = None, ()
        most = max(reversed(callers.items()), key=lambda item: len(item[1]), default=most)
        full = _refusal(NoCapacity, _FULL)
        if not (is_larger or len(most[1]) > has + 1):
            raise full
        key, last = most[0], most[1][-1]
        self.leave(key, last)
        if not last.done():
            last.set_exception(full)


def _refusal(kind: Callable[[str], ApiError], message: str) -> ApiError:
    error = kind(message)
    error.retry_after = RETRY_AFTER
    return error
