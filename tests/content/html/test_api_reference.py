"""Operations, webhooks and schemas of APIs as HTML: all that readers expect, whatever there is."""

import ast
import copy
import json
import re
import shlex
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from content.html.document import render_document
from content.html.openapi_languages import samples_of
from content.html.openapi_requests import request_form, takes_requests
from content.html.openapi_samples import Request
from content.html.openapi_schemas import Reference
from content.html.openapi_text import block_markdown
from content.html.rendering import Options
from content.html.words import document_words
from content.openapi.extracts import operation_of, schemas_of, webhook_of
from tests.growth import Work, assert_growth

PET: dict[str, Any] = {
    "type": "object", "required": ["name"],
    "properties": {
        "name": {"type": "string", "description": "What it is **called**", "maxLength": 20},
        "parent": {"$ref": "#/components/schemas/Pet"},
        "tags": {"type": "array", "items": {"$ref": "#/components/schemas/Tag"}},
        "secret": {"type": "string", "x-internal": True, "description": "HIDDEN"},
        "size": {"type": "string", "enum": ["s", "m"],
                 "x-enumDescriptions": {"s": "Small ones", "m": "All others"}},
    },
}  # fmt: skip
SPECIFICATION: dict[str, Any] = {
    "openapi": "3.1.0", "info": {"title": "Pets", "version": "1"},
    "servers": [{"url": "https://{region}.pets.example/v1",
                 "variables": {"region": {"default": "eu"}}}],
    "security": [{"token": []}],
    "paths": {
        "/pets/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "description": "Which",
                            "schema": {"type": "integer", "minimum": 1, "example": 7}}],
            "put": {
                "description": "# Change\n\nOne pet.", "deprecated": True, "x-stability": "beta",
                "x-deprecated-sunset": "2027-01-31",
                "parameters": [
                    {"$ref": "#/components/parameters/dry"},
                    {"name": "X-Hidden", "in": "header", "x-internal": True, "schema": {}},
                    {"name": "session", "in": "cookie", "schema": {"type": "string"}},
                ],
                "requestBody": {"content": {"application/json": {
                    "schema": {"$ref": "#/components/schemas/Pet"}}}},
                "responses": {
                    "200": {"description": "The pet", "headers": {"X-Left": {
                        "description": "How many", "schema": {"type": "integer"}}},
                        "content": {"application/json": {
                            "schema": {"$ref": "#/components/schemas/Pet"}}}},
                    "404": {"description": "No such pet"},
                },
            },
            "delete": {"x-internal": True, "responses": {"204": {"description": "gone"}}},
            "get": {"x-codeSamples": [{"lang": "Go", "source": "pets.Get(7)"}], "security": [],
                    "responses": {"200": {"description": "ok"}}},
        }
    },
    "webhooks": {"adopted": {"post": {"summary": "x", "requestBody": {"content": {
        "application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}},
        "responses": {"200": {"description": "Thanks"}}}}},
    "components": {
        "parameters": {"dry": {"name": "dry", "in": "query", "required": True,
                               "schema": {"type": "boolean", "default": False}}},
        "schemas": {"Pet": PET, "Tag": {"type": "object", "properties": {
            "id": {"type": "string", "format": "uuid"}}}, "Unused": {"type": "string"}},
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"},
                            "other": {"type": "apiKey", "in": "query", "name": "key"}},
    },
}  # fmt: skip


def html_of(kind: str, data: dict[str, Any], shown: Any, language: str = "en") -> str:
    data = {**data, "ref": {"kind": "openapi", "spec": "pets"}, "shown": shown}
    block = {"object": "block", "type": kind, "isVoid": True, "data": data}
    document: Any = {"object": "document", "data": {"schemaVersion": 8}, "nodes": [block]}
    return render_document(document, Options(words=document_words(language))).html


def operation(method: str = "put", root: Any = SPECIFICATION, language: str = "en") -> str:
    data = {"path": "/pets/{id}", "method": method}
    return html_of("openapi-operation", data, operation_of(root, "/pets/{id}", method), language)


def test_an_operation_has_all_that_readers_expect() -> None:
    html = operation()
    for part in (
        "PUT", "Deprecated until 2027-01-31", "beta", "One pet.", "Authentication", "bearer",
        "Path parameters", "minimum: 1", "Query parameters", "Default: false", "Cookies", "Body",
        "application/json", "array of Tag", "Small ones", "Pet, as above", "Responses", "404",
        "No such pet", "X-Left", "How many",
    ):  # fmt: skip
        assert part in html, part
    # The headings of the page are its own; what is not for readers is not there at all.
    assert not re.search("<h[1-6]|<script|HIDDEN|X-Hidden", html)
    assert "What it is <strong>called</strong>" in html
    text = re.sub("<[^>]+>", "", html)
    for sample in (
        "curl -X PUT &#x27;https://eu.pets.example/v1/pets/7?dry=false&#x27;",
        "fetch(&quot;https://eu.pets.example/v1/pets/7?dry=false&quot;",
        "requests.request(",
        "Authorization: Bearer YOUR_TOKEN",
    ):
        assert sample.replace("&#x27;", "'").replace("&quot;", '"') in (
            text.replace("&#x27;", "'").replace("&quot;", '"').replace("&#39;", "'")
        ), sample


