"""The line of long documents that were never seen: nobody holds it, and it has an end."""

import asyncio
from collections.abc import Hashable
from contextlib import AsyncExitStack
from itertools import product
from math import ceil
from operator import itemgetter
from typing import Any

import httpx2
import orjson
import pytest
from hypothesis import given, strategies as st

from db.session import Session
from docstead.graphql.endpoint import SHORT
from docstead.graphql.turns import KNOWN_IN_A_ROW, OF_CALLER, Caller, Turns
from docstead.http.client_addresses import neighbourhood
from resolvers.core.errors import ApiError, NoCapacity, RateLimited
from schema.documents import Documents
from tests.conftest import Api, World, settle

CALLERS = st.tuples(st.integers(0, 4), st.booleans())


async def _served(turns: Turns, callers: list[Caller], gone: set[int]) -> list[Any]:
    """What comes of those who stand in line while a turn lasts, in its order; `gone` hang up."""
    served: list[Any] = []

    async def ask(number: int, caller: Caller) -> None:
        try:
            async with turns.turn(caller):
                served.append(number)
        except ApiError as error:
            served.append(error)

    async with turns.turn(("before", True)):
        tasks = [asyncio.create_task(ask(*pair)) for pair in enumerate(callers)]
        await asyncio.sleep(0)
        for number in gone:
            tasks[number].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return served


@given(st.lists(CALLERS, max_size=40), st.data())
def test_callers_have_turns_in_turn(callers: list[Caller], data: st.DataObject) -> None:
    gone = data.draw(st.sets(st.sampled_from(range(len(callers))))) if callers else set()
    turns = Turns()
    served = asyncio.run(_served(turns, callers, gone))
    stayed = [number for number in range(len(callers)) if number not in gone]
    assert sorted(served) == stayed
    assert not turns._taken
    for number in stayed:
        caller = callers[number]
        before = served[: served.index(number)]
        mine = [other for other in stayed if other < number and callers[other] == caller]
        # In my order, and of each other caller at most one more than of mine.
        assert [other for other in before if callers[other] == caller] == mine
        of_others: dict[Hashable, int] = {}
        for other in before:
            of_others[callers[other]] = of_others.get(callers[other], 0) + 1
        alike = {key: n for key, n in of_others.items() if key[1] == caller[1] and key != caller}  # type: ignore[index]
        assert all(n <= len(mine) + 1 for n in alike.values())
        others = sum(n for key, n in of_others.items() if key[1] != caller[1])  # type: ignore[index]
        as_mine = len(mine) + sum(alike.values())
        if caller[1]:
            assert others <= ceil((as_mine + 1) / KNOWN_IN_A_ROW)
        else:
            assert others <= (as_mine + 1) * KNOWN_IN_A_ROW


@given(st.lists(CALLERS, max_size=60), st.integers(1, 5), st.integers(1, 12))
def test_a_line_has_an_end(callers: list[Caller], of_caller: int, of_all: int) -> None:
    served = asyncio.run(_served(Turns(of_caller, of_all), callers, set()))
    assert len(served) == len(callers)
    refused = [error for error in served if isinstance(error, ApiError)]
    assert all(isinstance(error, RateLimited | NoCapacity) for error in refused)
    assert all(error.retry_after for error in refused)
    for known in (True, False):
        theirs = [caller for caller in callers if caller[1] == known]
        waited = [callers[number] for number in served if isinstance(number, int)]
        waited = [caller for caller in waited if caller[1] == known]
        wanted = sum(min(theirs.count(caller), of_caller) for caller in set(theirs))
        # As many as there is room for; and whoever wanted little has got no less than others.
        assert len(waited) == min(wanted, of_all)
        shares = {caller: waited.count(caller) for caller in set(theirs)}
        for caller, share in shares.items():
            if share < min(theirs.count(caller), of_caller):
                assert all(other <= share + 1 for other in shares.values())


NETWORKS = st.tuples(st.tuples(st.integers(0, 2), st.integers(0, 9)), st.just(False))


