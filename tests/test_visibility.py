"""Attempts to see what one may not: by other people, through other parents, by bare ids."""

import re
from urllib.parse import urlencode

from sqlalchemy import update

from db.base import utc_now
from db.enums import Role
from db.models.organizations import Member, User
from db.models.spaces import Space
from db.session import Session
from rest_compat.routes.all import ROUTES
from rest_compat.table import Row
from tests import factories
from tests.conftest import Api, Sown, World, settle
from tests.seeds import Seed, needed, sow

NODES = "query($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }"
# What belongs to whoever asks, and what is for everybody.
OWN = ("/integrations", "/", "/user", "/user/audit-log", "/user/events", "/users/{userId}", "/orgs",
       "/user/notifications", "/user/notifications/unread", "/user/notification-settings",
       "/user/notification-settings/spaces", "/user/feed-tokens",
       "/urls/published", "/urls/embed",
       "/orgs/{organizationId}/sso",
       "/orgs/{organizationId}/join", "/email-domains/{emailDomain}/orgs")  # fmt: skip


def path_of(row: Row, known: dict[str, list[str]], **instead: str) -> str:
    """The row's path with the first known ids, or others, and the parameters that it needs."""
    path = re.sub(
        r"{(\w+)(?::\w+)?}", lambda found: instead.get(found[1]) or known[found[1]][0], row.path
    )
    parameters = urlencode(needed(row, known))
    return f"{path}?{parameters}" if parameters else path


def ids_of(seed: Seed) -> list[str]:
    """Ids of everything in the organization that has one of its own, but people."""
    names = set(seed.known) - {"userId", "pageId", "pagePath", "fileId"}
    found = {id for name in names for id in seed.known[name] if len(id) > 10}
    return sorted(found - {seed.known["commentReplyId"][0], seed.known["commentReplyId"][1]})


async def visible_types(api: Api, person: User, ids: list[str]) -> dict[str, int]:
    """How many of the ids are shown, by type."""
    found: dict[str, int] = {}
    for node in (await api.data(NODES, person, ids=ids))["nodes"]:
        if node is not None:
            found[node["__typename"]] = found.get(node["__typename"], 0) + 1
    return found


async def test_people_from_elsewhere_find_nothing(sown: Sown, api: Api, session: Session) -> None:
    world, seed = sown.world, sown.seed
    await session.commit()
    stranger = await factories.make_user(session, "Stranger")
    await session.execute(
        update(Member).where(Member.user_id == world.reader.id).values(disabled=True)
    )
    await session.commit()
    for person in (world.outsider, stranger, world.reader):
        for row in ROUTES:
            if row.path in OWN:
                continue
            response = await api.rest(row.method, path_of(row, seed.known), person, {})
            # 204: nothing to delete. 422 or 400: the body was wrong, whatever is there.
            wrong = 400 if row.bad_request else 422
            allowed = {"GET": {404}, "DELETE": {204, 404}}.get(row.method, {404, wrong})
            assert response.status_code in allowed, (row, response.text)
        assert await visible_types(api, person, ids_of(seed)) == {}
        listed = (await api.rest("GET", "/orgs", person)).json()
        assert seed.known["organizationId"][0] not in [one["id"] for one in listed["items"]]


async def test_children_are_not_found_under_other_parents(
    sown: Sown, api: Api, session: Session
) -> None:
    world, seed = sown.world, sown.seed
    await session.commit()
    second = await factories.make_organization(session)
    await factories.make_member(session, second, Role.ADMIN, world.admin)
    await session.commit()
    others = {"spaceId": seed.hidden.id, "organizationId": second.id}
    checked = 0
    for row in ROUTES:
        names = re.findall(r"{(\w+)", row.path)
        if len(names) < 2 or row.method not in ("GET", "DELETE") or names[0] not in others:
            continue
        known = {**seed.known, "userId": [world.reader.id]}
        path = path_of(row, known, **{names[0]: others[names[0]]})
        response = await api.rest(row.method, path, world.admin)
        assert response.status_code in (404, 204), (path, response.text)
        assert response.status_code == 404 or row.method == "DELETE"
        checked += 1
    assert checked >= 10


