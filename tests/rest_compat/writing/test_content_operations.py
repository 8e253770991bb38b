"""Batches of operations as the newest published contract writes and answers them."""

import base64
from typing import Any

import pytest

from tests.conftest import Api, Sown, World
from tests.seeds import Seed

Json = dict[str, Any]
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()


async def begun(api: Api, world: World, seed: Seed) -> str:
    """The path of a fresh change request's content."""
    space = f"/spaces/{seed.space.id}"
    made = await api.rest("POST", f"{space}/change-requests", world.editor, {"subject": "x"})
    return f"{space}/change-requests/{made.json()['id']}/content"


async def sent(api: Api, world: World, path: str, changes: list[Json], query: str = "") -> Json:
    answer = await api.rest("POST", f"{path}{query}", world.editor, {"changes": changes})
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def text_of(api: Api, world: World, path: str, id: str) -> str:
    answer = await api.rest("GET", f"{path}/page/{id}?format=markdown", world.editor)
    return str(answer.json()["markdown"])


async def test_the_answer_tells_what_became_of_each_page(sown: Sown, api: Api) -> None:
    world, seed = sown.world, sown.seed
    path = await begun(api, world, seed)
    changes: list[Json] = [
        {"operation": "insert_page", "title": "One", "ref": "one", "into": "home", "at": 0,
         "document": {"markdown": "Text"}},
        {"operation": "update_page", "page": "home", "title": "Start", "icon": "", "emoji": ""},
        {"operation": "update_page", "page": "home", "description": "Again"},
        {"operation": "update_page", "page": "deep", "into": None},
        {"operation": "delete_page", "page": "group"},
        {"operation": "insert_page", "title": "Empty", "document": {}},
        {"operation": "insert_files", "files": [
            {"name": "a.png", "base64": PNG, "contentType": "image/png"}]},
    ]  # fmt: skip
    body = await sent(api, world, path, changes, "?compat=false")
    assert body.keys() == {"changeRequest", "changes", "insertedFiles"}
    assert body["changeRequest"]["object"] == "change-request"
    first, *others = body["changes"]
    at = f"http://docs.test/v1{path}/page/"
    assert first == {
        "object": "created_page",
        "ref": "one",
        "page": {
            "object": "page", "id": first["page"]["id"],
            "urls": {"location": f"{at}{first['page']['id']}"},
        },
    }  # fmt: skip
    last = others[3]["page"]["id"]
    assert others == [
        {"object": "updated_page",
         "page": {"object": "page", "id": "home", "urls": {"location": f"{at}home"}}},
        {"object": "updated_page",
         "page": {"object": "page", "id": "deep", "urls": {"location": f"{at}deep"}}},
        {"object": "deleted_page", "page": "group"},
        {"object": "created_page",
         "page": {"object": "page", "id": last, "urls": {"location": f"{at}{last}"}}},
        # It went with the page above it.
        {"object": "deleted_page", "page": "link"},
    ]  # fmt: skip
    assert [file["name"] for file in body["insertedFiles"]] == ["a.png"]
    # The addresses lead to the pages.
    for one in body["changes"]:
        if one["object"] != "deleted_page":
            where = one["page"]["urls"]["location"].removeprefix("http://docs.test/v1")
            got = (await api.rest("GET", where, world.editor)).json()
            assert got["id"] == one["page"]["id"]
    home = (await api.rest("GET", f"{path}/page/home", world.editor)).json()
    assert "emoji" not in home
    # Without the parameter the change request alone is the answer.
    alone = await sent(api, world, path, changes[1:2])
    assert alone["object"] == "change-request"


async def test_pages_and_files_of_a_batch_link_to_each_other(sown: Sown, api: Api) -> None:
    world, seed = sown.world, sown.seed
    path = await begun(api, world, seed)
    body = await sent(api, world, path, [
        {"operation": "insert_page", "title": "One", "ref": "one", "document": {"markdown":
            "[two](./two.md#part), ![pic](./plan.png), [home](/pages/home#a), [it](/files/apng), "
            "[no](/pages/nothing), [gone](./three.md)"}},
        {"operation": "insert_page", "title": "Two", "ref": "two",
         "document": {"markdown": "## Part\n\n[one](./one.md)"}},
        {"operation": "insert_files", "files": [
            {"ref": "plan.png", "name": "any.png", "base64": PNG, "contentType": "image/png"}]},
    ], "?compat=false")  # fmt: skip
    one, two = (change["page"]["id"] for change in body["changes"])
    (file,) = (file["id"] for file in body["insertedFiles"])
    got = await api.rest("GET", f"{path}/page/{one}?format=document", world.editor)
    text = got.text
    for expected in (
        f'"kind":"anchor","anchor":"part","page":"{two}"',
        f'"kind":"file","file":"{file}"',
        '"kind":"anchor","anchor":"a","page":"home"',
        '"kind":"file","file":"apng"',
    ):
        assert expected in text.replace(" ", ""), expected
    for left in ("/pages/nothing", "./three.md"):
        assert f'"kind":"url","url":"{left}"' in text.replace(" ", "")
    second = await api.rest("GET", f"{path}/page/{two}?format=document", world.editor)
    assert f'"kind":"page","page":"{one}"' in second.text.replace(" ", "")


