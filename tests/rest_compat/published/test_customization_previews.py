"""Previews of settings that are not saved: what they show, to whom, and what they leave alone."""

import asyncio
import base64
import json
import re
import threading
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from db.enums import SiteVisibility
from db.session import Session
from jobs.purge import clear_uploads
from resolvers.core.actors import OPERATOR
from resolvers.core.errors import Forbidden
from resolvers.customization import drafts
from resolvers.customization.defaults import DEFAULTS, SECTIONS
from resolvers.customization.drafts import (
    MOST_CHARACTERS,
    packed_changes,
    taken_up,
    with_packed,
)
from tests import factories
from tests.chance import forged
from tests.conftest import Api, World, settle
from tests.published.test_sites import make_pages
from tests.rest_compat.published.test_previews import resolved

PREVIEW = """query($id: ID!, $input: SiteCustomizationSettingsInput!) {
  siteCustomizationPreview(siteId: $id, input: $input) { url } }"""
LOOK = {
    "title": "Draft title",
    "styling": {"primaryColor": {"light": "#abcdef", "dark": "#fedcba"}},
    "announcement": {"enabled": True, "message": "Nobody has said this", "style": "info"},
}


@pytest.fixture
async def site(session: Session, world: World) -> Any:
    space = await make_pages(session, world, "Guide", start={"text": "Text.\n"}, more={})
    made = await factories.make_site(
        session, world.organization, space, title="Handbook", published=True
    )
    await factories.make_site_customization(
        session, made, {"footer": {"copyright": "Saved"}, "title": "Saved title"}
    )
    await settle(session)
    return made


def path_of(world: World, site: Any) -> str:
    return f"/orgs/{world.organization.id}/sites/{site.id}/customization"


async def previewed(api: Api, world: World, site: Any, look: Any = LOOK) -> str:
    answer = await api.rest("POST", f"{path_of(world, site)}/preview", world.creator, look)
    assert answer.status_code == 200, answer.text
    url: str = answer.json()["url"]
    return url.removeprefix("http://docs.test")


async def test_both_doors_show_the_same_look(api: Api, world: World, site: Any) -> None:
    url = await previewed(api, world, site)
    look = {**LOOK, "announcement": {**LOOK["announcement"], "style": "INFO"}}  # type: ignore[dict-item]
    by_graph = await api.data(PREVIEW, world.creator, id=site.id, input=look)
    first, second = [
        await api.client.get(one.removeprefix("http://docs.test"), headers={"Accept": "text/html"})
        for one in (url, by_graph["siteCustomizationPreview"]["url"])
    ]
    assert first.status_code == second.status_code == 200, first.text
    for page in (first, second):
        assert "Draft title" in page.text
        assert "Nobody has said this" in page.text
        # Settings are replaced as a whole, as saving them would do.
        assert "Saved" not in page.text
        sheet = re.search(r'href="([^"]+\.css)"', page.text)
        assert sheet is not None
        assert "#abcdef" in (await api.client.get(sheet[1])).text
        assert page.headers["x-robots-tag"] == "noindex"
        assert page.headers["cache-control"] == "private, no-cache"
        assert page.headers["referrer-policy"] == "no-referrer"
        assert "frame-ancestors 'self'" in page.headers["content-security-policy"]
        assert "This is not published." in page.text
    # Its links stay in it, and nobody else sees any of it.
    assert f'href="{url}/more"' in first.text
    for _ in range(2):
        plain = await api.client.get(f"/sites/{site.id}", headers={"Accept": "text/html"})
        assert "Saved title" in plain.text
        assert "Draft title" not in plain.text
        assert "Draft title" in (await api.client.get(url)).text
    saved = await api.rest("GET", path_of(world, site), world.creator)
    assert saved.json()["title"] == "Saved title"


async def test_renderers_read_the_look_with_their_token(api: Api, world: World, site: Any) -> None:
    url = await previewed(api, world, site)
    token = (await resolved(api, f"http://docs.test{url}"))["apiToken"]
    own = (await resolved(api, f"http://docs.test/sites/{site.id}"))["apiToken"]
    for _ in range(2):
        for bearer, title in ((token, "Draft title"), (own, "Saved title")):
            headers = {"Authorization": f"Bearer {bearer}"}
            read = await api.rest("GET", path_of(world, site), None, headers=headers)
            assert read.json()["title"] == title
            asked = await api.client.post(
                "/graphql", headers=headers,
                json={"query": f'{{ site(id: "{site.id}") {{ customization {{ title }} }} }}'},
            )  # fmt: skip
            assert asked.json()["data"]["site"]["customization"]["title"] == title


