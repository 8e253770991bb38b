"""Documents that are named: automatic persisted queries, trusted ones; multipart bodies."""

import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import orjson
import pytest

from db.session import Database, Session
from docstead.asgi import OPEN_BYTES, OPEN_DOCUMENTS, create_app
from docstead.graphql.persisted_documents import AutomaticDocuments
from docstead.graphql.request import from_body
from docstead.graphql.trusted_documents import read_trusted
from docstead.server import Server
from docstead.settings import SettingError, Settings, load_settings
from schema.refusals import Refused
from tests import factories
from tests.conftest import Api, World

VIEWER = "query Viewer { viewer { id } }"
OPEN = "query Open($url: String!) { publishedSite(url: $url) { __typename } }"
CURRENT = "application/graphql-response+json"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def persisted(text: str, version: Any = 1) -> dict[str, Any]:
    return {"persistedQuery": {"version": version, "sha256Hash": digest(text)}}


async def ask(api: Api, person: Any, body: Any, method: str = "POST", **headers: str) -> Any:
    """The answer of one request, with its status."""
    if person is not None:
        headers["Authorization"] = f"Bearer {await api.token_of(person)}"
    if method == "POST":
        response = await api.client.post("/graphql", json=body, headers=headers)
    else:
        params = {
            name: value if isinstance(value, str) else orjson.dumps(value).decode()
            for name, value in body.items()
        }
        response = await api.client.get("/graphql", params=params, headers=headers)
    return response


def code(response: httpx2.Response) -> str:
    answer = response.json()
    assert "data" not in answer
    (error,) = answer["errors"]
    return str(error["extensions"]["code"])


@asynccontextmanager
async def another(api: Api, database: Database, **settings: Any) -> AsyncIterator[Api]:
    """A further process on the same database."""
    made = Settings(
        public_url="http://docs.test", data_dir=api.server.settings.data_dir, **settings
    )
    server = Server(made, database)
    transport = httpx2.ASGITransport(app=create_app(made, server))
    async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as client:
        yield Api(server, client, api.tokens)


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_document_is_sent_once(
    api: Api, world: World, session: Session, database: Database, method: str
) -> None:
    await session.commit()
    named = {"extensions": persisted(VIEWER)}
    first = await ask(api, world.admin, named, method)
    assert first.status_code == 200
    assert code(first) == "PERSISTED_QUERY_NOT_FOUND"
    assert first.json()["errors"][0]["message"] == "PersistedQueryNotFound"
    expected = {"viewer": {"id": world.admin.id}}
    sent = await ask(api, world.admin, {"query": VIEWER, **named}, method)
    assert sent.json()["data"] == expected
    for body in (
        named,
        {"documentId": f"sha256:{digest(VIEWER)}"},
        {"documentId": digest(VIEWER)},
        {"query": "", **named},
        {"documentId": f"sha256:{digest(VIEWER)}", **named},
        {"query": VIEWER, "documentId": f"sha256:{digest(VIEWER)}"},
        {"query": VIEWER},
    ):
        assert (await ask(api, world.admin, body, method)).json()["data"] == expected, body
    # Another person has the same document, and gets what is theirs.
    other = await ask(api, world.reader, named, method)
    assert other.json()["data"] == {"viewer": {"id": world.reader.id}}
    # A process that does not know it gets it by the protocol's second request.
    async with another(api, database) as process:
        assert code(await ask(process, world.admin, named)) == "PERSISTED_QUERY_NOT_FOUND"
        again = await ask(process, world.admin, {"query": VIEWER, **named})
        assert again.json()["data"] == expected
        assert (await ask(process, world.admin, named)).json()["data"] == expected


