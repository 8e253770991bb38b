"""Pulling, merging and conflicts through both doors."""

from typing import Any

from db.session import Session
from tests.conftest import Api, World, settle
from tests.merging import BODY, edit, with_request

CONFLICTS = """query($space: ID!, $resolved: Boolean) { changeRequest(spaceId: $space, id: "1") {
  status conflicts(resolved: $resolved) { totalCount nodes {
    id kind pageId field block cell { record } base ours theirs resolution resolvedBy { id }
    changeRequest { number }
  } }
} }"""
RESOLVE = """mutation($space: ID!, $id: ID!, $input: ResolveConflictInput!) {
  resolveConflict(spaceId: $space, changeRequestId: "1", id: $id, input: $input) {
    id resolution resolvedAt resolvedBy { id }
  }
}"""


async def test_from_a_conflict_to_the_merge(api: Api, session: Session, world: World) -> None:
    space, row = await with_request(session, world)
    await edit(session, world.editor, space, row, p0={"title": "Ours"},
               p1={"body": BODY.replace("Second", "Our")})  # fmt: skip
    live = await edit(session, world.creator, space, p0={"title": "Theirs"},
                      p1={"body": BODY.replace("Second", "Their")})  # fmt: skip
    space_id, live_id = space.id, live.id
    await settle(session)
    base = f"/spaces/{space_id}/change-requests/1"
    held = await api.rest("POST", f"{base}/merge", world.reviewer)
    assert (held.status_code, held.json()["result"]) == (200, "conflicts")
    assert held.json().keys() == {"revision", "result"}
    shown = (await api.rest("GET", base, world.reader)).json()
    assert (shown["status"], shown["outdated"]) == ("open", False)
    assert (shown["revision"], shown["revisionMergedAncestor"]) == (
        held.json()["revision"], live_id,
    )  # fmt: skip
    assert (await api.rest("GET", f"/spaces/{space_id}", world.reader)).json()["revision"] == (
        live_id
    )
    listed = (await api.rest("GET", f"{base}/conflicts", world.reader)).json()
    assert listed["count"] == 2
    by_kind = {one["kind"]: one for one in listed["items"]}
    field, block = by_kind["field"], by_kind["block"]
    assert (field["object"], field["page"], field["field"]) == (
        "change-request-conflict", "p0", "title",
    )  # fmt: skip
    assert [field[name] for name in ("base", "ours", "theirs", "resolution")] == [
        {"value": "Page 0"}, {"value": "Ours"}, {"value": "Theirs"}, None,
    ]  # fmt: skip
    assert block["ours"]["object"] == "block"
    data = await api.data(CONFLICTS, world.reader, space=space_id, resolved=False)
    nodes = data["changeRequest"]["conflicts"]["nodes"]
    assert {one["id"] for one in nodes} == {field["id"], block["id"]}
    done = await api.rest(
        "PUT", f"{base}/conflicts/{field['id']}", world.editor,
        {"resolution": "custom", "value": {"value": "Agreed"}},
    )  # fmt: skip
    assert done.status_code == 200, done.text
    assert done.json()["resolution"] == "custom"
    assert done.json()["resolvedBy"]["id"] == world.editor.id
    still = await api.rest("POST", f"{base}/merge", world.reviewer)
    assert still.json()["result"] == "conflicts"
    data = await api.data(
        RESOLVE, world.editor, space=space_id, id=block["id"], input={"resolution": "OURS"}
    )
    assert data["resolveConflict"]["resolution"] == "OURS"
    data = await api.data(
        """mutation($space: ID!) { mergeChangeRequest(spaceId: $space, id: "1") {
             result revision { id type parents } changeRequest { status revisionMerged { id } }
           } }""",
        world.reviewer,
        space=space_id,
    )
    merged = data["mergeChangeRequest"]
    assert (merged["result"], merged["revision"]["type"]) == ("MERGE", "MERGE")
    assert merged["changeRequest"]["status"] == "MERGED"
    assert merged["changeRequest"]["revisionMerged"]["id"] == merged["revision"]["id"]
    page = await api.rest("GET", f"/spaces/{space_id}/content/page/p0", world.reader)
    assert page.json()["title"] == "Agreed"
    path = f"/spaces/{space_id}/content/page/p1?format=markdown"
    text = (await api.rest("GET", path, world.reader)).json()["markdown"]
    assert "Our paragraph here" in text
    assert "Their" not in text
    again = await api.rest("POST", f"{base}/merge", world.reviewer)
    assert again.status_code == 412
    late = await api.rest(
        "PUT", f"{base}/conflicts/{field['id']}", world.editor, {"resolution": "ours"}
    )
    assert late.status_code == 412


