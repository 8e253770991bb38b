"""The feed of the changes of a space: valid Atom, for its readers, with a token of its own."""

import datetime as dt
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

from sqlalchemy import update

from db.base import utc_now
from db.enums import EditMode, Role
from db.models.notifications import FeedToken
from db.models.organizations import Member, Organization
from db.session import Database, Session
from resolvers.core.runners import run
from resolvers.merging.operations import merge_change_request
from resolvers.notifications.changes_feed import PART
from rest_compat.log_redaction import redacted
from tests import factories
from tests.conftest import Api, Queries, World, context, settle
from tests.merging import edit, filled_space, with_request

ATOM = "{http://www.w3.org/2005/Atom}"
CREATE = """mutation ($space: ID!) {
  createFeedToken(spaceId: $space, input: { label: "Reader" }) {
    text url feedToken { id label spaceId revokedAt } } }"""
REVOKE = "mutation ($id: ID!) { revokeFeedToken(id: $id) { revokedAt } }"
OWN = "{ viewer { feedTokens { nodes { id label spaceId } } } }"


async def new_token(api: Api, person: Any, space_id: str) -> tuple[str, str]:
    """The path of a feed with a new token, and the id of the token."""
    created = (await api.data(CREATE, person, space=space_id))["createFeedToken"]
    url = urlsplit(created["url"])
    assert parse_qs(url.query) == {"token": [created["text"]]}
    return f"{url.path}?{url.query}", created["feedToken"]["id"]


def texts(element: Any, name: str) -> list[str]:
    return [child.text or "" for child in element.findall(ATOM + name)]


def links(element: Any) -> dict[str, str]:
    return {link.get("rel"): link.get("href") for link in element.findall(f"{ATOM}link")}