async def test_status_of_what_is_not_known(api: Api, world: World, session: Session) -> None:
    await session.commit()
    body = {"extensions": persisted(VIEWER)}
    for accept, status in (("application/json", 200), (CURRENT, 404)):
        response = await ask(api, world.admin, body, Accept=accept)
        assert response.status_code == status
        assert response.json()["errors"][0]["extensions"] == {
            "code": "PERSISTED_QUERY_NOT_FOUND", "status": 404,
        }  # fmt: skip
        assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "body",
    [
        {"query": VIEWER, "extensions": persisted("{ other }")},
        {"query": VIEWER + " ", "extensions": persisted(VIEWER)},
        {"query": VIEWER, "documentId": f"sha256:{digest('x')}"},
        {"query": VIEWER, "documentId": "mine"},
        {"query": VIEWER, "documentId": digest(VIEWER).upper()},
        {"documentId": digest("x"), "extensions": persisted(VIEWER)},
        {"documentId": ""},
        {"documentId": 5},
        {"documentId": "x" * 257},
        {"extensions": persisted(VIEWER, 2)},
        {"extensions": persisted(VIEWER, True)},
        {"extensions": persisted(VIEWER, "1")},
        {"extensions": persisted(VIEWER, None)},
        {"extensions": {"persistedQuery": {"version": 1}}},
        {"extensions": {"persistedQuery": {"version": 1, "sha256Hash": 5}}},
        {"extensions": {"persistedQuery": {"version": 1, "sha256Hash": ""}}},
        {"extensions": {"persistedQuery": "x"}},
        {"extensions": {"persistedQuery": []}},
        {"extensions": {"persistedQuery": None}},
        {"query": 5, "extensions": persisted(VIEWER)},
        {},
    ],
    ids=str,
)
async def test_what_is_no_name(
    api: Api, world: World, session: Session, body: dict[str, Any]
) -> None:
    await session.commit()
    for method in ("POST", "GET"):
        if method == "GET" and not isinstance(body.get("query", ""), str):
            continue
        if method == "GET" and body.get("documentId") in ("", 5):
            continue
        response = await ask(api, world.admin, body, method)
        assert (response.status_code, code(response)) == (400, "BAD_REQUEST"), body
    # Nothing of it is remembered.
    known = await ask(api, world.admin, {"extensions": persisted("{ other }")})
    assert code(known) == "PERSISTED_QUERY_NOT_FOUND"


async def test_only_what_may_be_executed_is_remembered(
    api: Api, world: World, session: Session
) -> None:
    await session.commit()
    for text in ("{ nothing }", "{", "query A { version } query B { version }", "x" * 70_000):
        body = {"extensions": persisted(text)}
        refused = await ask(api, world.admin, {"query": text, **body})
        assert refused.json()["errors"]
        assert code(await ask(api, world.admin, body)) == "PERSISTED_QUERY_NOT_FOUND"


async def test_mutations_are_named_in_the_same_way(
    api: Api, world: World, session: Session
) -> None:
    space = await factories.make_space(session, world.organization)
    await session.commit()
    text = 'mutation ($id: ID!) { updateSpace(id: $id, input: {title: "New"}) { title } }'
    body = {"variables": {"id": space.id}, "extensions": persisted(text)}
    assert code(await ask(api, world.admin, body)) == "PERSISTED_QUERY_NOT_FOUND"
    await ask(api, world.admin, {"query": text, **body})
    once = await ask(api, world.admin, body, **{"Idempotency-Key": "a"})
    assert once.json()["data"] == {"updateSpace": {"title": "New"}}
    # With its name or with its text, it is the same request.
    again = await ask(api, world.admin, {"query": text, **body}, **{"Idempotency-Key": "a"})
    assert again.headers["idempotent-replayed"] == "true"
    got = await ask(api, world.admin, body, "GET")
    assert got.status_code == 405


async def test_callers_without_a_token_have_a_small_memory_of_their_own(
    api: Api, world: World, session: Session
) -> None:
    await session.commit()
    viewer = {"extensions": persisted(VIEWER)}
    await ask(api, world.admin, {"query": VIEWER, **viewer})
    assert code(await ask(api, None, viewer)) == "PERSISTED_QUERY_NOT_FOUND"
    assert code(await ask(api, None, {"query": VIEWER, **viewer})) == "UNAUTHENTICATED"
    assert code(await ask(api, None, viewer)) == "PERSISTED_QUERY_NOT_FOUND"
    open_ = {"extensions": persisted(OPEN), "variables": {"url": "http://nothing.docs.test/"}}
    answer = (await ask(api, None, {"query": OPEN, **open_})).json()
    assert "PERSISTED_QUERY_NOT_FOUND" not in str(answer)
    assert (await ask(api, None, open_)).json() == answer
    # Nor does what strangers send take the place of what people have sent.
    for number in range(OPEN_DOCUMENTS + 1):
        text = f"{OPEN} # {number}"
        await ask(api, None, {"query": text, "variables": open_["variables"],
                              "extensions": persisted(text)})  # fmt: skip
    assert code(await ask(api, None, open_)) == "PERSISTED_QUERY_NOT_FOUND"
    assert (await ask(api, world.admin, viewer)).json()["data"]
    assert OPEN_BYTES < 1_000_000