async def test_pulling(api: Api, session: Session, world: World) -> None:
    space, _ = await with_request(session, world)
    space_id = space.id
    await edit(session, world.creator, space, p0={"title": "Live"})
    await settle(session)
    base = f"/spaces/{space_id}/change-requests/1"
    assert (await api.rest("GET", base, world.reader)).json()["outdated"] is True
    done = await api.rest("POST", f"{base}/update", world.editor)
    assert (done.status_code, done.json()["result"]) == (200, "update")
    shown = (await api.rest("GET", base, world.reader)).json()
    assert (shown["outdated"], shown["revision"]) == (False, done.json()["revision"])
    data = await api.data(
        """mutation($space: ID!) { pullChangeRequest(spaceId: $space, id: "1") {
             result revision { id } changeRequest { outdated }
           } }""",
        world.editor,
        space=space_id,
    )
    assert data["pullChangeRequest"] == {
        "result": "UPDATE",
        "revision": {"id": done.json()["revision"]},
        "changeRequest": {"outdated": False},
    }


async def test_faults_are_named(api: Api, session: Session, world: World) -> None:
    space, row = await with_request(session, world)
    await edit(session, world.editor, space, row, p0={"title": "Ours"})
    await edit(session, world.creator, space, p0={"title": "Theirs"})
    space_id = space.id
    await settle(session)
    base = f"/spaces/{space_id}/change-requests/1"
    await api.rest("POST", f"{base}/update", world.editor)
    (conflict,) = (await api.rest("GET", f"{base}/conflicts", world.reader)).json()["items"]
    one = f"{base}/conflicts/{conflict['id']}"
    cases: list[tuple[str, Any, int, str]] = [
        (one, {}, 422, "resolution"),
        (one, {"resolution": "mine"}, 422, "resolution"),
        (one, {"resolution": "both"}, 422, "resolution"),
        (one, {"resolution": "custom", "value": "x"}, 422, "value"),
        (one, {"resolution": "custom", "value": {"value": 1}}, 422, "value"),
        (one, {"resolution": "custom", "value": {}}, 422, "value"),
        (one, {"resolution": "custom", "value": {"title": "x"}}, 422, "value"),
        (one, {"resolution": "custom", "value": {"value": "x", "nodes": []}}, 422, "value"),
        (f"{base}/conflicts/none", {"resolution": "ours"}, 404, "none"),
    ]
    for path, body, status, part in cases:
        response = await api.rest("PUT", path, world.editor, body)
        assert response.status_code == status, response.text
        assert part in response.json()["error"]["message"]
    space_path = f"/spaces/{space_id}"
    rules = {"type": "rules", "rules": [{"rule": "require_at_least_one_review"}]}
    await api.rest("PATCH", space_path, world.admin, {"mergeRules": rules})
    refused = await api.rest("POST", f"{base}/merge", world.reviewer)
    assert refused.status_code == 412
    error = refused.json()["error"]
    assert "require_at_least_one_review" in error["message"]
    assert error["details"][0]["path"] == "mergeRules.rules[0]"
    wrong = {"type": "rules", "rules": [{"rule": "custom", "expression": "a b"}]}
    saved = await api.rest("PATCH", space_path, world.admin, {"mergeRules": wrong})
    assert saved.status_code == 422
    assert "character" in saved.json()["error"]["message"]


async def test_what_is_merged_is_what_was_seen(api: Api, session: Session, world: World) -> None:
    space, row = await with_request(session, world)
    await edit(session, world.editor, space, row, p0={"title": "Ours"})
    await edit(session, world.creator, space, p0={"title": "Theirs"})
    space_id, seen = space.id, row.revision_initial_id
    await settle(session)
    base = f"/spaces/{space_id}/change-requests/1"
    pulled = await api.rest("POST", f"{base}/update", world.editor)
    (conflict,) = (await api.rest("GET", f"{base}/conflicts", world.reader)).json()["items"]
    one = f"{base}/conflicts/{conflict['id']}"
    present = pulled.json()["revision"]
    stale, fresh = ({"If-Match": f'"{id}"'} for id in (seen, present))
    calls: tuple[tuple[str, str, Any], ...] = (
        ("PUT", one, {"resolution": "ours"}),
        ("POST", f"{base}/update", None),
        ("POST", f"{base}/merge", None),
    )
    for method, path, body in calls:
        answer = await api.rest(method, path, world.reviewer, body, headers=stale)
        assert answer.status_code == 409, answer.text
        assert answer.json()["error"]["currentRevision"] == present
    for mutation in (
        'resolveConflict(spaceId: $space, changeRequestId: "1", id: $id, '
        "input: {resolution: OURS}, expectedRevision: $seen) { id }",
        'pullChangeRequest(spaceId: $space, id: "1", expectedRevision: $seen) { result }',
        'mergeChangeRequest(spaceId: $space, id: "1", expectedRevision: $seen) { result }',
    ):
        declared = "$space: ID!, $seen: ID!" + (", $id: ID!" if "$id" in mutation else "")
        values = {"space": space_id, "seen": seen, "id": conflict["id"]}
        if "$id" not in mutation:
            del values["id"]
        found = await api.graphql(
            f"mutation({declared}) {{ {mutation} }}", world.reviewer, **values
        )
        assert found["errors"][0]["extensions"]["currentRevision"] == present
    for method, path, body in calls:
        answer = await api.rest(method, path, world.reviewer, body, headers=fresh)
        assert answer.status_code == 200, answer.text
        fresh = {"If-Match": "*"}
    assert answer.json()["result"] == "merge"