async def test_pages_that_come_and_go_in_a_batch_are_no_news(sown: Sown, api: Api) -> None:
    world, seed = sown.world, sown.seed
    path = await begun(api, world, seed)
    body = await sent(api, world, path, [
        {"operation": "insert_page", "title": "One", "ref": "one", "document": {"markdown": "x"}},
        {"operation": "delete_page", "page": "ref:one"},
        {"operation": "delete_page", "page": "child"},
    ], "?compat=false")  # fmt: skip
    gone = [(one["object"], one["page"]) for one in body["changes"]]
    assert gone == [("deleted_page", "child"), ("deleted_page", "deep")]
    # What a revert brings back is new to this revision.
    body = await sent(
        api, world, path, [{"operation": "revert_page", "page": "child"}], "?compat=false"
    )
    assert [(one["object"], one["page"]["id"]) for one in body["changes"]][:1] == [
        ("created_page", "child")
    ]


async def test_documents_come_in_the_forms_of_the_contract(sown: Sown, api: Api) -> None:
    world, seed = sown.world, sown.seed
    path = await begun(api, world, seed)
    paragraph = {"object": "block", "type": "paragraph", "nodes": [
        {"object": "text", "leaves": [{"text": "Typed"}]}]}  # fmt: skip
    document = {"object": "document", "data": {}, "nodes": [paragraph]}
    forms: list[Json] = [{"markdown": "Typed"}, {"document": document}, document, {}]
    for form, text in zip(forms, ("Typed", "Typed", "Typed", ""), strict=True):
        change = {"operation": "update_page", "page": "home", "document": form}
        await sent(api, world, path, [change])
        assert (await text_of(api, world, path, "home")).removeprefix("# Home").strip() == text


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"operation": "insert_page"}, "changes[0].document"),
        ({"operation": "explode"}, "changes[0].operation"),
        ({"page": "home"}, "changes[0].type"),
        ({"operation": "delete_page", "type": "delete_page", "page": "home"},
         "changes[0].operation"),
        ({"operation": "delete_page", "page": "nothing"}, "changes[0].page"),
        ({"operation": "delete_page", "page": "home", "title": "x"}, "changes[0].title"),
        ({"operation": "insert_page", "document": {"markdown": "x"}, "ref": "a b"},
         "changes[0].ref"),
    ],
)  # fmt: skip
async def test_what_is_wrong_is_named(sown: Sown, api: Api, change: Json, path: str) -> None:
    world, seed = sown.world, sown.seed
    content = await begun(api, world, seed)
    answer = await api.rest("POST", content, world.editor, {"changes": [change]})
    assert answer.status_code in (404, 422), answer.text
    assert path in answer.text


async def test_graphql_tells_the_same_of_pages(sown: Sown, api: Api) -> None:
    world, seed = sown.world, sown.seed
    query = """mutation ($space: ID!) { applyContentChanges(input: {
      target: {space: $space}, operations: [
        {createPage: {ref: "one", title: "One"}}, {deletePage: {page: "child"}}
        {updatePage: {page: "home", title: "Start"}}
      ]}) { affectedPages { outcome pageId ref page { pageId urls { location } } } } }"""
    data = await api.data(query, world.editor, space=seed.space.id)
    affected = data["applyContentChanges"]["affectedPages"]
    assert [(one["outcome"], one["ref"]) for one in affected] == [
        ("CREATED", "one"), ("DELETED", None), ("UPDATED", None), ("DELETED", None)
    ]  # fmt: skip
    location = affected[2]["page"]["urls"]["location"]
    assert location == f"http://docs.test/v1/spaces/{seed.space.id}/content/page/home"
    assert affected[1] == {
        "outcome": "DELETED", "pageId": "child", "ref": None, "page": None
    }  # fmt: skip
