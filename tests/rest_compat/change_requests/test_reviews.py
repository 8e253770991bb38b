"""Reviews, requested reviewers and contributors through both doors."""

from db.session import Session
from tests.conftest import Api, World, settle
from tests.factories import make_change_request, make_space


async def test_a_review_from_the_request_to_the_answer(
    api: Api, session: Session, world: World
) -> None:
    space = await make_space(session, world.organization)
    row = await make_change_request(session, space, world.editor)
    await settle(session)
    base = f"/spaces/{space.id}/change-requests/1"
    asked = await api.rest(
        "POST", f"{base}/requested-reviewers", world.editor,
        {"users": [world.commenter.id], "subject": "Look", "description": None},
    )  # fmt: skip
    assert asked.status_code == 200, asked.text
    (one,) = asked.json()["users"]
    assert one.keys() == {"object", "kind", "user", "revision", "requestedBy", "createdAt"}
    assert (one["object"], one["kind"]) == ("change-request-requested-reviewer", "user")
    assert (one["user"]["id"], one["requestedBy"]["id"]) == (world.commenter.id, world.editor.id)
    listed = await api.rest("GET", f"{base}/requested-reviewers", world.reader)
    assert listed.json() == {"items": [one], "count": 1}
    sent = {"status": "changes-requested", "comment": {"markdown": "Why?"}}
    made = await api.rest("POST", f"{base}/reviews", world.commenter, sent)
    assert made.status_code == 201, made.text
    review = made.json()
    assert review["object"] == "change-request-review"
    assert (review["status"], review["outdated"]) == ("changes-requested", False)
    assert review["revision"] == row.revision_id
    assert review["requestedBy"]["id"] == world.editor.id
    assert review["comment"]["body"] == {"markdown": "Why?"}
    assert review["comment"]["target"]["review"] == review["id"]
    assert made.headers["location"] == (
        f"http://docs.test/v1/spaces/{space.id}/change-requests/1/reviews/{review['id']}"
    )
    path = made.headers["location"].removeprefix("http://docs.test/v1")
    assert (await api.rest("GET", path, world.commenter)).json() == review
    for query, count in (("", 1), ("?outdated=true", 0), ("?outdated=false", 1)):
        found = await api.rest("GET", f"{base}/reviews{query}", world.reader)
        assert (found.status_code, found.json()["count"]) == (200, count)
    as_document = await api.rest("GET", f"{base}/reviews?format=document", world.reader)
    assert as_document.json()["items"][0]["comment"]["body"].keys() == {"document"}
    data = await api.data(
        """query($space: ID!) { changeRequest(spaceId: $space, id: "1") {
             subject commentsOpen
             reviews(outdated: false) { totalCount nodes {
               id status outdated requestedBy { id } comment { body { markdown } }
               changeRequest { number }
             } }
             requestedReviewers { totalCount }
             contributors { nodes { user { id } action count } }
           } }""",
        world.reader,
        space=space.id,
    )
    shown = data["changeRequest"]
    assert (shown["subject"], shown["commentsOpen"]) == ("Look", 1)
    assert shown["reviews"] == {
        "totalCount": 1,
        "nodes": [
            {
                "id": review["id"],
                "status": "CHANGES_REQUESTED",
                "outdated": False,
                "requestedBy": {"id": world.editor.id},
                "comment": {"body": {"markdown": "Why?"}},
                "changeRequest": {"number": 1},
            }
        ],
    }
    assert shown["requestedReviewers"] == {"totalCount": 0}
    assert shown["contributors"]["nodes"] == [
        {"user": {"id": world.commenter.id}, "action": "COMMENT", "count": 1}
    ]
    contributors = await api.rest("GET", f"{base}/contributors", world.reader)
    (contributor,) = contributors.json()["items"]
    assert contributor.keys() == {"user", "count", "updatedAt", "actionType"}
    assert contributor["actionType"] == "comment"


async def test_the_same_by_mutations(api: Api, session: Session, world: World) -> None:
    space = await make_space(session, world.organization)
    await make_change_request(session, space, world.editor)
    await settle(session)
    data = await api.data(
        """mutation($space: ID!, $users: [ID!]!, $user: ID!) {
             requestReviewers(spaceId: $space, changeRequestId: "1", input: {users: $users}) {
               changeRequest { status } users { user { id } requestedBy { id } }
             }
             withdrawReviewRequest(spaceId: $space, changeRequestId: "1", userId: $user) {
               userId changeRequest { number requestedReviewers { totalCount } }
             }
           }""",
        world.editor,
        space=space.id,
        users=[world.reviewer.id, world.creator.id],
        user=world.creator.id,
    )
    assert data == {
        "requestReviewers": {
            "changeRequest": {"status": "OPEN"},
            "users": [
                {"user": {"id": one.id}, "requestedBy": {"id": world.editor.id}}
                for one in (world.reviewer, world.creator)
            ],
        },
        "withdrawReviewRequest": {
            "userId": world.creator.id,
            "changeRequest": {"number": 1, "requestedReviewers": {"totalCount": 1}},
        },
    }
    mutation = """mutation($space: ID!) { submitReview(
        spaceId: $space, changeRequestId: "1", input: {status: APPROVED}
    ) { id status reviewer { id } comment { id } } }"""
    made = (await api.data(mutation, world.reviewer, space=space.id))["submitReview"]
    assert made["reviewer"] == {"id": world.reviewer.id}
    assert (made["status"], made["comment"]) == ("APPROVED", None)
    node = "query($id: ID!) { node(id: $id) { ... on Review { status } } }"
    found = await api.data(node, world.reader, id=made["id"])
    assert found["node"] == {"status": "APPROVED"}
    assert (await api.data(node, world.outsider, id=made["id"]))["node"] is None
    one = """query($space: ID!, $id: ID!) {
      review(spaceId: $space, changeRequestId: "1", id: $id) { id }
    }"""
    assert (await api.data(one, world.reader, space=space.id, id=made["id"]))["review"]


async def test_faults_are_named(api: Api, session: Session, world: World) -> None:
    space = await make_space(session, world.organization)
    await make_change_request(session, space, world.editor)
    await settle(session)
    base = f"/spaces/{space.id}/change-requests/1"
    for path, body, status, part in (
        ("requested-reviewers", {"users": []}, 422, "users"),
        ("requested-reviewers", {"users": ["nobody"]}, 404, "nobody"),
        ("requested-reviewers", {}, 422, "users"),
        ("requested-reviewers", {"users": ["x"], "subject": "x" * 101}, 422, "subject"),
        ("reviews", {"status": "fine"}, 422, "status"),
        ("reviews", {"status": "approved", "comment": {}}, 422, "body"),
    ):
        response = await api.rest("POST", f"{base}/{path}", world.admin, body)
        assert response.status_code == status, response.text
        assert part in response.json()["error"]["message"]
    missing = await api.rest("GET", f"{base}/reviews/none", world.admin)
    assert missing.status_code == 404
    other = f"/spaces/{space.id}/change-requests/2/reviews"
    assert (await api.rest("GET", other, world.admin)).status_code == 404
