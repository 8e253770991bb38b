"""Every operation on content through both doors: the same results, the same errors."""

import base64
import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import func, select

from db.base import Base
from db.content_enums import ContentBatchChange
from db.models.change_requests import ChangeRequest
from db.models.content import FileUpload
from db.session import Session
from resolvers.core.naming import camel
from resolvers.writing.operations import OPERATIONS
from tests import factories
from tests.conftest import Api, World
from tests.importing import documents
from tests.seeds import Seed, sow

Json = dict[str, Any]

APPLY = """mutation ($input: ApplyContentChangesInput!) { applyContentChanges(input: $input) {
  changed created { id: contentId kind ref } files { id: fileId } } }"""


@dataclass(frozen=True)
class Case:
    """One operation as GraphQL and /v1 write it; UPLOAD stands for the id of an upload.

    A wrong one has the places that errors name, below `operations[0]` and `changes[0]`.
    """

    operation: Json
    change: Json
    ours: str = ""
    theirs: str = ""


def case(name: str, type: str, operation: Json, change: Json, *places: str) -> Case:
    return Case({name: operation}, {"type": type, **change}, *places)


EDITS = [{"insert": {"content": {"markdown": "## First"}, "place": {"index": 0}}},
         {"delete": {"keys": ["LAST"]}}]  # fmt: skip
FIELDS = {
    "slug": "own", "emoji": "1f600", "icon": "book", "description": "D", "hidden": True,
    "noIndex": True, "noRobotsIndex": True, "condition": "visitor.claims.beta",
    "variables": {"a": 1}, "layout": {"width": "wide", "outline": False},
    "cover": {"ref": {"kind": "file", "file": "apng"}, "yPos": 3.5},
}  # fmt: skip
ENUMS = {**FIELDS, "layout": {"width": "WIDE", "outline": False}}
URL = {"kind": "url", "url": "https://c.example"}
DOCUMENT = {"object": "document", "nodes": [
    {"object": "block", "type": "heading-2", "nodes": [
        {"object": "text", "leaves": [{"text": "Two"}]}]}]}  # fmt: skip

CASES: list[Case] = [
    case("createPage", "insert_page",
         {"title": "N", "parent": "home", "position": {"index": 0}, "body": {"markdown": "B"},
          **ENUMS},
         {"title": "N", "into": "home", "at": 0, "document": {"markdown": "B"}, **FIELDS}),
    case("createPage", "insert_page",
         {"type": "GROUP", "title": "G", "position": {"after": "home"}},
         {"kind": "group", "title": "G", "after": "home"}),
    case("createPage", "insert_page", {"type": "LINK", "title": "L", "target": URL},
         {"kind": "link", "title": "L", "target": URL}),
    case("createPage", "insert_page", {"title": "E", "body": {"edits": EDITS[:1]}},
         {"title": "E", "edits": EDITS[:1]}),
    case("updatePage", "update_page",
         {"page": "home", "title": "T", "body": {"document": DOCUMENT}, **ENUMS},
         {"page": "home", "title": "T", "document": DOCUMENT, **FIELDS}),
    case("updatePage", "update_page", {"page": "home", "body": {"edits": EDITS}},
         {"page": "home", "edits": EDITS}),
    case("updatePage", "update_page",
         {"page": "child", "cover": None, "layout": None, "variables": {}, "condition": None},
         {"page": "child", "cover": None, "layout": None, "variables": {}, "condition": None}),
    case("updatePage", "update_page", {"page": "link", "target": URL},
         {"page": "link", "target": URL}),
    case("renamePage", "rename_page", {"page": "home", "title": "R", "slug": "r"},
         {"page": "home", "title": "R", "slug": "r"}),
    case("movePage", "move_page", {"page": "deep", "parent": None, "position": {"before": "home"}},
         {"page": "deep", "into": None, "before": "home"}),
    case("deletePage", "delete_page", {"page": "child"}, {"page": "child"}),
    case("revertPage", "revert_page", {"page": "home", "revision": "EDITED"},
         {"page": "home", "revision": "EDITED"}),
    case("createFile", "insert_files", {"upload": "UPLOAD", "name": "n.txt"},
         {"files": [{"upload": "UPLOAD", "name": "n.txt"}]}),
    case("replaceFile", "replace_file", {"file": "apng", "upload": "UPLOAD", "name": "z.txt"},
         {"file": "apng", "upload": "UPLOAD", "name": "z.txt"}),
    case("replaceFile", "replace_file", {"file": "apng", "name": "z.png"},
         {"file": "apng", "name": "z.png"}),
    case("deleteFile", "delete_file", {"file": "bpdf"}, {"file": "bpdf"}),
    case("createReusableContent", "insert_reusable_content",
         {"title": "R", "body": {"markdown": "B"}}, {"title": "R", "document": {"markdown": "B"}}),
    case("updateReusableContent", "update_reusable_content",
         {"reusableContent": "notice", "title": "U", "body": {"edits": EDITS}},
         {"reusableContent": "notice", "title": "U", "edits": EDITS}),
    case("deleteReusableContent", "delete_reusable_content", {"reusableContent": "notice"},
         {"reusableContent": "notice"}),
    case("setVariables", "set_variables", {"set": {"x": "y"}, "remove": ["beta"]},
         {"set": {"x": "y"}, "remove": ["beta"]}),
    case("setRedirect", "set_redirect", {"path": "/Old%20path/", "page": "deep", "anchor": "a"},
         {"path": "/Old%20path/", "page": "deep", "anchor": "a"}),
    case("setRedirect", "set_redirect", {"path": "was", "page": "home"},
         {"path": "was", "page": "home"}),
    case("deleteRedirect", "delete_redirect", {"path": "was"}, {"path": "was"}),
]  # fmt: skip

