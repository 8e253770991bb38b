"""GraphQL over HTTP: the protocol, its errors, and attacks with a normal request after each."""

import asyncio
import contextlib
import json
import logging
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
import pytest

from docstead.graphql.endpoint import GraphQLHTTP
from tests.docstead.graphql_server import TOKEN, endpoint, make_context, record, serving

CURRENT = "application/graphql-response+json"
LEGACY = "application/json"


def client(app: GraphQLHTTP[str]) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://test")


@pytest.fixture
async def http() -> AsyncIterator[httpx2.AsyncClient]:
    async with client(endpoint()) as opened:
        yield opened


async def post(
    http: httpx2.AsyncClient, query: str, accept: str = CURRENT, **parameters: object
) -> httpx2.Response:
    body = {"query": query, **parameters}
    return await http.post("/graphql", json=body, headers={"accept": accept})


def first_error(response: httpx2.Response) -> dict[str, Any]:
    error: dict[str, Any] = response.json()["errors"][0]
    return error


async def assert_still_serving(http: httpx2.AsyncClient) -> None:
    response = await post(http, "{ hello }")
    assert response.status_code == 200
    assert response.json()["data"] == {"hello": "hello world"}


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (CURRENT, CURRENT),
        (LEGACY, LEGACY),
        ("*/*", LEGACY),
        ("application/*", LEGACY),
        (f"{CURRENT}, {LEGACY}", CURRENT),
        (f"{LEGACY}, {CURRENT}", LEGACY),
        (f"{LEGACY};q=0.5, {CURRENT};q=0.9", CURRENT),
        (f"*/*, {CURRENT}", CURRENT),
        (f"{CURRENT};q=0, */*;q=0.1", LEGACY),
        (f"{CURRENT}; charset=utf-8", CURRENT),
        (f"text/html, {LEGACY}", LEGACY),
    ],
)
async def test_accept_decides_the_media_type(
    http: httpx2.AsyncClient, accept: str, media_type: str
) -> None:
    response = await post(http, "{ hello }", accept)
    assert response.status_code == 200
    assert response.headers["content-type"] == f"{media_type}; charset=utf-8"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "accept", ["text/html", "image/*", f"{LEGACY};q=0", f"{CURRENT}; charset=utf-16", "", "/;;q=x"]
)
async def test_nothing_acceptable(http: httpx2.AsyncClient, accept: str) -> None:
    response = await post(http, "{ hello }", accept)
    assert response.status_code == 406
    assert first_error(response)["extensions"]["code"] == "NOT_ACCEPTABLE"


async def test_without_accept_the_current_media_type_is_sent(http: httpx2.AsyncClient) -> None:
    del http.headers["accept"]
    response = await http.post("/graphql", json={"query": "{ hello }"})
    assert response.headers["content-type"].startswith(CURRENT)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"query": "{"}, "GRAPHQL_PARSE_FAILED"),
        ({"query": ""}, "GRAPHQL_PARSE_FAILED"),
        ({"query": '\ufeff{ hello(name: "\\ud800") }'}, "GRAPHQL_PARSE_FAILED"),
        ({"query": "{ nothing }"}, "GRAPHQL_VALIDATION_FAILED"),
        ({"query": "{ item { ...A } } fragment A on Item { ...A }"}, "GRAPHQL_VALIDATION_FAILED"),
        ({"query": "type A { b: Int }"}, "GRAPHQL_VALIDATION_FAILED"),
        ({"query": "fragment A on Item { name }"}, "GRAPHQL_VALIDATION_FAILED"),
        ({"query": "query ($n: Int!) { items(first: $n) { name } }"}, "BAD_USER_INPUT"),
        (
            {"query": "query ($n: Int) { items(first: $n) { name } }", "variables": {"n": 1e30}},
            "BAD_USER_INPUT",
        ),
        ({"query": "{ items(first: 1001) { name } }"}, "QUERY_TOO_COMPLEX"),
        ({"query": "{" + "item { name } " * 51 + "}"}, "QUERY_TOO_COMPLEX"),
        ({"query": "{ hello }", "operationName": "A"}, "OPERATION_RESOLUTION_FAILURE"),
        ({"query": "query A { hello } query B { hello }"}, "OPERATION_RESOLUTION_FAILURE"),
        ({"query": "subscription { ticks }"}, "SUBSCRIPTION_NOT_SUPPORTED"),
    ],
)
async def test_request_error_has_the_status_of_its_media_type(
    http: httpx2.AsyncClient, body: dict[str, object], code: str
) -> None:
    for accept, status in ((CURRENT, 400), (LEGACY, 200)):
        response = await http.post("/graphql", json=body, headers={"accept": accept})
        assert response.status_code == status
        assert "data" not in response.json()
        error = first_error(response)
        assert error["extensions"]["code"] == code
        assert error["extensions"]["status"] == 400
    await assert_still_serving(http)