def check(feed: Any) -> None:
    """The musts of RFC 4287, sections 4.1.1 and 4.1.2, as far as they say what has to be there."""
    assert feed.tag == f"{ATOM}feed"
    for element in (feed, *feed.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert len(texts(element, name)) == 1, name
        assert urlsplit(texts(element, "id")[0]).scheme, "an id is an absolute IRI"
        for name in ("updated", "published"):
            for moment in texts(element, name):
                assert dt.datetime.fromisoformat(moment).tzinfo is not None
        assert len(element.findall(f"{ATOM}author")) >= 1
        for author in element.findall(f"{ATOM}author"):
            assert len(texts(author, "name")) == 1
        kinds = [(link.get("rel"), link.get("type")) for link in element.findall(f"{ATOM}link")]
        assert len(kinds) == len(set(kinds))
        assert len(element.findall(f"{ATOM}content")) <= 1
        assert len(element.findall(f"{ATOM}summary")) <= 1
        assert "alternate" in links(element)
    ids = [texts(entry, "id")[0] for entry in feed.findall(f"{ATOM}entry")]
    assert len(ids) == len(set(ids))
    assert "self" in links(feed)


async def test_merges_and_edits(
    api: Api, database: Database, session: Session, world: World
) -> None:
    space, row = await with_request(session, world, subject="Ship <it> & \x85go")
    await edit(session, world.editor, space, row, p0={"title": "Changed < page"}, p2=None)
    await run(context(session, world.reviewer), merge_change_request, space.id, row.id)
    await edit(session, world.admin, space, p1={"title": "\u202eLive"})
    path, _ = await new_token(api, world.reader, space.id)
    answer = await api.client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    assert answer.headers["cache-control"] == "private, no-cache"
    feed = ElementTree.fromstring(answer.content)
    check(feed)
    live, merge, *first = feed.findall(f"{ATOM}entry")
    assert texts(live, "title") == ["Content was changed"]
    assert texts(live, "summary") == ["Edited: \u202eLive"]
    assert texts(merge, "title")[0].startswith("Merged #1 Ship <it> &")
    assert texts(merge, "summary") == ["Edited: Changed < page; Deleted: Page 2"]
    assert links(merge)["alternate"] == f"http://docs.test/s/{space.id}/~/changes/1"
    assert texts(merge.find(f"{ATOM}author"), "name") == [world.reviewer.display_name]
    # The change request itself was edited: that is no change of the space.
    assert len(first) == 1
    assert links(feed)["self"] == f"http://docs.test{path}"
    # With a token of the API in its header the address has none.
    rest = await api.rest("GET", f"/spaces/{space.id}/changes.atom", world.reader)
    assert rest.status_code == 200
    assert "token" not in rest.text


async def test_parts_follow_each_other(
    api: Api, session: Session, world: World, queries: Queries
) -> None:
    space = await filled_space(session, world, 2)
    for number in range(PART + 3):
        await edit(session, world.admin, space, p0={"title": f"T{number}"})
    path, _ = await new_token(api, world.reader, space.id)
    queries.statements.clear()
    feed = ElementTree.fromstring((await api.client.get(path)).content)
    whole = len(queries.statements)
    assert len(feed.findall(f"{ATOM}entry")) == PART
    following = links(feed)["next"].removeprefix("http://docs.test")
    queries.statements.clear()
    rest = ElementTree.fromstring((await api.client.get(following)).content)
    # A part of four needs as many statements as one of twenty.
    assert whole <= len(queries.statements) + 2 <= 20
    check(rest)
    assert len(rest.findall(f"{ATOM}entry")) == 4
    assert links(rest)["first"] == f"http://docs.test{path}"
    assert "next" not in links(rest)
    ids = [texts(one, "id")[0] for part in (feed, rest) for one in part.findall(f"{ATOM}entry")]
    assert len(set(ids)) == PART + 4
    for after, status in (("nothing", 404), ("x" * 65, 400)):
        assert (await api.client.get(f"{path}&after={after}")).status_code == status


async def test_what_has_not_changed_is_not_sent(
    api: Api, session: Session, world: World, queries: Queries
) -> None:
    space = await filled_space(session, world, 2)
    path, _ = await new_token(api, world.reader, space.id)
    first = await api.client.get(path)
    known = {"If-None-Match": f'"other", {first.headers["etag"]}'}
    queries.statements.clear()
    answer = await api.client.get(path, headers=known)
    assert (answer.status_code, answer.content) == (304, b"")
    assert len(queries.statements) <= 4
    since = {"If-Modified-Since": first.headers["last-modified"]}
    assert (await api.client.get(path, headers=since)).status_code == 304
    # The tag counts where both are sent; what is no time is ignored.
    both = {**since, "If-None-Match": '"other"'}
    assert (await api.client.get(path, headers=both)).status_code == 200
    odd = {"If-Modified-Since": "yesterday"}
    assert (await api.client.get(path, headers=odd)).status_code == 200
    await edit(session, world.admin, space, p0={"title": "New"})
    assert (await api.client.get(path, headers=known)).status_code == 200


async def test_a_token_reads_nothing_else(api: Api, session: Session, world: World) -> None:
    space = await filled_space(session, world, 1)
    other = await filled_space(session, world, 1)
    path, id = await new_token(api, world.reader, space.id)
    token = parse_qs(urlsplit(path).query)["token"][0]
    assert token not in redacted(f"GET http://docs.test{path} {token}")
    elsewhere = await api.client.get(f"/v1/spaces/{other.id}/changes.atom?token={token}")
    assert elsewhere.status_code == 401
    headers = {"Authorization": f"Bearer {token}"}
    assert (await api.client.get(f"/v1/spaces/{space.id}", headers=headers)).status_code == 401
    assert (await api.client.get(f"/v1/spaces/{space.id}?token={token}")).status_code == 401
    general = await api.token_of(world.reader)
    for wrong in (general, "", "docstead_feed_", token[:-1], f"{token}x"):
        answer = await api.client.get(f"/v1/spaces/{space.id}/changes.atom?token={wrong}")
        assert answer.status_code == 401, wrong
    assert (await api.client.get(f"/v1/spaces/{space.id}/changes.atom")).status_code == 401
    assert (await api.client.post(path)).status_code == 405
    # Others neither see it nor take it back.
    assert (await api.data(OWN, world.admin))["viewer"]["feedTokens"]["nodes"] == []
    refused = await api.graphql(REVOKE, world.admin, id=id)
    assert refused["errors"][0]["extensions"]["status"] == 404
    mine = (await api.data(OWN, world.reader))["viewer"]["feedTokens"]["nodes"]
    assert mine == [{"id": id, "label": "Reader", "spaceId": space.id}]
    listed = (await api.rest("GET", "/user/feed-tokens", world.reader)).json()["items"]
    assert [item["id"] for item in listed] == [id]


async def test_tokens_are_made_and_revoked_in_both_doors(
    api: Api, session: Session, world: World
) -> None:
    space = await filled_space(session, world, 1)
    made = await api.rest("POST", f"/spaces/{space.id}/feed-tokens", world.reader, json={})
    assert made.status_code == 201
    body = made.json()
    assert body["feedToken"]["label"] == "Feed"
    path = body["url"].removeprefix("http://docs.test")
    assert (await api.client.get(path)).status_code == 200
    revoke = f"/user/feed-tokens/{body['feedToken']['id']}/revoke"
    for _ in range(2):
        assert (await api.rest("POST", revoke, world.reader)).status_code == 200
    answer = await api.client.get(path)
    assert answer.status_code == 401
    assert "revoked" in answer.json()["error"]["message"]
    hidden = await api.rest("POST", f"/spaces/{space.id}/feed-tokens", world.outsider, json={})
    assert hidden.status_code == 404
    path, id = await new_token(api, world.reader, space.id)
    await api.data(REVOKE, world.reader, id=id)
    assert (await api.client.get(path)).status_code == 401


async def test_whoever_loses_access_loses_the_feed(
    api: Api, session: Session, world: World
) -> None:
    space = await filled_space(session, world, 1)
    path, _ = await new_token(api, world.reader, space.id)
    assert (await api.client.get(path)).status_code == 200
    of_reader = Member.user_id == world.reader.id
    own_organization = Organization.id == world.organization.id
    for change, undo in (
        (update(Member).where(of_reader).values(disabled=True),
         update(Member).where(of_reader).values(disabled=False)),
        # The token was made by somebody who has not signed on there.
        (update(Organization).where(own_organization).values(sso=True),
         update(Organization).where(own_organization).values(sso=False)),
    ):  # fmt: skip
        for statement, status in ((change, 404), (undo, 200)):
            await session.begin_write()
            await session.execute(statement)
            await session.commit()
            assert (await api.client.get(path)).status_code == status
    await session.begin_write()
    await session.execute(update(FeedToken).values(expires_at=utc_now()))
    await session.commit()
    assert (await api.client.get(path)).status_code == 401


async def test_spaces_in_the_bin_have_no_feed(api: Api, session: Session, world: World) -> None:
    space = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    await factories.make_grant(session, space, world.reader, Role.ADMIN)
    await settle(session)
    path, _ = await new_token(api, world.reader, space.id)
    assert (await api.client.get(path)).status_code == 200
    await api.rest("DELETE", f"/spaces/{space.id}", world.admin)
    assert (await api.client.get(path)).status_code == 404
