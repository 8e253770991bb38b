"""Small scripts in the form in which integrations are published, and events for them."""

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fetching.addresses import Allowance
from fetching.client import Fetcher
from runtime.calls import Answer, Call
from runtime.limits import Limits
from runtime.sandbox import Sandbox

NUMBERS = itertools.count()

# As a bundler leaves a script: declarations, one export at the end, a comment behind it.
BUNDLE = """
const read = async (request) => {
  if (request.method !== "POST" || new URL(request.url).pathname !== "/v1") {
    return new Response("no such path", { status: 400 });
  }
  const form = await request.formData();
  return { event: JSON.parse(form.get("event")), environment: JSON.parse(form.get("environment")),
           body: form.get("fetch-body") };
};
var handler = { async fetch(request, env, ctx) {
  const { event, environment, body } = await read(request);
  %s
} };
export{handler as default,read as handleFetchEvent};
//# sourceMappingURL=script.js.map
"""


def bundle(statements: str) -> str:
    """A script whose handler does this; `event`, `environment`, `body` and `ctx` are there."""
    return BUNDLE % statements


def call(statements: str, **more: Any) -> Call:
    """An event for such a script, of an installation of its own."""
    script = bundle(statements)
    values: dict[str, Any] = {
        "version": script,
        "script": script,
        "installation": f"installation-{next(NUMBERS)}",
        "event": {"type": "fetch", "eventId": "e1"},
        "environment": {"apiEndpoint": "http://api.example", "secrets": {}},
        **more,
    }
    return Call(**values)


@asynccontextmanager
async def sandbox(limits: Limits | None = None, *ports: int) -> AsyncIterator[Sandbox]:
    """A sandbox whose scripts reach these ports of the machine, and are ended with it."""
    allowance = Allowance(frozenset(("127.0.0.1", port) for port in ports))
    running = Sandbox(Fetcher(allowance), limits)
    try:
        yield running
    finally:
        await running.close()


def texts(answer: Answer) -> list[str]:
    """What a script has logged."""
    return [entry.text for entry in answer.log]