WRONG: list[Case] = [
    case("createPage", "insert_page", {"parent": "none", "body": {"markdown": ""}},
         {"into": "none", "document": {"markdown": ""}}, "parent", "into"),
    case("createPage", "insert_page", {"body": {"document": {"nodes": []}}},
         {"document": {"nodes": []}}, "body.document.object", "document.object"),
    case("createPage", "insert_page", {"type": "GROUP", "body": {"markdown": "x"}},
         {"kind": "group", "document": {"markdown": "x"}}, "body", "document"),
    case("createPage", "insert_page", {"type": "LINK"}, {"kind": "link"}, "target", "target"),
    case("updatePage", "update_page",
         {"page": "home", "body": {"edits": [{"delete": {"keys": ["-"]}}]}},
         {"page": "home", "edits": [{"delete": {"keys": ["-"]}}]},
         "body.edits[0].delete.keys", "edits[0].delete.keys"),
    case("updatePage", "update_page", {"page": "home", "cover": {"ref": {"kind": "user"}}},
         {"page": "home", "cover": {"ref": {"kind": "user"}}}, "cover.ref.kind", "cover.ref.kind"),
    case("renamePage", "rename_page", {"page": "home", "slug": "group"},
         {"page": "home", "slug": "group"}, "slug", "slug"),
    case("movePage", "move_page", {"page": "deep", "position": {"index": 77}},
         {"page": "deep", "at": 77}, "position.index", "at"),
    case("movePage", "move_page", {"page": "deep", "position": {"before": "none"}},
         {"page": "deep", "before": "none"}, "position.before", "before"),
    case("movePage", "move_page", {"page": "group", "parent": "home"},
         {"page": "group", "into": "home"}, "parent", "into"),
    case("deletePage", "delete_page", {"page": "none"}, {"page": "none"}, "page", "page"),
    case("revertPage", "revert_page", {"page": "home", "revision": "EDITED", "blocks": ["none"]},
         {"page": "home", "revision": "EDITED", "block": ["none"]}, "blocks[0]", "block[0]"),
    case("createFile", "insert_files", {"upload": "none", "name": "x"},
         {"files": [{"upload": "none", "name": "x"}]}, "upload", "files[0].upload"),
    case("replaceFile", "replace_file", {"file": "apng", "upload": "none"},
         {"file": "apng", "upload": "none"}, "upload", "upload"),
    case("replaceFile", "replace_file", {"file": "none", "name": "x"},
         {"file": "none", "name": "x"}, "file", "file"),
    case("replaceFile", "replace_file", {"file": "apng", "name": "a/b"},
         {"file": "apng", "name": "a/b"}, "name", "name"),
    case("deleteFile", "delete_file", {"file": "none"}, {"file": "none"}, "file", "file"),
    case("createReusableContent", "insert_reusable_content", {"title": " "}, {"title": " "},
         "title", "title"),
    case("updateReusableContent", "update_reusable_content", {"reusableContent": "none"},
         {"reusableContent": "none"}, "reusableContent", "reusableContent"),
    case("updateReusableContent", "update_reusable_content",
         {"reusableContent": "notice", "body": {"document": {"object": "document"}}},
         {"reusableContent": "notice", "document": {"object": "document"}},
         "body.document.nodes", "document.nodes"),
    case("deleteReusableContent", "delete_reusable_content", {"reusableContent": "none"},
         {"reusableContent": "none"}, "reusableContent", "reusableContent"),
    case("setVariables", "set_variables", {"set": {"1": 1}}, {"set": {"1": 1}}, "set", "set"),
    case("setVariables", "set_variables", {"set": {"beta": [1]}}, {"set": {"beta": [1]}},
         "set.beta", "set.beta"),
    case("updatePage", "update_page", {"page": "home", "body": {"markdown": "a\n\n" * 50_001}},
         {"page": "home", "document": {"markdown": "a\n\n" * 50_001}},
         "body.markdown", "document.markdown"),
    case("setRedirect", "set_redirect", {"path": "old", "page": "none"},
         {"path": "old", "page": "none"}, "page", "page"),
    case("setRedirect", "set_redirect", {"path": "~/changes", "page": "home"},
         {"path": "~/changes", "page": "home"}, "path", "path"),
    case("setRedirect", "set_redirect", {"path": "/", "page": "home"},
         {"path": "/", "page": "home"}, "path", "path"),
    case("setRedirect", "set_redirect", {"path": "Group/", "page": "deep"},
         {"path": "Group/", "page": "deep"}, "path", "path"),
    case("setRedirect", "set_redirect", {"path": "old", "page": "link"},
         {"path": "old", "page": "link"}, "page", "page"),
    case("setRedirect", "set_redirect", {"path": "old", "page": "home", "anchor": "#a"},
         {"path": "old", "page": "home", "anchor": "#a"}, "anchor", "anchor"),
    case("deleteRedirect", "delete_redirect", {"path": "none"}, {"path": "none"}, "path", "path"),
]  # fmt: skip