@given(st.lists(NETWORKS, max_size=60), st.integers(1, 5), st.integers(1, 12))
def test_networks_share_a_line(callers: list[Caller], of_caller: int, of_all: int) -> None:
    """However many addresses of one there are."""
    networks: list[Any] = [key[0] for key, _ in callers]  # type: ignore[index]
    turns = Turns(of_caller, of_all, itemgetter(0))
    served = asyncio.run(_served(turns, callers, set()))
    numbers = [number for number in served if isinstance(number, int)]
    wanted = {
        network: sum(
            min(callers.count(caller), of_caller)
            for caller in set(callers)
            if caller[0][0] == network  # type: ignore[index]
        )
        for network in set(networks)
    }
    assert len(numbers) == min(sum(wanted.values()), of_all)
    of_networks = [networks[number] for number in numbers]
    shares = {network: of_networks.count(network) for network in wanted}
    for network, share in shares.items():
        if share < wanted[network]:
            assert all(other <= share + 1 for other in shares.values())
    # Each has a turn before any has its next one.
    for network, place in product(wanted, range(len(of_networks))):
        if of_networks[place] == network:
            before = of_networks[:place]
            mine = before.count(network)
            assert all(before.count(other) <= mine + 1 for other in wanted)
    assert not turns._unknown._networks


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("192.0.2.1", "192.0.2.255", True),
        ("192.0.2.1", "192.0.3.1", False),
        ("2001:db8:0:1::", "2001:db8:0:ffff::", True),
        ("2001:db8:0:1::", "2001:db8:1:1::", False),
        ("no address", "", False),
    ],
)
def test_neighbours(one: str, other: str, alike: bool) -> None:
    assert (neighbourhood(one) == neighbourhood(other)) is alike


async def test_whoever_hangs_up_with_the_turn_passes_it_on() -> None:
    turns = Turns()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(turns.turn(("first", True)))
        second, third = (asyncio.create_task(_one(turns, name)) for name in ("second", "third"))
        await asyncio.sleep(0)
    # The turn is the second one's, whose task does not know it yet.
    second.cancel()
    assert await third == "third"
    assert not turns._taken


async def _one(turns: Turns, name: str) -> str:
    async with turns.turn((name, True)):
        return name


# Over HTTP.


def _text(name: str, field: str) -> str:
    return f"query {name} {{ {field} {{ __typename }} }} # {'x' * SHORT}"


