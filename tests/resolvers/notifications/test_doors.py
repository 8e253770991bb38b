"""Notifications through both doors: lists, marking, settings, tokens of feeds, following them."""

from typing import Any

from db.enums import Role, TokenScope
from db.models.organizations import User
from db.session import Database, Session
from resolvers.access.tokens import create_token
from resolvers.comments.operations import PostCommentInput, post_comment
from resolvers.core.runners import run
from tests import factories
from tests.conftest import Api, Queries, World, context, settle
from tests.notifications import kinds_of, notify, saying

LIST = """
query ($first: Int, $after: String, $unread: Boolean, $space: ID) {
  viewer {
    unreadNotifications
    notifications(first: $first, after: $after, unread: $unread, space: $space) {
      nodes {
        id kind count unread createdAt updatedAt readAt spaceId changeRequestId commentId replyId
        actorId text { title url } space { title } comment { id } actor { displayName }
        changeRequest { subject }
      }
      pageInfo { endCursor hasNextPage }
      totalCount
    }
  }
}
"""
READ = """mutation ($input: MarkNotificationsReadInput!) {
  markNotificationsRead(input: $input) { unreadNotifications } }"""
UNREAD = """mutation ($input: MarkNotificationsUnreadInput!) {
  markNotificationsUnread(input: $input) { unreadNotifications } }"""
SETTINGS = """mutation ($input: UpdateNotificationSettingsInput!) {
  updateNotificationSettings(input: $input) {
    notificationSettings { level digest }
    notificationLevels { nodes { spaceId level space { title } } } } }"""
LEVEL = """mutation ($space: ID!, $level: NotificationLevel) {
  setSpaceNotificationLevel(spaceId: $space, input: { level: $level }) {
    notificationLevel } }"""


async def mentions(
    database: Database, session: Session, by: User, whom: User, *spaces: Any
) -> None:
    """One mention in each of the spaces, and the job that notifies of them."""
    for space in spaces:
        said = PostCommentInput(body=saying(whom))
        await run(context(session, by), post_comment, space.id, said)
    await notify(database)


async def two_spaces(session: Session, world: World) -> tuple[Any, Any]:
    spaces = [
        await factories.make_space(session, world.organization, title=title)
        for title in ("Guide", "Handbook")
    ]
    await settle(session)
    return spaces[0], spaces[1]


async def test_both_doors_list_the_same(
    api: Api, database: Database, session: Session, world: World, queries: Queries
) -> None:
    guide, handbook = await two_spaces(session, world)
    await mentions(database, session, world.admin, world.reader, guide, handbook, guide)
    viewer = (await api.data(LIST, world.reader, first=2))["viewer"]
    assert viewer["unreadNotifications"] == 3
    nodes = viewer["notifications"]["nodes"]
    assert [node["space"]["title"] for node in nodes] == ["Guide", "Handbook"]
    assert nodes[0]["text"] == {
        "title": "Admin mentioned you in Guide", "url": f"http://docs.test/s/{guide.id}",
    }  # fmt: skip
    assert (nodes[0]["kind"], nodes[0]["unread"]) == ("MENTIONED", True)
    assert nodes[0]["comment"]["id"] == nodes[0]["commentId"]
    assert viewer["notifications"]["totalCount"] == 3
    rest = (await api.rest("GET", "/user/notifications?limit=2", world.reader)).json()
    assert [item["id"] for item in rest["items"]] == [node["id"] for node in nodes]
    assert rest["items"][0]["text"] == nodes[0]["text"]
    assert rest["items"][0]["kind"] == "mentioned"
    more = f"/user/notifications?limit=2&page={rest['next']['page']}"
    assert len((await api.rest("GET", more, world.reader)).json()["items"]) == 1
    cursor = viewer["notifications"]["pageInfo"]["endCursor"]
    behind = (await api.data(LIST, world.reader, first=2, after=cursor))["viewer"]
    assert len(behind["notifications"]["nodes"]) == 1
    of_space = f"/user/notifications?space={handbook.id}"
    assert len((await api.rest("GET", of_space, world.reader)).json()["items"]) == 1
    # Nobody sees those of others; service accounts have none.
    for person in (world.admin, world.outsider):
        assert (await api.data(LIST, person))["viewer"]["notifications"]["nodes"] == []
    others = """query ($id: ID!) {
      user(id: $id) { unreadNotifications notifications { totalCount } } }"""
    seen = (await api.data(others, world.admin, id=world.reader.id))["user"]
    assert seen == {"unreadNotifications": 0, "notifications": {"totalCount": 0}}
    node = "query ($id: ID!) { node(id: $id) { id } }"
    assert (await api.data(node, world.reader, id=nodes[0]["id"]))["node"] is not None
    assert (await api.data(node, world.admin, id=nodes[0]["id"]))["node"] is None

    async def statements() -> int:
        queries.statements.clear()
        await api.data(LIST, world.reader)
        return len(queries.statements)

    few = await statements()
    await mentions(database, session, world.admin, world.reader, guide, handbook, guide)
    assert await statements() <= few
    assert few <= 12


