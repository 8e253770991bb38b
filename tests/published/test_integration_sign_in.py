"""Visitors who are signed in by an integration."""

from collections.abc import Mapping
from typing import Any

import pytest

from db.session import Session
from docstead.server import Server
from jobs.integrations import Asking
from resolvers.core.installation import Concerns
from runtime.calls import Answer
from tests.conftest import Api, World
from tests.published.integrated import integrate
from tests.runtime.scripts import bundle

SCRIPT = bundle(
    """
    if (event.type !== "fetch_visitor_authentication") return new Response("OK");
    const to = encodeURIComponent(event.location);
    return Response.redirect(`https://login.example/?to=${to}`, 302);
    """
)


class Watched(Asking):
    """Asks as the server does, and notes how many connections of reads are in use meanwhile."""

    def __init__(self, server: Server) -> None:
        super().__init__(server.context_of, lambda: server.runner)
        self._reads = server.database.reads
        self.in_use: list[int] = []

    async def __call__(
        self, integration_id: str, event: Mapping[str, Any], concerns: Concerns
    ) -> Answer:
        self.in_use.append(self._reads.in_use)
        return await super().__call__(integration_id, event, concerns)


async def test_who_waits_for_a_script_holds_no_connection(
    api: Api, world: World, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = await integrate(api, world, session, "Secret text.", SCRIPT)
    path = f"/orgs/{world.organization.id}/sites/{site.site.id}"
    await site.call("PATCH", path, {"visibility": "visitor-auth"})
    await site.call("PATCH", f"{path}/publishing/auth", {"backend": "integration"})
    watched = Watched(api.server)
    monkeypatch.setattr(api.server, "asking", watched)
    address = f"/sites/{site.site.id}/start"
    answer = await api.client.get(address)
    assert answer.is_redirect
    assert answer.headers["location"] == "https://login.example/?to=%2Fstart"
    assert "Secret" not in answer.text
    assert watched.in_use == [0]
    await api.server.runner.close()