def test_every_operation_and_every_type_is_here() -> None:
    for cases in (CASES, WRONG):
        assert {name for one in cases for name in one.operation} == set(map(camel, OPERATIONS))
        assert {one.change["type"] for one in cases} == {one.value for one in ContentBatchChange}


@dataclass
class Doors:
    """Writes of a change request, or of primary content, by each door."""

    api: Api
    world: World
    seed: Seed
    values: dict[str, str] = field(default_factory=dict)

    def filled(self, value: Json) -> Json:
        text = json.dumps(value)
        for name, given in self.values.items():
            text = text.replace(f'"{name}"', json.dumps(given))
        found: Json = json.loads(text)
        return found

    async def graphql(self, one: Case, request: ChangeRequest | None, **more: Any) -> Json:
        target: Json = {"space": self.seed.space.id}
        if request is not None:
            target["changeRequest"] = request.id
        operations = [self.filled(one.operation)]
        return await self.api.graphql(
            APPLY, self.world.editor, input={"target": target, "operations": operations, **more}
        )

    async def rest(self, one: Case, request: ChangeRequest | None, query: str = "") -> Any:
        place = "" if request is None else f"/change-requests/{request.id}"
        return await self.api.rest(
            "POST", f"/spaces/{self.seed.space.id}{place}/content{query}", self.world.editor,
            {"changes": [self.filled(one.change)]},
        )  # fmt: skip

    async def upload(self) -> str:
        answer = await self.api.rest(
            "POST", f"/spaces/{self.seed.space.id}/uploads", self.world.editor, {"name": "u.txt"}
        )
        ticket = answer.json()
        await self.api.client.put(ticket["url"], content=b"some bytes")
        id: str = ticket["id"]
        return id

    async def content(self, request: ChangeRequest, created: list[str]) -> Json:
        """What a change request changes and holds; new ids by their number."""
        editor, base = self.world.editor, f"/spaces/{self.seed.space.id}"
        path = f"{base}/change-requests/{request.id}"
        found = {
            "changes": (await self.api.rest("GET", f"{path}/changes?limit=50", editor)).json(),
            "content": (await self.api.rest("GET", f"{path}/content", editor)).json(),
            "pages": [
                (await self.api.rest(
                    "GET", f"{path}/content/page/{id}?format=document", editor)).json()
                for id in ("home", "child", "deep", "link", *created)
            ],
            "contents": [
                (await self.api.rest(
                    "GET", f"{path}/content/reusable-contents/{id}", editor)).json()
                for id in ("notice", *created)
            ],
        }  # fmt: skip
        text = json.dumps(found, sort_keys=True).replace(request.id, "REQUEST")
        for number, id in enumerate(created):
            text = text.replace(id, f"NEW{number}")
        # What depends on the id, the moment or the revision of a write.
        for name in ("key", "createdAt", "updatedAt", "downloadURL", "document", "documentId"):
            text = re.sub(rf'"{name}": "[^"]*"', f'"{name}": ""', text)
        text = re.sub(r'("(?:before|after)": )"[0-9a-f]{64}"', r'\1"hash"', text)
        text = re.sub(r"/revisions/\w+", "/revisions/R", text)
        clean: Json = json.loads(text)
        for name in ("id", "urls"):
            clean["content"].pop(name)
        return clean