async def test_what_may_not_be_read_any_more_is_not_listed(
    api: Api, database: Database, session: Session, world: World
) -> None:
    guide, _ = await two_spaces(session, world)
    await mentions(database, session, world.admin, world.reader, guide)
    await session.begin_write()
    await factories.make_grant(session, guide, world.reader, None)
    await settle(session)
    viewer = (await api.data(LIST, world.reader))["viewer"]
    assert (viewer["unreadNotifications"], viewer["notifications"]["nodes"]) == (0, [])
    rest = await api.rest("GET", "/user/notifications", world.reader)
    assert rest.json()["items"] == []


async def test_marking(api: Api, database: Database, session: Session, world: World) -> None:
    guide, handbook = await two_spaces(session, world)
    await mentions(database, session, world.admin, world.reader, *[guide, handbook] * 2)
    nodes = (await api.data(LIST, world.reader))["viewer"]["notifications"]["nodes"]
    ids = [node["id"] for node in nodes]

    async def unread(**given: Any) -> int:
        answer = await api.data(READ, world.reader, input=given)
        number: int = answer["markNotificationsRead"]["unreadNotifications"]
        return number

    assert await unread(ids=ids[:1]) == 3
    # Again changes nothing, and leaves no event.
    assert await unread(ids=ids[:1]) == 3
    assert await unread(upTo=ids[2]) == 1
    back = await api.data(UNREAD, world.reader, input={"ids": ids})
    assert back["markNotificationsUnread"]["unreadNotifications"] == 4
    body = {"all": True, "space": handbook.id}
    rest = await api.rest("PATCH", "/user/notifications", world.reader, json=body)
    assert rest.json() == {"object": "notification-count", "unread": 2}
    rest = await api.rest(
        "PATCH", "/user/notifications/unread", world.reader, json={"ids": ids[:1]}
    )
    assert rest.json()["unread"] == 3
    read = await api.rest("GET", "/user/notifications?unread=false", world.reader)
    assert len(read.json()["items"]) == 1
    assert await unread(all=True) == 0
    for wrong, status in (
        ({}, 422), ({"all": False}, 422), ({"ids": ids, "all": True}, 422),
        ({"ids": ["nothing"]}, 404), ({"upTo": "nothing"}, 404),
        ({"ids": ids, "space": guide.id}, 422), ({"ids": []}, 422),
        ({"ids": ["x"] * 101}, 422),
    ):  # fmt: skip
        answer = await api.rest("PATCH", "/user/notifications", world.reader, json=wrong)
        assert answer.status_code == status, (wrong, answer.text)
        answer = await api.graphql(READ, world.reader, input=wrong)
        assert answer["errors"][0]["extensions"]["status"] == status, wrong
    # Of somebody else nothing is marked.
    answer = await api.rest("PATCH", "/user/notifications", world.admin, json={"ids": ids[:1]})
    assert answer.status_code == 404


