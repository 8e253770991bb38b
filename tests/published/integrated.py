"""A published site whose organization has installed an integration, for tests."""

from dataclasses import dataclass, field
from typing import Any

from db.models.sites import Site
from db.models.spaces import Space
from db.session import Session
from tests import factories
from tests.conftest import Api, World, settle
from tests.published.test_sites import make_pages

SCOPES = ["space:content:read", "site:script:inject", "site:visitor:auth"]


@dataclass
class Integrated:
    """A site, its space, and the integration `echo` that is installed on both."""

    api: Api
    world: World
    site: Site
    space: Space
    body: dict[str, Any] = field(default_factory=dict)
    installation: str = ""

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        answer = await self.api.rest(method, path, self.world.admin, body)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    async def publish(self, script: str, **more: Any) -> None:
        """Publish the integration, again with what it had but for `more`."""
        self.body = {**self.body, "script": script, **more}
        await self.call("POST", "/integrations/echo", self.body)

    async def configure(self, configuration: dict[str, Any]) -> None:
        """Configure it for the space."""
        path = f"/integrations/echo/installations/{self.installation}/spaces/{self.space.id}"
        await self.call("PATCH", path, {"configuration": configuration})

    async def get(self, path: str = "/", **more: Any) -> Any:
        """A page of the site."""
        return await self.api.client.get(
            f"/sites/{self.site.id}{path}", follow_redirects=True, **more
        )


async def integrate(
    api: Api, world: World, session: Session, text: str, script: str, **manifest: Any
) -> Integrated:
    """A site with a page of this text, and an integration with this script."""
    space = await make_pages(session, world, "Guide", start={"text": text})
    site = await factories.make_site(session, world.organization, space, published=True)
    await settle(session)
    integrated = Integrated(api, world, site, space)
    integrated.body = {
        "organization": world.organization.id,
        "title": "Echo",
        "description": "Says what it hears",
        "scopes": SCOPES,
        **manifest,
    }
    await integrated.publish(script)
    body = {"organization": world.organization.id}
    made = await integrated.call("POST", "/integrations/echo/installations", body)
    integrated.installation = made["id"]
    path = f"/integrations/echo/installations/{made['id']}"
    await integrated.call("POST", f"{path}/spaces", {"space": space.id})
    await integrated.call("POST", f"{path}/sites", {"siteId": site.id})
    return integrated