ATTACKS: list[tuple[bytes, int, str]] = [
    (b"", 400, "empty"),
    (b"null", 400, "is null"),
    (b'"query"', 400, "is a string"),
    (b"7", 400, "is a number"),
    (b'[{"query": "{ hello }"}]', 400, "batches are not supported"),
    (b"{}", 400, "query is missing"),
    (b'{"query": null}', 400, "query is null"),
    (b'{"query": "{ hello }", "variables": []}', 400, "variables is an array"),
    (b'{"query": "{ hello }", "extensions": "a"}', 400, "extensions is a string"),
    (b'{"query": "{ hello }", "operationName": 1}', 400, "operationName is a number"),
    (b'{"query": "{ hello }", "variables": ' + b"[" * 100_000, 400, "240 levels"),
    (b'{"variables": {"a": ' + b'{"a":' * 250 + b"1" + b"}" * 252, 400, "240 levels"),
    (b'{"query": "{ hello }", "variables": {"n": ' + b"1" * 100_000 + b"}}", 400, "digits"),
    (b'{"query": "\xff\xfe"}', 400, "UTF-8"),
    (b'{"query": "{ hello }", "variables": {"a": "\\u0000"}}', 400, "U+0000"),
    (b'{"query": "{ hello }", "variables": {"a": "\\ud800"}}', 400, "surrogate"),
    (b'{"query": NaN}', 400, "not valid JSON"),
    (b'{"query": "' + b"x" * 1_000_000 + b'"}', 413, "1000000 bytes"),
]


@pytest.mark.parametrize(("body", "status", "problem"), ATTACKS)
async def test_malformed_body_is_refused_with_either_media_type(
    http: httpx2.AsyncClient, body: bytes, status: int, problem: str
) -> None:
    for accept in (CURRENT, LEGACY):
        headers = {"accept": accept, "content-type": "application/json"}
        response = await http.post("/graphql", content=body, headers=headers)
        assert response.status_code == status
        assert problem in first_error(response)["message"]
        assert first_error(response)["extensions"]["status"] == status
    await assert_still_serving(http)


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "text/plain",
        "application/graphql",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=latin-1",
    ],
)
async def test_only_json_is_read(http: httpx2.AsyncClient, content_type: str | None) -> None:
    before = list(record.writes)
    headers = {"content-type": content_type} if content_type else {}
    content = b'{"query": "mutation { write(text: \\"form\\") }"}'
    response = await http.post("/graphql", content=content, headers=headers)
    assert response.status_code == 415
    assert "application/json" in first_error(response)["message"] or "UTF-8" in response.text
    assert record.writes == before
    await assert_still_serving(http)


async def test_form_post_changes_nothing(http: httpx2.AsyncClient) -> None:
    before = list(record.writes)
    response = await http.post("/graphql", data={"query": 'mutation { write(text: "form") }'})
    assert response.status_code == 415
    assert record.writes == before