@pytest.fixture
async def doors(api: Api, world: World, session: Session) -> Doors:
    made = Doors(api, world, await sow(session, world))
    path = f"/spaces/{made.seed.space.id}/content/page/home?format=document"
    home = (await api.rest("GET", path, world.editor)).json()
    made.values["LAST"] = home["document"]["nodes"][-1]["key"]
    made.values["EDITED"] = str(made.seed.change_request.revision_id)
    was = case("setRedirect", "", {"path": "was", "page": "child"}, {})
    assert "errors" not in await made.graphql(was, None)
    await session.refresh(made.seed.space)
    return made


async def test_both_doors_make_the_same(doors: Doors, session: Session) -> None:
    for one in CASES:
        first, second = [
            await factories.make_change_request(session, doors.seed.space, doors.world.editor)
            for _ in range(2)
        ]
        await session.commit()
        results = []
        for request, graphql in ((first, True), (second, False)):
            if "UPLOAD" in json.dumps(one.operation):
                doors.values["UPLOAD"] = await doors.upload()
            if graphql:
                answer = await doors.graphql(one, request)
                assert "errors" not in answer, (one, answer)
                written = answer["data"]["applyContentChanges"]
            else:
                response = await doors.rest(one, request, "?compat=false")
                assert response.status_code == 200, (one, response.text)
                written = response.json()
            assert written["changed"] is True, one
            created = [made["id"] for made in written["created"]]
            results.append(await doors.content(request, created))
        assert results[0] == results[1], one
        of_redirects = any("Redirect" in kind for kind in one.operation)
        assert results[0]["changes"]["redirects" if of_redirects else "changes"], one


async def test_both_doors_refuse_the_same(doors: Doors, session: Session) -> None:
    for one in WRONG:
        for request in (doors.seed.change_request, None):
            answer = await doors.graphql(one, request)
            (error,) = answer["errors"]
            response = await doors.rest(one, request)
            problem = response.json()["error"]
            (kind,) = one.operation
            ours, theirs = f"operations[0].{kind}.{one.ours}", f"changes[0].{one.theirs}"
            assert response.status_code == error["extensions"]["status"], (one, error, problem)
            assert response.status_code in (400, 404, 409, 422), one
            ((path, message),) = [
                (part["path"], part["message"]) for part in error["extensions"]["fields"]
            ]
            assert path == ours, one
            assert problem["details"] == [{"path": theirs, "message": message}], one


PNG = base64.b64encode(documents.png()).decode()
INLINE = {"base64": PNG, "contentType": "image/png"}


async def stored(session: Session, api: Api) -> tuple[dict[str, int], dict[str, int]]:
    """Rows by table and bytes by path of everything that is stored."""
    await session.commit()
    rows = {
        table.name: (await session.execute(select(func.count()).select_from(table))).scalar_one()
        for table in Base.metadata.sorted_tables
    }
    await session.commit()
    folder = api.server.settings.data_dir
    files = {str(one): one.stat().st_size for one in folder.rglob("*") if one.is_file()}
    return rows, files


