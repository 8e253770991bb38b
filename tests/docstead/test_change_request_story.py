"""A change request on imported documentation, from the first edit to readers of /v1."""

from db.session import Session
from tests.conftest import Api, World
from tests.sources import imported, sources

UPDATE = """mutation($space: ID!, $request: ID, $input: UpdatePageInput!) {
  updatePage(spaceId: $space, changeRequestId: $request, input: $input) {
    changed revision { id type }
  }
}"""
REQUEST = """query($space: ID!) { changeRequest(spaceId: $space, id: "1") {
  status outdated reviews { nodes { status outdated } }
  conflicts(resolved: false) { nodes { id kind page: pageId } }
  contributors { nodes { action count user { id } } }
} }"""


INTRODUCTION = "An introduction to this page."


def introduced(text: str) -> str:
    """The text of a page with a new first paragraph, below its title."""
    title, gap, rest = text.partition("\n\n")
    if not title.startswith("# "):
        title, gap, rest = "", "", text
    return f"{title}{gap}{INTRODUCTION}\n\n{rest}"


async def test_from_an_import_to_readers(api: Api, session: Session, world: World) -> None:
    space = (await imported(session, world, api, sources("docstead-guide")[0])).id
    base = f"/spaces/{space}"
    request = f"{base}/change-requests/1"
    pages = (await api.rest("GET", f"{base}/content/pages", world.reader)).json()["pages"]
    flat = [one for page in pages for one in (page, *page.get("pages", ()))]
    chosen = [one["id"] for one in flat if one["type"] == "document"][:4]

    async def text(id: str) -> str:
        path = f"{base}/content/page/{id}?format=markdown"
        return str((await api.rest("GET", path, world.reader)).json()["markdown"])

    texts = {id: await text(id) for id in chosen}
    made = """mutation($space: ID!) {
      createChangeRequest(spaceId: $space, input: {subject: "Clearer"}) { number status }
    }"""
    data = await api.data(made, world.editor, space=space)
    assert data["createChangeRequest"] == {"number": 1, "status": "DRAFT"}
    for id in chosen:
        body = {"markdown": introduced(texts[id])}
        data = await api.data(
            UPDATE, world.editor, space=space, request="1", input={"page": id, "body": body}
        )
        assert data["updatePage"]["changed"] is True
    rules = [{"rule": "require_at_least_one_review"},
             {"rule": "custom", "expression": "!changeRequest.outdated"}]  # fmt: skip
    saved = await api.rest(
        "PATCH", base, world.creator, {"mergeRules": {"type": "rules", "rules": rules}}
    )
    assert saved.status_code == 200, saved.text
    refused = await api.rest("POST", f"{request}/merge", world.reviewer)
    assert refused.status_code == 412
    asked = await api.rest(
        "POST", f"{request}/requested-reviewers", world.editor, {"users": [world.commenter.id]}
    )
    assert asked.status_code == 200, asked.text
    # Meanwhile the space moves on: the end of one page, and the beginning of another.
    for id, body in (
        (chosen[0], f"{texts[chosen[0]]}\nThe end of this page.\n"),
        (chosen[1], introduced(texts[chosen[1]]).replace("An intro", "Another intro")),
    ):
        await api.data(
            UPDATE, world.reviewer, space=space, request=None,
            input={"page": id, "body": {"markdown": body}},
        )  # fmt: skip
    shown = (await api.data(REQUEST, world.reader, space=space))["changeRequest"]
    assert (shown["status"], shown["outdated"]) == ("OPEN", True)
    pulled = await api.rest("POST", f"{request}/update", world.editor)
    assert pulled.status_code == 200, pulled.text
    shown = (await api.data(REQUEST, world.reader, space=space))["changeRequest"]
    for conflict in shown["conflicts"]["nodes"]:
        assert conflict["page"] == chosen[1]
        path = f"{request}/conflicts/{conflict['id']}"
        decided = await api.rest("PUT", path, world.editor, {"resolution": "both"})
        assert decided.status_code == 200, decided.text
    reviewed = await api.rest(
        "POST", f"{request}/reviews", world.commenter,
        {"status": "approved", "comment": {"markdown": "Good."}},
    )  # fmt: skip
    assert reviewed.status_code == 201, reviewed.text
    merged = await api.data(
        """mutation($space: ID!) { mergeChangeRequest(spaceId: $space, id: "1") {
             result revision { id } changeRequest { status }
           } }""",
        world.reviewer,
        space=space,
    )
    assert merged["mergeChangeRequest"]["result"] == "MERGE"
    revision = merged["mergeChangeRequest"]["revision"]["id"]
    assert (await api.rest("GET", f"{base}/content", world.reader)).json()["id"] == revision
    after = {id: await text(id) for id in chosen}
    for id in chosen:
        assert INTRODUCTION in after[id]
    assert "The end of this page." in after[chosen[0]]
    assert "Another introduction to this page." in after[chosen[1]]
    # What nobody edited is as its author wrote it, byte for byte.
    for id in chosen[2:]:
        assert after[id] == introduced(texts[id])
    ended = introduced(texts[chosen[0]])
    assert after[chosen[0]] == f"{ended}\nThe end of this page.\n"
    shown = (await api.data(REQUEST, world.reader, space=space))["changeRequest"]
    assert shown["status"] == "MERGED"
    assert shown["reviews"]["nodes"] == [{"status": "APPROVED", "outdated": False}]
    assert {one["action"] for one in shown["contributors"]["nodes"]} == {"EDIT", "COMMENT"}