def test_memory_is_bounded() -> None:
    memory = AutomaticDocuments(texts=3, characters=100)
    texts = [f"{{ a{number} }}" for number in range(5)]

    def knows(text: str) -> bool:
        try:
            return memory.resolve(from_body({"extensions": persisted(text)})).query == text
        except Refused:
            return False

    for text in texts:
        memory.remember(memory.resolve(from_body({"query": text, "extensions": persisted(text)})))
    assert [knows(text) for text in texts] == [False, False, True, True, True]
    for large in ("x" * 101, "y" * 90):
        memory.remember(memory.resolve(from_body({"query": large, "extensions": persisted(large)})))
    assert [knows(text) for text in texts] == [False, False, False, False, True]


# ---------------------------------------------------------------------- trusted documents


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What the build tools of several clients have written."""
    made = tmp_path / "trusted"
    (made / "below").mkdir(parents=True)
    relay = {hashlib.md5(VIEWER.encode()).hexdigest(): VIEWER}
    (made / "relay.json").write_text(json.dumps(relay))
    apollo = {
        "format": "apollo-persisted-query-manifest",
        "version": 1,
        "operations": [
            {"id": "titles", "name": "Titles", "type": "query",
             "body": "query Titles { viewer { organizations { nodes { title } } } }"},
            {"id": "open", "name": "Open", "type": "query", "body": OPEN},
        ],
    }  # fmt: skip
    (made / "below" / "apollo.json").write_text(json.dumps(apollo))
    (made / "below" / "Rename.graphql").write_text(
        "mutation Rename($id: ID!, $title: String!) {\n"
        "  updateSpace(id: $id, input: {title: $title}) { title }\n}\n"
    )
    (made / "README.md").write_text("# Not a document")
    return made


async def test_only_trusted_documents_are_executed(
    api: Api, world: World, session: Session, database: Database, folder: Path
) -> None:
    space = await factories.make_space(session, world.organization)
    await session.commit()
    await api.token_of(world.admin)
    async with another(api, database, trusted_documents=str(folder)) as strict:
        relay = hashlib.md5(VIEWER.encode()).hexdigest()
        for body in (
            {"documentId": relay},
            {"documentId": f"sha256:{digest(VIEWER)}"},
            {"extensions": persisted(VIEWER)},
            {"extensions": {"persistedQuery": {"version": 1, "sha256Hash": relay}}},
            {"query": VIEWER},
            {"query": VIEWER, "documentId": relay},
            {"query": VIEWER, "extensions": persisted(VIEWER)},
        ):
            for method in ("POST", "GET"):
                answer = (await ask(strict, world.admin, body, method)).json()
                assert answer["data"] == {"viewer": {"id": world.admin.id}}, body
        titles = (await ask(strict, world.admin, {"documentId": "titles"})).json()["data"]
        assert titles["viewer"]["organizations"]["nodes"] == [{"title": "Acme"}]
        renamed = await ask(
            strict, world.admin,
            {"documentId": "Rename", "variables": {"id": space.id, "title": "Renamed"}},
        )  # fmt: skip
        assert renamed.json()["data"] == {"updateSpace": {"title": "Renamed"}}
        for body, refusal in (
            ({"query": "{ viewer { id } }"}, "QUERY_NOT_IN_SAFELIST"),
            ({"query": VIEWER + " "}, "QUERY_NOT_IN_SAFELIST"),
            ({"query": "{ __schema { types { name } } }"}, "QUERY_NOT_IN_SAFELIST"),
            ({"query": "{"}, "QUERY_NOT_IN_SAFELIST"),
            ({"documentId": "README"}, "PERSISTED_QUERY_NOT_FOUND"),
            ({"documentId": "unknown"}, "PERSISTED_QUERY_NOT_FOUND"),
            ({"extensions": persisted("{ viewer { id } }")}, "PERSISTED_QUERY_NOT_FOUND"),
            ({"query": "{ viewer { id } }", "extensions": persisted("{ viewer { id } }")},
             "PERSISTED_QUERY_NOT_FOUND"),
            ({"query": "{ viewer { id } }", "documentId": relay}, "BAD_REQUEST"),
        ):  # fmt: skip
            for _ in range(2):  # nothing is added
                assert code(await ask(strict, world.admin, body)) == refusal, body
        # Callers without a token have what is open, if it is trusted.
        url = {"url": "http://nothing.docs.test/"}
        answer = (await ask(strict, None, {"documentId": "open", "variables": url})).json()
        assert answer == (await ask(api, None, {"query": OPEN, "variables": url})).json()
        assert code(await ask(strict, None, {"documentId": relay})) == "UNAUTHENTICATED"


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({}, "has no documents"),
        ({"a.txt": "x"}, "has no documents"),
        ({"a.json": "{"}, "is no manifest"),
        ({"a.json": "[" * 100_000}, "is no manifest"),
        ({"a.json": "[]"}, "an object is expected"),
        ({"a.json": '{"a": 5}'}, "a text with a document is expected"),
        ({"a.json": '{"operations": [5]}'}, r"operations\[0\]: an object"),
        ({"a.json": '{"operations": [{"id": "a"}]}'}, "a text with a document is expected"),
        ({"a.json": '{"a": "{ b }"}', "b.json": '{"a": "{ c }"}'}, "another document already"),
        ({"a.json": '{"": "{ b }"}'}, "has 0 characters"),
    ],
)
def test_manifests_that_stop_the_start(tmp_path: Path, files: dict[str, str], problem: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(SettingError, match=problem):
        load_settings({"DOCSTEAD_TRUSTED_DOCUMENTS": str(tmp_path)})


def test_a_file_that_is_not_there_stops_the_start(tmp_path: Path) -> None:
    for path, problem in (("none.json", "cannot be read"), ("none", "neither a .json")):
        with pytest.raises(SettingError, match=problem):
            load_settings({"DOCSTEAD_TRUSTED_DOCUMENTS": str(tmp_path / path)})
    (tmp_path / "latin.graphql").write_bytes(b"{ \xe9 }")
    with pytest.raises(SettingError, match="cannot be read"):
        load_settings({"DOCSTEAD_TRUSTED_DOCUMENTS": str(tmp_path)})
    assert read_trusted_of(tmp_path / "one.gql") == {"one": VIEWER}


def read_trusted_of(path: Path) -> dict[str, str]:
    path.write_text(VIEWER)
    return read_trusted(path)


# ---------------------------------------------------------------------- multipart bodies


@pytest.mark.parametrize("type_", ["multipart/form-data; boundary=x", "Multipart/Mixed"])
async def test_files_are_not_sent_with_operations(
    api: Api, world: World, session: Session, type_: str
) -> None:
    await session.commit()
    response = await api.client.post(
        "/graphql", content=b"--x--",
        headers={"Content-Type": type_,
                 "Authorization": f"Bearer {await api.token_of(world.admin)}"},
    )  # fmt: skip
    assert (response.status_code, code(response)) == (415, "UNSUPPORTED_MEDIA_TYPE")
    message = response.json()["errors"][0]["message"]
    names = await api.data("{ __schema { mutationType { fields { name } } } }", world.admin)
    mutations = {one["name"] for one in names["__schema"]["mutationType"]["fields"]}
    assert {word for word in ("createFileUpload", "createFile") if word in message} <= mutations
    assert "createFileUpload" in message
    plain = await api.client.post(
        "/graphql", content=b"x",
        headers={"Content-Type": "text/plain",
                 "Authorization": f"Bearer {await api.token_of(world.admin)}"},
    )  # fmt: skip
    assert "createFileUpload" not in plain.text