async def test_a_dry_run_and_a_write_that_fails_store_nothing(
    doors: Doors, session: Session
) -> None:
    api, editor = doors.api, doors.world.editor
    insert: Json = {"type": "insert_files", "files": [{"name": "a.png", **INLINE}] * 3}
    replace = {"type": "replace_file", "file": "apng", **INLINE}
    fails = {"type": "delete_page", "page": "none"}
    await api.token_of(editor)
    before = await stored(session, api)
    for request in (doors.seed.change_request.id, None):
        place = "" if request is None else f"/change-requests/{request}"
        path = f"/spaces/{doors.seed.space.id}{place}/content"
        for query, changes, status in (
            ("?dryRun=true", [insert, replace], 200),
            ("?dryRun=true", [insert, fails], 404),
            ("", [insert, replace, fails], 404),
            ("", [insert, {**replace, "base64": "!"}], 422),
            ("", [{**insert, "files": [{**insert["files"][0], "ref": "a"}] * 2}], 422),
        ):
            answer = await api.rest("POST", path + query, editor, {"changes": changes})
            assert answer.status_code == status, answer.text
            assert await stored(session, api) == before, (query, changes)
        stale = await api.rest(
            "POST", path, editor, {"changes": [insert]}, headers={"If-Match": '"other"'}
        )
        assert stale.status_code == 409
        assert await stored(session, api) == before
    # What fails above has bytes that a write without a fault does store.
    answer = await api.rest("POST", path, editor, {"changes": [insert, replace]})
    assert answer.status_code == 200, answer.text
    made = answer.json()["insertedFiles"]
    assert {one["contentType"] for one in made} == {"image/png"}
    for one in made:
        assert (await api.client.get(one["downloadURL"])).content == documents.png()
    rows, files = await stored(session, api)
    assert rows[FileUpload.__tablename__] == before[0][FileUpload.__tablename__]
    assert [one for one in files if one not in before[1]] == [
        one for one in files if one.endswith(hashlib.sha256(documents.png()).hexdigest())
    ]
    assert not [one for one in files if ".incoming" in one]


async def test_what_a_type_does_not_take_is_named(doors: Doors) -> None:
    for change, path in (
        ({"type": "rename_page", "page": "home", "hidden": True}, "hidden"),
        ({"type": "move_page"}, "page"),
        ({"type": "replace_file", "name": "x"}, "file"),
        ({"type": "replace_file", "file": "apng"}, ""),
        ({"type": "replace_file", "file": "apng", **INLINE, "upload": "x"}, ""),
        ({"type": "replace_file", "file": "apng", "base64": PNG}, "contentType"),
        ({"type": "delete_reusable_content"}, "reusableContent"),
        ({"type": "insert_reusable_content"}, "title"),
        ({"type": "update_page", "page": "home", "document": {"markdown": ""}, "edits": EDITS},
         "edits"),
        ({"type": "update_page", "page": "home", "document": {"markdown": 5}},
         "document.markdown"),
        ({"type": "update_page", "page": "home", "document": {"markdown": "", "title": "x"}},
         "document.title"),
        ({"type": "update_page", "page": "home", "document": {"markdown": "", "nodes": []}},
         "document.nodes"),
        ({"type": "update_page", "page": "home", "kind": "group"}, "kind"),
        ({"type": "insert_page", "kind": "document"}, "document"),
        ({"type": "set_variables", "page": "home"}, "page"),
        ({"type": "set_redirect", "page": "home"}, "path"),
        ({"type": "set_redirect", "path": "old"}, "page"),
        ({"type": "set_redirect", "path": "x" * 513, "page": "home"}, "path"),
        ({"type": "delete_redirect", "path": "old", "page": "home"}, "page"),
    ):  # fmt: skip
        answer = await doors.rest(Case({}, change), None)
        assert answer.status_code == 422, (change, answer.text)
        (detail,) = answer.json()["error"]["details"]
        assert detail["path"] == f"changes[0].{path}".rstrip("."), change
