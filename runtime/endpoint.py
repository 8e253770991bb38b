"""Events that are sent to an endpoint of the integration's author, as they are to a script.

The endpoint is a worker that runs the same script, or a tunnel to one while it is developed.
"""

import time
from contextlib import AsyncExitStack

from fetching.client import Fetcher
from fetching.decoding import TooMuch, decoder_of
from fetching.errors import FetchError
from fetching.locations import read_location
from runtime import limits
from runtime.calls import Answer, Call, Outcome, Response
from runtime.headers import OF_CONNECTIONS, checked_headers, without
from runtime.multipart import event_parts, write_multipart

# Where workers take events, below the address of the endpoint.
PATH = "/v1"


class Endpoints:
    """Sends events to endpoints; private addresses only where the operator allows them."""

    def __init__(self, fetcher: Fetcher, seconds: float) -> None:
        self._fetcher = fetcher
        self._seconds = seconds

    async def run(self, call: Call, url: str) -> Answer:
        """What the endpoint at a URL has answered to an event; it does not learn who is waiting."""
        begun = time.monotonic()
        try:
            response = await self._sent(call, url)
        except (FetchError, TooMuch, ValueError) as error:
            outcome, response, why = Outcome.UNREACHABLE, None, str(error)
        else:
            outcome, why = Outcome.COMPLETE, ""
        return Answer(outcome, response, why, wall=1000 * (time.monotonic() - begun))

    async def _sent(self, call: Call, url: str) -> Response:
        parts = event_parts(call.event, call.environment, call.body, call.content_type)
        body, content_type = write_multipart(parts)
        location = read_location(url.rstrip("/") + PATH)
        async with AsyncExitStack() as stack:
            answer = await stack.enter_async_context(
                self._fetcher.streamed(
                    "POST", location, {"content-type": content_type}, body, seconds=self._seconds
                )
            )
            headers = checked_headers([list(pair) for pair in answer.headers])
            decoder = decoder_of(dict(headers).get("content-encoding", ""), limits.ANSWER_BYTES)
            empty = True
            async for chunk in answer.chunks:
                decoder.feed(chunk)
                empty = False
            data = b"" if empty else decoder.finish()
        return Response(
            answer.status, without(headers, OF_CONNECTIONS | {"content-encoding"}), data
        )