async def test_it_is_for_those_who_may_save(api: Api, world: World, site: Any) -> None:
    people = (world.creator, world.admin, world.editor, world.reviewer, world.commenter,
              world.reader, world.outsider)  # fmt: skip
    statuses = [
        (await api.rest("POST", f"{path_of(world, site)}/preview", person, LOOK)).status_code
        for person in people
    ]
    assert statuses == [200, 200, 403, 403, 403, 403, 404]
    for person, status in zip(people, statuses, strict=True):
        answer = await api.graphql(PREVIEW, person, id=site.id, input={"title": "Draft"})
        code = 200 if "errors" not in answer else answer["errors"][0]["extensions"]["status"]
        assert code == status


async def test_it_opens_what_is_closed_and_ends(
    api: Api, session: Session, world: World, site: Any
) -> None:
    (await session.merge(site)).visibility = SiteVisibility.VISITOR_AUTH
    await session.commit()
    url = await previewed(api, world, site)
    assert (await api.client.get(url)).status_code == 200
    assert (await api.client.get(f"/sites/{site.id}")).status_code == 403
    # Of another site it is none, nor when a letter of it is another one.
    other = await factories.make_site(
        session, world.organization, await make_pages(session, world, "Second", start={}),
        published=True,
    )  # fmt: skip
    await settle(session)
    foreign = url.replace(site.id, other.id)
    assert (await api.client.get(foreign)).status_code == 404
    assert (await api.client.get(forged(url))).status_code == 404
    (await session.merge(site)).published = False
    await session.commit()
    assert (await api.client.get(url)).status_code == 404
    refused = await api.rest("POST", f"{path_of(world, site)}/preview", world.creator, LOOK)
    assert refused.status_code == 412


async def test_sites_on_a_host_are_previewed_on_this_server(
    api: Api, session: Session, world: World, site: Any
) -> None:
    """For it is there that the frame of the Workbench may show them."""
    (await session.merge(site)).hostname = "handbook.test"
    await session.commit()
    url = await previewed(api, world, site)
    page = await api.client.get(f"{url}/more")
    assert page.status_code == 200
    assert "Draft title" in page.text
    assert '<link rel="canonical" href="http' in page.text
    assert "handbook.test/more" in page.text
    # Every other address leads to the host, that of a preview for a visitor too.
    claims = f"/orgs/{world.organization.id}/sites/{site.id}/publishing/preview?claims=(a:!t)"
    for_visitor = (await api.rest("GET", claims, world.creator)).json()["url"]
    token = for_visitor.rpartition("/")[2]
    for path in ("/more", f"/~preview/{token}"):
        moved = await api.client.get(f"/sites/{site.id}{path}")
        assert moved.status_code == 307, path
        assert "handbook.test" in moved.headers["location"]


@pytest.mark.parametrize(
    ("look", "status", "words"),
    [
        ({"title": 3}, 422, "title"),
        ({"styling": {"primaryColor": {"light": "red", "dark": "#fff"}}}, 422, "primaryColor"),
        ({"favicon": {"emoji": "1f600", "icon": {"light": "x", "dark": "x"}}}, 422, "favicon"),
        ({"header": {"links": [{"title": "A", "to": {"kind": "no"}}]}}, 422, "header.links[0].to"),
    ],
)  # fmt: skip
async def test_settings_are_checked_as_when_they_are_saved(
    api: Api, world: World, site: Any, look: Any, status: int, words: str
) -> None:
    answer = await api.rest("POST", f"{path_of(world, site)}/preview", world.creator, look)
    saved = await api.rest("PUT", path_of(world, site), world.creator, look)
    assert (answer.status_code, saved.status_code) == (status, status), answer.text
    assert answer.json()["error"]["message"] == saved.json()["error"]["message"]
    assert words in answer.text


def links(count: int) -> Any:
    return {
        "header": {
            "links": [
                {"title": f"Part {at} {hash((at, 1)):x}",
                 "to": {"kind": "url", "url": f"https://{hash(at * 977):x}.example/{at}"}}
                for at in range(count)
            ]
        }
    }  # fmt: skip