async def test_get_query(http: httpx2.AsyncClient) -> None:
    parameters = {
        "query": "query A($n: String) { hello(name: $n) } query B { hello }",
        "operationName": "A",
        "variables": '{"n": "ä+b"}',
        "extensions": "{}",
        "utm_source": "ignored",
    }
    response = await http.get("/graphql", params=parameters, headers={"accept": CURRENT})
    assert response.json()["data"] == {"hello": "hello ä+b"}


@pytest.mark.parametrize("accept", [CURRENT, LEGACY])
async def test_get_mutation_is_not_allowed(http: httpx2.AsyncClient, accept: str) -> None:
    before = list(record.writes)
    parameters = {"query": 'mutation { write(text: "get") }'}
    response = await http.get("/graphql", params=parameters, headers={"accept": accept})
    assert response.status_code == 405
    assert response.headers["allow"] == "POST"
    assert first_error(response)["extensions"]["code"] == "METHOD_NOT_ALLOWED"
    assert record.writes == before


@pytest.mark.parametrize(
    ("query_string", "problem"),
    [
        ("", "query is missing"),
        ("query=%7Bhello%7D&variables=%5B%5D", "variables is an array"),
        ("query=%7Bhello%7D&variables=%7B", "variables: The value is not valid JSON"),
        ("query=%7Bhello%7D&variables=" + "%5B" * 300, "variables: The value is nested"),
        ("query=%7Bhello%7D&extensions=1", "extensions is a number"),
        ("query=%7Bhello%7D&query=%7Bitem%7D", "query is given more than once"),
        ("query=%00", "U+0000"),
        ("query=%ff", "UTF-8"),
        ("a=1&" * 30 + "query=%7Bhello%7D", "20 parameters"),
    ],
)
async def test_malformed_url_is_refused(
    http: httpx2.AsyncClient, query_string: str, problem: str
) -> None:
    response = await http.get(f"/graphql?{query_string}", headers={"accept": LEGACY})
    assert response.status_code == 400
    assert problem in first_error(response)["message"]
    await assert_still_serving(http)


async def test_get_can_be_switched_off() -> None:
    async with client(endpoint(allow_get=False)) as http:
        response = await http.get("/graphql?query={hello}", headers={"accept": CURRENT})
        assert response.status_code == 405
        assert response.headers["allow"] == "POST"
        await assert_still_serving(http)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
async def test_other_methods_are_not_allowed(http: httpx2.AsyncClient, method: str) -> None:
    response = await http.request(method, "/graphql")
    assert response.status_code == 405
    assert response.headers["allow"] == "GET, POST"


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


async def test_browser_gets_the_page(http: httpx2.AsyncClient) -> None:
    headers = {"accept": BROWSER, "authorization": "Bearer wrong"}
    response = await http.get("/graphql?query={hello}", headers=headers)
    assert response.text == "<h1>GraphiQL</h1>"


@pytest.mark.parametrize("accept", ["*/*", LEGACY, f"{LEGACY}, text/html", "text/*;q=0.1, */*"])
async def test_everybody_else_gets_json(http: httpx2.AsyncClient, accept: str) -> None:
    response = await http.get("/graphql?query={hello}", headers={"accept": accept})
    assert response.json()["data"] == {"hello": "hello world"}


@pytest.mark.parametrize("accept", [CURRENT, LEGACY, "image/png"])
@pytest.mark.parametrize("body", [b"", b"null", b'{"query": "{"}', b'{"query": "{ hello }"}'])
async def test_bad_token_is_refused_before_anything_is_read(
    http: httpx2.AsyncClient, accept: str, body: bytes
) -> None:
    headers = {"accept": accept, "authorization": "Bearer wrong", "content-type": "text/plain"}
    for response in (
        await http.post("/graphql", content=body, headers=headers),
        await http.get("/graphql?query=%7B", headers=headers),
    ):
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == "Bearer"
        assert first_error(response)["extensions"]["code"] == "UNAUTHENTICATED"


