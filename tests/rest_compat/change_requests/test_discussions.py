"""Change requests and comments through both doors."""

from typing import Any

import pytest

from db.models.organizations import User
from db.models.spaces import Space
from db.session import Session
from tests.conftest import Api, Queries, World, settle
from tests.factories import make_change_request, make_comment, make_space

USER = "id displayName email photoURL urls { location }"
CHANGE_REQUEST = f"""
    id number status subject description createdAt updatedAt outdated commentsOpen
    createdBy {{ {USER} }} space {{ id }} revision {{ id }} revisionInitial {{ id }}
    revisionMergedAncestor {{ id }} revisionMerged {{ id }} urls {{ app location }}
"""
SHARED = f"""
    id postedAt editedAt body {{ markdown }} postedBy {{ {USER} }} urls {{ location }}
    reactions {{ emoji count users {{ reactedAt user {{ {USER} }} }} }}
    permissions {{ view edit reply delete }}
"""
COMMENT = f"""{SHARED}
    status resolvedAt resolvedBy {{ {USER} }} replyCount
    target {{
        node {{ id: nodeId preview }} tableCell {{ record definition }}
        changeRequest {{ id }} reviewId
        page {{ id: pageId title emoji icon createdAt updatedAt path outdated }}
        space {{ id }} revision {{ id }}
    }}
"""