async def test_an_unread_one_about_the_same_stands_for_both(
    api: Api, database: Database, session: Session, world: World
) -> None:
    guide, _ = await two_spaces(session, world)
    await session.begin_write()
    request = await factories.make_change_request(session, guide, world.editor)
    await settle(session)
    for _ in range(2):
        said = PostCommentInput(body=saying())
        await run(context(session, world.admin), post_comment, guide.id, said, request.id)
        await notify(database)
        await api.data(READ, world.editor, input={"all": True})
    rows = (await api.data(LIST, world.editor))["viewer"]["notifications"]["nodes"]
    ids = [row["id"] for row in rows]
    assert len(ids) == 2
    answer = await api.data(UNREAD, world.editor, input={"ids": ids})
    assert answer["markNotificationsUnread"]["unreadNotifications"] == 1
    rows = (await api.data(LIST, world.editor))["viewer"]["notifications"]["nodes"]
    assert [row["unread"] for row in rows] == [True, False]


async def test_settings(api: Api, database: Database, session: Session, world: World) -> None:
    guide, handbook = await two_spaces(session, world)
    rest = await api.rest("GET", "/user/notification-settings", world.reader)
    assert rest.json()["notifications"] == {
        "object": "notification-settings", "level": "participating", "digest": "daily",
    }  # fmt: skip
    changed = await api.rest(
        "PATCH", "/user/notification-settings", world.reader, json={"level": "all"}
    )
    assert changed.json()["notifications"]["level"] == "all"
    put = await api.rest(
        "PUT", f"/user/notification-settings/spaces/{guide.id}", world.reader,
        json={"level": "none"},
    )  # fmt: skip
    assert put.json() == {"spaceId": guide.id, "level": "none"}
    listed = await api.rest("GET", "/user/notification-settings/spaces", world.reader)
    assert listed.json()["items"] == [{"spaceId": guide.id, "level": "none"}]
    data = await api.data(SETTINGS, world.reader, input={"digest": "WEEKLY"})
    assert data["updateNotificationSettings"] == {
        "notificationSettings": {"level": "ALL", "digest": "WEEKLY"},
        "notificationLevels": {
            "nodes": [{"spaceId": guide.id, "level": "NONE", "space": {"title": "Guide"}}]
        },
    }
    await mentions(database, session, world.admin, world.reader, guide)
    await mentions(database, session, world.admin, world.creator, handbook)
    assert await kinds_of(database, world.reader) == ["commented"]
    data = await api.data(LEVEL, world.reader, space=guide.id, level=None)
    assert data["setSpaceNotificationLevel"] == {"notificationLevel": None}
    # Nobody sees what others want to hear of.
    query = "query ($id: ID!) { user(id: $id) { notificationSettings { level } } }"
    seen = await api.data(query, world.admin, id=world.reader.id)
    assert seen["user"]["notificationSettings"] is None
    for space_id, json, status in (
        ("nothing", {"level": "all"}, 404), (guide.id, {}, 422), (guide.id, {"level": "x"}, 422),
    ):  # fmt: skip
        path = f"/user/notification-settings/spaces/{space_id}"
        answer = await api.rest("PUT", path, world.reader, json=json)
        assert answer.status_code == status, answer.text
    assert (await api.rest("GET", "/user/notifications", None)).status_code == 401