def test_samples_of_the_specification_stand_in_place_of_ours() -> None:
    html = operation("get")
    assert "pets.Get" in html
    assert "curl" not in html
    assert "Authentication" not in html
    root = copy.deepcopy(SPECIFICATION)
    root["paths"]["/pets/{id}"]["get"]["x-codeSamples"] = False
    assert "pets.Get" not in operation("get", root)


def test_what_is_hidden_is_a_block_without_content() -> None:
    assert operation_of(SPECIFICATION, "/pets/{id}", "delete") is None
    assert operation_of(SPECIFICATION, "/other", "get") is None
    assert "Specification" in operation("delete")


def test_webhooks_and_schemas() -> None:
    shown = webhook_of(SPECIFICATION, "adopted", "post")
    html = html_of("openapi-webhook", {"name": "adopted", "method": "post"}, shown)
    assert "Webhook" in html
    assert "Thanks" in html
    assert "curl" not in html
    extract = schemas_of(SPECIFICATION, ["Pet", "Nothing"])
    assert extract is not None
    assert sorted(extract["components"]) == [
        "#/components/schemas/Pet", "#/components/schemas/Tag",
    ]  # fmt: skip
    html = html_of("openapi-schemas", {"schemas": ["Pet"]}, extract)
    assert "What it is" in html
    assert "HIDDEN" not in html


def test_fields_in_fields_open_with_a_name() -> None:
    """Whether they have schemas of their own or not."""
    inner = {"type": "object", "properties": {"deep": {"type": "string", "description": "DEEP"}}}
    outer = {"type": "object", "properties": {"inner": inner, "list": {"items": inner}}}
    root = {"components": {"schemas": {"A": {"type": "object", "properties": {"outer": outer}}}}}
    html = html_of("openapi-schemas", {"schemas": ["A"]}, schemas_of(root, ["A"]))
    assert html.count("DEEP") == 2
    assert "<summary></summary>" not in html


def test_words_are_in_the_language_of_the_site() -> None:
    html = operation(language="de")
    assert "Authentifizierung" in html
    assert "Veraltet bis 2027-01-31" in html


def test_recursion_ends() -> None:
    """Schemas that stand in themselves in each way, and ones that branch at each step."""
    schemas: dict[str, Any] = {
        "Loop": {"type": "array", "items": {"$ref": "#/components/schemas/Loop"}},
        "Self": {"$ref": "#/components/schemas/Self"},
        "All": {"allOf": [{"$ref": "#/components/schemas/All"}, {"type": "object"}]},
    }
    for number in range(30):
        following = {"$ref": f"#/components/schemas/S{number + 1}"}
        schemas[f"S{number}"] = {
            "type": "object", "properties": {name: following for name in "abcdef"},
        }  # fmt: skip
    root = {"components": {"schemas": schemas}}
    html = html_of("openapi-schemas", {"schemas": list(schemas)}, schemas_of(root, list(schemas)))
    assert len(html) < 2_000_000


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just("#/components/x"),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["$ref", "type", "properties", "items", "schema", "content", "operation", "enum",
             "parameters", "responses", "requestBody", "components", "servers", "security", "url",
             "securitySchemes", "description", "examples", "allOf", "in", "name", "variables"]
        ),
        inner,
        max_size=5,
    ),
    max_leaves=30,
)  # fmt: skip


@given(ODD, st.sampled_from(["openapi-operation", "openapi-webhook", "openapi-schemas"]))
@settings(max_examples=60, deadline=None)
def test_whatever_a_block_holds_is_html(shown: Any, kind: str) -> None:
    data = {"path": "/a", "method": "get", "schemas": ["x"], "name": "n"}
    assert html_of(kind, data, shown).startswith("<div")
    if isinstance(shown, dict):
        block_markdown(kind, shown)
        takes_requests(shown)
        assert request_form(shown, "https://api.example", Options()).startswith("<form")


@pytest.mark.parametrize("seed", range(2))
def test_damaged_specifications_are_shown(seed: int) -> None:
    """Any part of a specification may be of any kind: extracts of it never fail."""
    values: list[Any] = [None, [], {}, "x", 1, True]
    text = json.dumps(SPECIFICATION)
    names = sorted(set(re.findall(r'"([\w$/{}-]+)":', text)))
    for index, name in enumerate(names):
        root = json.loads(text)
        waiting = [root]
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict):
                if name in value:
                    value[name] = values[(index + seed) % len(values)]
                waiting.extend(value.values())
            elif isinstance(value, list):
                waiting.extend(value)
        operation("put", root)
        schemas_of(root, ["Pet"])
        webhook_of(root, "adopted", "post")


