"""A person signs on through SAML and OpenID Connect in Chromium.

The providers are on `localhost` and the server on 127.0.0.1, which to a browser are two sites: it
sends no cookie of the one with forms of the other.
"""

import asyncio
import base64
import json
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from lxml import etree
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PHONE, findings
from tests.docstead.test_serve import run, serving
from tests.identity_provider import IdentityProvider, Said
from tests.openid_provider import CLIENT, SECRET, OpenIdServer, openid_server

ENTITY = "urn:example:idp"


class SamlPages(BaseHTTPRequestHandler):
    """The page of a SAML provider, with a button for those who use no scripts."""

    def do_GET(self) -> None:
        packed = parse_qs(urlsplit(self.path).query)["SAMLRequest"][0]
        request = etree.fromstring(zlib.decompress(base64.b64decode(packed), -15))
        acs, audience = request.get("AssertionConsumerServiceURL"), request.findtext("{*}Issuer")
        said = Said(acs, audience, request.get("ID"), email="grace@example.com", issuer=ENTITY)
        names = {"first_name": "Grace", "last_name": "Hopper"}
        answer = IdentityProvider().answer(said.but(attributes=names))
        page = (
            f'<!doctype html><form method="post" action="{escape(acs)}">'
            f'<input type="hidden" name="SAMLResponse" value="{answer}"><button>Go</button></form>'
        )
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def saml_pages() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), SamlPages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@contextmanager
def openid_pages() -> Iterator[OpenIdServer]:
    """The provider in a thread with an event loop of its own."""
    started, stopping = threading.Event(), threading.Event()
    holder: list[OpenIdServer] = []

    async def serve() -> None:
        async with openid_server() as provider:
            provider.issuer = provider.issuer.replace("127.0.0.1", "localhost")
            holder.append(provider)
            started.set()
            await asyncio.to_thread(stopping.wait)

    thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
    thread.start()
    assert started.wait(60)
    yield holder[0]
    stopping.set()
    thread.join(60)


@pytest.mark.filterwarnings("ignore")
def test_both_ways(browser: Browser, axe: str, artifacts: Path, tmp_path: Path) -> None:
    data_dir, described = tmp_path / "data", tmp_path / "providers.json"
    with saml_pages() as saml, openid_pages() as openid:
        openid.claims = {"email": "ada@example.com"}
        provider = {"name": "login", "label": "Our login", "issuer": openid.issuer,
                    "clientId": CLIENT, "clientSecret": SECRET}  # fmt: skip
        described.write_text(json.dumps([provider]))
        settings = {
            "DOCSTEAD_OPENID_PROVIDERS": str(described),
            "DOCSTEAD_FETCH_ALLOW": urlsplit(openid.issuer).netloc,
        }
        with serving(data_dir, settings=settings) as (base, _):
            made = run(
                "init", "--email", "ada@example.com", "--name", "Ada Lovelace", "--organization",
                "Acme Docs", "--data-dir", str(data_dir),
            )  # fmt: skip
            body = {
                "label": "Okta", "entityID": ENTITY, "ssoURL": f"{saml}/sso",
                "certificate": IdentityProvider().certificate, "defaultRole": "edit",
            }  # fmt: skip
            stored = httpx2.post(
                f"{base}/v1/orgs/{made['organization']['id']}/saml",
                json=body,
                headers={"Authorization": f"Bearer {made['token']}"},
            )
            assert stored.status_code == 201, stored.text
            context = browser.new_context(viewport=PHONE)
            page = context.new_page()
            page.goto(f"{base}/sign-in?next=/account/sessions")
            assert findings(page, axe) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
            page.screenshot(path=artifacts / "sign-on-phone.png", full_page=True)
            page.get_by_role("link", name="Sign in with Okta").press("Enter")
            page.get_by_role("button", name="Go").click()
            page.wait_for_url(f"{base}/account/sessions")
            expect(page.get_by_text("Grace Hopper").first).to_be_visible()
            # Back to the provider's page: its form is not taken again.
            page.go_back()
            page.get_by_role("button", name="Go").click()
            expect(page.get_by_text("taken already")).to_be_visible()
            context.close()

            context = browser.new_context()
            page = context.new_page()
            page.goto(f"{base}/sign-in")
            page.screenshot(path=artifacts / "sign-on.png", full_page=True)
            page.get_by_role("link", name="Sign in with Our login").click()
            page.wait_for_url(f"{base}/account")
            expect(page.get_by_text("Ada Lovelace").first).to_be_visible()
            context.close()