async def test_guests_see_what_they_were_added_to(sown: Sown, api: Api) -> None:
    world, seed = sown.world, sown.seed
    types = await visible_types(api, world.guest, ids_of(seed))
    assert types == {
        "Organization": 1, "Space": 1, "Revision": 2, "ChangeRequest": 1, "Review": 1,
        "MergeConflict": 1, "Comment": 2, "Site": 1, "SiteSpace": 1,
        "SiteSection": 1, "SiteSectionGroup": 1, "User": 1,
    }  # fmt: skip
    data = await api.data(
        """query($org: ID!) { organization(id: $org) {
             members { totalCount nodes { id: userId } }
             spaces { totalCount nodes { id parent { id } } }
             collections { totalCount nodes { id } }
           } }""",
        world.guest,
        org=world.organization.id,
    )
    organization = data["organization"]
    assert organization["members"] == {"totalCount": 1, "nodes": [{"id": world.guest.id}]}
    assert organization["spaces"]["totalCount"] == 1
    assert organization["spaces"]["nodes"] == [{"id": seed.space.id, "parent": None}]
    assert organization["collections"] == {"totalCount": 0, "nodes": []}
    rest = (await api.rest("GET", f"/spaces/{seed.space.id}", world.guest)).json()
    assert "parent" not in rest


async def test_addresses_are_for_colleagues(api: Api, world: World, session: Session) -> None:
    await sow(session, world)
    query = "query($id: ID!) { node(id: $id) { ... on User { email } } }"
    data = await api.data(query, world.reader, id=world.admin.id)
    assert data["node"] == {"email": world.admin.email}
    assert (await api.data(query, world.outsider, id=world.admin.id))["node"] is None


async def test_space_in_the_bin_takes_everything_with_it(
    sown: Sown, api: Api, session: Session
) -> None:
    world, seed = sown.world, sown.seed
    await session.commit()
    await session.execute(
        update(Space).where(Space.id == seed.space.id).values(deleted_at=utc_now())
    )
    await session.commit()
    ids = [
        seed.space.id, seed.revision.id, seed.change_request.id, seed.comment.id,
    ]  # fmt: skip
    for person in (world.reader, world.editor, world.guest, world.commenter):
        assert await visible_types(api, person, ids) == {}
    for row in ROUTES:
        if row.method == "GET" and "{spaceId}" in row.path:
            response = await api.rest("GET", path_of(row, seed.known), world.reader)
            assert response.status_code == 404, row.path
    for method, path, body in (
        ("PATCH", f"/spaces/{seed.space.id}", {"title": "X"}),
        ("POST", f"/spaces/{seed.space.id}/comments", {"body": {"markdown": "x"}}),
        ("POST", f"/spaces/{seed.space.id}/change-requests", {}),
    ):
        response = await api.rest(method, path, world.admin, body)
        assert response.status_code in (403, 404, 412), response.text


async def test_counts_of_a_member_leave_out_what_the_viewer_cannot_see(
    sown: Sown, api: Api, session: Session
) -> None:
    world, seed = sown.world, sown.seed
    await session.commit()
    await session.begin_write()
    await factories.make_grant(session, seed.hidden, world.commenter, Role.EDIT)
    await session.commit()
    path = f"/orgs/{world.organization.id}/members/{world.commenter.id}"
    assert (await api.rest("GET", path, world.admin)).json()["spaces"] == 2
    assert (await api.rest("GET", path, world.reader)).json()["spaces"] == 1


async def test_content_of_a_space_in_the_bin_is_shown_to_nobody(
    session: Session, world: World, api: Api
) -> None:
    space = await factories.make_space(session, world.organization)
    space.deleted_at = utc_now()
    await settle(session)
    query = """query ($space: ID!, $revision: ID!) {
      space(id: $space) { title revision { id } }
      node(id: $revision) { id }
    }"""
    data = await api.data(query, world.admin, space=space.id, revision=space.revision_id)
    assert data["space"] == {"title": space.title, "revision": None}
    assert data["node"] is None


async def test_root_field_that_fails_leaves_the_others(
    session: Session, world: World, api: Api
) -> None:
    await settle(session)
    query = """mutation ($good: ID!, $bad: ID!) {
      made: createCollection(organizationId: $good, input: { title: "Kept" }) { title }
      refused: createCollection(organizationId: $bad, input: { title: "Lost" }) { title }
    }"""
    answer = await api.graphql(query, world.admin, good=world.organization.id, bad="unknown")
    assert answer["data"] == {"made": {"title": "Kept"}, "refused": None}
    assert [error["path"] for error in answer["errors"]] == [["refused"]]