async def test_all_settings_that_can_be_saved_can_be_seen_before(
    api: Api, world: World, site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    look, read_in, real = links(80), list[threading.Thread](), drafts._read

    def read_changes(packed: str) -> Any:
        read_in.append(threading.current_thread())
        return real(packed)

    monkeypatch.setattr(drafts, "_read", read_changes)
    # The test on the other database has asked for the same.
    drafts._UNPACKED.clear()
    by_graph = await api.data(PREVIEW, world.creator, id=site.id, input=look)
    shown_by_graph = by_graph["siteCustomizationPreview"]["url"].removeprefix("http://docs.test")
    for url in (await previewed(api, world, site, look), shown_by_graph):
        assert len(url) < 500
        page = await api.client.get(url, headers={"Accept": "text/html"})
        assert page.status_code == 200, page.text
        assert "Part 79" in page.text
        assert "Part 79" in (await api.client.get(f"{url}/more")).text
        # A renderer of somebody's own reads them with the content token.
        token = (await resolved(api, f"http://docs.test{url}"))["apiToken"]
        headers = {"Authorization": f"Bearer {token}"}
        read = await api.rest("GET", path_of(world, site), None, headers=headers)
        assert read.status_code == 200, read.text
        assert len(read.json()["header"]["links"]) == 80
    # Once for all of them, and beside the event loop.
    assert len(read_in) == 1
    assert read_in[0].name.startswith("asyncio_")
    # They are of this site alone, and its readers see nothing of them.
    assert "Part 79" not in (await api.client.get(f"/sites/{site.id}")).text
    carried = url.split("/")[-1].split(".")[1]
    changes = json.loads(base64.urlsafe_b64decode(carried + "=="))["look"]
    blobs = (await api.server.file_access()).blobs
    assert len(await taken_up(blobs, site.id, changes)) > MOST_CHARACTERS
    with pytest.raises(Forbidden):
        await taken_up(blobs, "another", changes)


async def test_long_changes_last_as_long_as_previews(
    api: Api, world: World, site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "KEPT_OF_SITE", 2)
    urls = [await previewed(api, world, site, links(count)) for count in (60, 70, 80)]
    token = (await resolved(api, f"http://docs.test{urls[2]}"))["apiToken"]
    assert [(await api.client.get(url)).status_code for url in urls] == [403, 200, 200]
    async with api.server.context_of(OPERATOR) as ctx:
        await clear_uploads(ctx, ctx.now())
        assert (await api.client.get(urls[1])).status_code == 200
        monkeypatch.setattr(drafts, "KEPT_SECONDS", -60)
        await clear_uploads(ctx, ctx.now())
    page = await api.client.get(urls[2])
    assert page.status_code == 403
    assert "make a new one" in page.text
    headers = {"Authorization": f"Bearer {token}"}
    assert (await api.rest("GET", path_of(world, site), None, headers=headers)).status_code == 403
    # Who asks again has it again.
    monkeypatch.undo()
    assert (await api.client.get(await previewed(api, world, site, links(80)))).status_code == 200


VALUES = st.recursive(
    st.none() | st.booleans() | st.text(max_size=5),
    lambda below: (
        st.lists(below, max_size=2) | st.dictionaries(st.text(max_size=3), below, max_size=2)
    ),
    max_leaves=4,
)
SET = VALUES.filter(lambda value: value is not None)


def layers(sections: Any, defaults: Any) -> st.SearchStrategy[Any]:
    """Settings as they are stored: any members of each section, no section that is empty."""
    names = [name for name in defaults if name not in sections] + ["other"]
    members: dict[str, Any] = dict.fromkeys(names, SET)
    for name, below in sections.items():
        members[name] = layers(below, defaults.get(name, {})).filter(bool)
    return st.fixed_dictionaries({}, optional=members)


@settings(max_examples=150, deadline=None)
@given(before=layers(SECTIONS, DEFAULTS), after=layers(SECTIONS, DEFAULTS))
def test_any_change_comes_out_as_it_went_in(before: Any, after: Any) -> None:
    assert asyncio.run(with_packed(before, packed_changes(before, after))) == after
    assert asyncio.run(with_packed(before, packed_changes(before, before))) == before


async def test_another_release_says_that_a_preview_has_to_be_made_again(
    api: Api, world: World, site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = await previewed(api, world, site)
    token = (await resolved(api, f"http://docs.test{url}"))["apiToken"]
    # It has other settings, so what was packed with the names of the former ones is not readable.
    monkeypatch.setattr(drafts, "_WORDS", b"others" + drafts._WORDS)
    drafts._UNPACKED.clear()
    page = await api.client.get(url, headers={"Accept": "text/html"})
    assert page.status_code == 403
    read = await api.rest(
        "GET", path_of(world, site), None, headers={"Authorization": f"Bearer {token}"}
    )
    assert read.status_code == 403
    assert "make a new one" in read.json()["error"]["message"]