async def test_tokens_and_service_accounts(api: Api, session: Session, world: World) -> None:
    await two_spaces(session, world)
    await session.begin_write()
    _, reading = await create_token(
        session, world.reader.id, "r", scopes=frozenset({TokenScope.USER_READ})
    )
    _, other = await create_token(
        session, world.reader.id, "s", scopes=frozenset({TokenScope.SITE_READ})
    )
    service = await factories.make_service(session, world.organization)
    _, program = await create_token(session, service.id, "p", organization_id=world.organization.id)
    await settle(session)
    for token, get, patch in ((reading, 200, 403), (other, 403, 403), (program, 403, 403)):
        headers = {"Authorization": f"Bearer {token}"}
        path = "/v1/user/notifications"
        assert (await api.client.get(path, headers=headers)).status_code == get
        answer = await api.client.patch(path, headers=headers, json={"all": True})
        assert answer.status_code == patch


async def test_notifications_are_followed(
    api: Api, database: Database, session: Session, world: World
) -> None:
    guide, _ = await two_spaces(session, world)
    await mentions(database, session, world.admin, world.reader, guide)
    await api.data(READ, world.reader, input={"all": True})
    query = """{ viewer { events(topics: [USER_NOTIFICATIONS]) {
      nodes { type notification { kind text { title } } } } } }"""
    nodes = (await api.data(query, world.reader))["viewer"]["events"]["nodes"]
    notified = {"kind": "MENTIONED", "text": {"title": "Admin mentioned you in Guide"}}
    assert nodes == [
        {"type": "NOTIFICATION_CREATED", "notification": notified},
        {"type": "NOTIFICATIONS_MARKED", "notification": None},
    ]
    assert (await api.data(query, world.admin))["viewer"]["events"]["nodes"] == []


async def test_guests_do_not_mention_each_other(
    database: Database, session: Session, world: World
) -> None:
    guide, _ = await two_spaces(session, world)
    await session.begin_write()
    other = await factories.make_member(session, world.organization, None)
    for guest in (world.guest, other):
        await factories.make_grant(session, guide, guest, Role.COMMENT)
    await settle(session)
    await mentions(database, session, world.guest, other, guide)
    assert await kinds_of(database, other) == []
    await mentions(database, session, world.reviewer, other, guide)
    assert await kinds_of(database, other) == ["mentioned"]


POST = """mutation ($space: ID!, $input: PostCommentInput!) {
  postComment(spaceId: $space, input: $input) { id body { markdown } } }"""


async def test_people_of_one_name_are_mentioned_each_by_id(
    api: Api, database: Database, session: Session, world: World
) -> None:
    """Through both doors, as Markdown and as a document; the text says the name alone."""
    guide, _ = await two_spaces(session, world)
    await session.begin_write()
    for person in (world.reader, world.reviewer):
        (await session.get_one(User, person.id)).display_name = "Sam Lee"
    await settle(session)
    text = {"object": "text", "leaves": [{"object": "leaf", "text": "@Sam Lee", "marks": []}]}
    link = {
        "object": "inline", "type": "link", "isVoid": False, "nodes": [text],
        "data": {"ref": {"kind": "user", "user": world.reviewer.id}},
    }  # fmt: skip
    paragraph = {"object": "block", "type": "paragraph", "isVoid": False, "data": {}}
    document = {
        "object": "document", "data": {"schemaVersion": 1},
        "nodes": [{**paragraph, "nodes": [link]}],
    }  # fmt: skip
    bodies = {
        world.reader: {"markdown": f"[@Sam Lee](http://docs.test/v1/users/{world.reader.id})"},
        world.reviewer: {"document": document},
    }
    for person, other in ((world.reader, world.reviewer), (world.reviewer, world.reader)):
        body = bodies[person]
        said = await api.data(POST, world.admin, space=guide.id, input={"body": body})
        assert person.id in said["postComment"]["body"]["markdown"]
        await notify(database)
        assert await kinds_of(database, person) == ["mentioned"]
        path = f"/spaces/{guide.id}/comments"
        answer = await api.rest("POST", path, world.admin, json={"body": body})
        assert answer.status_code == 200, answer.text
        await notify(database)
        assert await kinds_of(database, person) == ["mentioned"] * 2
        assert await kinds_of(database, other) in ([], ["mentioned"] * 2)
