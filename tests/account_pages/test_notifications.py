"""The page about notifications, and the addresses in mail that end it."""

import pytest

from db.models.notifications import NotificationSettings
from db.notification_enums import DigestFrequency, NotificationLevel
from db.session import Database, Session
from resolvers.core.actors import OPERATOR
from resolvers.notifications.digests import unsubscribe_path
from tests import factories
from tests.account_pages.browsing import Browser
from tests.conftest import Api, World, settle
from tests.jobs.test_digests import choose, settings_of

PATH = "/account/notifications"


@pytest.fixture
async def browser(api: Api, world: World, session: Session) -> Browser:
    await settle(session)
    opened = Browser(api)
    await opened.sign_in(world.reader)
    return opened


async def test_settings_are_changed(
    browser: Browser, api: Api, database: Database, world: World, session: Session
) -> None:
    await session.begin_write()
    guide = await factories.make_space(session, world.organization, title="Guide <b>")
    await settle(session)
    page = (await browser.get(PATH)).text
    assert "This server sends no mail." in page
    assert 'value="participating" checked' in page
    sent = await browser.send(PATH, PATH, level="all", digest="weekly")
    assert sent.headers["location"] == f"{PATH}?done=saved"
    stored = await settings_of(database, world.reader)
    assert (stored.level, stored.digest) == (NotificationLevel.ALL, DigestFrequency.WEEKLY)
    path = f"/v1/user/notification-settings/spaces/{guide.id}".removeprefix("/v1")
    await api.rest("PUT", path, world.reader, json={"level": "none"})
    page = (await browser.get(f"{PATH}?done=saved")).text
    assert "Your settings are saved." in page
    assert "Guide &lt;b&gt;" in page
    action = f"{PATH}/spaces/{guide.id}"
    assert (await browser.send(PATH, action, level="all")).status_code == 303
    assert (await browser.send(PATH, action, level="default")).status_code == 303
    assert "Guide" not in (await browser.get(PATH)).text
    wrong = await browser.send(PATH, PATH, level="loud", digest="weekly")
    assert wrong.status_code == 422
    assert "none of those that are offered" in wrong.text


async def test_others_are_sent_to_sign_in(browser: Browser, api: Api) -> None:
    answer = await Browser(api).get(PATH)
    assert answer.headers["location"] == f"/sign-in?next={PATH}"
    assert (await browser.post(PATH, level="all", digest="off")).status_code == 403


async def address(api: Api, person_id: str) -> str:
    async with api.server.context_of(OPERATOR) as ctx:
        return unsubscribe_path(ctx, person_id)


@pytest.mark.parametrize("multipart", [True, False], ids=["multipart", "form"])
async def test_one_click_ends_mail(
    api: Api, database: Database, session: Session, world: World, multipart: bool
) -> None:
    await settle(session)
    await choose(session, world.reader, DigestFrequency.WEEKLY)
    path = await address(api, world.reader.id)
    # Programs that look at mail open addresses: that changes nothing.
    page = await api.client.get(path)
    assert page.status_code == 200
    assert f'action="{path}"' in page.text
    assert "no-store" in page.headers["cache-control"]
    assert (await settings_of(database, world.reader)).digest is DigestFrequency.WEEKLY
    fields = {"List-Unsubscribe": "One-Click"}
    if multipart:
        # As RFC 8058 prefers it: without cookies, from nowhere.
        answer = await api.client.post(path, files={"List-Unsubscribe": (None, "One-Click")})
    else:
        answer = await api.client.post(path, data=fields)
    assert answer.status_code == 200
    assert (await settings_of(database, world.reader)).digest is DigestFrequency.OFF
    # Again is no error: a click too many.
    assert (await api.client.post(path, data=fields)).status_code == 200


async def test_no_other_address_ends_it(
    api: Api, database: Database, session: Session, world: World
) -> None:
    await settle(session)
    await choose(session, world.reader, DigestFrequency.WEEKLY)
    path = await address(api, world.reader.id)
    other = await address(api, world.creator.id)
    forged = path.partition(".")[0] + "." + other.partition(".")[2]
    for wrong in (path[:-1], forged, path + "0", "/notifications/unsubscribe/x", f"{path}é"):
        assert (await api.client.get(wrong)).status_code == 404
        assert (await api.client.post(wrong)).status_code == 404
    # Of somebody who has none any more.
    assert (await api.client.post(other)).status_code == 404
    stored: NotificationSettings = await settings_of(database, world.reader)
    assert stored.digest is DigestFrequency.WEEKLY
