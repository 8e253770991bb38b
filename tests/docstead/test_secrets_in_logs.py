"""Faults behind addresses that open something: what the log has of them opens nothing."""

import io
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from urllib.parse import quote

import httpx2
import pytest
from hypothesis import given, strategies as st
from sqlalchemy import select, text

from db.enums import SitePreviews, SiteVisibility
from db.models.site_settings import ShareLink
from db.session import Database, Session
from docstead.asgi import create_app
from docstead.monitoring.logs import Lines, RequestIds
from rest_compat.log_redaction import logged_path, redacted
from tests import factories
from tests.conftest import Api, World, settle
from tests.docstead.http.test_file_downloads import stored
from tests.published.sites import make_flat

# What each request needs of the database; it is called something else meanwhile.
TABLES = ("site", "space", "organization")


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """The log of a server."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(Lines())
    handler.addFilter(RequestIds())
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)


@asynccontextmanager
async def broken(database: Database) -> AsyncIterator[None]:
    """Tables are not where they were: a fault of nearly every request."""
    async with database.engine.begin() as connection:
        for name in TABLES:
            await connection.execute(text(f"ALTER TABLE {name} RENAME TO hidden_{name}"))
    yield
    async with database.engine.begin() as connection:
        for name in TABLES:
            await connection.execute(text(f"ALTER TABLE hidden_{name} RENAME TO {name}"))


async def test_faults_behind_secret_addresses(
    api: Api, world: World, session: Session, database: Database, lines: io.StringIO
) -> None:
    shared = await make_flat(
        session, world.organization, "one", visibility=SiteVisibility.SHARE_LINK
    )
    opened = await make_flat(session, world.organization, "two", previews=SitePreviews.MEMBERS)
    space = opened.site_spaces["two"].space_id
    request = await factories.make_change_request(
        session, await factories.make_space(session, world.organization), world.editor
    )
    session.add(ShareLink(site_id=shared.site.id, name="Key"))
    opened.site_spaces["two"].space_id = request.space_id
    (await session.merge(world.organization)).hostname = "acme"
    await settle(session)
    key = (
        await session.execute(
            select(ShareLink.secret).where(ShareLink.site_id == shared.site.id)
        )
    ).scalars().first()  # fmt: skip
    assert key is not None
    path = f"/orgs/{world.organization.id}/sites/{opened.site.id}/publishing/preview"
    made = await api.rest("GET", f"{path}?changeRequest={request.id}", world.reader)
    signed = made.json()["url"].partition("/~preview/")[2].partition("/")[0]
    preview = f"/sites/{opened.site.id}/~preview/{signed}/~/changes/{request.number}"
    root = f"http://docs.test/sites/{opened.site.id}"
    content = (await api.rest("POST", "/urls/published", None, {"url": root})).json()["apiToken"]
    token = await api.token_of(world.reader)
    file = await stored(api)
    signature = file.partition("signature=")[2].partition("&")[0]
    visitor = shared.token()
    keyed = f"/sites/{shared.site.id}/{key}"
    hosted = f"http://acme.docs.test/{shared.site.basename}/{key}"
    asked = {
        preview: 500,
        preview.replace("/~", "/%7E"): 500,
        f"{preview}.md": 500,
        keyed: 500,
        f"{keyed}/page?q=text": 500,
        hosted: 500,
        f"http://acme.docs.test/~preview/{signed}": 500,
        f"{root}?jwt_token={visitor}": 500,
        file: 500,
        f"/v1/urls/published?url={quote(f'http://docs.test{keyed}')}": 500,
        f"/v1/urls/published?url={quote(f'http://docs.test{preview}', safe='')}": 500,
        f"/v1/spaces/{space}?shareKey={key}": 500,
    }
    await session.commit()
    await session.close()
    app = create_app(api.server.settings, api.server)
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    client = httpx2.AsyncClient(transport=transport, base_url="http://docs.test")
    bearers = ("", content, token)
    async with broken(database), client:
        statuses: dict[str, int] = {}
        for address in asked:
            for bearer in bearers:
                headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
                statuses[address] = max(
                    statuses.get(address, 0),
                    (await client.get(address, headers=headers)).status_code,
                )
    assert statuses == asked
    written = lines.getvalue()
    for secret in (signed, key, signature, content, token, visitor):
        assert secret not in written
        # Not a part of it, either.
        assert secret[:20] not in written.replace(LOGGED_HEADER, "")
        assert secret[-20:] not in written
    assert f"GET /sites/{opened.site.id}/… failed" in written
    assert f"GET /sites/{shared.site.id}/… failed" in written
    assert f"GET /v1/spaces/{space} failed" in written
    assert "GET /… failed" in written


# The header of all our tokens is the same, and says nothing.
LOGGED_HEADER = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"
SEGMENT = st.text("abcXYZ019_-", min_size=8, max_size=30)
JWT = st.tuples(SEGMENT, SEGMENT, SEGMENT).map(lambda parts: f"eyJ{'.'.join(parts)}")
AROUND = st.text("gh /?&='\"\n:…", max_size=20)


@given(before=AROUND, token=JWT, name=st.sampled_from(["signature", "shareKey", "jwt_token"]),
       key=SEGMENT, after=AROUND)  # fmt: skip
def test_texts_lose_what_opens_something(
    before: str, token: str, name: str, key: str, after: str
) -> None:
    for text_, secret in (
        (f"{before} {token} {after}", token),
        (f"{before}/{token}/{after}", token),
        (f"{before}/~preview/{key}/{after}", key),
        (f"{before}?{name}={key}&{after}", key),
        (f"{before}%3F{name}%3D{key}&{after}", key),
        (f"{before} Bearer {key} {after}", key),
        (f"{before} docstead_{key.replace('_', 'a').replace('-', 'a')}", f"docstead_{key[:8]}"),
    ):
        found = redacted(text_)
        assert secret not in found
        assert redacted(found) == found


def test_texts_without_secrets_stay() -> None:
    for line in (
        "GET /v1/spaces/s/content/path/keys%2Fpreview failed (0a1b)",
        'File "/app/resolvers/content_tokens.py", line 12, in verify',
        "sqlite3.OperationalError: no such table: site",
        "the renderer of site site_1 did not take a call; its answer: none",
    ):
        assert redacted(line) == line


def test_long_lines_are_no_work() -> None:
    """Twice the text is twice the work: nothing is looked at again from each place."""
    for piece in ("eyJ", "eyJaaaaaaa.", "/~preview/", "signature=", "Bearer ", "docstead_"):
        assert len(redacted(piece * 200_000)) <= len(piece) * 200_000


@pytest.mark.parametrize(
    ("path", "routed", "logged"),
    [
        ("/sites/s/key/page", True, "/sites/s/…"),
        ("/sites/s", True, "/sites/s"),
        ("/key/page", False, "/…"),
        ("/v1/key", False, "/…"),
        ("/v1/spaces/s", True, "/v1/spaces/s"),
        ("/uploads/u", True, "/uploads/…"),
        ("/v1/" + "x" * 500, True, "/v1/" + "x" * 196),
    ],
)
def test_paths(path: str, routed: bool, logged: str) -> None:
    scope = {"path": path} | ({"endpoint": test_paths} if routed else {})
    assert logged_path(scope) == logged