class Flood:
    """Requests of one address each, and the order in which their documents are prepared."""

    def __init__(self, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
        self.api, self.prepared = api, list[str]()
        self.endpoint = api.app._graphql._endpoint
        self.answers: dict[str, asyncio.Task[httpx2.Response]] = {}
        real = Documents.document

        def document(documents: Documents, text: str) -> Any:
            self.prepared.append(text.split()[1])
            return real(documents, text)

        monkeypatch.setattr(Documents, "document", document)

    def ask(self, name: str, address: str, field: str = "publishedSite", **headers: str) -> None:
        async def answer() -> httpx2.Response:
            transport = httpx2.ASGITransport(self.api.app, client=(address, 1))
            async with httpx2.AsyncClient(
                transport=transport, base_url="http://docs.test"
            ) as client:
                body = {"query": _text(name, field)}
                return await client.post("/graphql", json=body, headers=headers)

        self.answers[name] = asyncio.create_task(answer())

    async def waiting(self, known: int, unknown: int) -> None:
        turns = self.endpoint._turns
        while (turns._known._length, turns._unknown._length) != (known, unknown):  # noqa: ASYNC110
            await asyncio.sleep(0.001)

    async def of(self, name: str) -> httpx2.Response:
        return await self.answers[name]


def _refused(answer: httpx2.Response) -> tuple[int, str]:
    assert int(answer.headers["retry-after"]) > 0
    error = answer.json()["errors"][0]
    assert str(error["extensions"]["retryAfter"]) == answer.headers["retry-after"]
    return answer.status_code, error["extensions"]["code"]


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_whoever_hangs_up_leaves_the_line(
    accept: str, api: Api, session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await settle(session)
    token = await api.token_of(world.reader)
    flood, gone, sent = Flood(api, monkeypatch), asyncio.Event(), list[Any]()
    messages = [{"type": "http.request", "body": orjson.dumps({"query": _text("a", "viewer")})}]

    async def receive() -> Any:
        if messages:
            return messages.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = {"accept": accept, "authorization": f"Bearer {token}", "host": "docs.test",
               "content-type": "application/json"}  # fmt: skip
    scope = {
        "type": "http", "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": "/graphql", "raw_path": b"/graphql", "root_path": "", "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("192.0.2.1", 1), "server": ("docs.test", 80),
    }  # fmt: skip
    async with flood.endpoint._turns.turn(("test", True)):
        answer = asyncio.create_task(api.app(scope, receive, send))
        await flood.waiting(1, 0)
        gone.set()
        await flood.waiting(0, 0)
        await answer
    assert flood.prepared == sent == []
    assert not flood.endpoint._turns._taken


async def test_people_are_not_behind_strangers(
    api: Api, session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await settle(session)
    token = f"Bearer {await api.token_of(world.reader)}"
    flood = Flood(api, monkeypatch)
    async with flood.endpoint._turns.turn(("test", True)):
        for number in range(OF_CALLER + 2):
            flood.ask(f"loud{number}", "192.0.2.1")
        await flood.waiting(0, OF_CALLER)
        flood.ask("quiet", "192.0.2.2")
        await flood.waiting(0, OF_CALLER + 1)
        flood.ask("person", "192.0.2.1", "viewer", Authorization=token)
        await flood.waiting(1, OF_CALLER + 1)
    assert (await flood.of("person")).json()["data"]
    assert "data" not in (await flood.of("quiet")).json()
    await asyncio.gather(*flood.answers.values())
    assert flood.prepared[:3] == ["person", "loud0", "quiet"]
    for number in range(OF_CALLER, OF_CALLER + 2):
        assert _refused(await flood.of(f"loud{number}")) == (429, "RATE_LIMITED")
    assert flood.prepared[3:] == [f"loud{number}" for number in range(1, OF_CALLER)]


async def test_one_person_does_not_hold_the_line(
    api: Api, session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many addresses and tokens they have."""
    await settle(session)
    flood = Flood(api, monkeypatch)
    tokens = []
    for _ in range(2):
        api.tokens.pop(world.reader.id, None)
        tokens.append(f"Bearer {await api.token_of(world.reader)}")
    other = f"Bearer {await api.token_of(world.creator)}"
    async with flood.endpoint._turns.turn(("test", True)):
        for number in range(OF_CALLER):
            token = tokens[number % 2]
            flood.ask(f"loud{number}", f"192.0.2.{number}", "viewer", Authorization=token)
        await flood.waiting(OF_CALLER, 0)
        for name, accept in (("answer", "application/json"), ("stream", "text/event-stream")):
            flood.ask(name, "192.0.2.1", "viewer", Authorization=tokens[0], Accept=accept)
            assert _refused(await flood.of(name)) == (429, "RATE_LIMITED")
        flood.ask("person", "192.0.2.1", "viewer", Authorization=other)
        await flood.waiting(OF_CALLER + 1, 0)
    answers = await asyncio.gather(*flood.answers.values())
    assert flood.prepared.index("person") <= 1
    assert all(answer.json()["data"] for answer in answers if answer.status_code == 200)


async def test_a_full_line_takes_new_callers_for_who_has_most(
    api: Api, session: Session, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await settle(session)
    flood = Flood(api, monkeypatch)
    monkeypatch.setattr(flood.endpoint, "_turns", Turns(3, 3, neighbourhood))
    async with flood.endpoint._turns.turn(("test", True)):
        for number in range(3):
            flood.ask(f"loud{number}", "192.0.2.1")
            await flood.waiting(0, number + 1)
        flood.ask("second", "192.0.2.2")
        assert _refused(await flood.of("loud2")) == (503, "UNAVAILABLE")
        flood.ask("third", "192.0.2.3")
        assert _refused(await flood.of("loud1")) == (503, "UNAVAILABLE")
        # Each has one by now.
        flood.ask("fourth", "192.0.2.4")
        assert _refused(await flood.of("fourth")) == (503, "UNAVAILABLE")
        # But all are of one network.
        flood.ask("elsewhere", "198.51.100.1")
        assert _refused(await flood.of("third")) == (503, "UNAVAILABLE")
    await asyncio.gather(*flood.answers.values())
    assert flood.prepared == ["loud0", "elsewhere", "second"]