def test_text_says_what_a_block_shows() -> None:
    extract = operation_of(SPECIFICATION, "/pets/{id}", "put")
    assert extract is not None
    text = block_markdown("openapi-operation", extract)
    for part in (
        "`PUT /pets/{id}` · Deprecated until 2027-01-31 · beta",
        "- `token`: `Authorization: Bearer YOUR_TOKEN`",
        "- `id` (integer, required): Which", "- `dry` (boolean, required)",
        "- `application/json`: Pet", "  - `name` (string, required): What it is **called**",
        "- `404`: No such pet", "curl -X PUT 'https://eu.pets.example/v1/pets/7?dry=false'",
    ):  # fmt: skip
        assert part in text, text
    assert "HIDDEN" not in text
    schemas = schemas_of(SPECIFICATION, ["Pet"])
    assert schemas is not None
    assert "  - `tags` (array of Tag)" in block_markdown("openapi-schemas", schemas)


def test_schemas_of_several_parts_are_one() -> None:
    root = copy.deepcopy(SPECIFICATION)
    root["components"]["schemas"] |= {
        "Named": {"type": "object", "required": ["name"], "properties": {"name": {}}},
        "Dog": {"allOf": [{"$ref": "#/components/schemas/Named"},
                          {"properties": {"barks": {"type": "boolean"}}}]},
        "Both": {"allOf": [{"$ref": "#/components/schemas/Named"}, {"oneOf": [{}, {}]}]},
        # Each step has the next one twice.
        **{f"S{n}": {"allOf": [{"$ref": f"#/components/schemas/S{n + 1}"}] * 40}
           for n in range(12)},
        "S12": {"properties": {"end": {}}},
    }  # fmt: skip
    html = html_of("openapi-schemas", {}, schemas_of(root, ["Dog"]))
    names = re.findall(r'openapi-name">([^<]+)<', html)
    assert names == ["Dog", "name", "barks"]
    assert html.count("openapi-required") == 1
    assert "All of" in html_of("openapi-schemas", {}, schemas_of(root, ["Both"]))
    assert len(html_of("openapi-schemas", {}, schemas_of(root, ["S0"]))) < 3_000_000


@given(st.text(max_size=30), st.text(max_size=30), st.booleans())
@settings(max_examples=40, deadline=None)
def test_samples_say_what_is_sent_whatever_it_is(name: str, value: str, form: bool) -> None:
    kind = "multipart/form-data" if form else "application/json"
    operation = {"requestBody": {"content": {kind: {"example": {name: value}}}}}
    extract = {"path": "/a", "method": "post", "servers": [{"url": "https://api.example"}]}
    request = Request(Reference(Any, Any, {}), extract, operation)  # type: ignore[arg-type]
    samples = {title: code for title, _, code in samples_of(request)}
    curl = shlex.split(samples["curl"].replace("\\\n", " ")) if "\\" not in value + name else []
    if curl and form:
        assert f"{name}={value}" in curl
    elif curl:
        assert json.loads(curl[-1]) == {name: value}
    call: Any = ast.parse(samples["Python"]).body[1]
    arguments = {part.arg: ast.literal_eval(part.value) for part in call.value.keywords}
    if form:
        assert arguments == {"files": {name: (None, value)}}
    else:
        assert arguments["json"] == {name: value}
        for title, unescaped in (("PHP", r"CURLOPT_POSTFIELDS => '(.*)',\n\]"),
                                 ("Ruby", r"request.body = '(.*)'\nresponse")):  # fmt: skip
            match = re.search(unescaped, samples[title], re.DOTALL)
            assert match is not None
            body = re.sub(r"\\([\\'])", r"\1", match[1])
            assert json.loads(body) == {name: value}


@pytest.mark.parametrize(
    ("kind", "example", "option"),
    [
        ("text/plain", "@/etc/passwd", "--data-raw"),
        ("text/plain", "plain", "-d"),
        ("multipart/form-data", {"a": "@/etc/passwd"}, "--form-string"),
        ("multipart/form-data", {"a": "</etc/passwd"}, "--form-string"),
        ("multipart/form-data", {"a": "b;type=text/html"}, "--form-string"),
        ("multipart/form-data", {"a": "b"}, "-F"),
    ],
)
def test_a_copied_sample_sends_no_file_of_its_reader(kind: str, example: Any, option: str) -> None:
    operation = {"requestBody": {"content": {kind: {"example": example}}}}
    extract = {"path": "/a", "method": "post", "servers": [{"url": "https://api.example"}]}
    request = Request(Reference(Any, Any, {}), extract, operation)  # type: ignore[arg-type]
    curl = shlex.split(samples_of(request)[0][2].replace("\\\n", " "))
    assert curl[-2] == option


def test_backticks_cost_no_more_than_other_characters() -> None:
    def work(size: int) -> Work:
        path = "/" + "`" * size
        extract = {"path": path, "method": "get", "operation": {}, "servers": []}
        return lambda: block_markdown("openapi-operation", extract)

    assert_growth(work, 10_000)
    assert "``` GET /`` ```" in str(work(2)())
