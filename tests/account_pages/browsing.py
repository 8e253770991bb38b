"""A browser without scripts for tests: it keeps cookies, follows nothing, and sends forms."""

import asyncio
import re
from collections.abc import Mapping
from html import unescape
from typing import Any
from urllib.parse import urlencode

import httpx2
from sqlalchemy import select

from account_pages.requests import FORM
from db.models.mail import OutgoingMail
from db.models.organizations import User
from db.session import Database
from resolvers.core.actors import OPERATOR
from resolvers.core.runners import run
from resolvers.sign_in.links import make_sign_in_link
from tests.conftest import Api

BASE = "http://docs.test"
OWN: Mapping[str, str] = {"Sec-Fetch-Site": "same-origin", "Origin": BASE}
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


class Browser:
    """One browser with its cookies."""

    def __init__(self, api: Api, agent: str = "Mozilla/5.0 (X11; Linux) Firefox/140.0") -> None:
        transport = api.client._transport
        self.client = httpx2.AsyncClient(
            transport=transport, base_url=BASE, headers={"User-Agent": agent}
        )
        self.api = api

    @property
    def cookie(self) -> str | None:
        """The text of the session's cookie."""
        return self.client.cookies.get("docstead-session")

    async def get(self, path: str) -> httpx2.Response:
        return await self.client.get(path)

    async def post(
        self, path: str, headers: Mapping[str, str] = OWN, **fields: Any
    ) -> httpx2.Response:
        """Send a form with these fields and nothing else."""
        return await self.client.post(
            path, content=urlencode(fields), headers={"Content-Type": FORM, **headers}
        )

    async def send(self, page: str, action: str, **fields: Any) -> httpx2.Response:
        """Open a page and send its form with this action, as a person would."""
        html = (await self.get(page)).text
        (form,) = [part for part in html.split("<form ")[1:] if f'action="{action}"' in part]
        hidden = _HIDDEN.findall(form.partition("</form>")[0])
        values = {name: unescape(value) for name, value in hidden}
        return await self.post(action, **values, **fields)

    async def sign_in(self, person: User) -> None:
        """Sign a person in by a link of the operator."""
        path = await link_of(self.api, person)
        response = await self.send(path, path)
        assert response.status_code == 303, response.text


async def link_of(api: Api, person: User) -> str:
    """The path of a new link that signs a person in."""
    async with api.server.context_of(OPERATOR) as ctx:
        link = await run(ctx, make_sign_in_link, person.email)
    assert link.url.startswith(f"{BASE}/sign-in/link/")
    return link.url.removeprefix(BASE)


async def mails(database: Database, number: int) -> list[OutgoingMail]:
    """The messages that wait, once there are so many: they are written behind the answer."""
    for _ in range(3_000):
        async with database.session() as session:
            rows = list((await session.execute(select(OutgoingMail))).scalars())
        if len(rows) >= number:
            break
        await asyncio.sleep(0.01)
    assert len(rows) == number
    return rows
