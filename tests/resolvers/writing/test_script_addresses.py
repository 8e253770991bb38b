"""Addresses that run a script come in by no door, and what is stored already runs for nobody."""

from dataclasses import replace
from typing import Any

import pytest

from content.documents.nodes import block, inline, paragraph, text
from content.script_addresses import BROKEN, may_run_script, script_members
from db.models.spaces import Space
from db.session import Session
from resolvers.revisions.states import Changes
from resolvers.revisions.tree import all_pages
from resolvers.revisions.write_targets import open_target
from resolvers.writing.commits import commit_revision
from tests import factories
from tests.conftest import Api, World, context, settle
from tests.published.test_sites import make_pages

BAD = "java\tscript:alert(1)"
MARKDOWN = "See [x](java&#9;script:alert(1)) and <a href=javascript:alert(1)>y</a>.\n"
REFERENCE = {"kind": "url", "url": BAD}


def document(*blocks: Any) -> dict[str, Any]:
    return {"object": "document", "data": {}, "nodes": list(blocks)}


def link(data: dict[str, Any], kind: str = "link") -> Any:
    return paragraph([inline(kind, [text("x")], data)])


DOCUMENTS = {
    "link": link({"ref": REFERENCE}),
    "button": link({"ref": REFERENCE, "kind": "primary"}, "button"),
    "image": block("image", None, {"ref": REFERENCE}),
    "embed": block("embed", None, {"url": BAD}),
    "integration": block("integration", None, {"integration": "a", "block": "b", "url": BAD}),
    "card": block("table", None, {"records": {"a": {"values": {"t": {"ref": REFERENCE}}}}}),
    "mark": paragraph([{"object": "text", "leaves": [
        {"text": "x", "marks": [{"type": "m", "data": {"url": BAD}}]},
    ]}]),
}  # fmt: skip
TEXTS = (
    MARKDOWN, "[x](javascript:alert(1))", "![x](<\x0bvbscript:x>)", '<a href="JavaScript:x">x</a>',
    '{% embed url="javascript:x" %}', '<a href="data:text/html,x" class="button primary">x</a>',
    "<a href=javascript:alert(1)>x</a>", "[x]\n\n[x]: java&Tab;script:x",
)  # fmt: skip


@pytest.fixture
async def space(session: Session, world: World) -> Space:
    made = await make_pages(session, world, "Guide", home={})
    await settle(session)
    return made


async def test_no_write_takes_them(api: Api, world: World, space: Space) -> None:
    path = f"/spaces/{space.id}"

    async def content(operation: dict[str, Any]) -> Any:
        body = {"changes": [operation]}
        return await api.rest("POST", f"{path}/content", world.admin, body)

    before = (await api.rest("GET", f"{path}/content", world.admin)).json()["id"]
    bodies = [{"document": document(node)} for node in DOCUMENTS.values()]
    bodies += [{"markdown": text} for text in TEXTS]
    mutation = (
        "mutation($i: ApplyContentChangesInput!) "
        "{ applyContentChanges(input: $i) { revision { id } } }"
    )
    for body in bodies:
        operation = {"updatePage": {"page": "home", "body": body}}
        given = {"target": {"space": space.id}, "operations": [operation]}
        answer = await api.graphql(mutation, world.admin, i=given)
        (error,) = answer["errors"]
        assert error["extensions"]["code"] == "INVALID", (body, error)
        assert "runs a script" in error["message"], (body, error)
        comment = await api.rest("POST", f"{path}/comments", world.admin, {"body": body})
        assert comment.status_code == 422, (body, comment.text)
        assert "runs a script" in comment.text
    assert (await api.rest("GET", f"{path}/content", world.admin)).json()["id"] == before
    comments = await api.rest("GET", f"{path}/comments", world.admin)
    assert comments.json()["items"] == []


async def test_what_is_stored_already_runs_for_nobody(
    api: Api, session: Session, world: World, space: Space
) -> None:
    ctx = context(session)
    for number, node in enumerate(DOCUMENTS.values()):
        changes = Changes()
        target = await open_target(ctx, space.id)
        ((page,),) = await all_pages(ctx, [target.revision])
        body = changes.add_document(f"{number} {MARKDOWN}", document(node))
        changes.pages["home"] = replace(page, document_id=body)
        await commit_revision(ctx, target, changes)
        await settle(session)
        for format in ("document", "markdown"):
            answer = await api.rest(
                "GET", f"/spaces/{space.id}/content/page/home?format={format}", world.admin
            )
            assert answer.status_code == 200
            assert list(script_members(answer.json())) == [], answer.text
            assert BROKEN in answer.text
    made = await factories.make_site(
        session, world.organization, space, published=True, title="Docs"
    )
    await settle(session)
    for name in ("", "home.md", "llms-full.txt"):
        answer = await api.client.get(f"/sites/{made.id}/{name}", follow_redirects=True)
        assert answer.status_code == 200, (name, answer.text)
        assert not may_run_script(answer.text), (name, answer.text)