async def test_good_token_is_taken(http: httpx2.AsyncClient) -> None:
    http.headers["authorization"] = f"Bearer {TOKEN}"
    await assert_still_serving(http)


async def test_rate_limit_says_when_to_come_back(http: httpx2.AsyncClient) -> None:
    response = await http.post("/graphql", headers={"authorization": "Bearer busy"})
    assert response.status_code == 429
    assert response.headers["retry-after"] == "7"
    assert "www-authenticate" not in response.headers


async def test_fault_while_authenticating_is_internal(
    http: httpx2.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    response = await http.post("/graphql", headers={"authorization": "Bearer broken"})
    assert response.status_code == 500
    assert "database" not in response.text
    assert first_error(response)["extensions"]["id"] in caplog.text


async def test_expected_error_of_a_field(http: httpx2.AsyncClient) -> None:
    response = await post(http, "{ hello hidden }")
    assert response.status_code == 200
    assert response.json()["data"] == {"hello": "hello world", "hidden": None}
    assert first_error(response) == {
        "message": "No such thing.",
        "locations": [{"line": 1, "column": 9}],
        "path": ["hidden"],
        "extensions": {
            "code": "NOT_FOUND",
            "status": 404,
            "fields": [{"path": "id", "message": "unknown"}],
        },
    }


async def test_fault_in_a_field_is_logged_and_not_told(
    http: httpx2.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    response = await post(http, "query Q { item { name broken } }")
    assert response.status_code == 200
    assert response.json()["data"] == {"item": {"name": "one", "broken": None}}
    error = first_error(response)
    assert error["message"] == "Internal error."
    assert error["path"] == ["item", "broken"]
    assert error["extensions"]["code"] == "INTERNAL"
    assert "hunter2" not in response.text
    (logged,) = [entry for entry in caplog.records if entry.name == "docstead.graphql"]
    assert error["extensions"]["id"] in logged.getMessage()
    assert logged.exc_info


async def test_many_faults_are_logged_a_few_times(
    http: httpx2.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    response = await post(http, "{ items(first: 50) { broken } }")
    assert len(response.json()["errors"]) == 50
    assert len([entry for entry in caplog.records if entry.levelno == logging.ERROR]) == 10


async def test_wrong_value_of_a_resolver_is_a_fault(http: httpx2.AsyncClient) -> None:
    response = await post(http, "{ item { wrong } }")
    assert first_error(response)["extensions"]["code"] == "INTERNAL"
    assert "5000000000" not in response.text


async def test_text_that_is_not_unicode_is_a_fault(http: httpx2.AsyncClient) -> None:
    response = await post(http, "{ surrogate }")
    assert response.status_code == 500
    assert first_error(response)["extensions"]["code"] == "INTERNAL"
    await assert_still_serving(http)


async def test_cost_is_reported(http: httpx2.AsyncClient) -> None:
    response = await post(http, "{ items(first: 30) { name } }")
    assert response.json()["extensions"]["cost"] == {"requested": 30, "limit": 10_000}


async def test_names_are_not_told_without_introspection() -> None:
    async with client(endpoint(introspection=False)) as http:
        response = await post(http, "{ helo }")
        assert "hello" not in response.text
        response = await post(http, "{ __schema { types { name } } }")
        assert first_error(response)["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"
        await assert_still_serving(http)


@pytest.mark.parametrize(("accept", "status"), [(CURRENT, 504), (LEGACY, 200)])
async def test_deadline_cancels_the_operation(accept: str, status: int) -> None:
    cancelled, contexts = record.cancelled, len(record.contexts)
    async with client(endpoint(deadline=0.05)) as http:
        response = await post(http, "{ a: slow b: slow }", accept)
        assert response.status_code == status
        assert first_error(response)["extensions"] == {"code": "DEADLINE_EXCEEDED", "status": 504}
        assert record.cancelled == cancelled + 2
        assert record.contexts[contexts:] == ["cancelled"]
        await assert_still_serving(http)


async def test_timeout_of_the_context_is_no_deadline() -> None:
    @contextlib.asynccontextmanager
    async def exhausted(actor: str, scope: object) -> AsyncIterator[object]:
        raise TimeoutError("no connection in the pool")
        yield None

    async with client(endpoint(context=exhausted)) as http:
        response = await post(http, "{ hello }")
        assert response.status_code == 503
        assert response.headers["retry-after"] == "1"
        assert "pool" not in response.text


async def test_context_is_left_before_the_answer(http: httpx2.AsyncClient) -> None:
    before = len(record.contexts)
    await post(http, 'mutation { write(text: "kept") }')
    assert record.writes[-1] == "kept"
    assert record.contexts[before:] == ["left"]


async def test_fault_when_the_context_is_left_is_no_success() -> None:
    @contextlib.asynccontextmanager
    async def failing(actor: str, scope: Any) -> AsyncIterator[object]:
        async with make_context(actor, scope) as context:
            yield context
        raise RuntimeError("commit failed")

    async with client(endpoint(context=failing)) as http:
        response = await post(http, 'mutation { write(text: "lost") }')
        assert response.status_code == 500
        assert "data" not in response.json()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving(endpoint(max_body=100_000)) as served:
        yield served


async def raw(port: int, *parts: bytes) -> bytes:
    """Send bytes as they are on a connection that stays open, and return one answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        # Since Python 3.12 an empty part among others is tried to be sent for ever.
        writer.write(b"".join(parts))
        answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
        length = re.search(rb"content-length: (\d+)", answer)
        assert length
        return answer + await asyncio.wait_for(reader.readexactly(int(length[1])), 60)
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


def head(*headers: str) -> bytes:
    lines = ["POST /graphql HTTP/1.1", "Host: test", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


async def assert_server_answers(port: int) -> None:
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
        await assert_still_serving(http)


async def test_huge_chunked_body_is_cut_off(port: int) -> None:
    chunk = b"1000\r\n" + b"x" * 0x1000 + b"\r\n"
    headers = head("Content-Type: application/json", "Transfer-Encoding: chunked")
    answer = await raw(port, headers, chunk * 30, b"0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"PAYLOAD_TOO_LARGE" in answer
    await assert_server_answers(port)


async def test_announced_huge_body_is_refused_unread(port: int) -> None:
    answer = await raw(port, head("Content-Type: application/json", "Content-Length: 999999999"))
    assert answer.startswith(b"HTTP/1.1 413")
    await assert_server_answers(port)


@pytest.mark.parametrize("body", [body for body, status, _ in ATTACKS if status == 400])
async def test_attack_on_a_real_server(port: int, body: bytes) -> None:
    status = b"413" if len(body) > 100_000 else b"400"
    headers = head("Content-Type: application/json", f"Content-Length: {len(body)}")
    assert (await raw(port, headers, body)).startswith(b"HTTP/1.1 " + status)
    await assert_server_answers(port)


async def test_refused_request_leaves_the_connection_usable(port: int) -> None:
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
        for _ in range(3):
            response = await http.post(
                "/graphql", content=b"x" * 50_000, headers={"authorization": "Bearer wrong"}
            )
            assert response.status_code == 401
            await assert_still_serving(http)


async def reached(counter: str, value: int) -> bool:
    """Whether a counter of the server's thread gets to this value within some seconds."""
    for _ in range(6_000):
        if getattr(record, counter) >= value:
            return True
        await asyncio.sleep(0.01)
    return False


async def test_disconnect_cancels_the_operation(port: int) -> None:
    started, cancelled = record.started, record.cancelled
    body = json.dumps({"query": "{ slow }"}).encode()
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head("Content-Type: application/json", f"Content-Length: {len(body)}") + body)
    assert await reached("started", started + 1)
    writer.close()
    assert await reached("cancelled", cancelled + 1)
    await assert_server_answers(port)
