"""Where events run."""

import pytest

from fetching.addresses import Allowance
from fetching.client import Fetcher
from runtime.calls import Outcome, UnavailableError
from runtime.runner import Runner, allowance_of
from tests.fetching.servers import answering, response
from tests.runtime.scripts import call


async def test_events_run_at_the_endpoint_instead_of_the_script() -> None:
    async with answering(response(b"endpoint")) as server:
        fetcher = Fetcher(Allowance(frozenset({("127.0.0.1", server.port)})))
        runner = Runner(fetcher, scripts=False)
        event = call("return new Response('script');")
        run = await runner.respond(event, server.url)
        assert run.response is not None
        assert run.response.body == b"endpoint"
        assert (await run.rest).outcome == Outcome.COMPLETE
        assert (await runner.run(event, server.url)).outcome == Outcome.COMPLETE
        with pytest.raises(UnavailableError, match="runs no scripts"):
            await runner.run(event)
        with pytest.raises(UnavailableError):
            await runner.respond(event)
        await runner.close()


def test_own_interface_is_in_reach_of_scripts() -> None:
    allowance = allowance_of("10.0.0.1:80", "http://127.0.0.1:8000")
    assert allowance.pairs == {("10.0.0.1", 80), ("127.0.0.1", 8000)}
    assert ("docs.example", 443) in allowance_of("", "https://docs.example/base").pairs
