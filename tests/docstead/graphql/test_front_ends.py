"""The programs of docs/front-ends.md: Apollo Client, urql's graphcache and relay-runtime."""

import json
import re
import shutil
from pathlib import Path

import httpx2

from tests.docstead.test_serve import run as docstead, serving
from tests.node_packages import NODE, install, run_node

PAGE = Path(__file__).parents[3] / "docs" / "front-ends.md"
PROGRAM = re.compile(r"```js\n// (\S+\.js)\n(.*?)```", re.DOTALL)
SPACE = "mutation ($id: ID!) { createSpace(organizationId: $id, input: {}) { id } }"
FILL = """mutation ($space: ID!) {
  one: createPage(spaceId: $space, input: {type: DOCUMENT, title: "Primary"}) { pages { pageId } }
  two: createPage(spaceId: $space, input: {type: DOCUMENT, title: "Second"}) { changed }
  three: createPage(spaceId: $space, input: {type: DOCUMENT, title: "Third"}) { changed }
  createChangeRequest(spaceId: $space, input: {}) { id } }"""
DRAFT = """mutation ($space: ID!, $page: ID!, $request: ID!) {
  updatePage(spaceId: $space, changeRequestId: $request, input: {page: $page, title: "Draft"}) {
    changed } }"""


async def test_each_program_of_the_page_runs(tmp_path: Path) -> None:
    programs = dict(PROGRAM.findall(PAGE.read_text()))
    assert len(programs) == PAGE.read_text().count("```js") == 7
    # Beside the packages, where the programs find them.
    folder = NODE / "node_modules" / ".front-ends"
    with serving(tmp_path / "data") as (base, _):
        made = docstead(
            "init", "--email", "ada@example.com", "--name", "Ada", "--organization", "Acme",
            "--data-dir", str(tmp_path / "data"),
        )  # fmt: skip
        headers = {"Authorization": f"Bearer {made['token']}"}
        async with httpx2.AsyncClient(base_url=base, headers=headers) as client:

            async def ask(query: str, **variables: str) -> dict[str, dict[str, object]]:
                sent = {"query": query, "variables": variables}
                answer = (await client.post("/graphql", json=sent)).json()
                assert "errors" not in answer, answer
                data: dict[str, dict[str, object]] = answer["data"]
                return data

            space = str((await ask(SPACE, id=made["organization"]["id"]))["createSpace"]["id"])
            filled = await ask(FILL, space=space)
            page = filled["one"]["pages"][0]["pageId"]  # type: ignore[index]
            request = str(filled["createChangeRequest"]["id"])
            await ask(DRAFT, space=space, page=page, request=request)
        await install()
        folder.mkdir(exist_ok=True)
        try:
            for name, text in programs.items():
                (folder / name).write_text(text)
            (folder / "package.json").write_text('{"type": "module"}')
            printed = await run_node(
                "front_ends.js", str(folder), f"{base}/graphql", made["token"], space, page, request
            )
            over_socket = await run_node(
                "events_program.js", str(folder), f"{base}/graphql", made["token"]
            )
        finally:
            shutil.rmtree(folder)
    assert json.loads(over_socket)["viewer"]["id"] == made["user"]["id"]
    shown = json.loads(printed)
    assert shown["warnings"] == []
    assert sorted(shown["types"]) == ["ComputedPage", "DocumentPage", "GroupPage", "LinkPage"]
    for client_name in ("apollo", "urql", "relay"):
        primary, draft = (shown["shown"][client_name][place] for place in ("primary", "draft"))
        assert (primary["id"], primary["pageId"], primary["title"]) == (page, page, "Primary")
        assert (draft["pageId"], draft["title"]) == (page, "Draft")
        assert draft["id"] != page
        assert shown["before"][client_name] == {"primary": "Primary", "draft": "Draft"}
        assert shown["afterwards"][client_name] == {"primary": "Draft", "draft": "Draft"}
    assert (shown["title"], shown["edges"], shown["code"]) == ("Draft", 4, "NOT_FOUND")
    # What was sent again was carried out once.
    assert shown["once"] == {"attempts": 2, "same": True, "pages": 1}
    assert shown["file"]["id"] == shown["file"]["fileId"]