def without_nulls(value: Any) -> Any:
    """What is null in GraphQL is left out in /v1."""
    if isinstance(value, dict):
        return {name: without_nulls(item) for name, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def people(value: Any) -> Any:
    """Users of GraphQL with the constant that /v1 adds."""
    if isinstance(value, dict):
        value = {name: people(item) for name, item in value.items()}
        return {"object": "user", **value} if "displayName" in value else value
    return [people(item) for item in value] if isinstance(value, list) else value


def ids(body: dict[str, Any], *names: str) -> None:
    for name in names:
        if name in body:
            body[name] = body[name]["id"]


def change_request(node: dict[str, Any]) -> dict[str, Any]:
    """A change request of GraphQL in the words of /v1."""
    body: dict[str, Any] = people(without_nulls(node)) | {"object": "change-request"}
    body["comments"] = body.pop("commentsOpen")
    body["status"] = body["status"].lower()
    ids(body, "space", "revision", "revisionInitial", "revisionMergedAncestor", "revisionMerged")
    return body


def comment(node: dict[str, Any]) -> dict[str, Any]:
    """A comment of GraphQL in the words of /v1."""
    body: dict[str, Any] = people(without_nulls(node)) | {"object": "comment"}
    body["replies"] = body.pop("replyCount")
    body["status"] = body["status"].lower()
    ids(body["target"], "space", "changeRequest", "revision")
    return body


async def prepared(session: Session, world: World) -> Space:
    space = await make_space(session, world.organization)
    await settle(session)
    return space


async def test_change_requests_are_the_same_in_both(
    api: Api, session: Session, world: World
) -> None:
    space = await prepared(session, world)
    base = f"/spaces/{space.id}/change-requests"
    made = await api.rest("POST", base, world.editor, {"subject": "Typos"})
    assert made.status_code == 201, made.text
    body = made.json()
    assert made.headers["location"] == f"http://docs.test/v1{base}/{body['id']}"
    assert (body["number"], body["status"], body["comments"]) == (1, "draft", 0)
    assert body["urls"] == {
        "location": f"http://docs.test/v1{base}/{body['id']}",
        "app": f"http://docs.test/s/{space.id}/~/changes/1",
    }
    query = f"""query($space: ID!, $id: ID!) {{
        changeRequest(spaceId: $space, id: $id) {{ {CHANGE_REQUEST} }}
        space(id: $space) {{
            one: changeRequest(id: $id) {{ id }}
            changeRequests(status: [DRAFT, OPEN]) {{ totalCount nodes {{ id }} }}
        }}
    }}"""
    data = await api.data(query, world.reader, space=space.id, id="1")
    assert change_request(data["changeRequest"]) == body
    assert data["space"]["one"] == {"id": body["id"]}
    assert data["space"]["changeRequests"] == {"totalCount": 1, "nodes": [{"id": body["id"]}]}
    for id in ("1", body["id"]):
        assert (await api.rest("GET", f"{base}/{id}", world.reader)).json() == body
    opened = await api.rest("PATCH", f"{base}/1", world.editor, {"status": "open"})
    assert opened.json()["status"] == "open"
    for path in (base, f"/orgs/{world.organization.id}/change-requests"):
        for query_string, count in (("", 1), ("?status=draft", 0), ("?status=open,draft", 1)):
            listed = await api.rest("GET", path + query_string, world.reader)
            assert (listed.status_code, listed.json()["count"]) == (200, count)
    mutation = f"""mutation($space: ID!, $input: UpdateChangeRequestInput!) {{
        updateChangeRequest(spaceId: $space, id: "1", input: $input) {{ {CHANGE_REQUEST} }}
    }}"""
    data = await api.data(
        mutation, world.editor, space=space.id, input={"status": "ARCHIVED", "subject": "Done"}
    )
    after = await api.rest("GET", f"{base}/1", world.reader)
    assert change_request(data["updateChangeRequest"]) == after.json()


@pytest.mark.parametrize(
    ("method", "path", "person", "body", "status"),
    [
        ("POST", "", "editor", {"subject": "x" * 101}, 422),
        ("POST", "", "editor", {"agentTaskId": "1"}, 404),
        ("POST", "", "commenter", {}, 403),
        ("POST", "", "outsider", {}, 404),
        ("PATCH", "/1", "editor", {"status": "merged"}, 422),
        ("PATCH", "/1", "editor", {"subject": None}, 422),
        ("PATCH", "/1", "commenter", {"subject": "x"}, 403),
        ("PATCH", "/2", "editor", {}, 404),
        ("PATCH", "/1", "editor", {}, 200),
        ("GET", "?status=everything", "reader", None, 422),
        ("GET", "?page=nonsense", "reader", None, 400),
        ("GET", "/99999999999999999999", "reader", None, 404),
    ],
)
async def test_codes_of_change_requests(
    api: Api, session: Session, world: World, method: str, path: str, person: str,
    body: Any, status: int,
) -> None:  # fmt: skip
    space = await make_space(session, world.organization)
    await make_change_request(session, space, world.admin)
    await settle(session)
    url = f"/spaces/{space.id}/change-requests{path}"
    answer = await api.rest(method, url, world.people()[person], body)
    assert answer.status_code == status, answer.text


@pytest.mark.parametrize("in_request", [False, True], ids=["space", "request"])
async def test_comments_are_the_same_in_both(
    api: Api, session: Session, world: World, in_request: bool
) -> None:
    space = await make_space(session, world.organization)
    request = await make_change_request(session, space, world.editor)
    await settle(session)
    place = f"/spaces/{space.id}"
    canonical = place
    argument, parent = "", "space(id: $space)"
    if in_request:
        canonical += f"/change-requests/{request.id}"
        place += "/change-requests/1"
        argument = ', changeRequestId: "1"'
        parent = 'changeRequest(spaceId: $space, id: "1")'

    async def rest(
        method: str, path: str, person: User, body: Any = None, status: int = 200
    ) -> Any:
        answer = await api.rest(method, place + path, person, body)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    posted = await rest("POST", "/comments", world.commenter, {"body": {"markdown": "*Hi*"}})
    assert posted["body"] == {"markdown": "*Hi*"}
    assert posted["urls"]["location"] == (f"http://docs.test/v1{canonical}/comments/{posted['id']}")
    assert (posted["target"].get("changeRequest") == request.id) is in_request
    one = f"/comments/{posted['id']}"
    answer = await rest("POST", f"{one}/replies", world.editor, {"body": {"markdown": "Yes"}})
    assert answer["object"] == "comment-reply"
    assert {"status", "target", "replies"}.isdisjoint(answer)
    changes = {"resolved": True, "addedReactions": ["1f44d"]}
    closed = await rest("PUT", one, world.editor, changes)
    assert (closed["status"], closed["replies"]) == ("resolved", 1)
    assert closed["reactions"][0]["users"][0]["user"]["id"] == world.editor.id
    query = f"""query($space: ID!, $id: ID!, $reply: ID!) {{
        comment(spaceId: $space, id: $id{argument}) {{ {COMMENT} }}
        commentReply(spaceId: $space, commentId: $id, id: $reply{argument}) {{ {SHARED} }}
        place: {parent} {{
            comments(status: RESOLVED) {{ nodes {{ id replies {{ nodes {{ id }} }} }} }}
            commenters {{ nodes {{ id: userId }} }}
        }}
        node(id: $reply) {{ __typename ... on CommentReply {{ comment {{ id }} }} }}
    }}"""
    ids = {"space": space.id, "id": posted["id"], "reply": answer["id"]}
    data = await api.data(query, world.editor, **ids)
    assert comment(data["comment"]) == await rest("GET", one, world.editor)
    shown = people(without_nulls(data["commentReply"])) | {"object": "comment-reply"}
    assert shown == await rest("GET", f"{one}/replies/{answer['id']}", world.editor)
    assert data["node"] == {"__typename": "CommentReply", "comment": {"id": posted["id"]}}
    people_there = [{"id": world.editor.id}, {"id": world.commenter.id}]
    assert data["place"]["comments"]["nodes"] == [
        {"id": posted["id"], "replies": {"nodes": [{"id": answer["id"]}]}}
    ]
    commenters = await rest("GET", "/commenters", world.reader)
    assert [{"id": item["id"]} for item in commenters["items"]] == people_there
    assert data["place"]["commenters"]["nodes"] == people_there
    documents = await rest("GET", "/comments?format=document&status=resolved", world.reader)
    assert documents["items"][0]["body"]["document"]["object"] == "document"
    mine = await rest("GET", f"/comments?authors={world.editor.id}", world.reader)
    assert (mine["items"], mine["count"]) == ([], 0)
    replies = await rest("GET", f"{one}/replies?format=document", world.reader)
    assert list(replies["items"][0]["body"]) == ["document"]
    edited = await rest(
        "PUT", f"{one}/replies/{answer['id']}", world.editor,
        {"body": {"markdown": "No"}} | ({"resolved": True} if in_request else {}),
    )  # fmt: skip
    assert edited["body"] == {"markdown": "No"}
    for status in (205, 204):
        await rest("DELETE", f"{one}/replies/{answer['id']}", world.editor, None, status)
    await rest("DELETE", one, world.editor, None, 403)
    for status in (205, 204):
        await rest("DELETE", one, world.commenter, None, status)
    await rest("GET", one, world.reader, None, 404)


async def test_comments_in_graphql(api: Api, session: Session, world: World) -> None:
    space = await prepared(session, world)
    post = """mutation($space: ID!, $input: PostCommentInput!) {
        postComment(spaceId: $space, input: $input) {
            id body { markdown document } permissions { react resolve }
        }
    }"""
    made = await api.data(
        post, world.commenter, space=space.id, input={"body": {"markdown": "Hello"}}
    )
    found = made["postComment"]
    assert found["permissions"] == {"react": True, "resolve": True}
    again = {"body": {"document": found["body"]["document"]}}
    copied = await api.data(post, world.commenter, space=space.id, input=again)
    assert copied["postComment"]["body"] == found["body"]
    other = """mutation($space: ID!, $id: ID!) {
        reply: replyToComment(
            spaceId: $space, commentId: $id, input: {body: {markdown: "Yes"}}
        ) { id }
        update: updateComment(
            spaceId: $space, id: $id, input: {resolved: true, body: {markdown: "Bye"}}
        ) { status body { markdown } replyCount }
        gone: deleteComment(spaceId: $space, id: $id) {
            deletedId space { id } changeRequest { id }
        }
        again: deleteComment(spaceId: $space, id: $id) { deletedId }
    }"""
    answer = await api.graphql(other, world.commenter, space=space.id, id=found["id"])
    data, (error,) = answer["data"], answer["errors"]
    assert data["update"] == {"status": "RESOLVED", "body": {"markdown": "Bye"}, "replyCount": 1}
    assert data["gone"] == {
        "deletedId": found["id"], "space": {"id": space.id}, "changeRequest": None
    }  # fmt: skip
    assert (data["again"], error["path"]) == (None, ["again"])
    assert error["extensions"]["code"] == "NOT_FOUND"


@pytest.mark.parametrize(
    ("person", "body", "status"),
    [
        ("commenter", {}, 422),
        ("commenter", {"body": {}}, 422),
        ("commenter", {"body": {"markdown": "  "}}, 422),
        ("commenter", {"body": {"markdown": "x" * 50_001}}, 422),
        ("commenter", {"body": {"document": {"nodes": []}}}, 422),
        ("commenter", {"body": {"markdown": "x"}, "node": "n"}, 422),
        ("commenter", {"body": {"markdown": "x"}, "page": "p", "tableCell": {"record": "r"}}, 422),
        ("commenter", {"body": {"markdown": "x"}, "page": "p"}, 404),
        ("reader", {"body": {"markdown": "x"}}, 403),
        ("outsider", {"body": {"markdown": "x"}}, 404),
    ],
)
async def test_codes_of_comments(
    api: Api, session: Session, world: World, person: str, body: Any, status: int
) -> None:
    space = await prepared(session, world)
    answer = await api.rest("POST", f"/spaces/{space.id}/comments", world.people()[person], body)
    assert answer.status_code == status, answer.text


async def test_the_query_does_not_choose_a_family(api: Api, session: Session, world: World) -> None:
    space = await make_space(session, world.organization)
    request = await make_change_request(session, space, world.editor)
    row = await make_comment(session, space, world.editor, request)
    await settle(session)
    path = f"/spaces/{space.id}/comments/{row.id}?changeRequestId=1"
    assert (await api.rest("GET", path, world.reader)).status_code == 404


DEEP = """query($id: ID!) {
    organization(id: $id) { spaces(first: 50) { nodes {
        title
        changeRequests(first: 10) { nodes {
            subject
            createdBy { displayName }
            comments(first: 5) { nodes { postedBy { displayName } } }
        } }
    } } }
}"""


@pytest.mark.parametrize(
    ("spaces", "requests", "comments", "statements"), [(1, 1, 1, 4), (6, 5, 4, 5)]
)
async def test_a_deep_query_costs_a_fixed_number_of_statements(
    api: Api, session: Session, world: World, queries: Queries,
    spaces: int, requests: int, comments: int, statements: int,
) -> None:  # fmt: skip
    people = list(world.people().values())[:5]
    for _ in range(spaces):
        space = await make_space(session, world.organization)
        for index in range(requests):
            request = await make_change_request(session, space, people[index % 5])
            for number in range(comments):
                await make_comment(session, space, people[number % 5], request)
    await settle(session)
    # The token; then the organization, its spaces, their change requests and who made them,
    # their comments and who wrote them. The first request reads the server's own keys, too.
    with queries(9):
        await api.data(DEEP, world.reader, id=world.organization.id)
    # Of few rows several levels are read together.
    with queries(statements):
        data = await api.data(DEEP, world.reader, id=world.organization.id)
    nodes = data["organization"]["spaces"]["nodes"]
    assert [len(nodes), len(nodes[0]["changeRequests"]["nodes"])] == [spaces, requests]
    found = nodes[0]["changeRequests"]["nodes"][0]["comments"]["nodes"]
    assert len(found) == comments


@pytest.mark.parametrize("count", [1, 30])
async def test_lists_of_rest_cost_a_fixed_number_of_statements(
    api: Api, session: Session, world: World, queries: Queries, count: int
) -> None:
    space = await make_space(session, world.organization)
    request = await make_change_request(session, space, world.editor)
    for _ in range(count):
        await make_change_request(session, space, world.editor)
        for on in (None, request):
            parent = await make_comment(session, space, world.editor, on)
            await make_comment(session, space, world.editor, on, parent)
    await settle(session)
    # The first request reads the server's own keys.
    await api.rest("GET", f"/spaces/{space.id}", world.reader)
    for path, statements in (
        ("/change-requests", 8),
        ("/comments", 8),
        ("/change-requests/1/comments", 8),
        ("/commenters", 9),
    ):
        with queries(statements):
            answer = await api.rest("GET", f"/spaces/{space.id}{path}", world.reader)
        assert answer.status_code == 200, answer.text
